/* SPDX-License-Identifier: MIT */
/*
 * Counter-mode caching: counter mode with two rounds fewer (Bernstein and Schwabe, "New
 * AES software speed records", 2008; Park and Lee, "FACE", 2018). Built on the vocabulary
 * of ctr_vector.h and, for the boundary of a table, AND.
 *
 * Blocks of one message differ in their counter only. ShiftRows sends each of its last
 * four bytes to a column of its own, so after two rounds the state is an XOR of one
 * contribution from each of them and a constant. The contribution of the last byte comes
 * from a table of 256 blocks, made for every message, and that of the others is one
 * block, `delta`, which changes once in 256 blocks. A vector of states after two rounds
 * is then one load from the table, at an address that only the counter decides, and one
 * XOR.
 *
 * Making the table takes two rounds for 256 blocks, as many as are saved on the next 256:
 * a message shorter than `least` bytes goes the plain way.
 *
 * A step of eight vectors that runs over the end of the table takes `delta` for its first
 * blocks and the next one for the others; the table goes on with its own beginning.
 */

#define STEP_BYTES  (8 * VECTOR_BYTES)
#define STEP_BLOCKS (8 * LANES)

#define TABLE_BLOCKS 256
#define TABLE_BYTES  (TABLE_BLOCKS * RP_AES_BLOCK_BYTES + STEP_BYTES)

/* Nothing of a change for the blocks before the end of the table, all of it behind. */
static const uint8_t masks[2 * STEP_BYTES]
    __attribute__((aligned(64))) = {[STEP_BYTES... 2 * STEP_BYTES - 1] = 0xff};

/* What a state after two rounds is made of, and where it goes when the table is made. */
#define PUT_TABLE(i) STORE(entry + VECTOR_BYTES * (i), state_##i);
#define TAKE(i)      VECTOR state_##i = XOR(LOAD(entry + VECTOR_BYTES * (i)), delta);
#define TAKE_MIXED(i)                                                                    \
    VECTOR state_##i = XOR(XOR(LOAD(entry + VECTOR_BYTES * (i)), delta),                 \
                           AND(LOAD(mask + VECTOR_BYTES * (i)), delta_change));

/* clang-format off */
#define CACHED_STEP(rounds, TAKE, KEYS, FETCHES, PUT)                                    \
    {                                                                                    \
        const uint8_t *const entry = table + low * RP_AES_BLOCK_BYTES;                   \
        KEYS                                                                             \
        CHAINS_8(TAKE)                                                                   \
        FETCHES                                                                          \
        MIDDLE_##rounds(CHAINS_8)                                                        \
        CHAINS_8(FINISH)                                                                 \
        CHAINS_8(PUT)                                                                    \
        source += STEP_BYTES;                                                            \
        destination += STEP_BYTES;                                                       \
        left -= STEP_BYTES;                                                              \
        low += STEP_BLOCKS;                                                              \
    }
/* clang-format on */

/* Two rounds of a block whose counter is kept byte-swapped, in every lane. */
static inline VECTOR two_rounds(VECTOR counter, VECTOR byte_swap, const VECTOR *key)
{
    return ROUND(ROUND(XOR(SHUFFLE(counter, byte_swap), key[0]), key[1]), key[2]);
}

/* The whitened block of vector `i` of the first step, and that of a later step, whose
 * number changes other bits of the last byte. */
#define START(i)                                                                         \
    const VECTOR start_##i =                                                             \
        XOR(SHUFFLE(ADD32(counter, COUNT(LANES * (i))), byte_swap), key[0]);
#define TURN(i) VECTOR state_##i = XOR(start_##i, change);

/* Fills the table for the counters that differ from `counter`, whose last byte is 0, in
 * the last byte only. */
static inline void make_table(uint8_t *table, VECTOR counter, VECTOR byte_swap,
                              const VECTOR *key)
{
    counter = ADD32(counter, LANE_NUMBERS);
    CHAINS_8(START)
    VECTOR number = COUNT(0);

    for (int block = 0; block < TABLE_BLOCKS; block += STEP_BLOCKS) {
        uint8_t *const entry = table + block * RP_AES_BLOCK_BYTES;
        const VECTOR change = SHUFFLE(number, byte_swap);

        CHAINS_8(TURN)
        CHAINS_8(ROUND_1)
        CHAINS_8(ROUND_2)
        CHAINS_8(PUT_TABLE)
        number = ADD32(number, COUNT(STEP_BLOCKS));
    }
    memcpy(table + TABLE_BLOCKS * RP_AES_BLOCK_BYTES, table, STEP_BYTES);
}

/* `blocks` further on than `counter_block`, in its last 32 bits. Written at once, since
 * the kernel reads it at once. */
