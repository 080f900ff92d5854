#include "core/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

/* A digest under way. */
struct state {
    uint32_t word[WORDS];
    unsigned char rest[BLOCK]; /* [n % BLOCK] bytes of no full block yet */
    uint64_t n;                /* bytes so far */
};

static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void expand_block(const unsigned char block[BLOCK], uint32_t w[ROUNDS])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < ROUNDS; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (rotate_right(x, 7) ^ rotate_right(x, 18) ^ x >> 3) +
               (rotate_right(y, 17) ^ rotate_right(y, 19) ^ y >> 10);
    }
}

static void take_block(struct state *state, const unsigned char block[BLOCK])
{
    uint32_t w[ROUNDS], v[WORDS];
    expand_block(block, w);
    memcpy(v, state->word, sizeof v);
    for (size_t t = 0; t < ROUNDS; t++) {
        uint32_t a = v[0], e = v[4];
        uint32_t first = v[7] + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) +
                         ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        uint32_t second = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) +
                          ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, (WORDS - 1) * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (size_t i = 0; i < WORDS; i++)
        state->word[i] += v[i];
}

static struct state begin_digest(void)
{
    return (struct state){.word = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void add_bytes(struct state *state, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++) {
        state->rest[state->n++ % BLOCK] = byte[i];
        if (state->n % BLOCK == 0)
            take_block(state, state->rest);
    }
}

static void end_digest(struct state *state, unsigned char digest[CT_SHA256_BYTES])
{
    static const unsigned char padding[BLOCK] = {0x80};
    uint64_t n_bits = 8 * state->n;
    unsigned char length[8];
    for (size_t i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)(n_bits >> (56 - 8 * i));
    add_bytes(state, padding, 1 + (BLOCK + 55 - state->n % BLOCK) % BLOCK);
    add_bytes(state, length, sizeof length);
    for (size_t i = 0; i < CT_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(state->word[i / 4] >> (24 - 8 * (i % 4)));
}

static void format_digest(const unsigned char digest[CT_SHA256_BYTES], char text[CT_SHA256_MAX])
{
    for (size_t i = 0; i < CT_SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

void ct_sha256(const void *bytes, size_t n, char text_p[CT_SHA256_MAX])
{
    unsigned char digest[CT_SHA256_BYTES];
    struct state state = begin_digest();
    add_bytes(&state, bytes, n);
    end_digest(&state, digest);
    format_digest(digest, text_p);
}

void ct_sha256_keyed(const unsigned char key[CT_SHA256_BYTES], const char *text,
                     char text_p[CT_SHA256_MAX])
{
    unsigned char digest[CT_SHA256_BYTES], inner[BLOCK], outer[BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        unsigned char byte = i < CT_SHA256_BYTES ? key[i] : 0;
        inner[i] = byte ^ 0x36;
        outer[i] = byte ^ 0x5c;
    }
    struct state state = begin_digest();
    add_bytes(&state, inner, BLOCK);
    add_bytes(&state, text, strlen(text));
    end_digest(&state, digest);
    state = begin_digest();
    add_bytes(&state, outer, BLOCK);
    add_bytes(&state, digest, CT_SHA256_BYTES);
    end_digest(&state, digest);
    format_digest(digest, text_p);
}
