/* Which ranks of the world a communicator's are, those in statuses too. */
#include "core/array.h"
#include "trace/pmpi/state.h"

#include <stdlib.h>
#include <string.h>

int32_t ct_tracer_world_rank(uint32_t comm, int rank)
{
    const struct ct_tracer_comm *row = &ct_tracer.comms[comm];
    const struct ct_ranks *group = row->remote.n > 0 ? &row->remote : &row->group;
    return rank < 0 || (uint32_t)rank >= group->n ? -1
                                                  : (int32_t)ct_ranks_rank(group, (uint32_t)rank);
}

/* SMPI has no calls with counts of MPI_Count. */
static MPI_Count bytes_of(const MPI_Status *status)
{
#if CT_SIMULATED
    int bytes = 0;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
#else
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
#endif
    return bytes;
}

bool ct_tracer_arrived(const MPI_Status *status, uint32_t comm, struct ct_trace_message *message_p)
{
    if (status->MPI_SOURCE == MPI_PROC_NULL || status->MPI_SOURCE < 0)
        return false;
    MPI_Count bytes = bytes_of(status);
    *message_p = (struct ct_trace_message){ct_tracer_world_rank(comm, status->MPI_SOURCE),
                                           status->MPI_TAG, bytes > 0 ? (uint64_t)bytes : 0};
    return true;
}

uint64_t *ct_tracer_append_members(uint64_t *members, size_t *n_p, MPI_Group group)
{
    MPI_Group world;
    int n = 0;
    PMPI_Comm_group(ct_tracer.world, &world);
    PMPI_Group_size(group, &n);
    int *ranks = calloc(2 * (size_t)n + 1, sizeof *ranks);
    bool known = ranks && CT_ARRAY_RESIZE(members, *n_p + (size_t)n + 1);
    for (int i = 0; known && i < n; i++)
        ranks[i] = i;
    if (known)
        PMPI_Group_translate_ranks(group, n, ranks, world, ranks + n);
    for (int i = 0; known && i < n; i++) {
        known = ranks[n + i] != MPI_UNDEFINED;
        members[*n_p + (size_t)i] = known ? (uint64_t)ranks[n + i] : 0;
    }
    *n_p += (size_t)n;
    PMPI_Group_free(&world);
    free(ranks);
    if (!known)
        free(members);
    return known ? members : NULL;
}

/* Both sides of an intercommunicator put the same group first. */
static void order_groups(uint64_t *members, size_t n, size_t n_local)
{
    if (n_local == n || members[0] < members[n_local])
        return;
    for (size_t i = 0; i < n_local; i++) { /* one to the left, n_local times */
        uint64_t first = members[0];
        memmove(members, members + 1, (n - 1) * sizeof *members);
        members[n - 1] = first;
    }
}

/* Ranks in runs, and the values of an event that have them; NULL: out of memory. */
static uint64_t *make_runs(const uint64_t *members, uint32_t n, struct ct_ranks *ranks,
                           size_t *n_values_p)
{
    int n_world = 0;
    PMPI_Comm_size(ct_tracer.world, &n_world);
    uint64_t *values = malloc(CT_RANKS_VALUES_MAX((size_t)n + 1) * sizeof *values);
    if (!values)
        return NULL;
    *n_values_p = ct_ranks_put(members, n, values);
    if (ct_ranks_make(values, *n_values_p, (uint32_t)n_world, ranks, NULL) == CT_OK)
        return values;
    free(values);
    return NULL;
}

/* Fills the groups of a row; is_local: of an intercommunicator the rank's own group only. NULL: out
 * of memory, or a process outside of the world. */
static uint64_t *find_members(MPI_Comm comm, bool is_local, struct ct_tracer_comm *row,
                              size_t *n_values_p)
{
    MPI_Group group;
    int between = 0;
    size_t n = 0, n_local;
    if (!is_local)
        PMPI_Comm_test_inter(comm, &between);
    PMPI_Comm_group(comm, &group);
    uint64_t *values = NULL, *members = ct_tracer_append_members(NULL, &n, group);
    PMPI_Group_free(&group);
    n_local = n;
    if (members && between) {
        PMPI_Comm_remote_group(comm, &group);
        members = ct_tracer_append_members(members, &n, group);
        PMPI_Group_free(&group);
    }
    if (members && between) {
        values = make_runs(members + n_local, (uint32_t)(n - n_local), &row->remote, n_values_p);
        free(values);
    }
    if (members && (!between || values)) {
        order_groups(members, n, n_local);
        values = make_runs(members, (uint32_t)n, &row->group, n_values_p);
    }
    free(members);
    return values;
}

/* Communicators with the same members are distinguished by their order, which is the same on all
 * members, since making one is collective. */
