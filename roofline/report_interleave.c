/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "roofline/report_sections.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The kernels are those of kernels/aes/interleave_kernels.h: WIDTH-xCHAINS[-nomem]. */
#define FAMILY      "aes128ecb"
#define MOST_CHAINS 16
#define ROUNDS      10

/* A loop is at its best from where it is within this of it. */
static const double close = 1.05;

static const struct {
    const char *name; /* in a variant */
    const char *unit;
    unsigned bytes;
} widths[] = {
    {"aesni", "aesenc-128", 16},
    {"vaes256", "aesenc-256", 32},
    {"vaes512", "aesenc-512", 64},
};

/* Where the data is. */
enum { IN_L1, IN_L2, NOWHERE, KINDS };

/* Cycles per AES instruction by kind and chains; 0 where the run has none. */
struct interleave {
    double cycles[KINDS][MOST_CHAINS + 1];
};

static bool read_point(const struct rp_point *point, size_t width,
                       struct interleave *table)
{
    const size_t length = strlen(widths[width].name);
    unsigned chains = 0;
    int end = 0;

    if (strcmp(point->family, FAMILY) != 0 || point->mode == RP_MODE_INPLACE ||
        strncmp(point->variant, widths[width].name, length) != 0 ||
        sscanf(point->variant + length, "-x%2u%n", &chains, &end) != 1 || chains == 0 ||
        chains > MOST_CHAINS) {
        return false;
    }
    const char *const rest = point->variant + length + end;
    const bool memory = strcmp(rest, "-nomem") != 0;

    if (memory && point->level > 1) {
        return false;
    }
    if (point->verdict == RP_VERDICT_DISTURBED) {
        return true; /* half a percent is told here, and it may be off by ten */
    }
    const int kind = !memory ? NOWHERE : point->level == 0 ? IN_L1 : IN_L2;
    double *const cycles = &table->cycles[kind][chains];
    const double here = point->cycles_per_item.value * widths[width].bytes / ROUNDS;

    /* Of several working sets in a level the best: what the core can do. */
    if (here > 0 && (*cycles == 0 || here < *cycles)) {
        *cycles = here;
    }
    return true;
}

static bool read_all(const struct rp_model *model, struct interleave *tables)
{
    bool any = false;

    for (size_t i = 0; i < model->point_count; i++) {
        for (size_t width = 0; width < COUNT(widths); width++) {
            any = read_point(&model->points[i], width, &tables[width]) || any;
        }
    }
    return any;
}

static double best(const double *cycles)
{
    double least = 0;

    for (int chains = 1; chains <= MOST_CHAINS; chains++) {
        if (cycles[chains] > 0 && (least == 0 || cycles[chains] < least)) {
            least = cycles[chains];
        }
    }
    return least;
}

static bool at_best(const double *cycles, int chains)
{
    return cycles[chains] > 0 && cycles[chains] <= close * best(cycles);
}

/* The fewest chains that come close to the best; 0 without any. */
static int knee(const double *cycles)
{
    for (int chains = 1; chains <= MOST_CHAINS; chains++) {
        if (at_best(cycles, chains)) {
            return chains;
        }
    }
    return 0;
}

/* By how much data in L1 and none differ at most where both are at their best. */
static double difference_at_best(const struct interleave *table)
{
    const double *const data = table->cycles[IN_L1];
    const double *const none = table->cycles[NOWHERE];
    double most = 0;

    for (int chains = 1; chains <= MOST_CHAINS; chains++) {
        if (at_best(data, chains) && at_best(none, chains)) {
            most = fmax(most, fabs(data[chains] / none[chains] - 1));
        }
    }
    return most;
}

static void print_knee(const struct rp_model *model, size_t width,
                       const struct interleave *table, struct rp_document *document)
{
    const struct rp_unit *const unit = rp_model_unit(model, widths[width].unit);
    const int near = knee(table->cycles[IN_L1]);
    const int far = knee(table->cycles[IN_L2]);
    const int none = knee(table->cycles[NOWHERE]);
    struct rp_text text = {0};

    if (near == 0 || none == 0) {
        return;
    }
    rp_text_print(
        &text,
        "%u bits: within %.0f %% of its best from %d vector%s in flight with data in L1",
        8 * widths[width].bytes, 100 * (close - 1), near, near == 1 ? "" : "s");
    if (far > 0) {
        rp_text_print(&text, ", %d in L2", far);
    }
    rp_text_print(
        &text,
        ", %d without data; where both are that near, L1 and none differ by at most "
        "%.1f %%",
        none, 100 * difference_at_best(table));
    if (unit != NULL && unit->latency_cycles > 0 && unit->throughput_cycles.value > 0) {
        rp_text_print(&text,
                      ". A latency holds %.1f of the unit's instructions: without data, "
                      "where steps "
                      "wait for each other, it takes no fewer",
                      unit->latency_cycles / unit->throughput_cycles.value);
    }
    rp_document_item(document, "%s", text.data != NULL ? text.data : "");
    rp_text_free(&text);
}

static void cycles_cell(struct rp_document *document, double cycles)
{
    if (cycles > 0) {
        rp_document_cell(document, "%.3f", cycles);
    } else {
        rp_document_cell(document, "–");
    }
}

void rp_report_interleave(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"vectors in flight", true}, {"128 bit, L1", true}, {"128 bit, L2", true},
        {"128 bit, no data", true},  {"256 bit, L1", true}, {"256 bit, L2", true},
        {"256 bit, no data", true},  {"512 bit, L1", true}, {"512 bit, L2", true},
        {"512 bit, no data", true},
    };
    struct interleave tables[COUNT(widths)] = {0};

    if (!read_all(model, tables)) {
        return;
    }
    rp_document_heading(document, 2, "Interleaving");
    rp_document_paragraph(
        document,
        "Cycles for each AES instruction of a loop of ten rounds, by how many vectors go "
        "through them together: with data loaded and stored, and without, where each "
        "step "
        "goes on with what the last one left. Steps with data wait for nothing, so a "
        "core "
        "that looks far enough ahead begins the next one meanwhile and needs fewer "
        "vectors. Disturbed measurements are left out.");
    rp_document_list(document);
    for (size_t width = 0; width < COUNT(widths); width++) {
        print_knee(model, width, &tables[width], document);
    }
    rp_document_list_end(document);
    rp_document_table(document, columns, COUNT(columns));
    for (int chains = 1; chains <= MOST_CHAINS; chains++) {
        rp_document_cell(document, "%d", chains);
        for (size_t width = 0; width < COUNT(widths); width++) {
            for (int kind = 0; kind < KINDS; kind++) {
                cycles_cell(document, tables[width].cycles[kind][chains]);
            }
        }
    }
    rp_document_table_end(document);
}
