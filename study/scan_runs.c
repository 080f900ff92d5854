#include "study/scan_runs.h"

#include "core/units.h"
#include "study/scan_file.h"

#include <math.h>
#include <stdlib.h>

/* ---- a cell ---- */

/* The load of a cell beside compressionb's ring, as compressionb would record it. */
static struct ct_config config_of(const struct ct_run *round, size_t cell)
{
    const struct ct_scan_cell_row *row = &round->scan_cells[cell];
    const char *size = ct_run_text(&round->info, "option_message_size");
    double slots = ct_run_number(&round->info, "ranks_per_node");
    struct ct_config config = {.partners = row->partners,
                               .messages = row->messages,
                               .bubble_s = row->pause_s,
                               .pattern = CT_PATTERN_RING,
                               .slots = slots >= 1 ? (uint32_t)slots : 0};
    if (!size || ct_parse_size(size, &config.message_bytes, NULL) != CT_OK)
        config.message_bytes = 0;
    return config;
}

static bool has_congestors(const struct ct_run *round)
{
    for (size_t c = 0; c < round->n_scan_cells; c++)
        if (round->scan_cells[c].congestor != CT_SCAN_WITH_NONE)
            return true;
    return false;
}

/* Members of the attributes are texts that are not changed. */
static char *name_of(const char *const *names, unsigned index)
{
    return (char *)names[index];
}

/* What is beside the canary, or beside what the run is labelled with. */
static bool set_load(const struct ct_run *round, size_t cell, char **beside, bool *has_config,
                     struct ct_config *config)
{
    const struct ct_scan_cell_row *row = &round->scan_cells[cell];
    bool is_labelled = **beside || *has_config;
    if (row->congestor == CT_SCAN_WITH_NONE)
        return true;
    if (is_labelled) /* two loads at once */
        return false;
    if (row->congestor == CT_SCAN_WITH_COMPRESSION) {
        *has_config = true;
        *config = config_of(round, cell);
        return true;
    }
    *beside = name_of(ct_scan_congestor_names, row->congestor);
    return row->congestor < CT_N_SCAN_CONGESTORS && !(row->burst_s > 0) && !(row->intensity < 1);
}

static bool is_program(const struct ct_scan_cell_row *row)
{
    return row->canary != CT_SCAN_LATENCY ||
           (row->congestor != CT_SCAN_WITH_NONE && row->congestor != CT_SCAN_WITH_COMPRESSION);
}

bool ct_scan_cell_is_run(const struct ct_run *round, size_t cell, bool programs,
                         struct ct_run_info *info_p)
{
    const enum ct_scan_canary canary = (enum ct_scan_canary)round->scan_cells[cell].canary;
    struct ct_run_info info = round->info;
    bool is_workload = ct_scan_is_workload(canary) && canary < CT_N_SCAN_MEASURED;
    if (has_congestors(round)) {
        info.facts = NULL;
        info.n_facts = 0;
    }
    if (is_program(&round->scan_cells[cell]) && !programs)
        return false;
    if (!(canary == CT_SCAN_LATENCY || is_workload) || *info.with ||
        !set_load(round, cell, &info.app, &info.has_config, &info.config))
        return false;
    info.kind = is_workload ? CT_RUN_RUNTIME : CT_RUN_IMPACT;
    if (is_workload) { /* the label is of what ran beside it */
        info.with = info.app;
        info.app = name_of(ct_scan_canary_names, canary);
    }
    *info_p = info;
    return true;
}

static size_t count_canaries(const struct ct_run *round)
{
    const char *text = ct_run_text(&round->info, CT_RUN_SCAN_CANARIES);
    struct ct_argv words = {0};
    size_t n = text && ct_argv_split(&words, text, NULL) == CT_OK ? words.n : 0;
    ct_argv_free(&words);
    return n;
}

