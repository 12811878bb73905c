/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/artifacts.h"
#include "cli/verb.h"

static bool make(const struct rp_analysis *analysis, void *context,
                 struct rp_error *error)
{
    (void)context;
    return rp_make_model(&analysis->model, analysis->folder, error);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
    struct rp_analysis analysis = {0};
    const char *run_argument = NULL;
    bool to_stdout = false;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        to_stdout = true;
    }
    bool ok = rp_single_argument(argc, argv, "run", &run_argument, error) &&
              rp_analysis_open(&analysis, run_argument, NULL, error);
    if (ok && to_stdout) {
        json_t *const json = rp_model_to_json(&analysis.model);

        ok = json != NULL &&
             json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
        json_decref(json);
        putchar('\n');
        if (!ok) {
            rp_fail(error, RP_UNABLE, "cannot write the model as JSON");
        }
    } else if (ok) {
        ok = rp_make_for_all_kinds(&analysis, make, NULL, error);
    }
    rp_analysis_close(&analysis);
    return ok;
}

const struct rp_verb rp_verb_model = {
    .name = "model",
    .summary = "turns a run into roofs, bounds and bounded points",
    .help = "usage: ridgepoint model [--json] RUN\n\n"
            "RUN is a run.jsonl or the folder that holds one, from any machine. Writes\n"
            "model.json beside it and prints its path. On a hybrid machine that is the "
            "model of\n"
            "the fastest kind of core; each other kind has a folder of its name.\n\n"
            "  --json   prints the model of the fastest kind instead\n",
    .run = run,
};
