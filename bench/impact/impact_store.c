#include "bench/impact/impact_run.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 1024 };

enum ct_status ct_impact_record(struct ct_impact_result *result, struct ct_sample sample)
{
    if (result->n_samples == result->capacity) {
        size_t capacity = result->capacity ? 2 * result->capacity : FIRST_CAPACITY;
        void *samples = realloc(result->samples, capacity * sizeof *result->samples);
        if (!samples)
            return CT_ENOMEM;
        result->samples = samples;
        result->capacity = capacity;
    }
    result->samples[result->n_samples++] = sample;
    return CT_OK;
}

void ct_impact_result_free(struct ct_impact_result *result)
{
    free(result->samples);
    free(result->pairs);
    *result = (struct ct_impact_result){0};
}
