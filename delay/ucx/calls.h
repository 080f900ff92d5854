/**
 * The calls of UCX that an MPI makes: UCX's own functions, which those of this library call, and
 * the lock that all of them take. The program's threads and the helper (helper.h) share a worker,
 * of which UCX allows one of them at a time.
 */
#ifndef CT_DELAY_UCX_CALLS_H
#define CT_DELAY_UCX_CALLS_H

#include <stdbool.h>
#include <ucp/api/ucp.h>

/** UCX's functions, as the dynamic loader finds them after this library. */
#define CT_UCX_CALLS(X)                                                                            \
    X(ucp_init_version)                                                                            \
    X(ucp_cleanup)                                                                                 \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)                                                                              \
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
    X(ucp_request_free)                                                                            \
    X(ucp_request_release)

struct ct_ucx_calls {
#define CT_UCX_MEMBER(name) __typeof__(name) *(name);
    CT_UCX_CALLS(CT_UCX_MEMBER)
#undef CT_UCX_MEMBER
};
/** Set before main() starts. */
extern struct ct_ucx_calls ct_ucx;

/** A function that replaces one of UCX. */
#define CT_UCX_EXPORT __attribute__((visibility("default")))

/**
 * Depth of this thread's calls within UCX: libucp calls its own functions through those of this
 * library.
 */
extern __thread unsigned ct_ucx_depth;

/** Whether this is a call of an MPI, not of UCX or of this library. */
static inline bool ct_ucx_is_outermost(void)
{
    return ct_ucx_depth == 0;
}

/** Take and release the lock; may be nested. */
void ct_ucx_enter(void);
void ct_ucx_leave(void);

#endif
