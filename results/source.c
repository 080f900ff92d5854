/* Opening files for reading: the path, the file, the run in a packed campaign. */
#include "core/array.h"
#include "results/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Processor time for what takes milliseconds. */
enum { TRIAL_S = 1 };

/* ---- opening ---- */

/* Where ":NNNN" begins in the path of a run in a packed campaign; NULL where there is none. */
static const char *find_run_number(const char *path)
{
    const char *colon = strrchr(path, ':');
    if (!colon || colon == path || colon[1] == '\0')
        return NULL;
    return colon[1 + strspn(colon + 1, "0123456789")] == '\0' ? colon : NULL;
}

static enum ct_status check_file(const char *file, uint64_t *bytes_p, struct ct_error *err)
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
    *bytes_p = (uint64_t)st.st_size;
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
        status = ct_schema_fail(err, CT_EFORMAT, "%s: not an HDF5 file, or damaged", file);
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

static enum ct_status open_here(const char *path, struct ct_source *source_p, struct ct_error *err)
{
    struct stat st;
    struct ct_source source = {.file = H5I_INVALID_HID};
    const char *number = stat(path, &st) == 0 ? NULL : find_run_number(path);
    char *file = number ? strndup(path, (size_t)(number - path)) : strdup(path);
    if (!file)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    enum ct_status status = check_file(file, &source.file_bytes, err);
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

/* ---- trying it out ---- */

/* A damaged file may crash HDF5 1.10, or keep it busy for ever: texts are in a part of the file
 * that has no checksum, and the library believes the sizes that it finds there. So a process of its
 * own goes through everything but the rows first; where it does not come to its end, the file is
 * damaged. */
static _Noreturn void try_and_exit(const char *path)
{
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    const struct rlimit no_core = {0, 0}, processor_s = {TRIAL_S, TRIAL_S};
    struct ct_source source;
    /* Nobody wants to read of a crash that was expected. */
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &processor_s);
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
    if (open_here(path, &source, NULL) == CT_OK) {
        ct_source_touch(&source);
        ct_source_close(&source);
    }
    _exit(0);
}

static bool survives_trial(const char *path)
{
    int ended;
    pid_t waited, child = fork();
    if (child == 0)
        try_and_exit(path);
    /* Without a process to spare we read on unprotected, as every other program does. */
    if (child < 0)
        return true;
    do
        waited = waitpid(child, &ended, 0);
    while (waited < 0 && errno == EINTR);
    return waited < 0 || (WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

enum ct_status ct_source_open(const char *path, struct ct_source *source_p, struct ct_error *err)
{
    if (!survives_trial(path))
        return ct_fail(err, CT_EFORMAT, "%s: damaged: HDF5 fails on reading it", path);
    return open_here(path, source_p, err);
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

enum ct_status ct_source_runs(const char *path, char ***names_p, size_t *n_p, struct ct_error *err)
{
    struct ct_source source;
    struct names names = {0};
    enum ct_status status = ct_source_open(path, &source, err);
    if (status != CT_OK)
        return status;
    hid_t runs = open_runs(source.group);
    hsize_t at = 0;
    if (runs >= 0 && H5Literate(runs, H5_INDEX_NAME, H5_ITER_INC, &at, collect_name, &names) < 0)
        status = ct_schema_fail(err, CT_EFORMAT, "%s: runs cannot be listed", path);
    else if (names.out_of_memory)
        status = ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    if (runs >= 0)
        H5Gclose(runs);
    ct_source_close(&source);
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
