/* SPDX-License-Identifier: MIT */
/* Any bytes, taken for what perf stat wrote. The same lines once more are the same
 * events, twice as many. */
#include <stdlib.h>

#include "core/text.h"
#include "counts.h"
#include "roofline/perf_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rp_counted_list list = {0};
    struct rp_counted_list again = {0};
    struct rp_text twice = {0};
    char *const text = text_of(data, size);

    if (counts_read(&list, rp_perf_json_read, text, size)) {
        must(list.count <= 1, "perf knows no regions");
        must_be_counts(&list);
        rp_text_append(&twice, text, size);
        rp_text_append(&twice, "\n", 1);
        rp_text_append(&twice, text, size);
        must(!twice.failed, "there is memory");
        must(counts_read(&again, rp_perf_json_read, twice.data, twice.length),
             "twice the lines are no error");
        must(list.count == again.count || again.count == 0, "regions are as many");
        if (list.count == again.count) {
            must_be_same_counts(&list, &again, 2);
        }
    }
    rp_text_free(&twice);
    rp_counted_list_free(&again);
    rp_counted_list_free(&list);
    free(text);
    return 0;
}
