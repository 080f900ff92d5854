#include "study/cache.h"

#include "core/array.h"
#include "core/file.h"
#include "results/checkpoint.h"
#include "study/cache_format.h"
#include "study/fingerprint.h"
#include "study/placements.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* ---- the folder ---- */

/* free(); NULL: there is none. */
static char *find_folder(void)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    int n = caches && *caches == '/' ? asprintf(&folder, "%s/crosstalk", caches)
            : home && *home == '/'   ? asprintf(&folder, "%s/.cache/crosstalk", home)
                                     : -1;
    return n < 0 ? NULL : folder;
}

/* With all above it. */
static void make_folder(char *folder)
{
    for (char *end = folder; (end = strchr(end + 1, '/'));) {
        *end = '\0';
        mkdir(folder, 0700);
        *end = '/';
    }
    mkdir(folder, 0700);
}

char *ct_cache_path(uint64_t key, uint64_t build, const char *kind)
{
    char *path = NULL, *folder = find_folder();
    int n = folder
                ? asprintf(&path, "%s/%016" PRIx64 "-%016" PRIx64 ".%s", folder, key, build, kind)
                : -1;
    free(folder);
    return n < 0 ? NULL : path;
}

/* ---- what it may hold ---- */

struct file {
    char name[NAME_MAX + 1];
    struct timespec written;
    off_t bytes;
};

static int compare_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->written,
                          *y = &((const struct file *)b)->written;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void remove_oldest(const char *folder)
{
    struct file *files = NULL;
    size_t n = 0, room = 0;
    off_t all = 0;
    struct stat facts;
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (fstatat(dirfd(entries), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(facts.st_mode) || !CT_ARRAY_RESERVE(files, room, n + 1))
            continue;
        files[n] = (struct file){.written = facts.st_mtim, .bytes = facts.st_size};
        snprintf(files[n].name, sizeof files[n].name, "%s", entry->d_name);
        all += files[n++].bytes;
    }
    if (all > CT_CACHE_BYTES_MAX)
        qsort(files, n, sizeof *files, compare_age);
    for (size_t i = 0; i < n && all > CT_CACHE_BYTES_MAX; all -= files[i++].bytes)
        unlinkat(dirfd(entries), files[i].name, 0);
    closedir(entries);
    free(files);
}

/* ---- what it belongs to ---- */

static enum ct_status add_folders(struct ct_fingerprint *source, const char *path)
{
    /* A checkpoint, which may grow, is a folder that cannot be read as a file: then no cache. */
    static const char *const endings[] = {".h5", ".ports.json", ".h5" CT_CHECKPOINT_SUFFIX, NULL};
    char *runs = NULL;
    enum ct_status status = ct_fingerprint_add_folder(source, path, endings, NULL);
    if (asprintf(&runs, "%s/runs", path) < 0)
        return CT_ENOMEM;
    if (status == CT_OK)
        status = ct_fingerprint_add_folder(source, runs, endings, NULL);
    free(runs);
    return status;
}

/* Notes name files as the path does, so that it belongs to what they are made from. */
static bool make_key(const char *path, const char *placement, struct ct_cache_key *key_p)
{
    struct ct_cache_key key = ct_cache_key_of_build();
    struct ct_fingerprint *source = ct_fingerprint_new();
    if (!source)
        return false;
    ct_fingerprint_add_text(source, path);
    if (placement)
        ct_fingerprint_add_text(source, placement);
    enum ct_status status = is_folder(path) && !ct_checkpoint_is(path)
                                ? add_folders(source, path)
                                : ct_fingerprint_add_file(source, path, NULL);
    ct_fingerprint_end(source, key.source);
    *key_p = key;
    return status == CT_OK;
}

/* ---- the file ---- */

unsigned char *ct_cache_read(const char *path, size_t *n_p)
{
    struct stat facts;
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    if (fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode)) {
        *n_p = (size_t)facts.st_size;
        bytes = malloc(*n_p + 1);
    }
    if (bytes && fread(bytes, 1, *n_p, file) != *n_p) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

/* What cannot be kept is made again the next time. */
void ct_cache_write(const char *path, const void *bytes, size_t n)
{
    char *folder = n <= CT_CACHE_BYTES_MAX ? find_folder() : NULL;
    if (!folder)
        return;
    make_folder(folder);
    if (ct_file_save(path, bytes, n, NULL) == CT_OK)
        remove_oldest(folder);
    free(folder);
}

/* false: there is none for this key. */
static bool read_cache(const char *name, const struct ct_cache_key *key, struct ct_study *study_p)
{
    size_t n = 0;
    unsigned char *bytes = ct_cache_read(name, &n);
    bool good = bytes && ct_cache_decode(bytes, n, key, study_p) == CT_OK;
    free(bytes);
    return good;
}

static void write_cache(const char *name, const struct ct_cache_key *key,
                        const struct ct_study *study)
{
    unsigned char *bytes = NULL;
    size_t n = 0;
    if (ct_cache_encode(study, key, &bytes, &n) == CT_OK)
        ct_cache_write(name, bytes, n);
    free(bytes);
}

enum ct_status ct_study_load_cached(const char *path, const char *placement, bool use_cache,
                                    struct ct_study *study_p, struct ct_run_list *list_p,
                                    struct ct_error *err)
{
    struct ct_cache_key key;
    struct ct_run_list list = {0};
    char *name = use_cache && make_key(path, placement, &key)
                     ? ct_cache_path(key.source[0], key.build[0], "summaries")
                     : NULL;
    enum ct_status status = CT_OK;
    if (!name || !read_cache(name, &key, study_p)) {
        status = ct_placements_read_list(path, placement, &list, err);
        if (status == CT_OK)
            status = ct_study_load_list(&list, study_p, err);
        /* What keeps probes from being summarised is said by those who need the summaries. */
        if (status == CT_OK && ct_study_summarize(study_p, NULL) == CT_OK && name)
            write_cache(name, &key, study_p);
    }
    free(name);
    if (status == CT_OK && list_p)
        *list_p = list;
    else
        ct_run_list_free(&list);
    return status;
}
