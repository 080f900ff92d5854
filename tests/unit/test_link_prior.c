/* What links are expected to be before probes tell. */
#include "core/random.h"
#include "model/links/prior.h"
#include "tests/unit/unit.h"

#include <math.h>

enum { GROUPS = 600, KINDS = 3, STEPS = 60 };

static uint32_t group[GROUPS], kind[GROUPS];
static double rate[GROUPS], truth[GROUPS], known[GROUPS], measured[GROUPS], y[GROUPS];

static double normal(uint64_t *random)
{
    double u = 1 - ct_random_unit(ct_random_next(random)),
           v = ct_random_unit(ct_random_next(random));
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Links of kind k have the mean 0.1 (k + 1), with the deviation given; so have measurements. */
static void make_links(double deviation, double error)
{
    uint64_t random = 5;
    for (size_t g = 0; g < GROUPS; g++) {
        group[g] = (uint32_t)g;
        kind[g] = (uint32_t)(g % KINDS);
        rate[g] = 1;
        truth[g] = 0.1 * (kind[g] + 1) + deviation * normal(&random);
        known[g] = 1 / (error * error);
        measured[g] = truth[g] + error * normal(&random);
    }
}

/* As a solver goes on: estimates are measurements and prior, by what is known. */
static void go(struct ct_link_prior *prior)
{
    for (size_t g = 0; g < GROUPS; g++)
        y[g] = measured[g];
    ct_link_prior_start(prior, y);
    for (int i = 0; i < STEPS; i++) {
        for (size_t g = 0; g < GROUPS; g++)
            y[g] = (known[g] * measured[g] + ct_link_prior_mean(prior, g) / prior->within) /
                   (known[g] + 1 / prior->within);
        ct_link_prior_improve(prior, y, known, GROUPS, GROUPS);
    }
}

static double error_of(const double *values)
{
    double sum = 0;
    for (size_t g = 0; g < GROUPS; g++)
        sum += fabs(values[g] - truth[g]);
    return sum / GROUPS;
}

static void setup(struct ct_link_prior *prior)
{
    const struct ct_link_system system = {
        .n_directions = GROUPS, .kind = kind, .relative_rate = rate};
    struct ct_error err;
    assert_int_equal(ct_link_prior_new(&system, group, GROUPS, prior, &err), CT_OK);
    assert_int_equal(prior->n_kinds, KINDS);
}

static void few_probes_leave_links_near_their_kind(void **state)
{
    (void)state;
    struct ct_link_prior prior;
    make_links(0.02, 0.1);
    setup(&prior);
    go(&prior);
    for (size_t k = 0; k < KINDS; k++)
        assert_near(prior.mean[k], 0.1 * ((double)k + 1), 0.03);
    assert_true(sqrt(prior.within) < 0.04);
    assert_true(error_of(y) < 0.4 * error_of(measured));
    ct_link_prior_free(&prior);
}

static void many_probes_decide_by_themselves(void **state)
{
    (void)state;
    struct ct_link_prior prior;
    make_links(0.1, 0.01);
    setup(&prior);
    go(&prior);
    assert_near(sqrt(prior.within), 0.1, 0.01);
    for (size_t g = 0; g < GROUPS; g++)
        assert_near(y[g], measured[g], 0.01);
    ct_link_prior_free(&prior);
}

/* With a rate four times as high they have the fourth part of what the mean of the others is. */
static void kinds_without_probes_carry_as_many_bytes(void **state)
{
    (void)state;
    struct ct_link_prior prior;
    make_links(0.02, 0.05);
    for (size_t g = 2; g < GROUPS; g += KINDS) {
        known[g] = 0;
        rate[g] = 4;
    }
    setup(&prior);
    go(&prior);
    assert_near(prior.mean[0], 0.1, 0.02);
    assert_near(prior.mean[1], 0.2, 0.02);
    assert_near(ct_link_prior_mean(&prior, 2), 0.15 / 4, 0.005);
    ct_link_prior_free(&prior);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_probes_leave_links_near_their_kind),
        cmocka_unit_test(many_probes_decide_by_themselves),
        cmocka_unit_test(kinds_without_probes_carry_as_many_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
