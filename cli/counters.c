/* SPDX-License-Identifier: MIT */
#include "cli/counters.h"

#include <stdlib.h>

#include "cli/verb.h"

struct request {
    const char *architecture; /* NULL: that of this processor */
    bool list;
    bool install;
    bool yes;
    bool replace;
    bool json;
};

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
        {0}};
    int option = 0;

    *request = (struct request){0};
    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        switch (option) {
        case 'l':
            request->list = true;
            break;
        case 'i':
            request->install = true;
            break;
        case 'y':
            request->yes = true;
            break;
        case 'r':
            request->replace = true;
            break;
        case 'a':
            request->architecture = optarg;
            break;
        case 'j':
            request->json = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

static bool check_request(int argc, char **argv, const struct request *request,
                          struct rp_error *error)
{
    if (optind != argc) {
        return rp_fail(error, RP_USAGE,
                       "counters: takes no argument, got '%s'; leave it out",
                       argv[optind]);
    }
    if (request->install && (request->list || request->json)) {
        return rp_fail(error, RP_USAGE,
                       "counters: --install goes with neither --list nor --json; give "
                       "one of them");
    }
    if (!request->install && (request->yes || request->replace)) {
        return rp_fail(error, RP_USAGE,
                       "counters: --yes and --replace belong to --install; add it or "
                       "leave them out");
    }
    return true;
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    struct request request;
    struct rp_counting counting;

    if (!read_options(argc, argv, &request, error) ||
        !check_request(argc, argv, &request, error) ||
        !rp_counting_find(&counting, request.architecture, error)) {
        return false;
    }
    if (request.install) {
        return rp_counting_has_groups(&counting, error) &&
               rp_groups_install(&counting, request.yes, request.replace, error);
    }
    if (!request.list && !request.json && !rp_counting_possible(&counting, error)) {
        return false;
    }
    return request.json ? rp_counting_print_json(&counting, error)
                        : rp_counting_print(&counting, error);
}

const struct rp_verb rp_verb_counters = {
    .name = "counters",
    .summary = "the counter groups for likwid here, and their installation",
    .help =
        "usage: ridgepoint counters [--list] [--json] [--architecture NAME]\n"
        "       ridgepoint counters --install [--yes] [--replace] [--architecture NAME]\n"
        "\n"
        "Shows what can be counted here: the counters, likwid, and the groups of this\n"
        "processor with what each answers. Installing writes the groups below\n"
        "~/.likwid/groups, where likwid-perfctr finds them; it tells which files and\n"
        "asks first.\n\n"
        "  --list               shows it also where nothing can be counted\n"
        "  --json               shows it as JSON, everywhere\n"
        "  --install            writes the groups\n"
        "  --yes                does not ask\n"
        "  --replace            writes also over files that differ\n"
        "  --architecture NAME  the groups of another processor: zen4, ICX, ...\n\n"
        "Exit 3 where nothing can be counted, with what would be needed; --list, --json\n"
        "and --install work there, too.\n",
    .run = run,
};
