/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "core/cycles.h"

#define PERF_DESCRIPTOR 10
#define MSR_DESCRIPTOR  11
#define MSR_MPERF       0xe7u
#define MSR_APERF       0xe8u
#define CPU             5u
#define CORE_HZ         3e9
#define CHAIN_NS        50000u

#define NO_PERF "this CPU or its hypervisor offers no counter of cycles"

/* A system with a time of its own, in which the core has run for `now_ns` at CORE_HZ. */
struct fake {
    int perf_errno; /* of opening; 0: opens */
    int msr_errno;
    double perf_scale; /* of what is counted to what the core does */
    double aperf_scale;
    double mperf_scale;
    double running; /* part of the time for which perf counts */
    bool unreadable;
    bool chain_lost;    /* the chain never gives a figure */
    unsigned disturbed; /* this many windows are disturbed: the thread is switched out */
    unsigned changing;  /* and in this many the core clock changes */

    uint64_t now_ns;
    unsigned windows;
    unsigned chain_calls;
    unsigned tries; /* of opening anything */
    int open;       /* descriptors */
};

static const struct fake agreeing = {
    .perf_scale = 1,
    .aperf_scale = 1,
    .mperf_scale = 0.7,
    .running = 1,
    .now_ns = 1000,
};

static int fake_perf_open(void *context)
{
    struct fake *const fake = context;

    fake->tries++;
    if (fake->perf_errno != 0) {
        return -fake->perf_errno;
    }
    fake->open++;
    return PERF_DESCRIPTOR;
}

static uint64_t counted(const struct fake *fake, double scale)
{
    return (uint64_t)((double)fake->now_ns * scale * CORE_HZ / 1e9);
}

static bool fake_perf_read(void *context, int descriptor, struct rp_perf_count *count)
{
    const struct fake *const fake = context;

    assert_int_equal(descriptor, PERF_DESCRIPTOR);
    assert_true(fake->open > 0);
    *count = (struct rp_perf_count){
        .value = counted(fake, fake->perf_scale),
        .enabled_ns = fake->now_ns,
        .running_ns = (uint64_t)(fake->running * (double)fake->now_ns),
    };
    return !fake->unreadable;
}

static int fake_msr_open(void *context, unsigned cpu)
{
    struct fake *const fake = context;

    assert_int_equal(cpu, CPU);
    fake->tries++;
    if (fake->msr_errno != 0) {
        return -fake->msr_errno;
    }
    fake->open++;
    return MSR_DESCRIPTOR;
}

static bool fake_msr_read(void *context, int descriptor, uint32_t address,
                          uint64_t *value)
{
    const struct fake *const fake = context;

    assert_int_equal(descriptor, MSR_DESCRIPTOR);
    assert_true(fake->open > 0);
    assert_true(address == MSR_APERF || address == MSR_MPERF);
    *value = counted(fake, address == MSR_APERF ? fake->aperf_scale : fake->mperf_scale);
    return !fake->unreadable;
}

static void fake_close(void *context, int descriptor)
{
    struct fake *const fake = context;

    assert_true(descriptor == PERF_DESCRIPTOR || descriptor == MSR_DESCRIPTOR);
    fake->open--;
}

/* Called before and after each window: while the clock changes, the two differ by 5 %. */
static double fake_chain_hz(void *context)
{
    struct fake *const fake = context;
    const bool after = fake->chain_calls++ % 2 == 1;

    fake->now_ns += CHAIN_NS;
    if (fake->chain_lost) {
        return 0;
    }
    return after && fake->windows <= fake->changing ? 1.05 * CORE_HZ : CORE_HZ;
}

static uint64_t fake_now_ns(void *context)
{
    return ((const struct fake *)context)->now_ns;
}

/* A thread that is switched out for as long as it works makes all counts wrong. */
static bool fake_spin(void *context, uint64_t ns)
{
    struct fake *const fake = context;

    fake->windows++;
    fake->now_ns += ns;
    return fake->windows > fake->disturbed;
}

