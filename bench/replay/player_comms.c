/* Communicators: which there are, and how they come to be. The replay has one of its own for each
 * set of members; the program's are copies of it, made where the program made them. */
#include "bench/replay/player.h"
#include "core/array.h"
#include "core/random.h"
#include "trace/ranks.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- from the trace ---- */

static enum ct_status add_members(struct ct_player *player, const struct ct_ranks *group,
                                  uint32_t *index_p, struct ct_error *err)
{
    const uint32_t n = group->n;
    for (size_t m = 0; m < player->n_members; m++) {
        const struct ct_members *other = &player->members[m];
        bool same = other->n == n;
        for (uint32_t i = 0; same && i < n; i++)
            same = other->ranks[i] == ct_ranks_rank(group, i);
        *index_p = (uint32_t)m;
        if (same)
            return CT_OK;
    }
    struct ct_members members = {.n = n,
                                 .own = -1,
                                 .comm = MPI_COMM_NULL,
                                 .ranks = malloc(n * sizeof *members.ranks),
                                 .place_of = malloc(player->n_ranks * sizeof *members.place_of)};
    if (!members.ranks || !members.place_of ||
        !CT_ARRAY_RESERVE(player->members, player->room_members, player->n_members + 1)) {
        free(members.ranks);
        free(members.place_of);
        return ct_no_memory(err, "replay");
    }
    for (uint32_t rank = 0; rank < player->n_ranks; rank++)
        members.place_of[rank] = -1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = ct_ranks_rank(group, i);
        members.ranks[i] = rank;
        members.place_of[rank] = (int)i;
        members.mask ^= ct_random_mix((uint64_t)rank + 1);
        if (rank == player->rank) {
            members.own = (int)i;
            members.mask_before = members.mask ^ ct_random_mix((uint64_t)rank + 1);
        }
    }
    *index_p = (uint32_t)player->n_members;
    player->members[player->n_members++] = members;
    return CT_OK;
}

static enum ct_status add_comm(struct ct_player *player, const struct ct_trace_event *event,
                               struct ct_error *err)
{
    struct ct_player_comm comm = {.comm = MPI_COMM_NULL, .ordinal = event->ordinal};
    struct ct_ranks group = {0};
    enum ct_status status =
        ct_ranks_make(event->values, event->n_values, player->n_ranks, &group, err);
    if (status == CT_OK)
        status = add_members(player, &group, &comm.members, err);
    ct_ranks_free(&group);
    if (status != CT_OK)
        return status;
    if (!CT_ARRAY_RESERVE(player->comms, player->room_comms, player->n_comms + 1) ||
        !ct_map_add(&player->comm_numbers, event->comm, (uint32_t)player->n_comms + 1))
        return ct_no_memory(err, "replay");
    player->comms[player->n_comms++] = comm;
    return CT_OK;
}

/* The first call of a communicator's neighbours tells who they are. */
static enum ct_status note_neighbours(struct ct_player *player, const struct ct_trace_event *event,
                                      struct ct_error *err)
{
    struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    const struct ct_members *members = ct_player_members_of(player, comm);
    size_t n = (event->n_values - 1) / 2, n_to = (size_t)event->values[0];
    if (!comm->has_neighbours) {
        comm->neighbours = malloc((n + 1) * sizeof *comm->neighbours);
        if (!comm->neighbours)
            return ct_no_memory(err, "replay");
        comm->has_neighbours = true;
        comm->n_to = (int)n_to;
        comm->n_from = (int)(n - n_to);
        for (size_t i = 0; i < n; i++)
            comm->neighbours[i] = members->place_of[event->values[1 + 2 * i]];
        return CT_OK;
    }
    bool same = (size_t)comm->n_to == n_to && (size_t)comm->n_from == n - n_to;
    for (size_t i = 0; same && i < n; i++)
        same = comm->neighbours[i] == members->place_of[event->values[1 + 2 * i]];
    return same ? CT_OK
                : ct_fail(err, CT_EFORMAT,
                          "%s: rank %u: communicator %u has other neighbours in a later call",
                          player->source, player->rank, event->comm);
}

enum ct_status ct_player_list_comms(struct ct_player *player, struct ct_error *err)
{
    const struct ct_events *events = &player->events;
    struct ct_events_place here = events->tell(events->context, player->rank);
    struct ct_trace_event event;
    uint64_t position;
    enum ct_status status;
    while ((status = events->next(events->context, player->rank, &event, &position, err)) ==
               CT_OK &&
           event.kind != CT_TRACE_NONE && event.kind != CT_TRACE_END) {
        if (event.kind == CT_TRACE_NEW_COMM)
            status = add_comm(player, &event, err);
        else if (event.kind == CT_TRACE_NEIGHBOR)
            status = note_neighbours(player, &event, err);
        if (status != CT_OK)
            break;
    }
    events->seek(events->context, player->rank, here);
    return status;
}

