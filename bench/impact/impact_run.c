#include "bench/impact/impact_run.h"

#include "bench/common/clock.h"
#include "bench/impact/control.h"
#include "bench/impact/impact_pairs.h"
#include "bench/impact/impact_wire.h"
#include "bench/impact/probe_loop.h"
#include "core/hash.h"
#include "core/simulated.h"
#include "core/stats.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_wait_names[] = {"spin", "yield", "block", NULL};

enum { TAG_SELF = 1, OVERHEAD_EXCHANGES = 200, POLLS_PER_CONTROL = 64 };
static const double longest_sleep_s = 20e-3; /* a signal or a stop waits no longer */
static const double block_sleep_s = 50e-6;
static const double idle_sleep_s = 500e-6;

struct prober {
    struct ct_bench *bench;
    const struct ct_impact_setup *setup;
    struct ct_impact_result *result;
    struct ct_control control;
    struct ct_impact_team team;
    struct ct_impact_wire wire;
    uint64_t sequence; /* of the next probe */
    uint64_t oldest;   /* of the probe whose answer is waited for */
    int epoch;
    struct ct_checkpoint checkpoint;
    double next_keep_s; /* since the run's start; INFINITY: no more */
    enum ct_status status;
    struct ct_error error;
};

static double elapsed_s(const struct prober *p)
{
    return ct_clock_now_s() - p->bench->start_s;
}

static void fail_probe(struct prober *p, enum ct_status status, const char *what)
{
    if (p->status == CT_OK)
        p->status =
            ct_fail(&p->error, status, "rank %d, epoch %d: %s", p->bench->rank, p->epoch, what);
}

static bool is_over(struct prober *p)
{
    return ct_control_poll(&p->control, p->status != CT_OK);
}

static void nap_for(double duration_s)
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

/* Between probes, or during one where there has been no time between probes for a whole period.
 * Each rank on its own: keeping never makes one wait for another. */
