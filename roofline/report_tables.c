/* SPDX-License-Identifier: MIT */
#include "roofline/report_sections.h"

#include <stdio.h>
#include <string.h>

#include "roofline/report_facts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Most rows of the ladder: no run holds as many ciphers. */
#define MOST_CIPHERS 64

const char *rp_report_remark(const struct rp_model *model, enum rp_verdict verdict,
                             uint64_t record_id)
{
    return rp_model_flag(model, record_id) != NULL ? "flagged"
           : verdict == RP_VERDICT_STEADY          ? ""
                                                   : rp_verdict_name(verdict);
}

double rp_report_spread_percent(const struct rp_estimate *estimate)
{
    return estimate->value > 0 ? 50 * (estimate->high - estimate->low) / estimate->value
                               : 0;
}

/* What the run did not count is not zero. */
static void cycles_cell(struct rp_document *document, double cycles)
{
    if (cycles > 0) {
        rp_document_cell(document, "%.4f", cycles);
    } else {
        rp_document_cell(document, "–");
    }
}

static void percent_cell(struct rp_document *document, double bound, double cycles)
{
    if (bound > 0 && cycles > 0) {
        rp_document_cell(document, "%.0f %%", 100 * bound / cycles);
    } else {
        rp_document_cell(document, "–");
    }
}

/* ---- the ladder ---- */

/* Whose variants go by their name alone. */
#define LADDER "aes128ctr"

static void ladder_row(const struct rp_model *model, const struct rp_point *point,
                       struct rp_document *document)
{
    char size[RP_SIZE_TEXT];
    const double ceiling = point->unit_cycles_per_item;
    const double cycles = point->cycles_per_item.value;
    const bool is_of_the_ladder = strcmp(point->family, LADDER) == 0;

    rp_document_cell(document, "%s", is_of_the_ladder ? point->variant : point->kernel);
    rp_document_cell(document, "%s", rp_size_text(point->working_set_bytes, size));
    rp_document_cell(document, "%.3f", point->items_per_s.value / (double)RP_GIB);
    cycles_cell(document, cycles);
    cycles_cell(document, ceiling);
    percent_cell(document, ceiling, cycles);
    percent_cell(document, rp_all_rounds_cycles(model, point), cycles);
    rp_document_cell(document, "%s", point->bound);
    rp_document_cell(document, "%s",
                     rp_report_remark(model, point->verdict, point->record_id));
    rp_document_cell(document, "%llu", (unsigned long long)point->record_id);
}

void rp_report_ladder(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"variant", false},
        {"working set", true},
        {"GiB/s", true},
        {"cycles/byte", true},
        {"AES-unit ceiling, cycles/byte", true},
        {"% of that ceiling", true},
        {"% with all rounds", true},
        {"bound by", false},
        {"verdict", false},
        {"record", true},
    };
    const struct rp_point *points[MOST_CIPHERS];
    const size_t count = rp_ladder(model, points, MOST_CIPHERS);
    const struct rp_machine *const machine = &model->run->machine;
    struct rp_text text = {0};
    char size[RP_SIZE_TEXT];

    rp_document_heading(document, 2, "The ladder");
    if (count == 0) {
        char most[RP_SIZE_TEXT];

        rp_text_print(
            &text,
            "The run holds no cipher with plain stores at a working set of %s to "
            "%s.",
            rp_size_text(RP_LADDER_LEAST_BYTES, size),
            rp_size_text(RP_LADDER_MOST_BYTES, most));
    } else {
        rp_text_print(
            &text,
            "Plain stores at a working set of %s, source and destination together, which "
            "fits into %s. The ceiling is the rounds that the variant runs times the "
            "measured reciprocal throughput of the AES instruction of its own width, or "
            "what its carry-less multiplications set alone or together with these. A "
            "cached variant takes two rounds from a table: against the ceiling with all "
            "rounds of the cipher it can pass 100 %%.",
            rp_size_text(rp_ladder_bytes(model), size),
            machine->levels[rp_machine_level_of(machine, rp_ladder_bytes(model))].name);
    }
    rp_document_paragraph(document, text.data ? text.data : "");
    rp_text_free(&text);
    if (count == 0) {
        return;
    }
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        ladder_row(model, points[i], document);
    }
    rp_document_table_end(document);
}

