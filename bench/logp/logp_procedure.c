#include "bench/logp/logp_procedure.h"

#include "bench/logp/logp_session.h"
#include "core/array.h"
#include "model/loggp/constants.h"
#include "results/logp_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_logp_method_names[] = {"fast", "saturation", "both", NULL};
const char *const ct_logp_gap_names[] = {"auto", "equation", "back-to-back", NULL};

enum {
    FIRST_POWER_MAX = 18, /* 2^18 B: the sizes that are measured in any case, as in the paper */
    COARSE_DISTANCE = 3,  /* of exponents: 2^3 is less than a decade */
    LEAST_DISTANCE_BYTES = 32
};
/* All repetitions of a small size take well below a millisecond: a disturbance of that length is in
 * all of them, and no median knows. So a size that is off the line and took less than this is
 * measured once more. */
static const double brief_s = 10e-3;
static const double check_tolerance = 0.1;
/* Where the equation is wrong by about an empty round trip, that counts up to so many of them.
 * Where it is wrong by more, trains go on until they are this close to it. */
static const double long_trip = 20, close_frac = 0.05;

/* ---- points ---- */

static bool insert_point(struct ct_logp_session *session, size_t at, struct ct_loggp_point point)
{
    struct ct_logp_result *result = session->result;
    size_t n = (size_t)result->link.n_points;
    if (!CT_ARRAY_RESERVE(result->points, session->points_capacity, n + 1)) {
        session->status = ct_no_memory(session->err, "sizes");
        return false;
    }
    memmove(result->points + at + 1, result->points + at, (n - at) * sizeof *result->points);
    result->points[at] = point;
    result->link.n_points = n + 1;
    return true;
}

static struct ct_loggp_point empty_point(size_t bytes)
{
    const struct ct_estimate none = ct_estimate_none();
    return (struct ct_loggp_point){.bytes = bytes,
                                   .os_s = none,
                                   .or_s = none,
                                   .or_expected_s = none,
                                   .g_s = none,
                                   .g_train_s = none,
                                   .g_saturation_s = none,
                                   .rtt_s = none};
}

/* RTT(m) - RTT(0) + g(0), from RTT(0) = 2 (L + g(0)) and RTT(m) = L + g(m) + L + g(0). */
static struct ct_estimate gap_by_equation(const struct ct_logp_result *result,
                                          struct ct_estimate rtt_s)
{
    struct ct_estimate beyond_s = ct_estimate_combine(1, rtt_s, -1, result->points[0].rtt_s);
    return ct_estimate_combine(1, beyond_s, 1, result->link.g0_s);
}

static struct ct_estimate gap_of_trains(struct ct_logp_session *session,
                                        const struct ct_loggp_point *point)
{
    double equation_s = gap_by_equation(session->result, point->rtt_s).value;
    double about_s = fmax(equation_s, session->result->link.g0_s.value);
    return ct_logp_short_train_gap(session, (size_t)point->bytes, point->rtt_s, about_s);
}

/* Two values of the same gap. Where they contradict each other it is the train's, for what it
 * measures is what a gap is; else the one with the narrower interval. */
static struct ct_estimate better_gap(struct ct_estimate equation_s, struct ct_estimate train_s,
                                     double epsilon)
{
    bool close = fabs(equation_s.value - train_s.value) <= epsilon * fabs(train_s.value);
    bool train_is_better =
        ct_estimate_half_width(train_s) < ct_estimate_half_width(equation_s) && !close;
    return ct_estimate_differ(equation_s, train_s) || train_is_better ? train_s : equation_s;
}

/* Trains of the next smaller size were off the equation. */
static bool was_wrong_before(const struct ct_logp_result *result, uint64_t bytes)
{
    const struct ct_loggp_point *points = result->points;
    size_t n = 0;
    while (n < result->link.n_points && points[n].bytes < bytes)
        n++;
    if (n == 0)
        return false;
    double train_s = points[n - 1].g_train_s.value;
    double equation_s = gap_by_equation(result, points[n - 1].rtt_s).value;
    return fabs(equation_s - train_s) > close_frac * fabs(train_s);
}

