#include "bench/impact/impact_run.h"

#include "bench/common/clock.h"
#include "bench/impact/control.h"
#include "bench/impact/impact_pairs.h"
#include "core/stats.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_wait_names[] = {"spin", "yield", "block", NULL};

enum { TAG_PING = 1, TAG_PONG = 2, OVERHEAD_EXCHANGES = 200, POLLS_PER_CONTROL = 64 };
static const double longest_sleep_s = 20e-3; /* a signal or a stop waits no longer */
static const double block_sleep_s = 50e-6;
static const double idle_sleep_s = 500e-6;

/* What a message says of itself; the rest is a pattern. */
enum probe_kind { PROBE_WARMUP, PROBE_PING, PROBE_END, PROBE_PONG, PROBE_LATE_PONG };
struct probe_header {
    uint64_t sequence;
    uint32_t kind;
    uint32_t epoch;
};
_Static_assert(sizeof(struct probe_header) == CT_IMPACT_LEAST_BYTES, "header of a probe");

struct prober {
    struct ct_bench *bench;
    const struct ct_impact_setup *setup;
    struct ct_impact_result *result;
    struct ct_control control;
    struct ct_impact_team team;
    MPI_Comm comm; /* of the probes */
    unsigned char *out, *in;
    uint64_t sequence;
    int epoch;
    bool draining; /* this rank is through; it still answers */
    struct ct_checkpoint checkpoint;
    double next_keep_s; /* since the run's start; INFINITY: no more */
    enum ct_status status;
    struct ct_error error;
};

static double elapsed_s(const struct prober *p)
{
    return ct_clock_now_s() - p->bench->start_s;
}

static void fail(struct prober *p, enum ct_status status, const char *what)
{
    if (p->status == CT_OK)
        p->status =
            ct_fail(&p->error, status, "rank %d, epoch %d: %s", p->bench->rank, p->epoch, what);
}

static bool is_over(struct prober *p)
{
    return ct_control_poll(&p->control, p->status != CT_OK);
}

static void nap(double duration_s)
{
    ct_clock_sleep_until(ct_clock_now_s() + duration_s);
}

/* ---- checkpoint ---- */

static void keep_samples(struct prober *p)
{
    struct ct_error err;
    if (ct_checkpoint_keep(&p->checkpoint, p->result->samples, p->result->n_samples, &err) == CT_OK)
        return;
    fprintf(stderr, "%s: rank %d: no more checkpoints: %s\n", p->bench->command->name,
            p->bench->rank, err.text);
    p->next_keep_s = INFINITY;
}

/* Between probes. Each rank on its own: keeping never makes one wait for another. */
static void keep_if_due(struct prober *p)
{
    double period_s = p->setup->checkpoint_s, now_s;
    if (isinf(p->next_keep_s) || (now_s = elapsed_s(p)) < p->next_keep_s)
        return;
    p->next_keep_s = (floor(now_s / period_s) + 1) * period_s;
    keep_samples(p);
}

static enum ct_status begin_checkpoint(struct prober *p, struct ct_error *err)
{
    const struct ct_impact_setup *setup = p->setup;
    struct ct_impact_result *result = p->result;
    enum ct_status status = CT_OK;
    p->checkpoint =
        (struct ct_checkpoint){.output = setup->output, .rank = p->bench->rank, .fd = -1};
    p->next_keep_s = INFINITY;
    if (!(setup->checkpoint_s > 0))
        return CT_OK;
    if (p->bench->rank == 0)
        status = ct_checkpoint_begin(setup->output,
                                     &(struct ct_run){.info = *setup->info,
                                                      .pairs = result->pairs,
                                                      .n_pairs = result->n_pairs},
                                     err);
    status = ct_bench_agree(p->bench, status, err);
    if (status == CT_OK) {
        result->checkpointed = true;
        p->next_keep_s = setup->checkpoint_s;
    }
    return status;
}

static void end_checkpoint(struct prober *p)
{
    if (!isinf(p->next_keep_s))
        keep_samples(p);
    ct_checkpoint_close(&p->checkpoint);
}

/* ---- messages ---- */

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 131 + 7);
}

static void fill(unsigned char *message, size_t size)
{
    for (size_t i = 0; i < size; i++)
        message[i] = pattern(i);
}

