#include "simulate/simulate.h"

#include "core/array.h"
#include "core/lesser.h"
#include "simulate/constants.h"
#include "simulate/program.h"

#include <math.h>
#include <stdlib.h>

/* A pass that begins, or a leg of a vertex that leaves at a time or is under way. */
struct event {
    double at_ns;
    uint32_t job, vertex;
    uint32_t next; /* free one */
    uint8_t leg;   /* CT_SIMULATE_NO_LEG: a pass */
};

/* A program that runs. */
struct job {
    const struct ct_simulate_program *program;
    double *time_ns;    /* [vertex]: latest of what it waited for */
    uint32_t *waits;    /* [vertex]: what it still waits for */
    uint32_t n_reached; /* vertices, with the last of their legs */
    double begin_ns, end_ns;
    double sum_ns; /* of passes that count */
    size_t n_passes;
};

struct simulation {
    struct job *jobs;
    size_t n_jobs;
    struct ct_links *links;
    struct event *events;
    uint32_t room, free_event;
    uint32_t *heap; /* of events to come, the first one on top */
    uint32_t n_heap;
    uint32_t *stack; /* vertices of a job that are reached */
    uint32_t n_stack;
    double all_run_ns;
    double *passed_bytes; /* [link]: until then; NULL: not asked for */
    bool counts_passed;   /* from then on */
    uint64_t work;
    struct ct_error *err;
};

static const uint32_t none = UINT32_MAX;

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
}

/* ---- events to come ---- */

static bool make_room(struct simulation *sim)
{
    uint32_t room = sim->room > 0 ? 2 * sim->room : 256;
    if (!CT_ARRAY_RESIZE(sim->events, room) || !CT_ARRAY_RESIZE(sim->heap, room))
        return false;
    for (uint32_t i = room; i-- > sim->room;) {
        sim->events[i].next = sim->free_event;
        sim->free_event = i;
    }
    sim->room = room;
    return true;
}

static bool is_before(const struct simulation *sim, uint32_t a, uint32_t b)
{
    return sim->events[a].at_ns < sim->events[b].at_ns;
}

static void push_heap(struct simulation *sim, uint32_t event)
{
    uint32_t at = sim->n_heap++;
    for (; at > 0 && is_before(sim, event, sim->heap[(at - 1) / 2]); at = (at - 1) / 2)
        sim->heap[at] = sim->heap[(at - 1) / 2];
    sim->heap[at] = event;
}

static uint32_t pop_heap(struct simulation *sim)
{
    uint32_t top = sim->heap[0], last = sim->heap[--sim->n_heap], at = 0;
    for (uint32_t child; (child = 2 * at + 1) < sim->n_heap; at = child) {
        if (child + 1 < sim->n_heap && is_before(sim, sim->heap[child + 1], sim->heap[child]))
            child++;
        if (!is_before(sim, sim->heap[child], last))
            break;
        sim->heap[at] = sim->heap[child];
    }
    sim->heap[at] = last;
    return top;
}

static enum ct_status add_event(struct simulation *sim, struct event event)
{
    if (sim->free_event == none && !make_room(sim))
        return no_memory(sim->err);
    uint32_t at = sim->free_event;
    sim->free_event = sim->events[at].next;
    sim->events[at] = event;
    push_heap(sim, at);
    return CT_OK;
}

/* ---- vertices ---- */

static void arrive(struct simulation *sim, struct job *job, uint32_t v, double at_ns)
{
    job->time_ns[v] = ct_greater(job->time_ns[v], at_ns);
    if (--job->waits[v] == 0)
        sim->stack[sim->n_stack++] = v;
}

/* Whatever follows a leg of a vertex, or its being reached; ways of edges and its own end. */
static void follow(struct simulation *sim, struct job *job, uint32_t v, uint8_t leg, double at_ns)
{
    const struct ct_simulate_program *program = job->program;
    const struct ct_simulate_vertex *vertex = &program->vertices[v];
    if (vertex->is_final && vertex->end.leg == leg)
        job->end_ns = ct_greater(job->end_ns, at_ns + vertex->end.after_ns);
    for (uint32_t e = vertex->first_edge; e < vertex[1].first_edge; e++) {
        const struct ct_simulate_edge *edge = &program->edges[e];
        if (edge->when.leg == leg)
            arrive(sim, job, edge->target, at_ns + edge->when.after_ns);
    }
}

