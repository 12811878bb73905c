/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In a process group of its own, so that all it starts can be ended with it, and with the
 * signal mask `mask`. Returns 0 or what went wrong. */
static int set_attributes(posix_spawnattr_t *attributes, const sigset_t *mask)
{
    const int reason = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                                                POSIX_SPAWN_SETSIGMASK);

    return reason != 0 ? reason : posix_spawnattr_setsigmask(attributes, mask);
}

static int set_streams(posix_spawn_file_actions_t *actions, int output)
{
    int reason =
        posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

    if (reason == 0) {
        reason = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    }
    return reason != 0 ? reason
                       : posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
}

#define MOST_ARGUMENTS 31

static bool copy_list(char *list[], const char *const arguments[])
{
    size_t count = 0;

    while (arguments[count] != NULL) {
        if (count == MOST_ARGUMENTS) {
            return false;
        }
        count++;
    }
    memcpy(list, arguments, (count + 1) * sizeof *list);
    return true;
}

static int start(const char *const arguments[], int output, const sigset_t *mask,
                 pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *list[MOST_ARGUMENTS + 1]; /* for posix_spawn, which is older than const */

    if (!copy_list(list, arguments)) {
        return E2BIG;
    }
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0) {
        return reason;
    }
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = set_attributes(&attributes, mask);
        if (reason == 0) {
            reason = set_streams(&actions, output);
        }
        if (reason == 0) {
            reason = posix_spawnp(child, list[0], &actions, &attributes, list, environ);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static double now_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Waits until the child has ended, for so long; SIGCHLD is blocked. Sleeps meanwhile, but
 * for a look at the other signals now and then: what runs may be timed. */
static bool wait_for(pid_t child, double seconds, const struct rp_interrupt *interrupt,
                     int *status)
{
    static const struct timespec look = {.tv_nsec = 500000000};
    const double end = now_seconds() + seconds;
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (waitpid(child, status, WNOHANG) == 0) {
        if (now_seconds() >= end ||
            (interrupt != NULL && rp_interrupt_status() != RP_OK)) {
            return false;
        }
        sigtimedwait(&ended, NULL, &look);
    }
    return true;
}

/* Asks all to end, and makes them when they do not. */
static void end_group(pid_t child, int *status)
{
    static const double patience_seconds = 5;

    kill(-child, SIGTERM);
    const bool ended = wait_for(child, patience_seconds, NULL, status);
    kill(-child, SIGKILL); /* also what outlived it */
    if (!ended) {
        waitpid(child, status, 0);
    }
}

static void run(pid_t child, double seconds, const struct rp_interrupt *interrupt,
                struct rp_program_result *result)
{
    int status = 0;

    if (!wait_for(child, seconds, interrupt, &status)) {
        const bool stopped = interrupt != NULL && rp_interrupt_status() != RP_OK;

        end_group(child, &status);
        result->end = stopped ? RP_PROGRAM_STOPPED : RP_PROGRAM_LATE;
    } else if (WIFEXITED(status)) {
        result->end = RP_PROGRAM_ENDED;
        result->code = WEXITSTATUS(status);
    } else {
        result->end = RP_PROGRAM_KILLED;
    }
}

bool rp_program_run(const char *const arguments[], double seconds, int output,
                    const struct rp_interrupt *interrupt,
                    struct rp_program_result *result, struct rp_error *error)
{
    sigset_t ended;
    sigset_t before;
    pid_t child = 0;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &ended, &before);
    const int reason = start(arguments, output,
                             interrupt != NULL ? &interrupt->before : &before, &child);

    *result = (struct rp_program_result){.end = RP_PROGRAM_ABSENT};
    if (reason == 0) {
        run(child, seconds, interrupt, result);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason == 0 || reason == ENOENT ||
           rp_fail(error, RP_UNABLE, "cannot start %s: %s", arguments[0],
                   strerror(reason));
}
