/* A run by its path: a run file, or what a run kept that was killed (checkpoint.h). */
#include "results/checkpoint.h"

enum ct_status ct_run_read(const char *path, struct ct_run *run_p, struct ct_error *err)
{
    return ct_checkpoint_is(path) ? ct_checkpoint_recover(path, run_p, err)
                                  : ct_run_file_read(path, run_p, err);
}

enum ct_status ct_run_read_entry(const struct ct_run_entry *entry, struct ct_run *run_p,
                                 struct ct_error *err)
{
    return ct_checkpoint_is(entry->path) ? ct_checkpoint_recover(entry->path, run_p, err)
                                         : ct_run_file_read_entry(entry, run_p, err);
}

enum ct_status ct_run_read_info(const char *path, struct ct_run_info *info_p, struct ct_error *err)
{
    struct ct_run run;
    if (!ct_checkpoint_is(path))
        return ct_run_file_read_info(path, info_p, err);
    CT_TRY(ct_checkpoint_recover(path, &run, err));
    *info_p = run.info;
    run.info = (struct ct_run_info){0};
    ct_run_free(&run);
    return CT_OK;
}
