/* SPDX-License-Identifier: MIT */
#include "roofline/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/model_parts.h"
#include "roofline/peers.h"
#include "roofline/report_document.h"

/* One row: one fact. What does not apply is NULL, or 0 for a number, and stays empty. */
struct fact {
    const char *kind;
    const char *name;
    const char *variant;
    const char *mode;
    const char *level;
    size_t working_set_bytes;
    unsigned threads;
    const char *quantity;
    struct rp_estimate estimate;
    const char *unit;
    double bound;
    double attained;
    const char *bound_by;
    const char *verdict;
    bool zero_is_a_value;           /* else a value of 0 is none */
    double best;                    /* of the samples; no estimate of anything */
    const struct rp_record *record; /* whose samples they are */
};

static const char header[] =
    "kind,name,variant,mode,level,working_set_bytes,threads,quantity,value,unit,low,high,"
    "bound,attained,verdict,lower_quartile,upper_quartile,best,samples,dropped_clock,"
    "dropped_preempted,dropped_stolen,dropped_shared,dropped_throttled,"
    "dropped_moved,bound_by\n";

/* The number that the best sample of a record gives. */
static double best_of(const struct rp_record *record, rp_quantity *quantity,
                      bool least_is_best)
{
    double best = 0;

    for (size_t i = 0; i < record->sample_count; i++) {
        const double value = quantity(record, &record->samples[i]);
        const bool better = least_is_best ? value < best : value > best;
        if (value > 0 && isfinite(value) && (best == 0 || better)) {
            best = value;
        }
    }
    return best;
}

static void text_field(struct rp_text *out, const char *text, const char *end)
{
    rp_escape_csv(out, text ? text : "");
    rp_text_print(out, "%s", end);
}

static void number_field(struct rp_text *out, double value, const char *end)
{
    if (value > 0) {
        rp_text_print(out, "%.6g%s", value, end);
    } else {
        rp_text_print(out, "%s", end);
    }
}

static void count_field(struct rp_text *out, size_t count, const char *end)
{
    if (count > 0) {
        rp_text_print(out, "%zu%s", count, end);
    } else {
        rp_text_print(out, "%s", end);
    }
}

static void samples_fields(struct rp_text *out, const struct rp_record *record)
{
    if (record == NULL) {
        rp_text_print(out, ",,,,,,,");
        return;
    }
    const struct rp_dropped *const dropped = &record->dropped;
    rp_text_print(out, "%zu,%u,%u,%u,%u,%u,%u,", record->sample_count, dropped->clock,
                  dropped->preempted, dropped->stolen, dropped->shared,
                  dropped->throttled, dropped->moved);
}

static void write_fact(struct rp_text *out, const struct fact *fact)
{
    text_field(out, fact->kind, ",");
    text_field(out, fact->name, ",");
    text_field(out, fact->variant, ",");
    text_field(out, fact->mode, ",");
    text_field(out, fact->level, ",");
    count_field(out, fact->working_set_bytes, ",");
    count_field(out, fact->threads, ",");
    text_field(out, fact->quantity, ",");
    if (fact->zero_is_a_value && fact->estimate.value == 0) {
        rp_text_print(out, "0,");
    } else {
        number_field(out, fact->estimate.value, ",");
    }
    text_field(out, fact->unit, ",");
    number_field(out, fact->estimate.low, ",");
    number_field(out, fact->estimate.high, ",");
    number_field(out, fact->bound, ",");
    number_field(out, fact->attained, ",");
    text_field(out, fact->verdict, ",");
    number_field(out, fact->estimate.lower_quartile, ",");
    number_field(out, fact->estimate.upper_quartile, ",");
    number_field(out, fact->best, ",");
    samples_fields(out, fact->record);
    text_field(out, fact->bound_by, "\n");
}

static const char *level_name(const struct rp_model *model, unsigned level)
{
    return model->run->machine.levels[level].name;
}

static void write_roof(const struct rp_model *model, const struct rp_bandwidth_roof *roof,
                       struct rp_text *out)
{
    const struct rp_record *const record = rp_model_record(model, roof->record_id);
    const struct fact fact = {
        .kind = "roof",
        .name = roof->mix,
        .variant = roof->variant,
        .mode = rp_mode_name(record->mode),
        .level = level_name(model, roof->level),
        .working_set_bytes = roof->working_set_bytes,
        .threads = record->threads,
        .quantity = "bandwidth",
        .estimate = roof->bytes_per_s,
        .unit = "bytes/s",
        .verdict = rp_verdict_name(record->verdict),
        .best = best_of(record, rp_sample_payload_bytes_per_s, false),
        .record = record,
    };
    write_fact(out, &fact);
}

