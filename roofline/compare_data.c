/* SPDX-License-Identifier: MIT */
#include "roofline/compare_report.h"

#include "roofline/environment.h"
#include "roofline/report_document.h"

/* ---- CSV ---- */

static void csv_ratio(struct rp_text *out, const struct rp_ratio *ratio)
{
    if (ratio->ratio > 0) {
        rp_text_print(out, "%.6g,%.6g,%.6g,", ratio->ratio, ratio->low, ratio->high);
    } else {
        rp_text_print(out, ",,,");
    }
}

void rp_comparison_csv(const struct rp_comparison *comparison, struct rp_text *out)
{
    rp_text_print(out, "job,kernel,mode,region,working_set_bytes,chains,threads,"
                       "speed,speed_low,speed_high,cycles,cycles_low,cycles_high,"
                       "verdict_a,verdict_b,judged,difference\n");
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct rp_compared_point *const point = &comparison->points[i];
        const struct rp_record *const record = point->a;

        rp_escape_csv(out, record->job);
        rp_text_print(out, ",");
        rp_escape_csv(out, record->kernel);
        rp_text_print(out, ",%s,%s,%zu,%u,%u,", rp_mode_name(record->mode),
                      rp_region_name(point->region), record->working_set_bytes,
                      record->chains, record->threads);
        csv_ratio(out, &point->speed);
        csv_ratio(out, &point->cycles);
        rp_text_print(out, "%s,%s,%s,%s\n", rp_verdict_name(record->verdict),
                      rp_verdict_name(point->b->verdict), point->exposed ? "no" : "yes",
                      rp_difference_name(point->difference));
    }
}

/* ---- JSON ---- */

/* As in the model: a NULL handed to the next pack, or to an append, makes that one fail
 * too. */
static json_t *ratio_json(const struct rp_ratio *ratio)
{
    return json_pack("{s:f, s:f, s:f}", "ratio", ratio->ratio, "low", ratio->low, "high",
                     ratio->high);
}

static json_t *agreement_json(const char *region, const struct rp_agreement *agreement)
{
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:f}", "region", region, "points",
                     (json_int_t)agreement->point_count, "within_2_percent",
                     (json_int_t)agreement->within_count, "beyond_threshold",
                     (json_int_t)agreement->differing_count, "disturbed",
                     (json_int_t)agreement->disturbed_count, "speed", agreement->speed,
                     "cycles", agreement->cycles);
}

static json_t *series_json(const struct rp_compared_series *series)
{
    const struct rp_record *const record = series->record;

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:o, s:b, s:b}", "kernel",
                     record->kernel, "mode", rp_mode_name(record->mode), "region",
                     rp_region_name(series->region), "core_kind", record->core_kind,
                     "data", record->data, "threads", (json_int_t)record->threads,
                     "points", (json_int_t)series->point_count, "speed",
                     ratio_json(&series->speed), "cycles", ratio_json(&series->cycles),
                     "changed", (int)series->changed, "clock_only",
                     (int)series->clock_only);
}

static json_t *point_json(const struct rp_compared_point *point)
{
    return json_pack("{s:s, s:I, s:I, s:s, s:o, s:o, s:s, s:s, s:b, s:s}", "job",
                     point->a->job, "record_a", (json_int_t)point->a->id, "record_b",
                     (json_int_t)point->b->id, "region", rp_region_name(point->region),
                     "speed", ratio_json(&point->speed), "cycles",
                     ratio_json(&point->cycles), "verdict_a",
                     rp_verdict_name(point->a->verdict), "verdict_b",
                     rp_verdict_name(point->b->verdict), "judged", (int)!point->exposed,
                     "difference", rp_difference_name(point->difference));
}

static json_t *environment_json(const struct rp_comparison *comparison)
{
    struct rp_environment_row rows[RP_MOST_ENVIRONMENT_ROWS];
    const size_t count = rp_environment_compare(comparison->a, comparison->b, rows);
    json_t *const list = json_array();

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "what", rows[i].what,
                                              "a", rows[i].a, "b", rows[i].b));
    }
    if (json_array_size(list) != count) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *agreements_json(const struct rp_comparison *comparison)
{
    json_t *const list = json_array();
    bool ok = true;

    for (int i = 0; ok && i < RP_REGION_COUNT; i++) {
        ok = json_array_append_new(list, agreement_json(rp_region_name((enum rp_region)i),
                                                        &comparison->regions[i])) == 0;
    }
    ok = ok &&
         json_array_append_new(
             list, agreement_json("own caches", &comparison->own_caches)) == 0 &&
         json_array_append_new(list, agreement_json("all caches", &comparison->caches)) ==
             0;
    if (!ok) {
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *rp_comparison_to_json(const struct rp_comparison *comparison)
{
    json_t *const series = json_array();
    json_t *const points = json_array();
    bool ok = true;

    for (size_t i = 0; ok && i < comparison->series_count; i++) {
        ok = json_array_append_new(series, series_json(&comparison->series[i])) == 0;
    }
    for (size_t i = 0; ok && i < comparison->point_count; i++) {
        ok = json_array_append_new(points, point_json(&comparison->points[i])) == 0;
    }
    if (!ok) {
        json_decref(series);
        json_decref(points);
        return NULL;
    }
    return json_pack("{s:i, s:f, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}",
                     "ridgepoint_comparison", 1, "threshold", comparison->threshold,
                     "virtual_machine", (int)comparison->virtual_machine, "only_in_a",
                     (json_int_t)comparison->only_a_count, "only_in_b",
                     (json_int_t)comparison->only_b_count, "slower_series",
                     (json_int_t)comparison->slower_count, "faster_series",
                     (json_int_t)comparison->faster_count, "unjudged_exposed",
                     (json_int_t)comparison->exposed_count, "unjudged_sparse",
                     (json_int_t)comparison->sparse_count, "environment",
                     environment_json(comparison), "agreement",
                     agreements_json(comparison), "series", series, "points", points);
}
