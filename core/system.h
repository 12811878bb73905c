/* SPDX-License-Identifier: MIT */
/*
 * What procfs, sysfs and the control groups say, here or where they were laid out as
 * files: by a test, or by a capture of another machine.
 */
#ifndef RP_CORE_SYSTEM_H
#define RP_CORE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the paths lie. */
struct rp_system {
    const char
        *root; /* the folder that holds /proc and /sys; "" for the running system */
    const char *later; /* the same a moment later, for what changes; NULL: not known */
    unsigned pause_ms; /* how long that moment is to be waited for */

    /* Told before something is read below `folder`, which is one of the two above: the
     * line of the file `path` that starts with `key`, or, with key NULL, whether `path`
     * exists, and its names if it is a folder. May put it there. NULL: nobody is told. */
    void (*fetch)(void *context, const char *folder, const char *path, const char *key);
    void *context;
};

/* The running system. */
extern const struct rp_system rp_system_running;

/* Waits, and says where the system of then is read. False when that is not known. */
bool rp_system_wait(const struct rp_system *system, struct rp_system *later);

bool rp_system_exists(const struct rp_system *system, const char *path);

/* The name at `index`, from 0, in the alphabetical list of what lies in a folder and is
 * not hidden; false past the last. */
bool rp_system_name(const struct rp_system *system, const char *folder, unsigned index,
                    char *name, size_t capacity);

/* Reads the first line of a file, without its end. False and "" when there is none. */
bool rp_system_line(const struct rp_system *system, const char *path, char *line,
                    size_t capacity);

/* Reads a file that holds one whole number; false for anything else, such as "max". */
bool rp_system_count(const struct rp_system *system, const char *path, uint64_t *count);

/* Reads the rest of the line that starts with `key`, without leading blanks. */
bool rp_system_field(const struct rp_system *system, const char *path, const char *key,
                     char *value, size_t capacity);

/* Number of CPUs in a list such as "0-3,8"; 0 when it is none. */
unsigned rp_system_list_count(const char *list);

/* Moves `cpu` to the first of the list that is not below it; false past the last. */
bool rp_system_list_next(const char *list, unsigned *cpu);

/* The control groups of this process for one controller, from the innermost outwards. */
struct rp_cgroup {
    char directory[512]; /* below the root */
    size_t mount_length; /* of the part of `directory` that is the mount point */
    bool unified;        /* version 2, whose file names differ */
    bool done;
};

void rp_cgroup_start(struct rp_cgroup *group, const struct rp_system *system,
                     const char *controller);
/* Moves outwards; false after the outermost. Call it before reading the first. */
bool rp_cgroup_next(struct rp_cgroup *group);

/* CPUs' worth of time that a group of the "cpu" controller grants; false without a limit.
 */
bool rp_cgroup_quota(const struct rp_system *system, const struct rp_cgroup *group,
                     double *cpus);

/* Bytes of memory that can be had now: what the kernel calls available, or what the
 * tightest control group leaves when that is less, which sets `limited`. 0 when unknown.
 */
size_t rp_system_memory(const struct rp_system *system, bool *limited);

#endif
