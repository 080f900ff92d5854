#include "bench/replay/payload.h"

#include "core/endian.h"
#include "core/random.h"

#include <string.h>

enum { WORD = 8 };

static uint64_t pattern_word(uint64_t k)
{
    return (k + 1) * CT_RANDOM_STEP;
}

uint64_t ct_payload_stamp(uint32_t from, uint32_t to, uint64_t tag, uint64_t bytes, uint64_t pass)
{
    return ct_random_mix(((uint64_t)from << 32 | to) ^ tag << 20 ^ pass * CT_RANDOM_STEP) + bytes;
}

void ct_payload_fill(uint64_t mask, unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i += WORD)
        ct_endian_store(data + i, pattern_word(i / WORD) ^ mask, n - i < WORD ? n - i : WORD);
}

void ct_payload_put_stamp(uint64_t stamp, unsigned char *data, size_t n)
{
    ct_endian_store(data, stamp, n < WORD ? n : WORD);
}

void ct_payload_spoil(unsigned char *data, size_t n, bool whole)
{
    if (whole || n <= (size_t)2 * WORD) {
        memset(data, 0xa5, n);
        return;
    }
    memset(data, 0xa5, WORD);
    memset(data + n - WORD, 0xa5, WORD);
}

static uint64_t word_of(const struct ct_payload *payload, size_t k)
{
    if (payload->has_stamp && k == 0)
        return payload->stamp;
    return payload->mask ^ (payload->plain ? 0 : pattern_word(k));
}

static bool check_bytes(const struct ct_payload *payload, size_t offset, const unsigned char *data,
                        size_t from, size_t n, size_t *at_p)
{
    size_t at = offset + from;
    unsigned char expected[2 * WORD];
    ct_endian_store(expected, word_of(payload, at / WORD), WORD);
    ct_endian_store(expected + WORD, word_of(payload, at / WORD + 1), WORD);
    const unsigned char *first = expected + at % WORD;
    if (memcmp(data + from, first, n) == 0)
        return true;
    size_t i = 0;
    while (data[from + i] == first[i])
        i++;
    *at_p = from + i;
    return false;
}

bool ct_payload_check(const struct ct_payload *payload, size_t offset, const unsigned char *data,
                      size_t n, size_t max_checks, size_t *at_p)
{
    size_t head = n < WORD ? n : WORD, words = n / WORD;
    if (!check_bytes(payload, offset, data, 0, head, at_p) ||
        !check_bytes(payload, offset, data, n - head, head, at_p))
        return false;
    size_t step = words / max_checks + 1;
    /* Every word has its turn. */
    for (size_t k = (size_t)(payload->stamp >> 32) % step; k < words; k += step)
        if (!check_bytes(payload, offset, data, k * WORD, WORD, at_p))
            return false;
    return true;
}
