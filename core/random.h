/**
 * Generators of random numbers that give the same sequence on every machine. The caller records the
 * seed. Not for cryptography.
 *
 * SplitMix64 has a state of one number. It is for many independent streams, such as one for each
 * rank, and for mixing seeds. MT19937 is for long sequences; its sequence equals that of GSL's
 * gsl_rng_mt19937 for the same seed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/**
 * Mix the bits of a number: each bit in changes about half of the bits out, and different numbers
 * stay different. Source: Steele, Lea and Flood, OOPSLA 2014 (finalizer of SplitMix64).
 */
static inline uint64_t ct_random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/** What SplitMix64 adds to its state before each number: 2^64 divided by the golden ratio, odd. */
#define CT_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/**
 * Next number of SplitMix64.
 * @param state  [in,out] the seed at first, which may be any number
 */
static inline uint64_t ct_random_next(uint64_t *state)
{
    return ct_random_mix(*state += CT_RANDOM_STEP);
}

/** Number i, counted from 0, of the sequence that SplitMix64 makes of a seed. */
static inline uint64_t ct_random_at(uint64_t seed, uint64_t i)
{
    return ct_random_mix(seed + (i + 1) * CT_RANDOM_STEP);
}

/** A number in [0, 1), a multiple of 2^-53, from 64 random bits. */
static inline double ct_random_unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/** 32 bits of 64, for generators that take no more: seeds that differ in one bit differ here. */
static inline uint32_t ct_random_fold(uint64_t seed)
{
    return (uint32_t)(seed ^ seed >> 32);
}

/** Mersenne twister: Matsumoto and Nishimura, ACM TOMACS 8 (1998), seeded as of 2002. */
struct ct_twister {
    uint32_t word[624];
    size_t next; /**< of word; 624: all are used up */
};

/** Seed the generator. @param seed  [in] 0 stands for 4357, as in GSL */
void ct_twister_seed(struct ct_twister *twister, uint32_t seed);

/** A number from 0 to 2^32 - 1. */
uint32_t ct_twister_next(struct ct_twister *twister);

/** A number in [0, 1), a multiple of 2^-32. */
double ct_twister_unit(struct ct_twister *twister);

/** A number from 0 to n - 1, each as likely as the others. @param n  [in] 1 .. 2^32 - 1 */
uint32_t ct_twister_below(struct ct_twister *twister, uint32_t n);

/** A variate of the exponential distribution. @param mean  [in] > 0 */
double ct_twister_exponential(struct ct_twister *twister, double mean);

/** Put values into random order (Fisher and Yates). @param n  [in] < 2^32 - 1 */
void ct_twister_shuffle(struct ct_twister *twister, int *values, size_t n);
