#include "campaign/status.h"

#include "campaign/adaptive.h"
#include "campaign/adaptive_co_runs.h"
#include "campaign/folder.h"
#include "campaign/repeat.h"
#include "campaign/spec_file.h"
#include "results/network_settings.h"
#include "study/drift.h"
#include "study/placements.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ct_run_state_text(enum ct_run_state state)
{
    static const char *const texts[] = {
#define CT_RUN_STATE_TEXT(name, text) text,
        CT_RUN_STATE_MAP(CT_RUN_STATE_TEXT)
#undef CT_RUN_STATE_TEXT
    };
    return texts[state];
}

/* ---- runs ---- */

/* What the journal says of a run. */
struct past {
    size_t n_attempts;
    const struct ct_attempt *last, *failed; /* the last one, and the last that failed; NULL: none */
};

static struct past find_past(const struct ct_history *history, const char *id)
{
    struct past past = {0};
    for (size_t i = 0; i < history->n_attempts; i++) {
        const struct ct_attempt *attempt = &history->attempts[i];
        if (strcmp(attempt->id, id) != 0)
            continue;
        past.last = attempt;
        past.n_attempts += attempt->outcome != CT_OUTCOME_SPOILT;
        if (attempt->outcome == CT_OUTCOME_FAILED || attempt->outcome == CT_OUTCOME_SPOILT)
            past.failed = attempt;
    }
    return past;
}

/* reason: why it is so, or for a run that is not missing any more why it was. */
static enum ct_run_state judge_run(enum ct_status found, const struct ct_error *why,
                                   const struct past *past, bool in_use, char *reason, size_t size)
{
    const struct ct_attempt *last = past->last;
    bool begun = last && last->outcome == CT_OUTCOME_BEGUN;
    snprintf(reason, size, "%s", past->failed ? past->failed->reason : last ? last->reason : "");
    if (found == CT_OK)
        return CT_RUN_DONE;
    if (begun && in_use)
        return CT_RUN_RUNNING;
    if (begun)
        snprintf(reason, size, "%s", ct_outcome_cut_off);
    else if (found != CT_ENOENT)
        snprintf(reason, size, "%s", why->text);
    return last && last->outcome == CT_OUTCOME_FAILED ? CT_RUN_FAILED : CT_RUN_MISSING;
}

static void judge_runs(struct ct_campaign_status *campaign, const char *folder,
                       const struct ct_history *history)
{
    bool in_use = ct_folder_in_use(folder);
    for (size_t i = 0; i < campaign->plan.n_runs; i++) {
        const struct ct_plan_run *planned = &campaign->plan.runs[i];
        struct ct_run_status *run = &campaign->runs[i];
        struct past past = find_past(history, planned->id);
        struct ct_error why;
        enum ct_status found = ct_folder_find_run(folder, &campaign->spec, planned, &why);
        run->n_attempts = past.n_attempts;
        run->state = judge_run(found, &why, &past, in_use, run->reason, sizeof run->reason);
        campaign->n[run->state]++;
    }
}

/* ---- doubts ---- */

/* name: of the placement; "": there is none */
static enum ct_status add_drifts(const struct ct_run_list *list, const char *name,
                                 struct ct_argv *doubts, struct ct_error *err)
{
    struct ct_drifts drifts;
    CT_TRY(ct_drifts_find(list, &drifts, err));
    for (size_t i = 0; i < drifts.n; i++) {
        char text[400];
        ct_drift_describe(&drifts.items[i], text, sizeof text);
        ct_argv_add(doubts, "%s%s%s", name, *name ? ": " : "", text);
    }
    ct_drifts_free(&drifts);
    return CT_OK;
}

/* Baselines compare under the same placement only. */
static enum ct_status add_all_drifts(const struct ct_run_list *list, struct ct_argv *doubts,
                                     struct ct_error *err)
{
    struct ct_argv names = {0};
    struct ct_run_entry *some = malloc((list->n_entries + 1) * sizeof *some);
    enum ct_status status =
        some ? ct_placements_list(list, &names, err) : ct_no_memory(err, "drifts");
    for (size_t i = 0; i < names.n && status == CT_OK; i++) {
        size_t n = 0;
        for (size_t k = 0; k < list->n_entries; k++)
            if (!strcmp(ct_run_placement(&list->entries[k].info), names.item[i]))
                some[n++] = list->entries[k];
        const struct ct_run_list part = {.entries = some, .n_entries = n};
        status = add_drifts(&part, names.item[i], doubts, err);
    }
    ct_argv_free(&names);
    free(some);
    return status;
}

