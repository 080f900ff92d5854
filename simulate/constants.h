/** Constants of simulations: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_simulate_constant {
    CT_SIMULATE_PACKET_BYTES,
    CT_SIMULATE_AHEAD_PACKETS_MAX,
    CT_SIMULATE_WORK_MAX,
    CT_SIMULATE_WORK_MAX_ALONE,
    CT_SIMULATE_INJECTION_RATE, /* parameters of the RDMA protocols (stack.h) */
    CT_SIMULATE_LINK_RATE,
    CT_SIMULATE_MEMORY_RATE,
    CT_SIMULATE_POST_HEADER,
    CT_SIMULATE_POST_RDMA,
    CT_SIMULATE_PIN,
    CT_SIMULATE_PIN_PAGE,
    CT_SIMULATE_HOP,
    CT_SIMULATE_PAGE_BYTES,
    CT_SIMULATE_MAILBOX_MAX,
    CT_SIMULATE_EAGER_MAX,
    CT_SIMULATE_EAGER_BYTES,    /* LogGPS */
    CT_SIMULATE_NETWORK_PACKET, /* packets (network.h) */
    CT_SIMULATE_NETWORK_BUFFER,
    CT_SIMULATE_BOUND_LEAST, /* verdict (breakdown.h) */
    CT_SIMULATE_STARTS,
    CT_SIMULATE_PASSES,
    CT_SIMULATE_ROUNDS,
    CT_SIMULATE_FRAME_HEADER,
    CT_SIMULATE_PACKET_HEADER,
    CT_SIMULATE_MESSAGE_HEADER,
    CT_SIMULATE_ACK,
    CT_SIMULATE_SIMGRID_BACK,
    CT_SIMULATE_PACKET_BUFFER,
    CT_SIMULATE_CONFIG_MESSAGES,
    CT_SIMULATE_FIT_CELLS,
    CT_SIMULATE_FIT_SLOWDOWN,
    CT_SIMULATE_FIT_WORK,
    CT_SIMULATE_N_CONSTANTS
};

extern const struct ct_constant ct_simulate_constants[CT_SIMULATE_N_CONSTANTS];

static inline double ct_simulate_constant(enum ct_simulate_constant row)
{
    return ct_simulate_constants[row].value;
}

/** Value of a row that is a whole number. */
static inline size_t ct_simulate_count(enum ct_simulate_constant row)
{
    return (size_t)ct_simulate_constants[row].value;
}
