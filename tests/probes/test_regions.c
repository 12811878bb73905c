/* SPDX-License-Identifier: MIT */
/* Marker regions, with fake_likwid.c in place of likwid: when it is loaded, what it is
 * told, and that every sample is one call. */
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/scratch.h"

#include "core/clock.h"
#include "core/cycles.h"
#include "core/place.h"
#include "core/text.h"
#include "probes/measure.h"
#include "probes/regions.h"
#include "probes/team.h"

#define MOST_TRIES 50

static struct rp_topology *topology;
static struct rp_cycles chain;
static struct rp_error error;
static unsigned pus[2]; /* that this process may use */
static unsigned pu_count;

/* What likwid-perfctr -m leaves in the environment; `cpus` as in "0,1". */
static void start_as_likwid_does(const char *folder, const char *cpus)
{
    setenv("LIKWID_MODE", "1", 1);
    setenv("LIKWID_EVENTS", "RP_L2", 1);
    setenv("LIKWID_THREADS", cpus, 1);
    setenv("LIKWID_FILEPATH", scratch_path(folder, "calls"), 1);
}

static void start_as_anybody_does(void)
{
    unsetenv("LIKWID_MODE");
    unsetenv("LIKWID_EVENTS");
    unsetenv("LIKWID_THREADS");
    unsetenv("LIKWID_FILEPATH");
}

static int prepare(void **state)
{
    char cpus[24];

    if (scratch_make(state) != 0) {
        return -1;
    }
    snprintf(cpus, sizeof cpus, "%u,%u", pus[0], pus[pu_count - 1]);
    start_as_likwid_does(*state, cpus);
    return 0;
}

static int clear(void **state)
{
    start_as_anybody_does();
    rp_place_thread(topology, pus[0], &error);
    return scratch_remove(state);
}

static int load(void **state)
{
    (void)state;
    topology = rp_topology_load(&error);
    pu_count = topology != NULL ? rp_machine_pus(topology, 0, pus, 2) : 0;
    pu_count = pu_count > 2 ? 2 : pu_count;
    return pu_count > 0 && rp_place_thread(topology, pus[0], &error) &&
                   rp_cycles_open(&chain, &rp_cycle_native, pus[0], RP_CYCLE_SOURCE_CHAIN,
                                  &error)
               ? 0
               : -1;
}

static int unload(void **state)
{
    (void)state;
    rp_topology_free(topology);
    return 0;
}

static bool is_loaded(void)
{
    void *const library = dlopen(FAKE_LIKWID, RTLD_NOW | RTLD_NOLOAD);

    if (library != NULL) {
        dlclose(library);
    }
    return library != NULL;
}

static struct rp_regions open_regions(void)
{
    struct rp_regions regions;

    assert_true(rp_regions_open(&regions, FAKE_LIKWID, &error));
    assert_true(rp_regions_are_open(&regions));
    return regions;
}

/* How many lines the library wrote that begin like this. */
static size_t calls_of(const char *folder, const char *beginning)
{
    size_t bytes = 0;
    char *const calls = scratch_read(folder, "calls", &bytes);
    const size_t length = strlen(beginning);
    size_t count = 0;

    for (const char *line = calls; line != NULL && *line != '\0';) {
        count += strncmp(line, beginning, length) == 0;
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    free(calls);
    return count;
}

static void expect_nothing(const struct rp_regions *regions)
{
    assert_false(rp_regions_are_open(regions));
    assert_true(rp_regions_least_seconds(regions) == 0);
    assert_true(rp_regions_register(regions, "refused", 100000, &error));
    assert_int_equal(rp_regions_start(regions, "a"), 0);
    assert_int_equal(rp_regions_stop(regions, "a"), 0);
}

/* ---- the library ---- */

static void nothing_happens_unless_likwid_asks(void **state)
{
    static const char *const needed[] = {"LIKWID_MODE", "LIKWID_EVENTS", "LIKWID_THREADS",
                                         "LIKWID_FILEPATH"};
    struct rp_regions regions;

    expect_nothing(NULL);
    for (size_t i = 0; i < COUNT_OF(needed); i++) {
        start_as_likwid_does(*state, "0");
        unsetenv(needed[i]);
        assert_false(rp_regions_wanted());
        assert_true(rp_regions_open(&regions, FAKE_LIKWID, &error));
        assert_false(is_loaded());
        expect_nothing(&regions);
        rp_regions_close(&regions);
        assert_true(rp_regions_open(&regions, "/no/such/library", &error));
    }
    assert_int_not_equal(access(scratch_path(*state, "calls"), F_OK), 0);
}

static void what_is_missing_is_said(void **state)
{
    static const struct {
        const char *library;
        const char *message;
    } rows[] = {
        {NULL, "this program was built without likwid; build it where"},
        {"/no/such/liblikwid.so", "likwid cannot be loaded: /no/such/liblikwid.so"},
        {"libm.so.6", "libm.so.6 has no likwid_markerInit; install likwid 5.2 or later"},
    };
    struct rp_regions regions;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_false(rp_regions_open(&regions, rows[i].library, &error));
        assert_int_equal(error.status, RP_UNABLE);
        assert_contains(error.message, rows[i].message);
        assert_contains(error.message, "leave -m out");
        expect_nothing(&regions);
        rp_regions_close(&regions);
    }
}

