/* Building labs and ending them. */
#include "lab/internal.h"
#include "lab/plan.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int end_wait_ms = 10000;

static bool same_spec(const struct ct_lab_spec *a, const struct ct_lab_spec *b)
{
    return a->n_hosts == b->n_hosts && a->rate_bit_per_s == b->rate_bit_per_s &&
           !strcmp(a->topology, b->topology) && a->uplink_bit_per_s == b->uplink_bit_per_s &&
           a->queue == b->queue && a->queue_limit_bytes == b->queue_limit_bytes &&
           (a->delay.latency_s > 0) == (b->delay.latency_s > 0) &&
           !strcmp(a->like.machine, b->like.machine) && a->like.dilation == b->like.dilation;
}

static bool same_delay(const struct ct_lab_delay *a, const struct ct_lab_delay *b)
{
    return a->latency_s == b->latency_s && a->jitter_s == b->jitter_s &&
           (a->shape == b->shape || a->jitter_s == 0);
}

static enum ct_status check_switches(const struct ct_lab_spec *spec, struct ct_error *err)
{
    struct ct_lab_plan *plan;
    CT_TRY(ct_lab_rate_check("uplink", spec->uplink_bit_per_s, err));
    CT_TRY(ct_lab_plan_new(spec, &plan, err));
    free(plan);
    return CT_OK;
}

static enum ct_status check_spec(const struct ct_lab_spec *spec, struct ct_error *err)
{
    if (spec->n_hosts < 2 || spec->n_hosts > CT_LAB_HOSTS_MAX)
        return ct_fail(err, CT_EINVAL, "%llu hosts: 2 to %d are possible",
                       (unsigned long long)spec->n_hosts, CT_LAB_HOSTS_MAX);
    CT_TRY(ct_lab_rate_check("rate", spec->rate_bit_per_s, err));
    if (*spec->topology)
        CT_TRY(check_switches(spec, err));
    if (spec->queue_limit_bytes < 3000 || spec->queue_limit_bytes > (size_t)1 << 30)
        return ct_fail(err, CT_EINVAL, "queue limit of %zu bytes: 3000B to 1GiB are possible",
                       spec->queue_limit_bytes);
    const struct ct_lab_delay between = {.latency_s = spec->like.link_latency_s};
    CT_TRY(ct_lab_delay_check(&spec->delay, err));
    return ct_lab_delay_check(&between, err);
}

static enum ct_status fail_other(const struct ct_lab_paths *paths, struct ct_error *err)
{
    return ct_fail(err, CT_EEXIST,
                   "lab '%s': exists already with other settings; end it first: "
                   "crosstalk lab down --id %s",
                   paths->id, paths->id);
}

/* A lab that differs by its delay alone: another one for who has built it. */
static enum ct_status adopt_lab(const struct ct_lab_paths *paths, const struct ct_lab_state *old,
                                const struct ct_lab_spec *spec, struct ct_error *err)
{
    struct ct_lab *lab;
    if (!*spec->owner || strcmp(old->spec.owner, spec->owner) != 0)
        return ct_fail(err, CT_EEXIST,
                       "lab '%s': exists already with another latency; change it by "
                       "crosstalk lab latency --id %s, or end it: crosstalk lab down --id %s",
                       paths->id, paths->id, paths->id);
    CT_TRY(ct_lab_open(paths->id, &lab, err));
    enum ct_status status = ct_lab_delay_change(lab, &spec->delay, err);
    ct_lab_close(lab);
    return status;
}

/* With the lock held. Leaves *exists_p true and nothing changed, or the name free. */
static enum ct_status make_room(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                                bool *exists_p, struct ct_error *err)
{
    struct ct_lab_state old;
    enum ct_status status = ct_lab_state_read(paths, &old, err);
    *exists_p = false;
    if (status == CT_OK) {
        int pidfd = ct_lab_find_holder(&old);
        if (pidfd >= 0) {
            close(pidfd);
            if (!same_spec(&old.spec, spec))
                return fail_other(paths, err);
            *exists_p = true;
            return same_delay(&old.spec.delay, &spec->delay) ? CT_OK
                                                             : adopt_lab(paths, &old, spec, err);
        }
    } else if (status != CT_ENOENT) {
        return status;
    }
    return ct_lab_state_remove(paths, err);
}

enum ct_status ct_lab_up(const char *id, const struct ct_lab_spec *spec, bool *existed_p,
                         struct ct_error *err)
{
    struct ct_lab_paths paths;
    int lock_fd = -1;
    bool exists = false;
    enum ct_status status = check_spec(spec, err);
    if (status == CT_OK)
        status = ct_lab_paths(id, &paths, err);
    if (status == CT_OK)
        status = ct_lab_lock(&paths, &lock_fd, err);
    if (status != CT_OK)
        return status;
    status = make_room(&paths, spec, &exists, err);
    if (status != CT_OK || exists)
        goto unlock;
    if (mkdir(paths.dir, 0755) != 0 || mkdir(paths.ns, 0755) != 0) {
        status = ct_fail(err, CT_EIO, "%s: cannot be created: %s", paths.dir, strerror(errno));
        goto unlock;
    }
    status = ct_lab_hold(&paths, spec, lock_fd, err);
    if (status != CT_OK)
        ct_lab_state_remove(&paths, NULL);
unlock:
    close(lock_fd);
    if (status == CT_OK && existed_p)
        *existed_p = exists;
    return status;
}

enum ct_status ct_lab_down(const char *id, bool *existed_p, struct ct_error *err)
{
    struct ct_lab_paths paths;
    struct ct_lab_state state;
    int lock_fd = -1;
    bool existed = false;
    CT_TRY(ct_lab_paths(id, &paths, err));
    CT_TRY(ct_lab_lock(&paths, &lock_fd, err));
    enum ct_status status = ct_lab_state_read(&paths, &state, err);
    int pidfd = status == CT_OK ? ct_lab_find_holder(&state) : -1;
    if (pidfd >= 0) {
        existed = true;
        if (syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) != 0 && errno != ESRCH)
            status = ct_fail(err, CT_EIO, "lab '%s': its holder, process %d, cannot be ended: %s",
                             paths.id, (int)state.holder, strerror(errno));
        else if (!ct_lab_ended(pidfd, end_wait_ms))
            status = ct_fail(err, CT_ETIMEOUT, "lab '%s': its holder, process %d, does not end",
                             paths.id, (int)state.holder);
        close(pidfd);
    }
    if (status == CT_OK || status == CT_ENOENT)
        status = ct_lab_state_remove(&paths, err);
    if (paths.base_is_ours)
        rmdir(paths.base); /* stays where there are other labs */
    close(lock_fd);
    if (status == CT_OK && existed_p)
        *existed_p = existed;
    return status;
}
