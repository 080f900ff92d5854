#include "study/simulation.h"

#include "core/array.h"
#include "core/clock.h"
#include "simulate/constants.h"
#include "simulate/links.h"
#include "study/constants.h"
#include "study/fingerprint.h"
#include "study/interference.h"
#include "study/network_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

/* A group of three and more, and what was found. */
struct group {
    size_t members[CT_LINKS_JOBS_MAX]; /* n; the one that is asked about first, others ascending */
    size_t n;
    double slowdown_frac;
};

struct ct_simulation {
    size_t n_apps, n_loads; /* applications, then configurations */
    const struct ct_study_config *configs;
    const struct ct_parameters *model;
    uint64_t work_max;
    bool has_background;            /* programs beside another are on nodes of their own */
    struct ct_node_list background; /* of configurations then; borrowed */
    struct ct_simulate_program *
        *programs;    /* [row]: loads, then the same beside another; NULL: none */
    double *alone_ns; /* [row]; 0: not asked for yet; NaN: not known */
    double *pairs;    /* [app * n_loads + load]: slowdown; INFINITY: not asked
                         for yet; NaN: not known */
    struct group *groups;
    size_t n_groups, room;
    const struct ct_simulate_paths *paths; /* NULL: one switch */
    double *busy_frac; /* [link]: mean of the simulations that are made now, n_busy so far; NULL:
                          not asked for */
    size_t n_busy;
    struct ct_links_queues queues;
    struct ct_queues_cell
        *cells; /* n_cells, what queues are to be fitted to; NULL: they are known */
    size_t n_cells;
    struct ct_simulation_store *store; /* NULL: none */
    bool is_fitting, is_fitted;
    struct ct_queues_fit fit;
    struct ct_log *log; /* NULL: progress is not shown */
    double start_s;     /* of the first simulation that counts */
    size_t n_simulated;
};

/* ---- making it ---- */

