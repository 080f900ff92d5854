#include "core/clock.h"
#include "core/parallel.h"
#include "results/fingerprint.h"
#include "simulate/constants.h"
#include "simulate/joint/interference.h"
#include "simulate/joint/network_runs.h"
#include "simulate/joint/simulation_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Nobody asks how much a configuration is slowed, which comes last. */
static bool is_beside_config(const struct ct_simulation *simulation, const size_t *members,
                             size_t n)
{
    return members[n - 1] >= simulation->setup.n_apps;
}

/* Of n members, how many are asked how much they are slowed: what is beside a configuration, which
 * is the last one, and not the configuration; else all. */
static size_t count_slowed(const struct ct_simulation *simulation, const size_t *members, size_t n)
{
    return is_beside_config(simulation, members, n) ? 1 : n;
}

size_t ct_simulation_row(const struct ct_simulation *simulation, const size_t *members, size_t i)
{
    bool is_beside = simulation->setup.background && i > 0;
    return members[i] + (is_beside ? simulation->n_loads : 0);
}

static uint32_t most_nodes(const struct ct_simulation *simulation)
{
    uint32_t most = 0;
    for (size_t app = 0; app < simulation->setup.n_apps; app++)
        if (simulation->rows[app].program && simulation->rows[app].program->n_nodes > most)
            most = simulation->rows[app].program->n_nodes;
    return most;
}

static enum ct_status make_config(struct ct_simulation *simulation, size_t row,
                                  struct ct_error *err)
{
    struct ct_simulate_place place = ct_simulate_blocks(1);
    uint32_t n_nodes = most_nodes(simulation);
    if (simulation->setup.background) {
        place.nodes = simulation->setup.background->nodes;
        place.n_nodes = n_nodes = simulation->setup.background->n;
    }
    struct ct_goal goal;
    const struct ct_config *config = simulation->rows[row % simulation->n_loads].config;
    CT_TRY(ct_interference_schedule(config, n_nodes, ct_simulate_count(CT_SIMULATE_ROUNDS), &goal,
                                    err));
    enum ct_status status =
        ct_simulation_program_new(&goal, &place, &simulation->rows[row].own, err);
    simulation->rows[row].program = simulation->rows[row].own;
    ct_goal_free(&goal);
    return status;
}

/* An application without a schedule has none afterwards, either. */
enum ct_status ct_simulation_make_program(struct ct_simulation *simulation, size_t row,
                                          struct ct_error *err)
{
    bool is_config = row % simulation->n_loads >= simulation->setup.n_apps;
    return is_config && !simulation->rows[row].program ? make_config(simulation, row, err) : CT_OK;
}

static struct ct_simulation_packets setup_of(const struct ct_simulation *simulation, size_t passes)
{
    return (struct ct_simulation_packets){.costs = simulation->setup.costs,
                                          .net = simulation->setup.net,
                                          .queues = simulation->setup.queues,
                                          .passes = passes,
                                          .work_max = simulation->setup.work_max};
}

/* A pass begins when all messages of the one before are there, so passes alone are alike. */
enum ct_status ct_simulation_know_alone(struct ct_simulation *simulation, size_t row,
                                        struct ct_error *err)
{
    static const double at_once = 0;
    const struct ct_simulation_packets setup = setup_of(simulation, 1);
    struct ct_network_use use = {.is_known = false};
    if (simulation->rows[row].alone_ns != 0)
        return CT_OK;
    struct ct_simulation_memo *memo = &simulation->rows[row].memo;
    if (ct_simulation_recall(memo, &simulation->setup.queues, &simulation->rows[row].alone_ns, 1))
        return CT_OK;
    simulation->rows[row].alone_ns = NAN;
    enum ct_status status = ct_simulation_make_program(simulation, row, err);
    if (status != CT_OK || !simulation->rows[row].program)
        return status;
    const struct ct_simulation_program *program = simulation->rows[row].program;
    double alone_ns;
    CT_TRY(ct_simulation_run_packets(&setup, &program, 1, &at_once, &alone_ns, &use, err));
    simulation->rows[row].alone_ns = alone_ns;
    return ct_simulation_remember(memo, &simulation->setup.queues, &use, &alone_ns, 1, err);
}

