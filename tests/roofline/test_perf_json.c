/* SPDX-License-Identifier: MIT */
/* The JSON lines of perf stat, and what is wrong with them. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roofline/perf_json.h"

static struct rp_error error;

static bool read_text(struct rp_counted_list *list, const char *text)
{
    FILE *const file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

    assert_non_null(file);
    const bool done = rp_perf_json_read(list, file, "a.json", &error);
    fclose(file);
    return done;
}

/* A line as perf 6.1 writes it. */
#define LINE(value, unit, event, running)                                                \
    "{\"counter-value\" : \"" value "\", \"unit\" : \"" unit "\", \"event\" : \"" event  \
    "\", \"event-runtime\" : 1407567, \"pcnt-running\" : " running                       \
    ", \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"

static void reads_events_among_other_lines(void **state)
{
    static const struct rp_count expected[] = {
        {"cycles:u", "", 123456789}, {"uncore_imc_0/cas_count_read/", "", 163841},
        {"task-clock", "", 1407567}, {"duration_time", "", 2000000000},
        {"page-faults", "", 0},
    };
    static const char text[] =
        "# started on Tue Jan  6 06:25:34 2026\n\n"
        "[sweep] 1 of 1 jobs\n"
        "{\"job\":\"a record of the program\"}\n"
        "{\"not\": JSON}\n" LINE("123456789.000000", "", "cycles:u", "100.00")
        /* 163841 lines of 64 bytes, to six decimals */
        LINE("10.000061", "MiB", "uncore_imc_0/cas_count_read/", "100.00")
            LINE("1.407567", "msec", "task-clock", "100.00")
                LINE("2000000000.000000", "ns", "duration_time", "100.00")
                    LINE("0.000000", "", "page-faults", "100.00")
        /* Newer ones: metrics as text, and on lines of their own. */
        "{\"metric-value\" : \"1.2\", \"metric-unit\" : \"insn per cycle\"}\n";
    struct rp_counted_list list = {0};

    (void)state;
    if (!read_text(&list, text)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(list.count, 1);
    const struct rp_counted *const counted = &list.counted[0];
    assert_string_equal(counted->region, "");
    assert_string_equal(counted->group, "cycles:u+4");
    assert_string_equal(counted->source, "perf stat");
    assert_true(counted->calls == 0 && counted->items == 0 && counted->seconds == 0);
    assert_int_equal(counted->count, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_string_equal(counted->counts[i].event, expected[i].event);
        assert_string_equal(counted->counts[i].counter, "");
        if (counted->counts[i].value != expected[i].value) {
            fail_msg("%s is %.17g", expected[i].event, counted->counts[i].value);
        }
    }
    assert_null(list.notes.data);
    rp_counted_list_free(&list);
}

static void adds_up_what_is_told_apart(void **state)
{
    struct rp_counted_list list = {0};

    (void)state;
    assert_true(read_text(
        &list,
        "{\"cpu\" : \"0\", \"counter-value\" : \"3096.000000\", \"unit\" : \"\", "
        "\"event\" : \"cycles\", \"pcnt-running\" : 100.00, \"metric-value\" : \"\"}\n"
        "{\"cpu\" : \"1\", \"counter-value\" : \"5410.000000\", "
        "\"event\" : \"cycles\", \"pcnt-running\" : 100}\n"
        "{\"interval\" : 0.05, \"core\" : \"S0-D0-C0\", \"aggregate-number\" : 2, "
        "\"counter-value\" : \"1\", \"event\" : \"x\", \"pcnt-running\" : 100}\n"
        "{\"interval\" : 0.10, \"core\" : \"S0-D0-C0\", \"aggregate-number\" : 2, "
        "\"counter-value\" : \"2\", \"event\" : \"x\", \"pcnt-running\" : 100}"));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.counted[0].group, "cycles+x");
    assert_int_equal(list.counted[0].count, 2);
    assert_true(list.counted[0].counts[0].value == 8506);
    assert_true(list.counted[0].counts[1].value == 3);
    rp_counted_list_free(&list);
}

/* Each is one event of two, and said once; what comes of it before and after is no
 * better. */
