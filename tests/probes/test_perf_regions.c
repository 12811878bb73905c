/* SPDX-License-Identifier: MIT */
/* Regions that perf stat counts, with a thread at the other end of its fifos: every
 * sample turns the counters on and off once, and silence is an error, not a wait. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/scratch.h"

#include "core/clock.h"
#include "core/cycles.h"
#include "core/place.h"
#include "core/text.h"
#include "probes/groups.h"
#include "probes/measure.h"
#include "probes/perf_events.h"
#include "probes/regions.h"
#include "probes/team.h"

static struct rp_error error;

/* perf, as far as the fifos go. */
struct perf {
    int control;
    int acknowledge;
    size_t answers; /* that are left to give */
    size_t enabled; /* so often */
    bool is_on;
    bool wrong; /* turned on twice, or told what perf does not know */
    pthread_t thread;
};

static void answer(struct perf *perf, const char *order)
{
    static const char acknowledgement[] = "ack\n"; /* perf sends the 0, too */
    const bool turns_on = strcmp(order, "enable") == 0;

    perf->wrong = perf->wrong || (!turns_on && strcmp(order, "disable") != 0) ||
                  (turns_on && perf->is_on);
    perf->is_on = turns_on;
    perf->enabled += turns_on;
    if (perf->answers > 0) {
        perf->answers--;
        perf->wrong = write(perf->acknowledge, acknowledgement, sizeof acknowledgement) !=
                          sizeof acknowledgement ||
                      perf->wrong;
    }
}

/* Until it is told "end". */
static void *serve(void *context)
{
    struct perf *const perf = context;
    char order[16];
    size_t length = 0;

    while (read(perf->control, &order[length], 1) == 1) {
        if (order[length] != '\n' && length + 1 < sizeof order) {
            length++;
            continue;
        }
        order[length] = '\0';
        length = 0;
        if (strcmp(order, "end") == 0) {
            break;
        }
        answer(perf, order);
    }
    return NULL;
}

/* Makes the fifos and names them as perf's user does. */
static void name_fifos(const char *folder)
{
    char paths[512];
    char control[256];

    snprintf(control, sizeof control, "%s", scratch_path(folder, "control"));
    snprintf(paths, sizeof paths, "%s,%s", control, scratch_path(folder, "ack"));
    setenv("RIDGEPOINT_PERF_CONTROL", paths, 1);
    assert_int_equal(mkfifo(control, 0600), 0);
    assert_int_equal(mkfifo(scratch_path(folder, "ack"), 0600), 0);
}

static struct perf start_perf(const char *folder, size_t answers)
{
    struct perf perf = {.answers = answers};

    name_fifos(folder);
    perf.control = open(scratch_path(folder, "control"), O_RDWR | O_CLOEXEC);
    perf.acknowledge = open(scratch_path(folder, "ack"), O_RDWR | O_CLOEXEC);
    assert_true(perf.control >= 0 && perf.acknowledge >= 0);
    return perf;
}

static void end_perf(struct perf *perf)
{
    assert_int_equal(write(perf->control, "end\n", 4), 4);
    pthread_join(perf->thread, NULL);
    close(perf->control);
    close(perf->acknowledge);
}

#define START(perf)                                                                      \
    assert_int_equal(pthread_create(&(perf).thread, NULL, serve, &(perf)), 0)

static int clear(void **state)
{
    unsetenv("RIDGEPOINT_PERF_CONTROL");
    return scratch_remove(state);
}

static void the_counters_are_on_within_a_region_only(void **state)
{
    struct perf perf = start_perf(*state, SIZE_MAX);
    struct rp_regions regions;

    START(perf);
    assert_true(rp_regions_wanted());
    assert_true(rp_regions_open(&regions, NULL, &error));
    assert_true(rp_regions_are_open(&regions));
    assert_true(rp_regions_least_seconds(&regions) >= 0.001);
    assert_true(rp_regions_register(&regions, "a/nt/1", 0, &error));
    for (size_t i = 1; i <= 3; i++) {
        rp_regions_start(&regions, "a/nt/1");
        assert_true(perf.is_on);
        assert_int_equal(perf.enabled, i);
        rp_regions_stop(&regions, "a/nt/1");
        assert_false(perf.is_on);
    }
    assert_true(rp_regions_check(&regions, &error));
    rp_regions_close(&regions);
    assert_false(rp_regions_are_open(&regions));
    rp_regions_close(&regions);
    end_perf(&perf);
    assert_false(perf.wrong);
}

