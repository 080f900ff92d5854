#include "results/run_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where ":NNNN" begins; NULL where there is none. */
static const char *find_run_number(const char *path)
{
    const char *colon = strrchr(path, ':');
    if (!colon || colon == path || colon[1] == '\0')
        return NULL;
    return colon[1 + strspn(colon + 1, "0123456789")] == '\0' ? colon : NULL;
}

char *ct_run_path_file(const char *path, const char **number_p)
{
    struct stat st;
    const char *number = stat(path, &st) == 0 ? NULL : find_run_number(path);
    if (number_p)
        *number_p = number;
    return number ? strndup(path, (size_t)(number - path)) : strdup(path);
}
