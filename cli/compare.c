/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/artifacts.h"
#include "cli/verb.h"
#include "roofline/compare_report.h"

struct request {
    double threshold; /* 0.03 is 3 % */
    bool all_points;
    bool csv;
    bool json;
};

static bool parse_threshold(const char *text, double *threshold, struct rp_error *error)
{
    char *end = NULL;
    const double percent = strtod(text, &end);

    if (end == text || (*end != '\0' && strcmp(end, "%") != 0) || !(percent > 0) ||
        !(percent < 100)) {
        return rp_fail(error, RP_USAGE,
                       "compare: --threshold takes per cent above 0 and below 100, not "
                       "'%s'",
                       text);
    }
    *threshold = percent / 100;
    return true;
}

static bool parse(int argc, char **argv, struct request *request, struct rp_error *error)
{
    static const struct option options[] = {
        {"threshold", required_argument, NULL, 't'},
        {"all", no_argument, NULL, 'a'},
        {"csv", no_argument, NULL, 'c'},
        {"json", no_argument, NULL, 'j'},
        {0},
    };
    int option = 0;

    *request = (struct request){.threshold = 0.03};
    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?' ||
            (option == 't' && !parse_threshold(optarg, &request->threshold, error))) {
            return false;
        }
        request->all_points = request->all_points || option == 'a';
        request->csv = request->csv || option == 'c';
        request->json = request->json || option == 'j';
    }
    if (argc - optind != 2) {
        return rp_fail(error, RP_USAGE,
                       "compare: give exactly two runs; `ridgepoint compare --help` "
                       "shows how");
    }
    return true;
}

static bool open_run(struct rp_run *run, const char *argument, struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!rp_run_path(argument, path, error) || !rp_run_read(run, path, error)) {
        return false;
    }
    if (run->torn) {
        fprintf(stderr, "warning: %s ends in an incomplete line, which is left out\n",
                path);
    }
    return true;
}

static bool print_json(const struct rp_comparison *comparison, struct rp_error *error)
{
    json_t *const json = rp_comparison_to_json(comparison);
    const bool ok =
        json != NULL &&
        json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;

    json_decref(json);
    putchar('\n');
    return ok || rp_fail(error, RP_UNABLE, "cannot write the comparison as JSON");
}

static bool print(const struct rp_comparison *comparison, const struct request *request,
                  struct rp_error *error)
{
    struct rp_text text = {0};

    if (request->json) {
        return print_json(comparison, error);
    }
    if (request->csv) {
        rp_comparison_csv(comparison, &text);
    } else {
        rp_comparison_text(comparison, request->all_points, &text);
    }
    const bool ok = !text.failed;
    if (ok) {
        fwrite(text.data, 1, text.length, stdout);
    }
    rp_text_free(&text);
    return ok || rp_fail(error, RP_UNABLE, "not enough memory for the comparison");
}

static bool conclude(const struct rp_comparison *comparison, struct rp_error *error)
{
    if (comparison->slower_count + comparison->faster_count == 0) {
        return true;
    }
    const struct rp_compared_series *const largest = &comparison->series[0];
    return rp_fail(error, RP_NO,
                   "B differs from A: %zu series are slower and %zu faster; the largest "
                   "change is %s in %s, %.1f %% %s; repeat both runs before you rely on "
                   "it",
                   comparison->slower_count, comparison->faster_count,
                   largest->record->kernel, rp_region_name(largest->region),
                   100 * fabs(largest->speed.ratio - 1),
                   largest->speed.ratio < 1 ? "slower" : "faster");
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct request request;
    struct rp_run a = {0};
    struct rp_run b = {0};
    struct rp_comparison comparison = {0};

    const bool ok = parse(argc, argv, &request, error) &&
                    open_run(&a, argv[optind], error) &&
                    open_run(&b, argv[optind + 1], error) &&
                    rp_compare_runs(&comparison, &a, &b, request.threshold, error) &&
                    print(&comparison, &request, error) && conclude(&comparison, error);
    rp_comparison_free(&comparison);
    rp_run_free(&a);
    rp_run_free(&b);
    return ok;
}

const struct rp_verb rp_verb_compare = {
    .name = "compare",
    .summary = "says what differs between two runs, and what of it is a change",
    .help =
        "usage: ridgepoint compare [--threshold PERCENT] [--all] [--csv | --json] A B\n\n"
        "A and B are run.jsonl files or the folders that hold one; what both measured "
        "is\n"
        "compared, as B / A: a speed above 1 says that B is faster. A change is a "
        "series\n"
        "(the sizes of one kernel in one mode, in a region of the machine) nearly all "
        "of\n"
        "whose points lie beyond the threshold to the same side. A single point is "
        "never\n"
        "one.\n\n"
        "  --threshold PERCENT   the least change that counts (3)\n"
        "  --all                 lists every point, too\n"
        "  --csv                 prints one row for each point instead\n"
        "  --json                prints all of it as JSON instead\n\n"
        "Exit 0 when there is no change, 1 when something became slower or faster.\n",
    .run = run,
};