/* The next leg of a vertex leaves, or it has none: it is done with. */
static enum ct_status begin_leg(struct simulation *sim, struct job *job, uint32_t v, uint32_t leg,
                                double at_ns)
{
    const struct ct_simulate_vertex *vertex = &job->program->vertices[v];
    uint32_t i = vertex->first_leg + leg;
    if (i == vertex[1].first_leg) {
        job->n_reached++;
        return CT_OK;
    }
    return add_event(sim, (struct event){.at_ns = at_ns + job->program->legs[i].before_ns,
                                         .job = (uint32_t)(job - sim->jobs),
                                         .vertex = v,
                                         .leg = (uint8_t)leg});
}

static enum ct_status reach(struct simulation *sim, struct job *job, uint32_t v)
{
    enum ct_status status = begin_leg(sim, job, v, 0, job->time_ns[v]);
    if (status == CT_OK)
        follow(sim, job, v, CT_SIMULATE_NO_LEG, job->time_ns[v]);
    return status;
}

/* All that can be told without the network; where this ends the pass, the next one follows. */
static enum ct_status go_on(struct simulation *sim, struct job *job)
{
    enum ct_status status = CT_OK;
    while (sim->n_stack > 0 && status == CT_OK)
        status = reach(sim, job, sim->stack[--sim->n_stack]);
    if (status != CT_OK || job->n_reached < job->program->n_vertices)
        return status;
    double pass_ns = job->end_ns - job->begin_ns;
    if (!(pass_ns > 0))
        return ct_fail(sim->err, CT_EINVAL, "simulation: a program that takes no time");
    if (job->begin_ns >= sim->all_run_ns) {
        job->sum_ns += pass_ns;
        job->n_passes++;
    }
    job->n_reached = 0;
    return add_event(sim, (struct event){.at_ns = job->end_ns,
                                         .job = (uint32_t)(job - sim->jobs),
                                         .leg = CT_SIMULATE_NO_LEG});
}

static enum ct_status begin_pass(struct simulation *sim, struct job *job, double at_ns)
{
    if (sim->passed_bytes && !sim->counts_passed && at_ns >= sim->all_run_ns) {
        ct_links_passed(sim->links, at_ns, sim->passed_bytes);
        sim->counts_passed = true;
    }
    const struct ct_simulate_program *program = job->program;
    job->begin_ns = job->end_ns = at_ns;
    job->n_reached = 0;
    sim->work += program->n_vertices;
    for (uint32_t v = 0; v < program->n_vertices; v++) {
        job->time_ns[v] = at_ns;
        job->waits[v] = program->vertices[v].n_waits;
        if (job->waits[v] == 0)
            sim->stack[sim->n_stack++] = v;
    }
    return go_on(sim, job);
}

/* ---- messages ---- */

static const struct ct_simulate_leg *leg_of(const struct job *job, const struct event *event)
{
    const struct ct_simulate_program *program = job->program;
    return &program->legs[program->vertices[event->vertex].first_leg + event->leg];
}

static enum ct_status leave(struct simulation *sim, uint32_t number)
{
    const struct event *event = &sim->events[number];
    const struct ct_simulate_leg *leg = leg_of(&sim->jobs[event->job], event);
    const struct ct_links_message message = {
        .from = leg->from, .to = leg->to, .job = event->job, .bytes = leg->bytes, .number = number};
    return ct_links_send(sim->links, event->at_ns, &message, sim->err);
}

static struct event take_event(struct simulation *sim, uint32_t number)
{
    struct event event = sim->events[number];
    sim->events[number].next = sim->free_event;
    sim->free_event = number;
    return event;
}

