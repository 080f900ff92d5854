/**
 * The time of ranks as a file for viewers of timelines (core/viewer_file.h): the first pass of each
 * program of a simulation. A track is a rank, a slice a time in which it does one thing (compute,
 * stack, sync, network) in one call, an arrow a message from the begin of its send to the end of
 * its receive. It is written while the simulation runs; memory: less than
 * 100 B a rank.
 */
#pragma once

#include "core/status.h"
#include "lp-bridge/goal/goal.h"
#include "simulate/run_path.h"

#include <stddef.h>
#include <stdio.h>

struct ct_spans_file;

/**
 * @param goals   [in]  [n] of the programs; borrowed, as names and out
 * @param names   [in]  [n]
 * @param file_p  [out] ct_spans_file_end(); unchanged on error
 * @return CT_OK; CT_ENOMEM; errors of the stream are the caller's
 */
enum ct_status ct_spans_file_begin(const struct ct_goal *goals, const char *const *names, size_t n,
                                   FILE *out, struct ct_spans_file **file_p, struct ct_error *err);

/** The observer that writes. */
struct ct_observer ct_spans_file_observer(struct ct_spans_file *file);

/**
 * Write the critical path of a program as a track above those of its ranks: a slice a piece, with
 * the rank that it is on, or the two that a message is between. Pieces of less than half a
 * nanosecond are left out.
 */
void ct_spans_file_path(struct ct_spans_file *file, uint32_t program,
                        const struct ct_run_path *path);

/** Write the end, and free. NULL is allowed. */
void ct_spans_file_end(struct ct_spans_file *file);
