/* Makers of the networks behind network.h. Each borrows what the setup borrows. */
#pragma once

#include "simulate/network.h"

typedef enum ct_status ct_simulate_network_maker(const struct ct_simulate_network_setup *setup,
                                                 struct ct_simulate_network *network_p,
                                                 struct ct_error *err);

ct_simulate_network_maker ct_simulate_network_packet_new;
ct_simulate_network_maker ct_simulate_network_alpha_beta_new;
ct_simulate_network_maker ct_simulate_network_none_new;
