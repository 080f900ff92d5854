#include "bench/compression/compression_run.h"

#include "bench/common/clock.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct load_run {
    struct ct_bench *bench;
    const struct ct_compression_setup *setup;
    struct ct_compression_plan plan;
    struct ct_phases phases;
    MPI_Comm comm;
    unsigned char *out; /* one message, sent to all partners */
    unsigned char *in;  /* messages x all that this rank receives from */
    MPI_Request *requests;
    MPI_Status *statuses;      /* gcc warns of MPICH's MPI_STATUSES_IGNORE */
    int n_started;             /* requests of this round */
    double begin_s;            /* start of the first round of all that count */
    uint64_t round;            /* since the very first one, which is not counted */
    double paused_s, n_pauses; /* whole ones */
    double waiting_s, longest_s;
    struct ct_compression_windows windows;
    enum ct_status status;
    struct ct_error error;
};

/* ---- messages ---- */

/* Tells rounds and senders apart; both ends of a message carry it. */
static uint64_t stamp_of(uint64_t round, int sender)
{
    return round << 32 | (uint32_t)sender;
}

static void stamp_message(struct load_run *run)
{
    uint64_t stamp = stamp_of(run->round, run->bench->rank);
    memcpy(run->out, &stamp, sizeof stamp);
    memcpy(run->out + run->setup->message_bytes - sizeof stamp, &stamp, sizeof stamp);
}

static void check_message(struct load_run *run, const unsigned char *message, int sender)
{
    uint64_t expected = stamp_of(run->round, sender), first, last;
    memcpy(&first, message, sizeof first);
    memcpy(&last, message + run->setup->message_bytes - sizeof last, sizeof last);
    if ((first == expected && last == expected) || run->status != CT_OK)
        return;
    run->status =
        ct_fail(&run->error, CT_EIO,
                "round %llu: message from rank %d to rank %d begins with %016llx and ends "
                "with %016llx, both should be %016llx: the network or the MPI library "
                "changed or lost data",
                (unsigned long long)run->round, sender, run->bench->rank, (unsigned long long)first,
                (unsigned long long)last, (unsigned long long)expected);
}

static void check_messages(struct load_run *run)
{
    const unsigned char *message = run->in;
    for (int k = 0; k < run->plan.n_receives; k++)
        for (int m = 0; m < run->setup->messages; m++) {
            check_message(run, message, run->plan.receives_from[k]);
            message += run->setup->message_bytes;
        }
}

/* ---- rounds ---- */

static double elapsed_s(double since_s)
{
    return ct_clock_now_s() - since_s;
}

/* A rank that is asked to end does not idle any more, so that a round with long pauses ends soon.
 */
static void idle_until(double until_s, bool sleeps)
{
    while (ct_clock_now_s() < until_s && !ct_bench_signalled())
        if (sleeps)
            ct_clock_sleep_until(until_s);
        else
            ct_clock_spin(until_s);
}

static void make_pause(struct load_run *run)
{
    double start_s = ct_clock_now_s(), bubble_s = run->setup->bubble_s;
    if (bubble_s <= 0)
        return;
    idle_until(start_s + bubble_s, bubble_s >= ct_compression_sleep_from_s);
    if (!ct_bench_signalled()) {
        run->paused_s += elapsed_s(start_s);
        run->n_pauses++;
    }
}

/* Between bursts nothing is started. When the time is over nobody waits for the next burst. */
static void rest_between(struct load_run *run)
{
    double now_s = elapsed_s(run->begin_s);
    double until_s = fmin(ct_phases_next_on(&run->phases, now_s), run->setup->time_s);
    if (until_s > now_s)
        idle_until(run->begin_s + until_s, true);
}

