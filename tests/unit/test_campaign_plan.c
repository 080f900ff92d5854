/* campaign/plan: which runs follow from a file, and their command lines. */
#include "campaign/commands.h"
#include "campaign/constants.h"
#include "campaign/placement.h"
#include "campaign/repeat.h"
#include "campaign/traces.h"
#include "tests/unit/campaign_texts.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plans ---- */

static size_t count_sort(const struct ct_plan *plan, const char *sort)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_runs; i++)
        n += !strcmp(ct_plan_sort(&plan->runs[i]), sort);
    return n;
}

static void a_plan_has_every_run_once(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "idle"), 3);
    assert_int_equal(count_sort(&plan, "baseline"), 2 * 2);
    assert_int_equal(count_sort(&plan, "impact"), 2 + 3);
    assert_int_equal(count_sort(&plan, "compression"), 2 * 3 * 2);
    assert_int_equal(count_sort(&plan, "corun"), 2 * 2);
    assert_int_equal(plan.n_runs, 3 + 4 + 5 + 12 + 4);
    for (size_t i = 0; i < plan.n_runs; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(plan.runs[i].id, plan.runs[j].id);
    const char *const ids[] = {"idle-r2",
                               "baseline-other-r1",
                               "impact-fft-r0",
                               "impact-p1-m2-b100ms-20kb-r0",
                               "runtime-fft-under-p4-m1-b500us-r1",
                               "runtime-fft-with-other-r0",
                               "runtime-other-with-fft-r0",
                               "runtime-fft-with-fft-r0"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        find_run(&plan, ids[i]);
    const struct ct_plan_run *run = find_run(&plan, "runtime-other-with-fft-r0");
    assert_int_equal(run->measure, CT_PLAN_APP);
    assert_int_equal(run->app, 1);
    assert_int_equal(run->background, CT_PLAN_OTHER_APP);
    assert_int_equal(run->other, 0);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void latencies_are_measured_under_each_placement(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("latencies: 150us 1ms\nlogp: classes\ntrace: true\ncampaign: c\n"
                  "placement: disjoint interleaved\n"
                  "launcher: {kind: lab, topology: \"tree:2x2\", latency: 200us}\n"
                  "repetitions: {idle: 1, baseline: 2, impact: 0, compression: 0, corun: 0}\n"
                  "applications:\n  - {name: a, command: a}\n");
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "baseline"), 2 * 2 * 3);
    assert_int_equal(count_sort(&plan, "logp"), 2);
    assert_int_equal(count_sort(&plan, "trace"), 1);
    const struct ct_plan_run *apart = find_run(&plan, "baseline-a-later-1ms-disjoint-r1");
    const struct ct_plan_run *mixed = find_run(&plan, "baseline-a-later-1ms-interleaved-r1");
    assert_near(apart->latency_s, 1e-3, 1e-15);
    assert_near(mixed->latency_s, 1e-3, 1e-15);
    assert_true(ct_plan_sides(&spec, apart)->kind == CT_SIDES_DISJOINT);
    assert_true(ct_plan_sides(&spec, mixed)->kind == CT_SIDES_INTERLEAVED);
    struct ct_argv argv = {0};
    assert_int_equal(
        ct_command_measured(&spec, find_run(&plan, "logp-disjoint-r0"), "o.h5", &argv, NULL),
        CT_OK);
    bool by_class = false;
    for (size_t i = 0; i + 1 < argv.n; i++)
        by_class |= !strcmp(argv.item[i], "--pairs") && !strcmp(argv.item[i + 1], "classes");
    assert_true(by_class);
    ct_argv_free(&argv);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void with_latencies_each_application_is_alone_at_each(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(
        "latencies: 0us 1ms 150us\ntrace: true\ncampaign: c\n"
        "launcher: {kind: lab, hosts: 2, latency: 200us}\n"
        "repetitions: {idle: 1, baseline: 3, impact: 0, compression: 0, corun: 0}\n"
        "applications:\n  - {name: a, command: a, longer: a long, longer_by: 4, pass: 10s}\n"
        "  - {name: b, command: b}\n");
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "baseline"), 2 * 3 * 3);
    assert_int_equal(count_sort(&plan, "trace"), 3);
    assert_int_equal(plan.n_runs, 1 + 18 + 3);
    assert_near(find_run(&plan, "baseline-a-r2")->latency_s, 0, 0);
    assert_near(find_run(&plan, "baseline-a-later-150us-r0")->latency_s, 150e-6, 1e-15);
    assert_near(find_run(&plan, "baseline-b-later-1ms-r2")->latency_s, 1e-3, 1e-15);
    assert_true(find_run(&plan, "trace-a-longer-r0")->is_longer);
    assert_false(find_run(&plan, "trace-a-r0")->is_longer);
    assert_near(find_run(&plan, "trace-a-longer-r0")->expected_s -
                    find_run(&plan, "trace-a-r0")->expected_s,
                4 * 10, 1e-9);
    /* Traces come last; latencies do not come in order. */
    size_t n_down = 0;
    for (size_t i = 0; i < plan.n_runs; i++) {
        assert_int_equal(plan.runs[i].measure == CT_PLAN_TRACE, i >= plan.n_runs - 3);
        n_down += i > 0 && plan.runs[i].latency_s < plan.runs[i - 1].latency_s;
    }
    assert_true(n_down > 3);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* Applications, and the probe, beside each configuration: at every latency as often as without. */
