/** Sections of the page, one file each, and functions that they share. */
#ifndef CT_REPORT_SECTIONS_H
#define CT_REPORT_SECTIONS_H

#include "report/html.h"
#include "report/verdict.h"

/** Input of the sections. */
struct ct_page_view {
    const struct ct_page_facts *facts;
    struct ct_page_order order; /**< of the models; with facts->analysis only */
};

typedef enum ct_status ct_section(struct ct_html *page, const struct ct_page_view *view,
                                  struct ct_error *err);

ct_section ct_section_summary, ct_section_warnings, ct_section_provenance, ct_section_latency,
    ct_section_utilization, ct_section_degradation, ct_section_matrix, ct_section_errors,
    ct_section_time, ct_section_parts, ct_section_added_latency, ct_section_calibration;

/**
 * Write the slowdowns by processors, and the errors of models without the co-runs that these
 * affect; nothing if there are none. With facts->analysis only.
 */
void ct_page_say_processors(struct ct_html *page, const struct ct_page_view *view);

/** Size and font of every figure: legible on a telephone, two side by side elsewhere. */
enum { CT_FIGURE_WIDTH = 520, CT_FIGURE_HEIGHT = 330, CT_FIGURE_ROW = 24 };
struct ct_plot ct_figure_plot(const struct ct_plot_panel *panels, size_t n_panels,
                              double panel_height);

/** Identifier "latency-3" of a figure. */
void ct_figure_id(const char *what, size_t number, char id[64]);

/** Tables for data that is downloaded or shown. @return NULL: out of memory */
struct ct_tables *ct_figure_data(void);

/** An estimate of utilization, a row of this table. */
struct ct_page_utilization {
    const char *name; /**< for keys of figures */
    const char *key;  /**< of CSV */
    bool is_truth;    /**< by the switch counters, without interval */
    enum ct_utilization_kind kind;
};
enum { CT_N_PAGE_UTILIZATIONS = 4 };
extern const struct ct_page_utilization ct_page_utilizations[CT_N_PAGE_UTILIZATIONS];

/** @return NaN: not known; its interval is NaN if there is none */
struct ct_utilization ct_page_utilization_of(const struct ct_page_utilization *row,
                                             const struct ct_predict_load *load);

#endif
