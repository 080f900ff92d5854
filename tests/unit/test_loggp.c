/* Parameterized LogP curves: Table 1, bends, the threshold, sections, and what simulators get. */
#include "model/loggp/emit.h"
#include "model/loggp/resample.h"
#include "model/loggp/sections.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_estimate exactly(double value)
{
    return (struct ct_estimate){value, {value, value}};
}

static struct ct_estimate between(double lo, double value, double hi)
{
    return (struct ct_estimate){value, {lo, hi}};
}

/* ---- estimates ---- */

static void medians_have_intervals_from_six_values_on(void **state)
{
    (void)state;
    double few[] = {5, 1, 2, 3, 4}, enough[] = {6, 1, 2, 3, 4, 5};
    struct ct_estimate median = ct_estimate_median(few, 5, 0.95);
    assert_near(median.value, 3, 0);
    assert_true(isnan(median.ci.lo));
    assert_near(ct_estimate_half_width(median), 0, 0);
    median = ct_estimate_median(enough, 6, 0.95);
    assert_near(median.value, 3.5, 0);
    assert_near(median.ci.lo, 1, 0);
    assert_near(median.ci.hi, 6, 0);
}

static void errors_add_as_squares_on_their_side(void **state)
{
    (void)state;
    struct ct_estimate x = between(10 - 3, 10, 10 + 6), y = between(5 - 4, 5, 5 + 8);
    struct ct_estimate sum = ct_estimate_combine(1, x, 1, y);
    assert_near(sum.value, 15, 1e-12);
    assert_near(sum.ci.lo, 15 - 5, 1e-12);
    assert_near(sum.ci.hi, 15 + 10, 1e-12);
    struct ct_estimate difference = ct_estimate_combine(2, x, -1, y);
    assert_near(difference.value, 15, 1e-12);
    assert_near(difference.ci.lo, 15 - 10, 1e-12); /* 6 below 2 x, 8 above y */
    assert_near(difference.ci.hi, 15 + hypot(12, 4), 1e-12);
    assert_true(ct_estimate_differ(between(1, 2, 3), between(3.1, 4, 5)));
    assert_false(ct_estimate_differ(between(1, 2, 3.2), between(3.1, 4, 5)));
    assert_false(ct_estimate_differ(exactly(1), ct_estimate_none()));
}

/* ---- curves ---- */

static struct ct_loggp_point point(uint64_t bytes, double os_s, double or_s, double g_s,
                                   double rtt_s)
{
    return (struct ct_loggp_point){.bytes = bytes,
                                   .os_s = exactly(os_s),
                                   .or_s = exactly(or_s),
                                   .or_expected_s = exactly(or_s),
                                   .g_s = exactly(g_s),
                                   .g_saturation_s = ct_estimate_none(),
                                   .rtt_s = exactly(rtt_s),
                                   .repetitions = 6};
}

/* L of parameterized LogP, o_s 1 us, o_r 1.4 us, g 3 us, G; above S a handshake of 12 us. */
enum { CURVE_POINTS = 18 };
static void make_curve_of(struct ct_loggp_point *points, double eager_bytes, double L_s,
                          double G_s_per_byte)
{
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double m = i == 0 ? 0 : ldexp(1, (int)i - 1);
        double more_s = G_s_per_byte * m + (m > eager_bytes ? 12e-6 : 0);
        points[i] = point((uint64_t)m, 1e-6 + (m > eager_bytes ? 12e-6 : 0), 1.4e-6, 3e-6 + more_s,
                          2 * (L_s + 3e-6) + more_s);
    }
}

static void make_curve(struct ct_loggp_point *points, double eager_bytes)
{
    make_curve_of(points, eager_bytes, 5e-6, 1e-9);
}

static struct ct_loggp derive(const struct ct_loggp_point *points, size_t n)
{
    struct ct_loggp loggp;
    assert_int_equal(ct_loggp_derive(points, NULL, n, 1 << 20, NULL, &loggp, NULL), CT_OK);
    return loggp;
}

