/* SPDX-License-Identifier: MIT */
#include "core/cycles.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.h"

static int native_perf_open(void *context)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_HW_CPU_CYCLES,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .pinned = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    const pid_t this_thread = 0;
    const int any_cpu = -1;
    const int no_group = -1;

    (void)context;
    const long descriptor = syscall(SYS_perf_event_open, &attributes, this_thread,
                                    any_cpu, no_group, PERF_FLAG_FD_CLOEXEC);
    return descriptor >= 0 ? (int)descriptor : -errno;
}

/* A pinned event that had to give way reads as the end of the file. */
static bool native_perf_read(void *context, int descriptor, struct rp_perf_count *count)
{
    (void)context;
    return read(descriptor, count, sizeof *count) == (ssize_t)sizeof *count;
}

static int native_msr_open(void *context, unsigned cpu)
{
    char path[32];

    (void)context;
    snprintf(path, sizeof path, "/dev/cpu/%u/msr", cpu);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    return descriptor >= 0 ? descriptor : -errno;
}

static bool native_msr_read(void *context, int descriptor, uint32_t address,
                            uint64_t *value)
{
    (void)context;
    return pread(descriptor, value, sizeof *value, address) == (ssize_t)sizeof *value;
}

static void native_close(void *context, int descriptor)
{
    (void)context;
    close(descriptor);
}

static double native_chain_hz(void *context)
{
    (void)context;
    return rp_clock_chain_hz();
}

static uint64_t native_now_ns(void *context)
{
    (void)context;
    return rp_clock_ns();
}

static long switches(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw + usage.ru_nivcsw : 0;
}

/* Looks at the time only now and then: where that is a system call, the kernel's part
 * would be missing from a count of user mode. */
static bool native_spin(void *context, uint64_t ns)
{
    const long switches_before = switches();
    const uint64_t start_ns = rp_clock_ns();

    (void)context;
    do {
        for (unsigned i = 0; i < 100000; i++) {
            __asm__ volatile("" : : "r"(i));
        }
    } while (rp_clock_ns() - start_ns < ns);
    return switches() == switches_before;
}

const struct rp_cycle_system rp_cycle_native = {
    .perf_open = native_perf_open,
    .perf_read = native_perf_read,
    .msr_open = native_msr_open,
    .msr_read = native_msr_read,
    .close = native_close,
    .chain_hz = native_chain_hz,
    .now_ns = native_now_ns,
    .spin = native_spin,
};
