/* SPDX-License-Identifier: MIT */
/* The points of roofline-aes where counters see them. */
#include <math.h>

#include "plots/aes.h"
#include "plots/roofline_scene.h"

/* Half the size of a mark, in pixels. */
static const double reach = 6;

/* "vaes512-x8 temporal, 256 MiB in DRAM: counted 2.98 bytes moved for each byte
 * encrypted, 1.49 x the payload, records 57, 58" */
static void emit_title(struct rp_text *commands, const struct rp_model *model,
                       const struct rp_spot *spot)
{
    const struct rp_point *const point = spot->point;
    const struct rp_counted_point *const counted = spot->counted;
    const struct rp_counted_traffic *const traffic = &counted->traffic[counted->boundary];
    struct rp_text title = {0};
    char number[24];
    char size[RP_SIZE_TEXT];

    rp_text_print(&title,
                  "%s %s, %s in %s: counted %s bytes moved for each byte encrypted",
                  point->variant, rp_mode_name(point->mode),
                  rp_size_text(point->working_set_bytes, size),
                  model->run->machine.levels[point->level].name,
                  rp_number_text(counted->bytes_per_item, number));
    rp_text_print(&title, ", %s x the payload, %s",
                  rp_number_text(counted->times_payload, number),
                  traffic->record_count == 1 ? "record" : "records");
    for (unsigned i = 0; i < traffic->record_count; i++) {
        rp_text_print(&title, "%s %zu", i > 0 ? "," : "", (size_t)traffic->record_ids[i]);
    }
    rp_emit_string(commands, title.data != NULL ? title.data : "", false);
    commands->failed = commands->failed || title.failed;
    rp_text_free(&title);
}

static void join(struct rp_drawing *drawing, const struct rp_spot *spot,
                 struct rp_obstacles *hard, struct rp_obstacles *soft)
{
    const struct rp_frame *const frame = &drawing->frame;
    const double analytical = rp_axis_pixel(&frame->x, spot->x);
    const double counted = rp_axis_pixel(&frame->x, spot->counted_x);
    const double y = rp_axis_pixel(&frame->y, spot->y);

    rp_emit_line(drawing, analytical, y, counted, y,
                 rp_mode_look(spot->point->mode)->line, RP_SOLID, false);
    rp_obstacles_add_line(soft, analytical, y, counted, y);
    rp_obstacles_add_line(hard, counted - reach, y, counted + reach, y);
}

/* A row of data and a name for each mark; returns how many. */
static size_t emit_marks(struct rp_text *commands, const struct rp_scene *scene,
                         const struct rp_model *model)
{
    struct rp_text titles = {0};
    size_t count = 0;

    rp_text_print(commands, "$counted << EOD\n");
    for (size_t i = 0; i < scene->spot_count; i++) {
        const struct rp_spot *const spot = &scene->spots[i];

        if (spot->counted_x > 0) {
            rp_text_print(commands, "%.6g %.6g %u\n", spot->counted_x, spot->y,
                          rp_colour_value(rp_mode_look(spot->point->mode)->line));
            rp_text_print(&titles, "COUNT[%zu]=", ++count);
            emit_title(&titles, model, spot);
            rp_text_print(&titles, "\n");
        }
    }
    rp_text_print(commands, "EOD\narray COUNT[%zu]\n", count);
    rp_text_append(commands, titles.data, titles.length);
    commands->failed = commands->failed || titles.failed;
    rp_text_free(&titles);
    return count;
}

void rp_scene_draw_counted(struct rp_drawing *drawing, const struct rp_scene *scene,
                           const struct rp_model *model, struct rp_obstacles *hard,
                           struct rp_obstacles *soft)
{
    size_t count = 0;

    if (rp_scene_is_counted(scene)) {
        count = emit_marks(&drawing->commands, scene, model);
    }
    for (size_t i = 0; i < scene->spot_count; i++) {
        if (scene->spots[i].counted_x > 0) {
            join(drawing, &scene->spots[i], hard, soft);
        }
    }
    rp_text_print(&drawing->commands, "COUNTED=%zu\n", count);
}

void rp_conclude_counted(struct rp_text *text, const struct rp_model *model,
                         const struct rp_point *point)
{
    const struct rp_counted_point *const counted = rp_model_counted(model, point);
    char number[24];

    if (counted != NULL && counted->items_per_byte > 0) {
        rp_text_print(text, " In %s counters see %s bytes move for each byte encrypted, ",
                      model->run->machine.levels[point->level].name,
                      rp_number_text(counted->bytes_per_item, number));
        rp_text_print(text, "%s times the payload.",
                      rp_number_text(counted->times_payload, number));
    }
}
