/* SPDX-License-Identifier: MIT */
#include "probes/disturbance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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

static uint64_t stolen_ticks(unsigned cpu)
{
    char line[512];
    char name[16];
    uint64_t stolen = 0;
    FILE *const file = fopen("/proc/stat", "re");

    if (file == NULL) {
        return 0;
    }
    const int length = snprintf(name, sizeof name, "cpu%u ", cpu);
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "cpu", 3) == 0) {
        if (strncmp(line, name, (size_t)length) == 0) {
            stolen = number_in_column(line + length, STEAL_COLUMN);
            break;
        }
    }
    fclose(file);
    return stolen;
}

struct rp_disturbance rp_disturbance_read(unsigned cpu)
{
    struct rp_disturbance now = {.stolen_ticks = stolen_ticks(cpu)};
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        now.switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
    }
    return now;
}
