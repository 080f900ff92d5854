/* The LogGPS model of a measured curve: what a curve was made of comes back. */
#include "model/loggp/loggps.h"
#include "tests/unit/unit.h"

#include <string.h>

/* L 5 us, o_s 1 us + 0.5 ns a byte, o_r 1.5 us + 0.25 ns a byte, G 2 ns. */
static const double L_s = 5e-6, G_s_per_byte = 2e-9;
enum { SIZES = 18, EAGER = 4096 };

static double os_of(double m)
{
    return 1e-6 + 0.5e-9 * m;
}

static double or_of(double m)
{
    return 1.5e-6 + 0.25e-9 * m;
}

static double time_of(double m, bool rendezvous)
{
    double B = m > 0 ? m - 1 : 0, own = rendezvous ? EAGER : m;
    double time_s = os_of(own) + L_s + B * G_s_per_byte + or_of(own);
    return rendezvous ? time_s + 2 * (os_of(0) + L_s) : time_s;
}

static struct ct_estimate exactly(double value)
{
    return (struct ct_estimate){value, {value, value}};
}

static struct ct_loggp_point point(double m, bool rendezvous)
{
    /* Out with m bytes, back with none; above S the overheads contain the transfer. */
    double time_s = time_of(m, rendezvous);
    return (struct ct_loggp_point){.bytes = (uint64_t)m,
                                   .os_s = exactly(rendezvous ? time_s : os_of(m)),
                                   .or_s = exactly(rendezvous ? time_s : or_of(m)),
                                   .rtt_s = exactly(time_s + time_of(0, false))};
}

static void make_curve(struct ct_loggp_point *points, double eager_bytes)
{
    for (int i = 0; i < SIZES; i++) {
        double m = i == 0 ? 0 : ldexp(1, i - 1);
        points[i] = point(m, m > eager_bytes);
    }
}

static void an_eager_curve_comes_back(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, INFINITY);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.overheads.n, SIZES);
    assert_int_equal(model.n_disturbed, 0);
    assert_near(model.L_s, L_s, 1e-15);
    assert_near(model.o_s, (os_of(1) + or_of(1)) / 2, 1e-18);
    assert_near(model.G_s_per_byte, G_s_per_byte, 1e-18);
    assert_near(model.overheads.sizes[17].send_s, os_of(65536), 1e-15);
    assert_int_equal(model.largest_bytes, 65536);
    assert_near(ct_loggps_model_time(&model, 65536), time_of(65536, false), 1e-15);
    assert_true(model.misfit_max_frac < 1e-9 && model.misfit_max_frac >= model.misfit_median_frac);
    assert_int_equal(model.n_times, SIZES);
    assert_int_equal(model.times[17].bytes, 65536);
    assert_near(model.times[17].time_s, time_of(65536, false), 1e-15);
    ct_loggps_model_free(&model);
}

static void a_rendezvous_is_in_G_only(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, EAGER);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_int_equal(model.overheads.sizes[model.overheads.n - 1].bytes, EAGER);
    assert_near(model.L_s, L_s, 1e-15);
    assert_near(model.G_s_per_byte, G_s_per_byte, 1e-18);
    assert_near(ct_loggps_model_time(&model, 65536), time_of(65536, true), 1e-15);
    ct_loggps_model_free(&model);
}

/* Inside SimGrid messages above S wait for the receive, and nothing asks for it. */
static void a_handshake_that_takes_no_time(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, EAGER);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_false(model.lacks_handshake);
    ct_loggps_model_free(&model);
    for (int i = 0; i < SIZES; i++)
        if (points[i].bytes > EAGER)
            points[i].rtt_s = exactly(points[i].rtt_s.value - 2 * (os_of(0) + L_s));
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_true(model.lacks_handshake);
    assert_near(model.G_s_per_byte, G_s_per_byte, 1e-15);
    assert_near(ct_loggps_model_time(&model, 8192), points[14].rtt_s.value - time_of(0, false),
                1e-12);
    ct_loggps_model_free(&model);
    /* Where it takes less than a hundredth of a message, nobody can tell. */
    for (int i = 1; i < SIZES; i++)
        points[i].rtt_s = exactly(points[i].rtt_s.value + 1e-6 * (double)points[i].bytes);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_false(model.lacks_handshake);
    ct_loggps_model_free(&model);
}

