#include "study/pass_traces.h"

#include <inttypes.h>
#include <stdio.h>

void ct_passes_ending(uint64_t longer_by, char ending[CT_PASSES_ENDING_MAX])
{
    int n = snprintf(ending, CT_PASSES_ENDING_MAX, ".longer");
    if (longer_by > 1)
        snprintf(ending + n, CT_PASSES_ENDING_MAX - (size_t)n, "-%" PRIu64, longer_by);
}
