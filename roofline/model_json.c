/* SPDX-License-Identifier: MIT */
#include "roofline/model.h"

#include <math.h>

#include "core/file.h"

#define MODEL_FORMAT 1

static const char *const bound_names[] = {
    [RP_BOUND_UNKNOWN] = "unknown",
    [RP_BOUND_BANDWIDTH] = "bandwidth",
    [RP_BOUND_UNIT] = "unit",
};

/* Packing fails only when memory ran out, and a NULL handed to the next pack, or to an
 * append, makes that one fail too: rp_model_to_json sees it at the end. The numbers of a
 * model are finite, or this would fail too. */
static json_t *estimate_json(const struct rp_estimate *estimate)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "median", estimate->value,
                     "lower_quartile", estimate->lower_quartile, "upper_quartile",
                     estimate->upper_quartile, "low", estimate->low, "high",
                     estimate->high);
}

static const char *level_name(const struct rp_model *model, unsigned level)
{
    return model->run->machine.levels[level].name;
}

static json_t *roof_json(const struct rp_model *model, size_t index)
{
    const struct rp_bandwidth_roof *const roof = &model->roofs[index];

    return json_pack("{s:s, s:s, s:o, s:f, s:f, s:s, s:I, s:I}", "mix", roof->mix,
                     "level", level_name(model, roof->level), "payload_bytes_per_s",
                     estimate_json(&roof->bytes_per_s), "bus_factor", roof->bus_factor,
                     "core_hz", roof->hz, "kernel", roof->variant, "working_set_bytes",
                     (json_int_t)roof->working_set_bytes, "record",
                     (json_int_t)roof->record_id);
}

static json_t *unit_step_json(const struct rp_unit_step *step)
{
    return json_pack("{s:I, s:o, s:s, s:I}", "chains", (json_int_t)step->chains,
                     "cycles_per_instruction", estimate_json(&step->cycles), "verdict",
                     rp_verdict_name(step->verdict), "record",
                     (json_int_t)step->record_id);
}

/* The classes of a mix and their shares; empty for one class. */
static json_t *mixed_json(const struct rp_unit *unit)
{
    json_t *const mixed = json_object();

    for (size_t i = 0; i < RP_MIXED_CLASSES && rp_unit_is_mix(unit); i++) {
        json_object_set_new(mixed, unit->mixed[i].class_name,
                            json_real(unit->mixed[i].per_instruction));
    }
    return mixed;
}

static json_t *unit_json(const struct rp_model *model, size_t index)
{
    const struct rp_unit *const unit = &model->units[index];

    if (unit->step_count == 0) {
        return json_pack("{s:s, s:I, s:s}", "name", unit->name, "width_bits",
                         (json_int_t)unit->width_bits, "unavailable", unit->unavailable);
    }
    json_t *const steps = json_array();
    for (unsigned i = 0; i < unit->step_count; i++) {
        if (json_array_append_new(steps, unit_step_json(&unit->steps[i])) != 0) {
            json_decref(steps);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o, s:I, s:f, s:o, s:I, s:f, s:o}", "name", unit->name,
                     "mixed", mixed_json(unit), "width_bits",
                     (json_int_t)unit->width_bits, "latency_cycles", unit->latency_cycles,
                     "reciprocal_throughput_cycles",
                     estimate_json(&unit->throughput_cycles), "knee_chains",
                     (json_int_t)unit->knee_chains, "core_hz", unit->hz, "steps", steps);
}

static json_t *curve_step_json(const struct rp_curve_step *step)
{
    return json_pack("{s:I, s:o, s:s, s:s, s:I}", "working_set_bytes",
                     (json_int_t)step->working_set_bytes, "payload_bytes_per_s",
                     estimate_json(&step->bytes_per_s), "kernel", step->variant,
                     "verdict", rp_verdict_name(step->verdict), "record",
                     (json_int_t)step->record_id);
}

