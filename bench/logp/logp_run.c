#include "bench/logp/logp_run.h"

#include "bench/common/clock.h"
#include "bench/logp/logp_keep.h"
#include "bench/logp/logp_wire.h"
#include "bench/logp/watchdog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double idle_sleep_s = 1e-3;

struct runner {
    struct ct_bench *bench;
    const struct ct_logp_setup *setup;
    const struct ct_logp_plan *plan;
    struct ct_logp_results *results;
    struct ct_logp_wire wire;
    struct ct_logp_keeper keeper;
    double deadline_s;
    enum ct_status status; /* of this rank */
    struct ct_error *err;
};

/* ---- rounds ---- */

/* A rank that has nothing to do must not take a core from those that measure. */
static void wait_for_all(const struct ct_bench *bench)
{
    MPI_Request request;
    MPI_Ibarrier(bench->comm, &request);
    for (int done = 0; !done;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            ct_clock_sleep_until(ct_clock_now_s() + idle_sleep_s);
    }
}

static void measure_meeting(struct runner *runner, const struct ct_logp_meeting *meeting)
{
    struct ct_logp_setup setup = *runner->setup;
    struct ct_logp_transport transport = ct_logp_wire_transport(&runner->wire);
    /* Of what is left, a part for each further round: else slow ones leave nothing to the last. */
    setup.time_s = (setup.time_s - (ct_clock_now_s() - runner->bench->start_s)) /
                   (double)(runner->plan->n_rounds - meeting->round);
    setup.rank_from = (uint32_t)meeting->rank_from;
    setup.rank_to = (uint32_t)meeting->rank_to;
    setup.on_size = ct_logp_keep_if_due;
    setup.observer = &runner->keeper;
    struct ct_logp_result *result = &runner->results->results[runner->results->n++];
    enum ct_status status = ct_logp_measure(&transport, &setup, result, runner->err);
    if (runner->status == CT_OK)
        runner->status = status;
    ct_logp_wire_dismiss(&runner->wire);
}

static void take_part(struct runner *runner, const struct ct_logp_meeting *meeting)
{
    int rank = runner->bench->rank;
    if (rank != meeting->rank_from && rank != meeting->rank_to)
        return;
    bool measures = rank == meeting->rank_from;
    runner->wire.partner = measures ? meeting->rank_to : meeting->rank_from;
    ct_watchdog_start(runner->deadline_s);
    if (measures)
        measure_meeting(runner, meeting);
    else
        ct_logp_wire_answer(&runner->wire);
    ct_watchdog_stop();
}

static bool is_over(const struct runner *runner)
{
    double left_s = runner->setup->time_s - (ct_clock_now_s() - runner->bench->start_s);
    return ct_bench_any(runner->bench,
                        ct_bench_signalled() || left_s <= 0 || runner->status != CT_OK);
}

static void run_rounds(struct runner *runner)
{
    const struct ct_logp_plan *plan = runner->plan;
    size_t next = 0;
    for (int round = 0; round < plan->n_rounds; round++) {
        ct_log_progress(&runner->bench->log, round, plan->n_rounds, NAN, "measuring");
        for (; next < plan->n && plan->meetings[next].round == round; next++)
            take_part(runner, &plan->meetings[next]);
        wait_for_all(runner->bench);
        if (round + 1 < plan->n_rounds && is_over(runner))
            break;
    }
    ct_log_progress_end(&runner->bench->log);
}

enum ct_status ct_logp_run(struct ct_bench *bench, const struct ct_logp_setup *setup,
                           const struct ct_logp_plan *plan, const struct ct_logp_limits *limits,
                           struct ct_logp_results *results_p, struct ct_error *err)
{
    *results_p = (struct ct_logp_results){.results = calloc(plan->n, sizeof *results_p->results)};
    struct runner runner = {.bench = bench,
                            .setup = setup,
                            .plan = plan,
                            .results = results_p,
                            .wire = {.buffer = malloc(setup->max_bytes)},
                            .keeper = {.bench = bench,
                                       .results = results_p,
                                       .level = setup->level,
                                       .period_s = limits->checkpoint_s},
                            .deadline_s = limits->deadline_s,
                            .err = err};
    if (!results_p->results || !runner.wire.buffer)
        runner.status = ct_fail(err, CT_ENOMEM, "rank %d: no memory for messages of %zu bytes",
                                bench->rank, setup->max_bytes);
    else
        memset(runner.wire.buffer, 1, setup->max_bytes); /* pages are there before they are timed */
    runner.status = ct_bench_agree(bench, runner.status, err);
    if (runner.status == CT_OK)
        runner.status = ct_logp_keep_begin(&runner.keeper, err);
    if (runner.status == CT_OK) {
        MPI_Comm_dup(bench->comm, &runner.wire.comm);
        wait_for_all(bench);
        bench->start_s = ct_clock_now_s();
        run_rounds(&runner);
        MPI_Comm_free(&runner.wire.comm);
        runner.status = ct_bench_agree(bench, runner.status, err);
    }
    free(runner.wire.buffer);
    return runner.status;
}

