/* Rules for collectives: whatever they say, each call that the header allows has an algorithm. The
 * first byte is the collective. */
#include "lp-bridge/collective/collective.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static enum ct_status check_step(const struct ct_collective_step *step, void *context)
{
    const struct ct_collective_call *call = context;
    bool may_be_own = call->what == CT_COLLECTIVE_ALLTOALL; /* "fours" */
    if (step->peer >= call->n_ranks || (step->peer == call->rank && !may_be_own))
        abort();
    return CT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[1024];
    if (size < 1 || size > sizeof text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    struct ct_collective_rules rules;
    struct ct_error err;
    enum ct_collective what = data[0] % CT_COLLECTIVE_N_COLLECTIVES;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    enum ct_status status = strchr(text, '=') || !strcmp(text, "smpi")
                                ? ct_collective_rules_parse(&rules, text, &err)
                                : ct_collective_rules_set(&rules, what, text, &err);
    if (status != CT_OK)
        return 0;
    for (uint32_t n_ranks = 1; n_ranks < 20; n_ranks++)
        for (uint64_t bytes = 0; bytes < 1 << 24; bytes = 3 * bytes + 1) {
            struct ct_collective_call call = {
                .what = what, .n_ranks = n_ranks, .rank = n_ranks / 3, .bytes = bytes};
            if (ct_collective_choose(&rules, &call)->what != what ||
                ct_collective_expand(&rules, &call, check_step, &call, NULL))
                abort();
        }
    return 0;
}
