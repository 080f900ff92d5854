#include "watch/history.h"

#include "core/array.h"
#include "core/endian.h"
#include "core/file.h"
#include "core/map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROW_BYTES = 32, BIN_BYTES = 8, WINDOW = CT_WATCH_HEAD_BYTES + CT_WATCH_CONTENT_MAX };

/* ---- bins ---- */

uint32_t ct_watch_history_bin(double s)
{
    double ns = s * 1e9;
    if (!(ns >= 1))
        return 0;
    uint64_t whole = ns < 4e18 ? (uint64_t)ns : UINT64_C(4000000000000000000);
    if (whole < 8)
        return (uint32_t)whole;
    uint32_t octave = 63 - (uint32_t)__builtin_clzll(whole);
    return 8 * (octave - 2) + (uint32_t)(whole >> (octave - 3) & 7);
}

double ct_watch_history_from_s(uint32_t bin)
{
    if (bin >= CT_WATCH_BINS)
        bin = CT_WATCH_BINS - 1;
    return 1e-9 * (bin < 8 ? bin : (double)((uint64_t)(8 + bin % 8) << (bin / 8 - 1)));
}

/* ---- making ---- */

struct counts {
    uint32_t fate[CT_WATCH_SKIPPED + 1];
};

struct hour {
    size_t side;           /* of the matrix: hosts that are asked; 1: all together */
    struct counts *counts; /* [2 CT_WATCH_HOSTS_MAX side or less] */
    size_t n_rows;
    struct ct_map bins; /* row and bin: number */
};

static bool count_sample(struct hour *hour, const struct ct_watch_sample *sample)
{
    size_t large = sample->bytes >= CT_WATCH_LARGE_BYTES;
    size_t to = hour->side > 1 ? sample->to : 0;
    size_t row = (sample->from * hour->side + to) * 2 + large;
    if (row >= hour->n_rows || to >= hour->side)
        return true;
    hour->counts[row].fate[sample->fate]++;
    if (sample->fate != CT_WATCH_ANSWERED)
        return true;
    uint64_t key = ct_map_pair((uint32_t)row, ct_watch_history_bin((double)sample->round_s));
    return ct_map_set(&hour->bins, key, ct_map_get(&hour->bins, key) + 1);
}

/* Calls take() for each sample of a file. */
static enum ct_status visit_samples(int fd, unsigned char *window,
                                    bool (*take)(struct hour *, const struct ct_watch_sample *),
                                    struct hour *hour, struct ct_error *err)
{
    struct ct_watch_block block;
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, window, WINDOW, at)) > 0;) {
        if (ct_watch_block_look(window, (size_t)got, &block) != CT_WATCH_WHOLE) {
            unsigned char *next = got > 1 ? memmem(window + 1, (size_t)got - 1, "CWB1", 4) : NULL;
            at += next ? next - window : got > 3 ? got - 3 : got;
            continue;
        }
        for (uint32_t i = 0; block.type == CT_WATCH_SAMPLES && i < block.n; i++) {
            struct ct_watch_sample sample;
            if (ct_watch_sample_load(
                    window + CT_WATCH_HEAD_BYTES + (size_t)i * CT_WATCH_SAMPLE_BYTES, &sample) &&
                !take(hour, &sample))
                return ct_no_memory(err, "histograms of an hour");
        }
        at += CT_WATCH_HEAD_BYTES + (off_t)block.bytes;
    }
    return CT_OK;
}

struct output {
    unsigned char *bytes; /* blocks */
    size_t n, room;
    size_t begin; /* of the last block */
    struct ct_watch_block block;
};

static void end_block(struct output *out)
{
    if (out->block.n > 0)
        ct_watch_block_seal(out->bytes + out->begin, &out->block);
    else
        out->n = out->begin;
    out->begin = out->n;
    out->block.n = out->block.bytes = 0;
}

static bool add_row(struct output *out, const struct hour *hour, size_t row)
{
    size_t largest = ROW_BYTES + CT_WATCH_BINS * BIN_BYTES;
    if (out->block.bytes + largest > CT_WATCH_CONTENT_MAX)
        end_block(out);
    if (!CT_ARRAY_RESERVE(out->bytes, out->room, out->n + CT_WATCH_HEAD_BYTES + largest))
        return false;
    if (out->block.n == 0)
        out->n = out->begin + CT_WATCH_HEAD_BYTES;
    unsigned char *to = out->bytes + out->n, *bin_at = to + ROW_BYTES;
    uint32_t n_bins = 0;
    for (uint32_t bin = 0; bin < CT_WATCH_BINS; bin++) {
        uint64_t n = ct_map_get(&hour->bins, ct_map_pair((uint32_t)row, bin));
        if (n == 0)
            continue;
        ct_endian_store(bin_at, bin, 4);
        ct_endian_store(bin_at + 4, n, 4);
        bin_at += BIN_BYTES;
        n_bins++;
    }
    size_t pair = row / 2;
    const uint64_t numbers[] = {pair / hour->side,
                                hour->side > 1 ? pair % hour->side : UINT32_MAX,
                                row % 2,
                                hour->counts[row].fate[CT_WATCH_ANSWERED],
                                hour->counts[row].fate[CT_WATCH_LOST],
                                hour->counts[row].fate[CT_WATCH_SKIPPED],
                                n_bins,
                                0};
    for (size_t i = 0; i < ROW_BYTES / 4; i++)
        ct_endian_store(to + 4 * i, numbers[i], 4);
    out->n += ROW_BYTES + n_bins * (size_t)BIN_BYTES;
    out->block.bytes += (uint32_t)(ROW_BYTES + n_bins * (size_t)BIN_BYTES);
    out->block.n++;
    return true;
}

