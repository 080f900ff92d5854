/**
 * What a campaign's probes beside CompressionB have for a calibration, and the same simulated.
 *
 * An output is the mean one-way latency of probes beside a steady configuration. Its repetitions
 * are means over parts of each run, equally long in probes, so that neighbouring waits, which are
 * alike, fall into one part. Simulated: all nodes run the configuration, ranks 0 and n/2 exchange
 * probes of the same size at random times of the same mean interval, one after the other, and the
 * result is half of their mean round trip. Outputs refer to loads by their number, from 1.
 *
 * The network is the one of the model `packets` of crosstalk predict, with the headers of Ethernet
 * and TCP; so its parameters are those of that model.
 */
#pragma once

#include "calibrate/data.h"

struct ct_calibration_loads;

/**
 * Read a campaign, and add the latencies of its probes. Configurations that cannot be simulated
 * (bursts, ranks that only send) are left out; of many, constant calibration_loads are taken,
 * evenly from all.
 * @param path      [in]     folder or packed campaign; its probe runs have the same hosts and
 * probes
 * @param measured  [in,out] sorted afterwards; ct_measured_free() is due even on error
 * @param loads_p   [out]    ct_calibration_loads_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no probe run beside a steady configuration); CT_EUNSUPPORTED (a
 * network of several switches, runs of different hosts or probes); CT_ENOMEM; what
 *         ct_run_list_read() and ct_run_read() return
 */
enum ct_status ct_calibration_loads_open(const char *path, struct ct_measured *measured,
                                         struct ct_calibration_loads **loads_p,
                                         struct ct_error *err);
void ct_calibration_loads_free(struct ct_calibration_loads *loads);

size_t ct_calibration_loads_count(const struct ct_calibration_loads *loads);

/** Name of a load: "P4 M1 B25ms". @param number  [in] from 1 */
const char *ct_calibration_load_name(const struct ct_calibration_loads *loads, size_t number);

/** Network of the model packets of crosstalk predict, for so many nodes at one switch; rates and
 * latencies are to be set (ct_stack_set_network()). */
struct ct_simulate_network_setup ct_calibration_network(uint32_t n_nodes);

/** All that simulations depend on, beside the parameters. */
void ct_calibration_loads_hash(const struct ct_calibration_loads *loads, uint64_t bits[2]);

/**
 * Latencies beside all loads, for a vector of parameters. Thread-safe.
 * @param values  [out] [ct_calibration_loads_count()]: seconds, > 0
 * @return CT_OK; what ct_simulate_network_new() and ct_engine_run() return
 */
enum ct_status ct_calibration_loads_run(const struct ct_calibration_loads *loads,
                                        const struct ct_stack_parameters *parameters,
                                        double *values, struct ct_error *err);
