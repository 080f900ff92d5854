/** May two applications share a switch? Pure. */
#ifndef CT_REPORT_VERDICT_H
#define CT_REPORT_VERDICT_H

#include "report/page.h"

/** Key for style sheets, and words. */
#define CT_SHARE_MAP(X)                                                                            \
    X(YES, "share-yes", "may share")                                                               \
    X(MAYBE, "share-maybe", "not certain")                                                         \
    X(NO, "share-no", "should not share")                                                          \
    X(UNKNOWN, "share-unknown", "not known")

enum ct_share {
#define CT_SHARE_ENUM(name, key, words) CT_SHARE_##name,
    CT_SHARE_MAP(CT_SHARE_ENUM)
#undef CT_SHARE_ENUM
        CT_N_SHARES
};

const char *ct_share_key(enum ct_share share);
const char *ct_share_name(enum ct_share share);

/** Slowdown of one application beside another: measured, or else predicted. */
struct ct_page_slowdown {
    double frac;                 /**< NaN: neither measured nor predicted */
    struct ct_interval interval; /**< both frac where there is none */
    bool is_measured;
};

struct ct_verdict {
    size_t a, b; /**< a <= b */
    enum ct_share share;
    struct ct_page_slowdown worst; /**< of the two */
    size_t slowed;                 /**< a or b: whose slowdown that is */
};

/** Number of pairs of n applications, each with itself too. */
size_t ct_verdict_count(size_t n_apps);

/** Models in the order of the page. */
struct ct_page_order {
    size_t models[CT_N_PREDICT_MODELS]; /**< rows of ct_predict_models: null models, the three that
                                             do best, the others in the order of their rows */
    size_t n_first;                     /**< null models and the three; the others are folded */
    size_t model;                       /**< to rely on, a row */
};

/**
 * A model does better with a smaller mean error where the truth is known; else if it answers more,
 * of equals the last row. The one to rely on is the one that was asked for, else the best; null
 * models are only relied on if asked for. The one that was asked for counts as the best.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_page_order_models(const struct ct_page_facts *facts,
                                    struct ct_page_order *order_p);

/** Of app beside with. */
struct ct_page_slowdown ct_page_slowdown_of(const struct ct_page_facts *facts, size_t model,
                                            size_t app, size_t with);

/**
 * Judge every pair: both slowdowns acceptable to the end of their intervals: yes; one beyond it
 * from the start of its interval: no; else, if one is not known: unknown; else maybe, as for a
 * prediction without an interval.
 * @param verdicts  [out] room for ct_verdict_count(); by (a, b)
 */
void ct_page_judge(const struct ct_page_facts *facts, size_t model, struct ct_verdict *verdicts);

#endif
