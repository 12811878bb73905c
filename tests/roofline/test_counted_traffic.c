/* SPDX-License-Identifier: MIT */
/* The table of events against the groups that are counted, and what records come to. */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "probes/groups.h"
#include "roofline/counted_traffic.h"
#include "tests/roofline/model_fixture.h"

/* ---- the groups' files ---- */

/* One line "COUNTER EVENT" of a group; false past its EVENTSET. `*at` moves on. */
static bool next_event(const char **at, char counter[80], char event[80])
{
    int length = 0;

    if (sscanf(*at, "%79[^ \n] %79[^ \n]\n%n", counter, event, &length) != 2 ||
        length == 0 || strcmp(counter, "METRICS") == 0) {
        return false;
    }
    *at += length;
    return true;
}

static const char *events_of(const struct rp_counter_group *group)
{
    const char *const start = strstr(group->text, "\nEVENTSET\n");

    assert_non_null(start);
    return start + strlen("\nEVENTSET\n");
}

static bool counts(const struct rp_counter_group *group, const char *name)
{
    const char *at = events_of(group);
    char counter[80];
    char event[80];

    while (next_event(&at, counter, event)) {
        if (strcmp(event, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool holds_word(const char *line, size_t length, const char *word)
{
    const size_t size = strlen(word);

    for (size_t i = 1; i + size < length; i++) {
        if (strncmp(line + i, word, size) == 0 && !isalnum((unsigned char)line[i - 1]) &&
            !isalnum((unsigned char)line[i + size])) {
            return true;
        }
    }
    return false;
}

/* True when a volume in bytes is made of this counter. */
static bool is_in_volume(const struct rp_counter_group *group, const char *counter)
{
    for (const char *unit = group->text; (unit = strstr(unit, " [GB] ")) != NULL;
         unit += strlen(" [GB] ")) {
        if (holds_word(unit, strcspn(unit, "\n") + 1, counter)) {
            return true;
        }
    }
    return false;
}

static bool some_group_counts(const char *groups, const char *event)
{
    const struct rp_counter_group *group = NULL;

    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        if (rp_matches(groups, group->name) && counts(group, event)) {
            return true;
        }
    }
    return false;
}

static bool in_table(const char *event)
{
    const struct rp_counted_volume *volume = NULL;

    for (size_t i = 0; (volume = rp_counted_volume_at(i)) != NULL; i++) {
        for (size_t k = 0; k < RP_MOST_VOLUME_EVENTS && volume->events[k].name; k++) {
            for (unsigned n = 0; n == 0 || n < volume->events[k].numbers; n++) {
                char name[64];

                if (strcmp(rp_counted_event_name(volume->events[k].name, n, name),
                           event) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void every_event_of_the_table_is_counted_by_a_group(void **state)
{
    const struct rp_counted_volume *volume = NULL;
    size_t count = 0;

    (void)state;
    for (; (volume = rp_counted_volume_at(count)) != NULL; count++) {
        assert_true(volume->boundary > RP_BOUNDARY_NONE);
        assert_true(volume->bytes_per_count > 0);
        assert_non_null(volume->events[0].name);
        for (size_t k = 0; k < RP_MOST_VOLUME_EVENTS && volume->events[k].name; k++) {
            const bool numbered = strchr(volume->events[k].name, '#') != NULL;

            assert_int_equal(numbered, volume->events[k].numbers > 0);
            for (unsigned n = 0; n == 0 || n < volume->events[k].numbers; n++) {
                char name[64];

                rp_counted_event_name(volume->events[k].name, n, name);
                if (volume->groups != NULL && !some_group_counts(volume->groups, name)) {
                    fail_msg("no group %s counts %s", volume->groups, name);
                }
            }
        }
    }
    assert_true(count > 20);
}

/* What moves bytes, or tells of some that did, and is no traffic of a boundary. */
static const struct {
    const char *event;
    const char *why;
} left_out[] = {
    {"ANY_DATA_CACHE_FILLS_LOCAL_L2", "a part of ANY_DATA_CACHE_FILLS_ALL"},
    {"ANY_DATA_CACHE_FILLS_LOCAL_CCX", "a part of ANY_DATA_CACHE_FILLS_ALL"},
    {"ANY_DATA_CACHE_FILLS_DRAM_IO_NEAR", "a part of ANY_DATA_CACHE_FILLS_ALL"},
    {"L1_DC_REFILLS_LOCAL_L2", "a part of L1_DC_REFILLS_ALL"},
    {"L1_DC_REFILLS_INT_CACHE", "a part of L1_DC_REFILLS_ALL"},
    {"L1_DC_REFILLS_DRAM", "a part of L1_DC_REFILLS_ALL"},
    {"DATA_CACHE_REFILLS_LOCAL_DRAM", "a part of DATA_CACHE_REFILLS_ALL"},
    {"HWPREF_DATA_CACHE_FILLS_LOCAL_DRAM", "a part of HWPREF_DATA_CACHE_FILLS_ALL"},
    {"L1D_CACHE_REFILL_WR", "a part of L1D_CACHE_REFILL"},
    {"REQUESTS_TO_L2_GRP1_RD_BLOCK_X", "the write-allocates alone"},
    {"L2_RQSTS_RFO_MISS", "the write-allocates alone"},
    {"L2_LINES_OUT_SILENT", "moves nothing"},
    {"LL_CACHE_MISS_RD", "stands in for memory reads, without what is fetched ahead"},
    {"L3_MISS", "an upper bound of what one core complex reads"},
    {"L3_ACCESS_MISS", "an upper bound of what one core complex reads"},
    {"L3_CACHE_REQ_MISS", "an upper bound of what one core complex reads"},
    {"L3_LOOKUP_STATE_MISS", "an upper bound of what one core complex reads"},
    {"OFFCORE_RESPONSE_0_OPTIONS", "non-temporal stores alone, which memory counts too"},
    {"TOR_INSERTS_IA_WCILF", "non-temporal stores alone, which memory counts too"},
    {"WC_BUFFER_CLOSE_FLUSH_FULL_LINE_64B", "non-temporal stores alone"},
    {"WCB_CLOSE_FLUSH_FULL_LINE_64B", "non-temporal stores alone"},
    {"WCB_CLOSE_FULL_LINE_64BIT", "non-temporal stores alone"},
    {"TOR_INSERTS_IA_SPECITOM", "reads that did not happen"},
};

static bool is_left_out(const char *event)
{
    for (size_t i = 0; i < COUNT_OF(left_out); i++) {
        if (strcmp(left_out[i].event, event) == 0) {
            return true;
        }
    }
    return false;
}

static void every_event_of_a_volume_is_in_the_table_or_left_out(void **state)
{
    const struct rp_counter_group *group = NULL;
    size_t checked = 0;

    (void)state;
    for (size_t i = 0; (group = rp_counter_group_at(i)) != NULL; i++) {
        const char *at = events_of(group);
        char counter[80];
        char event[80];

        while (next_event(&at, counter, event)) {
            if (!is_in_volume(group, counter)) {
                continue;
            }
            checked++;
            if (in_table(event) == is_left_out(event)) {
                fail_msg("%s of %s, %s: either in the table or left out", event,
                         group->architecture, group->name);
            }
        }
    }
    assert_true(checked > 100);
}

static void nothing_is_left_out_that_no_group_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(left_out); i++) {
        if (!some_group_counts("*", left_out[i].event)) {
            fail_msg("%s: %s, but no group counts it", left_out[i].event,
                     left_out[i].why);
        }
    }
}

/* ---- sums ---- */

/* Makes records of counters of one job, as many as there are lists. */
static struct rp_counted_traffic add_up(enum rp_boundary boundary,
                                        const struct synthetic_count *first,
                                        const struct synthetic_count *second)
{
    const struct rp_record *records[2];
    size_t count = 0;

    synthetic_start(&run);
    synthetic_cipher(&run, "x", 0, RP_MODE_TEMPORAL, 64 << 20, 1e9);
    synthetic_counted(&run, 0, "A", first);
    if (second != NULL) {
        synthetic_counted(&run, 0, "B", second);
    }
    for (; count + 1 < run.record_count; count++) {
        records[count] = &run.records[count + 1];
    }
    return rp_counted_traffic(records, count, boundary);
}

#define END                                                                              \
    {                                                                                    \
        NULL, "", 0                                                                      \
    }

static void units_of_an_event_are_added(void **state)
{
    static const struct synthetic_count counts[] = {
        {"CAS_COUNT_RD", "MBOX0C0", 1.0 / 64}, {"CAS_COUNT_RD", "MBOX1C0", 2.0 / 64},
        {"CAS_COUNT_WR", "MBOX0C1", 0.5 / 64}, {"CAS_COUNT_WR", "MBOX1C1", 0},
        {"INSTR_RETIRED_ANY", "FIXC0", 7},     END,
    };
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, counts, NULL);

    (void)state;
    assert_near(traffic.read_bytes, 3);
    assert_near(traffic.written_bytes, 0.5);
    assert_near(traffic.total_bytes, 3.5);
    assert_int_equal(traffic.record_count, 1);
    assert_int_equal(traffic.record_ids[0], 2);
    assert_string_equal(traffic.why, "");
}

static void events_have_bytes_of_their_own(void **state)
{
    static const struct synthetic_count counts[] = {
        {"CMEM_RD_DATA", "SCF0", 2.0 / 32},
        {"CMEM_WR_TOTAL_BYTES", "SCF1", 1},
        END,
    };
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, counts, NULL);

    (void)state;
    assert_near(traffic.read_bytes, 2);
    assert_near(traffic.written_bytes, 1);
}

static void names_of_perf_are_known_with_and_without_their_unit(void **state)
{
    static const struct synthetic_count counts[] = {
        {"amd_umc_0/umc_cas_cmd.rd/", "", 1.0 / 64},
        {"amd_umc_1/umc_cas_cmd.rd/", "", 1.0 / 64},
        {"umc_cas_cmd.wr", "", 1.0 / 64},
        END,
    };
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, counts, NULL);

    (void)state;
    assert_near(traffic.read_bytes, 2);
    assert_near(traffic.total_bytes, 3);
}

static void groups_complement_each_other(void **state)
{
    struct synthetic_count reads[13] = {0};
    struct synthetic_count writes[13] = {0};
    char names[24][64];

    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        rp_counted_event_name("DRAM_READS_LOCAL_CHANNEL_#", i, names[i]);
        rp_counted_event_name("DRAM_WRITES_LOCAL_CHANNEL_#", i, names[12 + i]);
        reads[i] = (struct synthetic_count){names[i], "DFC", 2.0 / 64 / 12};
        writes[i] = (struct synthetic_count){names[12 + i], "DFC", 1.0 / 64 / 12};
    }
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, reads, writes);
    assert_near(traffic.read_bytes, 2);
    assert_near(traffic.written_bytes, 1);
    assert_near(traffic.total_bytes, 3);
    assert_int_equal(traffic.record_count, 2);
    assert_int_equal(traffic.record_ids[1], 3);
    end(state);

    reads[11].event = NULL; /* one channel short */
    const struct rp_counted_traffic less = add_up(RP_BOUNDARY_MEMORY, reads, writes);
    assert_true(isnan(less.read_bytes) && isnan(less.total_bytes));
    assert_near(less.written_bytes, 1);
    assert_string_equal(less.why, "DRAM_READS_LOCAL_CHANNEL_11 was not counted");
}

/* Both ways in one sum, in two runs of four channels each; two channels are not enough.
 */
static void channels_in_both_directions_make_a_total(void **state)
{
    static const struct synthetic_count low[] = {
        {"DRAM_CHANNEL_0", "DFC0", 1.0 / 64},
        {"DRAM_CHANNEL_1", "DFC1", 1.0 / 64},
        {"DRAM_CHANNEL_2", "DFC2", 0},
        {"DRAM_CHANNEL_3", "DFC3", 0},
        END,
    };
    static const struct synthetic_count high[] = {
        {"DRAM_CHANNEL_4", "DFC0", 0.5 / 64},
        {"DRAM_CHANNEL_5", "DFC1", 0.5 / 64},
        {"DRAM_CHANNEL_6", "DFC2", 0},
        {"DRAM_CHANNEL_7", "DFC3", 0},
        END,
    };
    const struct rp_counted_traffic both = add_up(RP_BOUNDARY_MEMORY, low, high);

    assert_near(both.total_bytes, 3);
    assert_true(isnan(both.read_bytes) && isnan(both.written_bytes));
    assert_int_equal(both.record_count, 2);
    end(state);
    const struct rp_counted_traffic half = add_up(RP_BOUNDARY_MEMORY, low, NULL);
    assert_true(isnan(half.total_bytes));
    assert_string_equal(half.why, "DRAM_CHANNEL_4 was not counted");
    end(state);
    const struct rp_counted_traffic other = add_up(RP_BOUNDARY_MEMORY, high, NULL);
    assert_string_equal(other.why, "DRAM_CHANNEL_0 was not counted");
}

static void an_event_without_a_value_gives_no_figure(void **state)
{
    static const struct synthetic_count counts[] = {
        {"CAS_COUNT_RD", "MBOX0C0", 1},
        {"CAS_COUNT_RD", "MBOX1C0", NAN},
        {"CAS_COUNT_WR", "MBOX0C1", 0.5 / 64},
        {"CAS_COUNT_WR", "MBOX1C1", 0.5 / 64},
        END,
    };
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, counts, NULL);

    (void)state;
    assert_true(isnan(traffic.read_bytes) && isnan(traffic.total_bytes));
    assert_near(traffic.written_bytes, 1);
    assert_string_equal(traffic.why, "CAS_COUNT_RD has no value on MBOX1C0 (record 2)");
}

