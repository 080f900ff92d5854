/**
 * Simulations of applications of a campaign together on one network, from their schedules, for the
 * models of predict/. Each simulation is made once, when its result is needed.
 */
#ifndef CT_STUDY_SIMULATION_H
#define CT_STUDY_SIMULATION_H

#include "core/log.h"
#include "predict/response.h"
#include "simulate/places.h"
#include "study/parameters.h"
#include "study/queues_fit.h"
#include "study/simulation_store.h"
#include "study/study.h"

struct ct_simulation;

/**
 * @param configs     [in]  n_configs, borrowed while the result is used
 * @param model       [in]  parameters of the network, likewise
 * @param work_max    [in]  limit of a simulation (struct ct_engine_setup); the result of one that
 *                          takes more is unknown
 * @param simulation_p  [out] ct_simulation_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_new(size_t n_apps, const struct ct_study_config *configs,
                                 size_t n_configs, const struct ct_parameters *model,
                                 uint64_t work_max, struct ct_simulation **simulation_p,
                                 struct ct_error *err);
void ct_simulation_free(struct ct_simulation *simulation);

/**
 * Set the program of an application.
 * @param goal   [in]  may be freed afterwards
 * @param place  [in]  its nodes are borrowed while the simulation is used
 * @return CT_OK; as ct_engine_program_new()
 */
enum ct_status ct_simulation_set(struct ct_simulation *simulation, size_t app,
                                 const struct ct_goal *goal, const struct ct_simulate_place *place,
                                 struct ct_error *err);

/**
 * Set the program of an application beside another one, on the nodes that it has there. Every
 * application with a program needs one, if the background has nodes of its own.
 * @return as ct_simulation_set()
 */
enum ct_status ct_simulation_set_beside(struct ct_simulation *simulation, size_t app,
                                        const struct ct_goal *goal,
                                        const struct ct_simulate_place *place,
                                        struct ct_error *err);

/**
 * What is beside an application has nodes of its own; without this call all are on the same ones.
 * @param nodes  [in] of configurations; borrowed while the simulation is used
 */
void ct_simulation_set_background(struct ct_simulation *simulation,
                                  const struct ct_node_list *nodes);

/**
 * Set the network that all programs are on; without it one switch.
 * @param topology  [in] borrowed while the simulation is used
 * @param nodes     [in] [n_nodes]: of the topology, those that programs are on; borrowed likewise
 */
void ct_simulation_set_topology(struct ct_simulation *simulation,
                                const struct ct_topology *topology, const uint32_t *nodes,
                                uint32_t n_nodes);

/** Queues as they are known, where nothing is fitted: plain ones otherwise. */
struct ct_links_queues ct_simulation_unfitted_queues(const struct ct_queues_known *known);

/** Set the queues of the network; by default nothing is known of them. */
void ct_simulation_set_queues(struct ct_simulation *simulation,
                              const struct ct_links_queues *queues);

/** Queues that simulations are made with now. */
struct ct_links_queues ct_simulation_queues_now(const struct ct_simulation *simulation);

/**
 * Fit the queues to the slowdowns under configurations, before the first result is computed.
 * @param known     [in]  is not fitted
 * @param measured  [in] its passes are read in this call only; applications and configurations are
 *                       those of ct_simulation_new()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_fit_queues(struct ct_simulation *simulation,
                                        const struct ct_queues_known *known,
                                        const struct ct_measurements *measured,
                                        struct ct_error *err);

/**
 * Look slowdowns up in a store before they are simulated, and add simulated ones to it.
 * @param store  [in] borrowed while the simulation is used; NULL: none
 */
void ct_simulation_keep(struct ct_simulation *simulation, struct ct_simulation_store *store);

/** The fit; NULL: not requested, or not made yet. Borrowed. */
const struct ct_queues_fit *ct_simulation_queues(const struct ct_simulation *simulation);

/**
 * Print the progress of simulations that take seconds.
 * @param log  [in] borrowed; NULL: stop printing, and end an open line
 */
void ct_simulation_show(struct ct_simulation *simulation, struct ct_log *log);

/**
 * The time of a pass of an application alone, on the nodes that it has when it is timed; the queues
 * are fitted first if they are to be.
 * @param alone_s_p  [out] NaN: it has no schedule, or none that can be simulated
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_alone(struct ct_simulation *simulation, size_t app, double *alone_s_p,
                                   struct ct_error *err);

/** The interface for predict/. The result refers to the simulation. */
struct ct_predict_joint_response ct_simulation_response(struct ct_simulation *simulation);

#endif
