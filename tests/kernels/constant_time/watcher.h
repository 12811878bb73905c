/* SPDX-License-Identifier: MIT */
/*
 * A tool that follows undefined bytes through a program, and reports when a branch or an
 * address depends on one: secret is what it is told to be undefined. Valgrind's memcheck
 * does so for a program as it is, clang's MemorySanitizer for one that it compiled.
 */
#ifndef TEST_WATCHER_H
#define TEST_WATCHER_H

#include <stdbool.h>
#include <stddef.h>

/* How a process ends in which MemorySanitizer reports something. */
#define WATCHER_REPORTED 99

/* False when no tool watches this process; `why` says what to do. */
bool watcher_present(const char **why);

void watcher_make_secret(void *bytes, size_t count);
void watcher_make_public(void *bytes, size_t count);

/* True when every byte depends on a secret. */
bool watcher_all_secret(const void *bytes, size_t count);

/* True when this process has been reported for something. */
bool watcher_reported(void);

#endif
