/* SPDX-License-Identifier: MIT */
/* Threads that measure together, and what happens when one of them cannot. No outcome
 * depends on how fast anything is. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

#include "core/clock.h"
#include "core/cycles.h"
#include "core/place.h"
#include "core/text.h"
#include "probes/pingpong.h"
#include "probes/probe.h"
#include "probes/verdict.h"

#define NO_SUCH_CPU 100000

static struct rp_topology *topology;
static struct rp_error error;
static struct rp_cycles chain;

static int load(void **state)
{
    assert_true(
        rp_cycles_open(&chain, &rp_cycle_native, 0, RP_CYCLE_SOURCE_CHAIN, &error));
    (void)state;
    topology = rp_topology_load(&error);
    return topology == NULL;
}

static int unload(void **state)
{
    (void)state;
    rp_topology_free(topology);
    return 0;
}

/* ---- barrier and ping-pong ---- */

static void *wait_at(void *barrier)
{
    return rp_barrier_wait(barrier) ? barrier : NULL;
}

static void a_broken_barrier_lets_everybody_go(void **state)
{
    struct rp_barrier barrier = {.count = 3};
    pthread_t threads[2];
    void *met = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, wait_at, &barrier), 0);
    }
    rp_barrier_break(&barrier);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        assert_int_equal(pthread_join(threads[i], &met), 0);
        assert_null(met);
    }
    assert_false(rp_barrier_wait(&barrier));
}

static void a_barrier_is_used_again_and_again(void **state)
{
    struct rp_barrier barrier = {.count = 2};

    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        pthread_t thread;
        void *met = NULL;

        assert_int_equal(pthread_create(&thread, NULL, wait_at, &barrier), 0);
        assert_true(rp_barrier_wait(&barrier));
        assert_int_equal(pthread_join(thread, &met), 0);
        assert_non_null(met);
    }
}

static void nobody_answers(void **state)
{
    struct rp_pingpong pingpong = {0};

    (void)state;
    assert_true(rp_pingpong_lead(&pingpong, 10) == 0);
    assert_true(rp_pingpong_follow(&pingpong, 10)); /* told at once that it is over */
    rp_pingpong_reset(&pingpong);
    assert_false(rp_pingpong_follow(&pingpong, 0.001)); /* and nobody calls */
}

struct follower {
    struct rp_pingpong pingpong;
    unsigned pu;
    bool bound;
};

static void *follow(void *context)
{
    struct follower *const follower = context;
    struct rp_error ignored;

    follower->bound = rp_place_thread(topology, follower->pu, &ignored);
    rp_pingpong_follow(&follower->pingpong, 5);
    return NULL;
}

/* Whether both are on one CPU or not, it ends. */
static void ping_pong_ends_wherever_the_threads_are(void **state)
{
    unsigned pus[2] = {0};
    const unsigned count = rp_machine_pus(topology, 0, pus, 2);

    (void)state;
    for (unsigned i = 0; i < count; i++) {
        struct follower follower = {.pu = pus[i]};
        pthread_t thread;

        assert_true(rp_place_thread(topology, pus[0], &error));
        assert_int_equal(pthread_create(&thread, NULL, follow, &follower), 0);
        assert_true(rp_pingpong_lead(&follower.pingpong, 10) >= 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(follower.bound);
    }
}

/* ---- teams ---- */

static struct rp_team_options options_for(const unsigned *pus, unsigned threads,
                                          const char *kernel, enum rp_mode mode)
{
    return (struct rp_team_options){
        .topology = topology,
        .pus = pus,
        .threads = threads,
        .kernel = rp_kernel_find(kernel),
        .mode = mode,
        .working_set_bytes = threads * 64 * RP_KIB,
        .seed = 3,
        .budget_seconds = 0.01,
    };
}

static void a_thread_that_cannot_be_bound_ends_all(void **state)
{
    unsigned pus[2] = {0};

    (void)state;
    rp_machine_pus(topology, 0, pus, 1);
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        const unsigned chosen[] = {wrong == 0 ? NO_SUCH_CPU : pus[0],
                                   wrong == 1 ? NO_SUCH_CPU : pus[0]};
        const struct rp_team_options options =
            options_for(chosen, 2, "store-sse2", RP_MODE_TEMPORAL);
        struct rp_team team = {0};
        struct rp_record record = {0};

        assert_false(rp_team_measure(&team, &options, &record, &error));
        assert_int_equal(error.status, RP_UNABLE);
        assert_contains(error.message, "CPU 100000 is not one this process may use");
        rp_record_free(&record);
        rp_team_close(&team);
    }
}

