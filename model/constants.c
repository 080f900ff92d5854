#include "model/constants.h"

#include "model/probe/probe.h"

const struct ct_constant ct_model_constants[CT_MODEL_N_CONSTANTS] = {
    [CT_MODEL_BINS] = {"latency_bins_per_doubling", CT_PROBE_BINS_PER_OCTAVE, "bins",
                       "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                       "a bin is the upper bits of a double", NULL},
    [CT_MODEL_BLOCKS] = {"latency_blocks_max", CT_PROBE_BLOCKS_MAX, "blocks",
                         "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                         "blocks of a series that replicates draw from: memory", NULL},
    [CT_MODEL_LINK_DEPENDENCE] = {"link_dependence", 2, "1", "utilization of links",
                                  CT_CONSTANT_FITTED,
                                  "fft, milc and compressionb on half of tree:4x4 with two spines, "
                                  "10 Mbit/s, one queue a port",
                                  "10 points, mean over links; 15 with 1 (independent links)"},
    [CT_MODEL_LINK_IDLE_QUANTILE] = {"link_idle_quantile", 0.9, "1", "utilization of links",
                                     CT_CONSTANT_CHOSEN,
                                     "few idle latencies above it, and few waits below", NULL},
    [CT_MODEL_LINK_BALANCE] = {"link_balance_weight", 0.3, "1", "utilization of links",
                               CT_CONSTANT_CHOSEN,
                               "what enters a switch leaves it, with less weight than a pair",
                               NULL},
    [CT_MODEL_LINK_CLOCK_RATE] = {"link_clock_rate_max", 200e-6, "1", "utilization of links",
                                  CT_CONSTANT_CHOSEN,
                                  "difference of the rates of two clocks, each of which is within "
                                  "100 ppm",
                                  NULL},
};
