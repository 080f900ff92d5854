#include "bench/logp/logp_session.h"

#include "core/array.h"

#include <math.h>
#include <string.h>

enum {
    REPETITIONS_FIRST = 6, /* the least that give a 95 % interval of a median */
    REPETITIONS_SMALL = 60,
    REPETITIONS_LARGE = 15,
    RECEIVES_WAITED_FOR = CT_LOGP_LEAST_REPETITIONS, /* in any case */
    TRAIN_FIRST = 10,
    TRAIN_LAST = TRAIN_FIRST << 16,
    SHORT_TRAIN_FIRST = 2,
    SHORT_TRAIN_LAST = 8,
    TRAINS_WITNESS = 3
};
static const double longest_train_s = 60, longest_repeated_train_s = 1;
/* A train of this length whose gap still changes does so by noise. */
static const double long_train_s = 0.02;
/* A message is large if its transfer takes longer than what an empty message takes. */
static const double large_rtt = 2; /* of an empty message's round trip */
/* How long after asking for it a message is taken for arrived. */
static const double round_trips_waited = 1.1, empty_trips_waited = 2;

/* ---- repetitions ---- */

static bool is_well(const struct ct_logp_session *session)
{
    return session->status == CT_OK;
}

static bool is_large(const struct ct_logp_session *session, double rtt_s)
{
    return session->empty_rtt_s > 0 && rtt_s > large_rtt * session->empty_rtt_s;
}

static void record_value(struct ct_logp_session *session, size_t bytes, uint64_t n_messages,
                         enum ct_logp_quantity quantity, double value_s)
{
    struct ct_logp_result *result = session->result;
    if (!is_well(session))
        return;
    if (!CT_ARRAY_RESERVE(result->repetitions, session->repetitions_capacity,
                          result->n_repetitions + 1)) {
        session->status = ct_no_memory(session->err, "repetitions");
        return;
    }
    result->repetitions[result->n_repetitions++] =
        (struct ct_logp_repetition){.bytes = bytes,
                                    .messages = (uint32_t)n_messages,
                                    .rank_from = session->setup->rank_from,
                                    .rank_to = session->setup->rank_to,
                                    .quantity = (uint8_t)quantity,
                                    .value_s = value_s};
}

static struct ct_estimate median_of(const struct ct_logp_session *session, const double *x,
                                    size_t n)
{
    double sorted[REPETITIONS_SMALL];
    memcpy(sorted, x, n * sizeof *x);
    return ct_estimate_median(sorted, n, session->setup->level);
}

/* An error counts relative to the value, or, of an overhead that may be a small part of a large
 * message's round trip, to that. */
static bool is_known(const struct ct_logp_session *session, const double *x, size_t n,
                     double relative_to_s)
{
    struct ct_estimate median = median_of(session, x, n);
    double scale_s = fmax(fabs(median.value), relative_to_s);
    return !isnan(median.ci.lo) &&
           ct_estimate_half_width(median) <= session->setup->epsilon * scale_s;
}

static bool is_limited(const struct ct_logp_session *session)
{
    return isfinite(session->share_ends_s);
}

/* How many repetitions to have after the next batch. The first one of a size whose time is limited
 * is as small as it may be. */
static size_t next_target(const struct ct_logp_session *session, size_t n, size_t bound)
{
    size_t target = n < REPETITIONS_FIRST ? REPETITIONS_FIRST : n + n / 2;
    if (n == 0 && is_limited(session))
        target = CT_LOGP_LEAST_REPETITIONS;
    return target < bound ? target : bound;
}

/* The size has had its part of the time. */
static bool is_hurried(struct ct_logp_session *session, size_t n)
{
    const struct ct_logp_transport *t = session->transport;
    if (n < CT_LOGP_LEAST_REPETITIONS || !is_limited(session) ||
        t->now_s(t->self) < session->share_ends_s)
        return false;
    session->was_hurried = true;
    return true;
}

/* ---- what the procedure asks for ---- */

static void run_trips(struct ct_logp_session *session, size_t bytes, uint64_t n_messages,
                      size_t count, struct ct_logp_trip *trips_p)
{
    const struct ct_logp_transport *t = session->transport;
    if (!is_well(session))
        return;
    session->status = t->train(t->self, bytes, n_messages, count, trips_p, session->err);
    session->cost->messages += count * (n_messages + 1);
    session->cost->bytes += count * n_messages * bytes;
    for (size_t i = 0; i < count && is_well(session); i++) {
        trips_p[i].send_s -= t->timer_overhead_s;
        trips_p[i].total_s -= 2 * t->timer_overhead_s;
        record_value(session, bytes, n_messages, CT_LOGP_SEND, trips_p[i].send_s);
        record_value(session, bytes, n_messages, CT_LOGP_ROUND_TRIP, trips_p[i].total_s);
    }
}

