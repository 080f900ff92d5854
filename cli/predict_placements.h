/** The answer of crosstalk predict where a campaign has several placements: pairs, under each. */
#pragma once

#include "cli/predict_answer.h"

struct ct_predict_placements;
/** @param n  [in] placements  @return NULL: out of memory */
struct ct_predict_placements *ct_predict_placements_new(size_t n);
void ct_predict_placements_free(struct ct_predict_placements *all);

/**
 * Add the pairs of a placement: rows of "co_runs", and what ct_predict_placements_fill() says.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_placements_add(struct ct_predict_placements *all,
                                         const struct ct_predict_answers *answers,
                                         const char *placement, struct ct_tables *tables);

/** Add "answers": a row for each pair, with the placements under each verdict; and the end in
 * words. */
void ct_predict_placements_fill(const struct ct_predict_placements *all, double limit_frac,
                                struct ct_tables *tables);
