/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/progress.h"
#include "scratch.h"

/* Runs eight steps with stderr replaced by `descriptor`. */
static void run_steps(int descriptor)
{
    struct rp_progress progress;
    const int saved = dup(STDERR_FILENO);

    assert_true(saved >= 0 && dup2(descriptor, STDERR_FILENO) >= 0);
    rp_progress_start(&progress);
    rp_progress_step(&progress, 0, 80, "the first step");
    for (int i = 1; i <= 8; i++) {
        rp_progress_step(&progress, 10 * i, 80 - 10 * i, "the next step");
    }
    rp_progress_end(&progress);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    close(saved);
}

static void test_plain(void **state)
{
    const int file = open(scratch_path(*state, "stderr"), O_RDWR | O_CREAT, 0600);
    size_t length = 0;
    size_t lines = 0;

    assert_true(file >= 0);
    run_steps(file);
    close(file);

    char *const text = scratch_read(*state, "stderr", &length);
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
        assert_true(text[i] != '\033' && text[i] != '\r');
    }
    assert_int_equal(lines, 8);
    assert_null(strstr(text, "first"));
    assert_contains(text, "100 %");
    assert_contains(text, "left 0:00");
    free(text);
}

/* Both ends of a pseudo-terminal; false where there is none, as in a bare chroot. */
static bool open_terminal(int *master, int *slave)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0) {
        return false;
    }
    *slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
    return *slave >= 0;
}

/* What the steps write to a terminal. */
static void run_on_terminal(char *text, size_t capacity)
{
    int master = -1;
    int slave = -1;

    if (!open_terminal(&master, &slave)) {
        print_message("this system has no pseudo-terminals (/dev/pts)\n");
        skip();
    }
    run_steps(slave);
    const ssize_t got = read(master, text, capacity - 1);
    assert_true(got > 0);
    text[got] = '\0';
    close(slave);
    close(master);
}

static void test_terminal(void **state)
{
    char text[4096];

    (void)state;
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    run_on_terminal(text, sizeof text);
    assert_contains(text, "\r\033[K");
    assert_contains(text, "\033[1m");
    assert_contains(text, "the first step");
    assert_null(strchr(text, '\n'));

    setenv("NO_COLOR", "1", 1);
    run_on_terminal(text, sizeof text);
    assert_contains(text, "\r\033[K");
    assert_null(strstr(text, "\033[1m"));

    setenv("TERM", "dumb", 1);
    run_on_terminal(text, sizeof text);
    assert_null(strchr(text, '\033'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain, scratch_make, scratch_remove),
        cmocka_unit_test(test_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
