#include "core/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value is number * factor / divisor: both are exact, so 40us is the double nearest to 4e-5. */
struct unit {
    const char *name;
    double factor, divisor;
};

/* Ordered from small to large: formatting walks the same tables. */
static const struct unit duration_units[] = {{"ns", 1, 1e9}, {"us", 1, 1e6}, {"ms", 1, 1e3},
                                             {"s", 1, 1},    {"min", 60, 1}, {"h", 3600, 1},
                                             {NULL, 0, 0}};
static const struct unit size_units[] = {
    {"B", 1, 1},         {"kB", 1e3, 1}, {"KiB", 1024, 1},       {"MB", 1e6, 1},
    {"MiB", 1048576, 1}, {"GB", 1e9, 1}, {"GiB", 1073741824, 1}, {NULL, 0, 0}};
static const struct unit rate_units[] = {
    {"bit", 1, 1}, {"kbit", 1e3, 1}, {"mbit", 1e6, 1}, {"gbit", 1e9, 1}, {NULL, 0, 0}};
static const struct unit cycle_units[] = {{"cycles", 1, 1}, {NULL, 0, 0}};

/* Digits, optionally a point and digits, optionally an exponent: nothing else that strtod knows. */
static const char *scan_number(const char *text, double *value_p)
{
    const char *p = text;
    if (!isdigit((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1])))
        return NULL;
    while (isdigit((unsigned char)*p))
        p++;
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p);)
            p++;
    if (*p == 'e' || *p == 'E') {
        const char *digits = p + 1 + (p[1] == '-' || p[1] == '+');
        if (isdigit((unsigned char)*digits))
            for (p = digits; isdigit((unsigned char)*p);)
                p++;
    }
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end != p || !isfinite(value))
        return NULL;
    *value_p = value;
    return p;
}

static enum ct_status parse_with_units(const char *text, const struct unit *units, const char *what,
                                       const char *accepted, double *value_p, struct ct_error *err)
{
    double number;
    const char *suffix = scan_number(text, &number);
    if (!suffix && *text == '-' && scan_number(text + 1, &number))
        return ct_fail(err, CT_EINVAL, "%s '%s': below 0", what, text);
    if (!suffix)
        return ct_fail(err, CT_EINVAL, "%s '%s': not a number with a unit; write %s", what, text,
                       accepted);
    if (*suffix == '\0')
        return ct_fail(err, CT_EINVAL, "%s '%s': the unit is missing; write %s", what, text,
                       accepted);
    for (const struct unit *unit = units; unit->name; unit++) {
        if (strcmp(suffix, unit->name) != 0)
            continue;
        double value = number * unit->factor / unit->divisor;
        if (!isfinite(value))
            return ct_fail(err, CT_EINVAL, "%s '%s': too large", what, text);
        *value_p = value;
        return CT_OK;
    }
    return ct_fail(err, CT_EINVAL, "%s '%s': unknown unit '%s'; write %s", what, text, suffix,
                   accepted);
}

enum ct_status ct_parse_duration(const char *text, double *duration_p, struct ct_error *err)
{
    return parse_with_units(text, duration_units, "duration",
                            "a number and ns, us, ms, s, min or h, such as 40us", duration_p, err);
}

enum ct_status ct_parse_size(const char *text, size_t *bytes_p, struct ct_error *err)
{
    double bytes = 0;
    CT_TRY(parse_with_units(text, size_units, "size",
                            "a number and B, kB, MB, GB, KiB, MiB or GiB, such as 40kB", &bytes,
                            err));
    /* 2^53: up to here a double holds every whole number of bytes. */
    if (bytes > 9007199254740992.0)
        return ct_fail(err, CT_EINVAL, "size '%s': too large", text);
    /* 1e-12: what the conversion of a decimal such as 4.1kB may add, far less than half a byte. */
    double whole = rint(bytes);
    if (fabs(bytes - whole) > 1e-12 * bytes)
        return ct_fail(err, CT_EINVAL, "size '%s': not a whole number of bytes", text);
    *bytes_p = (size_t)whole;
    return CT_OK;
}

enum ct_status ct_parse_rate(const char *text, double *bit_per_s_p, struct ct_error *err)
{
    return parse_with_units(text, rate_units, "rate",
                            "a number and bit, kbit, mbit or gbit per second, such as 50mbit",
                            bit_per_s_p, err);
}

