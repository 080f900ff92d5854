#include "campaign/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TAIL_MAX = 4096 };

static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static sigset_t caught_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

void ct_process_catch_signals(void)
{
    const struct sigaction action = {.sa_handler = note_signal};
    const sigset_t set = caught_signals();
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* ---- start ---- */

/* In a child. False: the parent died before it could be tied to it. */
static bool tie_to(pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

/* The child up to exec: the errno of a failure goes through failure, which exec closes. */
static void become_program(char *const *argv, int output, int log, int null, pid_t parent,
                           int failure)
{
    const sigset_t set = caught_signals();
    if (tie_to(parent)) {
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        if (dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
            dup2(log, STDERR_FILENO) >= 0)
            execvp(argv[0], argv);
    }
    int cause = errno;
    if (write(failure, &cause, sizeof cause) < 0)
        _exit(126);
    _exit(127);
}

/* Wait for exec: 0, or the errno for which it failed. */
static int read_failure(int failure)
{
    int cause = 0;
    ssize_t n;
    do
        n = read(failure, &cause, sizeof cause);
    while (n < 0 && errno == EINTR);
    return n == sizeof cause ? cause : 0;
}

static void close_all(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* What is known of a child by its number: 0, or the errno for which it had to be killed. */
static int watch_child(struct ct_process *process)
{
    process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (process->pidfd >= 0)
        return 0;
    int cause = errno;
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL); /* where it has no group yet */
    return cause;
}

enum ct_status ct_process_fork(int (*work)(void *context), void *context,
                               struct ct_process *process_p, struct ct_error *err)
{
    struct ct_process process = {.start_s = ct_clock_now_s(), .pidfd = -1};
    pid_t self = getpid();
    process.pid = fork();
    if (process.pid == 0)
        _exit(tie_to(self) ? work(context) : 127);
    int cause = process.pid < 0 ? errno : watch_child(&process);
    if (cause != 0) {
        if (process.pid > 0)
            waitpid(process.pid, NULL, 0);
        return ct_fail(err, CT_EIO, "a further process: %s", strerror(cause));
    }
    setpgid(process.pid, process.pid); /* the copy may not have come to it yet */
    *process_p = process;
    return CT_OK;
}

static int open_log(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

enum ct_status ct_process_start(char *const *argv, const char *log_path,
                                struct ct_process *process_p, struct ct_error *err)
{
    return ct_process_start_apart(argv, log_path, log_path, process_p, err);
}

enum ct_status ct_process_start_apart(char *const *argv, const char *output_path,
                                      const char *log_path, struct ct_process *process_p,
                                      struct ct_error *err)
{
    enum { OUTPUT, LOG, NIL, FAILURE, FAILURE_IN, N_FDS };
    int fd[N_FDS] = {open_log(output_path), open_log(log_path),
                     open("/dev/null", O_RDONLY | O_CLOEXEC), -1, -1};
    if (fd[OUTPUT] < 0 || fd[LOG] < 0 || fd[NIL] < 0 || pipe2(&fd[FAILURE], O_CLOEXEC) != 0) {
        int cause = errno;
        const char *path = fd[OUTPUT] < 0 ? output_path : log_path;
        close_all(fd, N_FDS);
        return ct_fail(err, CT_EIO, "%s: %s", path, strerror(cause));
    }
    struct ct_process process = {.start_s = ct_clock_now_s(), .pidfd = -1};
    pid_t self = getpid();
    process.pid = fork();
    if (process.pid == 0)
        become_program(argv, fd[OUTPUT], fd[LOG], fd[NIL], self, fd[FAILURE_IN]);
    int cause = process.pid < 0 ? errno : 0;
    close(fd[FAILURE_IN]);
    fd[FAILURE_IN] = -1;
    if (cause == 0)
        cause = read_failure(fd[FAILURE]);
    close_all(fd, N_FDS);
    if (cause == 0)
        cause = watch_child(&process);
    if (cause != 0) {
        if (process.pid > 0)
            waitpid(process.pid, NULL, 0);
        return ct_fail(err, cause == ENOENT ? CT_ENOENT : CT_EIO, "%s: %s", argv[0],
                       strerror(cause));
    }
    *process_p = process;
    return CT_OK;
}

/* ---- wait and end ---- */

static bool try_reap(struct ct_process *process)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0)
        return false;
    process->end_s = ct_clock_now_s();
    /* As long as it is not reaped, the number of its group cannot belong to anybody else. */
    kill(-process->pid, SIGKILL);
    waitpid(process->pid, NULL, 0);
    close(process->pidfd);
    process->pidfd = -1;
    process->ended = true;
    process->code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    return true;
}

static struct timespec timespec_until(double until_s)
{
    double left_s = fmin(fmax(until_s - ct_clock_now_s(), 0), 1e6);
    return (struct timespec){.tv_sec = (time_t)left_s,
                             .tv_nsec = (long)((left_s - floor(left_s)) * 1e9)};
}

/* mask: of signals while waiting; NULL: as it is. */
static enum ct_status wait_with(struct ct_process *const *processes, size_t n, double until_s,
                                const sigset_t *mask)
{
    assert(n <= CT_PROCESSES_MAX);
    for (;;) {
        struct pollfd watch[CT_PROCESSES_MAX];
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            any = (!processes[i]->ended && try_reap(processes[i])) || any;
            watch[i] = (struct pollfd){.fd = processes[i]->pidfd, .events = POLLIN};
        }
        if (any)
            return CT_OK;
        if (mask && interrupted)
            return CT_EINTR;
        if (ct_clock_now_s() >= until_s)
            return CT_ETIMEOUT;
        struct timespec left = timespec_until(until_s);
        if (ppoll(watch, n, &left, mask) < 0 && errno == EINTR && mask && interrupted)
            return CT_EINTR;
    }
}