static void set_header(unsigned char *message, uint64_t sequence, enum probe_kind kind, int epoch)
{
    const struct probe_header header = {sequence, (uint32_t)kind, (uint32_t)epoch};
    memcpy(message, &header, sizeof header);
}

static struct probe_header header_of(const unsigned char *message)
{
    struct probe_header header;
    memcpy(&header, message, sizeof header);
    return header;
}

static bool is_intact(const unsigned char *message, size_t size)
{
    for (size_t i = sizeof(struct probe_header); i < size; i++)
        if (message[i] != pattern(i))
            return false;
    return true;
}

static int bytes_of(const struct prober *p)
{
    return (int)p->setup->message_bytes;
}

/* The side that waits for an answer is the side that measures: it never sleeps. */
static void await_pong(struct prober *p, MPI_Request *request)
{
    int arrived = 0;
    for (unsigned polls = 1;; polls++) {
        MPI_Test(request, &arrived, MPI_STATUS_IGNORE);
        if (arrived)
            return;
        if (polls % POLLS_PER_CONTROL == 0)
            is_over(p);
        if (p->setup->wait != CT_WAIT_SPIN)
            sched_yield();
    }
}

struct exchange {
    double start_s, end_s; /* of ct_clock_now_s() */
    bool answered_late;    /* the partner was through already */
};

static struct exchange exchange(struct prober *p, int partner, enum probe_kind kind)
{
    MPI_Request pong;
    uint64_t sequence = p->sequence++;
    set_header(p->out, sequence, kind, p->epoch);
    MPI_Irecv(p->in, bytes_of(p), MPI_BYTE, partner, TAG_PONG, p->comm, &pong);
    struct exchange times = {.start_s = ct_clock_now_s()};
    MPI_Send(p->out, bytes_of(p), MPI_BYTE, partner, TAG_PING, p->comm);
    await_pong(p, &pong);
    times.end_s = ct_clock_now_s();
    struct probe_header header = header_of(p->in);
    bool is_pong = header.kind == PROBE_PONG || header.kind == PROBE_LATE_PONG;
    if (!is_pong || header.sequence != sequence || !is_intact(p->in, p->setup->message_bytes))
        fail(p, CT_EIO, "a probe came back changed: the network or the MPI library is at fault");
    times.answered_late = header.kind == PROBE_LATE_PONG;
    return times;
}

/* Answer a ping from source if one is there; *kind_p is what it was. */
static bool serve(struct prober *p, int source, enum probe_kind *kind_p)
{
    int arrived;
    MPI_Status status;
    MPI_Iprobe(source, TAG_PING, p->comm, &arrived, &status);
    if (!arrived)
        return false;
    MPI_Recv(p->in, bytes_of(p), MPI_BYTE, status.MPI_SOURCE, TAG_PING, p->comm, MPI_STATUS_IGNORE);
    struct probe_header header = header_of(p->in);
    set_header(p->out, header.sequence, p->draining ? PROBE_LATE_PONG : PROBE_PONG,
               (int)header.epoch);
    MPI_Send(p->out, bytes_of(p), MPI_BYTE, status.MPI_SOURCE, TAG_PONG, p->comm);
    if (!is_intact(p->in, p->setup->message_bytes))
        fail(p, CT_EIO, "a probe arrived changed: the network or the MPI library is at fault");
    *kind_p = (enum probe_kind)header.kind;
    return true;
}

/* ---- one epoch ---- */

struct window {
    double start_s, end_s; /* since the run's start */
};

/* Sleep until a time since the run's start. Nothing comes between waking up and going on: a look
 * for messages can take long. @return false: the run is over */
static bool sleep_until(struct prober *p, double time_s)
{
    do {
        keep_if_due(p);
        if (is_over(p))
            return false;
        ct_clock_sleep_until(p->bench->start_s + fmin(time_s, elapsed_s(p) + longest_sleep_s));
    } while (elapsed_s(p) < time_s);
    return true;
}

static void show_progress(struct prober *p)
{
    double time_s = p->setup->time_s, now_s = elapsed_s(p);
    ct_log_progress(&p->bench->log, now_s, time_s, time_s - now_s, "probing");
}

/* A probe that was due while the one before was still out counts from its due time: otherwise the
 * time in which latencies are long would be sampled too rarely. */
