/** Answers of crosstalk advise for a campaign with several placements. */
#ifndef CT_CLI_ADVISE_PLACEMENTS_H
#define CT_CLI_ADVISE_PLACEMENTS_H

#include "core/table.h"
#include "study/pair_advice.h"

/** What is known of all placements so far. */
struct ct_placement_answers;

/** @param acceptable_frac  [in] largest slowdown that is fine. @return NULL: out of memory */
struct ct_placement_answers *ct_placement_answers_new(double acceptable_frac);
void ct_placement_answers_free(struct ct_placement_answers *answers);

/**
 * Add the pairs of a placement: rows of "co_runs", and what is said of them at the end.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_placement_answers_add(struct ct_placement_answers *answers, const char *placement,
                                        const struct ct_study *study,
                                        const struct ct_pair_advice *pairs, size_t n,
                                        struct ct_tables *tables);

/**
 * Add "answers": a row for each pair, with the placements under which it is fine, those under which
 * it is not, and those for which the model has no prediction.
 */
void ct_placement_answers_fill(const struct ct_placement_answers *answers,
                               struct ct_tables *tables);

#endif
