/* The state, the clock, and the one way into the file. */
#include "lp-bridge/trace/pmpi/state.h"

#include "core/clock.h"
#include "lp-bridge/trace/pmpi/wrap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !CT_SIMULATED
struct ct_tracer_state ct_tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local unsigned ct_tracer_depth;
_Thread_local const void *ct_tracer_caller;
#endif

void *ct_tracer_find_call(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found)
        return found;
    fprintf(stderr, "crosstalk trace: the program's MPI library has no %s\n", name);
    abort();
}

/* ---- the clock ---- */

/* Where the time between two calls of this thread begins. */
static _Thread_local struct {
    uint64_t clock_ns, processor_ns;
    bool is_set;
} left __attribute__((tls_model("initial-exec")));

static void leave_at(uint64_t clock_ns)
{
    left.clock_ns = clock_ns;
    left.processor_ns = ct_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    left.is_set = true;
}

uint64_t ct_tracer_read_clock(void)
{
    return ct_clock_now_ns() - ct_tracer.behind_ns;
}

/* What the thread waited for a processor, or slept, does not count. A call from within another one
 * is no end of computing. */
uint64_t ct_tracer_now(void)
{
    if (!ct_tracer.tracing)
        return 0;
    if (!ct_tracer.by_processor || ct_tracer_depth > 0)
        return ct_tracer_read_clock();
    uint64_t before_ns = left.clock_ns, computed_ns = left.processor_ns;
    bool was_set = left.is_set;
    uint64_t now_ns = ct_clock_now_ns();
    leave_at(now_ns);
    computed_ns = left.processor_ns - computed_ns;
    if (was_set && now_ns - before_ns > computed_ns)
        ct_tracer.behind_ns += now_ns - before_ns - computed_ns;
    return now_ns - ct_tracer.behind_ns;
}

/* The end of a call. */
static uint64_t end_of_call(void)
{
    uint64_t now_ns = ct_clock_now_ns();
    if (ct_tracer.by_processor)
        leave_at(now_ns);
    return now_ns - ct_tracer.behind_ns;
}

/* ---- the file ---- */

enum ct_status ct_tracer_close(struct ct_error *err)
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
    ct_tracer_close(NULL);
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
    static const char text[] = CT_TRACE_THREADS;
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

/* The place of this thread's call, which is named before it is used first. */
#if CT_SIMULATED
static uint32_t site_now(void)
{
    return 0;
}
#else
static uint32_t site_now(void)
{
    char name[CT_TRACE_SITE_MAX + 1];
    if (!ct_tracer.has_sites || !ct_tracer_caller)
        return 0;
    uint32_t number = ct_tracer_site(&ct_tracer.sites, ct_tracer_caller, name);
    if (*name) /* at time 0, which a stream makes the end of the last event */
        add(&(struct ct_trace_event){
            .kind = CT_TRACE_SITE, .site = number, .text = name, .n_text = strlen(name)});
    return number;
}
#endif

void ct_tracer_write(uint64_t start_ns, struct ct_trace_event event)
{
    if (!ct_tracer.stream)
        return;
    look_for_threads(start_ns, event.kind);
    if (ct_tracer.idle_ns > 0)
        add(&(struct ct_trace_event){
            .kind = CT_TRACE_TEST, .start_ns = start_ns - ct_tracer.idle_ns, .end_ns = start_ns});
    ct_tracer.idle_ns = 0;
    if (event.kind > CT_TRACE_NEW_COMM)
        event.site = site_now();
    event.start_ns = start_ns;
    event.end_ns = end_of_call();
    add(&event);
}

void ct_tracer_pass(uint64_t start_ns)
{
    ct_tracer.idle_ns += end_of_call() - start_ns;
}

void ct_tracer_found_nothing(uint64_t start_ns)
{
    if (!ct_tracer_enter())
        return;
    ct_tracer_pass(start_ns);
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
