/*
 * crosstalk-waits PREFIX PROGRAM [ARGUMENT]...: what a campaign starts as a rank.
 *
 * Becomes PROGRAM, so that its launcher signals it, waits for it and gets its exit code as ever.
 * A process beside it, which belongs to nobody and has none of its files open, writes down how long
 * the program waited for processors, into a file PREFIX.HOST... (see campaign/waits.h), and ends
 * with it. Nothing that fails here keeps the program from running.
 */
#include "campaign/schedstat.h"
#include "core/clock.h"
#include "core/lesser.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Between samples: at first as long as has passed, so that short programs are seen; then this, or a
   share of the time that has passed, so that files stay small. */
static const double first_step_s = 0.01, step_s = 0.2, step_frac = 0.002;
/* The same between writes to a file system that other machines see, too. */
static const double write_step_s = 0.5, write_step_frac = 0.05;

struct record {
    int fd;
    bool is_local;
    double start_s, written_s;
    char text[4096];
    size_t used;
};

/* ---- the record ---- */

/* Where a write costs nothing but a copy, each sample is written when it is taken. */
static bool is_local(int fd)
{
    static const unsigned long local[] = {
        0xEF53 /* ext */,       0x58465342 /* xfs */,       0x9123683E /* btrfs */,
        0x01021994 /* tmpfs */, 0x794C7630 /* overlayfs */,
    };
    struct statfs facts;
    if (fstatfs(fd, &facts) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (((unsigned long)facts.f_type & 0xFFFFFFFF) == local[i])
            return true;
    return false;
}

/* One call for whole lines: who is killed meanwhile leaves no half ones. */
static void flush_record(struct record *record)
{
    if (write(record->fd, record->text, record->used) < 0)
        _exit(1);
    record->used = 0;
    record->written_s = ct_clock_now_s();
}

static void add_line(struct record *record, const char *line)
{
    size_t length = strlen(line);
    if (record->used + length > sizeof record->text)
        flush_record(record);
    memcpy(record->text + record->used, line, length);
    record->used += length;
}

static void add_sample(struct record *record, double t_s, struct ct_schedstat sum)
{
    char line[160];
    struct ct_machine_times machine = {0};
    bool is_known = ct_machine_times_read("/proc", &machine);
    int n =
        snprintf(line, sizeof line, "%.6f %" PRIu64 " %" PRIu64, t_s, sum.used_ns, sum.waited_ns);
    if (is_known)
        n += snprintf(line + n, sizeof line - (size_t)n, " %.2f %.2f", machine.busy_s,
                      machine.stolen_s);
    snprintf(line + n, sizeof line - (size_t)n, "\n");
    add_line(record, line);
    if (record->is_local || t_s - record->written_s >=
                                ct_greater(write_step_s, write_step_frac * (t_s - record->start_s)))
        flush_record(record);
}

/* ---- the watcher ---- */

/* The calling process as /proc knows it: a container may show the numbers of another PID namespace.
   0: not at all. */
static pid_t number_in_proc(void)
{
    char name[32];
    ssize_t n = readlink("/proc/self", name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    return (pid_t)strtol(name, NULL, 10);
}

/* All files of the program: a launcher waits until nobody has its end of a pipe any more. */
static void leave_files(int kept)
{
    DIR *list = opendir("/proc/self/fd");
    if (!list)
        _exit(1);
    for (struct dirent *entry; (entry = readdir(list));) {
        int fd = (int)strtol(entry->d_name, NULL, 10);
        if (*entry->d_name != '.' && fd != kept && fd != dirfd(list))
            close(fd);
    }
    closedir(list);
}

static void leave_signals(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}

/* Until the program has ended. */
static void take_samples(struct record *record, pid_t pid, int pidfd)
{
    struct ct_schedstat_watch watch = {.proc = "/proc", .left_out = number_in_proc()};
    bool first = true, ended = false, is_known = pid > 0;
    while (!ended) {
        double t_s = ct_clock_now_s();
        bool good = is_known && ct_schedstat_sample(&watch, pid);
        if (first && !good)
            add_line(record, "none\n");
        if (good)
            add_sample(record, t_s, ct_schedstat_sum(&watch));
        first = false;
        double past_s = t_s - record->start_s;
        double wait_s =
            ct_greater(ct_greater(first_step_s, ct_lesser(step_s, past_s)), step_frac * past_s);
        struct pollfd end = {.fd = pidfd, .events = POLLIN};
        ended = poll(&end, 1, (int)(1e3 * wait_s)) > 0;
    }
    /* Until its parent has seen its end, a process shows what it took to the last. */
    double end_s = ct_clock_now_s();
    char line[40];
    if (is_known && ct_schedstat_sample(&watch, pid))
        add_sample(record, end_s, ct_schedstat_sum(&watch));
    snprintf(line, sizeof line, "end %.6f\n", end_s);
    add_line(record, line);
    flush_record(record);
    ct_schedstat_free(&watch);
}

static void watch_rank(pid_t pid, int pidfd, const char *prefix)
{
    char path[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
    struct record record = {.start_s = ct_clock_now_s()};
    setsid();
    prctl(PR_SET_NAME, "crosstalk-waits");
    leave_files(pidfd);
    leave_signals();
    /* Containers may have the same name, and the same process numbers in them. */
    gethostname(host, sizeof host - 1);
    int n = snprintf(path, sizeof path, "%s.%s.%d.%" PRIu64, prefix, host, (int)getpid(),
                     ct_clock_now_ns());
    if (n < 0 || (size_t)n >= sizeof path)
        return;
    record.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (record.fd < 0)
        return;
    record.is_local = is_local(record.fd);
    add_line(&record, "crosstalk-waits 1\n");
    take_samples(&record, pid, pidfd);
}

/* A grandchild: a program may wait for all of its children, and would wait for this one. */
static void start_watcher(const char *prefix)
{
    pid_t self = number_in_proc();
    int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (pidfd < 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            watch_rank(self, pidfd, prefix);
        _exit(0);
    }
    close(pidfd);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("crosstalk-waits: for 'crosstalk campaign run' only\n", stderr);
        return 2;
    }
    char *const *program = argv + 2;
    start_watcher(argv[1]);
    execvp(program[0], program);
    /* Some launchers look into the working directory, too. */
    if (errno == ENOENT && !strchr(program[0], '/')) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "./%s", program[0]);
        execv(path, program);
    }
    fprintf(stderr, "%s: %s\n", program[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
