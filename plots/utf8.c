/* SPDX-License-Identifier: MIT */
#include "plots/utf8.h"

#include <stdbool.h>

size_t rp_utf8_length(const unsigned char *bytes)
{
    const size_t length = bytes[0] < 0x80                        ? 1
                          : bytes[0] >= 0xc2 && bytes[0] <= 0xdf ? 2
                          : bytes[0] >= 0xe0 && bytes[0] <= 0xef ? 3
                          : bytes[0] >= 0xf0 && bytes[0] <= 0xf4 ? 4
                                                                 : 0;

    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong =
        (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xf0 && bytes[1] < 0x90);
    const bool surrogate = bytes[0] == 0xed && bytes[1] >= 0xa0;
    const bool too_high = bytes[0] == 0xf4 && bytes[1] >= 0x90;
    const bool not_xml = bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe;

    return overlong || surrogate || too_high || not_xml ? 0 : length;
}