/* ---- the roofline in cycles per byte ---- */

/* Cycles that one encrypted byte, read once and written once, takes at a mix's bandwidth.
 */
static double roof_cycles_per_byte(const struct rp_model *model, const char *mix,
                                   unsigned level)
{
    static const double payload_bytes = 2;
    const struct rp_bandwidth_roof *const roof = rp_model_roof(model, mix, level);

    return roof ? payload_bytes * roof->hz / roof->bytes_per_s.value : 0;
}

static void roofline_row(const struct rp_model *model, unsigned level,
                         struct rp_document *document)
{
    const struct rp_point *const ceiling = rp_best_ceiling(model);
    const struct rp_point *const best = rp_best_in_level(model, level);

    rp_document_cell(document, "%s", model->run->machine.levels[level].name);
    cycles_cell(document, roof_cycles_per_byte(model, "copy", level));
    cycles_cell(document, roof_cycles_per_byte(model, "copy-nt", level));
    cycles_cell(document, roof_cycles_per_byte(model, "update", level));
    cycles_cell(document, ceiling ? ceiling->unit_cycles_per_item : 0);
    cycles_cell(document, best ? best->cycles_per_item.value : 0);
    if (best != NULL) {
        char size[RP_SIZE_TEXT];
        rp_document_cell(document, "%s, %s, %s", best->kernel, rp_mode_name(best->mode),
                         rp_size_text(best->working_set_bytes, size));
    } else {
        rp_document_cell(document, "not measured");
    }
    if (best != NULL && best->bound_kind != RP_BOUND_UNKNOWN) {
        rp_document_cell(document, "%s (%.0f %% attained)", best->bound,
                         100 * best->attained);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(
        document, "%s",
        best != NULL ? rp_report_remark(model, best->verdict, best->record_id) : "");
}

void rp_report_roofline(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"level", false},
        {"bound, plain stores", true},
        {"bound, nt stores", true},
        {"bound, in place", true},
        {"AES-unit ceiling", true},
        {"best measured", true},
        {"by", false},
        {"bound by", false},
        {"verdict", false},
    };

    rp_document_heading(document, 2, "The roofline in cycles per byte encrypted");
    rp_document_paragraph(
        document,
        "One byte encrypted is two bytes of payload, one read and one written. Below "
        "L1 a plain store reads its line first (write-allocate), so three bytes move; "
        "non-temporal stores and encryption in place move two. Bounds are the "
        "measured bandwidth roofs of these three mixes, each at the core clock that was "
        "measured beside it; the ceiling is the lowest that the measured "
        "units allow any of the ciphers.");
    rp_document_table(document, columns, COUNT(columns));
    for (unsigned level = 0; level < model->run->machine.level_count; level++) {
        roofline_row(model, level, document);
    }
    rp_document_table_end(document);
}

/* ---- bandwidth roofs ---- */

static void roof_row(const struct rp_model *model, const struct rp_bandwidth_roof *roof,
                     struct rp_document *document)
{
    const struct rp_record *const record = rp_model_record(model, roof->record_id);
    const double bytes_per_s = roof->bytes_per_s.value;
    char size[RP_SIZE_TEXT];

