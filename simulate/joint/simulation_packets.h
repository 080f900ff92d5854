/*
 * Simulations in which messages are packets: simulate/engine.h on the network `packet`, with the
 * frames of Ethernet and TCP.
 *
 * A message of B bytes is B + message_header bytes of payload, and links carry packet_header bytes
 * more with each packet of P = packet_bytes + 14 - packet_header bytes. G is the gap per byte of
 * long messages, so that a byte on the link takes G P / (P + packet_header). A simulator's network
 * has neither header; of each packet a part of its bytes comes back.
 */
#pragma once

#include "simulate/joint/simulation_program.h"

/* What messages cost. Borrows the overheads and the gaps. */
struct ct_simulation_costs {
    struct ct_loggps at;
    size_t S_bytes;                       /* above it, messages rendezvous */
    const struct ct_overheads *overheads; /* by size; NULL: those of at */
    const struct ct_gaps *gaps;           /* by size; NULL: G of at */
    double g_ns;                          /* between messages of a rank */
    struct ct_path_latencies by_switches; /* beyond L of at */
    bool is_simulated;                    /* bytes of messages only are on links, */
    double back_frac;                     /* and this part of them on the way back */
};

/* The network, as far as it is not in the queues. */
struct ct_simulation_net {
    const struct ct_topology *topology; /* NULL: one switch */
    const uint32_t *nodes;              /* [n_nodes]: of the topology */
    uint32_t n_nodes;
    const struct ct_way_change *changes; /* [n_changes] */
    size_t n_changes;
    struct ct_losses losses;
};

struct ct_simulation_packets {
    struct ct_simulation_costs costs;
    struct ct_simulation_net net;
    struct ct_port_queues queues; /* ahead_bytes: the window */
    size_t passes;
    uint64_t work_max;
};

/* Bytes of a packet on a link, with its headers. */
double ct_simulation_frame_bytes(void);

/* The network of a simulation; one switch has n_nodes. */
struct ct_simulate_network_setup
ct_simulation_packet_network(const struct ct_simulation_packets *setup, uint32_t n_nodes);

/* One simulation. begin_ns: [n]; pass_ns: [n]; use_p: of queues, unchanged on error. As
 * ct_engine_run(). */
enum ct_status ct_simulation_run_packets(const struct ct_simulation_packets *setup,
                                         const struct ct_simulation_program *const *programs,
                                         size_t n, const double *begin_ns, double *pass_ns,
                                         struct ct_network_use *use_p, struct ct_error *err);
