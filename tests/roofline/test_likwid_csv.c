/* SPDX-License-Identifier: MIT */
/* The CSV of likwid-perfctr, of every release, and what is wrong with it. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/likwid_csv.h"

#define MISSING NAN

static struct rp_error error;

static bool read_file(struct rp_counted_list *list, const char *release)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", CSV_FOLDER, release);
    FILE *const file = fopen(path, "re");
    assert_non_null(file);
    const bool done = rp_likwid_csv_read(list, file, release, &error);
    fclose(file);
    return done;
}

static bool read_text(struct rp_counted_list *list, const char *text)
{
    FILE *const file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

    assert_non_null(file);
    const bool done = rp_likwid_csv_read(list, file, "a.csv", &error);
    fclose(file);
    return done;
}

/* All that is in the fixtures: what is behind a region is its events. */
struct expected {
    const char *region;
    const char *group;
    double calls;
    double seconds;
    struct rp_count counts[6];
};

static void assert_counted(const struct rp_counted *counted, const char *source,
                           const struct expected *expected)
{
    size_t count = 0;

    while (count < COUNT_OF(expected->counts) &&
           expected->counts[count].event[0] != '\0') {
        count++;
    }
    assert_string_equal(counted->region, expected->region);
    assert_string_equal(counted->group, expected->group);
    assert_string_equal(counted->source, source);
    assert_true(counted->calls == expected->calls);
    assert_true(counted->seconds == expected->seconds);
    assert_true(counted->items == 0);
    assert_int_equal(counted->count, count);
    for (size_t i = 0; i < count; i++) {
        const struct rp_count *const want = &expected->counts[i];
        const struct rp_count *const have = &counted->counts[i];

        assert_string_equal(have->event, want->event);
        assert_string_equal(have->counter, want->counter);
        if (have->value != want->value && !(isnan(have->value) && isnan(want->value))) {
            fail_msg("%s of %s is %.17g and not %.17g", want->counter, expected->region,
                     have->value, want->value);
        }
    }
}

static void assert_release(const char *release, const char *source,
                           const struct expected *expected, size_t count,
                           const char *notes)
{
    struct rp_counted_list list = {0};

    if (!read_file(&list, release)) {
        fail_msg("%s: %s", release, error.message);
    }
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_counted(&list.counted[i], source, &expected[i]);
    }
    assert_string_equal(list.notes.data, notes);
    rp_counted_list_free(&list);
}

static void reads_one_group_on_one_thread(void **state)
{
    static const struct expected expected[] = {
        {"copy-avx2/temporal/65536",
         "RP_L2",
         10,
         0.0125,
         {{"ACTUAL_CPU_CLOCK", "FIXC1", 31250000},
          {"MAX_CPU_CLOCK", "FIXC2", 30625000},
          {"RETIRED_INSTRUCTIONS", "PMC0", 42000000},
          {"CPU_CLOCKS_UNHALTED", "PMC1", 31200000},
          {"REQUESTS_TO_L2_GRP1_ALL_NO_PF", "PMC2", 10240512},
          {"L2_PF_HIT_IN_L2", "PMC3", 0}}},
        {"units/aesenc-256/8",
         "RP_L2",
         8,
         0.008,
         {{"ACTUAL_CPU_CLOCK", "FIXC1", 20000000},
          {"MAX_CPU_CLOCK", "FIXC2", 19600000},
          {"RETIRED_INSTRUCTIONS", "PMC0", 33000000},
          {"CPU_CLOCKS_UNHALTED", "PMC1", 19990000},
          {"REQUESTS_TO_L2_GRP1_ALL_NO_PF", "PMC2", 120},
          {"L2_PF_HIT_IN_L2", "PMC3", MISSING}}},
    };

    (void)state;
    assert_release(
        "5.2.2.csv", "likwid-perfctr, AMD K19 (Zen3) architecture", expected,
        COUNT_OF(expected),
        "L2_PF_HIT_IN_L2 on PMC3 is missing in units/aesenc-256/8: no value on 1 of 1 "
        "hardware threads; see what likwid-perfctr said on standard error\n");
}

/* Two threads of one socket, between what the program printed; and a region on the thread
 * that does not read the socket's counters. */
