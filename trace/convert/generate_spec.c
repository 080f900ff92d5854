#include "trace/convert/generate_spec.h"

#include "core/units.h"
#include "lp-bridge/goal/goal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

enum type { COUNT, SIZE, DURATION, FRACTION };

/* A key, and its default in each pattern; NULL: the pattern does not have it. */
struct key {
    const char *name;
    enum type type;
    size_t offset;
    double max;
    const char *initial[CT_PATTERNS];
};

#define OFFSET(member) offsetof(struct ct_generate_spec, member)
#define FOR_ALL(value)                                                                             \
    {                                                                                              \
        (value), (value), (value), (value)                                                         \
    }

/* So that the time of a rank fits into 64 bits. */
enum { ROUNDS_MAX = 100000, LEVELS_MAX = 30 };
#define BYTES_MAX 1e12
#define COMPUTE_MAX_S 600

static const struct key keys[] = {
    {"rounds", COUNT, OFFSET(rounds), ROUNDS_MAX, FOR_ALL("10")},
    {"compute", DURATION, OFFSET(compute_s), COMPUTE_MAX_S, FOR_ALL("1ms")},
    {"imbalance", FRACTION, OFFSET(imbalance_frac), 1, FOR_ALL("0")},
    {"noise", FRACTION, OFFSET(noise_frac), 1, FOR_ALL("0")},
    {"seed", COUNT, OFFSET(seed), 1e18, FOR_ALL("1")},
    {"bytes", SIZE, OFFSET(bytes), BYTES_MAX, {"8KiB", "8B", "64KiB", "1KiB"}},
    {"levels", COUNT, OFFSET(levels), LEVELS_MAX, {[CT_PATTERN_HALO] = "1"}},
    {"sum", SIZE, OFFSET(sum_bytes), BYTES_MAX, {[CT_PATTERN_HALO] = "8B"}},
    {"domains", COUNT, OFFSET(domains), CT_GOAL_RANKS_MAX, {[CT_PATTERN_PARTICLES] = "64"}},
    {"field", SIZE, OFFSET(field_bytes), BYTES_MAX, {[CT_PATTERN_PARTICLES] = "32KiB"}},
    {"group",
     COUNT,
     OFFSET(group),
     CT_GOAL_RANKS_MAX,
     {[CT_PATTERN_ALLTOALL] = "1048576"}}, /* all ranks */
};
enum { KEYS = sizeof keys / sizeof *keys };

static const char *const names[CT_PATTERNS] = {"halo", "allreduce", "particles", "alltoall"};

/* ---- ranks ---- */

static bool find_pattern(const char *text, enum ct_pattern *pattern_p)
{
    for (int i = 0; i < CT_PATTERNS; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(text, names[i], n) == 0 && text[n] == ':') {
            *pattern_p = (enum ct_pattern)i;
            return true;
        }
    }
    return false;
}

bool ct_generate_spec_is(const char *text)
{
    enum ct_pattern pattern;
    return find_pattern(text, &pattern);
}

/* The largest divisor of n that is at most its k-th root, k = 2 or 3. */
static uint32_t find_divisor(uint32_t n, int k)
{
    uint32_t found = 1;
    for (uint64_t d = 1; (k == 3 ? d * d * d : d * d) <= n; d++)
        if (n % d == 0)
            found = (uint32_t)d;
    return found;
}

/* Sides as close to each other as divisors allow, the largest first. */
static void make_grid(uint32_t n_ranks, uint32_t sides[CT_GENERATE_DIMENSIONS])
{
    sides[2] = find_divisor(n_ranks, 3);
    sides[1] = find_divisor(n_ranks / sides[2], 2);
    sides[0] = n_ranks / sides[2] / sides[1];
}

static enum ct_status parse_ranks(const char *text, const char **at_p,
                                  struct ct_generate_spec *spec, struct ct_error *err)
{
    bool is_grid = spec->pattern == CT_PATTERN_HALO;
    const char *at = *at_p;
    uint64_t product = 1;
    int n = 0;
    do {
        uint64_t value = 0;
        if (n > 0)
            at++;
        const char *first = at;
        for (; isdigit((unsigned char)*at) && value <= CT_GOAL_RANKS_MAX; at++)
            value = 10 * value + (uint64_t)(*at - '0');
        product *= value;
        if (at == first || n == CT_GENERATE_DIMENSIONS || product < 1 ||
            product > CT_GOAL_RANKS_MAX)
            return ct_fail(err, CT_EUSAGE, "program '%s': %s of 1 to %d ranks", text,
                           is_grid ? "give N, XxY or XxYxZ," : "give N,", CT_GOAL_RANKS_MAX);
        spec->sides[n++] = (uint32_t)value;
    } while (is_grid && *at == 'x');
    for (int i = n; i < CT_GENERATE_DIMENSIONS; i++)
        spec->sides[i] = 1;
    spec->n_ranks = (uint32_t)product;
    if (is_grid && n == 1)
        make_grid(spec->n_ranks, spec->sides);
    *at_p = at;
    return CT_OK;
}

/* ---- keys ---- */

