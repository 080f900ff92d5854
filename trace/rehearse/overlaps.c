/* Calls that threads of a rank make at the same time: where the order of two of them makes a
 * difference, a trace does not tell it, and MPI leaves it open. */
#include "core/array.h"
#include "trace/rehearse/stage.h"

uint64_t ct_actor_index(const struct ct_actor *actor)
{
    return actor->script.position - 1;
}

bool ct_actor_is_behind(const struct ct_actor *actor, struct ct_made made)
{
    return made.thread == actor->thread || made.index < actor->event.after;
}

/* Of what the thread does from now on, nothing begins before these events of the rank have ended.
 */
static uint64_t horizon_of(const struct ct_actor *actor)
{
    if (actor->ended)
        return UINT64_MAX;
    bool is_next = actor->event.kind != CT_TRACE_NONE && !actor->begun;
    return is_next ? actor->event.after : actor->script.position;
}

/* What cannot overlap with calls that are still to come. */
static void forget_old(struct ct_process *process)
{
    uint64_t horizon = UINT64_MAX;
    size_t n = 0;
    for (uint32_t i = 0; i < process->n_threads; i++) {
        uint64_t of = horizon_of(&process->threads[i]);
        horizon = of < horizon ? of : horizon;
    }
    for (size_t i = 0; i < process->n_claims; i++)
        if (process->claims[i].index >= horizon)
            process->claims[n++] = process->claims[i];
    process->n_claims = n;
}

static bool claims_overlap(const struct ct_claim *a, const struct ct_claim *b)
{
    const struct ct_claim *first = a->index < b->index ? a : b, *last = first == a ? b : a;
    return a->thread != b->thread && last->after <= first->index;
}

static bool is_same_way(struct ct_way a, struct ct_way b)
{
    return a.comm == b.comm && a.source == b.source && a.destination == b.destination &&
           a.tag == b.tag;
}

/* Whether a receive that gets nothing would take the message of another. */
static bool would_take(const struct ct_claim *aside, const struct ct_claim *receive)
{
    return aside->kind == CT_CLAIM_ASIDE && receive->kind == CT_CLAIM_RECEIVE &&
           aside->way.comm == receive->way.comm &&
           (aside->from.rank < 0 || (uint32_t)aside->from.rank == receive->way.source) &&
           (aside->from.tag < 0 || aside->from.tag == receive->way.tag);
}

static bool has_same_members(const struct ct_stage *stage, uint32_t a, uint32_t b)
{
    return ct_ranks_is_same(&stage->comms.comms[a].group, &stage->comms.comms[b].group);
}

/* Why two calls need an order; NULL: they do not. */
static const char *describe_conflict(const struct ct_stage *stage, const struct ct_claim *a,
                                     const struct ct_claim *b)
{
    if (would_take(a, b) || would_take(b, a))
        return "a receive that gets no message, and one that it would be for";
    if (a->kind != b->kind)
        return NULL;
    switch (a->kind) {
    case CT_CLAIM_SEND:
        return is_same_way(a->way, b->way) && a->bytes != b->bytes
                   ? "messages of different sizes to one rank with one tag"
                   : NULL;
    case CT_CLAIM_RECEIVE:
        if (is_same_way(a->way, b->way) && (a->bytes != b->bytes || !a->exact || !b->exact))
            return "receives of different sizes from one rank with one tag";
        return a->cut && b->cut && a->way.comm == b->way.comm
                   ? "receives that are too short for their messages, on one communicator"
                   : NULL;
    case CT_CLAIM_COLLECTIVE:
        return a->way.comm == b->way.comm ? "collectives on one communicator" : NULL;
    case CT_CLAIM_COMM:
        return has_same_members(stage, a->way.comm, b->way.comm)
                   ? "communicators of the same ranks that are made"
                   : NULL;
    default:
        return NULL;
    }
}

enum ct_status ct_stage_claim(struct ct_stage *stage, const struct ct_actor *actor,
                              struct ct_claim claim)
{
    struct ct_process *process = actor->process;
    if (process->n_threads == 1)
        return CT_OK;
    claim.index = ct_actor_index(actor);
    claim.after = actor->event.after;
    claim.thread = actor->thread;
    forget_old(process);
    for (size_t i = 0; i < process->n_claims; i++) {
        const struct ct_claim *other = &process->claims[i];
        const char *why =
            claims_overlap(&claim, other) ? describe_conflict(stage, &claim, other) : NULL;
        if (why)
            return ct_stage_fail(stage, actor, CT_EUNSUPPORTED,
                                 "it overlaps with event %llu of another thread: %s; traces do not "
                                 "have the order of such calls",
                                 (unsigned long long)other->index + 1, why);
    }
    if (!CT_ARRAY_RESERVE(process->claims, process->room_claims, process->n_claims + 1))
        return ct_no_memory(stage->err, "traces");
    process->claims[process->n_claims++] = claim;
    return CT_OK;
}

/* ---- marks where all ranks synchronize ---- */

bool ct_actor_sync(struct ct_actor *actor)
{
    actor->process->synced++;
    if (actor->process->n_threads == 1)
        return true;
    if (!CT_ARRAY_RESERVE(actor->syncs, actor->room_syncs, actor->n_syncs + 1))
        return false;
    actor->syncs[actor->n_syncs++] = ct_actor_index(actor);
    return true;
}

uint64_t ct_actor_synced(const struct ct_actor *actor)
{
    const struct ct_process *process = actor->process;
    uint64_t n = process->synced;
    for (uint32_t i = 0; i < process->n_threads && process->n_threads > 1; i++) {
        const struct ct_actor *other = &process->threads[i];
        for (size_t k = other->n_syncs; other != actor && k > 0; k--, n--)
            if (other->syncs[k - 1] < actor->event.after)
                break;
    }
    return n;
}

/* Those that came before it in the trace, and the one that each other thread may be in. */
uint64_t ct_actor_may_be_synced(const struct ct_actor *actor)
{
    const struct ct_process *process = actor->process;
    uint64_t n = process->synced;
    for (uint32_t i = 0; i < process->n_threads; i++) {
        const struct ct_actor *other = &process->threads[i];
        if (other == actor || other->ended)
            continue;
        if (ct_actor_index(other) < ct_actor_index(actor))
            return UINT64_MAX - 1;
        n += other->event.after <= ct_actor_index(actor) && other->event.kind >= CT_TRACE_BARRIER &&
             other->event.kind <= CT_TRACE_NEIGHBOR;
    }
    return n;
}

bool ct_actor_overlaps_receive(const struct ct_actor *actor)
{
    const struct ct_process *process = actor->process;
    for (size_t i = 0; i < process->n_claims; i++) {
        const struct ct_claim *claim = &process->claims[i];
        if (claim->kind == CT_CLAIM_RECEIVE && claim->thread != actor->thread &&
            claim->index >= actor->event.after)
            return true;
    }
    return false;
}
