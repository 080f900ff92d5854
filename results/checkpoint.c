#include "results/checkpoint.h"

#include "core/array.h"
#include "core/endian.h"
#include "results/dataset.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A sample without forward_s is that of an older version. */
enum { SAMPLE_BYTES = 40, OLD_SAMPLE_BYTES = 32, SAMPLES_PER_WRITE = 512 };
static const char samples_prefix[] = "probes-", old_samples_prefix[] = "samples-",
                  rows_prefix[] = "rows-", rows_suffix[] = ".h5";
static const char run_name[] = "run.h5";

static enum ct_status fail_with(struct ct_error *err, const char *what, const char *path)
{
    return ct_fail(err, CT_EIO, "cannot %s %s: %s", what, path, strerror(errno));
}

static enum ct_status name_in(const char *folder, const char *name, char path[PATH_MAX],
                              struct ct_error *err)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
        return ct_fail(err, CT_EIO, "path is too long: %s", folder);
    return CT_OK;
}

static enum ct_status name_folder(const char *output, char path[PATH_MAX], struct ct_error *err)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s" CT_CHECKPOINT_SUFFIX, output) >= PATH_MAX)
        return ct_fail(err, CT_EIO, "path is too long: %s", output);
    return CT_OK;
}

/* ---- a sample as bytes ---- */

static void encode_sample(const struct ct_sample *sample, unsigned char to[SAMPLE_BYTES])
{
    const double times_s[] = {sample->t_s, sample->latency_s, sample->sent_s, sample->forward_s};
    static const size_t at[] = {0, 8, 24, OLD_SAMPLE_BYTES};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        uint64_t bits;
        memcpy(&bits, &times_s[i], sizeof bits);
        ct_endian_store(to + at[i], bits, 8);
    }
    ct_endian_store(to + 16, sample->pair, 4);
    ct_endian_store(to + 20, sample->late, 1);
    ct_endian_store(to + 21, sample->from_b, 3);
}

static double decode_time(const unsigned char *from)
{
    uint64_t bits = ct_endian_load(from, 8);
    double time_s;
    memcpy(&time_s, &bits, sizeof bits);
    return time_s;
}

static struct ct_sample decode_sample(const unsigned char *from, size_t bytes)
{
    return (struct ct_sample){
        .t_s = decode_time(from),
        .latency_s = decode_time(from + 8),
        .pair = (uint32_t)ct_endian_load(from + 16, 4),
        .late = from[20],
        .from_b = from[21],
        .sent_s = decode_time(from + 24),
        .forward_s = bytes > OLD_SAMPLE_BYTES ? decode_time(from + OLD_SAMPLE_BYTES) : NAN};
}

/* ---- while the run is under way ---- */

enum ct_status ct_checkpoint_begin(const char *output, const struct ct_run *run,
                                   struct ct_error *err)
{
    char folder[PATH_MAX], path[PATH_MAX];
    const struct ct_run empty = {.info = run->info, .pairs = run->pairs, .n_pairs = run->n_pairs};
    CT_TRY(name_folder(output, folder, err));
    CT_TRY(name_in(folder, run_name, path, err));
    if (mkdir(folder, 0777) != 0 && errno == EEXIST)
        return ct_fail(err, CT_EEXIST,
                       "%s is there: what a run measured that was killed. Make a run file of it "
                       "with 'crosstalk export %s -o FILE.h5', and remove it",
                       folder, folder);
    if (access(folder, W_OK) != 0)
        return fail_with(err, "make", folder);
    enum ct_status status = ct_run_write(path, &empty, err);
    if (status != CT_OK)
        rmdir(folder);
    return status;
}

static enum ct_status open_samples(struct ct_checkpoint *checkpoint, struct ct_error *err)
{
    char folder[PATH_MAX], name[sizeof samples_prefix + 16], path[PATH_MAX];
    snprintf(name, sizeof name, "%s%06d", samples_prefix, checkpoint->rank);
    CT_TRY(name_folder(checkpoint->output, folder, err));
    CT_TRY(name_in(folder, name, path, err));
    checkpoint->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return checkpoint->fd < 0 ? fail_with(err, "create", path) : CT_OK;
}

