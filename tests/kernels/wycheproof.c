/* SPDX-License-Identifier: MIT */
#include "wycheproof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void read_bytes(const json_t *test, const char *key,
                       struct wycheproof_bytes *bytes)
{
    const char *const text = json_string_value(json_object_get(test, key));

    bytes->count = text == NULL ? 0 : strlen(text) / 2;
    assert_in_range(bytes->count, 0, sizeof bytes->data);
    for (size_t i = 0; i < bytes->count; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        char *end = NULL;

        bytes->data[i] = (uint8_t)strtoul(digits, &end, 16);
        assert_ptr_equal(end, digits + 2);
    }
}

static void read_vector(const json_t *test, struct wycheproof_vector *vector)
{
    const char *const result = json_string_value(json_object_get(test, "result"));

    assert_non_null(result);
    vector->valid = strcmp(result, "valid") == 0;
    assert_true(vector->valid || strcmp(result, "invalid") == 0);
    vector->id = (unsigned)json_integer_value(json_object_get(test, "tcId"));
    vector->comment = json_string_value(json_object_get(test, "comment"));
    read_bytes(test, "key", &vector->key);
    read_bytes(test, "iv", &vector->nonce);
    read_bytes(test, "aad", &vector->additional);
    read_bytes(test, "msg", &vector->plain);
    read_bytes(test, "ct", &vector->cipher);
    read_bytes(test, "tag", &vector->tag);
}

void wycheproof_each(const char *name, size_t count,
                     void (*check)(const struct wycheproof_vector *vector))
{
    static struct wycheproof_vector vector;
    char path[512];
    json_error_t error;
    size_t group_index = 0;
    json_t *group = NULL;
    size_t seen = 0;

    snprintf(path, sizeof path, WYCHEPROOF_FOLDER "/%s", name);
    json_t *const file = json_load_file(path, 0, &error);
    if (file == NULL) {
        fail_msg("%s: %s", path, error.text);
    }
    json_array_foreach(json_object_get(file, "testGroups"), group_index, group)
    {
        size_t test_index = 0;
        json_t *test = NULL;

        json_array_foreach(json_object_get(group, "tests"), test_index, test)
        {
            read_vector(test, &vector);
            check(&vector);
            seen++;
        }
    }
    assert_int_equal(seen, count);
    assert_int_equal(seen, json_integer_value(json_object_get(file, "numberOfTests")));
    json_decref(file);
}
