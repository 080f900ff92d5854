/*
 * What handles stand for. All ranks go through their records side by side, each as far as it gets:
 * a handle that was not there before belongs to a communicator that this rank's calls made and
 * that it has not used yet, in which it has the rank and the size that the line tells. If there
 * are several, the one that came into use first on the ranks that had no choice, else the oldest:
 * ranks of one program use what they make in the same order.
 */
#include "core/array.h"
#include "trace/convert/allprof_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call that made a communicator for this rank, or may have. */
struct made {
    const struct ct_allprof_record *by;
    bool has_making; /* false: nothing is known of its members */
    uint32_t making; /* its index in the list */
    size_t binding;  /* its index + 1; 0: not in use yet */
    bool is_freed;
};

/* What may be decided when all ranks wait for others: nothing; which of several it is; that a
 * split which not all members call made nothing. */
enum patience { PATIENT, GUESS, GIVE_UP };

struct binder {
    struct ct_allprof_comms *comms;
    struct ct_allprof_rank *of;
    struct ct_error *err;
    size_t next; /* record */
    struct made *made;
    size_t n_made, room_made, first_open; /* all before are in use or freed */
    struct ct_map bound;                  /* handle -> index of its binding + 1 */
    struct ct_map calls;                  /* index of a communicator -> calls that make others */
    bool has_world;
    size_t n_copies;
    const struct ct_allprof_record *lost; /* the last that freed a handle kept elsewhere */
    size_t n_before_lost;
};

/* ---- handles ---- */

enum { MPICH_WORLD = 0x44000000, MPICH_SELF = 0x44000001 };

bool ct_allprof_is_mpich(uint64_t comm)
{
    enum { KIND_SHIFT = 26, BUILTIN = 0x11, DIRECT = 0x21, INDIRECT = 0x31 };
    uint64_t high = comm >> 32, kind = (comm & UINT32_MAX) >> KIND_SHIFT;
    return (high == 0 || high == UINT32_MAX) &&
           (kind == BUILTIN || kind == DIRECT || kind == INDIRECT);
}

static bool is_builtin(const struct ct_allprof_record *record, uint32_t handle)
{
    return ct_allprof_is_mpich(record->handle) && (record->handle & UINT32_MAX) == handle;
}

static bool is_world(const struct binder *binder, const struct ct_allprof_record *record)
{
    return record->size == binder->of->n_ranks && record->rank == binder->of->rank;
}

static bool is_in(const struct binder *binder, uint32_t index,
                  const struct ct_allprof_record *record)
{
    const struct ct_allprof_comm *comm = &binder->comms->comms[index];
    return comm->n == record->size && comm->members[record->rank] == binder->of->rank;
}

static void forget_handle(struct binder *binder, uint64_t handle)
{
    uint32_t found = ct_map_find(&binder->bound, handle);
    if (found != 0)
        ct_map_remove(&binder->bound, handle, found);
}

static enum ct_status add_binding(struct binder *binder, const struct ct_allprof_record *record,
                                  struct ct_allprof_binding binding)
{
    struct ct_allprof_rank *of = binder->of;
    if (!CT_ARRAY_RESERVE(of->bindings, of->room_bindings, of->n_bindings + 1))
        return ct_no_memory(binder->err, "traces");
    binding.line = record->line;
    binding.handle = record->handle;
    forget_handle(binder, record->handle);
    of->bindings[of->n_bindings++] = binding;
    return ct_map_add(&binder->bound, record->handle, (uint32_t)of->n_bindings)
               ? CT_OK
               : ct_no_memory(binder->err, "traces");
}

/* ---- what there is to choose from ---- */

static bool is_open(const struct made *made)
{
    return made->binding == 0 && !made->is_freed;
}

static bool is_incomplete(const struct binder *binder, const struct made *made)
{
    return made->has_making && !binder->comms->makings[made->making].is_complete;
}

static bool waits_for_others(const struct binder *binder)
{
    for (size_t i = binder->first_open; i < binder->n_made; i++)
        if (is_open(&binder->made[i]) && is_incomplete(binder, &binder->made[i]))
            return true;
    return false;
}

/* What a call made for this rank: index + 1; 0: nothing, or not known yet. */
static uint32_t comm_of(const struct binder *binder, const struct made *made)
{
    const struct ct_allprof_making *making = &binder->comms->makings[made->making];
    return making->members ? making->members[made->by->rank].comm : making->comm;
}

