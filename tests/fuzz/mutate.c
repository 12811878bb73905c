/* SPDX-License-Identifier: MIT */
/*
 * Changes for libFuzzer to make in a run file: bytes changed at random hardly ever leave
 * JSON behind, so most changes are made to one value of one line.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "property.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

/* Values that a member may get; most fit some member. */
static const char *const values[] = {
    "0",
    "1",
    "2",
    "3",
    "10",
    "64",
    "16384",
    "65536",
    "131072",
    "1073741824",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "-1",
    "0.5",
    "1.0000001",
    "1000.5",
    "1e-18",
    "1e-9",
    "1e9",
    "1e18",
    "1e19",
    "5e-324",
    "1e308",
    "{}",
    "[]",
    "null",
    "true",
    "[1]",
    "[1,2]",
    "[1000,1001,999,1002,1000,1003,998,1000]",
    "{\"load\":1,\"store\":1}",
    "{\"load\":1,\"store_nt\":1}",
    "{\"load\":1,\"store\":1,\"rmw\":1}",
    "{\"load\":1}",
    "{\"store\":1}",
    "{\"aesenc-128\":0.625}",
    "{\"aesenc-512\":0.15}",
    "[30,131,30,131,30,131,30,131]",
    "[{\"name\":\"perf-event\"}]",
    "[{\"name\":\"DRAM\"}]",
    "[{\"name\":\"L1\",\"size_bytes\":1},{\"name\":\"DRAM\"}]",
    "\"\"",
    "\"clock\"",
    "\"units\"",
    "\"bandwidth\"",
    "\"sweep\"",
    "\"scaling\"",
    "\"roofs\"",
    "\"stream\"",
    "\"aes128ctr\"",
    "\"aesenc-128\"",
    "\"aesenc-256\"",
    "\"aesenc-512\"",
    "\"copy-sse2\"",
    "\"temporal\"",
    "\"nt\"",
    "\"inplace\"",
    "\"performance\"",
    "\"efficiency\"",
    "\"none\"",
    "\"steady\"",
    "\"budget\"",
    "\"disturbed\"",
    "\"unavailable\"",
    "\"L1\"",
    "\"L2\"",
    "\"DRAM\"",
    "\"aesni-x1\"",
    "\"vaes512-x8\"",
    "\"äääääääääääääääääää\"",
    "\"=1+1\"",
    "\"a,\\\"b\"",
    "\"\\u001b[0m\"",
    "\"\\uffff\"",
    "\"'\\n!ls\"",
    "\"</title>\"",
    "\"aesenc-4294967295\"",
    "\"1234567\"",
    "\"0123456789abcdef0123456\"",
    "\"0123456789abcdef0123456789abcde\"",
    "\"0123456789abcdef0123456789abcdef0123456\"",
};

static json_t *new_value(uint64_t *random)
{
    return json_loads(values[rp_random_below(random, sizeof values / sizeof *values)],
                      JSON_DECODE_ANY, NULL);
}

/* The name of a random member. */
static const char *member(json_t *object, uint64_t *random)
{
    void *at = json_object_iter(object);

    for (uint64_t i = rp_random_below(random, (uint32_t)json_object_size(object)); i > 0;
         i--) {
        at = json_object_iter_next(object, at);
    }
    return json_object_iter_key(at);
}

/* Replaces or removes a random value, at any depth. */
static void change(json_t *json, uint64_t *random)
{
    const bool removes = rp_random_below(random, 8) == 0;

    if (json_object_size(json) > 0) {
        const char *const key = member(json, random);
        json_t *const old = json_object_get(json, key);

        if (json_object_size(old) + json_array_size(old) > 0 &&
            rp_random_below(random, 4) > 0) {
            change(old, random);
        } else if (removes) {
            json_object_del(json, key);
        } else {
            json_object_set_new(json, key, new_value(random));
        }
    } else if (json_array_size(json) > 0) {
        const size_t index = rp_random_below(random, (uint32_t)json_array_size(json));
        json_t *const old = json_array_get(json, index);

        if (json_object_size(old) > 0) {
            change(old, random);
        } else if (removes) {
            json_array_remove(json, index);
        } else {
            json_array_set_new(json, index, new_value(random));
        }
    }
}

/* Gives a record the id and a job of its own that it needs as a further one. */
static void renew(json_t *json, size_t id)
{
    char job[24];

    snprintf(job, sizeof job, "%zu", id);
    json_object_set_new(json, "id", json_integer((json_int_t)id));
    json_object_set_new(json, "job", json_string(job));
}

/* Puts `length` bytes in place of the line from `start` to `end`; the new size, or `size`
 * when there is no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t start,
                      size_t end, const char *text, size_t length)
{
    if (size - (end - start) + length > max_size) {
        return size;
    }
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, text, length);
    return size - (end - start) + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t random = seed;
    const size_t place = size > 0 ? rp_random(&random) % size : 0;
    size_t start = place;
    size_t end = place;

    while (start > 0 && data[start - 1] != '\n') {
        start--;
    }
    while (end < size && data[end] != '\n') {
        end++;
    }
    json_t *const json = json_loadb((const char *)data + start, end - start, 0, NULL);
    if (json == NULL || rp_random_below(&random, 8) == 0) {
        json_decref(json);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    const bool adds =
        start > 0 && data[size - 1] == '\n' && rp_random_below(&random, 4) == 0;
    for (uint64_t i = rp_random_below(&random, 3) + 1; i > 0; i--) {
        change(json, &random);
    }
    if (adds) {
        renew(json, size); /* the file grows, and so do the ids */
        start = end = size;
    }
    char *const text = json_dumps(json, JSON_COMPACT);
    if (text != NULL) {
        size = replace(data, size, max_size, start, end, text, strlen(text));
        size = adds ? replace(data, size, max_size, size, size, "\n", 1) : size;
    }
    free(text);
    json_decref(json);
    return size;
}
