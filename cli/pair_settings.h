/** Options of pairs of nodes that differ in o, L and G: --pairs, and what is given beside it. */
#pragma once

#include "cli/graph_input.h"
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

/**
 * What the run leaves open.
 * @param draws_p  [out] ct_pair_draws_free(); unchanged on error
 * @return as ct_pair_draws_read()
 */
enum ct_status ct_pair_settings_draw(const struct ct_machine_settings *machine,
                                     const struct ct_pair_parameters *parameters,
                                     struct ct_pair_draws *draws_p, struct ct_error *err);

/**
 * Table "classes": what the classes of paths of a run cost, and what they have on the critical
 * path.
 * @param lambdas    [in] [parameters->pairs.n_classes]
 * @param runtime_s  [in] T
 */
void ct_pair_classes_fill(const struct ct_pair_parameters *parameters,
                          const struct ct_pair_lambda *lambdas, double runtime_s,
                          struct ct_tables *tables);
