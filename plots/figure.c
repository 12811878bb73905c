/* SPDX-License-Identifier: MIT */
#include "plots/figure.h"

#include <string.h>

#include "core/file.h"
#include "plots/compose.h"
#include "plots/dress.h"
#include "plots/gnuplot.h"
#include "plots/scripts.h"

static const struct rp_figure figures[] = {
    {"roofline-aes", "AES-CTR variants under bandwidth roofs and AES-unit ceilings",
     rp_roofline_aes_gp, rp_compose_roofline_aes},
    {"bandwidth", "bandwidth of each traffic mix against working set", rp_bandwidth_gp,
     rp_compose_bandwidth},
    {"aes-unit", "cycles per AES instruction against independent chains", rp_aes_unit_gp,
     rp_compose_aes_unit},
    {"aes-sweep", "cycles per byte of each AES-CTR variant against working set",
     rp_aes_sweep_gp, rp_compose_aes_sweep},
};

static const size_t figure_count = sizeof figures / sizeof *figures;

const struct rp_figure *rp_figure_at(size_t index)
{
    return index < figure_count ? &figures[index] : NULL;
}

const struct rp_figure *rp_figure_find(const char *kind)
{
    for (size_t i = 0; i < figure_count; i++) {
        if (strcmp(figures[i].kind, kind) == 0) {
            return &figures[i];
        }
    }
    return NULL;
}

/* The variables that style.gp and the figures' scripts take for granted. */
static void emit_variables(struct rp_text *script, const struct rp_drawing *drawing)
{
#define COLOUR_VARIABLE(name, light, dark)                                               \
    rp_text_print(script, "%s='#%06x'\n", #name, (unsigned)(light));
    RP_PALETTE(COLOUR_VARIABLE)
#undef COLOUR_VARIABLE
    rp_text_print(script, "PAGE_WIDTH=%.0f; PAGE_HEIGHT=%.0f\n", drawing->frame.width,
                  drawing->frame.height);
    rp_text_print(script, "KIND='"); /* becomes ids, in which gnuplot allows no dash */
    for (const char *c = drawing->kind; *c != '\0'; c++) {
        rp_text_print(script, "%c", *c == '-' ? '_' : *c);
    }
    rp_text_print(script, "'\n");
}

static bool draw(struct rp_text *dressed, const struct rp_figure *figure,
                 const struct rp_drawing *drawing, struct rp_error *error)
{
    struct rp_text script = {0};
    struct rp_text svg = {0};

    emit_variables(&script, drawing);
    rp_text_print(&script, "%s", rp_style_gp);
    rp_text_append(&script, drawing->commands.data, drawing->commands.length);
    rp_text_print(&script, "%s", figure->script);
    bool ok = !script.failed && !drawing->commands.failed && !drawing->conclusion.failed;

    if (!ok) {
        rp_fail(error, RP_UNABLE, "out of memory while drawing %s", figure->kind);
    }
    ok = ok && rp_gnuplot(&svg, &script, figure->kind, error);
    if (ok && (svg.data == NULL || !rp_dress(dressed, svg.data, figure->kind,
                                             drawing->title, drawing->conclusion.data))) {
        ok = rp_fail(
            error, RP_UNABLE,
            "gnuplot drew no %s that this version understands; use gnuplot 5.4 or 6",
            figure->kind);
    }
    if (ok && dressed->failed) {
        ok = rp_fail(error, RP_UNABLE, "out of memory while drawing %s", figure->kind);
    }
    rp_text_free(&script);
    rp_text_free(&svg);
    return ok;
}

bool rp_figure_draw(const struct rp_figure *figure, const struct rp_model *model,
                    const char *path, struct rp_error *error)
{
    struct rp_drawing drawing = {.kind = figure->kind};
    struct rp_text dressed = {0};
    const bool ok = figure->compose(&drawing, model, error) &&
                    draw(&dressed, figure, &drawing, error) &&
                    rp_file_write(path, &dressed, error);

    rp_drawing_free(&drawing);
    rp_text_free(&dressed);
    return ok;
}
