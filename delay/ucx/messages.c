#include "delay/ucx/messages.h"

#include "delay/ucx/seal.h"
#include "delay/ucx/sends.h"
#include "delay/ucx/types.h"

#include <stdlib.h>

/* A message that has arrived, from then until its receive has started. What UCX's ucp_tag_probe_nb
 * would give the program. */
struct ct_delay_message {
    struct ct_match_item item; /* tag: without the sender's rank */
    ucp_tag_message_h ucx;
    ucp_tag_recv_info_t info;
    int64_t in_ns, back_ns; /* latency from the sender to here, and from here */
    bool is_rendezvous;
};

/* A receive. The program's request is what follows it, of request_size bytes. It may be in memory
 * of the program's, which keeps room for a request of UCX in front of its own. */
struct ct_delay_receive {
    struct ct_match_item item;
    struct ct_delay_call call;
    struct ct_delay_worker *worker;
    void *buffer;
    size_t count;
    ucp_request_param_t param; /* as the program gave it */
    void *unpack;              /* for a datatype that the MPI unpacks */
    struct ct_delay_message *message;
    ucp_tag_recv_info_t info;
    int64_t in_ns;
    bool is_rendezvous, is_posted, is_done, is_freed;
    bool is_placed; /* in memory of the program's */
    ucs_status_t status;
    struct ct_delay_receive *next_spare;
};

/* In front of the program's part, with the mark in its last bytes. */
enum {
    ALIGNMENT = 64,
    HEADER_BYTES =
        (sizeof(struct ct_delay_receive) + sizeof(uint64_t) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
};

const size_t ct_delay_request_bytes = HEADER_BYTES;

static void *request_of(struct ct_delay_receive *receive)
{
    return (char *)receive + HEADER_BYTES;
}

/* NULL: a request of UCX. */
static struct ct_delay_receive *receive_of(void *request)
{
    return ct_delay_is_sealed(request)
               ? (struct ct_delay_receive *)(void *)((char *)request - HEADER_BYTES)
               : NULL;
}

/* Of those that were used before, or a new one. */
static struct ct_delay_receive *allocate_receive(struct ct_delay_worker *worker)
{
    struct ct_delay_receive *receive = worker->spare;
    if (receive) {
        worker->spare = receive->next_spare;
        return receive;
    }
    receive = ct_delay_allocate(HEADER_BYTES + worker->request_size);
    if (worker->request_init)
        worker->request_init(request_of(receive));
    return receive;
}

static struct ct_delay_receive *new_receive(struct ct_delay_worker *worker, void *buffer,
                                            size_t count, const ucp_request_param_t *param)
{
    bool is_placed = param->op_attr_mask & UCP_OP_ATTR_FIELD_REQUEST;
    struct ct_delay_receive *receive =
        is_placed ? (struct ct_delay_receive *)(void *)((char *)param->request - HEADER_BYTES)
                  : allocate_receive(worker);
    *receive = (struct ct_delay_receive){.worker = worker,
                                         .buffer = buffer,
                                         .count = count,
                                         .param = *param,
                                         .unpack = ct_delay_unpack_begin(param, buffer, count),
                                         .is_placed = is_placed,
                                         .status = UCS_INPROGRESS};
    ct_delay_seal_set(request_of(receive), ct_delay_seal_of(request_of(receive)));
    return receive;
}

/* Used again: the program leaves its part as UCX's contract has it, ready for the next. */
static void recycle_receive(struct ct_delay_receive *receive)
{
    if (receive->is_placed)
        return;
    receive->next_spare = receive->worker->spare;
    receive->worker->spare = receive;
}

/* ---- the end of a receive ---- */

static void tell_program(struct ct_delay_call *call)
{
    struct ct_delay_receive *receive =
        (struct ct_delay_receive *)(void *)((char *)call - offsetof(struct ct_delay_receive, call));
    const ucp_request_param_t param = receive->param;
    const ucp_tag_recv_info_t info = receive->info;
    const ucs_status_t status = receive->status;
    ct_ucx_enter();
    bool is_freed = receive->is_freed;
    receive->is_done = true; /* from now on memory of the program's may be gone */
    if (is_freed)
        recycle_receive(receive);
    ct_ucx_leave();
    if (!is_freed && (param.op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK))
        param.cb.recv(request_of(receive), status, &info, param.user_data);
}

static void finish_receive(struct ct_delay_receive *receive)
{
    receive->call.make = tell_program;
    ct_delay_call_later(receive->worker, &receive->call);
}

/* The data is in the buffer. That of a rendezvous has left its sender now, in the program's eyes.
 */
static void data_is_here(struct ct_delay_receive *receive, ucs_status_t status)
{
    receive->status = status;
    if (receive->is_rendezvous)
        ct_delay_add(&receive->worker->due, ct_delay_now_ns() + receive->in_ns, CT_DELAY_FINISH,
                     receive);
    else
        finish_receive(receive);
}

static void note_received(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info,
                          void *user_data)
{
    (void)info; /* is known since the message was probed */
    data_is_here(user_data, status);
    ct_ucx.ucp_request_free(request);
}

/* ---- its beginning ---- */

static void receive_from_ucx(struct ct_delay_receive *receive)
{
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                 .cb.recv = note_received,
                                 .user_data = receive};
    const uint32_t handed_on = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_MEMORY_TYPE;
    param.op_attr_mask |= receive->param.op_attr_mask & handed_on;
    param.datatype = receive->param.datatype;
    param.memory_type = receive->param.memory_type;
    struct ct_delay_message *message = receive->message;
    receive->message = NULL;
    ct_delay_unpack_pass(receive->unpack);
    ucs_status_ptr_t request = ct_ucx.ucp_tag_msg_recv_nbx(receive->worker->ucx, receive->buffer,
                                                           receive->count, message->ucx, &param);
    ct_delay_unpack_pass(NULL); /* UCX has not asked if it has failed */
    free(message);
    if (UCS_PTR_IS_ERR(request))
        data_is_here(receive, UCS_PTR_STATUS(request));
    else if (!request)
        data_is_here(receive, UCS_OK);
}

