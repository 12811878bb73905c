/* SPDX-License-Identifier: MIT */
/*
 * Sizes, lists and names as people write them, and text that grows.
 */
#ifndef RP_CORE_TEXT_H
#define RP_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_KIB ((size_t)1 << 10)
#define RP_MIB ((size_t)1 << 20)
#define RP_GIB ((size_t)1 << 30)

/* Text for a size: "48 KiB", "1.5 MiB". Longest result with its end: 16 bytes. */
#define RP_SIZE_TEXT 16

/* Reads "4096", "16K", "16 KiB", "1.5MiB" or "1G" (powers of two, case-insensitive) into
 * `bytes`. False when the text is not a size, is negative, or does not fit. */
bool rp_parse_size(const char *text, size_t *bytes);

/* Reads a whole non-negative decimal number; false for anything else. */
bool rp_parse_count(const char *text, uint64_t *count);

/* Reads a duration "90", "90s", "250ms" or "4min" into `seconds`; false for anything else
 * and for what is not finite or not above zero. */
bool rp_parse_seconds(const char *text, double *seconds);

/* Writes `bytes` with the largest unit that keeps at most one decimal. Returns `text`. */
const char *rp_size_text(size_t bytes, char text[RP_SIZE_TEXT]);

/* Lower-case letters, digits and single dashes: a name fit for a path. */
void rp_slug(const char *name, char *slug, size_t capacity);

/* True when there is no control character in a text of UTF-8, so that a terminal shows it
 * and does nothing else: neither one of ASCII nor one of the 32 of U+0080 to U+009F. */
bool rp_is_plain(const char *text);

/* Puts a '?' in the place of every byte that is not printable ASCII: what firmware and
 * hypervisors call themselves may be anything. */
void rp_make_printable(char *text);

/* True when `name` matches `pattern`, where '*' stands for any run of characters. */
bool rp_matches(const char *pattern, const char *name);

/*
 * Text that grows as it is printed to. Start from {0}; free with rp_text_free. When
 * memory ran out `failed` is set, `data` stays valid, and later prints do nothing: check
 * once.
 */
struct rp_text {
    char *data; /* NUL-terminated, or NULL while empty */
    size_t length;
    size_t capacity;
    bool failed;
};

void rp_text_print(struct rp_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rp_text_append(struct rp_text *text, const char *data, size_t length);
void rp_text_free(struct rp_text *text);

#endif
