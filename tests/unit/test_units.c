/* core/units: exact parsing, what is refused, and that what is printed reads back. */
#include "core/units.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>
#include <string.h>

/* ---- accepted ---- */

static void durations(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double duration_s;
    } cases[] = {{"250ns", 250e-9}, {"40us", 40e-6}, {"100ms", 0.1}, {"30s", 30},  {"0.5s", 0.5},
                 {"2min", 120},     {"1.5h", 5400},  {".5ms", 5e-4}, {"1.s", 1},   {"1e3us", 1e-3},
                 {"1E-3s", 1e-3},   {"0s", 0},       {"007s", 7},    {"1e+1s", 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double duration_s = -1;
        if (ct_parse_duration(cases[i].text, &duration_s, NULL) != CT_OK)
            fail_msg("%s was refused", cases[i].text);
        assert_near(duration_s, cases[i].duration_s, 1e-15 * cases[i].duration_s);
    }
}

static void sizes(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t bytes;
    } cases[] = {{"1KiB", 1024},
                 {"40kB", 40000},
                 {"2MiB", 2097152},
                 {"0B", 0},
                 {"1B", 1},
                 {"4.1kB", 4100},
                 {"1.5KiB", 1536},
                 {"1GB", 1000000000},
                 {"1GiB", 1073741824},
                 {"0.001kB", 1},
                 {"1e3B", 1000},
                 {"3MB", 3000000},
                 {"9007199254740992B", 9007199254740992}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t bytes = 77;
        if (ct_parse_size(cases[i].text, &bytes, NULL) != CT_OK)
            fail_msg("%s was refused", cases[i].text);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void rates_pauses_fractions_and_numbers(void **state)
{
    (void)state;
    double value;
    assert_int_equal(ct_parse_rate("50mbit", &value, NULL), CT_OK);
    assert_true(value == 50e6);
    assert_int_equal(ct_parse_rate("1.5gbit", &value, NULL), CT_OK);
    assert_true(value == 1.5e9);
    struct ct_pause pause;
    assert_int_equal(ct_parse_pause("25000cycles", &pause, NULL), CT_OK);
    assert_true(pause.in_cycles && pause.value == 25000);
    assert_int_equal(ct_parse_pause("10us", &pause, NULL), CT_OK);
    assert_true(!pause.in_cycles);
    assert_near(pause.value, 10e-6, 1e-20);
    assert_int_equal(ct_parse_fraction("0.05", &value, NULL), CT_OK);
    assert_true(value == 0.05);
    assert_int_equal(ct_parse_fraction("5%", &value, NULL), CT_OK);
    assert_true(value == 0.05);
    assert_int_equal(ct_parse_double("-2.5e-1", &value, NULL), CT_OK);
    assert_true(value == -0.25);
    uint64_t whole;
    assert_int_equal(ct_parse_u64("18446744073709551615", &whole, NULL), CT_OK);
    assert_true(whole == UINT64_MAX);
    assert_int_equal(ct_parse_u64("0", &whole, NULL), CT_OK);
    assert_true(whole == 0);
}

/* ---- refused ---- */

/* Each parser behind one signature: true if the text was taken, or the output touched. */

static bool takes_duration(const char *text, struct ct_error *err)
{
    double x = -77;
    return ct_parse_duration(text, &x, err) == CT_OK || x != -77;
}

static bool takes_size(const char *text, struct ct_error *err)
{
    size_t x = 77;
    return ct_parse_size(text, &x, err) == CT_OK || x != 77;
}

static bool takes_rate(const char *text, struct ct_error *err)
{
    double x = -77;
    return ct_parse_rate(text, &x, err) == CT_OK || x != -77;
}

static bool takes_pause(const char *text, struct ct_error *err)
{
    struct ct_pause x = {.value = -77};
    return ct_parse_pause(text, &x, err) == CT_OK || x.value != -77;
}

static bool takes_u64(const char *text, struct ct_error *err)
{
    uint64_t x = 77;
    return ct_parse_u64(text, &x, err) == CT_OK || x != 77;
}

static bool takes_double(const char *text, struct ct_error *err)
{
    double x = -77;
    return ct_parse_double(text, &x, err) == CT_OK || x != -77;
}

static bool takes_fraction(const char *text, struct ct_error *err)
{
    double x = -77;
    return ct_parse_fraction(text, &x, err) == CT_OK || x != -77;
}

static void garbage_is_refused_everywhere(void **state)
{
    (void)state;
    bool (*const parsers[])(const char *, struct ct_error *) = {
        takes_duration, takes_size,   takes_rate,    takes_pause,
        takes_u64,      takes_double, takes_fraction};
    const char *const garbage[] = {
        "",       " ",    "s",   "us",     "-",    ".",          "e5",     ".s",   "+1",
        "+1s",    " 1s",  "1s ", "1 s",    "1ss",  "1,5s",       "1.2.3",  "0x10", "0x1s",
        "inf",    "infs", "nan", "nans",   "1e",   "1e400",      "1e400s", "--1",  "1e5e5",
        "cycles", "-1s",  "-1B", "-1mbit", "1s\n", "1fortnight", "1S",     "1Us"};
    for (size_t p = 0; p < sizeof parsers / sizeof *parsers; p++)
        for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
            struct ct_error err = {0};
            if (parsers[p](garbage[i], &err))
                fail_msg("parser %zu took '%s'", p, garbage[i]);
            assert_int_equal(err.status, CT_EINVAL);
            assert_non_null(strstr(err.text, garbage[i])); /* the message names the text */
        }
}

