#include "study/logp_emit.h"

#include "study/logp_points.h"

enum ct_status ct_logp_emit(const struct ct_run *run, const char *path, enum ct_emit what,
                            FILE *out, struct ct_error *err)
{
    if (run->info.kind != CT_RUN_LOGP)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no parameters to emit",
                       path, ct_run_kind_text(run->info.kind));
    struct ct_logp_curve curve;
    enum ct_status status = ct_logp_curve_take(run, &curve, err);
    if (status == CT_OK) {
        const struct ct_emit_source source = {
            .points = curve.points, .n_points = curve.n, .threshold = curve.threshold};
        status = ct_loggp_emit(what, &source, out, err);
        ct_logp_curve_free(&curve);
    }
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}
