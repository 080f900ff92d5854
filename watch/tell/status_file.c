#include "watch/tell/status_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void set_verdict(struct ct_watch_health *health, enum ct_watch_verdict verdict,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));

static void set_verdict(struct ct_watch_health *health, enum ct_watch_verdict verdict,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    health->verdict = verdict;
    vsnprintf(health->text, sizeof health->text, format, arguments);
    va_end(arguments);
    for (char *c = health->text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

static const char *text_of(const cJSON *row, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, key));
    return text ? text : "";
}

static double number_of(const cJSON *row, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* "n3" in "n3 to leaf0 or leaf0 to n3" */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; length > 0 && (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* By its own name, or as the topology calls it. */
static const cJSON *find_host(const cJSON *root, const char *host)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(
                                root, "hosts_seen")) if (strcmp(text_of(row, "host"), host) == 0 ||
                                                         strcmp(text_of(row, "node"), host) ==
                                                             0) return row;
    return NULL;
}

/* At a host, which an alarm calls by its own name, or on its links: by that of the topology. */
static bool is_at(const cJSON *fault, const cJSON *row, const char *host)
{
    const char *where = text_of(fault, "where");
    return has_word(where, host) || has_word(where, text_of(row, "host")) ||
           has_word(where, text_of(row, "node"));
}

static const cJSON *find_fault(const cJSON *root, const char *host)
{
    const cJSON *fault, *row = host ? find_host(root, host) : NULL;
    cJSON_ArrayForEach(fault,
                       cJSON_GetObjectItemCaseSensitive(
                           root, "alarms")) if (strcmp(text_of(fault, "ended"), "lasts") == 0 &&
                                                (!host || is_at(fault, row, host))) return fault;
    return NULL;
}

static void judge_host(const cJSON *root, const char *host, struct ct_watch_health *health)
{
    const cJSON *row = *host ? find_host(root, host) : NULL;
    if (!row)
        set_verdict(health, CT_WATCH_UNSURE, "%s: the watch does not have this host", host);
    else if (number_of(row, "present") == 0)
        set_verdict(health, CT_WATCH_UNSURE, "%s: takes no part in the watch now", host);
}

static void judge_root(const cJSON *root, const char *host, double now_unix_s, double age_max_s,
                       struct ct_watch_health *health)
{
    double age_s = now_unix_s - number_of(root, "newest_unix_s"),
           level = number_of(root, "false_alarms_per_day");
    const cJSON *fault = find_fault(root, host),
                *newest = cJSON_GetObjectItemCaseSensitive(root, "newest_unix_s");
    const char *what = host ? host : "all hosts and links";
    set_verdict(health, CT_WATCH_WELL,
                "%s: no fault (probes of %.0f s ago, at most %g false alarms a day)", what,
                age_s < 0 ? 0 : age_s, level);
    if (host)
        judge_host(root, host, health);
    if (!(level > 0) || !cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(root, "alarms")))
        set_verdict(health, CT_WATCH_UNSURE, "%s: not the answer of crosstalk watch --status",
                    what);
    else if (age_s < -age_max_s)
        set_verdict(health, CT_WATCH_UNSURE,
                    "%s: the newest probe is of %.0f s from now: which clock is wrong?", what,
                    -age_s);
    else if (cJSON_IsNull(newest) || number_of(root, "newest_unix_s") == 0)
        set_verdict(health, CT_WATCH_UNSURE, "%s: no probe yet: does the watch run?", what);
    else if (!(age_s <= age_max_s))
        set_verdict(health, CT_WATCH_UNSURE,
                    "%s: the newest probe is %.0f s old: does the watch run?", what, age_s);
    else if (number_of(root, "has_learned") == 0)
        set_verdict(health, CT_WATCH_UNSURE, "%s: the watch still learns what is healthy", what);
    else if (fault)
        set_verdict(health, CT_WATCH_SICK,
                    "%s: %s: %s %s, since %s (at most %g false alarms a day)", what,
                    text_of(fault, "where"), text_of(fault, "kind"), text_of(fault, "size"),
                    text_of(fault, "since"), level);
}

void ct_watch_health_read(const char *json, size_t size, const char *host, double now_unix_s,
                          double age_max_s, struct ct_watch_health *health_p)
{
    cJSON *root = cJSON_ParseWithLength(json, size);
    if (!cJSON_IsObject(root))
        set_verdict(health_p, CT_WATCH_UNSURE, "not the answer of crosstalk watch --status");
    else
        judge_root(root, host, now_unix_s, age_max_s, health_p);
    cJSON_Delete(root);
}
