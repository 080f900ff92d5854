#include "model/lookup/lookup.h"

#include <math.h>

static double distance_s(const struct ct_probe_profile *b, const struct ct_probe_profile *c)
{
    return fabs(b->latency_s.mean - c->latency_s.mean);
}

static double score_average(const struct ct_probe_profile *b, const struct ct_probe_profile *c)
{
    return -distance_s(b, c);
}

static double score_average_stdev(const struct ct_probe_profile *b,
                                  const struct ct_probe_profile *c)
{
    double sd_b = sqrt(b->latency_s.variance), sd_c = sqrt(c->latency_s.variance);
    double lo = fmax(b->latency_s.mean - sd_b, c->latency_s.mean - sd_c);
    double hi = fmin(b->latency_s.mean + sd_b, c->latency_s.mean + sd_c);
    if (isnan(sd_b) || isnan(sd_c))
        return NAN;
    return hi >= lo ? hi - lo : NAN;
}

/* Both densities have the same bins: f = mass / width. */
static double score_pdf(const struct ct_probe_profile *b, const struct ct_probe_profile *c)
{
    if (!b->mass || !c->mass)
        return NAN;
    double integral = 0;
    for (size_t i = 0; i < b->grid.n_bins; i++) {
        double width_s = ct_probe_edge_s(&b->grid, i + 1) - ct_probe_edge_s(&b->grid, i);
        integral += b->mass[i] * c->mass[i] / width_s;
    }
    return integral > 0 ? integral : NAN;
}

const struct ct_lookup_model ct_lookup_average = {
    .key = "average_lt", .needs = "mean latency", .score = score_average};
const struct ct_lookup_model ct_lookup_average_stdev = {.key = "average_stdev_lt",
                                                        .needs = "mean and deviation of latencies",
                                                        .score = score_average_stdev};
const struct ct_lookup_model ct_lookup_pdf = {
    .key = "pdf_lt", .needs = "distribution of latencies", .score = score_pdf};
/* Differences of equal decimal latencies differ by rounding: that is a tie all the same. */
static bool about_equal(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Keep the better of two candidates: higher score, then nearer mean, then the one that was first.
 */
static void keep_better(struct ct_lookup_candidate *kept, bool *tie_p,
                        const struct ct_lookup_candidate *offered)
{
    if (!kept->found) {
        *kept = *offered;
        return;
    }
    if (about_equal(offered->score, kept->score)) {
        *tie_p = true;
        if (offered->distance_s < kept->distance_s &&
            !about_equal(offered->distance_s, kept->distance_s))
            *kept = *offered;
    } else if (offered->score > kept->score) {
        *tie_p = false;
        *kept = *offered;
    }
}

struct ct_lookup_search ct_lookup_begin(const struct ct_lookup_model *model,
                                        const struct ct_probe_profile *target)
{
    return (struct ct_lookup_search){.model = model, .target = *target};
}

void ct_lookup_offer(struct ct_lookup_search *search, size_t index,
                     const struct ct_probe_profile *candidate)
{
    if (search->target.latency_s.n == 0 || candidate->latency_s.n == 0)
        return;
    struct ct_lookup_candidate offered = {.found = true,
                                          .index = index,
                                          .score = search->model->score(&search->target, candidate),
                                          .distance_s = distance_s(&search->target, candidate)};
    if (!isnan(offered.score))
        keep_better(&search->best, &search->tie, &offered);
    offered.score = -offered.distance_s;
    keep_better(&search->nearest, &search->nearest_tie, &offered);
}

struct ct_lookup_choice ct_lookup_end(const struct ct_lookup_search *search)
{
    bool fallback = !search->best.found && search->nearest.found;
    const struct ct_lookup_candidate *chosen = fallback ? &search->nearest : &search->best;
    return (struct ct_lookup_choice){.found = chosen->found,
                                     .index = chosen->index,
                                     .tie = fallback ? search->nearest_tie : search->tie,
                                     .fallback = fallback};
}
