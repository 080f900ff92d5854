#include "core/array.h"
#include "core/clock.h"
#include "core/file.h"
#include "lab/delay_line.h"
#include "lab/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const int end_wait_ms = 10000;
static const int step_ms = 2;

/* Number and name; false for what is gone or a zombie, and for the delay line, a child of the
 * holder.
 */
static bool describe_process(pid_t pid, pid_t holder, struct ct_lab_process *process_p)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!ct_file_head(path, text, sizeof text))
        return false;
    const char *open = strchr(text, '('), *end = strrchr(text, ')');
    if (!open || !end || strlen(end) < 4 || strchr("ZXx", end[2]))
        return false;
    process_p->pid = pid;
    snprintf(process_p->name, sizeof process_p->name, "%.*s", (int)(end - open - 1), open + 1);
    pid_t parent = (pid_t)strtol(end + 3, NULL, 10); /* ") S PARENT" */
    return parent != holder || strcmp(process_p->name, CT_LAB_DELAY_NAME) != 0;
}

/* Is the process in the PID namespace, or in one made inside it? Each command has one of its own.
 */
static bool lives_in(pid_t pid, ino_t wanted, ino_t ours)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    if (info.st_ino == wanted || info.st_ino == ours)
        return info.st_ino == wanted;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    while (fd >= 0 && !found) {
        found = fstat(fd, &info) == 0 && info.st_ino == wanted;
        int parent = found ? -1 : ioctl(fd, NS_GET_PARENT);
        close(fd);
        fd = parent;
    }
    return found;
}

enum ct_status ct_lab_processes(const struct ct_lab *lab, struct ct_lab_process **list_p,
                                size_t *n_p, struct ct_error *err)
{
    char path[64];
    struct stat theirs, ours;
    snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)lab->state.holder);
    if (stat(path, &theirs) != 0 || stat("/proc/self/ns/pid", &ours) != 0 || !ct_lab_alive(lab))
        return ct_lab_fail_ended(lab, err);
    DIR *proc = opendir("/proc");
    if (!proc)
        return ct_fail(err, CT_EIO, "/proc: %s", strerror(errno));
    enum ct_status status = CT_OK;
    struct ct_lab_process *list = NULL, found;
    size_t n = 0;
    for (struct dirent *entry; status == CT_OK && (entry = readdir(proc));) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || pid == lab->state.holder || !lives_in(pid, theirs.st_ino, ours.st_ino) ||
            !describe_process(pid, lab->state.holder, &found))
            continue;
        if (!CT_ARRAY_RESIZE(list, n + 1)) {
            status = ct_no_memory(err, "list of processes");
            break;
        }
        list[n++] = found;
    }
    closedir(proc);
    if (status != CT_OK) {
        free(list);
        return status;
    }
    *list_p = list;
    *n_p = n;
    return CT_OK;
}

enum ct_status ct_lab_kill_all(const struct ct_lab *lab, struct ct_error *err)
{
    char name[32] = "";
    for (int waited_ms = 0; waited_ms <= end_wait_ms; waited_ms += step_ms) {
        struct ct_lab_process *list = NULL;
        size_t n = 0;
        enum ct_status status = ct_lab_processes(lab, &list, &n, err);
        /* Listed and killed by number in one go, again and again: what forks in between is caught
           by the next round. A number cannot pass to a stranger that fast. */
        for (size_t i = 0; i < n; i++) {
            kill(list[i].pid, SIGKILL);
            snprintf(name, sizeof name, "%s", list[i].name);
        }
        free(list);
        if (status != CT_OK || n == 0)
            return status;
        ct_clock_sleep(1e-3 * step_ms);
    }
    return ct_fail(err, CT_ETIMEOUT, "lab '%s': process %s does not end", lab->paths.id, name);
}