enum ct_status ct_checkpoint_keep(struct ct_checkpoint *checkpoint, const struct ct_sample *samples,
                                  size_t n, struct ct_error *err)
{
    unsigned char bytes[SAMPLES_PER_WRITE * SAMPLE_BYTES];
    if (n > checkpoint->n_kept && checkpoint->fd < 0)
        CT_TRY(open_samples(checkpoint, err));
    while (checkpoint->n_kept < n) {
        size_t left = n - checkpoint->n_kept;
        size_t count = left < SAMPLES_PER_WRITE ? left : SAMPLES_PER_WRITE;
        for (size_t i = 0; i < count; i++)
            encode_sample(&samples[checkpoint->n_kept + i], bytes + i * SAMPLE_BYTES);
        ssize_t written = write(checkpoint->fd, bytes, count * SAMPLE_BYTES);
        if (written < 0 && errno == EINTR)
            continue;
        if (written != (ssize_t)(count * SAMPLE_BYTES))
            return ct_fail(err, CT_EIO, "%s" CT_CHECKPOINT_SUFFIX ": %s", checkpoint->output,
                           written < 0 ? strerror(errno) : "no room for all samples");
        checkpoint->n_kept += count;
    }
    return CT_OK;
}

void ct_checkpoint_close(struct ct_checkpoint *checkpoint)
{
    if (checkpoint->fd >= 0)
        close(checkpoint->fd);
    checkpoint->fd = -1;
}

enum ct_status ct_checkpoint_replace(const char *output, int rank, const struct ct_run *run,
                                     struct ct_error *err)
{
    char folder[PATH_MAX], name[sizeof rows_prefix + sizeof rows_suffix + 16], path[PATH_MAX];
    snprintf(name, sizeof name, "%s%06d%s", rows_prefix, rank, rows_suffix);
    CT_TRY(name_folder(output, folder, err));
    CT_TRY(name_in(folder, name, path, err));
    return ct_run_write(path, run, err);
}

/* ---- files of the folder ---- */

