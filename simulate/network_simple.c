/* Networks without contention between nodes: alpha-beta, and none. */
#include "core/array.h"
#include "core/lesser.h"
#include "simulate/event_queue.h"
#include "simulate/network_kinds.h"
#include "simulate/routes.h"

#include <math.h>
#include <stdlib.h>

/* ---- alpha-beta ---- */

/* Queues of events: where nodes are idle, heads arrive in the order of their sends, and messages of
 * one size end in that order, too. */
enum { HEADS, ENDS };

/* Two bits of an event of the queue, below the number of the transfer. */
enum { HEAD, LEFT, THERE, WHAT_BITS = 2 };
static const uint32_t what_mask = 3;

/* A transfer under way. */
struct flight {
    double lasts_ns; /* its bytes at one point */
    uint32_t to;
};

struct alpha_beta {
    struct ct_routes *routes; /* NULL: all pairs have the alpha and beta below */
    double alpha_ns, beta_ns_per_byte;
    double *leaves_ns;      /* [node]: when the last byte so far has left it */
    double *enters_ns;      /* [node]: when the last byte so far has entered it */
    struct flight *flights; /* [number] */
    uint32_t n_flights;     /* room */
    struct ct_event_queue events;
};

static void free_alpha_beta(void *state)
{
    struct alpha_beta *net = state;
    if (!net)
        return;
    ct_routes_free(net->routes);
    free(net->leaves_ns);
    free(net->enters_ns);
    free(net->flights);
    ct_event_queue_free(&net->events);
    free(net);
}

static enum ct_status find_pair(struct alpha_beta *net, uint32_t from, uint32_t to,
                                double *alpha_ns_p, double *beta_p, struct ct_error *err)
{
    struct ct_path path;
    *alpha_ns_p = net->alpha_ns;
    *beta_p = net->beta_ns_per_byte;
    if (!net->routes)
        return CT_OK;
    CT_TRY(ct_routes_find(net->routes, from, to, &path, err));
    *alpha_ns_p = path.latency_ns;
    *beta_p = ct_routes_slowest_ns_per_byte(net->routes, &path);
    return CT_OK;
}

static enum ct_status send_alpha_beta(void *state, double now_ns,
                                      const struct ct_transfer *transfer, struct ct_error *err)
{
    struct alpha_beta *net = state;
    double alpha_ns, beta;
    uint32_t number = transfer->number;
    CT_TRY(find_pair(net, transfer->from, transfer->to, &alpha_ns, &beta, err));
    if (!CT_ARRAY_RESERVE(net->flights, net->n_flights, number + (size_t)1))
        return ct_no_memory(err, "network");
    double begin_ns = ct_greater(now_ns, net->leaves_ns[transfer->from]);
    double lasts_ns = transfer->bytes * beta;
    net->leaves_ns[transfer->from] = begin_ns + lasts_ns;
    net->flights[number] = (struct flight){lasts_ns, transfer->to};
    if (transfer->tells_left &&
        !ct_event_queue_add(&net->events, begin_ns + lasts_ns, number << WHAT_BITS | LEFT))
        return ct_no_memory(err, "network");
    return ct_event_queue_append(&net->events, HEADS,
                                 begin_ns + alpha_ns * (1 + transfer->late_frac),
                                 number << WHAT_BITS | HEAD)
               ? CT_OK
               : ct_no_memory(err, "network");
}

/* The first byte reaches a node. @return whether all are there at once */
static bool enter_message(struct alpha_beta *net, const struct ct_event *event, double *there_p)
{
    const struct flight *flight = &net->flights[event->what >> WHAT_BITS];
    double *enters_ns = &net->enters_ns[flight->to];
    *there_p = *enters_ns = ct_greater(event->at_ns, *enters_ns) + flight->lasts_ns;
    return *there_p <= event->at_ns;
}

static enum ct_status run_alpha_beta(void *state, double until_ns,
                                     struct ct_simulate_network_event *event_p,
                                     struct ct_error *err)
{
    struct alpha_beta *net = state;
    *event_p = (struct ct_simulate_network_event){.news = CT_NEWS_NONE};
    while (ct_event_queue_next_ns(&net->events) < until_ns) {
        const struct ct_event event = ct_event_queue_take(&net->events);
        double there_ns;
        event_p->work++;
        event_p->number = event.what >> WHAT_BITS;
        event_p->at_ns = event.at_ns;
        if ((event.what & what_mask) == LEFT)
            event_p->news = CT_NEWS_LEFT;
        else if ((event.what & what_mask) == THERE || enter_message(net, &event, &there_ns))
            event_p->news = CT_NEWS_THERE;
        else if (!ct_event_queue_append(&net->events, ENDS, there_ns,
                                        (event.what & ~what_mask) | THERE))
            return ct_no_memory(err, "network");
        if (event_p->news != CT_NEWS_NONE)
            break;
    }
    return CT_OK;
}

