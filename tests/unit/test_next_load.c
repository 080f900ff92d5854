/* predict/next_load: how few loads are picked, and whether the curves through them answer as those
 * through all loads do. */
#include "core/random.h"
#include "predict/curve.h"
#include "predict/next_load.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_APPS = 3, N_LOADS = 32 };

/* A network with loads as a grid has them, of which any can be measured. */
struct world {
    double utilization[N_LOADS], slowdown[N_LOADS][N_APPS], app_utilization[N_APPS];
    struct ct_next_load_candidate loads[N_LOADS];
    size_t n_picked, order[N_LOADS];
};

static const double idle = 0.04;

/* Between -1 and 1, the same in every run. */
static double noise(size_t seed)
{
    return 2 * ct_random_unit(ct_random_at(0, seed)) - 1;
}

typedef double shape(double utilization);

static double flat(double u)
{
    (void)u;
    return 0.01;
}

static double straight(double u)
{
    return 0.5 * (u - idle);
}

static double steep(double u)
{
    return u < 0.5 ? 0.02 * u : 0.01 + 4 * (u - 0.5);
}

/* Odds as powers of the factors, 0.02 to 40, a little off what the picker starts from; every load
 * is off by up to off of its log odds, every slowdown by up to noise_frac. */
static struct world make_world(shape *curve, double off, double noise_frac)
{
    static const double partners[] = {1, 4, 7, 14}, messages[] = {1, 10};
    static const double density[] = {0.83, 0.28, 0.093, 0.03};
    struct world world = {.app_utilization = {0.05, 0.3, 0.6}};
    for (size_t l = 0; l < N_LOADS; l++) {
        struct ct_next_load_candidate *load = &world.loads[l];
        *load = (struct ct_next_load_candidate){
            .has_factors = true,
            .factors = {partners[l / 8], messages[l / 4 % 2], density[l % 4], 1}};
        double odds = 0.2 * pow(partners[l / 8], 1.0) * pow(messages[l / 4 % 2], 0.6) *
                      pow(density[l % 4], 0.6) * exp(off * noise(l));
        world.utilization[l] = idle + (1 - idle) * odds / (1 + odds);
        for (size_t app = 0; app < N_APPS; app++)
            world.slowdown[l][app] = (double)(app + 1) / N_APPS * curve(world.utilization[l]) +
                                     noise_frac * noise(100 * l + app);
    }
    return world;
}

static struct ct_next_load next(const struct world *world, double resolution)
{
    struct ct_next_load pick = {.load = N_LOADS};
    const struct ct_next_load_question question = {.n_apps = N_APPS,
                                                   .n_loads = N_LOADS,
                                                   .idle_utilization_frac = idle,
                                                   .app_utilization_frac = world->app_utilization,
                                                   .loads = world->loads,
                                                   .resolution_frac = resolution};
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_OK);
    return pick;
}

static void measure(struct world *world, size_t l)
{
    assert_in_range(l, 0, N_LOADS - 1);
    assert_int_equal(world->loads[l].state, CT_NEXT_LOAD_OPEN);
    world->loads[l].state = CT_NEXT_LOAD_MEASURED;
    world->loads[l].utilization_frac = world->utilization[l];
    world->loads[l].slowdown_frac = world->slowdown[l];
    world->order[world->n_picked++] = l;
}

/* Until there is nothing to pick. */
static struct ct_next_load pick_all(struct world *world, double resolution)
{
    struct ct_next_load pick = next(world, resolution);
    while (pick.reason != CT_NEXT_LOAD_DONE) {
        measure(world, pick.load);
        pick = next(world, resolution);
    }
    return pick;
}

static double answer(const struct world *world, bool all, size_t app, double utilization)
{
    struct ct_curve_point points[N_LOADS];
    struct ct_curve *curve;
    size_t n = 0;
    bool beyond;
    for (size_t l = 0; l < N_LOADS; l++)
        if (all || world->loads[l].state == CT_NEXT_LOAD_MEASURED)
            points[n++] = (struct ct_curve_point){world->utilization[l], world->slowdown[l][app]};
    assert_int_equal(ct_curve_new(points, n, idle, &curve), CT_OK);
    double slowdown = ct_curve_at(curve, utilization, &beyond);
    assert_false(beyond);
    ct_curve_free(curve);
    return slowdown;
}

static void assert_answers_within(const struct world *world, double resolution)
{
    for (size_t app = 0; app < N_APPS; app++)
        for (size_t with = 0; with < N_APPS; with++) {
            double x = world->app_utilization[with], all = answer(world, true, app, x);
            assert_near(answer(world, false, app, x), all, resolution * (1 + all));
        }
}

