/* SPDX-License-Identifier: MIT */
#include "plots/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What style.gp exits with. */
enum { TOO_OLD = 64, NO_SVG = 65 };

/* Files rather than pipes: gnuplot may write before it has read everything. */
struct streams {
    FILE *in;
    FILE *out;
    FILE *err;
};

static void close_file(FILE *file)
{
    if (file != NULL) {
        fclose(file);
    }
}

static void close_streams(const struct streams *streams)
{
    close_file(streams->in);
    close_file(streams->out);
    close_file(streams->err);
}

static bool open_streams(struct streams *streams, const struct rp_text *script,
                         struct rp_error *error)
{
    *streams = (struct streams){tmpfile(), tmpfile(), tmpfile()};
    if (streams->in == NULL || streams->out == NULL || streams->err == NULL ||
        fwrite(script->data, 1, script->length, streams->in) != script->length ||
        fflush(streams->in) != 0) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot write a temporary file for gnuplot: %s; make room or access in "
            "the directory for temporary files",
            strerror(errno));
    }
    rewind(streams->in);
    return true;
}

static bool run(const struct streams *streams, int *status, int *spawn_error)
{
    char program[] = "gnuplot";
    char no_start_up_files[] = "--default-settings";
    char *const arguments[] = {program, no_start_up_files, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;

    if (posix_spawn_file_actions_init(&actions) != 0) {
        *spawn_error = ENOMEM;
        return false;
    }
    *spawn_error = posix_spawn_file_actions_adddup2(&actions, fileno(streams->in), 0);
    if (*spawn_error == 0) {
        *spawn_error =
            posix_spawn_file_actions_adddup2(&actions, fileno(streams->out), 1);
    }
    if (*spawn_error == 0) {
        *spawn_error =
            posix_spawn_file_actions_adddup2(&actions, fileno(streams->err), 2);
    }
    if (*spawn_error == 0) {
        /* A terminal that this gnuplot lacks would end it before it reads the script. */
        unsetenv("GNUTERM");
        *spawn_error = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (*spawn_error != 0) {
        return false;
    }
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR) {
            *spawn_error = errno;
            return false;
        }
    }
    return true;
}

/* The last line that gnuplot complained with. */
static void last_complaint(FILE *err, char *text, int capacity)
{
    char line[256];

    snprintf(text, (size_t)capacity, "no reason given");
    rewind(err);
    while (fgets(line, sizeof line, err) != NULL) {
        const char *const start = line + strspn(line, " \t\n");

        if (*start != '\0') {
            snprintf(text, (size_t)capacity, "%.*s", (int)strcspn(start, "\n"), start);
        }
    }
}

static bool judge(int status, FILE *err, const char *kind, struct rp_error *error)
{
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    char complaint[200];

    switch (code) {
    case 0:
        return true;
    case TOO_OLD:
        return rp_fail(
            error, RP_UNABLE,
            "gnuplot is older than 5.4; install a newer one and run `ridgepoint "
            "plot %s RUN`",
            kind);
    case NO_SVG:
        return rp_fail(error, RP_UNABLE,
                       "this gnuplot has no svg terminal; install another build (Debian: "
                       "gnuplot-nox) and run `ridgepoint plot %s RUN`",
                       kind);
    default:
        last_complaint(err, complaint, sizeof complaint);
        return rp_fail(
            error, RP_UNABLE,
            "gnuplot could not draw %s (%s); check that `gnuplot --version` works "
            "and says 5.4 or newer",
            kind, complaint);
    }
}

static bool read_all(struct rp_text *svg, FILE *out, const char *kind,
                     struct rp_error *error)
{
    char chunk[4096];
    size_t length;

    rewind(out);
    while ((length = fread(chunk, 1, sizeof chunk, out)) > 0) {
        rp_text_append(svg, chunk, length);
    }
    if (ferror(out) || svg->failed) {
        return rp_fail(error, RP_UNABLE, "cannot read back what gnuplot drew of %s: %s",
                       kind, svg->failed ? "out of memory" : strerror(errno));
    }
    return true;
}

bool rp_gnuplot(struct rp_text *svg, const struct rp_text *script, const char *kind,
                struct rp_error *error)
{
    struct streams streams;
    int status = 0;
    int spawn_error = 0;
    bool ok = open_streams(&streams, script, error);

    if (ok && !run(&streams, &status, &spawn_error)) {
        ok =
            spawn_error == ENOENT
                ? rp_fail(
                      error, RP_UNABLE,
                      "gnuplot is not on PATH; install gnuplot (Debian: gnuplot-nox) and "
                      "run `ridgepoint plot %s RUN`",
                      kind)
                : rp_fail(error, RP_UNABLE, "cannot run gnuplot for %s: %s", kind,
                          strerror(spawn_error));
    }
    ok = ok && judge(status, streams.err, kind, error) &&
         read_all(svg, streams.out, kind, error);
    close_streams(&streams);
    return ok;
}