static void each_parser_refuses_what_only_others_take(void **state)
{
    (void)state;
    const struct {
        bool (*takes)(const char *, struct ct_error *);
        const char *texts[8];
    } cases[] = {
        {takes_duration, {"60", "0", "5%", "1KiB", "1e309ms", "5cycles", "1mbit"}},
        {takes_size, {"60", "1.5B", "0.0003kB", "1kib", "1KB", "9007199254740994B", "1e300GiB"}},
        {takes_rate, {"50", "50Mbit", "50mbps", "1e308gbit", "1B"}},
        {takes_pause, {"25000", "1e308h", "5cyclesx", "1KiB"}},
        {takes_u64, {"-1", "1.0", "1e3", "18446744073709551616", "5%", "1s"}},
        {takes_double, {"5%", "1s", "-", "--5", "-inf"}},
        {takes_fraction, {"-5%", "5%%", "5 %", "%", "1s"}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = 0; cases[c].texts[i]; i++)
            if (cases[c].takes(cases[c].texts[i], NULL))
                fail_msg("case %zu took '%s'", c, cases[c].texts[i]);
}

static void a_missing_unit_is_named(void **state)
{
    (void)state;
    struct ct_error err;
    double value;
    assert_int_equal(ct_parse_duration("60", &value, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "unit is missing"));
    assert_non_null(strstr(err.text, "40us")); /* and how to write it */
    assert_int_equal(ct_parse_duration("60sec", &value, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "'sec'"));
}

/* ---- what is printed reads back ---- */

static void shortest_texts(void **state)
{
    (void)state;
    char text[CT_UNITS_TEXT_MAX];
    const struct {
        double duration_s;
        const char *text;
    } cases[] = {{40e-6, "40us"}, {250e-9, "250ns"}, {0, "0s"},
                 {0.1, "100ms"},  {90, "90s"},       {1.5, "1.5s"},
                 {3600, "3600s"}, {1e-3, "1ms"},     {171.19036817119037, "171.190368171s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ct_format_duration(cases[i].duration_s, text);
        assert_string_equal(text, cases[i].text);
    }
    ct_format_size(1024, text);
    assert_string_equal(text, "1KiB");
    ct_format_size(40000, text);
    assert_string_equal(text, "40kB");
    ct_format_size(0, text);
    assert_string_equal(text, "0B");
    ct_format_rate_words(50e6, text);
    assert_string_equal(text, "50 Mbit/s");
    ct_format_rate_words(1.5e9, text);
    assert_string_equal(text, "1.5 Gbit/s");
    ct_format_rate_words(800, text);
    assert_string_equal(text, "800 bit/s");
    ct_format_rate(50e6, text);
    assert_string_equal(text, "50mbit");
    ct_format_pause((struct ct_pause){true, 25000}, text);
    assert_string_equal(text, "25000cycles");
    ct_format_pause((struct ct_pause){false, 1e-5}, text);
    assert_string_equal(text, "10us");
}

static void random_values_read_back(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (int i = 0; i < 20000; i++) {
        char text[CT_UNITS_TEXT_MAX];
        double value = exp(60 * gsl_rng_uniform(rng) - 30), back;
        ct_format_duration(value, text);
        assert_int_equal(ct_parse_duration(text, &back, NULL), CT_OK);
        assert_near(back, value, 1e-11 * value);
        ct_format_rate(value, text);
        assert_int_equal(ct_parse_rate(text, &back, NULL), CT_OK);
        assert_near(back, value, 1e-11 * value);
        size_t bytes = (size_t)exp(36 * gsl_rng_uniform(rng)), bytes_back;
        ct_format_size(bytes, text);
        assert_int_equal(ct_parse_size(text, &bytes_back, NULL), CT_OK);
        assert_true(bytes_back == bytes);
        struct ct_pause pause = {i % 2, value}, pause_back;
        ct_format_pause(pause, text);
        assert_int_equal(ct_parse_pause(text, &pause_back, NULL), CT_OK);
        assert_true(pause_back.in_cycles == pause.in_cycles);
        assert_near(pause_back.value, value, 1e-11 * value);
    }
    gsl_rng_free(rng);
}

static void whole_multiples_of_a_unit_read_back_exactly(void **state)
{
    (void)state;
    const char *const units[] = {"ns", "us", "ms", "s"};
    for (size_t u = 0; u < 4; u++)
        for (int i = 1; i < 1000; i++) {
            char written[CT_UNITS_TEXT_MAX], text[CT_UNITS_TEXT_MAX];
            double value, back;
            snprintf(written, sizeof written, "%d%s", i, units[u]);
            assert_int_equal(ct_parse_duration(written, &value, NULL), CT_OK);
            ct_format_duration(value, text);
            assert_string_equal(text, written);
            assert_int_equal(ct_parse_duration(text, &back, NULL), CT_OK);
            assert_true(back == value);
        }
}

static void elapsed_times_for_people(void **state)
{
    (void)state;
    const struct {
        double duration_s;
        const char *text;
    } cases[] = {{0.4, "0.4 s"},        {9.96, "10.0 s"},    {42.4, "42 s"},
                 {59.6, "1 min 00 s"},  {100, "1 min 40 s"}, {3599.7, "1 h 00 min"},
                 {11100, "3 h 05 min"}, {1e300, "unknown"},  {INFINITY, "unknown"},
                 {NAN, "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[CT_UNITS_TEXT_MAX];
        ct_format_elapsed(cases[i].duration_s, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void durations_and_shares_in_sentences(void **state)
{
    (void)state;
    static const struct {
        double duration_s;
        int digits;
        const char *text;
    } cases[] = {{39.4e-6, 2, "39 us"},   {157.7e-6, 2, "158 us"}, {5.73e-6, 2, "5.7 us"},
                 {1.4859, 4, "1.486 s"},  {0.5, 4, "500 ms"},      {0, 2, "0 us"},
                 {-8.3e-6, 2, "-8.3 us"}, {1.2e-9, 2, "1.2 ns"},   {INFINITY, 2, "inf"}};
    static const struct {
        double frac;
        const char *text;
    } shares[] = {{0.0013, "0.13 %"}, {0.956, "96 %"},    {1.5, "150 %"}, {0.05, "5 %"},
                  {-6e-14, "0 %"},    {-0.015, "-1.5 %"}, {NAN, "- %"}};
    char text[CT_UNITS_TEXT_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ct_format_words(cases[i].duration_s, cases[i].digits, text);
        assert_string_equal(text, cases[i].text);
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        ct_format_share(shares[i].frac, text);
        assert_string_equal(text, shares[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(sizes),
        cmocka_unit_test(rates_pauses_fractions_and_numbers),
        cmocka_unit_test(garbage_is_refused_everywhere),
        cmocka_unit_test(each_parser_refuses_what_only_others_take),
        cmocka_unit_test(a_missing_unit_is_named),
        cmocka_unit_test(shortest_texts),
        cmocka_unit_test(random_values_read_back),
        cmocka_unit_test(whole_multiples_of_a_unit_read_back_exactly),
        cmocka_unit_test(elapsed_times_for_people),
        cmocka_unit_test(durations_and_shares_in_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
