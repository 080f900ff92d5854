#include "core/random.h"

#include <math.h>

enum { WORDS = 624, MIDDLE = 397 };

void ct_twister_seed(struct ct_twister *twister, uint32_t seed)
{
    uint32_t *word = twister->word;
    word[0] = seed ? seed : 4357;
    for (uint32_t i = 1; i < WORDS; i++)
        word[i] = 1812433253U * (word[i - 1] ^ word[i - 1] >> 30) + i;
    twister->next = WORDS;
}

static void twist_state(struct ct_twister *twister)
{
    uint32_t *word = twister->word;
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t joined = (word[i] & 0x80000000U) | (word[(i + 1) % WORDS] & 0x7fffffffU);
        word[i] = word[(i + MIDDLE) % WORDS] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0dfU : 0);
    }
    twister->next = 0;
}

uint32_t ct_twister_next(struct ct_twister *twister)
{
    if (twister->next >= WORDS)
        twist_state(twister);
    uint32_t x = twister->word[twister->next++];
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680U;
    x ^= x << 15 & 0xefc60000U;
    return x ^ x >> 18;
}

double ct_twister_unit(struct ct_twister *twister)
{
    return ct_twister_next(twister) * 0x1p-32;
}

/* Equal shares of the generator's range; what is left over at its end is drawn again. */
uint32_t ct_twister_below(struct ct_twister *twister, uint32_t n)
{
    uint32_t share = UINT32_MAX / n, k;
    do
        k = ct_twister_next(twister) / share;
    while (k >= n);
    return k;
}

double ct_twister_exponential(struct ct_twister *twister, double mean)
{
    return -mean * log1p(-ct_twister_unit(twister));
}

void ct_twister_shuffle(struct ct_twister *twister, int *values, size_t n)
{
    for (size_t i = n; i-- > 1;) {
        size_t j = ct_twister_below(twister, (uint32_t)i + 1);
        int moved = values[i];
        values[i] = values[j];
        values[j] = moved;
    }
}