static void flat_curves_need_the_gaps_filled_only(void **state)
{
    (void)state;
    struct world world = make_world(flat, 0.2, 0);
    struct ct_next_load end = pick_all(&world, 0.05);
    assert_true(end.is_met);
    assert_in_range(world.n_picked, 3, 6); /* 0.04 to 0.6 in steps of at most 0.2 */
    assert_answers_within(&world, 0.01);
}

static void straight_curves_need_a_quarter(void **state)
{
    (void)state;
    struct world world = make_world(straight, 0.2, 0);
    pick_all(&world, 0.05);
    assert_in_range(world.n_picked, 3, N_LOADS / 4);
    assert_answers_within(&world, 0.05);
}

static void steep_curves_get_loads_where_applications_are(void **state)
{
    (void)state;
    struct world world = make_world(steep, 0.2, 0);
    pick_all(&world, 0.05);
    assert_in_range(world.n_picked, 4, N_LOADS / 2);
    assert_answers_within(&world, 0.05);
    double nearest = 1;
    for (size_t i = 0; i < world.n_picked; i++)
        nearest = fmin(nearest, fabs(world.utilization[world.order[i]] - 0.6));
    assert_true(nearest < 0.05);
}

static void finer_resolutions_take_more(void **state)
{
    (void)state;
    size_t before = 0;
    static const double resolutions[] = {0.2, 0.05, 0.01};
    for (size_t i = 0; i < 3; i++) {
        struct world world = make_world(steep, 0.2, 0);
        pick_all(&world, resolutions[i]);
        assert_true(world.n_picked >= before);
        before = world.n_picked;
        assert_answers_within(&world, fmax(resolutions[i], 0.03));
    }
    assert_in_range(before, 7, N_LOADS);
}

static void noise_does_not_mislead(void **state)
{
    (void)state;
    struct world world = make_world(straight, 0.6, 0.02);
    pick_all(&world, 0.05);
    assert_in_range(world.n_picked, 3, N_LOADS / 2);
    assert_answers_within(&world, 0.06);
}

static void loads_that_disagree_are_averaged_over(void **state)
{
    (void)state;
    struct world calm = make_world(straight, 0.2, 0.02), wild = make_world(straight, 0.2, 0.4);
    pick_all(&calm, 0.05);
    pick_all(&wild, 0.05);
    assert_true(wild.n_picked > calm.n_picked);
    assert_answers_within(&wild, 0.1);
}

/* A campaign that goes on has the same points, in the order of its plan and not in that of picking.
 */
static void the_pick_follows_from_the_points_alone(void **state)
{
    (void)state;
    struct world whole = make_world(steep, 0.4, 0.02);
    pick_all(&whole, 0.05);
    for (size_t n = 0; n < whole.n_picked; n++) {
        struct world again = make_world(steep, 0.4, 0.02);
        for (size_t i = n; i-- > 0;)
            measure(&again, whole.order[i]);
        assert_int_equal(next(&again, 0.05).load, whole.order[n]);
    }
}

static void the_heaviest_application_is_reached_first(void **state)
{
    (void)state;
    struct world world = make_world(straight, 0.2, 0);
    struct ct_next_load pick = next(&world, 0.05);
    assert_int_equal(pick.reason, CT_NEXT_LOAD_REACH);
    assert_true(pick.expected_frac > 0.4);
    pick_all(&world, 0.05);
    size_t first = 0;
    while (first < world.n_picked && world.utilization[world.order[first]] < 0.6)
        first++;
    assert_in_range(first, 0, 2);
}

