#include "bench/logp/logp_keep.h"

#include "bench/common/clock.h"
#include "bench/logp/logp_rows.h"
#include "results/checkpoint.h"

#include <math.h>
#include <stdio.h>

enum ct_status ct_logp_keep_begin(struct ct_logp_keeper *keeper, struct ct_error *err)
{
    const struct ct_bench *bench = keeper->bench;
    const char *output = bench->options->output;
    enum ct_status status = CT_OK;
    keeper->next_s = INFINITY;
    if (!*output || !(keeper->period_s > 0))
        return CT_OK;
    if (bench->rank == 0) {
        struct ct_run run = {.logp = NULL};
        status = ct_bench_describe(bench, CT_RUN_LOGP, &run.info, err);
        if (status == CT_OK)
            status = ct_checkpoint_begin(output, &run, err);
        ct_run_free(&run);
    }
    CT_TRY(ct_bench_agree(bench, status, err));
    keeper->next_s = ct_clock_now_s();
    return CT_OK;
}

static enum ct_status keep_results(const struct ct_logp_keeper *keeper, struct ct_error *err)
{
    const struct ct_bench *bench = keeper->bench;
    const struct ct_logp_results *results = keeper->results;
    struct ct_run run = {.logp = NULL};
    struct ct_logp_link so_far = results->results[0].link;
    if (results->n == 1) /* under way */
        so_far.is_complete = false;
    enum ct_status status = ct_bench_describe(bench, CT_RUN_LOGP, &run.info, err);
    if (status == CT_OK && ct_logp_add_facts(&run.info, &so_far, 1, keeper->level) != CT_OK)
        status = ct_no_memory(err, "description of the run");
    if (status == CT_OK)
        status = ct_logp_make_rows(results->results, results->n, &run, err);
    if (status == CT_OK)
        status = ct_checkpoint_replace(bench->options->output, bench->rank, &run, err);
    ct_run_free(&run);
    return status;
}

void ct_logp_keep_if_due(void *self)
{
    struct ct_logp_keeper *keeper = self;
    struct ct_error err;
    if (ct_clock_now_s() < keeper->next_s)
        return;
    enum ct_status status = keep_results(keeper, &err);
    keeper->next_s = status == CT_OK ? ct_clock_now_s() + keeper->period_s : INFINITY;
    if (status != CT_OK)
        fprintf(stderr, "%s: rank %d: no more checkpoints: %s\n", keeper->bench->command->name,
                keeper->bench->rank, err.text);
}
