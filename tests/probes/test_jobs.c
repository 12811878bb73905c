/* SPDX-License-Identifier: MIT */
/* Which jobs a probe asks for on machines of every shape, and what running one leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/clock.h"
#include "core/text.h"
#include "probes/probe.h"

#define BUDGET_SECONDS 0.001

static struct rp_cycles chain;

static int open_chain(void **state)
{
    struct rp_error error;

    (void)state;
    return rp_cycles_open(&chain, &rp_cycle_native, 0, RP_CYCLE_SOURCE_CHAIN, &error)
               ? 0
               : -1;
}

static struct rp_machine machine_with(size_t l1, size_t l2, size_t l3, size_t memory)
{
    struct rp_machine machine = {.memory_bytes = memory};
    const size_t sizes[] = {l1, l2, l3};
    struct rp_error error;

    assert_true(rp_cpu_detect(&machine.cpu, &rp_cpu_native, "sse2", &error));
    for (unsigned i = 0; i < 3; i++) {
        if (sizes[i] > 0) {
            struct rp_level *const level = &machine.levels[machine.level_count++];

            level->size_bytes = sizes[i];
            level->name[0] = 'L';
            level->name[1] = (char)('1' + i);
        }
    }
    strcpy(machine.levels[machine.level_count++].name, "DRAM");
    return machine;
}

static struct rp_job_list expand(const char *probe, const struct rp_machine *machine)
{
    struct rp_job_list jobs = {0};
    struct rp_error error;

    assert_true(rp_probe_find(probe)->expand(machine, BUDGET_SECONDS, &jobs, &error));
    return jobs;
}

static void expect_unique_keys(const struct rp_job_list *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(jobs->jobs[i].key, jobs->jobs[j].key);
        }
    }
}

/* The working set of a level lies between the level before it and its own capacity. */
static void bandwidth_stays_inside_its_level(void **state)
{
    const struct rp_machine machines[] = {
        machine_with(32 * RP_KIB, RP_MIB, 32 * RP_MIB, 8 * RP_GIB),
        machine_with(48 * RP_KIB, 2 * RP_MIB, 260 * RP_MIB, 8 * RP_GIB),
        machine_with(64 * RP_KIB, 512 * RP_KIB, 0, RP_GIB),
        machine_with(32 * RP_KIB, 40 * RP_KIB, 44 * RP_KIB, RP_GIB),
    };

    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        const struct rp_machine *const machine = &machines[m];
        struct rp_job_list jobs = expand("bandwidth", machine);
        unsigned seen[RP_MAX_LEVELS] = {0};

        expect_unique_keys(&jobs);
        for (size_t i = 0; i < jobs.count; i++) {
            const struct rp_job *const job = &jobs.jobs[i];

            if (job->kind == RP_JOB_UNAVAILABLE) {
                continue;
            }
            const unsigned level = rp_machine_level_of(machine, job->working_set_bytes);
            assert_string_equal(machine->levels[level].name, job->level);
            seen[level]++;
            if (level > 0) {
                assert_true(job->working_set_bytes >
                            machine->levels[level - 1].size_bytes);
            }
        }
        for (unsigned level = 0; level < machine->level_count; level++) {
            assert_true(seen[level] > 0);
        }
        assert_true(rp_job_list_largest(&jobs) >=
                    4 * machine->levels[machine->level_count - 2].size_bytes);
        rp_job_list_free(&jobs);
    }
}

static void too_little_memory_is_said(void **state)
{
    const struct rp_machine machine =
        machine_with(32 * RP_KIB, RP_MIB, 384 * RP_MIB, RP_GIB);
    struct rp_job_list jobs = expand("bandwidth", &machine);
    unsigned refused = 0;

    (void)state;
    expect_unique_keys(&jobs);
    for (size_t i = 0; i < jobs.count; i++) {
        assert_true(jobs.jobs[i].working_set_bytes < RP_GIB);
        refused += strstr(jobs.jobs[i].why, "1.5 GiB") != NULL;
    }
    assert_true(refused > 0);
    rp_job_list_free(&jobs);
}

static void a_machine_without_caches_has_memory_only(void **state)
{
    const struct rp_machine machine = machine_with(0, 0, 0, 8 * RP_GIB);
    struct rp_job_list jobs = expand("bandwidth", &machine);

    (void)state;
    for (size_t i = 0; i < jobs.count; i++) {
        assert_true(jobs.jobs[i].kind == RP_JOB_UNAVAILABLE ||
                    strcmp(jobs.jobs[i].level, "DRAM") == 0);
    }
    assert_int_equal(rp_job_list_largest(&jobs), 256 * RP_MIB);
    rp_job_list_free(&jobs);
}

