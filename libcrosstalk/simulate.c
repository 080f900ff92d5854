/* Programs that share a network: what crosstalk simulate answers, with LogGPS. */
#include "libcrosstalk/network.h"
#include "libcrosstalk/parameters.h"
#include "libcrosstalk/schedule.h"
#include "simulate/constants.h"
#include "simulate/joint/network_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double s_per_ns = 1e-9;

void crosstalk_network_init(struct crosstalk_network *network_p)
{
    *network_p = (struct crosstalk_network){
        .wire_s = NAN, .switch_s = NAN, .L_node_s = 0, .G_node_s_per_byte = 0, .ranks_per_node = 1};
}

enum ct_status ct_facade_network_check(const struct crosstalk_network *network,
                                       struct ct_error *err)
{
    const struct {
        const char *name;
        double value;
    } times[] = {{"wire_s", network->wire_s},
                 {"switch_s", network->switch_s},
                 {"L_node_s", network->L_node_s},
                 {"G_node_s_per_byte", network->G_node_s_per_byte}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!isnan(times[i].value) && !(times[i].value >= 0 && times[i].value <= CT_MODEL_MAX_S))
            return ct_fail(err, CT_EINVAL, "%s: %g: not within 0 and %g s", times[i].name,
                           times[i].value, CT_MODEL_MAX_S);
    if (network->ranks_per_node == 0)
        return ct_fail(err, CT_EINVAL, "ranks_per_node: 0; at least 1");
    if (isnan(network->wire_s) != isnan(network->switch_s))
        return ct_fail(err, CT_EINVAL, "wire_s, switch_s: give both, or neither");
    if (!isnan(network->wire_s) && !network->topology)
        return ct_fail(err, CT_EINVAL, "wire_s, switch_s: of which topology?");
    return CT_OK;
}

/* What is simulated, and on what. */
struct subject {
    const struct crosstalk_program *programs;
    const struct crosstalk_network *network;
    size_t n;
    struct ct_parameters model;
    struct ct_simulate_places places;
    struct ct_engine_program *made[CT_SIMULATE_JOBS_MAX];
    struct ct_engine_job jobs[CT_SIMULATE_JOBS_MAX];
    uint32_t n_ranks[CT_SIMULATE_JOBS_MAX];
};

static uint32_t count_nodes(const struct subject *subject, size_t i)
{
    return (subject->n_ranks[i] - 1) / subject->network->ranks_per_node + 1;
}

static enum ct_status find_places(struct subject *subject, struct ct_error *err)
{
    const struct ct_topology *of = &subject->network->topology->of;
    struct ct_node_list lists[CT_SIMULATE_JOBS_MAX] = {{NULL, 0}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < subject->n && status == CT_OK; i++) {
        const char *hosts = subject->programs[i].hosts;
        status = hosts ? ct_simulate_places_named(of, hosts, strlen(hosts), &lists[i], err)
                       : ct_simulate_places_first(of, count_nodes(subject, i), &lists[i], err);
    }
    if (status == CT_OK)
        status = ct_simulate_places_new(of, lists, subject->n, &subject->places, err);
    for (size_t i = 0; i < subject->n; i++)
        free(lists[i].nodes);
    return status;
}

static enum ct_status make_jobs(struct subject *subject, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < subject->n; i++)
        subject->n_ranks[i] = subject->programs[i].schedule->goal.n_ranks;
    if (subject->network->topology)
        status = find_places(subject, err);
    for (size_t i = 0; i < subject->n && status == CT_OK; i++) {
        const struct crosstalk_schedule *schedule = subject->programs[i].schedule;
        status = ct_engine_program_new(&schedule->goal, &subject->made[i], err);
        if (status != CT_OK)
            return ct_fail_within(err, status, "%s", schedule->path);
        struct ct_simulate_place place = ct_simulate_blocks(subject->network->ranks_per_node);
        if (subject->network->topology) {
            place.nodes = subject->places.of[i].nodes;
            place.n_nodes = subject->places.of[i].n;
        }
        subject->jobs[i] = (struct ct_engine_job){.program = subject->made[i], .place = place};
    }
    return status;
}

static struct ct_simulate_network_setup network_of(const struct subject *subject)
{
    const struct crosstalk_network *given = subject->network;
    uint32_t most = 1;
    for (size_t i = 0; i < subject->n; i++)
        most = count_nodes(subject, i) > most ? count_nodes(subject, i) : most;
    return (struct ct_simulate_network_setup){
        .topology = given->topology ? &given->topology->of : NULL,
        .nodes = subject->places.used,
        .n_nodes = given->topology ? subject->places.n_used : most,
        .injection_ns_per_byte = ct_ns_from_s(subject->model.G_s_per_byte),
        .link_ns_per_byte = NAN,
        .latency_ns = isnan(given->wire_s) ? ct_ns_from_s(subject->model.L_s) : NAN,
        .wire_ns = ct_ns_from_s(given->wire_s),
        .switch_ns = ct_ns_from_s(given->switch_s),
        .by_switches = subject->model.paths,
        .packet_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET),
        .buffer_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_BUFFER)};
}