static uint64_t ordinal_of(const struct ct_ranks *group)
{
    uint64_t ordinal = 0;
    for (uint32_t c = 0; c < ct_tracer.n_comms; c++)
        ordinal += ct_ranks_is_same(&ct_tracer.comms[c].group, group);
    return ordinal;
}

/* Adds a row, found by its handle if it has one, and returns it with the number; NULL after giving
 * up. */
static struct ct_tracer_comm *add_row(MPI_Comm comm, uint32_t *number_p)
{
    if (!CT_ARRAY_RESIZE(ct_tracer.comms, (size_t)ct_tracer.n_comms + 1) ||
        (comm != MPI_COMM_NULL &&
         !ct_map_add(&ct_tracer.comm_numbers, CT_TRACER_HANDLE(comm), ct_tracer.n_comms + 1))) {
        ct_tracer_give_up("out of memory");
        return NULL;
    }
    *number_p = ct_tracer.n_comms++;
    ct_tracer.comms[*number_p] = (struct ct_tracer_comm){0};
    return &ct_tracer.comms[*number_p];
}

void ct_tracer_refuse_others(uint64_t start_ns)
{
    /* Named by those that read the trace, once for all ranks. */
    static const char text[] = "a call to ranks of another MPI_COMM_WORLD";
    _Static_assert(sizeof text - 1 <= CT_TRACE_TEXT_MAX, "a name is at most that long");
    ct_tracer_write(start_ns, (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                                      .text = text,
                                                      .n_text = sizeof text - 1});
}

/* Members in a row of the table and in the file; those of a row without members are refused when
 * they are used. */
static bool add_comm(uint64_t start_ns, MPI_Comm comm, MPI_Comm same_members, bool is_local,
                     uint32_t *number_p)
{
    size_t n_values = 0;
    struct ct_tracer_comm found = {0};
    uint64_t *values = find_members(same_members, is_local, &found, &n_values);
    bool known = values != NULL;
    uint64_t ordinal = known ? ordinal_of(&found.group) : 0;
    struct ct_tracer_comm *row = add_row(comm, number_p);
    if (row && known)
        ct_tracer_write(start_ns, (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                                          .comm = *number_p,
                                                          .ordinal = ordinal,
                                                          .values = values,
                                                          .n_values = n_values});
    else
        ct_tracer_pass(start_ns);
    if (row) {
        *row = found;
    } else {
        ct_ranks_free(&found.group);
        ct_ranks_free(&found.remote);
    }
    free(values);
    return row && ct_tracer.stream;
}

bool ct_tracer_add_copy(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p)
{
    return add_comm(start_ns, MPI_COMM_NULL, comm, false, number_p);
}

bool ct_tracer_add_local(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p)
{
    return add_comm(start_ns, MPI_COMM_NULL, comm, true, number_p);
}

bool ct_tracer_find_comm(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p)
{
    uint32_t found = ct_map_find(&ct_tracer.comm_numbers, CT_TRACER_HANDLE(comm));
    if (found != 0)
        *number_p = found - 1;
    else if (!add_comm(ct_tracer_read_clock(), comm, comm, false, number_p))
        return false;
    if (ct_tracer.comms[*number_p].group.n > 0)
        return true;
    ct_tracer_refuse_others(start_ns);
    return false;
}

bool ct_tracer_find_group(uint64_t start_ns, MPI_Comm comm, uint32_t *number_p)
{
    if (!ct_tracer_find_comm(start_ns, comm, number_p))
        return false;
    if (ct_tracer.comms[*number_p].remote.n == 0)
        return true;
    ct_tracer_refuse_others(start_ns);
    return false;
}

void ct_tracer_new_comm(uint64_t start_ns, MPI_Comm comm, MPI_Comm parent)
{
    uint32_t number;
    if (comm == MPI_COMM_NULL || !ct_tracer_enter())
        return;
    /* A copy that is still being made cannot be asked yet, but its parent can. */
    add_comm(start_ns, comm, parent == MPI_COMM_NULL ? comm : parent, false, &number);
    ct_tracer_leave();
}

/* The MPI library may have given the handle to another thread's new communicator already: the
 * earliest number goes. */
void ct_tracer_drop_comm(uint64_t start_ns, MPI_Comm comm)
{
    uint32_t next, number = 0;
    size_t at = 0;
    if (!ct_tracer_enter())
        return;
    ct_tracer_pass(start_ns);
    while ((next = (uint32_t)ct_map_next(&ct_tracer.comm_numbers, CT_TRACER_HANDLE(comm), &at)) !=
           0)
        number = next;
    if (number != 0)
        ct_map_remove(&ct_tracer.comm_numbers, CT_TRACER_HANDLE(comm), number);
    ct_tracer_leave();
}