    rp_document_cell(document, "%s", roof->mix);
    rp_document_cell(document, "%s", model->run->machine.levels[roof->level].name);
    rp_document_cell(document, "%.1f", bytes_per_s / 1e9);
    rp_document_cell(document, "±%.1f %%", rp_report_spread_percent(&roof->bytes_per_s));
    if (roof->hz > 0) {
        rp_document_cell(document, "%.1f", bytes_per_s / roof->hz);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%.1f", bytes_per_s * roof->bus_factor / 1e9);
    rp_document_cell(document, "%s", roof->variant);
    rp_document_cell(document, "%s", rp_size_text(roof->working_set_bytes, size));
    rp_document_cell(document, "%s",
                     record ? rp_report_remark(model, record->verdict, record->id) : "");
    rp_document_cell(document, "%llu", (unsigned long long)roof->record_id);
}

void rp_report_roofs(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"mix", false},
        {"level", false},
        {"payload, GB/s", true},
        {"95 % interval", true},
        {"payload, B/cycle", true},
        {"moved, GB/s", true},
        {"fastest kernel", false},
        {"working set", true},
        {"verdict", false},
        {"record", true},
    };

    rp_document_heading(document, 2, "Bandwidth roofs");
    if (model->roof_count == 0) {
        rp_document_paragraph(document, "The run holds no measurement of bandwidth.");
        return;
    }
    rp_document_paragraph(
        document, "One thread. Payload is what the program asked for; moved adds the "
                  "reads that plain stores cause below L1. GB/s = 10^9 bytes a second.");
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < model->roof_count; i++) {
        roof_row(model, &model->roofs[i], document);
    }
    rp_document_table_end(document);
}

/* ---- several cores ---- */

static void cluster_row(const struct rp_model *model, const struct rp_scaling *scaling,
                        const struct rp_scaling_cluster *cluster,
                        struct rp_document *document)
{
    const struct rp_scaling *const one = rp_model_one_core(model, scaling);

    rp_document_cell(document, "%s", model->run->machine.levels[scaling->level].name);
    rp_document_cell(document, "%s", scaling->mix);
    rp_document_cell(document, "%u", scaling->threads);
    if (cluster->pingpong_ns > 0) {
        rp_document_cell(document, "%.0f", cluster->pingpong_ns);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%.0f %%", 100 * cluster->share);
    rp_document_cell(document, "%.1f", cluster->bytes_per_s.value / 1e9);
    rp_document_cell(document, "±%.1f %%",
                     rp_report_spread_percent(&cluster->bytes_per_s));
    if (one != NULL) {
        rp_document_cell(document, "%.2f",
                         cluster->bytes_per_s.value / one->clusters[0].bytes_per_s.value);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%s", scaling->kernel);
    rp_document_cell(document, "%s",
                     rp_report_remark(model, scaling->verdict, scaling->record_id));
    rp_document_cell(document, "%llu", (unsigned long long)scaling->record_id);
}

void rp_report_scaling(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"level", false},        {"mix", false},           {"cores", true},
        {"apart, ns", true},     {"of the samples", true}, {"payload, GB/s", true},
        {"95 % interval", true}, {"x one core", true},     {"kernel", false},
        {"verdict", false},      {"record", true},
    };
    struct rp_text text = {0};
    size_t lone = 0;

    if (model->scaling_count == 0) {
        return;
    }
    rp_document_heading(document, 2, "More than one core");
    rp_document_paragraph(
        document,
        "All cores at once, each on its own part. Apart is the time that a cache line "
        "takes from the first core to the farthest of the others, right before and after "
        "each sample. Samples at different distances have rows of their own: what they "
        "share differs, and a figure over all of them never occurred.");
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < model->scaling_count; i++) {
        const struct rp_scaling *const scaling = &model->scaling[i];

        for (unsigned j = 0; j < scaling->cluster_count; j++) {
            cluster_row(model, scaling, &scaling->clusters[j], document);
        }
        lone += scaling->lone_samples;
    }
    rp_document_table_end(document);
    if (lone > 0) {
        rp_text_print(&text, "Left out: samples alone at their distance, %zu. ", lone);
    }
    for (unsigned i = 0; i < model->doubt_count; i++) {
        const struct rp_condition *const doubt =
            &model->run->machine.conditions[model->first_doubt + i];

        rp_text_print(&text, "But %s; %s. ", doubt->text, doubt->what_to_do);
    }
    if (text.data != NULL) {
        rp_document_paragraph(document, text.data);
    }
    rp_text_free(&text);
}
