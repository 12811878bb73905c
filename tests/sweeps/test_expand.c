/* SPDX-License-Identifier: MIT */
/* From a sweep and a machine to jobs, without running any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/text.h"
#include "probes/probe.h"
#include "sweeps/sweep.h"

static struct rp_machine machine_with_memory(size_t memory)
{
    struct rp_machine machine = {
        .kinds = {{.levels = {{.name = "L1", .size_bytes = 48 * RP_KIB},
                              {.name = "L2", .size_bytes = 2 * RP_MIB},
                              {.name = "DRAM"}},
                   .level_count = 3}},
        .kind_count = 1,
        .memory_bytes = memory,
    };
    struct rp_error error;

    rp_machine_look_from(&machine, 0);
    assert_true(rp_cpu_detect(&machine.cpu, &rp_cpu_native, "sse2", &error));
    return machine;
}

static struct rp_job_list expand(const char *text, const struct rp_machine *machine,
                                 size_t *left_out)
{
    struct rp_job_list jobs = {0};
    struct rp_sweep sweep;
    struct rp_error error;

    if (!rp_sweep_parse(&sweep, "t", text, "t.sweep", &error) ||
        !rp_sweep_expand(&sweep, machine, &jobs, left_out, &error)) {
        fail_msg("%s", error.message);
    }
    return jobs;
}

static void sizes_ascend_evenly(void **state)
{
    const struct rp_machine machine = machine_with_memory(4 * RP_GIB);
    size_t left_out = 0;
    struct rp_job_list jobs =
        expand("[a]\nkernels = load-sse2\nfrom = 16K\nto = 1M\nper_octave = 1\n",
               &machine, &left_out);

    (void)state;
    assert_int_equal(jobs.count, 7);
    for (size_t i = 0; i < jobs.count; i++) {
        assert_int_equal(jobs.jobs[i].working_set_bytes, (16 * RP_KIB) << i);
    }
    assert_int_equal(left_out, 0);
    rp_job_list_free(&jobs);
}

static bool holds(const struct rp_job_list *jobs, size_t working_set_bytes)
{
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->jobs[i].working_set_bytes == working_set_bytes) {
            return true;
        }
    }
    return false;
}

static void capacities_are_looked_at_closely(void **state)
{
    const struct rp_machine machine = machine_with_memory(4 * RP_GIB);
    size_t left_out = 0;
    struct rp_job_list jobs = expand("[a]\nkernels = load-sse2\nfrom = 16K\nto = 8M\n"
                                     "per_octave = 1\nnear_capacities = yes\n",
                                     &machine, &left_out);

    (void)state;
    assert_true(holds(&jobs, 48 * RP_KIB));
    assert_true(holds(&jobs, 72 * RP_KIB));
    assert_true(holds(&jobs, 2 * RP_MIB * 3 / 4));
    assert_true(holds(&jobs, 3 * RP_MIB));
    for (size_t i = 1; i < jobs.count; i++) {
        assert_true(jobs.jobs[i].working_set_bytes > jobs.jobs[i - 1].working_set_bytes);
    }
    rp_job_list_free(&jobs);
}

static void what_memory_cannot_hold_is_counted(void **state)
{
    const struct rp_machine machine = machine_with_memory(512 * RP_MIB);
    size_t left_out = 0;
    struct rp_job_list jobs =
        expand("[a]\nkernels = load-sse2\nfrom = 128M\nto = 1G\nper_octave = 1\n",
               &machine, &left_out);

    (void)state;
    assert_int_equal(jobs.count, 2);
    assert_int_equal(left_out, 2);
    rp_job_list_free(&jobs);
}

/* The widest and densest range there can be: every size is a job or is counted. */
static void the_widest_range_is_whole(void **state)
{
    const struct rp_machine machine = machine_with_memory(10 * RP_GIB);
    size_t left_out = 0;
    struct rp_job_list jobs = expand("[a]\nkernels = load-sse2\nfrom = 8 KiB\n"
                                     "to = 1024 TiB\nper_octave = 16\n"
                                     "near_capacities = yes\n",
                                     &machine, &left_out);

    (void)state;
    assert_int_equal(rp_job_list_largest(&jobs), 8 * RP_GIB);
    assert_int_equal(left_out, 16 * 17); /* 16 in each octave above */
    for (size_t i = 1; i < jobs.count; i++) {
        assert_true(jobs.jobs[i].working_set_bytes > jobs.jobs[i - 1].working_set_bytes);
    }
    rp_job_list_free(&jobs);
}

