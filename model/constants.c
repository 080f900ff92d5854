#include "model/constants.h"

#include "model/probe/probe.h"

const struct ct_constant ct_model_constants[CT_MODEL_N_CONSTANTS] = {
    [CT_MODEL_BINS] = {"latency_bins_per_doubling", CT_PROBE_BINS_PER_OCTAVE, "bins",
                       "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                       "a bin is the upper bits of a double", NULL},
    [CT_MODEL_BLOCKS] = {"latency_blocks_max", CT_PROBE_BLOCKS_MAX, "blocks",
                         "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                         "blocks of a series that replicates draw from: memory", NULL},
    [CT_MODEL_LINK_DEPENDENCE_MAX] = {"link_dependence_max", 6, "1", "utilization of links",
                                      CT_CONSTANT_CHOSEN,
                                      "links of a path that are busy together as a rule", NULL},
    [CT_MODEL_LINK_DEPENDENCE_FLOWS] = {"link_dependence_flows", 3, "1", "utilization of links",
                                        CT_CONSTANT_CHOSEN,
                                        "of messages that pass all links of their path at once",
                                        NULL},
    [CT_MODEL_LINK_FLOW_MEAN] = {"link_flow_mean_weight", 0.1, "1", "utilization of links",
                                 CT_CONSTANT_CHOSEN, "what probes leave open is near the mean",
                                 NULL},
    [CT_MODEL_LINK_ANSWER] = {"link_answer_weight", 0.1, "1", "utilization of links",
                              CT_CONSTANT_CHOSEN, "a way back begins when the way there allows it",
                              NULL},
    [CT_MODEL_LINK_IDLE_QUANTILE] = {"link_idle_quantile", 0.95, "1", "utilization of links",
                                     CT_CONSTANT_CHOSEN,
                                     "few idle latencies above it, and few waits below", NULL},
    [CT_MODEL_LINK_IDLE_MARGIN] = {"link_idle_margin", 3, "1", "utilization of links",
                                   CT_CONSTANT_CHOSEN,
                                   "beside a load hosts delay probes by more than on the idle "
                                   "network",
                                   NULL},
    [CT_MODEL_LINK_BALANCE] = {"link_balance_weight", 0.3, "1", "utilization of links",
                               CT_CONSTANT_CHOSEN,
                               "what enters a switch leaves it, with less weight than a pair",
                               NULL},
    [CT_MODEL_LINK_CLOCK_RATE] = {"link_clock_rate_max", 200e-6, "1", "utilization of links",
                                  CT_CONSTANT_CHOSEN,
                                  "difference of the rates of two clocks, each of which is within "
                                  "100 ppm",
                                  NULL},
    [CT_MODEL_LINK_ERROR] = {"link_error", 0.05, "1", "utilization of links", CT_CONSTANT_CHOSEN,
                             "of the equations of busy shares", NULL},
};
