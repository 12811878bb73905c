/* SPDX-License-Identifier: MIT */
/*
 * How a function says that it failed.
 *
 * A fallible function returns bool and takes a `struct rp_error *` last: true means done,
 * false means the error holds one sentence a user can act on (what, where, what to do)
 * and the exit code that main passes on. Nothing below main prints an error or exits.
 */
#ifndef RP_CORE_ERROR_H
#define RP_CORE_ERROR_H

#include <stdbool.h>

/* The exit codes of the program. */
enum rp_status {
    RP_OK = 0,                /* done */
    RP_NO = 1,                /* the answer is no: a check failed */
    RP_USAGE = 2,             /* wrong command line or malformed input file */
    RP_UNABLE = 3,            /* this machine cannot measure, draw or write it */
    RP_INTERRUPTED = 128 + 2, /* by SIGINT, as shells report it; what there is is kept */
    RP_TERMINATED = 128 + 15, /* by SIGTERM */
};

struct rp_error {
    enum rp_status status;
    char message[512];
};

/* Fills `error` from a printf format. Control characters, which a file may hold and a
 * terminal obeys, become '?'. Always returns false, so that a caller can write `return
 * rp_fail(...)`. */
bool rp_fail(struct rp_error *error, enum rp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
