/* SPDX-License-Identifier: MIT */
/* The table of facts of a run from anywhere, read back. */
#include "hostile.h"
#include "roofline/report.h"
#include "telling.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hostile hostile;

    if (hostile_read(&hostile, data, size)) {
        struct rp_error error = {0};
        struct rp_text table = {0};

        must(rp_report_csv(&hostile.model, &table, &error), "every model has a table");
        must_be_table(table.data);
        rp_text_free(&table);
    }
    hostile_free(&hostile);
    return 0;
}