/* g(1) of the equation, as the curve has it, gives the L of Table 1; that of a train does not. */
static void table_1_of_the_paper(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (int train = 0; train <= 1; train++) {
        points[1].g_s = exactly(train ? 9e-6 : 3.001e-6);
        struct ct_loggp loggp = derive(points, CURVE_POINTS);
        assert_near(loggp.L_s.value, 5e-6 + 3.001e-6 - 1e-6 - 1.4e-6, 1e-15);
        assert_near(loggp.o_s.value, 1.2e-6, 1e-15);
        assert_near(loggp.g_s.value, points[1].g_s.value, 0);
        assert_near(loggp.G_s_per_byte.value, 1e-9, 1e-15);
        assert_true(isnan(loggp.L_s.ci.lo) && isnan(loggp.G_s_per_byte.ci.hi));
    }
    struct ct_loggp loggp = derive(points, 1);
    assert_near(loggp.L_s.value, 5.6e-6, 1e-15);
    assert_true(isnan(loggp.g_s.value) && isnan(loggp.G_s_per_byte.value));
    loggp = derive(NULL, 0);
    assert_true(isnan(loggp.g_s.value) && isnan(loggp.L_s.value));
}

static void a_bend_is_more_than_epsilon_and_more_than_noise(void **state)
{
    (void)state;
    struct ct_loggp_point three[] = {point(100, 1, 1, 1, 1), point(200, 1, 1, 2, 1),
                                     point(400, 1, 1, 4, 1)};
    assert_true(ct_loggp_misfit(three, 0.01) <= 1);
    three[2].g_s = exactly(4.03);
    assert_true(ct_loggp_misfit(three, 0.01) <= 1);
    three[2].g_s = exactly(4.1);
    assert_true(ct_loggp_misfit(three, 0.01) > 1);
    assert_true(ct_loggp_gap_misfit(three, 0.01) > 1);
    three[1].g_s = between(1.95, 2, 2.05); /* extrapolated: three times that */
    assert_true(ct_loggp_misfit(three, 0.01) <= 1);
    three[2].os_s = exactly(1.2);
    assert_true(ct_loggp_misfit(three, 0.01) > 1);
    assert_true(ct_loggp_gap_misfit(three, 0.01) <= 1);
    three[2].os_s = exactly(1);
    three[2].or_s = exactly(0.8);
    assert_true(ct_loggp_misfit(three, 0.01) > 1);
}

/* ---- threshold ---- */

static void a_handshake_is_a_jump_of_the_send_overhead(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, 8192);
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_true(found.found);
    assert_int_equal(found.eager_bytes, 8192);
    assert_int_equal(found.rendezvous_bytes, 16384);
    assert_near(found.jump_s, 12e-6, 1e-12);
    assert_true(found.confidence > 0.99);
    make_curve(points, INFINITY);
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
    assert_false(ct_loggp_find_threshold(points, 3, 0.01).found);
}

static void lengthen(struct ct_loggp_point *point, double by_s)
{
    point->os_s = exactly(point->os_s.value + by_s);
    point->rtt_s = exactly(point->rtt_s.value + by_s);
}

/* Another way to copy, say, shows as a sharper step than the handshake, but it is too small. */
static void a_small_step_is_no_handshake(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 6; i < CURVE_POINTS; i++)
        lengthen(&points[i], 2e-6);
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
    for (size_t i = 15; i < CURVE_POINTS; i++)
        lengthen(&points[i], 12e-6);
    points[15].rtt_s = between(points[15].rtt_s.value - 3e-6, points[15].rtt_s.value,
                               points[15].rtt_s.value + 3e-6);
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_true(found.found);
    assert_int_equal(found.eager_bytes, points[14].bytes);
}

