/* SPDX-License-Identifier: MIT */
/* cmocka wants these headers first, in this order. */
#ifndef RP_TESTS_UNIT_UNIT_H
#define RP_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Passes when `text` holds `part`; prints both when not. */
#define assert_contains(text, part)                                                      \
    do {                                                                                 \
        if (strstr((text), (part)) == NULL) {                                            \
            fail_msg("\"%s\" does not contain \"%s\"", (text), (part));                  \
        }                                                                                \
    } while (0)

#endif
