/**
 * The functions of UCX that an MPI calls. libcrosstalk-delay.so replaces them, so that no message
 * passes it by. An MPI that calls others is refused.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

/** Functions that the library replaces by what calls UCX's own. */
#define CT_DELAY_REPLACED(X)                                                                       \
    X(ucp_init_version)                                                                            \
    X(ucp_cleanup)                                                                                 \
    X(ucp_context_query)                                                                           \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_get_address)                                                                      \
    X(ucp_worker_release_address)                                                                  \
    X(ucp_worker_query)                                                                            \
    X(ucp_worker_flush_nb)                                                                         \
    X(ucp_worker_set_am_handler)                                                                   \
    X(ucp_ep_create)                                                                               \
    X(ucp_ep_flush)                                                                                \
    X(ucp_ep_rkey_unpack)                                                                          \
    X(ucp_disconnect_nb)                                                                           \
    X(ucp_tag_send_nbx)                                                                            \
    X(ucp_tag_send_sync_nbx)                                                                       \
    X(ucp_tag_recv_nbx)                                                                            \
    X(ucp_tag_msg_recv_nbx)                                                                        \
    X(ucp_tag_probe_nb)                                                                            \
    X(ucp_am_send_nb)                                                                              \
    X(ucp_put)                                                                                     \
    X(ucp_put_nb)                                                                                  \
    X(ucp_put_nbi)                                                                                 \
    X(ucp_get_nb)                                                                                  \
    X(ucp_get_nbi)                                                                                 \
    X(ucp_mem_map)                                                                                 \
    X(ucp_mem_unmap)                                                                               \
    X(ucp_rkey_pack)                                                                               \
    X(ucp_rkey_destroy)                                                                            \
    X(ucp_dt_create_generic)                                                                       \
    X(ucp_dt_destroy)                                                                              \
    X(ucp_request_cancel)                                                                          \
    X(ucp_request_check_status)                                                                    \
    X(ucp_request_is_completed)                                                                    \
    X(ucp_request_test)                                                                            \
    X(ucp_request_free)                                                                            \
    X(ucp_request_release)

/** Functions of older versions of UCX, which the library replaces by some of the above. */
#define CT_DELAY_REPLACED_OLD(X)                                                                   \
    X(ucp_tag_send_nb)                                                                             \
    X(ucp_tag_send_nbr)                                                                            \
    X(ucp_tag_send_sync_nb)                                                                        \
    X(ucp_tag_recv_nb)                                                                             \
    X(ucp_tag_recv_nbr)                                                                            \
    X(ucp_tag_msg_recv_nb)

/** Functions that the library need not replace: they use neither a worker nor a request. */
#define CT_DELAY_HARMLESS(X)                                                                       \
    X(ucp_config_read)                                                                             \
    X(ucp_config_modify)                                                                           \
    X(ucp_config_print)                                                                            \
    X(ucp_config_release)                                                                          \
    X(ucp_context_print_info)                                                                      \
    X(ucp_get_version)                                                                             \
    X(ucp_get_version_string)                                                                      \
    X(ucp_mem_query)                                                                               \
    X(ucp_rkey_buffer_release)

/** What to do about an MPI that is refused, for messages. */
#define CT_DELAY_REMEDY                                                                            \
    "MPICH on UCX (device ch4:ucx) and Open MPI's pml/ucx are supported; elsewhere crosstalk lab " \
    "up --latency delays packets instead"

/**
 * Check a library that is to send by UCX: MPICH's libmpi, or Open MPI's mca_pml_ucx.so. Its calls
 * are the names "ucp_..." in the file. Pure.
 * @param bytes  [in] of its file; size bytes
 * @param path   [in] for the message
 * @return CT_OK; CT_EUNSUPPORTED: it does not send by UCX, or by a function that is not replaced
 */
enum ct_status ct_delay_check_calls(const char *bytes, size_t size, const char *path,
                                    struct ct_error *err);

/** The same for a file. @return as ct_delay_check_calls(); CT_EIO */
enum ct_status ct_delay_check_file(const char *path, struct ct_error *err);
