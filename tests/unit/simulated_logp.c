#include "tests/unit/simulated_logp.h"

#include "tests/unit/unit.h"

#include <math.h>

struct sim_network sim_network(void)
{
    return (struct sim_network){.latency_s = 5e-6,
                                .os = {.startup_s = 1e-6, .per_byte_s = 0.02e-9},
                                .or_unexpected = {.startup_s = 1.5e-6, .per_byte_s = 0.05e-9},
                                .or_expected = {.startup_s = 1.2e-6, .per_byte_s = 0.03e-9},
                                .g = {.startup_s = 2e-6, .per_byte_s = 0.1e-9},
                                .timer_overhead_s = 25e-9,
                                .random = 1};
}

/* ---- what is true ---- */

static double cost_s(struct sim_cost cost, double bytes)
{
    if (cost.kink_bytes <= 0 || bytes <= cost.kink_bytes)
        return cost.startup_s + cost.per_byte_s * bytes;
    return cost.startup_s + cost.per_byte_s * cost.kink_bytes +
           cost.per_byte_beyond_s * (bytes - cost.kink_bytes);
}

static double handshake_s(const struct sim_network *network, double bytes)
{
    return network->eager_bytes > 0 && bytes > network->eager_bytes ? network->handshake_s : 0;
}

double sim_os_s(const struct sim_network *network, double bytes)
{
    return cost_s(network->os, bytes) + handshake_s(network, bytes);
}

double sim_or_s(const struct sim_network *network, double bytes)
{
    return cost_s(network->or_unexpected, bytes);
}

double sim_or_expected_s(const struct sim_network *network, double bytes)
{
    return cost_s(network->or_expected, bytes);
}

double sim_g_s(const struct sim_network *network, double bytes)
{
    return cost_s(network->g, bytes) + handshake_s(network, bytes);
}

double sim_loggp_L_s(const struct sim_network *network)
{
    if (network->by_steps)
        return network->latency_s;
    return network->latency_s + sim_g_s(network, 1) - sim_os_s(network, 1) - sim_or_s(network, 1);
}

double sim_loggp_G_s_per_byte(const struct sim_network *network)
{
    if (network->by_steps)
        return network->wire_per_byte_s;
    return network->g.per_byte_s - network->os.per_byte_s - network->or_unexpected.per_byte_s;
}

/* ---- steps of LogGP ---- */

static double in_network_s(const struct sim_network *network, double bytes)
{
    return network->latency_s + network->wire_per_byte_s * fmax(bytes - 1, 0);
}

/* n messages in a row and an empty answer. */
static double steps_s(const struct sim_network *network, double bytes, uint64_t n, double *send_s_p)
{
    double os_s = sim_os_s(network, bytes), g_s = sim_g_s(network, bytes);
    double left_s = -INFINITY, sent_s = 0, received_s = 0;
    for (uint64_t i = 0; i < n; i++) {
        left_s = fmax(sent_s + os_s, left_s + g_s);
        sent_s = left_s;
        received_s =
            fmax(left_s + in_network_s(network, bytes), received_s) + sim_or_s(network, bytes);
    }
    *send_s_p = sent_s;
    return received_s + sim_os_s(network, 0) + in_network_s(network, 0) + sim_or_s(network, 0);
}

/* ---- noise ---- */

static double uniform(struct sim_network *network)
{
    network->random = network->random * 6364136223846793005u + 1442695040888963407u;
    return ((double)(network->random >> 11) + 0.5) / 9007199254740992.0;
}

static double noisy(struct sim_network *network, double time_s)
{
    if (uniform(network) < network->outlier_frac)
        return 10 * time_s;
    double normal = sqrt(-2 * log(uniform(network))) * cos(2 * acos(-1) * uniform(network));
    return time_s * (1 + network->noise * normal);
}

/* ---- operations ---- */

static enum ct_status count(struct sim_network *network, uint64_t n_messages, uint64_t bytes,
                            struct ct_error *err)
{
    network->n_messages += n_messages;
    network->n_bytes += bytes;
    if (network->fail_after > 0 && network->n_messages > network->fail_after)
        return ct_fail(err, network->failure, "the simulated partner is gone");
    return CT_OK;
}

