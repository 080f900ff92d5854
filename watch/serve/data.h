/**
 * What the page of a watch shows beside the answer, as JSON: the fabric once, and latencies of the
 * past.
 */
#pragma once

#include "core/status.h"
#include "watch/state.h"

struct ct_serve_history;

/** @param history_p  [out] ct_serve_history_free() */
enum ct_status ct_serve_history_new(struct ct_serve_history **history_p, struct ct_error *err);
void ct_serve_history_free(struct ct_serve_history *history);

/**
 * Whether the state at this time would be a point: one a minute of the samples is kept, those of
 * the last 12 hours.
 * @param unix_ns  [in] of the newest sample
 */
bool ct_serve_history_is_due(const struct ct_serve_history *history, int64_t unix_ns);

void ct_serve_history_add(struct ct_serve_history *history, const struct ct_watch_state *now);

/**
 * The documents: one line each, without line ends in it.
 * @param text_p  [out] free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_serve_write_fabric(const struct ct_watch_state *now, char **text_p,
                                     struct ct_error *err);
enum ct_status ct_serve_write_history(const struct ct_serve_history *history, char **text_p,
                                      struct ct_error *err);

/** Take away ends of lines and tabs between the values of JSON: those of texts are escaped. */
void ct_serve_make_line(char *json);
