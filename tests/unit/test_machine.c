/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/place.h"
#include "core/text.h"
#include "scratch.h"

static const struct rp_cpu test_cpu = {
    .features = RP_CPU_SSE2 | RP_CPU_AES,
    .present = RP_CPU_SSE2 | RP_CPU_AES | RP_CPU_AVX2,
    .vendor = "GenuineIntel",
    .brand = "Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz",
    .family = 6,
    .model = 158,
    .stepping = 10,
    .hypervisor = true,
    .level = "aesni",
};

/* Describes the machine that hwloc makes up from `synthetic`. */
static struct rp_machine describe(const char *synthetic)
{
    struct rp_error error = {0};
    struct rp_machine machine;

    setenv("HWLOC_SYNTHETIC", synthetic, 1);
    struct rp_topology *const topology = rp_topology_load(&error);
    assert_non_null(topology);
    assert_true(
        rp_machine_describe(&machine, topology, &test_cpu, &rp_system_running, &error));
    rp_topology_free(topology);
    unsetenv("HWLOC_SYNTHETIC");
    return machine;
}

/* Such a size is made up, and no run file could keep it. */
static void test_cache_beyond_limit(void **state)
{
    const struct rp_machine machine =
        describe("l2:1(size=9223372036854775808) l1d:1(size=32768) core:1 pu:1");

    (void)state;
    assert_int_equal(machine.level_count, 2);
    assert_string_equal(machine.levels[0].name, "L1");
    assert_string_equal(machine.levels[1].name, "DRAM");
}

static void test_three_levels(void **state)
{
    const struct rp_machine machine =
        describe("node:1 l3:2(size=33554432) l2:4(size=1048576) "
                 "l1d:1(size=32768) core:1 pu:2");
    static const struct {
        const char *name;
        size_t bytes;
        unsigned shared_by;
    } levels[] = {
        {"L1", 32 * RP_KIB, 1},
        {"L2", RP_MIB, 1},
        {"L3", 32 * RP_MIB, 4},
        {"DRAM", 0, 8},
    };

    (void)state;
    assert_int_equal(machine.level_count, COUNT_OF(levels));
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        assert_string_equal(machine.levels[i].name, levels[i].name);
        assert_int_equal(machine.levels[i].size_bytes, levels[i].bytes);
        assert_int_equal(machine.levels[i].shared_by, levels[i].shared_by);
    }
    assert_int_equal(machine.core_count, 8);
    assert_int_equal(machine.pu_count, 16);
    assert_int_equal(machine.numa_count, 1);
    assert_int_equal(machine.measured_pu, 14); /* first thread of the last core */
    assert_true(machine.memory_bytes > 0);
    assert_int_equal(
        rp_machine_spendable_bytes(&(struct rp_machine){.memory_bytes = 10 * RP_GIB}),
        8 * RP_GIB);

    assert_int_equal(rp_machine_level_of(&machine, 1), 0);
    assert_int_equal(rp_machine_level_of(&machine, 32 * RP_KIB), 0);
    assert_int_equal(rp_machine_level_of(&machine, 32 * RP_KIB + 1), 1);
    assert_int_equal(rp_machine_level_of(&machine, RP_MIB), 1);
    assert_int_equal(rp_machine_level_of(&machine, 32 * RP_MIB), 2);
    assert_int_equal(rp_machine_level_of(&machine, SIZE_MAX), 3);
}

static void test_no_l3(void **state)
{
    const struct rp_machine machine =
        describe("node:2 l2:2(size=524288) l1d:1(size=32768) core:1 pu:1");

    (void)state;
    assert_int_equal(machine.level_count, 3);
    assert_string_equal(machine.levels[1].name, "L2");
    assert_string_equal(machine.levels[2].name, "DRAM");
    assert_int_equal(machine.numa_count, 2);
}

static void test_single_core(void **state)
{
    const struct rp_machine machine = describe("l1d:1(size=49152) core:1 pu:1");

    (void)state;
    assert_int_equal(machine.core_count, 1);
    assert_int_equal(machine.measured_pu, 0);
    assert_int_equal(machine.level_count, 2);
    assert_int_equal(machine.levels[0].shared_by, 1);
}

