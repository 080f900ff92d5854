/**
 * The state of a watch as metrics: Prometheus' text format (version 0.0.4) or OpenMetrics 1.0.
 *
 * Gauges and counters only, in base units, named crosstalk_watch_*. Labels are hosts, ends of
 * directions, and the places of alarms: no jobs, which a site joins by host and time.
 */
#pragma once

#include "watch/state.h"

#include <stdio.h>

enum ct_watch_exposition {
    CT_WATCH_PROMETHEUS,  /**< text/plain; version=0.0.4; a file for node_exporter */
    CT_WATCH_OPENMETRICS, /**< application/openmetrics-text; version=1.0.0 */
    CT_WATCH_EXPOSITIONS
};

/** Errors are those of the stream, which the caller checks. */
void ct_watch_metrics_write(const struct ct_watch_state *state, enum ct_watch_exposition exposition,
                            FILE *out);
