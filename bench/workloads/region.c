#include "bench/workloads/region.h"

size_t ct_region_words(const struct ct_region *region)
{
    size_t words = 1;
    for (int axis = 0; axis < CT_REGION_AXES; axis++)
        words *= region->extent[axis];
    return words;
}

/* Odd factors are invertible modulo 2^64: distinct keys stay distinct. They are large so that keys
 * and stamps, which are small, do not make up for each other. */
uint64_t ct_region_word(uint64_t stamp, uint64_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) + stamp * UINT64_C(0xd1342543de82ef95) + 1;
}

void ct_region_fill(const struct ct_region *region, uint64_t stamp, uint64_t *words)
{
    const size_t *extent = region->extent;
    const uint64_t *stride = region->stride;
    for (size_t i = 0; i < extent[0]; i++)
        for (size_t j = 0; j < extent[1]; j++)
            for (size_t k = 0; k < extent[2]; k++) {
                uint64_t key = region->origin + i * stride[0] + j * stride[1] + k * stride[2];
                for (size_t l = 0; l < extent[3]; l++)
                    *words++ = ct_region_word(stamp, key + l * stride[3]);
            }
}

static uint64_t key_at(const struct ct_region *region, size_t index)
{
    uint64_t key = region->origin;
    for (int axis = CT_REGION_AXES - 1; axis >= 0; axis--) {
        key += index % region->extent[axis] * region->stride[axis];
        index /= region->extent[axis];
    }
    return key;
}

static bool check_word(const struct ct_region *region, uint64_t stamp, const uint64_t *words,
                       size_t index, struct ct_region_mismatch *mismatch_p)
{
    uint64_t expected = ct_region_word(stamp, key_at(region, index));
    if (words[index] == expected)
        return true;
    *mismatch_p =
        (struct ct_region_mismatch){.index = index, .found = words[index], .expected = expected};
    return false;
}

bool ct_region_check(const struct ct_region *region, uint64_t stamp, const uint64_t *words,
                     size_t max_checks, struct ct_region_mismatch *mismatch_p)
{
    size_t n = ct_region_words(region);
    if (n == 0)
        return true;
    /* The last word tells a message that came too short. */
    if (!check_word(region, stamp, words, n - 1, mismatch_p))
        return false;
    size_t step = (n - 1) / max_checks + 1;
    /* Not stamp % step: an exchange may meet even stamps only. */
    size_t first = (size_t)(ct_region_word(stamp, 0) >> 32) % step;
    for (size_t index = first; index < n; index += step)
        if (!check_word(region, stamp, words, index, mismatch_p))
            return false;
    return true;
}
