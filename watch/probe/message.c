#include "watch/probe/message.h"

#include "core/endian.h"

#include <sodium.h>
#include <string.h>

static const uint32_t magic = 0x31505743; /* "CWP1" */

static void make_tag(const unsigned char *bytes, size_t size, const unsigned char *key,
                     unsigned char tag[CT_PROBE_TAG_BYTES])
{
    crypto_generichash(tag, CT_PROBE_TAG_BYTES, bytes, size, key, CT_PROBE_KEY_BYTES);
}

void ct_probe_message_seal(unsigned char *bytes, size_t size, const struct ct_probe_head *head,
                           const unsigned char key[CT_PROBE_KEY_BYTES])
{
    ct_endian_store(bytes, magic, 4);
    ct_endian_store(bytes + 4, (uint64_t)head->type, 4);
    ct_endian_store(bytes + 8, head->to, 8);
    ct_endian_store(bytes + 16, head->from, 8);
    ct_endian_store(bytes + 24, head->number, 8);
    make_tag(bytes, size - CT_PROBE_TAG_BYTES, key, bytes + size - CT_PROBE_TAG_BYTES);
}

bool ct_probe_message_open(const unsigned char *bytes, size_t size,
                           const unsigned char key[CT_PROBE_KEY_BYTES],
                           struct ct_probe_head *head_p)
{
    if (size < CT_PROBE_FRAME_BYTES || size > CT_PROBE_MESSAGE_MAX ||
        ct_endian_load_u32(bytes) != magic)
        return false;
    uint32_t type = ct_endian_load_u32(bytes + 4);
    if (type < CT_PROBE_JOIN || type >= CT_PROBE_TYPES)
        return false;
    unsigned char tag[CT_PROBE_TAG_BYTES];
    make_tag(bytes, size - CT_PROBE_TAG_BYTES, key, tag);
    if (sodium_memcmp(tag, bytes + size - CT_PROBE_TAG_BYTES, CT_PROBE_TAG_BYTES) != 0)
        return false;
    *head_p = (struct ct_probe_head){.type = (enum ct_probe_type)type,
                                     .to = ct_endian_load(bytes + 8, 8),
                                     .from = ct_endian_load(bytes + 16, 8),
                                     .number = ct_endian_load(bytes + 24, 8)};
    return true;
}

bool ct_probe_window_take(struct ct_probe_window *window, uint64_t number)
{
    if (number > window->highest) {
        uint64_t step = number - window->highest;
        window->taken = (step < 64 ? window->taken << step : 0) | 1;
        window->highest = number;
        return true;
    }
    uint64_t age = window->highest - number;
    if (age >= 64 || (window->taken >> age & 1))
        return false;
    window->taken |= UINT64_C(1) << age;
    return true;
}
