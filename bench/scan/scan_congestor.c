#include "bench/scan/scan_congestor.h"

#include "bench/common/clock.h"
#include "bench/compression/compression_burst.h"
#include "bench/compression/compression_plan.h"
#include "bench/scan/scan_part.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { TAG_STARTED = 11, TAG_DONE };

/* What a rank receives, or sends, in a round at most: so many messages are under way that the
 * network is never idle between two of them, but buffers stay small with thousands of nodes. */
static const size_t round_bytes_max = 32 << 20;

/* Of an alltoall, whose messages are smaller the more nodes there are, but not smaller than
 * GPCNeT's.
 */
enum { ALLTOALL_BYTES_LEAST = 4096, ALLTOALL_MESSAGES = 8 };

/* With so many nodes it has messages under way at most (MPICH's own alltoall: 32,
 * MPIR_CVAR_ALLTOALL_THROTTLE): of 128 nodes 160 KiB, which keep a link of 100 Gbit/s busy for
 * longer than a message is on its way.
 */
enum { ALLTOALL_UNDER_WAY = 16 };

/* How many messages of that size an allreduce's array has. */
enum { REDUCTION_MESSAGES = 8 };

/* Of each of GPCNeT's congestors; one to each partner in a round. */
enum { GPCNET_BYTES = 4096 };

/* From which the time of a round is taken; and how long a rank that is to end may rest. */
enum { TIMED_ROUNDS = 4 };
static const double rest_max_s = 0.5;

/* What a round is. */
enum work { MESSAGES, REDUCTION, PUTS, GETS };

struct congestor_run {
    const struct ct_scan_side *side;
    const struct ct_scan_setting *setting;
    struct ct_scan_part part;
    enum work work;
    enum ct_pattern pattern;         /* of MESSAGES */
    struct ct_compression_plan plan; /* of MESSAGES, else {0} */
    int steps_under_way;             /* at most, of the plan's */
    MPI_Win window;                  /* of PUTS and GETS, else MPI_WIN_NULL */
    int owner;                       /* whose window that is; this rank: it waits only */
    struct ct_phases phases;
    size_t message_bytes;
    int n_messages;
    char *in, *out;
    size_t n_words; /* of an allreduce, floats */
    MPI_Request *requests;
    MPI_Status *statuses;
    double rest_s; /* after each round; the same on all ranks */
    double begin_s;
};

/* ---- rounds ---- */

/* @param n  [in] requests of the round so far. @return with those of this step */
static int start_step(const struct congestor_run *run, int step, int n)
{
    const struct ct_compression_plan *plan = &run->plan;
    int n_receives = plan->n_receives / plan->n_steps, n_sends = plan->n_sends / plan->n_steps;
    int bytes = (int)run->message_bytes;
    char *in =
        run->in + (size_t)step * (size_t)n_receives * (size_t)run->n_messages * run->message_bytes;
    for (int k = step * n_receives; k < (step + 1) * n_receives; k++)
        for (int m = 0; m < run->n_messages; m++, n++, in += run->message_bytes)
            MPI_Irecv(in, bytes, MPI_BYTE, plan->receives_from[k], 0, run->part.comm,
                      &run->requests[n]);
    for (int k = step * n_sends; k < (step + 1) * n_sends; k++)
        for (int m = 0; m < run->n_messages; m++, n++)
            if (plan->synchronous)
                MPI_Issend(run->out, bytes, MPI_BYTE, plan->sends_to[k], 0, run->part.comm,
                           &run->requests[n]);
            else
                MPI_Isend(run->out, bytes, MPI_BYTE, plan->sends_to[k], 0, run->part.comm,
                          &run->requests[n]);
    return n;
}

static void sleep_until(double until_s)
{
    while (ct_clock_now_s() < until_s && !ct_bench_signalled())
        ct_clock_sleep_until(until_s);
}

/* B of compression, as compressionb pauses. */
static void make_pause(const struct congestor_run *run)
{
    double until_s = ct_clock_now_s() + run->setting->pause_s;
    if (run->setting->pause_s >= ct_compression_sleep_from_s)
        sleep_until(until_s);
    else
        ct_clock_spin(until_s);
}

