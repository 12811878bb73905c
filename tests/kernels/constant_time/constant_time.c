/* SPDX-License-Identifier: MIT */
/*
 * Runs kernels with key and message secret, under a tool that reports a branch or an
 * address that depends on a secret (watcher.h). A kernel that does not leak must not be
 * reported, and one that leaks must be; what a kernel writes must still be secret at
 * every byte, and a branch planted on it must be reported: else the tool had lost sight
 * of the secrets, and its silence would mean nothing.
 *
 *   constant_time [KERNEL...]     patterns; all kernels without one
 *
 * Lengths, alignments, nonces and counters are public. So is the set-up before a message:
 * an expanded key is secret, the look-ups of its expansion are not looked at.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/random.h"
#include "core/text.h"
#include "kernels/gcm/gcm.h"
#include "kernels/modes/modes.h"
#include "watcher.h"

#define SKIPPED 77
#define SEED    1884

enum outcome {
    SILENT = 0,
    LOST = 98, /* part of what was written depends on no secret */
    REPORTED = WATCHER_REPORTED,
};

#define LONGEST_BYTES (20 * 1024 + 77) /* beyond where kernels change their ways */

static const size_t lengths[] = {77, 1024, LONGEST_BYTES};

struct room {
    uint8_t source[LONGEST_BYTES] __attribute__((aligned(64)));
    uint8_t destination[LONGEST_BYTES] __attribute__((aligned(64)));
    uint8_t result[RP_BLOCK_BYTES];
    uint8_t context[RP_CONTEXT_BYTES] __attribute__((aligned(64)));
};

/* These move bytes of anyone's, or are loops to measure with, and hold no secret. */
static const char *const families_without_secrets[] = {"stream", "intensity",
                                                       "aes128ecb"};

/* What of a context is public; all is secret where a family has no row. */
static const struct {
    const char *families;
    size_t offset;
    size_t bytes;
} public_parts[] = {
    {"aes*ctr", offsetof(struct rp_aes_ctr, key.rounds), sizeof(unsigned)},
    {"aes*ctr", offsetof(struct rp_aes_ctr, counter_block),
     sizeof(struct rp_aes_ctr) - offsetof(struct rp_aes_ctr, counter_block)},
    {"aes*gcm", offsetof(struct rp_gcm, key.rounds), sizeof(unsigned)},
    {"aes*gcm", offsetof(struct rp_gcm, counter_block), RP_AES_BLOCK_BYTES},
    {"aes*gcm", offsetof(struct rp_gcm, additional_bytes), sizeof(size_t)},
    {"aes*cbcdec", offsetof(struct rp_aes_cbc, key.rounds), sizeof(unsigned)},
    {"aes*cbcdec", offsetof(struct rp_aes_cbc, inverse.rounds), sizeof(unsigned)},
    {"aes*cbcdec", offsetof(struct rp_aes_cbc, iv), RP_AES_BLOCK_BYTES},
    {"aes*xts", offsetof(struct rp_aes_xts, key.rounds), sizeof(unsigned)},
    {"aes*xts", offsetof(struct rp_aes_xts, tweak_key.rounds), sizeof(unsigned)},
    {"aes*xts", offsetof(struct rp_aes_xts, data_unit), RP_AES_BLOCK_BYTES},
};

static void choose_context(const struct rp_kernel *kernel, struct room *room,
                           uint64_t *random)
{
    if (kernel->context == NULL) {
        return;
    }
    kernel->context->choose(room->context, random, true);
    watcher_make_secret(room->context, kernel->context->bytes);
    for (size_t i = 0; i < sizeof public_parts / sizeof *public_parts; i++) {
        if (rp_matches(public_parts[i].families, kernel->family)) {
            watcher_make_public(room->context + public_parts[i].offset,
                                public_parts[i].bytes);
        }
    }
}

/* Encrypts what is secret; false when something comes out that is not. */
static bool run_secretly(const struct rp_kernel *kernel, enum rp_mode mode, size_t bytes,
                         struct room *room, uint64_t *random)
{
    const struct rp_kernel_input input = {
        .destination = room->destination,
        .source = mode == RP_MODE_INPLACE ? room->destination : room->source,
        .bytes = bytes,
        .context = room->context,
        .result = room->result,
    };