/* One row of a unit: the step that a figure is taken from. */
static void write_unit_step(const struct rp_model *model, const struct rp_unit *unit,
                            const char *quantity, const struct rp_unit_step *step,
                            struct rp_text *out)
{
    const struct rp_record *const record = rp_model_record(model, step->record_id);
    const struct fact fact = {
        .kind = "unit",
        .name = unit->name,
        .threads = record->threads,
        .quantity = quantity,
        .estimate = step->cycles,
        .unit = "cycles",
        .verdict = rp_verdict_name(step->verdict),
        .best = best_of(record, rp_sample_cycles_per_item, true),
        .record = record,
    };
    write_fact(out, &fact);
}

static void write_unit(const struct rp_model *model, const struct rp_unit *unit,
                       struct rp_text *out)
{
    if (unit->step_count == 0) {
        const struct fact fact = {
            .kind = "unit",
            .name = unit->name,
            .verdict = rp_verdict_name(RP_VERDICT_UNAVAILABLE),
        };
        write_fact(out, &fact);
        return;
    }
    if (unit->latency_cycles > 0) {
        write_unit_step(model, unit, "latency", &unit->steps[0], out);
    }
    for (unsigned i = 0; i < unit->step_count; i++) {
        if (unit->steps[i].record_id == unit->throughput_record_id) {
            write_unit_step(model, unit, "reciprocal_throughput", &unit->steps[i], out);
        }
    }
}

/* Of a peer, its library. */
static const char *variant_of(const struct rp_point *point)
{
    return rp_is_peer(point) ? point->library : point->variant;
}

/* A stream kernel's rate is a bandwidth; a cipher's is bytes encrypted a second, and its
 * cost. */
static void write_point(const struct rp_model *model, const struct rp_point *point,
                        struct rp_text *out)
{
    const bool stream = strcmp(point->family, "stream") == 0;
    const double payload = point->payload_bytes_per_item;
    const double scale = stream ? payload : 1;
    const struct rp_record *const record = rp_model_record(model, point->record_id);
    struct fact fact = {
        .kind = rp_is_peer(point) ? "peer" : "point",
        .name = point->kernel,
        .variant = variant_of(point),
        .mode = rp_mode_name(point->mode),
        .level = level_name(model, point->level),
        .working_set_bytes = point->working_set_bytes,
        .threads = record->threads,
        .quantity = stream ? "bandwidth" : "rate",
        .estimate = rp_estimate_scaled(&point->items_per_s, scale),
        .unit = "bytes/s",
        .bound = point->bound_items_per_s * scale,
        .attained = point->attained,
        .bound_by = point->bound,
        .verdict = rp_verdict_name(point->verdict),
        .best = scale * best_of(record, rp_sample_items_per_s, false),
        .record = record,
    };
    write_fact(out, &fact);
    if (!stream) {
        fact.quantity = "cycles_per_byte";
        fact.estimate = point->cycles_per_item;
        fact.unit = "cycles/byte";
        fact.best = best_of(record, rp_sample_cycles_per_item, true);
        fact.bound =
            point->bound_items_per_s > 0 ? point->hz / point->bound_items_per_s : 0;
        write_fact(out, &fact);
    }
}

/* One row for each number that is known. */
static void write_counted(const struct rp_model *model,
                          const struct rp_counted_point *counted, struct rp_text *out)
{
    const struct rp_point *const point = &model->points[counted->point];

    for (int i = RP_BOUNDARY_NONE + 1; i < RP_BOUNDARY_COUNT; i++) {
        const enum rp_boundary boundary = (enum rp_boundary)i;
        const struct rp_counted_traffic *const traffic = &counted->traffic[i];
        const double own = boundary == counted->boundary ? 1 : NAN;
        const struct {
            const char *quantity;
            double value;
            const char *unit;
        } rows[] = {
            {"read_bytes_per_item", traffic->read_bytes, "bytes"},
            {"written_bytes_per_item", traffic->written_bytes, "bytes"},
            {"bytes_per_item", traffic->total_bytes, "bytes"},
            {"times_payload", own * counted->times_payload, ""},
            {"times_expected", own * counted->times_expected, ""},
            {"reads_times_expected", own * counted->reads_times_expected, ""},
        };

        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const struct fact fact = {
                .kind = "counted",
                .name = point->kernel,
                .variant = variant_of(point),
                .mode = rp_mode_name(point->mode),
                .level = rp_model_boundary_name(model, boundary),
                .working_set_bytes = point->working_set_bytes,
                .quantity = rows[k].quantity,
                .estimate.value = rows[k].value,
                .unit = rows[k].unit,
                .zero_is_a_value = true,
                .verdict = rp_verdict_name(RP_VERDICT_COUNTED),
            };
            if (!isnan(rows[k].value)) {
                write_fact(out, &fact);
            }
        }
    }
}

