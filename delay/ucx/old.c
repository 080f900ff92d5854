/*
 * Functions of older versions of UCX, made of the newer ones that this library replaces. Their
 * callbacks get no data of the caller, so that the data of the newer ones is the callback itself.
 */
#include "delay/ucx/calls.h"

#include <string.h>

_Static_assert(sizeof(void *) == sizeof(ucp_send_callback_t), "a callback fits a pointer");

static void tell_sender(void *request, ucs_status_t status, void *user_data)
{
    ucp_send_callback_t callback;
    memcpy(&callback, &user_data, sizeof callback);
    callback(request, status);
}

static void tell_receiver(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info,
                          void *user_data)
{
    ucp_tag_recv_callback_t callback;
    ucp_tag_recv_info_t copy = *info;
    memcpy(&callback, &user_data, sizeof callback);
    callback(request, status, &copy);
}

static ucp_request_param_t of_sender(ucp_datatype_t type, ucp_send_callback_t callback)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE |
                                                 UCP_OP_ATTR_FIELD_CALLBACK |
                                                 UCP_OP_ATTR_FIELD_USER_DATA,
                                 .datatype = type,
                                 .cb.send = tell_sender};
    memcpy(&param.user_data, &callback, sizeof callback);
    return param;
}

static ucp_request_param_t of_receiver(ucp_datatype_t type, ucp_tag_recv_callback_t callback)
{
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_CALLBACK |
                                     UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
                                 .datatype = type,
                                 .cb.recv = tell_receiver};
    memcpy(&param.user_data, &callback, sizeof callback);
    return param;
}

/* With a request of the caller's, and no callback. */
static ucp_request_param_t of_request(ucp_datatype_t type, void *request, uint32_t flags)
{
    return (ucp_request_param_t){.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REQUEST | flags,
                                 .datatype = type,
                                 .request = request};
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_nb(ucp_ep_h ep, const void *buffer, size_t count,
                                               ucp_datatype_t type, ucp_tag_t tag,
                                               ucp_send_callback_t callback)
{
    ucp_request_param_t param = of_sender(type, callback);
    return ucp_tag_send_nbx(ep, buffer, count, tag, &param);
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_send_sync_nb(ucp_ep_h ep, const void *buffer, size_t count,
                                                    ucp_datatype_t type, ucp_tag_t tag,
                                                    ucp_send_callback_t callback)
{
    ucp_request_param_t param = of_sender(type, callback);
    return ucp_tag_send_sync_nbx(ep, buffer, count, tag, &param);
}

CT_UCX_EXPORT ucs_status_t ucp_tag_send_nbr(ucp_ep_h ep, const void *buffer, size_t count,
                                            ucp_datatype_t type, ucp_tag_t tag, void *request)
{
    ucp_request_param_t param = of_request(type, request, UCP_OP_ATTR_FLAG_FAST_CMPL);
    ucs_status_ptr_t answer = ucp_tag_send_nbx(ep, buffer, count, tag, &param);
    return UCS_PTR_IS_PTR(answer) ? UCS_INPROGRESS : UCS_PTR_STATUS(answer);
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_recv_nb(ucp_worker_h worker, void *buffer, size_t count,
                                               ucp_datatype_t type, ucp_tag_t tag,
                                               ucp_tag_t tag_mask, ucp_tag_recv_callback_t callback)
{
    ucp_request_param_t param = of_receiver(type, callback);
    return ucp_tag_recv_nbx(worker, buffer, count, tag, tag_mask, &param);
}

CT_UCX_EXPORT ucs_status_t ucp_tag_recv_nbr(ucp_worker_h worker, void *buffer, size_t count,
                                            ucp_datatype_t type, ucp_tag_t tag, ucp_tag_t tag_mask,
                                            void *request)
{
    ucp_request_param_t param = of_request(type, request, 0);
    ucs_status_ptr_t answer = ucp_tag_recv_nbx(worker, buffer, count, tag, tag_mask, &param);
    return UCS_PTR_IS_ERR(answer) ? UCS_PTR_STATUS(answer) : UCS_OK;
}

CT_UCX_EXPORT ucs_status_ptr_t ucp_tag_msg_recv_nb(ucp_worker_h worker, void *buffer, size_t count,
                                                   ucp_datatype_t type, ucp_tag_message_h message,
                                                   ucp_tag_recv_callback_t callback)
{
    ucp_request_param_t param = of_receiver(type, callback);
    return ucp_tag_msg_recv_nbx(worker, buffer, count, message, &param);
}