/* perf would add what it counts of the second to the first. */
static void only_one_job_can_be_counted(void **state)
{
    struct perf perf = start_perf(*state, SIZE_MAX);
    struct rp_regions regions;

    START(perf);
    assert_true(rp_regions_open(&regions, NULL, &error));
    assert_true(rp_regions_register(&regions, "a/nt/1", 0, &error));
    assert_false(rp_regions_register(&regions, "b/nt/1", 0, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "perf stat has no regions, and would add b/nt/1");
    rp_regions_close(&regions);
    end_perf(&perf);
}

static void what_is_no_pair_of_fifos_is_said(void **state)
{
    static const struct {
        const char *control;
        const char *message;
    } rows[] = {
        {"", "RIDGEPOINT_PERF_CONTROL is ''; give CONTROL,ACKNOWLEDGE"},
        {"/a", "is '/a'; give CONTROL,ACKNOWLEDGE"},
        {"/a,/b,/c", "is '/a,/b,/c'; give CONTROL,ACKNOWLEDGE"},
        {"/no/such,/no/such", "cannot open /no/such, named by RIDGEPOINT_PERF_CONTROL"},
        {"/dev/null,/dev/null",
         "/dev/null, named by RIDGEPOINT_PERF_CONTROL, is no fifo"},
    };
    struct rp_regions regions;
    char paths[512];

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        setenv("RIDGEPOINT_PERF_CONTROL", rows[i].control, 1);
        assert_false(rp_regions_open(&regions, NULL, &error));
        assert_int_equal(error.status, RP_UNABLE);
        assert_contains(error.message, rows[i].message);
        assert_false(rp_regions_are_open(&regions));
        rp_regions_close(&regions);
    }
    assert_int_equal(mkfifo(scratch_path(*state, "control"), 0600), 0);
    snprintf(paths, sizeof paths, "%s,/no/such", scratch_path(*state, "control"));
    setenv("RIDGEPOINT_PERF_CONTROL", paths, 1);
    assert_false(rp_regions_open(&regions, NULL, &error));
    assert_contains(error.message, "cannot open /no/such");
}