/* On an emulated switch whole stretches of sizes took another way through the machine. */
static void a_round_trip_that_jumps_alone_is_no_handshake(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 3; i < CURVE_POINTS; i++)
        points[i].rtt_s = exactly(points[i].rtt_s.value + 30e-6);
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
}

/* A sender that waits as soon as a buffer of 10 kB is full. */
static void a_full_buffer_is_no_handshake(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 0; i < CURVE_POINTS; i++)
        points[i].os_s = exactly(1e-6 + 1e-9 * fmax(0, (double)points[i].bytes - 10e3));
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
}

/* Between two processes of a machine: rendezvous copies once instead of twice. */
static void a_handshake_may_make_round_trips_shorter(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, 8192);
    for (size_t i = 0; i < CURVE_POINTS; i++)
        if (points[i].bytes > 8192)
            points[i].rtt_s = exactly(points[i].rtt_s.value - 20e-6);
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_true(found.found);
    assert_int_equal(found.eager_bytes, 8192);
}

/* A slow link: the handshake is lost in the error of the round trip, but the sender waits for all
 * of it. */
static void a_handshake_shows_where_the_round_trip_is_long(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 1; i < CURVE_POINTS; i++) {
        double m = (double)points[i].bytes, rtt_s = 30e-6 + 167e-9 * m;
        double error_s = 0.01 * rtt_s, os_s = m > 20000 ? rtt_s - 50e-6 : 20e-6;
        points[i].rtt_s = between(rtt_s - error_s, rtt_s, rtt_s + error_s);
        points[i].os_s = between(0.9 * os_s, os_s, 1.1 * os_s);
    }
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_true(found.found && found.confidence > 0.99);
    assert_int_equal(found.eager_bytes, 16384);
    assert_int_equal(found.rendezvous_bytes, 32768);
}

/* Open MPI on a slow link: the sender waits for an answer only, the receiver for the transfer. */
static void a_handshake_shows_where_the_receiver_waits(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 1; i < CURVE_POINTS; i++) {
        double m = (double)points[i].bytes, rtt_s = 30e-6 + 167e-9 * m;
        double error_s = 0.01 * rtt_s, os_s = m > 20000 ? 140e-6 : 20e-6;
        double or_s = m > 20000 ? rtt_s - 100e-6 : 3e-6 + 1e-9 * m;
        points[i].rtt_s = between(rtt_s - error_s, rtt_s, rtt_s + error_s);
        points[i].os_s = between(0.9 * os_s, os_s, 1.1 * os_s);
        points[i].or_s = between(0.9 * or_s, or_s, 1.1 * or_s);
    }
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_true(found.found && found.by_receiver && found.confidence > 0.99);
    assert_int_equal(found.eager_bytes, 16384);
    assert_int_equal(found.rendezvous_bytes, 32768);
    make_curve(points, 8192);
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).by_receiver);
}

/* A receive that takes longer with every byte beyond what a buffer of 10 kB holds. */
static void a_full_buffer_of_the_receiver_is_no_handshake(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 0; i < CURVE_POINTS; i++)
        points[i].or_s = exactly(1.4e-6 + 1e-9 * fmax(0, (double)points[i].bytes - 10e3));
    assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
}

/* A disturbance during one size: the line after it points down, and the next size seems to jump. */
static void a_size_that_was_disturbed_is_no_handshake(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, INFINITY);
    for (size_t i = 2; i < 10; i++) {
        struct ct_loggp_point before = points[i];
        lengthen(&points[i], 40e-6);
        assert_false(ct_loggp_find_threshold(points, CURVE_POINTS, 0.01).found);
        points[i] = before;
    }
}

static void a_jump_within_the_noise_is_not_believed(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve(points, 8192);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double rtt_s = points[i].rtt_s.value;
        points[i].rtt_s = between(rtt_s - 9e-6, rtt_s, rtt_s + 9e-6);
        double os_s = points[i].os_s.value;
        points[i].os_s = between(os_s - 9e-6, os_s, os_s + 9e-6);
    }
    struct ct_loggp_threshold found = ct_loggp_find_threshold(points, CURVE_POINTS, 0.01);
    assert_false(found.found);
    assert_true(found.confidence < 0.5);
}

