/* SPDX-License-Identifier: MIT */
#include "tests/machines/machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/scratch.h"

#define CACHES "l2:1(size=1048576) l1d:1(size=32768) core:1 "
#define LEVELS "L1 32 KiB /1, L2 1 MiB /1, "

const struct machine_case machine_cases[] = {
    {
        .name = "one core",
        .synthetic = "l3:1(size=16777216) " CACHES "pu:1",
        .core_count = 1,
        .pu_count = 1,
        .numa_count = 1,
        .kinds = {{"", 1, 0, LEVELS "L3 16 MiB /1, DRAM /1"}},
        .pus = "0",
    },
    {
        .name = "two levels",
        .synthetic = "l1d:2(size=32768) core:1 pu:1",
        .core_count = 2,
        .pu_count = 2,
        .numa_count = 1,
        .kinds = {{"", 2, 1, "L1 32 KiB /1, DRAM /2"}},
        .pus = "1 0",
        .conditions = {"no L3 cache: memory comes after L1"},
    },
    {
        .name = "no L3",
        .synthetic = "pack:1 l2:2(size=2097152) l1d:2(size=32768) core:1 pu:1",
        .core_count = 4,
        .pu_count = 4,
        .numa_count = 1,
        .kinds = {{"", 4, 3, "L1 32 KiB /1, L2 2 MiB /2, DRAM /4"}},
        .pus = "3 2 1 0",
        .conditions = {"no L3 cache: memory comes after L2"},
    },
    {
        .name = "no caches",
        .synthetic = "core:4 pu:1",
        .core_count = 4,
        .pu_count = 4,
        .numa_count = 1,
        .kinds = {{"", 4, 3, "DRAM /4"}},
        .pus = "3 2 1 0",
        .conditions = {"the system shows no cache sizes"},
    },
    {
        .name = "four levels",
        .synthetic = "l4:1(size=134217728) l3:2(size=8388608) l2:2(size=262144) "
                     "l1d:1(size=32768) core:1 pu:1",
        .core_count = 4,
        .pu_count = 4,
        .numa_count = 1,
        .kinds = {{"", 4, 3,
                   "L1 32 KiB /1, L2 256 KiB /1, L3 8 MiB /2, L4 128 MiB /4, DRAM /4"}},
        .pus = "3 2 1 0",
    },
    {
        .name = "eight core complexes",
        .synthetic = "node:1 l3:8(size=16777216) l2:4(size=524288) l1d:1(size=32768) "
                     "core:1 pu:2",
        .core_count = 32,
        .pu_count = 64,
        .numa_count = 1,
        .kinds = {{"", 32, 62, "L1 32 KiB /1, L2 512 KiB /1, L3 16 MiB /4, DRAM /32"}},
        .pus = "62 60 58 56 54",
    },
    {
        .name = "two sockets with four NUMA nodes each",
        .synthetic = "pack:2 node:4 l3:1(size=33554432) l2:6(size=1048576) "
                     "l1d:1(size=49152) core:1 pu:2",
        .files = {{"proc/sys/kernel/numa_balancing", "1\n"}},
        .core_count = 48,
        .pu_count = 96,
        .numa_count = 8,
        .kinds = {{"", 48, 94, "L1 48 KiB /1, L2 1 MiB /1, L3 32 MiB /6, DRAM /48"}},
        .pus = "94 92 90",
        .conditions = {"moves pages between 8 NUMA nodes"},
    },
    {
        .name = "siblings numbered one after the other",
        .synthetic = "l3:1(size=16777216) l2:4(size=1048576) l1d:1(size=32768) core:1 "
                     "pu:2",
        .files = {{"sys/devices/system/cpu/cpu6/topology/thread_siblings_list", "6-7\n"}},
        .core_count = 4,
        .pu_count = 8,
        .numa_count = 1,
        .kinds = {{"", 4, 6, LEVELS "L3 16 MiB /4, DRAM /4"}},
        .pus = "6 4 2 0 7 5 3 1",
        .conditions = {"shared by hardware threads 6-7"},
    },
    {
        .name = "offline CPUs",
        .synthetic = "l3:1(size=16777216) l2:4(size=1048576) l1d:1(size=32768) core:1 "
                     "pu:1(indexes=0,1,3,6)",
        .files = {{"sys/devices/system/cpu/online", "0-1,3,6\n"},
                  {"sys/devices/system/cpu/present", "0-7\n"}},
        .core_count = 4,
        .pu_count = 4,
        .numa_count = 1,
        .kinds = {{"", 4, 6, LEVELS "L3 16 MiB /4, DRAM /4"}},
        .pus = "6 3 1 0",
        .conditions = {"4 of 8 CPUs are offline"},
    },
    {
        .name = "192 cores",
        .synthetic = "pack:2 node:1 l3:12(size=33554432) l2:8(size=1048576) "
                     "l1d:1(size=32768) core:1 pu:2",
        .core_count = 192,
        .pu_count = 384,
        .numa_count = 2,
        .kinds = {{"", 192, 382, LEVELS "L3 32 MiB /8, DRAM /192"}},
        .pus = "382 380 378",
    },
    {
        .name = "hybrid",
        .xml = "hybrid.xml",
        .core_count = 16,
        .pu_count = 24,
        .numa_count = 1,
        .kinds = {{"performance", 8, 14,
                   "L1 48 KiB /1, L2 1.3 MiB /1, L3 30 MiB /16, DRAM /16"},
                  {"efficiency", 8, 23,
                   "L1 32 KiB /1, L2 2 MiB /4, L3 30 MiB /16, DRAM /16"}},
        .pus = "14 12 10 8 6 4 2 0 15 13 11 9 7 5 3 1",
        .conditions = {"the cores are of 2 kinds: 8 performance, 8 efficiency"},
    },
    {
        .name = "two core complexes with different caches",
        .xml = "two-complexes.xml",
        .core_count = 16,
        .pu_count = 16,
        .numa_count = 1,
        .kinds = {{"kind 1", 8, 7, LEVELS "L3 96 MiB /8, DRAM /16"},
                  {"kind 2", 8, 15, LEVELS "L3 32 MiB /8, DRAM /16"}},
        .pus = "7 6 5 4 3 2 1 0",
        .conditions = {"the cores are of 2 kinds: 8 kind 1, 8 kind 2"},
    },
    {
        .name = "frequencies a few per cent apart",
        .xml = "many-frequencies.xml",
        .core_count = 16,
        .pu_count = 16,
        .numa_count = 1,
        .kinds = {{"", 16, 15, "L1 64 KiB /1, L2 1 MiB /1, L3 114 MiB /16, DRAM /16"}},
        .pus = "15 14 13",
        .conditions = {"16 cores taken for one kind are made for 3321 to 3375 MHz"},
    },
    {
        .name = "more kinds than are told apart",
        .xml = "five-kinds.xml",
        .core_count = 6,
        .pu_count = 6,
        .numa_count = 1,
        .kinds = {{"kind 1", 2, 5, LEVELS "L3 16 MiB /6, DRAM /6"},
                  {"kind 2", 1, 3, LEVELS "L3 16 MiB /6, DRAM /6"},
                  {"kind 3", 1, 2, LEVELS "L3 16 MiB /6, DRAM /6"},
                  {"kind 4", 2, 1, LEVELS "L3 16 MiB /6, DRAM /6"}},
        .pus = "5 4",
        .conditions = {"the cores are of 4 kinds",
                       "5 kinds of core are more than are told apart",
                       "2 cores taken for one kind are made for 4000 to 4100 MHz",
                       "2 cores taken for one kind are made for 1000 to 1500 MHz"},
    },
    {
        .name = "little memory",
        .synthetic = "l3:1(size=402653184) " CACHES "pu:1",
        .files = {{"proc/meminfo", "MemAvailable: 1048576 kB\n"}},
        .core_count = 1,
        .pu_count = 1,
        .numa_count = 1,
        .kinds = {{"", 1, 0, LEVELS "L3 384 MiB /1, DRAM /1"}},
        .pus = "0",
        .conditions = {"may use 819.2 MiB, and needs 1.5 GiB"},
    },
    {
        .name = "an empty sysfs",
        .synthetic = "l3:1(size=16777216) " CACHES "pu:1",
        .files = {{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL},
                  {"sys/kernel/mm/transparent_hugepage/enabled", NULL},
                  {"sys/bus/event_source/devices/cpu/type", NULL}},
        .core_count = 1,
        .pu_count = 1,
        .numa_count = 1,
        .kinds = {{"", 1, 0, LEVELS "L3 16 MiB /1, DRAM /1"}},
        .pus = "0",
        .conditions = {"frequency control is not visible",
                       "there are no transparent huge pages",
                       "there are no hardware performance counters"},
    },
    {.name = NULL},
};

