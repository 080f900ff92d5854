/** The sheet of a scan in sentences, which the text and the page share. */
#pragma once

#include "study/scan_compare.h"

enum { CT_SCAN_FACTOR_MAX = 64 };
/** "1.52±0.03": half of the interval behind the value; "1.5, no interval". */
void ct_scan_factor_format(const struct ct_scan_factor *factor, char text[CT_SCAN_FACTOR_MAX]);

enum { CT_SCAN_ANSWER_MAX = 64 };
/** "+12 % ± 4": half of the interval behind the value; "-": not known. */
void ct_scan_answer_format(const struct ct_scan_answer *answer, char text[CT_SCAN_ANSWER_MAX]);
/** Of n answers, that beside a load; NULL: there is none. */
const struct ct_scan_answer *ct_scan_answer_find(const struct ct_scan_answer *answers, size_t n,
                                                 const struct ct_scan_setting *setting);
/** Answers of an application are next to each other, one a load. @param from  [in] the first one,
 * < n_answers. @return the index behind them */
size_t ct_scan_answers_end(const struct ct_scan_sheet *sheet, size_t from);
/** What answers are, as a sentence. */
extern const char ct_scan_answers_note[];

/**
 * Score, worst path or why nothing can be seen, GPCNeT's congestion impact, idle network, the rate
 * of a node alone, what has changed.
 * @param comparison  [in]     with another sheet; NULL: none
 * @param words       [in,out] gets a sentence a word
 */
void ct_scan_words(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                   const struct ct_scan_comparison *comparison, struct ct_argv *words);

/** The most of each application, and what that is. @param words  [in,out] as above */
void ct_scan_applications_words(const struct ct_scan_sheet *sheet, struct ct_argv *words);