/* ---- sections ---- */

static void sections_are_few_and_close(void **state)
{
    (void)state;
    enum { N = 40 };
    double x[N], y[N], tolerance[N];
    struct ct_section sections[N];
    for (size_t i = 0; i < N; i++) {
        tolerance[i] = 0.01;
        x[i] = 100.0 * (double)i;
        y[i] = x[i] < 2000 ? 5 + 0.01 * x[i] : 40 + 0.02 * x[i];
    }
    const struct ct_sections_curve curve = {.x = x, .y = y, .tolerance = tolerance, .n = N};
    assert_int_equal(ct_sections_fit(&curve, sections), 2);
    assert_near(sections[0].from, 0, 0);
    assert_near(sections[0].startup, 5, 1e-9);
    assert_near(sections[0].slope, 0.01, 1e-12);
    assert_near(sections[1].from, 2000, 0);
    assert_near(sections[1].startup, 40, 1e-9);
    assert_near(sections[1].slope, 0.02, 1e-12);
    y[30] *= 1.2;
    assert_true(ct_sections_fit(&curve, sections) > 2);
    tolerance[30] = 0.3; /* its interval is that wide */
    assert_int_equal(ct_sections_fit(&curve, sections), 2);
}

static void sections_keep_their_constraints(void **state)
{
    (void)state;
    const double x[] = {1, 10, 100, 1000}, falling[] = {9, 8, 7, 1}, steep[] = {1, 100, 1e4, 1e6};
    const double tolerance[] = {0.2, 0.2, 0.2, 0.2};
    struct ct_sections_curve curve = {.x = x, .y = falling, .tolerance = tolerance, .n = 4};
    struct ct_section sections[4];
    size_t n = ct_sections_fit(&curve, sections);
    for (size_t i = 0; i < n; i++)
        assert_true(sections[i].slope >= 0 && sections[i].startup >= 0);
    curve.y = steep;
    curve.least_slope = 2;
    curve.least_startup = 0.5;
    n = ct_sections_fit(&curve, sections);
    assert_true(n > 1);
    for (size_t i = 0; i < n; i++)
        assert_true(sections[i].slope >= 2 && sections[i].startup >= 0.5);
    curve.least_slope = 1e9; /* no line comes near: one is as good as many */
    assert_int_equal(ct_sections_fit(&curve, sections), 1);
}

/* ---- simulators ---- */

/* Inlined, the text would seem to gcc to be gone with the variable that points to it. */
__attribute__((noinline)) static char *emitted(enum ct_emit what,
                                               const struct ct_emit_source *source)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct ct_error err;
    if (ct_loggp_emit(what, source, out, &err) != CT_OK)
        fail_msg("%s", err.text);
    fclose(out);
    return text;
}

static struct ct_emit_source source_made(const struct ct_loggp_point *points)
{
    return (struct ct_emit_source){.points = points,
                                   .n_points = CURVE_POINTS,
                                   .threshold =
                                       ct_loggp_find_threshold(points, CURVE_POINTS, 0.01)};
}

static struct ct_emit_source source_of(struct ct_loggp_point *points, double eager_bytes)
{
    make_curve(points, eager_bytes);
    return source_made(points);
}

