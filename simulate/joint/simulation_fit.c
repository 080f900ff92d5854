#include "core/clock.h"
#include "core/parallel.h"
#include "simulate/constants.h"
#include "simulate/joint/simulation_state.h"

#include <math.h>
#include <stdlib.h>

/* Cells in which applications are slowed, which others say nothing about queues: as many as a fit
 * has time for, evenly from all. */
static size_t pick_cells(struct ct_queues_cell *cells, size_t n)
{
    size_t n_slowed = 0, most = ct_simulate_count(CT_SIMULATE_FIT_CELLS);
    for (size_t i = 0; i < n; i++)
        if (cells[i].slowdown_frac >= ct_simulate_constant(CT_SIMULATE_FIT_SLOWDOWN))
            cells[n_slowed++] = cells[i];
    for (size_t i = 0; i < most && n_slowed > most; i++)
        cells[i] = cells[i * n_slowed / most];
    return n_slowed < most ? n_slowed : most;
}

enum ct_status ct_simulation_plan_fit(struct ct_simulation *simulation, struct ct_error *err)
{
    const struct ct_measurements *measured = simulation->setup.measured;
    size_t n_apps = simulation->setup.n_apps, n_configs = simulation->setup.n_configs, n = 0;
    struct ct_queues_cell *cells = malloc((n_apps * n_configs + 1) * sizeof *cells);
    if (!cells)
        return ct_no_memory(err, "simulation");
    for (size_t app = 0; app < n_apps; app++)
        for (size_t c = 0; c < n_configs; c++) {
            size_t load = ct_load_of_config(n_apps, c);
            const struct ct_samples alone_s = ct_measured_passes(measured, app, 0),
                                    with_s = ct_measured_passes(measured, app, load);
            const struct ct_queues_cell cell = {app, c, ct_measured_slowdown(&with_s, &alone_s)};
            if (simulation->rows[app].program && !simulation->rows[n_apps + c].config->burst.given)
                cells[n++] = cell;
        }
    simulation->setup.queues = ct_simulation_unfitted_queues(&simulation->setup.known);
    simulation->fit = (struct fit){.cells = cells, .n_cells = pick_cells(cells, n)};
    return CT_OK;
}

const struct ct_queues_fit *ct_simulation_queues(const struct ct_simulation *simulation)
{
    return simulation->fit.is_made ? &simulation->fit.result : NULL;
}

static void forget_alone(struct ct_simulation *simulation)
{
    for (size_t row = 0; row < 2 * simulation->n_loads; row++)
        simulation->rows[row].alone_ns = 0;
}

/* ---- several at a time ---- */

/* A cell of the fit that is simulated. */
struct task {
    size_t cell, members[2];
    uint64_t key[2];
    bool has_key;
    struct ct_joint_slowdown both[2];
    enum ct_status status;
};

struct work {
    struct ct_simulation *simulation;
    struct task *tasks; /* n_tasks */
    size_t n_tasks;
    size_t *rows; /* n_rows whose times alone are needed, each once */
    size_t n_rows;
    enum ct_status *status; /* [n_rows] */
};

static void run_row(void *data, size_t i)
{
    struct work *work = data;
    work->status[i] = ct_simulation_know_alone(work->simulation, work->rows[i], NULL);
}

/* The slowdown of the application, and its time alone. */
enum { SLOWDOWN, ALONE };

/* A result for other queues is that for these if the application has the same time alone, too. */
static bool recall_result(struct task *task, const struct ct_simulation *simulation,
                          double values[CT_SIMULATION_VALUES_MAX])
{
    const struct ct_simulation_memo *memo = &simulation->fit.memos[task->cell];
    double alone_ns = simulation->rows[ct_simulation_row(simulation, task->members, 0)].alone_ns;
    bool known =
        ct_simulation_recall(memo, &simulation->setup.queues, values, CT_SIMULATION_VALUES_MAX);
    known = known && ct_simulation_is_same(alone_ns, values[ALONE]);
    task->both[0].frac = values[SLOWDOWN];
    values[ALONE] = alone_ns;
    return known;
}

static void run_task(void *data, size_t i)
{
    struct work *work = data;
    struct task *task = &work->tasks[i];
    struct ct_simulation *simulation = work->simulation;
    double values[CT_SIMULATION_VALUES_MAX] = {0};
    struct ct_network_use use;
    if (task->status != CT_OK || recall_result(task, simulation, values))
        return;
    task->status = ct_simulation_run_together(simulation, task->members, 2, task->both, &use, NULL);
    values[SLOWDOWN] = task->both[0].frac;
    if (task->status == CT_OK)
        task->status =
            ct_simulation_remember(&simulation->fit.memos[task->cell], &simulation->setup.queues,
                                   &use, values, CT_SIMULATION_VALUES_MAX, NULL);
}

/* Programs are made here, one after the other, so that threads only read them. */
static void need_row(struct work *work, size_t row)
{
    for (size_t i = 0; i < work->n_rows; i++)
        if (work->rows[i] == row)
            return;
    work->rows[work->n_rows] = row;
    work->status[work->n_rows++] = ct_simulation_make_program(work->simulation, row, NULL);
}