/* Loads whose odds are their number of partners, in steps of 0.016 on the axis. */
static void the_nearest_load_is_picked(void **state)
{
    (void)state;
    double slowdown[1] = {0}, app_utilization[1] = {0.02};
    struct ct_next_load_candidate loads[60];
    for (size_t l = 0; l < 60; l++) {
        double u = 0.02 + 0.016 * (double)l;
        loads[l] = (struct ct_next_load_candidate){.has_factors = true,
                                                   .factors = {u / (1 - u), 1, 1, 1},
                                                   .utilization_frac = u,
                                                   .slowdown_frac = slowdown};
        loads[l].state = l % 2 ? CT_NEXT_LOAD_OPEN : CT_NEXT_LOAD_CLOSED;
    }
    loads[0].state = loads[44].state = CT_NEXT_LOAD_MEASURED; /* 0.02 and 0.724 */
    app_utilization[0] = 0.724;
    const struct ct_next_load_question question = {.n_apps = 1,
                                                   .n_loads = 60,
                                                   .idle_utilization_frac = 0.02,
                                                   .app_utilization_frac = app_utilization,
                                                   .loads = loads,
                                                   .resolution_frac = 0.1};
    struct ct_next_load pick;
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_OK);
    assert_int_equal(pick.reason, CT_NEXT_LOAD_GAP);
    assert_near(pick.from_frac, 0.02, 0);
    assert_near(pick.to_frac, 0.724, 1e-12);
    double best = 1;
    for (size_t l = 0; l < 60; l++) {
        double distance = fabs(loads[l].factors[0] / (1 + loads[l].factors[0]) - 0.372);
        best = fmin(best, loads[l].state == CT_NEXT_LOAD_OPEN ? distance : 1);
    }
    /* The fit is not exact with two points: within the next few loads. */
    assert_near(0.02 + 0.016 * (double)pick.load, 0.372, best + 0.06);
}

/* Two measured points and an application: which need there is. An open load is expected at half of
 * the axis whatever the points, since they say nothing about others. */
