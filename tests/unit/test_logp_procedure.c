/* The procedure on simulated networks whose parameters are known. */
#include "bench/logp/logp_procedure.h"
#include "tests/unit/simulated_logp.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define assert_holds(estimate, truth, bytes)                                                       \
    do {                                                                                           \
        struct ct_estimate e_ = (estimate);                                                        \
        double t_ = (truth);                                                                       \
        if (!sim_holds(e_, t_))                                                                    \
            fail_msg("%s of %llu B: %.9g [%.9g, %.9g] is not %.9g", #estimate,                     \
                     (unsigned long long)(bytes), e_.value, e_.ci.lo, e_.ci.hi, t_);               \
    } while (0)

static void assert_recovered(const struct sim_network *network, const struct ct_logp_result *result)
{
    assert_holds(result->link.g0_s, sim_g_s(network, 0), 0);
    for (size_t i = 0; i < result->link.n_points; i++) {
        const struct ct_loggp_point *point = &result->points[i];
        double m = (double)point->bytes;
        assert_holds(point->os_s, sim_os_s(network, m), point->bytes);
        assert_holds(point->or_s, sim_or_s(network, m), point->bytes);
        assert_holds(point->or_expected_s, sim_or_expected_s(network, m), point->bytes);
        assert_holds(point->g_s, sim_g_s(network, m), point->bytes);
        assert_holds(point->rtt_s,
                     2 * network->latency_s + sim_g_s(network, m) + sim_g_s(network, 0),
                     point->bytes);
    }
}

static void a_straight_network_is_recovered_from_few_sizes(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_result result = sim_measure(&network, sim_setup());
    assert_recovered(&network, &result);
    assert_int_equal(result.link.n_points, 1 + 19); /* 0 and 2^0 to 2^18 */
    assert_true(result.link.gap_is_stable && result.link.is_complete && result.link.g0_is_settled);
    assert_false(result.link.threshold.found);
    double g1_s = sim_g_s(&network, 1), os_s = sim_os_s(&network, 1), or_s = sim_or_s(&network, 1);
    assert_near(result.link.loggp.L_s.value, network.latency_s + g1_s - os_s - or_s, 1e-10);
    assert_holds(result.link.loggp.o_s, (os_s + or_s) / 2, 1);
    assert_holds(result.link.loggp.g_s, g1_s, 1);
    assert_near(result.link.loggp.G_s_per_byte.value, 0.03e-9, 1e-15);
    ct_logp_result_free(&result);
}

/* With wide intervals none of a few hundred may miss; the seed is fixed. */
static void a_noisy_network_is_recovered_within_its_intervals(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.noise = 0.02;
    network.outlier_frac = 0.02;
    network.g.kink_bytes = 20000;
    network.g.per_byte_beyond_s = 0.4e-9;
    network.eager_bytes = 70000;
    network.handshake_s = 12e-6;
    struct ct_logp_setup wide = sim_setup();
    wide.level = 0.9995;
    struct ct_logp_result result = sim_measure(&network, wide);
    assert_recovered(&network, &result);
    ct_logp_result_free(&result);
}

/* Share of true values inside their 95 % intervals, over networks that differ by their noise. */
static void slow_intervals_hold_the_share_that_they_promise(void **state)
{
    (void)state;
    skip_if_sanitized();
    size_t n = 0, inside = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct sim_network network = sim_network();
        network.noise = 0.03;
        network.random = seed * 7919;
        struct ct_logp_setup small = sim_setup();
        small.max_bytes = 65536;
        struct ct_logp_result result = sim_measure(&network, small);
        for (size_t i = 0; i < result.link.n_points; i++) {
            const struct ct_loggp_point *point = &result.points[i];
            double m = (double)point->bytes;
            inside += sim_holds(point->os_s, sim_os_s(&network, m));
            inside += sim_holds(point->or_s, sim_or_s(&network, m));
            n += 2;
        }
        ct_logp_result_free(&result);
    }
    if ((double)inside < 0.9 * (double)n)
        fail_msg("%zu of %zu true values are inside", inside, n);
}

