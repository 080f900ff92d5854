/* Counterparts of messages and collective calls; where a program was aborted, how far they go. */
#include "core/array.h"
#include "trace/convert/actions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A message as one side has it; of one channel: those with the same ranks and tag. */
struct end {
    uint32_t destination, source, tag;
    uint32_t action; /* of the side's rank */
};

/* Those of one rank, by channel, then in the order of the program. */
struct ends {
    struct end *ends; /* [n] */
    size_t n, room;
};

/* ---- channels ---- */

static int by_channel(const struct end *a, const struct end *b)
{
    if (a->destination != b->destination)
        return a->destination < b->destination ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int by_channel_and_order(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    int order = by_channel(x, y);
    return order ? order : (x->action > y->action) - (x->action < y->action);
}

static void sort_ends(struct end *ends, size_t n)
{
    size_t i = 1;
    while (i < n && by_channel_and_order(&ends[i - 1], &ends[i]) < 0)
        i++;
    if (i < n)
        qsort(ends, n, sizeof *ends, by_channel_and_order);
}

static bool takes_part(const struct ct_action *action, enum ct_action_kind kind)
{
    return action->kind == kind && !(action->flags & (CT_ACTION_DROPPED | CT_ACTION_UNRESOLVED));
}

/* Sends of all ranks by their destination, so that what is sent to a rank lies together.
 * first: [ranks + 2], 0 */
static struct end *list_sends(const struct ct_actions *actions, size_t *first)
{
    /* Counted two entries ahead, so that after filling each start is where it belongs. */
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        for (uint32_t i = 0; i < actions->ranks[rank].n; i++)
            if (takes_part(&actions->ranks[rank].actions[i], CT_ACTION_SEND))
                first[actions->ranks[rank].actions[i].peer + 2]++;
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        first[rank + 2] += first[rank + 1];
    struct end *ends = malloc((first[actions->n_ranks + 1] + 1) * sizeof *ends);
    for (uint32_t rank = 0; ends && rank < actions->n_ranks; rank++)
        for (uint32_t i = 0; i < actions->ranks[rank].n; i++) {
            const struct ct_action *action = &actions->ranks[rank].actions[i];
            if (takes_part(action, CT_ACTION_SEND))
                ends[first[action->peer + 1]++] = (struct end){.destination = action->peer,
                                                               .source = rank,
                                                               .tag = action->number,
                                                               .action = i};
        }
    return ends;
}

static bool list_receives(const struct ct_actions *actions, uint32_t rank, struct ends *receives)
{
    receives->n = 0;
    for (uint32_t i = 0; i < actions->ranks[rank].n; i++) {
        const struct ct_action *action = &actions->ranks[rank].actions[i];
        if (!takes_part(action, CT_ACTION_RECEIVE))
            continue;
        if (!CT_ARRAY_RESERVE(receives->ends, receives->room, receives->n + 1))
            return false;
        receives->ends[receives->n++] = (struct end){
            .destination = rank, .source = action->peer, .tag = action->number, .action = i};
    }
    sort_ends(receives->ends, receives->n);
    return true;
}

static struct ct_action *action_of(struct ct_actions *actions, enum ct_action_kind kind,
                                   const struct end *end)
{
    uint32_t rank = kind == CT_ACTION_SEND ? end->source : end->destination;
    return &actions->ranks[rank].actions[end->action];
}

/* What of a channel may be left out where it has more than its counterpart: sends that were
 * cancelled, receives that nobody has seen complete. */
static bool may_go(const struct ct_action *action)
{
    return action->kind == CT_ACTION_SEND ? (action->flags & CT_ACTION_CANCELLED) != 0
                                          : !(action->flags & CT_ACTION_COMPLETED);
}

/* Drop up to `excess` of a channel, the last first. @return what is left, moved to the front */
static size_t drop_excess(struct ct_actions *actions, enum ct_action_kind kind, struct end *ends,
                          size_t n, size_t excess, struct ct_convert_notes *notes)
{
    size_t kept = 0;
    for (size_t i = n; i-- > 0 && excess > 0;) {
        struct ct_action *action = action_of(actions, kind, &ends[i]);
        if (!may_go(action))
            continue;
        action->flags |= CT_ACTION_DROPPED;
        notes->dropped++;
        excess--;
    }
    for (size_t i = 0; i < n; i++)
        if (!(action_of(actions, kind, &ends[i])->flags & CT_ACTION_DROPPED))
            ends[kept++] = ends[i];
    return kept;
}

/* How a message is named: "rank 3, event 17: send of 8 B to rank 1, tag 5". */
enum { MESSAGE_TEXT_MAX = 320 };
static void describe_action(const struct ct_actions *actions, uint32_t rank,
                            const struct ct_action *action, char text[MESSAGE_TEXT_MAX])
{
    char tag[CT_TAG_TEXT_MAX];
    bool sends = action->kind == CT_ACTION_SEND;
    ct_comms_describe_tag(&actions->comms, (int32_t)action->number, tag);
    snprintf(text, MESSAGE_TEXT_MAX, "rank %u, %s %" PRIu64 ": %s of %" PRIu64 " B %s rank %u, %s",
             rank, actions->comms.position_unit, action->position, sends ? "send" : "receive",
             action->bytes, sends ? "to" : "from", action->peer, tag);
}

/* What may be why a counterpart is missing: one of two ranks was not recorded all the time. */
enum { REASON_TEXT_MAX = 80 };
static void describe_reason(const struct ct_actions *actions, uint32_t rank, uint32_t other,
                            char text[REASON_TEXT_MAX])
{
    bool of_rank = actions->ranks[rank].n_not_recorded > 0;
    *text = '\0';
    if (of_rank || actions->ranks[other].n_not_recorded > 0)
        snprintf(text, REASON_TEXT_MAX, "; the recording of rank %u was off in between",
                 of_rank ? rank : other);
}

static enum ct_status check_size(const struct ct_actions *actions, const struct ct_events *events,
                                 const struct end *end, const struct ct_action *send,
                                 const struct ct_action *receive, struct ct_convert_notes *notes,
                                 struct ct_error *err)
{
    bool exact = receive->flags & CT_ACTION_COMPLETED && !events->room_only;
    char text[MESSAGE_TEXT_MAX], reason[REASON_TEXT_MAX];
    bool fits = exact && !events->room_possible ? send->bytes == receive->bytes
                                                : send->bytes <= receive->bytes;
    if (receive->cut ? send->bytes > receive->bytes : fits) {
        notes->longer += exact && send->bytes < receive->bytes;
        return CT_OK;
    }
    describe_action(actions, end->source, send, text);
    describe_reason(actions, end->destination, end->source, reason);
    return ct_fail(err, CT_EFORMAT,
                   "%s, meets the receive of rank %u in its %s %" PRIu64 ", which %s %" PRIu64
                   " B%s",
                   text, end->destination, actions->comms.position_unit, receive->position,
                   receive->cut ? "got the begin only,"
                   : exact      ? "got"
                                : "has room for",
                   receive->bytes, reason);
}

/* Messages do not overtake: the first sent meets the first receive that was posted. */
static enum ct_status pair_ends(struct ct_actions *actions, struct end *sends, size_t n_sends,
                                struct end *receives, size_t n_receives,
                                const struct ct_events *events, struct ct_convert_notes *notes,
                                struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (n_sends > n_receives)
        n_sends = drop_excess(actions, CT_ACTION_SEND, sends, n_sends, n_sends - n_receives, notes);
    else if (n_receives > n_sends)
        n_receives = drop_excess(actions, CT_ACTION_RECEIVE, receives, n_receives,
                                 n_receives - n_sends, notes);
    for (size_t i = 0; i < n_sends && i < n_receives && status == CT_OK; i++) {
        struct ct_action *send = action_of(actions, CT_ACTION_SEND, &sends[i]);
        struct ct_action *receive = action_of(actions, CT_ACTION_RECEIVE, &receives[i]);
        send->partner = receives[i].action;
        receive->partner = sends[i].action;
        send->flags |= CT_ACTION_MATCHED;
        receive->flags |= CT_ACTION_MATCHED;
        status = check_size(actions, events, &sends[i], send, receive, notes, err);
        receive->bytes = send->bytes;
        receive->mode = send->mode;
    }
    return status;
}

static size_t run_of(const struct ends *ends, size_t at, const struct end *channel)
{
    size_t n = 0;
    while (at + n < ends->n && by_channel(&ends->ends[at + n], channel) == 0)
        n++;
    return n;
}

/* All messages to a rank. */
static enum ct_status match_ends(struct ct_actions *actions, const struct ends *sends,
                                 const struct ends *receives, const struct ct_events *events,
                                 struct ct_convert_notes *notes, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    size_t s = 0, r = 0;
    while (status == CT_OK && (s < sends->n || r < receives->n)) {
        bool from_receives = s == sends->n || (r < receives->n &&
                                               by_channel(&receives->ends[r], &sends->ends[s]) < 0);
        struct end channel = from_receives ? receives->ends[r] : sends->ends[s];
        size_t n_sends = run_of(sends, s, &channel), n_receives = run_of(receives, r, &channel);
        status = pair_ends(actions, n_sends ? sends->ends + s : NULL, n_sends,
                           n_receives ? receives->ends + r : NULL, n_receives, events, notes, err);
        s += n_sends;
        r += n_receives;
    }
    return status;
}

static enum ct_status match_messages(struct ct_actions *actions, const struct ct_events *events,
                                     struct ct_convert_notes *notes, struct ct_error *err)
{
    struct ends receives = {0};
    size_t *first = calloc((size_t)actions->n_ranks + 2, sizeof *first);
    struct end *all_sends = first ? list_sends(actions, first) : NULL;
    enum ct_status status = all_sends ? CT_OK : ct_no_memory(err, "traces");
    for (uint32_t rank = 0; rank < actions->n_ranks && status == CT_OK; rank++) {
        const struct ends sends = {.ends = all_sends + first[rank],
                                   .n = first[rank + 1] - first[rank]};
        sort_ends(sends.ends, sends.n);
        status = list_receives(actions, rank, &receives)
                     ? match_ends(actions, &sends, &receives, events, notes, err)
                     : ct_no_memory(err, "traces");
    }
    free(first);
    free(all_sends);
    free(receives.ends);
    return status;
}

/* ---- collectives: how many calls of a communicator all its members make ---- */

struct extent {
    uint32_t *limit;   /* [ranks] actions that are used */
    uint32_t *calls;   /* [communicators] calls that all members make within them */
    uint32_t *own;     /* [communicators] of one rank */
    uint32_t *members; /* [communicators] that have it */
};

static void free_extent(struct extent *extent)
{
    free(extent->limit);
    free(extent->calls);
    free(extent->own);
    free(extent->members);
}

static enum ct_status new_extent(const struct ct_actions *actions, struct extent *extent,
                                 struct ct_error *err)
{
    *extent = (struct extent){.limit = malloc(actions->n_ranks * sizeof *extent->limit),
                              .calls = calloc(actions->comms.n + 1, sizeof *extent->calls),
                              .own = calloc(actions->comms.n + 1, sizeof *extent->own),
                              .members = calloc(actions->comms.n + 1, sizeof *extent->members)};
    if (!extent->limit || !extent->calls || !extent->own || !extent->members)
        return ct_no_memory(err, "traces");
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        extent->limit[rank] = actions->ranks[rank].n;
    return CT_OK;
}

/* Calls of one rank, per communicator, in extent->own. */
static void count_own(const struct ct_actions *actions, struct extent *extent, uint32_t rank)
{
    const struct ct_rank_actions *of = &actions->ranks[rank];
    for (uint32_t c = 0; c < of->n_comms; c++)
        extent->own[of->comms[c]] = 0;
    for (uint32_t i = 0; i < extent->limit[rank]; i++)
        if (of->actions[i].kind == CT_ACTION_COLLECTIVE)
            extent->own[of->actions[i].peer] = of->actions[i].number + 1;
}

static void count_calls(const struct ct_actions *actions, struct extent *extent)
{
    for (size_t c = 0; c < actions->comms.n; c++) {
        extent->calls[c] = UINT32_MAX;
        extent->members[c] = 0;
    }
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
        const struct ct_rank_actions *of = &actions->ranks[rank];
        count_own(actions, extent, rank);
        for (uint32_t c = 0; c < of->n_comms; c++) {
            if (extent->own[of->comms[c]] < extent->calls[of->comms[c]])
                extent->calls[of->comms[c]] = extent->own[of->comms[c]];
            extent->members[of->comms[c]]++;
        }
    }
    /* A member that was killed before it had the communicator has made no call on it. */
    for (size_t c = 0; c < actions->comms.n; c++)
        if (extent->members[c] < actions->comms.comms[c].group.n)
            extent->calls[c] = 0;
}

