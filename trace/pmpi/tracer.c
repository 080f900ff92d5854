/* Beginning a trace and ending it. */
#include "core/clock.h"
#include "trace/pmpi/state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool path_of(const char *directory, uint32_t rank, char path[PATH_MAX])
{
    char name[CT_TRACE_NAME_MAX];
    ct_trace_file_name(rank, name);
    return (size_t)snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

/* Whether rank 0's trace is of a program with another number of ranks. That of this program may be
 * there as well, or be about to be. */
static bool is_of_another(const char *directory, uint32_t n_ranks)
{
    char path[PATH_MAX];
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header header;
    int fd = path_of(directory, 0, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);
    if (fd >= 0)
        close(fd);
    return n > 0 && ct_trace_header_decode(bytes, (size_t)n, &header, NULL) == CT_OK &&
           header.n_ranks != n_ranks;
}

/* Every rank makes the folder: they need not share a file system. */
static enum ct_status open_stream(const char *directory, struct ct_error *err)
{
    char path[PATH_MAX];
    int n_ranks;
    PMPI_Comm_size(ct_tracer.world, &n_ranks);
    struct ct_trace_header header = {.rank = (uint32_t)ct_tracer.world_rank,
                                     .n_ranks = (uint32_t)n_ranks,
                                     .start_ns = ct_clock_now_ns(),
                                     .start_unix_ns = ct_clock_unix_ns(),
                                     .by_processor = ct_tracer.by_processor,
                                     .has_sites = ct_tracer.has_sites,
                                     .in_simgrid = CT_SIMULATED,
                                     .has_threads = ct_tracer.has_threads};
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "cannot make %s: %s", directory, strerror(errno));
    if (!path_of(directory, header.rank, path))
        return ct_fail(err, CT_EIO, "path is too long: %s", directory);
    if (is_of_another(directory, header.n_ranks))
        return ct_fail(err, CT_EEXIST, "%s is of another program", directory);
    return ct_trace_stream_open(path, &header, &ct_tracer.stream, err);
}

/* All ranks of a second program find that; its first one says so. */
static void say_not_traced(const char *directory, const struct ct_error *err)
{
    if (err->status != CT_EEXIST)
        fprintf(stderr, "crosstalk trace: rank %d: %s; it is not traced\n", ct_tracer.world_rank,
                err->text);
    else if (ct_tracer.world_rank == 0)
        fprintf(stderr,
                "crosstalk trace: %s holds the traces of an earlier program; this one is not "
                "traced: trace it by itself, to a folder of its own\n",
                directory);
}

/* Processes that the traced program made have a world, and so ranks, of their own: their traces
 * would replace the program's. */
static bool was_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

void ct_tracer_begin(void)
{
    int threads = MPI_THREAD_SINGLE;
    const char *directory = getenv(CT_TRACE_DIRECTORY_VARIABLE);
    const char *compute = getenv(CT_TRACE_COMPUTE_VARIABLE);
    const char *sites = getenv(CT_TRACE_SITES_VARIABLE);
    if (!directory || !*directory || ct_tracer.stream || was_spawned())
        return;
    PMPI_Query_thread(&threads);
    ct_tracer.has_threads = threads == MPI_THREAD_MULTIPLE;
    ct_tracer.by_processor = compute && strcmp(compute, "cpu") == 0;
    ct_tracer.has_sites = sites && strcmp(sites, "1") == 0;
    ct_tracer_begin_in(directory, MPI_COMM_WORLD);
}

void ct_tracer_begin_in(const char *directory, MPI_Comm world)
{
    struct ct_error err;
    ct_tracer.world = world;
    PMPI_Comm_rank(world, &ct_tracer.world_rank);
    if (open_stream(directory, &err) != CT_OK) {
        say_not_traced(directory, &err);
        return;
    }
    ct_tracer.tracing = true;
    ct_tracer_new_comm(ct_tracer_now(), world, MPI_COMM_NULL);
    ct_tracer_new_comm(ct_tracer_now(), MPI_COMM_SELF, MPI_COMM_NULL);
    if (ct_tracer_enter()) {
        ct_tracer_write(ct_tracer_now(), (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
        ct_tracer_leave();
    }
}

void ct_tracer_end(void)
{
    struct ct_error err;
    if (!ct_tracer_enter())
        return;
    ct_tracer_write(ct_tracer_now(), (struct ct_trace_event){.kind = CT_TRACE_END});
    if (ct_tracer.stream && ct_tracer_close(&err) != CT_OK)
        fprintf(stderr, "crosstalk trace: rank %d: %s\n", ct_tracer.world_rank, err.text);
    ct_tracer.finalizing = true;
    ct_tracer_leave();
}

void ct_tracer_finalized(void)
{
    ct_tracer.finalizing = false;
    if (ct_tracer.n_late > 0 && ct_tracer.world_rank == 0)
        fprintf(stderr,
                "crosstalk trace: callbacks within MPI_Finalize made calls of MPI (%u on rank 0): "
                "they are not traced, since a trace ends with the call of MPI_Finalize\n",
                ct_tracer.n_late);
    ct_tracer.n_late = 0;
}
