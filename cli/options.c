/* SPDX-License-Identifier: MIT */
#include "cli/verb.h"

#include <stddef.h>

int rp_next_option(int argc, char **argv, const struct option *options,
                   struct rp_error *error)
{
    opterr = 0;
    const int option = getopt_long(argc, argv, ":", options, NULL);
    if (option == '?' || option == ':') {
        /* In the middle of short options, as in -xy, getopt has not moved on yet. */
        const bool within = optind < argc && argv[optind][0] == '-' &&
                            argv[optind][1] == optopt && argv[optind][2] != '\0';

        rp_fail(error, RP_USAGE,
                "%s: option '%s' %s; `ridgepoint %s --help` lists the options", argv[0],
                argv[within ? optind : optind - 1],
                option == ':' ? "needs a value" : "is unknown or takes no value",
                argv[0]);
        return '?';
    }
    return option;
}

bool rp_single_argument(int argc, char **argv, const char *what, const char **argument,
                        struct rp_error *error)
{
    if (argc - optind != 1) {
        return rp_fail(error, RP_USAGE,
                       "%s: give exactly one %s; `ridgepoint %s --help` shows "
                       "how",
                       argv[0], what, argv[0]);
    }
    *argument = argv[optind];
    return true;
}