static void disturbed_sizes_count_as_the_next_ones(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, INFINITY);
    points[1].os_s = exactly(1e-3); /* 1 B: longer than its round trip */
    points[9].rtt_s = exactly(1e-3);
    points[10].or_s = exactly(NAN);
    points[12].or_s = exactly(-1e-6);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.n_disturbed, 0);
    assert_int_equal(model.overheads.n, SIZES - 2);
    assert_near(ct_overheads_at(&model.overheads, 1).send_s, os_of(2), 1e-15);
    assert_near(ct_overheads_at(&model.overheads, 512).recv_s, or_of(512), 1e-15);
    assert_near(ct_overheads_at(&model.overheads, 2048).recv_s, or_of(2048), 1e-15);
    assert_near(model.L_s, L_s, 1e-15);
    assert_true(model.misfit_max_frac < 0.1); /* 256 B are compared with what 512 B took */
    ct_loggps_model_free(&model);

    points[0].rtt_s = exactly(1e-3); /* then the way back is half of the round trip of 1 B */
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_near(model.L_s, L_s, 1e-9);
    ct_loggps_model_free(&model);
}

/* What has the transfer in its overheads is left out, though S says that it is eager. */
static void a_rendezvous_that_was_not_recognized(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, EAGER);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.n_disturbed, 4); /* 8 to 64 KiB */
    assert_int_equal(model.overheads.sizes[model.overheads.n - 1].bytes, EAGER);
    assert_near(ct_loggps_model_time(&model, 65536), time_of(65536, true), 1e-15);
    ct_loggps_model_free(&model);
}

/* Sender and receiver work at the same time: the sum is what the message took. */
static void overheads_that_overlap_are_shortened(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, INFINITY);
    for (size_t i = 10; i < SIZES; i++) {
        double time_s = time_of((double)points[i].bytes, false);
        points[i].os_s = exactly(0.9 * time_s);
        points[i].or_s = exactly(0.3 * time_s);
    }
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.n_disturbed, 0);
    assert_near(ct_overheads_at(&model.overheads, 512).send_s, 0.75 * time_of(512, false), 1e-15);
    assert_near(ct_overheads_at(&model.overheads, 512).recv_s, 0.25 * time_of(512, false), 1e-15);
    ct_loggps_model_free(&model);
}

static void assert_no_model(const struct ct_loggp_point *points, size_t n, const char *expected)
{
    struct ct_loggps_model model;
    struct ct_error err;
    assert_int_equal(ct_loggps_model_derive(points, n, EAGER, &model, &err), CT_ENODATA);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not contain '%s'", err.text, expected);
}

static void what_was_not_measured_is_said(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    make_curve(points, INFINITY);
    assert_no_model(points, 0, "empty message");
    assert_no_model(points + 1, SIZES - 1, "empty message");
    for (size_t i = 0; i < SIZES; i++)
        points[i].os_s = exactly(NAN);
    assert_no_model(points, SIZES, "no overhead of an eager message");
    for (size_t i = 0; i < SIZES; i++)
        points[i].os_s = exactly(1);
    assert_no_model(points, SIZES, "at each of 14 sizes");
    make_curve(points, INFINITY);
    points[0].rtt_s = exactly(NAN);
    assert_no_model(points, SIZES, "empty message");
}

