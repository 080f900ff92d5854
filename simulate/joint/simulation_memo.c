#include "simulate/joint/simulation_memo.h"

#include "core/array.h"

struct ct_simulation_result {
    struct ct_port_queues queues;
    struct ct_network_use use;
    double values[CT_SIMULATION_VALUES_MAX];
};

/* A port that serves in order does not tell whether one that serves in turn would have a choice. */
static bool orders_alike(const struct ct_simulation_result *result, enum ct_port_order order)
{
    return order == result->queues.order ||
           (result->use.is_known && result->queues.order == CT_PORT_ROUND_ROBIN &&
            !result->use.has_chosen);
}

/* ahead_bytes are the window where the use is known (network.h); 0: there is none. */
static bool windows_alike(const struct ct_simulation_result *result, double window_bytes)
{
    return ct_simulation_is_same(window_bytes, result->queues.ahead_bytes) ||
           (result->use.is_known && result->use.under_way_most <= window_bytes);
}

bool ct_simulation_recall(const struct ct_simulation_memo *memo,
                          const struct ct_port_queues *queues, double *values, size_t n)
{
    for (size_t i = 0; i < memo->n; i++) {
        const struct ct_simulation_result *result = &memo->results[i];
        if (!ct_simulation_is_same(queues->packet_bytes, result->queues.packet_bytes) ||
            !ct_simulation_is_same(queues->burst_bytes, result->queues.burst_bytes) ||
            !orders_alike(result, queues->order) || !windows_alike(result, queues->ahead_bytes))
            continue;
        for (size_t v = 0; v < n; v++)
            values[v] = result->values[v];
        return true;
    }
    return false;
}

enum ct_status ct_simulation_remember(struct ct_simulation_memo *memo,
                                      const struct ct_port_queues *queues,
                                      const struct ct_network_use *use, const double *values,
                                      size_t n, struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(memo->results, memo->room, memo->n + 1))
        return ct_no_memory(err, "simulation");
    struct ct_simulation_result *result = &memo->results[memo->n++];
    *result = (struct ct_simulation_result){.queues = *queues, .use = *use};
    for (size_t v = 0; v < n; v++)
        result->values[v] = values[v];
    return CT_OK;
}

void ct_simulation_forget(struct ct_simulation_memo *memo)
{
    free(memo->results);
    *memo = (struct ct_simulation_memo){0};
}
