/* SPDX-License-Identifier: MIT */
/* The roofs themselves put to the test, by kernels that must trace them. */
#include "roofline/model_parts.h"

#include <stdlib.h>

/* One roof of two is no bound for a kernel whose other one may be the lower. */
static void forget_bound(struct rp_point *point)
{
    point->bound_kind = RP_BOUND_UNKNOWN;
    point->bound_items_per_s = 0;
    point->bound[0] = '\0';
    point->attained = 0;
    point->above_roof = false;
}

static bool add_point(struct rp_model_builder *builder, const struct rp_record *record)
{
    struct rp_model *const model = builder->model;
    struct rp_validation *const validation = &model->validation;
    struct rp_point point;

    if (!rp_model_make_point(builder, record, &point)) {
        return true;
    }
    if (!(point.unit_cycles_per_item > 0) ||
        rp_model_roof(model, point.mix, point.level) == NULL) {
        forget_bound(&point);
    }
    struct rp_point *const grown = rp_grow(validation->points, validation->point_count,
                                           sizeof *grown, builder->error);
    if (grown == NULL) {
        return false;
    }
    validation->points = grown;
    grown[validation->point_count++] = point;
    return true;
}

static bool judge(struct rp_validation *validation, struct rp_error *error)
{
    double *const below = calloc(validation->point_count + 1, sizeof *below);

    if (below == NULL) {
        return rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
    }
    for (size_t i = 0; i < validation->point_count; i++) {
        const struct rp_point *const point = &validation->points[i];

        if (point->bound_kind != RP_BOUND_UNKNOWN) {
            below[validation->judged_count++] = 1 - point->attained;
            validation->above_count += point->above_roof;
            validation->disturbed_count += point->verdict == RP_VERDICT_DISTURBED;
        }
    }
    validation->median_below = rp_summarize(below, validation->judged_count).median;
    free(below);
    return true;
}

bool rp_model_add_validation(struct rp_model_builder *builder)
{
    for (size_t i = 0; i < builder->run->record_count; i++) {
        const struct rp_record *const record = &builder->run->records[i];

        if (rp_record_measured(record, "roofs") && !add_point(builder, record)) {
            return false;
        }
    }
    return judge(&builder->model->validation, builder->error);
}

bool rp_validation_passed(const struct rp_validation *validation)
{
    return validation->judged_count > 0 && validation->above_count == 0 &&
           validation->median_below <= RP_VALIDATION_MOST_BELOW;
}
