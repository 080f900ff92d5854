#include "cli/run_table.h"

#include "results/run_summary.h"

#include <math.h>

static const struct ct_column run_columns[] = {{"path", "run", CT_UNIT_NONE},
                                               {"kind", "kind", CT_UNIT_NONE},
                                               {"app", "app", CT_UNIT_NONE},
                                               {"with", "with", CT_UNIT_NONE},
                                               {"config_P", "P", CT_UNIT_COUNT},
                                               {"config_M", "M", CT_UNIT_COUNT},
                                               {"config_B_s", "B", CT_UNIT_SECONDS},
                                               {"config_pattern", "pattern", CT_UNIT_NONE},
                                               {"config_burst_on_s", "on", CT_UNIT_LONG_SECONDS},
                                               {"config_burst_off_s", "off", CT_UNIT_LONG_SECONDS},
                                               {"config_message_bytes", NULL, CT_UNIT_BYTES},
                                               {"config_slots", NULL, CT_UNIT_COUNT},
                                               {"started_utc", "started", CT_UNIT_NONE},
                                               {"n", "rows", CT_UNIT_COUNT},
                                               {"min_s", "min", CT_UNIT_SECONDS},
                                               {"mean_s", "mean", CT_UNIT_SECONDS},
                                               {"p50_s", "p50", CT_UNIT_SECONDS},
                                               {"p99_s", "p99", CT_UNIT_SECONDS},
                                               {"max_s", "max", CT_UNIT_SECONDS}};
enum { N_RUN_COLUMNS = sizeof run_columns / sizeof *run_columns, N_IDENTITY_COLUMNS = 13 };

static void add_identity(struct ct_tables *tables, const struct ct_run_entry *entry)
{
    const struct ct_run_info *info = &entry->info;
    const struct ct_burst *burst = &info->config.burst;
    ct_tables_cell_text(tables, entry->path);
    ct_tables_cell_text(tables, ct_run_kind_text(info->kind));
    ct_tables_cell_text(tables, info->app);
    ct_tables_cell_text(tables, info->with);
    CT_CELL_NUMBERS(tables, info->has_config ? (double)info->config.partners : NAN,
                    info->has_config ? (double)info->config.messages : NAN,
                    info->has_config ? info->config.bubble_s : NAN);
    ct_tables_cell_text(tables, info->has_config ? ct_pattern_names[info->config.pattern] : "");
    CT_CELL_NUMBERS(tables, burst->given ? burst->on_s : NAN, burst->given ? burst->off_s : NAN);
    const struct ct_config *config = &info->config;
    CT_CELL_NUMBERS(tables, config->message_bytes > 0 ? (double)config->message_bytes : NAN,
                    config->slots > 0 ? (double)config->slots : NAN);
    ct_tables_cell_text(tables, info->started_utc);
}

static enum ct_status add_summary(struct ct_tables *tables, const struct ct_run_entry *entry,
                                  struct ct_error *err)
{
    struct ct_run run;
    struct ct_run_summary summary;
    CT_TRY(ct_run_read_entry(entry, &run, err));
    enum ct_status status = ct_run_summarize(&run, &summary, err);
    ct_run_free(&run);
    if (status != CT_OK)
        return status;
    CT_CELL_NUMBERS(tables, summary.n, summary.min_s, summary.mean_s, summary.p50_s, summary.p99_s,
                    summary.max_s);
    return CT_OK;
}

enum ct_status ct_run_table(struct ct_tables *tables, const struct ct_run_list *list,
                            bool with_summaries, struct ct_error *err)
{
    ct_tables_begin(tables, "runs", NULL, run_columns,
                    with_summaries ? N_RUN_COLUMNS : N_IDENTITY_COLUMNS);
    for (size_t i = 0; i < list->n_entries; i++) {
        add_identity(tables, &list->entries[i]);
        if (with_summaries)
            CT_TRY(add_summary(tables, &list->entries[i], err));
    }
    return CT_OK;
}