/* ---- progress ---- */

void ct_simulation_show(struct ct_simulation *simulation, struct ct_log *log)
{
    if (!simulation)
        return;
    if (!log && simulation->progress.log)
        ct_log_progress_end(simulation->progress.log);
    simulation->progress.log = log;
    simulation->progress.start_s = ct_clock_now_s();
    simulation->progress.n_simulated = 0;
}

/* As many simulations as there are pairs are foreseen; how many groups follow is not known. */
void ct_simulation_show_one(struct ct_simulation *simulation)
{
    static const double patience_s = 3;
    double passed_s = ct_clock_now_s() - simulation->progress.start_s,
           done = (double)simulation->progress.n_simulated++;
    double n = (double)simulation->setup.n_apps, foreseen = n * (n + 1) / 2;
    char what[64];
    if (!simulation->progress.log || passed_s < patience_s)
        return;
    snprintf(what, sizeof what,
             simulation->fit.is_running ? "%.0f simulations to fit queues"
                                        : "%.0f co-runs simulated",
             done);
    if (done < foreseen && !simulation->fit.is_running)
        ct_log_progress(simulation->progress.log, done, foreseen,
                        passed_s / fmax(done, 1) * (foreseen - done), what);
    else
        ct_log_progress(simulation->progress.log, done, 0, NAN, what);
}

/* Simulations of a group, and passes of each member in each. */
static size_t starts_of(const struct ct_simulation *simulation, const size_t *members, size_t n)
{
    return is_beside_config(simulation, members, n) ? 1 : ct_simulate_count(CT_SIMULATE_STARTS);
}

static size_t passes_of(const struct ct_simulation *simulation, const size_t *members, size_t n)
{
    return is_beside_config(simulation, members, n) ? 1 : ct_simulate_count(CT_SIMULATE_PASSES);
}

/* The same members, begun at different times. */
struct starts {
    const struct ct_simulation *simulation;
    const size_t *members;
    const struct ct_simulation_program *const *programs;
    size_t n, n_slowed;
    struct ct_simulation_packets setup;
    double *pass_ns;             /* [start * n + member] */
    enum ct_status *status;      /* [start] */
    struct ct_error *errs;       /* [start] */
    struct ct_network_use *uses; /* [start] */
    struct ct_network_use use;   /* of the first one */
};

/* When a member begins, in a run: spread evenly over its time, differently for each. What is beside
 * a configuration begins after it, so that its first pass counts: only those count that begin when
 * all run. */
static double begin_ns(const struct starts *starts, size_t i, size_t start)
{
    const struct ct_simulation *simulation = starts->simulation;
    bool is_first = i == 0, begins_last = starts->n_slowed < starts->n;
    if (is_first != begins_last)
        return 0;
    return ct_network_begin_frac(is_first ? 1 : i, start) *
           simulation->rows[ct_simulation_row(simulation, starts->members, i)].alone_ns;
}

static void run_start(void *work, size_t start)
{
    const struct starts *starts = work;
    double begin[CT_SIMULATE_JOBS_MAX];
    for (size_t i = 0; i < starts->n; i++)
        begin[i] = begin_ns(starts, i, start);
    starts->status[start] = ct_simulation_run_packets(&starts->setup, starts->programs, starts->n,
                                                      begin, starts->pass_ns + start * starts->n,
                                                      &starts->uses[start], &starts->errs[start]);
}

/* Standard deviation of a member's slowdown between starts. */
static double find_spread(const struct starts *starts, size_t i, size_t n_starts, double alone_ns)
{
    double mean = 0, sum = 0;
    for (size_t start = 0; start < n_starts; start++)
        mean += starts->pass_ns[start * starts->n + i] / alone_ns / (double)n_starts;
    for (size_t start = 0; start < n_starts; start++)
        sum += pow(starts->pass_ns[start * starts->n + i] / alone_ns - mean, 2);
    return sqrt(sum / (double)(n_starts - 1));
}