/* One write: what fails is taken back. */
static enum ct_status append_history(const char *folder, const struct output *out,
                                     struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX], old[CT_WATCH_PATH_MAX];
    struct stat facts;
    snprintf(path, sizeof path, "%s/history.ctw", folder);
    snprintf(old, sizeof old, "%s/history-old.ctw", folder);
    if (stat(path, &facts) == 0 && facts.st_size > CT_WATCH_HISTORY_BYTES_MAX)
        renameat(AT_FDCWD, path, AT_FDCWD, old);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    ssize_t written = end >= 0 ? pwrite(fd, out->bytes, out->n, end) : -1;
    bool good = written == (ssize_t)out->n && ct_file_flush(fd) == 0;
    int reason = written >= 0 && written < (ssize_t)out->n ? ENOSPC : errno;
    if (!good && end >= 0 && ftruncate(fd, end) != 0)
        reason = errno;
    if (fd >= 0)
        close(fd);
    return good ? CT_OK : ct_fail(err, CT_EIO, "%s: cannot be written: %s", path, strerror(reason));
}

static enum ct_status make_rows(const char *folder, const struct hour *hour, int64_t label,
                                struct ct_error *err)
{
    struct output out = {.block = {.type = CT_WATCH_HISTORY, .label = label}};
    enum ct_status status = CT_OK;
    for (size_t row = 0; row < hour->n_rows && status == CT_OK; row++) {
        const uint32_t *fate = hour->counts[row].fate;
        if (fate[0] + fate[1] + fate[2] > 0 && !add_row(&out, hour, row))
            status = ct_no_memory(err, "histograms of an hour");
    }
    if (status == CT_OK && out.n > 0) {
        end_block(&out);
        status = append_history(folder, &out, err);
    }
    free(out.bytes);
    return status;
}

enum ct_status ct_watch_history_add(const char *folder, struct ct_watch_file file,
                                    struct ct_error *err)
{
    char path[CT_WATCH_PATH_MAX];
    ct_watch_file_path(folder, file, path);
    struct ct_watch_host *hosts = NULL;
    size_t n = 0;
    enum ct_status status = ct_watch_hosts_read(folder, &hosts, &n, err);
    free(hosts);
    if (status != CT_OK)
        return status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, CT_EIO, "%s: cannot be read: %s", path, strerror(errno));
    struct hour hour = {.side = n <= CT_WATCH_PAIRS_HOSTS ? n + 1 : 1};
    hour.n_rows = 2 * n * hour.side;
    hour.counts = calloc(hour.n_rows + 1, sizeof *hour.counts);
    unsigned char *window = malloc(WINDOW);
    status = hour.counts && window ? visit_samples(fd, window, count_sample, &hour, err)
                                   : ct_no_memory(err, "%s", path);
    if (status == CT_OK)
        status = make_rows(folder, &hour, file.hour, err);
    free(window);
    free(hour.counts);
    ct_map_free(&hour.bins);
    close(fd);
    return status;
}

/* ---- reading ---- */

bool ct_watch_history_rows(const unsigned char *content, const struct ct_watch_block *block,
                           void (*take)(void *taker, const struct ct_watch_history_row *row),
                           void *taker)
{
    size_t at = 0;
    for (uint32_t i = 0; i < block->n; i++) {
        if (at + ROW_BYTES > block->bytes)
            return false;
        const unsigned char *from = content + at;
        struct ct_watch_history_row row = {.hour = block->label,
                                           .from = ct_endian_load_u32(from),
                                           .to = ct_endian_load_u32(from + 4),
                                           .is_large = ct_endian_load_u32(from + 8) != 0,
                                           .answered = ct_endian_load_u32(from + 12),
                                           .lost = ct_endian_load_u32(from + 16),
                                           .skipped = ct_endian_load_u32(from + 20),
                                           .n_bins = ct_endian_load_u32(from + 24),
                                           .count = from + ROW_BYTES};
        at += ROW_BYTES;
        if (row.n_bins > CT_WATCH_BINS || at + row.n_bins * (size_t)BIN_BYTES > block->bytes)
            return false;
        at += row.n_bins * (size_t)BIN_BYTES;
        take(taker, &row);
    }
    return at == block->bytes;
}

static enum ct_status read_file(const char *path, unsigned char *window,
                                void (*take)(void *taker, const struct ct_watch_history_row *row),
                                void *taker, struct ct_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT
                   ? CT_OK
                   : ct_fail(err, CT_EIO, "%s: cannot be read: %s", path, strerror(errno));
    enum ct_status status = CT_OK;
    ssize_t got;
    for (off_t at = 0; status == CT_OK && (got = pread(fd, window, WINDOW, at)) > 0;) {
        struct ct_watch_block block;
        if (ct_watch_block_look(window, (size_t)got, &block) != CT_WATCH_WHOLE ||
            block.type != CT_WATCH_HISTORY ||
            !ct_watch_history_rows(window + CT_WATCH_HEAD_BYTES, &block, take, taker))
            status = ct_fail(err, CT_EFORMAT, "%s: damaged at byte %jd: what follows is left out",
                             path, (intmax_t)at);
        at += CT_WATCH_HEAD_BYTES + (off_t)block.bytes;
    }
    close(fd);
    return status;
}

enum ct_status ct_watch_history_read(const char *folder,
                                     void (*take)(void *taker,
                                                  const struct ct_watch_history_row *row),
                                     void *taker, struct ct_error *err)
{
    unsigned char *window = malloc(WINDOW);
    if (!window)
        return ct_no_memory(err, "%s", folder);
    static const char *const names[] = {"history-old.ctw", "history.ctw"};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < 2 && status == CT_OK; i++) {
        char path[CT_WATCH_PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        status = read_file(path, window, take, taker, err);
    }
    free(window);
    return status;
}