/* Whether a record's handle may be what was made; with its members, NULL: not known. A cartesian
 * one has the first ranks of its parent, as many as its size, which the call does not tell. */
static bool fits_record(const struct binder *binder, const struct made *made,
                        const struct ct_allprof_record *record, const uint32_t **members_p)
{
    if (!is_open(made) || !made->has_making)
        return false;
    const struct ct_allprof_making *making = &binder->comms->makings[made->making];
    const struct ct_allprof_comm *parent = &binder->comms->comms[making->parent];
    uint32_t index = comm_of(binder, made);
    bool keeps_rank = record->rank == made->by->rank;
    *members_p = NULL;
    if (index != 0) {
        *members_p = binder->comms->comms[index - 1].members;
        return is_in(binder, index - 1, record);
    }
    if (making->does == CT_ALLPROF_INTER)
        return keeps_rank && record->size == parent->n;
    *members_p = parent->members;
    return making->does == CT_ALLPROF_CART && keeps_rank && record->size <= parent->n &&
           (record->size > 1 || parent->n == 1);
}

struct choice {
    size_t n_made; /* of the one + 1; 0: none fits */
    bool is_unsure;
};

static uint64_t first_use(const struct binder *binder, size_t made)
{
    uint64_t use = binder->comms->makings[binder->made[made].making].first_use;
    return use == 0 ? UINT64_MAX : use;
}

/* From one of the rank's calls on. */
static struct choice choose_communicator(const struct binder *binder, size_t first,
                                         const struct ct_allprof_record *record)
{
    struct choice choice = {0};
    const uint32_t *chosen = NULL, *members;
    for (size_t i = first; i < binder->n_made; i++) {
        if (!fits_record(binder, &binder->made[i], record, &members))
            continue;
        bool same = choice.n_made > 0 && members && chosen &&
                    memcmp(members, chosen, record->size * sizeof *members) == 0;
        choice.is_unsure |= choice.n_made > 0 && !same;
        if (choice.n_made == 0 ||
            (!same && first_use(binder, i) < first_use(binder, choice.n_made - 1))) {
            choice.n_made = i + 1;
            chosen = members;
        }
    }
    return choice;
}

/* ---- binding ---- */

static enum ct_status bind_unknown(struct binder *binder, const struct ct_allprof_record *record)
{
    const struct made *culprit = NULL;
    const char *because = NULL;
    for (size_t i = binder->first_open; i < binder->n_made; i++) {
        const struct made *made = &binder->made[i];
        enum ct_allprof_does does = made->by->does;
        bool is_hidden = !made->has_making || does == CT_ALLPROF_MAKE || does == CT_ALLPROF_INTER;
        if (!is_open(made) || (culprit && !is_hidden))
            continue;
        culprit = made;
        because = is_hidden                     ? "does not tell its members"
                  : is_incomplete(binder, made) ? "is not called by all ranks"
                                                : "makes one of another rank or size";
        if (is_hidden)
            break;
    }
    return add_binding(
        binder, record,
        (struct ct_allprof_binding){.because = because,
                                    .name = culprit ? culprit->by->name : NULL,
                                    .because_line = culprit ? culprit->by->line : 0});
}

static enum ct_status bind_made(struct binder *binder, struct made *made,
                                const struct ct_allprof_record *record)
{
    struct ct_allprof_making *making = &binder->comms->makings[made->making];
    enum ct_status status = CT_OK;
    if (making->does == CT_ALLPROF_INTER)
        return bind_unknown(binder, record);
    if (making->does == CT_ALLPROF_CART && making->comm == 0)
        status = ct_allprof_comms_add(binder->comms, binder->comms->comms[making->parent].members,
                                      (uint32_t)record->size, &making->comm, binder->err);
    if (status != CT_OK)
        return status;
    if (making->first_use == 0)
        making->first_use = ++binder->comms->n_uses;
    status = add_binding(binder, record,
                         (struct ct_allprof_binding){.comm = comm_of(binder, made),
                                                     .made = (uint32_t)(made - binder->made) + 1});
    made->binding = binder->of->n_bindings;
    return status;
}

