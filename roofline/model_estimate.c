/* SPDX-License-Identifier: MIT */
#include "roofline/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double rp_sample_hz(const struct rp_record *record, const struct rp_sample *sample)
{
    (void)record;
    return sample->ns > 0 ? sample->cycles / sample->ns * 1e9 : 0;
}

double rp_sample_items_per_s(const struct rp_record *record,
                             const struct rp_sample *sample)
{
    const double ns = sample->ns - sample->baseline_ns;

    return ns > 0 ? record->items_per_sample / ns * 1e9 : 0;
}

double rp_sample_payload_bytes_per_s(const struct rp_record *record,
                                     const struct rp_sample *sample)
{
    return rp_sample_items_per_s(record, sample) * rp_payload_bytes(&record->traffic);
}

double rp_sample_cycles_per_item(const struct rp_record *record,
                                 const struct rp_sample *sample)
{
    return record->items_per_sample > 0
               ? (sample->cycles - sample->baseline_cycles) / record->items_per_sample
               : 0;
}

struct rp_estimate rp_estimate_of(const struct rp_summary *summary)
{
    return (struct rp_estimate){
        .value = summary->median,
        .lower_quartile = summary->lower_quartile,
        .upper_quartile = summary->upper_quartile,
        .low = summary->low,
        .high = summary->high,
    };
}

struct rp_summary rp_summarize_record(const struct rp_record *record,
                                      rp_quantity *quantity, double *scratch)
{
    size_t count = 0;

    for (size_t i = 0; i < record->sample_count; i++) {
        const double value = quantity(record, &record->samples[i]);
        if (value > 0 && isfinite(value)) {
            scratch[count++] = value;
        }
    }
    return rp_summarize(scratch, count);
}

struct rp_estimate rp_estimate_record(const struct rp_record *record,
                                      rp_quantity *quantity, double *scratch)
{
    const struct rp_summary summary = rp_summarize_record(record, quantity, scratch);

    return rp_estimate_of(&summary);
}

static double inverse(double value, double numerator)
{
    return value > 0 ? numerator / value : 0;
}

struct rp_estimate rp_estimate_inverse(const struct rp_estimate *estimate,
                                       double numerator)
{
    return (struct rp_estimate){
        .value = inverse(estimate->value, numerator),
        .lower_quartile = inverse(estimate->upper_quartile, numerator),
        .upper_quartile = inverse(estimate->lower_quartile, numerator),
        .low = inverse(estimate->high, numerator),
        .high = inverse(estimate->low, numerator),
    };
}

struct rp_estimate rp_estimate_scaled(const struct rp_estimate *estimate, double factor)
{
    return (struct rp_estimate){
        .value = estimate->value * factor,
        .lower_quartile = estimate->lower_quartile * factor,
        .upper_quartile = estimate->upper_quartile * factor,
        .low = estimate->low * factor,
        .high = estimate->high * factor,
    };
}

bool rp_record_measured(const struct rp_record *record, const char *probe)
{
    return record->verdict != RP_VERDICT_UNAVAILABLE && record->sample_count > 0 &&
           strcmp(record->probe, probe) == 0;
}

bool rp_record_swept(const struct rp_record *record)
{
    return rp_record_measured(record, "sweep") && record->working_set_bytes > 0;
}

double rp_credible_rate(const struct rp_estimate *rate, enum rp_verdict verdict)
{
    return verdict == RP_VERDICT_DISTURBED ? rate->low : rate->value;
}

double rp_bus_factor(const struct rp_machine *machine, unsigned level,
                     const struct rp_traffic *traffic)
{
    const bool nearest_cache = level == 0 && machine->level_count > 1;
    const double payload = rp_payload_bytes(traffic);

    return nearest_cache || !(payload > 0) ? 1 : rp_bus_bytes(traffic) / payload;
}

void *rp_grow(void *array, size_t count, size_t element_bytes, struct rp_error *error)
{
    const bool full = (count & (count - 1)) == 0; /* grown at every power of two */

    if (full) {
        void *const grown = realloc(array, (count ? 2 * count : 1) * element_bytes);
        if (grown == NULL) {
            rp_fail(error, RP_UNABLE, "not enough memory for the model of the run");
            return NULL;
        }
        array = grown;
    }
    memset((char *)array + count * element_bytes, 0, element_bytes);
    return array;
}

void rp_copy_name(char *destination, size_t capacity, const char *name)
{
    size_t length = strnlen(name, capacity);

    if (length == capacity) {
        do { /* not in the middle of a character of UTF-8 */
            length--;
        } while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80);
    }
    memcpy(destination, name, length);
    destination[length] = '\0';
}
