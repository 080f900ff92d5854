#include "simulate/replay.h"

#include <math.h>
#include <stdlib.h>

/* An edge into a vertex, or the way from a vertex to the end of its operation. Messages go over the
 * network one after the other, each with an overhead before it. */
struct step {
    uint32_t source;
    uint8_t n_messages; /* that meet the network: 0..2; 0 with bytes: these only */
    bool data_is_last;  /* the bytes go after the last overhead, not with the last message */
    double before_ns;   /* until the first message is sent, or the whole where there is none */
    double between_ns;  /* from one message's arrival to the next one's start */
    double after_ns;    /* what is left after the last message: overhead */
    double bytes;
};

struct ct_replay {
    uint32_t n_vertices;
    uint32_t *first_step; /* n_vertices + 1: edges into a vertex */
    struct step *steps;
    struct step *ends; /* n_ends: source is the vertex */
    size_t n_ends;
    double L_ns, G_ns_per_byte;
};

/* ---- making it ---- */

/* Each message follows an overhead of its own, and one more receives the last, but where the edge
 * ends at its arrival. */
static struct step make_step(const struct ct_loggps *at, const struct ct_cost *cost,
                             uint32_t source, enum ct_edge_kind kind, uint32_t ranks_per_node)
{
    bool is_near = cost->from / ranks_per_node == cost->to / ranks_per_node;
    double all_ns = cost->overhead_ns + cost->o * at->o_ns;
    struct step step = {.source = source, .before_ns = cost->compute_ns + all_ns};
    if (cost->L > 0 && !is_near) {
        double overhead_ns = kind == CT_EDGE_MESSAGE ? all_ns : all_ns / (cost->L + 1);
        step.n_messages = (uint8_t)cost->L;
        step.before_ns = cost->compute_ns + overhead_ns;
        step.between_ns = overhead_ns;
        step.after_ns = kind == CT_EDGE_MESSAGE ? 0 : overhead_ns;
        step.bytes = cost->G;
        step.data_is_last = kind == CT_EDGE_SENT;
    } else if (cost->G > 0 && !is_near) { /* a message that keeps the NIC from the next one */
        step.bytes = cost->G;
        step.data_is_last = true;
    } else {
        step.before_ns += cost->L * at->L_ns + cost->G * at->G_ns_per_byte;
    }
    return step;
}

static void fill(const struct ct_graph *graph, const struct ct_loggps *at, uint32_t ranks_per_node,
                 struct ct_replay *replay)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        replay->first_step[v] = graph->first_edge[v];
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            uint32_t edge = graph->edges[e];
            struct ct_cost cost = ct_graph_edge_cost(graph, v, edge);
            replay->steps[e] =
                make_step(at, &cost, ct_edge_source(edge), ct_edge_kind(edge), ranks_per_node);
        }
        if (!(graph->what[v] & CT_VERTEX_FINAL))
            continue;
        struct ct_cost cost = ct_graph_finish_cost(graph, v);
        replay->ends[replay->n_ends++] = make_step(at, &cost, v, CT_EDGE_FINISH, ranks_per_node);
    }
    replay->first_step[graph->n_vertices] = graph->n_edges;
}

enum ct_status ct_replay_new(const struct ct_graph *graph, const struct ct_loggps *at,
                             uint32_t ranks_per_node, struct ct_replay **replay_p,
                             struct ct_error *err)
{
    if (ranks_per_node == 0)
        return ct_fail(err, CT_EINVAL, "replay: 0 ranks on a node; at least 1");
    struct ct_replay *replay = calloc(1, sizeof *replay);
    if (replay) {
        size_t n = graph->n_vertices;
        replay->n_vertices = graph->n_vertices;
        replay->L_ns = at->L_ns;
        replay->G_ns_per_byte = at->G_ns_per_byte;
        replay->first_step = malloc((n + 1) * sizeof *replay->first_step);
        replay->steps = malloc((graph->n_edges + (size_t)1) * sizeof *replay->steps);
        replay->ends = malloc((n + 1) * sizeof *replay->ends);
    }
    if (!replay || !replay->first_step || !replay->steps || !replay->ends) {
        ct_replay_free(replay);
        return ct_fail(err, CT_ENOMEM, "replay: out of memory");
    }
    fill(graph, at, ranks_per_node, replay);
    *replay_p = replay;
    return CT_OK;
}

void ct_replay_free(struct ct_replay *replay)
{
    if (!replay)
        return;
    free(replay->first_step);
    free(replay->steps);
    free(replay->ends);
    free(replay);
}

/* ---- one replay ---- */

static double gap_ns(const struct ct_replay *replay, const struct ct_replay_load *load,
                     const struct step *step, double delay_ns)
{
    return step->bytes * replay->G_ns_per_byte * (1 + fmax(0, delay_ns) / load->half_delay_ns);
}

/* When a step that begins at a time is done. */
static double take_step(const struct ct_replay *replay, const struct ct_replay_load *load,
                        const struct step *step, double time_ns)
{
    double delay_ns = 0;
    time_ns += step->before_ns;
    if (step->n_messages == 0 && step->bytes <= 0)
        return time_ns;
    for (uint8_t message = 0; message < step->n_messages; message++) {
        if (message > 0)
            time_ns += step->between_ns;
        delay_ns = ct_delay_at(load->delay, time_ns + load->offset_ns);
        time_ns += replay->L_ns + delay_ns;
    }
    time_ns += step->after_ns;
    if (step->data_is_last && step->bytes > 0)
        delay_ns = ct_delay_at(load->delay, time_ns + load->offset_ns);
    return time_ns + gap_ns(replay, load, step, delay_ns);
}

static double run(const struct ct_replay *replay, const struct ct_replay_load *load,
                  double *time_ns)
{
    double last_ns = 0;
    for (uint32_t v = 0; v < replay->n_vertices; v++) {
        double start_ns = 0;
        for (uint32_t e = replay->first_step[v]; e < replay->first_step[v + 1]; e++) {
            const struct step *step = &replay->steps[e];
            start_ns = fmax(start_ns, take_step(replay, load, step, time_ns[step->source]));
        }
        time_ns[v] = start_ns;
    }
    for (size_t i = 0; i < replay->n_ends; i++) {
        const struct step *step = &replay->ends[i];
        last_ns = fmax(last_ns, take_step(replay, load, step, time_ns[step->source]));
    }
    return last_ns;
}

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "replay: out of memory");
}

enum ct_status ct_replay_runtime(const struct ct_replay *replay, const struct ct_replay_load *load,
                                 double *runtime_ns_p, struct ct_error *err)
{
    double *time_ns = malloc((replay->n_vertices + (size_t)1) * sizeof *time_ns);
    if (!time_ns)
        return no_memory(err);
    *runtime_ns_p = run(replay, load, time_ns);
    free(time_ns);
    return CT_OK;
}