static void exchange_messages(const struct congestor_run *run)
{
    int n = 0, n_of_step = 0;
    for (int step = 0; step < run->plan.n_steps; step++) {
        if (step >= run->steps_under_way)
            MPI_Waitall(n_of_step, &run->requests[(step - run->steps_under_way) * n_of_step],
                        run->statuses);
        n = start_step(run, step, n);
        n_of_step = n / (step + 1);
        if (run->setting->congestor == CT_SCAN_WITH_COMPRESSION && run->setting->pause_s > 0)
            make_pause(run);
    }
    MPI_Waitall(n, run->requests, run->statuses);
}

/* Into the owner's window, each node at its place; or out of it. */
static void access_window(const struct congestor_run *run)
{
    int bytes = (int)run->message_bytes, node = run->part.layout.node_of_rank[run->part.rank];
    if (run->owner == run->part.rank)
        return;
    if (run->work == PUTS)
        MPI_Put(run->out, bytes, MPI_BYTE, run->owner, (MPI_Aint)node * bytes, bytes, MPI_BYTE,
                run->window);
    else
        MPI_Get(run->out, bytes, MPI_BYTE, run->owner, 0, bytes, MPI_BYTE, run->window);
    MPI_Win_flush(run->owner, run->window);
}

static void make_round(const struct congestor_run *run)
{
    switch (run->work) {
    case MESSAGES:
        exchange_messages(run);
        break;
    case REDUCTION:
        MPI_Allreduce(run->out, run->in, (int)run->n_words, MPI_FLOAT, MPI_MAX, run->part.comm);
        break;
    case PUTS:
    case GETS:
        access_window(run);
        break;
    }
}

static double elapsed_s(const struct congestor_run *run)
{
    return ct_clock_now_s() - run->begin_s;
}

/* Rounds begin in bursts only. */
static void make_rounds(struct congestor_run *run, int n)
{
    for (int i = 0; i < n; i++) {
        double now_s = elapsed_s(run), next_s = ct_phases_next_on(&run->phases, now_s);
        if (next_s > now_s)
            sleep_until(run->begin_s + next_s);
        make_round(run);
        if (run->rest_s > 0)
            sleep_until(ct_clock_now_s() + run->rest_s);
    }
}

/* Of their time rounds use a share, the intensity. A rank's round lasts longer where others rest
 * longer: all rest for the same time, which follows from rounds without rests. */
static void choose_rest(struct congestor_run *run)
{
    double start_s = ct_clock_now_s();
    for (int i = 0; i < TIMED_ROUNDS; i++)
        make_round(run);
    double round_s = (ct_clock_now_s() - start_s) / TIMED_ROUNDS, longest_s;
    MPI_Allreduce(&round_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, run->part.comm);
    run->rest_s = fmin(longest_s * (1 / run->setting->intensity - 1), rest_max_s);
}

/* ---- the common end ---- */

struct verdict {
    double is_over, round_s; /* largest over ranks */
};
enum { VERDICT_NUMBERS = sizeof(struct verdict) / sizeof(double) };

/* In a simulation before the rounds: SMPI's MPI_Iallreduce() sends from each to each. */
static MPI_Request begin_vote(const struct congestor_run *run, const struct verdict *here,
                              struct verdict *all)
{
    MPI_Request vote = MPI_REQUEST_NULL;
    if (CT_SIMULATED)
        MPI_Allreduce(here, all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->part.comm);
    else
        MPI_Iallreduce(here, all, VERDICT_NUMBERS, MPI_DOUBLE, MPI_MAX, run->part.comm, &vote);
    return vote;
}

/* How the end comes to all parts: the canaries send it to rank 0, which sends it to the others by a
 * broadcast that these have been waiting for since the begin. */
struct ending {
    MPI_Request done;      /* on rank 0 */
    MPI_Request passed_on; /* to the others, and by them */
    bool is_passed_on;     /* by rank 0 */
    int nothing;
};

static void begin_ending(const struct ct_scan_side *side, struct ending *ending)
{
    *ending = (struct ending){.done = MPI_REQUEST_NULL, .passed_on = MPI_REQUEST_NULL};
    if (side->rank == 0)
        MPI_Irecv(NULL, 0, MPI_BYTE, side->canary_root, TAG_DONE, side->bench->comm, &ending->done);
    else
        MPI_Ibcast(&ending->nothing, 1, MPI_INT, 0, side->comm, &ending->passed_on);
}

