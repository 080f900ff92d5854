/* Tables of what was measured, and parameters with priors: what is read is in range, or nothing is.
 */
#include "calibrate/data.h"
#include "calibrate/unknowns.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_table(const char *text)
{
    struct ct_measured measured;
    struct ct_error err = {.text = ""};
    if (ct_measured_parse(text, "input", &measured, &err) != CT_OK) {
        if (strncmp(err.text, "input", 5) != 0)
            abort();
        return;
    }
    if (measured.n == 0)
        abort();
    for (size_t i = 0; i < measured.n; i++) {
        const struct ct_measured_series *series = &measured.series[i];
        if (series->n == 0 || series->output.bytes > CT_BENCHMARK_BYTES_MAX)
            abort();
        for (size_t r = 0; r < series->n; r++)
            if (!(series->values[r] > 0) || !isfinite(series->values[r]))
                abort();
    }
    ct_measured_free(&measured);
}

static void check_parameters(const char *text)
{
    struct ct_unknowns unknowns;
    struct ct_error err = {.text = ""};
    double values[CT_STACK_KEYS];
    if (ct_unknowns_parse(text, "input", &unknowns, &err) != CT_OK) {
        if (strncmp(err.text, "input", 5) != 0)
            abort();
        return;
    }
    if (unknowns.n == 0 || unknowns.n > CT_STACK_KEYS)
        abort();
    for (int z = -1; z <= 1; z++) {
        for (size_t i = 0; i < unknowns.n; i++)
            values[i] = ct_prior_value(&unknowns.parameters[i].prior, z);
        const struct ct_stack_parameters at = ct_unknowns_at(&unknowns, values);
        for (size_t i = 0; i < unknowns.n; i++)
            if (ct_stack_value(&at, unknowns.keys[i]) < values[i] ||
                ct_stack_value(&at, unknowns.keys[i]) > values[i])
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    check_table(text);
    check_parameters(text);
    free(text);
    return 0;
}
