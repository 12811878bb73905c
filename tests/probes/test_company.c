/* SPDX-License-Identifier: MIT */
#include "tests/unit/unit.h"

#include "probes/company.h"

static void note(struct rp_company *company, double nops_per_cycle, int times)
{
    for (int i = 0; i < times; i++) {
        rp_company_note(company, nops_per_cycle);
    }
}

static void nothing_is_said_before_there_is_something_to_compare_with(void **state)
{
    struct rp_company company = {0};

    (void)state;
    note(&company, 5.9, RP_COMPANY_READINGS - 1);
    assert_false(rp_company_is_there(&company, 3));
    note(&company, 5.9, 1);
    assert_true(rp_company_is_there(&company, 3));
    assert_false(rp_company_is_there(&company, 5.8));
}

/* As it happened: readings far above the rest, some of them in pairs, made every later
 * one look like company. */
static void accidents_do_not_raise_the_bar(void **state)
{
    struct rp_company company = {0};

    (void)state;
    note(&company, 5.9, 100);
    for (int i = 0; i < 50; i++) {
        note(&company, 7.5, RP_COMPANY_READINGS - 1);
        note(&company, 5.85, 1);
    }
    assert_false(rp_company_is_there(&company, 5.8));
}

static void readings_that_failed_count_for_nothing(void **state)
{
    struct rp_company company = {0};

    (void)state;
    for (int i = 0; i < RP_COMPANY_READINGS; i++) {
        note(&company, 5.9, 1);
        note(&company, 0, 1);
    }
    assert_true(rp_company_is_there(&company, 3));
    assert_true(rp_company_is_there(&company, 0));
}

/* Who starts in company learns better as soon as the core is its own for a moment. */
static void a_bad_start_is_forgotten(void **state)
{
    struct rp_company company = {0};

    (void)state;
    note(&company, 3, 1000);
    assert_false(rp_company_is_there(&company, 3));
    note(&company, 5.9, RP_COMPANY_READINGS);
    assert_true(rp_company_is_there(&company, 3));
    note(&company, 3, 1000);
    assert_true(rp_company_is_there(&company, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_before_there_is_something_to_compare_with),
        cmocka_unit_test(accidents_do_not_raise_the_bar),
        cmocka_unit_test(readings_that_failed_count_for_nothing),
        cmocka_unit_test(a_bad_start_is_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
