/* SPDX-License-Identifier: MIT */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "sweeps/sweep.h"

static const struct rp_machine machine = {
    .levels =
        {
            {.name = "L1", .size_bytes = 32 * RP_KIB},
            {.name = "L2", .size_bytes = RP_MIB},
            {.name = "DRAM"},
        },
    .level_count = 3,
    .memory_bytes = 10 * RP_GIB,
    .cpu = {.present = RP_CPU_SSE2, .features = RP_CPU_SSE2, .level = "avx512"},
};

static bool parse(struct rp_sweep *sweep, const char *text, struct rp_error *error)
{
    return rp_sweep_parse(sweep, "made-up", text, "made-up.sweep", error);
}

static void expand(const char *text, struct rp_job_list *jobs, size_t *left_out)
{
    struct rp_sweep sweep;
    struct rp_error error;

    *jobs = (struct rp_job_list){0};
    if (!parse(&sweep, text, &error) ||
        !rp_sweep_expand(&sweep, &machine, jobs, left_out, &error)) {
        fail_msg("%s", error.message);
    }
}

static void test_builtins(void **state)
{
    const char *builtin = NULL;

    (void)state;
    for (size_t i = 0; (builtin = rp_sweep_builtin_name(i)) != NULL; i++) {
        struct rp_error error = {0};
        struct rp_job_list jobs;
        size_t left_out = 0;
        char name[48];
        char *text = NULL;

        assert_true(rp_sweep_load(builtin, &text, name, &error));
        assert_string_equal(name, builtin);
        expand(text, &jobs, &left_out);
        assert_true(jobs.count > 100);
        assert_int_equal(left_out, 0);
        assert_true(rp_job_list_largest(&jobs) <= RP_GIB);
        rp_job_list_free(&jobs);
        free(text);
    }
}

static void test_wrong_lines(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "made-up.sweep: nothing to measure"},
        {"text = x\n", "made-up.sweep:1: 'text' stands before any section"},
        {"[sweep]\nspeed = 1\n", ":2: 'speed' is unknown in [sweep]"},
        {"[a]\nprobes = clock\n", ":2: 'probes' is unknown in a group"},
        {"[a]\nkernels\n", ":2: "},
        {"[a]\nmodes = nt\n", "[a] has no kernels"},
        {"[a]\nkernels = nothing-*\n", ":2: no kernel matches 'nothing-*'"},
        {"[sweep]\nprobes = weather\n", ":2: 'weather' is no probe"},
        {"[a]\nmodes = fast\n", ":2: 'fast' is no store mode"},
        {"[a]\nper_octave = 17\n", ":2: '17' is no number"},
        {"[a]\nper_octave = 0\n", ":2: '0' is no number"},
        {"[a]\nnear_capacities = maybe\n", "write yes or no"},
        {"[a]\nfrom = 2 KiB\n", "'2 KiB' is no working set"},
        {"[a]\nfrom = big\n", "'big' is no working set"},
        {"[a]\nto = 17592186044415 MiB\n", "is no working set"},
        {"[a]\nto = 1025 TiB\n", "is no working set"},
        {"[a]\nkernels = copy-*\nfrom = 1 GiB\nto = 1 MiB\n", "swap from and to"},
        {"[sweep]\npoint_budget = -1\n", ":2: '-1' is no duration"},
        {"[a]\nkernels = load-*\nkernels = copy-*\n", ":3: 'kernels' is set already"},
        {"[a]\nkernels = load-*\n  copy-*\n", ":3: 'kernels' is set already"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_error error = {0};
        struct rp_sweep sweep;

        assert_false(parse(&sweep, rows[i].text, &error));
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, rows[i].message);
    }
}

/* A section's name may be as long as the INI reader gives it: still one section. */
static void test_long_section(void **state)
{
    struct rp_error error = {0};
    struct rp_sweep sweep;

    (void)state;
    if (!parse(&sweep,
               "[a-section-with-a-name-of-more-than-thirty-two]\n"
               "kernels = copy-*\nmodes = temporal\nto = 1 MiB\n",
               &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(sweep.group_count, 1);
    assert_int_equal(sweep.groups[0].to_bytes, RP_MIB);
}

static void test_working_sets(void **state)
{
    static const size_t kib[] = {16, 24, 32, 40, 48, 64};
    struct rp_job_list jobs;
    size_t left_out = 0;

    (void)state;
    expand("[a]\nkernels = copy-sse2\nmodes = temporal\nfrom = 16 KiB\nto = 64 KiB\n"
           "per_octave = 1\nnear_capacities = yes\n",
           &jobs, &left_out);
    assert_int_equal(jobs.count, COUNT_OF(kib));
    for (size_t i = 0; i < jobs.count; i++) {
        assert_int_equal(jobs.jobs[i].working_set_bytes, kib[i] * RP_KIB);
        assert_int_equal(jobs.jobs[i].kind, RP_JOB_KERNEL);
    }
    rp_job_list_free(&jobs);
}

/* The widest and densest range there can be: every size is a job or is counted. */
static void test_widest_range(void **state)
{
    struct rp_job_list jobs;
    size_t left_out = 0;

    (void)state;
    expand("[a]\nkernels = load-sse2\nfrom = 4 KiB\nto = 1024 TiB\nper_octave = 16\n"
           "near_capacities = yes\n",
           &jobs, &left_out);
    assert_int_equal(left_out, 16 * 17); /* above 8 GiB, of which 16 an octave */
    for (size_t i = 1; i < jobs.count; i++) {
        assert_true(jobs.jobs[i].working_set_bytes > jobs.jobs[i - 1].working_set_bytes);
    }
    assert_true(jobs.jobs[0].working_set_bytes == 8 * RP_KIB);
    assert_int_equal(rp_job_list_largest(&jobs), 8 * RP_GIB);
    rp_job_list_free(&jobs);
}

static void test_unavailable_once(void **state)
{
    struct rp_job_list jobs;
    size_t left_out = 0;

    (void)state;
    expand("[a]\nkernels = copy-avx2\nmodes = nt\n", &jobs, &left_out);
    assert_int_equal(jobs.count, 1);
    assert_int_equal(jobs.jobs[0].kind, RP_JOB_UNAVAILABLE);
    assert_string_equal(jobs.jobs[0].why, "this CPU has no AVX2");
    rp_job_list_free(&jobs);
}

static void test_selects_nothing(void **state)
{
    static const char *const rows[] = {
        "[a]\nkernels = load-*\nmodes = nt\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_error error = {0};
        struct rp_job_list jobs = {0};
        struct rp_sweep sweep;
        size_t left_out = 0;

        assert_true(parse(&sweep, rows[i], &error));
        assert_false(rp_sweep_expand(&sweep, &machine, &jobs, &left_out, &error));
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, "ridgepoint list");
        rp_job_list_free(&jobs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtins),        cmocka_unit_test(test_wrong_lines),
        cmocka_unit_test(test_long_section),    cmocka_unit_test(test_working_sets),
        cmocka_unit_test(test_widest_range),    cmocka_unit_test(test_unavailable_once),
        cmocka_unit_test(test_selects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