/* The last byte of a leg is on the link. */
static enum ct_status is_through(struct simulation *sim, uint32_t number, double at_ns)
{
    const struct event event = take_event(sim, number);
    struct job *job = &sim->jobs[event.job];
    follow(sim, job, event.vertex, event.leg, at_ns);
    enum ct_status status =
        begin_leg(sim, job, event.vertex, event.leg + 1U, at_ns + leg_of(job, &event)->L_ns);
    return status == CT_OK ? go_on(sim, job) : status;
}

/* ---- the whole ---- */

static bool is_over(const struct simulation *sim, size_t passes)
{
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].n_passes < passes)
            return false;
    return true;
}

static enum ct_status step(struct simulation *sim, uint64_t work_max)
{
    sim->work += 1 + (uint64_t)ct_links_n_busy(sim->links);
    if (sim->work > work_max)
        return ct_fail(
            sim->err, CT_EUNSUPPORTED,
            "simulation: too large: more than %llu events, counted for each busy pair of "
            "nodes",
            (unsigned long long)work_max);
    double until_ns = sim->n_heap > 0 ? sim->events[sim->heap[0]].at_ns : INFINITY;
    double through_ns = ct_links_next_before(sim->links, until_ns);
    uint32_t number;
    if (sim->n_heap == 0 && isinf(through_ns))
        return ct_fail(sim->err, CT_EINVAL, "simulation: a program that does not end");
    if (isfinite(through_ns))
        return ct_links_step(sim->links, &number) ? is_through(sim, number, through_ns) : CT_OK;
    number = pop_heap(sim);
    if (sim->events[number].leg != CT_SIMULATE_NO_LEG)
        return leave(sim, number);
    const struct event event = take_event(sim, number);
    return begin_pass(sim, &sim->jobs[event.job], event.at_ns);
}

static enum ct_status run(struct simulation *sim, const double *begin_ns,
                          const struct ct_simulate_setup *setup)
{
    enum ct_status status = CT_OK;
    for (uint32_t i = 0; i < sim->n_jobs && status == CT_OK; i++) {
        sim->all_run_ns = ct_greater(sim->all_run_ns, begin_ns[i]);
        status = add_event(
            sim, (struct event){.at_ns = begin_ns[i], .job = i, .leg = CT_SIMULATE_NO_LEG});
    }
    while (status == CT_OK && !is_over(sim, setup->passes))
        status = step(sim, setup->work_max);
    return status;
}

static enum ct_status make_jobs(struct simulation *sim,
                                const struct ct_simulate_program *const *programs)
{
    size_t most = 0;
    sim->jobs = calloc(sim->n_jobs + 1, sizeof *sim->jobs);
    if (!sim->jobs)
        return no_memory(sim->err);
    for (size_t i = 0; i < sim->n_jobs; i++) {
        size_t n = programs[i]->n_vertices;
        struct job *job = &sim->jobs[i];
        *job = (struct job){.program = programs[i],
                            .time_ns = malloc((n + 1) * sizeof *job->time_ns),
                            .waits = malloc((n + 1) * sizeof *job->waits)};
        if (!job->time_ns || !job->waits)
            return no_memory(sim->err);
        most = n > most ? n : most;
    }
    sim->stack = malloc((most + 1) * sizeof *sim->stack);
    return sim->stack ? CT_OK : no_memory(sim->err);
}

static enum ct_status check_nodes(const struct simulation *sim,
                                  const struct ct_simulate_paths *paths)
{
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].program->n_nodes > paths->n_nodes)
            return ct_fail(sim->err, CT_EINVAL, "simulation: %u nodes, of which the network has %u",
                           sim->jobs[i].program->n_nodes, paths->n_nodes);
    return CT_OK;
}

static enum ct_status make_switch(const struct simulation *sim, double ns_per_byte,
                                  struct ct_simulate_paths *paths_p)
{
    uint32_t n_nodes = 1;
    for (size_t i = 0; i < sim->n_jobs; i++)
        if (sim->jobs[i].program->n_nodes > n_nodes)
            n_nodes = sim->jobs[i].program->n_nodes;
    return ct_simulate_paths_of_switch(n_nodes, ns_per_byte, paths_p, sim->err);
}

