/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/stats.h"
#include "kernels/check.h"
#include "probes/job.h"
#include "probes/measure.h"

/* Short, so that most samples fall between two disturbances; long against the clock. */
#define SAMPLE_SECONDS 0.00025

/* A pass that takes longer than a sample need is cut into slices, at least this long.
 * They follow one another round the stream, so that the reuse distance stays what the
 * working set says, while no sample lasts longer than it must. */
#define LEAST_SLICE_BYTES ((size_t)64 * 1024)

/* A load waits for an earlier store whose address has the same low 12 bits ("4K
 * aliasing"). So the destination starts nearly a page further on than the source: a store
 * meets the loads that follow it only when they have come all that way. */
#define PAGE_BYTES ((size_t)4096)
#define SKEW_BYTES (PAGE_BYTES - 128)

#define CLOCK_SAMPLES       20
#define CLOCK_SAMPLE_CYCLES 1e6

bool rp_bench_open(struct rp_bench *bench, const struct rp_machine *machine,
                   const struct rp_cycles *cycles, size_t largest_bytes, uint64_t seed,
                   struct rp_error *error)
{
    uint8_t key[RP_AES128_KEY_BYTES];
    uint8_t counter_block[RP_AES_BLOCK_BYTES];

    *bench = (struct rp_bench){.machine = machine, .cycles = cycles, .seed = seed};
    rp_bench_move(bench);
    rp_buffer_fill(bench->pattern, sizeof bench->pattern, seed);
    rp_buffer_fill(key, sizeof key, seed + 1);
    rp_buffer_fill(counter_block, sizeof counter_block, seed + 2);
    rp_aes128ctr_init(&bench->aes, key, counter_block);
    if (largest_bytes == 0) {
        return true;
    }
    return rp_buffer_allocate(&bench->buffer, largest_bytes + 2 * PAGE_BYTES, seed,
                              error);
}

void rp_bench_move(struct rp_bench *bench)
{
    bench->most_per_cycle = 0;
    rp_disturbance_watch(&bench->watch, "", bench->machine->measured_pu);
}

void rp_bench_close(struct rp_bench *bench)
{
    rp_buffer_free(&bench->buffer);
}

/* A kernel on its way round its streams. */
struct walk {
    rp_kernel_function *run;
    struct rp_kernel_input input; /* of a whole pass */
    bool moves_source;            /* false: a block that is not part of the working set */
    bool moves_destination;
    size_t slice_bytes; /* what one repetition does; input.bytes for whole passes */
    size_t cursor;
};

static void run_slice(struct walk *walk)
{
    size_t left = walk->slice_bytes;

    while (left > 0) {
        struct rp_kernel_input part = walk->input;

        part.bytes -= walk->cursor;
        if (part.bytes > left) {
            part.bytes = left;
        }
        part.source += walk->moves_source ? walk->cursor : 0;
        part.destination += walk->moves_destination ? walk->cursor : 0;
        walk->run(&part, 1);
        walk->cursor = (walk->cursor + part.bytes) % walk->input.bytes;
        left -= part.bytes;
    }
}

static void run_walk(void *context, uint64_t repetitions)
{
    struct walk *const walk = context;

    if (walk->slice_bytes == walk->input.bytes) {
        walk->run(&walk->input, repetitions);
        return;
    }
    while (repetitions-- > 0) {
        run_slice(walk);
    }
}

static struct walk prepare_walk(struct rp_bench *bench, const struct rp_job *job)
{
    const struct rp_kernel *const kernel = job->kernel;
    const size_t bytes =
        rp_kernel_stream_bytes(kernel, job->mode, job->working_set_bytes);
    struct walk walk = {
        .run = kernel->run[job->mode],
        .input = {.bytes = bytes, .context = &bench->aes},
        .moves_source = (kernel->streams & RP_STREAM_SOURCE) != 0,
        .moves_destination = (kernel->streams & RP_STREAM_DESTINATION) != 0,
        .slice_bytes = bytes,
    };

    walk.input.source = walk.moves_source ? bench->buffer.data : bench->pattern;
    walk.input.destination = walk.moves_destination ? bench->buffer.data : bench->result;
    if (walk.moves_source && walk.moves_destination && job->mode != RP_MODE_INPLACE) {
        const size_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;

        walk.input.destination += pages * PAGE_BYTES + SKEW_BYTES;
    }
    return walk;
}

