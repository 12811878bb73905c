/* SPDX-License-Identifier: MIT */
/* A temporary folder for a test to lay files out in. */
#ifndef RP_TESTS_UNIT_SCRATCH_H
#define RP_TESTS_UNIT_SCRATCH_H

#include <stddef.h>

/* cmocka set-up and tear-down: *state is the path of a new folder, which is removed
 * again. */
int scratch_make(void **state);
int scratch_remove(void **state);

/* The path of `name` in the folder; valid until the next call. */
const char *scratch_path(const char *folder, const char *name);

/* Writes a file, with the folders on the way to it. */
void scratch_write(const char *folder, const char *name, const char *text);

/* The contents of a file, NUL-terminated; free it. */
char *scratch_read(const char *folder, const char *name, size_t *length);

#endif
