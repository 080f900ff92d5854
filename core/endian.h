/** Numbers as bytes of files: little-endian, unaligned, of any width up to 8 bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** @param n_bytes  [in] 0..8; the higher bytes of the result are 0 */
static inline uint64_t ct_endian_load(const unsigned char *from, size_t n_bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n_bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static inline uint32_t ct_endian_load_u32(const unsigned char *from)
{
    return (uint32_t)ct_endian_load(from, 4);
}

/** @param value    [in] its low bytes are stored
 *  @param n_bytes  [in] 0..8 */
static inline void ct_endian_store(unsigned char *to, uint64_t value, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}
