/* SPDX-License-Identifier: MIT */
#include "tests/roofline/model_fixture.h"

#include <stdio.h>
#include <string.h>

#include "roofline/report.h"

static struct rp_error error;

static void markdown(void)
{
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
}

static void csv(void)
{
    build();
    assert_true(rp_report_csv(&model, &text, &error));
}

#define assert_says(part) assert_contains(text.data, part)

static size_t occurrences(const char *part)
{
    size_t count = 0;

    for (const char *at = text.data; (at = strstr(at, part)) != NULL;
         at += strlen(part)) {
        count++;
    }
    return count;
}

/* ---- Markdown ---- */

static void answer_tells_the_conclusion(void **state)
{
    (void)state;
    synthetic_full(&run);
    markdown();
    assert_says(
        "aes128ctr-vaes512-x8 is the fastest: 11.32 GiB/s (0.1645 cycles/byte) at "
        "256 KiB");
    assert_says("95 % of what the AES unit allows");
    assert_says("The AES unit (aesenc-512) binds it.");
    assert_says(
        "From memory (256 MiB) it reaches 3.73 GiB/s with plain stores and 5.59 GiB/s "
        "with non-temporal ones, 1.50 x");
    assert_says("(3 bytes moved for each byte encrypted instead of 2)");
    assert_says("In place it reaches 6.52 GiB/s.");
    assert_says("memory bandwidth (copy-nt DRAM), of which it attains 75 %.");
}

/* Two classes that share a pipe bind together, and every format says so. */
static void two_units_bind_together(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-512", 1, 4);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    synthetic_unit(&run, "clmul-512", 8, 2);
    synthetic_mix(&run, 512, 1);
    synthetic_gcm(&run, 512, 10, 4.25, SYNTHETIC_HZ * 64 / 15);
    markdown();
    assert_says(
        "95 % of what the execution units allow at its width. The execution units "
        "(aesenc-512 and clmul-512 together) bind it.");
    assert_says("Only wider or faster units or a higher clock would help there.");
    assert_says("| 95 % | 67 % | aesenc-512 and clmul-512 together |");
    assert_says("| aesenc+clmul-512 | – | 1.000 |");
    assert_says(
        "clmul-512: one for each 4 of aesenc-512 adds 1.00 cycles to these; alone "
        "it takes 2.00.");
    rp_text_free(&text);
    assert_true(rp_report_csv(&model, &text, &error));
    assert_says("0,aesenc-512 and clmul-512 together\n");
    assert_says("\nunit,aesenc+clmul-512,,,,,1,reciprocal_throughput,1,cycles,");
}

static void answer_without_gain_from_nt_stores(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 256 << 10, 0.5e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_TEMPORAL, 64 << 20, 0.5e9);
    synthetic_cipher(&run, "ttable", 0, RP_MODE_NT, 64 << 20, 0.5e9);
    markdown();
    assert_says("non-temporal stores do not help");
    assert_says("no roof to hold it against");
}

static void ladder_takes_the_median_size(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.5);
    for (size_t kib = 32; kib <= 1024; kib *= 2) {
        synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, kib << 10,
                         (double)kib * 1e7);
    }
    synthetic_cipher(&run, "aesni-x1", 128, RP_MODE_TEMPORAL, 512 << 10, 1e9);
    markdown();
    /* Of 64, 128, 256 and 512 KiB the lower middle one; aesni-x1 only has 512 KiB. */
    assert_says("a working set of 128 KiB");
    assert_says("| aesni-x8 | 128 KiB | 1.192 | 1.5625 | 0.3125 | 20 % |");
    assert_says("| aesni-x1 | 512 KiB | 0.931 | 2.0000 | 0.3125 | 16 % |");
    assert_true(strstr(text.data, "| aesni-x1 |") < strstr(text.data, "| aesni-x8 |"));
}

static void roofline_has_every_level(void **state)
{
    (void)state;
    synthetic_full(&run);
    markdown();
    assert_says("| L1 | 0.0250 | 0.3333 | 0.0250 | 0.1562 | – | not measured | – |  |");
    assert_says(
        "| DRAM | 0.4000 | 0.2500 | 0.2222 | 0.1562 | 0.2857 |"
        " aes128ctr-vaes512-x8, inplace, 256 MiB | update DRAM (78 % attained) |");
}

