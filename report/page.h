/**
 * A campaign as one self-contained HTML page: figures as SVG, data as CSV, styles inside; no
 * scripts, no network. The input is plain data; page_facts.h reads the campaign.
 *
 * Any part of a campaign may be missing: a section then states which runs it needs.
 */
#ifndef CT_REPORT_PAGE_H
#define CT_REPORT_PAGE_H

#include "predict/evaluate.h"
#include "study/app_times.h"
#include "study/latency_validation.h"
#include "study/posterior_view.h"
#include "study/questions.h"

#include <stdio.h>

/** A line of the section on provenance. */
struct ct_page_fact {
    const char *key, *text;
};

/** A probe run in the order of time. */
struct ct_page_probe {
    const char *name;              /**< application beside the probe */
    const double *t_s, *latency_s; /**< [n]: due times from the start of the run, latencies */
    size_t n;
};

/** An application beside several others at once. */
struct ct_page_group {
    const char *app, *with; /**< "milc", "fft,amg" */
    double measured_frac;
};

/** An application at several added latencies. */
struct ct_page_validation {
    const char *app;            /**< borrowed */
    struct ct_validation found; /**< if `why` is NULL */
    char *why;                  /**< why it cannot be compared; NULL: it can */
};

/** All borrowed. */
struct ct_page_facts {
    const char *name; /**< of the campaign */
    const struct ct_measurements *measured;
    const struct ct_predict_analysis *analysis; /**< NULL: not possible, why_not has the reason */
    const char *why_not;
    const struct ct_predict_case *cases; /**< [(model * n_apps + app) * n_apps + with], answered;
                                              NULL without analysis */
    const struct ct_question *pairs; /**< [app * n_apps + with], measured; NULL without analysis */
    const struct ct_page_group *groups; /**< those that were measured; NULL without analysis */
    size_t n_groups;
    const struct ct_predict_case *group_cases; /**< [model * n_groups + group], answered */
    const char *model;                         /**< key of the model that is relied on */
    const char *why_model;                     /**< why it is the default; NULL: it was asked for */
    struct ct_bootstrap bootstrap; /**< for intervals of measurements and comparisons; its level is
                                      that of all intervals */
    double acceptable_frac;        /**< slowdown with which two applications may share a switch */
    const struct ct_page_fact *provenance;
    size_t n_provenance;
    const char *const *warnings;
    size_t n_warnings;
    const struct ct_app_times *times; /**< [app] of the study; NULL: not looked for */
    const struct ct_page_probe
        *probes; /**< the first one is that of the idle network, if there is one */
    size_t n_probes;
    const struct ct_page_validation *validations; /**< [n_validations]: applications with runs at
                                                       several latencies */
    size_t n_validations;
    const struct ct_posterior_view *posterior; /**< of the network's parameters; NULL: none */
    const char *runs_csv;                      /**< list of the runs; NULL: none */
    const char *figures;                       /**< folder for figures as files; NULL: none */
    const char *campaign_file;                 /**< content of the campaign file; NULL: none */
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
