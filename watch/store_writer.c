#include "watch/store_writer.h"

#include "core/file.h"
#include "watch/history.h"
#include "watch/store_block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK_SAMPLES = 4096,
    BUFFER_SAMPLES = 1 << 16, /* while nothing can be written */
    HOURS_KEPT = 24,
    AGED_MAX = 2,   /* files that become histograms at once for their age: a date that was set
                       forward makes all old */
    FILES_MAX = 64, /* where a clock jumps, hours do not say which are old */
    FILES_OF_SPACE = 32
};
static const int64_t hour_ns = INT64_C(3600000000000);

struct ct_watch_writer {
    char *folder;
    uint64_t bytes_max;
    int lock_fd, fd; /* -1: none */
    struct ct_watch_file file;
    off_t end; /* of the file */
    uint64_t n_dropped;
    size_t n;
    struct ct_watch_sample *buffer;
    unsigned char *block;
    struct ct_watch_host *hosts;
    size_t n_hosts;
};

/* ---- opening ---- */

static enum ct_status lock_folder(struct ct_watch_writer *writer, struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX], owner[256] = "", host[128] = "";
    snprintf(path, sizeof path, "%s/lock", writer->folder);
    writer->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (writer->lock_fd < 0)
        return ct_fail(err, CT_EIO, "%s: cannot be created: %s", path, strerror(errno));
    if (flock(writer->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return ct_fail(err, CT_EIO, "%s: cannot be locked: %s", path, strerror(errno));
        ct_file_head(path, owner, sizeof owner);
        owner[strcspn(owner, "\n")] = '\0';
        return ct_fail(err, CT_EEXIST,
                       "%s: another watch writes there (%s): end it, or give another folder",
                       writer->folder, owner);
    }
    gethostname(host, sizeof host - 1);
    int n = snprintf(owner, sizeof owner, "process %d on %s\n", (int)getpid(), host);
    if (ftruncate(writer->lock_fd, 0) != 0 || pwrite(writer->lock_fd, owner, (size_t)n, 0) != n)
        return ct_fail(err, CT_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return CT_OK;
}

/* A new file for each process: what another one left is not touched. */
static enum ct_status look_at_folder(struct ct_watch_writer *writer, struct ct_error *err)
{
    struct ct_watch_file *files;
    size_t n;
    CT_TRY(ct_watch_files_list(writer->folder, &files, &n, err));
    writer->file.number = n > 0 ? files[n - 1].number : 0;
    free(files);
    enum ct_status status =
        ct_watch_hosts_read(writer->folder, &writer->hosts, &writer->n_hosts, err);
    return status == CT_ENOENT ? ct_watch_writer_save_hosts(writer, NULL, 0, err) : status;
}

static void free_writer(struct ct_watch_writer *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    if (writer->lock_fd >= 0)
        close(writer->lock_fd);
    free(writer->folder);
    free(writer->buffer);
    free(writer->block);
    free(writer->hosts);
    free(writer);
}

enum ct_status ct_watch_writer_open(const char *folder, uint64_t bytes_max,
                                    struct ct_watch_writer **writer_p, struct ct_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "%s: cannot be created: %s", folder, strerror(errno));
    struct ct_watch_writer *writer = malloc(sizeof *writer);
    if (!writer)
        return ct_no_memory(err, "%s", folder);
    *writer = (struct ct_watch_writer){
        .folder = strdup(folder),
        .bytes_max = bytes_max,
        .lock_fd = -1,
        .fd = -1,
        .buffer = malloc(BUFFER_SAMPLES * sizeof *writer->buffer),
        .block = malloc(CT_WATCH_HEAD_BYTES + BLOCK_SAMPLES * (size_t)CT_WATCH_SAMPLE_BYTES)};
    enum ct_status status = writer->folder && writer->buffer && writer->block
                                ? lock_folder(writer, err)
                                : ct_no_memory(err, "%s", folder);
    if (status == CT_OK)
        status = look_at_folder(writer, err);
    if (status != CT_OK) {
        free_writer(writer);
        return status;
    }
    *writer_p = writer;
    return CT_OK;
}

enum ct_status ct_watch_writer_close(struct ct_watch_writer *writer, struct ct_error *err)
{
    enum ct_status status = ct_watch_writer_flush(writer, err);
    if (status == CT_OK && writer->fd >= 0 && ct_file_flush(writer->fd) != 0)
        status = ct_fail(err, CT_EIO, "%s: samples cannot be flushed: %s", writer->folder,
                         strerror(errno));
    free_writer(writer);
    return status;
}

const struct ct_watch_host *ct_watch_writer_hosts(const struct ct_watch_writer *writer, size_t *n_p)
{
    *n_p = writer->n_hosts;
    return writer->hosts;
}

/* ---- old hours ---- */

static bool is_old(const struct ct_watch_writer *writer, struct ct_watch_file file,
                   size_t n_retired, size_t n_files, uint64_t bytes)
{
    bool is_aged = writer->file.hour - file.hour > HOURS_KEPT && n_retired < AGED_MAX;
    return file.number < writer->file.number &&
           (is_aged || n_files > FILES_MAX || bytes > writer->bytes_max);
}

