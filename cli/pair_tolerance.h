/** Schedules whose o, L and G differ from pair to pair of nodes; T, sensitivities, tolerances. */
#pragma once

#include "cli/graph_input.h"
#include "cli/thresholds.h"
#include "cli/wire_options.h"
#include "study/pair_draws.h"

/**
 * Parameters of the pairs of nodes in a run of logpb, with what options give beside it.
 * @param machine       [in]  with a path of pairs
 * @param parameters_p  [out] ct_pair_parameters_free(); unchanged on error
 * @param model_p       [out] only S_bytes is set; unchanged on error
 * @return CT_OK; CT_EUSAGE (options that contradict --pairs); what ct_pair_parameters_read()
 *         returns
 */
enum ct_status ct_pair_settings_read(const struct ct_machine_settings *machine,
                                     struct ct_pair_parameters *parameters_p,
                                     struct ct_parameters *model_p, struct ct_error *err);

/** Where all comes from; borrowed. */
struct ct_pair_source {
    const struct ct_command *command;
    struct ct_input schedule;
    const struct ct_machine_settings *machine;
    const struct ct_graph_settings *graph;
};

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
enum ct_status ct_pair_open(const struct ct_pair_source *source, struct ct_pair_subject *subject_p,
                            struct ct_error *err);
void ct_pair_close(struct ct_pair_subject *subject);

/**
 * What the run leaves open.
 * @param draws_p  [out] ct_pair_draws_free(); unchanged on error
 * @return as ct_pair_draws_read()
 */
enum ct_status ct_pair_draw(const struct ct_pair_source *source,
                            const struct ct_pair_subject *subject, struct ct_pair_draws *draws_p,
                            struct ct_error *err);

/** Add a note on the source of the intervals, or why there are none. n_replicates: used for them.
 */
void ct_pair_intervals_fill(const struct ct_pair_source *source,
                            const struct ct_pair_subject *subject,
                            const struct ct_pair_draws *draws, size_t n_replicates,
                            struct ct_tables *tables);

/** Add provenance: nodes and measured links. */
void ct_pair_provenance(const struct ct_pair_subject *subject, struct ct_tables *tables);

/**
 * Table "classes": what the classes of paths of a run cost, and what they have on the critical
 * path.
 * @param lambdas    [in] [parameters->pairs.n_classes]
 * @param runtime_s  [in] T
 */
void ct_pair_classes_fill(const struct ct_pair_parameters *parameters,
                          const struct ct_pair_lambda *lambdas, double runtime_s,
                          struct ct_tables *tables);

/** What is asked about; all borrowed. */
struct ct_pair_question {
    struct ct_pair_source source;
    const void *values; /**< of the command's options, for provenance */
    const struct ct_thresholds *thresholds;
    const struct ct_answer_settings *answer;
};

/** Compute and print. @return as ct_pair_open() */
enum ct_status ct_pair_answer(const struct ct_pair_question *question, struct ct_error *err);