static void test_no_caches(void **state)
{
    const struct rp_machine machine = describe("core:4 pu:1");

    (void)state;
    assert_int_equal(machine.level_count, 1);
    assert_string_equal(machine.levels[0].name, "DRAM");
    assert_int_equal(rp_machine_level_of(&machine, 1), 0);
    assert_contains(machine.conditions[0].text, "no cache sizes");
    assert_int_equal(machine.conditions[0].severity, RP_SEVERITY_WARN);
}

static void test_threads_without_cores(void **state)
{
    const struct rp_machine machine = describe("l2:1(size=1048576) pu:3");

    (void)state;
    assert_int_equal(machine.core_count, 3);
    assert_int_equal(machine.measured_pu, 2);
    assert_int_equal(machine.levels[0].shared_by, 3);
}

/* The hardware threads that measurements on more and more cores of a kind take. */
static unsigned pus_of(const char *synthetic, unsigned kind, unsigned *pus,
                       unsigned capacity)
{
    struct rp_error error = {0};

    setenv("HWLOC_SYNTHETIC", synthetic, 1);
    struct rp_topology *const topology = rp_topology_load(&error);
    unsetenv("HWLOC_SYNTHETIC");
    assert_non_null(topology);
    const unsigned count = rp_machine_pus(topology, kind, pus, capacity);
    rp_topology_free(topology);
    return count;
}

static void test_pus_one_per_core_first(void **state)
{
    /* Both ways of numbering siblings: (0,1),(2,3) and (0,2),(1,3). */
    static const struct {
        const char *synthetic;
        unsigned pus[4];
    } rows[] = {
        {"core:2 pu:2", {2, 0, 3, 1}},
        {"core:2 pu:2(indexes=0,2,1,3)", {1, 0, 3, 2}},
    };
    unsigned pus[4] = {0};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(pus_of(rows[i].synthetic, 0, pus, COUNT_OF(pus)), 4);
        assert_memory_equal(pus, rows[i].pus, sizeof pus);
        assert_int_equal(pus[0], describe(rows[i].synthetic).measured_pu);
    }
    /* No more than there is room for, and nothing of a kind that does not exist. */
    memset(pus, 0xff, sizeof pus);
    assert_int_equal(pus_of("core:2 pu:2", 0, pus, 1), 4);
    assert_int_equal(pus[0], 2);
    assert_int_equal(pus[1], UINT32_MAX);
    assert_int_equal(pus_of("core:2 pu:2", 1, pus, COUNT_OF(pus)), 0);
    assert_int_equal(pus_of("core:2 pu:2", 0, NULL, 0), 4);
    assert_int_equal(pus_of("pu:3", 0, pus, COUNT_OF(pus)), 3);
}

static void test_names(void **state)
{
    static const struct {
        const char *brand;
        const char *name;
        const char *processor;
    } rows[] = {
        {"Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", "intel-core-i7-8700k-6-207",
         "Intel Core i7-8700K"},
        {"Intel(R) Xeon(R) Processor", "intel-xeon-6-207",
         "Intel Xeon, family 6 model 207"},
        {"AMD EPYC 9R14 96-Core Processor", "amd-epyc-9r14-96-core-6-207",
         "AMD EPYC 9R14 96-Core"},
        {"", "unknown-cpu-6-207", "unknown CPU, family 6 model 207"},
        {"(R) CPU", "unknown-cpu-6-207", "unknown CPU, family 6 model 207"},
        {"../.. Brand Without Any Number And Much Too Long",
         "brand-without-any-number-and-much-too-long-6-207",
         "../.. Brand Without Any Number And , family 6 model 207"},
    };
    struct rp_error error = {0};

    (void)state;
    setenv("HWLOC_SYNTHETIC", "core:1 pu:1", 1);
    struct rp_topology *const topology = rp_topology_load(&error);
    unsetenv("HWLOC_SYNTHETIC");
    assert_non_null(topology);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_cpu cpu = test_cpu;
        struct rp_machine machine;

        cpu.model = 207;
        strncpy(cpu.brand, rows[i].brand, sizeof cpu.brand - 1);
        assert_true(
            rp_machine_describe(&machine, topology, &cpu, &rp_system_running, &error));
        assert_string_equal(machine.name, rows[i].name);
        assert_string_equal(machine.processor, rows[i].processor);
    }
    rp_topology_free(topology);
}

