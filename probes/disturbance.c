/* SPDX-License-Identifier: MIT */
#include "probes/disturbance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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
            sscanf(line + length, "%*s %*s %*s %*s %*s %*s %*s %" SCNu64, &stolen);
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