/* The oldest first. What cannot become a histogram stays where it is. */
static enum ct_status retire_files(struct ct_watch_writer *writer, struct ct_error *err)
{
    struct ct_watch_file *files;
    size_t n;
    CT_TRY(ct_watch_files_list(writer->folder, &files, &n, err));
    uint64_t bytes = 0;
    char path[CT_WATCH_PATH_MAX];
    struct stat facts;
    for (size_t i = 0; i < n; i++) {
        ct_watch_file_path(writer->folder, files[i], path);
        bytes += stat(path, &facts) == 0 ? (uint64_t)facts.st_size : 0;
    }
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK && is_old(writer, files[i], i, n - i, bytes); i++) {
        ct_watch_file_path(writer->folder, files[i], path);
        uint64_t size = stat(path, &facts) == 0 ? (uint64_t)facts.st_size : 0;
        status = ct_watch_history_add(writer->folder, files[i], err);
        if (status == CT_OK && unlink(path) != 0)
            status = ct_fail(err, CT_EIO, "%s: cannot be removed: %s", path, strerror(errno));
        bytes -= size;
    }
    free(files);
    return status;
}

/* ---- writing ---- */

bool ct_watch_writer_add(struct ct_watch_writer *writer, const struct ct_watch_sample *sample)
{
    if (writer->n == BUFFER_SAMPLES) {
        writer->n_dropped++;
        return false;
    }
    writer->buffer[writer->n++] = *sample;
    return true;
}

static enum ct_status fail_writing(const struct ct_watch_writer *writer, int reason,
                                   struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    ct_watch_file_path(writer->folder, writer->file, path);
    return ct_fail(err, CT_EIO,
                   "%s: cannot be written: %s; %zu samples wait, %" PRIu64 " were dropped so far",
                   path, strerror(reason), writer->n, writer->n_dropped);
}

static enum ct_status begin_file(struct ct_watch_writer *writer, int64_t hour, struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    struct ct_watch_file file = {.number = writer->file.number + 1, .hour = hour};
    if (writer->fd >= 0) {
        ct_file_flush(writer->fd);
        close(writer->fd);
    }
    ct_watch_file_path(writer->folder, file, path);
    writer->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (writer->fd < 0)
        return ct_fail(err, CT_EIO, "%s: cannot be created: %s", path, strerror(errno));
    writer->file = file;
    writer->end = 0;
    return retire_files(writer, err);
}

/* Samples that come late belong to the hour before: a file goes on through them. */
static bool goes_into(int64_t hour, int64_t file_hour)
{
    return hour == file_hour || hour + 1 == file_hour;
}

/* Samples of one file from the front of the buffer. */
static enum ct_status write_block(struct ct_watch_writer *writer, size_t first, size_t *n_p,
                                  struct ct_error *err)
{
    int64_t hour = writer->buffer[first].unix_ns / hour_ns;
    enum ct_status status = CT_OK;
    if (writer->fd < 0 || !goes_into(hour, writer->file.hour) ||
        (uint64_t)writer->end > writer->bytes_max / FILES_OF_SPACE)
        status = begin_file(writer, hour, err);
    if (writer->fd < 0)
        return status;
    size_t n = 0;
    while (n < BLOCK_SAMPLES && first + n < writer->n &&
           goes_into(writer->buffer[first + n].unix_ns / hour_ns, writer->file.hour)) {
        ct_watch_sample_store(writer->block + CT_WATCH_HEAD_BYTES + n * CT_WATCH_SAMPLE_BYTES,
                              &writer->buffer[first + n]);
        n++;
    }
    const struct ct_watch_block block = {.type = CT_WATCH_SAMPLES,
                                         .n = (uint32_t)n,
                                         .bytes = (uint32_t)(n * CT_WATCH_SAMPLE_BYTES),
                                         .label = writer->file.hour};
    ct_watch_block_seal(writer->block, &block);
    size_t size = CT_WATCH_HEAD_BYTES + block.bytes;
    ssize_t written = pwrite(writer->fd, writer->block, size, writer->end);
    if (written != (ssize_t)size) {
        int reason = written < 0 ? errno : ENOSPC;
        if (ftruncate(writer->fd, writer->end) != 0)
            reason = errno;
        return fail_writing(writer, reason, err);
    }
    writer->end += (off_t)size;
    *n_p = n;
    return status;
}

enum ct_status ct_watch_writer_flush(struct ct_watch_writer *writer, struct ct_error *err)
{
    size_t done = 0;
    enum ct_status status = CT_OK;
    while (done < writer->n && status == CT_OK) {
        size_t n = 0;
        status = write_block(writer, done, &n, err);
        done += n;
    }
    memmove(writer->buffer, writer->buffer + done, (writer->n - done) * sizeof *writer->buffer);
    writer->n -= done;
    return status;
}

enum ct_status ct_watch_writer_save_hosts(struct ct_watch_writer *writer,
                                          const struct ct_watch_host *hosts, size_t n_hosts,
                                          struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    const struct ct_watch_block block = {.type = CT_WATCH_HOSTS,
                                         .n = (uint32_t)n_hosts,
                                         .bytes = (uint32_t)(n_hosts * CT_WATCH_HOST_BYTES)};
    unsigned char *bytes = malloc(CT_WATCH_HEAD_BYTES + (size_t)block.bytes);
    snprintf(path, sizeof path, "%s/hosts.ctw", writer->folder);
    if (!bytes)
        return ct_no_memory(err, "%s", path);
    for (size_t i = 0; i < n_hosts; i++)
        ct_watch_host_store(bytes + CT_WATCH_HEAD_BYTES + i * CT_WATCH_HOST_BYTES, &hosts[i]);
    ct_watch_block_seal(bytes, &block);
    enum ct_status status =
        ct_file_save(path, bytes, CT_WATCH_HEAD_BYTES + (size_t)block.bytes, err);
    free(bytes);
    return status;
}
