/** Where a scan runs: a Slurm allocation, hosts of mpiexec, a lab, or a simulation. */
#pragma once

#include "campaign/spec.h"
#include "core/option.h"
#include "lab/lab.h"

struct ct_scan_place {
    const char *lab;       /**< name of a lab that is up; NULL: not in a lab */
    const char *simulated; /**< topology of a simulation; NULL: none */
    const char *hostfile, *options;
    uint64_t hosts;
    double rate_bit_per_s, uplink_bit_per_s, wire_s; /**< of a simulation */
    bool has_rate, has_wire;                         /**< they were given */
    int mpi;
};

/** Rows for struct ct_scan_place, for a group of options of their own. */
extern const struct ct_option ct_scan_place_rows[];

/** The launcher of a scan; owned, ct_scan_launcher_free(). */
struct ct_scan_launcher {
    struct ct_campaign_spec spec; /**< its launcher only */
    char *topology;               /**< of the lab; the spec refers to it */
};

/**
 * @param place       [in]  borrowed while the launcher is used
 * @param launcher_p  [out] unchanged on error
 * @return CT_OK; CT_EUSAGE (options that do not go together); CT_ENOENT (no such lab, with how to
 *         make it); CT_EINVAL, CT_EFORMAT (of the topology); CT_ENOMEM
 */
enum ct_status ct_scan_launcher_make(const struct ct_scan_place *place,
                                     struct ct_scan_launcher *launcher_p, struct ct_error *err);
void ct_scan_launcher_free(struct ct_scan_launcher *launcher);

/**
 * What the lab of this name, which is up, was made by.
 * @param spec  [out] unchanged on error
 * @return CT_OK; CT_ENOENT (no such lab, with how to make it); CT_EUNSUPPORTED (built without
 *         the lab)
 */
enum ct_status ct_scan_lab_spec(const char *name, struct ct_lab_spec *spec, struct ct_error *err);