static void publish_run(const struct subject *subject, const struct ct_network_run *run,
                        const struct ct_rank_times *times, size_t i,
                        struct crosstalk_simulated *simulated_p)
{
    const struct ct_time_shares shares = ct_rank_times_sum(times, i);
    const double n = subject->n_ranks[i];
    *simulated_p = (struct crosstalk_simulated){
        .alone_s = run->alone_ns * s_per_ns,
        .slowdown_frac = run->alone_ns > 0 ? run->together_ns / run->alone_ns - 1 : 0,
        .no_network_s = run->no_network_ns / 1e9,
        .none_s = run->none_ns / 1e9,
        .compute_s = shares.part_ns[CT_TIME_COMPUTE] / 1e9 / n,
        .stack_s = shares.part_ns[CT_TIME_STACK] / 1e9 / n,
        .sync_s = shares.part_ns[CT_TIME_SYNC] / 1e9 / n,
        .network_s = shares.part_ns[CT_TIME_NETWORK] / 1e9 / n};
    simulated_p->runtime_s = simulated_p->alone_s * (1 + simulated_p->slowdown_frac);
}

static enum ct_status run_programs(const struct subject *subject, unsigned threads,
                                   struct crosstalk_simulated *simulated_p, struct ct_error *err)
{
    const struct ct_parameters *model = &subject->model;
    const struct ct_loggps at = ct_parameters_at(model, model->L_s);
    struct ct_stack stack = ct_stack_loggps(&at, model->S_bytes, ct_parameters_overheads(model));
    stack.gaps = ct_parameters_gaps(model);
    const struct ct_network_runs_setup setup = {
        .kind = CT_NETWORK_PACKET,
        .network = network_of(subject),
        .stack = &stack,
        .work_max = (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX_ALONE),
        .has_gains = true,
        .threads = threads};
    struct ct_network_run runs[CT_SIMULATE_JOBS_MAX];
    struct ct_rank_times *times;
    CT_TRY(ct_network_runs(subject->jobs, subject->n_ranks, subject->n, &setup, runs, &times, NULL,
                           err));
    for (size_t i = 0; i < subject->n; i++)
        publish_run(subject, &runs[i], times, i, &simulated_p[i]);
    ct_rank_times_free(times);
    return CT_OK;
}

/* Beside an L that was measured on one path, which these would be added to. */
static enum ct_status refuse_link_latencies(const struct crosstalk_topology *topology,
                                            struct ct_error *err)
{
    for (uint32_t i = 0; topology && i < topology->of.n_links; i++)
        if (!isnan(topology->of.links[i].latency_s))
            return ct_fail(err, CT_EUNSUPPORTED,
                           "%s: its links have latencies, which only the command crosstalk "
                           "simulate takes",
                           topology->of.name);
    return CT_OK;
}

enum crosstalk_status crosstalk_simulate(const struct crosstalk_program *programs, size_t n,
                                         const struct crosstalk_parameters *parameters,
                                         const struct crosstalk_network *network,
                                         struct crosstalk_simulated *simulated_p,
                                         struct crosstalk_error *error)
{
    struct ct_error err;
    struct subject subject = {.programs = programs, .network = network, .n = n};
    enum ct_status status =
        n >= 1 && n <= CT_SIMULATE_JOBS_MAX
            ? ct_facade_network_check(network, &err)
            : ct_fail(&err, CT_EINVAL, "%zu programs: not 1 to %d", n, CT_SIMULATE_JOBS_MAX);
    if (status == CT_OK)
        status = refuse_link_latencies(network->topology, &err);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    ct_facade_enter_gsl();
    status = ct_facade_parameters(parameters, true, &subject.model, &err);
    if (status == CT_OK) {
        status = make_jobs(&subject, &err);
        if (status == CT_OK)
            status = run_programs(&subject, parameters->threads, simulated_p, &err);
        ct_parameters_free(&subject.model);
    }
    ct_facade_leave_gsl();
    for (size_t i = 0; i < n; i++)
        ct_engine_program_free(subject.made[i]);
    ct_simulate_places_free(&subject.places);
    return ct_facade_return(status, &err, error);
}
