#include "core/file.h"

#include "core/array.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

enum { READ_MAX = 1 << 24, READ_FIRST = 1 << 12 };

/* Pipes, and files of /proc, do not say how long they are. */
static size_t expected_size(FILE *file)
{
    struct stat facts;
    bool known = fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
    if (!known || facts.st_size < READ_FIRST)
        return READ_FIRST;
    return facts.st_size < READ_MAX ? (size_t)facts.st_size : READ_MAX;
}

static enum ct_status read_to_end(FILE *file, const char *path, struct ct_text *text,
                                  struct ct_error *err)
{
    for (size_t room = expected_size(file);; room *= 2) {
        room = room < READ_MAX ? room : READ_MAX;
        if (!CT_ARRAY_RESIZE(text->text, room + 1))
            return ct_no_memory(err, "%s", path);
        text->size += fread(text->text + text->size, 1, room - text->size, file);
        int next = ferror(file) ? EOF : fgetc(file);
        if (ferror(file))
            return ct_fail(err, CT_EIO, "%s: cannot be read: %s", path, strerror(errno));
        text->text[text->size] = '\0';
        if (next == EOF)
            return CT_OK;
        if (room == READ_MAX)
            return ct_fail(err, CT_EFORMAT, "%s: larger than 16 MiB", path);
        ungetc(next, file);
    }
}

enum ct_status ct_file_read(const char *path, struct ct_text *text_p, struct ct_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "%s: %s", path, strerror(errno));
    struct ct_text text = {0};
    enum ct_status status = read_to_end(file, path, &text, err);
    fclose(file);
    if (status == CT_OK)
        *text_p = text;
    else
        free(text.text);
    return status;
}

bool ct_file_head(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = '\0';
    return n > 0;
}

/* ---- writing piece by piece ---- */

static int open_new(const char *temporary)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    int fd = open(temporary, flags, 0666);
    /* Left by a process that had the same number and was killed: nobody else writes this name. */
    if (fd < 0 && errno == EEXIST && unlink(temporary) == 0)
        fd = open(temporary, flags, 0666);
    return fd;
}

/* Where a link leads; the path itself if it is none, or leads nowhere. */
static char *follow_link(const char *path)
{
    struct stat about;
    bool is_link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
    char *target = is_link ? realpath(path, NULL) : NULL;
    return target ? target : strdup(path);
}

static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* The folder in which a name is. */
static enum ct_status check_folder_of(const char *path, struct ct_error *err)
{
    char *copy = strdup(path);
    if (!copy)
        return ct_no_memory(err, "%s", path);
    const char *folder = dirname(copy);
    struct stat about;
    enum ct_status status = CT_OK;
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode))
        status = ct_fail(err, CT_EIO, "%s: cannot be created: %s is no folder", path, folder);
    else if (access(folder, W_OK | X_OK) != 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be created: folder %s: %s", path, folder,
                         strerror(errno));
    free(copy);
    return status;
}

static bool is_in_path(const char *program)
{
    const char *folders = getenv("PATH");
    for (const char *at = folders; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        char name[PATH_MAX];
        int length = snprintf(name, sizeof name, "%.*s/%s", (int)strcspn(at, ":"), at, program);
        if (length > 0 && (size_t)length < sizeof name && access(name, X_OK) == 0)
            return true;
    }
    return false;
}

/* By its ending; a device or a pipe gets SVG. */
static enum ct_status check_picture(const char *path, struct ct_error *err)
{
    if (is_special(path) || ct_text_ends_in(path, ".svg"))
        return CT_OK;
    if (!ct_text_ends_in(path, ".png"))
        return ct_fail(err, CT_EINVAL, "'%s': a picture is FILE.svg or FILE.png", path);
    if (!is_in_path("rsvg-convert"))
        return ct_fail(err, CT_EINVAL,
                       "'%s': rsvg-convert, which makes a PNG, is not installed (package "
                       "librsvg2-bin); give FILE.svg",
                       path);
    return CT_OK;
}

