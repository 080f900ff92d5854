/** Warnings on standard error. */
#pragma once

#include "core/argv.h"
#include "results/run_summary.h"

/** Print each text as a warning. */
void ct_warn_all(const char *command, const struct ct_argv *warnings);

/** Warn of each file that could not be read, of each copy, and of each checkpoint. */
void ct_warn_of_rejected(const char *command, const struct ct_run_list *list);

/** The same of what was found at a path. */
void ct_warn_of_found(const char *command, const char *path, const struct ct_found *found);