static void tell_others(const struct ct_scan_side *side, struct ending *ending)
{
    if (side->rank == 0 && !ending->is_passed_on)
        MPI_Ibcast(&ending->nothing, 1, MPI_INT, 0, side->comm, &ending->passed_on);
    ending->is_passed_on = true;
}

static bool is_over(const struct ct_scan_side *side, struct ending *ending)
{
    int has_come = 0;
    MPI_Test(side->rank == 0 ? &ending->done : &ending->passed_on, &has_come, MPI_STATUS_IGNORE);
    if (has_come || ct_bench_signalled())
        tell_others(side, ending);
    return has_come || ct_bench_signalled();
}

static void await_ending(const struct ct_scan_side *side, struct ending *ending)
{
    MPI_Wait(&ending->done, MPI_STATUS_IGNORE);
    tell_others(side, ending);
    MPI_Wait(&ending->passed_on, MPI_STATUS_IGNORE);
}

/* The number of rounds until the next vote follows from the outcome of the last, so that it is the
 * same everywhere in a part. Returns how many were made. */
static uint64_t repeat_rounds(struct congestor_run *run, struct ending *ending)
{
    struct verdict all, here = {0};
    uint64_t n_rounds = 0;
    int n = 1;
    do {
        here.is_over = is_over(run->side, ending);
        MPI_Request vote = begin_vote(run, &here, &all);
        double start_s = ct_clock_now_s();
        make_rounds(run, n);
        MPI_Wait(&vote, MPI_STATUS_IGNORE);
        here.round_s = (ct_clock_now_s() - start_s) / n;
        n_rounds += (uint64_t)n;
        n = ct_compression_cadence(n, all.round_s);
    } while (all.is_over == 0);
    return n_rounds;
}

/* ---- start and end ---- */

/* What this rank's part does. */
static void choose_work(struct congestor_run *run)
{
    static const struct {
        enum work work;
        enum ct_pattern pattern;
    } of_congestor[] = {[CT_SCAN_WITH_INCAST] = {MESSAGES, CT_PATTERN_INCAST},
                        [CT_SCAN_WITH_ALLTOALL] = {MESSAGES, CT_PATTERN_ALLTOALL},
                        [CT_SCAN_WITH_BROADCAST] = {MESSAGES, CT_PATTERN_BCAST},
                        [CT_SCAN_WITH_BISECTION] = {MESSAGES, CT_PATTERN_BISECTION},
                        [CT_SCAN_WITH_COMPRESSION] = {MESSAGES, CT_PATTERN_RING},
                        [CT_SCAN_WITH_REDUCTION] = {.work = REDUCTION}},
      of_gpcnet[] = {{MESSAGES, CT_PATTERN_ALLTOALL},
                     {MESSAGES, CT_PATTERN_INCAST},
                     {.work = PUTS},
                     {.work = GETS}};
    bool is_gpcnet = run->setting->congestor == CT_SCAN_WITH_GPCNET;
    run->work =
        is_gpcnet ? of_gpcnet[run->part.number].work : of_congestor[run->setting->congestor].work;
    run->pattern = is_gpcnet ? of_gpcnet[run->part.number].pattern
                             : of_congestor[run->setting->congestor].pattern;
}

static enum ct_status plan_messages(struct congestor_run *run, struct ct_error *err)
{
    struct ct_compression_plan *plan = &run->plan;
    CT_TRY(ct_compression_plan_new(&run->part.layout, run->pattern, (int)run->setting->partners,
                                   run->part.rank, plan, err));
    if (run->pattern == CT_PATTERN_ALLTOALL && plan->n_receives > ALLTOALL_UNDER_WAY)
        plan->n_steps = plan->n_receives;
    run->steps_under_way = run->pattern == CT_PATTERN_ALLTOALL ? ALLTOALL_UNDER_WAY : plan->n_steps;
    return CT_OK;
}