enum ct_status ct_file_check_target(const char *path, enum ct_file_target target,
                                    struct ct_error *err)
{
    struct stat about;
    size_t length = strlen(path);
    if (target == CT_FILE_NONE || strcmp(path, "-") == 0)
        return CT_OK;
    CT_TRY(target == CT_FILE_PICTURE ? check_picture(path, err) : CT_OK);
    if (stat(path, &about) != 0)
        return target != CT_FILE_FOLDER && length > 0 && path[length - 1] == '/'
                   ? ct_fail(err, CT_EIO, "%s: is the name of a folder; give that of a file", path)
                   : check_folder_of(path, err);
    if (target == CT_FILE_FOLDER && !S_ISDIR(about.st_mode))
        return ct_fail(err, CT_EIO, "%s: is a file; give the name of a folder", path);
    if (target != CT_FILE_FOLDER && S_ISDIR(about.st_mode))
        return ct_fail(err, CT_EIO, "%s: is a folder; give the name of a file", path);
    if (target == CT_FILE_REGULAR && !S_ISREG(about.st_mode))
        return ct_fail(err, CT_EIO,
                       "%s: is a device or a pipe, whose place no file takes; give another name",
                       path);
    enum ct_status status = CT_OK;
    if (S_ISREG(about.st_mode)) { /* another one takes its place */
        char *link_end = follow_link(path);
        status = link_end ? check_folder_of(link_end, err) : ct_no_memory(err, "%s", path);
        free(link_end);
        return status;
    }
    return access(path, W_OK) == 0
               ? CT_OK
               : ct_fail(err, CT_EIO, "%s: cannot be written: %s", path, strerror(errno));
}

enum ct_status ct_file_create(const char *path, struct ct_file *draft_p, struct ct_error *err)
{
    char *target = follow_link(path), *temporary;
    int fd = -1;
    enum ct_status status = CT_OK;
    if (!target || asprintf(&temporary, "%s.tmp.%ld", target, (long)getpid()) < 0) {
        free(target);
        return ct_no_memory(err, "%s", path);
    }
    if (is_special(target))
        status = ct_fail(err, CT_EIO,
                         "%s: is a folder, a device or a pipe, whose place no file takes; give "
                         "another name",
                         path);
    else if ((fd = open_new(temporary)) < 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be created: %s", path, strerror(errno));
    if (status != CT_OK) {
        free(target);
        free(temporary);
        return status;
    }
    *draft_p = (struct ct_file){.path = path, .target = target, .temporary = temporary, .fd = fd};
    return CT_OK;
}

enum ct_status ct_file_reserve(const struct ct_file *draft, size_t bytes, bool *reserved_p,
                               struct ct_error *err)
{
    int done;
    do
        done = fallocate(draft->fd, FALLOC_FL_KEEP_SIZE, 0, bytes > 0 ? (off_t)bytes : 1);
    while (done != 0 && errno == EINTR);
    if (done != 0 && (errno == ENOSPC || errno == EDQUOT))
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s (%zu bytes are needed)", draft->path,
                       strerror(errno), bytes);
    if (reserved_p)
        *reserved_p = done == 0;
    return CT_OK;
}

enum ct_status ct_file_fill(struct ct_file *draft, size_t bytes, struct ct_error *err)
{
    static const char zeros[65536];
    struct stat st = {0};
    if (fstat(draft->fd, &st) != 0)
        draft->failure = errno;
    for (size_t at = (size_t)st.st_size; at < bytes && draft->failure == 0; at += sizeof zeros)
        ct_file_write(draft, zeros, sizeof zeros, (off_t)at);
    /* Network file systems know only now. */
    if (draft->failure == 0 && ct_file_flush(draft->fd) != 0)
        draft->failure = errno;
    return ct_file_check(draft, err);
}

void ct_file_write(struct ct_file *draft, const void *bytes, size_t n, off_t offset)
{
    const char *from = bytes;
    while (n > 0 && draft->failure == 0) {
        ssize_t written = pwrite(draft->fd, from, n, offset);
        if (written >= 0) {
            from += written;
            offset += written;
            n -= (size_t)written;
        } else if (errno != EINTR) {
            draft->failure = errno;
        }
    }
}

