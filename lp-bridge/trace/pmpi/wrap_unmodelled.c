/* Wrappers of calls that communicate in ways that the execution graph does not know: one-sided
 * communication, files, new processes. Each is recorded by name, so that the reader can warn. */
#include "lp-bridge/trace/pmpi/tracer.h"

#define UNPACK(...) __VA_ARGS__

#define UNMODELLED(name, parameters, arguments)                                                    \
    CT_TRACE_EXPORT int MPI_##name(UNPACK parameters)                                              \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = PMPI_##name(UNPACK arguments);                                                  \
        ct_tracer_unmodelled(start_ns, "MPI_" #name);                                              \
        return code;                                                                               \
    }

/* ---- one-sided: windows ---- */

UNMODELLED(Win_create,
           (void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
           (base, bytes, unit, info, comm, win))
UNMODELLED(Win_allocate,
           (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base_p, MPI_Win *win),
           (bytes, unit, info, comm, base_p, win))
UNMODELLED(Win_allocate_shared,
           (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base_p, MPI_Win *win),
           (bytes, unit, info, comm, base_p, win))
UNMODELLED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
UNMODELLED(Win_free, (MPI_Win * win), (win))

/* ---- one-sided: synchronisation ---- */

UNMODELLED(Win_fence, (int assert_, MPI_Win win), (assert_, win))
UNMODELLED(Win_start, (MPI_Group group, int assert_, MPI_Win win), (group, assert_, win))
UNMODELLED(Win_complete, (MPI_Win win), (win))
UNMODELLED(Win_post, (MPI_Group group, int assert_, MPI_Win win), (group, assert_, win))
UNMODELLED(Win_wait, (MPI_Win win), (win))
UNMODELLED(Win_test, (MPI_Win win, int *flag), (win, flag))
UNMODELLED(Win_lock, (int type, int rank, int assert_, MPI_Win win), (type, rank, assert_, win))
UNMODELLED(Win_unlock, (int rank, MPI_Win win), (rank, win))
UNMODELLED(Win_lock_all, (int assert_, MPI_Win win), (assert_, win))
UNMODELLED(Win_unlock_all, (MPI_Win win), (win))
UNMODELLED(Win_flush, (int rank, MPI_Win win), (rank, win))
UNMODELLED(Win_flush_all, (MPI_Win win), (win))
UNMODELLED(Win_flush_local, (int rank, MPI_Win win), (rank, win))
UNMODELLED(Win_flush_local_all, (MPI_Win win), (win))

/* ---- one-sided: transfers ---- */

#define PUT_PARAMETERS                                                                             \
    const void *origin, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,  \
        MPI_Datatype target_type
#define GET_PARAMETERS                                                                             \
    void *origin, int count, MPI_Datatype type, int rank, MPI_Aint place, int target_count,        \
        MPI_Datatype target_type
#define TRANSFER_ARGUMENTS origin, count, type, rank, place, target_count, target_type

UNMODELLED(Put, (PUT_PARAMETERS, MPI_Win win), (TRANSFER_ARGUMENTS, win))
UNMODELLED(Get, (GET_PARAMETERS, MPI_Win win), (TRANSFER_ARGUMENTS, win))
UNMODELLED(Rput, (PUT_PARAMETERS, MPI_Win win, MPI_Request *request),
           (TRANSFER_ARGUMENTS, win, request))
UNMODELLED(Rget, (GET_PARAMETERS, MPI_Win win, MPI_Request *request),
           (TRANSFER_ARGUMENTS, win, request))
UNMODELLED(Accumulate, (PUT_PARAMETERS, MPI_Op op, MPI_Win win), (TRANSFER_ARGUMENTS, op, win))
UNMODELLED(Raccumulate, (PUT_PARAMETERS, MPI_Op op, MPI_Win win, MPI_Request *request),
           (TRANSFER_ARGUMENTS, op, win, request))

#define GET_ACCUMULATE_PARAMETERS                                                                  \
    const void *origin, int count, MPI_Datatype type, void *result, int result_count,              \
        MPI_Datatype result_type, int rank, MPI_Aint place, int target_count,                      \
        MPI_Datatype target_type, MPI_Op op, MPI_Win win
#define GET_ACCUMULATE_ARGUMENTS                                                                   \
    origin, count, type, result, result_count, result_type, rank, place, target_count,             \
        target_type, op, win

UNMODELLED(Get_accumulate, (GET_ACCUMULATE_PARAMETERS), (GET_ACCUMULATE_ARGUMENTS))
UNMODELLED(Rget_accumulate, (GET_ACCUMULATE_PARAMETERS, MPI_Request *request),
           (GET_ACCUMULATE_ARGUMENTS, request))
UNMODELLED(Fetch_and_op,
           (const void *origin, void *result, MPI_Datatype type, int rank, MPI_Aint place,
            MPI_Op op, MPI_Win win),
           (origin, result, type, rank, place, op, win))
UNMODELLED(Compare_and_swap,
           (const void *origin, const void *compare, void *result, MPI_Datatype type, int rank,
            MPI_Aint place, MPI_Win win),
           (origin, compare, result, type, rank, place, win))

/* ---- files ---- */

UNMODELLED(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
           (comm, name, mode, info, file))
UNMODELLED(File_close, (MPI_File * file), (file))
UNMODELLED(File_sync, (MPI_File file), (file))
UNMODELLED(File_set_view,
           (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char *form,
            MPI_Info info),
           (file, at, unit, type, form, info))
UNMODELLED(File_set_size, (MPI_File file, MPI_Offset bytes), (file, bytes))
UNMODELLED(File_preallocate, (MPI_File file, MPI_Offset bytes), (file, bytes))
UNMODELLED(File_seek_shared, (MPI_File file, MPI_Offset at, int whence), (file, at, whence))

/* A transfer ends with the call or, by its result, later. */
#define FILE_READ(name, result)                                                                    \
    UNMODELLED(name, (MPI_File file, void *buffer, int count, MPI_Datatype type, result),          \
               (file, buffer, count, type, done))
#define FILE_READ_AT(name, result)                                                                 \
    UNMODELLED(name,                                                                               \
               (MPI_File file, MPI_Offset at, void *buffer, int count, MPI_Datatype type, result), \
               (file, at, buffer, count, type, done))
#define FILE_WRITE(name, result)                                                                   \
    UNMODELLED(name, (MPI_File file, const void *buffer, int count, MPI_Datatype type, result),    \
               (file, buffer, count, type, done))
#define FILE_WRITE_AT(name, result)                                                                \
    UNMODELLED(                                                                                    \
        name,                                                                                      \
        (MPI_File file, MPI_Offset at, const void *buffer, int count, MPI_Datatype type, result),  \
        (file, at, buffer, count, type, done))

FILE_READ(File_read, MPI_Status *done)
FILE_READ(File_read_all, MPI_Status *done)
FILE_READ(File_read_shared, MPI_Status *done)
FILE_READ(File_read_ordered, MPI_Status *done)
FILE_READ_AT(File_read_at, MPI_Status *done)
FILE_READ_AT(File_read_at_all, MPI_Status *done)
FILE_WRITE(File_write, MPI_Status *done)
FILE_WRITE(File_write_all, MPI_Status *done)
FILE_WRITE(File_write_shared, MPI_Status *done)
FILE_WRITE(File_write_ordered, MPI_Status *done)
FILE_WRITE_AT(File_write_at, MPI_Status *done)
FILE_WRITE_AT(File_write_at_all, MPI_Status *done)
FILE_READ(File_iread, MPI_Request *done)
FILE_READ(File_iread_all, MPI_Request *done)
FILE_READ(File_iread_shared, MPI_Request *done)
FILE_READ_AT(File_iread_at, MPI_Request *done)
FILE_READ_AT(File_iread_at_all, MPI_Request *done)
FILE_WRITE(File_iwrite, MPI_Request *done)
FILE_WRITE(File_iwrite_all, MPI_Request *done)
FILE_WRITE(File_iwrite_shared, MPI_Request *done)
FILE_WRITE_AT(File_iwrite_at, MPI_Request *done)
FILE_WRITE_AT(File_iwrite_at_all, MPI_Request *done)

/* ---- files: collective transfers in two calls ---- */

#define FILE_READ_SPLIT(name)                                                                      \
    UNMODELLED(name##_begin, (MPI_File file, void *buffer, int count, MPI_Datatype type),          \
               (file, buffer, count, type))                                                        \
    UNMODELLED(name##_end, (MPI_File file, void *buffer, MPI_Status *status),                      \
               (file, buffer, status))
#define FILE_WRITE_SPLIT(name)                                                                     \
    UNMODELLED(name##_begin, (MPI_File file, const void *buffer, int count, MPI_Datatype type),    \
               (file, buffer, count, type))                                                        \
    UNMODELLED(name##_end, (MPI_File file, const void *buffer, MPI_Status *status),                \
               (file, buffer, status))

FILE_READ_SPLIT(File_read_all)
FILE_READ_SPLIT(File_read_ordered)
FILE_WRITE_SPLIT(File_write_all)
FILE_WRITE_SPLIT(File_write_ordered)
UNMODELLED(File_read_at_all_begin,
           (MPI_File file, MPI_Offset at, void *buffer, int count, MPI_Datatype type),
           (file, at, buffer, count, type))
UNMODELLED(File_read_at_all_end, (MPI_File file, void *buffer, MPI_Status *status),
           (file, buffer, status))
UNMODELLED(File_write_at_all_begin,
           (MPI_File file, MPI_Offset at, const void *buffer, int count, MPI_Datatype type),
           (file, at, buffer, count, type))
UNMODELLED(File_write_at_all_end, (MPI_File file, const void *buffer, MPI_Status *status),
           (file, buffer, status))

/* ---- processes ---- */

UNMODELLED(Comm_spawn,
           (const char *program, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
            MPI_Comm *others, int codes[]),
           (program, argv, n, info, root, comm, others, codes))
UNMODELLED(Comm_spawn_multiple,
           (int n_programs, char *programs[], char **argvs[], const int n[], const MPI_Info infos[],
            int root, MPI_Comm comm, MPI_Comm *others, int codes[]),
           (n_programs, programs, argvs, n, infos, root, comm, others, codes))
UNMODELLED(Comm_accept,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *others),
           (port, info, root, comm, others))
UNMODELLED(Comm_connect,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *others),
           (port, info, root, comm, others))
UNMODELLED(Comm_join, (int socket, MPI_Comm *others), (socket, others))
