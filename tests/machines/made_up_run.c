/* SPDX-License-Identifier: MIT */
#include "tests/machines/made_up_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "kernels/kernel.h"
#include "sweeps/sweep.h"

#define SAMPLES 7

static const char sweep_text[] = "[sweep]\n"
                                 "probes = clock units bandwidth\n"
                                 "[bandwidth]\n"
                                 "kernels = load-* store-* copy-* update-*\n"
                                 "from = 16 KiB\n"
                                 "to = 256 MiB\n"
                                 "per_octave = 1\n"
                                 "[aes]\n"
                                 "kernels = aes128ctr-*\n"
                                 "modes = temporal nt inplace\n"
                                 "from = 16 KiB\n"
                                 "to = 256 MiB\n"
                                 "per_octave = 1\n";

/* The slower kinds have the lower clock, and with it everything. */
static double clock_hz(const struct rp_machine *machine)
{
    return 4e9 - 0.7e9 * machine->kind;
}

/* How many caches a working set is too large for. A machine that shows none has some all
 * the same. */
static unsigned caches_exceeded(const struct rp_machine *machine, size_t bytes)
{
    static const size_t hidden[] = {32 * RP_KIB, RP_MIB, 16 * RP_MIB};
    unsigned level = 0;

    if (machine->level_count > 1) {
        return rp_machine_level_of(machine, bytes);
    }
    while (level < sizeof hidden / sizeof *hidden && bytes > hidden[level]) {
        level++;
    }
    return level;
}

/* What a level gives to each mix; non-temporal stores go to memory from anywhere. */
static double payload_bytes_per_s(const struct rp_machine *machine,
                                  const struct rp_job *job)
{
    static const double bytes_per_cycle[] = {64, 32, 12, 6};
    const unsigned caches = machine->level_count > 1 ? machine->level_count - 1 : 3;
    const unsigned level = caches_exceeded(machine, job->working_set_bytes);
    const double hz = clock_hz(machine);

    if (job->mode == RP_MODE_NT) {
        return 4 * hz;
    }
    return hz * (level < caches ? bytes_per_cycle[level] : 3);
}

/* Cycles from one instruction to the next of so many independent chains. */
static double instruction_cycles(const char *class_name, unsigned chains)
{
    const double throughput = strstr(class_name, "-512") != NULL ? 1 : 0.5;

    return fmax(3.0 / chains, throughput);
}

/* Slightly slower than the roofs that bind it. */
static double kernel_items_per_s(const struct rp_machine *machine,
                                 const struct rp_job *job, const struct rp_work *work)
{
    const bool stream = strcmp(job->kernel->family, "stream") == 0;
    const double width = strstr(job->kernel->name, "512") != NULL    ? 1
                         : strstr(job->kernel->name, "sse2") != NULL ? 0.4
                                                                     : 0.8;
    double cycles = 0;

    for (size_t i = 0; i < RP_MAX_OPERATIONS && work->operations[i].class_name != NULL;
         i++) {
        cycles += work->operations[i].per_item *
                  instruction_cycles(work->operations[i].class_name, 16);
    }
    cycles = cycles == 0 && !stream ? 8 : cycles;
    const double by_memory =
        payload_bytes_per_s(machine, job) / rp_payload_bytes(&work->traffic);
    const double bound =
        cycles > 0 ? fmin(by_memory, clock_hz(machine) / cycles) : by_memory;
    return bound * (stream ? 1 : 0.95) * width;
}

static void fill_operations(struct rp_record *record,
                            const struct rp_operation *operations, size_t count)
{
    for (size_t i = 0; i < count && operations[i].class_name != NULL; i++) {
        snprintf(record->operations[i].class_name,
                 sizeof record->operations[i].class_name, "%s", operations[i].class_name);
        record->operations[i].per_item = operations[i].per_item;
    }
}

