/* model/probe: summaries keep what the models need, and can be drawn from again. */
#include "model/probe/probe.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { N = 1000 };

struct probed {
    double x[N];
    struct ct_series series;
    struct ct_probe_grid grid;
    struct ct_probe_summary summary;
    double mass[CT_PROBE_SCALES * CT_PROBE_BINS_MAX];
    struct ct_probe_profile profile;
};

/* share of the latencies are high, in runs of `length`. */
static void probe(struct probed *p, double share, size_t length, double low_s, double high_s)
{
    const double ends_s[] = {1e-6, 1e-2};
    const struct ct_series range = {ends_s, 2};
    for (size_t i = 0; i < N; i++)
        p->x[i] = (double)(i % length) < share * (double)length - 1e-9 ? high_s : low_s;
    p->series = (struct ct_series){p->x, N};
    assert_int_equal(ct_probe_grid_over(&range, 1, &p->grid), CT_OK);
    assert_int_equal(ct_probe_summarize(p->series, (struct ct_runs){0}, &p->grid, &p->summary),
                     CT_OK);
    ct_probe_profile_of(&p->summary, NULL, p->mass, &p->profile);
}

static void bins_hold_their_values(void **state)
{
    (void)state;
    const double ends_s[] = {7e-6, 0.3};
    const struct ct_series range = {ends_s, 2};
    struct ct_probe_grid grid;
    assert_int_equal(ct_probe_grid_over(&range, 1, &grid), CT_OK);
    for (double x = 7e-6; x < 0.3; x *= 1.003) {
        size_t bin = ct_probe_bin(&grid, x);
        assert_true(bin < grid.n_bins);
        assert_true(ct_probe_edge_s(&grid, bin) <= x && x < ct_probe_edge_s(&grid, bin + 1));
        assert_true(ct_probe_edge_s(&grid, bin + 1) <= ct_probe_edge_s(&grid, bin) * 1.126);
    }
    assert_int_equal(ct_probe_bin(&grid, 1e-9), 0);
    assert_int_equal(ct_probe_bin(&grid, 1e9), grid.n_bins - 1);
    assert_true(ct_probe_grid_is_sound(&grid));
}

static void grids_of_files_are_judged(void **state)
{
    (void)state;
    const double ends_s[] = {7e-6, 0.3};
    const struct ct_series range = {ends_s, 2};
    struct ct_probe_grid grid;
    assert_int_equal(ct_probe_grid_over(&range, 1, &grid), CT_OK);
    struct ct_probe_grid none = {.first = grid.first}, many = {grid.first, CT_PROBE_BINS_MAX + 1};
    struct ct_probe_grid largest = {grid.first, CT_PROBE_BINS_MAX}, beyond = {UINT64_MAX, 1};
    assert_true(ct_probe_grid_is_sound(&largest));
    assert_false(ct_probe_grid_is_sound(&none));
    assert_false(ct_probe_grid_is_sound(&many));
    assert_false(ct_probe_grid_is_sound(&beyond));
}

static void bad_ranges_are_refused(void **state)
{
    (void)state;
    const double zero[] = {0, 1}, wide[] = {1e-30, 1e30}, nan_s[] = {NAN, 1};
    const struct ct_series none = {NULL, 0};
    const struct ct_series bad[] = {{zero, 2}, {wide, 2}, {nan_s, 2}};
    struct ct_probe_grid grid;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ct_probe_grid_over(&bad[i], 1, &grid), CT_EINVAL);
    assert_int_equal(ct_probe_grid_over(&none, 1, &grid), CT_ENODATA);
}

static void moments_are_those_of_the_series(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 0.3, 10, 10e-6, 1e-3);
    struct ct_summary all;
    ct_stats_summarize(p.x, N, &all);
    assert_int_equal(p.profile.latency_s.n, N);
    assert_near(p.profile.latency_s.mean / all.mean, 1, 1e-12);
    assert_near(p.profile.latency_s.variance / all.variance, 1, 1e-12);
    assert_near(p.profile.latency_s.min, all.min, 0);
    assert_near(p.profile.latency_s.max, all.max, 0);
    assert_true(p.summary.n_blocks >= 2 && p.summary.n_blocks <= CT_PROBE_BLOCKS_MAX);
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        double sum = 0;
        for (size_t i = 0; i < p.grid.n_bins; i++)
            sum += p.mass[scale * p.grid.n_bins + i];
        assert_near(sum, 1, 1e-12);
    }
    ct_probe_summary_free(&p.summary);
}

static double high_share(const struct probed *p, size_t scale)
{
    size_t high = ct_probe_bin(&p->grid, 1e-3);
    return p->mass[scale * p->grid.n_bins + high];
}

/* Of bursts of 3 in 10, 2 pairs of neighbours in 10 are high; of single ones none is. */
static void scales_tell_what_lasts(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 0.3, 10, 10e-6, 1e-3);
    assert_near(high_share(&p, 0), 0.3, 1e-9);
    assert_near(high_share(&p, 1), 0.2, 1e-3);
    ct_probe_summary_free(&p.summary);
    probe(&p, 0.5, 2, 10e-6, 1e-3);
    assert_near(high_share(&p, 0), 0.5, 1e-9);
    assert_near(high_share(&p, 1), 0, 1e-9);
    ct_probe_summary_free(&p.summary);
    probe(&p, 0.3, 100, 10e-6, 1e-3);
    assert_near(high_share(&p, 0), 0.3, 1e-9);
    assert_near(high_share(&p, 1), 0.29, 1e-3);
    ct_probe_summary_free(&p.summary);
}

