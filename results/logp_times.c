#include "results/logp_times.h"

#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Repetitions next to each other: a part of an occasion. */
struct batch {
    size_t begin, end;
};

static bool is_receive(const struct ct_logp_repetition *row)
{
    return row->quantity == CT_LOGP_RECEIVE;
}

static bool is_trip(const struct ct_logp_repetition *row)
{
    return row->quantity == CT_LOGP_SEND || row->quantity == CT_LOGP_ROUND_TRIP;
}

static bool is_of(const struct ct_logp_repetition *row, const struct ct_logp_size *size)
{
    return row->bytes == size->bytes && row->messages == 1 && row->rank_from == size->rank_from &&
           row->rank_to == size->rank_to;
}

typedef bool kind_fn(const struct ct_logp_repetition *row);

/* The next batch of a kind from a place on; begin == end: none is left. */
static struct batch next_batch(const struct ct_logp_repetition *repetitions, size_t n, size_t from,
                               const struct ct_logp_size *size, kind_fn *is_kind)
{
    size_t begin = from;
    while (begin < n && !(is_of(&repetitions[begin], size) && is_kind(&repetitions[begin])))
        begin++;
    size_t end = begin;
    while (end < n && is_of(&repetitions[end], size) && is_kind(&repetitions[end]))
        end++;
    return (struct batch){begin, end};
}

/* Values of one quantity in a batch. @return their number */
static size_t take_values(const struct ct_logp_repetition *repetitions, struct batch batch,
                          enum ct_logp_quantity quantity, double *values_p)
{
    size_t n = 0;
    for (size_t i = batch.begin; i < batch.end; i++)
        if (repetitions[i].quantity == quantity)
            values_p[n++] = repetitions[i].value_s;
    return n;
}

static bool has_median(const double *values, size_t n, double median_s)
{
    const double rounding = 1e-9;
    double found_s;
    return ct_stats_quantile_of((struct ct_series){values, n}, 0.5, &found_s) == CT_OK &&
           fabs(found_s - median_s) <= rounding * fabs(median_s);
}

/* The batch of the quantity whose median is the row's; values_p: room for n. */
static struct batch find_batch(const struct ct_logp_repetition *repetitions, size_t n,
                               const struct ct_logp_size *size, enum ct_logp_quantity quantity,
                               double *values_p, size_t *n_values_p)
{
    kind_fn *is_kind = quantity == CT_LOGP_RECEIVE ? is_receive : is_trip;
    double median_s = quantity == CT_LOGP_RECEIVE ? size->or_s : size->rtt_s;
    struct batch batch = {0, 0};
    for (;;) {
        batch = next_batch(repetitions, n, batch.end, size, is_kind);
        *n_values_p = take_values(repetitions, batch, quantity, values_p);
        if (batch.begin == batch.end || has_median(values_p, *n_values_p, median_s))
            return batch;
    }
}

enum ct_status ct_logp_times_find(const struct ct_logp_repetition *repetitions, size_t n,
                                  const struct ct_logp_size *size, struct ct_logp_times *times_p,
                                  struct ct_error *err)
{
    struct ct_logp_times times = {0};
    size_t room = 1, n_sent;
    for (size_t i = 0; i < n; i++)
        room += is_of(&repetitions[i], size);
    times.send_s = malloc(room * sizeof *times.send_s);
    times.rtt_s = malloc(room * sizeof *times.rtt_s);
    times.recv_s = malloc(room * sizeof *times.recv_s);
    *times_p = times;
    if (!times.send_s || !times.rtt_s || !times.recv_s) {
        ct_logp_times_free(times_p);
        return ct_no_memory(err, "repetitions of a size");
    }
    struct batch trips =
        find_batch(repetitions, n, size, CT_LOGP_ROUND_TRIP, times.rtt_s, &times.n_trips);
    n_sent = take_values(repetitions, trips, CT_LOGP_SEND, times.send_s);
    if (n_sent != times.n_trips)
        times.n_trips = 0;
    find_batch(repetitions, n, size, CT_LOGP_RECEIVE, times.recv_s, &times.n_receives);
    *times_p = times;
    return CT_OK;
}

void ct_logp_times_free(struct ct_logp_times *times)
{
    free(times->send_s);
    free(times->rtt_s);
    free(times->recv_s);
    *times = (struct ct_logp_times){0};
}
