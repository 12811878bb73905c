/* SPDX-License-Identifier: MIT */
#include "cli/counters.h"

#include <stdlib.h>
#include <string.h>

#include "cli/verb.h"

struct request {
    struct rp_counters_request count; /* its run is NULL when nothing is to be counted */
    const char *architecture;         /* NULL: that of this processor */
    const char *with;                 /* NULL: what the machine allows */
    bool list;
    bool install;
    bool replace;
    bool json;
    bool force;
};

static bool set_option(struct request *request, int option)
{
    switch (option) {
    case 'l':
        request->list = true;
        return true;
    case 'i':
        request->install = true;
        return true;
    case 'y':
        request->count.yes = true;
        return true;
    case 'r':
        request->replace = true;
        return true;
    case 'a':
        request->architecture = optarg;
        return true;
    case 'j':
        request->json = true;
        return true;
    case 'g':
        request->count.groups = optarg;
        return true;
    case 'k':
        request->count.kernels = optarg;
        return true;
    case 'w':
        request->with = optarg;
        return true;
    case 'f':
        request->force = true;
        return true;
    default:
        return false;
    }
}

static bool read_options(int argc, char **argv, struct request *request,
                         struct rp_error *error)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},
        {"install", no_argument, NULL, 'i'},
        {"yes", no_argument, NULL, 'y'},
        {"replace", no_argument, NULL, 'r'},
        {"architecture", required_argument, NULL, 'a'},
        {"json", no_argument, NULL, 'j'},
        {"groups", required_argument, NULL, 'g'},
        {"kernels", required_argument, NULL, 'k'},
        {"with", required_argument, NULL, 'w'},
        {"force", no_argument, NULL, 'f'},
        {0},
    };
    int option = 0;

    *request = (struct request){0};
    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (!set_option(request, option)) {
            return false;
        }
    }
    return true;
}

static bool check_request(const struct request *request, struct rp_error *error)
{
    const bool counts = request->count.run != NULL;

    if ((counts || request->install) && (request->list || request->json)) {
        return rp_fail(error, RP_USAGE,
                       "counters: --list and --json show what is there, and go with "
                       "neither a run nor --install");
    }
    if (counts && (request->install || request->replace)) {
        return rp_fail(error, RP_USAGE,
                       "counters: --install and --replace go without a run; install "
                       "first, then count");
    }
    if (!counts && (request->count.groups != NULL || request->count.kernels != NULL ||
                    request->force)) {
        return rp_fail(error, RP_USAGE,
                       "counters: --groups, --kernels and --force belong to a run to be "
                       "counted; name it or leave them out");
    }
    if (!request->install && (request->replace || (!counts && request->count.yes))) {
        return rp_fail(error, RP_USAGE,
                       "counters: --yes and --replace belong to --install; add it or "
                       "leave them out");
    }
    return true;
}

static bool read_request(int argc, char **argv, struct request *request,
                         struct rp_error *error)
{
    if (!read_options(argc, argv, request, error)) {
        return false;
    }
    if (optind < argc &&
        !rp_single_argument(argc, argv, "run", &request->count.run, error)) {
        return false;
    }
    return check_request(request, error);
}

static bool parse_with(const char *name, enum rp_counting_with *with,
                       struct rp_error *error)
{
    static const char *const names[] = {
        [RP_COUNT_WITH_LIKWID] = "likwid",
        [RP_COUNT_WITH_PERF] = "perf",
    };

    *with = RP_COUNT_WITH_EITHER;
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *with = (enum rp_counting_with)i;
        }
    }
    return name == NULL || *with != RP_COUNT_WITH_EITHER ||
           rp_fail(error, RP_USAGE, "counters: --with takes likwid or perf, not '%s'",
                   name);
}

static bool count(const struct rp_counting *counting, const struct request *request,
                  struct rp_error *error)
{
    return (request->force ? rp_counting_equipped(counting, error)
                           : rp_counting_possible(counting, error)) &&
           rp_counters_count(counting, &request->count, error);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct request request;
    struct rp_counting counting;
    enum rp_counting_with with = RP_COUNT_WITH_EITHER;

    if (!read_request(argc, argv, &request, error) ||
        !parse_with(request.with, &with, error) ||
        !rp_counting_find(&counting, request.architecture, with, error)) {
        return false;
    }
    if (request.install) {
        return rp_counting_has_groups(&counting, error) &&
               rp_groups_install(&counting, request.count.yes, request.replace, error);
    }
    if (request.count.run != NULL) {
        return count(&counting, &request, error);
    }
    if (!request.list && !request.json && !rp_counting_possible(&counting, error)) {
        return false;
    }
    return request.json ? rp_counting_print_json(&counting, error)
                        : rp_counting_print(&counting, error);
}

const struct rp_verb rp_verb_counters = {
    .name = "counters",
    .summary = "counts a run with likwid or perf; the groups, and what can be counted",
    .help =
        "usage: ridgepoint counters [--list] [--json] [--architecture NAME]\n"
        "       ridgepoint counters --install [--yes] [--replace] [--architecture NAME]\n"
        "       ridgepoint counters [OPTIONS] RUN\n"
        "\n"
        "Without a run it shows what can be counted here: the counters, likwid and "
        "perf,\n"
        "and the groups of this processor with what each answers. Installing writes the\n"
        "groups below ~/.likwid/groups, where likwid-perfctr finds them; it tells which\n"
        "files and asks first.\n\n"
        "RUN is a run.jsonl of this machine or the folder that holds one. Its sweep is\n"
        "measured again without the probes, with one group after another: under\n"
        "likwid-perfctr, or, where the counters can be reached through the kernel only,\n"
        "job by job under perf stat, which counts on the cores only. What was counted "
        "is\n"
        "added to the run, and model, figures and report are made anew.\n\n"
        "  --list               shows it also where nothing can be counted\n"
        "  --json               shows it as JSON, everywhere\n"
        "  --install            writes the groups\n"
        "  --yes                does not ask\n"
        "  --replace            writes also over files that differ\n"
        "  --groups A,B         counts with these, not with those that a roofline wants\n"
        "                       first\n"
        "  --kernels PATTERN    counts these kernels only\n"
        "  --with likwid|perf   counts with it, whatever the machine allows\n"
        "  --force              tries it also where no counters show\n"
        "  --architecture NAME  the groups of another processor: zen4, ICX, ...\n\n"
        "Exit 3 where nothing can be counted, with what would be needed (--list, --json\n"
        "and --install work there, too), and when a group could not be counted. SIGINT\n"
        "and SIGTERM end the counting with 130 or 143; what was added stays.\n",
    .run = run,
};
