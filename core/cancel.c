#include "core/cancel.h"

static _Thread_local const volatile int *watched;

void ct_cancel_watch(const volatile int *flag)
{
    watched = flag;
}

const volatile int *ct_cancel_watched(void)
{
    return watched;
}

bool ct_is_cancelled(void)
{
    return watched && __atomic_load_n(watched, __ATOMIC_RELAXED);
}

enum ct_status ct_cancel_check(struct ct_error *err)
{
    return ct_is_cancelled() ? ct_fail(err, CT_EINTR, "stopped, as its caller asked") : CT_OK;
}
