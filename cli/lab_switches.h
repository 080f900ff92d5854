/** Switches of a lab and the links between them: options, and what answers of `crosstalk lab` say.
 */
#ifndef CT_CLI_LAB_SWITCHES_H
#define CT_CLI_LAB_SWITCHES_H

#include "core/option.h"
#include "core/table.h"
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

enum { CT_LAB_SWITCHES_TEXT_MAX = 160 };
/** ", tree:4x4,2: 6 switches, 50mbit between them", as part of a message; "": one switch. */
void ct_lab_switches_describe(const struct ct_lab *lab, char text[CT_LAB_SWITCHES_TEXT_MAX]);

/** Settings of a lab with several switches; nothing for one. */
void ct_lab_switches_fill(struct ct_tables *tables, const struct ct_lab *lab);

/** Its hosts, switches and links, as tables. */
void ct_lab_hosts_fill(struct ct_tables *tables, const struct ct_lab *lab);
void ct_lab_links_fill(struct ct_tables *tables, const struct ct_lab *lab);

/** Load of each direction of each link between switches; no table for one switch. */
void ct_lab_link_loads_fill(struct ct_tables *tables, const struct ct_lab *lab,
                            const struct ct_lab_counters *before,
                            const struct ct_lab_counters *after);

#endif