/* A receive has its message. The grant of a rendezvous needs as long to its sender as a message. */
static void start_receive(struct ct_delay_receive *receive, struct ct_delay_message *message)
{
    receive->message = message;
    receive->info = message->info;
    receive->in_ns = message->in_ns;
    receive->is_rendezvous = message->is_rendezvous;
    receive->is_posted = false;
    if (message->is_rendezvous && message->back_ns > 0)
        ct_delay_add(&receive->worker->grants, ct_delay_now_ns() + message->back_ns, CT_DELAY_GRANT,
                     receive);
    else
        receive_from_ucx(receive);
}

static struct ct_delay_message *message_of(struct ct_match_item *item)
{
    return (struct ct_delay_message *)(void *)item; /* its first member */
}

static struct ct_delay_receive *receive_of_item(struct ct_match_item *item)
{
    return (struct ct_delay_receive *)(void *)item;
}

/* ---- arrivals ---- */

static void note_arrival(struct ct_delay_worker *worker, ucp_tag_message_h ucx,
                         const ucp_tag_recv_info_t *info)
{
    const struct ct_delay_settings *settings = &ct_delay_settings;
    struct ct_delay_message *message = ct_delay_allocate(sizeof *message);
    bool is_nearby;
    *message = (struct ct_delay_message){.item.tag = info->sender_tag, .ucx = ucx, .info = *info};
    message->is_rendezvous = info->length >= settings->rendezvous_bytes;
    size_t from = ct_delay_unmark(&settings->marks, &message->item.tag, &is_nearby);
    message->info.sender_tag = message->item.tag;
    if (is_nearby) {
        ct_delay_add(&worker->due, ct_delay_now_ns(), CT_DELAY_ARRIVE, message);
        return;
    }
    if (settings->latency.n_ranks > 0 && from >= settings->latency.n_ranks) {
        ct_delay_say("a message from rank %zu, but the matrix has %zu: do all ranks run under "
                     "crosstalk delay?",
                     from, settings->latency.n_ranks);
        abort();
    }
    message->in_ns = ct_delay_latency_ns(&settings->latency, from, settings->rank);
    message->back_ns = ct_delay_latency_ns(&settings->latency, settings->rank, from);
    worker->n_messages++;
    ct_delay_add(&worker->due, ct_delay_now_ns() + message->in_ns, CT_DELAY_ARRIVE, message);
}

