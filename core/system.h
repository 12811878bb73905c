/* SPDX-License-Identifier: MIT */
/*
 * What procfs, sysfs and the control groups say. Every path is taken below `root`, "" for
 * the running system, so that tests can lay out a system of their own.
 */
#ifndef RP_CORE_SYSTEM_H
#define RP_CORE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the first line of a file, without its end. False and "" when there is none. */
bool rp_system_line(const char *root, const char *path, char *line, size_t capacity);

/* Reads a file that holds one whole number; false for anything else, such as "max". */
bool rp_system_count(const char *root, const char *path, uint64_t *count);

/* Reads the rest of the line that starts with `key`, without leading blanks. */
bool rp_system_field(const char *root, const char *path, const char *key, char *value,
                     size_t capacity);

/* Number of CPUs in a list such as "0-3,8"; 0 when it is none. */
unsigned rp_system_list_count(const char *list);

/* The control groups of this process for one controller, from the innermost outwards. */
struct rp_cgroup {
    char directory[512]; /* below the root */
    size_t mount_length; /* of the part of `directory` that is the mount point */
    bool unified;        /* version 2, whose file names differ */
    bool done;
};

void rp_cgroup_start(struct rp_cgroup *group, const char *root, const char *controller);
/* Moves outwards; false after the outermost. Call it before reading the first. */
bool rp_cgroup_next(struct rp_cgroup *group);

/* CPUs' worth of time that a group of the "cpu" controller grants; false without a limit.
 */
bool rp_cgroup_quota(const char *root, const struct rp_cgroup *group, double *cpus);

/* Bytes of memory that can be had now: what the kernel calls available, or what the
 * tightest control group leaves when that is less, which sets `limited`. 0 when unknown.
 */
size_t rp_system_memory(const char *root, bool *limited);

#endif
