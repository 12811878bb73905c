/* SPDX-License-Identifier: MIT */
#include "core/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/random.h"
#include "core/text.h"

#define HUGE_PAGE_BYTES  (2 * RP_MIB)
#define PLAIN_PAGE_BYTES ((size_t)4096)

#ifndef MAP_HUGE_2MB
#define MAP_HUGE_2MB (21 << 26)
#endif
#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

static bool enough_reserved_pages(size_t bytes)
{
    FILE *const file =
        fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "re");
    char line[32] = "";
    uint64_t pages = 0;

    if (file == NULL) {
        return false;
    }
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return read && rp_parse_count(line, &pages) && pages >= bytes / HUGE_PAGE_BYTES;
}

/* Maps memory with a page behind every address at `place`, inside a reservation of ours.
 * The kernel is asked for the pages, since running out of them at a store would be a
 * SIGBUS. */
static bool map_pages(void *place, size_t bytes, int page_flags)
{
    if (mmap(place, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | page_flags, -1, 0) == MAP_FAILED) {
        return false;
    }
    if (page_flags == 0) {
        madvise(place, bytes, MADV_HUGEPAGE); /* a wish; what came of it is read back */
    }
    /* A kernel that does not know this request faults the pages in when they are filled.
     */
    return madvise(place, bytes, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
}

/* The number after `key` in a line of smaps, in bytes. */
static bool smaps_bytes(const char *line, const char *key, size_t *bytes)
{
    const size_t length = strlen(key);

    if (strncmp(line, key, length) != 0) {
        return false;
    }
    *bytes = (size_t)strtoull(line + length, NULL, 10) * RP_KIB;
    return true;
}

/* The page size of most of the mapping that starts at `start`, as the kernel accounts it.
 */
static size_t obtained_page_bytes(const void *start, size_t mapped_bytes)
{
    FILE *const file = fopen("/proc/self/smaps", "re");
    char line[512];
    char prefix[32];
    bool inside = false;
    size_t page_bytes = PLAIN_PAGE_BYTES;
    size_t huge_bytes = 0;

    if (file == NULL) {
        return PLAIN_PAGE_BYTES;
    }
    snprintf(prefix, sizeof prefix, "%zx-", (size_t)(uintptr_t)start);
    while (fgets(line, sizeof line, file) != NULL) {
        if (!inside) {
            inside = strncmp(line, prefix, strlen(prefix)) == 0;
        } else if (strncmp(line, "VmFlags:", 8) == 0) {
            break; /* the last line of a mapping */
        } else if (!smaps_bytes(line, "KernelPageSize:", &page_bytes)) {
            smaps_bytes(line, "AnonHugePages:", &huge_bytes);
        }
    }
    fclose(file);
    return huge_bytes > mapped_bytes / 2 ? HUGE_PAGE_BYTES : page_bytes;
}

bool rp_buffer_allocate(struct rp_buffer *buffer, size_t size_bytes, uint64_t seed,
                        struct rp_error *error)
{
    char text[RP_SIZE_TEXT];
    const bool sane = size_bytes > 0 && size_bytes <= SIZE_MAX / 2;
    const size_t whole_bytes =
        (size_bytes + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
    /* Unusable pages stay on both sides: an overrun traps instead of hitting a neighbour,
     * and the kernel cannot merge the mapping with one whose pages would be counted in.
     */
    const size_t mapping_bytes = whole_bytes + 2 * HUGE_PAGE_BYTES;

    *buffer = (struct rp_buffer){0};
    void *const mapping = sane ? mmap(NULL, mapping_bytes, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                               : MAP_FAILED;
    if (mapping == MAP_FAILED) {
        return rp_fail(
            error, RP_UNABLE,
            "no address space for a buffer of %s; choose a smaller working set",
            rp_size_text(size_bytes, text));
    }
    const size_t skip = HUGE_PAGE_BYTES - (uintptr_t)mapping % HUGE_PAGE_BYTES;
    uint8_t *const data = (uint8_t *)mapping + skip;
    const bool reserved = enough_reserved_pages(whole_bytes) &&
                          map_pages(data, whole_bytes, MAP_HUGETLB | MAP_HUGE_2MB);

    if (!reserved && !map_pages(data, whole_bytes, 0)) {
        munmap(mapping, mapping_bytes);
        return rp_fail(
            error, RP_UNABLE,
            "not enough memory for a buffer of %s; free some, lift the memory limit "
            "or choose a smaller working set",
            rp_size_text(size_bytes, text));
    }
    rp_buffer_fill(data, size_bytes, seed);
    *buffer = (struct rp_buffer){
        .data = data,
        .size_bytes = size_bytes,
        .page_bytes = obtained_page_bytes(data, whole_bytes),
        .mapping = mapping,
        .mapping_bytes = mapping_bytes,
    };
    return true;
}

void rp_buffer_free(struct rp_buffer *buffer)
{
    if (buffer->mapping != NULL) {
        munmap(buffer->mapping, buffer->mapping_bytes);
    }
    *buffer = (struct rp_buffer){0};
}

/* Eight xorshift generators (Marsaglia 2003) side by side, one line a step: one alone
 * would be held up by its own dependency. */
typedef uint64_t lanes __attribute__((vector_size(64)));

/* Setting the lowest bit of each byte keeps all of them from being zero. */
static void next_line(lanes *state, lanes *line)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *line = *state | 0x0101010101010101u;
}

void rp_buffer_fill(uint8_t *data, size_t size_bytes, uint64_t seed)
{
    rp_buffer_fill_with(data, size_bytes, seed, RP_DATA_RANDOM);
}

void rp_buffer_fill_with(uint8_t *data, size_t size_bytes, uint64_t seed,
                         enum rp_data kind)
{
    static const lanes kept[RP_DATA_COUNT] = {
        [RP_DATA_RANDOM] = {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul},
        [RP_DATA_HALF] = {~0ul, ~0ul, ~0ul, ~0ul},
        [RP_DATA_ZERO] = {0},
    };
    lanes state;
    lanes line;

    for (size_t lane = 0; lane < sizeof state / sizeof(uint64_t); lane++) {
        state[lane] = rp_random(&seed) | 1; /* zero would stay zero */
    }
    for (; size_bytes >= sizeof line; data += sizeof line, size_bytes -= sizeof line) {
        next_line(&state, &line);
        line &= kept[kind];
        memcpy(data, &line, sizeof line);
    }
    next_line(&state, &line);
    line &= kept[kind];
    memcpy(data, &line, size_bytes);
}

void rp_buffer_make_doubles(uint8_t *data, size_t size_bytes)
{
    static const uint64_t fraction = 0x000fffffffffffff;
    static const uint64_t one = 0x3ff0000000000000;

    for (size_t i = 0; i + sizeof one <= size_bytes; i += sizeof one) {
        uint64_t bits = 0;

        memcpy(&bits, data + i, sizeof bits);
        bits = (bits & fraction) | one;
        memcpy(data + i, &bits, sizeof bits);
    }
}

static const char *const data_names[] = {
    [RP_DATA_RANDOM] = "random",
    [RP_DATA_HALF] = "half",
    [RP_DATA_ZERO] = "zero",
};

const char *rp_data_name(enum rp_data data)
{
    return data_names[data];
}

bool rp_data_parse(const char *name, enum rp_data *data)
{
    for (unsigned i = 0; i < RP_DATA_COUNT; i++) {
        if (strcmp(name, data_names[i]) == 0) {
            *data = (enum rp_data)i;
            return true;
        }
    }
    return false;
}