static void probes_come_first_and_missing_kernels_once(void **state)
{
    const struct rp_machine machine = machine_with_memory(4 * RP_GIB);
    size_t left_out = 0;
    struct rp_job_list jobs =
        expand("[sweep]\nprobes = units clock\n"
               "[a]\nkernels = aes128ctr-vaes512-x8-pshufb copy-sse2\n"
               "modes = temporal\nfrom = 16K\nto = 64K\n",
               &machine, &left_out);
    unsigned missing = 0;

    (void)state;
    assert_string_equal(jobs.jobs[0].probe, "units");
    assert_string_equal(jobs.jobs[12].probe, "clock");
    for (size_t i = 13; i < jobs.count; i++) {
        assert_string_equal(jobs.jobs[i].probe, "sweep");
        missing += jobs.jobs[i].kind == RP_JOB_UNAVAILABLE;
    }
    assert_int_equal(missing, 1);
    assert_int_equal(jobs.count, 13 + 5 + 1);
    rp_job_list_free(&jobs);
}

static void selecting_nothing_is_refused(void **state)
{
    static const char *const texts[] = {
        "[a]\nkernels = no-such-kernel\n",
        "[a]\nkernels = load-*\nmodes = nt\n",
        "[sweep]\nprobes = no-such-probe\n",
    };
    const struct rp_machine machine = machine_with_memory(4 * RP_GIB);

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct rp_job_list jobs = {0};
        struct rp_sweep sweep;
        struct rp_error error;
        size_t left_out = 0;

        assert_false(rp_sweep_parse(&sweep, "t", texts[i], "t.sweep", &error) &&
                     rp_sweep_expand(&sweep, &machine, &jobs, &left_out, &error));
        assert_int_equal(error.status, RP_USAGE);
        rp_job_list_free(&jobs);
    }
}

/* Each kind of core gets all jobs, for its own caches. */
static void hybrid_machines_are_expanded_by_kind(void **state)
{
    struct rp_machine machine = machine_with_memory(4 * RP_GIB);
    size_t left_out = 0;

    (void)state;
    machine.kinds[1] = machine.kinds[0];
    machine.kind_count = 2;
    machine.kinds[1].levels[0].size_bytes = 32 * RP_KIB;
    strcpy(machine.kinds[0].name, "performance");
    strcpy(machine.kinds[1].name, "efficiency");
    struct rp_job_list jobs =
        expand("[sweep]\nprobes = clock\n[a]\nkernels = load-sse2\nfrom = 24K\n"
               "to = 48K\nper_octave = 1\nnear_capacities = yes\n",
               &machine, &left_out);
    size_t of_second = 0;
    for (size_t i = 0; i < jobs.count; i++) {
        const struct rp_job *const job = &jobs.jobs[i];
        const char *const prefix = job->core_kind == 0 ? "performance:" : "efficiency:";

        of_second += job->core_kind == 1;
        assert_true(strncmp(job->key, prefix, strlen(prefix)) == 0);
    }
    assert_string_equal(jobs.jobs[0].key, "performance:clock/addition-chain");
    assert_int_equal(jobs.count - of_second, 4); /* the clock, 24, 40 and 48 KiB */
    assert_int_equal(of_second, 5);              /* and 32 KiB, its capacity */
    assert_true(holds(&jobs, 32 * RP_KIB));
    rp_job_list_free(&jobs);
}

static void expect_no_comma(const struct rp_job_list *jobs)
{
    assert_true(jobs->count > 0);
    for (size_t i = 0; i < jobs->count; i++) {
        assert_null(strchr(jobs->jobs[i].key, ','));
    }
}

/* Keys name the regions that likwid counts, and stand in its CSV as they are. */
static void no_key_holds_a_comma(void **state)
{
    struct rp_machine machine = machine_with_memory(4 * RP_GIB);
    const char *name = NULL;
    struct rp_error error;

    (void)state;
    machine.kinds[0].core_count = 4;
    for (size_t i = 0; (name = rp_sweep_builtin_name(i)) != NULL; i++) {
        char *text = NULL;
        char found[48];
        size_t left_out = 0;

        assert_true(rp_sweep_load(name, &text, found, &error));
        struct rp_job_list jobs = expand(text, &machine, &left_out);
        expect_no_comma(&jobs);
        rp_job_list_free(&jobs);
        free(text);
    }
    for (size_t i = 0; rp_probe_at(i) != NULL; i++) {
        struct rp_job_list jobs = {0};

        assert_true(rp_probe_at(i)->expand(&machine, 1, &jobs, &error));
        expect_no_comma(&jobs);
        rp_job_list_free(&jobs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_ascend_evenly),
        cmocka_unit_test(capacities_are_looked_at_closely),
        cmocka_unit_test(what_memory_cannot_hold_is_counted),
        cmocka_unit_test(the_widest_range_is_whole),
        cmocka_unit_test(probes_come_first_and_missing_kernels_once),
        cmocka_unit_test(hybrid_machines_are_expanded_by_kind),
        cmocka_unit_test(selecting_nothing_is_refused),
        cmocka_unit_test(no_key_holds_a_comma),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
