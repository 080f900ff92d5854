/**
 * What a fault of a network costs an application: its run time with the fault, divided by that
 * without it, less 1. Both are simulated, alone on the network, from the application's schedule;
 * nothing is measured.
 *
 * - rate: the direction has 1 - size of its rate;
 * - delay: all messages that pass the direction are later by size;
 * - host: so are all messages that the host sends or gets, whether its links or its processor are
 *   late. That it may compute more slowly is not known, and not in the price;
 * - loss: a share of size of the packets that pass the direction is lost. Each is there by another
 *   try `again_s` later, or by a further one after as long again, and so on; a message is there
 * when the last of its packets is, and later messages do not wait for it. Protocols of MPI differ
 * in that time by orders of magnitude (microseconds to 200 ms): where it is not given, there is no
 *   price. Which packets are lost is drawn, several times (constant fault_draws);
 * - flap and route have no price: how long a link is down, and which of the pairs take a wrong
 * route is not known.
 *
 * The interval has the least and the largest price of the ends of the interval of the fault's size,
 * of all directions that may be the sick one, and of all draws. It has neither what the parameters
 * of the network leave open, nor the scatter of runs.
 *
 * Messages are packets (simulate/joint/simulation_packets.h). A schedule that takes more than
 * `work_max` events is priced by T(L, G) instead: L and G of each pair of nodes are those of its
 * path (lp-bridge/envelope/pairs.h), and messages do not wait for those of other ranks.
 */
#pragma once

#include "lp-bridge/goal/goal.h"
#include "simulate/joint/simulation_packets.h"
#include "watch/state.h"

/** The network, healthy; borrowed. */
struct ct_fault_network {
    const struct ct_topology *topology;
    const uint32_t *nodes; /**< [n_nodes]: of the topology, that applications are on */
    uint32_t n_nodes;
    struct ct_simulation_costs costs;
    struct ct_port_queues queues;
    double again_s;    /**< until a lost packet is there by another try; NaN: not known */
    uint64_t work_max; /**< events of a simulation */
    unsigned threads;  /**< simulations at the same time, >= 1 */
};

/** What is sick. */
struct ct_fault {
    enum ct_watch_kind kind;
    const uint32_t *ways;   /**< [n]: directions, 2 link + 1 where it is the way back; borrowed */
    size_t n;               /**< 0: it is not known where */
    bool is_one;            /**< one of them is sick, and it is not known which; else all are */
    double size, low, high; /**< as of struct ct_watch_alarm */
};

/** An application; immutable. */
struct ct_priced;

/**
 * @param goal      [in]  borrowed
 * @param place     [in]  nodes by their number in struct ct_fault_network; borrowed
 * @param priced_p  [out] ct_priced_free(); unchanged on error
 * @return as ct_simulation_program_new()
 */
enum ct_status ct_priced_new(const struct ct_goal *goal, const struct ct_simulate_place *place,
                             struct ct_priced **priced_p, struct ct_error *err);
void ct_priced_free(struct ct_priced *priced);

/**
 * @param price_p  [out] percent, low, high and how; unchanged on error
 * @return CT_OK, also where it has no price: `how` says why; CT_EINVAL; what ct_engine_run() and
 *         ct_pair_evaluator_new() return
 */
enum ct_status ct_fault_price(const struct ct_fault_network *network, const struct ct_fault *fault,
                              const struct ct_priced *priced, struct ct_watch_price *price_p,
                              struct ct_error *err);
