#include "core/self.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum ct_status ct_self_path(char *path, size_t size, struct ct_error *err)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n < 0)
        return ct_fail(err, CT_EIO, "/proc/self/exe: %s", strerror(errno));
    path[n] = '\0';
    return CT_OK;
}

enum ct_status ct_self_folder(char *path, size_t size, struct ct_error *err)
{
    enum ct_status status = ct_self_path(path, size, err);
    char *slash = status == CT_OK ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    return status;
}

bool ct_self_find(const char *folder, const char *const *relatives, char *path, size_t size)
{
    for (; *relatives; relatives++) {
        int n = snprintf(path, size, "%s/%s", folder, *relatives);
        if (n >= 0 && (size_t)n < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Folder of the shared library that this code was linked into; of the program, where it was linked
 * into that. */
static enum ct_status find_object_folder(char *path, size_t size)
{
    Dl_info info;
    struct link_map *object = NULL;
    static const char here;
    /* The program has no name there. */
    if (!dladdr1(&here, &info, (void **)&object, RTLD_DL_LINKMAP) || !object || !*object->l_name)
        return ct_self_folder(path, size, NULL);
    const char *slash = strrchr(object->l_name, '/');
    snprintf(path, size, "%.*s", slash ? (int)(slash - object->l_name) : 1,
             slash ? object->l_name : ".");
    return CT_OK;
}

bool ct_self_find_helper(const char *name, char *path, size_t size)
{
    static const char *const folders[] = {".", "../bin", CT_HELPERS_FROM_PROGRAM,
                                          CT_HELPERS_FROM_LIBRARY};
    char self[PATH_MAX / 2], folder[PATH_MAX];
    if (find_object_folder(self, sizeof self) != CT_OK)
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int n = snprintf(folder, sizeof folder, "%s/%s", self, folders[i]);
        if (n >= 0 && (size_t)n < sizeof folder &&
            ct_self_find(folder, (const char *const[]){name, NULL}, path, size))
            return true;
    }
    return false;
}
