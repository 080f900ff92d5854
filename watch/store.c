/* The reader: one file after the other, block by block, behind the writer. */
#include "watch/store.h"

#include "watch/store_block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW_BYTES = CT_WATCH_HEAD_BYTES + CT_WATCH_CONTENT_MAX, /* the largest block */
    DAMAGED_MAX = 64 /* places that are tried in a call: hostile files do not hold it up */
};

struct ct_watch_reader {
    char *folder;
    int64_t from_unix_ns;
    struct ct_watch_file file; /* number 0: none yet */
    int fd;                    /* -1: none */
    off_t at;                  /* behind the last good block, or where one is searched */
    bool is_searching;         /* behind damage that was reported */
    unsigned char *window;
    struct ct_watch_sample *ready; /* of the last block */
    size_t n_ready, next;
    struct ct_watch_host *hosts;
    size_t n_hosts;
    struct timespec hosts_time;
};

enum ct_status ct_watch_reader_open(const char *folder, int64_t from_unix_ns,
                                    struct ct_watch_reader **reader_p, struct ct_error *err)
{
    struct ct_watch_host *hosts = NULL;
    size_t n_hosts = 0;
    enum ct_status status = ct_watch_hosts_read(folder, &hosts, &n_hosts, err);
    if (status == CT_ENOENT)
        return ct_fail(err, CT_EFORMAT,
                       "%s: is no folder of a watch: it has no hosts.ctw; crosstalk watch start -o "
                       "DIR, impactb --watch DIR and crosstalk-prober --store DIR write one",
                       folder);
    if (status != CT_OK)
        return status;
    struct ct_watch_reader *reader = calloc(1, sizeof *reader);
    if (reader)
        *reader = (struct ct_watch_reader){
            .folder = strdup(folder),
            .from_unix_ns = from_unix_ns,
            .fd = -1,
            .window = malloc(WINDOW_BYTES),
            .ready = calloc(CT_WATCH_CONTENT_MAX / CT_WATCH_SAMPLE_BYTES, sizeof *reader->ready),
            .hosts = hosts,
            .n_hosts = n_hosts};
    if (!reader || !reader->folder || !reader->window || !reader->ready) {
        if (!reader)
            free(hosts);
        ct_watch_reader_close(reader);
        return ct_no_memory(err, "%s", folder);
    }
    *reader_p = reader;
    return CT_OK;
}

void ct_watch_reader_close(struct ct_watch_reader *reader)
{
    if (!reader)
        return;
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader->folder);
    free(reader->window);
    free(reader->ready);
    free(reader->hosts);
    free(reader);
}

/* The first file behind the present one that can have samples that are wanted; number 0: none. */
static enum ct_status find_next_file(const struct ct_watch_reader *reader,
                                     struct ct_watch_file *next_p, struct ct_error *err)
{
    struct ct_watch_file *files;
    size_t n;
    CT_TRY(ct_watch_files_list(reader->folder, &files, &n, err));
    *next_p = (struct ct_watch_file){0};
    const int64_t hour_ns = INT64_C(3600000000000);
    for (size_t i = 0; i < n && next_p->number == 0; i++)
        if (files[i].number > reader->file.number &&
            (reader->file.number > 0 || i + 1 == n ||
             files[i].hour >= reader->from_unix_ns / hour_ns))
            *next_p = files[i];
    free(files);
    return CT_OK;
}

/* A file may be gone: the writer made a histogram of it. */
static void open_file(struct ct_watch_reader *reader, struct ct_watch_file file)
{
    char path[CT_WATCH_PATH_MAX];
    if (reader->fd >= 0)
        close(reader->fd);
    ct_watch_file_path(reader->folder, file, path);
    reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    reader->file = file;
    reader->at = 0;
    reader->is_searching = false;
}

static enum ct_status name_damage(struct ct_watch_reader *reader, const char *what,
                                  struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    ct_watch_file_path(reader->folder, reader->file, path);
    return ct_fail(err, CT_EFORMAT, "%s: %s at byte %jd: samples there are left out", path, what,
                   (intmax_t)reader->at);
}

/* The next place behind `at` that begins like a block. */
static void search_on(struct ct_watch_reader *reader, size_t size)
{
    static const unsigned char start[] = {'C', 'W', 'B', '1'};
    unsigned char *found =
        size > 1 ? memmem(reader->window + 1, size - 1, start, sizeof start) : NULL;
    size_t skipped = found ? (size_t)(found - reader->window) : size > 3 ? size - 3 : 0;
    reader->at += (off_t)skipped;
}