enum ct_status ct_scan_congestor_check(const struct ct_scan_side *side,
                                       const struct ct_scan_setting *setting, struct ct_error *err)
{
    return setting->congestor == CT_SCAN_WITH_COMPRESSION
               ? ct_compression_check(&side->layout, CT_PATTERN_RING, (int)setting->partners, err)
               : CT_OK;
}

/* Sizes are the same on all ranks: both ends of a message must know them. */
static void choose_sizes(struct congestor_run *run)
{
    size_t n_others = (size_t)run->part.layout.n_nodes - 1;
    if (run->setting->congestor == CT_SCAN_WITH_GPCNET) {
        run->message_bytes = GPCNET_BYTES;
        run->n_messages = 1;
        return;
    }
    if (run->setting->congestor == CT_SCAN_WITH_COMPRESSION) {
        run->n_messages = (int)run->setting->messages;
        return;
    }
    bool is_alltoall = run->setting->congestor == CT_SCAN_WITH_ALLTOALL;
    bool is_pairs = run->setting->congestor == CT_SCAN_WITH_BISECTION;
    if (is_alltoall && n_others > ALLTOALL_MESSAGES) {
        size_t bytes = run->message_bytes * ALLTOALL_MESSAGES / n_others;
        size_t least =
            run->message_bytes < ALLTOALL_BYTES_LEAST ? run->message_bytes : ALLTOALL_BYTES_LEAST;
        run->message_bytes = bytes > least ? bytes : least;
    }
    size_t most = round_bytes_max / (run->message_bytes * (is_pairs ? 1 : n_others));
    if (is_alltoall && n_others > 2 * ALLTOALL_MESSAGES) /* enough are under way, to all of them */
        most = 1;
    run->n_messages = most < 1 ? 1 : most > CT_SCAN_MESSAGES ? CT_SCAN_MESSAGES : (int)most;
}

static enum ct_status allocate_messages(struct congestor_run *run, struct ct_error *err)
{
    size_t n_in = (size_t)run->plan.n_receives * (size_t)run->n_messages;
    size_t n_out = (size_t)run->plan.n_sends * (size_t)run->n_messages;
    size_t n_arrays = run->work == REDUCTION ? REDUCTION_MESSAGES : 1;
    if (run->work == PUTS)
        n_in = (size_t)run->part.layout.n_nodes;
    run->n_words = run->message_bytes * n_arrays / sizeof(float);
    run->in = calloc(n_in > n_arrays ? n_in : n_arrays, run->message_bytes);
    run->out = calloc(n_arrays, run->message_bytes);
    run->requests = calloc(n_in + n_out + 1, sizeof(MPI_Request));
    run->statuses = calloc(n_in + n_out + 1, sizeof(MPI_Status));
    if (!run->in || !run->out || !run->requests || !run->statuses)
        return ct_no_memory(err, "messages of a congestor");
    return CT_OK;
}

/* A window for each slot of nodes is its first node's. Collective over the part. */
static enum ct_status open_window(struct congestor_run *run, struct ct_error *err)
{
    const struct ct_layout *layout = &run->part.layout;
    size_t bytes = run->message_bytes * (run->work == PUTS ? (size_t)layout->n_nodes : 1);
    run->owner = ct_layout_rank(layout, 0, layout->slot_of_rank[run->part.rank]);
    MPI_Comm_set_errhandler(run->part.comm, MPI_ERRORS_RETURN);
    int code =
        MPI_Win_create(run->in, (MPI_Aint)bytes, 1, MPI_INFO_NULL, run->part.comm, &run->window);
    MPI_Comm_set_errhandler(run->part.comm, MPI_ERRORS_ARE_FATAL);
    if (code != MPI_SUCCESS) {
        run->window = MPI_WIN_NULL;
        return ct_fail(err, CT_EUNSUPPORTED,
                       "MPI_Win_create fails on this network, so leave the congestor gpcnet out; "
                       "Open MPI 4 over TCP has windows with OMPI_MCA_osc=^rdma");
    }
    MPI_Win_lock(MPI_LOCK_SHARED, run->owner, 0, run->window);
    return CT_OK;
}

