#include "core/array.h"
#include "core/parallel.h"
#include "study/simulation_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

/* ---- making it ---- */

enum ct_status ct_simulation_new(size_t n_apps, const struct ct_study_config *configs,
                                 size_t n_configs, const struct ct_parameters *model,
                                 uint64_t work_max, struct ct_simulation **simulation_p,
                                 struct ct_error *err)
{
    static const struct ct_queues_known nothing = {.has_order = false};
    struct ct_simulation *simulation = malloc(sizeof *simulation);
    size_t n_loads = n_apps + n_configs, n_pairs = n_apps * n_loads;
    if (simulation)
        *simulation = (struct ct_simulation){
            .n_apps = n_apps,
            .n_loads = n_loads,
            .configs = configs,
            .model = model,
            .work_max = work_max,
            .threads = ct_parallel_processors(),
            .queues = ct_simulation_unfitted_queues(&nothing),
            .programs = calloc(2 * n_loads + 1, sizeof *simulation->programs),
            .alone_ns = calloc(2 * n_loads + 1, sizeof *simulation->alone_ns),
            .memos = calloc(2 * n_loads + 1, sizeof *simulation->memos),
            .pairs = malloc((n_pairs + 1) * sizeof *simulation->pairs)};
    if (!simulation || !simulation->programs || !simulation->alone_ns || !simulation->memos ||
        !simulation->pairs) {
        ct_simulation_free(simulation);
        return ct_no_memory(err, "simulation");
    }
    for (size_t i = 0; i < n_pairs; i++)
        simulation->pairs[i] = INFINITY;
    *simulation_p = simulation;
    return CT_OK;
}

void ct_simulation_free(struct ct_simulation *simulation)
{
    if (!simulation)
        return;
    for (size_t i = 0; simulation->programs && i < 2 * simulation->n_loads; i++)
        ct_simulation_program_free(simulation->programs[i]);
    for (size_t i = 0; simulation->memos && i < 2 * simulation->n_loads; i++)
        ct_simulation_forget(&simulation->memos[i]);
    free(simulation->memos);
    free(simulation->programs);
    free(simulation->alone_ns);
    free(simulation->pairs);
    free(simulation->groups);
    free(simulation->cells);
    free(simulation);
}

void ct_simulation_set_topology(struct ct_simulation *simulation,
                                const struct ct_topology *topology, const uint32_t *nodes,
                                uint32_t n_nodes)
{
    simulation->net = (struct ct_simulation_net){topology, nodes, n_nodes};
}

enum ct_status ct_simulation_set(struct ct_simulation *simulation, size_t app,
                                 const struct ct_goal *goal, const struct ct_simulate_place *place,
                                 struct ct_error *err)
{
    return ct_simulation_program_new(goal, place, &simulation->programs[app], err);
}

enum ct_status ct_simulation_set_beside(struct ct_simulation *simulation, size_t app,
                                        const struct ct_goal *goal,
                                        const struct ct_simulate_place *place, struct ct_error *err)
{
    return ct_simulation_set(simulation, simulation->n_loads + app, goal, place, err);
}

void ct_simulation_set_background(struct ct_simulation *simulation,
                                  const struct ct_node_list *nodes)
{
    simulation->has_background = true;
    simulation->background = *nodes;
}

/* ---- what was simulated before ---- */

void ct_simulation_keep(struct ct_simulation *simulation, struct ct_simulation_store *store)
{
    simulation->store = store;
}

/* ---- queues ---- */

void ct_simulation_set_queues(struct ct_simulation *simulation,
                              const struct ct_links_queues *queues)
{
    simulation->queues = *queues;
}

struct ct_links_queues ct_simulation_queues_now(const struct ct_simulation *simulation)
{
    return simulation->queues;
}

/* ---- answers ---- */

static enum ct_status ask_pair(struct ct_simulation *simulation, size_t app, size_t load,
                               double *slowdown_frac_p, struct ct_error *err)
{
    double *known = &simulation->pairs[app * simulation->n_loads + load];
    if (isinf(*known)) {
        /* In one order, whichever is asked about first: it decides when each begins. On other nodes
         * than the first one the other is a different program. */
        bool is_same = !simulation->has_background, swaps = is_same && load < app;
        const size_t members[] = {swaps ? load : app, swaps ? app : load};
        double both[2];
        enum ct_status status = ct_simulation_find(simulation, members, 2, both, err);
        if (status != CT_OK)
            return status;
        if (app == load && is_same)
            both[0] = both[1] = (both[0] + both[1]) / 2;
        if (load < simulation->n_apps && is_same)
            simulation->pairs[members[1] * simulation->n_loads + members[0]] = both[1];
        simulation->pairs[members[0] * simulation->n_loads + members[1]] = both[0];
    }
    *slowdown_frac_p = *known;
    return CT_OK;
}

static int by_number(const void *left, const void *right)
{
    const size_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static enum ct_status ask_group(struct ct_simulation *simulation, struct group *group,
                                double *slowdown_frac_p, struct ct_error *err)
{
    double all[CT_LINKS_JOBS_MAX] = {0};
    qsort(group->members + 1, group->n - 1, sizeof *group->members, by_number);
    for (size_t i = 0; i < simulation->n_groups; i++)
        if (simulation->groups[i].n == group->n &&
            !memcmp(simulation->groups[i].members, group->members,
                    group->n * sizeof *group->members)) {
            *slowdown_frac_p = simulation->groups[i].slowdown_frac;
            return CT_OK;
        }
    if (!CT_ARRAY_RESERVE(simulation->groups, simulation->room, simulation->n_groups + 1))
        return ct_no_memory(err, "simulation");
    enum ct_status status = ct_simulation_find(simulation, group->members, group->n, all, err);
    if (status != CT_OK)
        return status;
    *slowdown_frac_p = group->slowdown_frac = all[0];
    simulation->groups[simulation->n_groups++] = *group;
    return CT_OK;
}

/* Loads come with the idle network, which is not simulated, in front. */
static enum ct_status ask_simulation(void *model, size_t app, const size_t *loads, size_t n,
                                     double *slowdown_frac_p, struct ct_error *err)
{
    struct ct_simulation *simulation = model;
    enum ct_status status = ct_simulation_fit_once(simulation, err);
    if (status != CT_OK)
        return status;
    if (n == 1)
        return ask_pair(simulation, app, loads[0] - 1, slowdown_frac_p, err);
    *slowdown_frac_p = NAN;
    if (n == 0 || n >= CT_LINKS_JOBS_MAX)
        return CT_OK;
    struct group group = {.members = {app}, .n = 1 + n};
    for (size_t i = 0; i < n; i++)
        group.members[1 + i] = loads[i] - 1;
    return ask_group(simulation, &group, slowdown_frac_p, err);
}

enum ct_status ct_simulation_alone(struct ct_simulation *simulation, size_t app, double *alone_s_p,
                                   struct ct_error *err)
{
    enum ct_status status = ct_simulation_fit_once(simulation, err);
    if (status == CT_OK && ct_simulation_know_alone(simulation, app, err) == CT_ENOMEM)
        status = CT_ENOMEM;
    if (status == CT_OK)
        *alone_s_p = simulation->alone_ns[app] / ns_per_s;
    return status;
}

struct ct_predict_joint_response ct_simulation_response(struct ct_simulation *simulation)
{
    return (struct ct_predict_joint_response){simulation, ask_simulation};
}
