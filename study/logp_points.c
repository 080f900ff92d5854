#include "study/logp_points.h"

#include "core/units.h"
#include "study/constants.h"

#include <stdlib.h>

static struct ct_loggp_point point_of(const struct ct_logp_row *row)
{
    return (struct ct_loggp_point){
        .bytes = row->bytes,
        .os_s = {row->os_s, {row->os_lo_s, row->os_hi_s}},
        .or_s = {row->or_s, {row->or_lo_s, row->or_hi_s}},
        .or_expected_s = {row->or_expected_s, {row->or_expected_lo_s, row->or_expected_hi_s}},
        .g_s = {row->g_s, {row->g_lo_s, row->g_hi_s}},
        .g_saturation_s = ct_estimate_none(),
        .rtt_s = {row->rtt_s, {row->rtt_lo_s, row->rtt_hi_s}},
        .repetitions = row->repetitions};
}

size_t ct_logp_points(const struct ct_run *run, struct ct_loggp_point **points_p)
{
    size_t n = 0;
    struct ct_loggp_point *points = malloc((run->n_logp + 1) * sizeof *points);
    *points_p = points;
    for (size_t i = 0; points && i < run->n_logp; i++) {
        const struct ct_logp_row *row = &run->logp[i];
        if (row->method == CT_LOGP_FAST && row->rank_from == run->logp[0].rank_from &&
            row->rank_to == run->logp[0].rank_to && (n == 0 || row->bytes > points[n - 1].bytes))
            points[n++] = point_of(row);
    }
    return n;
}

double ct_logp_epsilon(const struct ct_run_info *info)
{
    const char *text = ct_run_text(info, "option_epsilon");
    double epsilon;
    return text && ct_parse_fraction(text, &epsilon, NULL) == CT_OK
               ? epsilon
               : ct_study_constant(CT_STUDY_EPSILON);
}
