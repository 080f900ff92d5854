/* What needs no library: which path is what. */
#include "trace/format.h"
#include "trace/otf2/otf2.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_anchor(const char *name)
{
    static const char ending[] = ".otf2";
    size_t n = strlen(name), n_ending = sizeof ending - 1;
    return n > n_ending && strcmp(name + n - n_ending, ending) == 0;
}

/* What there is in a folder. */
struct found {
    size_t n;                             /* anchor files */
    char first[NAME_MAX + 1], names[256]; /* the first by name; all, as far as they fit */
    bool has_traces;                      /* of crosstalk's own form */
};

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_of_interest(const struct dirent *entry)
{
    char own[CT_TRACE_NAME_MAX];
    ct_trace_file_name(0, own);
    return is_anchor(entry->d_name) || strcmp(entry->d_name, own) == 0;
}

/* false: the folder cannot be read */
static bool look_in_folder(const char *folder, struct found *found_p)
{
    struct dirent **entries;
    size_t length = 0;
    *found_p = (struct found){.n = 0};
    int n = scandir(folder, &entries, is_of_interest, by_name);
    if (n < 0)
        return false;
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (!is_anchor(name)) {
            found_p->has_traces = true;
        } else {
            if (found_p->n++ == 0)
                snprintf(found_p->first, sizeof found_p->first, "%s", name);
            if (length < sizeof found_p->names)
                length += (size_t)snprintf(found_p->names + length, sizeof found_p->names - length,
                                           "%s%s", length > 0 ? ", " : "", name);
        }
        free(entries[i]);
    }
    free(entries);
    return true;
}

bool ct_otf2_is_archive(const char *path)
{
    struct found found;
    if (!is_folder(path))
        return is_anchor(path);
    return look_in_folder(path, &found) && found.n > 0 && !found.has_traces;
}

enum ct_status ct_otf2_find_anchor(const char *path, char anchor_p[PATH_MAX], struct ct_error *err)
{
    struct found found = {.n = 0};
    bool is_in_folder = is_folder(path);
    if (is_in_folder && !look_in_folder(path, &found))
        return ct_fail(err, CT_EIO, "cannot read %s: %s", path, strerror(errno));
    if (is_in_folder && found.n != 1)
        return ct_fail(err, CT_EUSAGE, "%s: a folder with %zu archives: give one of %s", path,
                       found.n, found.names);
    int n = is_in_folder ? snprintf(anchor_p, PATH_MAX, "%s/%s", path, found.first)
                         : snprintf(anchor_p, PATH_MAX, "%s", path);
    return n < PATH_MAX ? CT_OK : ct_fail(err, CT_EIO, "path is too long: %s", path);
}
