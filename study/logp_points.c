#include "study/logp_points.h"

#include "core/units.h"
#include "model/loggp/constants.h"
#include "study/constants.h"

#include <stdlib.h>
#include <string.h>

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

/* The least relative error that the run was to believe of a value. */
static double epsilon_of(const struct ct_run_info *info)
{
    const char *text = ct_run_text(info, "option_epsilon");
    double epsilon;
    return text && ct_parse_fraction(text, &epsilon, NULL) == CT_OK
               ? epsilon
               : ct_study_constant(CT_STUDY_EPSILON);
}

static double level_of(const struct ct_run_info *info)
{
    const double usual = 0.95;
    for (size_t i = 0; i < info->n_facts; i++) {
        const struct ct_run_fact *fact = &info->facts[i];
        if (!fact->text && strcmp(fact->key, "interval_level") == 0 && fact->number > 0 &&
            fact->number < 1)
            return fact->number;
    }
    return usual;
}

static enum ct_status take_times(const struct ct_run *run, const struct ct_logp_row *row,
                                 struct ct_logp_times *times_p, struct ct_loggp_sample *sample_p,
                                 struct ct_error *err)
{
    const struct ct_logp_size size = {.rank_from = row->rank_from,
                                      .rank_to = row->rank_to,
                                      .bytes = row->bytes,
                                      .rtt_s = row->rtt_s,
                                      .or_s = row->or_s};
    enum ct_status status =
        ct_logp_times_find(run->repetitions, run->n_repetitions, &size, times_p, err);
    *sample_p = (struct ct_loggp_sample){.send_s = times_p->send_s,
                                         .rtt_s = times_p->rtt_s,
                                         .recv_s = times_p->recv_s,
                                         .n_trips = times_p->n_trips,
                                         .n_receives = times_p->n_receives};
    return status;
}

static bool belongs_to(const struct ct_run *run, const struct ct_logp_row *row,
                       const struct ct_logp_curve *curve)
{
    return row->method == CT_LOGP_FAST && row->rank_from == run->logp[0].rank_from &&
           row->rank_to == run->logp[0].rank_to &&
           (curve->n == 0 || row->bytes > curve->points[curve->n - 1].bytes);
}

enum ct_status ct_logp_curve_take(const struct ct_run *run, struct ct_logp_curve *curve_p,
                                  struct ct_error *err)
{
    size_t room = run->n_logp + 1;
    struct ct_logp_curve curve = {
        .points = malloc(room * sizeof *curve.points),
        .samples = malloc(room * sizeof *curve.samples),
        .times = malloc(room * sizeof *curve.times),
        .resampling = {.replicates = (size_t)ct_loggp_constant(CT_LOGGP_REPLICATES),
                       .level = level_of(&run->info),
                       .seed = run->info.seed}};
    enum ct_status status = CT_OK;
    if (!curve.points || !curve.samples || !curve.times)
        status = ct_no_memory(err, "%zu sizes", run->n_logp);
    for (size_t i = 0; i < run->n_logp && status == CT_OK; i++) {
        if (!belongs_to(run, &run->logp[i], &curve))
            continue;
        curve.points[curve.n] = point_of(&run->logp[i]);
        status =
            take_times(run, &run->logp[i], &curve.times[curve.n], &curve.samples[curve.n], err);
        curve.n += status == CT_OK;
    }
    if (status != CT_OK) {
        ct_logp_curve_free(&curve);
        return status;
    }
    curve.threshold = ct_loggp_find_threshold(curve.points, curve.n, epsilon_of(&run->info));
    *curve_p = curve;
    return CT_OK;
}

void ct_logp_curve_free(struct ct_logp_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++)
        ct_logp_times_free(&curve->times[i]);
    free(curve->points);
    free(curve->samples);
    free(curve->times);
    *curve = (struct ct_logp_curve){0};
}

uint64_t ct_logp_curve_eager_bytes(const struct ct_logp_curve *curve)
{
    return ct_loggp_eager_bytes(&curve->threshold, curve->points, curve->n);
}

enum ct_status ct_logp_curve_derive(const struct ct_logp_curve *curve, struct ct_loggp *loggp_p,
                                    struct ct_error *err)
{
    return ct_loggp_derive(curve->points, curve->samples, curve->n,
                           ct_logp_curve_eager_bytes(curve), &curve->resampling, loggp_p, err);
}
