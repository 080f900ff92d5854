/* Pairs of a scan meet once each; texts of its cells. */
#include "bench/scan/scan_schedule.h"
#include "results/scan_setting.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { NODES_MAX = 33 };

static void each_pair_meets_once(void **state)
{
    (void)state;
    for (int n = 1; n <= NODES_MAX; n++) {
        int met[NODES_MAX][NODES_MAX] = {{0}};
        for (int step = 0; step < ct_scan_steps(n); step++)
            for (int node = 0; node < n; node++) {
                int partner = ct_scan_partner(n, step, node);
                assert_in_range(partner + 1, 0, n);
                assert_int_not_equal(partner, node);
                if (partner >= 0) {
                    assert_int_equal(ct_scan_partner(n, step, partner), node);
                    met[node][partner]++;
                }
            }
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                assert_int_equal(met[a][b], a != b);
    }
}

static void cases_keep_their_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"latency:none",
                                        "bandwidth:incast",
                                        "allreduce:allreduce",
                                        "latency:alltoall:1ms/10ms",
                                        "latency:broadcast:0.5",
                                        "bandwidth:bisection:100us/1s:0.125",
                                        "latency:compression:P=1,M=10,B=100us",
                                        "bandwidth:compression:P=17,M=1,B=0s"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_scan_case parsed;
        char text[CT_SCAN_TEXT_MAX];
        assert_int_equal(ct_scan_case_parse(texts[i], &parsed, NULL), CT_OK);
        ct_scan_case_format(&parsed, text);
        assert_string_equal(text, texts[i]);
    }
}

static void bad_cases_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "latency",
                                        "latency:",
                                        ":incast",
                                        "speed:incast",
                                        "latency:storm",
                                        "latency:none:0.5",
                                        "latency:none:1ms/1ms",
                                        "latency:incast:",
                                        "latency:incast:0",
                                        "latency:incast:1.5",
                                        "latency:incast:nan",
                                        "latency:incast:1ms",
                                        "latency:incast:1ms/",
                                        "latency:incast:1ms/2s",
                                        "latency:incast:10us/1ms",
                                        "latency:incast:0.5:1ms/1ms",
                                        "latency:incast:1ms/1ms:0.5:1",
                                        "latency:compression",
                                        "latency:compression:0.5",
                                        "latency:compression:P=1,M=1",
                                        "latency:compression:P=0,M=1,B=1us",
                                        "latency:compression:P=1,M=1001,B=1us",
                                        "latency:compression:P=1,M=1,B=2s",
                                        "latency:compression:P=1,M=1,B=1us:0.5",
                                        "latency:compression:M=1,P=1,B=1us"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_scan_case parsed;
        struct ct_error err;
        assert_int_equal(ct_scan_case_parse(texts[i], &parsed, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, "CANARY:CONGESTOR"));
    }
}

static void settings_differ_in_each_part(void **state)
{
    (void)state;
    struct ct_scan_setting a = {.congestor = CT_SCAN_WITH_INCAST,
                                .burst_s = 1e-3,
                                .pause_s = 1e-2,
                                .intensity = 1},
                           b = a;
    b.burst_s *= 1.0001;
    assert_true(ct_scan_setting_same(&a, &b));
    b = a, b.congestor = CT_SCAN_WITH_ALLTOALL;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.burst_s = 2e-3;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.pause_s = 0;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.intensity = 0.5;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.partners = 1;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.messages = 1;
    assert_false(ct_scan_setting_same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_meets_once),
        cmocka_unit_test(cases_keep_their_text),
        cmocka_unit_test(bad_cases_are_refused),
        cmocka_unit_test(settings_differ_in_each_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
