#include "study/joint_simulation.h"

#include <stdlib.h>
#include <string.h>

enum ct_status ct_joint_simulation_new(const struct ct_joint_setup *setup,
                                       struct ct_simulation **simulation_p, struct ct_error *err)
{
    const struct ct_study *study = setup->study;
    const struct ct_program_network *network = setup->network;
    size_t n_apps = study->measured.n_apps;
    enum ct_status status = ct_simulation_new(n_apps, study->configs, study->measured.n_configs,
                                              setup->model, setup->work_max, simulation_p, err);
    if (status != CT_OK || network->places.n_used == 0)
        return status;
    ct_simulation_set_topology(*simulation_p, &network->topology, network->places.used,
                               network->places.n_used);
    if (network->has_background)
        ct_simulation_set_background(*simulation_p, &network->places.of[n_apps]);
    return CT_OK;
}

enum ct_status ct_joint_simulation_add(struct ct_simulation *simulation,
                                       const struct ct_program_network *network, size_t app,
                                       const struct ct_joint_program *program, struct ct_error *err)
{
    const struct ct_simulate_place alone =
        ct_program_network_place(network, app, program->ranks_per_node);
    enum ct_status status = ct_simulation_set(simulation, app, program->goal, &alone, err);
    if (status != CT_OK || !network->has_background)
        return status;
    const struct ct_simulate_place beside =
        ct_program_network_place_beside(network, program->goal->n_ranks);
    return ct_simulation_set_beside(simulation, app, program->goal, &beside, err);
}

/* ---- with other parameters ---- */

struct ct_joint_draw {
    struct ct_parameters model; /* borrows what it has of memory */
    struct ct_simulation *simulation;
};

enum ct_status ct_joint_draw_new(const struct ct_joint_setup *setup,
                                 const struct ct_joint_program *programs,
                                 const struct ct_links_queues *queues,
                                 struct ct_joint_draw **draw_p, struct ct_error *err)
{
    struct ct_joint_draw *draw = calloc(1, sizeof *draw);
    if (!draw)
        return ct_no_memory(err, "simulation");
    draw->model = *setup->model;
    struct ct_joint_setup drawn = *setup;
    drawn.model = &draw->model;
    enum ct_status status = ct_joint_simulation_new(&drawn, &draw->simulation, err);
    if (status == CT_OK)
        ct_simulation_set_queues(draw->simulation, queues);
    for (size_t app = 0; app < setup->study->measured.n_apps && status == CT_OK; app++)
        if (programs[app].goal && ct_joint_simulation_add(draw->simulation, setup->network, app,
                                                          &programs[app], err) == CT_ENOMEM)
            status = CT_ENOMEM;
    if (status == CT_OK)
        *draw_p = draw;
    else
        ct_joint_draw_free(draw);
    return status;
}

void ct_joint_draw_free(struct ct_joint_draw *draw)
{
    if (!draw)
        return;
    ct_simulation_free(draw->simulation);
    free(draw);
}

struct ct_simulation *ct_joint_draw_simulation(struct ct_joint_draw *draw)
{
    return draw->simulation;
}
