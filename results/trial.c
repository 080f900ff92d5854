#include "results/trial.h"

#include "core/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TRIAL_S = 1,   /* of processor time, for what takes milliseconds */
    STILL_S = 3,   /* without any, by the clock: the process stands still */
    TRIALS_MAX = 3 /* processes that stand still, one after the other */
};

/* Bytes of the message; 0 or less: the other end has gone. */
static ssize_t receive(int socket, void *bytes, size_t size)
{
    ssize_t n;
    do
        n = recv(socket, bytes, size, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool send_message(int socket, const void *bytes, size_t n)
{
    ssize_t sent;
    do
        sent = send(socket, bytes, n, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)n;
}

/* ---- the process of the trial ---- */

/* The limit counts from the start of the process, in whole seconds. */
static void limit_processor_time(void)
{
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + TRIAL_S);
    setrlimit(RLIMIT_CPU, &limit);
}

static void be_quiet(void)
{
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    const struct rlimit no_core = {0, 0};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
}

static _Noreturn void try_files(int socket, ct_trial_fn *look)
{
    char path[PATH_MAX];
    be_quiet();
    for (;;) {
        ssize_t n = receive(socket, path, sizeof path);
        if (n <= 0 || path[n - 1] != '\0')
            _exit(0);
        limit_processor_time();
        look(path);
        if (!send_message(socket, "", 1))
            _exit(0);
    }
}

/* ---- the process that asks ---- */

static bool start(struct ct_trial *trial, ct_trial_fn *look)
{
    int ends[2];
    /* Messages keep their bounds. */
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        try_files(ends[1], look);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    trial->process = process;
    trial->socket = ends[0];
    return true;
}

static uint64_t processor_time_ns(pid_t process)
{
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? ct_clock_read_ns(clock) : 0;
}

/* Waits until the process answers, has gone, or has used no processor time for STILL_S.
 * @return false: it stands still */
static bool moves(const struct ct_trial *trial)
{
    struct pollfd answer = {.fd = trial->socket, .events = POLLIN};
    uint64_t used_ns = processor_time_ns(trial->process), before_ns;
    int ready;
    do {
        before_ns = used_ns;
        ready = poll(&answer, 1, STILL_S * 1000);
        used_ns = processor_time_ns(trial->process);
    } while (ready < 0 || (ready == 0 && used_ns != before_ns));
    return ready > 0;
}

void ct_trial_begin(struct ct_trial *trial, ct_trial_fn *look, const char *path)
{
    size_t n = strlen(path) + 1;
    if (*trial->begun || n > PATH_MAX || (trial->process == 0 && !start(trial, look)))
        return;
    if (send_message(trial->socket, path, n))
        memcpy(trial->begun, path, n);
    else
        ct_trial_end(trial);
}

/* Whether a file is tried now, from here on or before. */
static bool ask(struct ct_trial *trial, const char *path, size_t n)
{
    bool has_begun = *trial->begun;
    *trial->begun = '\0';
    return has_begun || send_message(trial->socket, path, n);
}

bool ct_trial_survives(struct ct_trial *trial, ct_trial_fn *look, const char *path)
{
    char answer;
    size_t n = strlen(path) + 1;
    if (*trial->begun && strcmp(trial->begun, path) != 0) /* its answer is for another file */
        ct_trial_end(trial);
    for (int i = 0; i < TRIALS_MAX && n <= PATH_MAX; i++) {
        if (trial->process == 0 && !start(trial, look))
            return true;
        bool sent = ask(trial, path, n), moved = !sent || moves(trial);
        if (sent && moved && receive(trial->socket, &answer, 1) == 1)
            return true;
        if (!moved)
            kill(trial->process, SIGKILL);
        ct_trial_end(trial);
        if (moved)
            return false;
    }
    return true;
}

void ct_trial_end(struct ct_trial *trial)
{
    if (trial->process == 0)
        return;
    close(trial->socket);
    if (*trial->begun) /* it may stand still, and nobody waits for its answer */
        kill(trial->process, SIGKILL);
    while (waitpid(trial->process, NULL, 0) < 0 && errno == EINTR)
        ;
    trial->process = 0;
    *trial->begun = '\0';
}
