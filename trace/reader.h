/**
 * Reads traces (trace/format.h): one rank's file, or a folder with those of all ranks.
 *
 *     ct_trace_open(path, &trace, &err);
 *     while ((status = ct_trace_next(trace, &event, &err)) == CT_OK && event.kind) ...
 *     ct_trace_free(trace);
 */
#pragma once

#include "trace/format.h"

struct ct_trace; /**< one rank's file, mapped or read; opaque */

/**
 * @param trace_p  [out] ct_trace_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (with the path); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_trace_open(const char *path, struct ct_trace **trace_p, struct ct_error *err);
/**
 * A second reader of the same file, at its first event. It borrows the file from the first one,
 * which is freed after it.
 * @param again_p  [out] ct_trace_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_trace_again(const struct ct_trace *trace, struct ct_trace **again_p,
                              struct ct_error *err);
const struct ct_trace_header *ct_trace_header_of(const struct ct_trace *trace);

/**
 * The next event; those of kind CT_TRACE_SITE are not handed out: others have their names.
 * Of a thread no event starts before the one before it ended.
 * @param event_p  [out] kind CT_TRACE_NONE at the end; borrowed until the next call
 * @return CT_OK; CT_EFORMAT (with path and byte): nothing more can be read; CT_ENOMEM
 */
enum ct_status ct_trace_next(struct ct_trace *trace, struct ct_trace_event *event_p,
                             struct ct_error *err);
void ct_trace_rewind(struct ct_trace *trace); /**< to the first event */

/** Place of the next event. */
struct ct_trace_place {
    uint64_t at, end_ns; /**< byte of the file; end of the event before */
    uint64_t index;      /**< of the event, from 0 */
};
struct ct_trace_place ct_trace_tell(const struct ct_trace *trace);
/** @param place  [in] from ct_trace_tell() of the same file */
void ct_trace_seek(struct ct_trace *trace, struct ct_trace_place place);
void ct_trace_free(struct ct_trace *trace); /**< NULL is allowed */

/** Traces of all ranks of a program, [rank]. */
struct ct_trace_set {
    struct ct_trace **traces;
    uint32_t n_ranks;
};

enum { CT_TRACE_RANKS_MAX = 1 << 20 };

/**
 * @param directory  [in]  with rank-000000.trace and so on
 * @param set_p      [out] ct_trace_set_close(); unchanged on error
 * @return CT_OK; CT_ENOENT (no traces); CT_ENODATA (the file of a rank is missing); CT_EFORMAT
 *         (files of different programs); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_trace_set_open(const char *directory, struct ct_trace_set *set_p,
                                 struct ct_error *err);
void ct_trace_set_close(struct ct_trace_set *set);
