/** Reads a campaign for crosstalk report, and computes everything on the page. */
#ifndef CT_REPORT_PAGE_FACTS_H
#define CT_REPORT_PAGE_FACTS_H

#include "core/argv.h"
#include "report/page.h"
#include "study/questions.h"
#include "study/session.h"

struct ct_page_settings {
    const char *directory; /**< folder or packed campaign; borrowed */
    const char *placement; /**< of its runs, see study/placements.h; NULL: all, which must have the
                                same; borrowed */
    const char
        *model; /**< key; NULL: the best that the inputs allow (ct_session_default()); borrowed */
    const char *name;            /**< of the campaign; NULL: that of the directory; borrowed */
    const char *network;         /**< a sentence; NULL: not known; borrowed */
    const char *file;            /**< content of the campaign file; NULL: none; borrowed */
    const char *const *warnings; /**< [n_warnings]: warnings from the making of runs; borrowed */
    size_t n_warnings;
    double acceptable_frac;
    double link_bit_per_s; /**< NaN: not known */
    struct ct_schedule_source schedules;
    struct ct_bootstrap bootstrap;
};

/** Owner of everything that facts points to. */
struct ct_page_source {
    struct ct_page_facts facts;
    struct ct_run_list list;
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_error why_not;
    struct ct_questions questions; /**< every pair, then groups that were measured */
    struct ct_predict_case *cases; /**< of pairs, then of groups */
    struct ct_page_group *groups;
    struct ct_argv group_names, texts, warnings;
    struct ct_page_fact *provenance;
    struct ct_page_probe *probes;
    struct ct_page_validation *validations;
    struct ct_posterior_view posterior;
    struct ct_app_times *times; /**< [app]; NULL: no schedule can be used */
    double **probe_values;      /**< [2 * probe]: times, latencies */
    char *name, *runs_csv;
};

/**
 * @param settings  [in]  borrowed until ct_page_source_free()
 * @param source_p  [out] ct_page_source_free() is due on success
 * @return CT_OK, also if kinds of runs are missing; CT_ENOENT; CT_ENODATA (no run); CT_EINVAL (the
 *         bootstrap); CT_ENOMEM
 */
enum ct_status ct_page_source_read(const struct ct_page_settings *settings,
                                   struct ct_page_source *source_p, struct ct_error *err);
void ct_page_source_free(struct ct_page_source *source);

/**
 * Add the provenance, from the attributes of the runs.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_page_add_provenance(struct ct_page_source *source,
                                      const struct ct_page_settings *settings);

/** Add warnings: drifts, runs left out or tried again, shared cores, late probes. */
enum ct_status ct_page_add_warnings(struct ct_page_source *source,
                                    const struct ct_page_settings *settings);

/**
 * Add the applications that were run at several latencies.
 * @return CT_OK, also if nothing can be compared; CT_ENOMEM
 */
enum ct_status ct_page_add_validations(struct ct_page_source *source,
                                       const struct ct_page_settings *settings,
                                       struct ct_error *err);
void ct_page_free_validations(struct ct_page_source *source);

#endif
