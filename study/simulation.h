/**
 * Applications of a campaign that are simulated together on one switch, from their schedules: what
 * simulate/ answers, for predict/. A simulation is made when its answer is asked for, once.
 */
#ifndef CT_STUDY_SIMULATION_H
#define CT_STUDY_SIMULATION_H

#include "core/log.h"
#include "predict/response.h"
#include "simulate/simulate.h"
#include "study/parameters.h"
#include "study/queues_fit.h"
#include "study/simulation_store.h"
#include "study/study.h"

struct ct_simulation;

/**
 * @param configs     [in]  n_configs, borrowed while the result is used
 * @param model       [in]  parameters of the network, likewise
 * @param work_max    [in]  of a simulation (struct ct_simulate_setup); what takes more is not known
 * @param simulation_p  [out] ct_simulation_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_new(size_t n_apps, const struct ct_study_config *configs,
                                 size_t n_configs, const struct ct_parameters *model,
                                 uint64_t work_max, struct ct_simulation **simulation_p,
                                 struct ct_error *err);
void ct_simulation_free(struct ct_simulation *simulation);

/** @param program  [in] owned from now on */
void ct_simulation_set(struct ct_simulation *simulation, size_t app,
                       struct ct_simulate_program *program);

/** Queues of the network; without this call they are plain (ct_simulate_plain_queues()). */
void ct_simulation_set_queues(struct ct_simulation *simulation,
                              const struct ct_links_queues *queues);

/**
 * Fit the queues to what was measured beside configurations, before the first answer.
 * @param measured  [in] whose passes are read in this call; applications and configurations are
 *                       those of ct_simulation_new()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_simulation_fit_queues(struct ct_simulation *simulation,
                                        const struct ct_measurements *measured,
                                        struct ct_error *err);

/**
 * Look answers up in a store, and add what is simulated to it.
 * @param store  [in] owned from now on; NULL: none
 */
void ct_simulation_keep(struct ct_simulation *simulation, struct ct_simulation_store *store);

/** The fit; NULL: none was asked for, or no answer was. Borrowed. */
const struct ct_queues_fit *ct_simulation_queues(const struct ct_simulation *simulation);

/**
 * Say on a log how far simulations are, once they take seconds.
 * @param log  [in] borrowed; NULL: end that, and an open line
 */
void ct_simulation_show(struct ct_simulation *simulation, struct ct_log *log);

/** The program of a schedule. @return CT_OK; what the graph and the program return */
enum ct_status ct_simulation_program(const struct ct_goal *goal, const struct ct_parameters *model,
                                     uint32_t ranks_per_node,
                                     struct ct_simulate_program **program_p, struct ct_error *err);

/**
 * All applications at once.
 * @param alone_s        [out] [app]: time of a pass alone
 * @param slowdown_frac  [out] [app]; 0 where there is one application only
 * @return CT_OK; CT_EINVAL (too many; a program that takes no time, a gap of 0); CT_EUNSUPPORTED
 * (too many messages); CT_ENOMEM
 */
enum ct_status ct_simulation_all(struct ct_simulation *simulation, double *alone_s,
                                 double *slowdown_frac, struct ct_error *err);

/** How predict/ asks. The result refers to the simulation. */
struct ct_predict_joint_response ct_simulation_response(struct ct_simulation *simulation);

#endif
