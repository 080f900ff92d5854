#include "campaign/schedstat.h"

#include "core/array.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A chain of processes that is longer, such as scripts that call scripts, is not followed. */
enum { DEPTH_MAX = 16, CHILDREN_TEXT = 4096 };

bool ct_schedstat_parse(const char *text, struct ct_schedstat *stat_p)
{
    uint64_t values[3];
    for (size_t i = 0; i < 3; i++) {
        char *end;
        if (!isdigit((unsigned char)*text))
            return false;
        values[i] = strtoull(text, &end, 10);
        if (*end != (i < 2 ? ' ' : '\n') && *end != '\0')
            return false;
        text = *end ? end + 1 : end;
    }
    if (*text != '\0')
        return false;
    *stat_p = (struct ct_schedstat){.used_ns = values[0], .waited_ns = values[1]};
    return true;
}

static bool read_head(int folder, const char *path, char *text, size_t size)
{
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return true;
}

bool ct_machine_times_parse(const char *text, struct ct_machine_times *times_p)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, N_TIMES };
    double ticks[N_TIMES], per_s = (double)sysconf(_SC_CLK_TCK);
    if (strncmp(text, "cpu ", 4) != 0 || !(per_s > 0))
        return false;
    text += 4;
    for (size_t i = 0; i < N_TIMES; i++) {
        char *end;
        ticks[i] = (double)strtoull(text, &end, 10);
        if (end == text || (*end != ' ' && *end != '\n'))
            return false;
        text = end;
    }
    *times_p = (struct ct_machine_times){
        .busy_s = (ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ]) / per_s,
        .stolen_s = ticks[STEAL] / per_s};
    return true;
}

bool ct_machine_times_read(const char *proc, struct ct_machine_times *times_p)
{
    char path[300], text[512];
    snprintf(path, sizeof path, "%s/stat", proc);
    return read_head(AT_FDCWD, path, text, sizeof text) && ct_machine_times_parse(text, times_p);
}

static void add_times(struct ct_schedstat *sum, struct ct_schedstat stat)
{
    sum->used_ns += stat.used_ns;
    sum->waited_ns += stat.waited_ns;
}

/* A number that counts from the beginning again is that of another thread. */
static void note_thread(struct ct_schedstat_watch *watch, pid_t tid, struct ct_schedstat stat)
{
    for (size_t i = 0; i < watch->n_threads; i++) {
        struct ct_schedstat_thread *thread = &watch->threads[i];
        if (thread->tid != tid)
            continue;
        if (stat.used_ns < thread->stat.used_ns || stat.waited_ns < thread->stat.waited_ns)
            add_times(&watch->ended, thread->stat);
        thread->stat = stat;
        thread->seen = true;
        return;
    }
    if (!CT_ARRAY_RESIZE(watch->threads, watch->n_threads + 1))
        return;
    watch->threads[watch->n_threads++] =
        (struct ct_schedstat_thread){.tid = tid, .seen = true, .stat = stat};
}

static bool look_at_process(struct ct_schedstat_watch *watch, pid_t pid, int depth);

/* Descendants that a thread has started, as far as the kernel lists them. */
static void look_at_children(struct ct_schedstat_watch *watch, int tasks, const char *tid,
                             int depth)
{
    char path[300], list[CHILDREN_TEXT];
    snprintf(path, sizeof path, "%s/children", tid);
    if (depth >= DEPTH_MAX || !read_head(tasks, path, list, sizeof list))
        return;
    char *end = list;
    for (long child = strtol(list, &end, 10); child > 0; child = strtol(end, &end, 10))
        look_at_process(watch, (pid_t)child, depth + 1);
}

static bool look_at_thread(struct ct_schedstat_watch *watch, int tasks, const char *tid, int depth)
{
    char path[300], text[128];
    struct ct_schedstat stat;
    snprintf(path, sizeof path, "%s/schedstat", tid);
    bool good = read_head(tasks, path, text, sizeof text) && ct_schedstat_parse(text, &stat);
    if (good)
        note_thread(watch, (pid_t)strtol(tid, NULL, 10), stat);
    look_at_children(watch, tasks, tid, depth);
    return good;
}

static bool look_at_process(struct ct_schedstat_watch *watch, pid_t pid, int depth)
{
    char path[300];
    bool any = false;
    if (pid == watch->left_out)
        return false;
    snprintf(path, sizeof path, "%s/%d/task", watch->proc, (int)pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        return false;
    for (struct dirent *entry; (entry = readdir(tasks));)
        if (isdigit((unsigned char)*entry->d_name) &&
            look_at_thread(watch, dirfd(tasks), entry->d_name, depth))
            any = true;
    closedir(tasks);
    return any;
}

static void forget_ended(struct ct_schedstat_watch *watch)
{
    size_t n = 0;
    for (size_t i = 0; i < watch->n_threads; i++) {
        if (watch->threads[i].seen)
            watch->threads[n++] = watch->threads[i];
        else
            add_times(&watch->ended, watch->threads[i].stat);
    }
    watch->n_threads = n;
}

bool ct_schedstat_sample(struct ct_schedstat_watch *watch, pid_t pid)
{
    for (size_t i = 0; i < watch->n_threads; i++)
        watch->threads[i].seen = false;
    bool any = look_at_process(watch, pid, 0);
    forget_ended(watch);
    return any;
}

struct ct_schedstat ct_schedstat_sum(const struct ct_schedstat_watch *watch)
{
    struct ct_schedstat sum = watch->ended;
    for (size_t i = 0; i < watch->n_threads; i++)
        add_times(&sum, watch->threads[i].stat);
    return sum;
}

void ct_schedstat_free(struct ct_schedstat_watch *watch)
{
    free(watch->threads);
    *watch = (struct ct_schedstat_watch){.proc = watch->proc, .left_out = watch->left_out};
}
