/**
 * The calls of UCX that an MPI makes: UCX's own functions, which those of this library call, and
 * the lock that all of them take. The program's threads and the helper (helper.h) share a worker,
 * of which UCX allows one of them at a time.
 */
#pragma once

#include "delay/calls.h"

#include <stdbool.h>
#include <ucp/api/ucp.h>

/** UCX's functions: those that are replaced, and two that an MPI does not call. */
#define CT_UCX_CALLS(X)                                                                            \
    CT_DELAY_REPLACED(X)                                                                           \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)

struct ct_ucx_calls {
#define CT_UCX_MEMBER(name) __typeof__(name) *(name);
    CT_UCX_CALLS(CT_UCX_MEMBER)
#undef CT_UCX_MEMBER
};
/** Set by ct_ucx_find(). */
extern struct ct_ucx_calls ct_ucx;

/**
 * Find UCX's functions, unless they are known. UCX is there before the program starts, or comes
 * with an MPI, or its component, that is loaded later.
 * @return whether UCX is there
 */
bool ct_ucx_find(void);

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