void ct_delay_drain(struct ct_delay_worker *worker)
{
    ucp_tag_recv_info_t info;
    ucp_tag_message_h message;
    while ((message = ct_ucx.ucp_tag_probe_nb(worker->ucx, 0, 0, 1, &info)) != NULL)
        note_arrival(worker, message, &info);
}

static void let_arrive(struct ct_delay_worker *worker, struct ct_delay_message *message)
{
    struct ct_match_item *receive = ct_match_arrive(&worker->match, &message->item);
    if (receive)
        start_receive(receive_of_item(receive), message);
}

void ct_delay_grant(struct ct_delay_worker *worker)
{
    struct ct_due_item item;
    while (worker->grants.n > 0 && ct_due_take(&worker->grants, ct_delay_now_ns(), &item))
        receive_from_ucx(item.what);
}

void ct_delay_act(struct ct_delay_worker *worker)
{
    struct ct_due_item item;
    ct_delay_grant(worker);
    if (worker->due.n == 0)
        return;
    int64_t now_ns = ct_delay_now_ns();
    while (ct_due_take(&worker->due, now_ns, &item))
        switch ((enum ct_delay_kind)item.kind) {
        case CT_DELAY_ARRIVE:
            let_arrive(worker, item.what);
            break;
        case CT_DELAY_FINISH:
            finish_receive(item.what);
            break;
        case CT_DELAY_SENT:
            ct_delay_sent(worker, item.what);
            break;
        case CT_DELAY_GRANT: /* has a queue of its own */
            break;
        }
}

/* UCX counts messages that nobody took. A rendezvous would wait for its sender, who may be gone. */
static void discard_message(struct ct_delay_worker *worker, struct ct_delay_message *message)
{
    const ucp_request_param_t param = {0};
    if (!message->is_rendezvous) {
        ucs_status_ptr_t request =
            ct_ucx.ucp_tag_msg_recv_nbx(worker->ucx, NULL, 0, message->ucx, &param);
        if (UCS_PTR_IS_PTR(request))
            ct_ucx.ucp_request_free(request);
    }
    free(message);
}

void ct_delay_forget(struct ct_delay_worker *worker)
{
    struct ct_due_item item;
    while (ct_due_take(&worker->due, INT64_MAX - 1, &item))
        if (item.kind == CT_DELAY_ARRIVE)
            discard_message(worker, item.what);
    while (worker->match.messages.all.first) {
        struct ct_match_item *message = worker->match.messages.all.first;
        ct_match_take(&worker->match, message);
        discard_message(worker, message_of(message));
    }
    while (worker->spare) {
        struct ct_delay_receive *receive = worker->spare;
        worker->spare = receive->next_spare;
        if (worker->request_cleanup)
            worker->request_cleanup(request_of(receive));
        free(receive);
    }
    ct_match_end(&worker->match);
    free(worker->due.items);
    free(worker->grants.items);
    ct_map_free(&worker->callbacks);
}

/* ---- in UCX's place ---- */

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h ucx, void *buffer, size_t count,
                                                ucp_tag_t tag, ucp_tag_t tag_mask,
                                                const ucp_request_param_t *param)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (!worker)
        return ct_ucx.ucp_tag_recv_nbx(ucx, buffer, count, tag, tag_mask, param);
    if (param->op_attr_mask & UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL)
        return UCS_STATUS_PTR(UCS_ERR_UNSUPPORTED);
    ct_ucx_enter();
    struct ct_delay_receive *receive = new_receive(worker, buffer, count, param);
    receive->item.tag = tag;
    receive->item.mask = tag_mask;
    receive->is_posted = true;
    struct ct_match_item *message = ct_match_post(&worker->match, &receive->item);
    if (message)
        start_receive(receive, message_of(message));
    ct_ucx_leave();
    return request_of(receive);
}

CT_UCX_EXPORT ucp_tag_message_h ucp_tag_probe_nb(ucp_worker_h ucx, ucp_tag_t tag,
                                                 ucp_tag_t tag_mask, int remove,
                                                 ucp_tag_recv_info_t *info)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (!worker)
        return ct_ucx.ucp_tag_probe_nb(ucx, tag, tag_mask, remove, info);
    ct_ucx_enter();
    struct ct_match_item *item = ct_match_find(&worker->match, tag, tag_mask);
    if (item) {
        *info = message_of(item)->info;
        if (remove)
            ct_match_take(&worker->match, item);
    }
    ct_ucx_leave();
    return (ucp_tag_message_h)(void *)item;
}

