#include "bench/workloads/profile.h"

#include <assert.h>
#include <stdlib.h>

enum ct_status ct_profile_new(int n_ranks, struct ct_profile *profile_p, struct ct_error *err)
{
    unsigned char *phases_of_peer = calloc((size_t)n_ranks, sizeof *phases_of_peer);
    if (!phases_of_peer)
        return ct_fail(err, CT_ENOMEM, "no memory for a profile of %d ranks", n_ranks);
    *profile_p = (struct ct_profile){.phases_of_peer = phases_of_peer, .n_peers = (size_t)n_ranks};
    return CT_OK;
}

void ct_profile_free(struct ct_profile *profile)
{
    free(profile->phases_of_peer);
    *profile = (struct ct_profile){0};
}

void ct_profile_start(struct ct_profile *profile, double now_s)
{
    profile->counts = true;
    profile->current = 0;
    profile->phase_from_s = now_s;
}

void ct_profile_stop(struct ct_profile *profile, double now_s)
{
    ct_profile_enter(profile, profile->current, now_s);
    profile->counts = false;
}

void ct_profile_enter(struct ct_profile *profile, int phase, double now_s)
{
    assert(phase >= 0 && phase < CT_PROFILE_PHASES_MAX);
    if (profile->counts)
        profile->phases[profile->current].time_s += now_s - profile->phase_from_s;
    profile->phase_from_s = now_s;
    profile->current = phase;
}

void ct_profile_mpi(struct ct_profile *profile, double duration_s)
{
    if (profile->counts)
        profile->phases[profile->current].mpi_s += duration_s;
}

void ct_profile_reduced(struct ct_profile *profile)
{
    profile->phases[profile->current].reductions += profile->counts;
}

void ct_profile_sent(struct ct_profile *profile, int peer, uint64_t bytes)
{
    if (!profile->counts)
        return;
    profile->phases[profile->current].messages++;
    profile->phases[profile->current].bytes += bytes;
    profile->phases_of_peer[peer] |= (unsigned char)(1U << profile->current);
}

size_t ct_profile_partners(const struct ct_profile *profile, int phase)
{
    size_t partners = 0;
    for (size_t peer = 0; peer < profile->n_peers; peer++)
        partners += (profile->phases_of_peer[peer] & 1U << phase) != 0;
    return partners;
}