static void tables_show_payload_and_moved_bytes(void **state)
{
    (void)state;
    synthetic_full(&run);
    markdown();
    assert_says("| copy | DRAM | 10.0 | ±0.0 % | 5.0 | 15.0 | copy-avx2 | 256 MiB |");
    assert_says(
        "| copy-nt | DRAM | 16.0 | ±0.0 % | 8.0 | 16.0 | copy-nt-avx2 | 256 MiB |");
    assert_says("| aesenc-512 | 4.00 | 1.000 | ±0.0 % | 4 | 4.0 | 2.000 |");
}

static void doubts_are_told(void **state)
{
    (void)state;
    synthetic_full(&run);
    struct rp_record *const record =
        synthetic_cipher(&run, "vaes512-x8", 512, RP_MODE_TEMPORAL, 128 << 10, 15e9);
    record->verdict = RP_VERDICT_DISTURBED;
    snprintf(record->why, sizeof record->why, "the thread was preempted");
    rp_machine_condition(&run.machine, RP_SEVERITY_WARN, "virtual machine", "use metal");
    markdown();
    assert_says("1 were disturbed");
    assert_says("the thread was preempted");
    assert_says("1 points lie above their roof");
    assert_says("| aes128ctr-vaes512-x8, temporal, 128 KiB | above its roof: 1.17 x "
                "aesenc-512 |");
    assert_says("aes128ctr-vaes256-x8: this CPU has no VAES");
    assert_says("| warning | virtual machine | use metal |");
    assert_says("ridgepoint sweep --seed 7 default");
}

static void markdown_escapes_what_it_did_not_write(void **state)
{
    (void)state;
    synthetic_full(&run);
    markdown();
    assert_says("# AES roofline of Made \\<Up\\> \"Core\" \\| a\\_b \\& Co\n");
}

/* In a table every line has the columns that its heading has. */
static void markdown_tables_are_rectangular(void **state)
{
    size_t columns = 0;

    (void)state;
    synthetic_full(&run);
    rp_machine_condition(&run.machine, RP_SEVERITY_NOTE, "a|b", "c\nd");
    markdown();
    for (const char *line = text.data; *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t bars = 0;
        for (const char *c = line; *c != '\n'; c++) {
            bars += *c == '|' && (c == line || c[-1] != '\\');
        }
        if (line[0] != '|') {
            columns = 0;
        } else if (columns == 0) {
            columns = bars;
        } else {
            assert_int_equal(bars, columns);
        }
    }
}

/* A machine may show no cache at all: then nothing is said to be in one. */
static void answer_without_caches(void **state)
{
    (void)state;
    synthetic_start(&run);
    run.machine.levels[0] = run.machine.levels[3];
    run.machine.level_count = 1;
    synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 << 10, 1e9)->verdict =
        RP_VERDICT_DISTURBED;
    markdown();
    assert_says("On a small working set, aes128ctr-aesni-x8 is the fastest");
    assert_says("(a disturbed measurement)");
    assert_says("which fits into DRAM");
    assert_null(strstr(text.data, "cache."));
}

/* The clock may differ from record to record; a roof's cycles are those of its own. */
static void roof_cycles_are_at_its_own_clock(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    struct rp_record *const slow_clock =
        synthetic_stream(&run, "copy-avx512", "L1", 16 << 10, 100e9);
    for (size_t i = 0; i < slow_clock->sample_count; i++) {
        slow_clock->samples[i].cycles /= 2;
    }
    markdown();
    assert_float_equal(model.roofs[0].hz, SYNTHETIC_HZ / 2, 1);
    assert_says("| L1 | 0.0200 |");
    assert_says("| copy | L1 | 100.0 | ±0.0 % | 100.0 |");
}

/* A capped run is repeated with its cap, and a name from elsewhere is no shell command.
 */
static void command_repeats_the_run(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    run.machine.cpu.present = RP_CPU_SSE2 | RP_CPU_AVX2;
    run.machine.cpu.features = RP_CPU_SSE2;
    run.machine.cpu.level = "sse2";
    snprintf(run.sweep_name, sizeof run.sweep_name, "x; rm -rf ~\n```\n<b>");
    markdown();
    assert_says("```\nRIDGEPOINT_CPU=sse2 ridgepoint sweep --seed 7 x-rm-rf-b\n```\n");
}

/* ---- partial runs, in all formats ---- */

static void every_format_of(void)
{
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_true(rp_report_csv(&model, &text, &error));
    assert_true(rp_report_html(&model, NULL, 0, &text, &error));
}

static void one_clock_record_is_enough(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_clock(&run);
    every_format_of();
    assert_says("measured no cipher on a small working set");
    assert_says("no measurement of bandwidth");
    assert_says("no measurement of a unit");
}

