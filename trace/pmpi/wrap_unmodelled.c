/* Wrappers of calls that communicate in ways that the execution graph does not know: files, new
 * processes. Each is recorded by name, so that the reader can warn. */
#include "trace/pmpi/wrap.h"

/* ---- files ---- */

UNMODELLED(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
           (comm, name, mode, info, file))
UNMODELLED(File_delete, (const char *name, MPI_Info info), (name, info))
UNMODELLED(File_close, (MPI_File * file), (file))
UNMODELLED(File_sync, (MPI_File file), (file))
UNMODELLED(File_set_view,
           (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type, const char *form,
            MPI_Info info),
           (file, at, unit, type, form, info))
UNMODELLED(File_set_size, (MPI_File file, MPI_Offset bytes), (file, bytes))
UNMODELLED(File_preallocate, (MPI_File file, MPI_Offset bytes), (file, bytes))
UNMODELLED(File_set_info, (MPI_File file, MPI_Info info), (file, info))
UNMODELLED(File_set_atomicity, (MPI_File file, int flag), (file, flag))
UNMODELLED(File_seek_shared, (MPI_File file, MPI_Offset at, int whence), (file, at, whence))

#define FILE_READ_END(name)                                                                        \
    UNMODELLED(name, (MPI_File file, void *buffer, MPI_Status *status), (file, buffer, status))
#define FILE_WRITE_END(name)                                                                       \
    UNMODELLED(name, (MPI_File file, const void *buffer, MPI_Status *status),                      \
               (file, buffer, status))

FILE_READ_END(File_read_all_end)
FILE_READ_END(File_read_ordered_end)
FILE_READ_END(File_read_at_all_end)
FILE_WRITE_END(File_write_all_end)
FILE_WRITE_END(File_write_ordered_end)
FILE_WRITE_END(File_write_at_all_end)

/* ---- processes ---- */

UNMODELLED(Comm_spawn,
           (const char *program, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
            MPI_Comm *others, int codes[]),
           (program, argv, n, info, root, comm, others, codes))
#if !CT_SIMULATED
UNMODELLED(Comm_spawn_multiple,
           (int n_programs, char *programs[], char **argvs[], const int n[], const MPI_Info infos[],
            int root, MPI_Comm comm, MPI_Comm *others, int codes[]),
           (n_programs, programs, argvs, n, infos, root, comm, others, codes))
#endif
UNMODELLED(Comm_accept,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *others),
           (port, info, root, comm, others))
UNMODELLED(Comm_connect,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *others),
           (port, info, root, comm, others))
UNMODELLED(Comm_join, (int socket, MPI_Comm *others), (socket, others))
