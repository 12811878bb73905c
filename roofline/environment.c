/* SPDX-License-Identifier: MIT */
#include "roofline/environment.h"

#include <stdlib.h>
#include <string.h>

#include "core/stats.h"
#include "core/text.h"
#include "roofline/model_parts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- one fact of one run, as text ---- */

typedef void writer(const struct rp_run *run, struct rp_text *text);

static void machine_name(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "%s", run->machine.name);
}

void rp_print_processor(const struct rp_machine *machine, struct rp_text *out)
{
    const struct rp_cpu *const cpu = &machine->cpu;

    rp_text_print(out, "%s (%s family %u, model %u, stepping %u)%s", machine->processor,
                  cpu->vendor, cpu->family, cpu->model, cpu->stepping,
                  cpu->hypervisor ? ", in a virtual machine" : "");
}

static void processor(const struct rp_run *run, struct rp_text *text)
{
    rp_print_processor(&run->machine, text);
}

static void cpu_features(const struct rp_run *run, struct rp_text *text)
{
    char names[160];

    rp_text_print(text, "%s",
                  rp_cpu_feature_names(run->machine.cpu.features, names, sizeof names));
}

static void cpu_level(const struct rp_run *run, struct rp_text *text)
{
    const char *const level = run->machine.cpu.level;

    rp_text_print(text, "%s", level != NULL ? level : "");
}

static void caches(const struct rp_run *run, struct rp_text *text)
{
    for (unsigned i = 0; i + 1 < run->machine.level_count; i++) {
        const struct rp_level *const level = &run->machine.levels[i];
        char size[RP_SIZE_TEXT];

        rp_text_print(text, "%s%s %s", i > 0 ? ", " : "", level->name,
                      rp_size_text(level->size_bytes, size));
        if (level->shared_by > 1) {
            rp_text_print(text, " for %u cores", level->shared_by);
        }
    }
}

static void cores(const struct rp_run *run, struct rp_text *text)
{
    const struct rp_machine *const it = &run->machine;

    rp_text_print(text, "%u cores, %u hardware threads, %u NUMA nodes", it->core_count,
                  it->pu_count, it->numa_count);
}

static void measured_on(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "hardware thread %u", run->machine.measured_pu);
}

static void memory(const struct rp_run *run, struct rp_text *text)
{
    char size[RP_SIZE_TEXT];

    rp_text_print(text, "%s", rp_size_text(run->machine.memory_bytes, size));
}

static void operating_system(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "Linux %s", run->machine.kernel);
}

static void program(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "ridgepoint %s", run->version);
}

static void compiler(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "%s", run->compiler);
}

static void core_clock(const struct rp_run *run, struct rp_text *text)
{
    for (size_t i = 0; i < run->record_count; i++) {
        const struct rp_record *const record = &run->records[i];
        double *const scratch = rp_record_measured(record, "clock")
                                    ? calloc(record->sample_count, sizeof *scratch)
                                    : NULL;
        if (scratch != NULL) {
            const double hz = rp_estimate_record(record, rp_sample_hz, scratch).value;

            free(scratch);
            rp_text_print(text, "%.3f GHz", hz / 1e9);
            return;
        }
    }
    rp_text_print(text, "not measured");
}

/* True when `element` stands between the commas of a list. */
static bool holds(const char *list, const char *element)
{
    const size_t length = strlen(element);

    for (const char *at = strstr(list, element); at != NULL;
         at = strstr(at + 1, element)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void add_once(struct rp_text *text, const char *element)
{
    if (element[0] != '\0' && (text->data == NULL || !holds(text->data, element))) {
        rp_text_print(text, "%s%s", text->length > 0 ? ", " : "", element);
    }
}

static void cycle_source(const struct rp_run *run, struct rp_text *text)
{
    for (size_t i = 0; i < run->record_count; i++) {
        add_once(text, run->records[i].cycle_source);
    }
}

void rp_print_page_sizes(const struct rp_run *run, struct rp_text *out)
{
    for (size_t i = 0; i < run->record_count; i++) {
        char size[RP_SIZE_TEXT];

        if (run->records[i].page_bytes > 0) {
            add_once(out, rp_size_text(run->records[i].page_bytes, size));
        }
    }
}

static void sweep(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "%s", run->sweep_name);
}

static void started(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "%s", run->started_utc);
}

static void seed(const struct rp_run *run, struct rp_text *text)
{
    rp_text_print(text, "%llu", (unsigned long long)run->seed);
}

static const struct {
    const char *what;
    writer *write;
} facts[] = {
    {"machine", machine_name},
    {"processor", processor},
    {"CPU level", cpu_level},
    {"CPU features", cpu_features},
    {"caches", caches},
    {"cores", cores},
    {"measured on", measured_on},
    {"memory available", memory},
    {"operating system", operating_system},
    {"program", program},
    {"compiler", compiler},
    {"core clock", core_clock},
    {"cycle source", cycle_source},
    {"page size", rp_print_page_sizes},
    {"sweep", sweep},
    {"started", started},
    {"seed", seed},
};

/* ---- two runs ---- */

static bool has_condition(const struct rp_machine *machine, const char *text)
{
    for (unsigned i = 0; i < machine->condition_count; i++) {
        if (strcmp(machine->conditions[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

static void add_row(struct rp_environment_row *row, const char *what, const char *a,
                    const char *b)
{
    *row = (struct rp_environment_row){0};
    RP_COPY_NAME(row->what, what);
    RP_COPY_NAME(row->a, a != NULL ? a : "");
    RP_COPY_NAME(row->b, b != NULL ? b : "");
}

size_t rp_environment_compare(const struct rp_run *a, const struct rp_run *b,
                              struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS])
{
    size_t count = 0;

    _Static_assert(COUNT(facts) + 1 + 2 * RP_MAX_CONDITIONS <= RP_MOST_ENVIRONMENT_ROWS,
                   "there is room for all that may differ");
    for (size_t i = 0; i < COUNT(facts); i++) {
        struct rp_environment_row row;
        struct rp_text of_a = {0};
        struct rp_text of_b = {0};

        facts[i].write(a, &of_a);
        facts[i].write(b, &of_b);
        add_row(&row, facts[i].what, of_a.data, of_b.data);
        if (strcmp(row.a, row.b) != 0) {
            rows[count++] = row;
        }
        rp_text_free(&of_a);
        rp_text_free(&of_b);
    }
    if (strcmp(a->sweep_text != NULL ? a->sweep_text : "",
               b->sweep_text != NULL ? b->sweep_text : "") != 0) {
        add_row(&rows[count++], "sweep file", "its own", "another");
    }
    for (unsigned i = 0; i < a->machine.condition_count; i++) {
        if (!has_condition(&b->machine, a->machine.conditions[i].text)) {
            add_row(&rows[count++], "condition", a->machine.conditions[i].text, "");
        }
    }
    for (unsigned i = 0; i < b->machine.condition_count; i++) {
        if (!has_condition(&a->machine, b->machine.conditions[i].text)) {
            add_row(&rows[count++], "condition", "", b->machine.conditions[i].text);
        }
    }
    return count;
}