static void sums_threads(void **state)
{
    static const struct expected expected[] = {
        {"scaling/copy-avx512/DRAM/temporal/2",
         "RP_MEM",
         12,
         0.26,
         {{"INSTR_RETIRED_ANY", "FIXC0", 200000200},
          {"CPU_CLK_UNHALTED_CORE", "FIXC1", MISSING},
          {"CAS_COUNT_RD", "MBOX0C0", 25165824},
          {"CAS_COUNT_RD", "MBOX1C0", 25165826},
          {"CAS_COUNT_WR", "MBOX0C1", 12582912},
          {"CAS_COUNT_WR", "MBOX1C1", MISSING}}},
        {"copy-avx2/temporal/65536",
         "RP_MEM",
         9,
         0.01,
         {{"INSTR_RETIRED_ANY", "FIXC0", 36000000},
          {"CPU_CLK_UNHALTED_CORE", "FIXC1", 20000000},
          {"CAS_COUNT_RD", "MBOX0C0", MISSING},
          {"CAS_COUNT_RD", "MBOX1C0", MISSING},
          {"CAS_COUNT_WR", "MBOX0C1", MISSING},
          {"CAS_COUNT_WR", "MBOX1C1", MISSING}}},
    };

    (void)state;
    assert_release(
        "5.3.txt", "likwid-perfctr, Intel SapphireRapids processor", expected,
        COUNT_OF(expected),
        "CPU_CLK_UNHALTED_CORE on FIXC1 is missing in "
        "scaling/copy-avx512/DRAM/temporal/2: no value on 1 of 2 hardware threads; see "
        "what likwid-perfctr said on standard error\nCAS_COUNT_WR on MBOX1C1 is missing "
        "in scaling/copy-avx512/DRAM/temporal/2: no value on 2 of 2 hardware threads; "
        "see what likwid-perfctr said on standard error\nall that RP_MEM counts beyond "
        "the cores is missing in copy-avx2/temporal/65536: every count is zero; begin "
        "the list of -C with the CPU that runs the region\n");
}

static void reads_several_groups(void **state)
{
    static const struct expected expected[] = {
        {"copy-avx2/temporal/65536",
         "RP_CRYPTO",
         10,
         0.02,
         {{"RETIRED_INSTRUCTIONS", "PMC0", 80000000},
          {"CPU_CLOCKS_UNHALTED", "PMC1", 48000000},
          {"RETIRED_INT_OPS_SSE_AVX_AES", "PMC2", 0}}},
        {"copy-avx2/temporal/65536",
         "RP_MEM_RD",
         11,
         0.021,
         {{"RETIRED_INSTRUCTIONS", "PMC0", 88000000},
          {"DRAM_READS_LOCAL_CHANNEL_0", "DFC0", 11264},
          {"DRAM_READS_LOCAL_CHANNEL_1", "DFC1:TID=0x1", 11265}}},
        {"units/aesenc-256/8",
         "RETIRED_INSTRUCTIONS+1", /* not "Custom", which it is called */
         10,
         0.03,
         {{"RETIRED_INSTRUCTIONS", "PMC0", 90000000},
          {"NO_SUCH_EVENT", "PMC1", MISSING}}},
    };

    (void)state;
    assert_release(
        "5.4.csv", "likwid-perfctr, AMD K19 (Zen4) architecture", expected,
        COUNT_OF(expected),
        "NO_SUCH_EVENT on PMC1 is missing in units/aesenc-256/8: no value on 1 of 1 "
        "hardware threads; see what likwid-perfctr said on standard error\n");
}

/* In any order, on two caches, and without a clock, which leaves no runtime. */
static void reads_what_has_no_clock(void **state)
{
    static const struct expected expected[] = {
        {"units/aesenc-256/8",
         "RP_L3CCX",
         8,
         0,
         {{"RETIRED_INSTRUCTIONS", "PMC0", MISSING},
          {"L3_LOOKUP_STATE_ALL", "CPMC0", 16},
          {"L3_MISS", "CPMC1:SLICE=0xF", MISSING}}},
        {"copy-avx2/temporal/65536",
         "RP_L3CCX",
         10,
         0,
         {{"RETIRED_INSTRUCTIONS", "PMC0", 40000000},
          {"L3_LOOKUP_STATE_ALL", "CPMC0", 10240},
          {"L3_MISS", "CPMC1:SLICE=0xF", 12}}},
    };

    (void)state;
    assert_release(
        "5.5.csv", "likwid-perfctr, AMD K1A (Zen5) architecture", expected,
        COUNT_OF(expected),
        "RETIRED_INSTRUCTIONS on PMC0 is missing in units/aesenc-256/8: no value on 1 of "
        "2 hardware threads; see what likwid-perfctr said on standard error\nL3_MISS on "
        "CPMC1:SLICE=0xF is missing in units/aesenc-256/8: no value on 2 of 2 hardware "
        "threads; see what likwid-perfctr said on standard error\n");
}