static void silence_from_the_start_is_an_error(void **state)
{
    struct rp_regions regions;

    name_fifos(*state);
    assert_false(rp_regions_open(&regions, NULL, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "perf stat does not answer");
}

/* One answer for being there, one for the first start; then perf is gone. */
static void silence_later_on_is_an_error(void **state)
{
    struct perf perf = start_perf(*state, 2);
    struct rp_regions regions;

    START(perf);
    assert_true(rp_regions_open(&regions, NULL, &error));
    rp_regions_start(&regions, "a");
    assert_true(rp_regions_check(&regions, &error));
    end_perf(&perf);
    for (unsigned i = 0; i < 1000; i++) { /* and is asked no more */
        rp_regions_stop(&regions, "a");
        rp_regions_start(&regions, "a");
    }
    assert_false(rp_regions_check(&regions, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "perf stat does not answer");
    rp_regions_close(&regions);
}

/* ---- samples ---- */

/* About a microsecond a repetition. */
static void spin(void *context, uint64_t repetitions)
{
    const uint64_t end = rp_clock_ns() + repetitions * 1000;

    (void)context;
    while (rp_clock_ns() < end) {
    }
}

/* And waiting for perf is not taken for a disturbance of the samples: they are not all
 * lost, time and again. */
static void every_sample_is_counted_once(void **state)
{
    enum { MOST_TRIES = 50 };
    struct perf perf = start_perf(*state, SIZE_MAX);
    struct rp_topology *const topology = rp_topology_load(&error);
    const struct rp_measurable measurable = {.run = spin, .baseline = spin};
    struct rp_cycles chain;
    struct rp_disturbance_watch watch;
    unsigned cpu = 0;
    size_t kept = 0;

    assert_non_null(topology);
    assert_int_equal(rp_machine_pus(topology, 0, &cpu, 1) > 0, 1);
    START(perf);
    assert_true(rp_place_thread(topology, cpu, &error));
    assert_true(
        rp_cycles_open(&chain, &rp_cycle_native, cpu, RP_CYCLE_SOURCE_CHAIN, &error));
    rp_disturbance_watch(&watch, "", cpu);
    for (unsigned tries = 0; kept == 0 && tries < MOST_TRIES; tries++) {
        struct rp_regions regions;
        const struct rp_measure_options options = {
            .sample_seconds = 0.0002,
            .budget_seconds = 0.02,
            .cycles = &chain,
            .watch = &watch,
            .regions = &regions,
        };
        struct rp_record record = {.job = "sweep/a/nt/65536"};
        uint64_t repetitions = 0;
        const size_t before = perf.enabled;

        assert_true(rp_regions_open(&regions, NULL, &error));
        assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
        assert_true((size_t)rp_record_samples_taken(&record) > 0);
        assert_int_equal(perf.enabled - before, (size_t)rp_record_samples_taken(&record));
        assert_false(perf.is_on);
        kept = record.sample_count;
        rp_record_free(&record);
        rp_regions_close(&regions);
    }
    assert_true(kept > 0);
    end_perf(&perf);
    assert_false(perf.wrong);
    rp_topology_free(topology);
}

/* Its threads would turn the counters off for each other. */
static void a_team_is_not_counted(void **state)
{
    struct perf perf = start_perf(*state, SIZE_MAX);
    struct rp_topology *const topology = rp_topology_load(&error);
    struct rp_regions regions;
    struct rp_team team = {0};
    unsigned pus[2] = {0};

    assert_non_null(topology);
    const unsigned count = rp_machine_pus(topology, 0, pus, 2);
    START(perf);
    assert_true(rp_regions_open(&regions, NULL, &error));
    if (count >= 2) {
        const struct rp_team_options options = {
            .topology = topology,
            .pus = pus,
            .threads = 2,
            .kernel = rp_kernel_find("store-sse2"),
            .mode = RP_MODE_NT,
            .working_set_bytes = 128 * RP_KIB,
            .budget_seconds = 0.01,
            .regions = &regions,
        };
        struct rp_record record = {.job = "scaling/store"};

        assert_false(rp_team_measure(&team, &options, &record, &error));
        assert_int_equal(error.status, RP_UNABLE);
        assert_contains(error.message, "on one thread");
        rp_record_free(&record);
    }
    rp_team_close(&team);
    rp_regions_close(&regions);
    end_perf(&perf);
    assert_int_equal(perf.enabled, 0);
    rp_topology_free(topology);
}

/* ---- events ---- */

/* Each event for perf is one that likwid counts with the group of the same name, or with
 * its RP_CORE: by these names the model knows it. */
static void events_are_those_of_the_groups(void **state)
{
    const struct rp_counter_group *group = NULL;
    size_t found = 0;

    (void)state;
    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        char events[RP_PERF_EVENTS_BYTES];
        size_t count = 0;

        rp_perf_events(group->architecture, group->name, events);
        assert_int_equal(events[0] != '\0',
                         rp_perf_counts(group->architecture, group->name));
        assert_true(strlen(events) + 1 < sizeof events);
        for (const char *name = events; (name = strstr(name, ",name=")) != NULL;) {
            char event[64];

            name += strlen(",name=");
            snprintf(event, sizeof event, " %.*s\n", (int)strcspn(name, "/"), name);
            assert_contains(group->text, event);
            assert_true(strncmp(name + strcspn(name, "/"), "/u", 2) == 0);
            count++;
        }
        assert_in_range(count, events[0] != '\0', RP_PERF_EVENTS);
        found += count > 0;
    }
    assert_true(found > 20);
    assert_false(rp_perf_counts("zen4", "RP_MEM"));
    assert_false(rp_perf_counts("zen", "RP_CORE"));
    assert_false(rp_perf_counts("arm8_v1", "RP_CORE"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, scratch_make, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_counters_are_on_within_a_region_only),
        TEST(only_one_job_can_be_counted),
        TEST(what_is_no_pair_of_fifos_is_said),
        TEST(silence_from_the_start_is_an_error),
        TEST(silence_later_on_is_an_error),
        TEST(every_sample_is_counted_once),
        TEST(a_team_is_not_counted),
        cmocka_unit_test(events_are_those_of_the_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
