/* SPDX-License-Identifier: MIT */
/* The timing loop while something really is in its way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/scratch.h"
#include "core/clock.h"
#include "core/system.h"
#include "probes/measure.h"

#define BUDGET_SECONDS 0.3
#define FOLDER_BYTES   600

/* A fixed number of additions, as a kernel has. */
static void work(void *context, uint64_t repetitions)
{
    (void)context;
    while (repetitions-- > 0) {
        for (int i = 0; i < 1000; i++) {
            __asm__ volatile("" : : : "memory");
        }
    }
}

static unsigned bind_here(void)
{
    const int cpu = sched_getcpu();
    cpu_set_t set;

    assert_true(cpu >= 0);
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    return (unsigned)cpu;
}

static struct rp_record measure(const struct rp_disturbance_watch *watch,
                                double budget_seconds)
{
    const struct rp_measurable measurable = {.run = work};
    struct rp_cycles cycles;
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;
    /* So long that none but a lucky sample ends before the other one's turn. */
    const struct rp_measure_options options = {.sample_seconds = 0.002,
                                               .budget_seconds = budget_seconds,
                                               .cycles = &cycles,
                                               .watch = watch};

    assert_true(rp_cycles_open(&cycles, &rp_cycle_native, watch->cpu,
                               RP_CYCLE_SOURCE_CHAIN, &error));
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    rp_cycles_close(&cycles);
    return record;
}

/* A program on the same CPU, at the same priority, that never rests. */
static pid_t start_busy_loop(void)
{
    const pid_t child = fork();

    if (child == 0) {
        for (;;) {
            __asm__ volatile("" : : : "memory");
        }
    }
    assert_true(child > 0);
    return child;
}

static double stop_busy_loop(pid_t child)
{
    struct rusage usage;

    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(wait4(child, NULL, 0, &usage), child);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static void a_busy_loop_on_the_same_cpu_is_noticed(void **state)
{
    struct rp_disturbance_watch watch;

    (void)state;
    rp_disturbance_watch(&watch, "", bind_here());
    const pid_t child = start_busy_loop();
    struct rp_record record = measure(&watch, BUDGET_SECONDS);
    const double taken_seconds = stop_busy_loop(child);

    if (taken_seconds < BUDGET_SECONDS / 10) {
        print_message("the busy loop got %.3f s only\n", taken_seconds);
    } else if (record.verdict != RP_VERDICT_DISTURBED) {
        /* Enough samples fell between its turns. Those that did not were seen. */
        assert_true(record.dropped.preempted + record.dropped.stolen > 0);
    } else {
        assert_true(record.why[0] != '\0');
    }
    rp_record_free(&record);
}

/* Writes a number where a control group keeps it; false where that is not allowed. */
static bool put(const char *folder, const char *name, const char *text)
{
    char path[640];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "we");
    const bool written = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && written;
}

/* Makes a control group that may run a tenth of the time, and joins it. */
static bool join_quota(char *folder)
{
    struct rp_cgroup group;

    rp_cgroup_start(&group, &rp_system_running, "cpu");
    if (!rp_cgroup_next(&group)) {
        return false;
    }
    snprintf(folder, FOLDER_BYTES, "%s/ridgepoint-test-%d", group.directory,
             (int)getpid());
    if (mkdir(folder, 0700) != 0) {
        return false;
    }
    const bool limited = group.unified ? put(folder, "cpu.max", "10000 100000")
                                       : put(folder, "cpu.cfs_period_us", "100000") &&
                                             put(folder, "cpu.cfs_quota_us", "10000");
    return limited && put(folder, "cgroup.procs", "0");
}

/* In a child, which leaves the group by its end. Exit code 77: not allowed here. */
static int measure_under_quota(char *folder)
{
    struct rp_disturbance_watch watch;

    if (!join_quota(folder)) {
        return 77;
    }
    rp_disturbance_watch(&watch, "", bind_here());
    struct rp_record record = measure(&watch, 2 * BUDGET_SECONDS);
    const bool noticed = record.dropped.throttled > 0;
    const bool told = record.verdict != RP_VERDICT_DISTURBED ||
                      strstr(record.why, "throttled: ") != NULL;

    rp_record_free(&record);
    return noticed && told && watch.quota_count > 0 ? 0 : 1;
}

static void a_quota_is_noticed(void **state)
{
    /* Shared with the child, which names what it made. */
    char *const folder = mmap(NULL, FOLDER_BYTES, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;

    (void)state;
    assert_true(folder != MAP_FAILED);
    const pid_t child = fork();
    if (child == 0) {
        _exit(measure_under_quota(folder));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (folder[0] != '\0') {
        rmdir(folder);
    }
    munmap(folder, FOLDER_BYTES);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        print_message("control groups cannot be made here\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* What the kernel counts, from files laid out. */
static void counters_are_read(void **state)
{
    const char *const root = *state;
    struct rp_disturbance_watch watch;

    scratch_write(root, "proc/self/cgroup", "0::/a/b\n");
    scratch_write(root, "sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    scratch_write(root, "sys/fs/cgroup/a/cpu.stat", "usage_usec 5\nnr_throttled 7\n");
    scratch_write(root, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    scratch_write(root, "sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 100\n");
    scratch_write(root, "proc/stat",
                  "cpu  9 9 9 9 9 9 9 99\ncpu1 1 2 3 4 5 6 7 8 9\n"
                  "cpu11 0 0 0 0 0 0 0 42 0\n");
    rp_disturbance_watch(&watch, root, 11);
    assert_int_equal(watch.quota_count, 1);
    assert_int_equal(rp_disturbance_read(&watch).throttled, 7);
    assert_int_equal(rp_disturbance_read(&watch).stolen_ticks, 42);
    rp_disturbance_watch(&watch, root, 1);
    assert_int_equal(rp_disturbance_read(&watch).stolen_ticks, 8);
    rp_disturbance_watch(&watch, root, 2);
    assert_int_equal(rp_disturbance_read(&watch).stolen_ticks, 0);
}

struct files {
    const char *root;
    unsigned long long ticks;
};

/* Steal time that grows with every sample leaves none. */
static void steal_while(void *context, uint64_t repetitions)
{
    char text[64];
    struct files *const files = context;

    snprintf(text, sizeof text, "cpu0 0 0 0 0 0 0 0 %llu\n", ++files->ticks);
    scratch_write(files->root, "proc/stat", text);
    work(NULL, repetitions);
}

static void stolen_samples_are_dropped(void **state)
{
    struct files files = {.root = *state};
    const struct rp_measurable measurable = {.run = steal_while, .context = &files};
    struct rp_disturbance_watch watch;
    struct rp_cycles cycles;
    struct rp_record record = {0};
    struct rp_error error;
    uint64_t repetitions = 0;
    const struct rp_measure_options options = {.sample_seconds = 0.0002,
                                               .budget_seconds = 0.02,
                                               .cycles = &cycles,
                                               .watch = &watch};

    rp_disturbance_watch(&watch, *state, 0);
    assert_true(
        rp_cycles_open(&cycles, &rp_cycle_native, 0, RP_CYCLE_SOURCE_CHAIN, &error));
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    assert_int_equal(record.sample_count, 0);
    assert_true(record.dropped.stolen > 0);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    rp_record_free(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_loop_on_the_same_cpu_is_noticed),
        cmocka_unit_test(a_quota_is_noticed),
        cmocka_unit_test_setup_teardown(counters_are_read, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(stolen_samples_are_dropped, scratch_make,
                                        scratch_remove),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
