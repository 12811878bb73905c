/* SPDX-License-Identifier: MIT */
/*
 * The model: a run file turned into roofs, curves, units and bounded points.
 *
 * Needs nothing but the run, so it works anywhere and on anyone's file. Every number
 * carries the ids of the records it came from.
 *
 * Cache sizes are the stated ones where the measured curves confirm or cannot judge them,
 * and the measured ones where they contradict them. A bandwidth roof belongs to a traffic
 * mix and is the best variant's median at a working set strictly inside a level. Best is
 * the highest median, where a disturbed record counts with the low end of its interval: a
 * disturbance only slows, so it is at least that fast. A unit roof is a measured
 * instruction throughput. The bound of a point is the larger of bytes / bandwidth of its
 * own mix at its own working set and operations / throughput (Williams, Waterman and
 * Patterson, CACM 52(4), 2009, with measured curves in place of one DRAM number).
 *
 * Two instruction classes may share pipes. Whether they do, the measured mix of both
 * tells: see rp_model_unit_time in model_parts.h for the rule.
 */
#ifndef RP_ROOFLINE_MODEL_H
#define RP_ROOFLINE_MODEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cluster.h"
#include "core/error.h"
#include "core/record.h"
#include "core/stats.h"
#include "roofline/counted_traffic.h"

/* A value with its spread: median, quartiles, 95 % interval of the median. */
struct rp_estimate {
    double value;
    double lower_quartile;
    double upper_quartile;
    double low;
    double high;
};

/* Bandwidth of one mix in one level. All bandwidths are payload bytes (what the program
 * asked for); `bus_factor` turns them into what a write-allocating level moved. */
struct rp_bandwidth_roof {
    char mix[16];
    unsigned level; /* index into the machine's levels */
    struct rp_estimate bytes_per_s;
    double bus_factor; /* bus bytes per payload byte at this level: 1 in L1 */
    double hz;         /* core clock during the winning record */
    char variant[40];  /* the kernel that won */
    size_t working_set_bytes;
    uint64_t record_id;
};

/* Throughput at one number of independent chains. */
struct rp_unit_step {
    unsigned chains;
    struct rp_estimate cycles; /* per instruction */
    enum rp_verdict verdict;
    uint64_t record_id;
};

#define RP_MAX_CHAINS    16
#define RP_MIXED_CLASSES 2

/* One instruction class, e.g. "aesenc-512", or a mix of two, "aesenc+clmul-512", whose
 * cycles are those of an average instruction of it. */
struct rp_unit {
    char name[40];
    unsigned width_bits;
    struct {
        char class_name[24];
        double per_instruction;               /* its share of the instructions */
    } mixed[RP_MIXED_CLASSES];                /* empty names when it is one class */
    struct rp_unit_step steps[RP_MAX_CHAINS]; /* by ascending chains */
    unsigned step_count;
    double latency_cycles; /* one chain; 0 when not measured, and of a mix */
    struct rp_estimate throughput_cycles; /* reciprocal: of the best step */
    uint64_t throughput_record_id;
    unsigned knee_chains;  /* fewest chains within 2 % of the reciprocal throughput */
    double hz;             /* core clock during the winning record */
    char unavailable[160]; /* why there are no steps; "" when there are */
};

/* Bandwidth of one mix against working set: the best variant at each size, as for roofs.
 */
struct rp_curve_step {
    size_t working_set_bytes;
    struct rp_estimate bytes_per_s;
    enum rp_verdict verdict;
    char variant[40];
    uint64_t record_id;
};

struct rp_curve {
    char mix[16];
    struct rp_curve_step *steps; /* by ascending working set; owned */
    size_t step_count;
};

/* What the curves say of a stated cache size. */
enum rp_level_verdict {
    RP_LEVEL_UNSEEN,    /* no curve passes its end */
    RP_LEVEL_NO_STEP,   /* curves pass it and show none: as fast as the next level */
    RP_LEVEL_CONFIRMED, /* within 25 % */
    RP_LEVEL_DIFFERS,   /* by more than that; the model uses what was measured */
    RP_LEVEL_UNCLEAR,   /* one mix says so and another does not; the stated is used */
    RP_LEVEL_UNSTATED,  /* a step where no cache is stated: measured, unconfirmed */
};

/* "unseen", "no step", "confirmed", "differs", "unclear", "unstated". */
const char *rp_level_verdict_name(enum rp_level_verdict verdict);

/* A cache's stated size and the step of the curves where it ends, between two working
 * sets. What the model uses is the machine's size_bytes: `least_bytes` where the measured
 * one is believed. */
struct rp_level_check {
    char name[8];
    size_t stated_bytes; /* 0 when none is stated */
    size_t least_bytes;  /* both 0 when no step was seen */
    size_t most_bytes;
    char mix[16]; /* whose curve shows it */
    uint64_t record_ids[2];
    enum rp_level_verdict verdict;
};