static void keep_if_due(struct prober *p, bool under_way)
{
    double period_s = p->setup->checkpoint_s, now_s;
    if (isinf(p->next_keep_s) ||
        (now_s = elapsed_s(p)) < p->next_keep_s + (under_way ? period_s : 0))
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

/* ---- one epoch ---- */

struct window {
    double start_s, end_s; /* since the run's start */
};

static void show_progress(struct prober *p)
{
    double time_s = p->setup->time_s, now_s = elapsed_s(p);
    ct_log_progress(&p->bench->log, now_s, time_s, time_s - now_s, "probing");
}

static double run_time_s(void *self)
{
    return elapsed_s(self);
}

static enum ct_status send_probe(void *self, uint64_t sequence, struct ct_error *err)
{
    struct prober *p = self;
    (void)err;
    ct_impact_wire_ping(&p->wire, sequence, CT_PROBE_PING);
    return CT_OK;
}

static enum ct_status receive_answer(void *self, uint64_t sequence, bool *arrived_p,
                                     struct ct_probe_answer *answer_p, struct ct_error *err)
{
    struct prober *p = self;
    p->oldest = sequence;
    return ct_impact_wire_pong(&p->wire, sequence, arrived_p, answer_p, err);
}

/* The side that waits for an answer is the side that measures: with a probe under way it does not
 * sleep. Nothing comes between waking up and going on: a look for messages can take long. */
static bool wait_for(void *self, double until_s, bool under_way)
{
    struct prober *p = self;
    keep_if_due(p, under_way);
    if (is_over(p))
        return false;
    if (!under_way) {
        show_progress(p);
        ct_clock_sleep_until(p->bench->start_s + fmin(until_s, elapsed_s(p) + longest_sleep_s));
        return true;
    }
    for (int polls = 0; polls < POLLS_PER_CONTROL && elapsed_s(p) < until_s; polls++) {
        if (ct_impact_wire_answered(&p->wire, p->oldest, isinf(until_s)))
            break;
        if (p->setup->wait != CT_WAIT_SPIN)
            sched_yield();
    }
    return true;
}

/* @return false: the run is over */
static bool sleep_until(struct prober *p, double time_s)
{
    while (elapsed_s(p) < time_s)
        if (!wait_for(p, time_s, false))
            return false;
    return true;
}

/* A probe that is not recorded. */
static void exchange_probe(struct prober *p, enum ct_probe_kind kind)
{
    struct ct_error err;
    enum ct_status status = CT_OK;
    bool arrived = false;
    struct ct_probe_answer answer;
    uint64_t sequence = p->sequence++;
    ct_impact_wire_ping(&p->wire, sequence, kind);
    while (!arrived) {
        status = receive_answer(p, sequence, &arrived, &answer, &err);
        if (!arrived)
            wait_for(p, INFINITY, true);
    }
    if (status != CT_OK)
        fail_probe(p, status, err.text);
}

static enum ct_status record_sample(void *data, struct ct_sample sample)
{
    struct prober *p = data;
    return ct_impact_record(p->result, sample);
}

static void initiate_probes(struct prober *p, struct window window)
{
    const struct ct_impact_setup *setup = p->setup;
    struct ct_impact_result *result = p->result;
    for (uint64_t i = 0; i < setup->n_warmup; i++)
        exchange_probe(p, CT_PROBE_WARMUP);
    int rank = p->bench->rank, partner = p->wire.partner;
    bool from_b = partner < rank;
    uint32_t pair = ct_impact_pair_index(result->pairs, result->n_pairs, from_b ? partner : rank,
                                         from_b ? rank : partner);
    struct ct_impact_schedule *schedule = ct_impact_schedule_new(
        setup->arrivals, setup->interval_s, fmax(window.start_s, elapsed_s(p)), setup->seed,
        (uint64_t)pair * (uint64_t)result->n_epochs + (uint64_t)p->epoch);
    const struct ct_probe_transport transport = {.self = p,
                                                 .now_s = run_time_s,
                                                 .send = send_probe,
                                                 .receive = receive_answer,
                                                 .wait = wait_for};
    const struct ct_probe_setup probes = {.outstanding = setup->outstanding,
                                          .interval_s = setup->interval_s,
                                          .end_s = window.end_s,
                                          .limited = setup->limited,
                                          .n_probes = setup->n_probes,
                                          .from_b = from_b};
    struct ct_probe_counts counts = {0};
    struct ct_error err;
    if (!schedule) {
        fail_probe(p, CT_ENOMEM, "no memory for a schedule");
    } else {
        enum ct_status status = ct_probe_epoch(&transport, &probes, p->sequence, schedule, pair,
                                               record_sample, p, &p->sequence, &counts, &err);
        if (status != CT_OK)
            fail_probe(p, status, err.text);
    }
    result->n_late += counts.n_late;
    result->n_missed += counts.n_missed;
    ct_impact_schedule_free(schedule);
    if (!setup->limited)
        sleep_until(p, window.end_s);
    exchange_probe(p, CT_PROBE_END);
}

static void respond_to_probes(struct prober *p)
{
    enum ct_probe_kind kind = CT_PROBE_PING;
    struct ct_error err;
    bool over = false;
    ct_impact_wire_listen(&p->wire);
    do {
        bool served;
        enum ct_status status = ct_impact_wire_serve(&p->wire, &served, &kind, &err);
        if (status != CT_OK)
            fail_probe(p, status, err.text);
        if (served)
            continue;
        keep_if_due(p, false);
        over = is_over(p);
        if (p->setup->wait == CT_WAIT_YIELD)
            sched_yield();
        else if (p->setup->wait == CT_WAIT_BLOCK)
            nap_for(block_sleep_s);
        show_progress(p);
    } while (kind != CT_PROBE_END && !over);
    p->wire.draining = over;
    enum ct_status status = ct_impact_wire_unlisten(&p->wire, &err);
    if (status != CT_OK)
        fail_probe(p, status, err.text);
}

static void run_epoch(struct prober *p, struct window window)
{
    int rank = p->bench->rank;
    if (ct_impact_team_epoch(&p->team, p->epoch) != CT_OK) {
        fail_probe(p, CT_ENOMEM, "no memory for a pairing");
        return;
    }
    int partner = ct_impact_team_partner(&p->team, rank);
    p->wire.partner = partner;
    p->wire.epoch = (uint32_t)p->epoch;
    if (partner == rank) {
        if (!p->setup->limited)
            sleep_until(p, window.end_s);
    } else if (ct_impact_team_prober(&p->team, rank, partner, p->epoch) == rank) {
        initiate_probes(p, window);
    } else {
        respond_to_probes(p);
    }
}

/* ---- the run ---- */

static void serve_or_nap(struct prober *p)
{
    bool served;
    struct ct_error err;
    enum ct_status status = ct_impact_wire_serve_any(&p->wire, &served, &err);
    if (status != CT_OK)
        fail_probe(p, status, err.text);
    if (!served)
        nap_for(idle_sleep_s);
}

/* Through, or stopped: answer the ranks that are not yet, until all are. */
static void drain_slots(struct prober *p)
{
    p->wire.draining = true;
    ct_control_finish(&p->control);
    while (!is_over(p))
        serve_or_nap(p);
    MPI_Request all_through;
    MPI_Ibarrier(p->wire.comm, &all_through);
    for (int through = 0; !through;) {
        serve_or_nap(p);
        MPI_Test(&all_through, &through, MPI_STATUS_IGNORE);
    }
    ct_control_end(&p->control);
}

/* Half of an exchange with itself, median: what the calls cost without a network. */
static enum ct_status measure_overhead(const struct prober *p, double *overhead_s_p,
                                       struct ct_error *err)
{
    const int bytes = (int)p->setup->message_bytes;
    unsigned char *out = calloc(2, p->setup->message_bytes), *in = out ? out + bytes : NULL;
    double times_s[OVERHEAD_EXCHANGES];
    if (!out)
        return ct_no_memory(err, "rank %d", p->bench->rank);
    for (int i = 0; i < OVERHEAD_EXCHANGES; i++) {
        double start_s = ct_clock_now_s();
        MPI_Sendrecv(out, bytes, MPI_BYTE, 0, TAG_SELF, in, bytes, MPI_BYTE, 0, TAG_SELF,
                     MPI_COMM_SELF, MPI_STATUS_IGNORE);
        times_s[i] = (ct_clock_now_s() - start_s) / 2;
    }
    ct_stats_sort(times_s, OVERHEAD_EXCHANGES);
    *overhead_s_p = times_s[OVERHEAD_EXCHANGES / 2];
    free(out);
    return CT_OK;
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
                       bench->size, ct_layout_host(&bench->layout, 0));
    return CT_OK;
}

