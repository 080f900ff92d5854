/** Options for the schedules of a campaign's applications and their parameters. */
#pragma once

#include "cli/model_options.h"
#include "study/schedules.h"

struct ct_schedule_settings {
    const char *folder; /**< NULL: not given */
    int pass;           /**< of traces: 0: whole; 1: their steps */
    struct ct_model_settings model;
    int order;          /**< 0: not given; else enum ct_port_order + 1 */
    size_t burst_bytes; /**< SIZE_MAX: not given */
};

/** Rows --schedules, --pass, --L, --o, --G, --S, --logp, --parameters, --queue, --burst; offsets in
 * the struct above. */
extern const struct ct_option ct_schedule_options[];

/** @param source_p  [out] borrows texts of the settings. @return CT_OK; CT_EUSAGE */
enum ct_status ct_schedule_source_given(const struct ct_schedule_settings *settings,
                                        struct ct_schedule_source *source_p, struct ct_error *err);
