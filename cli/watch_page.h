/** The page of crosstalk watch. Without the part PAGE, watch_page_absent.c says so. */
#pragma once

#include "cli/watch_tell.h"
#include "core/log.h"
#include "core/status.h"
#include "watch/find/finder.h"

struct ct_watch_page_settings {
    const char *address;    /**< where it is served; NULL: there is no page */
    const char *token_file; /**< NULL: page.token in the folder of the watch */
};

struct ct_watch_page;

/**
 * Listen, and say where.
 * @param page_p  [out] ct_watch_page_close()
 * @return as ct_serve_open(); CT_EUNSUPPORTED
 */
enum ct_status ct_watch_page_open(const struct ct_watch_page_settings *settings, const char *folder,
                                  struct ct_log *log, struct ct_watch_page **page_p,
                                  struct ct_error *err);
void ct_watch_page_close(struct ct_watch_page *page);

/** Keep latencies of the past while samples are read, and answer requests that have come. */
void ct_watch_page_note(struct ct_watch_page *page, struct ct_watch_finder *finder,
                        int64_t unix_ns);

/** Show a state, by the answer that --status has, too. @return CT_OK; CT_ENOMEM */
enum ct_status ct_watch_page_show(struct ct_watch_page *page, const struct ct_watch_state *now,
                                  ct_watch_answer_writer *write_answer, void *context,
                                  struct ct_error *err);

/** Answer requests until a time of ct_clock_now_s(), or until a signal comes. */
void ct_watch_page_run(struct ct_watch_page *page, double until_s);