/* ---- what has no counterpart ---- */

static bool has_counterpart(const struct extent *extent, const struct ct_action *action)
{
    if (action->kind == CT_ACTION_COLLECTIVE)
        return action->number < extent->calls[action->peer];
    if (action->kind != CT_ACTION_SEND && action->kind != CT_ACTION_RECEIVE)
        return true;
    return action->flags & CT_ACTION_MATCHED && action->partner < extent->limit[action->peer];
}

/* Whether the program can get past an action: a receive or a collective that it waits for needs
 * its counterpart, a send does not. */
static bool passes_extent(const struct ct_actions *actions, const struct extent *extent,
                          uint32_t rank, const struct ct_action *action)
{
    const struct ct_rank_actions *of = &actions->ranks[rank];
    if (action->kind != CT_ACTION_COMPLETE)
        return action->kind == CT_ACTION_SEND || !(action->flags & CT_ACTION_BLOCKS) ||
               action->flags & CT_ACTION_DROPPED || has_counterpart(extent, action);
    for (uint32_t i = 0; i < action->n; i++) {
        const struct ct_action *done = &of->actions[of->completed[action->partner + i]];
        if (done->kind != CT_ACTION_SEND && !(done->flags & CT_ACTION_DROPPED) &&
            !has_counterpart(extent, done))
            return false;
    }
    return true;
}

