/* SPDX-License-Identifier: MIT */
/* What every target is made of: its entry point, and a way to say that something is
 * wrong. */
#ifndef RP_TESTS_FUZZ_PROPERTY_H
#define RP_TESTS_FUZZ_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* The name is libFuzzer's. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn void broken(const char *property);

/* Aborts with `property` on stderr unless it holds: in every kind of build, unlike
 * assert. */
static inline void must(bool holds, const char *property)
{
    if (!holds) {
        broken(property);
    }
}

/* A failure is a sentence for a terminal and one of the codes that main may end with. */
void must_explain(const struct rp_error *error);

/* A copy of the input with a NUL behind it; free it. */
char *text_of(const uint8_t *data, size_t size);

/* True for ASCII control characters, line breaks among them. */
bool is_control(char character);

#endif
