#include "study/logp_emit.h"

#include "study/logp_points.h"

#include <stdlib.h>

/* L = (RTT(0) - 2 g(0)) / 2 */
static struct ct_estimate latency_of(const struct ct_loggp_point *points, size_t n)
{
    if (n == 0 || points[0].bytes != 0)
        return ct_estimate_none();
    return ct_estimate_combine(0.5, points[0].rtt_s, -1, points[0].g_s);
}

enum ct_status ct_logp_emit(const struct ct_run *run, const char *path, enum ct_emit what,
                            FILE *out, struct ct_error *err)
{
    if (run->info.kind != CT_RUN_LOGP)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no parameters to emit",
                       path, ct_run_kind_text(run->info.kind));
    struct ct_loggp_point *points;
    size_t n = ct_logp_points(run, &points);
    if (!points)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    struct ct_emit_source source = {
        .points = points,
        .n_points = n,
        .latency_s = latency_of(points, n),
        .threshold = ct_loggp_find_threshold(points, n, ct_logp_epsilon(&run->info))};
    source.loggp = ct_loggp_derive(points, n, source.latency_s);
    enum ct_status status = ct_loggp_emit(what, &source, out, err);
    free(points);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}