/* A result that cannot be, or hardly: what, where, why probably, and what to do. */
struct rp_flag {
    uint64_t record_id; /* 0: it is about no single record */
    char where[112];
    char what[160];
    const char *cause; /* static storage, as is the next */
    const char *what_to_do;
};

/* What binds a point. */
enum rp_bound_kind {
    RP_BOUND_UNKNOWN,   /* the run holds no roof for this mix and no unit figure */
    RP_BOUND_BANDWIDTH, /* of a level */
    RP_BOUND_UNIT,      /* the throughput of an instruction, or of two together */
};

#define RP_UNIT_NAME 64

/* One kernel in one mode at one working set. */
struct rp_point {
    char kernel[40];
    char family[24];
    char variant[32];
    char library[32]; /* whose work it is when not ours: "OpenSSL 3.0.19" */
    enum rp_mode mode;
    size_t working_set_bytes;
    unsigned level;
    char mix[16];                   /* of its traffic; "other" has no bandwidth roof */
    struct rp_estimate items_per_s; /* payload: bytes encrypted per second for a cipher */
    struct rp_estimate cycles_per_item;
    double hz; /* core clock during the measurement */
    double payload_bytes_per_item;
    double bus_bytes_per_item;   /* at this point's level: write-allocates included */
    double unit_cycles_per_item; /* what the measured units alone allow; 0 when unknown */
    char unit[RP_UNIT_NAME];     /* what sets it: "aesenc-512", "aesenc-512 and clmul-512
                                  * together"; "" when unknown */
    double bound_items_per_s;    /* 0 when unknown */
    enum rp_bound_kind bound_kind;
    char bound[RP_UNIT_NAME]; /* the roof that binds: "copy L2", or `unit`; "" when
                               * unknown */
    double attained;          /* measured / bound; above 1 is a defect until explained */
    bool above_roof; /* by more than noise and what a nearer cache holds explain */
    enum rp_verdict verdict;
    uint64_t record_id;
};

/* What counters say of a point's traffic, held against what its program asks for. */
enum rp_traffic_finding {
    RP_TRAFFIC_UNKNOWN,        /* not enough was counted */
    RP_TRAFFIC_AS_ASKED,       /* and there is no write-allocate to expect */
    RP_TRAFFIC_WRITE_ALLOCATE, /* as asked, and the reads that stores cause */
    RP_TRAFFIC_AVOIDED,        /* none of those reads, though they are to be expected */
    RP_TRAFFIC_PARTLY_AVOIDED, /* some of them */
    RP_TRAFFIC_MORE,           /* than all of that */
    RP_TRAFFIC_LESS,           /* than asked */
};

/* "unknown", "as asked", "write-allocate", ...; and what it means, in a few words. */
const char *rp_traffic_finding_name(enum rp_traffic_finding finding);
const char *rp_traffic_finding_meaning(enum rp_traffic_finding finding);

/*
 * A point of which counters watched the job. The numbers from bytes_per_item on are those
 * of the boundary through which the point's level feeds it, NaN where they are not known:
 * both ways have to be, but for reads_times_expected. What non-temporal stores send past
 * the caches crosses no boundary before the memory, so there only reads are compared.
 */
struct rp_counted_point {
    size_t point; /* its index in the model */
    struct rp_counted_traffic traffic[RP_BOUNDARY_COUNT];
    enum rp_boundary boundary;   /* NONE for what is in L1: nothing crosses one */
    double bytes_per_item;       /* both ways */
    double items_per_byte;       /* measured intensity; NaN also when nothing moved */
    double times_payload;        /* counted / what the program asks for */
    double times_expected;       /* counted / with write-allocates */
    double reads_times_expected; /* the same of reads alone */
    enum rp_traffic_finding finding;
    char
        why[160]; /* why the finding is unknown, or what of its writes has no value; "" */
};

/* Counts nearer to each other than this, as a share of what is expected, are the same. */
#define RP_COUNTED_TOLERANCE 0.08

/*
 * Kernels of known intensity, held against the roofs that they must trace: the better the
 * roofs, the nearer they come, and none exceeds them. A point is judged when the run
 * holds both of its roofs, of its traffic mix in its level and of its unit; else it has
 * no bound.
 */
struct rp_validation {
    struct rp_point *points; /* in record order; owned */
    size_t point_count;
    size_t judged_count;
    size_t above_count;     /* of the judged: above their roof by more than noise */
    size_t disturbed_count; /* of the judged: with that verdict */
    double median_below;    /* of the judged: 1 - attained */
};

/* Samples of one measurement taken while the cores were at the same distance. */
struct rp_scaling_cluster {
    double pingpong_ns;             /* a line's way from the first core to the farthest;
                                     * 0 for one core */
    struct rp_estimate bytes_per_s; /* payload, of all cores together */
    size_t samples;
    double share; /* of all samples that were kept */
};