static inline void advance(uint8_t advanced[RP_AES_BLOCK_BYTES],
                           const uint8_t counter_block[RP_AES_BLOCK_BYTES], size_t blocks)
{
    const __m128i byte_swap =
        _mm_load_si128((const __m128i *)(const void *)byte_swap_lane);
    const __m128i block = _mm_loadu_si128((const __m128i *)(const void *)counter_block);
    const __m128i counter = _mm_add_epi32(_mm_shuffle_epi8(block, byte_swap),
                                          _mm_cvtsi32_si128((int)(uint32_t)blocks));

    _mm_storeu_si128((__m128i *)(void *)advanced, _mm_shuffle_epi8(counter, byte_swap));
}

/* Defines the rp_aes_ctr_message `name`; `plain` encrypts short messages and ends. The
 * next delta is computed a whole table ahead: its rounds queue behind those of the
 * message, and a step that needed it at once would wait for its latency. */
#define DEFINE_CACHED_MESSAGE(name, plain, last_round, least, KEYS, FETCHES, PUT)        \
    static void name(const struct rp_aes_key *expanded,                                  \
                     const uint8_t counter_block[RP_AES_BLOCK_BYTES],                    \
                     const uint8_t *source, uint8_t *destination, size_t bytes)          \
    {                                                                                    \
        enum { rounds = last_round };                                                    \
        uint8_t table[TABLE_BYTES] __attribute__((aligned(64)));                         \
        VECTOR round_keys[rounds + 1];                                                   \
        const VECTOR *key = round_keys;                                                  \
        size_t left = bytes;                                                             \
        size_t low = counter_block[15];                                                  \
                                                                                         \
        if (bytes < (least)) {                                                           \
            plain(expanded, counter_block, source, destination, bytes);                  \
            return;                                                                      \
        }                                                                                \
        for (int i = 0; i <= rounds; i++) {                                              \
            round_keys[i] = BROADCAST(expanded->round_keys[i]);                          \
        }                                                                                \
        const VECTOR byte_swap = BROADCAST(byte_swap_lane);                              \
        VECTOR upper =                                                                   \
            ADD32(SHUFFLE(BROADCAST(counter_block), byte_swap), COUNT(-(int)low));       \
        const VECTOR origin = two_rounds(upper, byte_swap, key);                         \
        VECTOR delta = XOR(origin, origin);                                              \
                                                                                         \
        make_table(table, upper, byte_swap, key);                                        \
        while (left >= STEP_BYTES) {                                                     \
            upper = ADD32(upper, COUNT(TABLE_BLOCKS));                                   \
            const VECTOR next = XOR(two_rounds(upper, byte_swap, key), origin);          \
                                                                                         \
            for (size_t steps = (TABLE_BLOCKS - low) / STEP_BLOCKS;                      \
                 steps > 0 && left >= STEP_BYTES; steps--) {                             \
                CACHED_STEP(last_round, TAKE, KEYS, FETCHES, PUT)                        \
            }                                                                            \
            if (low < TABLE_BLOCKS && left >= STEP_BYTES) {                              \
                const uint8_t *const mask =                                              \
                    masks + STEP_BYTES - (TABLE_BLOCKS - low) * RP_AES_BLOCK_BYTES;      \
                const VECTOR delta_change = XOR(delta, next);                            \
                CACHED_STEP(last_round, TAKE_MIXED, KEYS, FETCHES, PUT)                  \
            }                                                                            \
            low -= low >= TABLE_BLOCKS ? TABLE_BLOCKS : 0;                               \
            delta = next;                                                                \
        }                                                                                \
        if (left > 0) {                                                                  \
            uint8_t end[RP_AES_BLOCK_BYTES];                                             \
                                                                                         \
            advance(end, counter_block, (bytes - left) / RP_AES_BLOCK_BYTES);            \
            plain(expanded, end, source, destination, left);                             \
        }                                                                                \
    }

/* The cached kernel for one length of key, beside a plain one of `plain_variant`. */
#define DEFINE_CACHED(bits, rounds, variant, plain_variant, least, KEYS, FETCHES,        \
                      FETCHES_NT)                                                        \
    DEFINE_CACHED_MESSAGE(aes##bits##ctr_##variant##_message,                            \
                          aes##bits##ctr_##plain_variant##_message, rounds, least, KEYS, \
                          FETCHES, PUT_TEMPORAL)                                         \
    DEFINE_CACHED_MESSAGE(aes##bits##ctr_##variant##_message_inplace,                    \
                          aes##bits##ctr_##plain_variant##_message_inplace, rounds,      \
                          least, KEYS, FETCHES##_INPLACE, PUT_TEMPORAL)                  \
    DEFINE_CACHED_MESSAGE(aes##bits##ctr_##variant##_message_nt,                         \
                          aes##bits##ctr_##plain_variant##_message_nt, rounds, least,    \
                          KEYS, FETCHES_NT, PUT_NT)                                      \
    DEFINE_KERNELS(rp_aes##bits##ctr_##variant, aes##bits##ctr_##variant##_message)
