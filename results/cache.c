#include "results/cache.h"

#include "core/array.h"
#include "core/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
