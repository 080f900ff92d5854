/* What crosstalk-waits wrote of a rank: times that can be, or refused. */
#include "campaign/waits.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_possible(const struct ct_waits *waits)
{
    return waits->n_ranks == 1 && waits->wall_s > 0 && isfinite(waits->wall_s) &&
           waits->used_s >= 0 && isfinite(waits->used_s) && waits->waited_s >= 0 &&
           isfinite(waits->waited_s) && waits->wait_frac >= 0 && waits->wait_frac <= 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err;
    char *text = malloc(size + 1); /* no byte more: what reads on is found */
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const double windows_s[] = {INFINITY, 1e-9, 3, 1e6};
    for (size_t i = 0; i < sizeof windows_s / sizeof *windows_s; i++) {
        struct ct_waits waits = {.n_ranks = -1};
        bool good = ct_waits_of_rank(text, windows_s[i], &waits, &err) == CT_OK;
        if (good ? !is_possible(&waits) : waits.n_ranks != -1)
            abort();
    }
    free(text);
    return 0;
}