static void loggopsim_takes_whole_numbers(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    struct ct_emit_source source = source_of(points, 8192);
    char *text = emitted(CT_EMIT_LOGGOPSIM, &source);
    /* t(64 KiB) = 85.536 us = o_s + o_r + 3 L + 2 o_s(0) + 65535 G, L = 5.601 us; 0.001 ns. */
    assert_non_null(strstr(text, "# unit of time: 0.001 ns; multiply"));
    assert_non_null(strstr(text, "\n-L 5601000 -o 1200000 -g 3001000 -G 982 -O 0 -S 8192\n"));
    free(text);
    source = source_of(points, INFINITY);
    text = emitted(CT_EMIT_LOGGOPSIM, &source);
    assert_non_null(strstr(text, "-S 65536\n"));
    assert_non_null(strstr(text, "no rendezvous up to 65536 B"));
    free(text);
    make_curve_of(points, INFINITY, 5e-6, 160e-9);
    source = source_made(points);
    text = emitted(CT_EMIT_LOGGOPSIM, &source);
    assert_non_null(strstr(text, "# unit of time: 1 ns\n"));
    assert_non_null(strstr(text, "-L 5760 -o 1200 -g 3160 -G 160 "));
    free(text);
}

static void loggopsim_times_fit_31_bits(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    make_curve_of(points, INFINITY, 30e-3, 40e-9);
    struct ct_emit_source source = source_made(points);
    char *text = emitted(CT_EMIT_LOGGOPSIM, &source);
    assert_non_null(strstr(text, "unit of time: 0.1 ns"));
    assert_non_null(strstr(text, "-L 300006400 "));
    free(text);
}

static void llamp_takes_ns_and_ns_per_byte(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    struct ct_emit_source source = source_of(points, INFINITY);
    char *text = emitted(CT_EMIT_LLAMP, &source);
    assert_int_equal(strncmp(text, "L,s,o,G\n5601,1,1200,1\n", 22), 0);
    assert_non_null(strstr(text, "\n5601,65536,1200,1\n"));
    free(text);
    for (size_t i = 0; i < 14; i++) /* three are left above 0: its script needs a fourth */
        points[i + 2].rtt_s = ct_estimate_none();
    struct ct_error err;
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(ct_loggp_emit(CT_EMIT_LLAMP, &source, out, &err), CT_ENODATA);
    fclose(out);
}

/* What SMPI would charge for a size under an option such as "0:1e-06:2e-10;8192:0:0". */
static double charged(const char *text, const char *option, double bytes, bool has_slope)
{
    char name[64];
    snprintf(name, sizeof name, "--cfg=smpi/%s:", option);
    const char *at = strstr(text, name);
    assert_non_null(at);
    double value = NAN;
    for (at += strlen(name); *at != '\n'; at += *at == ';') {
        char *end;
        double from = strtod(at, &end), startup = strtod(end + 1, &end), slope = 0;
        if (has_slope)
            slope = strtod(end + 1, &end);
        value = bytes >= from ? startup + slope * bytes : value;
        at = end;
    }
    return value;
}

static void simgrid_gets_back_what_was_measured(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    struct ct_emit_source source = source_of(points, 8192);
    char *text = emitted(CT_EMIT_SIMGRID, &source);
    double bytes_per_s, latency_s;
    const char *link = strstr(text, "# link of the platform:");
    assert_non_null(link);
    assert_int_equal(sscanf(link, "# link of the platform: bandwidth %lf Bps, latency %lf s",
                            &bytes_per_s, &latency_s),
                     2);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double m = (double)points[i].bytes;
        double os_s = charged(text, "os", m, true), or_s = charged(text, "or", m, true);
        double bandwidth_factor = charged(text, "bw-factor", m, false);
        double latency_factor = charged(text, "lat-factor", m, false);
        assert_true(bandwidth_factor > 0 && bandwidth_factor <= 1.0001 && latency_factor >= 1);
        double simulated_s =
            os_s + or_s + latency_factor * latency_s + m / (bandwidth_factor * bytes_per_s);
        double measured_s = 5e-6 + points[i].g_s.value;
        assert_near(simulated_s, measured_s, 0.06 * measured_s);
        if (m <= 8192)
            assert_near(os_s, points[i].os_s.value, 0.06 * points[i].os_s.value);
        else
            assert_near(os_s + or_s, 0, 0); /* a rendezvous lasts as long as the transfer */
    }
    assert_non_null(strstr(text, "--cfg=smpi/send-is-detached-thresh:16384\n"));
    free(text);
}

