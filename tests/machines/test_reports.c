/* SPDX-License-Identifier: MIT */
/* For each machine a run can be told and drawn, and says what the machine is. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/figure.h"
#include "roofline/report.h"
#include "tests/machines/machines.h"
#include "tests/machines/made_up_run.h"
#include "tests/unit/scratch.h"

/* Makes a run of the machine and calls `check` with the model of each kind of core. */
static void for_each_kind(const struct machine_case *machine_case,
                          void (*check)(const struct machine_case *machine_case,
                                        const struct rp_model *model))
{
    struct rp_topology *topology = NULL;
    struct rp_error error = {0};
    struct rp_machine machine;
    struct rp_model model;
    struct rp_run run;
    void *folder = NULL;

    assert_int_equal(scratch_make(&folder), 0);
    assert_true(machine_case_read(machine_case, folder, &machine, &topology, &error));
    assert_int_equal(scratch_remove(&folder), 0);
    rp_topology_free(topology);
    if (!made_up_run(&run, &machine, &error)) {
        fail_msg("%s: %s", machine_case->name, error.message);
    }
    for (unsigned k = 0; k < machine.kind_count; k++) {
        if (!rp_model_build(&model, &run, k, &error)) {
            fail_msg("%s, kind %u: %s", machine_case->name, k, error.message);
        }
        check(machine_case, &model);
        rp_model_free(&model);
    }
    rp_run_free(&run);
}

static void every_machine(void (*check)(const struct machine_case *machine_case,
                                        const struct rp_model *model))
{
    for (const struct machine_case *row = machine_cases; row->name != NULL; row++) {
        for_each_kind(row, check);
    }
}

/* Also where it was not stated but found: "L2?". */
static bool has_level(const struct rp_machine *machine, const char *name)
{
    for (unsigned i = 0; i < machine->level_count; i++) {
        if (strncmp(machine->levels[i].name, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

/* True when text outside of tags holds the name of a level, and not the beginning of a
 * longer one. */
static bool mentions(const char *text, const char *name)
{
    bool tag = false;

    for (; *text != '\0'; text++) {
        tag = *text == '<' || (tag && *text != '>');
        if (!tag && strncmp(text, name, strlen(name)) == 0 &&
            strspn(text + strlen(name), "0123456789") == 0) {
            return true;
        }
    }
    return false;
}

/* Names every level that was measured, and none that there is not. */
static void expect_levels(const struct machine_case *machine_case, const char *what,
                          const char *text, const struct rp_model *model)
{
    static const char *const names[] = {"L1", "L2", "L3", "L4", "DRAM"};
    const struct rp_machine *const machine = &model->run->machine;

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (mentions(text, names[i]) && !has_level(machine, names[i])) {
            fail_msg("%s: %s names %s", machine_case->name, what, names[i]);
        }
    }
    for (unsigned i = 0; i < machine->level_count; i++) {
        if (rp_model_roof(model, "load", i) != NULL &&
            !mentions(text, machine->levels[i].name)) {
            fail_msg("%s: %s does not name %s", machine_case->name, what,
                     machine->levels[i].name);
        }
    }
}

/* A roof for each level that leaves room for a working set of its own, and none above
 * another. */
static void check_model(const struct machine_case *machine_case,
                        const struct rp_model *model)
{
    const struct rp_machine *const machine = &model->run->machine;
    const bool little_memory = strcmp(machine_case->name, "little memory") == 0;

    assert_true(model->hz > 1e9);
    assert_true(model->unit_count > 0 && model->curve_count > 0);
    assert_true(model->point_count > 0);
    for (unsigned level = 0; level < machine->level_count; level++) {
        const struct rp_bandwidth_roof *const roof = rp_model_roof(model, "load", level);
        const bool beyond = little_memory && level + 1 == machine->level_count;

        if ((roof == NULL) != beyond) {
            fail_msg("%s: %s roof for loads from %s", machine_case->name,
                     beyond ? "a" : "no", machine->levels[level].name);
        }
        if (level > 0 && roof != NULL) {
            assert_true(roof->bytes_per_s.value <=
                        rp_model_roof(model, "load", level - 1)->bytes_per_s.value);
        }
    }
    if (model->above_roof_count > 0) {
        fail_msg("%s: %zu points above their roof", machine_case->name,
                 model->above_roof_count);
    }
    if (model->flag_count > 0) {
        fail_msg("%s: %s: %s", machine_case->name, model->flags[0].where,
                 model->flags[0].what);
    }
}

static void models(void **state)
{
    (void)state;
    every_machine(check_model);
}

static void check_report(const struct machine_case *machine_case,
                         const struct rp_model *model)
{
    static const struct {
        const char *what;
        bool (*write)(const struct rp_model *model, struct rp_text *out,
                      struct rp_error *error);
    } formats[] = {{"report.md", rp_report_markdown}, {"report.csv", rp_report_csv}};
    const struct rp_machine *const machine = &model->run->machine;
    static const char *const senseless[] = {"nan", "inf", "(null)", "-0"};
    struct rp_text html = {0};
    struct rp_error error;

    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct rp_text text = {0};

        assert_true(formats[i].write(model, &text, &error));
        for (unsigned level = 0; level < machine->level_count; level++) {
            if (rp_model_roof(model, "load", level) != NULL) {
                assert_contains(text.data, machine->levels[level].name);
            }
        }
        if (i > 0 && !has_level(machine, "L3") && mentions(text.data, "L3")) {
            fail_msg("%s: %s names L3", machine_case->name, formats[i].what);
        }
        for (size_t j = 0; j < COUNT_OF(senseless) && i > 0; j++) {
            if (strstr(text.data, senseless[j]) != NULL) {
                fail_msg("%s: %s holds %s", machine_case->name, formats[i].what,
                         senseless[j]);
            }
        }
        rp_text_free(&text);
    }
    assert_true(rp_report_html(model, NULL, 0, &html, &error));
    assert_contains(html.data, "</html>");
    rp_text_free(&html);
}

static void reports(void **state)
{
    (void)state;
    every_machine(check_report);
}

static bool have(const char *command)
{
    return system(command) == 0;
}

static void check_figures(const struct machine_case *machine_case,
                          const struct rp_model *model)
{
    const bool xmllint = have("xmllint --version >/dev/null 2>&1");
    const struct rp_figure *figure = NULL;
    void *folder = NULL;

    assert_int_equal(scratch_make(&folder), 0);
    for (size_t i = 0; (figure = rp_figure_at(i)) != NULL; i++) {
        char command[1200];
        struct rp_error error;
        size_t length = 0;

        if (!rp_figure_draw(figure, model, scratch_path(folder, "figure.svg"), &error)) {
            fail_msg("%s: %s: %s", machine_case->name, figure->kind, error.message);
        }
        snprintf(command, sizeof command, "xmllint --noout %s",
                 scratch_path(folder, "figure.svg"));
        assert_true(!xmllint || have(command));

        char *const svg = scratch_read(folder, "figure.svg", &length);
        assert_contains(svg, "role=\"img\"");
        if (strcmp(figure->kind, "bandwidth") == 0) {
            expect_levels(machine_case, figure->kind, svg, model);
        } else if (!has_level(&model->run->machine, "L3")) {
            assert_false(mentions(svg, "L3"));
        }
        free(svg);
    }
    assert_int_equal(scratch_remove(&folder), 0);
}

static void figures(void **state)
{
    (void)state;
    if (!have("gnuplot --version >/dev/null 2>&1")) {
        print_message("no gnuplot on PATH: nothing to draw with\n");
        skip();
    }
    every_machine(check_figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(reports),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
