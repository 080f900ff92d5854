/** Statistics over many links: medians, outliers, directions that differ. Pure. */
#pragma once

#include "bench/logp/logp_procedure.h"

/** A parameter of a link, for tables of links. */
struct ct_logp_parameter {
    const char *key;     /**< "L_s" */
    const char *heading; /**< "L" */
    size_t offset;       /**< of a struct ct_estimate of a link */
};
/** L, o, g, G of struct ct_loggp, then g(0) and g(m) / m of the largest size. */
enum ct_logp_parameter_row {
    CT_LOGP_L,
    CT_LOGP_O,
    CT_LOGP_G_SMALL,
    CT_LOGP_G,
    CT_LOGP_G0,
    CT_LOGP_GAP_PER_BYTE,
    CT_LOGP_N_PARAMETERS
};
extern const struct ct_logp_parameter ct_logp_parameters[CT_LOGP_N_PARAMETERS];

struct ct_estimate ct_logp_value(const struct ct_logp_parameter *parameter,
                                 const struct ct_logp_link *link);

/**
 * The parameter of one link; of several, the median with the range from least to greatest.
 * @param n  [in] links, >= 1
 */
struct ct_estimate ct_logp_overall(const struct ct_logp_parameter *parameter,
                                   const struct ct_logp_link *links, size_t n);

/**
 * Whether a link is an outlier among all: its value is further from the median than 3.5 times the
 * scaled median absolute deviation and than a tenth of the median. False for fewer than 4 links.
 * @param outlier_p  [out] n
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_find_outliers(const struct ct_logp_parameter *parameter,
                                     const struct ct_logp_link *links, size_t n, bool *outlier_p);

/** The link of the same two ranks in the other direction; NULL: not measured. */
const struct ct_logp_link *ct_logp_opposite(const struct ct_logp_link *links, size_t n,
                                            const struct ct_logp_link *link);

/** What a measurement that was cut short lacks, over all directions. */
struct ct_logp_cut {
    uint64_t powers;    /**< bit k: a direction was to measure 2^k bytes and did not */
    size_t n_links;     /**< directions that lack one */
    uint64_t n_hurried; /**< sizes whose repetitions the time limit ended */
};
struct ct_logp_cut ct_logp_cut_of(const struct ct_logp_link *links, size_t n);

/** The sizes as a text, "2 B, 8 B, 16 KiB". */
enum { CT_LOGP_CUT_MAX = 1024 };
void ct_logp_cut_format(uint64_t powers, char text[CT_LOGP_CUT_MAX]);

/** Sizes of a curve for which a warning is printed. */
struct ct_logp_doubts {
    size_t n_receive_above_gap;       /**< o_r(m) > g(m), by more than both intervals */
    uint64_t receive_above_gap_bytes; /**< the smallest of them */
    size_t n_below_resolution;        /**< o_s, o_r or g below the timer's resolution */
    uint64_t below_resolution_bytes;
    size_t n_checks_failed;
    uint64_t check_failed_bytes;
};
struct ct_logp_doubts ct_logp_doubts_of(const struct ct_logp_link *link,
                                        const struct ct_loggp_point *points);