static void expect_sound(const struct rp_record *record, unsigned threads)
{
    const double pass = 64.0 * RP_KIB * threads;

    assert_int_equal(record->working_set_bytes, threads * 64 * RP_KIB);
    assert_true(record->items_per_sample >= pass);
    assert_true(record->page_bytes >= 4096);
    assert_string_equal(record->cycle_source, "calibrated-chain");
    assert_true(record->sample_count <= RP_MOST_SAMPLES);
    for (size_t i = 0; i < record->sample_count; i++) {
        assert_true(record->samples[i].ns > 0 && record->samples[i].cycles > 0);
        assert_true((record->samples[i].pingpong_ns > 0) == (threads > 1));
    }
    if (record->sample_count == 0) {
        assert_int_equal(record->verdict, RP_VERDICT_DISTURBED);
    }
}

static void one_and_two_threads_measure(void **state)
{
    unsigned pus[2] = {0};
    const unsigned count = rp_machine_pus(topology, 0, pus, 2);
    struct rp_team team = {0};

    (void)state;
    for (unsigned threads = 1; threads <= count; threads++) {
        const struct rp_team_options store =
            options_for(pus, threads, "store-sse2", RP_MODE_NT);
        const struct rp_team_options load =
            options_for(pus, threads, "load-sse2", RP_MODE_NONE);
        struct rp_record record = {0};

        assert_true(rp_team_measure(&team, &store, &record, &error));
        expect_sound(&record, threads);
        rp_record_free(&record);
        const void *const parts = team.parts;
        assert_true(rp_team_measure(&team, &load, &record, &error));
        expect_sound(&record, threads);
        assert_ptr_equal(team.parts, parts); /* kept: touching memory takes long */
        rp_record_free(&record);
    }
    rp_team_close(&team);
}

/* ---- verdicts ---- */

/* Adds samples of some `ns` at a place; every other one is longer by `spread`. */
static void add_samples(struct rp_record *record, size_t count, double pingpong_ns,
                        double ns, double spread)
{
    for (size_t i = 0; i < count; i++) {
        record->samples[record->sample_count++] = (struct rp_sample){
            .ns = i % 2 == 0 ? ns : ns * (1 + spread), .pingpong_ns = pingpong_ns};
    }
}

static void each_cluster_must_be_steady_by_itself(void **state)
{
    struct rp_sample samples[RP_MOST_SAMPLES];
    struct rp_record record = {.samples = samples};

    (void)state;
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_DISTURBED);
    add_samples(&record, 7, 26, 100, 0);
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_DISTURBED);
    add_samples(&record, 7, 155, 100, 0); /* 14 samples, and neither place has enough */
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_DISTURBED);
    add_samples(&record, 10, 26, 100, 0);
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_STEADY);
    add_samples(&record, 20, 155, 50, 0); /* twice as fast there, and steady too */
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_STEADY);
    add_samples(&record, 20, 155, 50, 0.1);
    assert_int_equal(rp_verdict_by_cluster(&record), RP_VERDICT_BUDGET);

    record.dropped.moved = (unsigned)record.sample_count;
    rp_verdict_give(&record);
    assert_int_equal(record.verdict, RP_VERDICT_BUDGET);
    record.dropped.moved++;
    rp_verdict_give(&record);
    assert_int_equal(record.verdict, RP_VERDICT_DISTURBED);
    assert_contains(record.why, "cores moved: 65");
}

/* ---- the probe ---- */

static struct rp_machine machine_with(unsigned cores, unsigned cores_per_l3,
                                      size_t memory_bytes)
{
    struct rp_machine machine = {
        .level_count = 4,
        .kind_count = 1,
        .kinds = {{.core_count = cores}},
        .levels = {{.name = "L1", .size_bytes = 32 * RP_KIB, .shared_by = 1},
                   {.name = "L2", .size_bytes = RP_MIB, .shared_by = 1},
                   {.name = "L3", .size_bytes = 32 * RP_MIB, .shared_by = cores_per_l3},
                   {.name = "DRAM"}},
        .memory_bytes = memory_bytes,
    };

    assert_true(rp_cpu_detect(&machine.cpu, &rp_cpu_native, "sse2", &error));
    return machine;
}

