/**
 * Host files, as launchers of MPI programs and resource managers have them: the name of a host on
 * each line.
 */
#pragma once

#include "core/argv.h"
#include "core/status.h"

#include <stdbool.h>

/**
 * The name on each line: its first word, without ":4" or " slots=4". Empty lines and what follows
 * a '#' are passed over.
 * @param names  [in,out] a name is appended for each line; ct_argv_free() also after an error
 * @return CT_OK; CT_ENOENT, CT_EIO; CT_EFORMAT (no names, or a line that begins with none: the
 *         message says what the file is, if that is known); CT_ENOMEM
 */
enum ct_status ct_host_file_read(const char *path, struct ct_argv *names, struct ct_error *err);

/**
 * Whether two names may be those of one host: equal but for the case of letters, or one of them is
 * the other without its domain ("node1", "node1.cluster.example"). Addresses have no domain.
 */
bool ct_host_is_same(const char *a, const char *b);

/**
 * Keep the first name of each host, in their order. A name without a domain is that with a domain
 * if one host of the list only has both.
 * @return false: out of memory, `names` is as it was
 */
bool ct_host_unite(struct ct_argv *names);