static bool needs_trains(const struct ct_logp_session *session, const struct ct_loggp_point *point)
{
    switch (session->setup->gap) {
    case CT_LOGP_GAP_AUTO:
        return point->rtt_s.value < long_trip * session->empty_rtt_s ||
               (!session->is_coarse && was_wrong_before(session->result, point->bytes));
    case CT_LOGP_GAP_EQUATION:
        return false;
    case CT_LOGP_GAP_BACK_TO_BACK:
        break;
    }
    return true;
}

/* g(m) of a point with its round trip and, where there are any, its trains. */
static void settle_gap(const struct ct_logp_session *session, struct ct_loggp_point *point)
{
    struct ct_estimate equation_s = gap_by_equation(session->result, point->rtt_s);
    if (isnan(point->g_train_s.value))
        point->g_s = equation_s;
    else if (session->setup->gap == CT_LOGP_GAP_BACK_TO_BACK)
        point->g_s = point->g_train_s;
    else
        point->g_s = better_gap(equation_s, point->g_train_s, session->setup->epsilon);
}

static void measure_overheads(struct ct_logp_session *session, struct ct_loggp_point *point)
{
    size_t bytes = (size_t)point->bytes;
    ct_logp_warm_up(session, bytes);
    struct ct_logp_trips trips = ct_logp_trips(session, bytes, 1);
    point->os_s = trips.send_s;
    point->rtt_s = trips.total_s;
    point->repetitions = trips.n;
    point->or_s = ct_logp_receives(session, bytes, false);
    ct_logp_begin_part(session, CT_LOGP_PART_EXPECTED);
    point->or_expected_s = ct_logp_receives(session, bytes, true);
}

static struct ct_loggp_point measure_point(struct ct_logp_session *session, size_t bytes)
{
    struct ct_loggp_point point = empty_point(bytes);
    ct_logp_begin_part(session, CT_LOGP_PART_SIZES);
    measure_overheads(session, &point);
    ct_logp_begin_part(session, CT_LOGP_PART_SIZES);
    if (needs_trains(session, &point))
        point.g_train_s = gap_of_trains(session, &point);
    settle_gap(session, &point);
    point.occasions = 1;
    return point;
}

/* ---- L, o, g and G ---- */

/* The last point's. */
static struct ct_estimate gap_per_byte(const struct ct_loggp_point *points, size_t n)
{
    if (n == 0 || points[n - 1].bytes == 0)
        return ct_estimate_none();
    double bytes = (double)points[n - 1].bytes;
    struct ct_estimate gap_s = ct_loggp_gap(&points[n - 1]);
    return (struct ct_estimate){gap_s.value / bytes, {gap_s.ci.lo / bytes, gap_s.ci.hi / bytes}};
}

/* samples: NULL: without intervals. */
static void derive_model(struct ct_logp_session *session, const struct ct_loggp_sample *samples)
{
    const struct ct_logp_setup *setup = session->setup;
    struct ct_logp_result *result = session->result;
    struct ct_logp_link *link = &result->link;
    size_t n = (size_t)link->n_points;
    const struct ct_loggp_resampling resampling = {
        .replicates = (size_t)ct_loggp_constant(CT_LOGGP_REPLICATES),
        .level = setup->level,
        .seed = setup->seed};
    link->gap_per_byte_s = gap_per_byte(result->points, n);
    link->threshold = ct_loggp_find_threshold(result->points, n, setup->epsilon);
    uint64_t S_bytes = ct_loggp_eager_bytes(&link->threshold, result->points, n);
    enum ct_status status = ct_loggp_derive(result->points, samples, n, S_bytes, &resampling,
                                            &link->loggp, session->err);
    if (session->status == CT_OK)
        session->status = status;
}

