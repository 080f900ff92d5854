#include "lp-bridge/graph/match.h"

#include "core/array.h"
#include "core/order.h"

#include <stdbool.h>
#include <stdlib.h>

/* A message as one side has it. */
struct side {
    uint64_t bytes;
    uint32_t op, source;
    int32_t tag;
    bool is_matched; /* of a send */
};

/* A send of the pair of ranks at hand. */
struct tagged {
    int32_t tag;
    uint32_t at; /* among those of the pair */
};

/* All that is sent to a rank lies together, so that its messages are matched within a cache,
 * however many ranks there are. */
struct matcher {
    const struct ct_goal *goal;
    struct side *sends; /* by destination, then source, then in program order */
    size_t *first_send; /* [ranks + 2] by destination */
    struct side *recvs; /* of the rank at hand, by source, then in program order */
    size_t room_recvs;
    struct tagged *by_tag; /* sends of the pair of ranks at hand, by tag, then in program order */
    size_t *head;          /* for the first of each tag in by_tag: where the unmatched ones begin */
    size_t room_by_tag, room_head;
    uint32_t *partner;
};

/* ---- lists of sends and receives ---- */

static struct side side_of(const struct ct_goal *goal, uint64_t op, uint32_t source)
{
    const struct ct_goal_op *of = &goal->ops[op];
    return (struct side){of->amount, (uint32_t)op, source, of->tag, false};
}

/* Counted two entries ahead, so that after filling each start is where it belongs. */
static bool list_sends(struct matcher *matcher)
{
    const struct ct_goal *goal = matcher->goal;
    size_t *first = matcher->first_send = calloc((size_t)goal->n_ranks + 2, sizeof *first);
    if (!first)
        return false;
    for (uint64_t op = 0; op < goal->n_ops; op++)
        if (goal->ops[op].kind == CT_GOAL_SEND)
            first[goal->ops[op].peer + 2]++;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        first[rank + 2] += first[rank + 1];
    matcher->sends = malloc((first[goal->n_ranks + 1] + 1) * sizeof *matcher->sends);
    if (!matcher->sends)
        return false;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++)
            if (goal->ops[op].kind == CT_GOAL_SEND)
                matcher->sends[first[goal->ops[op].peer + 1]++] = side_of(goal, op, rank);
    return true;
}

CT_ORDER(by_source_and_order, struct side, source, op)

static bool list_recvs(struct matcher *matcher, uint32_t rank, size_t *n_p)
{
    const struct ct_goal *goal = matcher->goal;
    bool in_order = true;
    size_t n = 0;
    for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++) {
        if (goal->ops[op].kind != CT_GOAL_RECV)
            continue;
        if (!CT_ARRAY_RESERVE(matcher->recvs, matcher->room_recvs, n + 1))
            return false;
        const uint32_t source = goal->ops[op].peer;
        in_order = in_order && (n == 0 || matcher->recvs[n - 1].source <= source);
        matcher->recvs[n++] = side_of(goal, op, source);
    }
    if (!in_order)
        qsort(matcher->recvs, n, sizeof *matcher->recvs, by_source_and_order);
    *n_p = n;
    return true;
}

/* ---- one pair of ranks ---- */

CT_ORDER(by_tag_and_order, struct tagged, tag, at)

