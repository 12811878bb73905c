/* SPDX-License-Identifier: MIT */
/*
 * Do the roofs hold? `check --roofs`, and the points of the roofs probe as a table.
 */
#ifndef RP_CLI_CHECK_ROOFS_H
#define RP_CLI_CHECK_ROOFS_H

#include "core/error.h"
#include "roofline/model.h"

/* Measures the roofs and the kernels that must trace them, and prints how near each
 * comes. Fails with RP_NO when they do not, and with RP_UNABLE when none could be judged.
 */
bool rp_check_roofs(struct rp_error *error);

/* Prints a row for each point of known intensity, and the conclusion; nothing when the
 * run has none. */
void rp_print_validation(const struct rp_model *model);

#endif
