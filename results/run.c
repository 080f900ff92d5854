#include "results/run.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ct_run_kind_text(enum ct_run_kind kind)
{
    switch (kind) {
#define CT_RUN_KIND_CASE(name, text)                                                               \
    case CT_RUN_##name:                                                                            \
        return text;
        CT_RUN_KIND_MAP(CT_RUN_KIND_CASE)
#undef CT_RUN_KIND_CASE
    }
    return "unknown kind";
}

static struct ct_run_fact *find_fact(const struct ct_run_info *info, const char *key)
{
    for (size_t i = 0; i < info->n_facts; i++)
        if (!strcmp(info->facts[i].key, key))
            return &info->facts[i];
    return NULL;
}

/* Takes text over, also on failure. */
static enum ct_status put_fact(struct ct_run_info *info, const char *key, char *text, double number)
{
    struct ct_run_fact *fact = find_fact(info, key);
    if (fact) {
        free(fact->text);
        fact->text = text;
        fact->number = number;
        return CT_OK;
    }
    char *key_copy = strdup(key);
    if (!key_copy || !CT_ARRAY_RESIZE(info->facts, info->n_facts + 1)) {
        free(key_copy);
        free(text);
        return CT_ENOMEM;
    }
    info->facts[info->n_facts++] =
        (struct ct_run_fact){.key = key_copy, .text = text, .number = number};
    return CT_OK;
}

enum ct_status ct_run_add_text(struct ct_run_info *info, const char *key, const char *text)
{
    char *copy = strdup(text);
    return copy ? put_fact(info, key, copy, NAN) : CT_ENOMEM;
}

enum ct_status ct_run_add_number(struct ct_run_info *info, const char *key, double number)
{
    return put_fact(info, key, NULL, number);
}

double ct_run_number(const struct ct_run_info *info, const char *key)
{
    const struct ct_run_fact *fact = find_fact(info, key);
    return fact && !fact->text ? fact->number : NAN;
}

const char *ct_run_text(const struct ct_run_info *info, const char *key)
{
    const struct ct_run_fact *fact = find_fact(info, key);
    return fact ? fact->text : NULL;
}

double ct_run_added_latency_s(const struct ct_run_info *info)
{
    double added_s = ct_run_number(info, CT_RUN_ADDED_LATENCY);
    return added_s > 0 ? added_s : 0;
}

const char *ct_run_placement(const struct ct_run_info *info)
{
    const char *placement = ct_run_text(info, CT_RUN_PLACEMENT);
    return placement ? placement : "";
}

size_t ct_run_count_hosts(const struct ct_run_info *info)
{
    size_t n = 0;
    for (const char *p = info->hosts; *p; p++)
        if (*p != ' ' && (p == info->hosts || p[-1] == ' '))
            n++;
    return n;
}

void ct_run_info_free(struct ct_run_info *info)
{
    char *texts[] = {info->tool, info->version, info->app,         info->with, info->started_utc,
                     info->argv, info->hosts,   info->mpi_library, info->timer};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < info->n_facts; i++) {
        free(info->facts[i].key);
        free(info->facts[i].text);
    }
    free(info->facts);
    *info = (struct ct_run_info){0};
}

void ct_run_free(struct ct_run *run)
{
    ct_run_info_free(&run->info);
    free(run->samples);
    free(run->pairs);
    free(run->runtimes);
    free(run->rounds);
    free(run->logp);
    free(run->repetitions);
    free(run->paths);
    free(run->scan_samples);
    free(run->scan_cells);
    *run = (struct ct_run){0};
}