static enum ct_status latency_alpha_beta(void *state, uint32_t from, uint32_t to, double *latency_p,
                                         struct ct_error *err)
{
    double beta;
    return find_pair(state, from, to, latency_p, &beta, err);
}

enum ct_status ct_simulate_network_alpha_beta_new(const struct ct_simulate_network_setup *setup,
                                                  struct ct_simulate_network *network_p,
                                                  struct ct_error *err)
{
    static const struct ct_simulate_network_ops ops = {.name = "alpha-beta",
                                                       .send = send_alpha_beta,
                                                       .run = run_alpha_beta,
                                                       .latency_ns = latency_alpha_beta,
                                                       .free = free_alpha_beta};
    struct alpha_beta *net = calloc(1, sizeof *net);
    CT_TRY(net ? CT_OK : ct_no_memory(err, "network"));
    net->events = ct_event_queue_empty();
    net->alpha_ns =
        isnan(setup->latency_ns) ? 2 * setup->wire_ns + setup->switch_ns : setup->latency_ns;
    net->beta_ns_per_byte = setup->injection_ns_per_byte;
    net->leaves_ns = calloc(setup->n_nodes, sizeof *net->leaves_ns);
    net->enters_ns = calloc(setup->n_nodes, sizeof *net->enters_ns);
    enum ct_status status = CT_OK;
    if (!net->leaves_ns || !net->enters_ns)
        status = ct_no_memory(err, "network");
    if (status == CT_OK && setup->topology)
        status = ct_routes_new(setup, &net->routes, err);
    if (status == CT_OK)
        *network_p = (struct ct_simulate_network){&ops, net};
    else
        free_alpha_beta(net);
    return status;
}

/* ---- none ---- */

struct at_once {
    struct ct_event_queue events; /* LEFT and THERE, in the order in which transfers were sent */
};

static enum ct_status send_none(void *state, double now_ns, const struct ct_transfer *transfer,
                                struct ct_error *err)
{
    struct at_once *net = state;
    uint32_t number = transfer->number << WHAT_BITS;
    bool added =
        !transfer->tells_left || ct_event_queue_append(&net->events, HEADS, now_ns, number | LEFT);
    return added && ct_event_queue_append(&net->events, HEADS, now_ns, number | THERE)
               ? CT_OK
               : ct_no_memory(err, "network");
}

static enum ct_status run_none(void *state, double until_ns,
                               struct ct_simulate_network_event *event_p, struct ct_error *err)
{
    struct at_once *net = state;
    (void)err;
    *event_p = (struct ct_simulate_network_event){.news = CT_NEWS_NONE};
    if (!(ct_event_queue_next_ns(&net->events) < until_ns))
        return CT_OK;
    const struct ct_event event = ct_event_queue_take(&net->events);
    *event_p = (struct ct_simulate_network_event){
        .news = (event.what & what_mask) == LEFT ? CT_NEWS_LEFT : CT_NEWS_THERE,
        .number = event.what >> WHAT_BITS,
        .at_ns = event.at_ns,
        .work = 1};
    return CT_OK;
}

static enum ct_status latency_none(void *state, uint32_t from, uint32_t to, double *latency_p,
                                   struct ct_error *err)
{
    (void)state;
    (void)from;
    (void)to;
    (void)err;
    *latency_p = 0;
    return CT_OK;
}

static void free_none(void *state)
{
    struct at_once *net = state;
    ct_event_queue_free(&net->events);
    free(net);
}

enum ct_status ct_simulate_network_none_new(const struct ct_simulate_network_setup *setup,
                                            struct ct_simulate_network *network_p,
                                            struct ct_error *err)
{
    static const struct ct_simulate_network_ops ops = {.name = "none",
                                                       .send = send_none,
                                                       .run = run_none,
                                                       .latency_ns = latency_none,
                                                       .free = free_none};
    (void)setup;
    struct at_once *net = calloc(1, sizeof *net);
    if (!net)
        return ct_no_memory(err, "network");
    net->events = ct_event_queue_empty();
    *network_p = (struct ct_simulate_network){&ops, net};
    return CT_OK;
}