/* A machine may have fewer channels than others of its architecture: the first ones. */
static void channels_that_are_not_there_are_no_gap(void **state)
{
    static const struct synthetic_count fewer[] = {
        {"CAS_COUNT_RD", "MBOX0C0", 1.0 / 64}, {"CAS_COUNT_RD", "MBOX2C0", 2.0 / 64},
        {"CAS_COUNT_RD", "MBOX10C0", NAN},     {"CAS_COUNT_RD", "MBOX11C0", NAN},
        {"CAS_COUNT_WR", "MBOX0C1", 0.5 / 64}, {"CAS_COUNT_WR", "MBOX2C1", 0},
        {"CAS_COUNT_WR", "MBOX10C1", NAN},     {"CAS_COUNT_WR", "MBOX11C1", NAN},
        {"INSTR_RETIRED_ANY", "FIXC0", 7},     END,
    };
    static const struct synthetic_count gap[] = {
        {"CAS_COUNT_RD", "MBOX0C0", 1.0 / 64},
        {"CAS_COUNT_RD", "MBOX1C0", NAN},
        {"CAS_COUNT_RD", "MBOX2C0", 2.0 / 64},
        END,
    };
    static const struct synthetic_count none[] = {
        {"CAS_COUNT_RD", "MBOX0C0", NAN}, {"CAS_COUNT_RD", "MBOX1C0", NAN}, END};
    static const struct synthetic_count others[] = {
        {"CAS_COUNT_RD", "MBOX0C0", NAN}, {"L2_LINES_IN_ALL", "CBOX0C0", 1}, END};
    static const struct synthetic_count *const wrong[] = {gap, none, others};
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_MEMORY, fewer, NULL);

    assert_near(traffic.read_bytes, 3);
    assert_near(traffic.written_bytes, 0.5);
    assert_string_equal(traffic.why, "");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        end(state);
        assert_true(isnan(add_up(RP_BOUNDARY_MEMORY, wrong[i], NULL).read_bytes));
    }
}

