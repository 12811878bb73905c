/* SPDX-License-Identifier: MIT */
#include "roofline/model_limits.h"

#include <math.h>
#include <string.h>

/* By the part of a stream kernel's name that tells its vector width. */
static const struct {
    const char *isa;
    double load_bytes;  /* per cycle */
    double store_bytes; /* per cycle */
} limits[] = {
    {"-sse2", 4 * 16, 2 * 16},
    {"-avx2", 3 * 32, 2 * 32},
    {"-avx512", 2 * 64, 2 * 64},
};

double rp_least_cycles_for_traffic(const struct rp_record *record)
{
    const struct rp_traffic *const traffic = &record->traffic;

    if (strcmp(record->family, "stream") != 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strstr(record->kernel, limits[i].isa) != NULL) {
            return fmax(traffic->load / limits[i].load_bytes,
                        (traffic->store + traffic->store_nt) / limits[i].store_bytes);
        }
    }
    return 0;
}

double rp_least_cycles_for_operations(const struct rp_record *record)
{
    double most = 0;

    for (size_t i = 0; i < RP_MAX_OPERATIONS; i++) {
        most = fmax(most, record->operations[i].per_item);
    }
    return most * RP_LEAST_CYCLES_PER_OPERATION;
}