/* One of all ranks that no known call made: the k-th of each rank are one. */
static enum ct_status bind_copy(struct binder *binder, const struct ct_allprof_record *record)
{
    struct ct_allprof_comms *comms = binder->comms;
    size_t k = binder->n_copies++;
    enum ct_status status = CT_OK;
    if (k == comms->n_copies) {
        if (!CT_ARRAY_RESERVE(comms->copies, comms->room_copies, comms->n_copies + 1))
            return ct_no_memory(binder->err, "traces");
        status =
            ct_allprof_comms_add(comms, NULL, binder->of->n_ranks, &comms->copies[k], binder->err);
        comms->n_copies++;
    }
    return status == CT_OK
               ? add_binding(binder, record, (struct ct_allprof_binding){.comm = comms->copies[k]})
               : status;
}

static enum ct_status bind_self(struct binder *binder, const struct ct_allprof_record *record)
{
    uint32_t self;
    CT_TRY(ct_allprof_comms_add(binder->comms, &binder->of->rank, 1, &self, binder->err));
    return add_binding(binder, record, (struct ct_allprof_binding){.comm = self});
}

static enum ct_status bind_new(struct binder *binder, const struct ct_allprof_record *record,
                               enum patience patience, bool *waits_p)
{
    bool world = is_world(binder, record), alone = record->size == 1;
    /* Elsewhere than in MPICH the first is MPI_COMM_WORLD: programs ask for its size first. */
    if (world && (is_builtin(record, MPICH_WORLD) ||
                  (!binder->has_world && !ct_allprof_is_mpich(record->handle)))) {
        binder->has_world = true;
        return add_binding(binder, record, (struct ct_allprof_binding){.comm = 1});
    }
    if (alone && is_builtin(record, MPICH_SELF))
        return bind_self(binder, record);
    while (binder->first_open < binder->n_made && !is_open(&binder->made[binder->first_open]))
        binder->first_open++;
    *waits_p = patience < GIVE_UP && waits_for_others(binder);
    if (*waits_p)
        return CT_OK;
    struct choice choice = choose_communicator(binder, binder->first_open, record);
    *waits_p = patience < GUESS && choice.is_unsure;
    if (*waits_p)
        return CT_OK;
    if (choice.n_made > 0)
        return bind_made(binder, &binder->made[choice.n_made - 1], record);
    if (world)
        return bind_copy(binder, record);
    return alone ? bind_self(binder, record) : bind_unknown(binder, record);
}

/* A handle that was there before. What it stood for may be freed by another variable's address,
 * and what was made since may have it: then it is not known which, unless both have the same
 * members.
 */
static bool is_lost(const struct binder *binder, const struct ct_allprof_binding *binding,
                    const struct ct_allprof_record *record)
{
    const uint32_t *members;
    if (binding->made == 0 || binding->made > binder->n_before_lost)
        return false;
    for (size_t i = binder->n_before_lost; i < binder->n_made; i++)
        if (fits_record(binder, &binder->made[i], record, &members) &&
            (!members || memcmp(members, binder->comms->comms[binding->comm - 1].members,
                                record->size * sizeof *members) != 0))
            return true;
    return false;
}

static enum ct_status use_communicator(struct binder *binder,
                                       const struct ct_allprof_record *record,
                                       enum patience patience, bool *waits_p)
{
    uint32_t found = ct_map_find(&binder->bound, record->handle);
    const struct ct_allprof_binding *binding = found != 0 ? &binder->of->bindings[found - 1] : NULL;
    if (!binding || binding->comm == 0 || !is_in(binder, binding->comm - 1, record))
        return bind_new(binder, record, patience, waits_p);
    *waits_p = binder->lost && patience < GIVE_UP && waits_for_others(binder);
    if (*waits_p || !binder->lost || !is_lost(binder, binding, record))
        return CT_OK;
    return add_binding(binder, record,
                       (struct ct_allprof_binding){.because = "may have freed it",
                                                   .name = binder->lost->name,
                                                   .because_line = binder->lost->line});
}

/* ---- calls that make and free ---- */

