/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "cli/host.h"
#include "cli/verb.h"
#include "core/capture.h"
#include "core/clock.h"
#include "core/text.h"

/* What a level's description of 0 leaves unknown is left out. */
static void print_known(unsigned number, const char *what)
{
    if (number > 0) {
        printf(", %u%s", number, what);
    }
}

/* The core clock is read now, so only of the machine that the program runs on. */
static void print_clocks(bool here, double tsc_hz)
{
    const double core_hz = here ? rp_clock_chain_hz() : 0;
    char core[64] = "";

    if (here && core_hz > 0) {
        snprintf(core, sizeof core, "core %.3f GHz now (addition chain), ",
                 core_hz / 1e9);
    } else if (here) {
        snprintf(core, sizeof core, "core clock not to be read on this busy CPU, ");
    }
    printf("clocks      %stime stamp counter %.3f GHz\n", core, tsc_hz / 1e9);
}

static void print_levels(const struct rp_core_kind *kind)
{
    char size[RP_SIZE_TEXT];

    for (unsigned i = 0; i + 1 < kind->level_count; i++) {
        const struct rp_level *const level = &kind->levels[i];

        printf("%-11s %s", level->name, rp_size_text(level->size_bytes, size));
        print_known(level->line_bytes, "-byte lines");
        print_known(level->ways, " ways");
        printf(", shared by %u core%s\n", level->shared_by,
               level->shared_by == 1 ? "" : "s");
    }
}

static void print_kinds(const struct rp_machine *machine)
{
    for (unsigned i = 0; i < machine->kind_count; i++) {
        const struct rp_core_kind *const kind = &machine->kinds[i];

        if (machine->kind_count > 1) {
            printf("kind        %s: %u core%s, measuring on CPU %u\n", kind->name,
                   kind->core_count, kind->core_count == 1 ? "" : "s", kind->measured_pu);
        }
        print_levels(kind);
    }
}

static void print_machine(const struct rp_machine *machine, bool here)
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
    print_clocks(here, machine->tsc_hz);
    print_kinds(machine);
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

struct request {
    const char *capture; /* NULL: not asked for */
    const char *replay;
    bool json;
};

static bool read_request(int argc, char **argv, struct request *request,
                         struct rp_error *error)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"capture", required_argument, NULL, 'c'},
                                            {"replay", required_argument, NULL, 'r'},
                                            {0}};
    int option = 0;

    *request = (struct request){0};
    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        switch (option) {
        case 'j':
            request->json = true;
            break;
        case 'c':
            request->capture = optarg;
            break;
        case 'r':
            request->replay = optarg;
            break;
        default:
            return false;
        }
    }
    if (optind != argc) {
        return rp_fail(error, RP_USAGE,
                       "machine: takes no argument, got '%s'; leave it out",
                       argv[optind]);
    }
    if (request->capture != NULL && (request->replay != NULL || request->json)) {
        return rp_fail(error, RP_USAGE,
                       "machine: --capture stands alone; the captured machine is in "
                       "machine.json, and --replay shows it");
    }
    return true;
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    const char *const level = getenv("RIDGEPOINT_CPU");
    struct rp_host host = {0};
    struct request request;

    if (!read_request(argc, argv, &request, error)) {
        return false;
    }
    if (request.capture != NULL) {
        if (!rp_capture_write(request.capture, RIDGEPOINT_VERSION, rp_clock_tsc_hz(),
                              level, error)) {
            return false;
        }
        printf("%s\n", request.capture);
        return true;
    }
    bool ok = request.replay != NULL
                  ? rp_capture_read(&host.machine, request.replay, level, error)
                  : rp_host_open(&host, error);
    if (ok) {
        if (request.replay == NULL) {
            host.machine.tsc_hz = rp_clock_tsc_hz();
        }
        if (request.json) {
            ok = print_json(&host.machine, error);
        } else {
            print_machine(&host.machine, request.replay == NULL);
        }
    }
    rp_host_close(&host);
    return ok;
}

const struct rp_verb rp_verb_machine = {
    .name = "machine",
    .summary = "what the machine is, and what will colour its numbers",
    .help =
        "usage: ridgepoint machine [--json] [--replay DIR]\n"
        "       ridgepoint machine --capture DIR\n\n"
        "Prints caches, cores, memory, clocks, and the conditions that hurt or colour a\n"
        "measurement, each with what to do about it. Host name and serial numbers are "
        "left\n"
        "out.\n\n"
        "  --json         the machine as it is stored in a run file\n"
        "  --capture DIR  write all that is read of this machine into a new folder\n"
        "  --replay DIR   show the machine that was captured there\n",
    .run = run,
};
