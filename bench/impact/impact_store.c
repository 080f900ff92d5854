#include "bench/impact/impact_run.h"
#include "core/array.h"

#include <stdlib.h>

enum ct_status ct_impact_record(struct ct_impact_result *result, struct ct_sample sample)
{
    if (!CT_ARRAY_RESERVE(result->samples, result->capacity, result->n_samples + 1))
        return CT_ENOMEM;
    result->samples[result->n_samples++] = sample;
    return CT_OK;
}

void ct_impact_result_free(struct ct_impact_result *result)
{
    free(result->samples);
    free(result->pairs);
    *result = (struct ct_impact_result){0};
}
