#include "lp-bridge/graph/match.h"

#include <stdbool.h>
#include <stdlib.h>

/* A send of the pair of ranks at hand. */
struct tagged {
    int32_t tag;
    uint32_t op;
};

struct matcher {
    const struct ct_goal *goal;
    uint32_t *sends, *recvs; /* by destination, then source, then in program order */
    size_t n_sends, n_recvs;
    uint32_t *partner;
    struct tagged *by_tag; /* sends of the pair, by tag, then in program order */
    size_t *head;          /* for the first of each tag in by_tag: where the unmatched ones begin */
};

/* ---- lists of sends and receives ---- */

static uint32_t rank_key(const struct ct_goal *goal, uint32_t op)
{
    return ct_goal_rank_of(goal, op);
}

static uint32_t peer_key(const struct ct_goal *goal, uint32_t op)
{
    return goal->ops[op].peer;
}

/* Stable sort by a rank. */
static bool sort_by(const struct ct_goal *goal, uint32_t (*key)(const struct ct_goal *, uint32_t),
                    uint32_t **ops_p, size_t n)
{
    size_t *next = calloc((size_t)goal->n_ranks + 1, sizeof *next);
    uint32_t *sorted = malloc((n + 1) * sizeof *sorted);
    if (!next || !sorted) {
        free(next);
        free(sorted);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        next[key(goal, (*ops_p)[i]) + 1]++;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        next[rank + 1] += next[rank];
    for (size_t i = 0; i < n; i++)
        sorted[next[key(goal, (*ops_p)[i])]++] = (*ops_p)[i];
    free(next);
    free(*ops_p);
    *ops_p = sorted;
    return true;
}

static bool list_kind(const struct ct_goal *goal, enum ct_goal_kind kind, uint32_t **ops_p,
                      size_t *n_p)
{
    size_t n = 0;
    for (uint64_t op = 0; op < goal->n_ops; op++)
        n += goal->ops[op].kind == kind;
    *ops_p = malloc((n + 1) * sizeof **ops_p);
    if (!*ops_p)
        return false;
    *n_p = 0;
    for (uint64_t op = 0; op < goal->n_ops; op++)
        if (goal->ops[op].kind == kind)
            (*ops_p)[(*n_p)++] = (uint32_t)op;
    return true;
}

/* As they come, both are sorted by their own rank. */
static bool list_messages(struct matcher *matcher)
{
    const struct ct_goal *goal = matcher->goal;
    return list_kind(goal, CT_GOAL_SEND, &matcher->sends, &matcher->n_sends) &&
           list_kind(goal, CT_GOAL_RECV, &matcher->recvs, &matcher->n_recvs) &&
           sort_by(goal, peer_key, &matcher->sends, matcher->n_sends) &&
           sort_by(goal, peer_key, &matcher->recvs, matcher->n_recvs) &&
           sort_by(goal, rank_key, &matcher->recvs, matcher->n_recvs);
}

/* ---- one pair of ranks ---- */

static int compare_tagged(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

/* Where in by_tag the sends of a tag begin; n: there are none. */
static size_t find_tag(const struct tagged *by_tag, size_t n, int32_t tag)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (by_tag[middle].tag < tag)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < n && by_tag[lo].tag == tag ? lo : n;
}

static bool is_matched(const struct matcher *matcher, uint32_t op)
{
    return matcher->partner[op] != op;
}

/* First unmatched send of a tag; false: there is none. */
static bool next_of_tag(struct matcher *matcher, size_t n, int32_t tag, uint32_t *send_p)
{
    size_t first = find_tag(matcher->by_tag, n, tag);
    if (first == n)
        return false;
    size_t *i = &matcher->head[first];
    while (*i < n && matcher->by_tag[*i].tag == tag && is_matched(matcher, matcher->by_tag[*i].op))
        ++*i;
    if (*i == n || matcher->by_tag[*i].tag != tag)
        return false;
    *send_p = matcher->by_tag[*i].op;
    return true;
}

static enum ct_status fail_unmatched(const struct ct_goal *goal, uint32_t op, struct ct_error *err)
{
    char text[CT_GOAL_TEXT_MAX];
    ct_goal_describe(goal, op, text);
    return ct_fail(err, CT_EINVAL, "%s has no matching %s on rank %u", text,
                   goal->ops[op].kind == CT_GOAL_SEND ? "receive" : "send", goal->ops[op].peer);
}

/* A receive may have room for more than it gets, as in MPI, not for less. */
static enum ct_status check_fit(const struct ct_goal *goal, uint32_t send, uint32_t recv,
                                struct ct_error *err)
{
    char send_text[CT_GOAL_TEXT_MAX], recv_text[CT_GOAL_TEXT_MAX];
    if (goal->ops[send].amount <= goal->ops[recv].amount)
        return CT_OK;
    ct_goal_describe(goal, send, send_text);
    ct_goal_describe(goal, recv, recv_text);
    return ct_fail(err, CT_EINVAL, "%s is larger than the receive that it matches, %s", send_text,
                   recv_text);
}

/* The receives, one after the other, take what is left of the sends. */
static enum ct_status match_pair(struct matcher *matcher, const uint32_t *sends, size_t n_sends,
                                 const uint32_t *recvs, size_t n_recvs, struct ct_error *err)
{
    const struct ct_goal *goal = matcher->goal;
    size_t oldest = 0; /* every send before is matched */
    for (size_t i = 0; i < n_sends; i++) {
        matcher->by_tag[i] = (struct tagged){goal->ops[sends[i]].tag, sends[i]};
        matcher->head[i] = i;
    }
    qsort(matcher->by_tag, n_sends, sizeof *matcher->by_tag, compare_tagged);
    for (size_t i = 0; i < n_recvs; i++) {
        uint32_t send;
        bool any = goal->ops[recvs[i]].tag == CT_GOAL_ANY_TAG, found;
        while (any && oldest < n_sends && is_matched(matcher, sends[oldest]))
            oldest++;
        found =
            any ? oldest < n_sends : next_of_tag(matcher, n_sends, goal->ops[recvs[i]].tag, &send);
        if (!found)
            return fail_unmatched(goal, recvs[i], err);
        if (any)
            send = sends[oldest];
        matcher->partner[send] = recvs[i];
        matcher->partner[recvs[i]] = send;
        enum ct_status status = check_fit(goal, send, recvs[i], err);
        if (status != CT_OK)
            return status;
    }
    for (size_t i = 0; i < n_sends; i++)
        if (!is_matched(matcher, sends[i]))
            return fail_unmatched(goal, sends[i], err);
    return CT_OK;
}

/* ---- all pairs ---- */

struct pair {
    uint32_t destination, source;
};

static int compare_pairs(struct pair a, struct pair b)
{
    if (a.destination != b.destination)
        return a.destination < b.destination ? -1 : 1;
    return (a.source > b.source) - (a.source < b.source);
}

static struct pair pair_of(const struct ct_goal *goal, uint32_t op)
{
    uint32_t rank = ct_goal_rank_of(goal, op), peer = goal->ops[op].peer;
    return goal->ops[op].kind == CT_GOAL_SEND ? (struct pair){peer, rank}
                                              : (struct pair){rank, peer};
}

/* How many from i on are of a pair. */
static size_t run_of(const struct ct_goal *goal, const uint32_t *ops, size_t i, size_t n,
                     struct pair pair)
{
    size_t end = i;
    while (end < n && compare_pairs(pair_of(goal, ops[end]), pair) == 0)
        end++;
    return end - i;
}

static enum ct_status match_pairs(struct matcher *matcher, struct ct_error *err)
{
    const struct ct_goal *goal = matcher->goal;
    size_t s = 0, r = 0;
    while (s < matcher->n_sends || r < matcher->n_recvs) {
        bool recv_first =
            s == matcher->n_sends ||
            (r < matcher->n_recvs &&
             compare_pairs(pair_of(goal, matcher->recvs[r]), pair_of(goal, matcher->sends[s])) < 0);
        struct pair pair = pair_of(goal, recv_first ? matcher->recvs[r] : matcher->sends[s]);
        size_t n_sends = run_of(goal, matcher->sends, s, matcher->n_sends, pair);
        size_t n_recvs = run_of(goal, matcher->recvs, r, matcher->n_recvs, pair);
        enum ct_status status =
            match_pair(matcher, matcher->sends + s, n_sends, matcher->recvs + r, n_recvs, err);
        if (status != CT_OK)
            return status;
        s += n_sends;
        r += n_recvs;
    }
    return CT_OK;
}

enum ct_status ct_match(const struct ct_goal *goal, uint32_t **partner_p, struct ct_error *err)
{
    struct matcher matcher = {.goal = goal};
    enum ct_status status = CT_OK;
    matcher.partner = malloc((goal->n_ops + 1) * sizeof *matcher.partner);
    if (!matcher.partner || !list_messages(&matcher))
        status = ct_no_memory(err, "execution graph");
    matcher.by_tag = malloc((matcher.n_sends + 1) * sizeof *matcher.by_tag);
    matcher.head = malloc((matcher.n_sends + 1) * sizeof *matcher.head);
    if (!matcher.by_tag || !matcher.head)
        status = ct_no_memory(err, "execution graph");
    if (status == CT_OK) {
        for (uint64_t op = 0; op < goal->n_ops; op++)
            matcher.partner[op] = (uint32_t)op;
        status = match_pairs(&matcher, err);
    }
    free(matcher.sends);
    free(matcher.recvs);
    free(matcher.by_tag);
    free(matcher.head);
    if (status == CT_OK)
        *partner_p = matcher.partner;
    else
        free(matcher.partner);
    return status;
}
