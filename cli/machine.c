/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cli/host.h"
#include "cli/verb.h"
#include "core/clock.h"
#include "core/text.h"

/* What a level's description of 0 leaves unknown is left out. */
static void print_known(unsigned number, const char *what)
{
    if (number > 0) {
        printf(", %u%s", number, what);
    }
}

static void print_clocks(double core_hz, double tsc_hz)
{
    char core[48] = "core clock not to be read on this busy CPU";

    if (core_hz > 0) {
        snprintf(core, sizeof core, "core %.3f GHz now (addition chain)", core_hz / 1e9);
    }
    printf("clocks      %s, time stamp counter %.3f GHz\n", core, tsc_hz / 1e9);
}

static void print_machine(const struct rp_machine *machine)
{
    char features[128];
    char size[RP_SIZE_TEXT];

    printf("processor   %s (%s)\n", machine->processor, machine->name);
    printf("features    %s\n",
           rp_cpu_feature_names(machine->cpu.features, features, sizeof features));
    printf("system      Linux %s\n", machine->kernel);
    printf("cores       %u usable, %u hardware threads, %u NUMA node%s; measuring on CPU "
           "%u\n",
           machine->core_count, machine->pu_count, machine->numa_count,
           machine->numa_count == 1 ? "" : "s", machine->measured_pu);
    printf("memory      %s available\n", rp_size_text(machine->memory_bytes, size));
    print_clocks(rp_clock_chain_hz(), machine->tsc_hz);

    for (unsigned i = 0; i + 1 < machine->level_count; i++) {
        const struct rp_level *const level = &machine->levels[i];

        printf("%-11s %s", level->name, rp_size_text(level->size_bytes, size));
        print_known(level->line_bytes, "-byte lines");
        print_known(level->ways, " ways");
        printf(", shared by %u core%s\n", level->shared_by,
               level->shared_by == 1 ? "" : "s");
    }
    for (unsigned i = 0; i < machine->condition_count; i++) {
        const struct rp_condition *const condition = &machine->conditions[i];

        printf("%-11s %s; %s\n",
               condition->severity == RP_SEVERITY_WARN ? "warning" : "note",
               condition->text, condition->what_to_do);
    }
}

static bool print_json(const struct rp_machine *machine, struct rp_error *error)
{
    json_t *const json = rp_machine_to_json(machine);

    if (json == NULL || json_dumpf(json, stdout, JSON_INDENT(2)) != 0) {
        json_decref(json);
        return rp_fail(error, RP_UNABLE, "cannot write the machine as JSON");
    }
    json_decref(json);
    putchar('\n');
    return true;
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
    struct rp_host host;
    bool json = false;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        json = true;
    }
    if (optind != argc) {
        return rp_fail(error, RP_USAGE, "machine: takes no argument, got '%s'",
                       argv[optind]);
    }
    bool ok = rp_host_open(&host, error);
    if (ok) {
        host.machine.tsc_hz = rp_clock_tsc_hz();
        if (json) {
            ok = print_json(&host.machine, error);
        } else {
            print_machine(&host.machine);
        }
    }
    rp_host_close(&host);
    return ok;
}

const struct rp_verb rp_verb_machine = {
    .name = "machine",
    .summary = "what the machine is, and what will colour its numbers",
    .help =
        "usage: ridgepoint machine [--json]\n\n"
        "Prints caches, cores, memory, clocks, and the conditions that hurt or colour a\n"
        "measurement, each with what to do about it. Host name and serial numbers are "
        "left\n"
        "out.\n\n"
        "  --json   the machine as it is stored in a run file\n",
    .run = run,
};