static struct rp_cycle_system system_of(struct fake *fake)
{
    return (struct rp_cycle_system){
        .perf_open = fake_perf_open,
        .perf_read = fake_perf_read,
        .msr_open = fake_msr_open,
        .msr_read = fake_msr_read,
        .close = fake_close,
        .chain_hz = fake_chain_hz,
        .now_ns = fake_now_ns,
        .spin = fake_spin,
        .context = fake,
    };
}

/* Opens on the fake, checks what holds always, and closes: the trials stay. */
static struct rp_cycles choose(struct fake fake, const char *forced)
{
    const struct rp_cycle_system system = system_of(&fake);
    struct rp_error error = {0};
    struct rp_cycles cycles;
    unsigned used = 0;

    if (!rp_cycles_open(&cycles, &system, CPU, forced, &error)) {
        fail_msg("%s", error.message);
    }
    for (unsigned i = 0; i < RP_CYCLE_SOURCES; i++) {
        const struct rp_cycle_trial *const trial = &cycles.trials[i];

        used += trial->used;
        assert_true(trial->accepted || !trial->used);
        assert_int_equal(trial->accepted, trial->text[0] == '\0');
        if (trial->used) {
            assert_string_equal(trial->name, rp_cycles_name(&cycles));
        }
    }
    assert_int_equal(used, 1);
    assert_int_equal(fake.open, rp_cycles_counted(&cycles) ? 1 : 0);
    rp_cycles_close(&cycles);
    rp_cycles_close(&cycles); /* harmless */
    assert_int_equal(fake.open, 0);
    return cycles;
}

static void assert_ratio(const struct rp_cycle_trial *trial, double ratio)
{
    assert_true(trial->ratio > ratio - 1e-3 && trial->ratio < ratio + 1e-3);
}

static void test_best_first(void **state)
{
    struct fake fake = agreeing;
    struct rp_cycles cycles = choose(fake, NULL);

    (void)state;
    assert_string_equal(rp_cycles_name(&cycles), "perf-event");
    assert_ratio(&cycles.trials[0], 1);
    assert_true(cycles.trials[1].accepted); /* the second opinion is kept */
    assert_ratio(&cycles.trials[1], 1);
    assert_string_equal(cycles.trials[1].name, "aperf-mperf");
    assert_string_equal(cycles.trials[2].name, "calibrated-chain");
    assert_true(cycles.trials[2].accepted);

    fake.perf_errno = ENOENT;
    cycles = choose(fake, "");
    assert_string_equal(rp_cycles_name(&cycles), "aperf-mperf");
    assert_string_equal(cycles.trials[0].text,
                        "cannot open: No such file or directory; " NO_PERF);
    assert_true(cycles.trials[0].ratio == 0);

    fake.msr_errno = ENOENT;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_false(rp_cycles_counted(&cycles));
}

