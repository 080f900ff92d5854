/* Communicators by the calls that make them. */
#include "trace/convert/allprof_comms.h"

#include "core/array.h"
#include "core/hash.h"
#include "core/order.h"
#include "trace/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void ct_allprof_comms_free(struct ct_allprof_comms *comms)
{
    for (size_t i = 0; i < comms->n; i++) {
        free(comms->comms[i].members);
        free(comms->comms[i].runs);
        free(comms->comms[i].makings);
    }
    for (size_t i = 0; i < comms->n_makings; i++)
        free(comms->makings[i].members);
    free(comms->comms);
    free(comms->makings);
    free(comms->copies);
    *comms = (struct ct_allprof_comms){0};
}

enum ct_status ct_allprof_comms_add(struct ct_allprof_comms *comms, const uint32_t *members,
                                    uint32_t n, uint32_t *comm_p, struct ct_error *err)
{
    struct ct_allprof_comm comm = {.n = n, .members = malloc(n * sizeof *comm.members)};
    uint64_t *ranks = malloc(n * sizeof *ranks);
    comm.runs = malloc(CT_RANKS_VALUES_MAX((size_t)n) * sizeof *comm.runs);
    if (!comm.members || !ranks || !comm.runs || comms->n >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(comms->comms, comms->room, comms->n + 1)) {
        free(comm.members);
        free(comm.runs);
        free(ranks);
        return ct_no_memory(err, "traces");
    }
    for (uint32_t i = 0; i < n; i++)
        ranks[i] = comm.members[i] = members ? members[i] : i;
    comm.n_runs = ct_ranks_put(ranks, n, comm.runs);
    comm.hash = ct_hash_numbers(comm.runs, comm.n_runs);
    free(ranks);
    comms->comms[comms->n++] = comm;
    *comm_p = (uint32_t)comms->n;
    return CT_OK;
}

/* ---- splits ---- */

CT_ORDER(by_color_and_key, struct ct_allprof_member, color, key, rank)

/* Members that follow each other in `sorted` with the same color make a communicator. */
static enum ct_status add_colors(struct ct_allprof_comms *comms, struct ct_allprof_making *making,
                                 const struct ct_allprof_member *sorted, uint32_t *members,
                                 struct ct_error *err)
{
    uint32_t n_all = comms->comms[making->parent].n, first = 0;
    enum ct_status status = CT_OK;
    while (first < n_all && sorted[first].color < 0)
        first++;
    while (first < n_all && status == CT_OK) {
        uint32_t n = 0, comm;
        for (; first + n < n_all && sorted[first + n].color == sorted[first].color; n++)
            members[n] = comms->comms[making->parent].members[sorted[first + n].rank];
        status = ct_allprof_comms_add(comms, members, n, &comm, err);
        for (uint32_t i = 0; i < n && status == CT_OK; i++)
            making->members[sorted[first + i].rank].comm = comm;
        first += n;
    }
    return status;
}

static enum ct_status complete_split(struct ct_allprof_comms *comms,
                                     struct ct_allprof_making *making, struct ct_error *err)
{
    uint32_t n = comms->comms[making->parent].n;
    struct ct_allprof_member *sorted = malloc(n * sizeof *sorted);
    uint32_t *members = malloc(n * sizeof *members);
    enum ct_status status = CT_ENOMEM;
    if (sorted && members) {
        memcpy(sorted, making->members, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_color_and_key);
        status = add_colors(comms, making, sorted, members, err);
        making->is_complete = true;
    } else {
        ct_no_memory(err, "traces");
    }
    free(sorted);
    free(members);
    return status;
}

/* ---- calls ---- */

static enum ct_status add_making(struct ct_allprof_comms *comms, struct ct_allprof_making making,
                                 struct ct_error *err)
{
    struct ct_allprof_comm *parent = &comms->comms[making.parent];
    uint32_t n = parent->n;
    if (!CT_ARRAY_RESERVE(parent->makings, parent->room_makings, parent->n_makings + 1) ||
        !CT_ARRAY_RESERVE(comms->makings, comms->room_makings, comms->n_makings + 1))
        return ct_no_memory(err, "traces");
    making.is_complete = making.does != CT_ALLPROF_SPLIT;
    if (!making.is_complete && !(making.members = calloc(n, sizeof *making.members)))
        return ct_no_memory(err, "traces");
    enum ct_status status = CT_OK;
    if (making.does == CT_ALLPROF_DUP)
        status =
            ct_allprof_comms_add(comms, comms->comms[making.parent].members, n, &making.comm, err);
    if (status != CT_OK)
        return status;
    parent = &comms->comms[making.parent]; /* which may have moved */
    parent->makings[parent->n_makings++] = (uint32_t)comms->n_makings;
    comms->makings[comms->n_makings++] = making;
    return CT_OK;
}

enum ct_status ct_allprof_comms_make(struct ct_allprof_comms *comms, uint32_t parent, size_t k,
                                     uint32_t rank, const struct ct_allprof_record *record,
                                     uint32_t *making_p, struct ct_error *err)
{
    if (k == comms->comms[parent].n_makings)
        CT_TRY(add_making(comms,
                          (struct ct_allprof_making){.name = record->name,
                                                     .does = record->does,
                                                     .parent = parent,
                                                     .first_rank = rank,
                                                     .first_line = record->line},
                          err));
    *making_p = comms->comms[parent].makings[k];
    struct ct_allprof_making *making = &comms->makings[*making_p];
    if (strcmp(making->name, record->name) != 0)
        return ct_fail(err, CT_EFORMAT,
                       "MPI_%s, where rank %u calls MPI_%s in its line %" PRIu64
                       "; both are call %zu on the communicator that makes others",
                       record->name, making->first_rank, making->name, making->first_line, k + 1);
    if (making->does != CT_ALLPROF_SPLIT || making->members[record->rank].has_called)
        return CT_OK;
    making->members[record->rank] =
        (struct ct_allprof_member){.has_called = true,
                                   .color = record->color < 0 ? -1 : record->color,
                                   .key = record->key,
                                   .rank = (uint32_t)record->rank};
    making->n_called++;
    return making->n_called == comms->comms[parent].n ? complete_split(comms, making, err) : CT_OK;
}
