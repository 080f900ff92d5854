/** Options of crosstalk validate that say what is measured, and where. */
#pragma once

#include "campaign/validation_file.h"
#include "cli/switch_options.h"
#include "core/option.h"

/** Name of the campaign file in messages, until ct_validation_options_name(). */
#define CT_VALIDATION_SOURCE "validation"

struct ct_validation_options {
    const char *folder;
    struct ct_validation_setup setup; /**< after ct_validation_options_take(); it refers to the rest
                                         of this struct; program is not an option */
    struct ct_lab_switch_values switches;
    struct ct_lab_spec lab;
    int launcher, timing, mpi;
    struct ct_validation_simulation simulation; /**< model -1: not given */
    struct ct_config load;                      /**< no messages: none */
};

/** Offsets into struct ct_validation_options; those of the switches are in cli/switch_options.h. */
extern const struct ct_option ct_validation_measurement_options[], ct_validation_network_options[],
    ct_validation_lab_options[], ct_validation_simulation_options[];

/** What options that are not given leave as it is. */
struct ct_validation_options ct_validation_options_defaults(void);

/**
 * Complete options->setup: what is not given, by where the program runs, and hosts and switches.
 * @param options  [in,out] setup.program is there; not to be moved afterwards
 * @return CT_OK; CT_EUSAGE (options that do not go together); what ct_lab_switches_take() returns
 */
enum ct_status ct_validation_options_take(struct ct_validation_options *options,
                                          struct ct_error *err);

/**
 * Values of options are read in the campaign file, where they have the names of its keys: give them
 * those of the options.
 * @return err->status
 */
enum ct_status ct_validation_options_name(struct ct_error *err);
