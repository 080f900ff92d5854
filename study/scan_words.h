/** The sheet of a scan in sentences, which the text and the page share. */
#pragma once

#include "study/scan_compare.h"

enum { CT_SCAN_FACTOR_MAX = 64 };
/** "1.52±0.03": half of the interval behind the value; "1.5, no interval". */
void ct_scan_factor_format(const struct ct_scan_factor *factor, char text[CT_SCAN_FACTOR_MAX]);

/**
 * Score, worst path or why nothing can be seen, GPCNeT's congestion impact, idle network, what has
 * changed.
 * @param comparison  [in]     with another sheet; NULL: none
 * @param words       [in,out] gets a sentence a word
 */
void ct_scan_words(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                   const struct ct_scan_comparison *comparison, struct ct_argv *words);
