/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "core/interrupt.h"

static bool is_blocked(int signal)
{
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, signal) == 1;
}

static bool is_pending(int signal)
{
    sigset_t pending;

    sigpending(&pending);
    return sigismember(&pending, signal) == 1;
}

static void test_held_and_released(void **state)
{
    static const struct {
        int signal;
        enum rp_status status;
    } rows[] = {{SIGINT, RP_INTERRUPTED}, {SIGTERM, RP_TERMINATED}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rp_interrupt interrupt;

        rp_interrupt_hold(&interrupt);
        assert_int_equal(rp_interrupt_status(), RP_OK);
        assert_int_equal(raise(rows[i].signal), 0);
        assert_int_equal(raise(rows[i].signal), 0);
        assert_int_equal(rp_interrupt_status(), rows[i].status);
        assert_int_equal(rp_interrupt_status(), rows[i].status);
        rp_interrupt_release(&interrupt);
        assert_false(is_blocked(rows[i].signal));
        assert_false(is_pending(rows[i].signal));
        assert_int_equal(rp_interrupt_status(), RP_OK);
    }
}

static void test_ignored_stays_ignored(void **state)
{
    struct rp_interrupt interrupt;

    (void)state;
    assert_true(signal(SIGINT, SIG_IGN) != SIG_ERR);
    rp_interrupt_hold(&interrupt);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(rp_interrupt_status(), RP_OK);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(rp_interrupt_status(), RP_TERMINATED);
    rp_interrupt_release(&interrupt);
    assert_true(signal(SIGINT, SIG_DFL) == SIG_IGN);
}

/* Who blocked a signal before gets it back as it was: not asked for, not taken. */
static void test_mask_is_restored(void **state)
{
    struct rp_interrupt interrupt;
    sigset_t terminate;

    (void)state;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &terminate, NULL);
    assert_int_equal(raise(SIGTERM), 0);
    rp_interrupt_hold(&interrupt);
    rp_interrupt_release(&interrupt);
    assert_true(is_blocked(SIGTERM));
    assert_true(is_pending(SIGTERM));
    assert_true(signal(SIGTERM, SIG_IGN) != SIG_ERR); /* drops the pending one */
    pthread_sigmask(SIG_UNBLOCK, &terminate, NULL);
    assert_true(signal(SIGTERM, SIG_DFL) != SIG_ERR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_and_released),
        cmocka_unit_test(test_ignored_stays_ignored),
        cmocka_unit_test(test_mask_is_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
