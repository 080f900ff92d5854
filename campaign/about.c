#include "campaign/about.h"

#include "campaign/folder.h"
#include "campaign/spec_complete.h"
#include "core/units.h"

#include <stdlib.h>
#include <string.h>

/* ---- the campaign file ---- */

static char *describe_network(const struct ct_campaign_launcher *launcher)
{
    static const char *const names[] = {
#define CT_LAUNCHER_NAME(name, text, row) [CT_LAUNCHER_##name] = (text),
        CT_LAUNCHER_MAP(CT_LAUNCHER_NAME)
#undef CT_LAUNCHER_NAME
    };
    char rate[CT_UNITS_TEXT_MAX], uplink[CT_UNITS_TEXT_MAX], *text;
    struct ct_lab_spec lab;
    int n;
    ct_format_rate_words(launcher->rate_bit_per_s, rate);
    if (*launcher->like) {
        n = asprintf(&text, "emulated %s with %llu hosts, like %s, %g times slower",
                     *launcher->topology ? launcher->topology : "switch",
                     (unsigned long long)launcher->hosts, launcher->like, launcher->dilation);
        return n < 0 ? NULL : text;
    }
    if (launcher->kind == CT_LAUNCHER_LAB && ct_campaign_lab_spec(launcher, &lab, NULL) == CT_OK &&
        *lab.topology) {
        ct_format_rate_words(lab.uplink_bit_per_s, uplink);
        n = asprintf(&text, "emulated %s with %llu hosts, links of %s, %s between switches",
                     lab.topology, (unsigned long long)lab.n_hosts, rate, uplink);
        return n < 0 ? NULL : text;
    }
    if (launcher->kind == CT_LAUNCHER_SIMGRID) {
        n = asprintf(&text, "SimGrid, %s, %llu hosts, links of %s",
                     *launcher->topology ? launcher->topology : "one switch",
                     (unsigned long long)launcher->hosts, rate);
        return n < 0 ? NULL : text;
    }
    n = launcher->kind == CT_LAUNCHER_LAB
            ? asprintf(&text, "emulated switch of %llu hosts, links of %s",
                       (unsigned long long)launcher->hosts, rate)
            : asprintf(&text, "cluster, programs started by %s%s%s", names[launcher->kind],
                       launcher->has_rate ? ", links of " : "", launcher->has_rate ? rate : "");
    return n < 0 ? NULL : text;
}

static enum ct_status read_file(const char *directory, struct ct_campaign_about *about)
{
    char path[PATH_MAX];
    struct ct_text text;
    struct ct_campaign_spec spec;
    if (ct_folder_name(directory, "campaign.yaml", "", "", path, NULL) != CT_OK ||
        ct_file_read(path, &text, NULL) != CT_OK)
        return CT_OK;
    if (ct_campaign_spec_parse(text.text, text.size, path, &spec, NULL) != CT_OK) {
        free(text.text);
        return CT_OK;
    }
    about->file = text.text;
    about->name = strdup(spec.name);
    about->network = describe_network(&spec.launcher);
    ct_campaign_spec_free(&spec);
    return about->name && about->network ? CT_OK : CT_ENOMEM;
}

/* ---- the journal ---- */

static bool is_done_after(const struct ct_history *history, size_t attempt)
{
    for (size_t i = attempt + 1; i < history->n_attempts; i++)
        if (history->attempts[i].outcome == CT_OUTCOME_DONE &&
            !strcmp(history->attempts[i].id, history->attempts[attempt].id))
            return true;
    return false;
}

/* A run that was done at first is not mentioned. */
static enum ct_status read_journal(const char *directory, struct ct_argv *warnings)
{
    struct ct_history history;
    if (ct_history_read(directory, &history, NULL) != CT_OK)
        return CT_OK;
    for (size_t i = 0; i < history.n_attempts; i++) {
        const struct ct_attempt *attempt = &history.attempts[i];
        if (attempt->outcome == CT_OUTCOME_DONE)
            continue;
        ct_argv_add(warnings, "%s %s in attempt %llu, %s%s%s", attempt->id,
                    ct_outcome_text(attempt->outcome), (unsigned long long)attempt->number,
                    is_done_after(&history, i) ? "and was made later" : "and is missing",
                    *attempt->reason ? ": " : "", attempt->reason);
    }
    for (size_t i = 0; i < history.n_warnings; i++)
        ct_argv_add(warnings, "%s", history.warnings[i]);
    ct_history_free(&history);
    return warnings->failed ? CT_ENOMEM : CT_OK;
}

enum ct_status ct_campaign_about_read(const char *directory, struct ct_campaign_about *about_p,
                                      struct ct_error *err)
{
    struct ct_campaign_about about = {0};
    enum ct_status status = read_file(directory, &about);
    if (status == CT_OK)
        status = read_journal(directory, &about.warnings);
    if (status != CT_OK) {
        ct_campaign_about_free(&about);
        return ct_no_memory(err, "%s", directory);
    }
    *about_p = about;
    return CT_OK;
}

void ct_campaign_about_free(struct ct_campaign_about *about)
{
    free(about->name);
    free(about->network);
    free(about->file);
    ct_argv_free(&about->warnings);
    *about = (struct ct_campaign_about){0};
}
