#include "results/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_new(const char *temporary)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = open(temporary, flags, 0666);
    /* Left by a process that had the same number and was killed: nobody else writes this name. */
    if (fd < 0 && errno == EEXIST && unlink(temporary) == 0)
        fd = open(temporary, flags, 0666);
    return fd;
}

enum ct_status ct_replace_open(const char *path, struct ct_replace *replace_p, struct ct_error *err)
{
    char *temporary;
    if (asprintf(&temporary, "%s.tmp.%ld", path, (long)getpid()) < 0)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    int fd = open_new(temporary);
    if (fd < 0) {
        int cause = errno;
        free(temporary);
        return ct_fail(err, CT_EIO, "%s: cannot be created: %s", path, strerror(cause));
    }
    *replace_p = (struct ct_replace){.path = path, .temporary = temporary, .fd = fd};
    return CT_OK;
}

enum ct_status ct_replace_reserve(const struct ct_replace *replace, size_t bytes, bool *reserved_p,
                                  struct ct_error *err)
{
    int done;
    do
        done = fallocate(replace->fd, FALLOC_FL_KEEP_SIZE, 0, bytes > 0 ? (off_t)bytes : 1);
    while (done != 0 && errno == EINTR);
    if (done != 0 && (errno == ENOSPC || errno == EDQUOT))
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s (%zu bytes are needed)",
                       replace->path, strerror(errno), bytes);
    if (reserved_p)
        *reserved_p = done == 0;
    return CT_OK;
}

enum ct_status ct_replace_fill(struct ct_replace *replace, size_t bytes, struct ct_error *err)
{
    static const char zeros[65536];
    struct stat st = {0};
    if (fstat(replace->fd, &st) != 0)
        replace->failure = errno;
    for (size_t at = (size_t)st.st_size; at < bytes && replace->failure == 0; at += sizeof zeros)
        ct_replace_write(replace, zeros, sizeof zeros, (off_t)at);
    /* Network file systems know only now. */
    if (replace->failure == 0 && fsync(replace->fd) != 0)
        replace->failure = errno;
    return ct_replace_check(replace, err);
}

void ct_replace_write(struct ct_replace *replace, const void *bytes, size_t n, off_t offset)
{
    const char *from = bytes;
    while (n > 0 && replace->failure == 0) {
        ssize_t written = pwrite(replace->fd, from, n, offset);
        if (written >= 0) {
            from += written;
            offset += written;
            n -= (size_t)written;
        } else if (errno != EINTR) {
            replace->failure = errno;
        }
    }
}

void ct_replace_truncate(struct ct_replace *replace, off_t length)
{
    if (replace->failure == 0 && ftruncate(replace->fd, length) != 0)
        replace->failure = errno;
}

enum ct_status ct_replace_check(const struct ct_replace *replace, struct ct_error *err)
{
    if (replace->failure == 0)
        return CT_OK;
    return ct_fail(err, CT_EIO, "%s: cannot be written: %s", replace->path,
                   strerror(replace->failure));
}

/* What was reserved and not used goes back: blocks after the end are freed by any truncation. */
static int release_excess(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? ftruncate(fd, st.st_size) : -1;
}

static int flush_folder(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return -1;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (fd < 0)
        return -1;
    int done = fsync(fd);
    int cause = errno;
    close(fd);
    errno = cause;
    /* Some network file systems cannot flush a folder and need not. */
    return done != 0 && (cause == EINVAL || cause == EROFS) ? 0 : done;
}

static enum ct_status flush_and_rename(const struct ct_replace *replace, struct ct_error *err)
{
    enum ct_status status = ct_replace_check(replace, err);
    if (status != CT_OK)
        return status;
    if (release_excess(replace->fd) != 0 || fsync(replace->fd) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s", replace->path, strerror(errno));
    if (rename(replace->temporary, replace->path) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be given this name: %s", replace->path,
                       strerror(errno));
    return CT_OK;
}

enum ct_status ct_replace_commit(struct ct_replace *replace, struct ct_error *err)
{
    enum ct_status status = flush_and_rename(replace, err);
    if (status != CT_OK) {
        ct_replace_discard(replace);
        return status;
    }
    close(replace->fd);
    free(replace->temporary);
    if (flush_folder(replace->path) != 0)
        return ct_fail(err, CT_EIO, "%s: its folder cannot be flushed to disk: %s", replace->path,
                       strerror(errno));
    return CT_OK;
}

void ct_replace_discard(struct ct_replace *replace)
{
    unlink(replace->temporary);
    close(replace->fd);
    free(replace->temporary);
    *replace = (struct ct_replace){.fd = -1};
}
