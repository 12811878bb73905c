/* SPDX-License-Identifier: MIT */
/* What the report says against its own numbers. */
#include "roofline/report_sections.h"

#include "core/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const level_remarks[] = {
    [RP_LEVEL_UNSEEN] = "stated; no curve passes its end",
    [RP_LEVEL_NO_STEP] = "stated; no step seen in the curve",
    [RP_LEVEL_CONFIRMED] = "stated; the curve agrees",
    [RP_LEVEL_DIFFERS] = "differs: the measured size is used",
    [RP_LEVEL_UNCLEAR] = "the curves disagree: the stated size is used",
    [RP_LEVEL_UNSTATED] = "measured, unconfirmed: the system states no such cache",
};

static void size_cell(struct rp_document *document, size_t bytes)
{
    char size[RP_SIZE_TEXT];

    rp_document_cell(document, "%s", bytes > 0 ? rp_size_text(bytes, size) : "–");
}

static void level_row(const struct rp_model *model, unsigned level,
                      struct rp_document *document)
{
    const struct rp_level_check *const check = &model->levels[level];
    char least[RP_SIZE_TEXT];
    char most[RP_SIZE_TEXT];

    rp_document_cell(document, "%s", check->name);
    size_cell(document, check->stated_bytes);
    if (check->most_bytes > 0) {
        rp_document_cell(document, "%s to %s", rp_size_text(check->least_bytes, least),
                         rp_size_text(check->most_bytes, most));
        rp_document_cell(document, "%s, records %llu and %llu", check->mix,
                         (unsigned long long)check->record_ids[0],
                         (unsigned long long)check->record_ids[1]);
    } else {
        rp_document_cell(document, "–");
        rp_document_cell(document, "–");
    }
    size_cell(document, model->run->machine.levels[level].size_bytes);
    rp_document_cell(document, "%u", model->run->machine.levels[level].shared_by);
    rp_document_cell(document, "%s", level_remarks[check->verdict]);
}

void rp_report_levels(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"cache", false},    {"stated", true}, {"measured", true},
        {"shown by", false}, {"used", true},   {"shared by, cores", true},
        {"remark", false},
    };

    rp_document_heading(document, 2, "Cache sizes");
    if (model->level_count == 0) {
        rp_document_paragraph(document,
                              "The system states no caches, and no curve shows one.");
        return;
    }
    rp_document_paragraph(
        document, "What the system states, and the two working sets between which the "
                  "measured bandwidth has fallen half way to the next level. Where they "
                  "differ by more than 25 %, the roofs and points of this report go by "
                  "what was measured. One thread may find less of a shared cache than "
                  "there is.");
    rp_document_table(document, columns, COUNT(columns));
    for (unsigned level = 0; level < model->level_count; level++) {
        level_row(model, level, document);
    }
    rp_document_table_end(document);
}

void rp_report_flags(const struct rp_model *model, struct rp_document *document)
{
    static const struct rp_column columns[] = {
        {"where", false},      {"what", false},  {"likely cause", false},
        {"what to do", false}, {"record", true},
    };

    if (model->flag_count == 0) {
        return;
    }
    rp_document_paragraph(document,
                          "Hard to believe, and no result until explained; drawn hollow "
                          "in the figures:");
    rp_document_table(document, columns, COUNT(columns));
    for (size_t i = 0; i < model->flag_count && i < RP_MOST_LISTED; i++) {
        const struct rp_flag *const flag = &model->flags[i];
        rp_document_cell(document, "%s", flag->where);
        rp_document_cell(document, "%s", flag->what);
        rp_document_cell(document, "%s", flag->cause);
        rp_document_cell(document, "%s", flag->what_to_do);
        if (flag->record_id > 0) {
            rp_document_cell(document, "%llu", (unsigned long long)flag->record_id);
        } else {
            rp_document_cell(document, "–");
        }
    }
    rp_document_table_end(document);
    if (model->flag_count > RP_MOST_LISTED) {
        struct rp_text text = {0};
        rp_text_print(&text, "And %zu more, in model.json.",
                      model->flag_count - RP_MOST_LISTED);
        rp_document_paragraph(document, text.data ? text.data : "");
        rp_text_free(&text);
    }
}
