#include "bench/scan/scan_canary.h"

#include "bench/common/clock.h"
#include "bench/scan/scan_schedule.h"
#include "bench/scan/scan_workload.h"

#include <math.h>
#include <stdlib.h>

/* Calls of a step, at most; and how long a turn should last, so that all agree often enough. */
enum { CALLS_MAX = 32, SMALL_BYTES = 8 };
static const double turn_s = 5e-3;

struct canary_run {
    const struct ct_scan_side *side;
    const struct ct_scan_canary_setup *setup;
    char *buffers; /* in, and out */
    struct ct_scan_times times;
    uint32_t *turn_of; /* of each row that is kept */
    size_t room;
    uint32_t turn, stride; /* turns whose number it divides are kept */
    bool keeps;
    double *call_s;                    /* where all ranks take part, [CALLS_MAX] */
    struct ct_scan_workload *workload; /* NULL: the canary is none */
    double begin_s;
};

static int count_steps(const struct canary_run *run)
{
    return ct_scan_has_pairs(run->setup->canary) ? ct_scan_steps(run->side->layout.n_nodes) : 1;
}

/* ---- what is kept ---- */

static void drop_turns(struct canary_run *run)
{
    size_t n = 0;
    run->stride *= 2;
    for (size_t i = 0; i < run->times.n; i++)
        if (run->turn_of[i] % run->stride == 0) {
            run->times.rows[n] = run->times.rows[i];
            run->turn_of[n++] = run->turn_of[i];
        }
    run->times.n = n;
}

static void keep_time(struct canary_run *run, double start_s, double value_s, int node_a,
                      int node_b)
{
    while (run->times.n == run->room && run->turn % run->stride == 0)
        drop_turns(run);
    if (!run->keeps || run->turn % run->stride != 0)
        return;
    run->turn_of[run->times.n] = run->turn;
    run->times.rows[run->times.n++] = (struct ct_scan_sample){.t_s = start_s - run->begin_s,
                                                              .value_s = value_s,
                                                              .node_a = (uint32_t)node_a,
                                                              .node_b = (uint32_t)node_b};
}

/* ---- calls ---- */

static void exchange_small(const struct canary_run *run, int partner, int bytes)
{
    char in[SMALL_BYTES], out[SMALL_BYTES] = {0};
    MPI_Sendrecv(out, bytes, MPI_BYTE, partner, 0, in, bytes, MPI_BYTE, partner, 0, run->side->comm,
                 MPI_STATUS_IGNORE);
}

/* The rank that begins earlier by s waits for L + s, the other one for L - s, and the next call is
 * the other way round: two calls take 2 L on both. Returns the time of one. */
static double exchange_twice(const struct canary_run *run, int partner, double start_s)
{
    exchange_small(run, partner, SMALL_BYTES);
    exchange_small(run, partner, SMALL_BYTES);
    return (ct_clock_now_s() - start_s) / 2;
}

static void exchange_window(const struct canary_run *run, int partner)
{
    MPI_Request requests[2 * CT_SCAN_WINDOW];
    MPI_Status statuses[2 * CT_SCAN_WINDOW];
    int bytes = (int)run->setup->message_bytes;
    char *in = run->buffers, *out = run->buffers + CT_SCAN_WINDOW * run->setup->message_bytes;
    for (int i = 0; i < CT_SCAN_WINDOW; i++)
        MPI_Irecv(in + (size_t)i * run->setup->message_bytes, bytes, MPI_BYTE, partner, 1,
                  run->side->comm, &requests[i]);
    for (int i = 0; i < CT_SCAN_WINDOW; i++)
        MPI_Isend(out, bytes, MPI_BYTE, partner, 1, run->side->comm, &requests[CT_SCAN_WINDOW + i]);
    MPI_Waitall(2 * CT_SCAN_WINDOW, requests, statuses);
    exchange_small(run, partner, 0);
}

static void make_step(struct canary_run *run, int step, int n_calls)
{
    const struct ct_scan_side *side = run->side;
    int other = ct_scan_partner(side->layout.n_nodes, step, side->node);
    if (other < 0)
        return;
    int partner = ct_layout_rank(&side->layout, other, side->slot);
    exchange_small(run, partner, 0); /* the partner's last step may have been longer */
    for (int i = 0; i < n_calls; i++) {
        double start_s = ct_clock_now_s(), value_s;
        if (run->setup->canary == CT_SCAN_LATENCY)
            value_s = exchange_twice(run, partner, start_s);
        else {
            exchange_window(run, partner);
            value_s = ct_clock_now_s() - start_s;
        }
        if (side->node < other)
            keep_time(run, start_s, value_s, side->node_of[side->node], side->node_of[other]);
    }
}

/* Allreduces, or iterations. */
static void make_together(struct canary_run *run, int n_calls)
{
    double slowest_s[CALLS_MAX], one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, run->side->comm); /* ranks begin together */
    double first_s = ct_clock_now_s();
    for (int i = 0; i < n_calls; i++) {
        double start_s = ct_clock_now_s();
        if (run->workload)
            ct_scan_workload_iterate(run->workload);
        else
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, run->side->comm);
        run->call_s[i] = ct_clock_now_s() - start_s;
    }
    MPI_Reduce(run->call_s, slowest_s, n_calls, MPI_DOUBLE, MPI_MAX, 0, run->side->comm);
    for (int i = 0; i < n_calls && run->side->rank == 0; i++) {
        keep_time(run, first_s, slowest_s[i], 0, 0);
        first_s += slowest_s[i];
    }
}

