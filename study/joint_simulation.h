/**
 * Simulations of all applications of a campaign together, on the network of its runs; and the same
 * with other parameters of the network.
 */
#ifndef CT_STUDY_JOINT_SIMULATION_H
#define CT_STUDY_JOINT_SIMULATION_H

#include "study/program_network.h"
#include "study/simulation.h"

/** What simulations are made of. Borrowed while they are used. */
struct ct_joint_setup {
    const struct ct_study *study;
    const struct ct_program_network *network;
    const struct ct_parameters *model;
    uint64_t work_max; /**< of a simulation, struct ct_engine_setup */
};

/** A program of the simulations. */
struct ct_joint_program {
    const struct ct_goal *goal; /**< NULL: the application has none */
    uint32_t ranks_per_node;
};

/**
 * @param simulation_p  [out] without programs; ct_simulation_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_joint_simulation_new(const struct ct_joint_setup *setup,
                                       struct ct_simulation **simulation_p, struct ct_error *err);

/** Set the program of an application, alone and beside another one. @return as
 * ct_simulation_set() */
enum ct_status ct_joint_simulation_add(struct ct_simulation *simulation,
                                       const struct ct_program_network *network, size_t app,
                                       const struct ct_joint_program *program,
                                       struct ct_error *err);

/** The same programs on a network with other parameters. */
struct ct_joint_draw;

/**
 * @param setup     [in]  its model may be freed after the call, but not the overheads of it
 * @param programs  [in]  [app of the study]; schedules may be freed after the call
 * @param queues    [in]  of the network
 * @param draw_p    [out] ct_joint_draw_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM. A program that cannot be simulated has no slowdown
 */
enum ct_status ct_joint_draw_new(const struct ct_joint_setup *setup,
                                 const struct ct_joint_program *programs,
                                 const struct ct_links_queues *queues,
                                 struct ct_joint_draw **draw_p, struct ct_error *err);
void ct_joint_draw_free(struct ct_joint_draw *draw);

/** Its simulation. Borrowed. */
struct ct_simulation *ct_joint_draw_simulation(struct ct_joint_draw *draw);

#endif
