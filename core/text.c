/* SPDX-License-Identifier: MIT */
#include "core/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Units of size, largest first. "KB" is left out: it means 1000 to some and 1024 to
 * others. */
static const struct {
    const char *name;
    const char *letter;
    size_t bytes;
} size_units[] = {
    {"TiB", "T", RP_GIB << 10}, {"GiB", "G", RP_GIB}, {"MiB", "M", RP_MIB},
    {"KiB", "K", RP_KIB},       {"B", "", 1},
};

#define SIZE_UNITS (sizeof size_units / sizeof *size_units)

static const struct {
    const char *name;
    double seconds;
} time_units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}};

#define TIME_UNITS (sizeof time_units / sizeof *time_units)

/* Reads digits from `*text` on and moves it past them; false when there are none or the
 * number does not fit. */
static bool read_digits(const char **text, uint64_t *value)
{
    const char *const start = *text;
    uint64_t sum = 0;

    for (; isdigit((unsigned char)**text); (*text)++) {
        if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(**text - '0'), &sum)) {
            return false;
        }
    }
    *value = sum;
    return *text != start;
}

/* Reads an optional decimal fraction: ".5" as 0.5; false for a point without digits. */
static bool read_fraction(const char **text, double *value)
{
    double place = 1;

    *value = 0;
    if (**text != '.') {
        return true;
    }
    (*text)++;
    const char *const start = *text;
    for (; isdigit((unsigned char)**text); (*text)++) {
        place /= 10;
        *value += place * (**text - '0');
    }
    return *text != start;
}

bool rp_parse_size(const char *text, size_t *bytes)
{
    uint64_t whole = 0;
    double fraction = 0;

    if (!read_digits(&text, &whole) || !read_fraction(&text, &fraction)) {
        return false;
    }
    if (*text == ' ' && text[1] != '\0') {
        text++; /* before a unit, and only there */
    }
    for (size_t i = 0; i < SIZE_UNITS; i++) {
        const size_t unit = size_units[i].bytes;
        size_t sum = 0;

        if (strcasecmp(text, size_units[i].name) != 0 &&
            strcasecmp(text, size_units[i].letter) != 0) {
            continue;
        }
        if ((fraction > 0 && unit == 1) || __builtin_mul_overflow(whole, unit, &sum) ||
            __builtin_add_overflow(sum, (size_t)llround(fraction * (double)unit), &sum)) {
            return false;
        }
        *bytes = sum;
        return true;
    }
    return false;
}

bool rp_parse_count(const char *text, uint64_t *count)
{
    uint64_t value = 0;

    if (!read_digits(&text, &value) || *text != '\0') {
        return false;
    }
    *count = value;
    return true;
}

bool rp_parse_seconds(const char *text, double *seconds)
{
    const char *const unit = text + strspn(text, "0123456789.");
    char *end = NULL;
    const double value = strtod(text, &end);

    if (unit == text ||
        end != unit) { /* strtod also reads signs, exponents and hexadecimal */
        return false;
    }
    for (size_t i = 0; i < TIME_UNITS; i++) {
        const double scaled = value * time_units[i].seconds;

        if (strcasecmp(unit, time_units[i].name) == 0 && isfinite(scaled) && scaled > 0) {
            *seconds = scaled;
            return true;
        }
    }
    return false;
}

const char *rp_size_text(size_t bytes, char text[RP_SIZE_TEXT])
{
    size_t unit = 0;

    /* What would round up to the next unit's 1 belongs to that unit. */
    while (unit + 1 < SIZE_UNITS &&
           (double)bytes < 0.99995 * (double)size_units[unit].bytes) {
        unit++;
    }
    const double value = round((double)bytes / (double)size_units[unit].bytes * 10) / 10;
    const int decimals = fabs(value - round(value)) < 0.05 ? 0 : 1;
    snprintf(text, RP_SIZE_TEXT, "%.*f %s", decimals, value, size_units[unit].name);
    return text;
}

void rp_slug(const char *name, char *slug, size_t capacity)
{
    size_t length = 0;

    for (; *name != '\0' && length + 1 < capacity; name++) {
        const unsigned char letter = (unsigned char)*name;

        if (letter < 0x80 && isalnum(letter)) {
            slug[length++] = (char)tolower(letter);
        } else if (length > 0 && slug[length - 1] != '-') {
            slug[length++] = '-';
        }
    }
    while (length > 0 && slug[length - 1] == '-') {
        length--;
    }
    if (capacity > 0) {
        slug[length] = '\0';
    }
}

bool rp_is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (iscntrl(*c) || (c[0] == 0xc2 && c[1] < 0xa0)) {
            return false;
        }
    }
    return true;
}

void rp_make_printable(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~') {
            *text = '?';
        }
    }
}

bool rp_matches(const char *pattern, const char *name)
{
    const char *star = NULL; /* the last '*' seen, and the text it has to swallow up to */
    const char *retry = NULL;

    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* Makes room for `extra` more characters and the end. */
static bool reserve(struct rp_text *text, size_t extra)
{
    const size_t needed = text->length + extra + 1;

    if (text->failed || needed <= text->capacity) {
        return !text->failed;
    }
    size_t capacity = text->capacity == 0 ? 256 : text->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *const data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void rp_text_print(struct rp_text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if (!reserve(text, (size_t)length)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void rp_text_append(struct rp_text *text, const char *data, size_t length)
{
    if (!reserve(text, length)) {
        return;
    }
    memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void rp_text_free(struct rp_text *text)
{
    free(text->data);
    *text = (struct rp_text){0};
}
