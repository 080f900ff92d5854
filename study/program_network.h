/**
 * The network that the runs of a campaign were on, and the nodes of its programs, as far as the
 * runs record them.
 */
#pragma once

#include "core/argv.h"
#include "results/run.h"
#include "simulate/places.h"
#include "study/study.h"

/** Without nodes: one switch, all programs on the same nodes. */
struct ct_program_network {
    struct ct_topology topology;
    struct ct_simulate_places
        places;          /**< [app]: those of its baseline; then what is beside another program */
    bool has_background; /**< what is beside another program is on nodes of its own */
};

/**
 * @param list       [in]  runs of one placement
 * @param study      [in]  for the names of applications
 * @param notes      [in,out] why a network that is recorded is not used
 * @param network_p  [out] ct_program_network_free(); without nodes if none is recorded, or if
 * something about it is not known; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_program_network_find(const struct ct_run_list *list, const struct ct_study *study,
                                       struct ct_argv *notes, struct ct_program_network *network_p,
                                       struct ct_error *err);
void ct_program_network_free(struct ct_program_network *network);

/** Where an application is in its baseline. Refers to the network; blocks of nodes on one switch.
 */
struct ct_simulate_place ct_program_network_place(const struct ct_program_network *network,
                                                  size_t app, uint32_t ranks_per_node);

/** Where it is beside another program. @param ranks  [in] of the application */
struct ct_simulate_place ct_program_network_place_beside(const struct ct_program_network *network,
                                                         uint32_t ranks);
