/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "kernels/aes/aes.h"
#include "kernels/aes/interleave_kernels.h"
#include "kernels/gcm/gcm.h"
#include "kernels/intensity/intensity.h"
#include "kernels/kernel.h"
#include "kernels/modes/modes.h"
#include "kernels/peers/peers.h"
#include "kernels/stream/stream.h"

const struct rp_kernel *rp_kernel_at(size_t index)
{
    const struct {
        const struct rp_kernel *kernels;
        size_t count;
    } families[] = {
        {rp_stream_kernels, rp_stream_kernel_count},
        {rp_aes_kernels, rp_aes_kernel_count},
        {rp_modes_kernels, rp_modes_kernel_count},
        {rp_gcm_kernels, rp_gcm_kernel_count},
        {rp_interleave_kernels, rp_interleave_kernel_count},
        {rp_intensity_kernels, rp_intensity_kernel_count},
        {rp_peer_kernels, rp_peer_kernel_count},
    };

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (index < families[i].count) {
            return &families[i].kernels[index];
        }
        index -= families[i].count;
    }
    return NULL;
}

const struct rp_kernel *rp_kernel_find(const char *name)
{
    const struct rp_kernel *kernel = NULL;

    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        if (strcmp(kernel->name, name) == 0) {
            break;
        }
    }
    return kernel;
}

const char *rp_kernel_variant(const struct rp_kernel *kernel)
{
    const size_t length = strlen(kernel->family);

    if (strncmp(kernel->name, kernel->family, length) == 0 &&
        kernel->name[length] == '-') {
        return kernel->name + length + 1;
    }
    return kernel->name;
}

bool rp_kernel_available(const struct rp_kernel *kernel, const struct rp_cpu *cpu,
                         char *why, size_t capacity)
{
    if (!kernel->built) {
        snprintf(why, capacity, "%s",
                 kernel->unbuilt != NULL
                     ? kernel->unbuilt
                     : "the compiler of this build cannot emit its instructions");
        return false;
    }
    rp_cpu_missing(cpu, kernel->needs, why, (unsigned)capacity);
    return why[0] == '\0';
}

bool rp_kernel_open(const struct rp_kernel *kernel, const void *context, void **state,
                    struct rp_error *error)
{
    *state = kernel->open != NULL ? kernel->open(context) : NULL;
    return kernel->open == NULL || *state != NULL ||
           rp_fail(error, RP_UNABLE, "%s: its library refuses to start; leave it out",
                   kernel->name);
}

bool rp_kernel_close(const struct rp_kernel *kernel, void *state, struct rp_error *error)
{
    return state == NULL || kernel->close(state) ||
           rp_fail(error, RP_UNABLE,
                   "%s: its library refused a message; leave it out, or this size",
                   kernel->name);
}

bool rp_kernel_has_mode(const struct rp_kernel *kernel, enum rp_mode mode)
{
    return (kernel->modes & RP_MODE_BIT(mode)) != 0;
}

struct rp_work rp_kernel_work(const struct rp_kernel *kernel, enum rp_mode mode)
{
    struct rp_work work = {
        .item = kernel->item,
        .traffic = {.load = kernel->loads},
    };

    memcpy(work.operations, kernel->operations, sizeof work.operations);
    if (mode == RP_MODE_NT) {
        work.traffic.store_nt = kernel->stores;
    } else {
        work.traffic.store = kernel->stores;
    }
    if (mode == RP_MODE_INPLACE) {
        work.traffic.rmw = kernel->stores;
    }
    return work;
}

size_t rp_kernel_stream_bytes(const struct rp_kernel *kernel, enum rp_mode mode,
                              size_t working_set_bytes)
{
    const bool two = mode != RP_MODE_INPLACE &&
                     kernel->streams == (RP_STREAM_SOURCE | RP_STREAM_DESTINATION);
    const size_t bytes = two ? working_set_bytes / 2 : working_set_bytes;

    return bytes - bytes % RP_BLOCK_BYTES;
}
