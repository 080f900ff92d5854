/** Schedules of a campaign's applications, as models of execution for predictions. */
#pragma once

#include "lp-bridge/envelope/evaluator.h"
#include "simulate/joint/simulation.h"
#include "study/parameters.h"
#include "study/program_network.h"
#include "trace/input/input.h"

/** Where schedules and parameters come from; borrowed. */
struct ct_schedule_source {
    const char
        *folder; /**< NULL: schedules and traces in the campaign's folder, if there are any */
    struct ct_parameters_given given; /**< LogGPS parameters; missing ones are taken from the
                                         campaign's logp run on the idle network */
    struct ct_queues_known queues;    /**< what is not given is of the posterior, else as the runs
                                         record it, else it is fitted */
    bool use_cache;                   /**< read and write the store of simulated slowdowns */
    bool steps_only; /**< of traces, their steps (ct_schedule_find_steps()), not the whole */
};

/** Schedule of one application. */
struct ct_schedule {
    struct ct_input input; /**< of path */
    char *path;            /**< NULL: none was found */
    char *why;             /**< why it cannot be used; NULL: it can */
    uint32_t n_ranks;
    uint64_t n_operations;
    uint32_t ranks_per_node;
    double runtime_s; /**< T by the model, on the idle network */
    double L_s;
    struct ct_evaluator *evaluator; /**< T over the latency between nodes; NULL: none */
};

struct ct_schedules {
    struct ct_schedule *items;             /**< [app] */
    struct ct_predict_response *responses; /**< [app]; refer to items */
    size_t n_apps, n_available;
    struct ct_argv notes;               /**< messages: parts of traces that schedules leave out */
    struct ct_parameters *model;        /**< NULL: none */
    struct ct_program_network *network; /**< of the runs; NULL: without a simulation */
    struct ct_queues_known queues;      /**< that are given, or that runs record */
    bool steps_only;
    bool in_simgrid;                         /**< the runs were made there */
    double back_frac;                        /**< there: of what is sent, what takes the way back */
    struct ct_simulation_program **programs; /**< [app], then [app]: beside another one, if there is
                                                  a background; NULL: none */
    struct ct_simulation_store *store;       /**< of simulated slowdowns; NULL: none */
    struct ct_simulation *simulation; /**< of all applications with a usable schedule; NULL: none */
};

/**
 * Read schedules, FOLDER/APP.goal or FOLDER/APP.bin, or else FOLDER/../traces/APP, and for the
 * parameters: the given ones, else those of the first logp run of the idle network. If something is
 * missing or cannot be used, the application has no response, and `why` has the reason.
 * @param study        [in]  borrowed until ct_schedules_free()
 * @param directory    [in]  the campaign's folder or file
 * @param placement    [in]  of the logp run; NULL: any
 * @param runs         [in]  of the placement; without entries: they are read where they are needed
 * @param schedules_p  [out] ct_schedules_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (source->folder does not exist); CT_EUSAGE (a parameter is missing, or
 *         is given of queues and in the posterior); CT_ENOMEM
 */
enum ct_status ct_schedules_load(const struct ct_study *study, const char *directory,
                                 const char *placement, const struct ct_run_list *runs,
                                 const struct ct_schedule_source *source,
                                 struct ct_schedules *schedules_p, struct ct_error *err);

/**
 * Add the schedules to an input, if there are any.
 * @param input  [in,out] refers to schedules from now on
 */
void ct_schedules_join(const struct ct_schedules *schedules, struct ct_predict_input *input);

/**
 * Simulations of the programs of the schedules, if there is a model.
 * @param model         [in]  borrowed while they are used, as schedules and study are
 * @param queues        [in]  of the network; NULL: they are fitted to what was measured
 * @param simulation_p  [out] ct_simulation_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_schedules_simulate(const struct ct_schedules *schedules,
                                     const struct ct_study *study,
                                     const struct ct_parameters *model,
                                     const struct ct_port_queues *queues,
                                     struct ct_simulation **simulation_p, struct ct_error *err);

/** Show the progress of simulations: as ct_simulation_show(). */
void ct_schedules_show(const struct ct_schedules *schedules, struct ct_log *log);
void ct_schedules_free(struct ct_schedules *schedules);
