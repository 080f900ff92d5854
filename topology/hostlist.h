/* Lists of names as Slurm writes them: "n[0-3,12],login1", numbers with leading zeros as they are.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

struct ct_hostlist {
    char **names; /* n */
    size_t n, room;
};

/*
 * Append the names of a list; several [] in a name are all combinations.
 * @param text  [in] `length` bytes
 * @return CT_OK; CT_EFORMAT (names what is wrong); CT_ENOMEM
 */
enum ct_status ct_hostlist_expand(const char *text, size_t length, struct ct_hostlist *list,
                                  struct ct_error *err);
void ct_hostlist_free(struct ct_hostlist *list);
