#include "simulate/network.h"

#include "simulate/network_kinds.h"

#include <math.h>

const char *const ct_simulate_network_names[] = {"packet", "alpha-beta", "none", NULL};
const char *const ct_port_order_names[] = {"round-robin", "fifo", "shared", NULL};

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static bool is_latency(double value)
{
    return value >= 0 && isfinite(value);
}

static enum ct_status check_setup(enum ct_simulate_network_kind kind,
                                  const struct ct_simulate_network_setup *setup,
                                  struct ct_error *err)
{
    if (setup->n_nodes < 1 || setup->n_jobs < 1 || setup->n_jobs > CT_SIMULATE_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "network: %u nodes, %u programs; at least 1, at most %d",
                       setup->n_nodes, setup->n_jobs, CT_SIMULATE_JOBS_MAX);
    if (kind == CT_NETWORK_NONE)
        return CT_OK;
    bool has_links = isnan(setup->link_ns_per_byte) || is_positive(setup->link_ns_per_byte);
    if (!is_positive(setup->injection_ns_per_byte) || !has_links)
        return ct_fail(err, CT_EINVAL, "network: %g ns a byte, which must be above 0 and finite",
                       has_links ? setup->injection_ns_per_byte : setup->link_ns_per_byte);
    if (!is_latency(setup->latency_ns) &&
        !(isnan(setup->latency_ns) && is_latency(setup->wire_ns) && is_latency(setup->switch_ns)))
        return ct_fail(err, CT_EINVAL,
                       "network: latencies of %g, %g and %g ns; must be finite and not below 0",
                       setup->latency_ns, setup->wire_ns, setup->switch_ns);
    return CT_OK;
}

enum ct_status ct_simulate_network_new(enum ct_simulate_network_kind kind,
                                       const struct ct_simulate_network_setup *setup,
                                       struct ct_simulate_network *network_p, struct ct_error *err)
{
    static ct_simulate_network_maker *const makers[CT_NETWORK_KINDS] = {
        [CT_NETWORK_PACKET] = ct_simulate_network_packet_new,
        [CT_NETWORK_ALPHA_BETA] = ct_simulate_network_alpha_beta_new,
        [CT_NETWORK_NONE] = ct_simulate_network_none_new};
    CT_TRY(check_setup(kind, setup, err));
    return makers[kind](setup, network_p, err);
}

void ct_simulate_network_free(struct ct_simulate_network *network)
{
    if (network->ops)
        network->ops->free(network->state);
    *network = (struct ct_simulate_network){0};
}