/* Repetitions of each point. @return false: out of memory */
static bool find_times(const struct ct_logp_result *result, struct ct_logp_times *times,
                       struct ct_loggp_sample *samples)
{
    for (size_t i = 0; i < result->link.n_points; i++) {
        const struct ct_loggp_point *point = &result->points[i];
        const struct ct_logp_size size = {.rank_from = result->link.rank_from,
                                          .rank_to = result->link.rank_to,
                                          .bytes = point->bytes,
                                          .rtt_s = point->rtt_s.value,
                                          .or_s = point->or_s.value};
        if (ct_logp_times_find(result->repetitions, result->n_repetitions, &size, &times[i],
                               NULL) != CT_OK)
            return false;
        samples[i] = (struct ct_loggp_sample){.send_s = times[i].send_s,
                                              .rtt_s = times[i].rtt_s,
                                              .recv_s = times[i].recv_s,
                                              .n_trips = times[i].n_trips,
                                              .n_receives = times[i].n_receives};
    }
    return true;
}

static void derive_with_intervals(struct ct_logp_session *session)
{
    size_t n = (size_t)session->result->link.n_points;
    struct ct_logp_times *times = calloc(n + 1, sizeof *times);
    struct ct_loggp_sample *samples = calloc(n + 1, sizeof *samples);
    if (times && samples && find_times(session->result, times, samples))
        derive_model(session, samples);
    else if (session->status == CT_OK)
        session->status = ct_no_memory(session->err, "intervals of L and G");
    for (size_t i = 0; times && i < n; i++)
        ct_logp_times_free(&times[i]);
    free(times);
    free(samples);
}

/* ---- a size ---- */

static void tell_observer(struct ct_logp_session *session)
{
    if (!session->setup->on_size)
        return;
    ct_logp_begin_part(session, CT_LOGP_PART_OBSERVER);
    derive_model(session, NULL);
    session->setup->on_size(session->setup->observer);
}

/* Measure a size and put it at a place of the list. False: nothing more is to be measured. */
static bool measure_size(struct ct_logp_session *session, size_t at, size_t bytes)
{
    if (ct_logp_is_over(session))
        return false;
    struct ct_loggp_point point = measure_point(session, bytes);
    if (session->status != CT_OK || !insert_point(session, at, point))
        return false;
    tell_observer(session);
    return true;
}

static bool was_brief(const struct ct_loggp_point *point)
{
    return point->repetitions * point->rtt_s.value < brief_s;
}

static bool measure_again(struct ct_logp_session *session, struct ct_loggp_point *point)
{
    if (ct_logp_is_over(session))
        return false;
    struct ct_loggp_point again = measure_point(session, (size_t)point->bytes);
    if (session->status != CT_OK)
        return false;
    if (ct_estimate_differ(again.rtt_s, point->rtt_s) && again.rtt_s.value < point->rtt_s.value)
        *point = again;
    point->occasions = 2;
    return true;
}

static void add_check(struct ct_logp_link *link, uint64_t bytes, struct ct_estimate g_s,
                      struct ct_estimate again_s)
{
    double difference_s = fabs(g_s.value - again_s.value);
    link->checks[link->n_checks++] =
        (struct ct_logp_check){.bytes = bytes,
                               .g_s = g_s,
                               .g_again_s = again_s,
                               .agrees = !ct_estimate_differ(g_s, again_s) ||
                                         difference_s <= check_tolerance * fabs(g_s.value)};
}

/* ---- the empty message: g(0) ---- */

/* The gaps that follow from round trips. */
static void settle_gaps(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    struct ct_logp_link *link = &result->link;
    struct ct_loggp_point *points = result->points;
    points[0].g_s = link->g0_s;
    for (size_t i = 1; i < link->n_points; i++)
        settle_gap(session, &points[i]);
}

static void measure_empty(struct ct_logp_session *session)
{
    struct ct_logp_link *link = &session->result->link;
    ct_logp_begin_part(session, CT_LOGP_PART_EMPTY);
    struct ct_loggp_point point = empty_point(0);
    measure_overheads(session, &point);
    session->empty_rtt_s = point.rtt_s.value;
    ct_logp_begin_part(session, CT_LOGP_PART_EMPTY);
    struct ct_logp_saturation train = ct_logp_saturate(session, 0, point.rtt_s, true);
    if (session->status != CT_OK)
        return;
    link->g0_s = train.g_s;
    link->g0_train = train.n_messages;
    link->g0_is_settled = train.is_settled;
    if (insert_point(session, 0, point))
        settle_gaps(session);
}

