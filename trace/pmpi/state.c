/* The state, the clock, and the one way into the file. */
#include "trace/pmpi/state.h"

#include "core/clock.h"
#include "trace/pmpi/wrap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !CT_SIMULATED
struct ct_tracer_state ct_tracer = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local struct ct_tracer_thread ct_tracer_this_thread;
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

static void leave_at(struct ct_tracer_thread *thread, uint64_t clock_ns)
{
    thread->left_ns = clock_ns;
    thread->left_processor_ns = ct_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    thread->has_left = true;
}

uint64_t ct_tracer_read_clock(void)
{
    return ct_clock_now_ns() - ct_tracer_this_thread.behind_ns;
}

/* What the thread waited for a processor, or slept, does not count. Its clock begins as far behind
 * as that of the thread whose call ended last. */
static uint64_t end_of_computing(struct ct_tracer_thread *thread)
{
    uint64_t before_ns = thread->left_ns, computed_ns = thread->left_processor_ns;
    bool has_left = thread->has_left;
    uint64_t now_ns = ct_clock_now_ns();
    leave_at(thread, now_ns);
    computed_ns = thread->left_processor_ns - computed_ns;
    if (!has_left)
        thread->behind_ns = ct_tracer.behind_ns;
    else if (now_ns - before_ns > computed_ns)
        thread->behind_ns += now_ns - before_ns - computed_ns;
    return now_ns - thread->behind_ns;
}

/* A call from within another one is no end of computing, and what ended before the outer call began
 * ended before it too. Events are counted first: those had ended at the time that is read. */
uint64_t ct_tracer_now(void)
{
    struct ct_tracer_thread *thread = &ct_tracer_this_thread;
    if (!ct_tracer.tracing)
        return 0;
    if (ct_tracer_depth > 0)
        return ct_tracer_read_clock();
    thread->after = atomic_load_explicit(&ct_tracer.n_events, memory_order_acquire);
    return ct_tracer.by_processor ? end_of_computing(thread) : ct_tracer_read_clock();
}

/* The end of a call. */
static uint64_t end_of_call(struct ct_tracer_thread *thread)
{
    uint64_t now_ns = ct_clock_now_ns();
    if (ct_tracer.by_processor) {
        leave_at(thread, now_ns);
        ct_tracer.behind_ns = thread->behind_ns;
    }
    return now_ns - thread->behind_ns;
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
    if (!ct_tracer.tracing) {
        ct_tracer.n_late += ct_tracer.finalizing;
        return false;
    }
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

static void add_event(const struct ct_trace_event *event)
{
    struct ct_error err;
    if (ct_tracer.stream && ct_trace_stream_add(ct_tracer.stream, event, &err) != CT_OK)
        ct_tracer_give_up(err.text);
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
        add_event(&(struct ct_trace_event){
            .kind = CT_TRACE_SITE, .site = number, .text = name, .n_text = strlen(name)});
    return number;
}
#endif

uint64_t ct_tracer_events_with_next(void)
{
    return ct_tracer.n_events + (ct_tracer_this_thread.idle_ns > 0) + 1;
}

/* Other threads see both events of a call or none: what began after one of them began after the
 * call had ended. */
void ct_tracer_write(uint64_t start_ns, struct ct_trace_event event)
{
    struct ct_tracer_thread *thread = &ct_tracer_this_thread;
    uint64_t n_events = ct_tracer_events_with_next();
    if (!ct_tracer.stream)
        return;
    if (thread->number == 0)
        thread->number = ++ct_tracer.n_threads;
    event.thread = thread->number - 1;
    if (thread->idle_ns > 0)
        add_event(&(struct ct_trace_event){.kind = CT_TRACE_TEST,
                                           .start_ns = start_ns - thread->idle_ns,
                                           .end_ns = start_ns,
                                           .thread = event.thread,
                                           .after = thread->idle_after});
    thread->idle_ns = 0;
    if (event.kind > CT_TRACE_NEW_COMM)
        event.site = site_now();
    event.after = thread->after;
    event.start_ns = start_ns;
    event.end_ns = end_of_call(thread);
    add_event(&event);
    atomic_store_explicit(&ct_tracer.n_events, n_events, memory_order_release);
}

void ct_tracer_pass(uint64_t start_ns)
{
    struct ct_tracer_thread *thread = &ct_tracer_this_thread;
    if (thread->idle_ns == 0)
        thread->idle_after = thread->after;
    thread->idle_ns += end_of_call(thread) - start_ns;
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

uint64_t ct_tracer_block_bytes(const struct ct_tracer_blocks *blocks, int i)
{
    MPI_Count count = blocks->counts         ? blocks->counts[i]
                      : blocks->large_counts ? blocks->large_counts[i]
                                             : blocks->count;
    return ct_tracer_bytes(count, blocks->types ? blocks->types[i] : blocks->type);
}
