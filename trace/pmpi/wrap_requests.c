/* Wrappers of calls that start, complete, cancel and free requests. Calls change the handles that
 * they complete, so the tracer gets a copy from before; and it needs statuses even where the
 * program does not. */
#include "trace/pmpi/wrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

/* Copies of handles, and statuses, without asking for memory where they are few. */
struct view {
    MPI_Request few_handles[FEW], *handles;
    MPI_Status few_statuses[FEW], *statuses;
    MPI_Request *made_handles; /* where there are more; NULL: none */
    MPI_Status *made_statuses;
    bool complete; /* false: out of memory, nothing is recorded */
};

static void look_at_requests(struct view *view, int n, const MPI_Request *handles,
                             MPI_Status *statuses)
{
    size_t count = n > 0 ? (size_t)n : 0;
    bool few = count <= FEW, own = statuses == MPI_STATUSES_IGNORE;
    view->made_handles = few ? NULL : malloc(count * sizeof *handles);
    view->made_statuses = few || !own ? NULL : malloc(count * sizeof *statuses);
    view->handles = few ? view->few_handles : view->made_handles;
    view->statuses = !own ? statuses : few ? view->few_statuses : view->made_statuses;
    view->complete = view->handles && view->statuses;
    if (!view->statuses)
        view->statuses = statuses;
    if (view->handles && count > 0)
        memcpy(view->handles, handles, count * sizeof *handles);
}

static void look_away(const struct view *view)
{
    free(view->made_handles);
    free(view->made_statuses);
}

/* Whether a call may have completed requests: also where a message was longer than its buffer. */
static bool completes_call(int code)
{
    int class = MPI_SUCCESS;
    if (code == MPI_SUCCESS)
        return true;
    return PMPI_Error_class(code, &class) == MPI_SUCCESS &&
           (class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS);
}

/* ---- one request ---- */

CT_TRACE_CALL(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
{
    MPI_Status own;
    MPI_Request before = *request;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Wait(request, status);
    if (completes_call(code))
        ct_tracer_completed(start_ns, CT_TRACE_WAIT, code, &before, 1, NULL, status);
    return code;
}

CT_TRACE_CALL(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
{
    MPI_Status own;
    MPI_Request before = *request;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Test(request, flag, status);
    if (completes_call(code) && *flag)
        ct_tracer_completed(start_ns, CT_TRACE_TEST, code, &before, 1, NULL, status);
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}

/* Leaves the request as it is: a wait, test or free ends it later. But what the program does from
 * here on may depend on what it has seen. */
CT_TRACE_CALL(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status),
              (request, flag, status))
{
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = next_Request_get_status(request, flag, status);
    if (code == MPI_SUCCESS && *flag)
        ct_tracer_seen(start_ns, request, status);
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}

CT_TRACE_CALL(Start, (MPI_Request * request), (request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Start(request);
    if (code == MPI_SUCCESS)
        ct_tracer_started(start_ns, 1, request);
    return code;
}

CT_TRACE_CALL(Startall, (int n, MPI_Request requests[]), (n, requests))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Startall(n, requests);
    if (code == MPI_SUCCESS)
        ct_tracer_started(start_ns, n, requests);
    return code;
}

CT_TRACE_CALL(Cancel, (MPI_Request * request), (request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Cancel(request);
    if (code == MPI_SUCCESS)
        ct_tracer_request_event(start_ns, CT_TRACE_CANCEL, *request);
    return code;
}

CT_TRACE_CALL(Request_free, (MPI_Request * request), (request))
{
    MPI_Request before = *request;
    uint64_t start_ns = ct_tracer_now();
    int code = next_Request_free(request);
    if (code == MPI_SUCCESS)
        ct_tracer_request_event(start_ns, CT_TRACE_FREE, before);
    return code;
}

/* ---- several requests ---- */

CT_TRACE_CALL(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]),
              (n, requests, statuses))
{
    struct view view;
    uint64_t start_ns = ct_tracer_now();
    look_at_requests(&view, n, requests, statuses);
    int code = next_Waitall(n, requests, view.statuses);
    if (completes_call(code) && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_WAIT, code, view.handles, n, NULL, view.statuses);
    look_away(&view);
    return code;
}

CT_TRACE_CALL(Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
              (n, requests, flag, statuses))
{
    struct view view;
    uint64_t start_ns = ct_tracer_now();
    look_at_requests(&view, n, requests, statuses);
    int code = next_Testall(n, requests, flag, view.statuses);
    if (completes_call(code) && *flag && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_TEST, code, view.handles, n, NULL, view.statuses);
    else if (code == MPI_SUCCESS && !*flag)
        ct_tracer_found_nothing(start_ns);
    look_away(&view);
    return code;
}

