#include "campaign/journal.h"

#include "campaign/folder_name.h"
#include "core/array.h"
#include "core/file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const outcome_texts[] = {[CT_OUTCOME_BEGUN] = "begun",
                                            [CT_OUTCOME_DONE] = "done",
                                            [CT_OUTCOME_FAILED] = "failed",
                                            [CT_OUTCOME_INTERRUPTED] = "interrupted",
                                            [CT_OUTCOME_SPOILT] = "spoilt"};
enum { N_OUTCOMES = sizeof outcome_texts / sizeof *outcome_texts };

const char ct_outcome_cut_off[] = "its driver was killed, or the machine stopped";

const char *ct_outcome_text(enum ct_outcome outcome)
{
    return outcome_texts[outcome];
}

/* root is freed; NULL: out of memory */
static enum ct_status append_line(FILE *journal, const char *folder, cJSON *root,
                                  struct ct_error *err)
{
    char *line = root ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    if (!line)
        return ct_no_memory(err, "journal");
    bool written = fprintf(journal, "%s\n", line) > 0 && fflush(journal) == 0;
    cJSON_free(line);
    return written ? CT_OK : ct_fail(err, CT_EIO, "%s/journal.jsonl: %s", folder, strerror(errno));
}

enum ct_status ct_journal_note(FILE *journal, const char *folder, const struct ct_attempt *attempt,
                               struct ct_error *err)
{
    cJSON *root = cJSON_CreateObject();
    bool good = root && cJSON_AddStringToObject(root, "id", attempt->id) &&
                cJSON_AddNumberToObject(root, "attempt", (double)attempt->number) &&
                cJSON_AddStringToObject(root, "started_utc", attempt->started_utc) &&
                cJSON_AddNumberToObject(root, "duration_s", attempt->duration_s) &&
                cJSON_AddStringToObject(root, "outcome", outcome_texts[attempt->outcome]) &&
                cJSON_AddStringToObject(root, "reason", attempt->reason);
    if (good)
        return append_line(journal, folder, root, err);
    cJSON_Delete(root);
    return append_line(journal, folder, NULL, err);
}

enum ct_status ct_journal_placement(FILE *journal, const char *folder, const char *placement,
                                    const char *hosts, const char *with_hosts, struct ct_error *err)
{
    cJSON *root = cJSON_CreateObject();
    bool good = root && cJSON_AddStringToObject(root, "placement", placement) &&
                cJSON_AddStringToObject(root, "hosts", hosts) &&
                cJSON_AddStringToObject(root, "with_hosts", with_hosts);
    if (good)
        return append_line(journal, folder, root, err);
    cJSON_Delete(root);
    return append_line(journal, folder, NULL, err);
}

enum ct_status ct_journal_warn(const char *folder, const char *text, struct ct_error *err)
{
    char name[PATH_MAX];
    CT_TRY(ct_folder_name(folder, "journal.jsonl", "", "", name, err));
    FILE *journal = access(name, F_OK) == 0 ? fopen(name, "ae") : NULL;
    if (!journal)
        return CT_OK;
    cJSON *root = cJSON_CreateObject();
    char *line =
        cJSON_AddStringToObject(root, "warning", text) ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    bool written = line && fprintf(journal, "%s\n", line) > 0;
    written = fclose(journal) == 0 && written;
    if (!line)
        return ct_no_memory(err, "%s", name);
    cJSON_free(line);
    return written ? CT_OK : ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
}

/* ---- reading ---- */

static void copy_text(const cJSON *root, const char *key, char *text, size_t size)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));
    snprintf(text, size, "%s", value ? value : "");
}

static double number_of(const cJSON *root, const char *key, double max)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    double value = cJSON_IsNumber(item) ? item->valuedouble : 0;
    return value >= 0 && value <= max ? value : 0;
}

/* The text of the number: cJSON's is a double, which holds seeds up to 2^53 only. */
static bool seed_of(const char *line, uint64_t *seed_p)
{
    static const char key[] = "\"seed\"";
    const char *at = strstr(line, key);
    if (!at)
        return false;
    at += sizeof key - 1;
    at += strspn(at, " \t:");
    if (*at < '0' || *at > '9')
        return false;
    errno = 0;
    uint64_t seed = strtoull(at, NULL, 10);
    if (errno != 0)
        return false;
    *seed_p = seed;
    return true;
}

