/* L, o and G of simulated networks whose parameters are known, and their intervals. */
#include "model/loggp/emit.h"
#include "model/loggp/loggps.h"
#include "results/logp_times.h"
#include "tests/unit/simulated_logp.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_within(value, truth, frac, what)                                                    \
    do {                                                                                           \
        double v_ = (value), t_ = (truth);                                                         \
        if (!(fabs(v_ - t_) <= (frac)*fabs(t_)))                                                   \
            fail_msg("%s: %s is %.9g, not %.9g", what, #value, v_, t_);                            \
    } while (0)

/* What tolerances take and what LogGOPSim gets, of the same points. */
static void assert_same_set(const struct ct_logp_result *result)
{
    struct ct_loggps_model model;
    size_t n = (size_t)result->link.n_points;
    const struct ct_emit_source source = {
        .points = result->points, .n_points = n, .threshold = result->link.threshold};
    uint64_t S_bytes = ct_loggp_eager_bytes(&source.threshold, source.points, n);
    assert_int_equal(ct_loggps_model_derive(result->points, n, S_bytes, &model, NULL), CT_OK);
    assert_near(model.L_s, result->link.loggp.L_s.value, 0);
    assert_near(model.o_s, result->link.loggp.o_s.value, 0);
    assert_near(model.G_s_per_byte, result->link.loggp.G_s_per_byte.value, 0);
    ct_loggps_model_free(&model);
    char *text = NULL;
    size_t size = 0;
    double unit_ns, L, o, G;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ct_loggp_emit(CT_EMIT_LOGGOPSIM, &source, out, NULL), CT_OK);
    fclose(out);
    assert_int_equal(sscanf(text, "# unit of time: %lf", &unit_ns), 1);
    assert_int_equal(sscanf(strstr(text, "\n-L "), "\n-L %lf -o %lf -g %*f -G %lf", &L, &o, &G), 3);
    assert_near(L * unit_ns * 1e-9, result->link.loggp.L_s.value, 1e-9);
    assert_near(o * unit_ns * 1e-9, result->link.loggp.o_s.value, 1e-9);
    assert_within(G * unit_ns * 1e-9, result->link.loggp.G_s_per_byte.value, 0.01, "emitted");
    free(text);
}

/* Networks of both kinds, gaps below and above the overheads, fast and slow links. */
static struct sim_network network_of(size_t k)
{
    static const double gaps_s[] = {0.2e-6, 2e-6, 12e-6}, per_byte_s[] = {0.1e-9, 4e-9, 170e-9};
    struct sim_network network = sim_network();
    network.by_steps = k % 2 == 0;
    network.g.startup_s = gaps_s[k / 2 % 3];
    network.g.per_byte_s = network.wire_per_byte_s = per_byte_s[k / 6 % 3];
    if (k / 18 == 1) {
        network.eager_bytes = 8192;
        /* What bytes cost the CPU is not seen above S: there it would be part of G. */
        network.os.per_byte_s = network.or_unexpected.per_byte_s = 0;
        network.handshake_s = 2 * (sim_os_s(&network, 0) + sim_loggp_L_s(&network));
    }
    return network;
}
enum { NETWORKS = 36 };

static void slow_one_set_comes_back_however_the_gap_is_measured(void **state)
{
    (void)state;
    for (size_t k = 0; k < NETWORKS; k++) {
        for (int gap = CT_LOGP_GAP_AUTO; gap <= CT_LOGP_GAP_BACK_TO_BACK; gap++) {
            struct sim_network network = network_of(k);
            struct ct_logp_setup any = sim_setup();
            any.gap = (enum ct_logp_gap)gap;
            any.max_bytes = 1 << 18;
            struct ct_logp_result result = sim_measure(&network, any);
            const struct ct_loggp *found = &result.link.loggp;
            char what[64];
            snprintf(what, sizeof what, "network %zu, gap %s", k, ct_logp_gap_names[gap]);
            double o_s = (sim_os_s(&network, 1) + sim_or_s(&network, 1)) / 2;
            assert_within(found->L_s.value, sim_loggp_L_s(&network), 0.02, what);
            assert_within(found->o_s.value, o_s, 0.02, what);
            assert_within(found->G_s_per_byte.value, sim_loggp_G_s_per_byte(&network), 0.02, what);
            assert_same_set(&result);
            ct_logp_result_free(&result);
        }
    }
}