static bool begins_with(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Also what was being written as the program was killed. */
static bool is_ours(const char *name)
{
    return begins_with(name, run_name) || begins_with(name, samples_prefix) ||
           begins_with(name, old_samples_prefix) || begins_with(name, rows_prefix);
}

enum ct_status ct_checkpoint_remove(const char *output, struct ct_error *err)
{
    char folder[PATH_MAX], path[PATH_MAX];
    enum ct_status status = name_folder(output, folder, err);
    DIR *entries = status == CT_OK ? opendir(folder) : NULL;
    if (!entries)
        return status != CT_OK || errno == ENOENT ? status : fail_with(err, "open", folder);
    for (struct dirent *entry; status == CT_OK && (entry = readdir(entries));)
        if (is_ours(entry->d_name) && name_in(folder, entry->d_name, path, NULL) == CT_OK &&
            unlink(path) != 0)
            status = fail_with(err, "remove", path);
    closedir(entries);
    if (status == CT_OK && rmdir(folder) != 0)
        status = fail_with(err, "remove", folder);
    return status;
}

/* A sample that is cut at the end of the file was being written as the program was killed. */
static enum ct_status read_samples(const char *path, size_t sample_bytes, struct ct_run *run,
                                   struct ct_error *err)
{
    struct stat about;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &about) != 0) {
        enum ct_status status = fail_with(err, "read", path);
        if (in)
            fclose(in);
        return status;
    }
    size_t n = (size_t)about.st_size / sample_bytes;
    enum ct_status status =
        CT_ARRAY_RESIZE(run->samples, run->n_samples + n) ? CT_OK : ct_no_memory(err, "%s", path);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        unsigned char bytes[SAMPLE_BYTES];
        if (fread(bytes, sample_bytes, 1, in) != 1)
            status = ct_fail(err, CT_EIO, "cannot read %s", path);
        else
            run->samples[run->n_samples++] = decode_sample(bytes, sample_bytes);
    }
    fclose(in);
    if (status != CT_OK)
        return status;
    status = ct_run_check(run, CT_RUN_IMPACT, run->n_pairs, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

static enum ct_status read_any_samples(const char *path, struct ct_run *run, struct ct_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return read_samples(path, begins_with(name, samples_prefix) ? SAMPLE_BYTES : OLD_SAMPLE_BYTES,
                        run, err);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int holds_samples(const struct dirent *entry)
{
    return begins_with(entry->d_name, samples_prefix) ||
           begins_with(entry->d_name, old_samples_prefix);
}

static int holds_rows(const struct dirent *entry)
{
    const char *name = entry->d_name;
    size_t length = strlen(name), suffix = strlen(rows_suffix);
    return begins_with(name, rows_prefix) && length > suffix &&
           strcmp(name + length - suffix, rows_suffix) == 0;
}

/* Add n elements to an array that is owned. */
static bool append_elements(void **array, size_t n_there, const void *more, size_t n,
                            size_t element_bytes)
{
    char *grown = ct_array_resize(*array, n_there + n, element_bytes);
    if (!grown)
        return false;
    if (n > 0)
        memcpy(grown + n_there * element_bytes, more, n * element_bytes);
    *array = grown;
    return true;
}

static enum ct_status add_rows(struct ct_run *run, const struct ct_run *more, const char *path,
                               struct ct_error *err)
{
    void *rows = run->logp, *repetitions = run->repetitions;
    bool added = append_elements(&rows, run->n_logp, more->logp, more->n_logp, sizeof *more->logp);
    run->logp = rows;
    added = added && append_elements(&repetitions, run->n_repetitions, more->repetitions,
                                     more->n_repetitions, sizeof *more->repetitions);
    run->repetitions = repetitions;
    if (!added)
        return ct_no_memory(err, "%s", path);
    run->n_logp += more->n_logp;
    run->n_repetitions += more->n_repetitions;
    return CT_OK;
}

static enum ct_status read_rows(const char *path, struct ct_run *run, struct ct_error *err)
{
    struct ct_run more;
    CT_TRY(ct_run_file_read(path, &more, err));
    enum ct_status status = CT_OK;
    if (more.info.kind != run->info.kind)
        status = ct_fail(err, CT_EFORMAT, "%s: not that of a checkpoint", path);
    else if (run->n_logp + run->n_scan_cells == 0) {
        ct_run_free(run);
        *run = more;
        return CT_OK;
    } else
        status = add_rows(run, &more, path, err);
    ct_run_free(&more);
    return status;
}

/* What a kind of run keeps for each rank. */
static const struct content {
    enum ct_run_kind kind;
    int (*is_part)(const struct dirent *entry);
    enum ct_status (*read)(const char *path, struct ct_run *run, struct ct_error *err);
} contents[] = {{CT_RUN_IMPACT, holds_samples, read_any_samples},
                {CT_RUN_LOGP, holds_rows, read_rows},
                {CT_RUN_SCAN, holds_rows, read_rows}};

static size_t count_rows(const struct ct_run *run)
{
    return run->n_samples + run->n_logp + run->n_scan_cells;
}

static const struct content *content_of(const struct ct_run *run)
{
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (contents[i].kind == run->info.kind && count_rows(run) == 0)
            return &contents[i];
    return NULL;
}

static enum ct_status read_folder(const char *folder, const struct content *content,
                                  struct ct_run *run, struct ct_error *err)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, content->is_part, by_name);
    if (n < 0)
        return fail_with(err, "read", folder);
    enum ct_status status = CT_OK;
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];
        if (status == CT_OK)
            status = name_in(folder, entries[i]->d_name, path, err);
        if (status == CT_OK)
            status = content->read(path, run, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

bool ct_checkpoint_is(const char *path)
{
    size_t length = strlen(path), suffix = strlen(CT_CHECKPOINT_SUFFIX);
    char file[PATH_MAX];
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length > suffix && !strncmp(path + length - suffix, CT_CHECKPOINT_SUFFIX, suffix) &&
           name_in(path, run_name, file, NULL) == CT_OK && access(file, F_OK) == 0;
}

enum ct_status ct_checkpoint_recover(const char *folder, struct ct_run *run_p, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_run run;
    CT_TRY(name_in(folder, run_name, path, err));
    CT_TRY(ct_run_file_read(path, &run, err));
    const struct content *content = content_of(&run);
    enum ct_status status = CT_OK;
    if (content)
        status = read_folder(folder, content, &run, err);
    else
        status = ct_fail(err, CT_EFORMAT, "%s: not that of a checkpoint", path);
    if (status == CT_OK && count_rows(&run) == 0)
        status = ct_fail(err, CT_ENODATA, "%s: nothing was measured yet", folder);
    if (status == CT_OK && ct_run_add_number(&run.info, CT_CHECKPOINT_FACT, 1) != CT_OK)
        status = ct_no_memory(err, "%s", folder);
    if (status == CT_OK)
        *run_p = run;
    else
        ct_run_free(&run);
    return status;
}
