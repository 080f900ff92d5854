/** What answers about pairs of nodes are computed on, from --pairs. */
#pragma once

#include "cli/tolerance.h"

/** What is computed on. */
struct ct_pair_subject {
    struct ct_pair_parameters parameters;
    struct ct_graph graph;
    struct ct_pair_evaluator *evaluator;
};

/**
 * Read the run and the schedule.
 * @param subject_p  [out] zeros before; ct_pair_close() is due even on error
 * @return CT_OK; CT_EUSAGE (options that contradict --pairs); what ct_pair_parameters_read(),
 *         ct_graph_load() and ct_pair_evaluator_new() return
 */
enum ct_status ct_pair_open(const struct ct_tolerance_question *question,
                            struct ct_pair_subject *subject_p, struct ct_error *err);
void ct_pair_close(struct ct_pair_subject *subject);

/** Add a note on the source of the intervals, or why there are none. n_replicates: used for them.
 */
void ct_pair_intervals_fill(const struct ct_tolerance_question *question,
                            const struct ct_pair_subject *subject,
                            const struct ct_pair_draws *draws, size_t n_replicates,
                            struct ct_tables *tables);

/** Add provenance: nodes and measured links. */
void ct_pair_provenance(const struct ct_pair_subject *subject, struct ct_tables *tables);
