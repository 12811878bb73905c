/* SPDX-License-Identifier: MIT */
#include "tests/roofline/model_fixture.h"

#include <string.h>

struct rp_run run;
struct rp_model model;
struct rp_text text;

void build(void)
{
    struct rp_error error;

    if (!rp_model_build(&model, &run, 0, &error)) {
        fail_msg("%s", error.message);
    }
}

const struct rp_point *point_of(const char *kernel, enum rp_mode mode, size_t bytes)
{
    for (size_t i = 0; i < model.point_count; i++) {
        const struct rp_point *const point = &model.points[i];
        if (strcmp(point->kernel, kernel) == 0 && point->mode == mode &&
            point->working_set_bytes == bytes) {
            return point;
        }
    }
    fail_msg("no point %s at %zu bytes", kernel, bytes);
    return NULL;
}

int end(void **state)
{
    (void)state;
    rp_text_free(&text);
    text = (struct rp_text){0};
    rp_model_free(&model);
    synthetic_end(&run);
    return 0;
}