/* ---- in this run ---- */

static int by_ranks(const struct ct_members *a, const struct ct_members *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++)
        if (a->ranks[i] != b->ranks[i])
            return a->ranks[i] < b->ranks[i] ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static bool is_everyone(const struct ct_player *player, const struct ct_members *members)
{
    for (uint32_t i = 0; i < members->n; i++)
        if (members->ranks[i] != i)
            return false;
    return members->n == player->n_ranks;
}

_Noreturn void ct_player_give_up(const struct ct_player *player)
{
    fprintf(stderr, "workload: rank %u: out of memory\n", player->rank);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

static void open_members(struct ct_player *player, MPI_Comm world, struct ct_members *members)
{
    if (is_everyone(player, members)) {
        MPI_Comm_dup(world, &members->comm);
        return;
    }
    MPI_Group all, group;
    int *ranks = malloc(members->n * sizeof *ranks);
    if (!ranks)
        ct_player_give_up(player);
    for (uint32_t i = 0; i < members->n; i++)
        ranks[i] = (int)members->ranks[i];
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, (int)members->n, ranks, &group);
    MPI_Comm_create_group(world, group, 0, &members->comm);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    free(ranks);
}

static void make_comm(struct ct_player *player, struct ct_player_comm *comm)
{
    const struct ct_members *members = ct_player_members_of(player, comm);
    /* Open MPI's is the address of nothing, and gcc warns of what it sees read there. */
    int *volatile unweighted = MPI_UNWEIGHTED;
    if (comm->comm != MPI_COMM_NULL)
        return;
    comm->is_mine = true;
    if (!comm->has_neighbours)
        MPI_Comm_dup(members->comm, &comm->comm);
    else
        MPI_Dist_graph_create_adjacent(members->comm, comm->n_from, comm->neighbours + comm->n_to,
                                       unweighted, comm->n_to, comm->neighbours, unweighted,
                                       MPI_INFO_NULL, 0, &comm->comm);
}

/* Ranks have different sets of members, in different orders; sorted alike, no two of them wait for
 * each other. */
static void sort_comms(const struct ct_player *player, uint32_t *order)
{
    for (uint32_t i = 0; i < player->n_members; i++) {
        uint32_t at = i;
        for (; at > 0 && by_ranks(&player->members[order[at - 1]], &player->members[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* All of a set, in the order of their ordinals, before the program starts. */
static void make_all_of(struct ct_player *player, uint32_t members)
{
    for (;;) {
        struct ct_player_comm *next = NULL;
        for (size_t i = 0; i < player->n_comms; i++) {
            struct ct_player_comm *comm = &player->comms[i];
            if (comm->members == members && comm->comm == MPI_COMM_NULL &&
                (!next || comm->ordinal < next->ordinal))
                next = comm;
        }
        if (!next)
            return;
        make_comm(player, next);
    }
}

void ct_player_open_comms(struct ct_player *player, MPI_Comm world)
{
    uint32_t *order = calloc(player->n_members + 1, sizeof *order);
    if (!order)
        ct_player_give_up(player);
    sort_comms(player, order);
    for (size_t i = 0; i < player->n_comms; i++) {
        struct ct_player_comm *comm = &player->comms[i];
        const struct ct_members *members = ct_player_members_of(player, comm);
        if (comm->ordinal == 0 && !comm->has_neighbours && is_everyone(player, members))
            comm->comm = MPI_COMM_WORLD;
        else if (comm->ordinal == (player->n_ranks == 1) && !comm->has_neighbours &&
                 members->n == 1)
            comm->comm = MPI_COMM_SELF;
    }
    for (size_t i = 0; i < player->n_members; i++) {
        open_members(player, world, &player->members[order[i]]);
        if (player->rehearsal.comms_first)
            make_all_of(player, order[i]);
    }
    free(order);
}

void ct_player_make_comm(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    ct_player_begin_call(thread);
    make_comm(player, ct_player_comm_of(player, event->comm));
    ct_player_end_call(thread, true);
}

void ct_player_drop_comms(struct ct_player *player)
{
    for (size_t i = 0; i < player->n_comms; i++) {
        struct ct_player_comm *comm = &player->comms[i];
        if (comm->is_mine && !comm->stays && !player->rehearsal.comms_first &&
            comm->comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm->comm);
    }
}

void ct_player_close_comms(struct ct_player *player)
{
    for (size_t i = 0; i < player->n_comms; i++) {
        if (player->comms[i].is_mine && player->comms[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&player->comms[i].comm);
        free(player->comms[i].neighbours);
    }
    for (size_t m = 0; m < player->n_members; m++) {
        if (player->members[m].comm != MPI_COMM_NULL)
            MPI_Comm_free(&player->members[m].comm);
        free(player->members[m].ranks);
        free(player->members[m].place_of);
    }
    free(player->comms);
    free(player->members);
    ct_map_free(&player->comm_numbers);
}
