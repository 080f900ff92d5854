/**
 * Look-up tables: among CompressionB configurations, find the one whose effect on the probe is
 * nearest to that of an application. The application's co-runners are then expected to be slowed as
 * much as they were under that configuration.
 *
 * Source: Casas and Bronevetsky, IPDPS 2014, section IV-A. Each table is a struct ct_lookup_model:
 * a name and a score.
 *
 *     struct ct_lookup_search search = ct_lookup_begin(&ct_lookup_average, &profile_of_b);
 *     for (size_t c = 0; c < n_configs; c++)
 *         ct_lookup_offer(&search, c, &profile_of_config[c]);
 *     struct ct_lookup_choice choice = ct_lookup_end(&search);
 */
#pragma once

#include "model/probe/probe.h"

struct ct_lookup_model {
    const char *key;   /**< "average_lt" */
    const char *needs; /**< what is compared, for messages */
    /** Similarity of two measured profiles; larger means more similar. NaN: nothing in common. */
    double (*score)(const struct ct_probe_profile *b, const struct ct_probe_profile *c);
};

/** AverageLT: nearest mean latency; score = -|mean_B - mean_C|, seconds. */
extern const struct ct_lookup_model ct_lookup_average;

/**
 * AverageStDevLT: score = length of [mean_B - sd_B, mean_B + sd_B] and [mean_C - sd_C, mean_C +
 * sd_C] in common, seconds; NaN where they have no point in common, or for a single latency, which
 * has no standard deviation.
 */
extern const struct ct_lookup_model ct_lookup_average_stdev;

/**
 * PDFLT as printed: score = integral of f_B f_C over latency, 1/s, with densities constant in each
 * bin of the grid; NaN for 0. The paper bounds it by 1, which does not hold for densities: a load
 * whose latencies lie close together, such as a light one, has large densities, and is preferred.
 */
extern const struct ct_lookup_model ct_lookup_pdf;

/** The best candidate so far. */
struct ct_lookup_candidate {
    bool found;
    size_t index;
    double score;      /**< by the model */
    double distance_s; /**< between the means */
};

/** A search under way; its fields are private. */
struct ct_lookup_search {
    const struct ct_lookup_model *model;
    struct ct_probe_profile target;
    struct ct_lookup_candidate best;    /**< by the model */
    struct ct_lookup_candidate nearest; /**< by the mean, for the case that all scores are NaN */
    bool tie, nearest_tie;
};

struct ct_lookup_choice {
    bool found;   /**< false: no measured candidate was offered, or the target is not measured */
    size_t index; /**< as given to ct_lookup_offer() */
    bool tie; /**< several have this score: of these the one with the nearest mean, then the first
                 one offered */
    bool fallback; /**< all scores are NaN: the one with the nearest mean */
};

/**
 * Begin a search.
 * @param model   [in] borrowed until ct_lookup_end()
 * @param target  [in] copied
 */
struct ct_lookup_search ct_lookup_begin(const struct ct_lookup_model *model,
                                        const struct ct_probe_profile *target);

/** Compare a candidate. One that was not measured is ignored. */
void ct_lookup_offer(struct ct_lookup_search *search, size_t index,
                     const struct ct_probe_profile *candidate);

struct ct_lookup_choice ct_lookup_end(const struct ct_lookup_search *search);