static void a_kink_is_closed_in(void **state)
{
    (void)state;
    const double kinks[] = {3000, 20000, 100000};
    for (size_t k = 0; k < sizeof kinks / sizeof *kinks; k++) {
        struct sim_network network = sim_network();
        network.g.kink_bytes = kinks[k];
        network.g.per_byte_beyond_s = 2e-9;
        struct ct_logp_result result = sim_measure(&network, sim_setup());
        assert_recovered(&network, &result);
        double below = 0, above = INFINITY;
        for (size_t i = 0; i < result.link.n_points; i++) {
            double m = (double)result.points[i].bytes;
            below = m <= kinks[k] ? fmax(below, m) : below;
            above = m >= kinks[k] ? fmin(above, m) : above;
        }
        /* The point after the kink may be on the line within epsilon: then it is not halved. */
        if (above - below > fmax(32, 0.03 * kinks[k]))
            fail_msg("kink at %g B: nearest sizes are %g and %g", kinks[k], below, above);
        assert_false(result.link.threshold.found);
        ct_logp_result_free(&result);
    }
}

static void the_rendezvous_threshold_is_found(void **state)
{
    (void)state;
    const double thresholds[] = {1000, 8192, 65536, 130000};
    for (size_t k = 0; k < 8; k++) {
        struct sim_network network = sim_network();
        network.eager_bytes = thresholds[k % 4];
        network.handshake_s = 11e-6;
        network.noise = k < 4 ? 0 : 0.01;
        network.g.kink_bytes = 4000;
        network.g.per_byte_beyond_s = 0.15e-9;
        struct ct_logp_result result = sim_measure(&network, sim_setup());
        struct ct_loggp_threshold found = result.link.threshold;
        double eager = (double)found.eager_bytes, rendezvous = (double)found.rendezvous_bytes;
        assert_true(found.found);
        if (!(eager <= network.eager_bytes && network.eager_bytes < rendezvous) ||
            rendezvous - eager > fmax(32, 0.01 * rendezvous))
            fail_msg("S = %g B: found between %g and %g", network.eager_bytes, eager, rendezvous);
        assert_true(found.confidence > 0.95);
        assert_near(found.jump_s, network.handshake_s, 2e-6);
        ct_logp_result_free(&result);
    }
}

static void the_worst_bends_come_first(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.eager_bytes = 8192;
    network.handshake_s = 11e-6;
    network.os.kink_bytes = 300; /* a small bend, and long before the threshold */
    network.os.per_byte_beyond_s = 0.5e-9;
    struct ct_logp_setup few = sim_setup();
    few.max_sizes = 20 + 8; /* the powers of two, and what halving 8192 to 128 takes */
    struct ct_logp_result result = sim_measure(&network, few);
    assert_int_equal(result.link.n_points, few.max_sizes);
    assert_true(result.link.n_bends > 0 && result.link.is_complete);
    assert_int_equal(result.link.threshold.eager_bytes, 8192);
    assert_true(result.link.threshold.rendezvous_bytes - 8192 <= 256);
    ct_logp_result_free(&result);
}

static void slow_noise_alone_is_no_threshold_and_asks_for_few_sizes(void **state)
{
    (void)state;
    size_t n_points = 0, n_found = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct sim_network network = sim_network();
        network.noise = 0.05;
        network.outlier_frac = 0.03;
        network.random = seed;
        struct ct_logp_result result = sim_measure(&network, sim_setup());
        n_found += result.link.threshold.found;
        n_points += result.link.n_points;
        ct_logp_result_free(&result);
    }
    assert_int_equal(n_found, 0);
    assert_true(n_points < 20 * 60);
}