/* In several threads; what they found is added up in order. */
static enum ct_status run_starts(const struct ct_simulation *simulation, struct starts *starts,
                                 size_t n_starts, const double *alone_ns,
                                 struct ct_joint_slowdown *slowdown, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    starts->pass_ns = malloc((n_starts * starts->n + 1) * sizeof *starts->pass_ns);
    starts->status = malloc((n_starts + 1) * sizeof *starts->status);
    starts->errs = malloc((n_starts + 1) * sizeof *starts->errs);
    starts->uses = calloc(n_starts + 1, sizeof *starts->uses);
    if (starts->pass_ns && starts->status && starts->errs && starts->uses) {
        ct_parallel_run(n_starts, simulation->threads, run_start, starts);
        for (size_t start = 0; start < n_starts && status == CT_OK; start++) {
            status = starts->status[start];
            if (status != CT_OK && err)
                *err = starts->errs[start];
            for (size_t i = 0; i < starts->n_slowed && status == CT_OK; i++)
                slowdown[i].frac +=
                    (starts->pass_ns[start * starts->n + i] / alone_ns[i] - 1) / (double)n_starts;
        }
        for (size_t i = 0; i < starts->n_slowed && status == CT_OK && n_starts > 1; i++)
            slowdown[i].spread_frac = find_spread(starts, i, n_starts, alone_ns[i]);
        starts->use = starts->uses[0];
    } else {
        status = ct_no_memory(err, "simulation");
    }
    free(starts->pass_ns);
    free(starts->status);
    free(starts->errs);
    free(starts->uses);
    return status;
}

enum ct_status ct_simulation_run_together(const struct ct_simulation *simulation,
                                          const size_t *members, size_t n,
                                          struct ct_joint_slowdown *slowdown,
                                          struct ct_network_use *use_p, struct ct_error *err)
{
    const struct ct_simulation_program *programs[CT_SIMULATE_JOBS_MAX];
    double alone_ns[CT_SIMULATE_JOBS_MAX] = {0};
    size_t n_slowed = count_slowed(simulation, members, n);
    bool known = true;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n; i++) {
        size_t row = ct_simulation_row(simulation, members, i);
        programs[i] = simulation->rows[row].program;
        alone_ns[i] = simulation->rows[row].alone_ns;
        known = known && programs[i] && !(i < n_slowed && isnan(alone_ns[i]));
        slowdown[i] = (struct ct_joint_slowdown){i < n_slowed ? 0 : NAN, NAN};
    }
    struct starts starts = {.simulation = simulation,
                            .members = members,
                            .programs = programs,
                            .n = n,
                            .n_slowed = n_slowed,
                            .setup = setup_of(simulation, passes_of(simulation, members, n))};
    if (known)
        status = run_starts(simulation, &starts, starts_of(simulation, members, n), alone_ns,
                            slowdown, err);
    for (size_t i = 0; i < n && !(known && status == CT_OK); i++)
        slowdown[i] = (struct ct_joint_slowdown){NAN, NAN};
    if (use_p)
        *use_p = starts.use;
    return status;
}

/* As ct_simulation_run_together(), which needs what is made here: programs and times alone. */
static enum ct_status simulate_members(struct ct_simulation *simulation, const size_t *members,
                                       size_t n, struct ct_joint_slowdown *slowdown,
                                       struct ct_error *err)
{
    ct_simulation_show_one(simulation);
    for (size_t i = 0; i < n; i++)
        slowdown[i] = (struct ct_joint_slowdown){NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        size_t row = ct_simulation_row(simulation, members, i);
        CT_TRY(i < count_slowed(simulation, members, n)
                   ? ct_simulation_know_alone(simulation, row, err)
                   : ct_simulation_make_program(simulation, row, err));
    }
    return ct_simulation_run_together(simulation, members, n, slowdown, NULL, err);
}

/* ---- what was simulated before ---- */