/* Copies can take all of the time of the largest message. */
/* A G of 0 is what overheads leave that take all of the time: sizes do not determine it. */
static void no_time_of_bytes_is_not_emitted(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    struct ct_emit_source source = source_of(points, INFINITY);
    struct ct_error err = {.text = ""};
    points[CURVE_POINTS - 1].os_s = exactly(points[CURVE_POINTS - 1].rtt_s.value);
    points[CURVE_POINTS - 1].rtt_s.value *= 1.1;
    FILE *out = fopen("/dev/null", "w");
    for (int what = CT_EMIT_LOGGOPSIM; what <= CT_EMIT_SIMGRID; what++) {
        assert_int_equal(ct_loggp_emit((enum ct_emit)what, &source, out, &err), CT_ENODATA);
        assert_non_null(strstr(err.text, "up to 64KiB): 0 ns a byte"));
    }
    fclose(out);
}

static void what_was_not_measured_is_not_emitted(void **state)
{
    (void)state;
    struct ct_loggp_point points[CURVE_POINTS];
    struct ct_emit_source source = source_of(points, 8192);
    struct ct_error err = {.text = ""};
    points[0].rtt_s = ct_estimate_none();
    FILE *out = fopen("/dev/null", "w");
    for (int what = CT_EMIT_LOGGOPSIM; what <= CT_EMIT_SIMGRID; what++) {
        assert_int_equal(ct_loggp_emit((enum ct_emit)what, &source, out, &err), CT_ENODATA);
        assert_non_null(strstr(err.text, "--method fast"));
    }
    fclose(out);
    source = source_of(points, 8192);
    source.n_points = 8; /* up to 64 B */
    out = fopen("/dev/null", "w");
    assert_int_equal(ct_loggp_emit(CT_EMIT_LLAMP, &source, out, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "no message above 64 B"));
    fclose(out);
    source = source_of(points, 8192);
    out = fopen("/dev/full", "w");
    assert_int_equal(ct_loggp_emit(CT_EMIT_LLAMP, &source, out, &err), CT_EIO);
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_have_intervals_from_six_values_on),
        cmocka_unit_test(errors_add_as_squares_on_their_side),
        cmocka_unit_test(table_1_of_the_paper),
        cmocka_unit_test(a_bend_is_more_than_epsilon_and_more_than_noise),
        cmocka_unit_test(a_handshake_is_a_jump_of_the_send_overhead),
        cmocka_unit_test(a_small_step_is_no_handshake),
        cmocka_unit_test(a_round_trip_that_jumps_alone_is_no_handshake),
        cmocka_unit_test(a_full_buffer_is_no_handshake),
        cmocka_unit_test(a_handshake_may_make_round_trips_shorter),
        cmocka_unit_test(a_handshake_shows_where_the_round_trip_is_long),
        cmocka_unit_test(a_handshake_shows_where_the_receiver_waits),
        cmocka_unit_test(a_full_buffer_of_the_receiver_is_no_handshake),
        cmocka_unit_test(a_size_that_was_disturbed_is_no_handshake),
        cmocka_unit_test(a_jump_within_the_noise_is_not_believed),
        cmocka_unit_test(sections_are_few_and_close),
        cmocka_unit_test(sections_keep_their_constraints),
        cmocka_unit_test(loggopsim_takes_whole_numbers),
        cmocka_unit_test(loggopsim_times_fit_31_bits),
        cmocka_unit_test(llamp_takes_ns_and_ns_per_byte),
        cmocka_unit_test(simgrid_gets_back_what_was_measured),
        cmocka_unit_test(no_time_of_bytes_is_not_emitted),
        cmocka_unit_test(what_was_not_measured_is_not_emitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
