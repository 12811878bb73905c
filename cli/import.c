/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/artifacts.h"
#include "cli/imported.h"
#include "cli/verb.h"
#include "core/text.h"

static bool parse_source(const char *name, enum rp_import_source *source,
                         struct rp_error *error)
{
    static const char *const names[] = {
        [RP_IMPORT_LIKWID] = "likwid",
        [RP_IMPORT_PERF] = "perf",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *source = (enum rp_import_source)i;
            return true;
        }
    }
    return rp_fail(error, RP_USAGE, "import: '%s' is no source; give `likwid` or `perf`",
                   name);
}

static bool set_option(struct rp_import *import, int option, struct rp_error *error)
{
    uint64_t calls = 0;

    switch (option) {
    case 'r':
        import->region = rp_counted_region(optarg);
        break;
    case 'g':
        import->group = optarg;
        break;
    case 's':
        import->stderr_path = optarg;
        break;
    case 'j':
        import->json = true;
        break;
    case 'c':
        if (!rp_parse_count(optarg, &calls) || calls == 0) {
            return rp_fail(error, RP_USAGE,
                           "import: --calls takes a number above 0, not '%s'", optarg);
        }
        import->calls = (double)calls;
        break;
    default:
        return false;
    }
    return true;
}

static bool parse(int argc, char **argv, struct rp_import *import, const char **run,
                  struct rp_error *error)
{
    static const struct option options[] = {
        {"region", required_argument, NULL, 'r'},
        {"group", required_argument, NULL, 'g'},
        {"calls", required_argument, NULL, 'c'},
        {"stderr", required_argument, NULL, 's'},
        {"json", no_argument, NULL, 'j'},
        {0},
    };
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (!set_option(import, option, error)) {
            return false;
        }
    }
    if (argc - optind != 3) {
        return rp_fail(error, RP_USAGE,
                       "import: give likwid or perf, a file, and a run; `ridgepoint "
                       "import --help` shows how");
    }
    if (!parse_source(argv[optind], &import->source, error)) {
        return false;
    }
    if (import->source == RP_IMPORT_LIKWID && import->calls > 0) {
        return rp_fail(error, RP_USAGE,
                       "import: likwid-perfctr counts the calls; leave out --calls");
    }
    import->path = argv[optind + 1];
    *run = argv[optind + 2];
    return true;
}

/* Opens the run to add to it. */
static bool open_run(struct rp_run *run, struct rp_run_writer *writer,
                     const char *argument, struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!rp_run_path(argument, path, error) || !rp_run_read(run, path, error)) {
        return false;
    }
    if (run->torn) {
        fprintf(stderr, "warning: %s ends in an incomplete line, which is cut off\n",
                path);
    }
    return rp_run_reopen(writer, path, run, error);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct rp_import import = {0};
    struct rp_run run = {0};
    struct rp_run_writer writer = {0};
    const char *argument = NULL;

    const bool ok = parse(argc, argv, &import, &argument, error) &&
                    open_run(&run, &writer, argument, error) &&
                    rp_import(&import, &run, &run, &writer, error);
    rp_run_close(&writer);
    rp_run_free(&run);
    return ok;
}

const struct rp_verb rp_verb_import = {
    .name = "import",
    .summary = "adds what likwid-perfctr or perf stat counted to a run",
    .help =
        "usage: ridgepoint import likwid|perf [OPTIONS] FILE RUN\n\n"
        "FILE is what the program wrote that counted: likwid-perfctr with -m and -O, or "
        "-o\n"
        "NAME.csv; perf stat with -j. `-` is standard input. RUN is the run.jsonl, or "
        "the\n"
        "folder that holds one, that was measured meanwhile. Counts are joined to the "
        "jobs\n"
        "they are of, a record for each region and group, and all or none are added. "
        "What\n"
        "is missing is a warning, and stays missing.\n\n"
        "perf knows no regions: its counts are those of the whole program, with all "
        "that it\n"
        "did besides the samples, unless it was turned on for these only, as "
        "`counters` does.\n\n"
        "  --region NAME   imports this region only (a job's name without `sweep/`); "
        "for\n"
        "                  perf the one that was counted, if the run has several jobs\n"
        "  --group NAME    what to call the group of events\n"
        "  --calls N       perf: how often the region was entered (the job's samples)\n"
        "  --stderr FILE   what the program wrote to standard error, whose warnings "
        "are\n"
        "                  repeated: exit code 0 of likwid-perfctr says nothing\n"
        "  --json          the new records, one JSON object a line\n\n"
        "Exit 2 when there is nothing to import, or the run has these counts already.\n",
    .run = run,
};
