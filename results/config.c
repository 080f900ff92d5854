#include "results/config.h"

#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_pattern_names[] = {
#define CT_PATTERN_NAME(name, text) [CT_PATTERN_##name] = (text),
    CT_PATTERN_MAP(CT_PATTERN_NAME)
#undef CT_PATTERN_NAME
        [CT_N_PATTERNS] = NULL};

/* ---- bursts ---- */

static const double shortest_phase_s = 1e-3, longest_phase_s = 1e6;

static bool parse_phase(const char *text, double *length_p)
{
    double length_s;
    if (ct_parse_duration(text, &length_s, NULL) != CT_OK || length_s < shortest_phase_s ||
        length_s > longest_phase_s)
        return false;
    *length_p = length_s;
    return true;
}

enum ct_status ct_burst_parse(const char *text, void *burst_p, struct ct_error *err)
{
    struct ct_burst burst = {.given = true};
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : 0;
    char on_text[CT_UNITS_TEXT_MAX];
    if (length >= sizeof on_text)
        length = 0;
    memcpy(on_text, text, length);
    on_text[length] = '\0';
    if (length == 0 || !parse_phase(on_text, &burst.on_s) || !parse_phase(slash + 1, &burst.off_s))
        return ct_fail(err, CT_EINVAL,
                       "'%s': not ON/OFF with durations of 1ms or more, such as 20ms/40ms", text);
    *(struct ct_burst *)burst_p = burst;
    return CT_OK;
}

/* ---- text ---- */

enum { FIELDS_MAX = 7, SLOTS_MAX = 1000000 };

/* Cuts a copy of the text at a letter; 0 where there are too many fields or letters. */
static size_t split_fields(const char *text, char at, char copy[CT_CONFIG_TEXT_MAX],
                           char *fields[FIELDS_MAX])
{
    size_t n = 0;
    if (strlen(text) >= CT_CONFIG_TEXT_MAX)
        return 0;
    memcpy(copy, text, strlen(text) + 1);
    for (char *field = copy; field; n++) {
        if (n == FIELDS_MAX)
            return 0;
        fields[n] = field;
        char *end = strchr(field, at);
        if (end)
            *end = '\0';
        field = end ? end + 1 : NULL;
    }
    return n;
}

/* As it is described: "P4 M1 B25ms". Then the fields without their letters; a P of 0 is not there.
 */
static size_t split_described(const char *text, char copy[CT_CONFIG_TEXT_MAX],
                              char *fields[FIELDS_MAX])
{
    static char no_partners[] = "P0";
    static const char letters[] = "PMB";
    size_t n = split_fields(text, ' ', copy, fields);
    if (n > 0 && n < FIELDS_MAX && *fields[0] == 'M') {
        memmove(fields + 1, fields, n++ * sizeof *fields);
        fields[0] = no_partners;
    }
    for (size_t i = 0; i < 3; i++)
        if (i >= n || *fields[i]++ != letters[i])
            return 0;
    return n;
}

static bool parse_count(const char *text, uint32_t least, uint32_t *count_p)
{
    uint64_t count;
    if (ct_parse_u64(text, &count, NULL) != CT_OK || count < least || count > UINT32_MAX)
        return false;
    *count_p = (uint32_t)count;
    return true;
}

static bool parse_message_size(const char *text, size_t *bytes_p)
{
    size_t bytes;
    if (ct_parse_size(text, &bytes, NULL) != CT_OK || bytes == 0)
        return false;
    *bytes_p = bytes;
    return true;
}

static bool parse_slots(const char *text, uint32_t *slots_p)
{
    return *text == 'x' && parse_count(text + 1, 1, slots_p) && *slots_p <= SLOTS_MAX;
}

static bool parse_pattern(const char *text, enum ct_pattern *pattern_p)
{
    for (int i = 0; ct_pattern_names[i]; i++)
        if (!strcmp(text, ct_pattern_names[i])) {
            *pattern_p = (enum ct_pattern)i;
            return true;
        }
    return false;
}

enum ct_status ct_config_parse(const char *text, struct ct_config *config_p, struct ct_error *err)
{
    char copy[CT_CONFIG_TEXT_MAX], *fields[FIELDS_MAX];
    struct ct_config config = {0};
    bool is_described = *text == 'P' || *text == 'M';
    size_t n =
        is_described ? split_described(text, copy, fields) : split_fields(text, ':', copy, fields);
    size_t next = 3;
    bool good = n >= 3 && parse_count(fields[0], 0, &config.partners) &&
                parse_count(fields[1], 1, &config.messages) &&
                ct_parse_duration(fields[2], &config.bubble_s, NULL) == CT_OK;
    if (good && next < n && parse_pattern(fields[next], &config.pattern))
        next++;
    if (good && next < n && ct_burst_parse(fields[next], &config.burst, NULL) == CT_OK)
        next++;
    if (good && next < n && parse_message_size(fields[next], &config.message_bytes))
        next++;
    if (good && next < n && parse_slots(fields[next], &config.slots))
        next++;
    if (!good || next < n || (config.pattern == CT_PATTERN_RING && config.partners == 0))
        return ct_fail(err, CT_EINVAL,
                       "'%.80s': not P:M:B[:PATTERN][:ON/OFF][:SIZE][:xSLOTS], such as 4:1:10ms, "
                       "4:1:10ms:alltoall:20ms/40ms:8KiB:x2, or 'P4 M1 B10ms'",
                       text);
    *config_p = config;
    return CT_OK;
}