enum ct_status ct_process_wait(struct ct_process *const *processes, size_t n, double until_s)
{
    sigset_t mask;
    const sigset_t set = caught_signals();
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigset_t open = mask;
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&set, number) == 1)
            sigdelset(&open, number);
    return wait_with(processes, n, until_s, &open);
}

void ct_process_kill(struct ct_process *process)
{
    if (process->ended)
        return;
    kill(-process->pid, SIGKILL);
    wait_with(&process, 1, INFINITY, NULL);
}

bool ct_process_end(struct ct_process *process, int signal, double grace_s)
{
    if (process->ended)
        return true;
    kill(process->pid, signal);
    bool obeyed = wait_with(&process, 1, ct_clock_now_s() + grace_s, NULL) == CT_OK;
    ct_process_kill(process);
    return obeyed;
}

/* ---- log ---- */

/* What Open MPI's launcher says, between two lines of -, of any program that fails: it would take
   the place of the program's own last words. */
static bool is_of_launcher(const char *lines)
{
    return strstr(lines, "a non-zero exit code. Per user-direction") ||
           strstr(lines, "exited with non-zero status");
}

static bool is_frame(const char *line)
{
    return strspn(line, "-") >= 70 && line[strspn(line, "-")] == '\0';
}

/* Lines in one, without those of launchers. As long as they are, and two bytes more each. */
static void join_lines(char *lines, char *joined, size_t size)
{
    size_t used = 0, start = 0;
    bool framed = false;
    *joined = '\0';
    for (char *line; (line = strsep(&lines, "\n"));) {
        for (char *c = line; *c; c++)
            if ((unsigned char)*c < ' ')
                *c = ' ';
        line += strspn(line, " ");
        if (is_frame(line)) {
            if (framed && is_of_launcher(joined + start))
                used = start;
            joined[used] = '\0';
            framed = true;
            start = used;
        } else if (*line) {
            used += (size_t)snprintf(joined + used, size - used, "%s%s", used ? " | " : "", line);
        }
    }
}

void ct_process_tail(const char *path, char *text, size_t size)
{
    char end[TAIL_MAX], joined[3 * TAIL_MAX];
    *text = '\0';
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fseek(file, -(long)(sizeof end - 1), SEEK_END) != 0)
        rewind(file);
    size_t n = fread(end, 1, sizeof end - 1, file);
    fclose(file);
    end[n] = '\0';
    join_lines(end, joined, sizeof joined);
    size_t length = strlen(joined);
    snprintf(text, size, "%s", joined + (length < size ? 0 : length - (size - 1)));
}