static void probe(struct prober *p, int partner, uint32_t pair, double due_s, double last_end_s)
{
    struct exchange times = exchange(p, partner, PROBE_PING);
    if (times.answered_late)
        return; /* after the end of the run */
    double due_clock_s = p->bench->start_s + due_s;
    bool late = last_end_s > due_clock_s;
    double from_s = late ? due_clock_s : times.start_s;
    p->result->n_late += late;
    if (ct_impact_record(p->result, (struct ct_sample){.t_s = due_s,
                                                       .latency_s = (times.end_s - from_s) / 2,
                                                       .pair = pair,
                                                       .late = late}) != CT_OK)
        fail(p, CT_ENOMEM, "no memory for more samples");
}

static void initiate(struct prober *p, int partner, struct window window)
{
    const struct ct_impact_setup *setup = p->setup;
    struct ct_impact_result *result = p->result;
    for (uint64_t i = 0; i < setup->n_warmup; i++)
        exchange(p, partner, PROBE_WARMUP);
    uint32_t pair = ct_impact_pair_index(result->pairs, result->n_pairs, p->bench->rank, partner);
    struct ct_impact_schedule *schedule = ct_impact_schedule_new(
        setup->arrivals, setup->interval_s, fmax(window.start_s, elapsed_s(p)), setup->seed,
        (uint64_t)pair * (uint64_t)result->n_epochs + (uint64_t)p->epoch);
    if (!schedule)
        fail(p, CT_ENOMEM, "no memory for a schedule");
    double last_end_s = 0;
    for (uint64_t n = 0; schedule && !(setup->limited && n == setup->n_probes); n++) {
        double due_s = ct_impact_schedule_next(schedule);
        if (due_s >= window.end_s)
            break;
        /* Probes that cannot keep up with their schedule do not outlast the time given. */
        if (elapsed_s(p) >= window.end_s) {
            result->n_missed++;
            continue;
        }
        if (!sleep_until(p, due_s))
            break;
        probe(p, partner, pair, due_s, last_end_s);
        last_end_s = ct_clock_now_s();
        show_progress(p);
    }
    ct_impact_schedule_free(schedule);
    if (!setup->limited)
        sleep_until(p, window.end_s);
    exchange(p, partner, PROBE_END);
}

static void respond(struct prober *p, int partner)
{
    enum probe_kind kind = PROBE_PING;
    do {
        if (serve(p, partner, &kind))
            continue;
        keep_if_due(p);
        if (is_over(p))
            return;
        if (p->setup->wait == CT_WAIT_YIELD)
            sched_yield();
        else if (p->setup->wait == CT_WAIT_BLOCK)
            nap(block_sleep_s);
        show_progress(p);
    } while (kind != PROBE_END);
}

static void run_epoch(struct prober *p, struct window window)
{
    int rank = p->bench->rank;
    if (ct_impact_team_epoch(&p->team, p->epoch) != CT_OK) {
        fail(p, CT_ENOMEM, "no memory for a pairing");
        return;
    }
    int partner = ct_impact_team_partner(&p->team, rank);
    if (partner > rank)
        initiate(p, partner, window);
    else if (partner < rank)
        respond(p, partner);
    else if (!p->setup->limited)
        sleep_until(p, window.end_s);
}

/* ---- the run ---- */

/* Through, or stopped: answer the ranks that are not yet, until all are. */
static void drain(struct prober *p)
{
    enum probe_kind kind;
    p->draining = true;
    ct_control_finish(&p->control);
    while (!is_over(p))
        if (!serve(p, MPI_ANY_SOURCE, &kind))
            nap(idle_sleep_s);
    MPI_Request all_through;
    MPI_Ibarrier(p->comm, &all_through);
    for (int through = 0; !through;) {
        if (!serve(p, MPI_ANY_SOURCE, &kind))
            nap(idle_sleep_s);
        MPI_Test(&all_through, &through, MPI_STATUS_IGNORE);
    }
    ct_control_end(&p->control);
}