static void sizes_are_extended_until_the_gap_is_stable(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.g.kink_bytes = 400000;
    network.g.per_byte_beyond_s = 0.3e-9;
    struct ct_logp_setup wide = sim_setup();
    wide.max_bytes = (size_t)1 << 26;
    struct ct_logp_result result = sim_measure(&network, wide);
    uint64_t largest = result.points[result.link.n_points - 1].bytes;
    assert_int_equal(largest, 1 << 18); /* straight up to there: nothing is known of what follows */
    ct_logp_result_free(&result);

    network = sim_network();
    network.g.kink_bytes = 200000;
    network.g.per_byte_beyond_s = 0.3e-9;
    result = sim_measure(&network, wide);
    largest = result.points[result.link.n_points - 1].bytes;
    assert_true(largest > 1 << 18 && largest <= 1 << 21);
    assert_true(result.link.gap_is_stable);
    ct_logp_result_free(&result);

    wide.max_bytes = 1 << 19;
    result = sim_measure(&network, wide);
    assert_int_equal(result.points[result.link.n_points - 1].bytes, 1 << 19);
    assert_false(result.link.gap_is_stable);
    ct_logp_result_free(&result);
}

static void both_methods_agree_and_the_fast_one_is_cheaper(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.noise = 0.002;
    struct ct_logp_setup both = sim_setup();
    both.methods = CT_LOGP_BOTH;
    struct ct_logp_result result = sim_measure(&network, both);
    for (size_t i = 1; i < result.link.n_points; i++) {
        const struct ct_loggp_point *point = &result.points[i];
        assert_near(point->g_saturation_s.value, sim_g_s(&network, (double)point->bytes),
                    0.02 * sim_g_s(&network, (double)point->bytes));
        assert_true(point->train >= 20);
    }
    struct ct_logp_cost fast = ct_logp_cost_of(&result.link, CT_LOGP_FAST);
    struct ct_logp_cost slow = ct_logp_cost_of(&result.link, CT_LOGP_SATURATION);
    assert_true(slow.bytes > 10 * fast.bytes);
    assert_true(slow.messages > fast.messages);
    /* Every message and every second is on one account. */
    uint64_t messages = 0, bytes = 0;
    double elapsed_s = 0;
    for (size_t part = 0; part < CT_LOGP_N_PARTS; part++) {
        messages += result.link.cost[part].messages;
        bytes += result.link.cost[part].bytes;
        elapsed_s += result.link.cost[part].elapsed_s;
    }
    assert_int_equal(messages, network.n_messages);
    assert_int_equal(bytes, network.n_bytes);
    assert_near(elapsed_s, network.now_s, 1e-6 * network.now_s);
    ct_logp_result_free(&result);
}

static void saturation_alone_measures_gaps_of_powers_of_two(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_setup alone = sim_setup();
    alone.methods = CT_LOGP_ONLY_SATURATION;
    struct ct_logp_result result = sim_measure(&network, alone);
    assert_int_equal(result.link.n_points, 1 + 21);
    for (size_t i = 0; i < result.link.n_points; i++) {
        assert_true(isnan(result.points[i].os_s.value) && isnan(result.points[i].g_s.value));
        assert_near(result.points[i].g_saturation_s.value,
                    sim_g_s(&network, (double)result.points[i].bytes), 1e-12);
    }
    assert_near(result.link.loggp.g_s.value, sim_g_s(&network, 1), 1e-12);
    assert_true(isnan(result.link.loggp.L_s.value));
    ct_logp_result_free(&result);
}

static void the_assumption_is_checked(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.noise = 0.005;
    struct ct_logp_result result = sim_measure(&network, sim_setup());
    assert_int_equal(result.link.n_checks, CT_LOGP_CHECKS_MAX);
    for (size_t i = 0; i < result.link.n_checks; i++)
        assert_true(result.link.checks[i].agrees);
    ct_logp_result_free(&result);

    /* A link that passes 3 kB at once when it was idle: a lone message seems to cost less. */
    network.g.per_byte_s = 100e-9;
    network.free_bytes = 3000;
    result = sim_measure(&network, sim_setup());
    const struct ct_logp_check *middle = &result.link.checks[3];
    assert_in_range(middle->bytes, 512, 131072);
    assert_false(middle->agrees);
    assert_true(middle->g_again_s.value > 1.05 * middle->g_s.value);
    ct_logp_result_free(&result);

    /* A second message right behind the first shows the true gap. */
    struct ct_logp_setup behind = sim_setup();
    behind.gap = CT_LOGP_GAP_BACK_TO_BACK;
    network.noise = 0;
    result = sim_measure(&network, behind);
    for (size_t i = 1; i < result.link.n_points; i++)
        if (result.points[i].bytes > 3000)
            assert_near(result.points[i].g_s.value,
                        sim_g_s(&network, (double)result.points[i].bytes),
                        0.001 * result.points[i].g_s.value);
    ct_logp_result_free(&result);

    network = sim_network();
    network.drift_per_train = 0.01;
    result = sim_measure(&network, sim_setup());
    assert_int_equal(result.link.checks[0].bytes, 0);
    assert_false(result.link.checks[0].agrees);
    ct_logp_result_free(&result);
}