static enum ct_status refuse_range(const struct key *key, const char *value, struct ct_error *err)
{
    char high[CT_UNITS_TEXT_MAX];
    const char *low;
    if (key->type == DURATION) {
        low = "0s";
        ct_format_duration(key->max, high);
    } else if (key->type == SIZE) {
        low = "0B";
        ct_format_size((size_t)key->max, high);
    } else {
        low = key->type == COUNT ? "1" : "0";
        snprintf(high, sizeof high, "%.12g", key->max);
    }
    return ct_fail(err, CT_EUSAGE, "%s=%s: not within %s to %s", key->name, value, low, high);
}

static enum ct_status parse_value(const struct key *key, const char *value,
                                  struct ct_generate_spec *spec, struct ct_error *err)
{
    void *field = (char *)spec + key->offset;
    enum ct_status status = CT_EINVAL;
    double number = 0;
    switch (key->type) {
    case COUNT:
        status = ct_parse_u64(value, field, err);
        number = (double)*(uint64_t *)field;
        break;
    case SIZE:
        status = ct_parse_size(value, field, err);
        number = (double)*(size_t *)field;
        break;
    case DURATION:
        status = ct_parse_duration(value, field, err);
        number = *(double *)field;
        break;
    case FRACTION:
        status = ct_parse_fraction(value, field, err);
        number = *(double *)field;
        break;
    }
    bool in_range =
        number <= key->max && (key->type != COUNT || number >= 1 || key->offset == OFFSET(seed));
    if (status == CT_OK && !in_range)
        return refuse_range(key, value, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, CT_EUSAGE, "%s", key->name);
}

enum { VALUE_MAX = 64, LIST_MAX = 160 };

static enum ct_status no_such_key(const struct ct_generate_spec *spec, const char *at,
                                  struct ct_error *err)
{
    char list[LIST_MAX] = "";
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].initial[spec->pattern]) {
            size_t n = strlen(list);
            snprintf(list + n, sizeof list - n, "%s%s", n > 0 ? ", " : "", keys[i].name);
        }
    return ct_fail(err, CT_EUSAGE, "'%.*s': give KEY=VALUE, with a key of %s once; %s has %s",
                   (int)strcspn(at, ","), at, names[spec->pattern], names[spec->pattern], list);
}

/* One KEY=VALUE. given: [KEYS] keys so far */
static enum ct_status parse_key(const char *at, size_t length, bool *given,
                                struct ct_generate_spec *spec, struct ct_error *err)
{
    char value[VALUE_MAX];
    size_t n_name = strcspn(at, "=,");
    for (size_t i = 0; i < KEYS && n_name < length; i++) {
        const struct key *key = &keys[i];
        if (strlen(key->name) != n_name || strncmp(at, key->name, n_name) != 0 ||
            !key->initial[spec->pattern] || given[i])
            continue;
        given[i] = true;
        if (length - n_name > sizeof value)
            break;
        snprintf(value, sizeof value, "%.*s", (int)(length - n_name - 1), at + n_name + 1);
        return parse_value(key, value, spec, err);
    }
    return no_such_key(spec, at, err);
}

/* Values that depend on the number of ranks. */
static enum ct_status check_spec(const char *text, const bool *given, struct ct_generate_spec *spec,
                                 struct ct_error *err)
{
    uint64_t *const of_ranks[] = {&spec->domains, &spec->group};
    for (size_t i = 0; i < sizeof of_ranks / sizeof *of_ranks; i++) {
        if (*of_ranks[i] <= spec->n_ranks)
            continue;
        for (size_t k = 0; k < KEYS; k++)
            if ((char *)of_ranks[i] == (char *)spec + keys[k].offset && given[k])
                return ct_fail(err, CT_EUSAGE, "program '%s': %s=%llu, of %u ranks", text,
                               keys[k].name, (unsigned long long)*of_ranks[i], spec->n_ranks);
        *of_ranks[i] = spec->n_ranks;
    }
    return CT_OK;
}

enum ct_status ct_generate_spec_parse(const char *text, struct ct_generate_spec *spec_p,
                                      struct ct_error *err)
{
    struct ct_generate_spec spec = {0};
    bool given[KEYS] = {false};
    if (!find_pattern(text, &spec.pattern))
        return ct_fail(err, CT_EUSAGE,
                       "program '%s': not halo:, allreduce:, particles:, alltoall:", text);
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].initial[spec.pattern] &&
            parse_value(&keys[i], keys[i].initial[spec.pattern], &spec, err) != CT_OK)
            return CT_EUSAGE;
    const char *at = text + strlen(names[spec.pattern]) + 1;
    enum ct_status status = parse_ranks(text, &at, &spec, err);
    while (status == CT_OK && *at == ',') {
        size_t length = strcspn(++at, ",");
        if (parse_key(at, length, given, &spec, err) != CT_OK)
            status = ct_fail_within(err, CT_EUSAGE, "program '%s'", text);
        at += length;
    }
    if (status == CT_OK && *at != '\0')
        status = ct_fail(err, CT_EUSAGE, "program '%s': '%s' after the number of ranks", text, at);
    if (status == CT_OK)
        status = check_spec(text, given, &spec, err);
    if (status == CT_OK)
        *spec_p = spec;
    return status;
}