/* A mix on several cores at once. There is no figure over its clusters: one that mixes
 * them never occurred. */
struct rp_scaling {
    char mix[16];
    unsigned level; /* index into the machine's levels */
    unsigned threads;
    size_t working_set_bytes; /* of all threads */
    char kernel[40];
    enum rp_verdict verdict;
    struct rp_scaling_cluster clusters[RP_MAX_CLUSTERS]; /* nearest first */
    unsigned cluster_count;
    size_t lone_samples; /* far from all others, in no cluster */
    uint64_t record_id;
};

/* Something the sweep asked for that this machine cannot do. */
struct rp_absence {
    char name[96];
    char why[160];
};

struct rp_model {
    const struct rp_run *run; /* what the model is about; see rp_model_build */
    struct rp_run *view;      /* owned; NULL for a model that was not built from a run */
    double hz;                /* median core clock over the run */
    struct rp_summary hz_summary;
    struct rp_level_check levels[RP_MAX_LEVELS]; /* of the caches, as in the machine */
    unsigned level_count;
    struct rp_bandwidth_roof *roofs; /* by mix, then level */
    size_t roof_count;
    struct rp_unit *units; /* in record order */
    size_t unit_count;
    struct rp_curve *curves;
    size_t curve_count;
    struct rp_point *points; /* by kernel, mode, working set */
    size_t point_count;
    struct rp_counted_point *counted; /* of the points that were, in their order */
    size_t counted_count;
    struct rp_validation validation;
    struct rp_scaling *scaling; /* by level, mix, threads */
    size_t scaling_count;
    unsigned
        first_doubt; /* index of the first condition of the machine which says that */
    unsigned doubt_count; /* cores do not share a cache that they should; how many do */
    struct rp_absence *absences;
    size_t absence_count;
    size_t disturbed_count; /* records whose verdict is disturbed */
    size_t above_roof_count;
    size_t missing_job_count; /* of the run's, not measured: it is incomplete; 0 also when
                               * the run does not say how many there are */
    struct rp_flag *flags;    /* by check, then record */
    size_t flag_count;
};

/* A median further below the bounds than this says that kernels or roofs are not what
 * they are taken for: a core is shared, or a roof is of something else. */
#define RP_VALIDATION_MOST_BELOW 0.25

/* True when points were judged, none lies above and the median is near enough. */
bool rp_validation_passed(const struct rp_validation *validation);

/*
 * Builds the model of a run for one kind of core (0 where there is one kind only). The
 * model's `run` is a view of it: the records of that kind, and the machine as seen from
 * it, with the conditions that only the measurements show added; `run` itself must
 * outlive the model. Fails with RP_USAGE when the run holds no usable record of that
 * kind. Free with rp_model_free, also after a failure.
 */
bool rp_model_build(struct rp_model *model, const struct rp_run *run, unsigned core_kind,
                    struct rp_error *error);
void rp_model_free(struct rp_model *model);

/* The model as JSON (docs/reference/model-file.md), and written to a file. */
json_t *rp_model_to_json(const struct rp_model *model);
bool rp_model_write(const struct rp_model *model, const char *path,
                    struct rp_error *error);

/* Look-ups; NULL when the run holds no such thing. */
const struct rp_bandwidth_roof *rp_model_roof(const struct rp_model *model,
                                              const char *mix, unsigned level);
const struct rp_curve *rp_model_curve(const struct rp_model *model, const char *mix);
const struct rp_unit *rp_model_unit(const struct rp_model *model, const char *name);
/* The same mix in the same level on one core, if it has a figure. */
const struct rp_scaling *rp_model_one_core(const struct rp_model *model,
                                           const struct rp_scaling *scaling);
const struct rp_record *rp_model_record(const struct rp_model *model, uint64_t record_id);
/* What counters say of one of the model's points; NULL when they did not watch it. */
const struct rp_counted_point *rp_model_counted(const struct rp_model *model,
                                                const struct rp_point *point);
/* "L2", "L3", "DRAM"; "" for no boundary. */
const char *rp_model_boundary_name(const struct rp_model *model,
                                   enum rp_boundary boundary);
/* The first flag of a record. */
const struct rp_flag *rp_model_flag(const struct rp_model *model, uint64_t record_id);

/* True for a mix of two instruction classes. */
bool rp_unit_is_mix(const struct rp_unit *unit);
/* Cycles that one instruction of a measured mix's second class adds to the others of the
 * mix, which are of its first class; NAN when that one was not measured alone, when the
 * mix was not steady, and of what is no mix. */
double rp_model_added_cycles(const struct rp_model *model, const struct rp_unit *mix);

#endif
