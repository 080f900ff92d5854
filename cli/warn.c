#include "cli/warn.h"

#include "core/log.h"

void ct_warn_all(const char *command, const struct ct_argv *warnings)
{
    struct ct_log log = ct_log_open(command, false);
    for (size_t i = 0; i < warnings->n; i++)
        ct_log_warn(&log, "%s", warnings->item[i]);
}

void ct_warn_of_rejected(const char *command, const struct ct_run_list *list)
{
    struct ct_log log = ct_log_open(command, false);
    for (size_t i = 0; i < list->n_rejected; i++)
        ct_log_warn(&log, "left out: %s", list->rejected[i]);
    for (size_t i = 0; i < list->n_copies; i++)
        ct_log_warn(&log, "counted once: %s", list->copies[i]);
}
