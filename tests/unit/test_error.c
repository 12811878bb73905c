/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "core/error.h"

static void test_fails_with_a_sentence(void **state)
{
    struct rp_error error = {0};

    (void)state;
    assert_false(rp_fail(&error, RP_USAGE, "%s: line %d", "file", 7));
    assert_int_equal(error.status, RP_USAGE);
    assert_string_equal(error.message, "file: line 7");
}

/* Names in a message may come from a file of anyone's. */
static void test_leaves_the_terminal_alone(void **state)
{
    struct rp_error error = {0};

    (void)state;
    rp_fail(&error, RP_NO, "%s", "a\x1b[2J\r\n\t\x7f\xc3\xa9");
    assert_string_equal(error.message, "a?[2J????\xc3\xa9");
}

static void test_cuts_what_is_too_long(void **state)
{
    struct rp_error error = {0};

    (void)state;
    rp_fail(&error, RP_NO, "%2000d", 1);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fails_with_a_sentence),
        cmocka_unit_test(test_leaves_the_terminal_alone),
        cmocka_unit_test(test_cuts_what_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