#define HEAD    "TABLE,Region r/1,Group 1 Raw,G,1\nRegion Info,HWThread 0,HWThread 1\n"
#define RUNTIME "RDTSC Runtime [s],0.1,0.2\n"
#define EVENTS  "Event,Counter,HWThread 0,HWThread 1\n"
#define NAME_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void leaves_out_what_cannot_be_told(void **state)
{
    static const struct {
        const char *text;
        const char *note;
    } rows[] = {
        {HEAD RUNTIME "call count,0,0\n" EVENTS "E,PMC0,1,1\n",
         "r/1 is left out of G: it was never entered; measure it again\n"},
        {HEAD RUNTIME "call count,,\n" EVENTS "E,PMC0,1,1\n",
         "r/1 is left out of G: it was never entered"},
        {HEAD RUNTIME "call count,10,11\n" EVENTS "E,PMC0,1,1\n",
         "r/1 is left out of G: it was entered more often by some hardware threads than "
         "by others"},
        {HEAD RUNTIME "call count,10,-\n" EVENTS "E,PMC0,1,1\n",
         "it was entered more often"},
        {HEAD RUNTIME "call count,10\n" EVENTS "E,PMC0,1,1\n",
         "it was entered more often"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,-,-\n",
         "r/1 is left out of G: it has no value of any event"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,-1,1\n",
         "it has no value of any event"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,1,1 2\n",
         "it has no value of any event"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,9e17,9e17\n",
         "it has no value of any event"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_counted_list list = {0};

        assert_true(read_text(&list, rows[i].text));
        assert_int_equal(list.count, 0);
        assert_contains(list.notes.data, rows[i].note);
        rp_counted_list_free(&list);
    }
}

static void refuses_what_is_no_csv(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"\n", "a.csv holds no table of likwid-perfctr; give what it wrote with -m"},
        {"no line", "a.csv holds no table"},
        {"Region Info,HWThread 0\n", "a.csv holds no table"},
        {"x\nTABLE,Group 1 Raw,G,1,\nEvent,Counter,HWThread 0\nE,PMC0,1\n",
         "a.csv:2: this was counted over the whole program, not in regions; run "
         "likwid-perfctr with -m"},
        {"TABLE\n", "a.csv:1: a table has no region"},
        {"TABLE,Region a,b,Group 1 Raw,G,1\n", "a.csv:1: a table has no region"},
        {"TABLE,Region a,Group 1 Raw,G,-1\n", "a.csv:1: a table has no region"},
        {"TABLE,Region a,Group 1 Raw," NAME_64 ",1\n",
         "a.csv:1: the name of a region or group is too long"},
        {"TABLE,Region " NAME_64 NAME_64 ",Group 1 Raw,G,1\n",
         "a.csv:1: the name of a region or group is too long"},
        {HEAD "call count,10,10\n", "a.csv:3: a row of a region's table is missing"},
        {"TABLE,Region a,Group 1 Raw,G,1\nRegion Info,GPU 0\n",
         "a.csv:2: a column is not of a hardware thread"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS NAME_64 ",PMC0,1,1\n",
         "a.csv:6: an event or counter has a name of more than 63 bytes"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "STRUCT,Info,3\n",
         "a.csv:6: a region's table has fewer events than it says"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS, "a.csv:5: the file is cut off here"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,1,1",
         "a.csv:6: the file is cut off here"},
        {HEAD RUNTIME "call count,10,10\n" EVENTS "E,PMC0,1,1\nTABLE",
         "a.csv:7: the file is cut off here; let likwid-perfctr write it again"},
        {HEAD, "a.csv:2: the file is cut off here"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_counted_list list = {0};

        if (read_text(&list, rows[i].text)) {
            fail_msg("row %zu was accepted", i);
        }
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, rows[i].message);
        rp_counted_list_free(&list);
    }
}

/* Every byte of a file may be the last one that reached the disk. */
static void a_cut_file_never_tells_a_wrong_number(void **state)
{
    char text[4096];
    char path[512];

    (void)state;
    snprintf(path, sizeof path, "%s/5.2.2.csv", CSV_FOLDER);
    FILE *const file = fopen(path, "re");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t cut = length; cut-- > 1;) {
        struct rp_counted_list list = {0};

        text[cut] = '\0';
        if (read_text(&list, text)) {
            for (size_t i = 0; i < list.count; i++) {
                assert_int_equal(list.counted[i].count, 6);
                assert_true(list.counted[i].counts[3].value ==
                            (i == 0 ? 31200000 : 19990000));
            }
        }
        rp_counted_list_free(&list);
    }
}

/* A program's output may be anything, and is looked at no further. */
static void ignores_other_lines(void **state)
{
    struct rp_counted_list list = {0};

    (void)state;
    assert_true(read_text(&list,
                          "\033[31mTABLE\n\n,,,\nTABLES,a\nCPU type:\r\n" HEAD RUNTIME
                          "call count,1,1\r\n" EVENTS "E\t1,PMC0,1,1,,,\nCPU type:,x\n"));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.counted[0].source, "likwid-perfctr");
    assert_string_equal(list.counted[0].counts[0].event, "E?1");
    assert_null(list.notes.data);
    rp_counted_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_one_group_on_one_thread),
        cmocka_unit_test(sums_threads),
        cmocka_unit_test(reads_several_groups),
        cmocka_unit_test(reads_what_has_no_clock),
        cmocka_unit_test(leaves_out_what_cannot_be_told),
        cmocka_unit_test(refuses_what_is_no_csv),
        cmocka_unit_test(a_cut_file_never_tells_a_wrong_number),
        cmocka_unit_test(ignores_other_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
