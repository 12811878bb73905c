/* SPDX-License-Identifier: MIT */
#include "probes/company.h"

#include <math.h>

/* Readings of a core of its own vary by 2 %; with company they fall by a third or more.
 */
#define SHARED 0.93

void rp_company_note(struct rp_company *company, double nops_per_cycle)
{
    if (nops_per_cycle <= 0) {
        return;
    }
    company->latest[company->readings++ % RP_COMPANY_READINGS] = nops_per_cycle;
    if (company->readings < RP_COMPANY_READINGS) {
        return;
    }
    double least = company->latest[0];

    for (int i = 1; i < RP_COMPANY_READINGS; i++) {
        least = fmin(least, company->latest[i]);
    }
    company->alone = fmax(company->alone, least);
}

bool rp_company_is_there(const struct rp_company *company, double nops_per_cycle)
{
    return nops_per_cycle < SHARED * company->alone;
}
