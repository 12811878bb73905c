/* SPDX-License-Identifier: MIT */
#include "synthetic_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

void synthetic_start(struct rp_run *run)
{
    static const struct rp_level levels[] = {
        {.name = "L1", .size_bytes = 32 << 10, .line_bytes = 64, .shared_by = 1},
        {.name = "L2", .size_bytes = 1 << 20, .line_bytes = 64, .shared_by = 1},
        {.name = "L3", .size_bytes = 16 << 20, .line_bytes = 64, .shared_by = 4},
        {.name = "DRAM"},
    };
    *run = (struct rp_run){
        .version = "0.1.0",
        .compiler = "gcc 12.2.0",
        .started_utc = "2026-01-02T03:04:05Z",
        .sweep_name = "default",
        .seed = 7,
        .machine =
            {
                .name = "made-up",
                .processor = "Made <Up> \"Core\" | a_b & Co",
                .kernel = "6.1.0",
                .cpu = {.vendor = "MadeUpByHand", .level = "avx512"},
                .level_count = COUNT(levels),
                .core_count = 4,
                .pu_count = 4,
                .numa_count = 1,
                .memory_bytes = (size_t)8 << 30,
            },
    };
    memcpy(run->machine.levels, levels, sizeof levels);
}

void synthetic_end(struct rp_run *run)
{
    rp_run_free(run);
}

void synthetic_drop_l3(struct rp_run *run)
{
    run->machine.levels[2] = run->machine.levels[3];
    run->machine.level_count = 3;
}

/* Gives a record its place in the run. */
static struct rp_record *append(struct rp_run *run, struct rp_record record)
{
    struct rp_error error;

    record.id = run->record_count + 1;
    snprintf(record.job, sizeof record.job, "%s-%zu", record.probe, run->record_count);
    if (!rp_run_add(run, &record, &error)) {
        abort();
    }
    return &run->records[run->record_count - 1];
}

/* Adds a record of which each sample takes `ns` beyond its baseline. */
static struct rp_record *add(struct rp_run *run, struct rp_record record, double ns,
                             double baseline_ns)
{
    record.threads = 1;
    snprintf(record.cycle_source, sizeof record.cycle_source, "calibrated-chain");
    if (record.verdict != RP_VERDICT_UNAVAILABLE) {
        record.sample_count = SYNTHETIC_SAMPLES;
        record.samples = calloc(SYNTHETIC_SAMPLES, sizeof *record.samples);
        if (record.samples == NULL) {
            abort();
        }
    }
    for (size_t i = 0; i < record.sample_count; i++) {
        record.samples[i] = (struct rp_sample){
            .ns = baseline_ns + ns,
            .cycles = (baseline_ns + ns) * SYNTHETIC_HZ / 1e9,
            .baseline_ns = baseline_ns,
            .baseline_cycles = baseline_ns * SYNTHETIC_HZ / 1e9,
        };
    }
    return append(run, record);
}

struct rp_record *synthetic_clock(struct rp_run *run)
{
    return add(run, (struct rp_record){.probe = "clock"}, 1000, 0);
}

struct rp_record *synthetic_unit(struct rp_run *run, const char *class_name,
                                 unsigned chains, double cycles)
{
    struct rp_record record = {
        .probe = "units",
        .chains = chains,
        .item = "instruction",
        .items_per_sample = 1000,
    };
    snprintf(record.kernel, sizeof record.kernel, "%s", class_name);
    return add(run, record, 1000 * cycles / (SYNTHETIC_HZ / 1e9), 500);
}

static void set_operation(struct rp_record *record, size_t index, const char *class_name,
                          unsigned width_bits, double per_item)
{
    snprintf(record->operations[index].class_name,
             sizeof record->operations[index].class_name, "%s-%u", class_name,
             width_bits);
    record->operations[index].per_item = per_item;
}

struct rp_record *synthetic_mix(struct rp_run *run, unsigned width_bits, double cycles)
{
    char name[24];

    snprintf(name, sizeof name, "aesenc+clmul-%u", width_bits);
    struct rp_record *const record = synthetic_unit(run, name, 15, cycles);
    set_operation(record, 0, "aesenc", width_bits, 0.8);
    set_operation(record, 1, "clmul", width_bits, 0.2);
    return record;
}

