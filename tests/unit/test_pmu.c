/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "core/pmu.h"
#include "scratch.h"

struct file {
    const char *path;
    const char *text;
};

#define SOURCES "sys/bus/event_source/devices/"

static const struct machine {
    const char *name;
    struct file files[6];
    bool hypervisor;
    enum rp_pmu_way way;
    bool memory;
    const char *why; /* a part of it; NULL when counting is possible */
} machines[] = {
    {
        .name = "metal",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {SOURCES "uncore_imc_0/type", "14\n"},
                  {"dev/cpu/0/msr", ""},
                  {"proc/sys/kernel/perf_event_paranoid", "4\n"},
                  {"sys/kernel/security/lockdown", "[none] integrity confidentiality\n"}},
        .way = RP_PMU_REGISTERS,
        .memory = true,
    },
    {
        .name = "metal where the msr module is not loaded",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {SOURCES "amd_df/type", "14\n"},
                  {"proc/sys/kernel/perf_event_paranoid", "-1\n"}},
        .way = RP_PMU_PERF_EVENT,
        .memory = true,
    },
    {
        .name = "registers that nobody may write to",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {"dev/cpu/0/msr", ""},
                  {"sys/module/msr/parameters/allow_writes", "off\n"}},
        .way = RP_PMU_PERF_EVENT,
    },
    {
        .name = "registers as the kernel leaves them",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {"dev/cpu/0/msr", ""},
                  {"sys/module/msr/parameters/allow_writes", "default\n"}},
        .way = RP_PMU_REGISTERS,
    },
    {
        .name = "a kernel locked by a secure boot",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {"dev/cpu/0/msr", ""},
                  {"proc/sys/kernel/perf_event_paranoid", "3\n"},
                  {"sys/kernel/security/lockdown", "none [integrity] confidentiality\n"}},
        .way = RP_PMU_NONE,
        .why = "kept from users: write 2 to /proc/sys/kernel/perf_event_paranoid, which "
               "is 3",
    },
    {
        .name = "a guest with a virtual PMU",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {"proc/sys/kernel/perf_event_paranoid", "2\n"}},
        .hypervisor = true,
        .way = RP_PMU_PERF_EVENT,
    },
    {
        .name = "a hybrid processor",
        .files = {{SOURCES "cpu_core/type", "4\n"}, {SOURCES "cpu_atom/type", "10\n"}},
        .way = RP_PMU_PERF_EVENT,
    },
    {
        .name = "a guest that may count whatever the setting",
        .files = {{SOURCES "cpu/type", "4\n"},
                  {"proc/sys/kernel/perf_event_paranoid", "4\n"},
                  {"proc/self/status", "CapEff:\t0000004000000000\n"}},
        .hypervisor = true,
        .way = RP_PMU_PERF_EVENT,
    },
    {
        .name = "a guest without",
        .files = {{SOURCES "software/type", "1\n"}, {SOURCES "msr/type", "7\n"}},
        .hypervisor = true,
        .way = RP_PMU_NONE,
        .why = "this virtual machine has no performance counters: counting needs a metal",
    },
    {
        .name = "registers without a PMU, which read as zeros in a guest",
        .files = {{"dev/cpu/0/msr", ""}},
        .hypervisor = true,
        .way = RP_PMU_NONE,
        .why = "this virtual machine",
    },
    {
        .name = "a kernel without",
        .way = RP_PMU_NONE,
        .why = "the kernel offers no performance counters",
    },
};

static void lay_out(const char *folder, const struct file *files)
{
    for (size_t i = 0; i < 6 && files[i].path != NULL; i++) {
        scratch_write(folder, files[i].path, files[i].text);
    }
}

static void every_machine_is_told_for_what_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        const struct machine *const machine = &machines[i];
        const struct rp_cpu cpu = {.hypervisor = machine->hypervisor};
        struct rp_error error = {.status = RP_OK};
        struct rp_pmu pmu;
        void *folder = NULL;

        assert_int_equal(scratch_make(&folder), 0);
        lay_out(folder, machine->files);
        rp_pmu_read(&pmu, &(struct rp_system){.root = folder});
        assert_int_equal(scratch_remove(&folder), 0);

        if (rp_pmu_way(&pmu) != machine->way || pmu.memory != machine->memory) {
            fail_msg("%s: way %d, memory %d", machine->name, rp_pmu_way(&pmu),
                     pmu.memory);
        }
        assert_int_equal(rp_pmu_usable(&pmu, &cpu, &error), machine->why == NULL);
        if (machine->why != NULL) {
            assert_int_equal(error.status, RP_UNABLE);
            assert_contains(error.message, machine->why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_is_told_for_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
