/** One placement of a campaign: its runs and what follows from them, as the page shows it. */
#pragma once

#include "core/json.h"
#include "report/page.h"
#include "study/advice.h"
#include "study/session.h"
#include "study/verdict.h"

struct ct_page_part {
    const struct ct_page_settings *settings; /**< borrowed */
    const char *placement;                   /**< NULL: the only one, of any name; borrowed */
    struct ct_run_list list;
    struct ct_session session;
    bool is_analysed; /**< false: why_not has the reason, and what follows is empty */
    struct ct_error why_not;
    struct ct_predict_analysis analysis;
    struct ct_questions questions;    /**< every pair, [app * n_apps + with], then groups of more */
    struct ct_predict_case *cases;    /**< [model * questions.n + question], answered */
    size_t model;                     /**< row of the model that is relied on */
    const char *why_model;            /**< why it is the default; NULL: it was asked for */
    struct ct_pair_verdict *verdicts; /**< [n_verdicts] */
    size_t n_verdicts;
    struct ct_advice advice; /**< two at a time; empty if it cannot be given */
    struct ct_argv warnings;
};

/** @param part_p  [out] ct_page_part_free(), also on error */
enum ct_status ct_page_part_read(const struct ct_page_settings *settings, const char *placement,
                                 struct ct_page_part *part_p, struct ct_error *err);
void ct_page_part_free(struct ct_page_part *part);

/** Applications of the part, and the name of one. */
size_t ct_page_n_apps(const struct ct_page_part *part);
const char *ct_page_app(const struct ct_page_part *part, size_t app);

/** Slowdown of one application beside another, of part->verdicts; part->is_analysed. */
const struct ct_judged *ct_page_judged(const struct ct_page_part *part, size_t app, size_t with);

/** Whether a measured slowdown says nothing of disturbances: time that ranks waited for processors,
 * or that a host took away, was not recorded; in a simulation there is none. */
bool ct_page_is_unwatched(const struct ct_page_part *part, size_t app, size_t with);

/** A run of the probe beside an application, "": on the idle network. */
bool ct_page_is_probe_of(const struct ct_run_info *info, const char *app);

/**
 * What was measured, in a few sentences: hosts, network, number of slowdowns.
 * @param text  [out] cut to size
 */
void ct_page_describe_question(const struct ct_page_part *part, char *text, size_t size);

/* ---- one question each: members of `into`; a lack of memory is found when it is printed ---- */

typedef enum ct_status ct_page_writer(const struct ct_page_part *part, struct ct_json *into,
                                      struct ct_error *err);

ct_page_writer ct_page_write_pairs, ct_page_write_loads, ct_page_write_times,
    ct_page_write_tolerance, ct_page_write_models, ct_page_write_provenance;

/** A number with five significant digits: the page shows no more. NaN: null */
struct ct_json *ct_page_number(double value);
/** Array of n values, each times `unit`. */
struct ct_json *ct_page_numbers(const double *values, size_t n, double unit);
/** At most n_most quantiles at equal distances in rank, the smallest and the largest too; or all
 * values. In units of `unit`; empty for no values. */
struct ct_json *ct_page_quantiles(struct ct_series values, size_t n_most, double unit);
