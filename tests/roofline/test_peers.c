/* SPDX-License-Identifier: MIT */
/* Our kernels beside peers: the sizes that are told, who is the fastest, the ceiling. */
#include "tests/roofline/model_fixture.h"

#include <stdio.h>
#include <string.h>

#include "roofline/peers.h"
#include "roofline/report.h"

#define KIB ((size_t)1 << 10)

static struct rp_error error;

/* A peer's record: a variant of aes128ctr that is computed by `library`. */
static struct rp_record *add_peer(const char *variant, const char *library,
                                  size_t working_set_bytes, double bytes_per_s)
{
    struct rp_record *const record = synthetic_cipher(&run, variant, 0, RP_MODE_TEMPORAL,
                                                      working_set_bytes, bytes_per_s);

    snprintf(record->library, sizeof record->library, "%s", library);
    return record;
}

static struct rp_record *add_own(const char *variant, size_t working_set_bytes,
                                 double bytes_per_s)
{
    return synthetic_cipher(&run, variant, 512, RP_MODE_TEMPORAL, working_set_bytes,
                            bytes_per_s);
}

/* Two libraries and two kernels of ours at 64 KiB, and a unit whose ceiling is ten cycles
 * for 64 bytes. */
static void start(void)
{
    synthetic_start(&run);
    synthetic_unit(&run, "aesenc-128", 8, 0.5);
    synthetic_unit(&run, "aesenc-512", 8, 1);
    add_own("vaes512-x8", 64 * KIB, 12e9);
    add_own("aesni-x8", 64 * KIB, 6e9);
    add_peer("openssl", "OpenSSL 3.0.0", 64 * KIB, 5e9);
    add_peer("ipsec-mb", "ipsec-mb 1.3", 64 * KIB, 10e9);
}

static void kernels_are_ordered_and_held_against_the_fastest_peer(void **state)
{
    static const char *const expected[] = {"vaes512-x8", "ipsec-mb", "aesni-x8",
                                           "openssl"};
    struct rp_peer_table table = {0};

    (void)state;
    start();
    build();
    assert_true(rp_next_peer_table(&model, &table));
    assert_string_equal(table.work, "aes128ctr");
    assert_int_equal(table.count, 4);
    for (size_t i = 0; i < table.count; i++) {
        assert_string_equal(table.points[i]->variant, expected[i]);
    }
    assert_string_equal(table.fastest_peer->library, "ipsec-mb 1.3");
    assert_string_equal(table.fastest_own->variant, "vaes512-x8");
    assert_near(table.ceiling_cycles_per_byte, 10 / 64.0);
    assert_false(rp_next_peer_table(&model, &table));
}

static void longer_keys_have_more_rounds(void **state)
{
    struct rp_peer_table table = {0};

    (void)state;
    start();
    struct rp_record *const record = add_peer("openssl", "OpenSSL", 64 * KIB, 5e9);
    snprintf(record->family, sizeof record->family, "aes256ctr");
    snprintf(record->kernel, sizeof record->kernel, "aes256ctr-openssl");
    build();
    assert_true(rp_next_peer_table(&model, &table));
    assert_true(rp_next_peer_table(&model, &table));
    assert_string_equal(table.work, "aes256ctr");
    assert_null(table.fastest_own);
    assert_near(table.ceiling_cycles_per_byte, 14 / 64.0);
}

/* A kernel that opens is not held against a library that seals. */
static void directions_have_tables_of_their_own(void **state)
{
    static const char *const variants[] = {"seal-vaes512", "open-vaes512",
                                           "seal-openssl"};
    struct rp_peer_table table = {0};

    (void)state;
    synthetic_start(&run);
    for (size_t i = 0; i < 3; i++) {
        struct rp_record *const record = add_own(variants[i], 64 * KIB, 5e9);

        snprintf(record->family, sizeof record->family, "aes128gcm");
        snprintf(record->kernel, sizeof record->kernel, "aes128gcm-%s", variants[i]);
        snprintf(record->library, sizeof record->library, "%s",
                 i == 2 ? "OpenSSL 3" : "");
    }
    build();
    assert_true(rp_next_peer_table(&model, &table));
    assert_string_equal(table.work, "aes128gcm-seal");
    assert_int_equal(table.count, 2);
    assert_false(rp_next_peer_table(&model, &table));
}