/* The time stamp counter taken for cycles is one way to be off. */
static void test_disagreement(void **state)
{
    static const struct {
        double scale;
        const char *text; /* NULL: accepted */
    } rows[] = {
        {2, "counts 2 times the cycles of the addition chain (2 % is allowed)"},
        {0.5, "counts 0.5 times the cycles of the addition chain (2 % is allowed)"},
        {1.42, "counts 1.42 times the cycles of the addition chain (2 % is allowed)"},
        {1.03, "counts 1.03 times"},
        {0.97, "counts 0.97 times"},
        {1.015, NULL},
        {0.985, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fake fake = agreeing;

        fake.perf_scale = fake.aperf_scale = rows[i].scale;
        const struct rp_cycles cycles = choose(fake, NULL);
        for (unsigned j = 0; j < 2; j++) {
            assert_ratio(&cycles.trials[j], rows[i].scale);
            assert_int_equal(cycles.trials[j].accepted, rows[i].text == NULL);
            assert_contains(cycles.trials[j].text, rows[i].text ? rows[i].text : "");
        }
    }
}

static void test_counts_nothing(void **state)
{
    struct fake fake = agreeing;

    (void)state;
    fake.perf_scale = fake.aperf_scale = 0;
    struct rp_cycles cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_contains(cycles.trials[0].text, "its count stands still");
    assert_contains(cycles.trials[1].text, "its count stands still");

    fake.aperf_scale = 1;
    fake.mperf_scale = 0;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_contains(cycles.trials[1].text, "MPERF stands still");

    fake.running = 0;
    cycles = choose(fake, NULL);
    assert_contains(cycles.trials[0].text, "counts only a part of the time");

    fake = agreeing;
    fake.running = 0.9;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "aperf-mperf");
    assert_contains(cycles.trials[0].text, "counts only a part of the time");

    fake = agreeing;
    fake.unreadable = true;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_contains(cycles.trials[0].text, "cannot be read");
    assert_contains(cycles.trials[1].text, "no APERF");
}

static void test_reasons(void **state)
{
    static const struct {
        int number;
        const char *perf;
        const char *msr;
    } rows[] = {
        {EACCES,
         "Permission denied; set /proc/sys/kernel/perf_event_paranoid to 2 or less",
         "Permission denied; run as root"},
        {EPERM, "Operation not permitted; allow perf_event_open in the container",
         "Operation not permitted; it takes CAP_SYS_RAWIO"},
        {ENOENT, "No such file or directory; " NO_PERF, "modprobe msr"},
        {ENODEV, "No such device; " NO_PERF, "modprobe msr"},
        {EOPNOTSUPP, NO_PERF, "modprobe msr"},
        {ENOSYS, "the kernel was built without it", "modprobe msr"},
        {EMFILE, "raise the limit of open files", "raise the limit of open files"},
        {EBUSY, "another program has the counters", "modprobe msr"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fake fake = agreeing;

        fake.perf_errno = fake.msr_errno = rows[i].number;
        const struct rp_cycles cycles = choose(fake, NULL);
        assert_contains(cycles.trials[0].text, "cannot open: ");
        assert_contains(cycles.trials[0].text, rows[i].perf);
        assert_contains(cycles.trials[1].text, rows[i].msr);
    }
}

/* Windows that are no evidence are taken again, but not for ever. */
static void test_disturbed_windows(void **state)
{
    struct fake fake = agreeing;

    (void)state;
    fake.disturbed = fake.changing = 10;
    struct rp_cycles cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "perf-event");
    assert_ratio(&cycles.trials[0], 1);

    fake.disturbed = UINT_MAX;
    fake.changing = 0;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_contains(cycles.trials[0].text, "busy CPU; stop what else runs");

    fake.disturbed = 0;
    fake.changing = UINT_MAX;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");

    fake.changing = 0;
    fake.chain_lost = true;
    cycles = choose(fake, NULL);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    assert_contains(cycles.trials[1].text, "busy CPU");
}

static void test_forced(void **state)
{
    struct rp_cycles cycles = choose(agreeing, "aperf-mperf");

    (void)state;
    assert_string_equal(rp_cycles_name(&cycles), "aperf-mperf");
    assert_string_equal(cycles.trials[0].text, "RIDGEPOINT_CYCLES asks for aperf-mperf");
    assert_false(cycles.trials[2].accepted);
    cycles = choose(agreeing, "perf-event");
    assert_string_equal(rp_cycles_name(&cycles), "perf-event");

    /* The others are left alone: there may be a reason for it. */
    struct fake fake = agreeing;
    const struct rp_cycle_system system = system_of(&fake);
    struct rp_error error = {0};
    assert_true(rp_cycles_open(&cycles, &system, CPU, "calibrated-chain", &error));
    assert_int_equal(fake.tries, 0);
    assert_string_equal(rp_cycles_name(&cycles), "calibrated-chain");
    rp_cycles_close(&cycles);
}

