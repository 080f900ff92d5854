#include "core/self.h"

#include <dlfcn.h>
#include <errno.h>
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

enum ct_status ct_self_object_folder(char *path, size_t size, struct ct_error *err)
{
    Dl_info info;
    struct link_map *object = NULL;
    static const char here;
    /* The program has no name there. */
    if (!dladdr1(&here, &info, (void **)&object, RTLD_DL_LINKMAP) || !object || !*object->l_name)
        return ct_self_folder(path, size, err);
    const char *slash = strrchr(object->l_name, '/');
    snprintf(path, size, "%.*s", slash ? (int)(slash - object->l_name) : 1,
             slash ? object->l_name : ".");
    return CT_OK;
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