static void says_what_is_missing(void **state)
{
    static const struct {
        const char *line;
        const char *note;
    } rows[] = {
        {LINE("<not supported>", "", "e", "100.00"),
         "e is missing: it cannot be counted on this machine; see `perf list`\n"},
        {LINE("<not counted>", "", "e", "100.00"),
         "e is missing: it was not counted; count fewer events at once, and without "
         "-I\n"},
        {LINE("5.000000", "", "e", "49.87"),
         "e is missing: it was counted during 49.87 % of the time and extrapolated; "
         "count fewer events at once\n"},
        {LINE("5.000000", "Joules", "e", "100.00"),
         "e is missing: it is no count but in a unit"},
        {LINE("-5.000000", "", "e", "100.00"),
         "e is missing: it has a value that is no count"},
        {LINE("nan", "", "e", "100.00"), "e is missing: it has a value that is no count"},
        {LINE("1e17", "MiB", "e", "100.00"), "e is missing: it is too large a count"},
        {"{\"counter-value\" : \"5\", \"event\" : \"e\"}\n",
         "e is missing: it was counted during 0.00 % of the time"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_counted_list list = {0};
        char text[2048];

        snprintf(text, sizeof text, "%s%s%s%s%s", LINE("7", "", "ok", "100.00"),
                 LINE("1", "", "e", "100.00"), rows[i].line, rows[i].line,
                 LINE("1", "", "e", "100.00"));
        assert_true(read_text(&list, text));
        assert_int_equal(list.count, 1);
        assert_true(list.counted[0].counts[0].value == 7);
        assert_true(isnan(list.counted[0].counts[1].value));
        assert_contains(list.notes.data, rows[i].note);
        assert_null(strstr(strchr(list.notes.data, '\n'), "missing"));
        rp_counted_list_free(&list);
    }
}

static void tells_nothing_where_nothing_was_counted(void **state)
{
    struct rp_counted_list list = {0};

    (void)state;
    assert_true(read_text(&list, LINE("<not supported>", "", "cycles", "100.00")));
    assert_int_equal(list.count, 0);
    assert_contains(list.notes.data, "cycles is missing: it cannot be counted");
    rp_counted_list_free(&list);
}

#define NAME_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void refuses_what_is_not_of_perf(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"\n", "a.json holds no event of perf stat; give what `perf stat -j` wrote"},
        {" Performance counter stats for 'true':\n\n 1.2 msec task-clock\n",
         "holds no event"},
        {"{}\n[]\n{\"counter-value\" : 7, \"event\" : \"e\"}\n", "holds no event"},
        {LINE("1", "", "e", "100.00") "{\"counter-va",
         "a.json:2: the file is cut off here"},
        {"x\n{\"core\" : \"S0-D0-C0\", \"counter-value\" : \"1\", ,1.001,CPUs\n",
         "a.json:2: malformed JSON; let perf stat write it again, with -j and without "
         "-x"},
        {LINE("1", "", NAME_64, "100.00"),
         "a.json:1: an event has a name of more than 63"},
        {"{\"counter-value\" : \"1.2\", \"event\" : \"e\", \"variance\" : 0.84}\n",
         "a.json:1: this is the mean of several runs; run perf stat without -r"},
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

static void names_a_group_after_its_events(void **state)
{
    static const struct {
        const char *events[3];
        const char *group;
    } rows[] = {
        {{"cycles"}, "cycles"},
        {{"cycles", "instructions"}, "cycles+instructions"},
        {{"0123456789012345678901234567890"}, "0123456789012345678901234567890"},
        {{"01234567890123456789012345678901"}, "1 events"},
        {{"0123456789012345678901234", "a"}, "0123456789012345678901234+a"},
        {{"0123456789012345678901234", "abcdef"}, "0123456789012345678901234+1"},
        {{"01234567890123456789012345", "a"}, "01234567890123456789012345+a"},
        {{"012345678901234567890123456", "a"}, "2 events"},
        {{"a", "0123456789012345678901234567", "b"}, "a+2"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_counted counted = {0};

        for (size_t j = 0; j < COUNT_OF(rows[i].events) && rows[i].events[j] != NULL;
             j++) {
            struct rp_count count = {0};

            assert_true(
                rp_count_name(count.event, sizeof count.event, rows[i].events[j]));
            assert_true(rp_counted_add(&counted, &count, &error));
        }
        rp_counted_name_group(&counted);
        assert_string_equal(counted.group, rows[i].group);
        rp_counted_free(&counted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events_among_other_lines),
        cmocka_unit_test(adds_up_what_is_told_apart),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(tells_nothing_where_nothing_was_counted),
        cmocka_unit_test(refuses_what_is_not_of_perf),
        cmocka_unit_test(names_a_group_after_its_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
