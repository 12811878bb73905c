/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cli/artifacts.h"
#include "cli/verb.h"
#include "roofline/report.h"

typedef bool writer(const struct rp_model *model, struct rp_text *out,
                    struct rp_error *error);

static bool print(writer *write, const struct rp_model *model, struct rp_error *error)
{
    struct rp_text text = {0};
    const bool ok = write(model, &text, error);

    if (ok) {
        fwrite(text.data, 1, text.length, stdout);
    }
    rp_text_free(&text);
    return ok;
}

static bool make(const struct rp_analysis *analysis, void *context,
                 struct rp_error *error)
{
    (void)context;
    return rp_make_report(&analysis->model, analysis->folder, error);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {
        {"csv", no_argument, NULL, 'c'}, {"markdown", no_argument, NULL, 'm'}, {0}};
    struct rp_analysis analysis = {0};
    const char *run_argument = NULL;
    writer *to_stdout = NULL;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        to_stdout = option == 'c' ? rp_report_csv : rp_report_markdown;
    }
    bool ok = rp_single_argument(argc, argv, "run", &run_argument, error) &&
              rp_analysis_open(&analysis, run_argument, NULL, error);
    if (ok) {
        ok = to_stdout != NULL ? print(to_stdout, &analysis.model, error)
                               : rp_make_for_all_kinds(&analysis, make, NULL, error);
    }
    rp_analysis_close(&analysis);
    return ok;
}

const struct rp_verb rp_verb_report = {
    .name = "report",
    .summary = "says what binds each kernel, as Markdown, CSV and HTML",
    .help =
        "usage: ridgepoint report [--csv | --markdown] RUN\n\n"
        "RUN is a run.jsonl or the folder that holds one. Writes report.md, report.csv "
        "and\n"
        "index.html, with the figures found beside the run, and prints their paths.\n\n"
        "  --csv        prints the CSV instead: one row a fact\n"
        "  --markdown   prints the Markdown instead\n",
    .run = run,
};