/* What comes after P, M and B, each after the separator. */
static void append_rest(const struct ct_config *config, char separator,
                        char text[CT_CONFIG_TEXT_MAX])
{
    size_t used = strlen(text);
    char on[CT_UNITS_TEXT_MAX], off[CT_UNITS_TEXT_MAX], size[CT_UNITS_TEXT_MAX];
    if (config->pattern != CT_PATTERN_RING)
        used += (size_t)snprintf(text + used, CT_CONFIG_TEXT_MAX - used, "%c%s", separator,
                                 ct_pattern_names[config->pattern]);
    if (config->burst.given) {
        ct_format_duration(config->burst.on_s, on);
        ct_format_duration(config->burst.off_s, off);
        used +=
            (size_t)snprintf(text + used, CT_CONFIG_TEXT_MAX - used, "%c%s/%s", separator, on, off);
    }
    if (ct_config_message_bytes(config) != CT_CONFIG_MESSAGE_BYTES) {
        ct_format_size(config->message_bytes, size);
        used += (size_t)snprintf(text + used, CT_CONFIG_TEXT_MAX - used, "%c%s", separator, size);
    }
    if (ct_config_slots(config) != 1)
        snprintf(text + used, CT_CONFIG_TEXT_MAX - used, "%cx%u", separator, config->slots);
}

void ct_config_format(const struct ct_config *config, char text[CT_CONFIG_TEXT_MAX])
{
    char bubble[CT_UNITS_TEXT_MAX];
    ct_format_duration(config->bubble_s, bubble);
    snprintf(text, CT_CONFIG_TEXT_MAX, "%u:%u:%s", config->partners, config->messages, bubble);
    append_rest(config, ':', text);
}

void ct_config_describe(const struct ct_config *config, char text[CT_CONFIG_TEXT_MAX])
{
    char digits[CT_UNITS_TEXT_MAX], bubble[CT_UNITS_TEXT_MAX];
    snprintf(digits, sizeof digits, "%.3e", config->bubble_s);
    ct_format_duration(strtod(digits, NULL), bubble);
    size_t used = config->partners > 0
                      ? (size_t)snprintf(text, CT_CONFIG_TEXT_MAX, "P%u ", config->partners)
                      : 0;
    snprintf(text + used, CT_CONFIG_TEXT_MAX - used, "M%u B%s", config->messages, bubble);
    append_rest(config, ' ', text);
}

/* ---- comparison ---- */

static bool same_time(double a_s, double b_s)
{
    return fabs(a_s - b_s) <= 1e-3 * fmax(a_s, b_s);
}

static bool same_but_for_size(const struct ct_config *a, const struct ct_config *b)
{
    return a->partners == b->partners && a->messages == b->messages && a->pattern == b->pattern &&
           same_time(a->bubble_s, b->bubble_s) && a->burst.given == b->burst.given &&
           (!a->burst.given ||
            (same_time(a->burst.on_s, b->burst.on_s) && same_time(a->burst.off_s, b->burst.off_s)));
}

size_t ct_config_message_bytes(const struct ct_config *config)
{
    return config->message_bytes > 0 ? config->message_bytes : CT_CONFIG_MESSAGE_BYTES;
}

uint32_t ct_config_slots(const struct ct_config *config)
{
    return config->slots > 0 ? config->slots : 1;
}

bool ct_config_same(const struct ct_config *a, const struct ct_config *b)
{
    return same_but_for_size(a, b) && ct_config_message_bytes(a) == ct_config_message_bytes(b) &&
           ct_config_slots(a) == ct_config_slots(b);
}

bool ct_config_may_be_same(const struct ct_config *a, const struct ct_config *b)
{
    return same_but_for_size(a, b) &&
           (a->message_bytes == 0 || b->message_bytes == 0 ||
            a->message_bytes == b->message_bytes) &&
           (a->slots == 0 || b->slots == 0 || a->slots == b->slots);
}

int ct_config_compare(const void *a, const void *b)
{
    const struct ct_config *x = a, *y = b;
    const double keys[][2] = {
        {x->pattern, y->pattern},
        {x->burst.given, y->burst.given},
        {x->burst.on_s, y->burst.on_s},
        {x->burst.off_s, y->burst.off_s},
        {x->partners, y->partners},
        {x->messages, y->messages},
        {x->bubble_s, y->bubble_s},
        {(double)ct_config_message_bytes(x), (double)ct_config_message_bytes(y)},
        {ct_config_slots(x), ct_config_slots(y)}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] < keys[i][1] || keys[i][0] > keys[i][1])
            return keys[i][0] > keys[i][1] ? 1 : -1;
    return 0;
}
