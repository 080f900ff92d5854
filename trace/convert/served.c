#include "trace/convert/served.h"

#include <stdlib.h>
#include <string.h>

/* A collective of the origin, of those that come after where the origin is read, backwards. */
struct later_call {
    uint32_t comm, instance;
};

/* An origin, as it is read backwards. */
struct origin {
    const struct ct_actions *all;
    const struct ct_rank_actions *of;
    struct ct_served *served;
    size_t *places;          /* [actions] of accesses: their places in `served` */
    struct ct_map receives;  /* rank -> action that receives the next message to it, + 1 */
    struct later_call *next; /* [n_next] the next one of each communicator, the nearest first */
    uint32_t n_next;
};

static bool is_access(const struct ct_action *action)
{
    return action->kind == CT_ACTION_ACCESS && !(action->flags & CT_ACTION_DROPPED);
}

static bool note_message(struct origin *origin, const struct ct_action *action)
{
    uint32_t before = ct_map_find(&origin->receives, action->peer);
    if (!(action->flags & CT_ACTION_MATCHED) || action->flags & CT_ACTION_DROPPED)
        return true;
    if (before != 0)
        ct_map_remove(&origin->receives, action->peer, before);
    return ct_map_add(&origin->receives, action->peer, action->partner + 1);
}

/* Whether each member waits for all others. */
static bool is_synchronizing(const struct ct_actions *all, const struct ct_action *action)
{
    const enum ct_trace_kind kind = (enum ct_trace_kind)action->event;
    return kind == CT_TRACE_BARRIER ||
           ((kind == CT_TRACE_ALLREDUCE || kind == CT_TRACE_ALLTOALL) &&
            all->comms.comms[action->peer].instances[action->number].bytes > 0);
}

/* To the front of the list, which has room for every communicator of the rank. */
static void note_collective(struct origin *origin, const struct ct_action *action)
{
    uint32_t at = 0;
    if (!(action->flags & CT_ACTION_BLOCKS) || action->flags & CT_ACTION_DROPPED ||
        !is_synchronizing(origin->all, action))
        return;
    while (at < origin->n_next && origin->next[at].comm != action->peer)
        at++;
    if (at == origin->n_next)
        origin->n_next++;
    memmove(origin->next + 1, origin->next, at * sizeof *origin->next);
    origin->next[0] = (struct later_call){action->peer, action->number};
}

/* The origin waits for an access here: what comes next is known. */
static void note_wait(const struct origin *origin, uint32_t access)
{
    struct ct_served *served = &origin->served[origin->places[access]];
    const uint32_t rank = origin->of->actions[access].peer;
    uint32_t member;
    served->receive = ct_map_find(&origin->receives, rank);
    served->comm = UINT32_MAX;
    for (uint32_t i = 0; i < origin->n_next && served->comm == UINT32_MAX; i++)
        if (ct_ranks_find(&origin->all->comms.comms[origin->next[i].comm].group, rank, &member)) {
            served->comm = origin->next[i].comm;
            served->instance = origin->next[i].instance;
        }
}

static bool read_backwards(struct origin *origin)
{
    const struct ct_rank_actions *of = origin->of;
    for (uint32_t i = of->n; i-- > 0;) {
        const struct ct_action *action = &of->actions[i];
        if (action->kind == CT_ACTION_SEND && !note_message(origin, action))
            return false;
        if (action->kind == CT_ACTION_COLLECTIVE)
            note_collective(origin, action);
        for (uint32_t k = 0; action->kind == CT_ACTION_COMPLETE && k < action->n; k++)
            if (is_access(&of->actions[of->completed[action->partner + k]]))
                note_wait(origin, of->completed[action->partner + k]);
    }
    return true;
}

/* Puts the accesses of a rank where they belong. first: where the next one of each rank goes. */
static bool list_origin(const struct ct_actions *all, uint32_t rank, struct ct_served *list,
                        size_t *first)
{
    const struct ct_rank_actions *of = &all->ranks[rank];
    struct origin origin = {.all = all, .of = of, .served = list};
    bool has_some = false;
    for (uint32_t i = 0; i < of->n && !has_some; i++)
        has_some = is_access(&of->actions[i]);
    if (!has_some)
        return true;
    origin.places = malloc(of->n * sizeof *origin.places);
    origin.next = malloc(((size_t)of->n_comms + 1) * sizeof *origin.next);
    bool is_done = origin.places && origin.next;
    for (uint32_t i = 0; i < of->n && is_done; i++) {
        const struct ct_action *there = &of->actions[i], *back = there + 1;
        if (!is_access(there))
            continue;
        origin.places[i] = first[there->peer]++;
        list[origin.places[i]] = (struct ct_served){.bytes = there->bytes,
                                                    .answer = back->bytes,
                                                    .origin = rank,
                                                    .tag = (int32_t)there->number,
                                                    .answer_tag = (int32_t)back->number,
                                                    .comm = UINT32_MAX};
    }
    is_done = is_done && read_backwards(&origin);
    ct_map_free(&origin.receives);
    free(origin.places);
    free(origin.next);
    return is_done;
}

enum ct_status ct_served_make(const struct ct_actions *all, struct ct_served_list *list_p,
                              struct ct_error *err)
{
    /* Two places further: adding each below moves the begin of its rank to where it belongs. */
    size_t *first = list_p->first = calloc(all->n_ranks + (size_t)2, sizeof *first);
    list_p->served = NULL;
    if (!first)
        return ct_no_memory(err, "schedule");
    for (uint32_t rank = 0; rank < all->n_ranks; rank++)
        for (uint32_t i = 0; i < all->ranks[rank].n; i++)
            if (is_access(&all->ranks[rank].actions[i]))
                first[all->ranks[rank].actions[i].peer + 2]++;
    for (uint32_t rank = 0; rank < all->n_ranks; rank++)
        first[rank + 2] += first[rank + 1];
    list_p->served = malloc((first[all->n_ranks + 1] + 1) * sizeof *list_p->served);
    bool is_done = list_p->served != NULL;
    for (uint32_t rank = 0; rank < all->n_ranks && is_done; rank++)
        is_done = list_origin(all, rank, list_p->served, first + 1);
    return is_done ? CT_OK : ct_no_memory(err, "schedule");
}

void ct_served_free(struct ct_served_list *list)
{
    free(list->served);
    free(list->first);
    *list = (struct ct_served_list){0};
}
