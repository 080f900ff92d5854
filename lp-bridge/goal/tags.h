/**
 * Tags above CT_GOAL_TAG_MAX: other programs make them of 32 or 64 bits. Each gets a number that no
 * other tag of the schedule has, so that equal tags stay equal, and others different.
 */
#pragma once

#include "core/map.h"
#include "lp-bridge/goal/goal.h"

/** The tags of a schedule that are too large; {0}: none so far. */
struct ct_goal_tags {
    struct ct_map seen; /**< tag -> number + 1 */
};

/**
 * What stands for a tag until ct_goal_tags_resolve().
 * @param tag_p  [out] the tag itself if it is not too large; else below CT_GOAL_ANY_TAG
 * @return false: out of memory
 */
bool ct_goal_tags_add(struct ct_goal_tags *tags, uint64_t tag, int32_t *tag_p);

/**
 * Give them their numbers: the smallest that no operation has, in the order of ct_goal_tags_add().
 * @param ops  [in,out] n_ops
 * @return false: out of memory, nothing has been changed
 */
bool ct_goal_tags_resolve(const struct ct_goal_tags *tags, struct ct_goal_op *ops, uint64_t n_ops);
void ct_goal_tags_free(struct ct_goal_tags *tags);