static void only_unavailable_is_enough(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unavailable(&run, "units", "aesenc-512", "this CPU has no VAES");
    every_format_of();
    assert_says("aesenc-512: this CPU has no VAES");
    assert_says("unit,aesenc-512,,,,,,,,,,,,,unavailable,,,,,,,,,,,\n");
}

static void roofs_without_a_sweep(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_drop_l3(&run);
    synthetic_stream(&run, "copy-avx2", "DRAM", 64 << 20, 10e9);
    every_format_of();
    assert_says("| DRAM | 0.4000 | – | – | – | – | not measured | – |");
}

static void cycles_that_were_not_counted_are_not_told(void **state)
{
    (void)state;
    synthetic_full(&run);
    for (size_t i = 0; i < run.record_count; i++) {
        struct rp_record *const record = &run.records[i];
        for (size_t j = 0;
             strcmp(record->probe, "sweep") == 0 && j < record->sample_count; j++) {
            record->samples[j].cycles = 0;
        }
    }
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_says("is the fastest: 11.32 GiB/s at 256 KiB of source and destination");
    assert_says("| vaes512-x8 | 256 KiB | 11.325 | – | 0.1562 | – |");
    assert_null(strstr(text.data, "inf"));
}

/* ---- CSV ---- */

static void csv_has_its_columns_in_every_row(void **state)
{
    (void)state;
    synthetic_full(&run);
    snprintf(run.records[run.record_count - 1].kernel, 40, "a\"b");
    csv();
    assert_int_equal(
        strncmp(text.data,
                "kind,name,variant,mode,level,working_set_bytes,threads,quantity,"
                "value,unit,low,high,bound,attained,verdict,lower_quartile,"
                "upper_quartile,best,samples,dropped_clock,dropped_preempted,"
                "dropped_stolen,dropped_shared,dropped_throttled,dropped_moved,"
                "bound_by\n",
                253),
        0);
    for (const char *line = text.data; *line != '\0'; line = strchr(line, '\n') + 1) {
        size_t commas = 0;
        for (const char *c = line; *c != '\n'; c++) {
            commas += *c == ',';
        }
        assert_int_equal(commas, 25);
    }
}

static void csv_tells_every_kind_of_fact(void **state)
{
    (void)state;
    synthetic_full(&run);
    csv();
    assert_says(
        "\nroof,copy,copy-avx2,temporal,DRAM,268435456,1,bandwidth,1e+10,bytes/s,1e+10,"
        "1e+10,,,steady,1e+10,1e+10,1e+10,8,0,0,0,0,0,0,\n");
    assert_says(
        "\nunit,aesenc-512,,,,,1,latency,4,cycles,4,4,,,steady,4,4,4,8,0,0,0,0,0,0,\n");
    assert_says("\nunit,aesenc-128,,,,,1,reciprocal_throughput,0.5,cycles,0.5,0.5,,,"
                "steady,0.5,0.5,0.5,8,"
                "0,0,0,0,0,0,\n");
    assert_says(
        "\npoint,aes128ctr-vaes512-x8,vaes512-x8,nt,DRAM,268435456,1,rate,6e+09,bytes/s,"
        "6e+09,6e+09,8e+09,0.75,steady,6e+09,6e+09,6e+09,8,0,0,0,0,0,0,"
        "copy-nt DRAM\n");
    assert_says(
        "\npoint,aes128ctr-vaes512-x8,vaes512-x8,nt,DRAM,268435456,1,cycles_per_byte,"
        "0.333333,cycles/"
        "byte,0.333333,0.333333,0.25,0.75,steady,0.333333,0.333333,0.333333,"
        "8,0,0,0,0,0,0,copy-nt DRAM\n");
    assert_says(
        "\npoint,copy-avx2,,temporal,L2,262144,1,bandwidth,8e+10,bytes/s,8e+10,8e+10,"
        "8e+10,1,steady,8e+10,8e+10,8e+10,8,0,0,0,0,0,0,copy L2\n");
    assert_says("\npoint,aes128ctr-vaes256-x8,,,,,,,,,,,,,unavailable,,,,,,,,,,,\n");
}

/* The best sample is the fastest one, which has the most bytes a second and the fewest
 * cycles a byte. */