static void missing_instructions_are_one_row_each(void **state)
{
    const struct rp_machine machine = machine_with(32 * RP_KIB, RP_MIB, 0, RP_GIB);
    struct rp_job_list jobs = expand("units", &machine);

    (void)state;
    assert_int_equal(jobs.count, 12); /* SSE2 alone has none of the classes */
    for (size_t i = 0; i < jobs.count; i++) {
        struct rp_record record;
        struct rp_bench bench;
        struct rp_error error;

        assert_int_equal(jobs.jobs[i].kind, RP_JOB_UNAVAILABLE);
        assert_true(rp_bench_open(&bench, &machine, &chain, 0, 1, &error));
        assert_true(rp_job_run(&bench, &jobs.jobs[i], &record, &error));
        assert_int_equal(record.verdict, RP_VERDICT_UNAVAILABLE);
        assert_true(record.why[0] != '\0');
        rp_bench_close(&bench);
    }
    rp_job_list_free(&jobs);
}

/* Twelve points, all at one working set in the second cache or in what there is. */
static void roofs_are_traced_inside_a_level(void **state)
{
    static const struct {
        size_t l1, l2, l3;
        const char *level;
    } rows[] = {
        {32 * RP_KIB, RP_MIB, 32 * RP_MIB, "L2"},
        {48 * RP_KIB, 2 * RP_MIB, 260 * RP_MIB, "L2"},
        {32 * RP_KIB, 40 * RP_KIB, 0, "L2"},
        {64 * RP_KIB, 0, 0, "L1"},
        {0, 0, 0, "DRAM"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rp_machine machine =
            machine_with(rows[i].l1, rows[i].l2, rows[i].l3, RP_GIB);
        machine.cpu.features |= RP_CPU_AES | RP_CPU_AVX2 | RP_CPU_VAES | RP_CPU_FMA;
        struct rp_job_list jobs = expand("roofs", &machine);

        assert_int_equal(jobs.count, 12);
        expect_unique_keys(&jobs);
        for (size_t j = 0; j < jobs.count; j++) {
            const struct rp_job *const job = &jobs.jobs[j];
            const char *const unit = job->kernel->operations[0].class_name;

            assert_int_equal(job->kind, RP_JOB_KERNEL);
            assert_string_equal(unit, j < 6 ? "aesenc-256" : "fma64-256");
            assert_int_equal(job->working_set_bytes, jobs.jobs[0].working_set_bytes);
            assert_string_equal(
                machine.levels[rp_machine_level_of(&machine, job->working_set_bytes)]
                    .name,
                rows[i].level);
            assert_true(job->working_set_bytes > machine.levels[0].size_bytes ||
                        machine.level_count == 2);
        }
        rp_job_list_free(&jobs);
    }
}

/* Whole passes and slices alike touch the working set, all of it and nothing else. */
static void a_store_touches_exactly_its_working_set(void **state)
{
    const struct rp_machine machine = machine_with(32 * RP_KIB, RP_MIB, 0, RP_GIB);
    const size_t sets[] = {16 * RP_KIB, 40 * RP_MIB + 8 * RP_KIB};

    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct rp_job_list jobs = {0};
        struct rp_bench bench;
        struct rp_record record;
        struct rp_error error;

        assert_true(rp_job_list_add_kernel(&jobs, "sweep", rp_kernel_find("store-sse2"),
                                           RP_MODE_TEMPORAL, "", sets[i], BUDGET_SECONDS,
                                           &machine.cpu, &error));
        assert_true(rp_bench_open(&bench, &machine, &chain, sets[i] + 4096, 7, &error));
        const uint8_t beyond = bench.buffer.data[sets[i]];
        assert_true(rp_job_run(&bench, &jobs.jobs[0], &record, &error));
        assert_int_equal(record.working_set_bytes, sets[i]);
        for (size_t j = 0; j < sets[i]; j += RP_BLOCK_BYTES) {
            assert_memory_equal(bench.buffer.data + j, bench.pattern, RP_BLOCK_BYTES);
        }
        assert_int_equal(bench.buffer.data[sets[i]], beyond);
        rp_record_free(&record);
        rp_bench_close(&bench);
        rp_job_list_free(&jobs);
    }
}