struct ct_logp_trips ct_logp_trips(struct ct_logp_session *session, size_t bytes,
                                   uint64_t n_messages)
{
    struct ct_logp_trip trips[REPETITIONS_SMALL];
    double send_s[REPETITIONS_SMALL], total_s[REPETITIONS_SMALL];
    size_t n = 0, bound = n_messages == 1 ? REPETITIONS_SMALL : REPETITIONS_LARGE;
    bool is_single = n_messages == 1, known = false;
    while (n < bound && !known && !is_hurried(session, n)) {
        size_t target = next_target(session, n, bound);
        run_trips(session, bytes, n_messages, target - n, trips);
        if (!is_well(session))
            return (struct ct_logp_trips){ct_estimate_none(), ct_estimate_none(), 0};
        for (size_t i = 0; n < target; i++, n++) {
            send_s[n] = trips[i].send_s;
            total_s[n] = trips[i].total_s;
        }
        double rtt_s = median_of(session, total_s, n).value, whole_s = 0;
        if (is_single && is_large(session, rtt_s)) {
            bound = REPETITIONS_LARGE;
            whole_s = rtt_s;
        }
        known = is_known(session, total_s, n, 0) &&
                (!is_single || is_known(session, send_s, n, whole_s));
    }
    session->median_trip_s = median_of(session, total_s, n).value;
    session->fastest_trip_s = total_s[0];
    for (size_t i = 1; i < n; i++)
        session->fastest_trip_s = fmin(session->fastest_trip_s, total_s[i]);
    return (struct ct_logp_trips){median_of(session, send_s, n), median_of(session, total_s, n),
                                  (uint32_t)n};
}

/* Messages that go by rendezvous stay with the sender until they are received, so the receive takes
 * about as long as the round trip, and to wait for them is of no use. */
static bool is_waited_in_vain(const double *receive_s, size_t n, double rtt_s)
{
    double least_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        least_s = fmin(least_s, receive_s[i]);
    return n >= RECEIVES_WAITED_FOR && least_s > rtt_s / 2;
}

static void run_receives(struct ct_logp_session *session, size_t bytes, bool expected,
                         double wait_s, size_t count, double *receive_s)
{
    const struct ct_logp_transport *t = session->transport;
    double overhead_s = t->timer_overhead_s * (expected ? 2 : 1);
    session->status = t->receive(t->self, bytes, wait_s, expected, count, receive_s, session->err);
    session->cost->messages += 2 * count;
    session->cost->bytes += count * bytes;
    for (size_t i = 0; i < count && is_well(session); i++) {
        receive_s[i] -= overhead_s;
        record_value(session, bytes, 1, expected ? CT_LOGP_RECEIVE_EXPECTED : CT_LOGP_RECEIVE,
                     receive_s[i]);
    }
}

struct ct_estimate ct_logp_receives(struct ct_logp_session *session, size_t bytes, bool expected)
{
    double receive_s[REPETITIONS_SMALL];
    double rtt_s = session->median_trip_s;
    bool large = is_large(session, rtt_s), known = false;
    size_t n = 0, bound = large ? REPETITIONS_LARGE : REPETITIONS_SMALL;
    double handshake_s = empty_trips_waited * session->empty_rtt_s;
    while (n < bound && !known && is_well(session) && !is_hurried(session, n)) {
        bool in_vain = large && is_waited_in_vain(receive_s, n, rtt_s);
        double wait_s = handshake_s + (in_vain ? 0 : round_trips_waited * rtt_s);
        size_t target = large && n == 0 ? RECEIVES_WAITED_FOR : next_target(session, n, bound);
        run_receives(session, bytes, expected, wait_s, target - n, receive_s + n);
        n = target;
        known = is_known(session, receive_s, n, large ? rtt_s : 0);
    }
    return is_well(session) ? median_of(session, receive_s, n) : ct_estimate_none();
}

void ct_logp_warm_up(struct ct_logp_session *session, size_t bytes)
{
    const struct ct_logp_transport *t = session->transport;
    struct ct_logp_trip trip;
    for (uint64_t i = 0; i < session->setup->n_warmup && is_well(session); i++) {
        session->status = t->train(t->self, bytes, 1, 1, &trip, session->err);
        session->cost->messages += 2;
        session->cost->bytes += bytes;
    }
}

/* ---- saturation ---- */

static struct ct_estimate gap_of(struct ct_estimate train_s, struct ct_estimate rtt_s,
                                 uint64_t n_messages)
{
    double further = (double)(n_messages - 1);
    return ct_estimate_combine(1 / further, train_s, -1 / further, rtt_s);
}

