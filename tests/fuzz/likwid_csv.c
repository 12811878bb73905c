/* SPDX-License-Identifier: MIT */
/* Any bytes, taken for what likwid-perfctr wrote. Empty fields at the end of a line
 * change nothing of what is read. */
#include <stdlib.h>

#include "core/text.h"
#include "counts.h"
#include "roofline/likwid_csv.h"

static void pad(struct rp_text *padded, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n') {
            rp_text_append(padded, ",,", 2);
        }
        rp_text_append(padded, &text[i], 1);
    }
    must(!padded->failed, "there is memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rp_counted_list list = {0};
    struct rp_counted_list again = {0};
    struct rp_text padded = {0};
    char *const text = text_of(data, size);

    if (counts_read(&list, rp_likwid_csv_read, text, size)) {
        must_be_counts(&list);
        pad(&padded, text, size);
        must(counts_read(&again, rp_likwid_csv_read, padded.data, padded.length),
             "empty fields are no error");
        must_be_same_counts(&list, &again, 1);
    }
    for (size_t i = 0; i < list.count; i++) {
        must(list.counted[i].calls >= 1, "a region was entered");
    }
    rp_text_free(&padded);
    rp_counted_list_free(&again);
    rp_counted_list_free(&list);
    free(text);
    return 0;
}
