/* Begin, end, clock, and the one way into the file. */
#include "core/clock.h"
#include "lp-bridge/trace/pmpi/state.h"
#include "lp-bridge/trace/pmpi/wrap.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ct_tracer ct_tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local unsigned ct_tracer_depth;

void *ct_tracer_find_call(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found)
        return found;
    fprintf(stderr, "crosstalk trace: the program's MPI library has no %s\n", name);
    abort();
}

uint64_t ct_tracer_now(void)
{
    return ct_tracer.tracing ? ct_clock_now_ns() : 0;
}

static enum ct_status end_stream(struct ct_error *err)
{
    enum ct_status status = ct_trace_stream_close(ct_tracer.stream, err);
    ct_tracer.stream = NULL;
    ct_tracer.tracing = false;
    return status;
}

void ct_tracer_give_up(const char *why)
{
    fprintf(stderr, "crosstalk trace: rank %d: %s; its trace ends here\n", ct_tracer.world_rank,
            why);
    end_stream(NULL);
}

bool ct_tracer_enter(void)
{
    if (!ct_tracer.tracing)
        return false;
    pthread_mutex_lock(&ct_tracer.lock);
    if (ct_tracer.stream)
        return true;
    pthread_mutex_unlock(&ct_tracer.lock);
    return false;
}

void ct_tracer_leave(void)
{
    pthread_mutex_unlock(&ct_tracer.lock);
}

static void add(const struct ct_trace_event *event)
{
    struct ct_error err;
    if (ct_tracer.stream && ct_trace_stream_add(ct_tracer.stream, event, &err) != CT_OK)
        ct_tracer_give_up(err.text);
}

/* Calls of several threads overlap, and an event knows no thread: their order is not that of the
 * program. */
static void look_for_threads(uint64_t start_ns, enum ct_trace_kind kind)
{
    static const char text[] = "communication by several threads at once";
    if (!ct_tracer.concurrent || kind <= CT_TRACE_NEW_COMM)
        return;
    if (!ct_tracer.has_caller)
        ct_tracer.caller = pthread_self();
    ct_tracer.has_caller = true;
    if (pthread_equal(ct_tracer.caller, pthread_self()))
        return;
    ct_tracer.concurrent = false;
    add(&(struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                 .start_ns = start_ns,
                                 .end_ns = start_ns,
                                 .text = text,
                                 .n_text = sizeof text - 1});
}

void ct_tracer_write(uint64_t start_ns, struct ct_trace_event event)
{
    if (!ct_tracer.stream)
        return;
    look_for_threads(start_ns, event.kind);
    if (ct_tracer.idle_ns > 0)
        add(&(struct ct_trace_event){
            .kind = CT_TRACE_TEST, .start_ns = start_ns - ct_tracer.idle_ns, .end_ns = start_ns});
    ct_tracer.idle_ns = 0;
    event.start_ns = start_ns;
    event.end_ns = ct_clock_now_ns();
    add(&event);
}

void ct_tracer_pass(uint64_t start_ns)
{
    ct_tracer.idle_ns += ct_clock_now_ns() - start_ns;
}

void ct_tracer_found_nothing(uint64_t start_ns)
{
    if (!ct_tracer_enter())
        return;
    ct_tracer_pass(start_ns);
    ct_tracer_leave();
}

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
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    struct ct_trace_header header = {.rank = (uint32_t)ct_tracer.world_rank,
                                     .n_ranks = (uint32_t)n_ranks,
                                     .start_ns = ct_clock_now_ns(),
                                     .start_unix_ns = ct_clock_unix_ns()};
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
    struct ct_error err;
    int threads = MPI_THREAD_SINGLE;
    const char *directory = getenv(CT_TRACE_DIRECTORY_VARIABLE);
    if (!directory || !*directory || ct_tracer.stream || was_spawned())
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &ct_tracer.world_rank);
    PMPI_Query_thread(&threads);
    ct_tracer.concurrent = threads == MPI_THREAD_MULTIPLE;
    if (open_stream(directory, &err) != CT_OK) {
        say_not_traced(directory, &err);
        return;
    }
    ct_tracer.tracing = true;
    ct_tracer_new_comm(ct_tracer_now(), MPI_COMM_WORLD, MPI_COMM_NULL);
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
    if (ct_tracer.stream && end_stream(&err) != CT_OK)
        fprintf(stderr, "crosstalk trace: rank %d: %s\n", ct_tracer.world_rank, err.text);
    ct_tracer_leave();
}

void ct_tracer_unmodelled(uint64_t start_ns, const char *name)
{
    if (!ct_tracer_enter())
        return;
    ct_tracer_write(
        start_ns,
        (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED, .text = name, .n_text = strlen(name)});
    ct_tracer_leave();
}

uint64_t ct_tracer_bytes(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        size <= 0)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}
