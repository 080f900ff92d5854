#include "bench/replay/payload.h"

#include "core/random.h"

#include <string.h>

enum { WORD = 8 };

static uint64_t pattern(uint64_t k)
{
    return (k + 1) * CT_RANDOM_STEP;
}

uint64_t ct_payload_stamp(uint32_t from, uint32_t to, uint64_t tag, uint64_t bytes, uint64_t pass)
{
    return ct_random_mix(((uint64_t)from << 32 | to) ^ tag << 20 ^ pass * CT_RANDOM_STEP) + bytes;
}

/* Bytes of a number in the order in which a message has them, whatever the machine's own is. */
static uint64_t ordered(uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

void ct_payload_fill(uint64_t mask, unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i += WORD) {
        uint64_t word = ordered(pattern(i / WORD) ^ mask);
        memcpy(data + i, &word, n - i < WORD ? n - i : WORD);
    }
}

void ct_payload_put_stamp(uint64_t stamp, unsigned char *data, size_t n)
{
    uint64_t word = ordered(stamp);
    memcpy(data, &word, n < WORD ? n : WORD);
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

static unsigned char byte_at(const struct ct_payload *payload, size_t i)
{
    uint64_t word = payload->mask ^ (payload->plain ? 0 : pattern(i / WORD));
    if (payload->has_stamp && i < WORD)
        word = payload->stamp;
    return (unsigned char)(word >> 8 * (i % WORD));
}

static bool check_bytes(const struct ct_payload *payload, size_t offset, const unsigned char *data,
                        size_t from, size_t n, size_t *at_p)
{
    for (size_t i = from; i < from + n; i++) {
        if (data[i] == byte_at(payload, offset + i))
            continue;
        *at_p = i;
        return false;
    }
    return true;
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
