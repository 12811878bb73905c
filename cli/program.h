/* SPDX-License-Identifier: MIT */
/*
 * Other programs, run to their end or to the end of their time.
 */
#ifndef RP_CLI_PROGRAM_H
#define RP_CLI_PROGRAM_H

#include "core/error.h"
#include "core/text.h"

enum rp_program_end {
    RP_PROGRAM_ABSENT, /* there is none of this name on PATH */
    RP_PROGRAM_ENDED,
    RP_PROGRAM_KILLED, /* by a signal */
    RP_PROGRAM_LATE,   /* its time was over; it and what it had started were killed */
};

struct rp_program_result {
    enum rp_program_end end;
    int code; /* its exit code, when it ended */
};

/* Runs `arguments`, a list that ends with NULL, without input, and appends what it writes
 * to its output and its errors to `output`. Fails with RP_UNABLE when it cannot be
 * started though it is there. */
bool rp_program_run(char *const arguments[], double seconds, struct rp_text *output,
                    struct rp_program_result *result, struct rp_error *error);

#endif
