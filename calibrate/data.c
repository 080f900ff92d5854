#include "calibrate/data.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>

static size_t find_series(const struct ct_measured *measured,
                          const struct ct_benchmark_output *output)
{
    size_t i = 0;
    while (i < measured->n && (measured->series[i].output.quantity != output->quantity ||
                               measured->series[i].output.bytes != output->bytes))
        i++;
    return i;
}

enum ct_status ct_measured_add(struct ct_measured *measured,
                               const struct ct_benchmark_output *output, double value,
                               struct ct_error *err)
{
    bool is_throughput = output->quantity == CT_BENCHMARK_THROUGHPUT;
    if (!isfinite(value) || value <= 0)
        return ct_fail(err, CT_EINVAL, "value %g: not a number above 0", value);
    if (output->bytes > CT_BENCHMARK_BYTES_MAX || (is_throughput && output->bytes == 0))
        return ct_fail(err, CT_EINVAL, "size %llu: a message has %s to %llu bytes",
                       (unsigned long long)output->bytes, is_throughput ? "1" : "0",
                       (unsigned long long)CT_BENCHMARK_BYTES_MAX);
    size_t at = find_series(measured, output);
    if (at == CT_MEASURED_SERIES_MAX)
        return ct_fail(err, CT_EINVAL, "more than %d kinds and sizes; leave some out",
                       CT_MEASURED_SERIES_MAX);
    if (at == measured->n) {
        if (!CT_ARRAY_RESERVE(measured->series, measured->room, measured->n + 1))
            return ct_no_memory(err, "data");
        measured->series[measured->n++] = (struct ct_measured_series){.output = *output};
    }
    struct ct_measured_series *series = &measured->series[at];
    if (!CT_ARRAY_RESERVE(series->values, series->room, series->n + 1))
        return ct_no_memory(err, "data");
    series->values[series->n++] = value;
    return CT_OK;
}

static int by_quantity_and_size(const void *a, const void *b)
{
    const struct ct_benchmark_output *x = &((const struct ct_measured_series *)a)->output,
                                     *y = &((const struct ct_measured_series *)b)->output;
    if (x->quantity != y->quantity)
        return x->quantity < y->quantity ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

void ct_measured_sort(struct ct_measured *measured)
{
    if (measured->n > 0)
        qsort(measured->series, measured->n, sizeof *measured->series, by_quantity_and_size);
}

void ct_measured_free(struct ct_measured *measured)
{
    for (size_t i = 0; i < measured->n; i++)
        free(measured->series[i].values);
    free(measured->series);
    *measured = (struct ct_measured){0};
}