static void test_bad_topology(void **state)
{
    struct rp_error error = {0};

    (void)state;
    setenv("HWLOC_XMLFILE", "/nonexistent/machine.xml", 1);
    setenv("HWLOC_COMPONENTS", "xml,stop", 1);
    struct rp_topology *const topology = rp_topology_load(&error);
    unsetenv("HWLOC_XMLFILE");
    unsetenv("HWLOC_COMPONENTS");
    assert_null(topology);
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "hwloc");
}

static const char private_xml[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
    "<topology version=\"2.0\">\n"
    "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
    "allowed_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
    "allowed_nodeset=\"0x1\" "
    "gp_index=\"1\">\n"
    "<info name=\"DMIProductName\" value=\"Model &quot;T/&gt;&lt;\"/>\n"
    "<info name=\"DMIProductSerial\" value=\"secret-1\"/>\n"
    "<info name=\"DMIProductUUID\" value=\"secret-2\"/>\n"
    "<info name=\"DMIChassisAssetTag\" value=\"secret-3\"/>\n"
    "<info name=\"HostName\" value=\"secret-4\"/>\n"
    "<info name=\"Address\" value=\"secret-5\"/>\n"
    "<info name=\"LinuxCgroup\" value=\"/secret-6\"/>\n"
    "<info name=\"Architecture\" value=\"x86_64\"/>\n"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
    "nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3\" local_memory=\"1048576\"/>\n"
    "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" "
    "nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2\"/>\n"
    "</object>\n"
    "</topology>\n";

static void test_save_leaves_out_private(void **state)
{
    struct rp_error error = {0};
    size_t length = 0;

    scratch_write(*state, "in.xml", private_xml);
    setenv("HWLOC_XMLFILE", scratch_path(*state, "in.xml"), 1);
    struct rp_topology *const topology = rp_topology_load(&error);
    unsetenv("HWLOC_XMLFILE");
    assert_non_null(topology);
    assert_true(rp_topology_save(topology, scratch_path(*state, "out.xml"), &error));

    char *const text = scratch_read(*state, "out.xml", &length);
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "HostName"));
    assert_contains(text, "DMIProductName");
    assert_contains(text, "Architecture");
    assert_contains(text, "</topology>");
    free(text);

    /* What was saved can be loaded. */
    setenv("HWLOC_XMLFILE", scratch_path(*state, "out.xml"), 1);
    struct rp_topology *const again = rp_topology_load(&error);
    unsetenv("HWLOC_XMLFILE");
    assert_non_null(again);
    rp_topology_free(again);

    assert_false(
        rp_topology_save(topology, scratch_path(*state, "no/such/out.xml"), &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "out.xml: No such file");
    rp_topology_free(topology);
}

/* The machine the test runs on. */
static void test_this_machine(void **state)
{
    struct rp_error error = {0};
    struct rp_machine machine;
    struct rp_cpu cpu;

    (void)state;
    struct rp_topology *const topology = rp_topology_load(&error);
    assert_non_null(topology);
    assert_true(rp_cpu_detect(&cpu, &rp_cpu_native, NULL, &error));
    assert_true(
        rp_machine_describe(&machine, topology, &cpu, &rp_system_running, &error));
    assert_true(machine.core_count >= 1 && machine.pu_count >= machine.core_count);
    assert_true(machine.name[0] != '\0' && machine.kernel[0] != '\0');
    assert_true(rp_place_thread(topology, machine.measured_pu, &error));
    assert_false(rp_place_thread(topology, 1000000, &error));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "1000000");
    rp_topology_free(topology);

    /* Bound to one CPU now, the process sees no more than that. */
    struct rp_topology *const narrow = rp_topology_load(&error);
    assert_non_null(narrow);
    const unsigned pu = machine.measured_pu;
    assert_true(rp_machine_describe(&machine, narrow, &cpu, &rp_system_running, &error));
    assert_int_equal(machine.pu_count, 1);
    assert_int_equal(machine.core_count, 1);
    assert_int_equal(machine.measured_pu, pu);
    rp_topology_free(narrow);
}