void ct_file_truncate(struct ct_file *draft, off_t length)
{
    if (draft->failure == 0 && ftruncate(draft->fd, length) != 0)
        draft->failure = errno;
}

enum ct_status ct_file_check(const struct ct_file *draft, struct ct_error *err)
{
    if (draft->failure == 0)
        return CT_OK;
    return ct_fail(err, CT_EIO, "%s: cannot be written: %s", draft->path, strerror(draft->failure));
}

/* What was reserved and not used goes back: blocks after the end are freed by any truncation. */
static int release_excess(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? ftruncate(fd, st.st_size) : -1;
}

int ct_file_flush(int fd)
{
    return fsync(fd);
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
    int done = ct_file_flush(fd);
    int cause = errno;
    close(fd);
    errno = cause;
    /* Some network file systems cannot flush a folder and need not. */
    return done != 0 && (cause == EINVAL || cause == EROFS) ? 0 : done;
}

static enum ct_status flush_and_rename(const struct ct_file *draft, struct ct_error *err)
{
    CT_TRY(ct_file_check(draft, err));
    if (release_excess(draft->fd) != 0 || ct_file_flush(draft->fd) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s", draft->path, strerror(errno));
    if (rename(draft->temporary, draft->target) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be given this name: %s", draft->path,
                       strerror(errno));
    return CT_OK;
}

enum ct_status ct_file_commit(struct ct_file *draft, struct ct_error *err)
{
    enum ct_status status = flush_and_rename(draft, err);
    if (status != CT_OK) {
        ct_file_discard(draft);
        return status;
    }
    close(draft->fd);
    free(draft->temporary);
    if (flush_folder(draft->target) != 0)
        status = ct_fail(err, CT_EIO, "%s: its folder cannot be flushed to disk: %s", draft->path,
                         strerror(errno));
    free(draft->target);
    return status;
}

void ct_file_discard(struct ct_file *draft)
{
    unlink(draft->temporary);
    close(draft->fd);
    free(draft->temporary);
    free(draft->target);
    *draft = (struct ct_file){.fd = -1};
}

/* ---- writing at once ---- */

/* Into a stream that is closed in any case, unless it is standard output. */
static enum ct_status fill_stream(FILE *out, const char *path, ct_file_writer *write,
                                  const void *data, struct ct_error *err)
{
    if (!out)
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s", path, strerror(errno));
    enum ct_status status = write(out, data, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", path);
    bool failed = ferror(out) != 0;
    if (((out == stdout ? fflush(out) : fclose(out)) != 0 || failed) && status == CT_OK)
        status = ct_fail(err, CT_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return status;
}

enum ct_status ct_file_make(const char *path, ct_file_writer *write, const void *data,
                            struct ct_error *err)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return fill_stream(stdout, "standard output", write, data, err);
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return fill_stream(fopen(path, "we"), path, write, data, err);
    struct ct_file draft;
    CT_TRY(ct_file_create(path, &draft, err));
    int fd = fcntl(draft.fd, F_DUPFD_CLOEXEC, 0);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    enum ct_status status = fill_stream(out, path, write, data, err);
    if (!out && fd >= 0)
        close(fd);
    if (status == CT_OK)
        return ct_file_commit(&draft, err);
    ct_file_discard(&draft);
    return status;
}

static enum ct_status write_text(FILE *out, const void *data, struct ct_error *err)
{
    (void)err;
    const struct ct_text *text = data;
    fwrite(text->text, 1, text->size, out);
    return CT_OK;
}

enum ct_status ct_file_save(const char *path, const void *bytes, size_t n, struct ct_error *err)
{
    const struct ct_text text = {.text = (char *)bytes, .size = n};
    return ct_file_make(path, write_text, &text, err);
}

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    (void)walk;
    remove(path); /* what stays keeps its folder, too */
    return 0;
}

void ct_file_remove_folder(const char *path)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

int ct_file_open_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char *path;
    /* Not every file system has such files, and older kernels take the folder for a file. */
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    if (asprintf(&path, "%s/crosstalk-XXXXXX", folder) < 0)
        return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    free(path);
    return fd;
}
