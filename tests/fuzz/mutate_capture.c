/* SPDX-License-Identifier: MIT */
/*
 * Changes for libFuzzer to make in a captured machine: anywhere but in its topology. That
 * is read by hwloc, which crashes over XML that was changed at random.
 */
#include <string.h>

#include "property.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char end_mark[] = "\n@";
    const uint8_t *const end = memmem(data, size, end_mark, strlen(end_mark));
    const size_t kept = end != NULL ? (size_t)(end - data) + strlen(end_mark) : size;

    (void)seed; /* LLVMFuzzerMutate has its own */
    return kept < size
               ? kept + LLVMFuzzerMutate(data + kept, size - kept, max_size - kept)
               : size;
}
