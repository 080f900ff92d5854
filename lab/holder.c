/*
 * From `up` to the complete lab:
 *
 *     up ── fork ── starter: new namespaces ── fork ── holder (pid 1 of the lab)
 *      ◄──────── pid of the holder ─┘                     │ builds the network
 *      ◄──────────────────────────────────────── ready ───┤
 *      ────────── commit, with what only up knows ───────►│ writes the state file
 *      ◄──────────────────────────────────────── done ────┘ reaps for ever
 *
 * If up dies before it commits, the holder reads end of file and ends, and the kernel clears away
 * all it made. The holder keeps the lock until then, so nobody builds beside a dying lab.
 * A delay line is a child of the holder; when it ends, so does the holder.
 */
#include "lab/delay_line.h"
#include "lab/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum message_kind { HOLDER_PID = 1, HOLDER_READY, COMMIT, HOLDER_DONE, FAILED };

struct message {
    enum message_kind kind;
    pid_t pid;
    bool own_user_ns;
    uint64_t start_ticks;
    struct ct_error error;
};

static bool send_message(int fd, const struct message *m)
{
    return send(fd, m, sizeof *m, MSG_NOSIGNAL) == (ssize_t)sizeof *m;
}

static bool receive_message(int fd, struct message *m_p)
{
    ssize_t n;
    do
        n = recv(fd, m_p, sizeof *m_p, 0);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *m_p;
}

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

static enum ct_status fail_refused(const char *what, struct ct_error *err)
{
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s: %s. Needed: root with CAP_SYS_ADMIN, or user namespaces for everybody "
                   "(sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces > 0, "
                   "kernel.apparmor_restrict_unprivileged_userns=0; kernel option "
                   "CONFIG_USER_NS); in a container: --privileged",
                   what, strerror(errno));
}

static enum ct_status new_namespaces(bool *own_user_ns_p, struct ct_error *err)
{
    static const int all = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID;
    if (unshare(all) == 0) {
        *own_user_ns_p = false;
        return CT_OK;
    }
    if (errno != EPERM)
        return fail_refused("namespaces", err);
    char uid_map[64], gid_map[64];
    snprintf(uid_map, sizeof uid_map, "0 %u 1", (unsigned)geteuid());
    snprintf(gid_map, sizeof gid_map, "0 %u 1", (unsigned)getegid());
    if (unshare(all | CLONE_NEWUSER) != 0)
        return fail_refused("user namespace", err);
    if (!write_text("/proc/self/setgroups", "deny") || !write_text("/proc/self/uid_map", uid_map) ||
        !write_text("/proc/self/gid_map", gid_map))
        return fail_refused("user namespace: mapping to root", err);
    *own_user_ns_p = true;
    return CT_OK;
}

/* Standard streams away from the terminal, so that the lab outlives it; everything else but the two
   descriptors closed, so that no pipe of a caller is held open for ever. */
static enum ct_status detach_holder(const struct ct_lab_paths *paths, int *control, int *lock_fd,
                                    struct ct_error *err)
{
    int log = open(paths->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (log < 0 || null < 0)
        return ct_fail(err, CT_EIO, "%s: %s", paths->log, strerror(errno));
    int kept_control = fcntl(*control, F_DUPFD_CLOEXEC, 100);
    int kept_lock = fcntl(*lock_fd, F_DUPFD_CLOEXEC, kept_control + 1);
    if (kept_control < 0 || kept_lock < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
        return ct_fail(err, CT_EIO, "standard streams: %s", strerror(errno));
    close_range(3, (unsigned)kept_control - 1, 0);
    close_range((unsigned)kept_control + 1, (unsigned)kept_lock - 1, 0);
    close_range((unsigned)kept_lock + 1, ~0U, 0);
    *control = kept_control;
    *lock_fd = kept_lock;
    setsid();
    if (chdir("/") != 0)
        return ct_fail(err, CT_EIO, "/: %s", strerror(errno));
    return CT_OK;
}

/* What of a lab is known once it is built. */
struct built {
    enum ct_lab_delay_by delay_by;
    pid_t line; /* its delay line; 0: it has none */
    bool line_is_real_time;
};

static enum ct_status build_network(const struct ct_lab_paths *paths,
                                    const struct ct_lab_spec *spec, struct built *built_p,
                                    struct ct_error *err)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return fail_refused("mounts: cannot be made private", err);
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        fprintf(stderr, "/proc: stays the machine's: %s\n", strerror(errno));
    if (sethostname("switch", strlen("switch")) != 0)
        return fail_refused("host name", err);
    /* Away from a login PATH of other users, which lacks the folders where ip and tc are. */
    char path[4096];
    const char *given = getenv("PATH");
    snprintf(path, sizeof path, "%s:/usr/sbin:/sbin:/usr/bin:/bin", given ? given : "");
    if (setenv("PATH", path, 1) != 0)
        return ct_no_memory(err, "PATH");
    enum ct_status status = ct_lab_network(paths, spec, &built_p->delay_by, err);
    if (status != CT_OK || built_p->delay_by != CT_LAB_DELAY_LINE)
        return status;
    status = ct_lab_delay_page_create(paths->ns, &spec->delay, err);
    return status == CT_OK ? ct_lab_delay_start(paths->ns, spec, &built_p->line,
                                                &built_p->line_is_real_time, err)
                           : status;
}

/* Its links would stay up, and what is sent through them would vanish. */
static void end_with_line(const struct ct_lab_paths *paths, int wait_status)
{
    char reason[CT_LAB_END_MAX];
    if (WIFSIGNALED(wait_status))
        snprintf(reason, sizeof reason, "its delay line was ended by SIG%s",
                 sigabbrev_np(WTERMSIG(wait_status)));
    else
        snprintf(reason, sizeof reason, "its delay line has ended with exit code %d",
                 WEXITSTATUS(wait_status));
    fprintf(stderr, "%s\n", reason);
    ct_lab_end_write(paths, reason);
    _exit(1);
}

static void reap_for_ever(const struct ct_lab_paths *paths, pid_t line)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        int wait_status;
        for (pid_t pid; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;)
            if (pid == line)
                end_with_line(paths, wait_status);
        sigwaitinfo(&child, NULL);
    }
}

