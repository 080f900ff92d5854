/* Durations, sizes, rates, pauses and numbers: what parses must print as text that parses to the
 * same. */
#include "core/units.h"
#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_duration(const char *text)
{
    double value, again;
    char printed[CT_UNITS_TEXT_MAX];
    if (ct_parse_duration(text, &value, NULL) != CT_OK)
        return;
    ct_format_duration(value, printed);
    if (!(value >= 0) || ct_parse_duration(printed, &again, NULL) != CT_OK ||
        fabs(again - value) > 1e-11 * value + DBL_MIN)
        abort();
}

static void check_size(const char *text)
{
    size_t bytes, again;
    char printed[CT_UNITS_TEXT_MAX];
    if (ct_parse_size(text, &bytes, NULL) != CT_OK)
        return;
    ct_format_size(bytes, printed);
    if (ct_parse_size(printed, &again, NULL) != CT_OK || again != bytes)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct ct_error err;
    struct ct_pause pause;
    uint64_t count;
    double number;
    check_duration(text);
    check_size(text);
    ct_parse_pause(text, &pause, &err);
    ct_parse_rate(text, &number, &err);
    ct_parse_u64(text, &count, &err);
    ct_parse_double(text, &number, &err);
    ct_parse_fraction(text, &number, &err);
    return 0;
}