/* Nearest to 16, 64 and 256 KiB and 1 MiB; nothing is told twice, nor from far away. */
static void sizes_are_the_measured_ones_near_the_targets(void **state)
{
    static const size_t measured[] = {12, 20, 48, 80, 640, 4096};
    static const size_t told[] = {20, 80}; /* 20/16 is nearer than 16/12 */
    struct rp_peer_table table = {0};

    (void)state;
    synthetic_start(&run);
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        add_peer("openssl", "OpenSSL", measured[i] * KIB, 5e9);
    }
    build();
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        assert_true(rp_next_peer_table(&model, &table));
        assert_true(table.working_set_bytes == told[i] * KIB);
        assert_true(table.ceiling_cycles_per_byte == 0); /* no unit was measured */
    }
    assert_false(rp_next_peer_table(&model, &table));
}

static void a_run_without_peers_has_no_table(void **state)
{
    struct rp_peer_table table = {0};

    (void)state;
    synthetic_full(&run);
    build();
    assert_false(rp_next_peer_table(&model, &table));
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_null(strstr(text.data, "Beside other libraries"));
}

static void report_tells_all(void **state)
{
    (void)state;
    start();
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_contains(text.data, "- aes128ctr at 64 KiB: vaes512-x8 with 11.18 GiB/s is "
                               "1.20 x as fast as the fastest peer, ipsec-mb 1.3 with "
                               "9.31 GiB/s\n");
    assert_contains(text.data, "| 64 KiB | aes128ctr-vaes512-x8 | Ridgepoint, its "
                               "fastest | 11.176 | 0.1667 | 1.20 | 94 % |");
    assert_contains(text.data, "| 64 KiB | aes128ctr-openssl | OpenSSL 3.0.0 | 4.657 | "
                               "0.4000 | 0.50 | 39 % |");
}

static void csv_tells_all(void **state)
{
    (void)state;
    start();
    build();
    assert_true(rp_report_csv(&model, &text, &error));
    assert_contains(text.data, "\npeer,aes128ctr-openssl,OpenSSL 3.0.0,temporal,L2,65536,"
                               "1,rate,5e+09,bytes/s,");
    assert_contains(text.data, "\ncomparison,aes128ctr-openssl,OpenSSL 3.0.0,temporal,L2,"
                               "65536,1,times_fastest_peer,0.5,,");
    assert_contains(text.data, "\ncomparison,aes128ctr-vaes512-x8,vaes512-x8,temporal,L2,"
                               "65536,1,times_fastest_peer,1.2,,");
    assert_contains(text.data, ",share_of_aes_ceiling,0.9375,,");
}

/* However fast it is, a peer is no rung of the ladder and sets no ceiling of ours. */
static void peers_are_not_taken_for_ours(void **state)
{
    (void)state;
    start();
    add_peer("libgcrypt", "libgcrypt 1.10", 256 * KIB, 100e9);
    build();
    assert_true(rp_report_markdown(&model, &text, &error));
    assert_contains(text.data, "aes128ctr-vaes512-x8 is the fastest: 11.18 GiB/s");
    assert_null(strstr(text.data, "| libgcrypt |"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_are_ordered_and_held_against_the_fastest_peer),
        TEST(longer_keys_have_more_rounds),
        TEST(directions_have_tables_of_their_own),
        TEST(sizes_are_the_measured_ones_near_the_targets),
        TEST(a_run_without_peers_has_no_table),
        TEST(report_tells_all),
        TEST(csv_tells_all),
        TEST(peers_are_not_taken_for_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