/* All congestors agree, so that none is left in a round without the others. */
static enum ct_status agree_on_status(const struct congestor_run *run, enum ct_status status,
                                      struct ct_error *err)
{
    int failed = status != CT_OK, any_failed;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, run->side->comm);
    return any_failed && !failed ? ct_fail(err, CT_EUNSUPPORTED, "another congestor failed")
                                 : status;
}

static enum ct_status prepare_run(struct congestor_run *run, uint64_t seed, struct ct_error *err)
{
    enum ct_status status =
        ct_scan_part_new(run->side, run->setting->congestor, seed, &run->part, err);
    if (status == CT_OK) {
        choose_work(run);
        choose_sizes(run);
    }
    if (status == CT_OK && run->work == MESSAGES)
        status = plan_messages(run, err);
    if (status == CT_OK)
        status = allocate_messages(run, err);
    status = agree_on_status(run, status, err);
    if (status == CT_OK && (run->work == PUTS || run->work == GETS))
        status = open_window(run, err);
    return agree_on_status(run, status, err);
}

static void free_run(struct congestor_run *run)
{
    if (run->window != MPI_WIN_NULL) {
        MPI_Win_unlock(run->owner, run->window);
        MPI_Win_free(&run->window);
    }
    ct_scan_part_free(&run->part);
    ct_compression_plan_free(&run->plan);
    free(run->in);
    free(run->out);
    free(run->requests);
    free(run->statuses);
}

static uint64_t round_bytes(const struct congestor_run *run)
{
    bool is_owner = run->owner == run->part.rank;
    size_t n_others = (size_t)run->part.layout.n_nodes - 1;
    if (run->work == REDUCTION)
        return run->n_words * sizeof(float);
    if (run->work == PUTS)
        return is_owner ? n_others * run->message_bytes : 0;
    if (run->work == GETS)
        return is_owner ? 0 : run->message_bytes;
    return (uint64_t)run->plan.n_receives * (uint64_t)run->n_messages * run->message_bytes;
}

enum ct_status ct_scan_congestor_run(const struct ct_scan_side *side,
                                     const struct ct_scan_setting *setting, size_t message_bytes,
                                     uint64_t seed, struct ct_scan_load *load_p,
                                     struct ct_error *err)
{
    struct ending ending;
    struct ct_burst burst = {setting->burst_s > 0, setting->burst_s, setting->pause_s};
    struct congestor_run run = {.side = side,
                                .setting = setting,
                                .part = {.comm = MPI_COMM_NULL},
                                .window = MPI_WIN_NULL,
                                .phases = ct_phases_start(burst, seed),
                                .message_bytes = message_bytes};
    *load_p = (struct ct_scan_load){0};
    enum ct_status status = prepare_run(&run, seed, err);
    if (status == CT_OK)
        make_round(&run);
    if (status == CT_OK && setting->intensity < 1)
        choose_rest(&run);
    MPI_Barrier(side->comm);
    begin_ending(side, &ending);
    if (side->rank == 0)
        MPI_Send(NULL, 0, MPI_BYTE, side->canary_root, TAG_STARTED, side->bench->comm);
    run.begin_s = ct_clock_now_s();
    if (status == CT_OK) {
        load_p->bytes = repeat_rounds(&run, &ending) * round_bytes(&run);
        load_p->time_s = elapsed_s(&run);
    }
    await_ending(side, &ending);
    free_run(&run);
    return status;
}

/* ---- the side of the canaries ---- */

enum ct_status ct_scan_congestor_await(const struct ct_scan_side *side, double limit_s,
                                       struct ct_error *err)
{
    MPI_Request started;
    double until_s = ct_clock_now_s() + limit_s;
    MPI_Irecv(NULL, 0, MPI_BYTE, side->congestor_root, TAG_STARTED, side->bench->comm, &started);
    while (!ct_bench_test_idle(&started))
        if (ct_clock_now_s() > until_s)
            return ct_fail(err, CT_ETIMEOUT,
                           "the congestors have not started: their first messages did not arrive "
                           "within %g s",
                           limit_s);
    return CT_OK;
}

void ct_scan_congestor_end(const struct ct_scan_side *side)
{
    MPI_Send(NULL, 0, MPI_BYTE, side->congestor_root, TAG_DONE, side->bench->comm);
}
