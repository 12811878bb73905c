/* SPDX-License-Identifier: MIT */
/* The test vectors of Project Wycheproof (wycheproof/NOTICE). */
#ifndef TEST_WYCHEPROOF_H
#define TEST_WYCHEPROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WYCHEPROOF_MOST_BYTES 1024

struct wycheproof_bytes {
    uint8_t data[WYCHEPROOF_MOST_BYTES];
    size_t count;
};

struct wycheproof_vector {
    unsigned id;         /* tcId */
    const char *comment; /* the file's */
    struct wycheproof_bytes key;
    struct wycheproof_bytes nonce; /* iv */
    struct wycheproof_bytes additional;
    struct wycheproof_bytes plain;
    struct wycheproof_bytes cipher;
    struct wycheproof_bytes tag;
    bool valid;
};

/* Calls `check` for every vector of a file in the folder and fails the test when it
 * cannot be read, has other than so many, or as many as it says. What a vector lacks is
 * empty. */
void wycheproof_each(const char *name, size_t count,
                     void (*check)(const struct wycheproof_vector *vector));

#endif
