/* SPDX-License-Identifier: MIT */
/* What differs around two runs. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "roofline/environment.h"
#include "tests/roofline/synthetic_run.h"

static struct rp_run a;
static struct rp_run b;

static int end(void **state)
{
    (void)state;
    synthetic_end(&a);
    synthetic_end(&b);
    return 0;
}

static const struct rp_environment_row *row_of(const struct rp_environment_row *rows,
                                               size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].what, what) == 0) {
            return &rows[i];
        }
    }
    fail_msg("no row tells of the %s", what);
    return NULL;
}

static void environments_are_told_apart(void **state)
{
    struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS];

    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    synthetic_clock(&a)->page_bytes = 64 << 10;
    synthetic_clock(&b)->page_bytes = 64 << 10;
    synthetic_clock(&b)->page_bytes = 4 << 10;
    assert_int_equal(rp_environment_compare(&a, &a, rows), 0);

    snprintf(b.machine.name, sizeof b.machine.name, "another");
    snprintf(b.compiler, sizeof b.compiler, "clang 14");
    b.machine.levels[1].size_bytes = 2 << 20;
    b.seed = 8;
    rp_machine_condition(&a.machine, RP_SEVERITY_NOTE, "both have it", "-");
    rp_machine_condition(&b.machine, RP_SEVERITY_NOTE, "both have it", "-");
    rp_machine_condition(&b.machine, RP_SEVERITY_WARN, "only b has it", "-");
    const size_t count = rp_environment_compare(&a, &b, rows);
    assert_int_equal(count, 6);
    assert_string_equal(row_of(rows, count, "machine")->b, "another");
    assert_string_equal(row_of(rows, count, "compiler")->a, "gcc 12.2.0");
    assert_string_equal(row_of(rows, count, "caches")->b,
                        "L1 32 KiB, L2 2 MiB, L3 16 MiB for 4 cores");
    assert_string_equal(row_of(rows, count, "seed")->b, "8");
    assert_string_equal(row_of(rows, count, "page size")->a, "64 KiB");
    assert_string_equal(row_of(rows, count, "page size")->b, "64 KiB, 4 KiB");
    assert_string_equal(row_of(rows, count, "condition")->a, "");
    assert_string_equal(row_of(rows, count, "condition")->b, "only b has it");
}

static void all_of_environment_fits(void **state)
{
    struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS];

    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    for (int i = 0; i < RP_MAX_CONDITIONS; i++) {
        char condition[32];
        snprintf(condition, sizeof condition, "a %d", i);
        rp_machine_condition(&a.machine, RP_SEVERITY_NOTE, condition, "-");
        condition[0] = 'b';
        rp_machine_condition(&b.machine, RP_SEVERITY_NOTE, condition, "-");
    }
    assert_int_equal(rp_environment_compare(&a, &b, rows), 2 * RP_MAX_CONDITIONS);
}

/* Cycle sources of a run from anywhere, too many for a row. Whatever the place of the cut
 * among the two bytes of a character, what is left is text that JSON can hold. */
static void rows_are_cut_between_characters(void **state)
{
    (void)state;
    synthetic_start(&a);
    synthetic_start(&b);
    synthetic_clock(&b);
    for (unsigned i = 0; i < 24; i++) {
        snprintf(synthetic_clock(&a)->cycle_source, sizeof a.records[0].cycle_source,
                 "ääääääääää%u", i);
    }
    for (size_t shift = 0; shift < 2; shift++) {
        struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS];

        memset(a.records[0].cycle_source, 'a', 8 + shift);
        a.records[0].cycle_source[8 + shift] = '\0';
        const size_t count = rp_environment_compare(&a, &b, rows);
        const char *const sources = row_of(rows, count, "cycle source")->a;
        assert_in_range(strlen(sources), sizeof rows->a - 2, sizeof rows->a - 1);
        json_t *const json = json_string(sources);
        assert_non_null(json);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(environments_are_told_apart, end),
        cmocka_unit_test_teardown(all_of_environment_fits, end),
        cmocka_unit_test_teardown(rows_are_cut_between_characters, end),
    };
    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
