/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "probes/regions.h"
#include "probes/regions_way.h"

/* perf answers within microseconds. So long it is given when the machine is busy. */
#define PATIENCE_SECONDS 5

struct perf {
    int control;
    int acknowledge;
    atomic_flag taken; /* a region is registered */
    bool lost;         /* perf has not answered */
};

static bool wanted(void)
{
    return getenv(RP_PERF_CONTROL) != NULL;
}

/* What is no fifo is not written to: it may be a file of the user's. Returns -1 with the
 * reason. */
static int open_fifo(const char *path, int access, struct rp_error *error)
{
    struct stat status;
    const int file = open(path, access | O_NONBLOCK | O_CLOEXEC);

    if (file < 0) {
        rp_fail(error, RP_UNABLE,
                "cannot open %.200s, named by " RP_PERF_CONTROL ": %s; start this "
                "program with perf stat --control fifo:CONTROL,ACKNOWLEDGE",
                path, strerror(errno));
        return -1;
    }
    if (fstat(file, &status) != 0 || !S_ISFIFO(status.st_mode)) {
        close(file);
        rp_fail(error, RP_UNABLE,
                "%.200s, named by " RP_PERF_CONTROL ", is no fifo; name the two that "
                "perf stat --control was given",
                path);
        return -1;
    }
    return file;
}

/* For control, writing and reading: so there always is a reader, and a perf that has
 * ended is found out by its silence, not by SIGPIPE. */
static bool open_fifos(struct perf *perf, const char *paths, struct rp_error *error)
{
    char control[4096];
    const char *const comma = strchr(paths, ',');

    if (comma == NULL || strchr(comma + 1, ',') != NULL ||
        snprintf(control, sizeof control, "%.*s", (int)(comma - paths), paths) >=
            (int)sizeof control) {
        return rp_fail(error, RP_UNABLE,
                       RP_PERF_CONTROL " is '%.100s'; give CONTROL,ACKNOWLEDGE, the "
                                       "paths of the two fifos of perf stat --control",
                       paths);
    }
    perf->control = open_fifo(control, O_RDWR, error);
    perf->acknowledge = perf->control >= 0 ? open_fifo(comma + 1, O_RDONLY, error) : -1;
    return perf->acknowledge >= 0;
}

/* Waits for the end of a line, which is "ack"; perf ends it with a 0 besides. */
static bool is_acknowledged(int file)
{
    const uint64_t end_ns = rp_clock_ns() + UINT64_C(1000000000) * PATIENCE_SECONDS;
    char answer[64];

    for (uint64_t now_ns = rp_clock_ns(); now_ns < end_ns; now_ns = rp_clock_ns()) {
        struct pollfd wait = {.fd = file, .events = POLLIN};
        const int ready = poll(&wait, 1, (int)((end_ns - now_ns) / 1000000) + 1);
        const ssize_t length = ready > 0 ? read(file, answer, sizeof answer) : -1;

        if (length > 0 && memchr(answer, '\n', (size_t)length) != NULL) {
            return true;
        }
        if (length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN)) {
            return false; /* perf has closed its end */
        }
    }
    return false;
}

static void ask(struct perf *perf, const char *command)
{
    const size_t length = strlen(command);

    if (!perf->lost) {
        perf->lost = write(perf->control, command, length) != (ssize_t)length ||
                     !is_acknowledged(perf->acknowledge);
    }
}

static bool check(const void *state, struct rp_error *error)
{
    return !((const struct perf *)state)->lost ||
           rp_fail(error, RP_UNABLE,
                   "perf stat does not answer through the fifos that " RP_PERF_CONTROL
                   " names; give perf stat the same with --control");
}

static void close_fifos(void *state)
{
    struct perf *const perf = state;

    if (perf->control >= 0) {
        close(perf->control);
    }
    if (perf->acknowledge >= 0) {
        close(perf->acknowledge);
    }
    free(perf);
}

/* Turns the counters off first, in case that they are on, which also shows that perf is
 * there. */
static void *open_perf(const char *library, struct rp_error *error)
{
    struct perf *const perf = malloc(sizeof *perf);

    (void)library;
    if (perf == NULL) {
        rp_fail(error, RP_UNABLE, "no memory for the regions of perf");
        return NULL;
    }
    *perf = (struct perf){.control = -1, .acknowledge = -1, .taken = ATOMIC_FLAG_INIT};
    if (open_fifos(perf, getenv(RP_PERF_CONTROL), error)) {
        ask(perf, "disable\n");
        if (check(perf, error)) {
            return perf;
        }
    }
    close_fifos(perf);
    return NULL;
}

static bool register_region(void *state, const char *name, unsigned cpu,
                            struct rp_error *error)
{
    (void)cpu;
    return !atomic_flag_test_and_set(&((struct perf *)state)->taken) ||
           rp_fail(error, RP_UNABLE,
                   "perf stat has no regions, and would add %s to what it has counted: "
                   "start it for each job on one thread anew, with --only",
                   name);
}

static void start(void *state, const char *name)
{
    (void)name;
    ask(state, "enable\n");
}

static void stop(void *state, const char *name)
{
    (void)name;
    ask(state, "disable\n");
}

const struct rp_regions_way rp_regions_perf = {
    .wanted = wanted,
    .open = open_perf,
    .register_region = register_region,
    .start = start,
    .stop = stop,
    .check = check,
    .close = close_fifos,
};
