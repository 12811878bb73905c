/* SPDX-License-Identifier: MIT */
#include "core/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

bool rp_fail(struct rp_error *error, enum rp_status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    for (char *c = error->message; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
    return false;
}
