/* Run files. Rows are copied into the public structs once: their layout is the library's promise,
 * that of the internal ones is nobody's. */
#include "results/run.h"

#include "core/array.h"
#include "libcrosstalk/facade.h"

#include <stdlib.h>
#include <string.h>

struct crosstalk_run {
    char *path;
    struct ct_run_info info;
    char config[CT_CONFIG_TEXT_MAX];
    struct crosstalk_sample *samples;
    struct crosstalk_pair *pairs;
    struct crosstalk_pass *passes;
    struct crosstalk_round *rounds;
    struct crosstalk_logp *logp;
    size_t n_samples, n_pairs, n_passes, n_rounds, n_logp;
};

struct crosstalk_run_list {
    struct crosstalk_run *runs;
    size_t n;
    char **rejected;
    size_t n_rejected;
};

/* ---- rows ---- */

/* Room for n rows, at least one; sets *failed where there is none. */
static void *allocate_rows(size_t n, size_t row_bytes, bool *failed)
{
    void *room = n > 0 ? calloc(n, row_bytes) : NULL;
    *failed |= n > 0 && !room;
    return room;
}

/* There may be very many: they become shorter where they are, and their memory with them. */
static void take_samples(struct ct_run *from, struct crosstalk_run *run)
{
    _Static_assert(sizeof *run->samples <= sizeof *from->samples, "rows become shorter");
    char *rows = (char *)from->samples;
    for (size_t i = 0; i < from->n_samples; i++) {
        const struct crosstalk_sample sample = {.time_s = from->samples[i].t_s,
                                                .latency_s = from->samples[i].latency_s,
                                                .pair = from->samples[i].pair,
                                                .late = from->samples[i].late};
        memcpy(rows + i * sizeof sample, &sample, sizeof sample);
    }
    run->n_samples = from->n_samples;
    if (run->n_samples > 0) {
        run->samples = (void *)rows;
        from->samples = NULL;
        from->n_samples = 0;
        (void)CT_ARRAY_RESIZE(run->samples, run->n_samples);
    }
}

static void take_pairs(const struct ct_run *from, struct crosstalk_run *run, bool *failed)
{
    _Static_assert(sizeof run->pairs->host_a == CT_HOST_MAX, "names of hosts are as long");
    run->pairs = allocate_rows(from->n_pairs, sizeof *run->pairs, failed);
    for (size_t i = 0; run->pairs && i < from->n_pairs; i++) {
        struct crosstalk_pair *pair = &run->pairs[i];
        pair->rank_a = from->pairs[i].rank_a;
        pair->rank_b = from->pairs[i].rank_b;
        memcpy(pair->host_a, from->pairs[i].host_a, sizeof pair->host_a);
        memcpy(pair->host_b, from->pairs[i].host_b, sizeof pair->host_b);
    }
    run->n_pairs = from->n_pairs;
}

static void take_passes(const struct ct_run *from, struct crosstalk_run *run, bool *failed)
{
    run->passes = allocate_rows(from->n_runtimes, sizeof *run->passes, failed);
    for (size_t i = 0; run->passes && i < from->n_runtimes; i++)
        run->passes[i] =
            (struct crosstalk_pass){from->runtimes[i].start_s, from->runtimes[i].duration_s};
    run->n_passes = from->n_runtimes;
}

static void take_rounds(const struct ct_run *from, struct crosstalk_run *run, bool *failed)
{
    run->rounds = allocate_rows(from->n_rounds, sizeof *run->rounds, failed);
    for (size_t i = 0; run->rounds && i < from->n_rounds; i++)
        run->rounds[i] = (struct crosstalk_round){
            from->rounds[i].start_s, from->rounds[i].duration_s, from->rounds[i].bytes};
    run->n_rounds = from->n_rounds;
}

