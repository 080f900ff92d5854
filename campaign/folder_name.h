/** Names of files in the folder of a campaign. */
#pragma once

#include "core/status.h"

#include <limits.h>

/** "FOLDER/runs/ID.h5": a file of a campaign. @return CT_OK; CT_EINVAL (too long) */
enum ct_status ct_folder_name(const char *folder, const char *below, const char *id,
                              const char *ending, char name[PATH_MAX], struct ct_error *err);
