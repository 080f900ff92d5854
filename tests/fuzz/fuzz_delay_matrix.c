/* Matrices of latencies: what is taken is square and within the range, or nothing is. */
#include "delay/latency.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err = {.text = ""};
    struct ct_delay_latency latency = {.uniform_ns = -1};
    char *text = malloc(size ? size : 1); /* no byte more: what reads on is found */
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (ct_delay_matrix_parse(text, size, "input", &latency, &err) != CT_OK) {
        if (latency.uniform_ns != -1 || latency.matrix_ns || strncmp(err.text, "input:", 6) != 0)
            abort();
    } else {
        if (latency.n_ranks < 1 || latency.n_ranks > CT_DELAY_RANKS_MAX)
            abort();
        for (size_t from = 0; from < latency.n_ranks; from++)
            for (size_t to = 0; to < latency.n_ranks; to++) {
                int64_t ns = ct_delay_latency_ns(&latency, from, to);
                if (ns < 0 || ns > (int64_t)(CT_DELAY_LATENCY_MAX_S * 1e9))
                    abort();
            }
    }
    free(latency.matrix_ns);
    free(text);
    return 0;
}