static void make_turn(struct canary_run *run, int n_calls)
{
    bool has_pairs = ct_scan_has_pairs(run->setup->canary);
    if (!has_pairs)
        make_together(run, n_calls);
    for (int step = 0; has_pairs && step < count_steps(run); step++)
        make_step(run, step, n_calls);
    run->turn++;
}

/* ---- turns ---- */

struct verdict {
    double turn_s, is_over, is_interrupted; /* largest over ranks */
};
enum { VERDICT_NUMBERS = sizeof(struct verdict) / sizeof(double) };

/* So many that a turn lasts about turn_s; at most four times as many as before, since one fast turn
 * may be an exception. */
static int next_calls(int before, double took_s, int most)
{
    double n = took_s > 0 ? floor(before * turn_s / took_s) : 4.0 * before;
    return (int)fmax(1, fmin(fmin(n, 4.0 * before), most));
}

static void repeat_turns(struct canary_run *run)
{
    struct verdict all;
    int most = CALLS_MAX;
    size_t n_steps = (size_t)count_steps(run);
    if (run->room / (2 * n_steps) < CALLS_MAX)
        most = (int)(run->room / (2 * n_steps));
    int n_calls = 1;
    bool keeps = run->keeps;
    run->keeps = false; /* the first turn: ranks begin it when the congestors let them */
    make_turn(run, n_calls);
    run->keeps = keeps;
    run->turn = 0;
    run->begin_s = ct_clock_now_s();
    do {
        double start_s = ct_clock_now_s();
        make_turn(run, n_calls);
        double now_s = ct_clock_now_s();
        const struct verdict here = {now_s - start_s, now_s - run->begin_s >= run->setup->time_s,
                                     ct_bench_signalled()};
        MPI_Allreduce(&here, &all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->side->comm);
        n_calls = next_calls(n_calls, all.turn_s, most < 1 ? 1 : most);
    } while (all.is_over == 0 && all.is_interrupted == 0);
    run->times.start_s = run->begin_s;
    run->times.duration_s = ct_clock_now_s() - run->begin_s;
    run->times.is_interrupted = all.is_interrupted != 0;
}

/* Every rank must get through the turns, so that those that lack memory agree on it first. */
static enum ct_status allocate_run(struct canary_run *run, struct ct_error *err)
{
    const struct ct_scan_side *side = run->side;
    size_t n_recorders = (size_t)(side->layout.n_ranks + 1) / 2, n_steps = (size_t)count_steps(run);
    if (!ct_scan_has_pairs(run->setup->canary))
        n_recorders = 1;
    run->room = run->setup->most_samples / n_recorders;
    if (run->room < 2 * n_steps)
        run->room = 2 * n_steps;
    run->stride = 1;
    run->buffers = calloc(CT_SCAN_WINDOW + 1, run->setup->message_bytes);
    run->times.rows = calloc(run->room, sizeof *run->times.rows);
    run->turn_of = calloc(run->room, sizeof *run->turn_of);
    run->call_s = calloc(CALLS_MAX, sizeof *run->call_s);
    int failed = !run->buffers || !run->times.rows || !run->turn_of || !run->call_s, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, side->comm);
    if (any_failed)
        return ct_no_memory(err, "%zu samples of a canary", run->room);
    return ct_scan_is_workload(run->setup->canary)
               ? ct_scan_workload_new(side, run->setup->canary, &run->workload, err)
               : CT_OK;
}

static void free_run(struct canary_run *run)
{
    free(run->buffers);
    free(run->turn_of);
    free(run->call_s);
    ct_scan_workload_free(run->workload);
}

size_t ct_scan_canary_bytes(const struct ct_scan_canary_setup *setup)
{
    if (ct_scan_is_workload(setup->canary))
        return 0; /* of several sizes */
    return setup->canary == CT_SCAN_BANDWIDTH ? CT_SCAN_WINDOW * setup->message_bytes : SMALL_BYTES;
}

enum ct_status ct_scan_canary_connect(const struct ct_scan_side *side,
                                      const struct ct_scan_canary_setup *setup,
                                      struct ct_error *err)
{
    struct canary_run run = {.side = side, .setup = setup};
    enum ct_status status = allocate_run(&run, err);
    if (status == CT_OK) {
        make_turn(&run, 1);
        status = ct_scan_workload_status(run.workload, err);
    }
    free_run(&run);
    ct_scan_times_free(&run.times);
    return status;
}

enum ct_status ct_scan_canary_measure(const struct ct_scan_side *side,
                                      const struct ct_scan_canary_setup *setup,
                                      struct ct_scan_times *times_p, struct ct_error *err)
{
    struct canary_run run = {.side = side, .setup = setup, .keeps = true};
    enum ct_status status = allocate_run(&run, err);
    if (status == CT_OK) {
        repeat_turns(&run);
        status = ct_scan_workload_status(run.workload, err);
    }
    free_run(&run);
    if (status == CT_OK)
        *times_p = run.times;
    else
        ct_scan_times_free(&run.times);
    return status;
}

void ct_scan_times_free(struct ct_scan_times *times)
{
    free(times->rows);
    *times = (struct ct_scan_times){0};
}
