/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/place.h"
#include "core/stats.h"
#include "kernels/check.h"
#include "probes/job.h"
#include "probes/measure.h"
#include "probes/walk.h"
#include "probes/walk_check.h"

/* Short, so that most samples fall between two disturbances; long against the clock. */
#define SAMPLE_SECONDS 0.00025

#define CLOCK_SAMPLES       20
#define CLOCK_SAMPLE_CYCLES 1e6

/* Sees to the buffer of the jobs on one thread. It may take all the memory there is to
 * spend, and so may a team. */
static bool use_buffer(struct rp_bench *bench, struct rp_error *error)
{
    rp_team_close(&bench->team);
    if (bench->buffer_bytes == 0 || bench->buffer.data != NULL) {
        return true;
    }
    bench->data = RP_DATA_RANDOM;
    rp_buffer_fill(bench->pattern, sizeof bench->pattern, bench->seed);
    return rp_buffer_allocate(&bench->buffer, bench->buffer_bytes, bench->seed, error);
}

bool rp_bench_open(struct rp_bench *bench, const struct rp_machine *machine,
                   const struct rp_cycles *cycles, size_t largest_bytes, uint64_t seed,
                   struct rp_error *error)
{
    *bench = (struct rp_bench){.machine = machine, .cycles = cycles, .seed = seed};
    rp_bench_move(bench);
    rp_buffer_fill(bench->pattern, sizeof bench->pattern, seed);
    bench->buffer_bytes = largest_bytes > 0 ? rp_walk_memory_bytes(largest_bytes) : 0;
    return use_buffer(bench, error);
}

void rp_bench_move(struct rp_bench *bench)
{
    bench->company = (struct rp_company){0};
    rp_disturbance_watch(&bench->watch, "", bench->machine->measured_pu);
}

void rp_bench_close(struct rp_bench *bench)
{
    rp_buffer_free(&bench->buffer);
    rp_team_close(&bench->team);
}

static double sample_seconds(const struct rp_bench *bench)
{
    return fmax(SAMPLE_SECONDS, rp_regions_least_seconds(bench->regions));
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
    if (!rp_check_kernel(job->kernel, job->mode, bench->seed, &cases, error) ||
        !rp_walk_check(job->kernel, job->mode, bench->seed, error)) {
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
        .sample_seconds = sample_seconds(bench),
        .budget_seconds = job->budget_seconds,
        .cycles = bench->cycles,
        .watch = &bench->watch,
        .company = &bench->company,
        .regions = bench->regions,
    };
    uint64_t repetitions = 0;

    if (!rp_measure(measurable, &options, record, &repetitions, error)) {
        return false;
    }
    record->items_per_sample = items_per_repetition * (double)repetitions;
    return true;
}

/* Fills memory and pattern anew when they hold another kind of data. */
static void hold(struct rp_bench *bench, enum rp_data data)
{
    if (bench->data != data) {
        rp_buffer_fill_with(bench->pattern, sizeof bench->pattern, bench->seed, data);
        rp_buffer_fill_with(bench->buffer.data, bench->buffer.size_bytes, bench->seed,
                            data);
        bench->data = data;
    }
}

/* Where in memory a set lies matters to a cache that the core finds by physical address
 * and has for itself. A shared one spreads lines over slices by a hash of the address;
 * there a set that moves would only meet what its last places left to be written back. */
static bool depends_on_place(const struct rp_machine *machine, const struct rp_job *job)
{
    const unsigned caches = machine->level_count - 1;
    size_t own_bytes = caches > 0 ? machine->levels[0].size_bytes : 0;

    /* A third cache is shared, also where a machine of one core cannot show it. */
    if (caches > 1 && machine->levels[1].shared_by <= 1) {
        own_bytes = machine->levels[1].size_bytes;
    }
    return job->working_set_bytes / 2 <= own_bytes;
}

/* The same keys for every job. */
static void choose_context(struct rp_bench *bench, const struct rp_kernel *kernel)
{
    uint64_t random = bench->seed + 1;

    if (kernel->context != NULL) {
        kernel->context->choose(bench->context, &random, false);
    }
}

static bool run_kernel_with(struct rp_bench *bench, const struct rp_job *job, void *state,
                            struct rp_record *record, struct rp_error *error)
{
    const struct rp_walk_memory memory = {
        .data = bench->buffer.data,
        .data_bytes = bench->buffer_bytes,
        .pattern = bench->pattern,
        .result = bench->result,
        .context = bench->context,
        .state = state,
        .tag = bench->tag,
    };
    struct rp_walk walk =
        rp_walk_prepare(job->kernel, job->mode, job->working_set_bytes, &memory);
    struct rp_measurable measurable = {.run = rp_walk_run, .context = &walk};
    const struct rp_work work = rp_kernel_work(job->kernel, job->mode);