enum ct_status ct_parse_gap(const char *text, double *s_per_byte_p, struct ct_error *err)
{
    static const struct unit bandwidths[] = {
        {"B/s", 1, 1},       {"kB/s", 1e3, 1},   {"MB/s", 1e6, 1},      {"GB/s", 1e9, 1},
        {"TB/s", 1e12, 1},   {"KiB/s", 1024, 1}, {"MiB/s", 1048576, 1}, {"GiB/s", 1073741824, 1},
        {"bit", 1, 8},       {"kbit", 1e3, 8},   {"mbit", 1e6, 8},      {"gbit", 1e9, 8},
        {"bit/s", 1, 8},     {"kbit/s", 1e3, 8}, {"Mbit/s", 1e6, 8},    {"Gbit/s", 1e9, 8},
        {"Tbit/s", 1e12, 8}, {NULL, 0, 0}};
    double bytes_per_s = 0;
    if (parse_with_units(text, bandwidths, "", "", &bytes_per_s, NULL) == CT_OK) {
        if (!(bytes_per_s > 0) || !isfinite(1 / bytes_per_s))
            return ct_fail(err, CT_EINVAL, "bandwidth '%s': must be above 0", text);
        *s_per_byte_p = 1 / bytes_per_s;
        return CT_OK;
    }
    return parse_with_units(text, duration_units, "time for a byte",
                            "a number and ns or us for each byte, such as 0.08ns, or a bandwidth, "
                            "such as 12GB/s or 100gbit",
                            s_per_byte_p, err);
}

enum ct_status ct_parse_pause(const char *text, struct ct_pause *pause_p, struct ct_error *err)
{
    size_t length = strlen(text);
    struct ct_pause pause = {.in_cycles = length > 6 && !strcmp(text + length - 6, "cycles")};
    CT_TRY(parse_with_units(text, pause.in_cycles ? cycle_units : duration_units, "pause",
                            "a number and cycles, ns, us, ms or s, such as 25000cycles or 10us",
                            &pause.value, err));
    *pause_p = pause;
    return CT_OK;
}

enum ct_status ct_parse_u64(const char *text, uint64_t *value_p, struct ct_error *err)
{
    if (!isdigit((unsigned char)*text))
        return ct_fail(err, CT_EINVAL, "'%s': not a whole number", text);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0')
        return ct_fail(err, CT_EINVAL, "'%s': not a whole number", text);
    if (errno == ERANGE)
        return ct_fail(err, CT_EINVAL, "'%s': too large", text);
    *value_p = value;
    return CT_OK;
}

enum ct_status ct_parse_double(const char *text, double *value_p, struct ct_error *err)
{
    bool negative = *text == '-';
    double value;
    const char *end = scan_number(text + negative, &value);
    if (!end || *end != '\0')
        return ct_fail(err, CT_EINVAL, "'%s': not a number", text);
    *value_p = negative ? -value : value;
    return CT_OK;
}

enum ct_status ct_parse_fraction(const char *text, double *fraction_p, struct ct_error *err)
{
    double value;
    const char *end = scan_number(text, &value);
    if (!end || (*end != '\0' && strcmp(end, "%") != 0))
        return ct_fail(err, CT_EINVAL, "'%s': not a fraction; write 0.05 or 5%%", text);
    *fraction_p = *end == '%' ? value / 100 : value;
    return CT_OK;
}

enum ct_status ct_parse_percent(const char *text, double *fraction_p, struct ct_error *err)
{
    double fraction = 0;
    CT_TRY(ct_parse_fraction(text, &fraction, err));
    if (fraction >= 1 && !strchr(text, '%')) /* 5 for 5 %? */
        return ct_fail(err, CT_EINVAL, "'%s': without a unit; write %s%% or %g", text, text,
                       fraction / 100);
    *fraction_p = fraction;
    return CT_OK;
}

/* The largest unit in which the value has at most three decimals, else 12 digits: no text is off by
 * more than 1e-12 of the value. */
static void format_with_units(double value, const struct unit *units, char text[CT_UNITS_TEXT_MAX])
{
    const struct unit *last = units;
    while (last[1].name)
        last++;
    for (const struct unit *unit = last; unit >= units; unit--) {
        double number = value * unit->divisor / unit->factor;
        double thousandths = number * 1000;
        if (number >= 1 && thousandths < 1e12 &&
            fabs(thousandths - rint(thousandths)) <= 1e-12 * thousandths) {
            snprintf(text, CT_UNITS_TEXT_MAX, "%.12g%s", rint(thousandths) / 1000, unit->name);
            return;
        }
    }
    const struct unit *unit = last;
    while (unit > units && value * unit->divisor < unit->factor)
        unit--;
    snprintf(text, CT_UNITS_TEXT_MAX, "%.12g%s", value * unit->divisor / unit->factor, unit->name);
}