static void a_parameter_that_nothing_tells_is_not_made_up(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, INFINITY);
    assert_int_equal(ct_loggps_model_derive(points, 8, EAGER, &model, NULL), CT_OK);
    assert_true(isnan(model.G_s_per_byte) && isnan(model.misfit_max_frac));
    assert_near(model.L_s, L_s, 1e-15);
    ct_loggps_model_free(&model);

    for (size_t i = 0; i < SIZES; i++) /* seen as 1 us longer than the message took */
        points[i].os_s = exactly(time_of((double)points[i].bytes, false) + 1e-6);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_near(model.L_s, -1e-6 - or_of((4 + 8) / 2.0), 1e-15);
    assert_near(ct_loggps_model_time(&model, 65536), time_of(65536, false), 1e-10);
    ct_loggps_model_free(&model);

    for (size_t i = 0; i < 8; i++)
        points[i].os_s = exactly(-1e-6);
    assert_int_equal(ct_loggps_model_derive(points, SIZES, EAGER, &model, NULL), CT_OK);
    assert_true(isnan(model.L_s));
    assert_true(model.G_s_per_byte > G_s_per_byte);
    ct_loggps_model_free(&model);
}

/* A round trip with this half of an interval, in place of an exact one. */
static void blur_trip(struct ct_loggp_point *one, double half_s)
{
    one->rtt_s.ci.lo = one->rtt_s.value - half_s;
    one->rtt_s.ci.hi = one->rtt_s.value + half_s;
}

/* [G - 3 us / B, G + 3 us / B] of the largest size; the rule of loggps.h by hand. */
static void sizes_determine_G_or_do_not(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    const struct {
        int n;         /* sizes: the largest has 2^(n - 2) bytes */
        double half_s; /* of RTT of the largest, and 3/4 of it of the smallest */
        bool is_determined;
    } cases[] = {
        {SIZES, 0, true},       /* 131 us of bytes in 154 us */
        {SIZES, 40e-6, true},   /* off by 50 us: 131 [81, 181] */
        {SIZES, 60e-6, false},  /* off by 75 us: wider than itself */
        {SIZES, 110e-6, false}, /* off by 138 us: contains 0 */
        {9, 0, true},           /* 128 B: 254 ns of bytes, and 1 % of 15 us is 150 ns: wider ... */
        {14, 0, true},          /* 4 KiB */
    };
    make_curve(points, INFINITY);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_loggps_model model;
        struct ct_error err = {.text = ""};
        size_t n = (size_t)cases[i].n;
        double B = ldexp(1, cases[i].n - 2) - 1, G_s = B * G_s_per_byte;
        make_curve(points, INFINITY);
        blur_trip(&points[n - 1], cases[i].half_s);
        blur_trip(&points[1], cases[i].half_s * 3 / 4);
        assert_int_equal(ct_loggps_model_derive(points, n, 1 << 20, &model, NULL), CT_OK);
        double common_s = 0.01 * points[n - 1].rtt_s.value;
        double off_s = hypot(fmax(cases[i].half_s, common_s), cases[i].half_s * 3 / 4);
        bool wanted = off_s < G_s && 2 * off_s <= G_s;
        assert_near(model.G.value_s_per_byte, G_s_per_byte, 1e-16);
        assert_near(model.G.ci.lo, fmax(G_s - off_s, 0) / B, 1e-15);
        assert_near(model.G.ci.hi, (G_s + off_s) / B, 1e-15);
        assert_int_equal(model.G.is_determined, wanted);
        assert_true(i == 4 || wanted == cases[i].is_determined);
        assert_int_equal(isnan(model.G_s_per_byte), !wanted);
        assert_int_equal(ct_loggps_demand_G(&model.G, &err), wanted ? CT_OK : CT_ENODATA);
        assert_true(wanted || strstr(err.text, off_s < G_s ? "wider than G" : "contains 0"));
        ct_loggps_model_free(&model);
    }
}