    hold(bench, job->data);
    if (job->kernel->element == RP_ELEMENT_DOUBLES) {
        rp_buffer_make_doubles(bench->buffer.data, walk.input.bytes);
    }
    describe_work(record, &work);
    /* One or two streams, and whole lines of each: what is touched, not what was asked
     * for. */
    record->working_set_bytes =
        job->working_set_bytes / walk.input.bytes * walk.input.bytes;
    record->page_bytes = bench->buffer.page_bytes;
    const double pass_seconds = rp_walk_warm_up(&walk, sample_seconds(bench));
    if (depends_on_place(bench->machine, job) &&
        job->kernel->element ==
            RP_ELEMENT_BYTES) { /* others are made at one place only */
        rp_walk_spread(&walk, &memory, job->working_set_bytes, pass_seconds);
        measurable.prepare = walk.places > 1 ? rp_walk_move : NULL;
    }
    record->places = walk.places;
    return measure(bench, job, &measurable, (double)walk.slice_bytes, record, error);
}

static bool run_kernel(struct rp_bench *bench, const struct rp_job *job,
                       struct rp_record *record, struct rp_error *error)
{
    void *state = NULL;

    if (!check_once(bench, job, error) || !use_buffer(bench, error)) {
        return false;
    }
    choose_context(bench, job->kernel);
    if (!rp_kernel_open(job->kernel, bench->context, &state, error)) {
        return false;
    }
    const bool ok = run_kernel_with(bench, job, state, record, error);
    return rp_kernel_close(job->kernel, state, error) && ok;
}

static bool run_team(struct rp_bench *bench, const struct rp_job *job,
                     struct rp_record *record, struct rp_error *error)
{
    const struct rp_work work = rp_kernel_work(job->kernel, job->mode);
    unsigned *const pus = calloc(job->threads, sizeof *pus);

    if (job->kernel->open != NULL) {
        free(pus);
        return rp_fail(error, RP_UNABLE, "%s: kernels of other libraries run on one core",
                       job->key);
    }
    if (pus == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory for the list of CPUs");
    }
    const struct rp_team_options options = {
        .topology = bench->topology,
        .pus = pus,
        .threads = job->threads,
        .kernel = job->kernel,
        .mode = job->mode,
        .context = bench->context,
        .working_set_bytes = job->working_set_bytes,
        .seed = bench->seed,
        .budget_seconds = job->budget_seconds,
        .regions = bench->regions,
    };
    bool ok = check_once(bench, job, error);

    if (ok && rp_machine_pus(bench->topology, job->core_kind, pus, job->threads) <
                  job->threads) {
        ok = rp_fail(error, RP_UNABLE,
                     "%s needs %u cores, which are no longer there; start it again",
                     job->key, job->threads);
    }
    choose_context(bench, job->kernel);
    describe_work(record, &work);
    rp_buffer_free(&bench->buffer);
    ok = ok && rp_team_measure(&bench->team, &options, record, error);
    free(pus);
    /* likwid-pin and likwid-perfctr move the thread that starts others. */
    return ok && rp_place_thread(bench->topology, bench->machine->measured_pu, error);
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

    const struct rp_work work = {
        .item = "instruction", .operations = {job->unit->mixed[0], job->unit->mixed[1]}};

    describe_work(record, &work);
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
    case RP_JOB_TEAM:
        return run_team(bench, job, record, error);
    case RP_JOB_UNAVAILABLE:
        record->verdict = RP_VERDICT_UNAVAILABLE;
        snprintf(record->why, sizeof record->why, "%s", job->why);
        break;
    }
    return true;
}

static void name_library(struct rp_record *record, const struct rp_kernel *kernel)
{
    if (kernel->version != NULL) {
        snprintf(record->library, sizeof record->library, "%s %s", kernel->library,
                 kernel->version());
    } else if (kernel->library != NULL) {
        snprintf(record->library, sizeof record->library, "%s", kernel->library);
    }
}

/* Whom the record is about: a kernel or an instruction class, measured or not. */
static void name_subject(struct rp_record *record, const struct rp_job *job)
{
    if (job->kernel != NULL) {
        snprintf(record->kernel, sizeof record->kernel, "%s", job->kernel->name);
        snprintf(record->family, sizeof record->family, "%s", job->kernel->family);
        snprintf(record->variant, sizeof record->variant, "%s",
                 rp_kernel_variant(job->kernel));
        name_library(record, job->kernel);
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
        .threads = job->threads > 0 ? job->threads : 1,
        .chains = job->chains,
    };
    snprintf(record->job, sizeof record->job, "%s", job->key);
    snprintf(record->probe, sizeof record->probe, "%s", job->probe);
    snprintf(record->level, sizeof record->level, "%s", job->level);
    snprintf(record->core_kind, sizeof record->core_kind, "%s",
             bench->machine->kinds[job->core_kind].name);
    if (job->data != RP_DATA_RANDOM) {
        snprintf(record->data, sizeof record->data, "%s", rp_data_name(job->data));
    }
    const bool ok = run_job(bench, job, record, error);
    name_subject(record, job);
    return ok;
}
