/* SPDX-License-Identifier: MIT */
#include "core/work.h"

#include <math.h>
#include <string.h>

static const char *const mode_names[RP_MODE_COUNT] = {
    [RP_MODE_NONE] = "none",
    [RP_MODE_TEMPORAL] = "temporal",
    [RP_MODE_NT] = "nt",
    [RP_MODE_INPLACE] = "inplace",
};

static const struct {
    const char *name;
    struct rp_traffic share; /* per payload byte */
} mixes[] = {
    {"load", {.load = 1}},
    {"store", {.store = 1}},
    {"store-nt", {.store_nt = 1}},
    {"copy", {.load = 0.5, .store = 0.5}},
    {"copy-nt", {.load = 0.5, .store_nt = 0.5}},
    {"update", {.load = 0.5, .store = 0.5, .rmw = 0.5}},
};

const char *rp_mode_name(enum rp_mode mode)
{
    return mode_names[mode];
}

bool rp_mode_parse(const char *name, enum rp_mode *mode)
{
    for (int i = 0; i < RP_MODE_COUNT; i++) {
        if (strcmp(name, mode_names[i]) == 0) {
            *mode = (enum rp_mode)i;
            return true;
        }
    }
    return false;
}

double rp_payload_bytes(const struct rp_traffic *traffic)
{
    return traffic->load + traffic->store + traffic->store_nt;
}

double rp_bus_bytes(const struct rp_traffic *traffic)
{
    return rp_payload_bytes(traffic) + traffic->store - traffic->rmw;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

const char *rp_mix_name(const struct rp_traffic *traffic)
{
    const double payload = rp_payload_bytes(traffic);

    if (!(payload > 0)) {
        return "other";
    }
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        if (near(traffic->load / payload, mixes[i].share.load) &&
            near(traffic->store / payload, mixes[i].share.store) &&
            near(traffic->store_nt / payload, mixes[i].share.store_nt) &&
            near(traffic->rmw / payload, mixes[i].share.rmw)) {
            return mixes[i].name;
        }
    }
    return "other";
}
