/* Handles of labs: finding the holder, asking about it. */
#include "lab/delay_line.h"
#include "lab/internal.h"
#include "lab/plan.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Older C libraries have no wrapper. */
static int pidfd_open_(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

bool ct_lab_ended(int pidfd, int timeout_ms)
{
    struct pollfd watch = {.fd = pidfd, .events = POLLIN};
    int n;
    do
        n = poll(&watch, 1, timeout_ms);
    while (n < 0 && errno == EINTR);
    return n != 0;
}

/* The pidfd is taken before the start time is compared: from then on it cannot mean another. */
int ct_lab_find_holder(const struct ct_lab_state *state)
{
    int pidfd = pidfd_open_(state->holder);
    uint64_t ticks;
    if (pidfd >= 0 && ct_lab_start_ticks(state->holder, &ticks) &&
        ticks == state->holder_start_ticks && !ct_lab_ended(pidfd, 0))
        return pidfd;
    if (pidfd >= 0)
        close(pidfd);
    return -1;
}

enum ct_status ct_lab_fail_ended(const struct ct_lab *lab, struct ct_error *err)
{
    char reason[CT_LAB_END_MAX];
    ct_lab_end_read(&lab->paths, reason);
    return ct_fail(err, CT_ENOENT, "lab '%s': has ended%s%s", lab->paths.id, *reason ? ": " : "",
                   reason);
}

static enum ct_status fail_missing(const struct ct_lab_paths *paths, struct ct_error *err)
{
    char reason[CT_LAB_END_MAX];
    ct_lab_end_read(paths, reason);
    return ct_fail(err, CT_ENOENT,
                   "lab '%s': does not exist%s%s; build it first: crosstalk lab up --id %s",
                   paths->id, *reason ? " any more: " : "", reason, paths->id);
}

enum ct_status ct_lab_open(const char *id, struct ct_lab **lab_p, struct ct_error *err)
{
    struct ct_lab *lab = calloc(1, sizeof *lab);
    if (!lab)
        return ct_no_memory(err, "lab");
    for (size_t i = 0; i <= CT_LAB_HOSTS_MAX; i++)
        lab->sockets[i] = -1;
    lab->pidfd = -1;
    enum ct_status status = ct_lab_paths(id, &lab->paths, err);
    if (status != CT_OK)
        goto fail;
    status = ct_lab_state_read(&lab->paths, &lab->state, err);
    if (status != CT_OK && status != CT_ENOENT)
        goto fail;
    if (status == CT_OK)
        lab->pidfd = ct_lab_find_holder(&lab->state);
    if (lab->pidfd < 0) {
        status = fail_missing(&lab->paths, err);
        goto fail;
    }
    status = ct_lab_plan_new(&lab->state.spec, &lab->plan, err);
    if (status != CT_OK)
        goto fail;
    *lab_p = lab;
    return CT_OK;
fail:
    ct_lab_close(lab);
    return status;
}

void ct_lab_close(struct ct_lab *lab)
{
    if (!lab)
        return;
    for (size_t i = 0; i <= CT_LAB_HOSTS_MAX; i++)
        if (lab->sockets[i] >= 0)
            close(lab->sockets[i]);
    if (lab->page)
        munmap(lab->page, sizeof *lab->page);
    if (lab->pidfd >= 0)
        close(lab->pidfd);
    free(lab->plan);
    free(lab);
}

const char *ct_lab_id(const struct ct_lab *lab)
{
    return lab->paths.id;
}

struct ct_lab_spec ct_lab_spec_of(const struct ct_lab *lab)
{
    return lab->state.spec;
}

const struct ct_lab_plan *ct_lab_plan_of(const struct ct_lab *lab)
{
    return lab->plan;
}

const char *ct_lab_owner(const struct ct_lab *lab)
{
    return lab->state.spec.owner;
}

pid_t ct_lab_holder(const struct ct_lab *lab)
{
    return lab->state.holder;
}

bool ct_lab_alive(const struct ct_lab *lab)
{
    return !ct_lab_ended(lab->pidfd, 0);
}

enum ct_lab_delay_by ct_lab_delay_by(const struct ct_lab *lab)
{
    return lab->state.delay_by;
}

bool ct_lab_delay_is_real_time(const struct ct_lab *lab)
{
    return lab->state.delay_is_real_time;
}

const char *ct_lab_congestion_control(const struct ct_lab *lab)
{
    return lab->state.congestion_control;
}

bool ct_lab_unprivileged(const struct ct_lab *lab)
{
    return lab->state.own_user_ns;
}
