/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/record.h"
#include "scratch.h"

#define RUN_NAME "run.jsonl"

static char sweep_text[] = "[sweep]\nname = quick\n\xc3\xa4 \"quoted\"\n";

static const struct rp_run header = {
    .version = "1.2.3",
    .compiler = "gcc 12.2.0",
    .started_utc = "2025-01-31T23:59:59Z",
    .sweep_name = "quick",
    .sweep_text = sweep_text,
    .seed = 42,
    .machine =
        {
            .name = "intel-xeon-6-207",
            .processor = "Intel Xeon",
            .cpu = {.level = "avx512"},
            .levels = {{.name = "L1", .size_bytes = 49152, .line_bytes = 64, .ways = 12},
                       {.name = "DRAM"}},
            .level_count = 2,
            .core_count = 2,
            .memory_bytes = 1 << 30,
        },
    .cycle_trials =
        {{.name = "perf-event", .ratio = 1.42, .text = "counts 1.42 times"},
         {.name = "aperf-mperf", .accepted = true, .used = true, .ratio = 0.998},
         {.name = "calibrated-chain", .accepted = true}},
    .cycle_trial_count = 3,
};

/* A record of `count` samples. */
static struct rp_record new_record(const char *job, size_t count)
{
    struct rp_record record = {
        .probe = "sweep",
        .items_per_sample = 1000,
        .verdict = count > 0 ? RP_VERDICT_STEADY : RP_VERDICT_UNAVAILABLE,
        .samples = count > 0 ? calloc(count, sizeof *record.samples) : NULL,
        .sample_count = count,
    };

    strncpy(record.job, job, sizeof record.job - 1);
    for (size_t i = 0; i < count; i++) {
        record.samples[i] =
            (struct rp_sample){.ns = (double)(1000 + i), .cycles = 3000.5};
    }
    return record;
}

static bool append(struct rp_run_writer *writer, const char *job, size_t count,
                   struct rp_error *error)
{
    struct rp_record record = new_record(job, count);
    const bool done = rp_run_append(writer, &record, error);

    rp_record_free(&record);
    return done;
}

/* Writes a run of two records, "first" and "second". */
static void write_run(const char *folder)
{
    struct rp_error error = {0};
    struct rp_run_writer writer;

    assert_true(rp_run_create(&writer, scratch_path(folder, RUN_NAME), &header, &error));
    assert_true(append(&writer, "first", 3, &error));
    assert_true(append(&writer, "second", 0, &error));
    rp_run_close(&writer);
}

static int make_run(void **state)
{
    const int result = scratch_make(state);

    if (result == 0) {
        write_run(*state);
    }
    return result;
}

