/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/artifacts.h"
#include "cli/verb.h"

static bool draw(const struct rp_analysis *analysis, void *kind, struct rp_error *error)
{
    if (strcmp(kind, "all") == 0) {
        return rp_make_figures(&analysis->model, analysis->folder, error);
    }
    return rp_make_figure(rp_figure_find(kind), &analysis->model, analysis->folder,
                          error);
}

static bool known(const char *kind, struct rp_error *error)
{
    const struct rp_figure *figure = NULL;
    char kinds[256] = "all";

    if (strcmp(kind, "all") == 0 || rp_figure_find(kind) != NULL) {
        return true;
    }
    for (size_t i = 0; (figure = rp_figure_at(i)) != NULL; i++) {
        const size_t length = strlen(kinds);

        snprintf(kinds + length, sizeof kinds - length, ", %s", figure->kind);
    }
    return rp_fail(error, RP_USAGE, "plot: '%s' is no figure; there are %s", kind, kinds);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {0}};
    struct rp_analysis analysis = {0};
    const char *folder = NULL;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        folder = optarg;
    }
    if (argc - optind != 2) {
        return rp_fail(error, RP_USAGE,
                       "plot: give a figure and a run, as in `ridgepoint plot "
                       "all results/latest`");
    }
    const bool ok = known(argv[optind], error) &&
                    rp_analysis_open(&analysis, argv[optind + 1], folder, error) &&
                    rp_make_for_all_kinds(&analysis, draw, argv[optind], error);
    rp_analysis_close(&analysis);
    return ok;
}

const struct rp_verb rp_verb_plot = {
    .name = "plot",
    .summary = "draws figures of a run as SVG, with gnuplot",
    .help = "usage: ridgepoint plot [--output FOLDER] KIND RUN\n\n"
            "KIND is roofline-aes, bandwidth, aes-unit, aes-sweep or all. RUN is a "
            "run.jsonl or\n"
            "the folder that holds one. Writes KIND.svg beside the run and prints its "
            "path.\n\n"
            "  --output FOLDER   writes there instead\n",
    .run = run,
};
