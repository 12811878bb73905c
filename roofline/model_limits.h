/* SPDX-License-Identifier: MIT */
/*
 * What no core to date can exceed, in core cycles. A figure beyond is a defect of the
 * measurement; the bounds are generous, so that no real core is accused.
 *
 * Sources: Intel 64 and IA-32 Architectures Optimization Reference Manual (Golden Cove:
 * three 256-bit or two 512-bit loads a cycle, and two stores); AMD Software Optimization
 * Guide for family 1Ah (Zen 5: up to four loads a cycle, two of them of 512 bits, and two
 * stores).
 */
#ifndef RP_ROOFLINE_MODEL_LIMITS_H
#define RP_ROOFLINE_MODEL_LIMITS_H

#include "core/record.h"

/* No core has more than four pipes for vector instructions of one kind, at any width. */
#define RP_LEAST_CYCLES_PER_OPERATION 0.25

/* The least cycles that an item's loads and stores can take, by the vector width in the
 * kernel's name ("load-avx2"); 0 when the name tells none. */
double rp_least_cycles_for_traffic(const struct rp_record *record);

/* The least cycles that an item's busiest operation class can take; 0 without any. */
double rp_least_cycles_for_operations(const struct rp_record *record);

#endif
