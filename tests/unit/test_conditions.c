/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/conditions.h"
#include "core/system.h"
#include "core/text.h"
#include "scratch.h"

/* A quiet machine with everything visible: no condition. */
static const struct {
    const char *path;
    const char *text;
} quiet_system[] = {
    {"proc/loadavg", "0.10 0.20 0.30 1/100 1234\n"},
    {"proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:    8388608 kB\n"},
    {"proc/self/status",
     "Name:\tx\nCpus_allowed_list:\t0-7\nCapEff:\t0000000000000000\n"},
    {"proc/stat", "cpu  1 2 3 4\ncpu3 900 0 0 99000 0 0 0 100 0 0\n"
                  "cpu7 900 0 0 99000 0 0 0 100 0 0\n"},
    {"later/proc/stat", "cpu  1 2 3 4\ncpu3 901 0 0 99007 0 0 0 100 0 0\n"
                        "cpu7 900 0 0 99008 0 0 0 100 0 0\n"},
    {"proc/sys/kernel/numa_balancing", "0\n"},
    {"proc/sys/kernel/perf_event_paranoid", "2\n"},
    {"sys/kernel/mm/ksm/run", "0\n"},
    {"sys/kernel/mm/damon/admin/kdamonds/0/state", "off\n"},
    {"sys/module/damon_reclaim/parameters/enabled", "N\n"},
    {"sys/class/power_supply/AC/type", "Mains\n"},
    {"sys/class/power_supply/AC/online", "1\n"},
    {"sys/class/power_supply/BAT0/type", "Battery\n"},
    {"sys/class/power_supply/BAT0/status", "Charging\n"},
    {"sys/class/power_supply/mouse/type", "Battery\n"},
    {"sys/class/power_supply/mouse/scope", "Device\n"},
    {"sys/class/power_supply/mouse/status", "Discharging\n"},
    {"proc/self/cgroup", "0::/user.slice/app\n"},
    {"sys/fs/cgroup/user.slice/app/cpu.max", "max 100000\n"},
    {"sys/fs/cgroup/user.slice/app/memory.max", "max\n"},
    {"sys/fs/cgroup/user.slice/app/memory.current", "4096\n"},
    {"sys/bus/event_source/devices/cpu/type", "4\n"},
    {"sys/devices/system/cpu/online", "0-7\n"},
    {"sys/devices/system/cpu/present", "0-7\n"},
    {"sys/devices/system/cpu/cpu7/cpufreq/scaling_governor", "performance\n"},
    {"sys/devices/system/cpu/cpu7/topology/thread_siblings_list", "7\n"},
    {"sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
};

#define QUIET_LEVELS                                                                     \
    {                                                                                    \
        {.name = "L1", .size_bytes = 32 * RP_KIB}, {.name = "L2", .size_bytes = RP_MIB}, \
            {.name = "L3", .size_bytes = 32 * RP_MIB}, {.name = "DRAM"},                 \
    }

static const struct rp_machine quiet_machine = {
    .cpu = {.present = RP_CPU_SSE2, .features = RP_CPU_SSE2, .level = "avx512"},
    .core_count = 8,
    .pu_count = 8,
    .numa_count = 2,
    .memory_bytes = RP_GIB,
    .measured_pu = 7,
    .kinds =
        {{.core_count = 8, .measured_pu = 7, .levels = QUIET_LEVELS, .level_count = 4}},
    .kind_count = 1,
    .levels = QUIET_LEVELS,
    .level_count = 4,
};

/* Appends what is found below `root`, whose files in "later" are what comes after. */
static void find_in(struct rp_machine *machine, const char *root)
{
    char later[512];

    snprintf(later, sizeof later, "%s/later", root);
    rp_conditions_find(machine, &(struct rp_system){.root = root, .later = later});
    for (unsigned i = 0; i < machine->condition_count; i++) {
        assert_true(machine->conditions[i].text[0] != '\0');
        assert_true(machine->conditions[i].what_to_do[0] != '\0');
    }
}

static struct rp_machine find(const char *root)
{
    struct rp_machine machine = quiet_machine;

    find_in(&machine, root);
    return machine;
}

static size_t memory_of(const char *root, bool *limited)
{
    return rp_system_memory(&(struct rp_system){.root = root}, limited);
}

static int make_quiet_system(void **state)
{
    const int result = scratch_make(state);

    for (size_t i = 0; result == 0 && i < COUNT_OF(quiet_system); i++) {
        scratch_write(*state, quiet_system[i].path, quiet_system[i].text);
    }
    return result;
}

/* Undoes a change of one file. */
static void make_quiet_again(const char *folder, const char *path)
{
    for (size_t i = 0; i < COUNT_OF(quiet_system); i++) {
        if (strcmp(quiet_system[i].path, path) == 0) {
            scratch_write(folder, path, quiet_system[i].text);
            return;
        }
    }
    assert_int_equal(unlink(scratch_path(folder, path)), 0);
}

static void test_quiet(void **state)
{
    const struct rp_machine machine = find(*state);

    if (machine.condition_count != 0) {
        fail_msg("%s", machine.conditions[0].text);
    }
}

/* One change of the quiet system, one condition. */
static void test_each(void **state)
{
    static const struct {
        const char *path;
        const char *text;
        enum rp_severity severity;
        const char *condition;
    } rows[] = {
        {"proc/loadavg", "4.01 0 0 1/1 1\n", RP_SEVERITY_WARN,
         "load average is 4.01 on 8 usable cores"},
        {"proc/self/status", "Cpus_allowed_list:\t2,5-6\n", RP_SEVERITY_NOTE,
         "use 3 of 8 CPUs"},
        {"sys/devices/system/cpu/present", "0-7,16-19\n", RP_SEVERITY_NOTE,
         "4 of 12 CPUs are offline"},
        {"sys/devices/system/cpu/cpu7/cpufreq/scaling_governor", "powersave\n",
         RP_SEVERITY_WARN, "\"powersave\""},
        {"sys/devices/system/cpu/cpu7/topology/thread_siblings_list", "3,7\n",
         RP_SEVERITY_NOTE, "hardware threads 3,7"},
        {"sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", RP_SEVERITY_NOTE,
         "turbo is on"},
        {"sys/devices/system/cpu/cpufreq/boost", "1\n", RP_SEVERITY_NOTE, "turbo is on"},
        {"sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n",
         RP_SEVERITY_WARN, "no transparent huge pages"},
        {"sys/fs/cgroup/user.slice/app/cpu.max", "150000 100000\n", RP_SEVERITY_WARN,
         "quota of 1.50 CPUs"},
        {"sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n", RP_SEVERITY_WARN,
         "quota of 0.50 CPUs"},
        {"sys/fs/cgroup/user.slice/app/memory.max", "1073745920\n", RP_SEVERITY_NOTE,
         "memory limit leaves 1 GiB"},
        {"sys/devices/system/cpu/cpu7/cpufreq/scaling_governor", "\n", RP_SEVERITY_NOTE,
         "frequency control is not visible"},
        {"proc/stat", "cpu7 900 0 0 97999 0 0 0 1101 0 0\n", RP_SEVERITY_WARN,
         "kept CPU 7 from running for 1.1 % of the time"},
        {"proc/sys/kernel/numa_balancing", "1\n", RP_SEVERITY_WARN,
         "moves pages between 2 NUMA nodes"},
        {"proc/sys/kernel/perf_event_paranoid", "4\n", RP_SEVERITY_NOTE,
         "perf_event_paranoid is 4"},
        {"sys/kernel/mm/ksm/run", "1\n", RP_SEVERITY_NOTE, "KSM"},
        {"sys/kernel/mm/damon/admin/kdamonds/0/state", "on\n", RP_SEVERITY_NOTE, "DAMON"},
        {"sys/kernel/mm/damon/admin/kdamonds/12/state", "on\n", RP_SEVERITY_NOTE,
         "DAMON"},
        {"sys/module/damon_reclaim/parameters/enabled", "Y\n", RP_SEVERITY_NOTE, "DAMON"},
        {".dockerenv", "", RP_SEVERITY_NOTE, "in a container (docker)"},
        {"run/.containerenv", "", RP_SEVERITY_NOTE, "in a container (podman)"},
        {"run/systemd/container", "lxc\n", RP_SEVERITY_NOTE, "in a container (lxc)"},
        {"proc/self/cgroup", "0::/kubepods.slice/cri-containerd-12.scope\n",
         RP_SEVERITY_NOTE, "in a container (kubepods)"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch_write(*state, rows[i].path, rows[i].text);
        const struct rp_machine machine = find(*state);
        assert_int_equal(machine.condition_count, 1);
        assert_int_equal(machine.conditions[0].severity, rows[i].severity);
        assert_contains(machine.conditions[0].text, rows[i].condition);
        make_quiet_again(*state, rows[i].path);
    }
}

static void test_cpu_conditions(void **state)
{
    struct rp_machine machine = quiet_machine;

    machine.cpu.hypervisor = true;
    machine.cpu.present = RP_CPU_SSE2 | RP_CPU_AES | RP_CPU_AVX512;
    machine.cpu.level = "sse2";
    find_in(&machine, *state);
    assert_int_equal(machine.condition_count, 2);
    assert_string_equal(machine.conditions[0].text,
                        "RIDGEPOINT_CPU=sse2 leaves out AES-NI AVX-512");
    assert_int_equal(machine.conditions[0].severity, RP_SEVERITY_WARN);
    assert_string_equal(machine.conditions[1].text, "this is a virtual machine");
}

/* The first that tells wins, and the vendor of the virtual hardware is told with it. */
static void test_hypervisors(void **state)
{
    static const struct {
        const char *signature;
        const char *type;
        const char *vendor;
        const char *condition;
    } rows[] = {
        {"KVMKVMKVM", "", "", "this is a virtual machine on KVM"},
        {"Microsoft Hv", "xen\n", "", "this is a virtual machine on Hyper-V"},
        {"unheard of", "xen\n", "", "this is a virtual machine on xen"},
        {"", "", "Amazon EC2\n", "this is a virtual machine (Amazon EC2)"},
        {"VMwareVMware", "", "VMware, Inc.\n",
         "this is a virtual machine on VMware (VMware, Inc.)"},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rp_machine machine = quiet_machine;

        machine.cpu.hypervisor = true;
        snprintf(machine.cpu.hypervisor_signature,
                 sizeof machine.cpu.hypervisor_signature, "%s", rows[i].signature);
        scratch_write(*state, "sys/hypervisor/type", rows[i].type);
        scratch_write(*state, "sys/class/dmi/id/sys_vendor", rows[i].vendor);
        find_in(&machine, *state);
        assert_int_equal(machine.condition_count, 1);
        assert_string_equal(machine.conditions[0].text, rows[i].condition);
    }
}

/* Where nothing else is changed, one hardware thread of the measured core works. */
static void test_busy_sibling(void **state)
{
    const char *const siblings =
        "sys/devices/system/cpu/cpu7/topology/thread_siblings_list";

    scratch_write(*state, siblings, "3,7\n");
    assert_int_equal(find(*state).condition_count, 1);

    /* The measured one itself does not count. */
    scratch_write(*state, "later/proc/stat",
                  "cpu3 900 0 0 99006 2 0 0 100 0 0\ncpu7 908 0 0 99000 0 0 0 100 0 0\n");
    assert_int_equal(find(*state).condition_count, 1);

    scratch_write(*state, "later/proc/stat",
                  "cpu3 906 0 0 99002 0 0 0 100 0 0\ncpu7 900 0 0 99008 0 0 0 100 0 0\n");
    struct rp_machine machine = find(*state);
    assert_int_equal(machine.condition_count, 2);
    assert_int_equal(machine.conditions[1].severity, RP_SEVERITY_WARN);
    assert_string_equal(machine.conditions[1].text,
                        "hardware thread 3 of the measured core is 75 % busy");

    /* A list as a range, and a core with more threads than are looked at. */
    scratch_write(*state, siblings, "3-19\n");
    machine = find(*state);
    assert_int_equal(machine.condition_count, 2);

    /* Without a second look, or with one that shows nothing, nobody is accused. */
    scratch_write(*state, "later/proc/stat", "cpu 1\n");
    assert_int_equal(find(*state).condition_count, 1);
    machine = quiet_machine;
    rp_conditions_find(&machine, &(struct rp_system){.root = *state});
    assert_int_equal(machine.condition_count, 1);
}

static void test_battery(void **state)
{
    scratch_write(*state, "sys/class/power_supply/BAT0/status", "Discharging\n");
    assert_int_equal(find(*state).condition_count,
                     0); /* the mains feed it all the same */
    scratch_write(*state, "sys/class/power_supply/AC/online", "0\n");
    const struct rp_machine machine = find(*state);
    assert_int_equal(machine.condition_count, 1);
    assert_int_equal(machine.conditions[0].severity, RP_SEVERITY_WARN);
    assert_contains(machine.conditions[0].text, "battery");
}

/* Only root may count: nothing to say. */
static void test_capable(void **state)
{
    scratch_write(*state, "proc/sys/kernel/perf_event_paranoid", "4\n");
    scratch_write(*state, "proc/self/status", "CapEff:\t0000000000200000\n");
    assert_int_equal(find(*state).condition_count, 0);
    scratch_write(*state, "proc/self/status", "CapEff:\t0000004000000000\n");
    assert_int_equal(find(*state).condition_count, 0);
    scratch_write(*state, "proc/self/status", "CapEff:\t0000000000000001\n");
    assert_int_equal(find(*state).condition_count, 1);
}

static void test_levels(void **state)
{
    struct rp_machine machine = quiet_machine;

    machine.memory_bytes = 100 * RP_MIB;
    find_in(&machine, *state);
    assert_int_equal(machine.condition_count, 1);
    assert_int_equal(machine.conditions[0].severity, RP_SEVERITY_WARN);
    assert_contains(machine.conditions[0].text, "may use 80 MiB, and needs 128 MiB");

    machine = quiet_machine;
    machine.kinds[0].levels[2] = (struct rp_level){.name = "DRAM"};
    machine.kinds[0].level_count = 3;
    rp_machine_look_from(&machine, 0);
    find_in(&machine, *state);
    assert_int_equal(machine.condition_count, 1);
    assert_string_equal(machine.conditions[0].text,
                        "the system shows no L3 cache: memory comes after L2");

    /* Another kind of core has one. */
    machine.kinds[1] = quiet_machine.kinds[0];
    machine.kind_count = 2;
    machine.condition_count = 0;
    find_in(&machine, *state);
    assert_int_equal(machine.condition_count, 0);

    /* One node: there is nowhere to move pages to. */
    machine = quiet_machine;
    machine.numa_count = 1;
    scratch_write(*state, "proc/sys/kernel/numa_balancing", "1\n");
    find_in(&machine, *state);
    assert_int_equal(machine.condition_count, 0);
}

/* An empty root: nothing can be read, which is said where it matters and never crashes.
 */
static void test_nothing_visible(void **state)
{
    const struct rp_machine machine = find(*state);

    assert_int_equal(machine.condition_count, 3);
    assert_contains(machine.conditions[0].text, "frequency control is not visible");
    assert_contains(machine.conditions[1].text, "no transparent huge pages");
    assert_contains(machine.conditions[2].text, "no hardware performance counters");
}

static void test_garbage(void **state)
{
    char long_line[5000];

    memset(long_line, '9', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = '\0';
    for (size_t i = 0; i < COUNT_OF(quiet_system); i++) {
        scratch_write(*state, quiet_system[i].path, i % 2 == 0 ? long_line : "\n");
    }
    find(*state);
    scratch_write(*state, "proc/self/cgroup", "nonsense\n:\n::\n4:memory\n9:cpu:/x\n");
    find(*state);
}

static void test_memory(void **state)
{
    bool limited = true;

    assert_int_equal(memory_of(*state, &limited), 8 * RP_GIB);
    assert_false(limited);

    /* Version 2: an outer group is tighter, and file pages count as free. */
    scratch_write(*state, "sys/fs/cgroup/user.slice/app/memory.max", "3221225472\n");
    scratch_write(*state, "sys/fs/cgroup/user.slice/memory.max", "2147483648\n");
    scratch_write(*state, "sys/fs/cgroup/user.slice/memory.current", "2147483648\n");
    scratch_write(*state, "sys/fs/cgroup/user.slice/memory.stat",
                  "anon 1073741824\ninactive_file 1073741824\n");
    assert_int_equal(memory_of(*state, &limited), RP_GIB);
    assert_true(limited);

    /* Used up. */
    scratch_write(*state, "sys/fs/cgroup/user.slice/memory.stat", "inactive_file 0\n");
    assert_int_equal(memory_of(*state, &limited), 0);
    assert_true(limited);

    /* Version 1; the path is not below the mount point, as in a container. */
    scratch_write(*state, "proc/self/cgroup",
                  "5:cpuset,memory:/docker/0123\n4:memory_other:/\n0::/user.slice\n");
    scratch_write(*state, "sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    scratch_write(*state, "sys/fs/cgroup/memory/memory.usage_in_bytes", "536870912\n");
    assert_int_equal(memory_of(*state, &limited), RP_GIB / 2);
    assert_true(limited);

    /* No limit reads as a huge number there. */
    scratch_write(*state, "sys/fs/cgroup/memory/memory.limit_in_bytes",
                  "9223372036854771712\n");
    assert_int_equal(memory_of(*state, &limited), 8 * RP_GIB);
    assert_false(limited);
}

/* What is more than a run file can keep is no amount. */
static void test_memory_beyond_limit(void **state)
{
    static const char *const lines[] = {
        "MemAvailable: 9007199254740993 kB\n",        /* 2^63 bytes and some */
        "MemAvailable: 18014398509481985 kB\n",       /* 2^64 and some */
        "MemAvailable: 99999999999999999999999 kB\n", /* no number of 64 bits */
    };
    bool limited = true;

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        scratch_write(*state, "proc/meminfo", lines[i]);
        assert_int_equal(memory_of(*state, &limited), 0);
    }
}

static void test_lines_are_printable(void **state)
{
    const struct rp_system system = {.root = *state};
    char line[32];

    scratch_write(*state, "odd", "a\x1b[0m\xff\tb\n");
    assert_true(rp_system_line(&system, "/odd", line, sizeof line));
    assert_string_equal(line, "a?[0m??b");
}

static void test_quota_version_1(void **state)
{
    scratch_write(*state, "proc/self/cgroup", "2:cpu,cpuacct:/box\n");
    scratch_write(*state, "sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
    scratch_write(*state, "sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    assert_int_equal(find(*state).condition_count, 0);
    scratch_write(*state, "sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "25000\n");
    const struct rp_machine machine = find(*state);
    assert_int_equal(machine.condition_count, 1);
    assert_contains(machine.conditions[0].text, "quota of 0.25 CPUs");
}

static void test_list_count(void **state)
{
    (void)state;
    assert_int_equal(rp_system_list_count("0"), 1);
    assert_int_equal(rp_system_list_count("0-3,8,10-11"), 7);
    assert_int_equal(rp_system_list_count(""), 0);
    assert_int_equal(rp_system_list_count("3-1"), 0);
    assert_int_equal(rp_system_list_count("0-3 x"), 0);
    assert_int_equal(rp_system_list_count("all"), 0);
    assert_int_equal(rp_system_list_count("0-1048575"), 1 << 20);
    static const char *const malformed[] = {
        "0--5",
        "0-+5",
        "0- 5",
        " 0",
        "3-",
        "3-,5",
        "0-1-2",
        "1,",
        ",1",
        "1,,2",
        "0-1048576",
        "0-4294967295,0",
        "0-18446744073709551615",
        "99999999999999999999",
    };
    for (size_t i = 0; i < COUNT_OF(malformed); i++) {
        assert_int_equal(rp_system_list_count(malformed[i]), 0);
    }

    static const unsigned expected[] = {0, 1, 8, 10, 11};
    unsigned cpu = 0;
    for (size_t i = 0; i < COUNT_OF(expected); i++, cpu++) {
        assert_true(rp_system_list_next("0-1,8,10-11", &cpu));
        assert_int_equal(cpu, expected[i]);
    }
    assert_false(rp_system_list_next("0-1,8,10-11", &cpu));
}

#define WITH_SYSTEM(test)                                                                \
    cmocka_unit_test_setup_teardown(test, make_quiet_system, scratch_remove)

/* Every second of 400 CPUs: the list is longer than a line of text usually is. */
static void test_long_list(void **state)
{
    char list[2048] = "Cpus_allowed_list:\t0";
    size_t length = strlen(list);

    for (unsigned cpu = 2; cpu < 400; cpu += 2) {
        length += (size_t)snprintf(list + length, sizeof list - length, ",%u", cpu);
    }
    snprintf(list + length, sizeof list - length, "\n");
    scratch_write(*state, "proc/self/status", list);
    scratch_write(*state, "sys/devices/system/cpu/online", "0-399\n");
    scratch_write(*state, "sys/devices/system/cpu/present", "0-399\n");
    const struct rp_machine machine = find(*state);
    assert_int_equal(machine.condition_count, 1);
    assert_contains(machine.conditions[0].text, "use 200 of 400 CPUs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SYSTEM(test_quiet),
        WITH_SYSTEM(test_each),
        WITH_SYSTEM(test_cpu_conditions),
        WITH_SYSTEM(test_hypervisors),
        WITH_SYSTEM(test_busy_sibling),
        WITH_SYSTEM(test_battery),
        WITH_SYSTEM(test_capable),
        WITH_SYSTEM(test_levels),
        cmocka_unit_test_setup_teardown(test_nothing_visible, scratch_make,
                                        scratch_remove),
        WITH_SYSTEM(test_garbage),
        WITH_SYSTEM(test_long_list),
        WITH_SYSTEM(test_memory),
        WITH_SYSTEM(test_memory_beyond_limit),
        WITH_SYSTEM(test_lines_are_printable),
        WITH_SYSTEM(test_quota_version_1),
        cmocka_unit_test(test_list_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