static void take_logp(const struct ct_run *from, struct crosstalk_run *run, bool *failed)
{
    run->logp = allocate_rows(from->n_logp, sizeof *run->logp, failed);
    for (size_t i = 0; run->logp && i < from->n_logp; i++) {
        const struct ct_logp_row *row = &from->logp[i];
        run->logp[i] = (struct crosstalk_logp){
            .bytes = row->bytes,
            .rank_from = row->rank_from,
            .rank_to = row->rank_to,
            .repetitions = row->repetitions,
            .saturation = row->method == CT_LOGP_SATURATION,
            .send_overhead_s = {row->os_s, row->os_lo_s, row->os_hi_s},
            .receive_overhead_s = {row->or_s, row->or_lo_s, row->or_hi_s},
            .receive_expected_s = {row->or_expected_s, row->or_expected_lo_s,
                                   row->or_expected_hi_s},
            .gap_s = {row->g_s, row->g_lo_s, row->g_hi_s},
            .round_trip_s = {row->rtt_s, row->rtt_lo_s, row->rtt_hi_s}};
    }
    run->n_logp = from->n_logp;
}

size_t crosstalk_run_samples(const struct crosstalk_run *run,
                             const struct crosstalk_sample **samples_p)
{
    *samples_p = run->samples;
    return run->n_samples;
}

size_t crosstalk_run_pairs(const struct crosstalk_run *run, const struct crosstalk_pair **pairs_p)
{
    *pairs_p = run->pairs;
    return run->n_pairs;
}

size_t crosstalk_run_passes(const struct crosstalk_run *run, const struct crosstalk_pass **passes_p)
{
    *passes_p = run->passes;
    return run->n_passes;
}

size_t crosstalk_run_rounds(const struct crosstalk_run *run,
                            const struct crosstalk_round **rounds_p)
{
    *rounds_p = run->rounds;
    return run->n_rounds;
}

size_t crosstalk_run_logp(const struct crosstalk_run *run, const struct crosstalk_logp **rows_p)
{
    *rows_p = run->logp;
    return run->n_logp;
}

/* ---- a run ---- */

/* Takes info over. */
static void take_info(const char *path, struct ct_run_info *info, struct crosstalk_run *run,
                      bool *failed)
{
    run->info = *info;
    *info = (struct ct_run_info){0};
    run->path = strdup(path);
    *failed |= !run->path;
    if (run->info.has_config)
        ct_config_format(&run->info.config, run->config);
}

static void clear_run(struct crosstalk_run *run)
{
    ct_run_info_free(&run->info);
    free(run->path);
    free(run->samples);
    free(run->pairs);
    free(run->passes);
    free(run->rounds);
    free(run->logp);
}

static struct crosstalk_run *publish_run(const char *path, struct ct_run *from)
{
    struct crosstalk_run *run = calloc(1, sizeof *run);
    bool failed = !run;
    if (run) {
        take_info(path, &from->info, run, &failed);
        take_samples(from, run);
        take_pairs(from, run, &failed);
        take_passes(from, run, &failed);
        take_rounds(from, run, &failed);
        take_logp(from, run, &failed);
    }
    if (failed) {
        crosstalk_run_close(run);
        return NULL;
    }
    return run;
}

enum crosstalk_status crosstalk_run_open(const char *path, struct crosstalk_run **run_p,
                                         struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_run from;
    struct ct_results_guest guest = ct_facade_enter_results();
    enum ct_status status = ct_run_read(path, &from, &err);
    ct_facade_leave_results(guest);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    struct crosstalk_run *run = publish_run(path, &from);
    ct_run_free(&from);
    if (!run)
        return ct_facade_return(ct_no_memory(&err, "%s", path), &err, error);
    *run_p = run;
    return CROSSTALK_OK;
}

void crosstalk_run_close(struct crosstalk_run *run)
{
    if (run)
        clear_run(run);
    free(run);
}

const char *crosstalk_run_path(const struct crosstalk_run *run)
{
    return run->path;
}