enum ct_status ct_simulation_new(size_t n_apps, const struct ct_study_config *configs,
                                 size_t n_configs, const struct ct_parameters *model,
                                 uint64_t work_max, struct ct_simulation **simulation_p,
                                 struct ct_error *err)
{
    struct ct_simulation *simulation = malloc(sizeof *simulation);
    size_t n_loads = n_apps + n_configs, n_pairs = n_apps * n_loads;
    if (simulation)
        *simulation = (struct ct_simulation){
            .n_apps = n_apps,
            .n_loads = n_loads,
            .configs = configs,
            .model = model,
            .work_max = work_max,
            .queues = ct_simulate_plain_queues(),
            .programs = calloc(2 * n_loads + 1, sizeof *simulation->programs),
            .alone_ns = calloc(2 * n_loads + 1, sizeof *simulation->alone_ns),
            .pairs = malloc((n_pairs + 1) * sizeof *simulation->pairs)};
    if (!simulation || !simulation->programs || !simulation->alone_ns || !simulation->pairs) {
        ct_simulation_free(simulation);
        return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
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
        ct_simulate_program_free(simulation->programs[i]);
    free(simulation->programs);
    free(simulation->alone_ns);
    free(simulation->pairs);
    free(simulation->groups);
    free(simulation->cells);
    ct_simulation_store_close(simulation->store);
    free(simulation);
}

void ct_simulation_set_paths(struct ct_simulation *simulation,
                             const struct ct_simulate_paths *paths)
{
    simulation->paths = paths;
}

void ct_simulation_set(struct ct_simulation *simulation, size_t app,
                       struct ct_simulate_program *program)
{
    simulation->programs[app] = program;
}

void ct_simulation_set_beside(struct ct_simulation *simulation, size_t app,
                              struct ct_simulate_program *program)
{
    simulation->programs[simulation->n_loads + app] = program;
}

void ct_simulation_set_background(struct ct_simulation *simulation,
                                  const struct ct_node_list *nodes)
{
    simulation->has_background = true;
    simulation->background = *nodes;
}

/* Of member i of a group: the first one is slowed, the others are beside it. */
static size_t row_of(const struct ct_simulation *simulation, const size_t *members, size_t i)
{
    bool is_beside = simulation->has_background && i > 0;
    return members[i] + (is_beside ? simulation->n_loads : 0);
}

enum ct_status ct_simulation_program(const struct ct_goal *goal, const struct ct_parameters *model,
                                     const struct ct_simulate_place *place,
                                     struct ct_simulate_program **program_p, struct ct_error *err)
{
    /* Links, and not each rank's NIC, decide which message goes when. */
    const struct ct_graph_options options = {.eager_max_bytes = model->S_bytes,
                                             .overheads = ct_parameters_overheads(model)};
    struct ct_loggps at = ct_parameters_at(model, model->L_s);
    struct ct_graph graph;
    enum ct_status status = ct_graph_build(goal, &options, &graph, err);
    if (status != CT_OK)
        return status;
    status = ct_simulate_program_new(&graph, &at, place, program_p, err);
    ct_graph_free(&graph);
    return status;
}

/* ---- simulations ---- */

static uint32_t most_nodes(const struct ct_simulation *simulation)
{
    uint32_t most = 0;
    for (size_t app = 0; app < simulation->n_apps; app++)
        if (simulation->programs[app] && ct_simulate_n_nodes(simulation->programs[app]) > most)
            most = ct_simulate_n_nodes(simulation->programs[app]);
    return most;
}

static enum ct_status make_config(struct ct_simulation *simulation, size_t row,
                                  struct ct_error *err)
{
    struct ct_simulate_place place = ct_simulate_blocks(1);
    uint32_t n_nodes = most_nodes(simulation);
    if (simulation->has_background) {
        place.nodes = simulation->background.nodes;
        place.n_nodes = n_nodes = simulation->background.n;
    }
    struct ct_goal goal;
    size_t config = row % simulation->n_loads - simulation->n_apps;
    enum ct_status status =
        ct_interference_schedule(&simulation->configs[config].config, n_nodes, &goal, err);
    if (status != CT_OK)
        return status;
    status =
        ct_simulation_program(&goal, simulation->model, &place, &simulation->programs[row], err);
    ct_goal_free(&goal);
    return status;
}

/* An application without a schedule has none afterwards, either. */
static enum ct_status make_program(struct ct_simulation *simulation, size_t row,
                                   struct ct_error *err)
{
    bool is_config = row % simulation->n_loads >= simulation->n_apps;
    return is_config && !simulation->programs[row] ? make_config(simulation, row, err) : CT_OK;
}

static struct ct_simulate_setup setup_of(const struct ct_simulation *simulation, bool once)
{
    struct ct_simulate_setup setup = ct_simulate_usual(simulation->model->G_s_per_byte * ns_per_s);
    setup.paths = simulation->paths;
    setup.work_max = simulation->work_max;
    setup.queues = simulation->queues;
    if (!once)
        setup.passes = ct_study_count(CT_STUDY_PASSES);
    return setup;
}

/* One simulation; how busy links are joins the mean of those before. */
static enum ct_status run_once(struct ct_simulation *simulation,
                               const struct ct_simulate_program *const *programs, size_t n,
                               const double *begin, const struct ct_simulate_setup *setup,
                               double *pass_ns, struct ct_error *err)
{
    if (!simulation->busy_frac)
        return ct_simulate_run(programs, n, begin, setup, pass_ns, NULL, err);
    double *busy_frac = malloc((setup->paths->n_links + (size_t)1) * sizeof *busy_frac);
    if (!busy_frac)
        return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
    enum ct_status status = ct_simulate_run(programs, n, begin, setup, pass_ns, busy_frac, err);
    simulation->n_busy++;
    for (uint32_t i = 0; i < setup->paths->n_links && status == CT_OK; i++)
        simulation->busy_frac[i] +=
            (busy_frac[i] - simulation->busy_frac[i]) / (double)simulation->n_busy;
    free(busy_frac);
    return status;
}

/* Its time alone; NaN: it has no schedule, or, with an error, none that can be simulated. */
static enum ct_status know_alone(struct ct_simulation *simulation, size_t row, struct ct_error *err)
{
    static const double at_once = 0;
    const struct ct_simulate_setup setup = setup_of(simulation, false);
    if (simulation->alone_ns[row] != 0)
        return CT_OK;
    simulation->alone_ns[row] = NAN;
    enum ct_status status = make_program(simulation, row, err);
    if (status != CT_OK || !simulation->programs[row])
        return status;
    const struct ct_simulate_program *program = simulation->programs[row];
    double alone_ns;
    status = run_once(simulation, &program, 1, &at_once, &setup, &alone_ns, err);
    if (status == CT_OK)
        simulation->alone_ns[row] = alone_ns;
    return status;
}

/* ---- progress ---- */

void ct_simulation_show(struct ct_simulation *simulation, struct ct_log *log)
{
    if (!simulation)
        return;
    if (!log && simulation->log)
        ct_log_progress_end(simulation->log);
    simulation->log = log;
    simulation->start_s = ct_clock_now_s();
    simulation->n_simulated = 0;
}

/* As many simulations as there are pairs are foreseen; how many groups follow is not known. */
static void show_progress(struct ct_simulation *simulation)
{
    static const double patience_s = 3;
    double passed_s = ct_clock_now_s() - simulation->start_s,
           done = (double)simulation->n_simulated++;
    double n = (double)simulation->n_apps, foreseen = n * (n + 1) / 2;
    char what[64];
    if (!simulation->log || passed_s < patience_s)
        return;
    snprintf(what, sizeof what,
             simulation->is_fitting ? "%.0f simulations to fit queues" : "%.0f co-runs simulated",
             done);
    if (done < foreseen && !simulation->is_fitting)
        ct_log_progress(simulation->log, done, foreseen,
                        passed_s / fmax(done, 1) * (foreseen - done), what);
    else
        ct_log_progress(simulation->log, done, 0, NAN, what);
}

/* When a member begins, in a run: spread evenly over its time, differently for each. */
static double begin_ns(const struct ct_simulation *simulation, const size_t *members, size_t i,
                       size_t start)
{
    if (i == 0)
        return 0;
    return ct_network_begin_frac(i, start) * simulation->alone_ns[row_of(simulation, members, i)];
}

/* Slowdowns of n members together; NaN: not known. */
static enum ct_status simulate(struct ct_simulation *simulation, const size_t *members, size_t n,
                               double *slowdown_frac, struct ct_error *err)
{
    const struct ct_simulate_program *programs[CT_LINKS_JOBS_MAX];
    double begin[CT_LINKS_JOBS_MAX], pass_ns[CT_LINKS_JOBS_MAX];
    bool once = members[n - 1] >= simulation->n_apps, known = true;
    const struct ct_simulate_setup setup = setup_of(simulation, once);
    size_t n_starts = once ? 1 : ct_study_count(CT_STUDY_STARTS);
    enum ct_status status = CT_OK;
    show_progress(simulation);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        size_t row = row_of(simulation, members, i);
        status = know_alone(simulation, row, err);
        programs[i] = simulation->programs[row];
        known = known && !isnan(simulation->alone_ns[row]);
        slowdown_frac[i] = 0;
    }
    for (size_t start = 0; start < n_starts && known && status == CT_OK; start++) {
        for (size_t i = 0; i < n; i++)
            begin[i] = begin_ns(simulation, members, i, start);
        status = run_once(simulation, programs, n, begin, &setup, pass_ns, err);
        for (size_t i = 0; i < n && status == CT_OK; i++)
            slowdown_frac[i] +=
                (pass_ns[i] / simulation->alone_ns[row_of(simulation, members, i)] - 1) /
                (double)n_starts;
    }
    for (size_t i = 0; i < n && !(known && status == CT_OK); i++)
        slowdown_frac[i] = NAN;
    return status;
}

