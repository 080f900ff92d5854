/**
 * Simulations of applications of a campaign together on one network, from their schedules, for the
 * models of predict/. Each simulation is made once, when its result is needed.
 */
#pragma once

#include "core/log.h"
#include "predict/measurements.h"
#include "predict/response.h"
#include "results/config.h"
#include "simulate/joint/queues_fit.h"
#include "simulate/joint/simulation_packets.h"
#include "simulate/joint/simulation_store.h"

struct ct_simulation;

/** What simulations are made of. All is borrowed while they are used, but the three arrays. */
struct ct_simulation_setup {
    /** [n_apps], then, if there is a background, [n_apps]: the same programs on the nodes that they
     *  have beside another one. NULL: the application has none that can be simulated. What these
     *  point to is borrowed. */
    struct ct_simulation_program *const *programs;
    size_t n_apps;
    const struct ct_config *const *configs; /**< n_configs; what these point to is borrowed */
    size_t n_configs;
    const struct ct_node_list *background; /**< nodes of configurations, and of what is beside an
                                                application; NULL: all are on the same nodes */
    struct ct_simulation_costs costs;
    struct ct_simulation_net net;
    uint64_t work_max; /**< of a simulation (struct ct_engine_setup); the result of one that takes
                            more is unknown */
    struct ct_port_queues queues;           /**< of the network, if nothing is measured */
    struct ct_queues_known known;           /**< is not fitted */
    const struct ct_measurements *measured; /**< the queues are fitted to its slowdowns under
                                                 configurations, before the first result; NULL:
                                                 queues are those above */
    struct ct_simulation_store *store; /**< where slowdowns are looked up before they are simulated,
                                            and simulated ones are added; NULL: none */
};

/**
 * @param simulation_p  [out] ct_simulation_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_new(const struct ct_simulation_setup *setup,
                                 struct ct_simulation **simulation_p, struct ct_error *err);
void ct_simulation_free(struct ct_simulation *simulation);

/** Queues as they are known, where nothing is fitted: plain ones otherwise. */
struct ct_port_queues ct_simulation_unfitted_queues(const struct ct_queues_known *known);

/** Queues that simulations are made with now. */
struct ct_port_queues ct_simulation_queues_now(const struct ct_simulation *simulation);

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
