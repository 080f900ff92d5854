/** Counters of the simulator's links, where switches of a real network have theirs. */
#ifndef CT_BENCH_SIMGRID_SIMGRID_LINKS_H
#define CT_BENCH_SIMGRID_SIMGRID_LINKS_H

#include "core/status.h"

#include <stddef.h>

struct ct_simgrid_link {
    char *name;        /**< of the platform file; owned */
    double rate_per_s; /**< bytes */
    double bytes;      /**< that it carried in the interval */
    void *handle;
};

/** Clear with {0}. */
struct ct_simgrid_links {
    const char *path; /**< file to be written, with the simulator's plugin link_load on; NULL: nothing
                         is counted */
    struct ct_simgrid_link *links; /**< [n_links] */
    size_t n_links;
    double from_s, until_s; /**< simulated time */
};

/** In a rank: count from now on. @return CT_OK; CT_ENOMEM */
enum ct_status ct_simgrid_links_start(struct ct_simgrid_links *links, struct ct_error *err);

/**
 * In a rank: write the counters as JSON: "interval_s", and "links", each with "name", "bytes",
 * "rate_bytes_per_s" and "busy_fraction".
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_simgrid_links_stop(struct ct_simgrid_links *links, struct ct_error *err);

void ct_simgrid_links_free(struct ct_simgrid_links *links);

#endif