/* Shorten what is used until every rank can get through its part. */
static void shorten_extent(const struct ct_actions *actions, struct extent *extent)
{
    bool changed = true;
    while (changed) {
        changed = false;
        count_calls(actions, extent);
        for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
            const struct ct_rank_actions *of = &actions->ranks[rank];
            uint32_t i = 0;
            while (i < extent->limit[rank] && passes_extent(actions, extent, rank, &of->actions[i]))
                i++;
            changed = changed || i < extent->limit[rank];
            extent->limit[rank] = i;
        }
    }
}

static void drop_rest(struct ct_actions *actions, const struct extent *extent,
                      struct ct_convert_notes *notes)
{
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
        struct ct_rank_actions *of = &actions->ranks[rank];
        if (extent->limit[rank] < of->n)
            notes->unused += of->last_position - of->actions[extent->limit[rank]].position + 1;
        for (uint32_t i = 0; i < extent->limit[rank]; i++)
            if (!has_counterpart(extent, &of->actions[i]))
                of->actions[i].flags |= CT_ACTION_DROPPED;
        of->n = extent->limit[rank];
    }
}

static enum ct_status explain_collective(const struct ct_actions *actions,
                                         const struct extent *extent, uint32_t rank,
                                         const struct ct_action *action, struct ct_error *err)
{
    const struct ct_comm *comm = &actions->comms.comms[action->peer];
    const struct ct_instance *instance = &comm->instances[action->number];
    char members[CT_COMM_TEXT_MAX], reason[REASON_TEXT_MAX] = "";
    ct_comm_describe(comm, members);
    for (uint32_t m = 0; m < comm->group.n && !*reason; m++)
        describe_reason(actions, ct_ranks_rank(&comm->group, m), rank, reason);
    return ct_fail(err, CT_EFORMAT,
                   "rank %u, %s %" PRIu64 ": %s, collective call %u of the communicator of %s: not "
                   "all of them make so many; one makes %u%s",
                   rank, actions->comms.position_unit, action->position,
                   ct_trace_kind_text(instance->kind), comm->n_forgotten + action->number + 1,
                   members, comm->n_forgotten + extent->calls[action->peer], reason);
}

