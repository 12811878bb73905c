/* SPDX-License-Identifier: MIT */
/* Each machine is described as what it is. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "core/place.h"
#include "core/text.h"
#include "tests/machines/machines.h"
#include "tests/unit/scratch.h"

static void read_case(const struct machine_case *machine_case, struct rp_machine *machine,
                      struct rp_topology **topology)
{
    struct rp_error error;
    void *folder = NULL;

    assert_int_equal(scratch_make(&folder), 0);
    if (!machine_case_read(machine_case, folder, machine, topology, &error)) {
        fail_msg("%s: %s", machine_case->name, error.message);
    }
    assert_int_equal(scratch_remove(&folder), 0);
}

static void expect_count(const struct machine_case *machine_case, const char *what,
                         unsigned actual, unsigned expected)
{
    if (actual != expected) {
        fail_msg("%s: %s is %u and not %u", machine_case->name, what, actual, expected);
    }
}

static void expect_text(const struct machine_case *machine_case, const char *actual,
                        const char *expected)
{
    if (strcmp(actual, expected) != 0) {
        fail_msg("%s: \"%s\" is not \"%s\"", machine_case->name, actual, expected);
    }
}

static const char *levels_text(const struct rp_core_kind *kind, char text[200])
{
    size_t length = 0;

    for (unsigned i = 0; i < kind->level_count; i++) {
        const struct rp_level *const level = &kind->levels[i];
        char size[RP_SIZE_TEXT + 1] = "";

        if (level->size_bytes > 0) {
            size[0] = ' ';
            rp_size_text(level->size_bytes, size + 1);
        }
        length +=
            (size_t)snprintf(text + length, 200 - length, "%s%s%s /%u", i > 0 ? ", " : "",
                             level->name, size, level->shared_by);
    }
    return text;
}

static void counts_and_kinds(void **state)
{
    (void)state;
    for (const struct machine_case *row = machine_cases; row->name != NULL; row++) {
        struct rp_topology *topology = NULL;
        struct rp_machine machine;
        char text[200];

        read_case(row, &machine, &topology);
        rp_topology_free(topology);
        expect_count(row, "core count", machine.core_count, row->core_count);
        expect_count(row, "hardware thread count", machine.pu_count, row->pu_count);
        expect_count(row, "NUMA node count", machine.numa_count, row->numa_count);
        for (unsigned k = 0; k < machine.kind_count; k++) {
            const struct rp_core_kind *const kind = &machine.kinds[k];
            const struct machine_kind *const expected = &row->kinds[k];

            assert_non_null(expected->name);
            expect_text(row, kind->name, expected->name);
            expect_text(row, levels_text(kind, text), expected->levels);
            expect_count(row, "core count of a kind", kind->core_count,
                         expected->core_count);
            expect_count(row, "measured CPU", kind->measured_pu, expected->measured_pu);
        }
        assert_true(machine.kind_count == RP_MAX_CORE_KINDS ||
                    row->kinds[machine.kind_count].name == NULL);
        expect_count(row, "CPU of the machine", machine.measured_pu,
                     row->kinds[0].measured_pu);
        assert_string_equal(machine.processor, "Example Core 1");
        assert_string_equal(machine.kernel, "6.1.0-example");
    }
}

static void conditions(void **state)
{
    (void)state;
    for (const struct machine_case *row = machine_cases; row->name != NULL; row++) {
        struct rp_topology *topology = NULL;
        struct rp_machine machine;
        unsigned count = 0;

        read_case(row, &machine, &topology);
        rp_topology_free(topology);
        while (count < COUNT_OF(row->conditions) && row->conditions[count] != NULL) {
            if (count == machine.condition_count ||
                strstr(machine.conditions[count].text, row->conditions[count]) == NULL) {
                fail_msg("%s: condition %u is not \"%s\" but \"%s\"", row->name, count,
                         row->conditions[count], machine.conditions[count].text);
            }
            count++;
        }
        if (count != machine.condition_count) {
            fail_msg("%s: also \"%s\"", row->name, machine.conditions[count].text);
        }
    }
}

/* Every hardware thread comes once, one of each core before the second of any. */
static void order_of_use(void **state)
{
    (void)state;
    for (const struct machine_case *row = machine_cases; row->name != NULL; row++) {
        struct rp_topology *topology = NULL;
        struct rp_machine machine;
        unsigned pus[512];
        unsigned all = 0;
        char text[128] = "";
        size_t length = 0;

        read_case(row, &machine, &topology);
        for (unsigned k = 0; k < machine.kind_count; k++) {
            const unsigned count =
                rp_machine_pus(topology, k, pus + all, COUNT_OF(pus) - all);

            assert_int_equal(pus[all], machine.kinds[k].measured_pu);
            assert_true(count >= machine.kinds[k].core_count);
            all += count;
        }
        rp_topology_free(topology);
        expect_count(row, "sum of hardware threads", all, machine.pu_count);
        for (unsigned i = 0; i < all; i++) {
            for (unsigned j = 0; j < i; j++) {
                assert_int_not_equal(pus[i], pus[j]);
            }
        }
        for (unsigned i = 0; length < strlen(row->pus) && i < all; i++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%u",
                                       i > 0 ? " " : "", pus[i]);
        }
        expect_text(row, text, row->pus);
    }
}

static void stored_and_read_again(void **state)
{
    (void)state;
    for (const struct machine_case *row = machine_cases; row->name != NULL; row++) {
        struct rp_topology *topology = NULL;
        struct rp_machine machine;
        struct rp_machine back;
        struct rp_error error;

        read_case(row, &machine, &topology);
        rp_topology_free(topology);
        json_t *const json = rp_machine_to_json(&machine);
        if (!rp_machine_from_json(&back, json, &error)) {
            fail_msg("%s: %s", row->name, error.message);
        }
        json_t *const again = rp_machine_to_json(&back);
        assert_true(json_equal(json, again));
        assert_int_equal(back.kind_count, machine.kind_count);
        json_decref(json);
        json_decref(again);
    }
}

/* Nothing to be read at all: a reason, and no crash. */
static void nothing_there(void **state)
{
    const struct machine_case nothing = {
        .name = "nothing",
        .synthetic = "core:1 pu:1",
        .files = {{"proc/meminfo", NULL}},
    };
    struct rp_topology *topology = NULL;
    struct rp_machine machine;
    struct rp_error error;

    assert_false(machine_case_read(&nothing, *state, &machine, &topology, &error));
    assert_null(topology);
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "cannot tell how much memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_kinds),
        cmocka_unit_test(conditions),
        cmocka_unit_test(order_of_use),
        cmocka_unit_test(stored_and_read_again),
        cmocka_unit_test_setup_teardown(nothing_there, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