static void windows_end_with_their_run(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 1, 10, 10e-6, 1e-3);
    ct_probe_summary_free(&p.summary);
    size_t ends[N];
    for (size_t i = 0; i < N; i++)
        ends[i] = i + 1; /* a run each: nothing lasts */
    assert_int_equal(ct_probe_summarize(p.series, (struct ct_runs){ends, N}, &p.grid, &p.summary),
                     CT_OK);
    ct_probe_profile_of(&p.summary, NULL, p.mass, &p.profile);
    assert_near(high_share(&p, 0), 1, 0);
    assert_near(high_share(&p, 1), 0, 0);
    ct_probe_summary_free(&p.summary);
}

static void drawn_blocks_count_as_often_as_drawn(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 0.5, N, 10e-6, 1e-3); /* first half high */
    uint32_t drawn[CT_PROBE_BLOCKS_MAX] = {0};
    drawn[0] = 3;
    ct_probe_profile_of(&p.summary, drawn, p.mass, &p.profile);
    assert_int_equal(p.profile.latency_s.n, 3 * p.summary.blocks[0].n);
    assert_near(p.profile.latency_s.mean, 1e-3, 1e-15);
    assert_near(high_share(&p, 0), 1, 1e-12);
    ct_probe_summary_free(&p.summary);
}

static void undisturbed_share_is_what_is_left_of_idle(void **state)
{
    (void)state;
    struct probed idle, load;
    probe(&idle, 0.1, 10, 10e-6, 14e-6);
    for (int percent = 0; percent <= 100; percent += 10) {
        probe(&load, 0.01 * percent, 100, 10e-6, 1e-3);
        double expected = 1 - 0.01 * percent;
        assert_near(ct_probe_undisturbed_frac(&idle.profile, &load.profile, 0.5), expected, 0.01);
        ct_probe_summary_free(&load.summary);
    }
    assert_near(ct_probe_undisturbed_frac(&idle.profile, &idle.profile, 0.5), 1, 1e-12);
    /* A little slower, and not busier: seen from further up there is less of it. */
    probe(&load, 0.5, 100, 10.7e-6, 14e-6);
    assert_near(ct_probe_undisturbed_frac(&idle.profile, &load.profile, 0.95), 1, 1e-12);
    assert_near(ct_probe_undisturbed_frac(&idle.profile, &load.profile, 0.5), 0, 1e-12);
    ct_probe_summary_free(&load.summary);
    struct ct_probe_profile none = {0};
    assert_true(isnan(ct_probe_undisturbed_frac(&idle.profile, &none, 0.5)));
    ct_probe_summary_free(&idle.summary);
}

static void quantiles_lie_in_their_bins(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 0.3, 10, 10e-6, 1e-3);
    double median_s = ct_probe_quantile_s(&p.profile, 0.5);
    assert_int_equal(ct_probe_bin(&p.grid, median_s), ct_probe_bin(&p.grid, 10e-6));
    assert_int_equal(ct_probe_bin(&p.grid, ct_probe_quantile_s(&p.profile, 0.9)),
                     ct_probe_bin(&p.grid, 1e-3));
    struct ct_probe_profile none = {0};
    assert_true(isnan(ct_probe_quantile_s(&none, 0.5)));
    ct_probe_summary_free(&p.summary);
}

static void nothing_measured_is_no_block(void **state)
{
    (void)state;
    struct probed p;
    probe(&p, 0, 10, 10e-6, 1e-3);
    ct_probe_summary_free(&p.summary);
    assert_int_equal(
        ct_probe_summarize((struct ct_series){0}, (struct ct_runs){0}, &p.grid, &p.summary), CT_OK);
    assert_int_equal(p.summary.n_blocks, 0);
    p.x[500] = -1;
    assert_int_equal(ct_probe_summarize(p.series, (struct ct_runs){0}, &p.grid, &p.summary),
                     CT_EINVAL);
    p.series.n = 1;
    assert_int_equal(ct_probe_summarize(p.series, (struct ct_runs){0}, &p.grid, &p.summary), CT_OK);
    assert_int_equal(p.summary.n_blocks, 1);
    ct_probe_summary_free(&p.summary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_hold_their_values),
        cmocka_unit_test(grids_of_files_are_judged),
        cmocka_unit_test(bad_ranges_are_refused),
        cmocka_unit_test(moments_are_those_of_the_series),
        cmocka_unit_test(scales_tell_what_lasts),
        cmocka_unit_test(windows_end_with_their_run),
        cmocka_unit_test(drawn_blocks_count_as_often_as_drawn),
        cmocka_unit_test(undisturbed_share_is_what_is_left_of_idle),
        cmocka_unit_test(quantiles_lie_in_their_bins),
        cmocka_unit_test(nothing_measured_is_no_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
