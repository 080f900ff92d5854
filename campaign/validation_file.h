/** The campaign of a validation: one program at several latencies, its traces, and LogP parameters.
 */
#pragma once

#include "core/file.h"
#include "core/mpi_kind.h"
#include "results/config.h"

#include <stdbool.h>
#include <stdint.h>

/** The program's name in the campaign. */
#define CT_VALIDATION_APP "program"

/** A simulation in place of the lab, see campaign/spec.h. */
struct ct_validation_simulation {
    int model;            /**< index of ct_campaign_simgrid_models */
    double overhead_s;    /**< to send a message, and to receive one */
    const char *settings; /**< further ones of SimGrid, words; NULL: none */
    const char *folder;   /**< of crosstalk-simgrid; NULL: where it is installed */
};

/** What crosstalk validate is asked for: one struct, since each member becomes a key of the file.
 */
struct ct_validation_setup {
    char *const *program;  /**< NULL-terminated */
    const char *longer;    /**< command line with longer passes; NULL: see ct_validation_file() */
    uint64_t longer_by;    /**< how many passes `longer` is longer, >= 1 */
    bool is_whole;         /**< timed by the driver from start to exit, not by the program */
    const char *latencies; /**< "0us,100us": added to base_s */
    double base_s;         /**< latency of the baseline; in a simulation that of each link */
    double lateness_s;     /**< see campaign/spec.h; not in a simulation */
    uint64_t hosts;        /**< 0, in a simulation only: those of the topology */
    uint64_t ranks_per_host, repetitions, seed;
    const char *topology;    /**< as struct ct_campaign_launcher has it; "": one switch */
    uint64_t spines;         /**< of its tree; 0: as in the text */
    double uplink_bit_per_s; /**< of links between switches; NaN: as rate_bit_per_s */
    double rate_bit_per_s, runtime_s, logp_s;
    const struct ct_config *load; /**< beside all timed passes but the first ones; NULL: none */
    double probe_s;               /**< duration of a run of the probe; with a load only */
    enum ct_mpi mpi;              /**< not in a simulation */
    const char *lab;              /**< NULL: $CROSSTALK_LAB or "default" */
    const struct ct_validation_simulation *simulation; /**< NULL: in a lab */
};

/**
 * Make the text of the campaign file. With several switches LogP parameters are those of each class
 * of paths. With a load the program is timed alone without added latency,
 * and beside the load at each latency; the probe runs on the idle network, and beside the load at
 * each latency. If the program times its passes and `longer` is NULL, the
 * longer form is the program with 1 + longer_by times the number after --iterations. A pass is
 * expected to take as long as all passes of a run, for deadlines.
 * @param file_p  [out] free(file_p->text)
 * @return CT_OK; CT_EUSAGE (no --iterations to multiply); CT_ENOMEM
 */
enum ct_status ct_validation_file(const struct ct_validation_setup *setup, struct ct_text *file_p,
                                  struct ct_error *err);
