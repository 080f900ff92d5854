#include "results/scan_setting.h"

#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ct_scan_canary_names[] = {
#define CANARY_NAME(name, text) [CT_SCAN_##name] = (text),
    CT_SCAN_CANARY_MAP(CANARY_NAME) CT_SCAN_WORKLOAD_MAP(CANARY_NAME)
#undef CANARY_NAME
        [CT_N_SCAN_MEASURED] = NULL};

const char *const ct_scan_congestor_names[] = {
#define CONGESTOR_NAME(name, text) [CT_SCAN_WITH_##name] = (text),
    CT_SCAN_CONGESTOR_MAP(CONGESTOR_NAME)
#undef CONGESTOR_NAME
        [CT_SCAN_WITH_GPCNET] = "gpcnet",
    [CT_SCAN_WITH_COMPRESSION] = "compression", [CT_N_SCAN_LOADS] = NULL};

static const double shortest_s = 1e-4, longest_s = 1;
static const uint64_t partners_max = 10000, messages_max = 1000;

static bool find_name(const char *const *names, const char *text, size_t length, int *index_p)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], text, length)) {
            *index_p = i;
            return true;
        }
    return false;
}

static bool parse_length(const char *text, double *length_s_p)
{
    return ct_parse_duration(text, length_s_p, NULL) == CT_OK && *length_s_p >= shortest_s &&
           *length_s_p <= longest_s;
}

/* "BURST/PAUSE" */
static bool parse_bursts(char *text, struct ct_scan_setting *setting)
{
    char *slash = strchr(text, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return parse_length(text, &setting->burst_s) && parse_length(slash + 1, &setting->pause_s);
}

/* "P=1,M=10,B=100us" */
static bool parse_config(char *text, struct ct_scan_setting *setting)
{
    uint64_t partners = 0, messages = 0;
    char *M = strchr(text, ','), *B = M ? strchr(M + 1, ',') : NULL;
    if (!B || strncmp(text, "P=", 2) != 0 || strncmp(M, ",M=", 3) != 0 || strncmp(B, ",B=", 3) != 0)
        return false;
    *M = *B = '\0';
    if (ct_parse_u64(text + 2, &partners, NULL) != CT_OK ||
        ct_parse_u64(M + 3, &messages, NULL) != CT_OK ||
        ct_parse_duration(B + 3, &setting->pause_s, NULL) != CT_OK)
        return false;
    setting->partners = (uint32_t)partners;
    setting->messages = (uint32_t)messages;
    return partners >= 1 && partners <= partners_max && messages >= 1 && messages <= messages_max &&
           setting->pause_s >= 0 && setting->pause_s <= longest_s;
}

static bool parse_intensity(const char *text, double *intensity_p)
{
    return ct_parse_double(text, intensity_p, NULL) == CT_OK && *intensity_p > 0 &&
           *intensity_p <= 1;
}

/* What follows the names: ":BURST/PAUSE", ":INTENSITY", or both; of compression the three. */
static bool parse_rest(const char *text, struct ct_scan_setting *setting)
{
    char copy[CT_SCAN_TEXT_MAX];
    bool has_config = setting->congestor == CT_SCAN_WITH_COMPRESSION;
    if (*text != ':' || strlen(text) > sizeof copy)
        return *text == '\0' && !has_config;
    snprintf(copy, sizeof copy, "%s", text + 1);
    if (has_config)
        return parse_config(copy, setting);
    char *colon = strchr(copy, ':');
    if (colon)
        *colon = '\0';
    if (!strchr(copy, '/'))
        return !colon && parse_intensity(copy, &setting->intensity);
    return parse_bursts(copy, setting) &&
           (!colon || parse_intensity(colon + 1, &setting->intensity));
}

enum ct_status ct_scan_case_parse(const char *text, struct ct_scan_case *case_p,
                                  struct ct_error *err)
{
    struct ct_scan_setting setting = {.intensity = 1};
    int canary = 0, congestor = 0;
    size_t length = strcspn(text, ":");
    bool good = find_name(ct_scan_canary_names, text, length, &canary) && text[length] == ':';
    const char *rest = text + length + (good ? 1 : 0);
    size_t next = strcspn(rest, ":");
    good = good && find_name(ct_scan_congestor_names, rest, next, &congestor);
    setting.congestor = (enum ct_scan_congestor)congestor;
    good = good && parse_rest(rest + next, &setting);
    if (good && congestor == CT_SCAN_WITH_NONE)
        good = rest[next] == '\0';
    if (!good)
        return ct_fail(err, CT_EINVAL,
                       "'%.80s': not CANARY:CONGESTOR[:BURST/PAUSE][:INTENSITY], such as "
                       "latency:none, bandwidth:incast, allreduce:alltoall:1ms/10ms:0.5; canaries: "
                       "latency, bandwidth, allreduce, and the workloads fft, vpfft, lulesh, mcb, "
                       "milc, amg; congestors: none, incast, alltoall, "
                       "broadcast, bisection, allreduce, gpcnet, and compression:P=1,M=10,B=100us "
                       "with partners, messages and pause; bursts and pauses of 0.1ms to 1s",
                       text);
    *case_p = (struct ct_scan_case){(enum ct_scan_canary)canary, setting};
    return CT_OK;
}

void ct_scan_setting_format(const struct ct_scan_setting *setting, char text[CT_SCAN_TEXT_MAX])
{
    char burst[CT_UNITS_TEXT_MAX], pause[CT_UNITS_TEXT_MAX];
    int used = snprintf(text, CT_SCAN_TEXT_MAX, "%s", ct_scan_congestor_names[setting->congestor]);
    if (setting->congestor == CT_SCAN_WITH_COMPRESSION) {
        ct_format_duration(setting->pause_s, pause);
        snprintf(text + used, CT_SCAN_TEXT_MAX - (size_t)used, ":P=%u,M=%u,B=%s", setting->partners,
                 setting->messages, pause);
        return;
    }
    if (setting->burst_s > 0) {
        ct_format_duration(setting->burst_s, burst);
        ct_format_duration(setting->pause_s, pause);
        used += snprintf(text + used, CT_SCAN_TEXT_MAX - (size_t)used, ":%s/%s", burst, pause);
    }
    if (setting->intensity < 1 && setting->congestor != CT_SCAN_WITH_NONE)
        snprintf(text + used, CT_SCAN_TEXT_MAX - (size_t)used, ":%.6g", setting->intensity);
}

void ct_scan_case_format(const struct ct_scan_case *scan_case, char text[CT_SCAN_TEXT_MAX])
{
    char setting[CT_SCAN_TEXT_MAX];
    ct_scan_setting_format(&scan_case->setting, setting);
    snprintf(text, CT_SCAN_TEXT_MAX, "%s:%.80s", ct_scan_canary_names[scan_case->canary], setting);
}

static bool same_number(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fmax(a, b);
}

bool ct_scan_setting_same(const struct ct_scan_setting *a, const struct ct_scan_setting *b)
{
    return a->congestor == b->congestor && same_number(a->burst_s, b->burst_s) &&
           same_number(a->pause_s, b->pause_s) && same_number(a->intensity, b->intensity) &&
           a->partners == b->partners && a->messages == b->messages;
}
