/* SPDX-License-Identifier: MIT */
/*
 * likwid's own parser must see in each group what stands there: it drops what it does not
 * understand without a word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <likwid.h>

#include "probes/groups.h"
#include "tests/unit/unit.h"

/* Writes a group the way we do. */
static char *written(const GroupInfo *group)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const file = open_memstream(&text, &length);

    assert_non_null(file);
    fprintf(file, "SHORT %s\n\nEVENTSET\n", group->shortinfo);
    for (int i = 0; i < group->nevents; i++) {
        fprintf(file, "%s %s\n", group->counters[i], group->events[i]);
    }
    fprintf(file, "\nMETRICS\n");
    for (int i = 0; i < group->nmetrics; i++) {
        fprintf(file, "%s %s\n", group->metricnames[i], group->metricformulas[i]);
    }
    fprintf(file, "\nLONG\n%s", group->longinfo);
    fclose(file);
    return text;
}

static void likwid_reads_every_group_as_it_stands(void **state)
{
    const struct rp_counter_group *group = NULL;

    (void)state;
    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        GroupInfo read = {0};

        assert_int_equal(
            perfgroup_readGroup(GROUPS_FOLDER, group->architecture, group->name, &read),
            0);
        char *const text = written(&read);
        assert_string_equal(text, group->text);
        free(text);
        perfgroup_returnGroup(&read);
    }
}

static void likwid_reads_no_group_that_is_not_there(void **state)
{
    GroupInfo read = {0};

    (void)state;
    assert_int_not_equal(perfgroup_readGroup(GROUPS_FOLDER, "zen3", "RP_NONE", &read), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likwid_reads_every_group_as_it_stands),
        cmocka_unit_test(likwid_reads_no_group_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