static double pass_seconds(struct walk *walk)
{
    const uint64_t start = rp_clock_ns();

    run_walk(walk, 1);
    return (double)(rp_clock_ns() - start) / 1e9;
}

/* Makes a pass, which leaves the caches as this working set leaves them, and chooses the
 * slice by how long it took. A short one is made again: the first may have been
 * interrupted, or had data to bring into the cache. */
static void warm_up(struct walk *walk)
{
    double seconds = pass_seconds(walk);

    if (seconds < 100 * SAMPLE_SECONDS) {
        seconds = fmin(seconds, pass_seconds(walk));
    }
    const double share = SAMPLE_SECONDS / seconds;
    if (share < 0.5) {
        const size_t bytes = (size_t)((double)walk->input.bytes * share);
        const size_t least = bytes > LEAST_SLICE_BYTES ? bytes : LEAST_SLICE_BYTES;
        const size_t whole_pages = (least + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

        walk->slice_bytes =
            whole_pages < walk->input.bytes ? whole_pages : walk->input.bytes;
    }
}

static void describe_work(struct rp_record *record, const struct rp_work *work)
{
    snprintf(record->item, sizeof record->item, "%s", work->item);
    record->traffic = work->traffic;
    for (int i = 0; i < RP_MAX_OPERATIONS && work->operations[i].class_name != NULL;
         i++) {
        snprintf(record->operations[i].class_name,
                 sizeof record->operations[i].class_name, "%s",
                 work->operations[i].class_name);
        record->operations[i].per_item = work->operations[i].per_item;
    }
}

static bool check_once(struct rp_bench *bench, const struct rp_job *job,
                       struct rp_error *error)
{
    size_t cases = 0;

    for (size_t i = 0; i < bench->checked_count; i++) {
        if (bench->checked[i].kernel == job->kernel &&
            bench->checked[i].mode == job->mode) {
            return true;
        }
    }
    if (!rp_check_kernel(job->kernel, job->mode, bench->seed, &cases, error)) {
        return false;
    }
    if (bench->checked_count < RP_BENCH_CHECKED) {
        bench->checked[bench->checked_count].kernel = job->kernel;
        bench->checked[bench->checked_count++].mode = job->mode;
    }
    return true;
}

static bool measure(struct rp_bench *bench, const struct rp_job *job,
                    const struct rp_measurable *measurable, double items_per_repetition,
                    struct rp_record *record, struct rp_error *error)
{
    const struct rp_measure_options options = {
        .sample_seconds = SAMPLE_SECONDS,
        .budget_seconds = job->budget_seconds,
        .cycles = bench->cycles,
        .watch = &bench->watch,
        .most_per_cycle = &bench->most_per_cycle,
    };
    uint64_t repetitions = 0;

    if (!rp_measure(measurable, &options, record, &repetitions, error)) {
        return false;
    }
    record->items_per_sample = items_per_repetition * (double)repetitions;
    return true;
}

static bool run_kernel(struct rp_bench *bench, const struct rp_job *job,
                       struct rp_record *record, struct rp_error *error)
{
    struct walk walk = prepare_walk(bench, job);
    const struct rp_measurable measurable = {.run = run_walk, .context = &walk};
    const struct rp_work work = rp_kernel_work(job->kernel, job->mode);

    if (!check_once(bench, job, error)) {
        return false;
    }
    if (job->kernel->data == RP_DATA_DOUBLES) {
        rp_buffer_make_doubles(bench->buffer.data, walk.input.bytes);
    }
    describe_work(record, &work);
    /* One or two streams, and whole lines of each: what is touched, not what was asked
     * for. */
    record->working_set_bytes =
        job->working_set_bytes / walk.input.bytes * walk.input.bytes;
    record->page_bytes = bench->buffer.page_bytes;
    warm_up(&walk);
    return measure(bench, job, &measurable, (double)walk.slice_bytes, record, error);
}

struct unit_pair {
    rp_unit_loop *single;
    rp_unit_loop *twice;
};

static void run_twice(void *context, uint64_t repetitions)
{
    ((const struct unit_pair *)context)->twice(repetitions);
}

static void run_single(void *context, uint64_t repetitions)
{
    ((const struct unit_pair *)context)->single(repetitions);
}

static bool run_unit(struct rp_bench *bench, const struct rp_job *job,
                     struct rp_record *record, struct rp_error *error)
{
    struct unit_pair pair = {
        .single = job->unit->loops[job->chains - 1][0],
        .twice = job->unit->loops[job->chains - 1][1],
    };
    const struct rp_measurable measurable = {
        .run = run_twice, .baseline = run_single, .context = &pair};

    snprintf(record->item, sizeof record->item, "instruction");
    return measure(bench, job, &measurable, RP_UNIT_UNROLL * job->chains, record, error);
}

/* The clock is its own source: a sample is one reading of the chain's rate, kept like all
 * samples as cycles and the time they take, of which only the ratio says something. */
static bool run_clock(const struct rp_job *job, struct rp_record *record,
                      struct rp_error *error)
{
    const double cycles = CLOCK_SAMPLE_CYCLES;
    double hz[CLOCK_SAMPLES];

    record->samples = calloc(CLOCK_SAMPLES, sizeof *record->samples);
    if (record->samples == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory for the samples of %s", job->key);
    }
    for (int i = 0; i < CLOCK_SAMPLES; i++) {
        const double now = rp_clock_chain_hz();

        if (now > 0) {
            hz[record->sample_count] = now;
            record->samples[record->sample_count++] =
                (struct rp_sample){.ns = cycles / now * 1e9, .cycles = cycles};
        }
    }
    const struct rp_summary summary = rp_summarize(hz, record->sample_count);
    snprintf(record->item, sizeof record->item, "addition");
    snprintf(record->cycle_source, sizeof record->cycle_source, "%s",
             RP_CYCLE_SOURCE_CHAIN);
    record->items_per_sample = cycles;
    if (record->sample_count < CLOCK_SAMPLES / 2) {
        record->verdict = RP_VERDICT_DISTURBED;
        snprintf(record->why, sizeof record->why,
                 "%zu of %d readings of the clock are usable", record->sample_count,
                 CLOCK_SAMPLES);
    } else {
        record->verdict = summary.high - summary.low <= 0.02 * summary.median
                              ? RP_VERDICT_STEADY
                              : RP_VERDICT_BUDGET;
    }
    return true;
}

static bool run_job(struct rp_bench *bench, const struct rp_job *job,
                    struct rp_record *record, struct rp_error *error)
{
    switch (job->kind) {
    case RP_JOB_CLOCK:
        return run_clock(job, record, error);
    case RP_JOB_UNIT:
        return run_unit(bench, job, record, error);
    case RP_JOB_KERNEL:
        return run_kernel(bench, job, record, error);
    case RP_JOB_UNAVAILABLE:
        record->verdict = RP_VERDICT_UNAVAILABLE;
        snprintf(record->why, sizeof record->why, "%s", job->why);
        break;
    }
    return true;
}

/* Whom the record is about: a kernel or an instruction class, measured or not. */
static void name_subject(struct rp_record *record, const struct rp_job *job)
{
    if (job->kernel != NULL) {
        snprintf(record->kernel, sizeof record->kernel, "%s", job->kernel->name);
        snprintf(record->family, sizeof record->family, "%s", job->kernel->family);
        snprintf(record->variant, sizeof record->variant, "%s",
                 rp_kernel_variant(job->kernel));
    } else if (job->unit != NULL) {
        snprintf(record->kernel, sizeof record->kernel, "%s", job->unit->name);
    }
}

bool rp_job_run(struct rp_bench *bench, const struct rp_job *job,
                struct rp_record *record, struct rp_error *error)
{
    *record = (struct rp_record){
        .mode = job->mode,
        .working_set_bytes = job->working_set_bytes,
        .threads = 1,
        .chains = job->chains,
    };
    snprintf(record->job, sizeof record->job, "%s", job->key);
    snprintf(record->probe, sizeof record->probe, "%s", job->probe);
    snprintf(record->level, sizeof record->level, "%s", job->level);
    snprintf(record->core_kind, sizeof record->core_kind, "%s",
             bench->machine->kinds[job->core_kind].name);
    const bool ok = run_job(bench, job, record, error);
    name_subject(record, job);
    return ok;
}