struct rp_record *synthetic_unavailable(struct rp_run *run, const char *probe,
                                        const char *kernel, const char *why)
{
    struct rp_record record = {.verdict = RP_VERDICT_UNAVAILABLE};

    snprintf(record.probe, sizeof record.probe, "%s", probe);
    snprintf(record.kernel, sizeof record.kernel, "%s", kernel);
    snprintf(record.why, sizeof record.why, "%s", why);
    return add(run, record, 0, 0);
}

/* What one item of each stream kernel moves: the first row whose prefix fits. */
static const struct {
    const char *prefix;
    struct rp_traffic traffic;
    enum rp_mode mode;
} streams[] = {
    {"load-", {.load = 1}, RP_MODE_NONE},
    {"store-nt-", {.store_nt = 1}, RP_MODE_NT},
    {"store-", {.store = 1}, RP_MODE_TEMPORAL},
    {"copy-nt-", {.load = 1, .store_nt = 1}, RP_MODE_NT},
    {"copy-", {.load = 1, .store = 1}, RP_MODE_TEMPORAL},
    {"update-", {.load = 1, .store = 1, .rmw = 1}, RP_MODE_INPLACE},
};

struct rp_record *synthetic_stream(struct rp_run *run, const char *kernel,
                                   const char *level, size_t working_set_bytes,
                                   double payload_bytes_per_s)
{
    struct rp_record record = {
        .family = "stream",
        .item = "byte",
        .working_set_bytes = working_set_bytes,
        .items_per_sample = 1e6,
    };
    snprintf(record.probe, sizeof record.probe, "%s", level[0] ? "bandwidth" : "sweep");
    snprintf(record.kernel, sizeof record.kernel, "%s", kernel);
    snprintf(record.level, sizeof record.level, "%s", level);
    for (size_t i = 0; i < COUNT(streams); i++) {
        if (strncmp(kernel, streams[i].prefix, strlen(streams[i].prefix)) == 0) {
            record.traffic = streams[i].traffic;
            record.mode = streams[i].mode;
            break;
        }
    }
    const double payload_bytes =
        record.items_per_sample * rp_payload_bytes(&record.traffic);
    return add(run, record, payload_bytes / payload_bytes_per_s * 1e9, 0);
}

struct rp_record *synthetic_scaling(struct rp_run *run, const char *kernel,
                                    const char *level, unsigned threads,
                                    double payload_bytes_per_s, double pingpong_ns)
{
    struct rp_record *const record =
        synthetic_stream(run, kernel, level, 256 << 20, payload_bytes_per_s);

    snprintf(record->probe, sizeof record->probe, "scaling");
    record->threads = threads;
    for (size_t i = 0; i < record->sample_count; i++) {
        record->samples[i].pingpong_ns = pingpong_ns;
    }
    return record;
}

struct rp_record *synthetic_cipher(struct rp_run *run, const char *variant,
                                   unsigned width_bits, enum rp_mode mode,
                                   size_t working_set_bytes, double bytes_per_s)
{
    static const struct rp_traffic traffic[RP_MODE_COUNT] = {
        [RP_MODE_TEMPORAL] = {.load = 1, .store = 1},
        [RP_MODE_NT] = {.load = 1, .store_nt = 1},
        [RP_MODE_INPLACE] = {.load = 1, .store = 1, .rmw = 1},
    };
    struct rp_record record = {
        .probe = "sweep",
        .family = "aes128ctr",
        .mode = mode,
        .item = "byte",
        .working_set_bytes = working_set_bytes,
        .traffic = traffic[mode],
        .items_per_sample = 1e6,
    };
    snprintf(record.kernel, sizeof record.kernel, "aes128ctr-%s", variant);
    snprintf(record.variant, sizeof record.variant, "%s", variant);
    if (width_bits > 0) {
        snprintf(record.operations[0].class_name, sizeof record.operations[0].class_name,
                 "aesenc-%u", width_bits);
        record.operations[0].per_item = 10 * 8.0 / width_bits;
    }
    return add(run, record, record.items_per_sample / bytes_per_s * 1e9, 0);
}

struct rp_record *synthetic_gcm(struct rp_run *run, unsigned width_bits, double rounds,
                                double products, double bytes_per_s)
{
    struct rp_record *const record = synthetic_cipher(
        run, "seal", width_bits, RP_MODE_TEMPORAL, 256 << 10, bytes_per_s);

    set_operation(record, 0, "aesenc", width_bits, rounds / (width_bits / 8.0));
    set_operation(record, 1, "clmul", width_bits, products / (width_bits / 8.0));
    return record;
}