static bool take_block(struct ct_watch_reader *reader, const struct ct_watch_block *block)
{
    const unsigned char *content = reader->window + CT_WATCH_HEAD_BYTES;
    reader->n_ready = reader->next = 0;
    if (block->type != CT_WATCH_SAMPLES)
        return true;
    bool good = true;
    for (uint32_t i = 0; i < block->n; i++, content += CT_WATCH_SAMPLE_BYTES) {
        struct ct_watch_sample *sample = &reader->ready[reader->n_ready];
        if (!ct_watch_sample_load(content, sample))
            good = false;
        else if (sample->unix_ns >= reader->from_unix_ns)
            reader->n_ready++;
    }
    return good;
}

enum step { GOES_ON, AT_END };

/* At the end of what a file has: the next file, if there is one. */
static enum ct_status leave_file(struct ct_watch_reader *reader, size_t size, enum step *step_p,
                                 struct ct_error *err)
{
    struct ct_watch_file next;
    enum ct_status status = find_next_file(reader, &next, err);
    if (status != CT_OK || next.number == 0) {
        *step_p = AT_END;
        return status;
    }
    /* What was added before the next file began is there now. */
    unsigned char probe;
    if (reader->fd >= 0 && pread(reader->fd, &probe, 1, reader->at + (off_t)size) == 1)
        return CT_OK;
    /* A head that is damaged may say more than there is: blocks behind it are whole. */
    if (size > (reader->is_searching ? 3 : 0)) {
        if (!reader->is_searching || size >= CT_WATCH_HEAD_BYTES)
            status = name_damage(reader, "the file is cut short", err);
        reader->is_searching = true;
        search_on(reader, size);
        return status;
    }
    open_file(reader, next);
    return CT_OK;
}

static enum ct_status load_block(struct ct_watch_reader *reader, enum step *step_p,
                                 struct ct_error *err)
{
    *step_p = GOES_ON;
    if (reader->fd < 0)
        return leave_file(reader, 0, step_p, err);
    ssize_t got = pread(reader->fd, reader->window, WINDOW_BYTES, reader->at);
    if (got < 0) {
        char path[CT_WATCH_PATH_MAX];
        ct_watch_file_path(reader->folder, reader->file, path);
        return ct_fail(err, CT_EIO, "%s: cannot be read: %s", path, strerror(errno));
    }
    struct ct_watch_block block;
    switch (ct_watch_block_look(reader->window, (size_t)got, &block)) {
    case CT_WATCH_CUT:
        return leave_file(reader, (size_t)got, step_p, err);
    case CT_WATCH_WHOLE: {
        bool good = take_block(reader, &block);
        enum ct_status status = good ? CT_OK : name_damage(reader, "impossible samples", err);
        reader->at += CT_WATCH_HEAD_BYTES + (off_t)block.bytes;
        reader->is_searching = false;
        return status;
    }
    case CT_WATCH_DAMAGED:
    default: {
        enum ct_status status = reader->is_searching ? CT_OK : name_damage(reader, "damaged", err);
        reader->is_searching = true;
        search_on(reader, (size_t)got);
        return status;
    }
    }
}

enum ct_status ct_watch_reader_next(struct ct_watch_reader *reader, struct ct_watch_sample *samples,
                                    size_t room, size_t *n_p, struct ct_error *err)
{
    *n_p = 0;
    enum step step = GOES_ON;
    for (unsigned n_damaged = 0; *n_p < room && step == GOES_ON && n_damaged < DAMAGED_MAX;) {
        if (reader->next < reader->n_ready) {
            samples[(*n_p)++] = reader->ready[reader->next++];
            continue;
        }
        CT_TRY(load_block(reader, &step, err));
        n_damaged += reader->is_searching;
    }
    return CT_OK;
}

const struct ct_watch_host *ct_watch_reader_hosts(struct ct_watch_reader *reader, size_t *n_p)
{
    char path[CT_WATCH_PATH_MAX];
    struct stat facts;
    snprintf(path, sizeof path, "%s/hosts.ctw", reader->folder);
    if (stat(path, &facts) == 0 && (facts.st_mtim.tv_sec != reader->hosts_time.tv_sec ||
                                    facts.st_mtim.tv_nsec != reader->hosts_time.tv_nsec)) {
        struct ct_watch_host *hosts;
        size_t n;
        if (ct_watch_hosts_read(reader->folder, &hosts, &n, NULL) == CT_OK) {
            free(reader->hosts);
            reader->hosts = hosts;
            reader->n_hosts = n;
            reader->hosts_time = facts.st_mtim;
        }
    }
    *n_p = reader->n_hosts;
    return reader->hosts;
}