void ct_logp_results_free(struct ct_logp_results *results)
{
    for (size_t i = 0; i < results->n; i++)
        ct_logp_result_free(&results->results[i]);
    free(results->results);
    *results = (struct ct_logp_results){.results = NULL};
}

/* ---- gathering ---- */

/* Rows of equal size from all ranks, on rank 0. */
static enum ct_status gather_rows(const struct ct_bench *bench, const void *rows, size_t n,
                                  size_t row_bytes, void **all_p, size_t *n_all_p,
                                  struct ct_error *err)
{
    size_t size = (size_t)bench->size;
    int count = (int)n, *counts = calloc(size, sizeof *counts);
    int *displacements = calloc(size, sizeof *displacements);
    bool room = counts && displacements;
    enum ct_status status = room ? CT_OK : ct_no_memory(err, "summary");
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK && room) {
        MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, bench->comm);
        size_t n_all = 0;
        for (size_t rank = 0; rank < size; rank++) {
            displacements[rank] = (int)n_all;
            n_all += (size_t)counts[rank];
        }
        *n_all_p = n_all;
        *all_p = malloc((n_all + 1) * row_bytes);
        status = *all_p ? CT_OK : ct_no_memory(err, "summary");
        status = ct_bench_agree(bench, status, err);
    }
    if (status == CT_OK) {
        MPI_Datatype row;
        MPI_Type_contiguous((int)row_bytes, MPI_BYTE, &row);
        MPI_Type_commit(&row);
        MPI_Gatherv(rows, count, row, *all_p, counts, displacements, row, 0, bench->comm);
        MPI_Type_free(&row);
    }
    free(counts);
    free(displacements);
    return status;
}

/* The links and points of this rank's results, each in one piece. */
static bool concatenate_results(const struct ct_logp_results *results, struct ct_logp_gathered *own)
{
    for (size_t i = 0; i < results->n; i++)
        own->n_points += (size_t)results->results[i].link.n_points;
    own->links = malloc((results->n + 1) * sizeof *own->links);
    own->points = malloc((own->n_points + 1) * sizeof *own->points);
    if (!own->links || !own->points)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < results->n; i++) {
        const struct ct_logp_result *result = &results->results[i];
        size_t n = (size_t)result->link.n_points;
        own->links[own->n_links++] = result->link;
        if (n > 0)
            memcpy(own->points + at, result->points, n * sizeof *own->points);
        at += n;
    }
    return true;
}

enum ct_status ct_logp_gather(const struct ct_bench *bench, const struct ct_logp_results *results,
                              struct ct_logp_gathered *all_p, struct ct_error *err)
{
    struct ct_logp_gathered own = {.links = NULL}, all = {.links = NULL};
    enum ct_status status =
        concatenate_results(results, &own) ? CT_OK : ct_no_memory(err, "summary");
    void *links = NULL, *points = NULL;
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK)
        status = gather_rows(bench, own.links, own.n_links, sizeof *own.links, &links, &all.n_links,
                             err);
    if (status == CT_OK)
        status = gather_rows(bench, own.points, own.n_points, sizeof *own.points, &points,
                             &all.n_points, err);
    all.links = links;
    all.points = points;
    ct_logp_gathered_free(&own);
    if (status != CT_OK)
        ct_logp_gathered_free(&all);
    *all_p = all;
    return status;
}

void ct_logp_gathered_free(struct ct_logp_gathered *all)
{
    free(all->links);
    free(all->points);
    *all = (struct ct_logp_gathered){.links = NULL};
}

const struct ct_loggp_point *ct_logp_points_of(const struct ct_logp_gathered *all, size_t link)
{
    size_t at = 0;
    for (size_t i = 0; i < link; i++)
        at += (size_t)all->links[i].n_points;
    return all->points + at;
}