static size_t count_of(const struct ct_actions *actions, uint32_t rank, enum ct_action_kind kind,
                       uint32_t peer, uint32_t tag)
{
    const struct ct_rank_actions *of = &actions->ranks[rank];
    size_t n = 0;
    for (uint32_t i = 0; i < of->n; i++)
        n += takes_part(&of->actions[i], kind) && of->actions[i].peer == peer &&
             of->actions[i].number == tag;
    return n;
}

static enum ct_status explain_message(const struct ct_actions *actions, uint32_t rank,
                                      const struct ct_action *action, struct ct_error *err)
{
    bool sends = action->kind == CT_ACTION_SEND;
    char text[MESSAGE_TEXT_MAX], reason[REASON_TEXT_MAX];
    describe_action(actions, rank, action, text);
    describe_reason(actions, action->peer, rank, reason);
    size_t own =
        count_of(actions, rank, (enum ct_action_kind)action->kind, action->peer, action->number);
    size_t others = count_of(actions, action->peer, sends ? CT_ACTION_RECEIVE : CT_ACTION_SEND,
                             rank, action->number);
    return ct_fail(err, CT_EFORMAT, "%s: %s: of these, %zu are %s and %zu %s%s", text,
                   sends ? "never received" : "never sent", sends ? own : others, "sent",
                   sends ? others : own, "received", reason);
}

