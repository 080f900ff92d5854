/* Names of kinds, for the sources of this room that have some. */
#pragma once

#include "core/status.h"

/**
 * Number of a name.
 * @param what   [in]  what is named, for the message: "prior"
 * @param names  [in]  n of them
 * @param i_p    [out] unchanged on error
 * @return CT_OK; CT_EINVAL, which lists the names
 */
enum ct_status ct_names_find(const char *what, const char *const *names, int n, const char *text,
                             int *i_p, struct ct_error *err);
