/* SPDX-License-Identifier: MIT */
/* What a .sweep file means, and where it is told to be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/text.h"
#include "sweeps/sweep.h"

static void a_whole_file_is_understood(void **state)
{
    const char *const text = "; a comment\n"
                             "[sweep]\n"
                             "text = two groups\n"
                             "probes = clock, units\n"
                             "point_budget = 20ms\n"
                             "\n"
                             "[first]\n"
                             "kernels = copy-* load-sse2\n"
                             "modes = temporal nt\n"
                             "from = 32K\n"
                             "to = 2 MiB\n"
                             "per_octave = 4\n"
                             "near_capacities = yes\n"
                             "[second]\n"
                             "kernels = aes128ctr-*\n";
    struct rp_sweep sweep;
    struct rp_error error;

    (void)state;
    assert_true(rp_sweep_parse(&sweep, "mine", text, "mine.sweep", &error));
    assert_string_equal(sweep.name, "mine");
    assert_string_equal(sweep.text, "two groups");
    assert_int_equal(sweep.probe_count, 2);
    assert_string_equal(sweep.probes[1], "units");
    assert_true(sweep.point_budget_seconds == 0.02);
    assert_int_equal(sweep.group_count, 2);
    const struct rp_sweep_group *const first = &sweep.groups[0];
    assert_int_equal(first->kernel_count, 2);
    assert_false(first->modes[RP_MODE_NONE]);
    assert_true(first->modes[RP_MODE_NT]);
    assert_int_equal(first->from_bytes, 32 * RP_KIB);
    assert_int_equal(first->to_bytes, 2 * RP_MIB);
    assert_int_equal(first->per_octave, 4);
    assert_true(first->near_capacities);
    const struct rp_sweep_group *const second = &sweep.groups[1];
    assert_true(second->modes[RP_MODE_NONE] && second->modes[RP_MODE_INPLACE]);
    assert_int_equal(second->to_bytes, RP_GIB);
    assert_false(second->near_capacities);
}

static void wrong_files_are_named_with_their_line(void **state)
{
    static const struct {
        const char *text;
        const char *place; /* how the message begins */
        const char *about; /* what it names */
    } cases[] = {
        {"", "x.sweep: ", "nothing to measure"},
        {"[sweep]\ntext = nothing more\n", "x.sweep: ", "nothing to measure"},
        {"kernels = copy-*\n", "x.sweep:1: ", "section"},
        {"[sweep]\nprobes = clock\nnonsense\n", "x.sweep:3: ", "name = value"},
        {"[sweep]\nkernels = copy-*\n", "x.sweep:2: ", "kernels"},
        {"[sweep]\npoint_budget = soon\n", "x.sweep:2: ", "soon"},
        {"[sweep]\npoint_budget = -1s\n", "x.sweep:2: ", "-1s"},
        {"[a]\nkernels = copy-*\nfrom = 0\n", "x.sweep:3: ", "'0'"},
        {"[a]\nkernels = copy-*\nto = 99999999999999999999\n", "x.sweep:3: ", "9999"},
        {"[a]\nkernels = copy-*\nfrom = 1 GiB\nto = 16 KiB\n", "x.sweep: ", "[a]"},
        {"[a]\nkernels = copy-*\nper_octave = 0\n", "x.sweep:3: ", "'0'"},
        {"[a]\nkernels = copy-*\nmodes = sideways\n", "x.sweep:3: ", "sideways"},
        {"[a]\nkernels = copy-*\nnear_capacities = maybe\n", "x.sweep:3: ", "maybe"},
        {"[a]\nkernels =\n", "x.sweep:2: ", "kernels"},
        {"[a]\nfrom = 16 KiB\n", "x.sweep: ", "[a] has no kernels"},
        {"[a]\nkernels = copy-*\ncolour = blue\n", "x.sweep:3: ", "colour"},
        {"[a]\nkernels = copy-*\nkernels = load-*\n", "x.sweep:3: ", "twice"},
        {"[a]\nkernels = copy-*\n  load-*\n", "x.sweep:3: ", "second line"},
        {"[a]\nkernels = copy-*\nfrom = 4 KiB\n", "x.sweep:3: ", "4 KiB"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rp_sweep sweep;
        struct rp_error error = {.message = ""};

        if (rp_sweep_parse(&sweep, "x", cases[i].text, "x.sweep", &error)) {
            fail_msg("case %zu was taken for right", i);
        }
        assert_int_equal(error.status, RP_USAGE);
        if (strncmp(error.message, cases[i].place, strlen(cases[i].place)) != 0 ||
            strstr(error.message, cases[i].about) == NULL) {
            fail_msg("case %zu: %s", i, error.message);
        }
    }
}

static void built_in_sweeps_parse(void **state)
{
    const char *name = NULL;

    (void)state;
    for (size_t i = 0; (name = rp_sweep_builtin_name(i)) != NULL; i++) {
        struct rp_sweep sweep;
        struct rp_error error;
        char found[48];
        char *text = NULL;

        assert_true(rp_sweep_load(name, &text, found, &error));
        assert_string_equal(found, name);
        assert_true(rp_sweep_parse(&sweep, name, text, name, &error));
        assert_true(sweep.text[0] != '\0');
        free(text);
    }
}

static void a_missing_file_is_said(void **state)
{
    struct rp_error error;
    char name[48];
    char *text = NULL;

    (void)state;
    assert_false(rp_sweep_load("/no/such/file.sweep", &text, name, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_non_null(strstr(error.message, "/no/such/file.sweep"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_file_is_understood),
        cmocka_unit_test(wrong_files_are_named_with_their_line),
        cmocka_unit_test(built_in_sweeps_parse),
        cmocka_unit_test(a_missing_file_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