/* The first of a whole program that has no counterpart. */
static enum ct_status check_all(const struct ct_actions *actions, struct extent *extent,
                                struct ct_error *err)
{
    count_calls(actions, extent);
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
        const struct ct_rank_actions *of = &actions->ranks[rank];
        for (uint32_t i = 0; i < of->n; i++) {
            const struct ct_action *action = &of->actions[i];
            if (action->flags & CT_ACTION_DROPPED || has_counterpart(extent, action))
                continue;
            return action->kind == CT_ACTION_COLLECTIVE
                       ? explain_collective(actions, extent, rank, action, err)
                       : explain_message(actions, rank, action, err);
        }
    }
    return CT_OK;
}

/* Posted for any source, and never complete: nothing is known of them. */
static void drop_unresolved(struct ct_actions *actions, struct ct_convert_notes *notes)
{
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
        struct ct_rank_actions *of = &actions->ranks[rank];
        for (uint32_t i = 0; i < of->n; i++) {
            if (!(of->actions[i].flags & CT_ACTION_UNRESOLVED) ||
                of->actions[i].flags & CT_ACTION_DROPPED)
                continue;
            of->actions[i].flags |= CT_ACTION_DROPPED;
            notes->dropped++;
        }
    }
}

enum ct_status ct_actions_match(struct ct_actions *actions, const struct ct_events *events,
                                struct ct_convert_notes *notes, struct ct_error *err)
{
    struct extent extent = {0};
    drop_unresolved(actions, notes);
    enum ct_status status = match_messages(actions, events, notes, err);
    if (status == CT_OK)
        status = new_extent(actions, &extent, err);
    if (status == CT_OK && notes->n_cut == 0 && notes->n_open == 0) {
        status = check_all(actions, &extent, err);
    } else if (status == CT_OK) {
        shorten_extent(actions, &extent);
        drop_rest(actions, &extent, notes);
    }
    free_extent(&extent);
    return status;
}
