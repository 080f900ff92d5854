/**
 * The checksum at the end of a file that crosstalk writes. A file of the user's own whose sum is
 * right is as it was written, so it is read without a trial (trial.h). The sum finds damage, not
 * malice: who can write a file, can write its sum.
 *
 * The last 24 bytes are "crosstalk sum 1\n" and a 64-bit sum of all bytes before. They are behind
 * what HDF5 knows of the file: it reads past them, and takes them away when it changes the file.
 */
#pragma once

#include "core/file.h"

/**
 * ct_file_commit() with a sum at the end. A file of more than 64 MiB gets none: its trial, which
 * leaves rows out, takes less time than its sum.
 */
enum ct_status ct_sum_commit(struct ct_file *draft, struct ct_error *err);

/**
 * Whether a file may be damaged: a file that can be read, unless it belongs to the user of this
 * process (its effective user), nobody else may write to it (no such bit for group and others), and
 * its sum is right.
 */
bool ct_sum_is_doubtful(const char *path);
