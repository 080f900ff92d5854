/**
 * Which hosts the programs of a run get: the placement of jobs. Pure.
 *
 * There are two sides with equal numbers of hosts. The program that measures (an application that
 * is timed, the probe) has the first side in all runs of a placement, and programs in the
 * background have the second one, so that the runs of a placement compare.
 */
#pragma once

#include "lab/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Names as in campaign files and runs: "shared", "disjoint", "interleaved", "fragments". */
enum ct_sides_kind {
    CT_SIDES_SHARED,      /**< both programs on the same hosts: on all, or on the first half */
    CT_SIDES_DISJOINT,    /**< first and second half of the switches that have hosts */
    CT_SIDES_INTERLEAVED, /**< a few hosts of every such switch each, in turn */
    CT_SIDES_FRAGMENTS,   /**< blocks of consecutive hosts at random */
    CT_SIDES_N_KINDS
};
extern const char *const ct_sides_names[]; /**< [enum ct_sides_kind], then NULL */

/** The hosts of a placement, by their numbers from 0. */
struct ct_sides {
    enum ct_sides_kind kind;
    size_t n;           /**< hosts of a side */
    uint32_t *hosts[2]; /**< [n] each, ascending; owned. Shared: the same hosts twice */
};

/** A network, as far as placements depend on it. */
struct ct_sides_network {
    size_t n_hosts;
    const uint16_t *switch_of; /**< [n_hosts]; NULL: not known, or all on one switch */
    size_t uplinks;            /**< of a switch with hosts, to other switches; 0: not known */
};

/**
 * Divide the hosts.
 *
 * disjoint: switches in the order of their first hosts; the first half of them is the first side.
 * With one switch, the first half of the hosts.
 *
 * interleaved: each switch has hosts of both sides, in turn b of the first and b of the second. b
 * is the number of uplinks if hosts allow it: with routes by destination (D-mod-k), consecutive
 * hosts are reached over different uplinks, so that b fewer than these would give each side uplinks
 * of its own. Else b is 2, or 1 if the number of a switch's hosts is not divisible by 4. If b does
 * not cover the uplinks, the sides change places from switch to switch. With one switch, in turn 2
 * or 1 of all hosts.
 *
 * fragments: blocks of `fragment` consecutive hosts, of which a random half is the first side.
 *
 * @param halves    [in]  shared only: the first half of the hosts, else all
 * @param fragment  [in]  fragments only: hosts of a block, >= 1
 * @param seed      [in]  fragments only: equal seeds give equal hosts
 * @param sides_p   [out] ct_sides_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (the hosts cannot be divided so; the message says why, without naming
 *         the placement); CT_ENOMEM
 */
enum ct_status ct_sides_make(enum ct_sides_kind kind, const struct ct_sides_network *network,
                             bool halves, size_t fragment, uint64_t seed, struct ct_sides *sides_p,
                             struct ct_error *err);
void ct_sides_free(struct ct_sides *sides);

/** Numbers of the hosts of a side, from 1, as "1-4,9,11-12". @return free(); NULL: out of memory */
char *ct_sides_format(const struct ct_sides *sides, size_t side);

/** Number of uplinks of the switch of the first host in a lab. */
size_t ct_sides_uplinks(const struct ct_lab_plan *plan);

/**
 * Count the directions of links between switches of a lab that messages of both sides may take:
 * those on the route of a pair of hosts of one side, and of one of the other. 0: programs on the
 * two sides do not meet.
 */
size_t ct_sides_meeting(const struct ct_sides *sides, const struct ct_lab_plan *plan);