static void csv_tells_of_the_samples(void **state)
{
    (void)state;
    synthetic_start(&run);
    struct rp_record *const record =
        synthetic_cipher(&run, "aesni-x8", 128, RP_MODE_TEMPORAL, 256 << 10, 2e9);
    record->samples[3].ns /= 2;
    record->samples[3].cycles /= 4;
    record->samples[5].ns *= 2;
    record->samples[5].cycles *= 2;
    record->dropped = (struct rp_dropped){
        .clock = 1, .preempted = 2, .stolen = 3, .shared = 4, .throttled = 5, .moved = 6};
    record->verdict = RP_VERDICT_DISTURBED;
    csv();
    assert_says(",rate,2e+09,bytes/s,1e+09,4e+09,,,disturbed,2e+09,2e+09,4e+09,8,1,2,3,4,"
                "5,6,\n");
    assert_says(
        ",cycles_per_byte,1,cycles/byte,0.25,2,,,disturbed,1,1,0.25,8,1,2,3,4,5,6,\n");
}

static void every_table_of_results_has_the_verdict(void **state)
{
    (void)state;
    synthetic_full(&run);
    for (size_t i = 0; i < run.record_count; i++) {
        if (run.records[i].verdict == RP_VERDICT_STEADY) {
            run.records[i].verdict = RP_VERDICT_BUDGET;
        }
    }
    markdown();
    assert_says(
        "| 0.1645 | 0.1562 | 95 % | 95 % | aesenc-512 | budget |"); /* the ladder */
    assert_says("| update DRAM (78 % attained) | budget |");        /* the roofline */
    assert_says("| copy-avx2 | 256 MiB | budget |");                /* roofs */
    assert_says("| 2.000 | budget |");                              /* units */
}

static void fewer_rounds_pass_the_ceiling_of_all(void **state)
{
    (void)state;
    synthetic_full(&run);
    struct rp_record *const cached = synthetic_cipher(
        &run, "vaes512-x8-cached", 512, RP_MODE_TEMPORAL, 256 << 10, 14.7e9);

    cached->operations[0].per_item = 8 * 8.0 / 512;
    markdown();
    assert_says("| 0.1361 | 0.1250 | 92 % | 115 % | aesenc-512 |");
}

static struct rp_record *interleaved(unsigned chains, const char *kind, enum rp_mode mode,
                                     size_t working_set_bytes,
                                     double cycles_per_instruction)
{
    /* Sixteen bytes in ten instructions. */
    struct rp_record *const record =
        synthetic_cipher(&run, "x", 128, mode, working_set_bytes,
                         SYNTHETIC_HZ * 16 / 10 / cycles_per_instruction);

    snprintf(record->family, sizeof record->family, "aes128ecb");
    snprintf(record->variant, sizeof record->variant, "aesni-x%u%s", chains, kind);
    snprintf(record->kernel, sizeof record->kernel, "aes128ecb-aesni-x%u%s", chains,
             kind);
    return record;
}

static void interleaving_has_a_knee(void **state)
{
    (void)state;
    synthetic_start(&run);
    for (unsigned chains = 1; chains <= 4; chains++) {
        interleaved(chains, "", RP_MODE_TEMPORAL, 32 << 10,
                    chains < 3 ? 2.0 / chains : 0.51);
        interleaved(chains, "", RP_MODE_TEMPORAL, 256 << 10, chains < 4 ? 1 : 0.6);
        interleaved(chains, "", RP_MODE_TEMPORAL, 256 << 20, 0.1); /* not looked at */
        interleaved(chains, "-nomem", RP_MODE_NONE, 32 << 10, chains < 2 ? 1 : 0.5);
    }
    interleaved(16, "", RP_MODE_TEMPORAL, 32 << 10, 0.51);
    interleaved(16, "-nomem", RP_MODE_NONE, 32 << 10, 0.63); /* registers ran out */
    markdown();
    assert_says(
        "128 bits: within 5 % of its best from 3 vectors in flight with data in "
        "L1, 4 in L2, 2 without data; where both are that near, L1 and none differ by at "
        "most 2.0 %");
    assert_says("| 1 | 2.000 | 1.000 | 1.000 | – | – | – | – | – | – |");
    assert_says("| 4 | 0.510 | 0.600 | 0.500 | – | – | – | – | – | – |");
    assert_says("The run holds no cipher with plain stores"); /* it is no cipher */
}

static void csv_quotes_as_rfc_4180(void **state)
{
    (void)state;
    synthetic_start(&run);
    synthetic_unavailable(&run, "sweep", "a,\"b\"\nc", "no");
    csv();
    assert_says("\npoint,\"a,\"\"b\"\" c\",,,,,,,,,,,,,unavailable,,,,,,,,,,,\n");
}

