#include "cli/warn.h"

#include "core/log.h"
#include "results/checkpoint.h"

void ct_warn_all(const char *command, const struct ct_argv *warnings)
{
    struct ct_log log = ct_log_open(command, false);
    for (size_t i = 0; i < warnings->n; i++)
        ct_log_warn(&log, "%s", warnings->item[i]);
}

static void warn_of_checkpoint(struct ct_log *log, const char *path)
{
    ct_log_warn(log,
                "%s: what was measured until the last checkpoint: the run was killed, or is under "
                "way",
                path);
}

void ct_warn_of_found(const char *command, const char *path, const struct ct_found *found)
{
    struct ct_log log = ct_log_open(command, false);
    ct_warn_of_rejected(command, &found->list);
    if (found->is_checkpoint)
        warn_of_checkpoint(&log, path);
}

void ct_warn_of_rejected(const char *command, const struct ct_run_list *list)
{
    struct ct_log log = ct_log_open(command, false);
    for (size_t i = 0; i < list->n_rejected; i++)
        ct_log_warn(&log, "left out: %s", list->rejected[i]);
    for (size_t i = 0; i < list->n_entries; i++)
        if (ct_checkpoint_is(list->entries[i].path))
            warn_of_checkpoint(&log, list->entries[i].path);
    for (size_t i = 0; i < list->n_copies; i++)
        ct_log_warn(&log, "counted once: %s", list->copies[i]);
}