static void hold_lab(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec, int control,
                     int lock_fd)
{
    struct message m = {.kind = HOLDER_READY};
    prctl(PR_SET_NAME, "crosstalk-lab");
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct built built = {0};
    enum ct_status status = build_network(paths, spec, &built, &m.error);
    if (status != CT_OK)
        m.kind = FAILED;
    sigprocmask(SIG_SETMASK, &child, NULL);
    if (!send_message(control, &m) || status != CT_OK || !receive_message(control, &m) ||
        m.kind != COMMIT)
        _exit(1);
    struct ct_lab_state state = {.spec = *spec,
                                 .holder = m.pid,
                                 .holder_start_ticks = m.start_ticks,
                                 .own_user_ns = m.own_user_ns,
                                 .delay_by = built.delay_by,
                                 .delay_is_real_time = built.line_is_real_time};
    ct_lab_read_congestion_control(state.congestion_control);
    m.kind = HOLDER_DONE;
    if (ct_lab_state_write(paths, &state, &m.error) != CT_OK)
        m.kind = FAILED;
    send_message(control, &m);
    if (m.kind == FAILED)
        _exit(1);
    close(control);
    close(lock_fd);
    reap_for_ever(paths, built.line);
}

static void start_holder(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                         int control, int lock_fd)
{
    struct message m = {.kind = HOLDER_PID};
    enum ct_status status = detach_holder(paths, &control, &lock_fd, &m.error);
    if (status == CT_OK)
        status = new_namespaces(&m.own_user_ns, &m.error);
    if (status != CT_OK) {
        m.kind = FAILED;
        send_message(control, &m);
        _exit(1);
    }
    m.pid = fork();
    if (m.pid == 0)
        hold_lab(paths, spec, control, lock_fd);
    if (m.pid < 0) {
        m.kind = FAILED;
        ct_fail(&m.error, CT_EIO, "holder: cannot be started: %s", strerror(errno));
    }
    /* If up is gone already, so is the other end of the holder's line. */
    send_message(control, &m);
    _exit(0);
}

/* Two senders, so the first two messages may come in either order. */
static enum ct_status await_holder(int control, struct message *commit_p, struct ct_error *err)
{
    bool ready = false, known = false;
    while (!ready || !known) {
        struct message m;
        if (!receive_message(control, &m))
            return ct_fail(err, CT_ECHILD, "lab: its holder ended before the network was complete");
        if (m.kind == FAILED && err)
            *err = m.error;
        if (m.kind == FAILED)
            return m.error.status;
        if (m.kind == HOLDER_READY)
            ready = true;
        if (m.kind == HOLDER_PID) {
            known = true;
            *commit_p = m;
        }
    }
    commit_p->kind = COMMIT;
    if (!ct_lab_start_ticks(commit_p->pid, &commit_p->start_ticks))
        return ct_fail(err, CT_ECHILD, "lab: its holder, process %d, is gone", (int)commit_p->pid);
    return CT_OK;
}

static enum ct_status commit_holder(int control, const struct message *commit, struct ct_error *err)
{
    struct message m;
    if (!send_message(control, commit) || !receive_message(control, &m))
        return ct_fail(err, CT_ECHILD, "lab: its holder ended");
    if (m.kind == FAILED && err)
        *err = m.error;
    return m.kind == FAILED ? m.error.status : CT_OK;
}

enum ct_status ct_lab_hold(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                           int lock_fd, struct ct_error *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return ct_fail(err, CT_EIO, "socket pair: %s", strerror(errno));
    fflush(NULL);
    pid_t starter = fork();
    if (starter == 0) {
        close(ends[0]);
        start_holder(paths, spec, ends[1], lock_fd);
    }
    close(ends[1]);
    struct message commit;
    enum ct_status status = CT_OK;
    if (starter < 0)
        status = ct_fail(err, CT_EIO, "holder: cannot be started: %s", strerror(errno));
    if (status == CT_OK)
        status = await_holder(ends[0], &commit, err);
    if (status == CT_OK)
        status = commit_holder(ends[0], &commit, err);
    close(ends[0]);
    if (starter > 0)
        ct_lab_wait(starter);
    return status;
}