static bool list_tags(struct matcher *matcher, const struct side *sends, size_t n)
{
    bool in_order = true;
    if (!CT_ARRAY_RESERVE(matcher->by_tag, matcher->room_by_tag, n) ||
        !CT_ARRAY_RESERVE(matcher->head, matcher->room_head, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        in_order = in_order && (i == 0 || sends[i - 1].tag <= sends[i].tag);
        matcher->by_tag[i] = (struct tagged){sends[i].tag, (uint32_t)i};
        matcher->head[i] = i;
    }
    if (!in_order)
        qsort(matcher->by_tag, n, sizeof *matcher->by_tag, by_tag_and_order);
    return true;
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

/* First unmatched send of a tag; NULL: there is none. */
static struct side *next_of_tag(struct matcher *matcher, struct side *sends, size_t n, int32_t tag)
{
    const struct tagged *by_tag = matcher->by_tag;
    size_t first = find_tag(by_tag, n, tag);
    if (first == n)
        return NULL;
    size_t *i = &matcher->head[first];
    while (*i < n && by_tag[*i].tag == tag && sends[by_tag[*i].at].is_matched)
        ++*i;
    return *i < n && by_tag[*i].tag == tag ? &sends[by_tag[*i].at] : NULL;
}

static enum ct_status fail_unmatched(const struct ct_goal *goal, uint32_t op, struct ct_error *err)
{
    char text[CT_GOAL_TEXT_MAX];
    ct_goal_describe(goal, op, text);
    return ct_fail(err, CT_EINVAL, "%s has no matching %s on rank %u", text,
                   goal->ops[op].kind == CT_GOAL_SEND ? "receive" : "send", goal->ops[op].peer);
}

/* A receive may have room for more than it gets, as in MPI, not for less. */
static enum ct_status check_fit(const struct ct_goal *goal, const struct side *send,
                                const struct side *recv, struct ct_error *err)
{
    char send_text[CT_GOAL_TEXT_MAX], recv_text[CT_GOAL_TEXT_MAX];
    if (send->bytes <= recv->bytes)
        return CT_OK;
    ct_goal_describe(goal, send->op, send_text);
    ct_goal_describe(goal, recv->op, recv_text);
    return ct_fail(err, CT_EINVAL, "%s is larger than the receive that it matches, %s", send_text,
                   recv_text);
}

/* The receives, one after the other, take what is left of the sends. */
static enum ct_status match_pair(struct matcher *matcher, struct side *sends, size_t n_sends,
                                 const struct side *recvs, size_t n_recvs, struct ct_error *err)
{
    size_t oldest = 0; /* every send before is matched */
    if (!list_tags(matcher, sends, n_sends))
        return ct_no_memory(err, "execution graph");
    for (size_t i = 0; i < n_recvs; i++) {
        const bool any = recvs[i].tag == CT_GOAL_ANY_TAG;
        while (any && oldest < n_sends && sends[oldest].is_matched)
            oldest++;
        struct side *send = any ? (oldest < n_sends ? &sends[oldest] : NULL)
                                : next_of_tag(matcher, sends, n_sends, recvs[i].tag);
        if (!send)
            return fail_unmatched(matcher->goal, recvs[i].op, err);
        send->is_matched = true;
        matcher->partner[send->op] = recvs[i].op;
        matcher->partner[recvs[i].op] = send->op;
        CT_TRY(check_fit(matcher->goal, send, &recvs[i], err));
    }
    for (size_t i = 0; i < n_sends; i++)
        if (!sends[i].is_matched)
            return fail_unmatched(matcher->goal, sends[i].op, err);
    return CT_OK;
}

/* ---- all pairs ---- */

/* How many from the first on are of its source. */
static size_t run_of(const struct side *sides, size_t n, uint32_t source)
{
    size_t run = 0;
    while (run < n && sides[run].source == source)
        run++;
    return run;
}

/* What is sent to a rank. */
static enum ct_status match_rank(struct matcher *matcher, uint32_t rank, struct ct_error *err)
{
    struct side *sends = matcher->sends + matcher->first_send[rank];
    size_t s = 0, n_sends = matcher->first_send[rank + 1] - matcher->first_send[rank];
    size_t r = 0, n_recvs;
    if (!list_recvs(matcher, rank, &n_recvs))
        return ct_no_memory(err, "execution graph");
    const struct side *recvs = matcher->recvs;
    enum ct_status status = CT_OK;
    while (status == CT_OK && (s < n_sends || r < n_recvs)) {
        bool recv_first = s == n_sends || (r < n_recvs && recvs[r].source < sends[s].source);
        uint32_t source = recv_first ? recvs[r].source : sends[s].source;
        size_t of_sends = run_of(sends + s, n_sends - s, source),
               of_recvs = r < n_recvs ? run_of(recvs + r, n_recvs - r, source) : 0;
        status =
            match_pair(matcher, sends + s, of_sends, r < n_recvs ? recvs + r : NULL, of_recvs, err);
        s += of_sends;
        r += of_recvs;
    }
    return status;
}

enum ct_status ct_match(const struct ct_goal *goal, uint32_t **partner_p, struct ct_error *err)
{
    struct matcher matcher = {.goal = goal};
    enum ct_status status = CT_OK;
    matcher.partner = malloc((goal->n_ops + 1) * sizeof *matcher.partner);
    if (!matcher.partner || !list_sends(&matcher))
        status = ct_no_memory(err, "execution graph");
    for (uint64_t op = 0; op < goal->n_ops && status == CT_OK; op++)
        matcher.partner[op] = (uint32_t)op;
    for (uint32_t rank = 0; rank < goal->n_ranks && status == CT_OK; rank++)
        status = match_rank(&matcher, rank, err);
    free(matcher.sends);
    free(matcher.first_send);
    free(matcher.recvs);
    free(matcher.by_tag);
    free(matcher.head);
    if (status == CT_OK)
        *partner_p = matcher.partner;
    else
        free(matcher.partner);
    return status;
}
