/** Constants of models of probe latencies: core/constant.h. */
#pragma once

#include "core/constant.h"

enum ct_model_constant {
    CT_MODEL_BINS,
    CT_MODEL_BLOCKS,
    CT_MODEL_LINK_DEPENDENCE_MAX,
    CT_MODEL_LINK_DEPENDENCE_FLOWS,
    CT_MODEL_LINK_ANSWER,
    CT_MODEL_LINK_IDLE_QUANTILE,
    CT_MODEL_LINK_IDLE_MARGIN,
    CT_MODEL_LINK_BALANCE,
    CT_MODEL_LINK_CLOCK_RATE,
    CT_MODEL_LINK_ERROR,
    CT_MODEL_LINK_WORK,
    CT_MODEL_LINK_REPLICATES_MIN,
    CT_MODEL_N_CONSTANTS
};

CT_CONSTANTS(model, MODEL)
