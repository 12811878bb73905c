/* SPDX-License-Identifier: MIT */
/*
 * The verbs of the program: one row and one file each.
 */
#ifndef RP_CLI_VERB_H
#define RP_CLI_VERB_H

#include <getopt.h>
#include <stdbool.h>

#include "core/error.h"

struct rp_verb {
    const char *name;
    const char *summary; /* one line of the program's own help */
    const char *help;    /* what `ridgepoint VERB --help` prints */
    /* Does it. argv[0] is the verb. False with an error, which main prints. */
    bool (*run)(int argc, char **argv, struct rp_error *error);
};

extern const struct rp_verb rp_verb_check;
extern const struct rp_verb rp_verb_compare;
extern const struct rp_verb rp_verb_counters;
extern const struct rp_verb rp_verb_import;
extern const struct rp_verb rp_verb_list;
extern const struct rp_verb rp_verb_machine;
extern const struct rp_verb rp_verb_model;
extern const struct rp_verb rp_verb_plot;
extern const struct rp_verb rp_verb_probe;
extern const struct rp_verb rp_verb_report;
extern const struct rp_verb rp_verb_sweep;

/*
 * The next option, as getopt_long gives it (-1 after the last), or '?' with a usage error
 * for one that the verb does not have. Verbs have long options only; each returns a
 * letter.
 */
int rp_next_option(int argc, char **argv, const struct option *options,
                   struct rp_error *error);

/* The single argument left after the options; a usage error naming `what` for none or
 * more. */
bool rp_single_argument(int argc, char **argv, const char *what, const char **argument,
                        struct rp_error *error);

#endif