enum ct_status ct_simulation_all(struct ct_simulation *simulation, double *alone_s,
                                 double *slowdown_frac, double *busy_frac, struct ct_error *err)
{
    size_t members[CT_LINKS_JOBS_MAX], n = simulation->n_apps;
    enum ct_status status = CT_OK;
    if (n == 0 || n > CT_LINKS_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "%zu programs; 1 to %d run together", n, CT_LINKS_JOBS_MAX);
    for (size_t i = 0; i < n; i++)
        members[i] = i;
    for (uint32_t i = 0; busy_frac && i < simulation->paths->n_links; i++)
        busy_frac[i] = 0;
    for (size_t i = 0; i < n && n > 1 && status == CT_OK; i++)
        status = know_alone(simulation, i, err);
    simulation->busy_frac = busy_frac;
    simulation->n_busy = 0;
    if (status == CT_OK)
        status = n > 1 ? simulate(simulation, members, n, slowdown_frac, err)
                       : know_alone(simulation, 0, err);
    simulation->busy_frac = NULL;
    if (n == 1)
        slowdown_frac[0] = 0;
    for (size_t i = 0; i < n; i++)
        alone_s[i] = simulation->alone_ns[i] / ns_per_s;
    return status;
}

/* ---- what was simulated before ---- */