/* On rank 0, which writes them. */
static enum ct_status classify_pairs(struct prober *p, struct ct_error *err)
{
    const struct ct_impact_setup *setup = p->setup;
    if (p->bench->rank != 0 || !setup->network->known || setup->within_node)
        return CT_OK;
    return ct_impact_network_classify(setup->network, &p->bench->layout, p->result->pairs,
                                      p->result->n_pairs, err);
}

static enum ct_status prepare_prober(struct prober *p, struct ct_error *err)
{
    const struct ct_impact_setup *setup = p->setup;
    struct ct_impact_result *result = p->result;
    CT_TRY(check_layout(p->bench, setup, err));
    enum ct_status status =
        ct_impact_team_new(&p->bench->layout, setup->pairing, setup->within_node, setup->seed,
                           setup->rounds, &p->team);
    if (status == CT_OK) {
        int once = ct_impact_team_cycle(&p->team);
        struct ct_impact_epoch_plan plan =
            ct_impact_plan_epochs(once, setup->time_s, setup->interval_s, CT_SIMULATED);
        result->n_epochs = setup->limited ? once : plan.n_epochs;
        result->epoch_s = setup->limited ? NAN : plan.epoch_s;
        status = ct_impact_team_pairs(&p->team, result->n_epochs, &result->pairs, &result->n_pairs);
    }
    if (status != CT_OK)
        return ct_no_memory(err, "rank %d", p->bench->rank);
    if (result->n_pairs == 0)
        return ct_fail(err, CT_EINVAL, "no two nodes have a rank in the same slot");
    CT_TRY(classify_pairs(p, err));
    CT_TRY(ct_impact_wire_new(setup->message_bytes, setup->outstanding, &p->wire, err));
    return measure_overhead(p, &result->exchange_overhead_s, err);
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

/* Ranks of one kernel have one clock, whatever their hosts are called. Collective. */
static bool has_one_kernel(const struct ct_bench *bench)
{
    char boot[64] = "";
    bool found = ct_file_head("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    uint64_t here = found ? ct_hash_text(boot, strlen(boot)) : 0, ends[2] = {here, ~here};
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_UINT64_T, MPI_MIN, bench->comm);
    return ends[0] == ~ends[1] && ends[0] != 0;
}

static enum ct_status probe_all(struct prober *p, struct ct_error *err)
{
    struct ct_bench *bench = p->bench;
    MPI_Comm_dup(bench->comm, &p->wire.comm);
    ct_control_start(bench, &p->control);
    p->result->has_one_clock = CT_SIMULATED || has_one_kernel(bench);
    MPI_Barrier(bench->comm);
    bench->start_s = ct_clock_now_s();
    if (p->result->has_one_clock) /* one-way times are then true ones */
        MPI_Bcast(&bench->start_s, 1, MPI_DOUBLE, 0, bench->comm);
    p->wire.start_s = bench->start_s;
    if (CT_SIMULATED)
        ct_simulated_mark(true);
    run_epochs(p);
    if (CT_SIMULATED)
        ct_simulated_mark(false);
    drain_slots(p);
    end_checkpoint(p);
    MPI_Comm_free(&p->wire.comm);
    ct_log_progress_end(&bench->log);
    sum_counts(bench, p->result);
    if (p->status != CT_OK)
        *err = p->error;
    return ct_bench_agree(bench, p->status, err);
}

enum ct_status ct_impact_run(struct ct_bench *bench, const struct ct_impact_setup *setup,
                             struct ct_impact_result *result_p, struct ct_error *err)
{
    *result_p = (struct ct_impact_result){0};
    struct prober p = {.bench = bench, .setup = setup, .result = result_p};
    enum ct_status status = ct_bench_agree(bench, prepare_prober(&p, err), err);
    if (status == CT_OK)
        status = begin_checkpoint(&p, err);
    if (status != CT_OK)
        ct_impact_result_free(result_p); /* on all ranks alike: nothing was measured */
    else
        status = probe_all(&p, err);
    ct_impact_wire_free(&p.wire);
    ct_impact_team_free(&p.team);
    return status;
}