/* Adds raw text to the end of the run. */
static void add_text(const char *folder, const char *text)
{
    FILE *const file = fopen(scratch_path(folder, RUN_NAME), "a");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static long run_size(const char *folder)
{
    struct stat status;

    assert_int_equal(stat(scratch_path(folder, RUN_NAME), &status), 0);
    return (long)status.st_size;
}

static void read_run(const char *folder, struct rp_run *run)
{
    struct rp_error error = {0};

    if (!rp_run_read(run, scratch_path(folder, RUN_NAME), &error)) {
        fail_msg("%s", error.message);
    }
}

/* Expects that reading fails with a message that holds both texts. */
static void expect_refusal(const char *folder, const char *place, const char *message)
{
    struct rp_error error = {0};
    struct rp_run run;

    assert_false(rp_run_read(&run, scratch_path(folder, RUN_NAME), &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_contains(error.message, place);
    assert_contains(error.message, message);
    rp_run_free(&run);
}

static void test_round_trip(void **state)
{
    struct rp_run run;

    read_run(*state, &run);
    assert_string_equal(run.version, "1.2.3");
    assert_string_equal(run.compiler, "gcc 12.2.0");
    assert_string_equal(run.started_utc, "2025-01-31T23:59:59Z");
    assert_string_equal(run.sweep_name, "quick");
    assert_string_equal(run.sweep_text, sweep_text);
    assert_int_equal(run.seed, 42);
    assert_string_equal(run.machine.name, "intel-xeon-6-207");
    assert_int_equal(run.machine.levels[0].size_bytes, 49152);
    assert_int_equal(run.record_count, 2);
    assert_int_equal(run.records[0].id, 1);
    assert_int_equal(run.records[0].sample_count, 3);
    assert_true(run.records[0].samples[2].ns == 1002);
    assert_int_equal(run.records[1].id, 2);
    assert_int_equal(run.records[1].verdict, RP_VERDICT_UNAVAILABLE);
    assert_false(run.torn);
    assert_int_equal(run.valid_size, run_size(*state));
    assert_ptr_equal(rp_run_find(&run, "second"), &run.records[1]);
    assert_null(rp_run_find(&run, "third"));
    rp_run_free(&run);
    assert_null(run.records);
}

static void test_cycle_sources(void **state)
{
    struct rp_run run;

    read_run(*state, &run);
    assert_int_equal(run.cycle_trial_count, header.cycle_trial_count);
    for (unsigned i = 0; i < header.cycle_trial_count; i++) {
        const struct rp_cycle_trial *const written = &header.cycle_trials[i];
        const struct rp_cycle_trial *const trial = &run.cycle_trials[i];

        assert_string_equal(trial->name, written->name);
        assert_int_equal(trial->accepted, written->accepted);
        assert_int_equal(trial->used, written->used);
        assert_true(trial->ratio == written->ratio);
        assert_string_equal(trial->text, written->text);
    }
    rp_run_free(&run);
}

#define HEADER_UP_TO_MACHINE                                                             \
    "{\"ridgepoint_run\":1,\"sweep_text\":\"\",\"version\":\"1\",\"compiler\":\"\","     \
    "\"started_utc\":\"\",\"sweep\":\"x\",\"seed\":1,\"machine\":{\"name\":\"x\","       \
    "\"processor\":\"x\",\"core_count\":1,\"pu_count\":1,\"numa_count\":1,"              \
    "\"measured_pu\":0,\"memory_bytes\":1,\"cpu\":{\"level\":\"sse2\",\"present\":\"\"," \
    "\"features\":\"\"},\"levels\":[{\"name\":\"DRAM\"}],\"conditions\":[]}"

/* Older programs did not write them. */
static void test_no_cycle_sources(void **state)
{
    struct rp_run run;

    scratch_write(*state, RUN_NAME, HEADER_UP_TO_MACHINE "}\n");
    read_run(*state, &run);
    assert_int_equal(run.cycle_trial_count, 0);
    rp_run_free(&run);
}

static void test_long_lines(void **state)
{
    enum { SAMPLES = 50000 };
    struct rp_error error = {0};
    struct rp_run_writer writer;
    struct rp_run run;

    read_run(*state, &run);
    assert_true(rp_run_reopen(&writer, scratch_path(*state, RUN_NAME), &run, &error));
    assert_true(append(&writer, "long", SAMPLES, &error));
    rp_run_close(&writer);
    rp_run_free(&run);
    read_run(*state, &run);
    assert_int_equal(run.record_count, 3);
    assert_int_equal(run.records[2].sample_count, SAMPLES);
    assert_true(run.records[2].samples[SAMPLES - 1].ns == 1000 + SAMPLES - 1);
    rp_run_free(&run);
}

/* Even a last line that would parse is left out: what follows it may be lost. */
static void test_torn_tail(void **state)
{
    static const char *const tails[] = {
        "{",
        "{\"id\":3,\"job\":\"third\",\"probe\":\"sweep\",\"verdict\":\"unavailable\"}",
        "garbage",
    };
    const long whole = run_size(*state);

    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        struct rp_error error = {0};
        struct rp_run_writer writer;
        struct rp_run run;

        add_text(*state, tails[i]);
        read_run(*state, &run);
        assert_true(run.torn);
        assert_int_equal(run.record_count, 2);
        assert_int_equal(run.valid_size, whole);
        assert_true(rp_run_reopen(&writer, scratch_path(*state, RUN_NAME), &run, &error));
        rp_run_close(&writer);
        rp_run_free(&run);
        assert_int_equal(run_size(*state), whole);
    }
}

static void test_resume(void **state)
{
    struct rp_error error = {0};
    struct rp_run_writer writer;
    struct rp_run run;

    add_text(*state, "{\"id\":3,\"jo");
    read_run(*state, &run);
    assert_true(rp_run_reopen(&writer, scratch_path(*state, RUN_NAME), &run, &error));
    assert_true(append(&writer, "third", 1, &error));
    rp_run_close(&writer);
    rp_run_free(&run);

    read_run(*state, &run);
    assert_false(run.torn);
    assert_int_equal(run.record_count, 3);
    assert_int_equal(run.records[2].id, 3);
    assert_string_equal(run.records[2].job, "third");

    /* Another program has gone on with the file meanwhile. */
    add_text(*state, "{}\n");
    assert_false(rp_run_reopen(&writer, scratch_path(*state, RUN_NAME), &run, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "has changed");
    assert_null(writer.file);
    assert_false(
        rp_run_reopen(&writer, scratch_path(*state, "none.jsonl"), &run, &error));
    assert_contains(error.message, "No such file");
    rp_run_free(&run);
}

/* Two writers would give two records the same id. */
static void test_second_writer(void **state)
{
    struct rp_error error = {0};
    struct rp_run_writer first;
    struct rp_run_writer second;
    struct rp_run run;

    assert_true(rp_run_read(&run, scratch_path(*state, RUN_NAME), &error));
    assert_true(rp_run_reopen(&first, scratch_path(*state, RUN_NAME), &run, &error));
    assert_false(rp_run_reopen(&second, scratch_path(*state, RUN_NAME), &run, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "another program is writing");
    assert_null(second.file);
    rp_run_close(&first);
    assert_true(rp_run_reopen(&second, scratch_path(*state, RUN_NAME), &run, &error));
    rp_run_close(&second);
    rp_run_free(&run);
}

static void test_malformed_records(void **state)
{
    static const struct {
        const char *line;
        const char *message;
    } rows[] = {
        {"\n", "malformed JSON"},
        {"{\"id\":3,\n", "malformed JSON"},
        {"{\"id\":3,\"id\":4}\n", "malformed JSON"},
        {"{\"id\":3,\"job\":\"a\",\"items_per_sample\":1e999}\n", "malformed JSON"},
        {"{\"id\":3,\"job\":\"a\",\"items_per_sample\":NaN}\n", "malformed JSON"},
        {"{\"id\":99999999999999999999,\"job\":\"a\"}\n", "malformed JSON"},
        {"{\"id\":3,\"job\":\"a\\u0000b\"}\n", "malformed JSON"},
        {"{\"id\":3,\"job\":\"\xff\"}\n", "malformed JSON"},
        {"{\"id\":3,\"job\":\"a\\u001b[0m\"}\n",
         "\"job\" must be a text without control"},
        {"{\"id\":3,\"job\":\"a\\u009b0m\"}\n", "\"job\" must be a text without control"},
        {"{\"id\":3,\"job\":\"a\",\"probe\":\"sweep\",\"verdict\":\"unavailable\","
         "\"operations\":{\"a\\u0007\":1}}\n",
         "\"operations\" must"},
        {"[]\n", "must be an object"},
        {"{\"id\":3}\n", "\"job\" is missing"},
        {"{\"id\":3,\"job\":\"a\",\"probe\":\"sweep\",\"verdict\":\"odd\"}\n",
         "\"verdict\" must"},
        {"{\"id\":2,\"job\":\"a\",\"probe\":\"sweep\",\"verdict\":\"unavailable\"}\n",
         "\"id\" must be above"},
        {"{\"id\":3,\"job\":\"first\",\"probe\":\"sweep\",\"verdict\":\"unavailable\"}\n",
         "\"first\" is in the run already"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        void *folder = NULL;

        assert_int_equal(make_run(&folder), 0);
        add_text(folder, rows[i].line);
        expect_refusal(folder, RUN_NAME ":4: ", rows[i].message);
        expect_refusal(folder, "; delete the line", rows[i].message);
        assert_int_equal(scratch_remove(&folder), 0);
    }
}

static void test_deep_nesting(void **state)
{
    char *const line = malloc(100002);

    memset(line, '[', 100000);
    memcpy(line + 100000, "\n", 2);
    add_text(*state, line);
    expect_refusal(*state, ":4: ", "malformed JSON");
    free(line);
}

static void test_malformed_headers(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "holds no whole line"},
        {"{\"ridgepoint_run\":1", "holds no whole line"},
        {"\n", "no Ridgepoint run"},
        {"<svg/>\n", "no Ridgepoint run"},
        {"{}\n", "no Ridgepoint run"},
        {"[1]\n", "no Ridgepoint run"},
        {"{\"ridgepoint_run\":\"1\"}\n", "no Ridgepoint run"},
        {"{\"ridgepoint_run\":2}\n", "format 2"},
        {"{\"ridgepoint_run\":1}\n", "\"sweep_text\""},
        {"{\"ridgepoint_run\":1,\"sweep_text\":\"\"}\n", "\"version\" is missing"},
        {"{\"ridgepoint_run\":1,\"sweep_text\":\"\",\"version\":\"1\",\"compiler\":\"\","
         "\"started_utc\":\"\",\"sweep\":\"x\",\"seed\":-1}\n",
         "\"seed\" must be"},
        {"{\"ridgepoint_run\":1,\"sweep_text\":\"\",\"version\":\"1\",\"compiler\":\"\","
         "\"started_utc\":\"\",\"sweep\":\"x\",\"seed\":1}\n",
         "\"machine\" must be"},
        {"{\"ridgepoint_run\":1,\"sweep_text\":\"\",\"version\":\"0123456789abcdef\"}\n",
         "\"version\" must be"},
        {HEADER_UP_TO_MACHINE ",\"cycle_sources\":{}}\n",
         "\"cycle_sources\" must be a list of at most 3"},
        {HEADER_UP_TO_MACHINE ",\"cycle_sources\":[{},{},{},{}]}\n",
         "\"cycle_sources\" must be a list of at most 3"},
        {HEADER_UP_TO_MACHINE ",\"cycle_sources\":[1]}\n",
         "\"cycle_sources.name\" is missing"},
        {HEADER_UP_TO_MACHINE ",\"cycle_sources\":[{\"name\":\"x\",\"ratio\":-1}]}\n",
         "\"cycle_sources.ratio\" must be"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch_write(*state, RUN_NAME, rows[i].text);
        expect_refusal(*state, RUN_NAME, rows[i].message);
        expect_refusal(*state, "; give the run.jsonl", rows[i].message);
    }
}

static void test_unreadable(void **state)
{
    static const char *const paths[] = {"/nonexistent/run.jsonl", "/dev/zero", "/"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct rp_error error = {0};
        struct rp_run run;

        assert_false(rp_run_read(&run, paths[i], &error));
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, paths[i]);
        rp_run_free(&run);
    }
}

static void test_create_refusals(void **state)
{
    struct rp_error error = {0};
    struct rp_run_writer writer;
    struct rp_run run = header;
    const long size = run_size(*state);
    char path[600];

    /* never over another run */
    assert_false(rp_run_create(&writer, scratch_path(*state, RUN_NAME), &header, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "File exists");
    assert_int_equal(run_size(*state), size);
    rp_run_close(&writer); /* harmless */

    assert_false(rp_run_create(&writer, scratch_path(*state, "no/run"), &header, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "No such file");

    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_false(rp_run_create(&writer, path, &header, &error));
    assert_int_equal(error.status, RP_USAGE);

    char latin[] = "name = \xe4\n";
    run.sweep_text = latin;
    assert_false(rp_run_create(&writer, scratch_path(*state, "new"), &run, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "not UTF-8");

    run.seed = UINT64_MAX;
    assert_false(rp_run_create(&writer, scratch_path(*state, "new"), &run, &error));
    assert_int_equal(error.status, RP_USAGE);
    assert_contains(error.message, "seed");
}

/* Lets files grow to `bytes` only: like a full disk, a write stops in mid-line. */
static void limit_files(rlim_t bytes)
{
    const struct rlimit limit = {bytes, RLIM_INFINITY};

    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_full_disk(void **state)
{
    const long whole = run_size(*state);
    struct rp_error error = {0};
    struct rp_run_writer writer;
    struct rp_run run;

    signal(SIGXFSZ, SIG_IGN);
    read_run(*state, &run);
    assert_true(rp_run_reopen(&writer, scratch_path(*state, RUN_NAME), &run, &error));
    rp_run_free(&run);
    limit_files((rlim_t)whole + 1000);
    const bool appended = append(&writer, "too long", 1000, &error);
    limit_files(RLIM_INFINITY);
    assert_false(appended);
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "cannot write ");
    assert_contains(error.message, "File too large");
    assert_contains(error.message, "free some space");
    assert_int_equal(run_size(*state), whole);

    /* There is space again: the next record goes on where the last whole one ended. */
    assert_true(append(&writer, "third", 1, &error));
    rp_run_close(&writer);
    read_run(*state, &run);
    assert_int_equal(run.record_count, 3);
    assert_int_equal(run.records[2].id, 3);
    rp_run_free(&run);

    /* A header that does not fit leaves no file behind. */
    limit_files(10);
    const bool created =
        rp_run_create(&writer, scratch_path(*state, "new.jsonl"), &header, &error);
    limit_files(RLIM_INFINITY);
    assert_false(created);
    assert_int_equal(error.status, RP_UNABLE);
    assert_null(fopen(scratch_path(*state, "new.jsonl"), "r"));
}

#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, make_run, scratch_remove)
#define WITH_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RUN(test_round_trip),         WITH_RUN(test_cycle_sources),
        WITH_RUN(test_no_cycle_sources),   WITH_RUN(test_long_lines),
        WITH_RUN(test_torn_tail),          WITH_RUN(test_resume),
        WITH_RUN(test_second_writer),      cmocka_unit_test(test_malformed_records),
        WITH_RUN(test_deep_nesting),       WITH_FOLDER(test_malformed_headers),
        cmocka_unit_test(test_unreadable), WITH_RUN(test_create_refusals),
        WITH_RUN(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