/* All gaps rest on RTT(0) and g(0), and L on the smallest sizes: these have a second occasion in
 * any case. */
static bool measure_base_again(struct ct_logp_session *session)
{
    enum { BASE_SIZES = 3 };
    struct ct_logp_result *result = session->result;
    struct ct_logp_link *link = &result->link;
    for (size_t i = 0; i < BASE_SIZES && i < link->n_points; i++)
        if (!measure_again(session, &result->points[i]))
            return false;
    ct_logp_begin_part(session, CT_LOGP_PART_EMPTY);
    struct ct_estimate again_s =
        ct_logp_train_gap(session, 0, link->g0_train, result->points[0].rtt_s);
    if (session->status != CT_OK)
        return false;
    add_check(link, 0, link->g0_s, again_s);
    if (ct_estimate_differ(again_s, link->g0_s) && again_s.value < link->g0_s.value)
        link->g0_s = again_s;
    settle_gaps(session);
    return true;
}

/* ---- which sizes ---- */

/* Exponents in the order in which they are measured: both ends, then the middle of every distance,
 * level by level. */
struct powers {
    int order[FIRST_POWER_MAX + 1];
    int n;
    int n_coarse; /* with these, no two neighbours are further apart than COARSE_DISTANCE */
};

static struct powers order_powers(int last)
{
    struct {
        int from, to;
    } distances[2 * FIRST_POWER_MAX + 2] = {{0, last}};
    struct powers powers = {.order = {0, last}, .n = last > 0 ? 2 : 1};
    powers.n_coarse = powers.n;
    int n_distances = 1;
    for (int i = 0; i < n_distances; i++) {
        int from = distances[i].from, to = distances[i].to, middle = from + (to - from) / 2;
        if (to - from < 2)
            continue;
        powers.order[powers.n++] = middle;
        if (to - from > COARSE_DISTANCE)
            powers.n_coarse = powers.n;
        distances[n_distances].from = from;
        distances[n_distances++].to = middle;
        distances[n_distances].from = middle;
        distances[n_distances++].to = to;
    }
    return powers;
}

static int last_power(size_t max_bytes)
{
    int k = 0;
    while (k < FIRST_POWER_MAX && (size_t)2 << k <= max_bytes)
        k++;
    return k;
}

/* Of what is left, a part for this size and for each of those that follow it. */
static void share_time(struct ct_logp_session *session, int n_left)
{
    double now_s = session->transport->now_s(session->transport->self);
    double left_s = session->start_s + session->setup->time_s - now_s;
    session->share_ends_s = now_s + left_s / n_left;
    session->was_hurried = false;
}

static void end_share(struct ct_logp_session *session)
{
    session->result->link.n_hurried += session->was_hurried;
    session->share_ends_s = INFINITY;
}

static size_t place_of(const struct ct_logp_result *result, size_t bytes)
{
    size_t at = 0;
    while (at < result->link.n_points && result->points[at].bytes < bytes)
        at++;
    return at;
}

/* Whether trains are needed depends on the next smaller size, which may have come later. */
static bool measure_trains(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    for (size_t i = 1; i < result->link.n_points; i++) {
        struct ct_loggp_point *point = &result->points[i];
        if (!isnan(point->g_train_s.value) || !needs_trains(session, point))
            continue;
        if (ct_logp_is_over(session))
            return false;
        ct_logp_begin_part(session, CT_LOGP_PART_SIZES);
        struct ct_estimate train_s = gap_of_trains(session, point);
        if (session->status != CT_OK)
            return false;
        point->g_train_s = train_s;
        settle_gap(session, point);
    }
    return true;
}

static bool measure_first_powers(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    const struct powers powers = order_powers(last_power(session->setup->max_bytes));
    for (int i = 0; i < powers.n; i++)
        result->link.cut_powers |= (uint64_t)1 << powers.order[i];
    share_time(session, powers.n_coarse + 1);
    measure_empty(session);
    end_share(session);
    session->is_coarse = true;
    for (int i = 0; i < powers.n && session->status == CT_OK; i++) {
        size_t bytes = (size_t)1 << powers.order[i];
        if (i < powers.n_coarse)
            share_time(session, powers.n_coarse - i);
        if (!measure_size(session, place_of(result, bytes), bytes))
            return false;
        end_share(session);
        result->link.cut_powers &= ~((uint64_t)1 << powers.order[i]);
    }
    session->is_coarse = false;
    return session->status == CT_OK && measure_trains(session);
}

