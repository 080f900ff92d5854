/* Links that messages share (links.h) as a network. */
#include "core/array.h"
#include "simulate/events.h"
#include "simulate/network_kinds.h"
#include "simulate/routes.h"

#include <math.h>
#include <stdlib.h>

struct shared {
    struct ct_routes *routes;
    struct ct_links *links;
    double *passed_bytes; /* [link]: for an answer */
    /* Of transfers under way: [number], apart since memory counts. */
    double *latency_ns;
    bool *tells_left;
    uint32_t room_latency_ns, room_tells_left;
    struct ct_events there; /* numbers of transfers that have left */
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "network: out of memory");
}

static void free_shared(void *state)
{
    struct shared *net = state;
    if (!net)
        return;
    ct_links_free(net->links);
    ct_routes_free(net->routes);
    free(net->passed_bytes);
    free(net->latency_ns);
    free(net->tells_left);
    free(net->there.heap);
    free(net);
}

static enum ct_status latency_shared(void *state, uint32_t from, uint32_t to, double *latency_p,
                                     struct ct_error *err)
{
    const struct shared *net = state;
    return ct_routes_latency_ns(net->routes, from, to, latency_p, err);
}

static enum ct_status send_shared(void *state, double now_ns, const struct ct_transfer *transfer,
                                  struct ct_error *err)
{
    struct shared *net = state;
    double latency_ns;
    enum ct_status status = latency_shared(net, transfer->from, transfer->to, &latency_ns, err);
    if (status != CT_OK)
        return status;
    size_t n = transfer->number + (size_t)1;
    if (!CT_ARRAY_RESERVE(net->latency_ns, net->room_latency_ns, n) ||
        !CT_ARRAY_RESERVE(net->tells_left, net->room_tells_left, n))
        return no_memory(err);
    net->latency_ns[transfer->number] = latency_ns;
    net->tells_left[transfer->number] = transfer->tells_left;
    const struct ct_links_message message = {.from = transfer->from,
                                             .to = transfer->to,
                                             .job = transfer->job,
                                             .bytes = transfer->bytes,
                                             .number = transfer->number};
    return ct_links_send(net->links, now_ns, &message, err);
}

/* The last byte of a transfer has left. */
static enum ct_status leave(struct shared *net, struct ct_simulate_network_event *event_p,
                            struct ct_error *err)
{
    double latency_ns = net->latency_ns[event_p->number];
    bool tells_left = net->tells_left[event_p->number];
    if (!tells_left && !(latency_ns > 0)) {
        event_p->news = CT_NEWS_THERE;
        return CT_OK;
    }
    event_p->news = tells_left ? CT_NEWS_LEFT : CT_NEWS_NONE;
    return ct_events_add(&net->there, event_p->at_ns + latency_ns, event_p->number)
               ? CT_OK
               : no_memory(err);
}

static enum ct_status run_shared(void *state, double until_ns,
                                 struct ct_simulate_network_event *event_p, struct ct_error *err)
{
    struct shared *net = state;
    enum ct_status status = CT_OK;
    *event_p = (struct ct_simulate_network_event){.news = CT_NEWS_NONE};
    while (event_p->news == CT_NEWS_NONE && status == CT_OK) {
        double left_ns = ct_links_next_before(net->links, until_ns);
        double there_ns = ct_events_next_ns(&net->there);
        event_p->at_ns = there_ns < left_ns ? there_ns : left_ns;
        if (!(event_p->at_ns < until_ns))
            break;
        event_p->work += 1 + ct_links_n_busy(net->links);
        if (there_ns < left_ns) {
            event_p->news = CT_NEWS_THERE;
            event_p->number = ct_events_take(&net->there).what;
        } else if (ct_links_step(net->links, &event_p->number)) {
            status = leave(net, event_p, err);
        }
    }
    return status;
}

static uint32_t n_busy_shared(const void *state)
{
    const struct shared *net = state;
    return ct_links_n_busy(net->links);
}

static uint32_t ways_shared(void *state, double now_ns, struct ct_network_way *ways)
{
    const struct shared *net = state;
    uint32_t n = ct_routes_n_ways(net->routes);
    if (ways)
        ct_links_passed(net->links, now_ns, net->passed_bytes);
    for (uint32_t i = 0; ways && i < n; i++)
        ways[i] =
            (struct ct_network_way){i, ct_routes_ns_per_byte(net->routes, i), net->passed_bytes[i]};
    return n;
}

enum ct_status ct_simulate_network_shared_new(const struct ct_simulate_network_setup *setup,
                                              struct ct_simulate_network *network_p,
                                              struct ct_error *err)
{
    static const struct ct_simulate_network_ops ops = {.name = "shared",
                                                       .send = send_shared,
                                                       .run = run_shared,
                                                       .latency_ns = latency_shared,
                                                       .n_busy = n_busy_shared,
                                                       .ways = ways_shared,
                                                       .free = free_shared};
    struct shared *net = calloc(1, sizeof *net);
    if (!net)
        return no_memory(err);
    enum ct_status status = ct_routes_new(setup, &net->routes, err);
    const struct ct_links_setup links = {
        .n_jobs = setup->n_jobs, .queues = setup->queues, .routes = net->routes};
    if (status == CT_OK)
        status = ct_links_new(&links, &net->links, err);
    if (status == CT_OK) {
        size_t n_ways = ct_routes_n_ways(net->routes);
        net->passed_bytes = malloc((n_ways + 1) * sizeof *net->passed_bytes);
        status = net->passed_bytes ? CT_OK : no_memory(err);
    }
    if (status == CT_OK)
        *network_p = (struct ct_simulate_network){&ops, net};
    else
        free_shared(net);
    return status;
}
