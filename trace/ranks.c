#include "trace/ranks.h"

#include "core/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

static uint64_t fold_stride(int64_t stride)
{
    return (uint64_t)stride << 1 ^ (0U - ((uint64_t)stride >> 63));
}

struct ct_ranks_run ct_ranks_run_of(const uint64_t *values)
{
    return (struct ct_ranks_run){values[0], values[1],
                                 (int64_t)(values[2] >> 1 ^ (0U - (values[2] & 1)))};
}

/* Ranks from a trace may be any numbers: only those of the first half can follow one another. */
static int64_t stride_between(uint64_t a, uint64_t b)
{
    return a <= INT32_MAX && b <= INT32_MAX ? (int64_t)b - (int64_t)a : 0;
}

size_t ct_ranks_put(const uint64_t *ranks, size_t n, uint64_t *values)
{
    size_t n_values = 0;
    for (size_t i = 0; i < n;) {
        int64_t stride = i + 1 < n ? stride_between(ranks[i], ranks[i + 1]) : 0;
        size_t run = 1;
        while (stride != 0 && i + run < n &&
               stride_between(ranks[i + run - 1], ranks[i + run]) == stride)
            run++;
        values[n_values++] = ranks[i];
        values[n_values++] = run;
        values[n_values++] = fold_stride(run > 1 ? stride : 1);
        i += run;
    }
    return n_values;
}

/* ---- groups ---- */

static enum ct_status fail_run(struct ct_error *err, struct ct_ranks_run run, const char *why)
{
    return ct_fail(err, CT_EFORMAT,
                   "a communicator with %" PRIu64 " ranks from %" PRIu64 " on, %" PRId64
                   " apart: %s; the trace is damaged",
                   run.n, run.first, run.stride, why);
}

/* Ranks that there are. */
static enum ct_status check_run(struct ct_ranks_run run, uint32_t n_ranks, struct ct_error *err)
{
    if (run.first >= n_ranks)
        return ct_fail(err, CT_EFORMAT,
                       "rank %" PRIu64 " in a communicator, which is none; there are ranks 0 to %u",
                       run.first, n_ranks - 1);
    if (run.n < 1 || run.stride == 0 || (run.n == 1 && run.stride != 1))
        return fail_run(err, run, "no run of ranks");
    /* So that the product below is a number. */
    if (run.n > n_ranks || run.stride > n_ranks || run.stride < -(int64_t)n_ranks)
        return fail_run(err, run, "more than there are");
    int64_t last = (int64_t)run.first + (int64_t)(run.n - 1) * run.stride;
    if (last < 0 || last >= n_ranks)
        return fail_run(err, run, "more than there are");
    return CT_OK;
}

/* Runs as a list of ranks. */
static void list_ranks(const uint64_t *values, size_t n_values, uint64_t *ranks)
{
    size_t n = 0;
    for (size_t at = 0; at < n_values; at += CT_RANKS_RUN_VALUES) {
        struct ct_ranks_run run = ct_ranks_run_of(values + at);
        for (uint64_t i = 0; i < run.n; i++)
            ranks[n++] = run.first + i * (uint64_t)run.stride;
    }
}

/* Each run as long as it can be: else two ranks might write one group in two ways. */
static bool are_longest(const uint64_t *values, size_t n_values, const uint64_t *ranks, uint32_t n,
                        uint64_t *scratch)
{
    return ct_ranks_put(ranks, n, scratch) == n_values &&
           memcmp(scratch, values, n_values * sizeof *values) == 0;
}