struct ct_estimate ct_logp_train_gap(struct ct_logp_session *session, size_t bytes,
                                     uint64_t n_messages, struct ct_estimate rtt_s)
{
    return gap_of(ct_logp_trips(session, bytes, n_messages).total_s, rtt_s, n_messages);
}

struct ct_estimate ct_logp_short_train_gap(struct ct_logp_session *session, size_t bytes,
                                           struct ct_estimate rtt_s, double g_about_s)
{
    /* A train and a round trip are about equally noisy: the error is that of both, shared by n - 1.
     */
    double noise_s = M_SQRT2 * ct_estimate_half_width(rtt_s);
    double further = noise_s / (session->setup->epsilon * g_about_s);
    uint64_t n = SHORT_TRAIN_FIRST;
    while (n < SHORT_TRAIN_LAST && (double)(n - 1) < further)
        n *= 2;
    return ct_logp_train_gap(session, bytes, n, rtt_s);
}

static struct ct_estimate single_trip(struct ct_logp_session *session, size_t bytes,
                                      uint64_t n_messages)
{
    struct ct_estimate total_s = ct_estimate_none();
    struct ct_logp_trip trip;
    run_trips(session, bytes, n_messages, 1, &trip);
    if (is_well(session))
        total_s.value = trip.total_s;
    return total_s;
}

/* A gap that did not settle: one of the trains was disturbed. The paper doubles on; the median
 * of trains of the same length takes less. */
static double gap_by_witnesses(struct ct_logp_session *session, size_t bytes,
                               struct ct_estimate rtt_s, const struct ct_logp_saturation *found)
{
    double gaps_s[TRAINS_WITNESS] = {found->g_s.value}, median_s = NAN;
    for (size_t i = 1; i < TRAINS_WITNESS && is_well(session); i++)
        gaps_s[i] =
            gap_of(single_trip(session, bytes, found->n_messages), rtt_s, found->n_messages).value;
    ct_stats_sort(gaps_s, TRAINS_WITNESS);
    ct_stats_quantile(gaps_s, TRAINS_WITNESS, 0.5, &median_s);
    return median_s;
}

struct ct_logp_saturation ct_logp_saturate(struct ct_logp_session *session, size_t bytes,
                                           struct ct_estimate rtt_s, bool repeat)
{
    double epsilon = session->setup->epsilon;
    double longest_s = repeat ? longest_repeated_train_s : longest_train_s;
    struct ct_logp_saturation found = {.g_s = ct_estimate_none()};
    /* Not the median: one that was disturbed would ask for trains without end. */
    bool known = !isnan(rtt_s.value);
    rtt_s = known ? rtt_s : single_trip(session, bytes, 1);
    double fastest_s = known ? session->fastest_trip_s : rtt_s.value;
    for (uint64_t n = TRAIN_FIRST; n <= TRAIN_LAST; n *= 2) {
        double before_s = found.g_s.value;
        struct ct_estimate train_s = single_trip(session, bytes, n);
        if (!is_well(session))
            return (struct ct_logp_saturation){.g_s = ct_estimate_none()};
        found.g_s = gap_of(train_s, rtt_s, n);
        found.n_messages = n;
        bool is_long = fastest_s < epsilon * train_s.value;
        bool stands = fabs(found.g_s.value - before_s) <= epsilon * fabs(found.g_s.value);
        found.is_settled = is_long && stands;
        if ((is_long && (stands || train_s.value > long_train_s)) ||
            2 * train_s.value > longest_s || ct_logp_is_over(session) ||
            is_hurried(session, CT_LOGP_LEAST_REPETITIONS))
            break;
    }
    if (repeat && is_well(session))
        found.g_s = ct_logp_train_gap(session, bytes, found.n_messages, rtt_s);
    else if (!found.is_settled && is_well(session) && !ct_logp_is_over(session))
        found.g_s.value = gap_by_witnesses(session, bytes, rtt_s, &found);
    return is_well(session) ? found : (struct ct_logp_saturation){.g_s = ct_estimate_none()};
}

/* ---- accounts ---- */

void ct_logp_begin_part(struct ct_logp_session *session, enum ct_logp_part part)
{
    double now_s = session->transport->now_s(session->transport->self);
    struct ct_logp_cost *cost = session->result->link.cost;
    /* Elapsed times are sums of end - start: each part is entered and left many times. */
    if (session->cost)
        session->cost->elapsed_s += now_s;
    session->cost = &cost[part];
    session->cost->elapsed_s -= now_s;
}

bool ct_logp_is_over(struct ct_logp_session *session)
{
    double now_s = session->transport->now_s(session->transport->self);
    if (is_well(session) && now_s - session->start_s < session->setup->time_s)
        return false;
    session->result->link.is_complete = false;
    return true;
}
