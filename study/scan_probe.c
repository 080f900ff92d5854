#include "study/scan_probe.h"

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

bool ct_scan_probe_is(const struct ct_run *round, size_t cell, struct ct_run_info *info_p)
{
    const struct ct_scan_cell_row *row = &round->scan_cells[cell];
    struct ct_run_info info = round->info;
    info.kind = CT_RUN_IMPACT;
    if (has_congestors(round)) {
        info.facts = NULL;
        info.n_facts = 0;
    }
    if (row->canary != CT_SCAN_LATENCY)
        return false;
    if (row->congestor == CT_SCAN_WITH_COMPRESSION) {
        if (*info.app || *info.with || info.has_config)
            return false; /* two loads at once */
        info.has_config = true;
        info.config = config_of(round, cell);
    } else if (row->congestor != CT_SCAN_WITH_NONE) {
        return false;
    }
    *info_p = info;
    return true;
}

enum ct_status ct_scan_probe_take(const struct ct_run *round, size_t cell,
                                  struct ct_scan_probe *probe_p, struct ct_error *err)
{
    const struct ct_scan_cell_row *row = &round->scan_cells[cell];
    struct ct_scan_probe probe = {.node_bytes_per_s = NAN};
    size_t n_nodes = ct_run_count_hosts(&round->info), n_canaries = 0;
    struct ct_argv canaries = {0};
    (void)ct_scan_probe_is(round, cell, &probe.run.info);
    probe.run.samples = calloc(round->n_scan_samples + 1, sizeof *probe.run.samples);
    if (!probe.run.samples)
        return ct_no_memory(err, "%zu latencies", round->n_scan_samples);
    for (size_t i = 0; i < round->n_scan_samples; i++)
        if (round->scan_samples[i].cell == cell)
            probe.run.samples[probe.run.n_samples++] =
                (struct ct_sample){.t_s = round->scan_samples[i].t_s,
                                   .sent_s = NAN,
                                   .forward_s = NAN,
                                   .latency_s = round->scan_samples[i].value_s};
    const char *text = ct_run_text(&round->info, CT_RUN_SCAN_CANARIES);
    if (text && ct_argv_split(&canaries, text, NULL) == CT_OK)
        n_canaries = canaries.n;
    ct_argv_free(&canaries);
    if (row->congestor == CT_SCAN_WITH_COMPRESSION && row->congestor_s > 0 && n_nodes > n_canaries)
        probe.node_bytes_per_s =
            (double)row->congestor_bytes / row->congestor_s / (double)(n_nodes - n_canaries);
    *probe_p = probe;
    return CT_OK;
}

void ct_scan_probe_free(struct ct_scan_probe *probe)
{
    free(probe->run.samples);
    *probe = (struct ct_scan_probe){.node_bytes_per_s = NAN};
}

/* ---- a scan ---- */

enum ct_status ct_scan_probe_list(const char *dir, struct ct_run_list *list_p, struct ct_error *err)
{
    struct ct_scan scan;
    bool has_loads = false;
    enum ct_status status = ct_scan_file_read(dir, &scan, err);
    if (status == CT_ENOENT || status == CT_EIO)
        return ct_fail(
            err, CT_EUSAGE,
            "%s: no folder of crosstalk scan; its sheets have no times of messages: give "
            "the folder that has %s and runs/",
            dir, CT_SCAN_FILE);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < scan.n_cases; i++)
        has_loads |= scan.cases[i].canary == CT_SCAN_LATENCY &&
                     scan.cases[i].setting.congestor == CT_SCAN_WITH_COMPRESSION;
    ct_scan_free(&scan);
    if (!has_loads)
        return ct_fail(err, CT_ENODATA,
                       "%s: the scan has no load of known amount; make one with more --time, or "
                       "with --cells 'latency:compression:P=1,M=1,B=1ms' and others like it",
                       dir);
    return ct_run_list_read(dir, list_p, err);
}
