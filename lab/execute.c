/*
 * A command in the lab:
 *
 *     outer (stays outside; takes the signals)
 *       └─ porter (enters the lab)
 *            └─ keeper (in the lab's PID namespace, where alone the next one can be made)
 *                 └─ init (pid 1 of a PID namespace of its own)
 *                      └─ command, in its own session
 *
 * Porter and keeper wait for the next one, so that outer knows when all is gone.
 * Signals travel as bytes through a pipe from outer to init, since outer alone is in the terminal's
 * process group. Its end of file means that outer was killed: init ends, and with it, because it is
 * pid 1, every process that the command started.
 */
#include "core/clock.h"
#include "core/file.h"
#include "lab/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_DEADLINE 124 /* as timeout(1) */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
/* timeout(1) and a shell's kill of a job signal both us and our group: that is one request. */
static const double same_request_s = 0.2;

static int exit_code_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

int ct_lab_wait(pid_t pid)
{
    int wait_status;
    while (waitpid(pid, &wait_status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return exit_code_of(wait_status);
}

static void take_signals(sigset_t *old_p)
{
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaddset(&taken, passed_on[i]);
    sigprocmask(SIG_BLOCK, &taken, old_p);
}

/* ---- the init of one command ---- */

static void become_command(const struct ct_lab_exec *exec, const sigset_t *mask)
{
    setsid();
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(exec->argv[0], exec->argv);
    fprintf(stderr, "crosstalk lab: %s: %s\n", exec->argv[0], strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* Parent of a process, from /proc; 0 if it is gone. */
static pid_t parent_of(pid_t pid, char name[32])
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!ct_file_head(path, text, sizeof text))
        return 0;
    const char *open = strchr(text, '('), *end = strrchr(text, ')');
    if (!open || !end || strlen(end) < 5)
        return 0;
    snprintf(name, 32, "%.*s", (int)(end - open - 1), open + 1);
    return (pid_t)strtol(end + 4, NULL, 10); /* ") S PARENT" */
}

/* What starts ranks on a host: Hydra, Open MPI up to version 4, Open MPI 5. */
static bool is_proxy(const char *name)
{
    static const char *const proxies[] = {"hydra_pmi_proxy", "orted", "prted"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        if (strcmp(name, proxies[i]) == 0)
            return true;
    return false;
}

/* Process managers answer SIGTERM by killing the ranks at once. So the ranks get the signal
   themselves: they are the children of the proxies. */
static size_t signal_ranks(int number)
{
    size_t n = 0;
    char self[16] = "";
    /* Where a container refused us a /proc of our own, its numbers mean others. */
    if (readlink("/proc/self", self, sizeof self - 1) < 0 || strtol(self, NULL, 10) != getpid())
        return 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        char name[32], parent_name[32];
        if (pid <= 1)
            continue;
        pid_t parent = parent_of(pid, name);
        if (parent > 1 && parent_of(parent, parent_name) > 0 && is_proxy(parent_name) &&
            kill(pid, number) == 0)
            n++;
    }
    if (proc)
        closedir(proc);
    return n;
}

static void deliver_signal(const struct ct_lab_exec *exec, pid_t command, int number, int *n_ends)
{
    bool is_end = number == SIGINT || number == SIGTERM;
    /* Who asks the ranks a second time does not want to wait for them. */
    if (exec->mpiexec && is_end && ++*n_ends > 1)
        _exit(128 + number);
    if (exec->mpiexec && signal_ranks(number) > 0)
        return;
    /* From a terminal these two reach all of a job; the rest is meant for the one process. */
    bool whole_group = number == SIGINT || number == SIGQUIT;
    kill(whole_group ? -command : command, number);
}

static void run_init(const struct ct_lab_exec *exec, int line, const sigset_t *mask)
{
    struct ct_error err;
    if (ct_lab_private_mounts(true, &err) != CT_OK) {
        fprintf(stderr, "crosstalk lab: %s\n", err.text);
        _exit(EXIT_CANNOT_RUN);
    }
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    pid_t command = fork();
    if (command == 0)
        become_command(exec, mask);
    if (command < 0 || children < 0)
        _exit(EXIT_CANNOT_RUN);
    int n_ends = 0;
    struct pollfd watch[] = {{.fd = line, .events = POLLIN}, {.fd = children, .events = POLLIN}};
    for (;;) {
        if (poll(watch, 2, -1) < 0)
            continue;
        struct signalfd_siginfo info;
        if (read(children, &info, sizeof info) > 0) {
            int wait_status;
            for (pid_t pid; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;)
                if (pid == command)
                    _exit(exit_code_of(wait_status));
        }
        unsigned char number;
        if (watch[0].revents) {
            if (read(line, &number, 1) != 1 || number == SIGKILL)
                _exit(128 + SIGKILL);
            deliver_signal(exec, command, number, &n_ends);
        }
    }
}

/* Or a reader of the command's output would wait for us too. */
static void let_go_of_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
}

static void run_keeper(const struct ct_lab_exec *exec, int line, const sigset_t *mask)
{
    if (unshare(CLONE_NEWPID) != 0) {
        fprintf(stderr, "crosstalk lab: PID namespace: %s\n", strerror(errno));
        _exit(EXIT_CANNOT_RUN);
    }
    pid_t init = fork();
    if (init == 0)
        run_init(exec, line, mask);
    if (init < 0) {
        fprintf(stderr, "crosstalk lab: fork: %s\n", strerror(errno));
        _exit(EXIT_CANNOT_RUN);
    }
    close(line);
    let_go_of_streams();
    _exit(ct_lab_wait(init));
}

/* Says through `answer` what kept it from entering; closes it in silence once the keeper runs. */
static void run_porter(const struct ct_lab *lab, const struct ct_lab_exec *exec, int line,
                       int answer, const sigset_t *mask)
{
    struct ct_error err;
    prctl(PR_SET_NAME, "crosstalk-exec");
    setsid();
    enum ct_status status = ct_lab_enter(lab, &err);
    if (status == CT_OK && exec->host)
        status = ct_lab_enter_host(lab->paths.ns, exec->host, &err);
    /* A delay line without real-time priority goes ahead of what is nice, and of that only. */
    if (lab->state.delay_by == CT_LAB_DELAY_LINE && !lab->state.delay_is_real_time)
        (void)setpriority(PRIO_PROCESS, 0, 19);
    pid_t keeper = status == CT_OK ? fork() : -1;
    if (keeper == 0) {
        close(answer);
        run_keeper(exec, line, mask);
    }
    if (status == CT_OK && keeper < 0)
        status = ct_fail(&err, CT_EIO, "lab: no process: %s", strerror(errno));
    if (status != CT_OK)
        _exit(write(answer, &err, sizeof err) == (ssize_t)sizeof err ? 0 : 1);
    close(answer);
    close(line);
    let_go_of_streams();
    _exit(ct_lab_wait(keeper));
}

/* ---- outer ---- */

/* What outer knows about the end of the command. */
struct supervision {
    int line;
    double term_at_s, kill_at_s; /* INFINITY: not planned */
    double grace_s;
    double last_s[65]; /* when each signal was last passed on */
    bool deadline_passed;
};

static void pass_on(struct supervision *s, int number)
{
    double now = ct_clock_now_s();
    if (now - s->last_s[number] < same_request_s)
        return;
    s->last_s[number] = now;
    unsigned char byte = (unsigned char)number;
    while (write(s->line, &byte, 1) < 0 && errno == EINTR)
        continue;
}

static int until_next_ms(const struct supervision *s)
{
    double next = fmin(s->term_at_s, s->kill_at_s);
    if (isinf(next))
        return -1;
    double left = next - ct_clock_now_s();
    return left <= 0 ? 0 : (int)fmin(left * 1000 + 1, 1e6);
}

static void check_deadlines(struct supervision *s)
{
    double now = ct_clock_now_s();
    if (now >= s->term_at_s) {
        s->deadline_passed = true;
        s->term_at_s = INFINITY;
        s->kill_at_s = now + s->grace_s;
        pass_on(s, SIGTERM);
    }
    if (now >= s->kill_at_s) {
        s->kill_at_s = INFINITY;
        pass_on(s, SIGKILL);
    }
}

static int supervise_command(struct supervision *s, int signals, pid_t porter)
{
    struct pollfd watch = {.fd = signals, .events = POLLIN};
    for (;;) {
        int wait_status;
        if (waitpid(porter, &wait_status, WNOHANG) == porter)
            return exit_code_of(wait_status);
        if (poll(&watch, 1, until_next_ms(s)) > 0) {
            struct signalfd_siginfo info;
            if (read(signals, &info, sizeof info) == (ssize_t)sizeof info &&
                info.ssi_signo != SIGCHLD)
                pass_on(s, (int)info.ssi_signo);
        }
        check_deadlines(s);
    }
}

static enum ct_status run_outer(const struct ct_lab_exec *exec, pid_t porter, int line, int answer,
                                int signals, int *exit_code_p, struct ct_error *err)
{
    struct ct_error refusal;
    if (read(answer, &refusal, sizeof refusal) == (ssize_t)sizeof refusal) {
        ct_lab_wait(porter);
        if (err)
            *err = refusal;
        return refusal.status;
    }
    struct supervision s = {.line = line,
                            .term_at_s = exec->deadline_s > 0 ? ct_clock_now_s() + exec->deadline_s
                                                              : INFINITY,
                            .kill_at_s = INFINITY,
                            .grace_s = exec->grace_s};
    int code = supervise_command(&s, signals, porter);
    *exit_code_p = s.deadline_passed ? EXIT_DEADLINE : code;
    return CT_OK;
}

enum ct_status ct_lab_exec(const struct ct_lab *lab, const struct ct_lab_exec *exec,
                           int *exit_code_p, struct ct_error *err)
{
    int line[2] = {-1, -1}, answer[2] = {-1, -1};
    enum ct_status status = CT_OK;
    sigset_t mask, taken;
    take_signals(&mask);
    sigprocmask(SIG_BLOCK, NULL, &taken);
    int signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    /* The init is gone before the porter: a signal passed on in between is no error. */
    void (*on_pipe)(int) = signal(SIGPIPE, SIG_IGN);
    if (signals < 0 || pipe2(line, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0) {
        status = ct_fail(err, CT_EIO, "pipe: %s", strerror(errno));
        goto close_all;
    }
    fflush(NULL);
    pid_t porter = fork();
    if (porter == 0) {
        signal(SIGPIPE, on_pipe);
        close(line[1]);
        close(answer[0]);
        run_porter(lab, exec, line[0], answer[1], &mask);
    }
    close(answer[1]);
    answer[1] = -1;
    status = porter < 0 ? ct_fail(err, CT_EIO, "lab: no process: %s", strerror(errno))
                        : run_outer(exec, porter, line[1], answer[0], signals, exit_code_p, err);
close_all:
    signal(SIGPIPE, on_pipe);
    const int fds[] = {signals, line[0], line[1], answer[0], answer[1]};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return status;
}
