/** Constants of the search for sick links: core/constant.h. */
#pragma once

#include "core/constant.h"

/** Rows of the table. */
enum ct_watch_constant {
    CT_WATCH_FLOOR_LEAST,
    CT_WATCH_FLOOR_QUANTILE,
    CT_WATCH_FLOOR_MARGIN,
    CT_WATCH_WAIT_MARGIN,
    CT_WATCH_SHARE_LEFT,
    CT_WATCH_SHARE_WINDOW,
    CT_WATCH_SLOW_MAX,
    CT_WATCH_LOSS_LEAST,
    CT_WATCH_APART,
    CT_WATCH_BYTES_SHARE,
    CT_WATCH_N_CONSTANTS
};

extern const struct ct_constant ct_watch_constants[CT_WATCH_N_CONSTANTS];
