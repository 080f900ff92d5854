/* Wrappers of calls with counts that communicate in ways that the execution graph does not know:
 * files. */
#include "trace/pmpi/wrap.h"

/* A transfer ends with the call or, by its result, later. */
#define FILE_READ(name, result)                                                                    \
    UNMODELLED(name, (MPI_File file, void *buffer, COUNT count, MPI_Datatype type, result),        \
               (file, buffer, count, type, done))
#define FILE_READ_AT(name, result)                                                                 \
    UNMODELLED(                                                                                    \
        name,                                                                                      \
        (MPI_File file, MPI_Offset at, void *buffer, COUNT count, MPI_Datatype type, result),      \
        (file, at, buffer, count, type, done))
#define FILE_WRITE(name, result)                                                                   \
    UNMODELLED(name, (MPI_File file, const void *buffer, COUNT count, MPI_Datatype type, result),  \
               (file, buffer, count, type, done))
#define FILE_WRITE_AT(name, result)                                                                \
    UNMODELLED(name,                                                                               \
               (MPI_File file, MPI_Offset at, const void *buffer, COUNT count, MPI_Datatype type,  \
                result),                                                                           \
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

/* ---- files: beginnings of collective transfers in two calls ---- */

#define FILE_READ_BEGIN(name)                                                                      \
    UNMODELLED(name, (MPI_File file, void *buffer, COUNT count, MPI_Datatype type),                \
               (file, buffer, count, type))
#define FILE_WRITE_BEGIN(name)                                                                     \
    UNMODELLED(name, (MPI_File file, const void *buffer, COUNT count, MPI_Datatype type),          \
               (file, buffer, count, type))

FILE_READ_BEGIN(File_read_all_begin)
FILE_READ_BEGIN(File_read_ordered_begin)
FILE_WRITE_BEGIN(File_write_all_begin)
FILE_WRITE_BEGIN(File_write_ordered_begin)
UNMODELLED(File_read_at_all_begin,
           (MPI_File file, MPI_Offset at, void *buffer, COUNT count, MPI_Datatype type),
           (file, at, buffer, count, type))
UNMODELLED(File_write_at_all_begin,
           (MPI_File file, MPI_Offset at, const void *buffer, COUNT count, MPI_Datatype type),
           (file, at, buffer, count, type))
