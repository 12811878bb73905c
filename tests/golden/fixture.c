/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

#define HZ 3.0e9

const struct fixture_options fixture_variations[] = {
    {.name = "full"},
    {.name = "no-l3", .no_l3 = true},
    {.name = "l1-and-memory", .no_l2 = true, .no_l3 = true},
    {.name = "only-load", .only_load = true},
    {.name = "no-bandwidth", .no_bandwidth = true},
    {.name = "no-units", .no_units = true},
    {.name = "points-only", .no_bandwidth = true, .no_units = true},
    {.name = "no-vaes512", .no_vaes512 = true},
    {.name = "no-latency", .no_latency = true},
    {.name = "nt-cut", .nt_cut = true},
    {.name = "no-aes-unit", .no_vaes = true},
    {.name = "one-variant", .one_variant = true, .no_vaes512 = true},
    {.name = "no-points", .no_points = true},
    {.name = "one-size", .one_size = true},
    {.name = "disturbed", .disturbed = true, .above_roof = true},
    {.name = "doubts", .doubts = true},
    {.name = "counted", .counted = true},
    {.name = "hostile",
     .processor = "A<b>&\"c\" 'd' {e}_f^g~h@i`id`\\ ]]> \x01\xff %d",
     .disturbed = true},
    {.name = NULL},
};

/* Payload GB/s in L1, L2, L3 and memory. */
static const struct {
    const char *mix;
    double gb_per_s[4];
    double write_allocate; /* bus bytes per payload byte outside L1 */
} mixes[] = {
    {"load", {378, 150, 31, 12.9}, 1},         {"store", {190, 66, 20, 7.2}, 2},
    {"store-nt", {11.2, 11.2, 11.4, 11.6}, 1}, {"copy", {320, 98, 23, 10.9}, 1.5},
    {"copy-nt", {15.1, 15.2, 15.0, 14.7}, 1},  {"update", {310, 118, 27, 14.1}, 1},
};

enum { MIX_COUNT = sizeof mixes / sizeof *mixes, STEP_COUNT = 37 };

static const struct {
    const char *variant;
    double cycles_per_byte; /* in the nearest cache */
    unsigned width_bits;    /* of the unit it uses; 0 for none */
} variants[] = {
    {"aesni-x1", 2.71, 128},
    {"aesni-x8-pshufb", 0.352, 128},
    {"ttable", 9.4, 0},
    {"vaes256-x8-pshufb", 0.183, 256},
    {"vaes512-x8-pshufb", 0.163, 512},
};

enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

static const struct {
    unsigned width_bits;
    double latency;
    double throughput;
} units[] = {{128, 3.0, 0.5}, {256, 3.0, 0.5}, {512, 3.0, 1.0}};

enum { UNIT_COUNT = sizeof units / sizeof *units };

static struct rp_estimate estimate(double value)
{
    return (struct rp_estimate){.value = value,
                                .lower_quartile = value * 0.985,
                                .upper_quartile = value * 1.012,
                                .low = value * 0.99,
                                .high = value * 1.01};
}

/* The share of a smooth step in log2 of the size that lies behind `capacity`. */
static double behind(double bytes, double capacity)
{
    return capacity > 0 ? 1 / (1 + exp(-6 * (log2(bytes / capacity) - 0.1))) : 0;
}

static size_t working_set(size_t step)
{
    return (size_t)(16384 * exp2(16.0 * (double)step / (STEP_COUNT - 1)));
}

static double bandwidth(const struct rp_machine *machine, size_t mix, double bytes)
{
    double log_rate = log(mixes[mix].gb_per_s[0]);
    size_t from = 0;

    for (unsigned level = 0; level + 1 < machine->level_count; level++) {
        const size_t to = level + 2 == machine->level_count ? 3 : level + 1;

        log_rate += behind(bytes, (double)machine->levels[level].size_bytes) *
                    log(mixes[mix].gb_per_s[to] / mixes[mix].gb_per_s[from]);
        from = to;
    }
    return exp(log_rate) * 1e9;
}

static bool mix_present(const struct fixture_options *options, size_t mix)
{
    return !options->no_bandwidth && (mix == 0 || !options->only_load);
}

static void make_machine(struct rp_machine *machine,
                         const struct fixture_options *options)
{
    const struct rp_level levels[] = {
        {"L1", 48 * RP_KIB, 64, 12, 1},
        {"L2", 2 * RP_MIB, 64, 16, 1},
        {"L3", 36 * RP_MIB, 64, 15, 8},
        {"DRAM", 0, 0, 0, 8},
    };

    snprintf(machine->processor, sizeof machine->processor, "%s",
             options->processor != NULL ? options->processor : "Example Core (invented)");
    machine->cpu.hypervisor = true;
    for (size_t i = 0; i < 4; i++) {
        if ((i == 1 && options->no_l2) || (i == 2 && options->no_l3)) {
            continue;
        }
        machine->levels[machine->level_count++] = levels[i];
    }
}