/* What the setup has of the model and the network. */
static void add_network(const struct ct_simulation_packets *setup, struct ct_fingerprint *all)
{
    const struct ct_simulation_costs *costs = &setup->costs;
    const struct ct_overheads *overheads = costs->overheads;
    const struct ct_simulate_network_setup network = ct_simulation_packet_network(setup, 0);
    const double numbers[] = {network.injection_ns_per_byte,
                              network.latency_ns,
                              network.packet_bytes,
                              network.buffer_bytes,
                              network.packet_header_bytes,
                              network.message_header_bytes,
                              network.ack_bytes,
                              overheads ? 0 : costs->at.o_ns,
                              (double)costs->S_bytes};
    ct_fingerprint_add(all, numbers, sizeof numbers);
    const struct ct_path_latencies *paths = &network.by_switches;
    if (paths->n > 1) { /* without, keys are those of before */
        ct_fingerprint_add(all, paths->switches, paths->n * sizeof *paths->switches);
        ct_fingerprint_add(all, paths->beyond_ns, paths->n * sizeof *paths->beyond_ns);
    }
    if (costs->back_frac > 0) /* likewise */
        ct_fingerprint_add(all, &costs->back_frac, sizeof costs->back_frac);
    if (costs->g_ns > 0) /* likewise */
        ct_fingerprint_add(all, &costs->g_ns, sizeof costs->g_ns);
    const struct ct_gaps *gaps = costs->gaps;
    for (size_t i = 0; gaps && i < gaps->n; i++) {
        const double size[] = {(double)gaps->sizes[i].bytes, gaps->sizes[i].wire_s,
                               gaps->sizes[i].late_frac};
        ct_fingerprint_add(all, size, sizeof size);
    }
    if (overheads)
        ct_fingerprint_add(all, overheads->sizes, overheads->n * sizeof *overheads->sizes);
}

/* The topology itself: a file may change, and keep its name. */
static void add_topology(const struct ct_simulation_net *net, struct ct_fingerprint *all)
{
    const struct ct_topology *topology = net->topology;
    const uint64_t whole[] = {topology->n_nodes, topology->n_switches, topology->n_links,
                              net->n_nodes};
    ct_fingerprint_add(all, whole, sizeof whole);
    ct_fingerprint_add(all, net->nodes, net->n_nodes * sizeof *net->nodes);
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        const uint32_t ends[] = {link->end[0], link->end[1]};
        ct_fingerprint_add(all, ends, sizeof ends);
        ct_fingerprint_add(all, &link->rate_bit_per_s, sizeof link->rate_bit_per_s);
    }
}

bool ct_simulation_key(struct ct_simulation *simulation, const size_t *members, size_t n,
                       uint64_t key[2])
{
    if (!simulation->setup.store)
        return false;
    bool known = true;
    const struct ct_simulation_packets setup =
        setup_of(simulation, passes_of(simulation, members, n));
    const struct ct_port_queues *queues = &setup.queues;
    const double numbers[] = {queues->packet_bytes, queues->ahead_bytes, queues->burst_bytes};
    const uint64_t whole[] = {n, setup.passes, setup.work_max, queues->order,
                              starts_of(simulation, members, n)};
    struct ct_fingerprint *all = ct_fingerprint_new();
    if (!all)
        return false;
    ct_fingerprint_add(all, numbers, sizeof numbers);
    ct_fingerprint_add(all, whole, sizeof whole);
    if (setup.net.topology)
        add_topology(&setup.net, all);
    add_network(&setup, all);
    for (size_t i = 0; i < n && known; i++) {
        size_t row = ct_simulation_row(simulation, members, i);
        known = ct_simulation_make_program(simulation, row, NULL) == CT_OK &&
                simulation->rows[row].program != NULL;
        if (known)
            ct_simulation_program_add(simulation->rows[row].program, all);
    }
    ct_fingerprint_end(all, key);
    return known;
}

enum ct_status ct_simulation_find(struct ct_simulation *simulation, const size_t *members, size_t n,
                                  struct ct_joint_slowdown *slowdown, struct ct_error *err)
{
    uint64_t key[2];
    bool has_key = ct_simulation_key(simulation, members, n, key);
    if (has_key && ct_simulation_store_find(simulation->setup.store, key, slowdown, n))
        return CT_OK;
    enum ct_status status = simulate_members(simulation, members, n, slowdown, err);
    if (status == CT_ENOMEM)
        return status;
    if (has_key)
        ct_simulation_store_add(simulation->setup.store, key, slowdown, n);
    return CT_OK;
}
