#include "bench/replay/ranks.h"

enum ct_status ct_replay_check_ranks(const char *option, const char *path, uint32_t n_ranks,
                                     const struct ct_workload_run *run, struct ct_error *err)
{
    if (n_ranks == (uint32_t)run->size)
        return CT_OK;
    return ct_fail(err, CT_EUSAGE,
                   "%s %s: is of %u ranks, but %d were started; start %u, on any number of nodes",
                   option, path, n_ranks, run->size, n_ranks);
}