static void start_receives(struct load_run *run, int k)
{
    size_t size = run->setup->message_bytes, n = (size_t)run->setup->messages;
    unsigned char *in = run->in + (size_t)k * n * size;
    for (size_t m = 0; m < n; m++)
        MPI_Irecv(in + m * size, (int)size, MPI_BYTE, run->plan.receives_from[k], 0, run->comm,
                  &run->requests[run->n_started++]);
}

static void start_sends(struct load_run *run, int k)
{
    int size = (int)run->setup->message_bytes, to = run->plan.sends_to[k];
    for (int m = 0; m < run->setup->messages; m++) {
        MPI_Request *request = &run->requests[run->n_started++];
        if (run->plan.synchronous)
            MPI_Issend(run->out, size, MPI_BYTE, to, 0, run->comm, request);
        else
            MPI_Isend(run->out, size, MPI_BYTE, to, 0, run->comm, request);
    }
}

static void start_step(struct load_run *run, int step)
{
    const struct ct_compression_plan *plan = &run->plan;
    int n_receives = plan->n_receives / plan->n_steps, n_sends = plan->n_sends / plan->n_steps;
    for (int k = 0; k < n_receives; k++)
        start_receives(run, step * n_receives + k);
    for (int k = 0; k < n_sends; k++)
        start_sends(run, step * n_sends + k);
}

/* Time with load since the first round that counts. */
static double loaded_s(struct load_run *run)
{
    return ct_phases_on_time(&run->phases, elapsed_s(run->begin_s));
}

static void wait_for_messages(struct load_run *run)
{
    MPI_Waitall(run->n_started, run->requests, run->statuses);
    run->n_started = 0;
}

/* Connects the ranks: does not count, and needs no pauses. Returns its duration. */
static double make_first_round(struct load_run *run)
{
    double start_s = ct_clock_now_s();
    stamp_message(run);
    for (int step = 0; step < run->plan.n_steps; step++)
        start_step(run, step);
    wait_for_messages(run);
    check_messages(run);
    run->round++;
    return elapsed_s(start_s);
}

static void make_round(struct load_run *run)
{
    stamp_message(run);
    for (int step = 0; step < run->plan.n_steps; step++) {
        if (step > 0)
            rest_between(run);
        start_step(run, step);
        make_pause(run);
    }
    double wait_start_s = loaded_s(run);
    wait_for_messages(run);
    run->waiting_s += loaded_s(run) - wait_start_s;
    check_messages(run);
    run->round++;
}

static uint64_t round_bytes(const struct load_run *run)
{
    return (uint64_t)run->plan.n_sends * (uint64_t)run->setup->messages * run->setup->message_bytes;
}

/* n rounds and their rows; a rest before a round is no part of it. */
static void make_rounds(struct load_run *run, int n)
{
    for (int i = 0; i < n; i++) {
        rest_between(run);
        double from_s = elapsed_s(run->begin_s);
        make_round(run);
        double to_s = elapsed_s(run->begin_s);
        run->longest_s = fmax(run->longest_s, to_s - from_s);
        if (run->status == CT_OK)
            run->status = ct_compression_windows_add(&run->windows, from_s, to_s, round_bytes(run),
                                                     &run->error);
    }
}

/* ---- the common end ---- */

enum { GO_ON, TIME_IS_OVER, MUST_END };

/* Largest over ranks. */
struct verdict {
    double stop;
    double round_s;  /* mean duration of a round, with the rests between bursts */
    double loaded_s; /* its part in phases with load */
};
enum { VERDICT_NUMBERS = sizeof(struct verdict) / sizeof(double) };

static double vote_for_stop(const struct load_run *run, double now_s, double work_s)
{
    if (ct_bench_signalled() || run->status != CT_OK)
        return MUST_END;
    double end_s = ct_phases_end_of_work(&run->phases, now_s, work_s);
    return end_s >= run->setup->time_s ? TIME_IS_OVER : GO_ON;
}

static void show_progress(struct load_run *run, double now_s)
{
    char what[64];
    snprintf(what, sizeof what, "%llu rounds", (unsigned long long)run->round);
    ct_log_progress(&run->bench->log, now_s, run->setup->time_s, run->setup->time_s - now_s, what);
}