#define SETS "nodeset=\"0x1\" complete_nodeset=\"0x1\" "

/* Two cores, the second of which has no hardware thread. */
static const char threadless_xml[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
    "<topology version=\"2.0\">\n"
    "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" " SETS
    "allowed_cpuset=\"0x3\" allowed_nodeset=\"0x1\" gp_index=\"1\">\n"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" "
    "complete_cpuset=\"0x3\" " SETS "gp_index=\"2\" local_memory=\"1073741824\"/>\n"
    "<object type=\"Core\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" " SETS
    "gp_index=\"3\">\n"
    "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" " SETS
    "gp_index=\"4\"/>\n"
    "</object>\n"
    "<object type=\"Core\" os_index=\"1\" cpuset=\"0x2\" complete_cpuset=\"0x2\" " SETS
    "gp_index=\"5\"/>\n"
    "</object>\n"
    "</topology>\n";

static void test_core_without_threads(void **state)
{
    struct rp_error error = {0};
    struct rp_machine machine;

    scratch_write(*state, "in.xml", threadless_xml);
    struct rp_topology *const topology =
        rp_topology_load_xml(scratch_path(*state, "in.xml"), &error);
    assert_non_null(topology);
    assert_true(
        rp_machine_describe(&machine, topology, &test_cpu, &rp_system_running, &error));
    assert_int_equal(machine.core_count, 1);
    assert_int_equal(machine.measured_pu, 0);
    rp_topology_free(topology);
}

static void test_no_threads(void **state)
{
    struct rp_error error = {0};
    struct rp_machine machine;
    char xml[sizeof threadless_xml];

    snprintf(xml, sizeof xml, "%s", threadless_xml);
    char *const thread = strstr(xml, "<object type=\"PU\"");
    memset(thread, ' ', (size_t)(strchr(thread, '\n') - thread));
    scratch_write(*state, "in.xml", xml);
    struct rp_topology *const topology =
        rp_topology_load_xml(scratch_path(*state, "in.xml"), &error);
    assert_non_null(topology);
    assert_false(
        rp_machine_describe(&machine, topology, &test_cpu, &rp_system_running, &error));
    assert_contains(error.message, "shows no CPU");
    rp_topology_free(topology);
}

static void test_condition_table_is_bounded(void **state)
{
    struct rp_machine machine = {0};
    char text[400];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < RP_MAX_CONDITIONS + 5; i++) {
        rp_machine_condition(&machine, RP_SEVERITY_NOTE, text, text);
    }
    assert_int_equal(machine.condition_count, RP_MAX_CONDITIONS);
    assert_int_equal(strlen(machine.conditions[0].text), 159);
}

static void test_json_round_trip(void **state)
{
    struct rp_machine machine =
        describe("l3:1(size=33554432) l2:4(size=1048576) core:1 pu:2");
    struct rp_machine back;
    struct rp_error error = {0};

    (void)state;
    machine.tsc_hz = 2300000000;
    json_t *const json = rp_machine_to_json(&machine);
    assert_non_null(json);
    assert_true(rp_machine_from_json(&back, json, &error));
    json_t *const again = rp_machine_to_json(&back);
    assert_true(json_equal(json, again));
    assert_int_equal(back.cpu.features, machine.cpu.features);
    assert_int_equal(back.cpu.present, machine.cpu.present);
    assert_string_equal(back.cpu.level, "aesni");
    assert_true(back.cpu.hypervisor);
    assert_int_equal(back.level_count, 3);
    assert_int_equal(back.levels[1].size_bytes, 32 * RP_MIB);
    assert_int_equal(back.condition_count, machine.condition_count);
    assert_true(back.tsc_hz == machine.tsc_hz);
    json_decref(json);
    json_decref(again);
}