void ct_simulation_keep(struct ct_simulation *simulation, struct ct_simulation_store *store)
{
    ct_simulation_store_close(simulation->store);
    simulation->store = store;
}

static void take_piece(void *fingerprint, const void *bytes, size_t n)
{
    ct_fingerprint_add(fingerprint, bytes, n);
}

static void add_paths(const struct ct_simulate_paths *paths, struct ct_fingerprint *all)
{
    size_t n_pairs = (size_t)paths->n_nodes * paths->n_nodes;
    const uint64_t whole[] = {paths->n_nodes, paths->n_links, paths->n_between};
    ct_fingerprint_add(all, whole, sizeof whole);
    ct_fingerprint_add(all, paths->ns_per_byte, paths->n_links * sizeof *paths->ns_per_byte);
    ct_fingerprint_add(all, paths->first_hop, (n_pairs + 1) * sizeof *paths->first_hop);
    ct_fingerprint_add(all, paths->hops, paths->first_hop[n_pairs] * sizeof *paths->hops);
}

/* All that simulate() depends on. The times alone are a matter of the programs and the setup.
 * false: the program of a member is not known. */
static bool make_key(struct ct_simulation *simulation, const size_t *members, size_t n,
                     uint64_t key[2])
{
    bool once = members[n - 1] >= simulation->n_apps, known = true;
    const struct ct_simulate_setup setup = setup_of(simulation, once);
    const struct ct_links_queues *queues = &setup.queues;
    const double numbers[] = {setup.ns_per_byte, queues->packet_bytes, queues->ahead_bytes,
                              queues->burst_bytes};
    const uint64_t whole[] = {n, setup.passes, setup.work_max, queues->order,
                              once ? 1 : ct_study_count(CT_STUDY_STARTS)};
    struct ct_fingerprint *all = ct_fingerprint_new();
    if (!all)
        return false;
    ct_fingerprint_add(all, numbers, sizeof numbers);
    ct_fingerprint_add(all, whole, sizeof whole);
    if (setup.paths)
        add_paths(setup.paths, all);
    for (size_t i = 0; i < n && known; i++) {
        size_t row = row_of(simulation, members, i);
        known = make_program(simulation, row, NULL) == CT_OK && simulation->programs[row] != NULL;
        if (known)
            ct_simulate_program_pieces(simulation->programs[row], take_piece, all);
    }
    ct_fingerprint_end(all, key);
    return known;
}

/* As simulate(). Only memory ends the analysis: what cannot be simulated is not known. */
static enum ct_status find_slowdowns(struct ct_simulation *simulation, const size_t *members,
                                     size_t n, double *slowdown_frac, struct ct_error *err)
{
    uint64_t key[2];
    bool has_key = simulation->store && make_key(simulation, members, n, key);
    if (has_key && ct_simulation_store_find(simulation->store, key, slowdown_frac, n))
        return CT_OK;
    enum ct_status status = simulate(simulation, members, n, slowdown_frac, err);
    if (status == CT_ENOMEM)
        return status;
    if (has_key)
        ct_simulation_store_add(simulation->store, key, slowdown_frac, n);
    return CT_OK;
}

/* ---- queues ---- */

void ct_simulation_set_queues(struct ct_simulation *simulation,
                              const struct ct_links_queues *queues)
{
    simulation->queues = *queues;
}

/* Cells in which applications are slowed, which others say nothing about queues: as many as a fit
 * has time for, evenly from all. */
static size_t pick_cells(struct ct_queues_cell *cells, size_t n)
{
    size_t n_slowed = 0, most = ct_study_count(CT_STUDY_FIT_CELLS);
    for (size_t i = 0; i < n; i++)
        if (cells[i].slowdown_frac >= ct_study_constant(CT_STUDY_FIT_SLOWDOWN))
            cells[n_slowed++] = cells[i];
    for (size_t i = 0; i < most && n_slowed > most; i++)
        cells[i] = cells[i * n_slowed / most];
    return n_slowed < most ? n_slowed : most;
}