/* By default: the equation where it holds, trains where it does not. */
static void trains_know_better_where_a_lone_message_is_another(void **state)
{
    (void)state;
    struct ct_logp_setup automatic = sim_setup();
    automatic.gap = CT_LOGP_GAP_AUTO;
    automatic.max_bytes = 1 << 18;
    for (int bucket = 0; bucket <= 1; bucket++) {
        struct sim_network network = sim_network();
        network.noise = 0.005;
        network.g.per_byte_s = 100e-9;
        network.free_bytes = bucket ? 1600 : 0;
        struct ct_logp_result result = sim_measure(&network, automatic);
        double most = 0;
        for (size_t i = 1; i < result.link.n_points; i++) {
            const struct ct_loggp_point *point = &result.points[i];
            double truth_s = sim_g_s(&network, (double)point->bytes);
            most = fmax(most, point->bytes > 1024 ? fabs(point->g_s.value / truth_s - 1) : 0);
            /* Only as far as the equation is wrong, or an empty round trip counts. */
            if (point->bytes > (bucket ? 65536 : 4096))
                assert_true(isnan(point->g_train_s.value));
        }
        if (most > (bucket ? 0.1 : 0.03))
            fail_msg("%s bucket: g is off by %g", bucket ? "with" : "without", most);
        ct_logp_result_free(&result);
    }
}

struct observer {
    const struct ct_logp_result *result;
    size_t n_told, n_points;
};

static void look(void *self)
{
    struct observer *observer = self;
    const struct ct_logp_link *link = &observer->result->link;
    assert_true(link->n_points >= observer->n_points && link->n_points >= 2);
    assert_true(link->loggp.L_s.value > 0);
    assert_true(link->n_points < 10 || link->loggp.G_s_per_byte.value > 0);
    observer->n_points = (size_t)link->n_points;
    observer->n_told++;
}

static void an_observer_sees_every_size(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_transport transport = sim_transport(&network);
    struct ct_logp_result result;
    struct observer observer = {.result = &result};
    struct ct_logp_setup observed = sim_setup();
    observed.methods = CT_LOGP_BOTH;
    observed.on_size = look;
    observed.observer = &observer;
    assert_int_equal(ct_logp_measure(&transport, &observed, &result, NULL), CT_OK);
    assert_int_equal(observer.n_told, result.link.n_points - 1 + result.link.n_points);
    ct_logp_result_free(&result);
}

static void every_repetition_is_kept(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    network.noise = 0.02;
    struct ct_logp_result result = sim_measure(&network, sim_setup());
    size_t of_1k[4] = {0};
    for (size_t i = 0; i < result.n_repetitions; i++) {
        const struct ct_logp_repetition *row = &result.repetitions[i];
        assert_int_equal(row->rank_from, 3);
        assert_int_equal(row->rank_to, 5);
        if (row->bytes == 1024 && row->messages == 1)
            of_1k[row->quantity]++;
    }
    const struct ct_loggp_point *point = result.points;
    while (point->bytes != 1024)
        point++;
    assert_true(point->repetitions >= 6 && point->repetitions <= 60);
    assert_true(of_1k[CT_LOGP_SEND] >= point->repetitions); /* on one occasion, or on two */
    assert_int_equal(of_1k[CT_LOGP_ROUND_TRIP], of_1k[CT_LOGP_SEND]);
    assert_true(of_1k[CT_LOGP_RECEIVE] >= 6 && of_1k[CT_LOGP_RECEIVE_EXPECTED] >= 6);
    ct_logp_result_free(&result);
}

