#include "cli/export_logp.h"

#include "core/units.h"

#include <math.h>
#include <stdlib.h>

static const double usual_epsilon = 0.01;

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

/* Rows of the fast method in the direction of the first row; the file has them in order of size. */
static size_t take_points(const struct ct_run *run, struct ct_loggp_point *points)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_logp; i++) {
        const struct ct_logp_row *row = &run->logp[i];
        if (row->method == CT_LOGP_FAST && row->rank_from == run->logp[0].rank_from &&
            row->rank_to == run->logp[0].rank_to && (n == 0 || row->bytes > points[n - 1].bytes))
            points[n++] = point_of(row);
    }
    return n;
}

static double epsilon_of(const struct ct_run_info *info)
{
    const char *text = ct_run_text(info, "option_epsilon");
    double epsilon;
    return text && ct_parse_fraction(text, &epsilon, NULL) == CT_OK ? epsilon : usual_epsilon;
}

/* L = (RTT(0) - 2 g(0)) / 2 */
static struct ct_estimate latency_of(const struct ct_loggp_point *points, size_t n)
{
    if (n == 0 || points[0].bytes != 0)
        return ct_estimate_none();
    return ct_estimate_combine(0.5, points[0].rtt_s, -1, points[0].g_s);
}

enum ct_status ct_export_logp(const struct ct_run *run, const char *path, enum ct_emit what,
                              FILE *out, struct ct_error *err)
{
    if (run->info.kind != CT_RUN_LOGP)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no parameters to emit",
                       path, ct_run_kind_text(run->info.kind));
    struct ct_loggp_point *points = malloc((run->n_logp + 1) * sizeof *points);
    if (!points)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    size_t n = take_points(run, points);
    struct ct_emit_source source = {.points = points,
                                    .n_points = n,
                                    .latency_s = latency_of(points, n),
                                    .threshold =
                                        ct_loggp_find_threshold(points, n, epsilon_of(&run->info))};
    source.loggp = ct_loggp_derive(points, n, source.latency_s);
    enum ct_status status = ct_loggp_emit(what, &source, out, err);
    free(points);
    return status == CT_OK ? CT_OK : ct_fail_within(err, "%s", path);
}
