/* SPDX-License-Identifier: MIT */
/*
 * The run: what was measured, on which machine, kept as JSON Lines.
 *
 * The first line of a run file is the header (format, machine, conditions, the sweep's
 * own text); every further line is one record, written and flushed to disk before the
 * next measurement starts. A line is whole or it is the torn last one, which a reader
 * ignores and a resumed run cuts off. Only raw samples are kept: rates, intensities and
 * cycles per byte are derived by whoever reads. docs/reference/run-file.md describes
 * every field.
 */
#ifndef RP_CORE_RECORD_H
#define RP_CORE_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/counted.h"
#include "core/cycles.h"
#include "core/error.h"
#include "core/machine.h"
#include "core/work.h"

#define RP_RUN_FORMAT 1

/* One timed repetition block. With a baseline (the same loop at half the unroll), the
 * figure is the difference of the two, in which loop overhead cancels. */
struct rp_sample {
    double ns;
    double cycles;
    double baseline_ns; /* 0 when there is no baseline */
    double baseline_cycles;
    double pingpong_ns; /* a line's way from one core to the other, around this sample; 0
                         * for one thread */
};

enum rp_verdict {
    RP_VERDICT_STEADY,      /* the 95 % interval of the median is within 1 % of it */
    RP_VERDICT_BUDGET,      /* the time was up before that */
    RP_VERDICT_DISTURBED,   /* too few samples survived, or too many had to be dropped */
    RP_VERDICT_UNAVAILABLE, /* not measured here; `why` says why */
    RP_VERDICT_COUNTED,     /* not timed: what counters said of another record's job */
};

const char *rp_verdict_name(enum rp_verdict verdict);

/* Samples that were thrown away, by reason. */
struct rp_dropped {
    unsigned clock;     /* the bracketing core clocks differ by more than 1 % */
    unsigned preempted; /* the thread was switched out */
    unsigned stolen;    /* the hypervisor took the CPU away */
    unsigned shared;    /* another hardware thread worked on the same core */
    unsigned throttled; /* the control group's quota stopped the thread */
    unsigned moved;     /* the way between the cores became another one */
};

struct rp_record {
    uint64_t id;      /* line of the run file, counting the header as 0 */
    char job[96];     /* what was asked for; unique within a run */
    char probe[16];   /* "clock", "units", "bandwidth", "scaling", "roofs", "sweep",
                       * "counters" */
    char kernel[40];  /* kernel name, or the instruction class of a units record */
    char family[24];  /* "stream", "aes128ctr"; "" where there is none */
    char variant[32]; /* the kernel name without its family */
    char
        library[32]; /* "OpenSSL 3.0.19": a peer, which that library computes; "": ours */
    enum rp_mode mode;
    char level[8]; /* the level a bandwidth probe aims at; "" elsewhere */
    size_t working_set_bytes;
    size_t page_bytes;
    unsigned places;    /* in the buffer, that the samples took in turn */
    char core_kind[16]; /* name of the kind of core; "" on a machine with one kind */
    char data[8];       /* what the buffers hold: "half", "zero"; "" for random bytes */
    unsigned threads;
    unsigned chains; /* units: independent chains in flight; 0 elsewhere */
    char item[16];
    struct rp_traffic traffic;
    struct {
        char class_name[24];
        double per_item;
    } operations[RP_MAX_OPERATIONS];
    double items_per_sample; /* items between baseline and sample, or in the sample */
    char cycle_source[24];
    enum rp_verdict verdict;
    struct rp_dropped dropped;
    char why[160];             /* why unavailable or disturbed; "" otherwise */
    struct rp_sample *samples; /* owned */
    size_t sample_count;
    struct rp_counted *counted; /* owned; NULL but for the verdict that says so */
};

/* How many samples a job took, kept or dropped: how often it was in its region. */
double rp_record_samples_taken(const struct rp_record *record);

/* Frees what the record owns and clears it. */
void rp_record_free(struct rp_record *record);

/* A record as one JSON object and back. The value is new; NULL when out of memory. */
json_t *rp_record_to_json(const struct rp_record *record);
bool rp_record_from_json(struct rp_record *record, const json_t *json,
                         struct rp_error *error);

struct rp_run {
    char version[16];  /* of the program that measured */
    char compiler[64]; /* that built it */
    char started_utc[24];
    char sweep_name[48];
    uint64_t job_count; /* that the sweep came to on this machine; 0 when not known.
                         * Records of counters are none of them */
    char *sweep_text;   /* the .sweep file in full: what --resume goes on with; owned */
    uint64_t seed;
    struct rp_machine machine;
    struct rp_cycle_trial cycle_trials[RP_CYCLE_SOURCES]; /* best source first */
    unsigned cycle_trial_count;
    struct rp_record *records; /* in file order; owned */
    size_t record_count;
    bool torn;       /* the last line was incomplete and has been left out */
    long valid_size; /* bytes up to the end of the last whole line */
};

/* Reads a run file. A malformed line fails with RP_USAGE and names file and line; an
 * absent or unreadable file with RP_USAGE too. Free with rp_run_free, also after a
 * failure. */
bool rp_run_read(struct rp_run *run, const char *path, struct rp_error *error);
/* The same from an open file, to its end; `name` is what messages call it. */
bool rp_run_read_stream(struct rp_run *run, FILE *file, const char *name,
                        struct rp_error *error);
void rp_run_free(struct rp_run *run);

/* Adds a copy-by-move of `record` to the run, which owns what it owned. */
bool rp_run_add(struct rp_run *run, struct rp_record *record, struct rp_error *error);

/* The record of a job, or NULL. */
const struct rp_record *rp_run_find(const struct rp_run *run, const char *job);
/* How many of its sweep's jobs the run holds records of. */
size_t rp_run_done_count(const struct rp_run *run);

/* A run file open for appending, locked against a second writer. */
struct rp_run_writer {
    FILE *file;
    char path[512];
    uint64_t next_id;
};

/* Creates `path`, which must not exist, and writes the header from `run`. */
bool rp_run_create(struct rp_run_writer *writer, const char *path,
                   const struct rp_run *run, struct rp_error *error);
/* Opens the file that `run` was read from to append after its last whole line. */
bool rp_run_reopen(struct rp_run_writer *writer, const char *path,
                   const struct rp_run *run, struct rp_error *error);
/* Gives the record its id, writes its line and waits until it is on disk. When that fails
 * (a full disk), the file is cut back to the last whole line and RP_UNABLE returned. */
bool rp_run_append(struct rp_run_writer *writer, struct rp_record *record,
                   struct rp_error *error);
void rp_run_close(struct rp_run_writer *writer);

#endif
