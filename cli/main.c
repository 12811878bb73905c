/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/verb.h"

static const struct rp_verb *const verbs[] = {
    &rp_verb_machine, &rp_verb_list,     &rp_verb_check,  &rp_verb_probe,
    &rp_verb_sweep,   &rp_verb_model,    &rp_verb_plot,   &rp_verb_report,
    &rp_verb_compare, &rp_verb_counters, &rp_verb_import, NULL,
};

static void print_help(FILE *stream)
{
    fputs("ridgepoint: what one machine can do, and how far a kernel is from it\n\n"
          "usage: ridgepoint VERB [OPTIONS] [ARGUMENTS]\n\n",
          stream);
    for (size_t i = 0; verbs[i] != NULL; i++) {
        fprintf(stream, "  %-8s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    fputs("\n`ridgepoint VERB --help` tells more, `ridgepoint --version` the version.\n"
          "Exit codes: 0 done, 1 the answer is no, 2 wrong usage or input, 3 this "
          "machine cannot,\n"
          "130 and 143 stopped by SIGINT and SIGTERM.\n"
          "Environment: RIDGEPOINT_CPU caps the CPU features used (sse2, aesni, avx2, "
          "vaes,\n"
          "avx512); RIDGEPOINT_CYCLES names the source of core cycles (perf-event, "
          "aperf-mperf,\n"
          "calibrated-chain); NO_COLOR turns colour off.\n",
          stream);
}

static const struct rp_verb *find_verb(const char *name)
{
    for (size_t i = 0; verbs[i] != NULL; i++) {
        if (strcmp(verbs[i]->name, name) == 0) {
            return verbs[i];
        }
    }
    return NULL;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            return true;
        }
    }
    return false;
}

static bool dispatch(int argc, char **argv, struct rp_error *error)
{
    if (argc < 2) {
        print_help(stderr);
        return rp_fail(error, RP_USAGE,
                       "no verb given; `ridgepoint sweep default` measures "
                       "this machine");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return true;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ridgepoint " RIDGEPOINT_VERSION);
        return true;
    }
    const struct rp_verb *const verb = find_verb(argv[1]);
    if (verb == NULL) {
        return rp_fail(error, RP_USAGE, "'%s' is no verb; `ridgepoint --help` lists them",
                       argv[1]);
    }
    if (asks_for_help(argc - 1, argv + 1)) {
        fputs(verb->help, stdout);
        return true;
    }
    return verb->run(argc - 1, argv + 1, error);
}

/* Takes the places of standard streams that the caller closed, or the run file would get
 * one of them and be written to by every message. Writing to such a place still fails. */
static void hold_standard_places(void)
{
    int descriptor = 0;

    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) {
        close(descriptor);
    }
}

int main(int argc, char **argv)
{
    struct rp_error error = {.status = RP_OK};

    hold_standard_places();
    bool ok = dispatch(argc, argv, &error);

    /* An answer that did not reach its reader is no answer. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (ok) {
            ok = rp_fail(&error, RP_UNABLE, "cannot write to standard output: %s",
                         strerror(errno));
        }
    }
    if (!ok) {
        fprintf(stderr, "ridgepoint: %s\n", error.message);
    }
    return ok ? RP_OK : (int)error.status;
}
