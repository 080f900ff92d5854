/** Options of the switches of a lab; also where crosstalk is built without the lab. */
#pragma once

#include "core/option.h"
#include "lab/lab.h"

struct ct_lab_switch_values {
    const char *topology;    /**< NULL: one switch */
    uint64_t spines;         /**< 0: not given */
    double uplink_bit_per_s; /**< NaN before parsing; stays so where it is not given */
};

/** --topology, --spines, --uplink; offsets into struct ct_lab_switch_values. */
extern const struct ct_option ct_lab_switch_options[];

/**
 * What the options say, into a specification with its rate.
 * @param spec  [in,out] n_hosts: 0 where not given
 * @return CT_OK; CT_EUSAGE; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_lab_switches_take(const struct ct_lab_switch_values *values,
                                    struct ct_lab_spec *spec, struct ct_error *err);
