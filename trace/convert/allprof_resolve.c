/* Who sent what a wildcard receive got. */
#include "core/array.h"
#include "core/order.h"
#include "trace/convert/allprof_rank.h"

#include <stdlib.h>

/* A message that is sent to the rank in question, or a receive that it posts. */
struct message {
    uint32_t comm; /* the same on all ranks */
    uint64_t start_ns;
    uint32_t source;
    int32_t tag;
    uint32_t event; /* of its rank */
    bool is_taken;
};

struct messages {
    struct message *list;
    size_t n, room;
};

static bool is_wild(const struct ct_trace_event *event)
{
    return (event->kind == CT_TRACE_RECEIVE || event->kind == CT_TRACE_SENDRECV) &&
           (event->from.rank < 0 || event->from.tag < 0);
}

static bool has_wild(const struct ct_allprof_rank *rank)
{
    for (size_t i = 0; i < rank->n; i++)
        if (is_wild(&rank->events[i].event))
            return true;
    return false;
}

static enum ct_status add_message(struct messages *messages, struct message message,
                                  struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(messages->list, messages->room, messages->n + 1))
        return ct_no_memory(err, "traces");
    messages->list[messages->n++] = message;
    return CT_OK;
}

/* Messages from one rank to another, or the receives of one that it posts for known senders. */
static enum ct_status list_of(const struct ct_allprof_rank *rank, bool sends, uint32_t destination,
                              struct messages *messages, struct ct_error *err)
{
    for (size_t i = 0; i < rank->n; i++) {
        const struct ct_trace_event *event = &rank->events[i].event;
        bool two = event->kind == CT_TRACE_SENDRECV;
        bool counts = two || event->kind == (sends ? CT_TRACE_SEND : CT_TRACE_RECEIVE);
        if (counts && (!sends || event->to.rank == (int32_t)destination))
            CT_TRY(add_message(
                messages,
                (struct message){.comm = rank->comms[event->comm],
                                 .start_ns = event->start_ns,
                                 .source = sends ? rank->rank : (uint32_t)event->from.rank,
                                 .tag = sends ? event->to.tag : event->from.tag,
                                 .event = (uint32_t)i},
                err));
    }
    return CT_OK;
}

static int by_channel(const struct message *a, const struct message *b)
{
    if (a->comm != b->comm)
        return a->comm < b->comm ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static int by_channel_and_order(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    int order = by_channel(x, y);
    return order ? order : (x->event > y->event) - (x->event < y->event);
}

static int by_time(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return by_channel_and_order(a, b);
}

/* Receives for known senders take the last sends of their channels. */
static void take_known(struct messages *sends, const struct messages *receives)
{
    size_t s = sends->n;
    for (size_t r = receives->n; r-- > 0;) {
        const struct message *receive = &receives->list[r];
        if (receive->source == UINT32_MAX || receive->tag < 0)
            continue;
        while (s > 0 && by_channel(&sends->list[s - 1], receive) > 0)
            s--;
        if (s > 0 && by_channel(&sends->list[s - 1], receive) == 0)
            sends->list[--s].is_taken = true;
    }
}

/* In the order of the program, the others take what was sent first. */
static void take_wild(struct ct_allprof_rank *rank, struct messages *sends,
                      const struct messages *receives)
{
    size_t first = 0; /* all before are taken */
    for (size_t r = 0; r < receives->n; r++) {
        struct ct_trace_event *event = &rank->events[receives->list[r].event].event;
        if (!is_wild(event))
            continue;
        while (first < sends->n && sends->list[first].is_taken)
            first++;
        for (size_t s = first; s < sends->n; s++) {
            struct message *send = &sends->list[s];
            if (send->is_taken || send->comm != receives->list[r].comm ||
                (event->from.rank >= 0 && (uint32_t)event->from.rank != send->source) ||
                (event->from.tag >= 0 && event->from.tag != send->tag))
                continue;
            send->is_taken = true;
            event->from.rank = (int32_t)send->source;
            event->from.tag = send->tag;
            break;
        }
    }
}

CT_ORDER(by_event, struct message, event)

static void sort_messages(struct messages *messages, int (*order)(const void *, const void *))
{
    if (messages->n > 0)
        qsort(messages->list, messages->n, sizeof *messages->list, order);
}

enum ct_status ct_allprof_resolve(struct ct_allprof_rank *ranks, uint32_t n_ranks,
                                  struct ct_error *err)
{
    struct messages sends = {0}, receives = {0};
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < n_ranks && status == CT_OK; rank++) {
        if (!has_wild(&ranks[rank]))
            continue;
        sends.n = receives.n = 0;
        for (uint32_t source = 0; source < n_ranks && status == CT_OK; source++)
            status = list_of(&ranks[source], true, rank, &sends, err);
        if (status == CT_OK)
            status = list_of(&ranks[rank], false, rank, &receives, err);
        if (status != CT_OK)
            break;
        sort_messages(&sends, by_channel_and_order);
        sort_messages(&receives, by_channel_and_order);
        take_known(&sends, &receives);
        sort_messages(&sends, by_time);
        sort_messages(&receives, by_event);
        take_wild(&ranks[rank], &sends, &receives);
    }
    free(sends.list);
    free(receives.list);
    return status;
}
