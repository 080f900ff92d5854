/** Which ranks measure which, and when. Pure: works on a layout. */
#pragma once

#include "bench/common/layout.h"

#include <stdbool.h>

enum ct_logp_pairs {
    CT_LOGP_PAIRS_FIRST,    /**< one pair: the first ranks of the first two nodes */
    CT_LOGP_PAIRS_ADJACENT, /**< nodes 0 and 1, 2 and 3, ...; the last of an odd number has no
                               partner */
    CT_LOGP_PAIRS_ALL,      /**< every two nodes, in rounds of a tournament */
    CT_LOGP_PAIRS_CLASSES   /**< some pairs of each class of paths */
};
extern const char *const ct_logp_pairs_names[]; /**< NULL-terminated */

/** One direction that is measured. Meetings of the same round run at the same time. */
struct ct_logp_meeting {
    int round;
    int rank_from, rank_to;
};

struct ct_logp_plan {
    struct ct_logp_meeting *meetings; /**< n, ordered by round */
    size_t n;
    int n_rounds;
};

/**
 * Make a plan. Pairs are the first ranks of the nodes or, if there is only one node, its ranks.
 * @param swap        [in] each pair measures in the other direction too, in a round of its own
 * @param sequential  [in] one meeting a round
 * @return CT_OK; CT_EINVAL (one rank); CT_ENOMEM. Free with ct_logp_plan_free().
 */
enum ct_status ct_logp_plan_make(const struct ct_layout *layout, enum ct_logp_pairs pairs,
                                 bool swap, bool sequential, struct ct_logp_plan *plan_p,
                                 struct ct_error *err);

/**
 * Some pairs of each class of paths: as many as asked for, or as there are. Those of a class share
 * no rank as long as that is possible. A meeting is in the first round in which both ranks are
 * free; other directions come after all first ones.
 * @param paths      [in] n_paths, ct_logp_paths_make()
 * @param per_class  [in] pairs of each class, >= 1
 * @return CT_OK; CT_EINVAL (no path); CT_ENOMEM. Free with ct_logp_plan_free().
 */
enum ct_status ct_logp_plan_make_classes(const struct ct_path_row *paths, size_t n_paths,
                                         uint64_t per_class, bool swap, bool sequential,
                                         struct ct_logp_plan *plan_p, struct ct_error *err);
void ct_logp_plan_free(struct ct_logp_plan *plan);
