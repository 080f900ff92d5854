#include "cli/load_schedule.h"

#include <sys/stat.h>

enum ct_status ct_load_schedule(const char *path, struct ct_goal *goal_p, struct ct_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return ct_fail(err, CT_EINVAL, "%s: a folder; a schedule is a GOAL file", path);
    return ct_goal_read(path, goal_p, err);
}
