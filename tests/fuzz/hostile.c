/* SPDX-License-Identifier: MIT */
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hostile_run(struct rp_run *run, const uint8_t *data, size_t size)
{
    struct rp_error error = {0};
    char *const text = text_of(data, size);
    FILE *const file = fmemopen(text, size, "r");

    must(file != NULL, "memory can be read as a file");
    const bool done = rp_run_read_stream(run, file, "run.jsonl", &error);
    fclose(file);
    free(text);
    if (!done) {
        must_explain(&error);
    }
    return done;
}

bool hostile_read(struct hostile *hostile, const uint8_t *data, size_t size)
{
    struct rp_error error = {0};

    memset(hostile, 0, sizeof *hostile);
    if (!hostile_run(&hostile->run, data, size)) {
        return false;
    }
    const unsigned kind = (unsigned)(size % hostile->run.machine.kind_count);
    const bool done = rp_model_build(&hostile->model, &hostile->run, kind, &error);
    if (!done) {
        must_explain(&error);
    }
    return done;
}

void hostile_free(struct hostile *hostile)
{
    rp_model_free(&hostile->model);
    rp_run_free(&hostile->run);
}