static enum ct_status train(void *self, size_t bytes, uint64_t n_messages, size_t repetitions,
                            struct ct_logp_trip *trips_p, struct ct_error *err)
{
    struct sim_network *network = self;
    double m = (double)bytes, n = (double)n_messages;
    for (size_t i = 0; i < repetitions; i++) {
        double g_s =
            sim_g_s(network, m) * (1 + network->drift_per_train * (double)network->n_trains);
        double os_s = sim_os_s(network, m);
        double free_s = network->g.per_byte_s * fmin(m * n, network->free_bytes);
        double total_s = 2 * network->latency_s + n * g_s + sim_g_s(network, 0) - free_s;
        double send_s = os_s + (n - 1) * fmax(os_s, g_s);
        if (network->by_steps)
            total_s = steps_s(network, m, n_messages, &send_s);
        trips_p[i].send_s = noisy(network, send_s) + network->timer_overhead_s;
        trips_p[i].total_s = noisy(network, total_s) + 2 * network->timer_overhead_s;
        network->now_s += trips_p[i].total_s;
        network->n_trains += n_messages > 2;
    }
    return count(network, repetitions * (n_messages + 1), repetitions * n_messages * bytes, err);
}

static enum ct_status receive(void *self, size_t bytes, double wait_s, bool expected,
                              size_t repetitions, double *receive_s, struct ct_error *err)
{
    struct sim_network *network = self;
    double m = (double)bytes;
    double rtt_s = 2 * network->latency_s + sim_g_s(network, m) + sim_g_s(network, 0), send_s;
    if (network->by_steps)
        rtt_s = steps_s(network, m, 1, &send_s);
    for (size_t i = 0; i < repetitions; i++) {
        double o_s =
            expected && !network->by_steps ? sim_or_expected_s(network, m) : sim_or_s(network, m);
        bool late = network->late_transfer && m > network->eager_bytes;
        /* Who asks too early waits in the receive. */
        double missing_s = late ? sim_g_s(network, m) : fmax(0, rtt_s - wait_s);
        network->waited_s += m > network->eager_bytes ? wait_s : 0;
        receive_s[i] =
            noisy(network, o_s) + missing_s + network->timer_overhead_s * (expected ? 2 : 1);
        network->now_s += wait_s + receive_s[i];
    }
    return count(network, 2 * repetitions, repetitions * bytes, err);
}

static double now_s(void *self)
{
    return ((struct sim_network *)self)->now_s;
}

struct ct_logp_transport sim_transport(struct sim_network *network)
{
    return (struct ct_logp_transport){.self = network,
                                      .train = train,
                                      .receive = receive,
                                      .now_s = now_s,
                                      .timer_overhead_s = network->timer_overhead_s,
                                      .timer_resolution_s = 1e-9};
}

/* ---- measuring ---- */

struct ct_logp_setup sim_setup(void)
{
    return (struct ct_logp_setup){.epsilon = 0.01,
                                  .level = 0.95,
                                  .max_bytes = 1 << 20,
                                  .max_sizes = 200,
                                  .methods = CT_LOGP_ONLY_FAST,
                                  .gap = CT_LOGP_GAP_EQUATION,
                                  .n_warmup = 1,
                                  .time_s = 1e6,
                                  .rank_from = 3,
                                  .rank_to = 5};
}

struct ct_logp_result sim_measure(struct sim_network *network, struct ct_logp_setup setup)
{
    struct ct_logp_transport transport = sim_transport(network);
    struct ct_logp_result result;
    struct ct_error err;
    if (ct_logp_measure(&transport, &setup, &result, &err) != CT_OK)
        fail_msg("%s", err.text);
    return result;
}

bool sim_holds(struct ct_estimate estimate, double truth)
{
    double rounding = 1e-9 * fabs(truth) + 1e-15;
    return estimate.ci.lo - rounding <= truth && truth <= estimate.ci.hi + rounding;
}