/* SMPI's MPI_Iallreduce() sends a message from each rank to each other one: in a simulation the
 * ranks vote before the rounds, by a collective whose messages grow with n log n. */
static void begin_vote(const struct load_run *run, const struct verdict *here, struct verdict *all,
                       MPI_Request *vote_p)
{
    *vote_p = MPI_REQUEST_NULL;
    if (CT_SIMULATED)
        MPI_Allreduce(here, all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->comm);
    else
        MPI_Iallreduce(here, all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->comm, vote_p);
}

/*
 * The ranks vote while n rounds go on, and all learn the outcome after them, so that nobody waits
 * for the vote and all end after the same round. The number of rounds until the next vote follows
 * from the outcome, too, so it is the same everywhere. Returns the time of all rounds on this rank.
 */
static double repeat_rounds(struct load_run *run, double first_round_s)
{
    double now_s = 0, now_loaded_s = 0;
    int n = 1;
    struct ct_phases ahead = run->phases;
    struct verdict here = {.round_s = first_round_s,
                           .loaded_s = ct_phases_on_time(&ahead, first_round_s)};
    struct verdict all = here;
    run->begin_s = ct_clock_now_s();
    do {
        MPI_Request vote;
        here.stop = vote_for_stop(run, now_s, n * all.loaded_s);
        begin_vote(run, &here, &all, &vote);
        make_rounds(run, n);
        MPI_Wait(&vote, MPI_STATUS_IGNORE);
        double before_s = now_s, before_loaded_s = now_loaded_s;
        now_s = elapsed_s(run->begin_s);
        now_loaded_s = ct_phases_on_time(&run->phases, now_s);
        here.round_s = (now_s - before_s) / n;
        here.loaded_s = (now_loaded_s - before_loaded_s) / n;
        n = ct_compression_cadence(n, all.round_s);
        if (run->bench->rank == 0)
            show_progress(run, now_s);
    } while (all.stop < TIME_IS_OVER);
    /* The next burst may be long after the time: what is left is a rest. */
    if (run->phases.burst.given && all.stop < MUST_END)
        idle_until(run->begin_s + run->setup->time_s, true);
    return elapsed_s(run->begin_s);
}

/* ---- start and end ---- */

static enum ct_status allocate_buffers(struct load_run *run, struct ct_error *err)
{
    const struct ct_compression_setup *setup = run->setup;
    int n_peers = run->plan.n_sends + run->plan.n_receives;
    if (setup->messages > INT_MAX / n_peers)
        return ct_fail(err, CT_EINVAL,
                       "%d messages in a row, %d times in a round: too many at once",
                       setup->messages, n_peers);
    size_t n_requests = (size_t)n_peers * (size_t)setup->messages;
    size_t n_in = (size_t)run->plan.n_receives * (size_t)setup->messages;
    run->requests = calloc(n_requests, sizeof *run->requests);
    run->statuses = calloc(n_requests, sizeof *run->statuses);
    run->in = calloc(n_in > 0 ? n_in : 1, setup->message_bytes); /* checks the product */
    run->out = malloc(setup->message_bytes);
    if (!run->requests || !run->statuses || !run->in || !run->out)
        return ct_no_memory(err, "%zu messages of %zu bytes", n_in, setup->message_bytes);
    for (size_t i = 0; i < setup->message_bytes; i++)
        run->out[i] = (unsigned char)(i * 131 + 7);
    return CT_OK;
}

static enum ct_status prepare_load(struct load_run *run, struct ct_error *err)
{
    const struct ct_compression_setup *setup = run->setup;
    const struct ct_bench *bench = run->bench;
    enum ct_status status = ct_compression_plan_new(&bench->layout, setup->pattern, setup->partners,
                                                    bench->rank, &run->plan, err);
    if (status == CT_OK)
        status = allocate_buffers(run, err);
    if (status == CT_OK)
        status = ct_compression_windows_new(setup->time_s, &run->windows, err);
    return ct_bench_agree(bench, status, err);
}

