/**
 * A seal in the last bytes in front of a request, which distinguishes the requests of this library
 * from UCX's. It depends on the address, so that a copy of the memory is none. In front of a
 * request of its own UCX keeps more than these bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t ct_delay_seal_of(const void *request)
{
    return UINT64_C(0x63745f64656c6179) ^ (uint64_t)(uintptr_t)request;
}

static inline void ct_delay_seal_set(void *request, uint64_t seal)
{
    memcpy((char *)request - sizeof seal, &seal, sizeof seal);
}

static inline bool ct_delay_is_sealed(const void *request)
{
    uint64_t seal;
    memcpy(&seal, (const char *)request - sizeof seal, sizeof seal);
    return seal == ct_delay_seal_of(request);
}
