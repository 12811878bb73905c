/* SPDX-License-Identifier: MIT */
/* Peers: rows that are always there, and a library that refuses work is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/check.h"

static const char *const peers[] = {
    "aes128ctr-openssl",       "aes128ctr-ipsec-mb",       "aes128ctr-libgcrypt",
    "aes192ctr-openssl",       "aes192ctr-ipsec-mb",       "aes192ctr-libgcrypt",
    "aes256ctr-openssl",       "aes256ctr-ipsec-mb",       "aes256ctr-libgcrypt",
    "aes128cbcdec-openssl",    "aes128cbcdec-ipsec-mb",    "aes128cbcdec-libgcrypt",
    "aes192cbcdec-openssl",    "aes192cbcdec-ipsec-mb",    "aes192cbcdec-libgcrypt",
    "aes256cbcdec-openssl",    "aes256cbcdec-ipsec-mb",    "aes256cbcdec-libgcrypt",
    "aes128xts-openssl",       "aes128xts-libgcrypt",      "aes256xts-openssl",
    "aes256xts-libgcrypt",     "aes128gcm-seal-openssl",   "aes128gcm-seal-ipsec-mb",
    "aes128gcm-open-ipsec-mb", "aes192gcm-seal-openssl",   "aes192gcm-seal-ipsec-mb",
    "aes192gcm-open-ipsec-mb", "aes256gcm-seal-openssl",   "aes256gcm-seal-ipsec-mb",
    "aes256gcm-open-ipsec-mb", "chacha20poly1305-openssl",
};

/* Whatever this build has and whatever the CPU is capped to. */
static void every_peer_is_available_or_says_what_to_install(void **state)
{
    const struct rp_cpu least = {.features = RP_CPU_SSE2, .present = RP_CPU_SSE2};
    char why[160];

    (void)state;
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        const struct rp_kernel *const kernel = rp_kernel_find(peers[i]);

        assert_non_null(kernel);
        assert_non_null(kernel->library);
        if (kernel->built) {
            assert_true(rp_kernel_available(kernel, &least, why, sizeof why));
            assert_true(kernel->version != NULL && kernel->version()[0] != '\0');
            assert_true(strlen(kernel->library) + strlen(kernel->version()) < 31);
        } else {
            assert_false(rp_kernel_available(kernel, &least, why, sizeof why));
            assert_non_null(strstr(why, "build again"));
        }
    }
}

static void only_peers_have_a_library(void **state)
{
    const struct rp_kernel *kernel = NULL;
    size_t count = 0;

    (void)state;
    for (size_t i = 0; (kernel = rp_kernel_at(i)) != NULL; i++) {
        count += kernel->library != NULL;
        assert_true(kernel->open == NULL || kernel->library != NULL);
        assert_int_equal(kernel->open != NULL, kernel->close != NULL);
    }
    assert_true(count >= sizeof peers / sizeof *peers);
}

/* ---- a library that refuses ---- */

static bool refusals; /* what the made-up library says when it is closed */

static void *open_made_up(const void *context)
{
    (void)context;
    return &refusals;
}

static bool close_made_up(void *state)
{
    return !*(const bool *)state;
}

static void *refuse_to_open(const void *context)
{
    (void)context;
    return NULL;
}

static void refused_work_is_no_result(void **state)
{
    struct rp_kernel kernel = *rp_kernel_find("aes128ctr-scalar");
    struct rp_error error;
    size_t cases = 0;

    (void)state;
    kernel.open = open_made_up;
    kernel.close = close_made_up;
    refusals = false;
    assert_true(rp_check_kernel(&kernel, RP_MODE_TEMPORAL, 1, &cases, &error));
    refusals = true;
    assert_false(rp_check_kernel(&kernel, RP_MODE_TEMPORAL, 1, &cases, &error));
    assert_non_null(strstr(error.message, "refused"));
    kernel.open = refuse_to_open;
    assert_false(rp_check_kernel(&kernel, RP_MODE_TEMPORAL, 1, &cases, &error));
    assert_non_null(strstr(error.message, "refuses to start"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_peer_is_available_or_says_what_to_install),
        cmocka_unit_test(only_peers_have_a_library),
        cmocka_unit_test(refused_work_is_no_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
