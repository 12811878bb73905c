/* SPDX-License-Identifier: MIT */
/* What can be counted on machines that this one is not. */
#include <stdio.h>
#include <string.h>

#include "cli/counters.h"
#include "probes/architecture.h"
#include "tests/unit/unit.h"

static void a_processor_has_the_name_that_likwid_gives_it(void **state)
{
    static const struct {
        struct rp_cpu cpu;
        const char *name;
    } rows[] = {
        {{.vendor = "AuthenticAMD", .family = 0x17, .model = 0x31}, "zen2"},
        {{.vendor = "AuthenticAMD", .family = 0x19, .model = 0x01, .stepping = 1},
         "zen3"},
        {{.vendor = "AuthenticAMD", .family = 0x19, .model = 0x11, .stepping = 1},
         "zen4"},
        {{.vendor = "AuthenticAMD", .family = 0x19, .model = 0xa0, .stepping = 2},
         "zen4c"},
        {{.vendor = "AuthenticAMD", .family = 0x1a, .model = 0x02, .stepping = 1},
         "zen5"},
        {{.vendor = "AuthenticAMD", .family = 0x1a, .model = 0x11}, "zen5"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x55, .stepping = 4},
         "skylakeX"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x55, .stepping = 5}, "CLX"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x55, .stepping = 7}, "CLX"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x6a, .stepping = 6}, "ICX"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x8f, .stepping = 8}, "SPR"},
        /* The first Zen, Zen 5 of a desktop, Alder Lake, and a model of the other vendor.
         */
        {{.vendor = "AuthenticAMD", .family = 0x17, .model = 0x01}, NULL},
        {{.vendor = "AuthenticAMD", .family = 0x1a, .model = 0x44}, NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 0x97}, NULL},
        {{.vendor = "GenuineIntel", .family = 0x19, .model = 0x11}, NULL},
        {{.vendor = ""}, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *const name = rp_likwid_architecture(&rows[i].cpu);

        if (rows[i].name == NULL) {
            assert_null(name);
        } else {
            assert_non_null(name);
            assert_string_equal(name, rows[i].name);
        }
    }
}

/* Each architecture of x86 that there are groups for is some processor's, and each
 * processor that has a name has groups. */
static void names_and_groups_belong_together(void **state)
{
    static const char *const vendors[] = {"AuthenticAMD", "GenuineIntel"};
    char found[256] = "";
    char known[128];

    (void)state;
    for (unsigned i = 0; i < 2 * 32 * 256 * 16; i++) {
        struct rp_cpu cpu = {
            .stepping = i % 16, .model = i / 16 % 256, .family = i / 4096 % 32};

        strcpy(cpu.vendor, vendors[i / (32 * 4096)]);
        const char *const name = rp_likwid_architecture(&cpu);
        if (name != NULL && strstr(found, name) == NULL) {
            const struct rp_counting counting = {.architecture = name};
            size_t index = 0;

            assert_non_null(rp_counting_next(&counting, &index));
            strcat(strcat(found, name), " ");
        }
    }
    rp_counting_architectures(known, sizeof known);
    for (char *name = strtok(known, ", "); name != NULL; name = strtok(NULL, ", ")) {
        if (strcmp(name, "nvidia_grace") != 0 && strcmp(name, "arm8_v1") != 0) {
            assert_contains(found, name);
        }
    }
}

static const struct rp_counting metal = {
    .cpu = {.vendor = "AuthenticAMD", .family = 0x19, .model = 0x11, .stepping = 1},
    .pmu = {.present = true, .memory = true, .registers = true},
    .architecture = "zen4",
    .likwid = true,
    .regions = true,
    .likwid_release = "5.4.1",
};

