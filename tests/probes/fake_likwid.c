/* SPDX-License-Identifier: MIT */
/*
 * Stands in for likwid's library: notes each call as a line of the file that likwid would
 * write its counts to. To start and to stop a region takes the thread off its CPU, as
 * waiting for likwid's access daemon does; the region "refused" cannot be registered.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void likwid_markerInit(void);
int likwid_markerRegisterRegion(const char *name);
int likwid_markerStartRegion(const char *name);
int likwid_markerStopRegion(const char *name);
void likwid_markerClose(void);

/* One write, so that lines of several threads do not mix. */
static int note(const char *call, const char *name)
{
    char line[160];
    const int length = snprintf(line, sizeof line, "%s%s\n", call, name);
    const char *const path = getenv("LIKWID_FILEPATH");
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    const int file = path != NULL ? open(path, flags, 0600) : -1;

    if (file < 0) {
        return -EIO;
    }
    const int noted = write(file, line, (size_t)length) == length;
    close(file);
    return noted ? 0 : -EIO;
}

static long switches(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A sleep may end before the thread was switched out. */
static void wait_for_daemon(void)
{
    const struct timespec pause = {.tv_nsec = 20000};
    const long before = switches();

    while (switches() == before) {
        nanosleep(&pause, NULL);
    }
}

void likwid_markerInit(void)
{
    note("init", "");
}

int likwid_markerRegisterRegion(const char *name)
{
    const int refused = strcmp(name, "refused") == 0;

    return refused ? -EFAULT : note("register ", name);
}

int likwid_markerStartRegion(const char *name)
{
    wait_for_daemon();
    return note("start ", name);
}

int likwid_markerStopRegion(const char *name)
{
    const int result = note("stop ", name);

    wait_for_daemon();
    return result;
}

void likwid_markerClose(void)
{
    note("close", "");
}