static void a_list_holds_each_key_once_up_to_a_limit(void **state)
{
    struct rp_job_list jobs = {0};
    struct rp_error error = {0};
    struct rp_job job = {.kind = RP_JOB_UNAVAILABLE};

    (void)state;
    for (size_t i = 0; i < RP_MOST_JOBS; i++) {
        snprintf(job.key, sizeof job.key, "%zu", i);
        assert_true(rp_job_list_add(&jobs, &job, &error));
        assert_true(rp_job_list_add(&jobs, &job, &error));
        assert_int_equal(jobs.count, i + 1);
        assert_string_equal(jobs.jobs[i].key, job.key);
    }
    snprintf(job.key, sizeof job.key, "one more");
    assert_false(rp_job_list_add(&jobs, &job, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_non_null(strstr(error.message, "fewer kernels"));
    assert_int_equal(jobs.count, RP_MOST_JOBS);
    rp_job_list_free(&jobs);
    assert_null(jobs.keys);
}

/* What is stored is of the kind asked for, and the record says so. */
static void data_are_of_the_kind_asked_for(void **state)
{
    static const char *const recorded[] = {"", "half", "zero", ""};
    const enum rp_data kinds[] = {RP_DATA_RANDOM, RP_DATA_HALF, RP_DATA_ZERO,
                                  RP_DATA_RANDOM};
    const struct rp_machine machine = machine_with(32 * RP_KIB, RP_MIB, 0, RP_GIB);
    const size_t set = 16 * RP_KIB;
    struct rp_job_list jobs = {0};
    struct rp_job_list with_data = {0};
    struct rp_bench bench;
    struct rp_error error;

    (void)state;
    assert_true(rp_job_list_add_kernel(&jobs, "bandwidth", rp_kernel_find("copy-sse2"),
                                       RP_MODE_TEMPORAL, "L1", set, BUDGET_SECONDS,
                                       &machine.cpu, &error));
    assert_true(rp_bench_open(&bench, &machine, &chain, set, 7, &error));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct rp_record record;

        assert_true(
            rp_job_list_add_with_data(&with_data, &jobs.jobs[0], kinds[i], &error));
        assert_int_equal(with_data.count, i < RP_DATA_COUNT ? i + 1 : RP_DATA_COUNT);
        assert_true(
            rp_job_run(&bench, &with_data.jobs[i % RP_DATA_COUNT], &record, &error));
        assert_string_equal(record.data, recorded[i]);
        for (size_t byte = 0; byte < set / 2; byte++) {
            const bool kept = kinds[i] == RP_DATA_RANDOM ||
                              (kinds[i] == RP_DATA_HALF && byte % RP_BLOCK_BYTES < 32);

            assert_int_equal(bench.buffer.data[byte] != 0, kept);
            assert_int_equal(bench.pattern[byte % RP_BLOCK_BYTES] != 0, kept);
        }
        rp_record_free(&record);
    }
    expect_unique_keys(&with_data);
    rp_bench_close(&bench);
    rp_job_list_free(&with_data);
    rp_job_list_free(&jobs);
}

/* A kernel that is wrong is never timed. */
static void wrong_copy(const struct rp_kernel_input *input, uint64_t repetitions)
{
    (void)repetitions;
    memset(input->destination, 0, input->bytes);
}

static void a_wrong_kernel_is_not_timed(void **state)
{
    const struct rp_machine machine = machine_with(32 * RP_KIB, RP_MIB, 0, RP_GIB);
    struct rp_kernel kernel = *rp_kernel_find("copy-sse2");
    struct rp_job_list jobs = {0};
    struct rp_bench bench;
    struct rp_record record;
    struct rp_error error;

    (void)state;
    kernel.run[RP_MODE_TEMPORAL] = wrong_copy;
    assert_true(rp_job_list_add_kernel(&jobs, "sweep", &kernel, RP_MODE_TEMPORAL, "",
                                       16 * RP_KIB, BUDGET_SECONDS, &machine.cpu,
                                       &error));
    assert_true(rp_bench_open(&bench, &machine, &chain, 16 * RP_KIB, 7, &error));
    assert_false(rp_job_run(&bench, &jobs.jobs[0], &record, &error));
    assert_int_equal(error.status, RP_NO);
    assert_int_equal(record.sample_count, 0);
    rp_record_free(&record);
    rp_bench_close(&bench);
    rp_job_list_free(&jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_stays_inside_its_level),
        cmocka_unit_test(too_little_memory_is_said),
        cmocka_unit_test(a_machine_without_caches_has_memory_only),
        cmocka_unit_test(missing_instructions_are_one_row_each),
        cmocka_unit_test(roofs_are_traced_inside_a_level),
        cmocka_unit_test(a_store_touches_exactly_its_working_set),
        cmocka_unit_test(a_list_holds_each_key_once_up_to_a_limit),
        cmocka_unit_test(data_are_of_the_kind_asked_for),
        cmocka_unit_test(a_wrong_kernel_is_not_timed),
    };

    return cmocka_run_group_tests(tests, open_chain, NULL);
}
