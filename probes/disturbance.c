/* SPDX-License-Identifier: MIT */
#include "probes/disturbance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/text.h"

#define STEAL_COLUMN 8 /* user, nice, system, idle, iowait, irq, softirq, steal */

static uint64_t number_in_column(const char *columns, int column)
{
    char *end = NULL;
    uint64_t number = 0;

    for (int i = 0; i < column; i++) {
        number = strtoull(columns, &end, 10);
        if (end == columns) {
            return 0; /* older kernels have fewer columns */
        }
        columns = end;
    }
    return number;
}

static uint64_t stolen_ticks(const struct rp_disturbance_watch *watch)
{
    char key[16];
    char columns[256];

    snprintf(key, sizeof key, "cpu%u ", watch->cpu);
    return rp_system_field(&watch->system, "/proc/stat", key, columns, sizeof columns)
               ? number_in_column(columns, STEAL_COLUMN)
               : 0;
}

static uint64_t throttled(const struct rp_disturbance_watch *watch)
{
    uint64_t sum = 0;
    uint64_t times = 0;
    char text[32];

    for (unsigned i = 0; i < watch->quota_count; i++) {
        if (rp_system_field(&watch->system, watch->quotas[i], "nr_throttled", text,
                            sizeof text) &&
            rp_parse_count(text, &times)) {
            sum += times;
        }
    }
    return sum;
}

void rp_disturbance_watch(struct rp_disturbance_watch *watch, const char *root,
                          unsigned cpu)
{
    struct rp_cgroup group;
    double cpus = 0;

    *watch = (struct rp_disturbance_watch){.system = {.root = root}, .cpu = cpu};
    rp_cgroup_start(&group, &watch->system, "cpu");
    while (rp_cgroup_next(&group) && watch->quota_count < RP_MOST_QUOTAS) {
        if (rp_cgroup_quota(&watch->system, &group, &cpus)) {
            snprintf(watch->quotas[watch->quota_count++], sizeof watch->quotas[0],
                     "%s/cpu.stat", group.directory);
        }
    }
}

uint64_t rp_disturbance_switches(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0
               ? (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw
               : 0;
}

struct rp_disturbance rp_disturbance_read(const struct rp_disturbance_watch *watch)
{
    return (struct rp_disturbance){
        .stolen_ticks = stolen_ticks(watch),
        .throttled = throttled(watch),
        .switches = rp_disturbance_switches(),
    };
}
