/* Makers of the networks behind network.h. Each borrows what the setup borrows. */
#ifndef CT_SIMULATE_NETWORK_KINDS_H
#define CT_SIMULATE_NETWORK_KINDS_H

#include "simulate/network.h"

typedef enum ct_status ct_network_maker(const struct ct_network_setup *setup,
                                        struct ct_network *network_p, struct ct_error *err);

ct_network_maker ct_network_packet_new;
ct_network_maker ct_network_shared_new;
ct_network_maker ct_network_alpha_beta_new;
ct_network_maker ct_network_none_new;

#endif
