/**
 * A campaign as one HTML page that needs nothing else: figures as SVG, data as CSV, style inside;
 * no script, no network. Everything comes from plain values; reading a campaign is done elsewhere.
 *
 * Works with whatever was measured: a section says what is missing for it.
 */
#ifndef CT_REPORT_PAGE_H
#define CT_REPORT_PAGE_H

#include "predict/evaluate.h"
#include "study/questions.h"

#include <stdio.h>

/** A line of "what was measured where". */
struct ct_page_fact {
    const char *key, *text;
};

/** A probe run in the order of time. */
struct ct_page_probe {
    const char *name;              /**< what ran beside it */
    const double *t_s, *latency_s; /**< [n]: due times from the start of the run, latencies */
    size_t n;
};

/** An application beside several others at once. */
struct ct_page_group {
    const char *app, *with; /**< "milc", "fft,amg" */
    double measured_frac;
};

/** All borrowed. */
struct ct_page_facts {
    const char *name; /**< of the campaign */
    const struct ct_measurements *measured;
    const struct ct_predict_analysis *analysis; /**< NULL: not possible, why_not says why */
    const char *why_not;
    const struct ct_predict_case *cases; /**< [(model * n_apps + app) * n_apps + with], answered;
                                              NULL without analysis */
    const struct ct_question *pairs; /**< [app * n_apps + with], measured; NULL without analysis */
    const struct ct_page_group *groups; /**< those that were measured; NULL without analysis */
    size_t n_groups;
    const struct ct_predict_case *group_cases; /**< [model * n_groups + group], answered */
    const char *model; /**< key of the one to rely on; NULL: that with the least error here */
    struct ct_bootstrap bootstrap; /**< of what was measured and of comparisons; its level is that
                                        of all intervals */
    double acceptable_frac;        /**< slowdown with which two applications may share a switch */
    const struct ct_page_fact *provenance;
    size_t n_provenance;
    const char *const *warnings;
    size_t n_warnings;
    const struct ct_page_probe *probes; /**< the first is of the idle network, if there is one */
    size_t n_probes;
    const char *runs_csv;      /**< which runs there are; NULL: none to be had */
    const char *figures;       /**< folder for figures as files, too; NULL: none */
    const char *campaign_file; /**< as it was given; NULL: none to be had */
};

/** Name of an application. */
const char *ct_page_app(const struct ct_page_facts *facts, size_t app);

/**
 * @param out  [in] not flushed
 * @return CT_OK; CT_EUNSUPPORTED (gnuplot is not installed) and what else ct_plot_draw() returns;
 *         CT_ENOMEM; CT_EIO
 */
enum ct_status ct_page_write(const struct ct_page_facts *facts, FILE *out, struct ct_error *err);

#endif