static bool is_stable(const struct ct_logp_session *session)
{
    const struct ct_logp_result *result = session->result;
    size_t n = (size_t)result->link.n_points;
    return n >= 4 && ct_loggp_gap_misfit(result->points + n - 3, session->setup->epsilon) <= 1;
}

/* Powers of two; beyond 2^18 until the gap per byte is stable. */
static bool measure_powers(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    if (!measure_first_powers(session))
        return false;
    result->link.gap_is_stable = is_stable(session);
    for (int k = FIRST_POWER_MAX + 1; k < (int)(8 * sizeof(size_t)) - 1; k++) {
        size_t bytes = (size_t)1 << k;
        if (bytes > session->setup->max_bytes || result->link.gap_is_stable)
            break;
        result->link.cut_powers |= (uint64_t)1 << k;
        if (!measure_size(session, (size_t)result->link.n_points, bytes))
            return false;
        result->link.cut_powers &= ~((uint64_t)1 << k);
        result->link.gap_is_stable = is_stable(session);
    }
    return true;
}

/* The size that is furthest off the line through the two before it, where there is room between;
 * 0: none. Size 0 is no basis: a message without data may take another way. */
static size_t find_bend(const struct ct_logp_result *result, double epsilon, uint64_t *n_bends_p)
{
    size_t worst = 0;
    double worst_misfit = 1;
    *n_bends_p = 0;
    for (size_t i = 3; i < result->link.n_points; i++) {
        uint64_t below = result->points[i - 1].bytes, here = result->points[i].bytes;
        double misfit = ct_loggp_misfit(result->points + i - 2, epsilon);
        if (misfit <= 1 ||
            (double)(here - below) <= fmax(LEAST_DISTANCE_BYTES, epsilon * (double)here))
            continue;
        *n_bends_p += 1;
        if (misfit > worst_misfit) {
            worst = i;
            worst_misfit = misfit;
        }
    }
    return worst;
}

/* Halve distances where the curve bends, the worst bend first: where bends are more than the sizes
 * allowed, as on a staircase, the steps that matter most are known. */
static void refine_sizes(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    struct ct_logp_link *link = &result->link;
    for (bool goes_on = true; goes_on;) {
        size_t i = find_bend(result, session->setup->epsilon, &link->n_bends);
        struct ct_loggp_point *point = &result->points[i];
        if (i == 0 || link->n_points >= session->setup->max_sizes)
            return;
        uint64_t below = point[-1].bytes;
        if (point->occasions < 2 && was_brief(point))
            goes_on = measure_again(session, point);
        else
            goes_on = measure_size(session, i, (size_t)(below + (point->bytes - below) / 2));
    }
}

/* ---- the check of the assumption ---- */

/* Sizes at equal distances in the list, the largest among them. */
static void check_assumption(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    struct ct_logp_link *link = &result->link;
    if (ct_logp_is_over(session))
        return;
    ct_logp_begin_part(session, CT_LOGP_PART_CHECK);
    size_t n = (size_t)link->n_points;
    for (size_t part = 1; part < CT_LOGP_CHECKS_MAX && n > CT_LOGP_CHECKS_MAX; part++) {
        size_t at = (n - 1) * part / (CT_LOGP_CHECKS_MAX - 1);
        if (ct_logp_is_over(session))
            return;
        /* A fresh round trip, so that both are of the same moment. */
        struct ct_loggp_point point = result->points[at];
        point.rtt_s = ct_logp_trips(session, (size_t)point.bytes, 1).total_s;
        struct ct_estimate again_s = gap_of_trains(session, &point);
        if (session->status == CT_OK)
            add_check(link, point.bytes, gap_by_equation(result, point.rtt_s), again_s);
    }
}