enum ct_status ct_simulation_fit_queues(struct ct_simulation *simulation,
                                        const struct ct_measurements *measured,
                                        struct ct_error *err)
{
    size_t n_configs = simulation->n_loads - simulation->n_apps, n = 0;
    struct ct_queues_cell *cells = malloc((simulation->n_apps * n_configs + 1) * sizeof *cells);
    if (!cells)
        return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
    for (size_t app = 0; app < simulation->n_apps; app++)
        for (size_t c = 0; c < n_configs; c++) {
            size_t load = ct_load_of_config(simulation->n_apps, c);
            const struct ct_samples alone_s = ct_measured_passes(measured, app, 0),
                                    with_s = ct_measured_passes(measured, app, load);
            const struct ct_queues_cell cell = {app, c, ct_measured_slowdown(&with_s, &alone_s)};
            if (simulation->programs[app] && !simulation->configs[c].config.burst.given)
                cells[n++] = cell;
        }
    simulation->n_cells = pick_cells(cells, n);
    free(simulation->cells);
    simulation->cells = cells;
    return CT_OK;
}

const struct ct_queues_fit *ct_simulation_queues(const struct ct_simulation *simulation)
{
    return simulation->is_fitted ? &simulation->fit : NULL;
}

static void forget_alone(struct ct_simulation *simulation)
{
    for (size_t row = 0; row < 2 * simulation->n_loads; row++)
        simulation->alone_ns[row] = 0;
}

static enum ct_status simulate_cell(void *model, const struct ct_queues_cell *cell,
                                    const struct ct_links_queues *queues, double *slowdown_frac_p,
                                    struct ct_error *err)
{
    struct ct_simulation *simulation = model;
    const struct ct_links_queues *now = &simulation->queues;
    const size_t members[] = {cell->app, simulation->n_apps + cell->config};
    double both[2];
    if (queues->order != now->order || queues->ahead_bytes != now->ahead_bytes ||
        queues->burst_bytes != now->burst_bytes)
        forget_alone(simulation);
    simulation->queues = *queues;
    enum ct_status status = find_slowdowns(simulation, members, 2, both, err);
    *slowdown_frac_p = both[0];
    return status;
}

static enum ct_status fit_queues(struct ct_simulation *simulation, struct ct_error *err)
{
    const struct ct_queues_fit_setup setup = {
        .cells = simulation->cells,
        .n_cells = simulation->n_cells,
        .slowdown = simulate_cell,
        .model = simulation,
        .packet_bytes = ct_simulate_constant(CT_SIMULATE_PACKET_BYTES),
        .n_packets_max = (size_t)ct_simulate_constant(CT_SIMULATE_AHEAD_PACKETS_MAX)};
    uint64_t work_max = simulation->work_max;
    if (!simulation->cells || simulation->is_fitted)
        return CT_OK;
    simulation->work_max = (uint64_t)ct_study_constant(CT_STUDY_FIT_WORK);
    simulation->is_fitting = true;
    enum ct_status status = ct_queues_fit(&setup, &simulation->fit, err);
    simulation->is_fitting = false;
    simulation->work_max = work_max;
    simulation->n_simulated = 0;
    simulation->start_s = ct_clock_now_s();
    forget_alone(simulation);
    if (status != CT_OK)
        return status;
    simulation->queues = simulation->fit.queues;
    simulation->is_fitted = true;
    return CT_OK;
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
        enum ct_status status = find_slowdowns(simulation, members, 2, both, err);
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
        return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
    enum ct_status status = find_slowdowns(simulation, group->members, group->n, all, err);
    if (status != CT_OK)
        return status;
    *slowdown_frac_p = group->slowdown_frac = all[0];
    simulation->groups[simulation->n_groups++] = *group;
    return CT_OK;
}

/* Loads come with the idle network, which is not simulated, in front. */
static enum ct_status ask(void *model, size_t app, const size_t *loads, size_t n,
                          double *slowdown_frac_p, struct ct_error *err)
{
    struct ct_simulation *simulation = model;
    enum ct_status status = fit_queues(simulation, err);
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

struct ct_predict_joint_response ct_simulation_response(struct ct_simulation *simulation)
{
    return (struct ct_predict_joint_response){simulation, ask};
}