CT_TRACE_CALL(Waitany, (int n, MPI_Request requests[], int *index, MPI_Status *status),
              (n, requests, index, status))
{
    struct view view;
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    look_at_requests(&view, n, requests, status);
    int code = next_Waitany(n, requests, index, status);
    if (completes_call(code) && *index != MPI_UNDEFINED && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_WAIT, code, view.handles, 1, index, status);
    look_away(&view);
    return code;
}

CT_TRACE_CALL(Testany, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
              (n, requests, index, flag, status))
{
    struct view view;
    MPI_Status own;
    uint64_t start_ns = ct_tracer_now();
    status = status == MPI_STATUS_IGNORE ? &own : status;
    look_at_requests(&view, n, requests, status);
    int code = next_Testany(n, requests, index, flag, status);
    if (completes_call(code) && *flag && *index != MPI_UNDEFINED && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_TEST, code, view.handles, 1, index, status);
    else if (code == MPI_SUCCESS && !*flag)
        ct_tracer_found_nothing(start_ns);
    look_away(&view);
    return code;
}

CT_TRACE_CALL(Waitsome,
              (int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[]),
              (n, requests, n_done, indices, statuses))
{
    struct view view;
    uint64_t start_ns = ct_tracer_now();
    look_at_requests(&view, n, requests, statuses);
    int code = next_Waitsome(n, requests, n_done, indices, view.statuses);
    if (completes_call(code) && *n_done != MPI_UNDEFINED && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_WAIT, code, view.handles, *n_done, indices,
                            view.statuses);
    look_away(&view);
    return code;
}

CT_TRACE_CALL(Testsome,
              (int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[]),
              (n, requests, n_done, indices, statuses))
{
    struct view view;
    uint64_t start_ns = ct_tracer_now();
    look_at_requests(&view, n, requests, statuses);
    int code = next_Testsome(n, requests, n_done, indices, view.statuses);
    if (code == MPI_SUCCESS && *n_done == 0)
        ct_tracer_found_nothing(start_ns);
    else if (completes_call(code) && *n_done != MPI_UNDEFINED && view.complete)
        ct_tracer_completed(start_ns, CT_TRACE_TEST, code, view.handles, *n_done, indices,
                            view.statuses);
    look_away(&view);
    return code;
}

/* ---- partitioned messages ---- */

#if MPI_VERSION >= 4
#define PARTS(name, kind, buffer)                                                                  \
    CT_TRACE_CALL(name,                                                                            \
                  (buffer, int n_parts, MPI_Count count, MPI_Datatype type, int rank, int tag,     \
                   MPI_Comm comm, MPI_Info info, MPI_Request *request),                            \
                  (of, n_parts, count, type, rank, tag, comm, info, request))                      \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name(of, n_parts, count, type, rank, tag, comm, info, request);          \
        if (code == MPI_SUCCESS)                                                                   \
            ct_tracer_parts(start_ns, kind,                                                        \
                            (struct ct_tracer_message){count, type, rank, tag, comm}, n_parts,     \
                            request);                                                              \
        return code;                                                                               \
    }

PARTS(Psend_init, CT_TRACE_SEND, const void *of)
PARTS(Precv_init, CT_TRACE_RECEIVE, void *of)

CT_TRACE_CALL(Pready, (int part, MPI_Request request), (part, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Pready(part, request);
    if (code == MPI_SUCCESS)
        ct_tracer_ready(start_ns, request, 1);
    return code;
}

CT_TRACE_CALL(Pready_range, (int first, int last, MPI_Request request), (first, last, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Pready_range(first, last, request);
    if (code == MPI_SUCCESS)
        ct_tracer_ready(start_ns, request, last - first + 1);
    return code;
}

/* Of the list, which is const in some MPI libraries only. */
typedef __typeof__(*_Generic(&PMPI_Pready_list, int (*)(int, const int *, MPI_Request)
                             : (const int *)0, default
                             : (int *)0)) part_number;

CT_TRACE_CALL(Pready_list, (int n, part_number *parts, MPI_Request request), (n, parts, request))
{
    uint64_t start_ns = ct_tracer_now();
    int code = next_Pready_list(n, parts, request);
    if (code == MPI_SUCCESS)
        ct_tracer_ready(start_ns, request, n);
    return code;
}

/* The message is one, so with one part all have arrived. */
CT_TRACE_CALL(Parrived, (MPI_Request request, int part, int *flag), (request, part, flag))
{
    MPI_Status none = {.MPI_SOURCE = MPI_PROC_NULL};
    uint64_t start_ns = ct_tracer_now();
    int code = next_Parrived(request, part, flag);
    if (code == MPI_SUCCESS && *flag)
        ct_tracer_seen(start_ns, request, &none);
    else if (code == MPI_SUCCESS)
        ct_tracer_found_nothing(start_ns);
    return code;
}
#endif
