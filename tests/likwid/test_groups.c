/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "probes/groups.h"
#include "tests/unit/unit.h"

static const struct rp_counter_group *find(const char *architecture, const char *name)
{
    const struct rp_counter_group *group = NULL;

    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        if (strcmp(group->architecture, architecture) == 0 &&
            strcmp(group->name, name) == 0) {
            return group;
        }
    }
    return NULL;
}

static void every_group_says_what_it_counts_and_for_which_likwid(void **state)
{
    const struct rp_counter_group *group = NULL;
    size_t count = 0;

    (void)state;
    for (; (group = rp_counter_group_at(count)) != NULL; count++) {
        char text[128];

        assert_ptr_equal(find(group->architecture, group->name), group);
        assert_int_equal(strncmp(group->name, "RP_", 3), 0);
        rp_counter_group_summary(group, text, sizeof text);
        assert_int_not_equal(text[0], '\0');
        rp_counter_group_likwid(group, text, sizeof text);
        assert_int_equal(strncmp(text, "5.", 2), 0);
        assert_non_null(rp_counter_group_purpose(group->name));
    }
    assert_null(rp_counter_group_at(count + 1));
    assert_null(rp_counter_group_purpose("RP_NOSUCH"));
}

static void every_architecture_has_its_groups(void **state)
{
    static const char *const architectures[] = {
        "zen2", "zen3", "zen4",     "zen4c",        "zen5",    "ICX",
        "SPR",  "CLX",  "skylakeX", "nvidia_grace", "arm8_v1",
    };
    static const char *const names[] = {"RP_CORE", "RP_L2", "RP_L3"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(architectures); i++) {
        for (size_t k = 0; k < COUNT_OF(names); k++) {
            assert_non_null(find(architectures[i], names[k]));
        }
    }
    assert_non_null(find("zen4", "RP_CRYPTO"));
    assert_null(find("ICX", "RP_CRYPTO"));
}

static void an_answer_is_that_of_the_architecture(void **state)
{
    char text[32];

    (void)state;
    rp_counter_group_likwid(find("zen4", "RP_CORE"), text, sizeof text);
    assert_string_equal(text, "5.3.0");
    rp_counter_group_likwid(find("zen4c", "RP_CORE"), text, sizeof text);
    assert_string_equal(text, "5.4.0");
    rp_counter_group_likwid(find("zen3", "RP_L3CCX_522"), text, sizeof text);
    assert_string_equal(text, "5.2.2 until 5.2.2");
}

static void what_a_group_does_not_say_is_empty_and_what_is_long_is_cut(void **state)
{
    const struct rp_counter_group silent = {"zen3", "RP_A", "no group"};
    const struct rp_counter_group other = {
        "zen3", "RP_A", "SHORT a long text\n\nzen3 5.1.0\n\nLikwid:\nzen4 5.3.0"};
    char text[8] = "before";

    (void)state;
    rp_counter_group_summary(&silent, text, sizeof text);
    assert_string_equal(text, "");
    rp_counter_group_likwid(&silent, text, sizeof text);
    assert_string_equal(text, "");
    rp_counter_group_likwid(&other, text, sizeof text);
    assert_string_equal(text, "");
    rp_counter_group_summary(&other, text, sizeof text);
    assert_string_equal(text, "a long ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_says_what_it_counts_and_for_which_likwid),
        cmocka_unit_test(every_architecture_has_its_groups),
        cmocka_unit_test(an_answer_is_that_of_the_architecture),
        cmocka_unit_test(what_a_group_does_not_say_is_empty_and_what_is_long_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