static void needs_are_told_apart(void **state)
{
    (void)state;
    const struct {
        double x[2], slowdown[2], app_utilization;
        enum ct_next_load_reason reason;
        double from, to;
    } cases[] = {
        {{0.12, 0.15}, {0, 0}, 0.6, CT_NEXT_LOAD_REACH, 0.15, 1},
        {{0.12, 0.6}, {0, 0}, 0.58, CT_NEXT_LOAD_GAP, 0.12, 0.6},
        {{0.12, 0.6}, {0, 0}, 0.12, CT_NEXT_LOAD_DONE, 0, 0},
        {{0.42, 0.6}, {0, 0}, 0.06, CT_NEXT_LOAD_DONE, 0, 0},
        /* 0.3 / 1.3 between them, in the middle, beside the upper one, and with a smaller rise */
        {{0.42, 0.6}, {0, 0.3}, 0.5, CT_NEXT_LOAD_BEND, 0.42, 0.6},
        {{0.42, 0.6}, {0, 0.3}, 0.59, CT_NEXT_LOAD_DONE, 0, 0},
        {{0.42, 0.6}, {0, 0.05}, 0.5, CT_NEXT_LOAD_DONE, 0, 0},
        /* from the idle network on: in full there, and for what is lighter than nothing */
        {{0.6, 0.9}, {0.3, 0.3}, 0.06, CT_NEXT_LOAD_BEND, 0.05, 0.6},
        {{0.6, 0.9}, {0.3, 0.3}, 0.01, CT_NEXT_LOAD_BEND, 0.05, 0.6},
        {{0.6, 0.9}, {0.3, 0.3}, 0.59, CT_NEXT_LOAD_GAP, 0.05, 0.6},
        /* falling: the curve runs between, and both are off it */
        {{0.49, 0.51}, {0.6, 0}, 0.5, CT_NEXT_LOAD_SCATTER, 1.0 / 3, 2.0 / 3},
        {{0.49, 0.51}, {0.4, 0}, 0.5, CT_NEXT_LOAD_DONE, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ct_next_load_candidate loads[] = {
            {.state = CT_NEXT_LOAD_MEASURED,
             .utilization_frac = cases[i].x[0],
             .slowdown_frac = &cases[i].slowdown[0]},
            {.state = CT_NEXT_LOAD_MEASURED,
             .utilization_frac = cases[i].x[1],
             .slowdown_frac = &cases[i].slowdown[1]},
            {.has_factors = true, .factors = {exp(1.1 / 1.2), 1, 1, 1}},
        };
        const bool coarse =
            cases[i].reason != CT_NEXT_LOAD_GAP && cases[i].reason != CT_NEXT_LOAD_REACH;
        const struct ct_next_load_question question = {.n_apps = 1,
                                                       .n_loads = 3,
                                                       .idle_utilization_frac = 0.05,
                                                       .app_utilization_frac =
                                                           &cases[i].app_utilization,
                                                       .loads = loads,
                                                       .resolution_frac = coarse ? 0.14 : 0.1};
        struct ct_next_load pick;
        assert_int_equal(ct_next_load_choose(&question, &pick), CT_OK);
        if (pick.reason != cases[i].reason)
            fail_msg("case %zu: %s", i, ct_next_load_reason_text(pick.reason));
        if (pick.reason == CT_NEXT_LOAD_DONE)
            continue;
        assert_int_equal(pick.load, 2);
        assert_near(pick.expected_frac, 0.5, 1e-9);
        assert_near(pick.from_frac, cases[i].from, 1e-9);
        assert_near(pick.to_frac, cases[i].to, 1e-9);
    }
}

static void an_application_beyond_all_loads_is_not_chased(void **state)
{
    (void)state;
    struct world world = make_world(straight, 0.2, 0);
    for (size_t l = 0; l < N_LOADS; l++)
        if (world.utilization[l] > 0.5)
            world.loads[l].state = CT_NEXT_LOAD_CLOSED;
    world.app_utilization[2] = 0.97;
    struct ct_next_load end = pick_all(&world, 0.05);
    assert_false(end.is_met);
    assert_in_range(world.n_picked, 1, N_LOADS / 4);
}

static void closed_loads_are_not_picked(void **state)
{
    (void)state;
    struct world world = make_world(steep, 0.2, 0);
    size_t first = next(&world, 0.05).load;
    world.loads[first].state = CT_NEXT_LOAD_CLOSED;
    pick_all(&world, 0.05);
    for (size_t i = 0; i < world.n_picked; i++)
        assert_int_not_equal(world.order[i], first);
    for (size_t l = 0; l < N_LOADS; l++)
        world.loads[l].state = CT_NEXT_LOAD_CLOSED;
    assert_int_equal(next(&world, 0.05).reason, CT_NEXT_LOAD_DONE);
}

static void without_applications_the_whole_axis_counts(void **state)
{
    (void)state;
    struct world world = make_world(flat, 0.2, 0);
    for (size_t app = 0; app < N_APPS; app++)
        world.app_utilization[app] = NAN;
    pick_all(&world, 0.05);
    double largest = 0, last = idle;
    for (double x = 0.05; x < 0.8; x += 0.01)
        for (size_t i = 0; i < world.n_picked; i++)
            if (fabs(world.utilization[world.order[i]] - x) < 0.005) {
                largest = fmax(largest, x - last);
                last = x;
            }
    assert_true(last > 0.7 && largest < 0.23);
}

static void what_is_unknown_is_passed_over(void **state)
{
    (void)state;
    struct world world = make_world(straight, 0.2, 0);
    world.app_utilization[1] = NAN;
    for (size_t l = 0; l < N_LOADS; l += 2)
        world.slowdown[l][0] = NAN;
    measure(&world, 5);
    world.loads[5].utilization_frac = NAN; /* the network was not probed */
    pick_all(&world, 0.05);
    assert_in_range(world.n_picked, 3, N_LOADS / 2);
}

static void questions_without_sense_are_refused(void **state)
{
    (void)state;
    struct ct_next_load_candidate load = {.factors = {1, 1, 0, 1}};
    struct ct_next_load pick;
    struct ct_next_load_question question = {
        .n_loads = 1, .idle_utilization_frac = 0, .loads = &load, .resolution_frac = 0.1};
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_EINVAL);
    load.factors[2] = 1;
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_OK);
    assert_int_equal(pick.load, 0);
    question.resolution_frac = 0;
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_EINVAL);
    question.resolution_frac = 0.1;
    question.idle_utilization_frac = NAN;
    assert_int_equal(ct_next_load_choose(&question, &pick), CT_EINVAL);
    for (int reason = 0; reason < CT_NEXT_LOAD_N_REASONS; reason++)
        assert_non_null(ct_next_load_reason_text((enum ct_next_load_reason)reason));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_curves_need_the_gaps_filled_only),
        cmocka_unit_test(straight_curves_need_a_quarter),
        cmocka_unit_test(steep_curves_get_loads_where_applications_are),
        cmocka_unit_test(finer_resolutions_take_more),
        cmocka_unit_test(noise_does_not_mislead),
        cmocka_unit_test(loads_that_disagree_are_averaged_over),
        cmocka_unit_test(the_pick_follows_from_the_points_alone),
        cmocka_unit_test(the_heaviest_application_is_reached_first),
        cmocka_unit_test(the_nearest_load_is_picked),
        cmocka_unit_test(needs_are_told_apart),
        cmocka_unit_test(an_application_beyond_all_loads_is_not_chased),
        cmocka_unit_test(closed_loads_are_not_picked),
        cmocka_unit_test(without_applications_the_whole_axis_counts),
        cmocka_unit_test(what_is_unknown_is_passed_over),
        cmocka_unit_test(questions_without_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
