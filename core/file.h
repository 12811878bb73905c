/* SPDX-License-Identifier: MIT */
#ifndef RP_CORE_FILE_H
#define RP_CORE_FILE_H

#include "core/error.h"
#include "core/text.h"

/*
 * Writes `text` as the file `path`, through a neighbour that is renamed when it is whole:
 * an interruption or a full disk leaves the old file or none. What is no file, such as a
 * device, is never replaced. Fails with RP_UNABLE.
 */
bool rp_file_write(const char *path, const struct rp_text *text, struct rp_error *error);

#endif
