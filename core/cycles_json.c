/* SPDX-License-Identifier: MIT */
#include "core/cycles.h"

#include "core/fields.h"

#define TRIAL(member, kind, required)                                                    \
    RP_FIELD(struct rp_cycle_trial, member, kind, required)
static const struct rp_field trial_fields[] = {
    TRIAL(name, RP_FIELD_TEXT, true),  TRIAL(accepted, RP_FIELD_FLAG, false),
    TRIAL(used, RP_FIELD_FLAG, false), TRIAL(ratio, RP_FIELD_REAL, false),
    TRIAL(text, RP_FIELD_TEXT, false),
};

#define FIELD_COUNT (sizeof trial_fields / sizeof *trial_fields)

json_t *rp_cycle_trials_to_json(const struct rp_cycle_trial *trials, unsigned count)
{
    json_t *const array = json_array();
    bool done = array != NULL;

    for (unsigned i = 0; done && i < count; i++) {
        json_t *const row = json_object();

        done = row != NULL &&
               rp_fields_write(row, trial_fields, FIELD_COUNT, &trials[i]) &&
               json_array_append(array, row) == 0;
        json_decref(row);
    }
    if (!done) {
        json_decref(array);
        return NULL;
    }
    return array;
}

bool rp_cycle_trials_from_json(struct rp_cycle_trial trials[RP_CYCLE_SOURCES],
                               unsigned *count, const json_t *json,
                               struct rp_error *error)
{
    const size_t size = json_array_size(json);

    *count = 0;
    if (json == NULL) {
        return true;
    }
    if (!json_is_array(json) || size > RP_CYCLE_SOURCES) {
        return rp_fail(error, RP_USAGE, "\"cycle_sources\" must be a list of at most %d",
                       RP_CYCLE_SOURCES);
    }
    for (size_t i = 0; i < size; i++) {
        trials[i] = (struct rp_cycle_trial){0};
        if (!rp_fields_read(json_array_get(json, i), "cycle_sources.", trial_fields,
                            FIELD_COUNT, &trials[i], error)) {
            return false;
        }
    }
    *count = (unsigned)size;
    return true;
}
