/**
 * FNV-1a with 64 bits (Fowler, Noll, Vo): for hash tables, and for numbers derived from a name. Not
 * for input that is chosen to collide.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CT_HASH_BASIS 0xcbf29ce484222325U
#define CT_HASH_PRIME 0x100000001b3U

/** @param text  [in] n bytes */
static inline uint64_t ct_hash_text(const char *text, size_t n)
{
    uint64_t hash = CT_HASH_BASIS;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * CT_HASH_PRIME;
    return hash;
}

/** The same with 64-bit numbers instead of bytes. */
static inline uint64_t ct_hash_numbers(const uint64_t *values, size_t n)
{
    uint64_t hash = CT_HASH_BASIS;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ values[i]) * CT_HASH_PRIME;
    return hash;
}
