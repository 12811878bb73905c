/* SPDX-License-Identifier: MIT */
/*
 * Names of control groups, which may tell whose a machine is, replaced in a capture.
 */
#ifndef RP_CORE_CAPTURE_GROUPS_H
#define RP_CORE_CAPTURE_GROUPS_H

#include <limits.h>
#include <stdbool.h>

#include "core/capture_parts.h"
#include "core/text.h"

#define RP_CAPTURE_GROUPS 64 /* more than any machine nests */

/* The names that were replaced, in the order in which they came. */
struct rp_capture_groups {
    char names[RP_CAPTURE_GROUPS][NAME_MAX + 1];
    unsigned count;
};

/* Appends a line of /proc/self/cgroup with other names: "4:memory:/a/b" becomes
 * "4:memory:/group0/group1". A name that tells a container keeps the word that does:
 * "docker.group1". False when it is no such line, or memory ran out. */
bool rp_capture_rename_groups(struct rp_capture_groups *groups, const char *line,
                              struct rp_text *renamed);

/* The path on the captured machine of what was asked for by replaced names. */
void rp_capture_original_path(const struct rp_capture_groups *groups, const char *path,
                              char original[RP_CAPTURE_PATH]);

#endif
