/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Starts it in a process group of its own, so that all it starts can be ended with it.
 * Returns 0 or what went wrong. */
static int start(char *const arguments[], int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);

    if (reason != 0) {
        return reason;
    }
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        if (posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                             O_RDONLY, 0) != 0 ||
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) != 0 ||
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO) != 0 ||
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) != 0) {
            reason = ENOMEM;
        } else {
            reason = posix_spawnp(child, arguments[0], &actions, &attributes, arguments,
                                  environ);
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

/* False when the time was over first; the child is gone either way. */
static bool wait_for(pid_t child, double seconds, int *status)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    const double end = now_seconds() + seconds;
    pid_t ended = 0;

    while ((ended = waitpid(child, status, WNOHANG)) == 0 && now_seconds() < end) {
        nanosleep(&pause, NULL);
    }
    if (ended == child) {
        return true;
    }
    kill(-child, SIGKILL);
    waitpid(child, status, 0);
    return false;
}

static void read_back(FILE *file, struct rp_text *output)
{
    char chunk[4096];
    size_t length = 0;

    rewind(file);
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
        rp_text_append(output, chunk, length);
    }
}

static bool run(char *const arguments[], double seconds, FILE *file,
                struct rp_program_result *result, struct rp_error *error)
{
    pid_t child = 0;
    int status = 0;
    const int reason = start(arguments, fileno(file), &child);

    *result = (struct rp_program_result){.end = RP_PROGRAM_ABSENT};
    if (reason != 0) {
        return reason == ENOENT || rp_fail(error, RP_UNABLE, "cannot start %s: %s",
                                           arguments[0], strerror(reason));
    }
    const bool in_time = wait_for(child, seconds, &status);
    if (!in_time) {
        result->end = RP_PROGRAM_LATE;
    } else if (WIFEXITED(status)) {
        result->end = RP_PROGRAM_ENDED;
        result->code = WEXITSTATUS(status);
    } else {
        result->end = RP_PROGRAM_KILLED;
    }
    return true;
}

bool rp_program_run(char *const arguments[], double seconds, struct rp_text *output,
                    struct rp_program_result *result, struct rp_error *error)
{
    /* A file rather than a pipe: nobody has to read while the program runs. */
    FILE *const file = tmpfile();

    if (file == NULL) {
        return rp_fail(error, RP_UNABLE,
                       "cannot write a temporary file for %s: %s; make room or access in "
                       "the directory for temporary files",
                       arguments[0], strerror(errno));
    }
    const bool ok = run(arguments, seconds, file, result, error);
    read_back(file, output);
    fclose(file);
    return ok;
}