/* Half of an exchange with itself, median: what the calls cost without a network. */
static double measure_overhead(const struct prober *p)
{
    double times_s[OVERHEAD_EXCHANGES];
    for (int i = 0; i < OVERHEAD_EXCHANGES; i++) {
        double start_s = ct_clock_now_s();
        MPI_Sendrecv(p->out, bytes_of(p), MPI_BYTE, 0, TAG_PING, p->in, bytes_of(p), MPI_BYTE, 0,
                     TAG_PING, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        times_s[i] = (ct_clock_now_s() - start_s) / 2;
    }
    ct_stats_sort(times_s, OVERHEAD_EXCHANGES);
    return times_s[OVERHEAD_EXCHANGES / 2];
}

static enum ct_status check_layout(const struct ct_bench *bench,
                                   const struct ct_impact_setup *setup, struct ct_error *err)
{
    if (bench->size < 2)
        return ct_fail(err, CT_EINVAL,
                       "one rank: a probe needs two; start it with mpiexec, a rank on each node");
    if (bench->layout.n_nodes < 2 && !setup->within_node)
        return ct_fail(err, CT_EINVAL,
                       "all %d ranks are on one node (%s): start ranks on two nodes or more, or "
                       "measure inside the node with --allow-one-node",
                       bench->size, bench->layout.host_of_node[0]);
    return CT_OK;
}

static enum ct_status prepare(struct prober *p, struct ct_error *err)
{
    const struct ct_impact_setup *setup = p->setup;
    struct ct_impact_result *result = p->result;
    enum ct_status status = check_layout(p->bench, setup, err);
    if (status != CT_OK)
        return status;
    status = ct_impact_team_new(&p->bench->layout, setup->pairing, setup->within_node, setup->seed,
                                &p->team);
    if (status == CT_OK) {
        struct ct_impact_epoch_plan plan = ct_impact_plan_epochs(setup->pairing, p->team.n_units,
                                                                 setup->time_s, setup->interval_s);
        result->n_epochs =
            setup->limited ? ct_impact_epochs(setup->pairing, p->team.n_units) : plan.n_epochs;
        result->epoch_s = setup->limited ? NAN : plan.epoch_s;
        status = ct_impact_team_pairs(&p->team, result->n_epochs, &result->pairs, &result->n_pairs);
    }
    p->out = malloc(setup->message_bytes);
    p->in = malloc(setup->message_bytes);
    if (status != CT_OK || !p->out || !p->in)
        return ct_fail(err, CT_ENOMEM, "rank %d: out of memory", p->bench->rank);
    if (result->n_pairs == 0)
        return ct_fail(err, CT_EINVAL, "no two nodes have a rank in the same slot");
    fill(p->out, setup->message_bytes);
    return CT_OK;
}

static void run_epochs(struct prober *p)
{
    const struct ct_impact_setup *setup = p->setup;
    double epoch_s = p->result->epoch_s;
    for (p->epoch = 0; p->epoch < p->result->n_epochs; p->epoch++) {
        struct window window = {p->epoch * epoch_s, (p->epoch + 1) * epoch_s};
        if (setup->limited)
            window = (struct window){elapsed_s(p), setup->time_s};
        if (is_over(p))
            return;
        run_epoch(p, window);
    }
}

static void sum_counts(const struct ct_bench *bench, struct ct_impact_result *result)
{
    const uint64_t here[] = {result->n_samples, result->n_late, result->n_missed};
    uint64_t all[sizeof here / sizeof *here];
    MPI_Allreduce(here, all, sizeof here / sizeof *here, MPI_UINT64_T, MPI_SUM, bench->comm);
    result->all_samples = all[0];
    result->all_late = all[1];
    result->all_missed = all[2];
}

enum ct_status ct_impact_run(struct ct_bench *bench, const struct ct_impact_setup *setup,
                             struct ct_impact_result *result_p, struct ct_error *err)
{
    *result_p = (struct ct_impact_result){0};
    struct prober p = {.bench = bench, .setup = setup, .result = result_p};
    enum ct_status status = ct_bench_agree(bench, prepare(&p, err), err);
    if (status == CT_OK)
        status = begin_checkpoint(&p, err);
    if (status != CT_OK)
        ct_impact_result_free(result_p); /* on all ranks alike: nothing was measured */
    if (status == CT_OK) {
        result_p->exchange_overhead_s = measure_overhead(&p);
        MPI_Comm_dup(bench->comm, &p.comm);
        ct_control_start(bench, &p.control);
        MPI_Barrier(bench->comm);
        bench->start_s = ct_clock_now_s();
        run_epochs(&p);
        drain(&p);
        end_checkpoint(&p);
        ct_log_progress_end(&bench->log);
        MPI_Comm_free(&p.comm);
        sum_counts(bench, result_p);
        if (p.status != CT_OK)
            *err = p.error;
        status = ct_bench_agree(bench, p.status, err);
    }
    ct_impact_team_free(&p.team);
    free(p.out);
    free(p.in);
    return status;
}
