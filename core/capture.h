/* SPDX-License-Identifier: MIT */
/*
 * A machine in a folder: all that the program reads of a machine to describe it, copied,
 * so that the description can be repeated anywhere.
 *
 *     manifest.json   format, program, rate of the time stamp counter
 *     topology.xml    hwloc's
 *     cpuid.txt       the CPUID leaves and extended control registers that were read
 *     root/...        the lines of files in /proc, /sys and elsewhere that were read
 *     later/...       the same a moment later, where a difference is asked for
 *     machine.json    what was made of it, as in a run file
 *
 * Only what is read is copied, line by line; host name, serial numbers and addresses are
 * not among it. Names of control groups, which may tell whose the machine is, are
 * replaced. The description is made from the copy, so that a replay cannot differ.
 */
#ifndef RP_CORE_CAPTURE_H
#define RP_CORE_CAPTURE_H

#include <stdbool.h>

#include "core/error.h"
#include "core/machine.h"

/* Captures the machine that the program runs on. `folder` is made; it may exist if it is
 * empty (RP_USAGE when not). `program` is a version for the manifest, `tsc_hz` the
 * measured rate, `level` the cap for rp_cpu_detect. */
bool rp_capture_write(const char *folder, const char *program, double tsc_hz,
                      const char *level, struct rp_error *error);

/* Describes a captured machine. RP_USAGE when `folder` is no capture. */
bool rp_capture_read(struct rp_machine *machine, const char *folder, const char *level,
                     struct rp_error *error);

#endif
