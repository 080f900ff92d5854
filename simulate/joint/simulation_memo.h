/*
 * Results of one simulation on different queues. Many are the same: ports that never have a choice
 * serve alike in turn and in order, and a window that is never full might be larger, or smaller
 * down to what was in use of it.
 */
#pragma once

#include "simulate/network.h"

enum { CT_SIMULATION_VALUES_MAX = 2 };

/* Equal; NaN is not equal to anything. */
static inline bool ct_simulation_is_same(double a, double b)
{
    return a >= b && a <= b;
}

/* {0} at first; ct_simulation_forget(). */
struct ct_simulation_memo {
    struct ct_simulation_result *results; /* n */
    size_t n, room;
};

/* What simulations on these queues gave. @return false: it is not known; values are unchanged */
bool ct_simulation_recall(const struct ct_simulation_memo *memo,
                          const struct ct_port_queues *queues, double *values, size_t n);

/* Remember what they gave: n values, at most CT_SIMULATION_VALUES_MAX. use: of the queues.
 * @return CT_OK; CT_ENOMEM */
enum ct_status ct_simulation_remember(struct ct_simulation_memo *memo,
                                      const struct ct_port_queues *queues,
                                      const struct ct_network_use *use, const double *values,
                                      size_t n, struct ct_error *err);

void ct_simulation_forget(struct ct_simulation_memo *memo);