/* The message is one that ucp_tag_probe_nb() above took out of the queue. */
CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_msg_recv_nbx(ucp_worker_h ucx, void *buffer, size_t count,
                                                    ucp_tag_message_h message,
                                                    const ucp_request_param_t *param)
{
    struct ct_delay_worker *worker = ct_ucx_is_outermost() ? ct_delay_worker_of(ucx) : NULL;
    if (!worker)
        return ct_ucx.ucp_tag_msg_recv_nbx(ucx, buffer, count, message, param);
    if (param->op_attr_mask & UCP_OP_ATTR_FLAG_FORCE_IMM_CMPL)
        return UCS_STATUS_PTR(UCS_ERR_UNSUPPORTED);
    ct_ucx_enter();
    struct ct_delay_receive *receive = new_receive(worker, buffer, count, param);
    start_receive(receive, (struct ct_delay_message *)(void *)message);
    ct_ucx_leave();
    return request_of(receive);
}

CT_UCX_EXPORT void ucp_request_cancel(ucp_worker_h ucx, void *request)
{
    struct ct_delay_receive *receive = ct_ucx_is_outermost() ? receive_of(request) : NULL;
    ct_ucx_enter();
    if (!receive) {
        ct_ucx.ucp_request_cancel(ucx, request);
    } else if (receive->is_posted) { /* what has its message cannot be cancelled any more */
        ct_match_withdraw(&receive->worker->match, &receive->item);
        receive->is_posted = false;
        receive->status = UCS_ERR_CANCELED;
        finish_receive(receive);
    }
    ct_ucx_leave();
}

/* A request that is freed while it is active still completes, but nothing is called. */
static void free_request(void *request, void (*of_ucx)(void *))
{
    if (!ct_ucx_is_outermost()) {
        of_ucx(request);
        return;
    }
    struct ct_delay_receive *receive = receive_of(request);
    ct_delay_callbacks_enter();
    ct_ucx_enter();
    if (!receive) {
        ct_delay_drop_send(request);
        of_ucx(request);
    } else if (receive->is_done) {
        recycle_receive(receive);
    } else {
        receive->is_freed = true;
    }
    ct_ucx_leave();
    ct_delay_callbacks_leave();
}

CT_UCX_EXPORT void ucp_request_free(void *request)
{
    free_request(request, ct_ucx.ucp_request_free);
}

CT_UCX_EXPORT void ucp_request_release(void *request)
{
    free_request(request, ct_ucx.ucp_request_release);
}

/* @param info_p  [out] of a receive that is done; NULL: not wanted */
static ucs_status_t status_of(void *request, ucp_tag_recv_info_t *info_p)
{
    struct ct_delay_receive *receive = receive_of(request);
    ucs_status_t status;
    ct_ucx_enter();
    if (receive) {
        status = receive->is_done ? receive->status : UCS_INPROGRESS;
        if (receive->is_done && info_p)
            *info_p = receive->info;
    } else if (ct_delay_is_sending(request)) {
        status = UCS_INPROGRESS;
    } else {
        status = info_p ? ct_ucx.ucp_request_test(request, info_p)
                        : ct_ucx.ucp_request_check_status(request);
    }
    ct_ucx_leave();
    return status;
}

CT_UCX_EXPORT ucs_status_t ucp_request_check_status(void *request)
{
    return ct_ucx_is_outermost() ? status_of(request, NULL)
                                 : ct_ucx.ucp_request_check_status(request);
}

CT_UCX_EXPORT ucs_status_t ucp_request_test(void *request, ucp_tag_recv_info_t *info)
{
    return ct_ucx_is_outermost() ? status_of(request, info)
                                 : ct_ucx.ucp_request_test(request, info);
}

CT_UCX_EXPORT int ucp_request_is_completed(void *request)
{
    return ct_ucx_is_outermost() ? status_of(request, NULL) != UCS_INPROGRESS
                                 : ct_ucx.ucp_request_is_completed(request);
}