static void fill_kernel(struct rp_record *record, const struct rp_job *job)
{
    const struct rp_work work = rp_kernel_work(job->kernel, job->mode);

    snprintf(record->kernel, sizeof record->kernel, "%s", job->kernel->name);
    snprintf(record->family, sizeof record->family, "%s", job->kernel->family);
    snprintf(record->variant, sizeof record->variant, "%s",
             rp_kernel_variant(job->kernel));
    snprintf(record->item, sizeof record->item, "%s", work.item);
    record->traffic = work.traffic;
    fill_operations(record, work.operations, RP_MAX_OPERATIONS);
}

/* Items a second of a job. */
static double items_per_s(const struct rp_machine *machine, const struct rp_job *job)
{
    switch (job->kind) {
    case RP_JOB_UNIT:
        return clock_hz(machine) / instruction_cycles(job->unit->name, job->chains);
    case RP_JOB_KERNEL: {
        const struct rp_work work = rp_kernel_work(job->kernel, job->mode);

        return kernel_items_per_s(machine, job, &work);
    }
    default:
        return clock_hz(machine);
    }
}

static bool add_record(struct rp_run *run, const struct rp_machine *machine,
                       const struct rp_job *job, struct rp_error *error)
{
    struct rp_record record = {
        .id = run->record_count + 1,
        .mode = job->mode,
        .working_set_bytes = job->working_set_bytes,
        .page_bytes = 2 << 20,
        .threads = 1,
        .chains = job->chains,
        .item = "instruction",
        .items_per_sample = 1e6,
        .cycle_source = "calibrated-chain",
    };

    snprintf(record.job, sizeof record.job, "%s", job->key);
    snprintf(record.probe, sizeof record.probe, "%s", job->probe);
    snprintf(record.level, sizeof record.level, "%s", job->level);
    snprintf(record.core_kind, sizeof record.core_kind, "%s",
             machine->kinds[machine->kind].name);
    if (job->kernel != NULL) {
        fill_kernel(&record, job);
    } else if (job->unit != NULL) {
        snprintf(record.kernel, sizeof record.kernel, "%s", job->unit->name);
        fill_operations(&record, job->unit->mixed, RP_UNIT_MOST_MIXED);
    }
    if (job->kind == RP_JOB_UNAVAILABLE) {
        record.verdict = RP_VERDICT_UNAVAILABLE;
        snprintf(record.why, sizeof record.why, "%s", job->why);
        return rp_run_add(run, &record, error);
    }
    record.samples = calloc(SAMPLES, sizeof *record.samples);
    if (record.samples == NULL) {
        return rp_fail(error, RP_UNABLE, "no memory");
    }
    record.sample_count = SAMPLES;
    const double seconds = record.items_per_sample / items_per_s(machine, job);
    for (size_t i = 0; i < SAMPLES; i++) {
        const double noisy = seconds * (1 + 0.001 * (double)i);

        record.samples[i] =
            (struct rp_sample){.ns = noisy * 1e9, .cycles = noisy * clock_hz(machine)};
    }
    return rp_run_add(run, &record, error);
}

bool made_up_run(struct rp_run *run, const struct rp_machine *machine,
                 struct rp_error *error)
{
    struct rp_machine seen = *machine;
    struct rp_job_list jobs = {0};
    struct rp_sweep sweep;
    size_t left_out = 0;
    bool done = rp_sweep_parse(&sweep, "small", sweep_text, "small.sweep", error);

    *run = (struct rp_run){
        .version = "0.1.0",
        .compiler = "gcc 12.2.0",
        .started_utc = "2026-01-02T03:04:05Z",
        .sweep_name = "small",
        .machine = *machine,
    };
    run->machine.tsc_hz = 2e9;
    done = done && rp_sweep_expand(&sweep, machine, &jobs, &left_out, error);
    for (size_t i = 0; done && i < jobs.count; i++) {
        rp_machine_look_from(&seen, jobs.jobs[i].core_kind);
        done = add_record(run, &seen, &jobs.jobs[i], error);
    }
    rp_job_list_free(&jobs);
    return done;
}