static void csv_holds_no_formula(void **state)
{
    static const char *const names[] = {"=1+1", "+1", "-1", "@x", "\t=1", "=\"a\""};

    (void)state;
    synthetic_start(&run);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        synthetic_unavailable(&run, "sweep", names[i], "no");
    }
    synthetic_unavailable(&run, "sweep", "a=1-1", "no");
    synthetic_unavailable(&run, "sweep", "", "no");
    csv();
    assert_says("\npoint,'=1+1,");
    assert_says("\npoint,'+1,");
    assert_says("\npoint,'-1,");
    assert_says("\npoint,'@x,");
    assert_says("\npoint,' =1,");
    assert_says("\npoint,\"'=\"\"a\"\"\",");
    assert_says("\npoint,a=1-1,");
}

/* ---- HTML ---- */

static void html_holds_its_figures(void **state)
{
    static const struct rp_report_figure figures[] = {
        {.kind = "roofline-aes",
         .svg = "<svg><title id=\"t\">A \"good\" &lt;one&gt;</title><desc>It "
                "says</desc></svg>"},
        {.kind = "bandwidth", .svg = "<svg/>"},
    };

    (void)state;
    synthetic_full(&run);
    build();
    assert_true(rp_report_html(&model, figures, 2, &text, &error));
    assert_says(
        "<img alt=\"A &quot;good&quot; &lt;one&gt;\" src=\"data:image/svg+xml;base64,"
        "PHN2Zz48dGl0bGUgaWQ9InQiPkEgImdvb2QiICZsdDtvbmUmZ3Q7PC90aXRsZT48ZGVzYz5JdCBz"
        "YXlzPC9kZXNjPjwvc3ZnPg==\">");
    assert_says("<figcaption>It says</figcaption>");
    assert_says("<figure id=\"bandwidth\"><img alt=\"\" src=\"data:image/svg+xml;base64,"
                "PHN2Zy8+\">");
    assert_null(strstr(text.data, "<script"));
    assert_null(strstr(text.data, "href=\"http"));
}

static void html_escapes_and_closes_everything(void **state)
{
    static const char *const elements[] = {"table", "tr", "td", "th",  "ul", "li",
                                           "p",     "h1", "h2", "div", "pre"};

    (void)state;
    synthetic_full(&run);
    rp_machine_condition(&run.machine, RP_SEVERITY_NOTE, "<b>it's</b>", "a & b");
    build();
    assert_true(rp_report_html(&model, NULL, 0, &text, &error));
    assert_says(
        "<title>AES roofline of Made &lt;Up&gt; &quot;Core&quot; | a_b &amp; Co</title>");
    assert_says("<td>&lt;b&gt;it&#39;s&lt;/b&gt;</td><td>a &amp; b</td></tr>");
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
        char plain[16];
        char with_class[16];
        char closing[16];
        snprintf(plain, sizeof plain, "<%s>", elements[i]);
        snprintf(with_class, sizeof with_class, "<%s ", elements[i]);
        snprintf(closing, sizeof closing, "</%s>", elements[i]);
        assert_int_equal(occurrences(plain) + occurrences(with_class),
                         occurrences(closing));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(answer_tells_the_conclusion),
        TEST(two_units_bind_together),
        TEST(answer_without_gain_from_nt_stores),
        TEST(ladder_takes_the_median_size),
        TEST(roofline_has_every_level),
        TEST(tables_show_payload_and_moved_bytes),
        TEST(doubts_are_told),
        TEST(markdown_escapes_what_it_did_not_write),
        TEST(markdown_tables_are_rectangular),
        TEST(answer_without_caches),
        TEST(roof_cycles_are_at_its_own_clock),
        TEST(command_repeats_the_run),
        TEST(one_clock_record_is_enough),
        TEST(only_unavailable_is_enough),
        TEST(roofs_without_a_sweep),
        TEST(cycles_that_were_not_counted_are_not_told),
        TEST(csv_has_its_columns_in_every_row),
        TEST(csv_tells_every_kind_of_fact),
        TEST(csv_tells_of_the_samples),
        TEST(every_table_of_results_has_the_verdict),
        TEST(fewer_rounds_pass_the_ceiling_of_all),
        TEST(interleaving_has_a_knee),
        TEST(csv_quotes_as_rfc_4180),
        TEST(csv_holds_no_formula),
        TEST(html_holds_its_figures),
        TEST(html_escapes_and_closes_everything),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