void ct_format_duration(double duration_s, char text[CT_UNITS_TEXT_MAX])
{
    /* Minutes and hours are for reading only: people write "90s". */
    static const struct unit written[] = {
        {"ns", 1, 1e9}, {"us", 1, 1e6}, {"ms", 1, 1e3}, {"s", 1, 1}, {NULL, 0, 0}};
    if (duration_s == 0)
        snprintf(text, CT_UNITS_TEXT_MAX, "0s");
    else
        format_with_units(duration_s, written, text);
}

void ct_format_size(size_t bytes, char text[CT_UNITS_TEXT_MAX])
{
    /* Exact in whole units only, so that what is printed reads back as the same number. */
    const char *name = "B";
    size_t factor = 1;
    for (const struct unit *unit = size_units; unit->name; unit++) {
        size_t candidate = (size_t)unit->factor;
        if (bytes >= candidate && bytes % candidate == 0) {
            factor = candidate;
            name = unit->name;
        }
    }
    snprintf(text, CT_UNITS_TEXT_MAX, "%zu%s", bytes / factor, name);
}

void ct_format_rate_words(double bit_per_s, char text[CT_UNITS_TEXT_MAX])
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    size_t k = 0;
    for (; k + 1 < sizeof prefixes / sizeof *prefixes && bit_per_s >= 1000; k++)
        bit_per_s /= 1000;
    snprintf(text, CT_UNITS_TEXT_MAX, "%.4g %sbit/s", bit_per_s, prefixes[k]);
}

void ct_format_rate(double bit_per_s, char text[CT_UNITS_TEXT_MAX])
{
    format_with_units(bit_per_s, rate_units, text);
}

void ct_format_pause(struct ct_pause pause, char text[CT_UNITS_TEXT_MAX])
{
    if (pause.in_cycles)
        snprintf(text, CT_UNITS_TEXT_MAX, "%.12gcycles", pause.value);
    else
        ct_format_duration(pause.value, text);
}

static void format_digits(double value, int digits, const char *unit, char text[CT_UNITS_TEXT_MAX])
{
    int whole = value > 0 ? (int)floor(log10(value)) + 1 : 1;
    int decimals = digits - whole;
    snprintf(text, CT_UNITS_TEXT_MAX, "%.*f", decimals > 0 ? decimals : 0, value);
    if (strchr(text, '.')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            text[--length] = '\0';
        if (text[length - 1] == '.')
            text[length - 1] = '\0';
    }
    size_t length = strlen(text);
    snprintf(text + length, CT_UNITS_TEXT_MAX - length, " %s", unit);
}

void ct_format_words(double duration_s, int digits, char text[CT_UNITS_TEXT_MAX])
{
    const char *sign = duration_s < 0 ? "-" : "";
    char absolute[CT_UNITS_TEXT_MAX];
    double magnitude = fabs(duration_s);
    if (!isfinite(duration_s))
        snprintf(absolute, sizeof absolute, "%s", isnan(duration_s) ? "-" : "inf");
    else if (magnitude >= 0.9995)
        format_digits(magnitude, digits, "s", absolute);
    else if (magnitude >= 0.9995e-3)
        format_digits(magnitude * 1e3, digits, "ms", absolute);
    else if (magnitude >= 0.9995e-6 || magnitude < 1e-15)
        format_digits(magnitude * 1e6, digits, "us", absolute);
    else
        format_digits(magnitude * 1e9, digits, "ns", absolute);
    snprintf(text, CT_UNITS_TEXT_MAX, "%s%.30s", sign, absolute);
}

void ct_format_share(double frac, char text[CT_UNITS_TEXT_MAX])
{
    char absolute[CT_UNITS_TEXT_MAX];
    double percent = fabs(100 * frac);
    if (!isfinite(frac))
        snprintf(absolute, sizeof absolute, "- %%");
    else
        format_digits(percent < 1e-3 ? 0 : percent, 2, "%", absolute);
    snprintf(text, CT_UNITS_TEXT_MAX, "%s%.30s", frac < 0 && percent >= 1e-3 ? "-" : "", absolute);
}

void ct_format_elapsed(double duration_s, char text[CT_UNITS_TEXT_MAX])
{
    if (!(duration_s < 1e15)) {
        snprintf(text, CT_UNITS_TEXT_MAX, "unknown");
        return;
    }
    long long whole_s = llround(duration_s);
    if (duration_s < 10)
        snprintf(text, CT_UNITS_TEXT_MAX, "%.1f s", duration_s);
    else if (whole_s < 60)
        snprintf(text, CT_UNITS_TEXT_MAX, "%lld s", whole_s);
    else if (whole_s < 3600)
        snprintf(text, CT_UNITS_TEXT_MAX, "%lld min %02lld s", whole_s / 60, whole_s % 60);
    else
        snprintf(text, CT_UNITS_TEXT_MAX, "%lld h %02lld min", whole_s / 3600, whole_s % 3600 / 60);
}
