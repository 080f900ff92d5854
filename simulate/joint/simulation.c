#include "core/array.h"
#include "core/order.h"
#include "core/parallel.h"
#include "simulate/constants.h"
#include "simulate/joint/simulation_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

/* ---- making it ---- */

enum ct_status ct_simulation_new(const struct ct_simulation_setup *setup,
                                 struct ct_simulation **simulation_p, struct ct_error *err)
{
    struct ct_simulation *simulation = malloc(sizeof *simulation);
    size_t n_loads = setup->n_apps + setup->n_configs, n_pairs = setup->n_apps * n_loads;
    if (simulation)
        *simulation =
            (struct ct_simulation){.setup = *setup,
                                   .n_loads = n_loads,
                                   .threads = ct_parallel_processors(),
                                   .rows = calloc(2 * n_loads + 1, sizeof *simulation->rows),
                                   .pairs = malloc((n_pairs + 1) * sizeof *simulation->pairs)};
    if (!simulation || !simulation->rows || !simulation->pairs) {
        ct_simulation_free(simulation);
        return ct_no_memory(err, "simulation");
    }
    for (size_t i = 0; i < n_pairs; i++)
        simulation->pairs[i].frac = INFINITY;
    for (size_t app = 0; app < setup->n_apps; app++) {
        simulation->rows[app].program = setup->programs[app];
        if (setup->background)
            simulation->rows[n_loads + app].program = setup->programs[setup->n_apps + app];
    }
    for (size_t c = 0; c < setup->n_configs; c++)
        simulation->rows[setup->n_apps + c].config = setup->configs[c];
    simulation->setup.programs = NULL;
    simulation->setup.configs = NULL;
    enum ct_status status = setup->measured ? ct_simulation_plan_fit(simulation, err) : CT_OK;
    simulation->setup.measured = NULL;
    if (status == CT_OK)
        *simulation_p = simulation;
    else
        ct_simulation_free(simulation);
    return status;
}

void ct_simulation_free(struct ct_simulation *simulation)
{
    if (!simulation)
        return;
    for (size_t i = 0; simulation->rows && i < 2 * simulation->n_loads; i++) {
        ct_simulation_program_free(simulation->rows[i].own);
        ct_simulation_forget(&simulation->rows[i].memo);
    }
    free(simulation->rows);
    free(simulation->pairs);
    free(simulation->groups);
    free(simulation->fit.cells);
    free(simulation);
}

struct ct_port_queues ct_simulation_queues_now(const struct ct_simulation *simulation)
{
    return simulation->setup.queues;
}

/* ---- answers ---- */

static enum ct_status ask_pair(struct ct_simulation *simulation, size_t app, size_t load,
                               struct ct_joint_slowdown *slowdown_p, struct ct_error *err)
{
    struct ct_joint_slowdown *known = &simulation->pairs[app * simulation->n_loads + load];
    if (isinf(known->frac)) {
        /* In one order, whichever is asked about first: it decides when each begins. On other nodes
         * than the first one the other is a different program. */
        bool is_same = !simulation->setup.background, swaps = is_same && load < app;
        const size_t members[] = {swaps ? load : app, swaps ? app : load};
        struct ct_joint_slowdown both[2];
        CT_TRY(ct_simulation_find(simulation, members, 2, both, err));
        if (app == load && is_same)
            both[0] = both[1] = (struct ct_joint_slowdown){
                (both[0].frac + both[1].frac) / 2, (both[0].spread_frac + both[1].spread_frac) / 2};
        if (load < simulation->setup.n_apps && is_same)
            simulation->pairs[members[1] * simulation->n_loads + members[0]] = both[1];
        simulation->pairs[members[0] * simulation->n_loads + members[1]] = both[0];
    }
    *slowdown_p = *known;
    return CT_OK;
}

static enum ct_status ask_group(struct ct_simulation *simulation, struct group *group,
                                struct ct_joint_slowdown *slowdown_p, struct ct_error *err)
{
    struct ct_joint_slowdown all[CT_SIMULATE_JOBS_MAX] = {{0}};
    qsort(group->members + 1, group->n - 1, sizeof *group->members, ct_order_sizes);
    for (size_t i = 0; i < simulation->n_groups; i++)
        if (simulation->groups[i].n == group->n &&
            !memcmp(simulation->groups[i].members, group->members,
                    group->n * sizeof *group->members)) {
            *slowdown_p = simulation->groups[i].slowdown;
            return CT_OK;
        }
    if (!CT_ARRAY_RESERVE(simulation->groups, simulation->room, simulation->n_groups + 1))
        return ct_no_memory(err, "simulation");
    CT_TRY(ct_simulation_find(simulation, group->members, group->n, all, err));
    *slowdown_p = group->slowdown = all[0];
    simulation->groups[simulation->n_groups++] = *group;
    return CT_OK;
}

/* Loads come with the idle network, which is not simulated, in front. */
static enum ct_status ask_simulation(void *model, size_t app, const size_t *loads, size_t n,
                                     struct ct_joint_slowdown *slowdown_p, struct ct_error *err)
{
    struct ct_simulation *simulation = model;
    CT_TRY(ct_simulation_fit_once(simulation, err));
    if (n == 1)
        return ask_pair(simulation, app, loads[0] - 1, slowdown_p, err);
    *slowdown_p = (struct ct_joint_slowdown){NAN, NAN};
    if (n == 0 || n >= CT_SIMULATE_JOBS_MAX)
        return CT_OK;
    struct group group = {.members = {app}, .n = 1 + n};
    for (size_t i = 0; i < n; i++)
        group.members[1 + i] = loads[i] - 1;
    return ask_group(simulation, &group, slowdown_p, err);
}

enum ct_status ct_simulation_alone(struct ct_simulation *simulation, size_t app, double *alone_s_p,
                                   struct ct_error *err)
{
    CT_TRY(ct_simulation_fit_once(simulation, err));
    if (ct_simulation_know_alone(simulation, app, err) == CT_ENOMEM)
        CT_TRY(CT_ENOMEM);
    *alone_s_p = simulation->rows[app].alone_ns / ns_per_s;
    return CT_OK;
}

struct ct_predict_joint_response ct_simulation_response(struct ct_simulation *simulation)
{
    return (struct ct_predict_joint_response){.model = simulation,
                                              .n_phases = ct_simulate_count(CT_SIMULATE_STARTS),
                                              .slowdown = ask_simulation};
}
