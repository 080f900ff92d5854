#include "simulate/rank_times.h"

#include "simulate/constants.h"

#include <stdlib.h>

const char *const ct_bound_names[] = {"compute-bound", "stack-bound", "imbalance-bound",
                                      "network-bound", "not bound by one part"};

/* Sums over the passes that a rank has ended, and over the one that it is in. */
struct sums {
    struct ct_time_sum ended, now;
    double runtime_ns;
    double last_ns; /* end of the last span */
    uint32_t pass;  /* of it */
    uint32_t n_passes;
};

struct ct_rank_times {
    size_t n_programs;
    size_t *first; /* [n_programs + 1]: rank 0 of each program */
    struct sums *ranks;
};

enum ct_status ct_rank_times_new(const uint32_t *n_ranks, size_t n_programs,
                                 struct ct_rank_times **times_p, struct ct_error *err)
{
    struct ct_rank_times *times = calloc(1, sizeof *times);
    if (times)
        times->first = malloc((n_programs + 1) * sizeof *times->first);
    if (times && times->first) {
        times->n_programs = n_programs;
        times->first[0] = 0;
        for (size_t i = 0; i < n_programs; i++)
            times->first[i + 1] = times->first[i] + n_ranks[i];
        times->ranks = calloc(times->first[n_programs] + 1, sizeof *times->ranks);
    }
    if (!times || !times->ranks) {
        ct_rank_times_free(times);
        return ct_no_memory(err, "simulation");
    }
    *times_p = times;
    return CT_OK;
}

void ct_rank_times_free(struct ct_rank_times *times)
{
    if (!times)
        return;
    free(times->first);
    free(times->ranks);
    free(times);
}

static void take_span(void *context, const struct ct_time_span *span)
{
    struct ct_rank_times *times = context;
    struct sums *sums = &times->ranks[times->first[span->program] + span->rank];
    /* A pass that a simulation did not end is followed by one of the next simulation. */
    if (span->pass != sums->pass || span->begin_ns < sums->last_ns)
        sums->now = (struct ct_time_sum){{0}};
    sums->pass = span->pass;
    sums->last_ns = span->end_ns;
    ct_time_add(&sums->now, span);
}

static void take_rank(void *context, const struct ct_observed_rank *rank)
{
    struct ct_rank_times *times = context;
    struct sums *sums = &times->ranks[times->first[rank->program] + rank->rank];
    for (int part = 0; part < CT_TIME_PARTS; part++)
        sums->ended.part_ns[part] += sums->now.part_ns[part];
    sums->now = (struct ct_time_sum){{0}};
    sums->runtime_ns += rank->end_ns - rank->begin_ns;
    sums->n_passes++;
}

struct ct_observer ct_rank_times_observer(struct ct_rank_times *times)
{
    return (struct ct_observer){.span = take_span, .rank = take_rank, .context = times};
}

void ct_rank_times_add(struct ct_rank_times *into, const struct ct_rank_times *from)
{
    for (size_t i = 0; i < into->first[into->n_programs]; i++) {
        for (int part = 0; part < CT_TIME_PARTS; part++)
            into->ranks[i].ended.part_ns[part] += from->ranks[i].ended.part_ns[part];
        into->ranks[i].runtime_ns += from->ranks[i].runtime_ns;
        into->ranks[i].n_passes += from->ranks[i].n_passes;
    }
}

struct ct_time_shares ct_rank_times_of(const struct ct_rank_times *times, size_t program,
                                       uint32_t rank)
{
    const struct sums *sums = &times->ranks[times->first[program] + rank];
    struct ct_time_shares shares = {.runtime_ns = 0};
    if (sums->n_passes == 0)
        return shares;
    for (int part = 0; part < CT_TIME_PARTS; part++)
        shares.part_ns[part] = sums->ended.part_ns[part] / sums->n_passes;
    shares.runtime_ns = sums->runtime_ns / sums->n_passes;
    return shares;
}

struct ct_time_shares ct_rank_times_sum(const struct ct_rank_times *times, size_t program)
{
    struct ct_time_shares sum = {.runtime_ns = 0};
    size_t n_ranks = times->first[program + 1] - times->first[program];
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        const struct ct_time_shares shares = ct_rank_times_of(times, program, rank);
        for (int part = 0; part < CT_TIME_PARTS; part++)
            sum.part_ns[part] += shares.part_ns[part];
        sum.runtime_ns += shares.runtime_ns;
    }
    return sum;
}

enum ct_bound ct_time_bound(const struct ct_time_shares *shares)
{
    static const enum ct_bound bounds[CT_TIME_PARTS] = {[CT_TIME_COMPUTE] = CT_BOUND_COMPUTE,
                                                        [CT_TIME_STACK] = CT_BOUND_STACK,
                                                        [CT_TIME_SYNC] = CT_BOUND_IMBALANCE,
                                                        [CT_TIME_NETWORK] = CT_BOUND_NETWORK};
    double least_ns = ct_simulate_constant(CT_SIMULATE_BOUND_LEAST) * shares->runtime_ns;
    for (int part = 0; part < CT_TIME_PARTS; part++)
        if (shares->part_ns[part] > least_ns)
            return bounds[part];
    return CT_BOUND_NONE;
}
