#include "simulate/joint/simulation_packets.h"

#include "simulate/constants.h"

#include <math.h>

double ct_simulation_frame_bytes(void)
{
    return ct_simulate_constant(CT_SIMULATE_PACKET_BYTES) +
           ct_simulate_constant(CT_SIMULATE_FRAME_HEADER);
}

/* What all nodes can send within the longest time by which a way is late: it holds nothing back. */
static double late_bytes(const struct ct_simulation_packets *setup)
{
    double later_ns = 0;
    for (size_t i = 0; i < setup->net.n_changes; i++)
        later_ns = fmax(later_ns, setup->net.changes[i].later_ns);
    return later_ns > 0 ? setup->net.n_nodes * later_ns / setup->costs.at.G_ns_per_byte : 0;
}

struct ct_simulate_network_setup
ct_simulation_packet_network(const struct ct_simulation_packets *setup, uint32_t n_nodes)
{
    bool has_headers = !setup->costs.is_simulated;
    double frame_bytes = ct_simulation_frame_bytes();
    double header_bytes = has_headers ? ct_simulate_constant(CT_SIMULATE_PACKET_HEADER) : 0;
    double payload_bytes = frame_bytes - header_bytes;
    return (struct ct_simulate_network_setup){
        .topology = setup->net.topology,
        .nodes = setup->net.nodes,
        .n_nodes = setup->net.topology ? setup->net.n_nodes : n_nodes,
        .injection_ns_per_byte = setup->costs.at.G_ns_per_byte * payload_bytes / frame_bytes,
        .link_ns_per_byte = NAN,
        .latency_ns = setup->costs.at.L_ns,
        .wire_ns = NAN,
        .switch_ns = NAN,
        .by_switches = setup->costs.by_switches,
        .changes = setup->net.changes,
        .n_changes = setup->net.n_changes,
        .losses = setup->net.losses,
        .queues = setup->queues,
        .packet_bytes = payload_bytes,
        .buffer_bytes = ct_simulate_constant(CT_SIMULATE_PACKET_BUFFER) + late_bytes(setup),
        .packet_header_bytes = header_bytes,
        .message_header_bytes = has_headers ? ct_simulate_constant(CT_SIMULATE_MESSAGE_HEADER) : 0,
        .ack_bytes = has_headers ? ct_simulate_constant(CT_SIMULATE_ACK) : 0,
        .back_frac = setup->costs.back_frac,
        .window_bytes = setup->queues.ahead_bytes};
}

enum ct_status ct_simulation_run_packets(const struct ct_simulation_packets *setup,
                                         const struct ct_simulation_program *const *programs,
                                         size_t n, const double *begin_ns, double *pass_ns,
                                         struct ct_network_use *use_p, struct ct_error *err)
{
    const struct ct_simulation_costs *costs = &setup->costs;
    struct ct_stack stack = ct_stack_sockets(&costs->at, costs->S_bytes, costs->overheads);
    stack.gaps = costs->gaps;
    stack.g_ns = costs->g_ns;
    struct ct_engine_job jobs[CT_SIMULATE_JOBS_MAX];
    uint32_t n_nodes = 1;
    for (size_t i = 0; i < n; i++) {
        jobs[i] = (struct ct_engine_job){programs[i]->packets, programs[i]->place, begin_ns[i]};
        if (programs[i]->n_nodes > n_nodes)
            n_nodes = programs[i]->n_nodes;
    }
    struct ct_simulate_network_setup wanted = ct_simulation_packet_network(setup, n_nodes);
    wanted.n_jobs = (uint32_t)n;
    struct ct_simulate_network network;
    CT_TRY(ct_simulate_network_new(CT_NETWORK_PACKET, &wanted, &network, err));
    const struct ct_engine_setup engine = {.stack = &stack,
                                           .network = &network,
                                           .n_nodes = wanted.n_nodes,
                                           .passes = setup->passes,
                                           .work_max = setup->work_max};
    enum ct_status status = ct_engine_run(jobs, n, &engine, NULL, pass_ns, NULL, err);
    if (status == CT_OK)
        *use_p = network.ops->use(network.state);
    ct_simulate_network_free(&network);
    return status;
}