/* Share of true values inside, over networks that differ by their noise: 95 % are promised. */
static void slow_intervals_of_the_set_hold_what_they_promise(void **state)
{
    (void)state;
    skip_if_sanitized();
    enum { SEEDS = 100, LEAST = 90 };
    const double noises[] = {0.005, 0.03};
    for (size_t k = 0; k < 2; k++) {
        size_t L_inside = 0, G_inside = 0, o_inside = 0;
        double width_frac = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct sim_network network = network_of(8);
            network.noise = noises[k];
            network.random = seed * 7919;
            struct ct_logp_setup small = sim_setup();
            small.max_bytes = 16384;
            small.seed = seed;
            struct ct_logp_result result = sim_measure(&network, small);
            const struct ct_loggp *found = &result.link.loggp;
            double o_s = (sim_os_s(&network, 1) + sim_or_s(&network, 1)) / 2;
            L_inside += sim_holds(found->L_s, sim_loggp_L_s(&network));
            G_inside += sim_holds(found->G_s_per_byte, sim_loggp_G_s_per_byte(&network));
            o_inside += sim_holds(found->o_s, o_s);
            width_frac += (found->L_s.ci.hi - found->L_s.ci.lo) / found->L_s.value / SEEDS;
            ct_logp_result_free(&result);
        }
        if (L_inside < LEAST || G_inside < LEAST || o_inside < LEAST || width_frac > 5 * noises[k])
            fail_msg("noise %g: of %d inside are L %zu, G %zu, o %zu; L is known to %g", noises[k],
                     (int)SEEDS, L_inside, G_inside, o_inside, width_frac);
    }
}

/* The seed decides, and what is drawn are the repetitions of the occasion that counts. */
static void intervals_depend_on_the_seed_alone(void **state)
{
    (void)state;
    struct ct_interval ci[3];
    for (size_t k = 0; k < 3; k++) {
        struct sim_network network = network_of(8);
        network.noise = 0.03;
        struct ct_logp_setup seeded = sim_setup();
        seeded.seed = k == 2 ? 8 : 7;
        struct ct_logp_result result = sim_measure(&network, seeded);
        ci[k] = result.link.loggp.L_s.ci;
        assert_true(ci[k].lo < result.link.loggp.L_s.value);
        assert_true(ci[k].hi > result.link.loggp.L_s.value);
        for (size_t i = 0; i < result.link.n_points; i++) {
            const struct ct_loggp_point *point = &result.points[i];
            const struct ct_logp_size size = {3, 5, point->bytes, point->rtt_s.value,
                                              point->or_s.value};
            struct ct_logp_times times;
            assert_int_equal(
                ct_logp_times_find(result.repetitions, result.n_repetitions, &size, &times, NULL),
                CT_OK);
            assert_int_equal(times.n_trips, point->repetitions);
            assert_true(times.n_receives >= 6);
            ct_logp_times_free(&times);
        }
        ct_logp_result_free(&result);
    }
    assert_near(ci[0].lo, ci[1].lo, 0);
    assert_near(ci[0].hi, ci[1].hi, 0);
    assert_true(ci[0].lo != ci[2].lo || ci[0].hi != ci[2].hi);
}

/* Without repetitions nothing is drawn; a link without a single message has no set. */
static void repetitions_that_are_missing_give_no_interval(void **state)
{
    (void)state;
    const struct ct_logp_repetition others[] = {{.bytes = 8, .messages = 1, .value_s = 1e-6},
                                                {.bytes = 8, .messages = 4, .value_s = 2e-6}};
    const struct ct_logp_size size = {.bytes = 8, .rtt_s = 2e-6, .or_s = NAN};
    struct ct_logp_times times;
    assert_int_equal(ct_logp_times_find(others, 2, &size, &times, NULL), CT_OK);
    assert_true(times.n_trips == 0 && times.n_receives == 0);
    const struct ct_loggp_point point = {.bytes = 0,
                                         .os_s = {1e-6, {1e-6, 1e-6}},
                                         .or_s = {1e-6, {1e-6, 1e-6}},
                                         .rtt_s = {8e-6, {8e-6, 8e-6}}};
    const struct ct_loggp_sample sample = {.send_s = times.send_s};
    const struct ct_loggp_resampling resampling = {.replicates = 50, .level = 0.95};
    struct ct_loggp loggp;
    assert_int_equal(ct_loggp_derive(&point, &sample, 1, 0, &resampling, &loggp, NULL), CT_OK);
    assert_near(loggp.L_s.value, 2e-6, 1e-18);
    assert_true(isnan(loggp.L_s.ci.lo) && isnan(loggp.G_s_per_byte.value));
    ct_logp_times_free(&times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_one_set_comes_back_however_the_gap_is_measured),
        cmocka_unit_test(slow_intervals_of_the_set_hold_what_they_promise),
        cmocka_unit_test(intervals_depend_on_the_seed_alone),
        cmocka_unit_test(repetitions_that_are_missing_give_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
