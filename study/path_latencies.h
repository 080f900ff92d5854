/** L and G by the number of switches on a path, from runs of logpb and of the probe. */
#pragma once

#include "model/loggp/resample.h"
#include "results/run.h"
#include "topology/route.h"

/** Switches between the ranks of a row, by the paths of its run; 0: one node, or not known. */
uint32_t ct_logp_row_switches(const struct ct_run *run, const struct ct_logp_row *row);

/**
 * L and G of each number of switches, medians over the links of a run of logpb that were measured,
 * less those of the first link with the fewest switches. Where a number of switches has no G, all
 * have one.
 * @param paths_p  [out] n = 0: fewer than two numbers of switches have an L
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_latencies_take(const struct ct_run *run, struct ct_path_latencies *paths_p,
                                      struct ct_error *err);

/** Links that are drawn at most: 200 replicates of each take about 50 ms. */
enum { CT_PATH_DRAWS_LINKS_MAX = 100 };

/**
 * The same in each replicate of the run's repetitions, links drawn independently of each other.
 * @param first    [in]  replicates of the first link with the fewest switches
 * @param paths_p  [out] [first->n], to be freed; NULL: fewer than two numbers of switches, no
 *                       repetitions, or more than CT_PATH_DRAWS_LINKS_MAX links, whose medians
 *                       vary less than the first link does
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_latencies_draw(const struct ct_run *run,
                                      const struct ct_loggps_replicates *first,
                                      struct ct_path_latencies **paths_p, struct ct_error *err);

/**
 * L of each number of switches by probes of the idle network, beyond that of the path that logpb
 * measured: the difference of the medians, in a run as in a median over the runs. A difference
 * counts if in each run the middle halves of the latencies of both do not overlap: what less than
 * that is may be noise of processors, and L is then that of the next smaller number.
 * @param list   [in]  runs of the idle network among others
 * @param hosts  [in]  of the run of logpb, the first two of which it measured; where no probe
 *                     passes between them, they are taken to be neighbours
 * @param paths_p  [out] n = 0: fewer than two numbers of switches, or no difference counts
 * @return CT_OK; CT_ENOMEM; what ct_run_read() returns
 */
enum ct_status ct_path_latencies_of_probes(const struct ct_run_list *list, const char *hosts,
                                           struct ct_path_latencies *paths_p, struct ct_error *err);
