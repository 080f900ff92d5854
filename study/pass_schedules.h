/**
 * The schedules of a pass, from the traces of a program in the folder of a campaign, and what their
 * messages cost: the L, o and G of a run of logpb or of a posterior or, if that run measured
 * classes of paths, those of the class of each pair of nodes (study/pair_parameters.h). Rank r is
 * on the r-th host of that run then.
 *
 * T is a function of one free parameter: of L or, by class, of a latency that is added to that of
 * every pair.
 */
#pragma once

#include "lp-bridge/envelope/pass_model.h"
#include "study/pair_draws.h"
#include "study/pass_traces.h"
#include "trace/input/schedule_file.h"

/** Where all comes from; borrowed. */
struct ct_pass_source {
    const char *folder; /**< traces are in FOLDER/traces/APP and, with k more passes, in
                             FOLDER/traces/APP and ct_passes_ending() */
    const char *app;
    struct ct_convert_options convert; /**< traces to schedules */
    bool serialize, serialize_nic;     /**< of the graph (lp-bridge/graph/graph.h) */
    const char *logp_path;             /**< run of logpb */
    const char *posterior_path;        /**< of crosstalk calibrate; NULL: none. One L for all pairs,
                                            whatever the run of logpb has */
};

enum { CT_PASS_SCHEDULES_MAX = 2 };

struct ct_pass_schedules {
    struct ct_parameters parameters; /**< with replicates; by class only S counts */
    bool by_class;                   /**< the next two are in use */
    struct ct_pair_parameters pairs; /**< by class of paths */
    struct ct_pair_draws pair_draws; /**< their replicates */
    size_t n;                        /**< 1, or 2: the longer one is there */
    uint64_t longer_by;              /**< how many passes it is longer */
    struct ct_graph graphs[CT_PASS_SCHEDULES_MAX];
    struct ct_evaluator *evaluators[CT_PASS_SCHEDULES_MAX];           /**< by class NULL */
    struct ct_pair_evaluator *pair_evaluators[CT_PASS_SCHEDULES_MAX]; /**< else NULL */
    double own_s; /**< the free parameter of the network as it was measured: L; by class 0 */
};

/**
 * @param schedules_p  [out]    ct_pass_schedules_free() is due even on error
 * @param notes        [in,out] gets the parts of the traces that schedules leave out
 * @return CT_OK; CT_ENODATA (no traces); what ct_parameters_make(), ct_pair_parameters_of_run(),
 *         ct_schedule_read(), ct_graph_take() and ct_pair_evaluator_new() return
 */
enum ct_status ct_pass_schedules_read(const struct ct_pass_source *source,
                                      struct ct_pass_schedules *schedules_p, struct ct_argv *notes,
                                      struct ct_error *err);
void ct_pass_schedules_free(struct ct_pass_schedules *schedules);

/** Run time of a pass; evaluators are borrowed. */
struct ct_pass_model ct_pass_schedules_model(const struct ct_pass_schedules *schedules,
                                             unsigned threads);

/** Level of the intervals that replicates give. */
double ct_pass_schedules_level(const struct ct_pass_schedules *schedules);

/**
 * What each class has on the critical path of a pass: the longer schedule less the other one.
 * @param lambdas_p  [out] [pairs.pairs.n_classes]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pass_schedules_classes(const struct ct_pass_schedules *schedules,
                                         struct ct_pair_lambda *lambdas_p, struct ct_error *err);
