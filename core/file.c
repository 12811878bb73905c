/* SPDX-License-Identifier: MIT */
#include "core/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The reason is in errno when it fails; the neighbour is gone then. */
static bool write_through(const char *neighbour, const char *path,
                          const struct rp_text *text)
{
    FILE *const file = fopen(neighbour, "we");

    if (file == NULL) {
        return false;
    }
    const bool written =
        text->length == 0 || fwrite(text->data, 1, text->length, file) == text->length;
    const int reason = errno;
    const bool closed = fclose(file) == 0;

    if (written && closed && rename(neighbour, path) == 0) {
        return true;
    }
    const int later_reason = errno;
    unlink(neighbour);
    errno = written ? later_reason : reason;
    return false;
}

bool rp_file_write(const char *path, const struct rp_text *text, struct rp_error *error)
{
    struct rp_text neighbour = {0};
    struct stat status;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return rp_fail(
            error, RP_UNABLE,
            "cannot write %.300s: it exists and is no file; choose another folder", path);
    }
    rp_text_print(&neighbour, "%s.part", path);
    if (text->failed || neighbour.failed) {
        rp_text_free(&neighbour);
        return rp_fail(error, RP_UNABLE, "not enough memory to make %s", path);
    }
    const bool done =
        write_through(neighbour.data, path, text) ||
        rp_fail(error, RP_UNABLE,
                "cannot write %.300s: %s; free some space or choose a folder "
                "you may write to",
                path, strerror(errno));
    rp_text_free(&neighbour);
    return done;
}
