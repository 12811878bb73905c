/* SPDX-License-Identifier: MIT */
#include "core/text.h"
#include "roofline/peers.h"
#include "roofline/report_sections.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double gib(const struct rp_point *point)
{
    return point->items_per_s.value / (double)RP_GIB;
}

static void percent_cell(struct rp_document *document, double part, double whole)
{
    if (part > 0 && whole > 0) {
        rp_document_cell(document, "%.0f %%", 100 * part / whole);
    } else {
        rp_document_cell(document, "–");
    }
}

static void kernel_row(const struct rp_model *model, const struct rp_peer_table *table,
                       const struct rp_point *point, struct rp_document *document)
{
    const double cycles = point->cycles_per_item.value;
    char size[RP_SIZE_TEXT];

    rp_document_cell(document, "%s", rp_size_text(point->working_set_bytes, size));
    rp_document_cell(document, "%s", point->kernel);
    rp_document_cell(document, "%s",
                     rp_is_peer(point)             ? point->library
                     : point == table->fastest_own ? "Ridgepoint, its fastest"
                                                   : "Ridgepoint");
    rp_document_cell(document, "%.3f", gib(point));
    if (cycles > 0) {
        rp_document_cell(document, "%.4f", cycles);
    } else {
        rp_document_cell(document, "–");
    }
    rp_document_cell(document, "%.2f",
                     point->items_per_s.value / table->fastest_peer->items_per_s.value);
    percent_cell(document, table->ceiling_cycles_per_byte, cycles);
    rp_document_cell(document, "%s",
                     rp_report_remark(model, point->verdict, point->record_id));
    rp_document_cell(document, "%llu", (unsigned long long)point->record_id);
}

/* One line for each family and size. */
static void result_item(const struct rp_peer_table *table, struct rp_document *document)
{
    const struct rp_point *const peer = table->fastest_peer;
    const struct rp_point *const own = table->fastest_own;
    char size[RP_SIZE_TEXT];

    rp_size_text(table->working_set_bytes, size);
    if (own != NULL) {
        rp_document_item(document,
                         "%s at %s: %s with %.2f GiB/s is %.2f x as fast as the fastest "
                         "peer, %s with %.2f GiB/s",
                         table->work, size, own->variant, gib(own),
                         own->items_per_s.value / peer->items_per_s.value, peer->library,
                         gib(peer));
    } else {
        rp_document_item(document,
                         "%s at %s: the fastest peer is %s with %.2f GiB/s; the run "
                         "holds no kernel of Ridgepoint's there",
                         table->work, size, peer->library, gib(peer));
    }
}

static void section_opening(const struct rp_model *model, struct rp_document *document)
{
    rp_document_heading(document, 2, "Beside other libraries");
    rp_document_list(document);
    for (struct rp_peer_table table = {0}; rp_next_peer_table(model, &table);) {
        result_item(&table, document);
    }
    rp_document_list_end(document);
    rp_document_paragraph(
        document,
        "The same work, measured in the same way in the same run: plain stores, a "
        "message as long as the working set has room for (half of it), keys and objects "
        "made once, counter or nonce set for each message. Fastest is the highest "
        "median, where a disturbed one counts with the low end of its interval. The "
        "ceiling is all rounds of the cipher at the measured throughput of the AES "
        "instruction that encrypts most; a kernel that takes rounds from a table can "
        "exceed it.");
}

void rp_report_peers(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"working set", true},
        {"kernel", false},
        {"of", false},
        {"GiB/s", true},
        {"cycles/byte", true},
        {"x the fastest peer", true},
        {"of the AES-unit ceiling", true},
        {"verdict", false},
        {"record", true},
    };
    struct rp_peer_table table = {0};

    if (!rp_next_peer_table(model, &table)) {
        return;
    }
    section_opening(model, document);
    rp_document_table(document, columns, COUNT(columns));
    do {
        for (size_t i = 0; i < table.count; i++) {
            kernel_row(model, &table, table.points[i], document);
        }
    } while (rp_next_peer_table(model, &table));
    rp_document_table_end(document);
}
