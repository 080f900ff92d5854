/**
 * A campaign as one self-contained HTML page: what was measured and what follows from it as JSON,
 * once, and a script that draws it (page.js). The first screen is there without scripts, too: its
 * words, and pictures of the matrix and of the groups as SVG. Names in runs come from anywhere:
 * they are text everywhere, never markup.
 *
 * Any part of a campaign may be missing: the page then states which runs it needs.
 */
#pragma once

#include "core/argv.h"
#include "core/stats.h"
#include "study/schedules.h"

/** All borrowed. */
struct ct_page_settings {
    const char *directory; /**< folder or packed campaign */
    const char *placement; /**< of its runs, see study/placements.h; NULL: all, side by side */
    const char *model;     /**< key; NULL: the best that the inputs allow (ct_session_default()) */
    const char *name;      /**< of the campaign; NULL: that of the directory */
    const char *network;   /**< a sentence; NULL: not known */
    const char *file;      /**< content of the campaign file; NULL: none */
    const char *const *warnings; /**< [n_warnings]: from the making of runs */
    size_t n_warnings;
    double acceptable_frac; /**< slowdown up to which two applications are fine beside each other */
    double link_bit_per_s;  /**< NaN: not known */
    struct ct_schedule_source schedules;
    struct ct_bootstrap bootstrap; /**< for intervals; its level is that of all intervals */
};

/** Texts are NUL-terminated and owned. */
struct ct_page {
    char *html;
    char *matrix_svg, *groups_svg; /**< pictures of the first screen */
    struct ct_argv notes;          /**< what was left out of the runs, and why */
};

/**
 * @param page_p  [out] ct_page_free(); unchanged on error
 * @return CT_OK, also if kinds of runs are missing; CT_ENOENT; CT_ENODATA (no run); CT_EUSAGE (no
 *         such placement); CT_EINVAL (the bootstrap); CT_ENOMEM
 */
enum ct_status ct_page_make(const struct ct_page_settings *settings, struct ct_page *page_p,
                            struct ct_error *err);
void ct_page_free(struct ct_page *page);
