#include "cli/load_schedule.h"

enum ct_status ct_load_schedule(const char *path, struct ct_goal *goal_p, struct ct_error *err)
{
    return ct_goal_read(path, goal_p, err);
}
