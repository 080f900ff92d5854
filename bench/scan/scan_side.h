/** The two sides of a scan: nodes that measure (canaries), and nodes that load the network. */
#pragma once

#include "bench/common/bench.h"

struct ct_scan_side {
    struct ct_bench *bench; /**< borrowed */
    bool is_canary;         /**< this rank is on a canary node */
    bool *canary_node;      /**< [nodes of the bench] */
    int n_canary_nodes;
    MPI_Comm comm;           /**< the ranks of this rank's side */
    int rank;                /**< in comm */
    struct ct_layout layout; /**< of comm; its nodes are in the order of the bench's */
    int *node_of;            /**< [nodes of layout] their numbers in the bench */
    int node, slot;          /**< of this rank, in layout */
    int *roots; /**< [n_roots] nodes of the congestors' layout at which incasts gather */
    int n_roots;
    int canary_root, congestor_root; /**< rank 0 of either side, by its rank in the bench; -1: there
                                          is no such side */
};

/**
 * Divide the ranks. Collective.
 * @param names   [in]  hosts of the canaries, separated by commas; "": all of them
 * @param roots   [in]  congestor hosts likewise; "": none
 * @param side_p  [out] ct_scan_side_free(); unchanged on error
 * @return the same on all ranks: CT_OK; CT_EINVAL (one node only; nodes with different numbers of
 *         ranks; a name that is no host; a root that is a canary; fewer than two nodes on a side);
 * CT_ENOMEM
 */
enum ct_status ct_scan_side_new(struct ct_bench *bench, const char *names, const char *roots,
                                struct ct_scan_side *side_p, struct ct_error *err);
void ct_scan_side_free(struct ct_scan_side *side);
