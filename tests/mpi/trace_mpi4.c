/*
 * Calls that are new in MPI 4: large counts, which are recorded as the others are, and those that
 * are recorded as nonblocking calls. Then calls by their PMPI names, and calls of files that a
 * library makes of other calls.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "trace_mpi4: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void large_counts(int next, int before, int n)
{
    int out[2] = {1, 2}, in[2] = {0};
    MPI_Request requests[2];
    MPI_Irecv_c(in, 2, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, 2, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect(in[1] == 2, "large counts");
    MPI_Sendrecv_c(out, 1, MPI_INT, next, 2, in, 1, MPI_INT, before, 2, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    MPI_Bcast_c(out, 2, MPI_INT, 1, MPI_COMM_WORLD);
    int *from = calloc((size_t)n * 3, sizeof *from), *to = calloc((size_t)n * 3, sizeof *to);
    MPI_Count *counts = calloc((size_t)n, sizeof *counts);
    MPI_Aint *displacements = calloc((size_t)n, sizeof *displacements);
    for (int i = 0; i < n; i++) {
        counts[i] = 3;
        displacements[i] = 3 * i;
    }
    MPI_Alltoallv_c(from, counts, displacements, MPI_INT, to, counts, displacements, MPI_INT,
                    MPI_COMM_WORLD);
    MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, counts, displacements, MPI_INT,
                     MPI_COMM_WORLD);
    MPI_Ireduce_scatter_c(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    free(from);
    free(to);
    free(counts);
    free(displacements);
}

static void sendrecv_requests(int next, int before)
{
    int out[2] = {1, 7}, in[2] = {0};
    MPI_Status status;
    MPI_Request request;
    MPI_Isendrecv(out, 2, MPI_INT, next, 3, in, 2, MPI_INT, before, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    expect(in[1] == 7, "isendrecv");
    MPI_Isendrecv_replace(out, 1, MPI_INT, next, 6, before, 6, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv(out, 1, MPI_INT, next, 7, in, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD,
                  &request);
    MPI_Recv(in, 1, MPI_INT, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request many[40]; /* more than a wait has room for without asking for memory */
    for (int i = 0; i < 40; i++)
        MPI_Isendrecv(out, 1, MPI_INT, next, 8, &in[1], 1, MPI_INT, before, 8, MPI_COMM_WORLD,
                      &many[i]);
    MPI_Waitall(40, many, MPI_STATUSES_IGNORE);
}

static void persistent_collectives(int n)
{
    int out[4] = {1, 1, 1, 1}, in[4] = {0};
    int *counts = calloc((size_t)n, sizeof *counts), *from = calloc((size_t)n, sizeof *from);
    MPI_Request requests[3];
    MPI_Allreduce_init(out, in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Reduce_scatter_init(from, in + 1, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &requests[2]);
    MPI_Request_free(&requests[2]); /* never started */
    for (int i = 0; i < n; i++)
        counts[i] = 1;
    MPI_Reduce_scatter_init(from, in + 1, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &requests[2]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        expect(in[0] == n, "persistent allreduce");
        MPI_Startall(2, requests + 1);
        MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    MPI_Bcast_init_c(out, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Request_free(&requests[0]);
    free(counts);
    free(from);
}

/* Three parts of 8 B: a message of 24 B. */
static void partitions(int next, int before)
{
    int out[6] = {0, 1, 2, 3, 4, 5}, in[6] = {0}, arrived = 0;
    MPI_Request requests[2];
    MPI_Psend_init(out, 3, 2, MPI_INT, next, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 3, 2, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Pready(2, requests[0]);
        if (i == 0)
            MPI_Pready_range(0, 1, requests[0]);
        else
            MPI_Pready_list(2, (int[]){0, 1}, requests[0]);
        MPI_Barrier(MPI_COMM_SELF);
        while (i == 0 && !arrived)
            MPI_Parrived(requests[1], 0, &arrived);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        expect(in[5] == 5, "partitions");
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void by_other_names(int next, int before)
{
    int out = 1, in = 0;
    MPI_File file;
    MPI_Offset bytes;
    PMPI_Sendrecv(&out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, before, 5, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
    MPI_File_open(MPI_COMM_WORLD, "shared.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_write_ordered(file, &out, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_get_size(file, &bytes);
    MPI_File_get_position_shared(file, &bytes);
    MPI_File_close(&file);
    PMPI_Barrier(MPI_COMM_WORLD);
    if (next == 1)
        MPI_File_delete("shared.out", MPI_INFO_NULL);
}

int main(int argc, char **argv)
{
    int rank, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    large_counts((rank + 1) % n, (rank + n - 1) % n, n);
    sendrecv_requests((rank + 1) % n, (rank + n - 1) % n);
    persistent_collectives(n);
    partitions((rank + 1) % n, (rank + n - 1) % n);
    by_other_names((rank + 1) % n, (rank + n - 1) % n);
    MPI_Finalize();
    return 0;
}
