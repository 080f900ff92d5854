/** Elements of the page: sections, paragraphs, figures, and tables with their data for download. */
#ifndef CT_REPORT_HTML_H
#define CT_REPORT_HTML_H

#include "core/table.h"
#include "plot/plot.h"
#include "plot/stacked.h"

#include <stdbool.h>

/** A page that is being written. */
struct ct_html {
    FILE *out;
    const char *name;    /**< of the campaign, for the names of downloads; borrowed */
    size_t n_figures;    /**< number of figures so far */
    const char *figures; /**< folder in which each figure is also written as ID.svg; NULL: none */
};

void ct_html_open(struct ct_html *page, const char *title);
void ct_html_close(struct ct_html *page);

/** @param id  [in] for links: letters, digits, '-' */
void ct_html_section_open(struct ct_html *page, const char *id, const char *title);
void ct_html_section_close(struct ct_html *page);
void ct_html_heading(struct ct_html *page, const char *text);

/** A paragraph; the text is escaped. */
void ct_html_say(struct ct_html *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** A paragraph about runs that were not measured. */
void ct_html_missing(struct ct_html *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Figures side by side, if the screen is wide enough: two, or three small ones. */
void ct_html_grid_open(struct ct_html *page, bool is_small);
void ct_html_grid_close(struct ct_html *page);

/**
 * The elements that follow are hidden until the reader opens them.
 * @param summary  [in] heading, always visible
 */
void ct_html_fold_open(struct ct_html *page, const char *summary);
void ct_html_fold_close(struct ct_html *page);

struct ct_html_figure {
    const char *id;             /**< for links and names of downloads: letters, digits, '-' */
    const char *name;           /**< a few words */
    const char *about;          /**< how to read it, a sentence or two; NULL: explained above */
    const struct ct_plot *plot; /**< two of these are NULL */
    const struct ct_stacked *stacked;
    const char *svg;        /**< drawn already */
    struct ct_tables *data; /**< its data, made for CT_FORMAT_CSV; NULL: no download */
};

/**
 * Draw a figure and add it with its caption.
 * @return CT_OK; see ct_plot_draw(), ct_stacked_draw()
 */
enum ct_status ct_html_figure(struct ct_html *page, const struct ct_html_figure *figure,
                              struct ct_error *err);

/**
 * Add the tables of a report, with a link to the same as CSV.
 * @return as ct_tables_print_as()
 */
enum ct_status ct_html_table(struct ct_html *page, const char *id, struct ct_tables *data,
                             struct ct_error *err);

/** A link that contains a whole file. */
void ct_html_download(struct ct_html *page, const char *file_name, const char *type,
                      const char *words, const char *text);

#endif
