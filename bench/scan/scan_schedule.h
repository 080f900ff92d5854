/** Which nodes exchange messages with which, step by step, so that all pairs do. Pure. */
#pragma once

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