/* ---- saturation ---- */

static void saturate_size(struct ct_logp_session *session, struct ct_loggp_point *point)
{
    size_t bytes = (size_t)point->bytes;
    ct_logp_begin_part(session, CT_LOGP_PART_SATURATION);
    ct_logp_warm_up(session, bytes);
    struct ct_logp_saturation train = ct_logp_saturate(session, bytes, ct_estimate_none(), false);
    point->g_saturation_s = train.g_s;
    point->train = (uint32_t)train.n_messages;
    tell_observer(session);
}

/* The sizes of the fast method, or powers of two where it was not used. */
static void measure_saturation(struct ct_logp_session *session)
{
    struct ct_logp_result *result = session->result;
    if (result->link.n_points == 0) {
        insert_point(session, 0, empty_point(0));
        for (size_t bytes = 1; bytes <= session->setup->max_bytes && session->status == CT_OK;
             bytes *= 2)
            insert_point(session, (size_t)result->link.n_points, empty_point(bytes));
    }
    for (size_t i = 0; i < result->link.n_points && !ct_logp_is_over(session); i++)
        saturate_size(session, &result->points[i]);
}

/* ---- the whole ---- */

static enum ct_status check_setup(const struct ct_logp_setup *setup, struct ct_error *err)
{
    if (!(setup->epsilon > 0 && setup->epsilon < 1))
        return ct_fail(err, CT_EINVAL, "epsilon %g: not between 0 and 1", setup->epsilon);
    if (setup->max_bytes < 1)
        return ct_fail(err, CT_EINVAL, "largest size 0: at least 1 byte is needed");
    return CT_OK;
}

static void measure_fast(struct ct_logp_session *session)
{
    if (measure_powers(session) && measure_base_again(session))
        refine_sizes(session);
    if (session->status == CT_OK)
        check_assumption(session);
}

enum ct_status ct_logp_measure(const struct ct_logp_transport *transport,
                               const struct ct_logp_setup *setup, struct ct_logp_result *result_p,
                               struct ct_error *err)
{
    const struct ct_estimate none = ct_estimate_none();
    *result_p =
        (struct ct_logp_result){.link = {.rank_from = setup->rank_from,
                                         .rank_to = setup->rank_to,
                                         .g0_s = none,
                                         .is_complete = true,
                                         .timer_resolution_s = transport->timer_resolution_s,
                                         .timer_overhead_s = transport->timer_overhead_s}};
    struct ct_logp_link *link = &result_p->link;
    struct ct_logp_session session = {.transport = transport,
                                      .setup = setup,
                                      .result = result_p,
                                      .start_s = transport->now_s(transport->self),
                                      .share_ends_s = INFINITY,
                                      .status = check_setup(setup, err),
                                      .err = err};
    if (session.status == CT_OK && setup->methods != CT_LOGP_ONLY_SATURATION)
        measure_fast(&session);
    if (session.status == CT_OK && setup->methods != CT_LOGP_ONLY_FAST)
        measure_saturation(&session);
    if (session.cost)
        session.cost->elapsed_s += transport->now_s(transport->self);
    link->is_complete = link->is_complete && session.status == CT_OK;
    derive_with_intervals(&session);
    return session.status == CT_EINTR ? CT_OK : session.status;
}

void ct_logp_result_free(struct ct_logp_result *result)
{
    free(result->points);
    free(result->repetitions);
    *result = (struct ct_logp_result){.points = NULL};
}

struct ct_logp_cost ct_logp_cost_of(const struct ct_logp_link *link, enum ct_logp_method method)
{
    if (method == CT_LOGP_SATURATION)
        return link->cost[CT_LOGP_PART_SATURATION];
    const struct ct_logp_cost *empty = &link->cost[CT_LOGP_PART_EMPTY];
    const struct ct_logp_cost *sizes = &link->cost[CT_LOGP_PART_SIZES];
    return (struct ct_logp_cost){.elapsed_s = empty->elapsed_s + sizes->elapsed_s,
                                 .messages = empty->messages + sizes->messages,
                                 .bytes = empty->bytes + sizes->bytes};
}
