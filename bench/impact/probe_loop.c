#include "bench/impact/probe_loop.h"

#include <math.h>
#include <stdlib.h>

struct flight {
    double due_s, sent_s;
    bool late;
};

struct loop {
    const struct ct_probe_transport *transport;
    const struct ct_probe_setup *setup;
    struct ct_impact_schedule *schedule;
    uint32_t pair;
    ct_probe_record *record;
    void *data;
    struct ct_probe_counts counts;
    struct flight *flight;       /* of probe i at [i % outstanding] */
    uint64_t n_sent, n_answered; /* probes n_answered .. n_sent - 1 are under way */
    uint64_t first_sequence;
    double due_s; /* of the next probe */
    bool sending; /* there is a next probe */
    enum ct_status status;
};

static bool is_under_way(const struct loop *loop)
{
    return loop->n_sent > loop->n_answered;
}

static bool is_full(const struct loop *loop)
{
    return loop->n_sent - loop->n_answered == loop->setup->outstanding;
}

static void plan_next(struct loop *loop)
{
    loop->due_s = ct_impact_schedule_next(loop->schedule);
    if (loop->due_s >= loop->setup->end_s ||
        (loop->setup->limited && loop->n_sent == loop->setup->n_probes))
        loop->sending = false;
}

/* Probes that cannot keep up with their schedule do not outlast the time given. */
static void give_up_rest(struct loop *loop)
{
    while (loop->sending) {
        loop->counts.n_missed++;
        plan_next(loop);
        if (loop->setup->limited && loop->n_sent + loop->counts.n_missed >= loop->setup->n_probes)
            loop->sending = false;
    }
}

static void send_probe(struct loop *loop, struct ct_error *err)
{
    const struct ct_probe_transport *transport = loop->transport;
    const double late_s = fmin(CT_PROBE_LATE_S, loop->setup->interval_s / 10);
    double sent_s = transport->now_s(transport->self);
    struct flight *flight = &loop->flight[loop->n_sent % loop->setup->outstanding];
    *flight = (struct flight){
        .due_s = loop->due_s, .sent_s = sent_s, .late = sent_s - loop->due_s > late_s};
    loop->status = transport->send(transport->self, loop->first_sequence + loop->n_sent, err);
    if (loop->status != CT_OK)
        return;
    loop->counts.n_late += flight->late;
    loop->n_sent++;
    plan_next(loop);
}

/* @return an answer was there */
static bool receive_answer(struct loop *loop, struct ct_error *err)
{
    const struct ct_probe_transport *transport = loop->transport;
    bool arrived = false;
    struct ct_probe_answer answer;
    struct ct_error error;
    enum ct_status status = transport->receive(
        transport->self, loop->first_sequence + loop->n_answered, &arrived, &answer, &error);
    if (arrived) {
        double now_s = transport->now_s(transport->self);
        const struct flight *flight = &loop->flight[loop->n_answered % loop->setup->outstanding];
        loop->n_answered++;
        if (status == CT_OK && answer.counts) {
            struct ct_sample sample = {.t_s = flight->due_s,
                                       .sent_s = flight->sent_s,
                                       .latency_s = (now_s - flight->sent_s) / 2,
                                       .forward_s = answer.answered_s - flight->sent_s,
                                       .pair = loop->pair,
                                       .from_b = loop->setup->from_b,
                                       .late = flight->late};
            status = loop->record(loop->data, sample);
            if (status != CT_OK)
                ct_fail(&error, status, "no memory for more samples");
        }
    }
    if (status != CT_OK && loop->status == CT_OK) {
        loop->status = status;
        *err = error;
    }
    return arrived;
}

static void step_loop(struct loop *loop, struct ct_error *err)
{
    const struct ct_probe_transport *transport = loop->transport;
    if (is_under_way(loop) && receive_answer(loop, err))
        return;
    if (loop->status != CT_OK)
        loop->sending = false;
    double now_s = transport->now_s(transport->self);
    if (loop->sending && now_s >= loop->setup->end_s)
        give_up_rest(loop);
    bool may_send = loop->sending && !is_full(loop);
    if (may_send && now_s >= loop->due_s)
        send_probe(loop, err);
    else if ((loop->sending || is_under_way(loop)) &&
             !transport->wait(transport->self,
                              may_send ? fmin(loop->due_s, loop->setup->end_s) : INFINITY,
                              is_under_way(loop)))
        loop->sending = false;
}

enum ct_status ct_probe_epoch(const struct ct_probe_transport *transport,
                              const struct ct_probe_setup *setup, uint64_t first_sequence,
                              struct ct_impact_schedule *schedule, uint32_t pair,
                              ct_probe_record *record, void *data, uint64_t *next_sequence_p,
                              struct ct_probe_counts *counts_p, struct ct_error *err)
{
    struct loop loop = {.transport = transport,
                        .setup = setup,
                        .schedule = schedule,
                        .pair = pair,
                        .record = record,
                        .data = data,
                        .flight = calloc(setup->outstanding, sizeof *loop.flight),
                        .first_sequence = first_sequence,
                        .sending = true};
    *counts_p = loop.counts;
    *next_sequence_p = first_sequence;
    if (!loop.flight)
        return ct_fail(err, CT_ENOMEM, "no memory for %zu probes under way", setup->outstanding);
    plan_next(&loop);
    while (loop.sending || is_under_way(&loop))
        step_loop(&loop, err);
    free(loop.flight);
    *counts_p = loop.counts;
    *next_sequence_p = first_sequence + loop.n_sent;
    return loop.status;
}