static json_t *curve_json(const struct rp_model *model, size_t index)
{
    const struct rp_curve *const curve = &model->curves[index];
    json_t *const steps = json_array();

    for (size_t i = 0; i < curve->step_count; i++) {
        if (json_array_append_new(steps, curve_step_json(&curve->steps[i])) != 0) {
            json_decref(steps);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o}", "mix", curve->mix, "steps", steps);
}

static json_t *bound_json(const struct rp_point *point)
{
    if (point->bound_kind == RP_BOUND_UNKNOWN) {
        return json_null();
    }
    return json_pack("{s:s, s:s, s:f}", "kind", bound_names[point->bound_kind], "name",
                     point->bound, "items_per_s", point->bound_items_per_s);
}

static json_t *number_or_null(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t *boundary_json(const struct rp_model *model, enum rp_boundary boundary,
                             const struct rp_counted_traffic *traffic)
{
    json_t *const records = json_array();

    for (unsigned i = 0; i < traffic->record_count; i++) {
        if (json_array_append_new(
                records, json_integer((json_int_t)traffic->record_ids[i])) != 0) {
            json_decref(records);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:o}", "level",
                     rp_model_boundary_name(model, boundary), "read_bytes_per_item",
                     number_or_null(traffic->read_bytes), "written_bytes_per_item",
                     number_or_null(traffic->written_bytes), "bytes_per_item",
                     number_or_null(traffic->total_bytes), "why", traffic->why, "records",
                     records);
}

/* The boundaries of which anything is known or was asked. */
static json_t *boundaries_json(const struct rp_model *model,
                               const struct rp_counted_point *counted)
{
    json_t *const array = json_array();

    for (int i = RP_BOUNDARY_NONE + 1; i < RP_BOUNDARY_COUNT; i++) {
        const struct rp_counted_traffic *const traffic = &counted->traffic[i];

        if ((traffic->record_count > 0 || traffic->why[0] != '\0') &&
            json_array_append_new(
                array, boundary_json(model, (enum rp_boundary)i, traffic)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *counted_json(const struct rp_model *model, const struct rp_point *point)
{
    const struct rp_counted_point *const counted = rp_model_counted(model, point);

    if (counted == NULL) {
        return json_null();
    }
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "boundaries",
                     boundaries_json(model, counted), "level",
                     rp_model_boundary_name(model, counted->boundary), "bytes_per_item",
                     number_or_null(counted->bytes_per_item), "items_per_byte",
                     number_or_null(counted->items_per_byte), "times_payload",
                     number_or_null(counted->times_payload), "times_expected",
                     number_or_null(counted->times_expected), "reads_times_expected",
                     number_or_null(counted->reads_times_expected), "finding",
                     rp_traffic_finding_name(counted->finding), "why", counted->why);
}

static json_t *point_json_of(const struct rp_model *model, const struct rp_point *point)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:o, s:o, s:f, s:f, s:f, s:f, s:s, "
        "s:o, s:f, s:b, s:o, s:s, s:I}",
        "kernel", point->kernel, "family", point->family, "variant", point->variant,
        "library", point->library, "mode", rp_mode_name(point->mode), "mix", point->mix,
        "working_set_bytes", (json_int_t)point->working_set_bytes, "level",
        level_name(model, point->level), "items_per_s",
        estimate_json(&point->items_per_s), "cycles_per_item",
        estimate_json(&point->cycles_per_item), "core_hz", point->hz,
        "payload_bytes_per_item", point->payload_bytes_per_item, "bus_bytes_per_item",
        point->bus_bytes_per_item, "unit_cycles_per_item", point->unit_cycles_per_item,
        "unit", point->unit, "bound", bound_json(point), "attained", point->attained,
        "above_roof", (int)point->above_roof, "counted", counted_json(model, point),
        "verdict", rp_verdict_name(point->verdict), "record",
        (json_int_t)point->record_id);
}

static json_t *point_json(const struct rp_model *model, size_t index)
{
    return point_json_of(model, &model->points[index]);
}

static json_t *validation_point_json(const struct rp_model *model, size_t index)
{
    return point_json_of(model, &model->validation.points[index]);
}

static json_t *level_check_json(const struct rp_model *model, size_t index)
{
    const struct rp_level_check *const check = &model->levels[index];

    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:[I, I]}", "name", check->name,
                     "verdict", rp_level_verdict_name(check->verdict), "stated_bytes",
                     (json_int_t)check->stated_bytes, "used_bytes",
                     (json_int_t)model->run->machine.levels[index].size_bytes,
                     "measured_least_bytes", (json_int_t)check->least_bytes,
                     "measured_most_bytes", (json_int_t)check->most_bytes, "mix",
                     check->mix, "records", (json_int_t)check->record_ids[0],
                     (json_int_t)check->record_ids[1]);
}

static json_t *flag_json(const struct rp_model *model, size_t index)
{
    const struct rp_flag *const flag = &model->flags[index];

    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "where", flag->where, "what",
                     flag->what, "cause", flag->cause, "what_to_do", flag->what_to_do,
                     "record", (json_int_t)flag->record_id);
}

