/* Counters of a switch, RUN.ports.json: a share of time that is a number, or refused. */
#include "study/switch_counters.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err;
    double busy_frac = -1;
    char *text = malloc(size ? size : 1); /* no byte more: what reads on is found */
    if (!text)
        return 0;
    memcpy(text, data, size);
    bool good = ct_switch_counters_parse(text, size, "input", &busy_frac, &err) == CT_OK;
    if (good ? !isfinite(busy_frac) || busy_frac < 0 : busy_frac != -1)
        abort();
    free(text);
    return 0;
}
