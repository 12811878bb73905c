/* SPDX-License-Identifier: MIT */
/* What counters saw move, beside what the program text says. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "roofline/report_facts.h"
#include "roofline/report_sections.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Jobs of counters, and what of them could not count, are named so. */
#define COUNTERS "counters/"

void rp_print_counted(const struct rp_counted_point *counted, struct rp_text *text)
{
    if (counted->finding == RP_TRAFFIC_UNKNOWN) {
        return;
    }
    if (!isnan(counted->times_payload)) {
        rp_text_print(text, "%.2f x the payload: ", counted->times_payload);
    } else {
        rp_text_print(text, "in reads alone, %.2f x those expected: ",
                      counted->reads_times_expected);
    }
    rp_text_print(text, "%s", rp_traffic_finding_meaning(counted->finding));
}

static bool is_known(const struct rp_counted_point *counted)
{
    return counted->finding != RP_TRAFFIC_UNKNOWN;
}

static bool same_row(const struct rp_point *a, const struct rp_point *b)
{
    return a->mode == b->mode && a->level == b->level &&
           strcmp(a->kernel, b->kernel) == 0;
}

/* The points of one kernel, mode and level follow each other. Of those with a finding the
 * largest tells most of the memory, and the middle one of a cache, since neither its
 * nearer nor its farther level has a share in it. Moves `*at` behind them all; NULL when
 * there is no finding. */
static const struct rp_counted_point *choose(const struct rp_model *model, size_t *at)
{
    const struct rp_counted_point *const counted = model->counted;
    const struct rp_point *const first = &model->points[counted[*at].point];
    const size_t start = *at;
    size_t known = 0;

    for (; *at < model->counted_count &&
           same_row(first, &model->points[counted[*at].point]);
         ++*at) {
        known += is_known(&counted[*at]);
    }
    const bool memory = counted[start].boundary == RP_BOUNDARY_MEMORY;
    size_t left = memory ? known : (known + 1) / 2;

    for (size_t i = start; i < *at; i++) {
        if (is_known(&counted[i]) && --left == 0) {
            return &counted[i];
        }
    }
    return NULL;
}

static void bytes_cell(struct rp_document *document, double bytes)
{
    if (isnan(bytes)) {
        rp_document_cell(document, "–");
    } else {
        rp_document_cell(document, "%.2f", bytes);
    }
}

static void counted_row(const struct rp_model *model,
                        const struct rp_counted_point *counted,
                        struct rp_document *document)
{
    const struct rp_point *const point = &model->points[counted->point];
    const struct rp_counted_traffic *const traffic = &counted->traffic[counted->boundary];
    struct rp_text meaning = {0};
    struct rp_text records = {0};
    char size[RP_SIZE_TEXT];

    rp_document_cell(document, "%s", point->kernel);
    rp_document_cell(document, "%s", rp_mode_name(point->mode));
    rp_document_cell(document, "%s", rp_size_text(point->working_set_bytes, size));
    rp_document_cell(document, "%s", rp_model_boundary_name(model, counted->boundary));
    rp_document_cell(document, "%.2f", point->payload_bytes_per_item);
    bytes_cell(document, traffic->read_bytes);
    bytes_cell(document, traffic->written_bytes);
    bytes_cell(document, counted->bytes_per_item);
    bytes_cell(document, counted->times_payload);
    rp_text_print(&meaning, "counted ");
    rp_print_counted(counted, &meaning);
    for (unsigned i = 0; i < traffic->record_count; i++) {
        rp_text_print(&records, "%s%llu", i > 0 ? ", " : "",
                      (unsigned long long)traffic->record_ids[i]);
    }
    rp_document_cell(document, "%s", meaning.data != NULL ? meaning.data : "");
    rp_document_cell(document, "%s", records.data != NULL ? records.data : "");
    rp_text_free(&meaning);
    rp_text_free(&records);
}

static void counted_table(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"kernel", false},
        {"mode", false},
        {"working set", true},
        {"from", false},
        {"payload, bytes per item", true},
        {"counted read", true},
        {"counted written", true},
        {"counted", true},
        {"counted / payload", true},
        {"what it means", false},
        {"records", true},
    };
    bool begun = false;

    for (size_t i = 0; i < model->counted_count;) {
        const struct rp_counted_point *const counted = choose(model, &i);

        if (counted == NULL) {
            continue;
        }
        if (!begun) {
            rp_document_table(document, columns, COUNT(columns));
            begun = true;
        }
        counted_row(model, counted, document);
    }
    if (begun) {
        rp_document_table_end(document);
    }
}

