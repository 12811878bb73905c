/* SPDX-License-Identifier: MIT */
/* What roofline-aes shows, chosen from the model: points, ceilings and roofs. */
#ifndef RP_PLOTS_ROOFLINE_SCENE_H
#define RP_PLOTS_ROOFLINE_SCENE_H

#include "plots/emit.h"

/* A variant's point on the figure, or several that would lie on each other. */
struct rp_spot {
    const struct rp_point *point;
    double x;                               /* bytes encrypted per byte moved */
    double y;                               /* GB/s */
    const struct rp_counted_point *counted; /* NULL when counters did not watch it */
    double counted_x; /* as counted; 0 when that is not known or far off the figure */
    char text[96];    /* the label; "" when another point's label names it too */
    bool mixed;       /* the label names points of several modes */
    unsigned others;  /* variants in the same place, that the label only counts */
};

/* A unit's ceiling, or several that coincide. */
struct rp_ceiling {
    double gb_per_s;
    char widths[40];
    const struct rp_unit *unit;
};

struct rp_roof_line {
    const struct rp_bandwidth_roof *roof;
    double bus_gb_per_s;
    enum rp_colour line;
    enum rp_colour text;
    enum rp_dash dash;
    double line_width;
    const char *suffix; /* of the level's name in the label */
    char label[64];
};

enum {
    RP_MAX_SPOTS = RP_MAX_LABELS,
    RP_MAX_CEILINGS = 4,
    RP_MAX_ROOFS = RP_MAX_LEVELS + 2
};

struct rp_scene {
    struct rp_spot spots[RP_MAX_SPOTS];
    size_t spot_count;
    struct rp_ceiling ceilings[RP_MAX_CEILINGS];
    size_t ceiling_count;
    struct rp_roof_line roofs[RP_MAX_ROOFS]; /* from the highest down */
    size_t roof_count;
};

/* Fills `scene`, which starts zeroed. */
void rp_scene_find(struct rp_scene *scene, const struct rp_model *model);

/* Lets points that would lie on each other in `frame` share a label: those of one variant
 * by naming their places, different variants by naming the fastest and counting the
 * others. */
void rp_scene_merge(struct rp_scene *scene, const struct rp_frame *frame);

/* True when a spot is also drawn where counters see it. */
bool rp_scene_is_counted(const struct rp_scene *scene);

/*
 * Marks every spot as counted, joined to the spot by a line, and adds the marks to the
 * boxes that labels keep off and the lines to those that they avoid (roofline_counted.c).
 */
void rp_scene_draw_counted(struct rp_drawing *drawing, const struct rp_scene *scene,
                           const struct rp_model *model, struct rp_obstacles *hard,
                           struct rp_obstacles *soft);

/* Appends " In DRAM counters see 2.98 bytes move for each byte encrypted, 1.49 times the
 * payload."; nothing when they do not tell. */
void rp_conclude_counted(struct rp_text *text, const struct rp_model *model,
                         const struct rp_point *point);

/* The highest ceiling in GB/s; 0 when no unit was measured. */
double rp_scene_highest_ceiling(const struct rp_scene *scene);

#endif