static void repetitions_follow_the_noise_up_to_their_bounds(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_setup small = sim_setup();
    small.max_bytes = 1 << 17;
    struct ct_logp_result quiet = sim_measure(&network, small);
    network = sim_network();
    network.noise = 0.3;
    struct ct_logp_result loud = sim_measure(&network, small);
    for (size_t i = 0; i < quiet.link.n_points; i++)
        assert_int_equal(quiet.points[i].repetitions, 6);
    for (size_t i = 0; i < loud.link.n_points; i++) {
        double empty_trips = loud.points[i].rtt_s.value / loud.points[0].rtt_s.value;
        if (fabs(empty_trips - 2) > 0.5)
            assert_int_equal(loud.points[i].repetitions, empty_trips < 2 ? 60 : 15);
    }
    ct_logp_result_free(&quiet);
    ct_logp_result_free(&loud);
}

/* No message is waited for that comes only when it is received. */
static void rendezvous_is_not_waited_for(void **state)
{
    (void)state;
    double waited_s[2];
    for (int late = 0; late <= 1; late++) {
        struct sim_network network = sim_network();
        network.eager_bytes = 8192;
        network.handshake_s = 11e-6;
        network.noise = 0.002;
        network.g.per_byte_s = 10e-9;
        network.late_transfer = late != 0;
        struct ct_logp_result result = sim_measure(&network, sim_setup());
        const struct ct_loggp_point *last = &result.points[result.link.n_points - 1];
        double m = (double)last->bytes;
        double expected_s = sim_or_s(&network, m) + (late ? sim_g_s(&network, m) : 0);
        assert_near(last->or_s.value, expected_s, 0.01 * expected_s);
        waited_s[late] = network.waited_s;
        ct_logp_result_free(&result);
    }
    assert_true(waited_s[1] < 0.8 * waited_s[0]);
}

static void bad_setups_are_refused(void **state)
{
    (void)state;
    const double epsilons[] = {0, -0.1, 1, NAN};
    struct sim_network network = sim_network();
    struct ct_logp_transport transport = sim_transport(&network);
    struct ct_logp_result result;
    struct ct_error err;
    for (size_t i = 0; i < 4; i++) {
        struct ct_logp_setup bad = sim_setup();
        bad.epsilon = epsilons[i];
        assert_int_equal(ct_logp_measure(&transport, &bad, &result, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, "epsilon"));
        ct_logp_result_free(&result);
    }
    struct ct_logp_setup bad = sim_setup();
    bad.max_bytes = 0;
    assert_int_equal(ct_logp_measure(&transport, &bad, &result, &err), CT_EINVAL);
    ct_logp_result_free(&result);
    assert_int_equal(network.n_messages, 0);
}

static void an_error_or_an_interruption_keeps_what_was_measured(void **state)
{
    (void)state;
    const enum ct_status failures[] = {CT_ETIMEOUT, CT_EINTR};
    for (size_t k = 0; k < 2; k++) {
        struct ct_logp_result result;
        struct ct_error err = {.text = ""};
        struct ct_logp_setup any = sim_setup();
        for (uint64_t after = 1; after < 20000; after = after * 3 + 1) {
            struct sim_network network = sim_network();
            network.fail_after = after;
            network.failure = failures[k];
            struct ct_logp_transport transport = sim_transport(&network);
            enum ct_status status = ct_logp_measure(&transport, &any, &result, &err);
            if (network.n_messages > after) {
                assert_int_equal(status, failures[k] == CT_EINTR ? CT_OK : failures[k]);
                assert_false(result.link.is_complete);
            }
            ct_logp_result_free(&result);
        }
    }
}

static void the_time_limit_ends_the_procedure(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_setup brief = sim_setup();
    brief.methods = CT_LOGP_BOTH;
    brief.time_s = 0.05;
    struct ct_logp_result result = sim_measure(&network, brief);
    assert_false(result.link.is_complete);
    assert_true(result.link.n_points >= 1);
    assert_true(network.now_s < 0.5);
    ct_logp_result_free(&result);
}

/* 1.6 Mbit/s with 18 ms, where a quarter of a megabyte takes 1.3 s, and all sizes eight minutes. In
 * ascending order 100 s do not come to the larger ones. */
