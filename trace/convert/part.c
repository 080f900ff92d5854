/* A part of a program: what lies between two marks, on every rank. */
#include "trace/convert/actions.h"

#include <stdbool.h>
#include <stdlib.h>

/* Actions of a rank, from the one after the first mark to the second mark. */
struct range {
    uint32_t begin, end;
};

/* Which end of the part something reaches over. */
enum { NEITHER, BEGIN, END };

static int is_outside(const struct range *range, uint32_t action)
{
    return action < range->begin ? BEGIN : action >= range->end ? END : NEITHER;
}

static enum ct_status find_range(const struct ct_rank_actions *of,
                                 const struct ct_convert_part *part, struct range *range_p,
                                 struct ct_error *err)
{
    uint64_t n_marks = 0;
    for (uint32_t i = 0; i < of->n; i++) {
        if (!(of->actions[i].flags & CT_ACTION_MARK) || of->actions[i].flags & CT_ACTION_DROPPED)
            continue;
        n_marks++;
        if (n_marks == part->from)
            range_p->begin = i + 1;
        if (n_marks == part->to)
            range_p->end = i + 1;
    }
    if (part->to <= n_marks)
        return CT_OK;
    return ct_fail(err, CT_EUSAGE,
                   "--pass-to %llu: the program's ranks make %llu collectives together",
                   (unsigned long long)part->to, (unsigned long long)n_marks);
}

/* A wait for what begins elsewhere; a message whose other end is elsewhere. */
static int is_crossing(const struct ct_actions *actions, const struct range *ranges, uint32_t rank,
                       uint32_t i)
{
    const struct ct_rank_actions *of = &actions->ranks[rank];
    const struct ct_action *action = &of->actions[i];
    int here = is_outside(&ranges[rank], i);
    if (action->flags & CT_ACTION_DROPPED)
        return NEITHER;
    if (action->kind == CT_ACTION_COMPLETE)
        for (uint32_t k = 0; k < action->n; k++) {
            int there = is_outside(&ranges[rank], of->completed[action->partner + k]);
            if (there != here)
                return there == BEGIN ? BEGIN : END;
        }
    if (action->flags & CT_ACTION_MATCHED) {
        int there = is_outside(&ranges[action->peer], action->partner);
        if (there != here)
            return here == BEGIN || there == BEGIN ? BEGIN : END;
    }
    return NEITHER;
}

/* The collective calls on a communicator that a member makes in the part. */
struct calls {
    uint32_t first, n;
};

/* For every communicator: calls of the rank at hand, and those of its first member. */
struct calls_of_comm {
    struct calls here, known;
    bool is_known;
};

static void count_calls(const struct ct_rank_actions *of, const struct range *range,
                        struct calls_of_comm *comms)
{
    for (uint32_t c = 0; c < of->n_comms; c++)
        comms[of->comms[c]].here = (struct calls){0};
    for (uint32_t i = range->begin; i < range->end; i++) {
        const struct ct_action *action = &of->actions[i];
        if (action->kind != CT_ACTION_COLLECTIVE || action->flags & CT_ACTION_DROPPED)
            continue;
        struct calls *calls = &comms[action->peer].here;
        if (calls->n++ == 0)
            calls->first = action->number;
    }
}

/* Members make the same calls in the part, or some reach over one of its ends. */
static int crossing_calls(const struct ct_actions *actions, const struct range *ranges,
                          struct calls_of_comm *comms)
{
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++) {
        const struct ct_rank_actions *of = &actions->ranks[rank];
        count_calls(of, &ranges[rank], comms);
        for (uint32_t c = 0; c < of->n_comms; c++) {
            struct calls_of_comm *comm = &comms[of->comms[c]];
            if (!comm->is_known)
                comm->known = comm->here;
            comm->is_known = true;
            if (comm->here.first != comm->known.first)
                return BEGIN;
            if (comm->here.n != comm->known.n)
                return END;
        }
    }
    return NEITHER;
}

static int find_crossing(const struct ct_actions *actions, const struct range *ranges,
                         struct calls_of_comm *comms)
{
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        for (uint32_t i = 0; i < actions->ranks[rank].n; i++) {
            int crosses = is_crossing(actions, ranges, rank, i);
            if (crosses != NEITHER)
                return crosses;
        }
    return crossing_calls(actions, ranges, comms);
}

static void drop_others(struct ct_rank_actions *of, const struct range *range)
{
    for (uint32_t i = 0; i < of->n; i++) {
        if (is_outside(range, i) == NEITHER)
            continue;
        of->actions[i].flags |= CT_ACTION_DROPPED;
        of->actions[i].gap_ns = 0;
    }
}

static enum ct_status cut_actions(struct ct_actions *actions, const struct ct_convert_part *part,
                                  struct range *ranges, struct calls_of_comm *comms,
                                  struct ct_error *err)
{
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        CT_TRY(find_range(&actions->ranks[rank], part, &ranges[rank], err));
    int crosses = find_crossing(actions, ranges, comms);
    if (crosses != NEITHER)
        return ct_fail(err, CT_EUSAGE,
                       "--pass-%s %llu: messages or requests are under way at that collective",
                       crosses == BEGIN ? "from" : "to",
                       (unsigned long long)(crosses == BEGIN ? part->from : part->to));
    for (uint32_t rank = 0; rank < actions->n_ranks; rank++)
        drop_others(&actions->ranks[rank], &ranges[rank]);
    return CT_OK;
}

enum ct_status ct_actions_cut(struct ct_actions *actions, const struct ct_convert_part *part,
                              struct ct_error *err)
{
    if (part->from == 0 && part->to == 0)
        return CT_OK;
    if (part->from == 0 || part->to <= part->from)
        return ct_fail(err, CT_EUSAGE, "--pass-from %llu, --pass-to %llu: both, the second larger",
                       (unsigned long long)part->from, (unsigned long long)part->to);
    struct range *ranges = calloc(actions->n_ranks + (size_t)1, sizeof *ranges);
    struct calls_of_comm *comms = calloc(actions->comms.n + 1, sizeof *comms);
    enum ct_status status = ranges && comms ? cut_actions(actions, part, ranges, comms, err)
                                            : ct_no_memory(err, "schedule");
    free(ranges);
    free(comms);
    return status;
}