/* Of the runs that are there: some may be missing, even all of them. */
static enum ct_status find_doubts(const char *folder, struct ct_argv *doubts, struct ct_error *err)
{
    struct ct_run_list list;
    enum ct_status status = ct_run_list_read(folder, &list, err);
    if (status != CT_OK)
        return status == CT_ENODATA ? CT_OK : status;
    status = add_all_drifts(&list, doubts, err);
    if (status == CT_OK && ct_network_settings_compare(&list, doubts) != CT_OK)
        status = ct_fail(err, CT_ENOMEM, "network settings: %s", ct_status_text(CT_ENOMEM));
    for (size_t i = 0; i < list.n_rejected; i++)
        ct_argv_add(doubts, "left out: %s", list.rejected[i]);
    for (size_t i = 0; i < list.n_copies; i++)
        ct_argv_add(doubts, "counted once: %s", list.copies[i]);
    ct_run_list_free(&list);
    return status;
}

/* ---- the campaign ---- */

static enum ct_status read_spec(const char *folder, struct ct_campaign_spec *spec_p,
                                struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_text file;
    CT_TRY(ct_folder_name(folder, "campaign.yaml", "", "", path, err));
    CT_TRY(ct_campaign_spec_read(path, folder, &file, spec_p, err));
    free(file.text);
    return CT_OK;
}

static enum ct_status plan_with_additions(const struct ct_campaign_spec *spec, const char *folder,
                                          uint64_t seed, struct ct_plan *plan_p,
                                          struct ct_error *err)
{
    CT_TRY(ct_plan_make(spec, seed, plan_p, err));
    CT_TRY(ct_adaptive_add_found(spec, folder, seed, plan_p, err));
    CT_TRY(ct_adaptive_add_co_runs_found(spec, folder, seed, plan_p, err));
    return ct_repeat_add_found(spec, folder, seed, plan_p, err);
}

static enum ct_status read_status(const char *folder, struct ct_campaign_status *status_p,
                                  struct ct_error *err)
{
    struct ct_campaign_status campaign = {0};
    struct ct_history history = {0};
    CT_TRY(read_spec(folder, &campaign.spec, err));
    enum ct_status status = ct_history_read(folder, &history, err);
    if (status == CT_OK)
        status = plan_with_additions(&campaign.spec, folder, history.seed, &campaign.plan, err);
    if (status == CT_OK) {
        campaign.runs = calloc(campaign.plan.n_runs, sizeof *campaign.runs);
        if (!campaign.runs)
            status = ct_no_memory(err, "status of %zu runs", campaign.plan.n_runs);
    }
    if (status == CT_OK) {
        judge_runs(&campaign, folder, &history);
        status = find_doubts(folder, &campaign.doubts, err);
    }
    ct_history_free(&history);
    if (status == CT_OK)
        *status_p = campaign;
    else
        ct_campaign_status_free(&campaign);
    return status;
}

/* A packed campaign has runs, and no attempts; what is not there has neither. */
static void explain_failure(const char *folder, enum ct_status status, struct ct_error *err)
{
    struct stat about;
    char packed[PATH_MAX];
    bool is_there = stat(folder, &about) == 0, is_file = is_there && !S_ISDIR(about.st_mode);
    if (!is_there)
        ct_fail(err, status, "%s: no such folder; give the one of crosstalk campaign run -o",
                folder);
    else if (is_file || (ct_folder_name(folder, "campaign.h5", "", "", packed, NULL) == CT_OK &&
                         access(packed, F_OK) == 0))
        ct_fail(err, status,
                "%s: %s, which has no journal of attempts; 'crosstalk show %s' lists its runs",
                folder, is_file ? "a file" : "a packed campaign", folder);
}

enum ct_status ct_campaign_status_read(const char *folder, struct ct_campaign_status *status_p,
                                       struct ct_error *err)
{
    enum ct_status status = read_status(folder, status_p, err);
    if (status != CT_OK)
        explain_failure(folder, status, err);
    return status;
}

void ct_campaign_status_free(struct ct_campaign_status *status)
{
    ct_argv_free(&status->doubts);
    free(status->runs);
    ct_plan_free(&status->plan);
    ct_campaign_spec_free(&status->spec);
    *status = (struct ct_campaign_status){0};
}
