/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "scratch.h"

static struct rp_error error;

static bool write_text(const char *path, const char *content)
{
    struct rp_text text = {0};

    rp_text_print(&text, "%s", content);
    const bool done = rp_file_write(path, &text, &error);
    rp_text_free(&text);
    return done;
}

static void test_replaces(void **state)
{
    const char *const folder = *state;
    size_t length = 0;

    scratch_write(folder, "file", "the old and longer text");
    assert_true(write_text(scratch_path(folder, "file"), "new"));
    char *const content = scratch_read(folder, "file", &length);
    assert_string_equal(content, "new");
    free(content);
    assert_int_not_equal(access(scratch_path(folder, "file.part"), F_OK), 0);
}

static void test_empty(void **state)
{
    const struct rp_text text = {0};
    struct stat status;

    assert_true(rp_file_write(scratch_path(*state, "file"), &text, &error));
    assert_int_equal(stat(scratch_path(*state, "file"), &status), 0);
    assert_int_equal(status.st_size, 0);
}

/* A rename would put a file in the place of a folder or a device. */
static void test_no_file(void **state)
{
    struct stat status;

    scratch_write(*state, "taken/inside", "");
    assert_false(write_text(scratch_path(*state, "taken"), "new"));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "taken: it exists and is no file");
    assert_int_not_equal(access(scratch_path(*state, "taken.part"), F_OK), 0);

    assert_int_equal(mkfifo(scratch_path(*state, "pipe"), 0600), 0);
    assert_false(write_text(scratch_path(*state, "pipe"), "new"));
    assert_int_equal(stat(scratch_path(*state, "pipe"), &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

/* The disk is full: what was written is taken away again, and the old file stays. */
static void test_full(void **state)
{
    size_t length = 0;

    scratch_write(*state, "file", "old");
    assert_int_equal(symlink("/dev/full", scratch_path(*state, "file.part")), 0);
    assert_false(write_text(scratch_path(*state, "file"), "new"));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "file: No space left");
    assert_int_not_equal(access(scratch_path(*state, "file.part"), F_OK), 0);
    char *const content = scratch_read(*state, "file", &length);
    assert_string_equal(content, "old");
    free(content);
}

static void test_no_folder(void **state)
{
    assert_false(write_text(scratch_path(*state, "absent/file"), "new"));
    assert_int_equal(error.status, RP_UNABLE);
    assert_contains(error.message, "absent/file: No such file or directory; ");
}

/* Text that memory ran out for is no text: the old file stays. */
static void test_failed_text(void **state)
{
    const struct rp_text text = {.failed = true};
    size_t length = 0;

    scratch_write(*state, "file", "old");
    assert_false(rp_file_write(scratch_path(*state, "file"), &text, &error));
    assert_contains(error.message, "memory");
    char *const content = scratch_read(*state, "file", &length);
    assert_string_equal(content, "old");
    free(content);
}

int main(void)
{
#define WITH_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_replaces),  WITH_FOLDER(test_empty),
        WITH_FOLDER(test_no_file),   WITH_FOLDER(test_full),
        WITH_FOLDER(test_no_folder), WITH_FOLDER(test_failed_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