/* A second try that worked makes up for one that did not. */
static void another_record_makes_up_for_a_gap(void **state)
{
    static const struct synthetic_count gap[] = {{"L2_LINES_IN_ALL", "PMC0", NAN}, END};
    static const struct synthetic_count whole[] = {{"L2_LINES_IN_ALL", "PMC0", 1.0 / 64},
                                                   END};
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_L3, gap, whole);

    (void)state;
    assert_near(traffic.read_bytes, 1);
    assert_int_equal(traffic.record_count, 1);
    assert_int_equal(traffic.record_ids[0], 3);
}

/* Ways to count the same lines are not added up; the more direct one is taken. */
static void two_ways_to_count_are_one_volume(void **state)
{
    static const struct synthetic_count requests[] = {
        {"REQUESTS_TO_L2_GRP1_ALL_NO_PF", "PMC2", 5.0 / 64},
        {"L2_PF_HIT_IN_L3", "PMC4", 0.25 / 64},
        {"L2_PF_MISS_IN_L3", "PMC5", 0.25 / 64},
        END,
    };
    static const struct synthetic_count fills[] = {
        {"ANY_DATA_CACHE_FILLS_ALL", "PMC2", 2.0 / 64},
        END,
    };
    const struct rp_counted_traffic near = add_up(RP_BOUNDARY_L2, requests, fills);

    assert_near(near.read_bytes, 2);
    assert_true(isnan(near.written_bytes) && isnan(near.total_bytes));
    assert_int_equal(near.record_ids[0], 3);
    end(state);
    assert_near(add_up(RP_BOUNDARY_L2, requests, NULL).read_bytes, 5);
    end(state);
    /* Prefetches alone are not what the L2 took in, and nobody asked for that. */
    const struct rp_counted_traffic far = add_up(RP_BOUNDARY_L3, requests, NULL);
    assert_true(isnan(far.read_bytes));
    assert_string_equal(far.why, "");
}