static void counting_needs_counters_groups_and_a_likwid_that_knows_them(void **state)
{
    struct rp_error error = {.status = RP_OK};
    struct rp_counting here = metal;

    (void)state;
    assert_true(rp_counting_possible(&here, &error));

    here.regions = false;
    assert_false(rp_counting_possible(&here, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "built without likwid");
    strcpy(here.likwid_release, "5.2.2");
    assert_false(rp_counting_possible(&here, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_string_equal(error.message,
                        "likwid 5.2.2 does not know this processor (zen4): "
                        "install likwid 5.3.0 or newer");
    strcpy(here.likwid_release, "");
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message, "does not tell its release");
    here.likwid = false;
    assert_false(rp_counting_possible(&here, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "not on PATH: install likwid 5.3.0 or newer");
    here.architecture = NULL;
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message,
                    "for this processor (AuthenticAMD family 25 model 17), "
                    "only for CLX, ICX, ");
    here.pmu.present = false;
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message, "no performance counters");
}

/* As in a virtual machine: likwid need not be there. */
static void perf_counts_where_only_the_kernel_can_be_asked(void **state)
{
    const struct rp_pmu guest = {.present = true};
    const struct rp_pmu users = {.present = true, .kept_from_users = true};
    struct rp_error error = {.status = RP_OK};
    struct rp_counting here = {.cpu = metal.cpu, .pmu = guest, .architecture = "zen4"};

    (void)state;
    assert_int_equal(rp_counting_default(&metal.pmu), RP_COUNT_WITH_LIKWID);
    assert_int_equal(rp_counting_default(&users), RP_COUNT_WITH_LIKWID);
    assert_int_equal(rp_counting_default(&guest), RP_COUNT_WITH_PERF);
    here.with = RP_COUNT_WITH_PERF;
    assert_string_equal(rp_counting_with(&here), "perf");
    assert_contains(rp_counting_reason(&here), "through the kernel only");

    assert_false(rp_counting_possible(&here, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "perf, which counts where the counters can be reached "
                                   "through the kernel only, is not on PATH");
    here.perf = true;
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message, "`perf --version` does not tell its release");
    strcpy(here.perf_release, "6.1.0");
    assert_true(rp_counting_possible(&here, &error));
    here.architecture = "arm8_v1";
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message, "no events are known");
    here.pmu = users;
    assert_false(rp_counting_possible(&here, &error));
    assert_contains(error.message, "perf_event_paranoid");
}

static void a_group_fits_from_one_release_to_another(void **state)
{
    static const struct {
        const char *architecture;
        const char *group;
        const char *release;
        bool fits;
    } rows[] = {
        {"zen4", "RP_MEM", "5.5.1", false},
        {"zen4", "RP_MEM", "5.5.2", true},
        {"zen4", "RP_MEM", "5.5.2rc1", true},
        {"zen4", "RP_MEM", "5.10.0", true},
        {"zen4", "RP_MEM", "6", true},
        {"zen4", "RP_MEM", "", false},
        {"zen3", "RP_L3CCX_522", "5.2.2", true},
        {"zen3", "RP_L3CCX_522", "5.3.0", false},
        {"zen3", "RP_L3CCX_522", "5.2.1", false},
        {"zen3", "RP_L3CCX", "5.2.2", false},
        {"zen3", "RP_L3CCX", "5.3", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct rp_counting counting = {.architecture = rows[i].architecture};
        const struct rp_counter_group *group = NULL;
        size_t index = 0;

        do {
            group = rp_counting_next(&counting, &index);
            assert_non_null(group);
        } while (strcmp(group->name, rows[i].group) != 0);
        if (rp_counter_group_fits(group, rows[i].release) != rows[i].fits) {
            fail_msg("%s of %s with %s", group->name, group->architecture,
                     rows[i].release);
        }
    }
}

static char sweep_text[] = "[sweep]\nprobes = clock\n"
                           "[a]\nkernels = load-sse2 copy-sse2\nmodes = none temporal\n"
                           "from = 16 KiB\nto = 16 KiB\n";

static struct rp_run run_of_two_jobs(void)
{
    return (struct rp_run){
        .sweep_name = "a",
        .sweep_text = sweep_text,
        .machine = {.cpu = {.present = RP_CPU_SSE2, .features = RP_CPU_SSE2},
                    .kinds = {{.core_count = 1}},
                    .kind_count = 1,
                    .levels = {{.name = "L1", .size_bytes = 32768}, {.name = "DRAM"}},
                    .level_count = 2,
                    .memory_bytes = 1u << 30},
    };
}

/* The names of the groups that are chosen, or what is wrong. */
static const char *choose(const struct rp_counting *here, const char *groups,
                          const char *kernels, const struct rp_run *run)
{
    static char names[256];
    const struct rp_counters_request request = {.groups = groups, .kernels = kernels};
    struct rp_counters_plan plan;
    struct rp_error error;

    names[0] = '\0';
    if (!rp_counters_choose(&plan, here, &request, run, &error)) {
        snprintf(names, sizeof names, "%d %.200s", error.status, error.message);
        rp_counters_plan_free(&plan);
        return names;
    }
    assert_true(plan.sweep_seconds > 0);
    for (size_t i = 0; i < plan.group_count; i++) {
        strcat(strcat(names, i > 0 ? " " : ""), plan.groups[i]->name);
    }
    rp_counters_plan_free(&plan);
    return names;
}

/* What perf has events for. */
static void perf_counts_bytes_first_too(void **state)
{
    static const struct {
        const char *architecture;
        const char *groups;
    } rows[] = {
        {"zen2", "RP_CORE RP_L1FILL RP_L3"}, {"zen3", "RP_CORE RP_L1FILL RP_L3"},
        {"zen4", "RP_CORE RP_L1FILL RP_L3"}, {"zen4c", "RP_CORE RP_L1FILL RP_L3"},
        {"zen5", "RP_CORE RP_L1FILL RP_L3"}, {"skylakeX", "RP_CORE RP_L2 RP_L3"},
        {"CLX", "RP_CORE RP_L2 RP_L3"},      {"ICX", "RP_CORE RP_L2 RP_L3"},
        {"SPR", "RP_CORE RP_L2 RP_L3"},
    };
    const struct rp_run run = run_of_two_jobs();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct rp_counting here = {.pmu = metal.pmu,
                                         .architecture = rows[i].architecture,
                                         .with = RP_COUNT_WITH_PERF};

        assert_string_equal(choose(&here, NULL, NULL, &run), rows[i].groups);
        assert_contains(choose(&here, "RP_MEM", NULL, &run),
                        strcmp(rows[i].architecture, "zen3") == 0
                            ? "is no group"
                            : "3 counters: RP_MEM is not counted with perf");
    }
}

