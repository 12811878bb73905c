/* SPDX-License-Identifier: MIT */
/* Names come from firmware and files; an SVG with one malformed byte is no SVG. */
#ifndef RP_PLOTS_UTF8_H
#define RP_PLOTS_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed UTF-8 sequence at `bytes`, NUL-terminated; 0 when there is
 * none or one for U+FFFE or U+FFFF, which XML has not. */
size_t rp_utf8_length(const unsigned char *bytes);

#endif
