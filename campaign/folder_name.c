#include "campaign/folder_name.h"

#include <stdio.h>

enum ct_status ct_folder_name(const char *folder, const char *below, const char *id,
                              const char *ending, char name[PATH_MAX], struct ct_error *err)
{
    int n = snprintf(name, PATH_MAX, "%s/%s%s%s", folder, below, id, ending);
    if (n < 0 || n >= PATH_MAX)
        return ct_fail(err, CT_EINVAL, "%s: path too long", folder);
    return CT_OK;
}