/* The samples of a cell as rows of its kind. @return false: out of memory */
static bool take_rows(const struct ct_run *round, size_t cell, struct ct_run *run)
{
    size_t n = 0;
    bool is_probe = run->info.kind == CT_RUN_IMPACT;
    run->samples = is_probe ? calloc(round->n_scan_samples + 1, sizeof *run->samples) : NULL;
    run->runtimes = is_probe ? NULL : calloc(round->n_scan_samples + 1, sizeof *run->runtimes);
    if (!run->samples && !run->runtimes)
        return false;
    for (size_t i = 0; i < round->n_scan_samples; i++) {
        const struct ct_scan_sample *sample = &round->scan_samples[i];
        if (sample->cell != cell)
            continue;
        if (is_probe)
            run->samples[n++] = (struct ct_sample){
                .t_s = sample->t_s, .sent_s = NAN, .forward_s = NAN, .latency_s = sample->value_s};
        else
            run->runtimes[n++] = (struct ct_runtime){sample->t_s, sample->value_s};
    }
    run->n_samples = is_probe ? n : 0;
    run->n_runtimes = is_probe ? 0 : n;
    return true;
}

enum ct_status ct_scan_cell_run_take(const struct ct_run *round, size_t cell,
                                     struct ct_scan_cell_run *made_p, struct ct_error *err)
{
    const struct ct_scan_cell_row *row = &round->scan_cells[cell];
    struct ct_scan_cell_run made = {.node_bytes_per_s = NAN};
    size_t n_nodes = ct_run_count_hosts(&round->info), n_canaries = count_canaries(round);
    (void)ct_scan_cell_is_run(round, cell, true, &made.run.info);
    if (!take_rows(round, cell, &made.run))
        return ct_no_memory(err, "%zu times", round->n_scan_samples);
    if (row->congestor == CT_SCAN_WITH_COMPRESSION && row->congestor_s > 0 && n_nodes > n_canaries)
        made.node_bytes_per_s =
            (double)row->congestor_bytes / row->congestor_s / (double)(n_nodes - n_canaries);
    *made_p = made;
    return CT_OK;
}

void ct_scan_cell_run_free(struct ct_scan_cell_run *made)
{
    free(made->run.samples);
    free(made->run.runtimes);
    *made = (struct ct_scan_cell_run){.node_bytes_per_s = NAN};
}

/* ---- a scan ---- */

static enum ct_status read_scan(const char *dir, struct ct_scan *scan_p, struct ct_error *err)
{
    enum ct_status status = ct_scan_file_read(dir, scan_p, err);
    return status == CT_ENOENT || status == CT_EIO
               ? ct_fail(err, CT_EUSAGE,
                         "%s: no folder of crosstalk scan; its sheets have no times of messages: "
                         "give the folder that has %s and runs/",
                         dir, CT_SCAN_FILE)
               : status;
}

enum ct_status ct_scan_loads_read(const char *dir, struct ct_config **configs_p, size_t *n_p,
                                  struct ct_error *err)
{
    struct ct_scan scan;
    size_t n = 0;
    CT_TRY(read_scan(dir, &scan, err));
    struct ct_config *configs = calloc(scan.n_cases + 1, sizeof *configs);
    for (size_t i = 0; i < scan.n_cases && configs; i++)
        if (scan.cases[i].canary == CT_SCAN_LATENCY &&
            scan.cases[i].setting.congestor == CT_SCAN_WITH_COMPRESSION)
            configs[n++] = (struct ct_config){.partners = scan.cases[i].setting.partners,
                                              .messages = scan.cases[i].setting.messages,
                                              .bubble_s = scan.cases[i].setting.pause_s,
                                              .pattern = CT_PATTERN_RING,
                                              .slots = (uint32_t)scan.asked.slots,
                                              .message_bytes = scan.asked.message_bytes};
    ct_scan_free(&scan);
    if (n > 0) {
        *configs_p = configs;
        *n_p = n;
        return CT_OK;
    }
    enum ct_status status =
        configs ? ct_fail(err, CT_ENODATA,
                          "%s: the scan has no load of known amount; make one with more --time, or "
                          "with --cells 'latency:compression:P=1,M=1,B=1ms' and others like it",
                          dir)
                : ct_no_memory(err, "%s", dir);
    free(configs);
    return status;
}

enum ct_status ct_scan_runs_list(const char *dir, struct ct_run_list *list_p, struct ct_error *err)
{
    struct ct_config *configs;
    size_t n;
    CT_TRY(ct_scan_loads_read(dir, &configs, &n, err));
    free(configs);
    return ct_run_list_read(dir, list_p, err);
}
