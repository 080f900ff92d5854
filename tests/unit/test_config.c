/* results/config: text and back, order, equality. */
#include "results/config.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct ct_config parse(const char *text)
{
    struct ct_config config;
    struct ct_error err;
    if (ct_config_parse(text, &config, &err) != CT_OK)
        fail_msg("%s", err.text);
    return config;
}

static void texts_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *text, *description;
    } cases[] = {{"4:1:10ms", "P4 M1 B10ms"},
                 {"17:10:9.615384615us", "P17 M10 B9.615us"},
                 {"4:1:10ms:20ms/40ms", "P4 M1 B10ms 20ms/40ms"},
                 {"7:1:0ns:alltoall", "P7 M1 B0s alltoall"},
                 {"0:2:1s:incast:1ms/2min", "M2 B1s incast 1ms/120s"},
                 {"4:1:10ms:8KiB", "P4 M1 B10ms 8KiB"},
                 {"4:1:10ms:x3", "P4 M1 B10ms x3"},
                 {"4:1:10ms:40kB:x1", "P4 M1 B10ms"},
                 {"7:1:10ms:alltoall:20ms/40ms:1MB:x2", "P7 M1 B10ms alltoall 20ms/40ms 1MB x2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[CT_CONFIG_TEXT_MAX];
        struct ct_config config = parse(cases[i].text), back;
        ct_config_format(&config, text);
        back = parse(text);
        assert_int_equal(ct_config_compare(&config, &back), 0);
        ct_config_describe(&config, text);
        assert_string_equal(text, cases[i].description);
        back = parse(text);
        assert_true(ct_config_same(&config, &back));
    }
    struct ct_config config = parse("4:3:10ms:bisection:20ms/40ms");
    assert_int_equal(config.partners, 4);
    assert_int_equal(config.messages, 3);
    assert_near(config.bubble_s, 0.01, 1e-12);
    assert_int_equal(config.pattern, CT_PATTERN_BISECTION);
    assert_true(config.burst.given);
    assert_near(config.burst.on_s, 0.02, 1e-12);
    assert_near(config.burst.off_s, 0.04, 1e-12);
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "4",
                                        "4:1",
                                        "4:1:",
                                        "4:1:10",
                                        "4:0:10ms",
                                        "0:1:10ms",
                                        "-1:1:10ms",
                                        "4294967296:1:1ms",
                                        "4:1:10ms:spiral",
                                        "4:1:10ms:",
                                        "4:1:10ms:20ms/40ms:alltoall",
                                        "4:1:10ms:alltoall:20ms",
                                        "4:1:10ms:alltoall:1us/1ms",
                                        "4:1:10ms:alltoall:20ms/40ms:x",
                                        "4:1:10ms:x0",
                                        "4:1:10ms:x1000001",
                                        "4:1:10ms:0B",
                                        "4:1:10ms:x2:8KiB",
                                        "P4",
                                        "P4 M1",
                                        "P4 M1 10ms",
                                        "P4:M1:B10ms",
                                        "M1 P4 B10ms",
                                        "M1 B10ms",
                                        "P4  M1 B10ms",
                                        "P4 M1 B10ms ",
                                        "P4 M1 B10ms ring alltoall",
                                        "M1 B10ms incast 1ms/2ms 1MB x2 x2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_config config = {.partners = 9};
        struct ct_error err;
        if (ct_config_parse(texts[i], &config, &err) != CT_EINVAL)
            fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(config.partners, 9);
        assert_non_null(strstr(err.text, "P:M:B"));
    }
    char long_text[1000];
    memset(long_text, ':', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    struct ct_config config;
    assert_int_equal(ct_config_parse(long_text, &config, NULL), CT_EINVAL);
}

static void the_steady_ring_comes_first(void **state)
{
    (void)state;
    static const char *const in_order[] = {"1:1:1ms",         "1:1:2ms",
                                           "1:2:1ms",         "2:1:1ms",
                                           "2:1:1ms:x2",      "2:1:1ms:41kB",
                                           "2:1:1ms:41kB:x2", "1:1:1ms:1ms/2ms",
                                           "2:1:1ms:1ms/2ms", "1:1:1ms:1ms/3ms",
                                           "1:1:1ms:2ms/1ms", "1:1:1ms:alltoall",
                                           "0:1:1ms:bcast",   "0:1:1ms:bcast:1s/1s"};
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
        for (size_t j = 0; j < sizeof in_order / sizeof *in_order; j++) {
            struct ct_config a = parse(in_order[i]), b = parse(in_order[j]);
            int order = ct_config_compare(&a, &b);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
            assert_int_equal(ct_config_same(&a, &b), i == j);
        }
}

static void a_thousandth_makes_no_other_configuration(void **state)
{
    (void)state;
    struct ct_config a = parse("4:1:10ms:20ms/40ms"), b = parse("4:1:10.005ms:20.01ms/39.98ms");
    assert_true(ct_config_same(&a, &b));
    b = parse("4:1:10.02ms:20ms/40ms");
    assert_false(ct_config_same(&a, &b));
    b = parse("4:1:10ms:20.1ms/40ms");
    assert_false(ct_config_same(&a, &b));
}

static void what_is_not_said_is_the_default_or_unknown(void **state)
{
    (void)state;
    struct ct_config silent = parse("4:1:10ms"), plain = parse("4:1:10ms:40kB:x1"),
                     twice = parse("4:1:10ms:x2"), small = parse("4:1:10ms:1kB"),
                     other = parse("4:2:10ms:x2");
    assert_int_equal(ct_config_message_bytes(&silent), 40000);
    assert_int_equal(ct_config_slots(&silent), 1);
    assert_true(ct_config_same(&silent, &plain));
    assert_false(ct_config_same(&silent, &twice));
    assert_true(ct_config_may_be_same(&silent, &twice));
    assert_true(ct_config_may_be_same(&small, &twice));
    assert_false(ct_config_may_be_same(&plain, &twice));
    assert_false(ct_config_may_be_same(&plain, &small));
    assert_false(ct_config_may_be_same(&silent, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(the_steady_ring_comes_first),
        cmocka_unit_test(a_thousandth_makes_no_other_configuration),
        cmocka_unit_test(what_is_not_said_is_the_default_or_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
