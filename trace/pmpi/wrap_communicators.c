/* Wrappers of calls that begin and end the program, and make and free communicators. */
#include "trace/pmpi/wrap.h"

CT_TRACE_CALL(Init, (int *argc, char ***argv), (argc, argv))
{
    int code = next_Init(argc, argv);
    if (code == MPI_SUCCESS)
        ct_tracer_begin();
    return code;
}

CT_TRACE_CALL(Init_thread, (int *argc, char ***argv, int required, int *provided),
              (argc, argv, required, provided))
{
    int code = next_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        ct_tracer_begin();
    return code;
}

CT_TRACE_CALL(Finalize, (void), ())
{
    ct_tracer_end();
    int code = next_Finalize();
    ct_tracer_finalized();
    return code;
}

/* parameters and arguments without the last one, the new communicator. members: another with the
 * same members, which can be asked at once; MPI_COMM_NULL: none. */
#define NEW_COMM(name, parameters, arguments, members)                                             \
    CT_TRACE_CALL(name, (UNPACK parameters, MPI_Comm * new_comm), (UNPACK arguments, new_comm))    \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(UNPACK arguments, new_comm);                                        \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_new_comm(start_ns, *new_comm, members);                                      \
        return code;                                                                               \
    }

NEW_COMM(Comm_dup, (MPI_Comm comm), (comm), MPI_COMM_NULL)
NEW_COMM(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info), MPI_COMM_NULL)
NEW_COMM(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group), MPI_COMM_NULL)
NEW_COMM(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), (comm, group, tag),
         MPI_COMM_NULL)
NEW_COMM(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key), MPI_COMM_NULL)
NEW_COMM(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info),
         (comm, type, key, info), MPI_COMM_NULL)
NEW_COMM(Cart_create, (MPI_Comm comm, int n, const int dims[], const int periods[], int reorder),
         (comm, n, dims, periods, reorder), MPI_COMM_NULL)
NEW_COMM(Cart_sub, (MPI_Comm comm, const int remain[]), (comm, remain), MPI_COMM_NULL)
NEW_COMM(Graph_create, (MPI_Comm comm, int n, const int index[], const int edges[], int reorder),
         (comm, n, index, edges, reorder), MPI_COMM_NULL)
NEW_COMM(Dist_graph_create,
         (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
          const int weights[], MPI_Info info, int reorder),
         (comm, n, sources, degrees, destinations, weights, info, reorder), MPI_COMM_NULL)
NEW_COMM(Dist_graph_create_adjacent,
         (MPI_Comm comm, int n_in, const int sources[], const int in_weights[], int n_out,
          const int destinations[], const int out_weights[], MPI_Info info, int reorder),
         (comm, n_in, sources, in_weights, n_out, destinations, out_weights, info, reorder),
         MPI_COMM_NULL)
NEW_COMM(Intercomm_create,
         (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag),
         (local, local_leader, peer, remote_leader, tag), MPI_COMM_NULL)
NEW_COMM(Intercomm_merge, (MPI_Comm comm, int high), (comm, high), MPI_COMM_NULL)

CT_TRACE_CALL(Comm_idup, (MPI_Comm comm, MPI_Comm *new_comm, MPI_Request *request),
              (comm, new_comm, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Comm_idup(comm, new_comm, request);
    if (code == MPI_SUCCESS)
        ct_tracer_new_comm(start_ns, *new_comm, comm);
    return code;
}

#if MPI_VERSION >= 4
NEW_COMM(Comm_create_from_group,
         (MPI_Group group, const char *name, MPI_Info info, MPI_Errhandler handler),
         (group, name, info, handler), MPI_COMM_NULL)
NEW_COMM(Intercomm_create_from_groups,
         (MPI_Group local, int local_leader, MPI_Group remote, int remote_leader, const char *name,
          MPI_Info info, MPI_Errhandler handler),
         (local, local_leader, remote, remote_leader, name, info, handler), MPI_COMM_NULL)

CT_TRACE_CALL(Comm_idup_with_info,
              (MPI_Comm comm, MPI_Info info, MPI_Comm *new_comm, MPI_Request *request),
              (comm, info, new_comm, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Comm_idup_with_info(comm, info, new_comm, request);
    if (code == MPI_SUCCESS)
        ct_tracer_new_comm(start_ns, *new_comm, comm);
    return code;
}
#endif

CT_TRACE_CALL(Comm_free, (MPI_Comm * comm), (comm))
{
    MPI_Comm before = *comm;
    uint64_t start_ns = ct_tracer_now();
    int code = next_Comm_free(comm);
    if (code == MPI_SUCCESS)
        ct_tracer_drop_comm(start_ns, before);
    return code;
}

CT_TRACE_CALL(Comm_disconnect, (MPI_Comm * comm), (comm))
{
    MPI_Comm before = *comm;
    uint64_t start_ns = ct_tracer_now();
    int code = next_Comm_disconnect(comm);
    if (code == MPI_SUCCESS)
        ct_tracer_drop_comm(start_ns, before);
    return code;
}