static void loaded_runs_are_made_at_each_latency_too(void **state)
{
    (void)state;
    static const char rest[] =
        "latencies: 150us 1ms\ncampaign: c\nlauncher: {kind: lab, hosts: 4, latency: 200us}\n"
        "repetitions: {idle: 1, baseline: 2, impact: 1, compression: 3, corun: 0}\n"
        "applications: [{name: a, command: a}]\n"
        "configurations: [{partners: 2, messages: 4, bubble: 5ms}]\n";
    static const struct {
        const char *kind;
        size_t baselines, impacts, compressions;
    } cases[] = {
        {"alone", 2 * 3, 1 + 1, 3}, {"loaded", 2, 1 + 3, 3 * 3}, {"all", 2 * 3, 1 + 3, 3 * 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[sizeof rest + 40];
        snprintf(text, sizeof text, "latency_runs: %s\n%s", cases[i].kind, rest);
        struct ct_campaign_spec spec = read_spec(text);
        struct ct_plan plan = make_plan(&spec, 1);
        assert_int_equal(count_sort(&plan, "baseline"), cases[i].baselines);
        assert_int_equal(count_sort(&plan, "impact"), cases[i].impacts);
        assert_int_equal(count_sort(&plan, "compression"), cases[i].compressions);
        assert_int_equal(count_sort(&plan, "idle"), 1);
        if (cases[i].impacts > 2) {
            const struct ct_plan_run *run = find_run(&plan, "impact-p2-m4-b5ms-later-1ms-r0");
            assert_int_equal(run->background, CT_PLAN_COMPRESSION);
            assert_near(run->latency_s, 1e-3, 1e-15);
            run = find_run(&plan, "runtime-a-under-p2-m4-b5ms-later-150us-r2");
            assert_int_equal(run->measure, CT_PLAN_APP);
            assert_near(run->latency_s, 150e-6, 1e-15);
        }
        ct_plan_free(&plan);
        ct_campaign_spec_free(&spec);
    }
}

#define TREE                                                                                       \
    "campaign: c\nseed: 3\nlauncher: {kind: lab, topology: \"tree:2x4\"}\n" APPS                   \
    "configurations: [{partners: 3, messages: 1, bubble: 1ms}]\n"

static void with_placements_there_are_all_runs_of_each(void **state)
{
    (void)state;
    struct ct_campaign_spec plain = read_spec("logp: false\n" TREE);
    struct ct_campaign_spec spec =
        read_spec("logp: idle\ntrace: true\nplacement: shared interleaved fragments\n" TREE);
    struct ct_plan without = make_plan(&plain, 1), plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 3 * (without.n_runs + 1) + 2);
    find_run(&plan, "trace-fft-r0");
    find_run(&plan, "logp-shared-r0");
    const struct ct_plan_run *run = find_run(&plan, "runtime-fft-with-other-interleaved-r0");
    assert_string_equal(ct_plan_placement(&spec, run), "interleaved");
    assert_null(ct_plan_placement(&plain, &without.runs[0]));
    struct ct_part measured = ct_part_measured(&spec, run);
    struct ct_part background = ct_part_background(&spec, run, 0);
    assert_int_equal(measured.slots, 2);
    assert_int_equal(measured.n_hosts, 4);
    assert_int_equal(measured.hosts[2], 4);
    assert_int_equal(background.n_hosts, 4);
    assert_int_equal(background.hosts[2], 6);
    assert_null(ct_part_measured(&plain, &without.runs[0]).hosts);
    /* Shared is on so many hosts, too: a program is the same job everywhere. */
    run = find_run(&plan, "impact-p3-m1-b1ms-shared-r0");
    assert_int_equal(ct_part_measured(&spec, run).n_hosts, 4);
    assert_int_equal(ct_part_background(&spec, run, 0).hosts[3], 3);
    ct_plan_free(&plan);
    ct_plan_free(&without);
    ct_campaign_spec_free(&spec);
    ct_campaign_spec_free(&plain);
    /* Alone it is on all of them, as without the key. */
    spec = read_spec("placement: shared\n" TREE);
    plan = make_plan(&spec, 1);
    assert_int_equal(ct_part_measured(&spec, find_run(&plan, "idle-shared-r0")).n_hosts, 8);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void an_application_uses_the_first_of_its_hosts(void **state)
{
    (void)state;
    static const char text[] =
        "applications:\n  - {name: cube, command: cube, slots: 2, hosts: 3}\n"
        "  - {name: all, command: all}\ntrace: true\n"
        "configurations: [{partners: 3, messages: 1, bubble: 1ms}]\n";
    char placed[1000], plain[1000];
    snprintf(placed, sizeof placed,
             "campaign: c\nlauncher: {kind: lab, topology: \"tree:2x4\"}\nplacement: disjoint\n%s",
             text);
    snprintf(plain, sizeof plain, "campaign: c\nlauncher: {kind: lab, hosts: 8}\n%s", text);
    struct ct_campaign_spec spec = read_spec(plain);
    struct ct_plan plan = make_plan(&spec, 1);
    const struct ct_plan_run *beside = find_run(&plan, "runtime-all-with-cube-r0");
    assert_int_equal(ct_part_measured(&spec, find_run(&plan, "trace-cube-r0")).n_hosts, 3);
    assert_int_equal(ct_part_background(&spec, beside, 0).n_hosts, 3);
    assert_int_equal(ct_part_background(&spec, beside, 0).hosts[2], 2);
    assert_null(ct_part_measured(&spec, beside).hosts);
    const struct ct_plan_run *under = find_run(&plan, "runtime-cube-under-p3-m1-b1ms-r0");
    assert_int_equal(ct_part_measured(&spec, under).n_hosts, 3);
    assert_null(ct_part_background(&spec, under, 0).hosts);
    /* 8 ranks of one, 6 of the other, on one machine of 16 cores; 16 of two. */
    assert_int_equal(ct_placement_look(&spec, &plan, 16, 8).n_sharing, 0);
    assert_int_equal(ct_placement_look(&spec, &plan, 15, 8).measured, 8);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    spec = read_spec(placed);
    plan = make_plan(&spec, 1);
    struct ct_part second =
        ct_part_background(&spec, find_run(&plan, "runtime-all-with-cube-disjoint-r0"), 0);
    assert_int_equal(second.n_hosts, 3);
    assert_int_equal(second.hosts[0], 4);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void with_logp_each_network_is_measured_once_more(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec("logp: true\n" WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 28 + 1 + 2 + 3);
    assert_int_equal(count_sort(&plan, "logp"), 1 + 2 + 3);
    find_run(&plan, "logp-r0");
    find_run(&plan, "logp-p1-m2-b100ms-20kb-r0");
    const struct ct_plan_run *run = find_run(&plan, "logp-other-r0");
    assert_int_equal(run->measure, CT_PLAN_LOGP);
    assert_near(ct_plan_measured_s(&spec, run), 60, 0);
    assert_int_equal(ct_command_measured_slots(&spec, run), 1);
    struct ct_argv argv = {0};
    assert_int_equal(ct_command_measured(&spec, run, "out.h5", &argv, NULL), CT_OK);
    assert_non_null(strstr(argv.item[0], "logpb"));
    assert_string_equal(argv.item[1], "--time");
    assert_string_equal(argv.item[3], "--checkpoint");
    assert_string_equal(argv.item[4], "0s");
    assert_string_equal(argv.item[9], "--label");
    assert_string_equal(argv.item[10], "other");
    ct_argv_free(&argv);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    spec = read_spec("logp: idle\n" WHOLE);
    plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 28 + 1);
    find_run(&plan, "logp-r0");
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* One pass of each, without the words that make a program time itself; other runs stay where they
 * are. */
static void with_trace_each_application_is_traced_once(void **state)
{
    (void)state;
    struct ct_campaign_spec plain = read_spec(WHOLE), spec = read_spec("trace: true\n" WHOLE);
    struct ct_plan without = make_plan(&plain, 1), plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, without.n_runs + 2);
    assert_int_equal(count_sort(&plan, "trace"), 2);
    for (size_t i = 0; i < without.n_runs; i++)
        assert_string_equal(plan.runs[i].id, without.runs[i].id);
    const struct ct_plan_run *run = find_run(&plan, "trace-other-r0");
    assert_ptr_equal(run, &plan.runs[plan.n_runs - 1]);
    assert_int_equal(run->background, CT_PLAN_NOTHING);
    assert_int_equal(ct_command_measured_slots(&spec, run), spec.apps[run->app].slots);
    struct ct_argv argv = {0}, traced = {0};
    assert_int_equal(ct_command_measured(&spec, run, "folder", &argv, NULL), CT_OK);
    for (size_t i = 0; i < argv.n; i++) {
        assert_string_not_equal(argv.item[i], "--loop");
        assert_string_not_equal(argv.item[i], "--output");
    }
    ct_traces_command("folder", argv.item, &traced);
    assert_int_equal(traced.n, 5 + argv.n);
    const char *const first[] = {"trace", "--output", "folder", "--"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(traced.item[1 + i], first[i]);
    assert_string_equal(traced.item[5], argv.item[0]);
    ct_argv_free(&argv);
    ct_argv_free(&traced);
    ct_plan_free(&plan);
    ct_plan_free(&without);
    ct_campaign_spec_free(&spec);
    ct_campaign_spec_free(&plain);
}

static void equal_seeds_give_equal_plans(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan a = make_plan(&spec, 1), b = make_plan(&spec, 1), c = make_plan(&spec, 2);
    size_t n_moved = 0;
    for (size_t i = 0; i < a.n_runs; i++) {
        assert_string_equal(a.runs[i].id, b.runs[i].id);
        assert_int_equal(a.runs[i].seed, b.runs[i].seed);
        assert_int_not_equal(a.runs[i].seed, find_run(&c, a.runs[i].id)->seed);
        n_moved += strcmp(a.runs[i].id, c.runs[i].id) != 0;
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(a.runs[i].seed, a.runs[j].seed);
    }
    assert_true(n_moved > a.n_runs / 2);
    ct_plan_free(&a);
    ct_plan_free(&b);
    ct_plan_free(&c);
    ct_campaign_spec_free(&spec);
}

static void repetitions_spread_over_the_campaign(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct ct_plan plan = make_plan(&spec, seed);
        for (size_t i = 0; i < plan.n_runs; i++) {
            const struct ct_plan_run *run = &plan.runs[i];
            if (!strcmp(ct_plan_sort(run), "idle"))
                assert_true(run->position >= (double)run->repetition / 3 &&
                            run->position < (double)(run->repetition + 1) / 3);
            assert_true(i == 0 || run->position >= plan.runs[i - 1].position);
        }
        ct_plan_free(&plan);
    }
    ct_campaign_spec_free(&spec);
}

static void expected_times_add_up(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    double sum_s = 0;
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct ct_plan_run *run = &plan.runs[i];
        sum_s += run->expected_s;
        assert_true(run->expected_s > ct_plan_measured_s(&spec, run));
    }
    assert_near(plan.expected_s, sum_s, 1e-9);
    /* half of a pass of 4 s; settle */
    assert_near(ct_plan_measured_s(&spec, find_run(&plan, "baseline-other-r0")), 8, 1e-12);
    assert_true(find_run(&plan, "impact-fft-r0")->expected_s >=
                find_run(&plan, "idle-r0")->expected_s + 1.5);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void a_mean_is_precise_at_its_target(void **state)
{
    (void)state;
    /* n = 2: half width = 12.706 * 0.01 * sqrt(2) / sqrt(2) = 0.12706 about a mean of 1 */
    const double two[] = {0.99, 1.01}, many[] = {1, 1.02, 0.98, 1, 1.02, 0.98};
    assert_false(ct_repeat_is_precise(two, 2, 0.1270));
    assert_true(ct_repeat_is_precise(two, 2, 0.1271));
    /* s = sqrt(4 * 4e-4 / 5) = 0.017889, half width = 2.5706 * s / sqrt(6) = 0.018773 */
    assert_false(ct_repeat_is_precise(many, 6, 0.0187));
    assert_true(ct_repeat_is_precise(many, 6, 0.0188));
    assert_false(ct_repeat_is_precise(two, 1, 1));
    assert_false(ct_repeat_is_precise(NULL, 0, 1));
    assert_false(ct_repeat_is_precise((const double[]){1, NAN}, 2, 1));
}

static void a_further_repetition_is_as_if_planned(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 3);
    struct ct_plan_run run = *find_run(&plan, "baseline-fft-r0");
    ct_plan_repeat(&spec, 3, 1, &run);
    assert_string_equal(run.id, "baseline-fft-r1");
    assert_int_equal(run.seed, find_run(&plan, "baseline-fft-r1")->seed);
    ct_plan_repeat(&spec, 3, 2, &run);
    size_t n = plan.n_runs;
    double expected_s = plan.expected_s;
    assert_int_equal(ct_plan_append(&plan, &run, NULL), CT_OK);
    assert_int_equal(plan.n_runs, n + 1);
    assert_string_equal(plan.runs[n].id, "baseline-fft-r2");
    assert_near(plan.expected_s, expected_s + run.expected_s, 1e-9);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void refuse_plan(const char *text, const char *message)
{
    struct ct_campaign_spec spec = read_spec(text);
    struct ct_plan plan;
    struct ct_error err;
    assert_int_equal(ct_plan_make(&spec, 1, &plan, &err), CT_EINVAL);
    if (!strstr(err.text, message))
        fail_msg("'%s' instead of '%s'", err.text, message);
    ct_campaign_spec_free(&spec);
}

static void slow_impossible_plans_are_refused(void **state)
{
    (void)state;
    refuse_plan(HEAD "repetitions: {idle: 0}\n", "nothing to measure");
    refuse_plan(HEAD "applications: [{name: a, command: x}, {name: a-with-a, command: x}]\n",
                "'runtime-a-with-a-with-a-r0': rename");
    char text[2000] = HEAD "repetitions: {corun: 1000}\napplications:\n";
    for (int i = 0; i < 11; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  - {name: a%d, command: x}\n", i);
    }
    refuse_plan(text, "more than 100000 runs");
}

/* Those of a campaign's file are short enough. */
static void names_too_long_for_files_are_refused(void **state)
{
    (void)state;
    char name[CT_PLAN_ID_MAX];
    struct ct_campaign_spec spec = read_spec(HEAD "applications: [{name: a, command: x}]\n");
    struct ct_plan plan = make_plan(&spec, 1), cut;
    struct ct_plan_run run = *find_run(&plan, "baseline-a-r0");
    struct ct_error err;
    size_t n_runs = plan.n_runs;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    spec.apps[0].name = name;
    assert_int_equal(ct_plan_make(&spec, 1, &cut, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "longer than 239 letters"));
    ct_plan_repeat(&spec, 1, 1, &run);
    assert_int_equal(ct_plan_append(&plan, &run, &err), CT_EINVAL);
    assert_int_equal(plan.n_runs, n_runs);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* ---- command lines ---- */

static void assert_words(const struct ct_argv *words, const char *expected)
{
    char line[2000] = "";
    for (size_t i = 0; i < words->n; i++) {
        size_t used = strlen(line);
        /* Where a program is beside this test, its path is given. */
        const char *name =
            i == 0 && words->item[i][0] == '/' ? strrchr(words->item[i], '/') + 1 : words->item[i];
        snprintf(line + used, sizeof line - used, "%s<%s>", i ? " " : "", name);
    }
    assert_string_equal(line, expected);
}

static void words_are_split_as_a_shell_does(void **state)
{
    (void)state;
    const struct {
        const char *text, *words;
    } cases[] = {{"", ""},
                 {"  a\tb\n", "<a> <b>"},
                 {"a 'b c' \"d e\"", "<a> <b c> <d e>"},
                 {"a''b \"\"", "<ab> <>"},
                 {"'$HOME' * \"\\\"\"", "<$HOME> <*> <\">"},
                 {"a\\ b '\\'", "<a b> <\\>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_argv words = {0};
        assert_int_equal(ct_argv_split(&words, cases[i].text, NULL), CT_OK);
        assert_words(&words, cases[i].words);
        ct_argv_free(&words);
    }
    struct ct_argv words = {0};
    assert_int_equal(ct_argv_split(&words, "a \"b", NULL), CT_EINVAL);
    ct_argv_free(&words);
}

static void command_lines_say_what_is_measured(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    const struct {
        const char *id, *measured, *background;
    } cases[] = {
        {"idle-r0",
         "<impactb> <--interval> <25ms> <--message-size> <2KiB> <--pairing> <random> "
         "<--wait> "
         "<block> <--checkpoint> <0s> <--time> <5s> <--seed> <5> <--output> <out.h5> <--quiet>",
         NULL},
        {"impact-p4-m1-b500us-r0",
         "<impactb> <--interval> <25ms> <--message-size> <2KiB> <--pairing> <random> "
         "<--wait> "
         "<block> <--checkpoint> <0s> <--time> <5s> <--seed> <5> <--output> <out.h5> <--config> "
         "<4:1:500us> <--quiet>",
         "<compressionb> <--partners> <4> <--messages> <1> <--bubble> <500us> <--message-size> "
         "<40kB> <--output> <sent.h5> <--time> <100s> <--seed> <5> <--quiet>"},
        {"runtime-fft-under-p4-m1-b500us-r0",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <6s> <--seed> <5> <--output> "
         "<out.h5> <--label> <fft> <--config> <4:1:500us> <--quiet>",
         "<compressionb> <--partners> <4> <--messages> <1> <--bubble> <500us> <--message-size> "
         "<40kB> <--output> <sent.h5> <--label> <fft> <--time> <100s> <--seed> <5> <--quiet>"},
        {"runtime-fft-with-other-r0",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <6s> <--seed> <5> <--output> "
         "<out.h5> <--label> <fft> <--with> <other> <--quiet>",
         "<./app> <in put>"},
        {"runtime-other-with-fft-r0", "<./app> <in put>",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <100s> <--seed> <5> <--quiet>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_plan_run run = *find_run(&plan, cases[i].id);
        run.seed = 5;
        struct ct_argv words = {0};
        assert_int_equal(ct_command_measured(&spec, &run, "out.h5", &words, NULL), CT_OK);
        assert_words(&words, cases[i].measured);
        ct_argv_free(&words);
        if (!cases[i].background)
            continue;
        assert_int_equal(ct_command_background(&spec, &run, 0, "sent.h5", 100, &words, NULL),
                         CT_OK);
        assert_words(&words, cases[i].background);
        ct_argv_free(&words);
    }
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void co_runs_can_be_left_for_later(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(ADAPTIVE "repetitions: {baseline: 3, corun: 2}\n" APPS
                                                      "groups: [{app: fft, with: fft other}]\n");
    struct ct_plan plan = make_plan(&spec, 1), before = make_plan(&spec, 1);
    size_t n_co_runs = count_sort(&plan, "corun") + count_sort(&plan, "group");
    assert_int_equal(n_co_runs, 2 * 4 + 2);
    ct_plan_leave_out_co_runs(&before);
    assert_int_equal(before.n_runs, plan.n_runs - n_co_runs);
    assert_int_equal(before.n_closing, plan.n_closing);
    double expected_s = 0;
    for (size_t i = 0, j = 0; i < plan.n_runs; i++) {
        if (ct_plan_is_co_run(&plan.runs[i]))
            continue;
        expected_s += plan.runs[i].expected_s;
        assert_string_equal(before.runs[j++].id, plan.runs[i].id);
    }
    assert_near(before.expected_s, expected_s, 1e-9 * expected_s);
    ct_plan_free(&before);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

#define GROUPS                                                                                     \
    "groups:\n"                                                                                    \
    "  - {app: other, with: milc fft}\n"                                                           \
    "  - {app: fft, with: fft other fft}\n"
#define THREE_APPS APPS "  - {name: milc, command: workload milc, slots: 3}\n"

static void a_group_is_timed_beside_all_its_others(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(HEAD "repetitions: {corun: 2}\n" THREE_APPS GROUPS);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "group"), 4);
    assert_int_equal(count_sort(&plan, "corun"), 18);
    struct ct_plan_run run = *find_run(&plan, "runtime-other-with-fft+milc-r1");
    assert_string_equal(ct_plan_others(&spec, &run), "fft,milc");
    /* Two programs are started in the background, one after the other. */
    const struct ct_plan_run *beside_one = find_run(&plan, "runtime-other-with-fft-r1");
    double one_more_s = run.expected_s - ct_plan_phase(&spec, &run).later_s -
                        (beside_one->expected_s - ct_plan_phase(&spec, beside_one).later_s);
    assert_near(one_more_s, ct_campaign_constant(CT_CAMPAIGN_LAUNCH), 1e-9);
    const char *const wanted[] = {
        "<workload> <fft> <--iterations> <10> <--loop> <--time> <100s> <--seed> <5> <--quiet>",
        "<workload> <milc> <--loop> <--time> <100s> <--seed> <6> <--quiet>"};
    run.seed = 5;
    assert_int_equal(ct_command_n_backgrounds(&spec, &run), 2);
    for (size_t i = 0; i < 2; i++) {
        struct ct_argv words = {0};
        assert_int_equal(ct_command_background(&spec, &run, i, "sent.h5", 100, &words, NULL),
                         CT_OK);
        assert_words(&words, wanted[i]);
        ct_argv_free(&words);
    }
    assert_int_equal(ct_command_background_slots_sum(&spec, &run, 1), 2);
    assert_int_equal(ct_command_background_slots_sum(&spec, &run, 2), 5);

    run = *find_run(&plan, "runtime-fft-with-fft+fft+other-r0");
    struct ct_argv words = {0};
    run.seed = 5;
    assert_int_equal(ct_command_measured(&spec, &run, "out.h5", &words, NULL), CT_OK);
    assert_words(&words, "<workload> <fft> <--iterations> <10> <--loop> <--time> <60s> <--seed> "
                         "<5> <--output> <out.h5> <--label> <fft> <--with> <fft,fft,other> "
                         "<--quiet>");
    ct_argv_free(&words);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* Phases are uniform over a pass of the co-runner, each repetition's from its seed; a folder of an
 * earlier version keeps its own. */
static void repetitions_begin_at_random_phases(void **state)
{
    (void)state;
    enum { REPETITIONS = 400 };
    static const char *const launchers[] = {"lab, hosts: 4",
                                            "simgrid, hosts: 4, rate: 1gbit, latency: 1us"};
    for (size_t i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "campaign: c\nseed: 7\nlauncher: {kind: %s}\n"
                 "durations: {runtime: 4s}\nrepetitions: {corun: %d}\n"
                 "applications:\n  - {name: a, command: a, pass: 2s}\n"
                 "  - {name: b, command: b, pass: 9s}\n",
                 launchers[i], REPETITIONS);
        struct ct_campaign_spec spec = read_spec(text);
        struct ct_plan plan = make_plan(&spec, 7);
        double sum_frac = 0, sum_squares = 0, longest_s = i == 0 ? 9 : 4;
        for (int r = 0; r < REPETITIONS; r++) {
            char id[40];
            snprintf(id, sizeof id, "runtime-a-with-b-r%d", r);
            const struct ct_plan_run *run = find_run(&plan, id);
            struct ct_plan_phase phase = ct_plan_phase(&spec, run);
            assert_true(phase.pass_frac >= 0 && phase.pass_frac < 1);
            assert_near(phase.later_s, phase.pass_frac * longest_s, 1e-12);
            sum_frac += phase.pass_frac / REPETITIONS;
            sum_squares += phase.pass_frac * phase.pass_frac / REPETITIONS;
        }
        assert_near(sum_frac, 0.5, 0.05);
        assert_near(sum_squares, 1.0 / 3, 0.05);
        assert_near(ct_plan_phase(&spec, find_run(&plan, "baseline-a-r0")).later_s, 0, 0);
        spec.has_fixed_phases = true;
        const struct ct_plan_run *fourth = find_run(&plan, "runtime-b-with-a-r3");
        assert_near(ct_plan_phase(&spec, fourth).later_s, i == 0 ? 0 : 2 * 0.8541019662496847,
                    1e-12);
        ct_plan_free(&plan);
        ct_campaign_spec_free(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions_begin_at_random_phases),
        cmocka_unit_test(a_plan_has_every_run_once),
        cmocka_unit_test(with_placements_there_are_all_runs_of_each),
        cmocka_unit_test(an_application_uses_the_first_of_its_hosts),
        cmocka_unit_test(with_logp_each_network_is_measured_once_more),
        cmocka_unit_test(latencies_are_measured_under_each_placement),
        cmocka_unit_test(with_latencies_each_application_is_alone_at_each),
        cmocka_unit_test(loaded_runs_are_made_at_each_latency_too),
        cmocka_unit_test(with_trace_each_application_is_traced_once),
        cmocka_unit_test(equal_seeds_give_equal_plans),
        cmocka_unit_test(repetitions_spread_over_the_campaign),
        cmocka_unit_test(expected_times_add_up),
        cmocka_unit_test(a_mean_is_precise_at_its_target),
        cmocka_unit_test(a_further_repetition_is_as_if_planned),
        cmocka_unit_test(slow_impossible_plans_are_refused),
        cmocka_unit_test(names_too_long_for_files_are_refused),
        cmocka_unit_test(words_are_split_as_a_shell_does),
        cmocka_unit_test(command_lines_say_what_is_measured),
        cmocka_unit_test(co_runs_can_be_left_for_later),
        cmocka_unit_test(a_group_is_timed_beside_all_its_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