/* The beginning of this attempt, if it has no outcome yet; others may have begun and ended since. A
 * driver that is started again counts attempts from 1 again, after it has noted what was cut off.
 */
static struct ct_attempt *find_begun(struct ct_history *history, const struct ct_attempt *attempt)
{
    size_t i = history->n_attempts;
    while (i > 0 && (history->attempts[i - 1].number != attempt->number ||
                     strcmp(history->attempts[i - 1].id, attempt->id) != 0))
        i--;
    struct ct_attempt *last = i > 0 ? &history->attempts[i - 1] : NULL;
    return last && last->outcome == CT_OUTCOME_BEGUN ? last : NULL;
}

static enum ct_status add_attempt(struct ct_history *history, const cJSON *root)
{
    char outcome[32];
    struct ct_attempt attempt = {.number = (uint64_t)number_of(root, "attempt", UINT32_MAX),
                                 .duration_s = number_of(root, "duration_s", DBL_MAX),
                                 .outcome = CT_OUTCOME_FAILED};
    copy_text(root, "id", attempt.id, sizeof attempt.id);
    copy_text(root, "started_utc", attempt.started_utc, sizeof attempt.started_utc);
    copy_text(root, "reason", attempt.reason, sizeof attempt.reason);
    copy_text(root, "outcome", outcome, sizeof outcome);
    for (int i = 0; i < N_OUTCOMES; i++)
        if (!strcmp(outcome, outcome_texts[i]))
            attempt.outcome = (enum ct_outcome)i;
    struct ct_attempt *begun = find_begun(history, &attempt);
    if (begun) {
        *begun = attempt;
        return CT_OK;
    }
    if (!CT_ARRAY_RESIZE(history->attempts, history->n_attempts + 1))
        return CT_ENOMEM;
    history->attempts[history->n_attempts++] = attempt;
    return CT_OK;
}

/* A driver that is started again warns again. */
static enum ct_status add_warning(struct ct_history *history, const cJSON *root)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "warning"));
    for (size_t i = 0; i < history->n_warnings && text; i++)
        if (!strcmp(history->warnings[i], text))
            return CT_OK;
    if (!text)
        return CT_OK;
    if (!CT_ARRAY_RESIZE(history->warnings, history->n_warnings + 1))
        return CT_ENOMEM;
    history->warnings[history->n_warnings] = strdup(text);
    if (!history->warnings[history->n_warnings])
        return CT_ENOMEM;
    history->n_warnings++;
    return CT_OK;
}

enum ct_status ct_history_parse(char *text, const char *name, struct ct_history *history_p,
                                struct ct_error *err)
{
    enum ct_status status = CT_OK;
    struct ct_history history = {0};
    bool has_seed = false;
    char *rest = text;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));) {
        cJSON *root = cJSON_Parse(line);
        if (cJSON_GetObjectItemCaseSensitive(root, "id"))
            status = add_attempt(&history, root);
        else if (cJSON_GetObjectItemCaseSensitive(root, "seed")) {
            has_seed = seed_of(line, &history.seed) || has_seed;
            history.has_choices = cJSON_IsTrue(cJSON_GetObjectItem(root, CT_JOURNAL_CHOICES));
        } else
            status = add_warning(&history, root);
        cJSON_Delete(root);
    }
    if (status == CT_ENOMEM)
        ct_no_memory(err, "%s", name);
    else if (!has_seed)
        status = ct_fail(err, CT_EFORMAT, "%s: not the journal of a campaign", name);
    if (status == CT_OK)
        *history_p = history;
    else
        ct_history_free(&history);
    return status;
}

enum ct_status ct_history_read(const char *folder, struct ct_history *history_p,
                               struct ct_error *err)
{
    char name[PATH_MAX];
    struct ct_text journal;
    CT_TRY(ct_folder_name(folder, "journal.jsonl", "", "", name, err));
    CT_TRY(ct_file_read(name, &journal, err));
    enum ct_status status = ct_history_parse(journal.text, name, history_p, err);
    free(journal.text);
    return status;
}

void ct_history_free(struct ct_history *history)
{
    for (size_t i = 0; i < history->n_warnings; i++)
        free(history->warnings[i]);
    free(history->warnings);
    free(history->attempts);
    *history = (struct ct_history){0};
}