/* All that says how many bytes crossed which level, each level once. */
static void a_roofline_wants_bytes_first(void **state)
{
    static const struct {
        const char *architecture;
        const char *release;
        bool memory; /* the kernel shows it; else all is counted through the kernel */
        const char *groups;
    } rows[] = {
        {"zen2", "5.2.2", true, "RP_CORE RP_L1FILL RP_L2 RP_L3 RP_MEM"},
        {"zen3", "5.2.2", true, "RP_CORE RP_L1FILL RP_L2 RP_L3 RP_MEM_A RP_MEM_B"},
        {"zen4", "5.3.0", true, "RP_CORE RP_L1FILL RP_L2 RP_L3"},
        {"zen4", "5.4.1", true, "RP_CORE RP_L1FILL RP_L2 RP_L3 RP_MEM_RD RP_MEM_WR"},
        {"zen4", "5.5.2", true, "RP_CORE RP_L1FILL RP_L2 RP_L3 RP_MEM"},
        {"zen4", "5.5.2", false, "RP_CORE RP_L1FILL RP_L2 RP_L3"},
        {"ICX", "5.2.2", true, "RP_CORE RP_L2 RP_L3 RP_MEM"},
        {"SPR", "5.2.2", true, ""},
    };
    const struct rp_run run = run_of_two_jobs();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_counting here = metal;

        here.architecture = rows[i].architecture;
        here.pmu.memory = here.pmu.registers = rows[i].memory;
        strcpy(here.likwid_release, rows[i].release);
        assert_string_equal(choose(&here, NULL, NULL, &run), rows[i].groups);
    }
}

static void what_is_asked_for_is_what_is_counted(void **state)
{
    struct rp_record record = {.job = "counters/RP_L2/copy-sse2/temporal/16384"};
    struct rp_run run = run_of_two_jobs();

    (void)state;
    assert_string_equal(choose(&metal, "RP_FP,RP_L2", NULL, &run), "RP_FP RP_L2");
    assert_string_equal(choose(&metal, "RP_FP", "load-*", &run), "RP_FP");
    assert_contains(choose(&metal, "RP_PORT", NULL, &run), "2 counters: 'RP_PORT' is no");
    assert_contains(choose(&metal, "RP_FP,,RP_L2", NULL, &run), "2 counters: '' is no");
    assert_contains(choose(&metal, "RP_MEM", NULL, &run),
                    "3 counters: RP_MEM needs likwid 5.5.2, and here is 5.4.1");
    assert_contains(choose(&metal, "RP_L2", "add-*", &run), "has no job sweep/add-*/*");
    assert_contains(choose(&metal, "RP_L2", "clock", &run), "has no job");

    /* What the run has of some kernels says nothing of the others. */
    run.records = &record;
    run.record_count = 1;
    assert_string_equal(choose(&metal, "RP_L2,RP_L3", NULL, &run), "RP_L3");
    assert_string_equal(choose(&metal, "RP_L2,RP_L3", "load-*", &run), "RP_L2 RP_L3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_processor_has_the_name_that_likwid_gives_it),
        cmocka_unit_test(names_and_groups_belong_together),
        cmocka_unit_test(counting_needs_counters_groups_and_a_likwid_that_knows_them),
        cmocka_unit_test(perf_counts_where_only_the_kernel_can_be_asked),
        cmocka_unit_test(a_group_fits_from_one_release_to_another),
        cmocka_unit_test(a_roofline_wants_bytes_first),
        cmocka_unit_test(perf_counts_bytes_first_too),
        cmocka_unit_test(what_is_asked_for_is_what_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
