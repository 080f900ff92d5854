/* Topologies in YAML: read or refused. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/topology_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_topology(data, size);
}
