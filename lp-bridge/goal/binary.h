/** LogGOPSim's binary form, in pieces; goal.h has its layout. */
#pragma once

#include "lp-bridge/goal/goal.h"

/** Operations of a rank, as they are in the file. */
struct ct_goal_part {
    const unsigned char *ops;  /**< n_ops */
    const unsigned char *list; /**< n_list numbers of operations that wait for others */
    uint64_t n_ops, n_list;
};

/** A file in memory. */
struct ct_goal_binary {
    const unsigned char *bytes; /**< size; borrowed */
    size_t size;
    const char *name; /**< for messages; borrowed */
    uint32_t n_ranks;
    struct ct_goal_part *parts; /**< [n_ranks] */
    uint64_t behind;            /**< where the last part ends */
};

/**
 * Find the parts of the ranks. What is in them is not looked at.
 * @param binary_p  [out] ct_goal_binary_close(); unchanged on error
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_goal_binary_open(const unsigned char *bytes, size_t size, const char *name,
                                   struct ct_goal_binary *binary_p, struct ct_error *err);
void ct_goal_binary_close(struct ct_goal_binary *binary);

/** An operation, and those that wait for it: from where in the list on, and how many. */
struct ct_goal_record {
    struct ct_goal_op op;    /**< without its tag */
    uint32_t tag;            /**< UINT32_MAX: any */
    uint32_t n_waits;        /**< operations that it waits for */
    uint32_t first[2], n[2]; /**< by enum ct_goal_wait; within the list */
};

/** @param i  within the rank  @return CT_OK; CT_EFORMAT */
enum ct_status ct_goal_binary_record(const struct ct_goal_binary *binary, uint32_t rank, uint64_t i,
                                     struct ct_goal_record *record_p, struct ct_error *err);

/** The operation that waits at a place of the list. */
uint32_t ct_goal_binary_waiting(const struct ct_goal_part *part, uint64_t at);

/** Operations of a rank that become those of a schedule, or of one of its windows. */
struct ct_goal_slice {
    uint64_t first, end;
    bool goes_on, is_continued; /**< as of struct ct_goal; operations after `end` wait for no other
                                     than the last one before it */
};

/**
 * Add them, with their dependencies, to a builder, and begin its rank.
 * @return CT_OK; CT_EFORMAT (damaged, or what waits and what is waited for do not agree); CT_ENOMEM
 */
enum ct_status ct_goal_binary_read(const struct ct_goal_binary *binary, uint32_t rank,
                                   struct ct_goal_slice slice, struct ct_goal_builder *builder,
                                   struct ct_error *err);
