/**
 * Content of messages: words that are computed from global indices, so that the receiver can detect
 * a wrong, stale, shifted or misdirected message by itself.
 *
 * A region is a box of up to four axes in a global index space. Walking the box with the last axis
 * fastest, the word at coordinates (i0, i1, i2, i3) has the key
 *
 *     key = origin + i0 stride[0] + i1 stride[1] + i2 stride[2] + i3 stride[3]
 *
 * and the value ct_region_word(stamp, key), where the stamp identifies the exchange. It never
 * repeats in a run, so data of an earlier exchange are detected.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_REGION_AXES = 4, CT_REGION_WORD_BYTES = sizeof(uint64_t) };

struct ct_region {
    uint64_t origin;
    size_t extent[CT_REGION_AXES]; /**< an axis that is not used has extent 1 */
    uint64_t stride[CT_REGION_AXES];
};

/** A word with a wrong value. */
struct ct_region_mismatch {
    size_t index; /**< position in the message, in words */
    uint64_t found, expected;
};

/** Words in a region: the product of its extents; 0 where one is 0. */
size_t ct_region_words(const struct ct_region *region);

/** Value of a key in one exchange. For one stamp no two keys have the same value. */
uint64_t ct_region_word(uint64_t stamp, uint64_t key);

/** @param words  [out] ct_region_words(region) words */
void ct_region_fill(const struct ct_region *region, uint64_t stamp, uint64_t *words);

/**
 * Compare a message with its expected content.
 * @param words       [in]  ct_region_words(region) words
 * @param max_checks  [in]  >= 1; a message with more words is sampled: its last word, and at most
 *                          max_checks words evenly spaced, from a first position that depends on
 *                          the stamp, so that in time every word is checked
 * @param mismatch_p  [out] a word that differs; unchanged if all agree
 * @return true if all words that were checked agree
 */
bool ct_region_check(const struct ct_region *region, uint64_t stamp, const uint64_t *words,
                     size_t max_checks, struct ct_region_mismatch *mismatch_p);
