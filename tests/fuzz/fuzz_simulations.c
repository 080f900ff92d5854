/* Stores of simulations: any bytes are read or refused, and what is read can be searched. */
#include "simulate/joint/simulation_store.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t key[2] = {1, 2};
    struct ct_joint_slowdown slowdown[CT_SIMULATE_JOBS_MAX] = {{0}};
    struct ct_simulation_store *store;
    if (ct_simulation_store_decode(data, size, &store) != CT_OK)
        return 0;
    ct_simulation_store_find(store, key, slowdown, CT_SIMULATE_JOBS_MAX);
    ct_simulation_store_add(store, key, slowdown, 1);
    ct_simulation_store_close(store);
    return 0;
}