static enum ct_status make_communicator(struct binder *binder,
                                        const struct ct_allprof_record *record)
{
    struct made made = {.by = record};
    uint32_t bound = ct_map_find(&binder->bound, record->handle);
    uint32_t parent = bound != 0 ? binder->of->bindings[bound - 1].comm : 0;
    enum ct_status status = CT_OK;
    if (!CT_ARRAY_RESERVE(binder->made, binder->room_made, binder->n_made + 1))
        return ct_no_memory(binder->err, "traces");
    if (parent != 0 && record->does != CT_ALLPROF_MAKE_APART) {
        uint32_t k = ct_map_find(&binder->calls, parent);
        if (k != 0)
            ct_map_remove(&binder->calls, parent, k);
        if (!ct_map_add(&binder->calls, parent, k + 1))
            return ct_no_memory(binder->err, "traces");
        made.has_making = true;
        status = ct_allprof_comms_make(binder->comms, parent - 1, k, binder->of->rank, record,
                                       &made.making, binder->err);
        if (status == CT_EFORMAT)
            ct_fail_within(binder->err, status, "line %" PRIu64, record->line);
    }
    binder->made[binder->n_made++] = made;
    return status;
}

/* Of what was made there last. */
static void free_comm(struct binder *binder, const struct ct_allprof_record *record)
{
    for (size_t i = binder->n_made; i-- > 0;) {
        struct made *made = &binder->made[i];
        if (made->by->address != record->address || made->is_freed)
            continue;
        made->is_freed = true;
        if (made->binding != 0) {
            uint64_t handle = binder->of->bindings[made->binding - 1].handle;
            if (ct_map_find(&binder->bound, handle) == made->binding)
                forget_handle(binder, handle);
        }
        return;
    }
    binder->lost = record;
    binder->n_before_lost = binder->n_made;
}

static enum ct_status step_record(struct binder *binder, const struct ct_allprof_record *record,
                                  enum patience patience, bool *waits_p)
{
    enum ct_status status = CT_OK;
    *waits_p = false;
    if (record->size > 0)
        status = use_communicator(binder, record, patience, waits_p);
    if (status != CT_OK || *waits_p)
        return status;
    if (record->does == CT_ALLPROF_COMM_FREE)
        free_comm(binder, record);
    else if (record->does >= CT_ALLPROF_DUP && record->does <= CT_ALLPROF_MAKE_APART)
        status = make_communicator(binder, record);
    return status;
}

/* ---- all ranks ---- */

/* As far as it gets; what may be guessed is guessed once, as others may know more then. */
static enum ct_status advance_ranks(struct binder *binder, enum patience patience, bool *moved_p)
{
    enum ct_status status = CT_OK;
    while (binder->next < binder->of->n_records) {
        const struct ct_allprof_record *record = &binder->of->records[binder->next];
        bool waits;
        status = step_record(binder, record, PATIENT, &waits);
        if (status == CT_OK && waits && patience > PATIENT) {
            status = step_record(binder, record, patience, &waits);
            patience = PATIENT;
        }
        if (status != CT_OK)
            return ct_fail_within(binder->err, status, "rank %u", binder->of->rank);
        if (waits)
            return CT_OK;
        binder->next++;
        *moved_p = true;
    }
    return CT_OK;
}

static enum ct_status advance_all(struct binder *binders, uint32_t n_ranks)
{
    enum patience patience = PATIENT;
    enum ct_status status = CT_OK;
    for (bool is_done = false; !is_done && status == CT_OK;) {
        bool moved = false;
        is_done = true;
        for (uint32_t rank = 0; rank < n_ranks && status == CT_OK; rank++) {
            status = advance_ranks(&binders[rank], patience, &moved);
            is_done = is_done && binders[rank].next == binders[rank].of->n_records;
        }
        patience = moved ? PATIENT : patience + 1;
    }
    return status;
}

enum ct_status ct_allprof_bind(struct ct_allprof_comms *comms, struct ct_allprof_rank *ranks,
                               uint32_t n_ranks, struct ct_error *err)
{
    uint32_t world;
    struct binder *binders = calloc(n_ranks, sizeof *binders);
    if (!binders)
        return ct_no_memory(err, "traces");
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        binders[rank] = (struct binder){.comms = comms, .of = &ranks[rank], .err = err};
    enum ct_status status = ct_allprof_comms_add(comms, NULL, n_ranks, &world, err);
    if (status == CT_OK)
        status = advance_all(binders, n_ranks);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        free(binders[rank].made);
        ct_map_free(&binders[rank].bound);
        ct_map_free(&binders[rank].calls);
    }
    free(binders);
    return status;
}