enum crosstalk_kind crosstalk_run_kind(const struct crosstalk_run *run)
{
    switch (run->info.kind) {
    case CT_RUN_COMPRESSION:
        return CROSSTALK_RUN_COMPRESSION;
    case CT_RUN_RUNTIME:
        return CROSSTALK_RUN_RUNTIME;
    case CT_RUN_LOGP:
        return CROSSTALK_RUN_LOGP;
    case CT_RUN_SCAN:
        return CROSSTALK_RUN_SCAN;
    case CT_RUN_IMPACT:
        break;
    }
    return CROSSTALK_RUN_IMPACT;
}

const char *crosstalk_run_app(const struct crosstalk_run *run)
{
    return run->info.app;
}

const char *crosstalk_run_with(const struct crosstalk_run *run)
{
    return run->info.with;
}

const char *crosstalk_run_config(const struct crosstalk_run *run)
{
    return run->config;
}

const char *crosstalk_run_text(const struct crosstalk_run *run, const char *name)
{
    const struct ct_run_info *info = &run->info;
    const struct {
        const char *name, *text;
    } texts[] = {{"tool", info->tool},   {"version", info->version},
                 {"app", info->app},     {"with", info->with},
                 {"argv", info->argv},   {"started_utc", info->started_utc},
                 {"hosts", info->hosts}, {"mpi_library", info->mpi_library},
                 {"timer", info->timer}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(name, texts[i].name))
            return texts[i].text;
    return ct_run_text(info, name);
}

double crosstalk_run_number(const struct crosstalk_run *run, const char *name)
{
    if (!strcmp(name, "seed"))
        return (double)run->info.seed;
    if (!strcmp(name, "timer_resolution_s"))
        return run->info.timer_resolution_s;
    return ct_run_number(&run->info, name);
}

/* ---- a campaign's runs ---- */

/* Takes the runs of the list over. */
static struct crosstalk_run_list *publish_list(struct ct_run_list *from)
{
    struct crosstalk_run_list *list = calloc(1, sizeof *list);
    bool failed = !list;
    if (list) {
        list->runs = allocate_rows(from->n_entries, sizeof *list->runs, &failed);
        list->n = list->runs ? from->n_entries : 0;
        for (size_t i = 0; i < list->n; i++)
            take_info(from->entries[i].path, &from->entries[i].info, &list->runs[i], &failed);
        list->rejected = from->rejected;
        list->n_rejected = from->n_rejected;
        from->rejected = NULL;
        from->n_rejected = 0;
    }
    if (failed) {
        crosstalk_run_list_close(list);
        return NULL;
    }
    return list;
}

enum crosstalk_status crosstalk_run_list_open(const char *path, struct crosstalk_run_list **list_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_run_list from;
    struct ct_results_guest guest = ct_facade_enter_results();
    enum ct_status status = ct_run_list_read(path, &from, &err);
    ct_facade_leave_results(guest);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    struct crosstalk_run_list *list = publish_list(&from);
    ct_run_list_free(&from);
    if (!list)
        return ct_facade_return(ct_no_memory(&err, "%s", path), &err, error);
    *list_p = list;
    return CROSSTALK_OK;
}

void crosstalk_run_list_close(struct crosstalk_run_list *list)
{
    for (size_t i = 0; list && i < list->n; i++)
        clear_run(&list->runs[i]);
    for (size_t i = 0; list && i < list->n_rejected; i++)
        free(list->rejected[i]);
    if (list) {
        free(list->runs);
        free(list->rejected);
    }
    free(list);
}

size_t crosstalk_run_list_count(const struct crosstalk_run_list *list)
{
    return list->n;
}

const struct crosstalk_run *crosstalk_run_list_item(const struct crosstalk_run_list *list, size_t i)
{
    return &list->runs[i];
}

size_t crosstalk_run_list_rejected_count(const struct crosstalk_run_list *list)
{
    return list->n_rejected;
}

const char *crosstalk_run_list_rejected(const struct crosstalk_run_list *list, size_t i)
{
    return list->rejected[i];
}
