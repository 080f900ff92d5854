/* Opening files for reading: the path, the file, the run in a packed campaign. */
#include "core/array.h"
#include "results/run_path.h"
#include "results/schema.h"
#include "results/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- opening ---- */

static struct ct_run_stamp make_stamp(const struct stat *st)
{
    const uint64_t ns_per_s = 1000000000;
    return (struct ct_run_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                                 (uint64_t)st->st_ctim.tv_sec * ns_per_s +
                                     (uint64_t)st->st_ctim.tv_nsec};
}

static enum ct_status check_file(const char *file, struct ct_run_stamp *stamp_p,
                                 struct ct_error *err)
{
    struct stat st;
    if (stat(file, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? ct_fail(err, CT_ENOENT, "%s: no such file", file)
                   : ct_fail(err, CT_EIO, "%s: %s", file, strerror(errno));
    /* Opening a pipe would wait for its other end. */
    if (!S_ISREG(st.st_mode))
        return ct_fail(err, CT_EFORMAT, "%s: %s, not a run file", file,
                       S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
    *stamp_p = make_stamp(&st);
    return CT_OK;
}

/* Links into other places or files are not followed: a run is in one file. */
bool ct_schema_is_own(hid_t group, const char *name)
{
    H5L_info_t link;
    return H5Lexists(group, name, H5P_DEFAULT) > 0 &&
           H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

static enum ct_status open_file(const char *file, hid_t *id_p, struct ct_error *err)
{
    ct_schema_begin();
    hid_t access = ct_schema_access();
    hid_t id = H5Fopen(file, H5F_ACC_RDONLY, access);
    enum ct_status status = CT_OK;
    if (id < 0)
        status = ct_schema_fail_open(file, err);
    else
        *id_p = id;
    H5Pclose(access);
    return status;
}

static hid_t open_runs(hid_t file)
{
    return ct_schema_is_own(file, "runs") ? H5Gopen2(file, "runs", H5P_DEFAULT) : H5I_INVALID_HID;
}

static enum ct_status open_run_group(hid_t file, const char *path, const char *number,
                                     hid_t *group_p, struct ct_error *err)
{
    hid_t runs = open_runs(file);
    if (runs < 0)
        return ct_fail(err, CT_EFORMAT, "%s: the file is not a packed campaign", path);
    hid_t group =
        ct_schema_is_own(runs, number) ? H5Gopen2(runs, number, H5P_DEFAULT) : H5I_INVALID_HID;
    H5Gclose(runs);
    if (group < 0)
        return ct_fail(err, CT_ENOENT, "%s: the file has no such run", path);
    *group_p = group;
    return CT_OK;
}

enum ct_status ct_source_open_untried(const char *path, struct ct_source *source_p,
                                      struct ct_error *err)
{
    struct ct_source source = {.file = H5I_INVALID_HID};
    const char *number;
    char *file = ct_run_path_file(path, &number);
    if (!file)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = check_file(file, &source.stamp, err);
    if (status == CT_OK)
        status = open_file(file, &source.file, err);
    free(file);
    if (status != CT_OK)
        return status;
    if (number)
        status = open_run_group(source.file, path, number + 1, &source.group, err);
    else if ((source.group = H5Gopen2(source.file, "/", H5P_DEFAULT)) < 0)
        status = ct_schema_fail(err, CT_EFORMAT, "%s: damaged", path);
    if (status == CT_OK)
        *source_p = source;
    else
        H5Fclose(source.file);
    return status;
}

void ct_source_close(struct ct_source *source)
{
    H5Gclose(source->group);
    H5Fclose(source->file);
}

enum ct_status ct_source_fail_tried(const char *path, struct ct_error *err)
{
    return ct_fail(err, CT_EFORMAT, "%s: damaged: HDF5 fails on reading it", path);
}

enum ct_status ct_source_open(const char *path, struct ct_source *source_p, struct ct_error *err)
{
    return ct_trial_survives_alone(CT_TRIAL_RUNS, path)
               ? ct_source_open_untried(path, source_p, err)
               : ct_source_fail_tried(path, err);
}

static bool read_stamp(const char *path, struct ct_run_stamp *stamp_p)
{
    const char *number;
    char *file = ct_run_path_file(path, &number);
    bool good = file && check_file(file, stamp_p, NULL) == CT_OK;
    free(file);
    return good;
}

static bool same_stamp(const struct ct_run_stamp *a, const struct ct_run_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           a->changed_ns == b->changed_ns;
}

enum ct_status ct_source_open_again(const struct ct_run_entry *entry, struct ct_source *source_p,
                                    struct ct_error *err)
{
    struct ct_run_stamp now = {0};
    bool is_listed_file = read_stamp(entry->path, &now) && same_stamp(&now, &entry->stamp);
    return is_listed_file ? ct_source_open_untried(entry->path, source_p, err)
                          : ct_source_open(entry->path, source_p, err);
}

/* ---- packed campaigns ---- */

struct names {
    char **items;
    size_t n;
    bool out_of_memory;
};

static herr_t collect_name(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
    (void)group, (void)link;
    struct names *names = data;
    if (name[strspn(name, "0123456789")] != '\0')
        return 0;
    char *copy = CT_ARRAY_RESIZE(names->items, names->n + 1) ? strdup(name) : NULL;
    if (!copy) {
        names->out_of_memory = true;
        return 1;
    }
    names->items[names->n++] = copy;
    return 0;
}

enum ct_status ct_source_runs(const struct ct_source *source, char ***names_p, size_t *n_p,
                              struct ct_error *err)
{
    struct names names = {0};
    enum ct_status status = CT_OK;
    hid_t runs = open_runs(source->group);
    hsize_t at = 0;
    if (runs >= 0 && H5Literate(runs, H5_INDEX_NAME, H5_ITER_INC, &at, collect_name, &names) < 0)
        status = ct_schema_fail(err, CT_EFORMAT, "runs cannot be listed");
    else if (names.out_of_memory)
        status = ct_no_memory(err, "names of runs");
    if (runs >= 0)
        H5Gclose(runs);
    if (status == CT_OK) {
        *names_p = names.items;
        *n_p = names.n;
        return CT_OK;
    }
    for (size_t i = 0; i < names.n; i++)
        free(names.items[i]);
    free(names.items);
    return status;
}