struct rp_record *synthetic_intensity(struct rp_run *run, const char *class_name,
                                      unsigned operations_per_line,
                                      size_t working_set_bytes, double bytes_per_s)
{
    struct rp_record record = {
        .probe = "roofs",
        .family = "intensity",
        .item = "byte",
        .working_set_bytes = working_set_bytes,
        .traffic = {.load = 1},
        .items_per_sample = 1e6,
    };
    snprintf(record.kernel, sizeof record.kernel, "intensity-%s-x%u", class_name,
             operations_per_line);
    snprintf(record.operations[0].class_name, sizeof record.operations[0].class_name,
             "%s", class_name);
    record.operations[0].per_item = operations_per_line / 64.0;
    return add(run, record, record.items_per_sample / bytes_per_s * 1e9, 0);
}

struct rp_record *synthetic_counted(struct rp_run *run, size_t index, const char *group,
                                    const struct synthetic_count *counts)
{
    static const double items = 1 << 24;
    struct rp_record record = run->records[index];
    struct rp_counted *const counted = calloc(1, sizeof *counted);
    size_t count = 0;

    while (counts[count].event != NULL) {
        count++;
    }
    if (counted == NULL ||
        (counted->counts = calloc(count, sizeof *counted->counts)) == NULL) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        struct rp_count *const one = &counted->counts[i];

        snprintf(one->event, sizeof one->event, "%s", counts[i].event);
        snprintf(one->counter, sizeof one->counter, "%s", counts[i].counter);
        one->value = counts[i].per_item * items;
    }
    counted->count = count;
    counted->calls = 16;
    counted->items = items;
    snprintf(counted->region, sizeof counted->region, "%s",
             rp_counted_region(run->records[index].job));
    snprintf(counted->group, sizeof counted->group, "%s", group);
    snprintf(counted->source, sizeof counted->source, "made up");
    record.samples = NULL;
    record.sample_count = 0;
    snprintf(record.probe, sizeof record.probe, "counters");
    record.verdict = RP_VERDICT_COUNTED;
    record.counted = counted;
    return append(run, record);
}

void synthetic_stretch(struct rp_record *record, double factor)
{
    for (size_t i = 0; i < record->sample_count; i++) {
        record->samples[i].ns *= factor;
        record->samples[i].cycles *= factor;
    }
}

/* Payload bandwidths in GB/s by level. */
static const struct {
    const char *kernel;
    double gb_per_s[4];
} bandwidths[] = {
    {"load-avx2", {190, 100, 40, 20}},   {"store-avx2", {100, 50, 20, 8}},
    {"store-nt-avx2", {10, 10, 10, 16}}, {"copy-avx2", {160, 80, 32, 10}},
    {"copy-nt-avx2", {12, 12, 12, 16}},  {"update-avx2", {160, 90, 40, 18}},
};

void synthetic_full(struct rp_run *run)
{
    static const size_t sizes[] = {16 << 10, 256 << 10, 4 << 20, 256 << 20};
    static const char *const levels[] = {"L1", "L2", "L3", "DRAM"};

    synthetic_start(run);
    synthetic_clock(run);
    for (unsigned chains = 1; chains <= 8; chains *= 2) {
        synthetic_unit(run, "aesenc-128", chains, chains < 8 ? 4.0 / chains : 0.5);
        synthetic_unit(run, "aesenc-512", chains, chains < 4 ? 4.0 / chains : 1);
    }
    for (size_t i = 0; i < COUNT(bandwidths); i++) {
        for (size_t level = 0; level < COUNT(levels); level++) {
            const double bytes_per_s = bandwidths[i].gb_per_s[level] * 1e9;
            synthetic_stream(run, bandwidths[i].kernel, levels[level], sizes[level],
                             bytes_per_s);
            synthetic_stream(run, bandwidths[i].kernel, "", sizes[level], bytes_per_s);
        }
    }
    synthetic_cipher(run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 << 10, 5.12e9);
    synthetic_cipher(run, "vaes512-x8", 512, RP_MODE_TEMPORAL, 256 << 10, 12.16e9);
    synthetic_cipher(run, "vaes512-x8", 512, RP_MODE_TEMPORAL, 256 << 20, 4e9);
    synthetic_cipher(run, "vaes512-x8", 512, RP_MODE_NT, 256 << 20, 6e9);
    synthetic_cipher(run, "vaes512-x8", 512, RP_MODE_INPLACE, 256 << 20, 7e9);
    synthetic_unavailable(run, "sweep", "aes128ctr-vaes256-x8", "this CPU has no VAES");
}