static void make_bandwidth(struct rp_model *model, const struct fixture_options *options)
{
    const struct rp_machine *const machine = &model->run->machine;

    model->roofs = calloc((size_t)MIX_COUNT * RP_MAX_LEVELS, sizeof *model->roofs);
    model->curves = calloc(MIX_COUNT, sizeof *model->curves);
    for (size_t mix = 0; mix < MIX_COUNT; mix++) {
        if (!mix_present(options, mix)) {
            continue;
        }
        struct rp_curve *const curve = &model->curves[model->curve_count++];
        snprintf(curve->mix, sizeof curve->mix, "%s", mixes[mix].mix);
        curve->steps = calloc(STEP_COUNT, sizeof *curve->steps);
        curve->step_count = options->one_size ? 1 : STEP_COUNT;
        for (size_t i = 0; i < curve->step_count; i++) {
            curve->steps[i] = (struct rp_curve_step){
                .working_set_bytes = working_set(i),
                .bytes_per_s = estimate(bandwidth(machine, mix, (double)working_set(i))),
                .verdict = options->disturbed && i % 3 == 1 ? RP_VERDICT_DISTURBED
                                                            : RP_VERDICT_STEADY,
                .variant = "copy-avx512",
                .record_id = 100 * mix + i,
            };
        }
        for (unsigned level = 0; level < machine->level_count; level++) {
            const bool memory = level + 1 == machine->level_count;
            struct rp_bandwidth_roof *const roof = &model->roofs[model->roof_count++];

            *roof = (struct rp_bandwidth_roof){
                .level = level,
                .bytes_per_s = estimate(mixes[mix].gb_per_s[memory ? 3 : level] * 1e9),
                .bus_factor = level == 0 ? 1 : mixes[mix].write_allocate,
                .variant = "copy-avx512",
                .record_id = 10 * mix + level,
            };
            snprintf(roof->mix, sizeof roof->mix, "%s", mixes[mix].mix);
        }
    }
}

static void make_units(struct rp_model *model, const struct fixture_options *options)
{
    model->units = calloc(UNIT_COUNT, sizeof *model->units);
    for (size_t i = 0; i < UNIT_COUNT && !options->no_units; i++) {
        struct rp_unit *const unit = &model->units[model->unit_count++];

        snprintf(unit->name, sizeof unit->name, "aesenc-%u", units[i].width_bits);
        unit->width_bits = units[i].width_bits;
        if (options->no_vaes || (options->no_vaes512 && i == 2)) {
            snprintf(unit->unavailable, sizeof unit->unavailable, "this CPU has no %s",
                     i == 0 ? "AES" : "VAES");
            continue;
        }
        unit->latency_cycles = units[i].latency;
        unit->throughput_cycles = estimate(units[i].throughput);
        unit->hz = HZ;
        unit->knee_chains = (unsigned)ceil(units[i].latency / units[i].throughput);
        unit->step_count = 16;
        for (unsigned k = 0; k < 16; k++) {
            const double cycles = fmax(units[i].latency / (k + 1), units[i].throughput);

            unit->steps[k] = (struct rp_unit_step){
                .chains = k + 1,
                .cycles = estimate(cycles),
                .verdict = options->disturbed && k % 3 == 1 ? RP_VERDICT_DISTURBED
                                                            : RP_VERDICT_STEADY,
            };
        }
        if (options->no_latency) {
            unit->latency_cycles = 0;
            unit->step_count--;
            memmove(unit->steps, unit->steps + 1, unit->step_count * sizeof *unit->steps);
        }
    }
}

static struct rp_point make_point(const struct rp_model *model, size_t variant,
                                  enum rp_mode mode, size_t bytes)
{
    const struct rp_machine *const machine = &model->run->machine;
    const size_t mix = mode == RP_MODE_TEMPORAL ? 3 : mode == RP_MODE_NT ? 4 : 5;
    const double memory =
        2 * HZ / bandwidth(machine, mix, (double)bytes); /* cycles/byte */
    const double work = variants[variant].cycles_per_byte;
    const double cycles = pow(pow(memory * 1.03, 6) + pow(work, 6), 1.0 / 6);
    const double unit = variants[variant].width_bits == 512   ? 10 / 64.0
                        : variants[variant].width_bits == 256 ? 5 / 32.0
                        : variants[variant].width_bits == 128 ? 5 / 16.0
                                                              : 0;
    const double bound = fmax(memory, unit);
    const unsigned level = rp_machine_level_of(machine, bytes);
    struct rp_point point = {
        .family = "aes128ctr",
        .mode = mode,
        .working_set_bytes = bytes,
        .level = level,
        .items_per_s = estimate(HZ / cycles),
        .cycles_per_item = estimate(cycles),
        .hz = HZ,
        .payload_bytes_per_item = 2,
        .bus_bytes_per_item = level > 0 && mode == RP_MODE_TEMPORAL ? 3 : 2,
        .unit_cycles_per_item = unit,
        .bound_items_per_s = HZ / bound,
        .bound_kind = memory > unit ? RP_BOUND_BANDWIDTH : RP_BOUND_UNIT,
        .bound = "aesenc-512",
        .attained = bound / cycles,
    };

