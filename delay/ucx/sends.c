#include "delay/ucx/sends.h"

#include "delay/ucx/endpoints.h"
#include "delay/ucx/seal.h"
#include "delay/ucx/types.h"

#include <stdlib.h>

/* A send whose callback is the program's. */
struct ct_delay_send {
    struct ct_delay_call call;
    struct ct_delay_worker *worker;
    ucp_send_nbx_callback_t callback;
    void *user_data;
    void *request; /* UCX's own; the program frees it */
    ucs_status_t status;
    int64_t hold_ns; /* that an acknowledgement needs to come back; 0: none */
    bool has_ended;  /* UCX has said so */
    bool is_dropped; /* the program has freed the request */
};

/* Sends whose end the program does not know yet, by request. */
static struct ct_map active;
static bool has_warned;

/* ---- the end of a send ---- */

bool ct_delay_is_sending(void *request)
{
    return ct_map_get(&active, (uintptr_t)request) != 0;
}

void ct_delay_drop_send(void *request)
{
    struct ct_delay_send *send = (void *)(uintptr_t)ct_map_take(&active, (uintptr_t)request);
    if (!send)
        return;
    send->is_dropped = true;
    if (!send->has_ended) /* and will not: UCX calls nobody either */
        free(send);
}

static void tell_program(struct ct_delay_call *call)
{
    struct ct_delay_send *send = (struct ct_delay_send *)(void *)call; /* its first member */
    ct_ucx_enter();
    bool is_dropped = send->is_dropped;
    if (!is_dropped)
        ct_map_take(&active, (uintptr_t)send->request);
    ct_ucx_leave();
    if (!is_dropped)
        send->callback(send->request, send->status, send->user_data);
    free(send);
}

void ct_delay_sent(struct ct_delay_worker *worker, struct ct_delay_send *send)
{
    send->call.make = tell_program;
    ct_delay_call_later(worker, &send->call);
}

static void note_sent(void *request, ucs_status_t status, void *user_data)
{
    struct ct_delay_send *send = user_data;
    send->request = request;
    send->status = status;
    send->has_ended = true;
    if (send->hold_ns > 0 && status == UCS_OK)
        ct_delay_add(&send->worker->due, ct_delay_now_ns() + send->hold_ns, CT_DELAY_SENT, send);
    else
        ct_delay_sent(send->worker, send);
}

/* ---- its beginning ---- */

static int64_t latency_back_ns(const struct ct_delay_endpoint *endpoint)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    if (endpoint->is_nearby)
        return 0;
    if (settings->latency.n_ranks == 0)
        return settings->latency.uniform_ns;
    if (endpoint->is_of_this_world && endpoint->rank < settings->latency.n_ranks)
        return ct_delay_latency_ns(&settings->latency, endpoint->rank, settings->rank);
    if (!has_warned)
        ct_delay_say("a synchronous send goes to a process that is no rank of the matrix: its "
                     "acknowledgement is not delayed");
    has_warned = true;
    return 0;
}

static ucp_tag_t tag_on_the_wire(ucp_tag_t tag, const struct ct_delay_endpoint *endpoint)
{
    uint64_t marked = tag;
    if (ct_delay_mark(&ct_delay_settings.marks, ct_delay_settings.rank, endpoint->is_nearby,
                      &marked))
        return marked;
    ct_delay_say("the tags of this MPI (%#llx) leave no room for marks of the sender: its "
                 "communicators are too large; use --latency%s instead of --matrix",
                 (unsigned long long)tag,
                 ct_delay_settings.is_openmpi ? " with --within-nodes" : "");
    abort();
}

typedef ucs_status_ptr_t send_function(ucp_ep_h ep, const void *buffer, size_t count, ucp_tag_t tag,
                                       const ucp_request_param_t *param);

/* UCX has taken a send, whose end note_sent() will report. */
static void keep_request(struct ct_delay_send *send, void *request)
{
    if (ct_map_set(&active, (uintptr_t)request, (uintptr_t)send))
        return;
    ct_delay_say("out of memory");
    abort();
}

static ucs_status_ptr_t start_with_callback(send_function *of_ucx, int64_t hold_ns,
                                            struct ct_delay_worker *worker, ucp_ep_h ep,
                                            const void *buffer, size_t count, ucp_tag_t tag,
                                            const ucp_request_param_t *param)
{
    struct ct_delay_send *send = ct_delay_allocate(sizeof *send);
    ucp_request_param_t ours = *param;
    send->worker = worker;
    send->callback = param->cb.send;
    if (param->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA)
        send->user_data = param->user_data;
    ours.op_attr_mask |= UCP_OP_ATTR_FIELD_USER_DATA;
    ours.cb.send = note_sent;
    ours.user_data = send;
    ucs_status_ptr_t request = of_ucx(ep, buffer, count, tag, &ours);
    if (UCS_PTR_IS_PTR(request)) {
        keep_request(send, request);
        if (hold_ns > 0 && ct_delay_packed_bytes(count, param) < ct_delay_settings.rendezvous_bytes)
            send->hold_ns = hold_ns; /* completes in a later progress only */
    } else {
        free(send); /* it is done, or failed: nobody is called */
    }
    return request;
}

static ucs_status_ptr_t start_send(send_function *of_ucx, bool is_synchronous, ucp_ep_h ep,
                                   const void *buffer, size_t count, ucp_tag_t tag,
                                   const ucp_request_param_t *param)
{
    if (!ct_ucx_is_outermost())
        return of_ucx(ep, buffer, count, tag, param);
    ct_ucx_enter();
    const struct ct_delay_endpoint *endpoint = ct_delay_endpoint_of(ep);
    ucs_status_ptr_t request;
    if (endpoint)
        tag = tag_on_the_wire(tag, endpoint);
    if (param->op_attr_mask & UCP_OP_ATTR_FIELD_REQUEST)
        ct_delay_seal_set(param->request, 0); /* a receive had this memory before */
    if (!endpoint || !(param->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK))
        request = of_ucx(ep, buffer, count, tag, param);
    else
        request = start_with_callback(of_ucx, is_synchronous ? latency_back_ns(endpoint) : 0,
                                      endpoint->worker, ep, buffer, count, tag, param);
    ct_ucx_leave();
    return request;
}

/* ---- in UCX's place ---- */

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h ep, const void *buffer, size_t count,
                                                ucp_tag_t tag, const ucp_request_param_t *param)
{
    return start_send(ct_ucx.ucp_tag_send_nbx, false, ep, buffer, count, tag, param);
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h ep, const void *buffer, size_t count,
                                                     ucp_tag_t tag,
                                                     const ucp_request_param_t *param)
{
    return start_send(ct_ucx.ucp_tag_send_sync_nbx, true, ep, buffer, count, tag, param);
}