static void add_task(struct work *work, size_t cell, double *slowdown_frac)
{
    struct ct_simulation *simulation = work->simulation;
    const struct ct_queues_cell *of = &simulation->fit.cells[cell];
    struct task *task = &work->tasks[work->n_tasks];
    *task = (struct task){.cell = cell,
                          .members = {of->app, simulation->setup.n_apps + of->config},
                          .both = {{NAN, NAN}, {NAN, NAN}}};
    task->has_key = ct_simulation_key(simulation, task->members, 2, task->key);
    if (task->has_key &&
        ct_simulation_store_find(simulation->setup.store, task->key, task->both, 2)) {
        slowdown_frac[cell] = task->both[0].frac;
        return;
    }
    ct_simulation_show_one(simulation);
    need_row(work, ct_simulation_row(simulation, task->members, 0));
    task->status = ct_simulation_make_program(
        simulation, ct_simulation_row(simulation, task->members, 1), NULL);
    work->n_tasks++;
}

static bool is_out_of_memory(const struct work *work)
{
    for (size_t i = 0; i < work->n_rows; i++)
        if (work->status[i] == CT_ENOMEM)
            return true;
    for (size_t i = 0; i < work->n_tasks; i++)
        if (work->tasks[i].status == CT_ENOMEM)
            return true;
    return false;
}

static void run_all(struct work *work)
{
    unsigned threads = work->simulation->threads;
    ct_parallel_run(work->n_rows, threads, run_row, work);
    if (!is_out_of_memory(work))
        ct_parallel_run(work->n_tasks, threads, run_task, work);
}

static void set_candidate(struct ct_simulation *simulation, const struct ct_port_queues *queues)
{
    const struct ct_port_queues *now = &simulation->setup.queues;
    if (queues->order != now->order || queues->ahead_bytes != now->ahead_bytes ||
        queues->burst_bytes != now->burst_bytes)
        forget_alone(simulation);
    simulation->setup.queues = *queues;
}

static enum ct_status simulate_cells(void *model, const struct ct_port_queues *queues,
                                     const bool *is_wanted, double *slowdown_frac,
                                     struct ct_error *err)
{
    struct ct_simulation *simulation = model;
    size_t n = simulation->fit.n_cells;
    struct work work = {.simulation = simulation,
                        .tasks = malloc((n + 1) * sizeof *work.tasks),
                        .rows = malloc((n + 1) * sizeof *work.rows),
                        .status = malloc((n + 1) * sizeof *work.status)};
    bool has_room = work.tasks && work.rows && work.status;
    set_candidate(simulation, queues);
    for (size_t c = 0; c < n && has_room; c++)
        if (is_wanted[c])
            add_task(&work, c, slowdown_frac);
    if (has_room)
        run_all(&work);
    bool failed = !has_room || is_out_of_memory(&work);
    for (size_t i = 0; i < work.n_tasks && !failed; i++) {
        const struct task *task = &work.tasks[i];
        slowdown_frac[task->cell] = task->both[0].frac;
        if (task->has_key)
            ct_simulation_store_add(simulation->setup.store, task->key, task->both, 2);
    }
    free(work.tasks);
    free(work.rows);
    free(work.status);
    return failed ? ct_no_memory(err, "simulation") : CT_OK;
}

/* ---- the fit ---- */

struct ct_port_queues ct_simulation_unfitted_queues(const struct ct_queues_known *known)
{
    return (struct ct_port_queues){.order = known->order,
                                   .packet_bytes = ct_simulation_frame_bytes(),
                                   .ahead_bytes =
                                       known->has_ahead ? known->ahead_bytes : 0, /* no window */
                                   .burst_bytes = known->burst_bytes};
}

enum ct_status ct_simulation_fit_once(struct ct_simulation *simulation, struct ct_error *err)
{
    if (!simulation->fit.cells || simulation->fit.is_made)
        return CT_OK;
    const struct ct_port_queues unfitted = ct_simulation_unfitted_queues(&simulation->setup.known);
    const struct ct_queues_fit_setup setup = {
        .cells = simulation->fit.cells,
        .n_cells = simulation->fit.n_cells,
        .slowdowns = simulate_cells,
        .model = simulation,
        .known = simulation->setup.known,
        .unfitted_ahead_bytes = unfitted.ahead_bytes,
        .packet_bytes = unfitted.packet_bytes,
        .n_packets_max = (size_t)ct_simulate_constant(CT_SIMULATE_AHEAD_PACKETS_MAX)};
    uint64_t work_max = simulation->setup.work_max;
    simulation->fit.memos = calloc(simulation->fit.n_cells + 1, sizeof *simulation->fit.memos);
    if (!simulation->fit.memos)
        return ct_no_memory(err, "simulation");
    simulation->setup.work_max = (uint64_t)ct_simulate_constant(CT_SIMULATE_FIT_WORK);
    simulation->fit.is_running = true;
    enum ct_status status = ct_queues_fit(&setup, &simulation->fit.result, err);
    simulation->fit.is_running = false;
    for (size_t i = 0; i < simulation->fit.n_cells; i++)
        ct_simulation_forget(&simulation->fit.memos[i]);
    free(simulation->fit.memos);
    simulation->fit.memos = NULL;
    simulation->setup.work_max = work_max;
    simulation->progress.n_simulated = 0;
    simulation->progress.start_s = ct_clock_now_s();
    forget_alone(simulation);
    if (status != CT_OK)
        return status;
    simulation->setup.queues = simulation->fit.result.queues;
    simulation->fit.is_made = true;
    return CT_OK;
}