/* Each row replaces one member; an empty path stands for the machine itself. */
static void test_json_refusals(void **state)
{
    static const struct {
        const char *object;
        const char *key;
        const char *value;
        const char *message;
    } rows[] = {
        {"", "name", "7", "\"machine.name\""},
        {"", "processor",
         "\"0123456789012345678901234567890123456789012345678901234567890123\"",
         "\"machine.processor\""},
        {"", "core_count", "-1", "\"machine.core_count\""},
        {"", "core_count", "1.5", "\"machine.core_count\""},
        {"", "pu_count", "4294967296", "\"machine.pu_count\""},
        {"", "memory_bytes", "\"1G\"", "\"machine.memory_bytes\""},
        {"", "tsc_hz", "-0.5", "\"machine.tsc_hz\""},
        {"", "cpu", "[]", "\"cpu.level\""},
        {"", "levels", "[]", "\"levels\""},
        {"", "levels", "[1,2,3,4,5,6]", "\"levels\""},
        {"", "levels", "[{\"name\":\"DRAM\",\"size_bytes\":4096}]",
         "\"levels.size_bytes\""},
        {"", "levels", "[{\"name\":\"L1\"},{\"name\":\"DRAM\"}]",
         "\"levels.size_bytes\""},
        {"", "levels", "[{\"name\":\"DRAM-DRAM\"}]", "\"levels.name\""},
        {"", "levels", "[null]", "\"levels.name\""},
        {"", "conditions", "{}", "\"conditions\""},
        {"", "conditions", "[{\"severity\":\"bad\",\"text\":\"a\",\"what_to_do\":\"b\"}]",
         "\"conditions.severity\""},
        {"", "conditions", "[{\"severity\":\"note\",\"text\":\"a\"}]",
         "\"conditions.what_to_do\""},
        {"cpu", "level", "\"avx9\"", "\"cpu.level\""},
        {"cpu", "features", "7", "\"cpu.features\""},
        {"cpu", "hypervisor", "1", "\"cpu.hypervisor\""},
        {"cpu", "vendor", "\"0123456789abc\"", "\"cpu.vendor\""},
    };
    const struct rp_machine machine = describe("l2:4(size=1048576) core:1 pu:1");

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_error error = {0};
        struct rp_machine back;
        json_t *const json = rp_machine_to_json(&machine);
        json_t *const object =
            rows[i].object[0] != '\0' ? json_object_get(json, rows[i].object) : json;

        json_object_set_new(object, rows[i].key,
                            json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
        assert_false(rp_machine_from_json(&back, json, &error));
        assert_int_equal(error.status, RP_USAGE);
        assert_contains(error.message, rows[i].message);
        json_decref(json);
    }
}

/* Sizes that a file may claim. */
static void test_level_range_of_huge_levels(void **state)
{
    const struct rp_machine machine = {
        .levels = {{.size_bytes = SIZE_MAX / 4 + 1}, {.size_bytes = 0}},
        .level_count = 2,
    };
    size_t least = 0;
    size_t most = 0;

    (void)state;
    rp_machine_level_range(&machine, 1, &least, &most);
    assert_int_equal(least, SIZE_MAX);
    assert_int_equal(most, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_levels),
        cmocka_unit_test(test_cache_beyond_limit),
        cmocka_unit_test(test_no_l3),
        cmocka_unit_test(test_single_core),
        cmocka_unit_test(test_no_caches),
        cmocka_unit_test(test_threads_without_cores),
        cmocka_unit_test(test_pus_one_per_core_first),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_topology),
        cmocka_unit_test_setup_teardown(test_save_leaves_out_private, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(test_core_without_threads, scratch_make,
                                        scratch_remove),
        cmocka_unit_test_setup_teardown(test_no_threads, scratch_make, scratch_remove),
        cmocka_unit_test(test_condition_table_is_bounded),
        cmocka_unit_test(test_level_range_of_huge_levels),
        cmocka_unit_test(test_json_round_trip),
        cmocka_unit_test(test_json_refusals),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
