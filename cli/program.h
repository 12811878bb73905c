/* SPDX-License-Identifier: MIT */
/*
 * Other programs, run to their end or to the end of their time.
 */
#ifndef RP_CLI_PROGRAM_H
#define RP_CLI_PROGRAM_H

#include "core/error.h"
#include "core/interrupt.h"

enum rp_program_end {
    RP_PROGRAM_ABSENT, /* there is none of this name on PATH */
    RP_PROGRAM_ENDED,
    RP_PROGRAM_KILLED,  /* by a signal */
    RP_PROGRAM_LATE,    /* its time was over; it and what it had started were ended */
    RP_PROGRAM_STOPPED, /* a signal that is held back asked for it */
};

struct rp_program_result {
    enum rp_program_end end;
    int code; /* its exit code, when it ended */
};

/*
 * Runs `arguments`, which end with NULL, without input and with output and errors
 * into the file `output` (a descriptor). It is ended after `seconds`, or, with all that
 * it started, when a signal arrives that `interrupt` holds back (NULL: none is), which
 * stays to be asked for.
 *
 * Fails with RP_UNABLE when it cannot be started though it is there.
 */
bool rp_program_run(const char *const arguments[], double seconds, int output,
                    const struct rp_interrupt *interrupt,
                    struct rp_program_result *result, struct rp_error *error);

#endif
