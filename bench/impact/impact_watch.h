/**
 * impactb --watch: MPI says where the collector is and gives all hosts one key; what probes then is
 * crosstalk-prober, which each process becomes after MPI has ended, so that it knows nothing of
 * other ranks.
 */
#pragma once

#include "bench/common/bench.h"
#include "core/argv.h"

struct ct_impact_watch {
    const char *folder;    /**< NULL: no watch */
    const char *interface; /**< of the network that is watched; NULL: any */
    double link_bit_per_s; /**< 0: as crosstalk-prober has it */
};

/**
 * Collective: agree on collector and key.
 * @param more   [in]  options of crosstalk-prober that all hosts have
 * @param first  [in]  those that the collector has beside them
 * @param argv   [out] what ct_impact_watch_become() runs; empty: another rank of this node does it
 * @return CT_OK; CT_EUNSUPPORTED (crosstalk-prober is not there); CT_ENODATA (no address); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_impact_watch_prepare(const struct ct_bench *bench,
                                       const struct ct_impact_watch *watch,
                                       const struct ct_argv *more, const struct ct_argv *first,
                                       struct ct_argv *argv, struct ct_error *err);

/** Become crosstalk-prober: returns only if that fails. After the end of MPI. */
enum ct_status ct_impact_watch_become(const struct ct_argv *argv, struct ct_error *err);
