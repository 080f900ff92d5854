/** Which canary nodes meet in which step, and which congestor nodes load the network together.
 * Pure. */
#pragma once

#include "results/scan_setting.h"

/** Steps until all pairs of n nodes have met. @param n  [in] >= 1 @return 0 for one node */
int ct_scan_steps(int n);

/**
 * Partner of a node in a step: in each step every node has at most one, and it is its partner's.
 * Circle method of round-robin tournaments: the last of an even number stays, the others turn.
 * @param n     [in] nodes
 * @param step  [in] below ct_scan_steps(n)
 * @return -1: it rests, since n is odd
 */
int ct_scan_partner(int n, int step, int node);

/**
 * Parts of the congestors: nodes that load the network together, and know nothing of the other
 * parts.
 *
 * An incast or a broadcast loads the link of one node, however many nodes take part: of more nodes
 * there are more incasts, of CT_SCAN_PART_NODES to twice as many nodes each, so that their load on
 * a switch, and with it the score, does not move with the number of nodes. GPCNeT's four congestors
 * have a quarter of the nodes each, drawn at random. Other congestors are one part.
 */
enum { CT_SCAN_PART_NODES = 12 };

/** @param n_nodes  [in] of congestors, >= 2 */
int ct_scan_part_count(enum ct_scan_congestor congestor, int n_nodes);

/**
 * The part of each node, and its place in that part.
 * @param seed     [in]  of what is drawn; the same on all ranks
 * @param roots    [in]  [n_roots] nodes at which an incast gathers, or a broadcast begins, the
 * first of the first part and so on; of parts beyond them, nodes as far from each other in the
 * order of the nodes as can be, from a random one on
 * @param part_of  [out] [n_nodes] from 0
 * @param place_of [out] [n_nodes] from 0, which is the part's first node
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_part_divide(enum ct_scan_congestor congestor, int n_nodes, uint64_t seed,
                                   const int *roots, int n_roots, int *part_of, int *place_of,
                                   struct ct_error *err);
