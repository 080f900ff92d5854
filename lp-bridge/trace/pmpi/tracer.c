/* Begin, end, clock, and the one way into the file. */
#include "lp-bridge/trace/pmpi/state.h"
#include "lp-bridge/trace/pmpi/wrap.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t ct_tracer_now(void)
{
    return ct_tracer.stream ? clock_ns(CLOCK_MONOTONIC) : 0;
}

void ct_tracer_give_up(const char *why)
{
    fprintf(stderr, "crosstalk trace: rank %d: %s; its trace ends here\n", ct_tracer.world_rank,
            why);
    ct_trace_stream_close(ct_tracer.stream, NULL);
    ct_tracer.stream = NULL;
}

bool ct_tracer_enter(void)
{
    if (!ct_tracer.stream)
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
    event.end_ns = clock_ns(CLOCK_MONOTONIC);
    add(&event);
}

void ct_tracer_pass(uint64_t start_ns)
{
    ct_tracer.idle_ns += clock_ns(CLOCK_MONOTONIC) - start_ns;
}

void ct_tracer_found_nothing(uint64_t start_ns)
{
    if (!ct_tracer_enter())
        return;
    ct_tracer_pass(start_ns);
    ct_tracer_leave();
}

/* Every rank makes the folder: they need not share a file system. */
static enum ct_status open_stream(const char *directory, struct ct_error *err)
{
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    int n_ranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    struct ct_trace_header header = {.rank = (uint32_t)ct_tracer.world_rank,
                                     .n_ranks = (uint32_t)n_ranks,
                                     .start_ns = clock_ns(CLOCK_MONOTONIC),
                                     .start_unix_ns = clock_ns(CLOCK_REALTIME)};
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "cannot make %s: %s", directory, strerror(errno));
    ct_trace_file_name(header.rank, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s", directory);
    return ct_trace_stream_open(path, &header, &ct_tracer.stream, err);
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
        fprintf(stderr, "crosstalk trace: rank %d: %s; it is not traced\n", ct_tracer.world_rank,
                err.text);
        return;
    }
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
    if (ct_tracer.stream && ct_trace_stream_close(ct_tracer.stream, &err) != CT_OK)
        fprintf(stderr, "crosstalk trace: rank %d: %s\n", ct_tracer.world_rank, err.text);
    ct_tracer.stream = NULL;
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
