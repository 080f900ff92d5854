#include "bench/logp/logp_rows.h"

#include "bench/logp/logp_summary.h"
#include "model/loggp/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ct_logp_row fast_row(const struct ct_logp_link *link,
                                   const struct ct_loggp_point *point)
{
    return (struct ct_logp_row){.bytes = point->bytes,
                                .os_s = point->os_s.value,
                                .os_lo_s = point->os_s.ci.lo,
                                .os_hi_s = point->os_s.ci.hi,
                                .or_s = point->or_s.value,
                                .or_lo_s = point->or_s.ci.lo,
                                .or_hi_s = point->or_s.ci.hi,
                                .or_expected_s = point->or_expected_s.value,
                                .or_expected_lo_s = point->or_expected_s.ci.lo,
                                .or_expected_hi_s = point->or_expected_s.ci.hi,
                                .g_s = point->g_s.value,
                                .g_lo_s = point->g_s.ci.lo,
                                .g_hi_s = point->g_s.ci.hi,
                                .rtt_s = point->rtt_s.value,
                                .rtt_lo_s = point->rtt_s.ci.lo,
                                .rtt_hi_s = point->rtt_s.ci.hi,
                                .repetitions = point->repetitions,
                                .rank_from = link->rank_from,
                                .rank_to = link->rank_to,
                                .method = CT_LOGP_FAST};
}

static struct ct_logp_row saturation_row(const struct ct_logp_link *link,
                                         const struct ct_loggp_point *point)
{
    const struct ct_estimate none = ct_estimate_none();
    struct ct_loggp_point only_gap = {.bytes = point->bytes,
                                      .os_s = none,
                                      .or_s = none,
                                      .or_expected_s = none,
                                      .g_s = point->g_saturation_s,
                                      .rtt_s = none,
                                      .repetitions = point->train};
    struct ct_logp_row row = fast_row(link, &only_gap);
    row.method = CT_LOGP_SATURATION;
    return row;
}

enum ct_status ct_logp_make_rows(const struct ct_logp_result *results, size_t n, struct ct_run *run,
                                 struct ct_error *err)
{
    size_t n_points = 0, n_repetitions = 0;
    for (size_t i = 0; i < n; i++) {
        n_points += (size_t)results[i].link.n_points;
        n_repetitions += results[i].n_repetitions;
    }
    run->logp = malloc((2 * n_points + 1) * sizeof *run->logp);
    run->repetitions = malloc((n_repetitions + 1) * sizeof *run->repetitions);
    if (!run->logp || !run->repetitions)
        return ct_no_memory(err, "rows of the run file");
    for (size_t i = 0; i < n; i++) {
        const struct ct_logp_result *result = &results[i];
        for (size_t p = 0; p < result->link.n_points; p++) {
            const struct ct_loggp_point *point = &result->points[p];
            if (point->repetitions > 0)
                run->logp[run->n_logp++] = fast_row(&result->link, point);
            if (point->train > 0)
                run->logp[run->n_logp++] = saturation_row(&result->link, point);
        }
        if (result->n_repetitions > 0)
            memcpy(run->repetitions + run->n_repetitions, result->repetitions,
                   result->n_repetitions * sizeof *run->repetitions);
        run->n_repetitions += result->n_repetitions;
    }
    return CT_OK;
}

static enum ct_status add_cut(struct ct_run_info *info, const struct ct_logp_link *links, size_t n)
{
    const struct ct_logp_cut cut = ct_logp_cut_of(links, n);
    if (cut.powers) {
        char sizes[CT_LOGP_CUT_MAX];
        ct_logp_cut_format(cut.powers, sizes);
        CT_TRY(ct_run_add_text(info, "cut_sizes", sizes));
        CT_TRY(ct_run_add_number(info, "cut_directions", (double)cut.n_links));
    }
    if (cut.n_hurried > 0)
        CT_TRY(ct_run_add_number(info, "hurried_sizes", (double)cut.n_hurried));
    return CT_OK;
}

enum ct_status ct_logp_add_facts(struct ct_run_info *info, const struct ct_logp_link *links,
                                 size_t n, double level)
{
    const struct ct_logp_link *link = links;
    const struct ct_loggp_threshold *threshold = &link->threshold;
    struct ct_logp_cost fast = ct_logp_cost_of(link, CT_LOGP_FAST);
    struct ct_logp_cost saturation = ct_logp_cost_of(link, CT_LOGP_SATURATION);
    const struct ct_loggp *loggp = &link->loggp;
    double none = NAN;
    double replicates = isnan(loggp->L_s.ci.lo) ? none : ct_loggp_constant(CT_LOGGP_REPLICATES);
    const struct {
        const char *key;
        double value;
    } facts[] = {{"L_s", loggp->L_s.value},
                 {"L_lo_s", loggp->L_s.ci.lo},
                 {"L_hi_s", loggp->L_s.ci.hi},
                 {"o_s", loggp->o_s.value},
                 {"g_s", loggp->g_s.value},
                 {"G_s_per_byte", loggp->G_s_per_byte.value},
                 {"G_lo_s_per_byte", loggp->G_s_per_byte.ci.lo},
                 {"G_hi_s_per_byte", loggp->G_s_per_byte.ci.hi},
                 {"bootstrap_replicates", replicates},
                 {"g0_s", link->g0_s.value},
                 {"S_bytes", threshold->found ? (double)threshold->eager_bytes : none},
                 {"S_below_bytes", threshold->found ? (double)threshold->rendezvous_bytes : none},
                 {"S_confidence", threshold->found ? threshold->confidence : none},
                 {"complete", link->is_complete},
                 {"bends_left", (double)link->n_bends},
                 {"interval_level", level},
                 {"fast_elapsed_s", fast.messages ? fast.elapsed_s : none},
                 {"fast_bytes", fast.messages ? (double)fast.bytes : none},
                 {"saturation_elapsed_s", saturation.messages ? saturation.elapsed_s : none},
                 {"saturation_bytes", saturation.messages ? (double)saturation.bytes : none}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == CT_OK; i++)
        if (!isnan(facts[i].value))
            status = ct_run_add_number(info, facts[i].key, facts[i].value);
    return status == CT_OK ? add_cut(info, links, n) : status;
}
