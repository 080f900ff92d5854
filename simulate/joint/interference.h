/** Makes a schedule of a configuration of CompressionB, for simulations beside an application. */
#pragma once

#include "lp-bridge/goal/goal.h"
#include "results/config.h"

/**
 * Make a schedule with some rounds of a steady load, one rank a node. In each step of a round a
 * rank posts its receives, starts its M messages to each partner and pauses. The next round begins
 * when all messages of the rank are complete.
 * @param n_nodes   [in]  >= 2
 * @param n_rounds  [in]  >= 1; the end of the last one joins all ranks
 * @param goal_p    [out] ct_goal_free(); unchanged on error
 * @return CT_OK; CT_EUNSUPPORTED (bursts, which are drawn at random; patterns in which ranks only
 *         send; more partners than nodes); CT_ENOMEM
 */
enum ct_status ct_interference_schedule(const struct ct_config *config, uint32_t n_nodes,
                                        size_t n_rounds, struct ct_goal *goal_p,
                                        struct ct_error *err);
