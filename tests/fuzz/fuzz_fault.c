/* Faults in words: any text is refused, or names directions that the network has, and a size. */
#include "study/fault_text.h"
#include "tests/fuzz/fuzz.h"
#include "topology/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_fault_words words;
    struct ct_error err;
    char *text = strndup((const char *)data, size);
    if (!text)
        return 0;
    if (ct_topology_make("tree:2x2,2", &settings, &topology, NULL) != CT_OK)
        abort();
    if (ct_fault_parse(&topology, text, &words, &err) == CT_OK) {
        if (words.fault.n == 0 || words.fault.ways != words.ways || !(words.fault.size >= 0) ||
            !isfinite(words.fault.size))
            abort();
        if (words.fault.kind == CT_WATCH_RATE && !(words.fault.size < 1))
            abort();
        for (size_t i = 0; i < words.fault.n; i++)
            if (words.ways[i] >= 2 * topology.n_links)
                abort();
        ct_fault_words_free(&words);
    }
    ct_topology_free(&topology);
    free(text);
    return 0;
}