/* ---- what is missing ---- */

/* A list that begins with its first item, and names no more than so many of a kind. */
struct list {
    struct rp_document *document;
    bool begun;
};

__attribute__((format(printf, 3, 4))) static void
add_item(struct list *list, size_t *listed, const char *format, ...)
{
    char text[512];
    va_list arguments;

    if ((*listed)++ >= RP_MOST_LISTED) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!list->begun) {
        rp_document_list(list->document);
        list->begun = true;
    }
    rp_document_item(list->document, "%s", text);
}

static void add_rest(struct list *list, size_t listed, const char *what)
{
    if (listed > RP_MOST_LISTED) {
        rp_document_item(list->document, "and %zu more %s", listed - RP_MOST_LISTED,
                         what);
    }
}

static bool is_of_counters(const struct rp_absence *absence)
{
    return strncmp(absence->name, COUNTERS, strlen(COUNTERS)) == 0;
}

static void list_absences(const struct rp_model *model, struct list *list)
{
    size_t listed = 0;

    for (size_t i = 0; i < model->absence_count; i++) {
        if (is_of_counters(&model->absences[i])) {
            add_item(list, &listed, "not counted: %s: %s",
                     model->absences[i].name + strlen(COUNTERS), model->absences[i].why);
        }
    }
    add_rest(list, listed, "groups not counted");
}

static void list_gaps(const struct rp_model *model, struct list *list)
{
    size_t listed = 0;
    size_t elsewhere = 0;

    for (size_t i = 0; i < model->counted_count; i++) {
        const struct rp_counted_point *const counted = &model->counted[i];
        const struct rp_point *const point = &model->points[counted->point];
        char size[RP_SIZE_TEXT];

        if (counted->why[0] != '\0') {
            add_item(list, &listed, "%s: %s, %s, %s: %s",
                     is_known(counted) ? "reads only" : "no figure", point->kernel,
                     rp_mode_name(point->mode),
                     rp_size_text(point->working_set_bytes, size), counted->why);
        } else {
            elsewhere += !is_known(counted);
        }
    }
    add_rest(list, listed, "that lack a count");
    if (elsewhere > 0) {
        listed = 0;
        add_item(list, &listed,
                 "no figure: %zu points, of which was not counted what feeds their level",
                 elsewhere);
    }
}

/* True when the run holds no job whose region that is. */
static bool is_stray(const struct rp_model *model, const struct rp_counted *counted)
{
    for (size_t i = 0; i < model->run->record_count; i++) {
        const struct rp_record *const record = &model->run->records[i];

        if (record->counted == NULL &&
            strcmp(rp_counted_region(record->job), counted->region) == 0) {
            return false;
        }
    }
    return true;
}

static void list_strays(const struct rp_model *model, struct list *list)
{
    size_t listed = 0;

    for (size_t i = 0; i < model->run->record_count; i++) {
        const struct rp_record *const record = &model->run->records[i];

        if (record->counted != NULL && is_stray(model, record->counted)) {
            add_item(list, &listed,
                     "left out: %s was counted (record %llu), but the run holds no such "
                     "job",
                     record->counted->region, (unsigned long long)record->id);
        }
    }
    add_rest(list, listed, "left out");
}

static bool asks_counters(const struct rp_model *model)
{
    for (size_t i = 0; i < model->run->record_count; i++) {
        if (strcmp(model->run->records[i].probe, "counters") == 0 ||
            model->run->records[i].counted != NULL) {
            return true;
        }
    }
    return false;
}

void rp_report_counted(const struct rp_model *model, struct rp_document *document)
{
    struct list list = {.document = document};

    if (!asks_counters(model)) {
        return;
    }
    rp_document_heading(document, 2, "Counted traffic");
    rp_document_paragraph(
        document,
        "What hardware counters saw cross the boundary through which a level feeds the "
        "kernel, for one item, beside the payload that the program text asks for. "
        "Traffic of memory is counted at the memory: that of everything which ran on the "
        "socket is in it. Traffic of L2 and L3 is that of the core, and non-temporal "
        "stores are not in it. One working set of each level, in memory the largest; "
        "report.csv has the others.");
    counted_table(model, document);
    list_absences(model, &list);
    list_gaps(model, &list);
    list_strays(model, &list);
    if (list.begun) {
        rp_document_list_end(document);
    }
}
