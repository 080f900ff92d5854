/**
 * What a scan says of applications: how much longer each takes beside each congestor than alone.
 * Predicted, not measured: both times are T(L, G) of its schedule (study/pair_runtime.h).
 *
 * L and G of a path class alone are the canaries' baselines; beside a congestor they have its
 * factors at the mean:
 *
 *     L = l,               L' = l f_l,
 *     G = (w - l) / b,     G' = (w f_w - l f_l) / b,
 *
 * with l the time of the latency canary, w that of the bandwidth canary's window of b bytes, f_l
 * and f_w their factors. A class without canaries has those of all pairs. l has the overheads of
 * both ranks, so o is 0 in T; messages above S_default rendezvous. Messages inside a node are as on
 * the nearest path, alone.
 *
 * The application is in the place of the canaries: its nodes are spread evenly over those of the
 * scan, in the scan's order. The interval has T at the lower ends of the factors' intervals of all
 * classes, and at the upper ones: it holds what the factors leave open, not errors of the model.
 */
#pragma once

#include "lp-bridge/goal/goal.h"
#include "study/scan_factors.h"

/** An application; borrowed. */
struct ct_scan_program {
    const char *name;
    const struct ct_goal *goal; /**< n_ranks 0: none, and why not */
    const char *why;
    uint32_t ranks_per_node; /**< >= 1 */
};

/**
 * @param sheet  [in,out] of the scan; gets answers
 * @return CT_OK, also where a program has no answer: its `why` has the reason; CT_ENODATA (no
 *         latency or no bandwidth canary); CT_EUSAGE (more ranks than the scan's nodes have room
 *         for); CT_EUNSUPPORTED (more than CT_PAIRS_PLACES_MAX nodes); CT_ENOMEM
 */
enum ct_status ct_scan_answers_make(const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                    const struct ct_scan_program *programs, size_t n,
                                    struct ct_error *err);