/* From the time when all programs ran to the next event. */
static void find_busy(const struct simulation *sim, const struct ct_simulate_paths *paths,
                      double *busy_frac)
{
    double until_ns = ct_lesser(sim->events[sim->heap[0]].at_ns, ct_links_next_ns(sim->links));
    ct_links_passed(sim->links, until_ns, busy_frac);
    for (uint32_t i = 0; i < paths->n_links; i++)
        busy_frac[i] = (busy_frac[i] - sim->passed_bytes[i]) * paths->ns_per_byte[i] /
                       (until_ns - sim->all_run_ns);
}

struct ct_links_queues ct_simulate_plain_queues(void)
{
    double packet_bytes = ct_simulate_constant(CT_SIMULATE_PACKET_BYTES);
    return (struct ct_links_queues){
        .order = CT_LINKS_ROUND_ROBIN, .packet_bytes = packet_bytes, .ahead_bytes = packet_bytes};
}

struct ct_simulate_setup ct_simulate_usual(double ns_per_byte)
{
    return (struct ct_simulate_setup){.ns_per_byte = ns_per_byte,
                                      .queues = ct_simulate_plain_queues(),
                                      .passes = 1,
                                      .work_max =
                                          (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX)};
}

static enum ct_status simulate(struct simulation *sim, const struct ct_simulate_paths *paths,
                               const double *begin_ns, const struct ct_simulate_setup *setup,
                               struct ct_simulate_observed *observed)
{
    const struct ct_links_setup links = {.paths = paths,
                                         .n_jobs = (uint32_t)sim->n_jobs,
                                         .queues = setup->queues,
                                         .frames = setup->frames};
    double *busy_frac = observed ? observed->busy_frac : NULL;
    enum ct_status status = ct_links_new(&links, &sim->links, sim->err);
    if (status == CT_OK && busy_frac) {
        sim->passed_bytes = malloc((paths->n_links + (size_t)1) * sizeof *sim->passed_bytes);
        if (!sim->passed_bytes)
            status = no_memory(sim->err);
    }
    if (status == CT_OK)
        status = run(sim, begin_ns, setup);
    if (status == CT_OK && busy_frac)
        find_busy(sim, paths, busy_frac);
    if (status == CT_OK && observed)
        observed->use = (struct ct_network_use){.is_known = true,
                                                .has_chosen = true,
                                                .under_way_most = ct_links_ahead_least(sim->links)};
    return status;
}

enum ct_status ct_simulate_run(const struct ct_simulate_program *const *programs, size_t n,
                               const double *begin_ns, const struct ct_simulate_setup *setup,
                               double *mean_pass_ns, struct ct_simulate_observed *observed,
                               struct ct_error *err)
{
    if (n == 0 || setup->passes == 0)
        return ct_fail(err, CT_EINVAL, "simulation: %zu programs, %zu passes; at least 1", n,
                       setup->passes);
    struct simulation sim = {.n_jobs = n, .free_event = none, .err = err};
    struct ct_simulate_paths one_switch = {0};
    const struct ct_simulate_paths *paths = setup->paths ? setup->paths : &one_switch;
    enum ct_status status = make_jobs(&sim, programs);
    if (status == CT_OK)
        status = setup->paths ? check_nodes(&sim, paths)
                              : make_switch(&sim, setup->ns_per_byte, &one_switch);
    if (status == CT_OK)
        status = simulate(&sim, paths, begin_ns, setup, observed);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        mean_pass_ns[i] = sim.jobs[i].sum_ns / (double)sim.jobs[i].n_passes;
    for (size_t i = 0; sim.jobs && i < n; i++) {
        free(sim.jobs[i].time_ns);
        free(sim.jobs[i].waits);
    }
    free(sim.jobs);
    free(sim.events);
    free(sim.heap);
    free(sim.stack);
    free(sim.passed_bytes);
    ct_links_free(sim.links);
    ct_simulate_paths_free(&one_switch);
    return status;
}