static void calls_come_in_their_order(void **state)
{
    struct rp_regions regions = open_regions();

    assert_true(rp_regions_wanted());
    assert_true(rp_regions_least_seconds(&regions) >= 0.001);
    assert_true(rp_regions_register(&regions, "a/nt/1", pus[0], &error));
    assert_true(rp_regions_start(&regions, "a/nt/1") > 0); /* the thread had to wait */
    assert_true(rp_regions_stop(&regions, "a/nt/1") > 0);
    rp_regions_close(&regions);
    assert_false(is_loaded());
    expect_nothing(&regions);
    rp_regions_close(&regions);
    size_t bytes = 0;
    char *const calls = scratch_read(*state, "calls", &bytes);
    assert_string_equal(calls,
                        "init\nregister a/nt/1\nstart a/nt/1\nstop a/nt/1\nclose\n");
    free(calls);
}

static void where_likwid_does_not_count_nothing_is_measured(void **state)
{
    struct rp_regions regions = open_regions();

    (void)state;
    assert_false(rp_regions_register(&regions, "a", 999, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "a is measured on CPU 999, where likwid-perfctr does "
                                   "not count");
    assert_false(rp_regions_register(&regions, "refused", pus[0], &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "likwid cannot count in region refused");
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

/* Measures with a baseline and returns how many samples were good. Calls of the region
 * must be as many as samples were taken. */
static size_t measure(const char *folder, const struct rp_regions *regions,
                      struct rp_company *company)
{
    const struct rp_measurable measurable = {.run = spin, .baseline = spin};
    struct rp_disturbance_watch watch;
    const struct rp_measure_options options = {
        .sample_seconds = 0.0002,
        .budget_seconds = 0.02,
        .cycles = &chain,
        .watch = &watch,
        .company = company,
        .regions = regions,
    };
    struct rp_record record = {.job = "sweep/a/nt/65536"};
    uint64_t repetitions = 0;
    const size_t started = calls_of(folder, "start a/nt/65536\n");
    const size_t stopped = calls_of(folder, "stop a/nt/65536\n");

    rp_disturbance_watch(&watch, "", pus[0]);
    assert_true(rp_measure(&measurable, &options, &record, &repetitions, &error));
    const size_t taken = (size_t)rp_record_samples_taken(&record);
    const size_t kept = record.sample_count;
    assert_true(taken > 0);
    assert_int_equal(calls_of(folder, "start a/nt/65536\n") - started, taken);
    assert_int_equal(calls_of(folder, "stop a/nt/65536\n") - stopped, taken);
    rp_record_free(&record);
    return kept;
}

/* And likwid's waiting is not taken for a disturbance of the samples: they are not all
 * lost, time and again. */
static void every_sample_is_a_call(void **state)
{
    struct rp_regions regions = open_regions();
    size_t kept = 0;

    assert_true(rp_place_thread(topology, pus[0], &error));
    for (unsigned tries = 0; kept == 0 && tries < MOST_TRIES; tries++) {
        kept = measure(*state, &regions, NULL);
    }
    assert_true(kept > 0);
    assert_true(calls_of(*state, "register a/nt/65536\n") > 0);
    rp_regions_close(&regions);
}

/* Once good, once with company throughout. */
static void every_sample_of_a_shared_core_is_a_call(void **state)
{
    struct rp_company company = {.alone = 1000};
    struct rp_regions regions = open_regions();

    assert_true(rp_place_thread(topology, pus[0], &error));
    measure(*state, &regions, &company);
    rp_regions_close(&regions);
}

static void a_job_where_likwid_does_not_count_fails(void **state)
{
    const struct rp_measurable measurable = {.run = spin};
    struct rp_regions regions = open_regions();
    struct rp_disturbance_watch watch;
    const struct rp_measure_options options = {
        .budget_seconds = 0.02, .cycles = &chain, .watch = &watch, .regions = &regions};
    struct rp_record record = {.job = "units/a/1"};
    uint64_t repetitions = 0;

    rp_disturbance_watch(&watch, "", 999);
    assert_false(rp_measure(&measurable, &options, &record, &repetitions, &error));
    assert_contains(error.message, "units/a/1 is measured on CPU 999");
    assert_int_equal(calls_of(*state, "start"), 0);
    rp_record_free(&record);
    rp_regions_close(&regions);
}

static void every_thread_of_a_team_calls(void **state)
{
    struct rp_regions regions = open_regions();
    struct rp_team team = {0};
    const struct rp_team_options options = {
        .topology = topology,
        .pus = pus,
        .threads = pu_count,
        .kernel = rp_kernel_find("store-sse2"),
        .mode = RP_MODE_NT,
        .working_set_bytes = pu_count * 64 * RP_KIB,
        .budget_seconds = 0.01,
        .regions = &regions,
    };
    struct rp_record record = {.job = "scaling/store"};

    assert_true(rp_team_measure(&team, &options, &record, &error));
    const size_t taken = (size_t)rp_record_samples_taken(&record);
    assert_true(taken > 0);
    assert_int_equal(calls_of(*state, "register scaling/store\n"), pu_count);
    assert_int_equal(calls_of(*state, "start scaling/store\n"), pu_count * taken);
    assert_int_equal(calls_of(*state, "stop scaling/store\n"), pu_count * taken);
    rp_record_free(&record);
    rp_team_close(&team);
    rp_regions_close(&regions);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, prepare, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_happens_unless_likwid_asks),
        TEST(what_is_missing_is_said),
        TEST(calls_come_in_their_order),
        TEST(where_likwid_does_not_count_nothing_is_measured),
        TEST(every_sample_is_a_call),
        TEST(every_sample_of_a_shared_core_is_a_call),
        TEST(a_job_where_likwid_does_not_count_fails),
        TEST(every_thread_of_a_team_calls),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
