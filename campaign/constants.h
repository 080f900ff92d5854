/** Constants of campaigns, which decide what is measured: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_campaign_constant {
    CT_CAMPAIGN_LAUNCH,
    CT_CAMPAIGN_MARGIN,
    CT_CAMPAIGN_MARGIN_S,
    CT_CAMPAIGN_REPEAT_LEVEL,
    CT_CAMPAIGN_PICK_LEVEL,
    CT_CAMPAIGN_STEAL_REPEATED,
    CT_CAMPAIGN_PAUSE_RATIO,
    CT_CAMPAIGN_STEP_MOST,
    CT_CAMPAIGN_STEP_LEAST,
    CT_CAMPAIGN_PAUSE_LONGEST,
    CT_CAMPAIGN_VALIDATION_ROUNDS,
    CT_CAMPAIGN_VALIDATION_SETTLE,
    CT_CAMPAIGN_QUIET,
    CT_CAMPAIGN_QUIET_WINDOW,
    CT_CAMPAIGN_LATE_MEDIAN,
    CT_CAMPAIGN_LATE_SHARE,
    CT_CAMPAIGN_LATE_P99,
    CT_CAMPAIGN_SCAN_IDLE_TAIL,
    CT_CAMPAIGN_SCAN_IDLE_WAITS,
    CT_CAMPAIGN_SCAN_GROUPS,
    CT_CAMPAIGN_N_CONSTANTS
};

extern const struct ct_constant ct_campaign_constants[CT_CAMPAIGN_N_CONSTANTS];

static inline double ct_campaign_constant(enum ct_campaign_constant row)
{
    return ct_campaign_constants[row].value;
}