static struct rp_job_list expand(const struct rp_machine *machine)
{
    struct rp_job_list jobs = {0};

    assert_true(rp_probe_find("scaling")->expand(machine, 0.1, &jobs, &error));
    return jobs;
}

static size_t set_of(const struct rp_job_list *jobs, unsigned threads, const char *level)
{
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *const job = &jobs->jobs[i];

        if (job->threads == threads && strcmp(job->level, level) == 0) {
            return job->working_set_bytes;
        }
    }
    fail_msg("no job of %u threads for %s", threads, level);
    return 0;
}

static void one_core_has_nothing_to_scale(void **state)
{
    const struct rp_machine machine = machine_with(1, 1, 8 * RP_GIB);
    struct rp_job_list jobs = expand(&machine);
    struct rp_bench bench;
    struct rp_record record;

    (void)state;
    assert_int_equal(jobs.count, 1);
    assert_true(
        rp_bench_open(&bench, &machine, &chain, rp_job_list_largest(&jobs), 1, &error));
    assert_true(rp_job_run(&bench, &jobs.jobs[0], &record, &error));
    assert_int_equal(record.verdict, RP_VERDICT_UNAVAILABLE);
    assert_contains(record.why, "needs two cores");
    rp_record_free(&record);
    rp_bench_close(&bench);
    rp_job_list_free(&jobs);
}

static void sets_grow_with_the_caches_in_use(void **state)
{
    const struct rp_machine machine = machine_with(12, 4, 8 * RP_GIB);
    struct rp_job_list jobs = expand(&machine);

    (void)state;
    /* 1, 2, 4, 8 and 12 cores; six mixes; memory and last cache. */
    assert_int_equal(jobs.count, 5 * 6 * 2);
    assert_int_equal(set_of(&jobs, 1, "DRAM"), 256 * RP_MIB);
    assert_int_equal(set_of(&jobs, 4, "DRAM"), 256 * RP_MIB);
    assert_int_equal(set_of(&jobs, 8, "DRAM"), 256 * RP_MIB); /* 4 x 2 x 32 MiB */
    assert_true(set_of(&jobs, 12, "DRAM") >= 384 * RP_MIB);
    assert_true(set_of(&jobs, 12, "DRAM") < 385 * RP_MIB);
    assert_int_equal(set_of(&jobs, 1, "L3"), 4 * RP_MIB);
    assert_int_equal(set_of(&jobs, 8, "L3"), 32 * RP_MIB);
    assert_int_equal(rp_job_list_largest(&jobs), 0); /* a team has its own memory */
    rp_job_list_free(&jobs);
}

static void what_does_not_fit_is_said(void **state)
{
    const struct rp_machine small = machine_with(12, 4, 400 * RP_MIB);
    const struct rp_machine shared = machine_with(32, 32, 8 * RP_GIB);
    struct rp_job_list jobs = expand(&small);

    (void)state;
    assert_int_equal(set_of(&jobs, 4, "DRAM"), 256 * RP_MIB);
    assert_int_equal(set_of(&jobs, 12, "DRAM"), 0);
    for (size_t i = 0; i < jobs.count; i++) {
        const struct rp_job *const job = &jobs.jobs[i];

        assert_int_equal(job->kind == RP_JOB_UNAVAILABLE, job->working_set_bytes == 0);
        if (job->kind == RP_JOB_UNAVAILABLE) {
            assert_contains(job->why, "12 threads need 384 MiB");
        }
    }
    rp_job_list_free(&jobs);

    jobs = expand(&shared); /* the L2s of 32 cores hold as much as their L3 */
    assert_true(set_of(&jobs, 4, "L3") > 0);
    assert_int_equal(set_of(&jobs, 32, "L3"), 0);
    rp_job_list_free(&jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_barrier_lets_everybody_go),
        cmocka_unit_test(a_barrier_is_used_again_and_again),
        cmocka_unit_test(nobody_answers),
        cmocka_unit_test(ping_pong_ends_wherever_the_threads_are),
        cmocka_unit_test(a_thread_that_cannot_be_bound_ends_all),
        cmocka_unit_test(one_and_two_threads_measure),
        cmocka_unit_test(each_cluster_must_be_steady_by_itself),
        cmocka_unit_test(one_core_has_nothing_to_scale),
        cmocka_unit_test(sets_grow_with_the_caches_in_use),
        cmocka_unit_test(what_does_not_fit_is_said),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
