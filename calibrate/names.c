#include "calibrate/names.h"

#include <stdio.h>
#include <string.h>

enum ct_status ct_names_find(const char *what, const char *const *names, int n, const char *text,
                             int *i_p, struct ct_error *err)
{
    char list[200];
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            *i_p = i;
            return CT_OK;
        }
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       i > 0 ? ", " : "", names[i]);
    }
    return ct_fail(err, CT_EINVAL, "%s '%.60s': not one of %s", what, text, list);
}