static void test_forced_refusals(void **state)
{
    static const struct {
        const char *forced;
        double scale;
        int perf_errno;
        enum rp_status status;
        const char *message;
    } rows[] = {
        {"perf-event", 1, ENOENT, RP_UNABLE,
         "RIDGEPOINT_CYCLES=perf-event cannot be used here: cannot open: No such file or "
         "directory; " NO_PERF "; unset the variable"},
        {"perf-event", 1.42, 0, RP_UNABLE, "counts 1.42 times the cycles"},
        {"aperf-mperf", 0.5, 0, RP_UNABLE, "counts 0.5 times the cycles"},
        {"tsc", 1, 0, RP_USAGE,
         "RIDGEPOINT_CYCLES=tsc is no cycle source; use perf-event, aperf-mperf or "
         "calibrated-chain, or unset it"},
        {"perf", 1, 0, RP_USAGE, "is no cycle source"},
        {"PERF-EVENT", 1, 0, RP_USAGE, "is no cycle source"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fake fake = agreeing;
        const struct rp_cycle_system system = system_of(&fake);
        struct rp_error error = {0};
        struct rp_cycles cycles;

        fake.perf_errno = rows[i].perf_errno;
        fake.perf_scale = fake.aperf_scale = rows[i].scale;
        assert_false(rp_cycles_open(&cycles, &system, CPU, rows[i].forced, &error));
        assert_int_equal(error.status, rows[i].status);
        assert_contains(error.message, rows[i].message);
        assert_int_equal(fake.open, 0);
        rp_cycles_close(&cycles); /* harmless */
        assert_int_equal(fake.open, 0);
    }
}

static void test_reading(void **state)
{
    static const char *const counting[] = {"perf-event", "aperf-mperf"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(counting); i++) {
        struct fake fake = agreeing;
        const struct rp_cycle_system system = system_of(&fake);
        struct rp_error error = {0};
        struct rp_cycles cycles;
        uint64_t before = 0;
        uint64_t after = 0;

        assert_true(rp_cycles_open(&cycles, &system, CPU, counting[i], &error));
        assert_true(rp_cycles_counted(&cycles));
        assert_true(rp_cycles_read(&cycles, &before));
        fake.now_ns += 250000;
        assert_true(rp_cycles_read(&cycles, &after));
        assert_int_equal(after - before, 750000);
        fake.unreadable = true; /* no count is not a count of zero */
        assert_false(rp_cycles_read(&cycles, &after));
        rp_cycles_close(&cycles);
    }
}

/* Others take the counters in the middle of a measurement. */
static void test_sharing_later(void **state)
{
    struct fake fake = agreeing;
    const struct rp_cycle_system system = system_of(&fake);
    struct rp_error error = {0};
    struct rp_cycles cycles;
    uint64_t count = 0;

    (void)state;
    assert_true(rp_cycles_open(&cycles, &system, CPU, "perf-event", &error));
    fake.running = 0.999;
    assert_false(rp_cycles_read(&cycles, &count));
    rp_cycles_close(&cycles);

    assert_true(rp_cycles_open(&cycles, &system, CPU, "calibrated-chain", &error));
    assert_false(rp_cycles_counted(&cycles));
    assert_true(rp_cycles_read(&cycles, &count)); /* nothing to read, nothing to lose */
    assert_int_equal(count, 0);
    rp_cycles_close(&cycles);

    struct rp_cycles never_opened = {0};
    rp_cycles_close(&never_opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_first),        cmocka_unit_test(test_disagreement),
        cmocka_unit_test(test_counts_nothing),    cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_disturbed_windows), cmocka_unit_test(test_forced),
        cmocka_unit_test(test_forced_refusals),   cmocka_unit_test(test_reading),
        cmocka_unit_test(test_sharing_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
