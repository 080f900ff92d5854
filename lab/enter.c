#include "lab/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* The user namespace first: it gives the right to enter the others. The mount namespace last: it
   changes what /proc is. */
static const struct {
    const char *name;
    int flag;
} namespaces[] = {{"user", CLONE_NEWUSER}, {"net", CLONE_NEWNET}, {"uts", CLONE_NEWUTS},
                  {"ipc", CLONE_NEWIPC},   {"pid", CLONE_NEWPID}, {"mnt", CLONE_NEWNS}};
#define N_NAMESPACES (sizeof namespaces / sizeof *namespaces)

static enum ct_status set_namespaces(const struct ct_lab *lab, const int fds[N_NAMESPACES],
                                     struct ct_error *err)
{
    for (size_t i = 0; i < N_NAMESPACES; i++)
        if (fds[i] >= 0 && setns(fds[i], namespaces[i].flag) != 0)
            return ct_fail(err, CT_EIO, "lab '%s': its %s namespace cannot be entered: %s%s",
                           lab->paths.id, namespaces[i].name, strerror(errno),
                           errno == EPERM ? "; use the account that built it" : "");
    return CT_OK;
}

enum ct_status ct_lab_enter(const struct ct_lab *lab, struct ct_error *err)
{
    int fds[N_NAMESPACES];
    char path[64], here[PATH_MAX];
    enum ct_status status = CT_OK;
    const char *cwd = getcwd(here, sizeof here);
    for (size_t i = 0; i < N_NAMESPACES; i++) {
        fds[i] = -1;
        if (status != CT_OK || (namespaces[i].flag == CLONE_NEWUSER && !lab->state.own_user_ns))
            continue;
        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)lab->state.holder, namespaces[i].name);
        fds[i] = open(path, O_RDONLY | O_CLOEXEC);
        if (fds[i] < 0)
            status = errno == ENOENT
                         ? ct_lab_fail_ended(lab, err)
                         : ct_fail(err, CT_EIO, "lab '%s': %s: %s%s", lab->paths.id, path,
                                   strerror(errno),
                                   errno == EACCES ? "; use the account that built it" : "");
    }
    /* Only now is it sure that these are the holder's: a pid seen alive after the opening is it. */
    if (status == CT_OK && !ct_lab_alive(lab))
        status = ct_lab_fail_ended(lab, err);
    if (status == CT_OK)
        status = set_namespaces(lab, fds, err);
    if (status == CT_OK && cwd && chdir(cwd) != 0)
        status = ct_fail(err, CT_EIO, "%s: not reachable inside the lab: %s", cwd, strerror(errno));
    for (size_t i = 0; i < N_NAMESPACES; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return status;
}

static enum ct_status enter_one(const char *ns, const char *host, const char *kind, int flag,
                                struct ct_error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%.15s.%s", ns, host, kind);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum ct_status status = CT_OK;
    if (fd < 0)
        status = ct_fail(err, CT_ENOENT,
                         "host '%s': this lab has no such host; they are named h1, "
                         "h2, ...",
                         host);
    else if (setns(fd, flag) != 0)
        status = ct_fail(err, CT_EIO, "host '%s': %s cannot be entered: %s", host, path,
                         strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}

enum ct_status ct_lab_enter_host(const char *ns, const char *host, struct ct_error *err)
{
    if (host[0] != 'h' || strchr(host, '/'))
        return ct_fail(err, CT_ENOENT, "host '%s': hosts are named h1, h2, ...", host);
    CT_TRY(enter_one(ns, host, "net", CLONE_NEWNET, err));
    return enter_one(ns, host, "uts", CLONE_NEWUTS, err);
}

enum ct_status ct_lab_private_mounts(bool with_proc, struct ct_error *err)
{
    if (unshare(CLONE_NEWNS) != 0)
        return ct_fail(err, CT_EIO, "mount namespace: %s", strerror(errno));
    if (mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "/sys: cannot show this host's devices, which UCX looks for: %s; in a "
                       "container, allow mounting (--privileged or an unmasked /sys)",
                       strerror(errno));
    /* Where a container refuses these two, the old ones do: /proc/self is right in any /proc, and
       /dev/shm merely keeps what killed programs leave. */
    if (with_proc)
        (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    (void)mount("shm", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
    return CT_OK;
}