    choose_context(kernel, room, random);
    watcher_make_secret(room->source, sizeof room->source);
    if (mode == RP_MODE_INPLACE) {
        watcher_make_secret(room->destination, sizeof room->destination);
    } else {
        watcher_make_public(room->destination, sizeof room->destination);
    }
    watcher_make_public(room->result, sizeof room->result);
    kernel->run[mode](&input, 1);
    return watcher_all_secret(room->destination, bytes) &&
           (kernel->context == NULL ||
            watcher_all_secret(room->result, kernel->context->result_bytes));
}

static enum outcome run_all(const struct rp_kernel *kernel, struct room *room,
                            bool branches)
{
    uint64_t random = SEED;
    bool secret = true;

    for (int mode = 0; mode < RP_MODE_COUNT; mode++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            if (rp_kernel_has_mode(kernel, (enum rp_mode)mode)) {
                secret =
                    run_secretly(kernel, (enum rp_mode)mode, lengths[i], room, &random) &&
                    secret;
            }
        }
    }
    if (branches && (room->destination[LONGEST_BYTES / 2] & 1) != 0) {
        __asm__ volatile(""); /* what no compiler does unasked, or without a branch */
    }
    return watcher_reported() ? REPORTED : secret ? SILENT : LOST;
}

/* In a process of its own: a tool may end it where it reports something. */
static int outcome_of(const struct rp_kernel *kernel, bool branches)
{
    int status = 0;

    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct room *const room = aligned_alloc(64, sizeof *room);

        if (room != NULL) {
            memset(room, 0, sizeof *room);
            _exit(run_all(kernel, room, branches));
        }
        _exit(EXIT_FAILURE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return EXIT_FAILURE;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

/* Says how the kernel did; true when as it should. */
static bool judge(const struct rp_kernel *kernel)
{
    const int outcome = outcome_of(kernel, false);
    const int planted = outcome_of(kernel, true);
    const char *text = "did not run to its end";
    bool right = false;

    if (planted != REPORTED) {
        text = "a branch on what it writes was not reported: nothing is shown";
    } else if (outcome == LOST) {
        text = "part of what it writes depends on no secret: nothing is shown";
    } else if (outcome == SILENT) {
        text = kernel->leaks ? "was not reported, and leaks" : "constant time";
        right = !kernel->leaks;
    } else if (outcome == REPORTED) {
        text = kernel->leaks ? "reported, as it leaks"
                             : "A SECRET DECIDES A BRANCH OR AN"
                               " ADDRESS";
        right = kernel->leaks;
    }
    printf("%-32s %s%s\n", kernel->name, right ? "" : "WRONG: ", text);
    return right;
}

static bool selected(const struct rp_kernel *kernel, const struct rp_cpu *cpu,
                     char **patterns)
{
    char why[160];
    bool any = *patterns == NULL;

    for (size_t i = 0; i < sizeof families_without_secrets / sizeof(char *); i++) {
        if (strcmp(kernel->family, families_without_secrets[i]) == 0) {
            return false;
        }
    }
    for (; *patterns != NULL && !any; patterns++) {
        any = rp_matches(*patterns, kernel->name);
    }
    return any && kernel->open == NULL && /* a peer's code is the peer's */
           rp_kernel_available(kernel, cpu, why, sizeof why);
}

int main(int argc, char **argv)
{
    const struct rp_kernel *kernel = NULL;
    const char *why = "";
    struct rp_error error;
    struct rp_cpu cpu;
    unsigned right = 0;
    unsigned wrong = 0;

    (void)argc;
    if (!watcher_present(&why)) {
        printf("skipped: %s\n", why);
        return SKIPPED;
    }
    if (!rp_cpu_detect(&cpu, &rp_cpu_native, NULL, &error)) {
        return EXIT_FAILURE;
    }
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        if (selected(kernel, &cpu, argv + 1)) {
            *(judge(kernel) ? &right : &wrong) += 1;
        }
    }
    printf("%u kernels are as they should be, %u are not\n", right, wrong);
    return wrong == 0 && right > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
