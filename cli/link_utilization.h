/** `crosstalk utilization --links`: tables and picture. */
#pragma once

#include "cli/analysis.h"
#include "study/link_load.h"

struct ct_link_utilization_values {
    bool links;
    const char *topology;                 /**< NULL: that of the run */
    const char *plot_path, *picture_path; /**< NULL: none */
    bool round_trips;
    const char *uplink_rate; /**< NULL: that of --link-rate */
};

/** --links, --topology, --round-trips, --uplink-rate, --output; offsets into struct
 * ct_link_utilization_values. */
extern const struct ct_option ct_link_utilization_options[];

/** @return CT_OK; CT_EUSAGE (options for --links without it) */
enum ct_status ct_link_utilization_check(const struct ct_link_utilization_values *values,
                                         struct ct_error *err);

/**
 * @param bit_per_s_p  [out] > 0; NaN: not given; unchanged on error
 * @return CT_OK; CT_EUSAGE (not a rate above 0)
 */
enum ct_status ct_link_uplink_rate_parse(const struct ct_link_utilization_values *values,
                                         double *bit_per_s_p, struct ct_error *err);

/** Links, the busiest first. */
void ct_link_utilization_fill(struct ct_tables *tables, const struct ct_link_load *load);

/**
 * Write the picture, SVG or Graphviz by the end of its name.
 * @return CT_OK; CT_EUSAGE (another end); CT_EINVAL (too many links); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_link_utilization_draw(const struct ct_link_load *load, const char *path,
                                        struct ct_error *err);