/* Several runs. scratch: CT_RANKS_VALUES_MAX(n) */
static enum ct_status index_ranks(const uint64_t *values, size_t n_values, uint64_t *ranks,
                                  uint64_t *scratch, struct ct_ranks *group, struct ct_error *err)
{
    list_ranks(values, n_values, ranks);
    if (!are_longest(values, n_values, ranks, group->n, scratch))
        return ct_fail(err, CT_EFORMAT,
                       "a communicator whose ranks are in runs that could be longer; the trace is "
                       "damaged");
    for (uint32_t i = 0; i < group->n; i++) {
        group->ranks[i] = (uint32_t)ranks[i];
        ranks[i] = ranks[i] << 32 | i;
    }
    qsort(ranks, group->n, sizeof *ranks, ct_order_u64);
    for (uint32_t i = 0; i < group->n; i++) {
        group->members_by_rank[i] = (uint32_t)ranks[i];
        if (i > 0 && ranks[i] >> 32 == ranks[i - 1] >> 32)
            return ct_fail(err, CT_EFORMAT, "rank %" PRIu64 " in a communicator, twice",
                           ranks[i] >> 32);
    }
    return CT_OK;
}

static enum ct_status list_runs(const uint64_t *values, size_t n_values, struct ct_ranks *group,
                                struct ct_error *err)
{
    uint64_t *ranks = malloc(group->n * sizeof *ranks);
    uint64_t *scratch = malloc(CT_RANKS_VALUES_MAX((size_t)group->n) * sizeof *scratch);
    group->ranks = malloc(group->n * sizeof *group->ranks);
    group->members_by_rank = malloc(group->n * sizeof *group->members_by_rank);
    enum ct_status status = ranks && scratch && group->ranks && group->members_by_rank
                                ? index_ranks(values, n_values, ranks, scratch, group, err)
                                : ct_no_memory(err, "communicator");
    free(ranks);
    free(scratch);
    return status;
}

enum ct_status ct_ranks_make(const uint64_t *values, size_t n_values, uint32_t n_ranks,
                             struct ct_ranks *group_p, struct ct_error *err)
{
    uint64_t n = 0;
    enum ct_status status = CT_OK;
    if (n_values < 1 || n_values % CT_RANKS_RUN_VALUES != 0)
        return ct_fail(err, CT_EFORMAT, "a communicator without members");
    for (size_t at = 0; at < n_values && status == CT_OK; at += CT_RANKS_RUN_VALUES) {
        struct ct_ranks_run run = ct_ranks_run_of(values + at);
        status = check_run(run, n_ranks, err);
        n += run.n;
        if (status == CT_OK && n > n_ranks)
            status = ct_fail(err, CT_EFORMAT,
                             "a communicator of more ranks than the %u of the program", n_ranks);
    }
    if (status != CT_OK)
        return status;
    struct ct_ranks_run first = ct_ranks_run_of(values);
    struct ct_ranks group = {
        .n = (uint32_t)n, .first = (uint32_t)first.first, .stride = first.stride};
    if (n_values > CT_RANKS_RUN_VALUES)
        status = list_runs(values, n_values, &group, err);
    if (status == CT_OK)
        *group_p = group;
    else
        ct_ranks_free(&group);
    return status;
}

void ct_ranks_free(struct ct_ranks *group)
{
    free(group->ranks);
    free(group->members_by_rank);
    *group = (struct ct_ranks){0};
}

static bool find_listed(const struct ct_ranks *group, uint32_t rank, uint32_t *member_p)
{
    uint32_t low = 0, high = group->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, member = group->members_by_rank[middle];
        if (group->ranks[member] == rank) {
            *member_p = member;
            return true;
        }
        if (group->ranks[member] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool ct_ranks_find(const struct ct_ranks *group, uint32_t rank, uint32_t *member_p)
{
    if (group->ranks)
        return find_listed(group, rank, member_p);
    int64_t distance = (int64_t)rank - group->first, member = distance / group->stride;
    if (member < 0 || member >= group->n || member * group->stride != distance)
        return false;
    *member_p = (uint32_t)member;
    return true;
}

bool ct_ranks_is_same(const struct ct_ranks *a, const struct ct_ranks *b)
{
    if (a->n != b->n || !a->ranks != !b->ranks)
        return false;
    return a->ranks ? memcmp(a->ranks, b->ranks, a->n * sizeof *a->ranks) == 0
                    : a->first == b->first && a->stride == b->stride;
}
