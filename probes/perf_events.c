/* SPDX-License-Identifier: MIT */
#include "probes/perf_events.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct event {
    unsigned code;
    unsigned mask;
    const char *name;
};

struct group {
    const char *architectures; /* with blanks around each */
    const char *name;
    struct event events[RP_PERF_EVENTS]; /* ends at the first without a name */
};

#define ZEN   " zen2 zen3 zen4 zen4c zen5 "
#define ZEN4  " zen4 zen4c zen5 "
#define LAKES " skylakeX CLX ICX "
#define INTEL " skylakeX CLX ICX SPR "

/* Names, codes and masks as in likwid's lists, src/includes/perfmon_*_events.txt there
 * (of 5.2.2 for zen2, zen3, skylakeX, CLX and ICX, of later ones for the others). Codes
 * and masks of Intel's instructions and cycles are those of its architectural events,
 * which Linux finds the fixed counters by. SPR has no write-backs of the L1 in them.
 *
 * What lies outside of the cores is left to likwid: a guest has none of it, and perf
 * counts it for everything that runs, not for a process. */
// clang-format off
static const struct group groups[] = {
    {ZEN, "RP_CORE", {{0x76, 0x00, "CPU_CLOCKS_UNHALTED"},
                      {0xc1, 0x00, "RETIRED_UOPS"},
                      {0x29, 0x01, "LS_DISPATCH_LOADS"},
                      {0x29, 0x02, "LS_DISPATCH_STORES"}}},
    {" zen2 ", "RP_L1FILL", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                             {0x43, 0x5b, "DATA_CACHE_REFILLS_ALL"},
                             {0x5a, 0x5b, "HWPREF_DATA_CACHE_FILLS_ALL"}}},
    {" zen3 ", "RP_L1FILL", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                             {0x44, 0x5f, "L1_DC_REFILLS_ALL"}}},
    {ZEN4, "RP_L1FILL", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                         {0x44, 0xdf, "ANY_DATA_CACHE_FILLS_ALL"}}},
    {" zen2 ", "RP_L3", {{0x64, 0x08, "CORE_TO_L2_CACHE_REQUESTS_LD_READ_BLK_C"},
                         {0x64, 0x01, "CORE_TO_L2_CACHE_REQUESTS_IC_FILL_MISS"},
                         {0x71, 0x1f, "L2_PF_HIT_IN_L3"},
                         {0x72, 0x1f, "L2_PF_MISS_IN_L3"}}},
    {" zen3 zen4 zen4c ", "RP_L3", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                                    {0x64, 0x09, "CORE_TO_L2_CACHE_REQUESTS_MISSES"},
                                    {0x71, 0xff, "L2_PF_HIT_IN_L3"},
                                    {0x72, 0xff, "L2_PF_MISS_IN_L3"}}},
    {" zen5 ", "RP_L3", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                         {0x64, 0x09, "CORE_TO_L2_CACHE_REQUESTS_MISSES"},
                         {0x71, 0xff, "L2_PF_HIT_IN_L3_ALL"},
                         {0x72, 0xff, "L2_PF_MISS_IN_L3_ALL"}}},
    {ZEN4, "RP_CRYPTO", {{0xc0, 0x00, "RETIRED_INSTRUCTIONS"},
                         {0x76, 0x00, "CPU_CLOCKS_UNHALTED"},
                         {0x0b, 0x50, "RETIRED_INT_OPS_SSE_AVX_AES"},
                         {0x0d, 0x05, "RETIRED_PACKED_INT_OPS_INT128_AES"}}},
    {INTEL, "RP_CORE", {{0xc0, 0x00, "INSTR_RETIRED_ANY"},
                        {0x3c, 0x00, "CPU_CLK_UNHALTED_CORE"},
                        {0xd0, 0x81, "MEM_INST_RETIRED_ALL_LOADS"},
                        {0xd0, 0x82, "MEM_INST_RETIRED_ALL_STORES"}}},
    {LAKES, "RP_L2", {{0xc0, 0x00, "INSTR_RETIRED_ANY"},
                      {0x51, 0x01, "L1D_REPLACEMENT"},
                      {0xf0, 0x10, "L2_TRANS_L1D_WB"},
                      {0x24, 0xe2, "L2_RQSTS_ALL_RFO"}}},
    {" SPR ", "RP_L2", {{0xc0, 0x00, "INSTR_RETIRED_ANY"},
                        {0x51, 0x01, "L1D_REPLACEMENT"},
                        {0x24, 0xe2, "L2_RQSTS_ALL_RFO"}}},
    {LAKES, "RP_L3", {{0xc0, 0x00, "INSTR_RETIRED_ANY"},
                      {0xf1, 0x1f, "L2_LINES_IN_ALL"},
                      {0xf2, 0x02, "L2_LINES_OUT_NON_SILENT"},
                      {0xf2, 0x01, "L2_LINES_OUT_SILENT"}}},
    {" SPR ", "RP_L3", {{0xc0, 0x00, "INSTR_RETIRED_ANY"},
                        {0x25, 0x1f, "L2_LINES_IN_ALL"},
                        {0x26, 0x02, "L2_LINES_OUT_NON_SILENT"},
                        {0x26, 0x01, "L2_LINES_OUT_SILENT"}}},
};
// clang-format on

static const struct group *find(const char *architecture, const char *name)
{
    char word[32];

    snprintf(word, sizeof word, " %s ", architecture);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(groups[i].name, name) == 0 &&
            strstr(groups[i].architectures, word) != NULL) {
            return &groups[i];
        }
    }
    return NULL;
}

bool rp_perf_counts(const char *architecture, const char *group)
{
    return find(architecture, group) != NULL;
}

const char *rp_perf_events(const char *architecture, const char *group,
                           char text[RP_PERF_EVENTS_BYTES])
{
    const struct group *const found = find(architecture, group);
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0;
         found != NULL && i < RP_PERF_EVENTS && found->events[i].name != NULL; i++) {
        const struct event *const event = &found->events[i];

        length +=
            (size_t)snprintf(text + length, RP_PERF_EVENTS_BYTES - length,
                             "%scpu/event=0x%x,umask=0x%x,name=%s/u", i > 0 ? "," : "",
                             event->code, event->mask, event->name);
    }
    return text;
}
