/** The applications of a folder, for the option --applications: their schedules. */
#pragma once

#include "lp-bridge/goal/goal.h"

struct ct_application {
    char *name, *path; /**< owned */
    struct ct_goal goal;
    char why[64]; /**< without a schedule (goal.n_ranks is 0): why */
};

struct ct_applications {
    struct ct_application *items; /**< [n], in the order of their names */
    size_t n, room;
};

/**
 * Read the schedules of all. What cannot be read is named by a warning, and does not keep the
 * others from being read.
 * @param command  [in]  for warnings
 * @param path     [in]  a folder, in which each application is a folder of traces or a file
 *                       APP.goal or APP.bin; or one of these
 * @param apps_p   [out] ct_applications_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (no such folder); CT_ENODATA (nothing in it, or nothing that can be
 *         read); CT_EIO; CT_EINTR; CT_ENOMEM
 */
enum ct_status ct_applications_read(const char *command, const char *path,
                                    struct ct_applications *apps_p, struct ct_error *err);
void ct_applications_free(struct ct_applications *apps);