/* Two rows a kernel: its speed over that of the fastest peer, and its share of what the
 * AES unit allows. */
static void write_peer_table(const struct rp_model *model,
                             const struct rp_peer_table *table, struct rp_text *out)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct rp_point *const point = table->points[i];
        const double cycles = point->cycles_per_item.value;
        struct fact fact = {
            .kind = "comparison",
            .name = point->kernel,
            .variant = variant_of(point),
            .mode = rp_mode_name(point->mode),
            .level = level_name(model, point->level),
            .working_set_bytes = point->working_set_bytes,
            .threads = 1,
            .quantity = "times_fastest_peer",
            .estimate.value =
                point->items_per_s.value / table->fastest_peer->items_per_s.value,
            .verdict = rp_verdict_name(point->verdict),
        };
        write_fact(out, &fact);
        fact.quantity = "share_of_aes_ceiling";
        fact.estimate.value = cycles > 0 ? table->ceiling_cycles_per_byte / cycles : 0;
        if (fact.estimate.value > 0) {
            write_fact(out, &fact);
        }
    }
}

/* Three rows a cluster: what the cores got, how far apart they were, and how often. */
static void write_cluster(const struct rp_model *model, const struct rp_scaling *scaling,
                          const struct rp_scaling_cluster *cluster, struct rp_text *out)
{
    const struct rp_record *const record = rp_model_record(model, scaling->record_id);
    struct fact fact = {
        .kind = "scaling",
        .name = scaling->mix,
        .variant = scaling->kernel,
        .mode = rp_mode_name(record->mode),
        .level = level_name(model, scaling->level),
        .working_set_bytes = scaling->working_set_bytes,
        .threads = scaling->threads,
        .quantity = "bandwidth",
        .estimate = cluster->bytes_per_s,
        .unit = "bytes/s",
        .verdict = rp_verdict_name(scaling->verdict),
        .record = record,
    };
    write_fact(out, &fact);
    fact.record = NULL;
    fact.quantity = "pingpong";
    fact.estimate = (struct rp_estimate){.value = cluster->pingpong_ns};
    fact.unit = "ns";
    if (cluster->pingpong_ns > 0) { /* one core has no way to go */
        write_fact(out, &fact);
    }
    fact.quantity = "share";
    fact.estimate = (struct rp_estimate){.value = cluster->share};
    fact.unit = "";
    write_fact(out, &fact);
}

static void write_scaling(const struct rp_model *model, const struct rp_scaling *scaling,
                          struct rp_text *out)
{
    for (unsigned i = 0; i < scaling->cluster_count; i++) {
        write_cluster(model, scaling, &scaling->clusters[i], out);
    }
}

static void write_absence(const struct rp_model *model, const struct rp_absence *absence,
                          struct rp_text *out)
{
    const bool counters = strncmp(absence->name, "counters/", strlen("counters/")) == 0;
    const struct fact fact = {
        .kind = counters ? "counted" : "point",
        .name = absence->name,
        .verdict = rp_verdict_name(RP_VERDICT_UNAVAILABLE),
    };
    if (rp_model_unit(model, absence->name) ==
        NULL) { /* units have told theirs already */
        write_fact(out, &fact);
    }
}

bool rp_report_csv(const struct rp_model *model, struct rp_text *out,
                   struct rp_error *error)
{
    rp_text_print(out, "%s", header);
    for (size_t i = 0; i < model->roof_count; i++) {
        write_roof(model, &model->roofs[i], out);
    }
    for (size_t i = 0; i < model->unit_count; i++) {
        write_unit(model, &model->units[i], out);
    }
    for (size_t i = 0; i < model->point_count; i++) {
        write_point(model, &model->points[i], out);
    }
    for (size_t i = 0; i < model->counted_count; i++) {
        write_counted(model, &model->counted[i], out);
    }
    for (struct rp_peer_table table = {0}; rp_next_peer_table(model, &table);) {
        write_peer_table(model, &table, out);
    }
    for (size_t i = 0; i < model->scaling_count; i++) {
        write_scaling(model, &model->scaling[i], out);
    }
    for (size_t i = 0; i < model->absence_count; i++) {
        write_absence(model, &model->absences[i], out);
    }
    return !out->failed || rp_fail(error, RP_UNABLE, "not enough memory for the report");
}