/* Windows of all ranks, added up on rank 0. */
static enum ct_status sum_windows(struct load_run *run, double rounds_s, struct ct_error *err)
{
    const struct ct_bench *bench = run->bench;
    size_t until = ct_compression_windows_until(&run->windows, rounds_s);
    uint64_t here = until > run->windows.n ? until : run->windows.n, most;
    MPI_Allreduce(&here, &most, 1, MPI_UINT64_T, MPI_MAX, bench->comm);
    enum ct_status status = ct_compression_windows_reserve(&run->windows, (size_t)most, err);
    CT_TRY(ct_bench_agree(bench, status, err));
    uint64_t *bytes = run->windows.bytes;
    MPI_Reduce(bench->rank == 0 ? MPI_IN_PLACE : bytes, bytes, (int)most, MPI_UINT64_T, MPI_SUM, 0,
               bench->comm);
    return CT_OK;
}

static void summarize_rounds(struct load_run *run, double rounds_s,
                             struct ct_compression_result *result)
{
    const double longest[] = {rounds_s, ct_phases_on_time(&run->phases, rounds_s), run->longest_s,
                              run->plan.n_sends};
    const double paused[] = {run->paused_s, run->n_pauses};
    double all_longest[4], all_paused[2];
    MPI_Allreduce(longest, all_longest, 4, MPI_DOUBLE, MPI_MAX, run->bench->comm);
    MPI_Allreduce(paused, all_paused, 2, MPI_DOUBLE, MPI_SUM, run->bench->comm);
    *result = (struct ct_compression_result){
        .n_rounds = run->round - 1,
        .round_bytes = round_bytes(run),
        .partners = (int)all_longest[3],
        .elapsed_s = all_longest[0],
        .loaded_s = all_longest[1],
        .longest_s = all_longest[2],
        .pause_s = all_paused[1] > 0 ? all_paused[0] / all_paused[1] : NAN,
        .waiting_s = run->waiting_s,
        .windows = run->windows,
    };
}

static enum ct_status run_rounds(struct load_run *run, struct ct_compression_result *result_p,
                                 struct ct_error *err)
{
    double first_round_s = make_first_round(run) + run->plan.n_steps * run->setup->bubble_s;
    MPI_Barrier(run->comm);
    double rounds_s = repeat_rounds(run, first_round_s);
    if (run->status != CT_OK)
        *err = run->error;
    enum ct_status status = ct_bench_agree(run->bench, run->status, err);
    if (status == CT_OK)
        status = sum_windows(run, rounds_s, err);
    if (status == CT_OK) {
        summarize_rounds(run, rounds_s, result_p);
        run->windows = (struct ct_compression_windows){0}; /* the result's now */
    }
    return status;
}

enum ct_status ct_compression_run(struct ct_bench *bench, const struct ct_compression_setup *setup,
                                  struct ct_compression_result *result_p, struct ct_error *err)
{
    CT_TRY(ct_compression_check(&bench->layout, setup->pattern, setup->partners, err));
    struct load_run run = {.bench = bench,
                           .setup = setup,
                           .phases = ct_phases_start(setup->burst, bench->options->seed)};
    MPI_Comm_dup(bench->comm, &run.comm);
    enum ct_status status = prepare_load(&run, err);
    if (status == CT_OK)
        status = run_rounds(&run, result_p, err);
    ct_compression_windows_free(&run.windows);
    ct_compression_plan_free(&run.plan);
    free(run.requests);
    free(run.statuses);
    free(run.in);
    free(run.out);
    MPI_Comm_free(&run.comm);
    return status;
}

void ct_compression_result_free(struct ct_compression_result *result)
{
    ct_compression_windows_free(&result->windows);
}
