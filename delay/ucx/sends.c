#include "delay/ucx/sends.h"

#include "delay/ucx/messages.h"

#include <stdlib.h>
#include <string.h>

/* A send whose callback is the program's. */
struct ct_delay_send {
    struct ct_delay_call call;
    struct ct_delay_worker *worker;
    ucp_send_nbx_callback_t callback;
    void *user_data;
    void *request; /* UCX's own; the program frees it */
    ucs_status_t status;
    int64_t hold_ns; /* that an acknowledgement needs to come back; 0: none */
};

/* The worker, and how many others were made before. */
static struct ct_map endpoints;
static size_t n_endpoints;
static bool has_warned;

struct ct_delay_worker *ct_delay_worker_of_ep(ucp_ep_h ep)
{
    struct ct_map_entry *entry = ct_map_get(&endpoints, (uintptr_t)ep);
    return entry ? entry->first : NULL;
}

/* ---- the end of a send ---- */

static void tell_program(struct ct_delay_call *call)
{
    struct ct_delay_send *send = (struct ct_delay_send *)(void *)call; /* its first member */
    send->callback(send->request, send->status, send->user_data);
    free(send);
}

void ct_delay_sent(struct ct_delay_worker *worker, struct ct_delay_send *send)
{
    send->call.make = tell_program;
    ct_delay_call_later(worker, &send->call);
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    struct ct_delay_send *send = user_data;
    send->request = request;
    send->status = status;
    if (send->hold_ns > 0 && status == UCS_OK)
        ct_delay_add(&send->worker->due, ct_delay_now_ns() + send->hold_ns, CT_DELAY_SENT, send);
    else
        ct_delay_sent(send->worker, send);
}

/* ---- its beginning ---- */

/* UCX asks for the length of what is packed by the MPI while the send starts. The MPI has one such
 * function; asking another time would take a reference from its datatype. */
static size_t (*packed_size_of_mpi)(void *state);
static size_t packed_bytes;

static size_t packed_size(void *state)
{
    packed_bytes = packed_size_of_mpi(state);
    return packed_bytes;
}

static size_t length_of(size_t count, const ucp_request_param_t *param)
{
    ucp_datatype_t type =
        param->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE ? param->datatype : ucp_dt_make_contig(1);
    return (type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG
               ? count * (size_t)(type >> UCP_DATATYPE_SHIFT)
               : packed_bytes;
}

/* An MPI makes an endpoint for each rank of MPI_COMM_WORLD, in their order. */
static int64_t latency_back_ns(ucp_ep_h ep)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    struct ct_map_entry *entry = ct_map_get(&endpoints, (uintptr_t)ep);
    size_t from = entry ? (size_t)(uintptr_t)entry->second : 0;
    if (settings->latency.n_ranks == 0)
        return settings->latency.uniform_ns;
    if (entry && from < settings->latency.n_ranks)
        return ct_delay_latency_ns(&settings->latency, from, settings->rank);
    if (!has_warned)
        ct_delay_say("a synchronous send goes to a process that is no rank of the matrix: its "
                     "acknowledgement is not delayed");
    has_warned = true;
    return 0;
}

static ucp_tag_t tag_on_the_wire(ucp_tag_t tag)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    if (settings->latency.n_ranks == 0)
        return tag;
    if (tag & CT_DELAY_TAG_RANK) {
        ct_delay_say("the tags of this MPI (%#llx) leave no room for the sender's rank: use "
                     "--latency instead of --matrix",
                     (unsigned long long)tag);
        abort();
    }
    return tag | (uint64_t)settings->rank << CT_DELAY_TAG_SHIFT;
}

typedef ucs_status_ptr_t send_function(ucp_ep_h ep, const void *buffer, size_t count, ucp_tag_t tag,
                                       const ucp_request_param_t *param);

static ucs_status_ptr_t start(send_function *of_ucx, bool is_synchronous, ucp_ep_h ep,
                              const void *buffer, size_t count, ucp_tag_t tag,
                              const ucp_request_param_t *param)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of_ep(ep) : NULL;
    if (!worker)
        return of_ucx(ep, buffer, count, tag, param);
    tag = tag_on_the_wire(tag);
    ct_ucx_enter();
    ucs_status_ptr_t request;
    if (!(param->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK)) {
        request = of_ucx(ep, buffer, count, tag, param);
    } else {
        struct ct_delay_send *send = ct_delay_allocate(sizeof *send);
        ucp_request_param_t ours = *param;
        send->worker = worker;
        send->callback = param->cb.send;
        if (param->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA)
            send->user_data = param->user_data;
        ours.op_attr_mask |= UCP_OP_ATTR_FIELD_USER_DATA;
        ours.cb.send = sent;
        ours.user_data = send;
        request = of_ucx(ep, buffer, count, tag, &ours);
        if (!UCS_PTR_IS_PTR(request)) /* it is done, or failed: nobody is called */
            free(send);
        else if (is_synchronous && length_of(count, param) < ct_delay_settings.rendezvous_bytes)
            send->hold_ns = latency_back_ns(ep); /* completes in a later progress only */
    }
    ct_ucx_leave();
    return request;
}

/* ---- in UCX's place ---- */

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h ep, const void *buffer, size_t count,
                                                ucp_tag_t tag, const ucp_request_param_t *param)
{
    return start(ct_ucx.ucp_tag_send_nbx, false, ep, buffer, count, tag, param);
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h ep, const void *buffer, size_t count,
                                                     ucp_tag_t tag,
                                                     const ucp_request_param_t *param)
{
    return start(ct_ucx.ucp_tag_send_sync_nbx, true, ep, buffer, count, tag, param);
}

CT_UCX_EXPORT ucs_status_t ucp_ep_create(ucp_worker_h ucx, const ucp_ep_params_t *params,
                                         ucp_ep_h *ep_p)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    ct_ucx_enter();
    ucs_status_t status = ct_ucx.ucp_ep_create(ucx, params, ep_p);
    if (status == UCS_OK && worker &&
        !ct_map_set(&endpoints, (uintptr_t)*ep_p, worker, (void *)(uintptr_t)n_endpoints++))
        status = UCS_ERR_NO_MEMORY;
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_disconnect_nb(ucp_ep_h ep)
{
    ct_ucx_enter();
    struct ct_map_entry *entry = ct_map_get(&endpoints, (uintptr_t)ep);
    if (entry && ct_ucx_depth == 1)
        ct_map_remove(&endpoints, entry);
    ucs_status_ptr_t request = ct_ucx.ucp_disconnect_nb(ep);
    ct_ucx_leave();
    return request;
}

CT_UCX_EXPORT ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t *operations,
                                                 void *context, ucp_datatype_t *type_p)
{
    ucp_generic_dt_ops_t ours = *operations; /* UCX makes a copy, too */
    ct_ucx_enter();
    if (!packed_size_of_mpi)
        packed_size_of_mpi = operations->packed_size;
    if (operations->packed_size == packed_size_of_mpi)
        ours.packed_size = packed_size;
    ucs_status_t status = ct_ucx.ucp_dt_create_generic(&ours, context, type_p);
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT void ucp_dt_destroy(ucp_datatype_t type)
{
    ct_ucx_enter();
    ct_ucx.ucp_dt_destroy(type);
    ct_ucx_leave();
}