/* A CPU with every instruction that a kernel may need (Intel SDM vol. 2A, CPUID). */
static void cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    static const struct {
        uint32_t leaf;
        uint32_t registers[4];
    } leaves[] = {
        {0, {7, 0x6564614d, 0x646e6148, 0x79427055}},
        {1,
         {0x000806f8, 0, 1u << 9 | 1u << 19 | 1u << 25 | 1u << 27 | 1u << 28, 1u << 26}},
        {7, {0, 1u << 5 | 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31, 1u << 9, 0}},
        {0x80000000u, {0x80000004u, 0, 0, 0}},
        {0x80000002u,
         {0x6d617845, 0x20656c70, 0x65726f43, 0x00003120}}, /* Example Core 1 */
    };

    (void)context;
    (void)subleaf;
    memset(registers, 0, 4 * sizeof *registers);
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        if (leaves[i].leaf == leaf) {
            memcpy(registers, leaves[i].registers, sizeof leaves[i].registers);
        }
    }
}

static uint64_t xgetbv(void *context, uint32_t index)
{
    (void)context;
    (void)index;
    return 0xe7; /* every state up to AVX-512 is saved */
}

/* A system that gives no cause for a condition. */
static void lay_out(const struct machine_case *machine_case, const char *folder)
{
    char governor[96];

    snprintf(governor, sizeof governor,
             "sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor",
             machine_case->kinds[0].measured_pu);
    scratch_write(folder, governor, "performance\n");
    scratch_write(folder, "proc/meminfo", "MemAvailable: 67108864 kB\n");
    scratch_write(folder, "proc/sys/kernel/osrelease", "6.1.0-example\n");
    scratch_write(folder, "sys/kernel/mm/transparent_hugepage/enabled",
                  "[always] madvise never\n");
    scratch_write(folder, "sys/bus/event_source/devices/cpu/type", "4\n");
    for (size_t i = 0; machine_case->files[i].path != NULL; i++) {
        if (machine_case->files[i].text != NULL) {
            scratch_write(folder, machine_case->files[i].path,
                          machine_case->files[i].text);
        } else {
            unlink(scratch_path(folder, machine_case->files[i].path));
        }
    }
}

bool machine_case_read(const struct machine_case *machine_case, const char *folder,
                       struct rp_machine *machine, struct rp_topology **topology,
                       struct rp_error *error)
{
    char xml[512];
    const struct rp_machine_source source = {
        .cpu = &(struct rp_cpu_reader){cpuid, xgetbv, NULL},
        .system = &(struct rp_system){.root = folder},
        .topology_xml = machine_case->xml != NULL ? xml : NULL,
    };

    lay_out(machine_case, folder);
    if (machine_case->xml != NULL) {
        snprintf(xml, sizeof xml, "%s/%s", MACHINES_FOLDER, machine_case->xml);
    } else {
        setenv("HWLOC_SYNTHETIC", machine_case->synthetic, 1);
    }
    const bool done = rp_machine_read(machine, topology, &source, NULL, error);
    unsetenv("HWLOC_SYNTHETIC");
    return done;
}