/* What a token bucket lets pass at once says nothing of the rate: three sizes of no length. */
static void what_passes_at_once_does_not_determine_G(void **state)
{
    (void)state;
    struct ct_loggp_point points[3];
    struct ct_loggps_model model;
    struct ct_error err;
    for (int i = 0; i < 3; i++) {
        points[i] = point(i == 0 ? 0 : ldexp(1, 5 * i), false); /* 0, 32 and 1024 B */
        points[i].rtt_s = exactly(36e-3 + (i == 2 ? 9e-6 : 0));
        blur_trip(&points[i], 15e-6);
    }
    assert_int_equal(ct_loggps_model_derive(points, 3, 1024, &model, NULL), CT_OK);
    assert_true(isnan(model.G_s_per_byte) && model.G.ci.lo == 0);
    assert_int_equal(ct_loggps_demand_G(&model.G, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "not determined by these sizes (up to 1KiB): "));
    assert_non_null(strstr(err.text, "larger --max-size"));
    ct_loggps_model_free(&model);
}

/* From 1 KiB on a byte takes twice as long, and from 8 KiB on messages are 3 us later. */
static void gaps_are_of_the_size(void **state)
{
    (void)state;
    struct ct_loggp_point points[SIZES];
    struct ct_loggps_model model;
    make_curve(points, INFINITY);
    for (int i = 0; i < SIZES; i++) {
        double m = (double)points[i].bytes, more_s = m >= 1024 && m < 16384 ? m * G_s_per_byte : 0;
        points[i].rtt_s = exactly(points[i].rtt_s.value + more_s + (m >= 8192 ? 3e-6 : 0));
        points[i].g_s = exactly(fmax(m * G_s_per_byte + more_s, 2e-6));
    }
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.gaps.n, SIZES);
    const double bytes[] = {64, 1024, 2048, 8192, 65536};
    for (size_t i = 0; i < 5; i++) {
        struct ct_gap_size at = ct_gaps_at(&model.gaps, model.G_s_per_byte, (uint64_t)bytes[i]);
        double twice = bytes[i] >= 1024 && bytes[i] < 16384 ? 2 : 1;
        assert_near(at.wire_s, twice * bytes[i] * G_s_per_byte, 3e-9);
        assert_near(at.late_frac * L_s, bytes[i] >= 8192 ? 3e-6 : 0, 3e-9);
    }
    double G_s = model.G_s_per_byte; /* between two sizes, and beyond the last */
    assert_near(ct_gaps_at(&model.gaps, G_s, 1536).wire_s, 3 * 1024 * G_s_per_byte, 3e-9);
    assert_near(ct_gaps_at(&model.gaps, G_s, 65536 + 1000).wire_s,
                model.gaps.sizes[SIZES - 1].wire_s + 1000 * G_s, 1e-15);
    ct_loggps_model_free(&model);
    make_curve(points, INFINITY); /* on a straight line there are none */
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.gaps.n, 0);
    ct_loggps_model_free(&model);
    for (int i = 0; i < SIZES; i++) /* a token bucket: 1500 B at once */
        points[i].rtt_s.value -= fmin((double)points[i].bytes, 1500) * G_s_per_byte;
    assert_int_equal(ct_loggps_model_derive(points, SIZES, 1 << 20, &model, NULL), CT_OK);
    assert_int_equal(model.gaps.n, 0);
    ct_loggps_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_of_the_size),
        cmocka_unit_test(sizes_determine_G_or_do_not),
        cmocka_unit_test(what_passes_at_once_does_not_determine_G),
        cmocka_unit_test(an_eager_curve_comes_back),
        cmocka_unit_test(a_rendezvous_is_in_G_only),
        cmocka_unit_test(a_handshake_that_takes_no_time),
        cmocka_unit_test(disturbed_sizes_count_as_the_next_ones),
        cmocka_unit_test(a_rendezvous_that_was_not_recognized),
        cmocka_unit_test(overheads_that_overlap_are_shortened),
        cmocka_unit_test(what_was_not_measured_is_said),
        cmocka_unit_test(a_parameter_that_nothing_tells_is_not_made_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
