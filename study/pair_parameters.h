/** o, L and G of every pair of nodes, from a run of logpb that measured several pairs. */
#pragma once

#include "lp-bridge/envelope/pairs.h"
#include "study/logp_links.h"
#include "study/parameters.h"

/** What is given beside the run, and where ranks are. */
struct ct_pair_given {
    const char *path;                   /**< of the run */
    double o_s, G_s_per_byte;           /**< of all pairs; NaN: as measured */
    double L_node_s, G_node_s_per_byte; /**< between ranks of one node; NaN: not given */
    uint32_t ranks_per_node;            /**< >= 1 */
};

/** What a class of pairs is. */
struct ct_pair_class {
    uint32_t path_class; /**< of a run of classes: as in struct ct_path_row; else 0 */
    uint32_t n_links;    /**< measured links that its parameters are medians of; 0: given */
};

struct ct_pair_parameters {
    struct ct_pairs pairs;
    struct ct_pair_class *classes; /**< pairs.n_classes */
    bool has_paths; /**< the run measured classes of paths; else every link is a class */
    struct ct_logp_links links;
    uint32_t *class_of_link; /**< links.n; UINT32_MAX: it counts for none */
    uint64_t S_bytes;        /**< that of the first link */
    char *hosts; /**< of the run, separated by blanks, in the order of nodes; those without
                      measurements too */
};

/**
 * Of a run that was read; its path is not looked at.
 *
 * Of a run that measured pairs, node i is that of the i-th rank, in ascending order, that the run
 * has a measurement of. Where one direction was measured only, it counts for both. Inside a node,
 * where that is given, and of messages of a rank to itself o is the median of all classes.
 *
 * Of a run that measured classes of paths, node i is that of the i-th rank that its paths have
 * between nodes (of a run on one node, the i-th rank), and each class has the medians of its links.
 * @param run           [in]  may be freed after the call
 * @param parameters_p  [out] ct_pair_parameters_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a run of another kind; more than CT_PAIRS_PLACES_MAX nodes; a value
 *         beyond CT_MODEL_MAX_S; a path whose ranks are not in order); CT_ENODATA (no round trips;
 *         a class whose L, o or G the run does not tell: a link of it is named); CT_ENOMEM
 */
enum ct_status ct_pair_parameters_of_run(const struct ct_run *run,
                                         const struct ct_pair_given *given,
                                         struct ct_pair_parameters *parameters_p,
                                         struct ct_error *err);

/** The same of a file. @return as above; what ct_run_read() returns */
enum ct_status ct_pair_parameters_read(const struct ct_pair_given *given,
                                       struct ct_pair_parameters *parameters_p,
                                       struct ct_error *err);
void ct_pair_parameters_free(struct ct_pair_parameters *parameters);
