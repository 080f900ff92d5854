/* Topologies by a short text, and utilizations of their links: read or refused. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/topology_check.h"
#include "topology/loads.h"

#include <string.h>

enum { NODES_MAX = 4096 };

/* The first line is the topology, the rest a table of utilizations. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    double *utilization;
    char *text = strndup((const char *)data, size);
    if (!text)
        return 0;
    char *rest = text + strcspn(text, "\n");
    if (*rest)
        *rest++ = '\0';
    settings.n_nodes = 5;
    if (ct_topology_make(text, &settings, &topology, NULL) == CT_OK) {
        if (topology.n_nodes <= NODES_MAX)
            check_ways(&topology);
        if (topology.n_links <= FUZZ_LINKS_MAX)
            check_pictures(&topology);
        if (ct_topology_loads(&topology, rest, "input", &utilization, NULL) == CT_OK)
            free(utilization);
        ct_topology_free(&topology);
    }
    free(text);
    return 0;
}
