/* SPDX-License-Identifier: MIT */
#include "property.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void broken(const char *property)
{
    fprintf(stderr, "does not hold: %s\n", property);
    abort();
}

bool is_control(char character)
{
    return (unsigned char)character < ' ' || character == 0x7f;
}

void must_explain(const struct rp_error *error)
{
    must(error->status == RP_USAGE || error->status == RP_UNABLE,
         "an error has an exit code");
    must(error->message[0] != '\0', "an error has a message");
    for (const char *c = error->message; *c != '\0'; c++) {
        must(!is_control(*c), "a message leaves the terminal alone");
    }
}

char *text_of(const uint8_t *data, size_t size)
{
    char *const text = calloc(1, size + 1);

    must(text != NULL, "there is memory");
    if (size > 0) {
        memcpy(text, data, size);
    }
    return text;
}