    snprintf(point.kernel, sizeof point.kernel, "aes128ctr-%s",
             variants[variant].variant);
    snprintf(point.variant, sizeof point.variant, "%s", variants[variant].variant);
    return point;
}

static void make_points(struct rp_model *model, const struct fixture_options *options)
{
    model->points = calloc((size_t)VARIANT_COUNT * 3 * STEP_COUNT, sizeof *model->points);
    for (size_t variant = 0; variant < VARIANT_COUNT && !options->no_points; variant++) {
        if ((options->one_variant && variant != 1) ||
            (options->no_vaes512 && variant == 4) ||
            (options->no_vaes && variants[variant].width_bits > 0)) {
            continue;
        }
        for (int mode = RP_MODE_TEMPORAL; mode <= RP_MODE_INPLACE; mode++) {
            const size_t steps = options->one_size                       ? 1
                                 : options->nt_cut && mode == RP_MODE_NT ? STEP_COUNT / 2
                                                                         : STEP_COUNT;

            for (size_t i = 0; i < steps; i++) {
                struct rp_point *const point = &model->points[model->point_count++];

                *point = make_point(model, variant, (enum rp_mode)mode, working_set(i));
                point->record_id = 1000 + model->point_count;
                if (options->disturbed && model->point_count % 3 == 0) {
                    point->verdict = RP_VERDICT_DISTURBED;
                    model->disturbed_count++;
                }
            }
        }
    }
    model->above_roof_count = options->above_roof ? 2 : 0;
}

static void make_counted(struct rp_model *model)
{
    static const double shares[] = {0.99, 0.67, 1.2, 1.01, 0.9};

    model->counted = calloc(model->point_count, sizeof *model->counted);
    model->counted_count = model->point_count;
    for (size_t i = 0; i < model->point_count; i++) {
        const struct rp_point *const point = &model->points[i];
        const double share = shares[i / STEP_COUNT % (sizeof shares / sizeof *shares)];

        model->counted[i] = (struct rp_counted_point){
            .point = i,
            .boundary = RP_BOUNDARY_MEMORY,
            .bytes_per_item = share * point->bus_bytes_per_item,
            .items_per_byte = 1 / (share * point->bus_bytes_per_item),
            .times_payload = share * point->bus_bytes_per_item / 2,
        };
    }
}

static void make_doubts(struct fixture *fixture)
{
    static const char *const conditions[] = {
        "the load average is 1.84 on 2 usable cores",
        "the governor is powersave and the machine runs on its battery",
        "another condition of the machine that takes quite some room on a line",
    };
    struct rp_model *const model = &fixture->model;
    const size_t count = 2;

    model->flags = calloc(count, sizeof *model->flags);
    model->flags[0] = (struct rp_flag){.record_id = 0, .what = "the run as a whole"};
    model->flags[1] = (struct rp_flag){.record_id = 1001, .what = "a point"};
    model->flag_count = count;
    model->level_count = fixture->run.machine.level_count - 1;
    model->levels[model->level_count - 1] = (struct rp_level_check){
        .name = "L3", .stated_bytes = 320 * RP_MIB, .verdict = RP_LEVEL_DIFFERS};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        rp_machine_condition(&fixture->run.machine, RP_SEVERITY_WARN, conditions[i], "");
    }
    rp_machine_condition(&fixture->run.machine, RP_SEVERITY_NOTE, "only a note", "");
}

void fixture_make(struct fixture *fixture, const struct fixture_options *options)
{
    *fixture = (struct fixture){.model = {.run = &fixture->run, .hz = HZ}};
    make_machine(&fixture->run.machine, options);
    make_bandwidth(&fixture->model, options);
    make_units(&fixture->model, options);
    make_points(&fixture->model, options);
    if (options->counted) {
        make_counted(&fixture->model);
    }
    if (options->doubts) {
        make_doubts(fixture);
    }
    fixture->run.record_count = fixture->model.point_count + 100;
    fixture->run.records =
        calloc(fixture->run.record_count, sizeof *fixture->run.records);
}

void fixture_free(struct fixture *fixture)
{
    for (size_t i = 0; i < fixture->model.curve_count; i++) {
        free(fixture->model.curves[i].steps);
    }
    free(fixture->run.records);
    free(fixture->model.curves);
    free(fixture->model.roofs);
    free(fixture->model.units);
    free(fixture->model.points);
    free(fixture->model.counted);
    free(fixture->model.flags);
}
