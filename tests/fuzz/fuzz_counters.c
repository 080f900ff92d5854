/* Counters of links, as crosstalk-simgrid writes them: numbers of links of the topology, or
 * refused. */
#include "campaign/simgrid_load.h"
#include "tests/fuzz/fuzz.h"
#include "topology/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err;
    struct ct_topology topology;
    struct ct_simgrid_load load = {0};
    const struct ct_topology_settings settings = ct_topology_defaults();
    char *text = malloc(size ? size : 1); /* no byte more: what reads on is found */
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (ct_topology_make("tree:2x1", &settings, &topology, &err) != CT_OK)
        abort();
    bool good = ct_simgrid_load_parse(text, size, "input", &topology, &load, &err) == CT_OK;
    if (good != (load.flows != NULL))
        abort();
    for (size_t i = 0; good && i < 2 * (size_t)topology.n_links; i++)
        if (!(load.flows[i].bytes >= 0) || isinf(load.flows[i].bytes))
            abort();
    free(load.flows);
    ct_topology_free(&topology);
    free(text);
    return 0;
}
