#include "model/constants.h"

#include "model/probe/probe.h"

const struct ct_constant ct_model_constants[CT_MODEL_N_CONSTANTS] = {
    [CT_MODEL_BINS] = {"latency_bins_per_doubling", CT_PROBE_BINS_PER_OCTAVE, "bins",
                       "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                       "a bin is the upper bits of a double", NULL},
    [CT_MODEL_BLOCKS] = {"latency_blocks_max", CT_PROBE_BLOCKS_MAX, "blocks",
                         "histograms of probe latencies", CT_CONSTANT_CHOSEN,
                         "blocks of a series that replicates draw from: memory", NULL},
};
