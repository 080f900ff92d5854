/* What needs no library: which path is what. */
#include "lp-bridge/otf2/otf2.h"

#include <string.h>
#include <sys/stat.h>

bool ct_otf2_is_archive(const char *path)
{
    static const char ending[] = ".otf2";
    struct stat about;
    size_t n = strlen(path), n_ending = sizeof ending - 1;
    return n > n_ending && strcmp(path + n - n_ending, ending) == 0 &&
           (stat(path, &about) != 0 || !S_ISDIR(about.st_mode));
}

enum ct_status ct_traces_open(const char *path, struct ct_events *events_p, struct ct_error *err)
{
    return ct_otf2_is_archive(path) ? ct_otf2_open(path, events_p, err)
                                    : ct_events_open(path, events_p, err);
}