static void a_short_measurement_has_every_decade(void **state)
{
    (void)state;
    const double times_s[] = {60, 100, 200};
    double before = INFINITY;
    for (size_t k = 0; k < sizeof times_s / sizeof *times_s; k++) {
        struct sim_network network = sim_network();
        network.by_steps = true;
        network.latency_s = 18e-3;
        network.wire_per_byte_s = 5e-6;
        network.noise = 0.05;
        struct ct_logp_setup brief = sim_setup();
        brief.gap = CT_LOGP_GAP_AUTO;
        brief.time_s = times_s[k];
        struct ct_logp_result result = sim_measure(&network, brief);
        const struct ct_logp_link *link = &result.link;
        assert_false(link->is_complete);
        assert_true(link->cut_powers > 0);
        bool has[6] = {false};
        for (size_t i = 1; i < link->n_points; i++) {
            assert_true(result.points[i].bytes > result.points[i - 1].bytes);
            has[(size_t)log10((double)result.points[i].bytes)] = true;
            if ((result.points[i].bytes & (result.points[i].bytes - 1)) == 0)
                assert_int_equal(link->cut_powers & result.points[i].bytes, 0);
        }
        for (size_t decade = 0; decade < 6; decade++)
            if (!has[decade])
                fail_msg("%g s: no size of 1e%zu", times_s[k], decade);
        assert_true(link->n_hurried > 0 && (double)link->n_hurried <= before);
        before = (double)link->n_hurried;
        assert_true(network.now_s < 1.3 * times_s[k] + 20);
        double G_s = link->loggp.G_s_per_byte.value;
        assert_true(G_s > 4.5e-6 && G_s < 5.5e-6);
        ct_logp_result_free(&result);
    }
}

/* A quick network has time for all: nothing is cut, and all sizes that there were before are there.
 */
static void a_whole_measurement_lacks_nothing(void **state)
{
    (void)state;
    struct sim_network network = sim_network();
    struct ct_logp_setup odd = sim_setup();
    for (odd.max_bytes = 1; odd.max_bytes < 3000; odd.max_bytes = odd.max_bytes * 3 + 1) {
        struct ct_logp_result result = sim_measure(&network, odd);
        assert_true(result.link.is_complete && result.link.cut_powers == 0);
        size_t n = 1;
        for (size_t bytes = 1; bytes <= odd.max_bytes; bytes *= 2, n++)
            assert_int_equal(result.points[n].bytes, bytes);
        assert_int_equal(result.link.n_points, n);
        assert_int_equal(result.link.n_hurried, 0);
        ct_logp_result_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_network_is_recovered_from_few_sizes),
        cmocka_unit_test(a_noisy_network_is_recovered_within_its_intervals),
        cmocka_unit_test(slow_intervals_hold_the_share_that_they_promise),
        cmocka_unit_test(a_kink_is_closed_in),
        cmocka_unit_test(the_rendezvous_threshold_is_found),
        cmocka_unit_test(the_worst_bends_come_first),
        cmocka_unit_test(slow_noise_alone_is_no_threshold_and_asks_for_few_sizes),
        cmocka_unit_test(sizes_are_extended_until_the_gap_is_stable),
        cmocka_unit_test(both_methods_agree_and_the_fast_one_is_cheaper),
        cmocka_unit_test(saturation_alone_measures_gaps_of_powers_of_two),
        cmocka_unit_test(the_assumption_is_checked),
        cmocka_unit_test(trains_know_better_where_a_lone_message_is_another),
        cmocka_unit_test(an_observer_sees_every_size),
        cmocka_unit_test(every_repetition_is_kept),
        cmocka_unit_test(repetitions_follow_the_noise_up_to_their_bounds),
        cmocka_unit_test(rendezvous_is_not_waited_for),
        cmocka_unit_test(bad_setups_are_refused),
        cmocka_unit_test(an_error_or_an_interruption_keeps_what_was_measured),
        cmocka_unit_test(the_time_limit_ends_the_procedure),
        cmocka_unit_test(a_short_measurement_has_every_decade),
        cmocka_unit_test(a_whole_measurement_lacks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
