/* SPDX-License-Identifier: MIT */
/*
 * What the files of the conditions share. Of the rest of core/, only the topology, whose
 * kinds of core are a condition, and the capture, which keeps the words that tell a
 * container, look in here.
 */
#ifndef RP_CORE_CONDITIONS_PARTS_H
#define RP_CORE_CONDITIONS_PARTS_H

#include "core/machine.h"
#include "core/system.h"

#define RP_CPU_FOLDER "/sys/devices/system/cpu"
#define RP_CPU_LIST   1024 /* "0,2,4,...": some systems have hundreds of CPUs */

/* Appends a condition with a printed text. The advice is the same everywhere. */
void rp_condition_found(struct rp_machine *machine, enum rp_severity severity,
                        const char *what_to_do, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads a line of the measured CPU's own folder in sysfs. */
bool rp_condition_cpu_line(const struct rp_machine *machine,
                           const struct rp_system *system, const char *file, char *line,
                           size_t capacity);

/* What is worth knowing about the kinds of core (conditions_kinds.c), which the machine
 * has already: which there are, and what was taken for one. */
struct rp_core_list;
void rp_condition_kinds(struct rp_machine *machine, const struct rp_core_list *list);

/* The word by which the path of a control group tells that it is a container's; NULL when
 * there is none. */
const char *rp_container_word(const char *group);

/* Looks for one condition, or for some that come from the same place. */
typedef void rp_condition_check(struct rp_machine *machine,
                                const struct rp_system *system);

/* The cores and their clock: conditions_cpu.c. */
rp_condition_check rp_check_level_cap;
rp_condition_check rp_check_governor;
rp_condition_check rp_check_turbo;
rp_condition_check rp_check_siblings;
rp_condition_check rp_check_steal;
rp_condition_check rp_check_counters;
rp_condition_check rp_check_mask;
rp_condition_check rp_check_offline;

/* Caches and memory: conditions_memory.c. */
rp_condition_check rp_check_caches;
rp_condition_check rp_check_memory_room;
rp_condition_check rp_check_memory_limit;
rp_condition_check rp_check_huge_pages;
rp_condition_check rp_check_numa_balancing;
rp_condition_check rp_check_page_merging;
rp_condition_check rp_check_access_sampling;

/* Who else has a say: conditions_neighbours.c. */
rp_condition_check rp_check_load;
rp_condition_check rp_check_quota;
rp_condition_check rp_check_power;
rp_condition_check rp_check_hypervisor;
rp_condition_check rp_check_container;

#endif