static json_t *cluster_json(const struct rp_scaling_cluster *cluster)
{
    return json_pack("{s:f, s:o, s:I, s:f}", "pingpong_ns", cluster->pingpong_ns,
                     "payload_bytes_per_s", estimate_json(&cluster->bytes_per_s),
                     "samples", (json_int_t)cluster->samples, "share", cluster->share);
}

static json_t *scaling_json(const struct rp_model *model, size_t index)
{
    const struct rp_scaling *const scaling = &model->scaling[index];
    json_t *const clusters = json_array();

    for (unsigned i = 0; i < scaling->cluster_count; i++) {
        if (json_array_append_new(clusters, cluster_json(&scaling->clusters[i])) != 0) {
            json_decref(clusters);
            return NULL;
        }
    }
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:s, s:o, s:I, s:s, s:I}", "mix", scaling->mix, "level",
        level_name(model, scaling->level), "threads", (json_int_t)scaling->threads,
        "working_set_bytes", (json_int_t)scaling->working_set_bytes, "kernel",
        scaling->kernel, "clusters", clusters, "lone_samples",
        (json_int_t)scaling->lone_samples, "verdict", rp_verdict_name(scaling->verdict),
        "record", (json_int_t)scaling->record_id);
}

static json_t *absence_json(const struct rp_model *model, size_t index)
{
    return json_pack("{s:s, s:s}", "name", model->absences[index].name, "why",
                     model->absences[index].why);
}

typedef json_t *element_json(const struct rp_model *model, size_t index);

static bool add_array(json_t *root, const char *key, const struct rp_model *model,
                      size_t count, element_json *element)
{
    json_t *const array = json_array();

    if (json_object_set_new(root, key, array) != 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(array, element(model, i)) != 0) {
            return false;
        }
    }
    return true;
}

static bool add_validation(json_t *root, const struct rp_model *model)
{
    const struct rp_validation *const validation = &model->validation;
    json_t *const json = json_pack(
        "{s:b, s:i, s:i, s:i, s:f}", "passed", (int)rp_validation_passed(validation),
        "judged", (int)validation->judged_count, "above", (int)validation->above_count,
        "disturbed", (int)validation->disturbed_count, "median_below",
        validation->median_below);

    return json_object_set_new(root, "validation", json) == 0 &&
           add_array(json, "points", model, validation->point_count,
                     validation_point_json);
}

static json_t *clock_json(const struct rp_model *model)
{
    const struct rp_estimate hz = {
        .value = model->hz,
        .lower_quartile = model->hz_summary.lower_quartile,
        .upper_quartile = model->hz_summary.upper_quartile,
        .low = model->hz_summary.low,
        .high = model->hz_summary.high,
    };
    return estimate_json(&hz);
}

json_t *rp_model_to_json(const struct rp_model *model)
{
    const struct rp_run *const run = model->run;
    json_t *const root =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:i, s:i, s:I}", "format", MODEL_FORMAT,
                  "version", run->version, "run_started_utc", run->started_utc, "sweep",
                  run->sweep_name, "machine", rp_machine_to_json(&run->machine),
                  "core_hz", clock_json(model), "disturbed", (int)model->disturbed_count,
                  "above_roof", (int)model->above_roof_count, "missing_jobs",
                  (json_int_t)model->missing_job_count);

    if (root != NULL &&
        add_array(root, "levels", model, model->level_count, level_check_json) &&
        add_array(root, "roofs", model, model->roof_count, roof_json) &&
        add_array(root, "units", model, model->unit_count, unit_json) &&
        add_array(root, "curves", model, model->curve_count, curve_json) &&
        add_array(root, "points", model, model->point_count, point_json) &&
        add_validation(root, model) &&
        add_array(root, "scaling", model, model->scaling_count, scaling_json) &&
        add_array(root, "absences", model, model->absence_count, absence_json) &&
        add_array(root, "flags", model, model->flag_count, flag_json)) {
        return root;
    }
    json_decref(root);
    return NULL;
}

static int append_json(const char *data, size_t length, void *text)
{
    rp_text_append(text, data, length);
    return ((const struct rp_text *)text)->failed ? -1 : 0;
}

bool rp_model_write(const struct rp_model *model, const char *path,
                    struct rp_error *error)
{
    json_t *const root = rp_model_to_json(model);
    struct rp_text text = {0};

    if (root == NULL ||
        json_dump_callback(root, append_json, &text,
                           JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0) {
        text.failed = true;
    }
    json_decref(root);
    rp_text_append(&text, "\n", 1);
    const bool written = rp_file_write(path, &text, error);
    rp_text_free(&text);
    return written;
}
