/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/check_roofs.h"
#include "cli/verb.h"
#include "core/clock.h"
#include "core/text.h"
#include "kernels/check.h"

static bool selected(const struct rp_kernel *kernel, int argc, char **argv)
{
    bool any = optind == argc;

    for (int i = optind; i < argc && !any; i++) {
        any = rp_matches(argv[i], kernel->name);
    }
    return any;
}

/* Each pattern must name a kernel: a misspelt one would pass as right. */
static bool all_known(int argc, char **argv, struct rp_error *error)
{
    for (int i = optind; i < argc; i++) {
        const struct rp_kernel *kernel = NULL;
        size_t index = 0;

        while ((kernel = rp_kernel_at(index)) != NULL &&
               !rp_matches(argv[i], kernel->name)) {
            index++;
        }
        if (kernel == NULL) {
            return rp_fail(error, RP_USAGE,
                           "check: no kernel matches '%s'; `ridgepoint list kernels` "
                           "names them",
                           argv[i]);
        }
    }
    return true;
}

struct tally {
    unsigned right;
    unsigned wrong;
    unsigned unavailable;
};

/* False only when the check itself could not be made. */
static bool check_kernel(const struct rp_kernel *kernel, const struct rp_cpu *cpu,
                         uint64_t seed, struct tally *tally, struct rp_error *error)
{
    char why[160];

    if (!rp_kernel_available(kernel, cpu, why, sizeof why)) {
        printf("%-28s unavailable: %s\n", kernel->name, why);
        tally->unavailable++;
        return true;
    }
    for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
        size_t cases = 0;

        if (!rp_kernel_has_mode(kernel, (enum rp_mode)mode)) {
            continue;
        }
        if (rp_check_kernel(kernel, (enum rp_mode)mode, seed, &cases, error)) {
            printf("%-28s %-9s right in %zu cases\n", kernel->name,
                   rp_mode_name((enum rp_mode)mode), cases);
            tally->right++;
        } else if (error->status == RP_NO) {
            printf("%-28s %-9s WRONG: %s\n", kernel->name,
                   rp_mode_name((enum rp_mode)mode), error->message);
            tally->wrong++;
        } else {
            return false;
        }
        fflush(stdout);
    }
    return true;
}

static bool check_kernels(int argc, char **argv, uint64_t seed, struct rp_error *error)
{
    const struct rp_kernel *kernel = NULL;
    struct rp_cpu cpu;
    struct tally tally = {0};

    if (!all_known(argc, argv, error) ||
        !rp_cpu_detect(&cpu, &rp_cpu_native, getenv("RIDGEPOINT_CPU"), error)) {
        return false;
    }
    printf("seed %" PRIu64 ", CPU level %s\n", seed, cpu.level);
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        if (selected(kernel, argc, argv) &&
            !check_kernel(kernel, &cpu, seed, &tally, error)) {
            return false;
        }
    }
    printf("%u right, %u wrong, %u kernels unavailable\n", tally.right, tally.wrong,
           tally.unavailable);
    return tally.wrong == 0 || rp_fail(error, RP_NO,
                                       "%u of %u kernel modes are wrong; --seed %" PRIu64
                                       " repeats this check",
                                       tally.wrong, tally.right + tally.wrong, seed);
}

static bool run(int argc, char **argv, struct rp_error *error)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'}, {"roofs", no_argument, NULL, 'r'}, {0}};
    uint64_t seed = rp_clock_ns();
    bool seeded = false;
    bool roofs = false;
    int option = 0;

    while ((option = rp_next_option(argc, argv, options, error)) != -1) {
        if (option == '?') {
            return false;
        }
        if (option == 'r') {
            roofs = true;
            continue;
        }
        seeded = true;
        if (!rp_parse_count(optarg, &seed)) {
            return rp_fail(error, RP_USAGE,
                           "check: --seed takes a whole number, not '%s'", optarg);
        }
    }
    if (!roofs) {
        return check_kernels(argc, argv, seed, error);
    }
    if (seeded || optind < argc) {
        return rp_fail(error, RP_USAGE,
                       "check: --roofs takes neither --seed nor kernels");
    }
    return rp_check_roofs(error);
}

const struct rp_verb rp_verb_check = {
    .name = "check",
    .summary = "compares every kernel with its reference, or roofs with kernels",
    .help =
        "usage: ridgepoint check [--seed N] [KERNEL...]\n"
        "       ridgepoint check --roofs\n\n"
        "Compares each kernel, in each way of storing, with its plain reference: random\n"
        "lengths, every alignment, counters next to their wrap, guard zones, published\n"
        "vectors. KERNEL may hold '*'; without one, all are checked.\n\n"
        "  --seed N   repeats the cases of an earlier check, which printed its seed\n"
        "  --roofs    measures kernels of known intensity and the roofs that they must\n"
        "             trace, and prints how far each lies from its bound\n\n"
        "Exit 0 when all that can run is right, 1 when one is wrong; with --roofs 1 "
        "when\n"
        "a point lies above its roof by more than noise, or their median more than 25 %\n"
        "below, and 3 when none could be judged.\n",
    .run = run,
};