/* Prefetches are in two groups: the sum is of the one that has it all. */
static void a_sum_is_taken_from_one_record_if_that_has_it_all(void **state)
{
    static const struct synthetic_count part[] = {
        {"L2_PF_HIT_IN_L3", "PMC4", 9}, {"L2_PF_MISS_IN_L3", "PMC5", 9}, END};
    static const struct synthetic_count whole[] = {
        {"CORE_TO_L2_CACHE_REQUESTS_MISSES", "PMC2", 0.5 / 64},
        {"L2_PF_HIT_IN_L3", "PMC3", 1.0 / 64},
        {"L2_PF_MISS_IN_L3", "PMC4", 0.5 / 64},
        END,
    };
    const struct rp_counted_traffic traffic = add_up(RP_BOUNDARY_L3, part, whole);

    (void)state;
    assert_near(traffic.read_bytes, 2);
    assert_int_equal(traffic.record_count, 1);
    assert_int_equal(traffic.record_ids[0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_the_table_is_counted_by_a_group),
        cmocka_unit_test(every_event_of_a_volume_is_in_the_table_or_left_out),
        cmocka_unit_test(nothing_is_left_out_that_no_group_counts),
        TEST(units_of_an_event_are_added),
        TEST(events_have_bytes_of_their_own),
        TEST(names_of_perf_are_known_with_and_without_their_unit),
        TEST(groups_complement_each_other),
        TEST(channels_in_both_directions_make_a_total),
        TEST(an_event_without_a_value_gives_no_figure),
        TEST(channels_that_are_not_there_are_no_gap),
        TEST(another_record_makes_up_for_a_gap),
        TEST(two_ways_to_count_are_one_volume),
        TEST(a_sum_is_taken_from_one_record_if_that_has_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
