#include "bench/logp/logp_summary.h"

#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTLIERS_LEAST_LINKS = 4 };
static const double outlier_deviations = 3.5;
static const double deviation_per_mad = 1.4826; /* of a normal distribution */
static const double outlier_least_frac = 0.1;

/* ---- parameters ---- */

const struct ct_logp_parameter ct_logp_parameters[CT_LOGP_N_PARAMETERS] = {
    [CT_LOGP_L] = {"L_s", "L", offsetof(struct ct_logp_link, loggp.L_s)},
    [CT_LOGP_O] = {"o_s", "o", offsetof(struct ct_logp_link, loggp.o_s)},
    [CT_LOGP_G_SMALL] = {"g_s", "g", offsetof(struct ct_logp_link, loggp.g_s)},
    [CT_LOGP_G] = {"G_s_per_byte", "G per byte", offsetof(struct ct_logp_link, loggp.G_s_per_byte)},
    [CT_LOGP_G0] = {"g0_s", "g(0)", offsetof(struct ct_logp_link, g0_s)},
    [CT_LOGP_GAP_PER_BYTE] = {"gap_per_byte_s", "g(m) / m",
                              offsetof(struct ct_logp_link, gap_per_byte_s)}};

struct ct_estimate ct_logp_value(const struct ct_logp_parameter *parameter,
                                 const struct ct_logp_link *link)
{
    struct ct_estimate value;
    memcpy(&value, (const char *)link + parameter->offset, sizeof value);
    return value;
}

struct ct_estimate ct_logp_overall(const struct ct_logp_parameter *parameter,
                                   const struct ct_logp_link *links, size_t n)
{
    if (n == 1)
        return ct_logp_value(parameter, &links[0]);
    double *values = malloc(n * sizeof *values);
    struct ct_estimate overall = ct_estimate_none();
    size_t n_known = 0;
    for (size_t i = 0; values && i < n; i++) {
        double value = ct_logp_value(parameter, &links[i]).value;
        if (!isnan(value))
            values[n_known++] = value;
    }
    if (n_known > 0) {
        ct_stats_sort(values, n_known);
        ct_stats_quantile(values, n_known, 0.5, &overall.value);
        overall.ci = (struct ct_interval){values[0], values[n_known - 1]};
    }
    free(values);
    return overall;
}

/* ---- outliers ---- */

enum ct_status ct_logp_find_outliers(const struct ct_logp_parameter *parameter,
                                     const struct ct_logp_link *links, size_t n, bool *outlier_p)
{
    double *distances = malloc(n * sizeof *distances), mad = 0;
    if (!distances)
        return CT_ENOMEM;
    double median = ct_logp_overall(parameter, links, n).value;
    for (size_t i = 0; i < n; i++)
        distances[i] = fabs(ct_logp_value(parameter, &links[i]).value - median);
    ct_stats_sort(distances, n);
    ct_stats_quantile(distances, n, 0.5, &mad);
    free(distances);
    double limit =
        fmax(outlier_deviations * deviation_per_mad * mad, outlier_least_frac * fabs(median));
    for (size_t i = 0; i < n; i++)
        outlier_p[i] = n >= OUTLIERS_LEAST_LINKS &&
                       fabs(ct_logp_value(parameter, &links[i]).value - median) > limit;
    return CT_OK;
}

const struct ct_logp_link *ct_logp_opposite(const struct ct_logp_link *links, size_t n,
                                            const struct ct_logp_link *link)
{
    for (size_t i = 0; i < n; i++)
        if (links[i].rank_from == link->rank_to && links[i].rank_to == link->rank_from)
            return &links[i];
    return NULL;
}

/* ---- what was cut ---- */

struct ct_logp_cut ct_logp_cut_of(const struct ct_logp_link *links, size_t n)
{
    struct ct_logp_cut cut = {.powers = 0};
    for (size_t i = 0; i < n; i++) {
        cut.powers |= links[i].cut_powers;
        cut.n_links += links[i].cut_powers != 0;
        cut.n_hurried += links[i].n_hurried;
    }
    return cut;
}

void ct_logp_cut_format(uint64_t powers, char text[CT_LOGP_CUT_MAX])
{
    char size[CT_UNITS_TEXT_MAX];
    size_t used = 0;
    text[0] = '\0';
    for (unsigned k = 0; k < 64 && used < CT_LOGP_CUT_MAX - sizeof size; k++)
        if (powers >> k & 1) {
            ct_format_size((size_t)1 << k, size);
            used += (size_t)snprintf(text + used, CT_LOGP_CUT_MAX - used, "%s%s",
                                     used > 0 ? ", " : "", size);
        }
}

/* ---- doubts ---- */

static void note_size(size_t *n, uint64_t *first_bytes, uint64_t bytes)
{
    if (*n == 0)
        *first_bytes = bytes;
    *n += 1;
}

struct ct_logp_doubts ct_logp_doubts_of(const struct ct_logp_link *link,
                                        const struct ct_loggp_point *points)
{
    struct ct_logp_doubts doubts = {.n_receive_above_gap = 0};
    double resolution_s = link->timer_resolution_s;
    for (size_t i = 0; i < link->n_points; i++) {
        const struct ct_loggp_point *point = &points[i];
        double gap_s = ct_loggp_gap(point).value;
        if (point->or_s.value > gap_s && ct_estimate_differ(point->or_s, point->g_s))
            note_size(&doubts.n_receive_above_gap, &doubts.receive_above_gap_bytes, point->bytes);
        if (point->os_s.value < resolution_s || point->or_s.value < resolution_s ||
            gap_s < resolution_s)
            note_size(&doubts.n_below_resolution, &doubts.below_resolution_bytes, point->bytes);
    }
    for (size_t i = 0; i < link->n_checks; i++)
        if (!link->checks[i].agrees)
            note_size(&doubts.n_checks_failed, &doubts.check_failed_bytes, link->checks[i].bytes);
    return doubts;
}
