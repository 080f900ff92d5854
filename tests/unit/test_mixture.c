/* model/mixture: loads that are known mixtures of components are taken apart again. */
#include "model/mixture/mixture.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>

enum { N_COMPONENTS = 5, N_BINS = 12, SIZE = CT_PROBE_SCALES * N_BINS };

struct space {
    double mass[N_COMPONENTS][SIZE];
    struct ct_probe_profile component[N_COMPONENTS];
    struct ct_mixture *mixture;
};

static struct ct_probe_profile profile(double *mass)
{
    return (struct ct_probe_profile){
        .latency_s = {.n = 100}, .grid = {.n_bins = N_BINS}, .mass = mass};
}

static void random_mass(gsl_rng *rng, double *mass)
{
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        double sum = 0;
        for (size_t i = 0; i < N_BINS; i++)
            sum += mass[scale * N_BINS + i] = gsl_rng_uniform(rng);
        for (size_t i = 0; i < N_BINS; i++)
            mass[scale * N_BINS + i] /= sum;
    }
}

static void make_space(struct space *space, gsl_rng *rng)
{
    for (size_t c = 0; c < N_COMPONENTS; c++) {
        random_mass(rng, space->mass[c]);
        space->component[c] = profile(space->mass[c]);
    }
    assert_int_equal(ct_mixture_new(space->component, N_COMPONENTS, 0, &space->mixture), CT_OK);
}

static void a_component_is_itself(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct space space;
    make_space(&space, rng);
    for (size_t c = 0; c < N_COMPONENTS; c++) {
        double weights[N_COMPONENTS], distance = NAN;
        assert_int_equal(
            ct_mixture_weights(space.mixture, &space.component[c], NULL, weights, &distance),
            CT_OK);
        for (size_t i = 0; i < N_COMPONENTS; i++)
            assert_true(weights[i] == (i == c ? 1 : 0));
        assert_near(distance, 0, 1e-12);
    }
    ct_mixture_free(space.mixture);
    gsl_rng_free(rng);
}

static void mixtures_are_taken_apart(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct space space;
    make_space(&space, rng);
    for (int round = 0; round < 50; round++) {
        double wanted[N_COMPONENTS], weights[N_COMPONENTS], mass[SIZE] = {0}, sum = 0, distance;
        for (size_t c = 0; c < N_COMPONENTS; c++)
            sum += wanted[c] = gsl_rng_uniform(rng) < 0.4 ? 0 : gsl_rng_uniform(rng);
        for (size_t c = 0; c < N_COMPONENTS && sum > 0; c++)
            for (size_t i = 0; i < SIZE; i++)
                mass[i] += wanted[c] / sum * space.mass[c][i];
        if (sum == 0)
            continue;
        struct ct_probe_profile load = profile(mass);
        assert_int_equal(ct_mixture_weights(space.mixture, &load, NULL, weights, &distance), CT_OK);
        assert_true(distance < 1e-3);
        for (size_t c = 0; c < N_COMPONENTS; c++)
            assert_near(weights[c], wanted[c] / sum, 0.02);
    }
    ct_mixture_free(space.mixture);
    gsl_rng_free(rng);
}

static double distance_of(const struct space *space, const double *weights, const double *mass)
{
    double sum = 0;
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        double off = 0;
        for (size_t i = 0; i < N_BINS; i++) {
            off -= mass[scale * N_BINS + i];
            for (size_t c = 0; c < N_COMPONENTS; c++)
                off += weights[c] * space->mass[c][scale * N_BINS + i];
            sum += off * off;
        }
    }
    return sqrt(sum / SIZE);
}

/* For a load that is no mixture, no other weights are nearer. */
static void weights_are_the_nearest(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct space space;
    make_space(&space, rng);
    for (int round = 0; round < 20; round++) {
        double mass[SIZE], weights[N_COMPONENTS], distance, sum = 0;
        random_mass(rng, mass);
        struct ct_probe_profile load = profile(mass);
        assert_int_equal(ct_mixture_weights(space.mixture, &load, NULL, weights, &distance), CT_OK);
        for (size_t c = 0; c < N_COMPONENTS; c++) {
            assert_true(weights[c] >= 0);
            sum += weights[c];
        }
        assert_near(sum, 1, 1e-9);
        assert_near(distance, distance_of(&space, weights, mass), 1e-9);
        for (int trial = 0; trial < 500; trial++) {
            double other[N_COMPONENTS], total = 0;
            for (size_t c = 0; c < N_COMPONENTS; c++)
                total += other[c] = weights[c] + 0.2 * gsl_rng_uniform(rng);
            for (size_t c = 0; c < N_COMPONENTS; c++)
                other[c] /= total;
            assert_true(distance_of(&space, other, mass) >= distance - 1e-4);
        }
    }
    ct_mixture_free(space.mixture);
    gsl_rng_free(rng);
}

static void only_what_is_allowed_has_a_share(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct space space;
    make_space(&space, rng);
    const bool allowed[N_COMPONENTS] = {false, true, false, true, false}, none[N_COMPONENTS] = {0};
    double weights[N_COMPONENTS], distance = NAN;
    assert_int_equal(
        ct_mixture_weights(space.mixture, &space.component[0], allowed, weights, &distance), CT_OK);
    assert_true(weights[0] == 0 && weights[2] == 0 && weights[4] == 0 && distance > 0);
    assert_int_equal(
        ct_mixture_weights(space.mixture, &space.component[0], none, weights, &distance),
        CT_ENODATA);
    const struct ct_probe_profile unmeasured = {0};
    assert_int_equal(ct_mixture_weights(space.mixture, &unmeasured, NULL, weights, &distance),
                     CT_ENODATA);
    ct_mixture_free(space.mixture);
    space.component[1].latency_s.n = 0; /* was not measured */
    assert_int_equal(ct_mixture_new(space.component, N_COMPONENTS, 0, &space.mixture), CT_OK);
    assert_int_equal(
        ct_mixture_weights(space.mixture, &space.component[0], allowed, weights, &distance), CT_OK);
    assert_true(weights[3] == 1);
    ct_mixture_free(space.mixture);
    gsl_rng_free(rng);
}

/* Below the floor a load may look as it likes. */
static void noise_below_the_floor_is_no_matter(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct space space;
    make_space(&space, rng);
    ct_mixture_free(space.mixture);
    for (size_t c = 0; c < N_COMPONENTS; c++)
        space.component[c].grid.first = 0x1f72; /* 10 us */
    double floor_s = ct_probe_edge_s(&space.component[0].grid, 3);
    assert_int_equal(ct_mixture_new(space.component, N_COMPONENTS, floor_s, &space.mixture), CT_OK);
    double mass[SIZE], weights[N_COMPONENTS], distance;
    for (size_t i = 0; i < SIZE; i++)
        mass[i] = space.mass[1][i];
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        double *first = mass + scale * N_BINS;
        first[0] += first[1] + first[2]; /* the noise is gone */
        first[1] = first[2] = 0;
    }
    struct ct_probe_profile load = space.component[1];
    load.mass = mass;
    assert_int_equal(ct_mixture_weights(space.mixture, &load, NULL, weights, &distance), CT_OK);
    assert_near(weights[1], 1, 1e-6);
    assert_near(distance, 0, 1e-9);
    ct_mixture_free(space.mixture);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_is_itself),
        cmocka_unit_test(mixtures_are_taken_apart),
        cmocka_unit_test(weights_are_the_nearest),
        cmocka_unit_test(only_what_is_allowed_has_a_share),
        cmocka_unit_test(noise_below_the_floor_is_no_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
