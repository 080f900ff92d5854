/** A schedule, from which curves are made. */
#pragma once

#include "core/argv.h"
#include "libcrosstalk/facade.h"
#include "lp-bridge/goal/goal.h"

struct crosstalk_schedule {
    char *path; /**< for messages */
    struct ct_goal goal;
    struct ct_argv notes; /**< messages: parts of the traces that are left out */
};
