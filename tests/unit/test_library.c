/* libcrosstalk through its public header, as a program of somebody else's sees it. */
#include "tests/unit/unit.h"

#include <crosstalk.h>
#include <gsl/gsl_errno.h>
#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of the sources. */
static const char *source(const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", getenv("CROSSTALK_SOURCE"), name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Some runs of examples/lab8: two applications alone, under four configurations and beside each
 * other, and what the probe saw. All of them would take long with the sanitizers. */
static const int chosen[] = {8,   9,   16,  17,  48,  49,  50,  55,  56,  60,  64,  72, 76,
                             147, 151, 159, 163, 188, 189, 197, 201, 209, 213, 234, 235};
enum { N_CHOSEN = sizeof chosen / sizeof *chosen };

static int make_campaign(void)
{
    char path[PATH_MAX];
    hid_t all = H5Fopen(source("examples/lab8/campaign.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t some = H5Fcreate("campaign.h5", H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
    hid_t runs = H5Gcreate2(some, "runs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int failed = all < 0 || runs < 0;
    for (int i = 0; i < N_CHOSEN && !failed; i++) {
        char from[32], to[32];
        snprintf(from, sizeof from, "runs/%04d", chosen[i]);
        snprintf(to, sizeof to, "%04d", i);
        failed = H5Ocopy(all, from, runs, to, H5P_DEFAULT, H5P_DEFAULT) < 0;
    }
    return failed | (H5Gclose(runs) < 0) | (H5Fclose(some) < 0) | (H5Fclose(all) < 0);
}

static int enter(void **state)
{
    static char folder[] = "/tmp/test_library.XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? make_campaign() : -1;
}

static int leave(void **state)
{
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") || system(command);
}

static void fails(enum crosstalk_status status, enum crosstalk_status expected,
                  const struct crosstalk_error *error, const char *text)
{
    assert_int_equal(status, expected);
    assert_int_equal(error->status, expected);
    if (!strstr(error->text, text))
        fail_msg("'%s' does not say '%s'", error->text, text);
    assert_null(strchr(error->text, '\n'));
}

/* ---- runs ---- */

static void a_run_has_its_attributes_and_rows(void **state)
{
    (void)state;
    char path[PATH_MAX];
    struct crosstalk_run *run;
    const struct crosstalk_logp *rows;
    const struct crosstalk_sample *samples;
    assert_int_equal(crosstalk_run_open(source("examples/lab8/logp.h5", path), &run, NULL),
                     CROSSTALK_OK);
    assert_int_equal(crosstalk_run_kind(run), CROSSTALK_RUN_LOGP);
    assert_string_equal(crosstalk_run_path(run), path);
    assert_string_equal(crosstalk_run_text(run, "tool"), "logpb");
    assert_string_equal(crosstalk_run_app(run), "");
    assert_string_equal(crosstalk_run_with(run), "");
    assert_string_equal(crosstalk_run_config(run), "");
    assert_true(crosstalk_run_number(run, "timer_resolution_s") > 0);
    assert_true(isnan(crosstalk_run_number(run, "tool")));
    assert_null(crosstalk_run_text(run, "seed"));
    assert_null(crosstalk_run_text(run, "what nobody records"));
    size_t n = crosstalk_run_logp(run, &rows);
    assert_true(n > 10);
    for (size_t i = 0; i < n; i++)
        if (!isnan(rows[i].gap_s.lo))
            assert_true(rows[i].gap_s.lo <= rows[i].gap_s.value &&
                        rows[i].gap_s.value <= rows[i].gap_s.hi);
    assert_int_equal(rows[0].bytes, 0);
    assert_int_equal(crosstalk_run_samples(run, &samples), 0);
    assert_null(samples);
    crosstalk_run_close(run);
}

/* Of each kind of the campaign one run, read again with its rows. */
static void a_campaign_lists_its_runs(void **state)
{
    (void)state;
    struct crosstalk_run_list *list;
    bool seen[4] = {false};
    assert_int_equal(crosstalk_run_list_open("campaign.h5", &list, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_run_list_count(list), N_CHOSEN);
    assert_int_equal(crosstalk_run_list_rejected_count(list), 0);
    for (size_t i = 0; i < crosstalk_run_list_count(list); i++) {
        const struct crosstalk_run *item = crosstalk_run_list_item(list, i);
        const struct crosstalk_sample *samples;
        const struct crosstalk_pass *passes;
        const struct crosstalk_pair *pairs;
        struct crosstalk_run *run;
        enum crosstalk_kind kind = crosstalk_run_kind(item);
        assert_int_equal(crosstalk_run_samples(item, &samples), 0);
        if (seen[kind])
            continue;
        seen[kind] = true;
        assert_int_equal(crosstalk_run_open(crosstalk_run_path(item), &run, NULL), CROSSTALK_OK);
        assert_int_equal(crosstalk_run_kind(run), kind);
        assert_string_equal(crosstalk_run_app(run), crosstalk_run_app(item));
        assert_string_equal(crosstalk_run_config(run), crosstalk_run_config(item));
        size_t n_pairs = crosstalk_run_pairs(run, &pairs), n = crosstalk_run_samples(run, &samples);
        assert_int_equal(n > 0, kind == CROSSTALK_RUN_IMPACT);
        for (size_t s = 0; s < n; s++) {
            assert_true(samples[s].latency_s > 0 && samples[s].late <= 1);
            assert_true(samples[s].pair < n_pairs && pairs[samples[s].pair].host_a[0] != '\0');
        }
        n = crosstalk_run_passes(run, &passes);
        assert_int_equal(n > 0, kind == CROSSTALK_RUN_RUNTIME);
        assert_true(n == 0 || passes[0].duration_s > 0);
        crosstalk_run_close(run);
    }
    assert_true(seen[CROSSTALK_RUN_IMPACT] && seen[CROSSTALK_RUN_RUNTIME]);
    crosstalk_run_list_close(list);
}

static void files_that_are_no_runs_are_refused(void **state)
{
    (void)state;
    struct crosstalk_error error;
    struct crosstalk_run *run = NULL;
    struct crosstalk_run_list *list = NULL;
    write_file("text.h5", "no HDF5\n");
    fails(crosstalk_run_open("absent.h5", &run, &error), CROSSTALK_ENOENT, &error, "absent.h5");
    fails(crosstalk_run_open("text.h5", &run, &error), CROSSTALK_EFORMAT, &error, "text.h5");
    fails(crosstalk_run_open(".", &run, &error), CROSSTALK_EFORMAT, &error, "a folder");
    fails(crosstalk_run_list_open("absent", &list, &error), CROSSTALK_ENOENT, &error, "absent");
    assert_int_equal(crosstalk_run_open("absent.h5", &run, NULL), CROSSTALK_ENOENT);
    assert_null(run);
    assert_null(list);
}

/* What it says goes into errors only. */
static void nothing_is_printed(void **state)
{
    char path[PATH_MAX];
    int before[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    fflush(NULL);
    FILE *printed = fopen("printed", "w+");
    assert_non_null(printed);
    dup2(fileno(printed), STDOUT_FILENO);
    dup2(fileno(printed), STDERR_FILENO);
    files_that_are_no_runs_are_refused(state);
    struct crosstalk_campaign *campaign = NULL;
    struct crosstalk_campaign_setup setup;
    crosstalk_campaign_setup_init(&setup);
    setup.schedules_path = "absent";
    mkdir("one", 0777);
    write_file("one/damaged.h5", "no HDF5\n");
    assert_int_equal(symlink(source("examples/lab8/logp.h5", path), "one/logp.h5"), 0);
    enum crosstalk_status status = crosstalk_campaign_open("one", &setup, &campaign, NULL);
    fflush(NULL);
    dup2(before[0], STDOUT_FILENO);
    dup2(before[1], STDERR_FILENO);
    assert_int_equal(status, CROSSTALK_ENOENT);
    fseek(printed, 0, SEEK_END);
    assert_int_equal(ftell(printed), 0);
    fclose(printed);
    close(before[0]);
    close(before[1]);
}

static int told;

static herr_t tell(hid_t stack, void *context)
{
    (void)stack;
    ++*(int *)context;
    return 0;
}

static void tell_gsl(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line, (void)code;
}

static void errors_of_hdf5_and_gsl_stay_the_programs(void **state)
{
    (void)state;
    char path[PATH_MAX];
    H5E_auto2_t print;
    void *context;
    unsigned plugins, plugins_after;
    struct crosstalk_run *run;
    struct crosstalk_campaign *campaign;
    H5Eset_auto2(H5E_DEFAULT, tell, &told);
    H5PLget_loading_state(&plugins);
    gsl_set_error_handler(tell_gsl);
    assert_int_equal(crosstalk_run_open("absent.h5", &run, NULL), CROSSTALK_ENOENT);
    write_file("none.h5", "no HDF5\n");
    assert_int_equal(crosstalk_run_open("none.h5", &run, NULL), CROSSTALK_EFORMAT);
    assert_int_equal(crosstalk_campaign_open(source("tests/data", path), NULL, &campaign, NULL),
                     CROSSTALK_ENODATA);
    H5Eget_auto2(H5E_DEFAULT, &print, &context);
    H5PLget_loading_state(&plugins_after);
    assert_true(print == tell && context == &told && told == 0);
    assert_int_equal(plugins, plugins_after);
    assert_true(gsl_set_error_handler(NULL) == tell_gsl);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- T(L) ---- */

static const char two_ranks[] = "num_ranks 2\n"
                                "rank 0 {\nwork: calc 100\ngive: send 11b to 1 tag 0\n"
                                "give requires work\nrest: calc 1000\nrest requires give\n}\n"
                                "rank 1 {\nwork: calc 500\ntake: recv 11b from 0 tag 0\n"
                                "take requires work\nrest: calc 1000\nrest requires take\n}\n";

static struct crosstalk_curve *curve_of_two_ranks(void)
{
    struct crosstalk_schedule *schedule;
    struct crosstalk_parameters parameters;
    struct crosstalk_curve *curve;
    write_file("two.goal", two_ranks);
    crosstalk_parameters_init(&parameters);
    parameters.o_s = 20e-9;
    parameters.G_s_per_byte = 2e-9;
    assert_int_equal(crosstalk_schedule_open("two.goal", NULL, &schedule, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_schedule_ranks(schedule), 2);
    assert_int_equal(crosstalk_schedule_operations(schedule), 6);
    assert_int_equal(crosstalk_schedule_note_count(schedule), 0);
    assert_int_equal(crosstalk_curve_new(schedule, &parameters, &curve, NULL), CROSSTALK_OK);
    crosstalk_schedule_close(schedule);
    crosstalk_curve_parameters(curve, &parameters);
    assert_true(isnan(parameters.L_s) && parameters.has_S);
    assert_int_equal(parameters.S_bytes, 256 * 1024);
    return curve;
}

/* The message is there at 100 + 20 + L + 10 * 2 ns, the receiver ready at 500 ns; the receive takes
 * 20 ns, the rest 1000 ns: T = max(500, 140 + L) + 1020 ns. */
static void T_is_what_it_is_by_hand(void **state)
{
    (void)state;
    struct crosstalk_curve *curve = curve_of_two_ranks();
    struct crosstalk_point point;
    assert_int_equal(crosstalk_curve_at(curve, 100e-9, &point, NULL), CROSSTALK_OK);
    assert_near(point.runtime_s, 1520e-9, 1e-18);
    assert_near(point.L_hi_s, 360e-9, 1e-18);
    assert_true(point.lambda_L == 0 && point.lambda_G == 0 && point.rho_L == 0 &&
                point.L_lo_s == 0);
    assert_int_equal(crosstalk_curve_at(curve, 860e-9, &point, NULL), CROSSTALK_OK);
    assert_near(point.runtime_s, 2020e-9, 1e-18);
    assert_near(point.rho_L, 860. / 2020, 1e-12);
    assert_near(point.L_lo_s, 360e-9, 1e-18);
    assert_true(point.lambda_L == 1 && point.lambda_G == 10 && isinf(point.L_hi_s));

    const double longer_frac[] = {0, 0.01, 0.5};
    double L_max_s[3];
    assert_int_equal(crosstalk_curve_tolerance(curve, 0, longer_frac, 3, L_max_s, NULL),
                     CROSSTALK_OK);
    for (int i = 0; i < 3; i++)
        assert_near(L_max_s[i], (1520 * (1 + longer_frac[i]) - 1160) * 1e-9, 1e-18);

    struct crosstalk_piece *pieces;
    size_t n;
    assert_int_equal(crosstalk_curve_pieces(curve, 0, 1e-6, &pieces, &n, NULL), CROSSTALK_OK);
    assert_int_equal(n, 2);
    assert_near(pieces[0].L_hi_s, 360e-9, 1e-18);
    assert_near(pieces[1].runtime_lo_s, 1520e-9, 1e-18);
    assert_true(pieces[1].L_lo_s == pieces[0].L_hi_s && pieces[1].lambda_L == 1);
    crosstalk_free(pieces);
    crosstalk_curve_close(curve);
}

/* Where the message counts, T = 980 + 10 G + 1020 ns with L = 860 ns, and 2020 ns with G = 2 ns. */
static void bandwidth_is_what_it_is_by_hand(void **state)
{
    (void)state;
    struct crosstalk_curve *curve = curve_of_two_ranks();
    struct crosstalk_error error;
    const double longer_frac[] = {0.01, -1};
    double G_max[2];
    assert_int_equal(crosstalk_curve_gap_tolerance(curve, 860e-9, longer_frac, 1, G_max, NULL),
                     CROSSTALK_OK);
    assert_near(G_max[0], 4.02e-9, 1e-18);
    fails(crosstalk_curve_gap_tolerance(curve, 860e-9, longer_frac, 2, G_max, &error),
          CROSSTALK_EINVAL, &error, "longer_frac[1]: -1");
    crosstalk_curve_close(curve);
}

/* ---- stopping ---- */

static void *ask_at_once(void *data)
{
    struct crosstalk_point point;
    return crosstalk_curve_at(data, 0, &point, NULL) == CROSSTALK_OK ? data : NULL;
}

static void a_flag_stops_the_calls_of_its_thread(void **state)
{
    (void)state;
    struct crosstalk_curve *curve = curve_of_two_ranks();
    struct crosstalk_point point;
    struct crosstalk_error error;
    const volatile int flag = 1;
    pthread_t other;
    void *answered = NULL;
    crosstalk_cancel_when(&flag);
    fails(crosstalk_curve_at(curve, 0, &point, &error), CROSSTALK_ECANCELED, &error, "stopped");
    assert_int_equal(pthread_create(&other, NULL, ask_at_once, curve), 0);
    assert_int_equal(pthread_join(other, &answered), 0);
    assert_non_null(answered);
    crosstalk_cancel_when(NULL);
    assert_int_equal(crosstalk_curve_at(curve, 0, &point, NULL), CROSSTALK_OK);
    crosstalk_curve_close(curve);
}

/* Simulations that were stopped would count as failed ones. */
static void a_stopped_campaign_gives_no_answers(void **state)
{
    (void)state;
    struct crosstalk_campaign *campaign = NULL;
    struct crosstalk_error error;
    struct crosstalk_load load;
    const volatile int flag = 1;
    crosstalk_cancel_when(&flag);
    fails(crosstalk_campaign_open("campaign.h5", NULL, &campaign, &error), CROSSTALK_ECANCELED,
          &error, "stopped");
    assert_null(campaign);
    crosstalk_cancel_when(NULL);
    assert_int_equal(crosstalk_campaign_open("campaign.h5", NULL, &campaign, NULL), CROSSTALK_OK);
    crosstalk_cancel_when(&flag);
    fails(crosstalk_campaign_idle(campaign, &load, &error), CROSSTALK_ECANCELED, &error, "stopped");
    crosstalk_cancel_when(NULL);
    fails(crosstalk_campaign_idle(campaign, &load, &error), CROSSTALK_ECANCELED, &error,
          "open it again");
    crosstalk_campaign_close(campaign);
}

/* ---- networks ---- */

static void a_tree_has_its_links_and_routes(void **state)
{
    (void)state;
    struct crosstalk_topology *topology = NULL;
    struct crosstalk_error error;
    struct crosstalk_distances distances;
    const struct crosstalk_link *links;
    uint32_t *route;
    size_t n;
    fails(crosstalk_topology_open("tree:0x2", NAN, NAN, &topology, &error), CROSSTALK_EINVAL,
          &error, "tree");
    assert_int_equal(crosstalk_topology_open("tree:2x2", 1e9, 4e9, &topology, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_topology_nodes(topology), 4);
    assert_int_equal(crosstalk_topology_switches(topology), 3);
    assert_string_equal(crosstalk_topology_name(topology, 3), "n3");
    assert_int_equal(crosstalk_topology_links(topology, &links), 6);
    assert_int_equal(crosstalk_topology_route(topology, 0, 3, &route, &n, NULL), CROSSTALK_OK);
    assert_int_equal(n, 4);
    assert_true(links[route[0]].from == 0 && links[route[0]].rate_bit_per_s == 1e9);
    assert_true(links[route[1]].rate_bit_per_s == 4e9 && isnan(links[route[1]].latency_s));
    crosstalk_free(route);
    fails(crosstalk_topology_route(topology, 0, 4, &route, &n, &error), CROSSTALK_EINVAL, &error,
          "node 4");
    /* Of 12 ordered pairs 4 have one switch between them, 8 have three. */
    assert_int_equal(crosstalk_topology_distances(topology, &distances, NULL), CROSSTALK_OK);
    assert_near(distances.mean_switches, 28. / 12, 1e-12);
    assert_true(distances.most_switches == 3 && distances.bisection_links == 1 &&
                distances.bisection_bit_per_s == 2e9); /* of two links of nodes */
    crosstalk_topology_close(topology);
}

/* Four ranks, of which 0 and 3 have a message: T is least where these share a switch. */
static void ranks_go_where_their_messages_are_short(void **state)
{
    (void)state;
    struct crosstalk_schedule *schedule;
    struct crosstalk_parameters parameters;
    struct crosstalk_network network;
    struct crosstalk_placement placement;
    struct crosstalk_simulated simulated;
    struct crosstalk_error error;
    uint32_t nodes[4];
    write_file("four.goal", "num_ranks 4\nrank 0 {\nl0: send 1b to 3\n}\nrank 1 {\nl0: calc 1\n}\n"
                            "rank 2 {\nl0: calc 1\n}\nrank 3 {\nl0: recv 1b from 0\n}\n");
    assert_int_equal(crosstalk_schedule_open("four.goal", NULL, &schedule, NULL), CROSSTALK_OK);
    crosstalk_parameters_init(&parameters);
    parameters.o_s = 100e-9;
    parameters.G_s_per_byte = 1e-9;
    crosstalk_network_init(&network);
    fails(crosstalk_place(schedule, &parameters, &network, 0, 1, nodes, &placement, &error),
          CROSSTALK_EINVAL, &error, "topology");
    struct crosstalk_topology *topology = NULL;
    assert_int_equal(crosstalk_topology_open("tree:2x2", NAN, NAN, &topology, NULL), CROSSTALK_OK);
    network.topology = topology;
    fails(crosstalk_place(schedule, &parameters, &network, 0, 1, nodes, &placement, &error),
          CROSSTALK_EINVAL, &error, "wire_s");
    network.wire_s = 100e-9;
    network.switch_s = 50e-9;
    assert_int_equal(
        crosstalk_place(schedule, &parameters, &network, 0, 1, nodes, &placement, NULL),
        CROSSTALK_OK);
    /* o + L + o, with 4 wires and 3 switches, or 2 and 1. */
    assert_near(placement.before_s, 750e-9, 1e-18);
    assert_near(placement.after_s, 450e-9, 1e-18);
    assert_near(placement.bound_s, 450e-9, 1e-18);
    assert_int_equal(nodes[0] / 2, nodes[3] / 2);

    const struct crosstalk_program program = {schedule, "n[0,2,3,1]"};
    parameters.L_s = 0;
    assert_int_equal(crosstalk_simulate(&program, 1, &parameters, &network, &simulated, NULL),
                     CROSSTALK_OK);
    assert_near(simulated.alone_s, 450e-9, 2e-9); /* and a byte on links */
    assert_true(simulated.slowdown_frac == 0 && simulated.runtime_s == simulated.alone_s);
    network.ranks_per_node = 0;
    fails(crosstalk_simulate(&program, 1, &parameters, &network, &simulated, &error),
          CROSSTALK_EINVAL, &error, "ranks_per_node");
    crosstalk_topology_close(topology);
    crosstalk_schedule_close(schedule);
}

static void bad_parameters_are_named(void **state)
{
    (void)state;
    struct crosstalk_error error;
    struct crosstalk_schedule *schedule;
    struct crosstalk_curve *curve = NULL, *good = curve_of_two_ranks();
    struct crosstalk_parameters parameters;
    struct crosstalk_point point;
    struct crosstalk_piece *pieces;
    size_t n;
    const double wrong_frac = -0.1;
    double L_s;
    assert_int_equal(crosstalk_schedule_open("two.goal", NULL, &schedule, NULL), CROSSTALK_OK);
    crosstalk_parameters_init(&parameters);
    parameters.o_s = 1e-6;
    fails(crosstalk_curve_new(schedule, &parameters, &curve, &error), CROSSTALK_EINVAL, &error,
          "G is missing");
    parameters.G_s_per_byte = -1;
    fails(crosstalk_curve_new(schedule, &parameters, &curve, &error), CROSSTALK_EINVAL, &error,
          "G: -1: not within");
    parameters.G_s_per_byte = 1e-9;
    parameters.threads = 0;
    fails(crosstalk_curve_new(schedule, &parameters, &curve, &error), CROSSTALK_EINVAL, &error,
          "threads: 0");
    parameters.threads = 1;
    parameters.logp_path = "absent.h5";
    fails(crosstalk_curve_new(schedule, &parameters, &curve, &error), CROSSTALK_ENOENT, &error,
          "absent.h5");
    assert_null(curve);
    fails(crosstalk_curve_at(good, NAN, &point, &error), CROSSTALK_EINVAL, &error, "L: ");
    fails(crosstalk_curve_at(good, 1e9, &point, &error), CROSSTALK_EINVAL, &error, "L: 1e+09");
    fails(crosstalk_curve_tolerance(good, 0, &wrong_frac, 1, &L_s, &error), CROSSTALK_EINVAL,
          &error, "longer_frac[0]: -0.1");
    fails(crosstalk_curve_pieces(good, 1e-6, 1e-6, &pieces, &n, &error), CROSSTALK_EINVAL, &error,
          "not above");
    crosstalk_schedule_close(schedule);
    crosstalk_curve_close(good);
}

static void bad_schedules_and_conversions_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *text;
    } rules[] = {{"allreduce", "not COLLECTIVE=ALGORITHMS"},
                 {"frob=ring", "frob"},
                 {"allreduce=frob", "frob"},
                 {"allreduce=ring@", "ring@"}};
    char path[PATH_MAX];
    struct crosstalk_error error;
    struct crosstalk_schedule *schedule = NULL;
    struct crosstalk_conversion conversion;
    crosstalk_conversion_init(&conversion);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *const collectives[] = {"bcast=binomial", rules[i].rule, NULL};
        conversion.collectives = collectives;
        fails(crosstalk_schedule_open(source("examples/lab8/traces/fft", path), &conversion,
                                      &schedule, &error),
              CROSSTALK_EINVAL, &error, rules[i].text);
    }
    conversion.collectives = NULL;
    conversion.compute_scale = -1;
    fails(crosstalk_schedule_open("two.goal", &conversion, &schedule, &error), CROSSTALK_EINVAL,
          &error, "compute_scale -1");
    write_file("bad.goal", "num_ranks 2\nrank 0 {\nfrob\n}\n");
    fails(crosstalk_schedule_open("bad.goal", NULL, &schedule, &error), CROSSTALK_EFORMAT, &error,
          "bad.goal:3");
    fails(crosstalk_schedule_open("absent.goal", NULL, &schedule, &error), CROSSTALK_ENOENT, &error,
          "absent.goal");
    assert_null(schedule);
}

static void traces_become_another_schedule_by_other_algorithms(void **state)
{
    (void)state;
    char path[PATH_MAX];
    const char *const collectives[] = {"alltoall=bruck", NULL};
    struct crosstalk_conversion conversion;
    struct crosstalk_schedule *usual, *other;
    source("examples/lab8/traces/fft", path);
    crosstalk_conversion_init(&conversion);
    conversion.collectives = collectives;
    assert_int_equal(crosstalk_schedule_open(path, NULL, &usual, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_schedule_open(path, &conversion, &other, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_schedule_ranks(usual), 8);
    assert_true(crosstalk_schedule_operations(usual) > crosstalk_schedule_operations(other));
    crosstalk_schedule_close(usual);
    crosstalk_schedule_close(other);
}

/* ---- threads ---- */

static void *read_and_compute(void *data)
{
    const struct crosstalk_curve *curve = data;
    char path[PATH_MAX];
    size_t good = 0;
    source("examples/lab8/logp.h5", path);
    for (int i = 0; i < 5; i++) {
        struct crosstalk_run *run;
        struct crosstalk_point point;
        const struct crosstalk_logp *rows;
        if (crosstalk_run_open(path, &run, NULL) != CROSSTALK_OK)
            continue;
        good += crosstalk_run_logp(run, &rows) > 10 && rows[0].bytes == 0;
        crosstalk_run_close(run);
        good += crosstalk_curve_at(curve, 1e-6, &point, NULL) == CROSSTALK_OK &&
                fabs(point.runtime_s - 2160e-9) < 1e-15;
    }
    return good == 10 ? data : NULL;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct crosstalk_curve *curve = curve_of_two_ranks();
    pthread_t threads[THREADS];
    void *result;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_and_compute, curve), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
    crosstalk_curve_close(curve);
}

/* ---- slowdowns ---- */

static void a_campaign_answers(void **state)
{
    (void)state;
    struct crosstalk_error error;
    struct crosstalk_campaign *campaign;
    struct crosstalk_load idle, load;
    double slowdown_frac = 0;
    assert_int_equal(crosstalk_campaign_open("campaign.h5", NULL, &campaign, NULL), CROSSTALK_OK);
    size_t n = crosstalk_campaign_app_count(campaign);
    size_t fft = crosstalk_campaign_find_app(campaign, "fft");
    size_t lulesh = crosstalk_campaign_find_app(campaign, "lulesh");
    assert_int_equal(n, 2);
    assert_true(fft < n && lulesh < n && crosstalk_campaign_find_app(campaign, "frob") == n);
    assert_string_equal(crosstalk_campaign_app(campaign, fft), "fft");

    assert_int_equal(crosstalk_campaign_idle(campaign, &idle, NULL), CROSSTALK_OK);
    assert_int_equal(crosstalk_campaign_load(campaign, fft, &load, NULL), CROSSTALK_OK);
    assert_true(load.n_latencies > 100 && load.mean_latency_s > 5 * idle.mean_latency_s);
    assert_true(load.waiting_frac > 0.2 && load.waiting_frac < 0.9 && load.counted_frac > 0.2);
    fails(crosstalk_campaign_load(campaign, n, &load, &error), CROSSTALK_EINVAL, &error,
          "application 2");

    assert_int_equal(crosstalk_campaign_measured(campaign, lulesh, &fft, 1, &slowdown_frac, NULL),
                     CROSSTALK_OK);
    assert_true(slowdown_frac > 0.1 && slowdown_frac < 0.4);
    const struct crosstalk_question questions[] = {{"queue", lulesh, &fft, 1},
                                                   {"queue", fft, &lulesh, 1}};
    struct crosstalk_prediction alone[2], with[2], wrong;
    assert_int_equal(crosstalk_campaign_predict(campaign, questions, 2, NAN, alone, NULL),
                     CROSSTALK_OK);
    /* Six configurations and four co-runs are too few for 90 %. */
    assert_int_equal(crosstalk_campaign_predict(campaign, questions, 2, 0.9, with, NULL),
                     CROSSTALK_OK);
    assert_true(isnan(with[0].lo_frac) && strstr(with[0].note, "no interval"));
    assert_int_equal(crosstalk_campaign_predict(campaign, questions, 2, 0.8, with, NULL),
                     CROSSTALK_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(alone[i].slowdown_frac == with[i].slowdown_frac && isnan(alone[i].lo_frac));
        assert_true(with[i].lo_frac < with[i].slowdown_frac);
        assert_true(with[i].slowdown_frac < with[i].hi_frac);
        assert_string_equal(alone[i].note, "");
    }
    /* Without schedules of all applications the default is probe; a former name stands for mutual.
     */
    const struct crosstalk_question by_names[] = {{NULL, fft, &lulesh, 1},
                                                  {"probe", fft, &lulesh, 1},
                                                  {"mutual", fft, &lulesh, 1},
                                                  {"phase", fft, &lulesh, 1}};
    struct crosstalk_prediction same[4];
    assert_int_equal(crosstalk_campaign_predict(campaign, by_names, 4, NAN, same, NULL),
                     CROSSTALK_OK);
    assert_true(same[0].slowdown_frac == same[1].slowdown_frac);
    assert_true(same[2].slowdown_frac == same[3].slowdown_frac);
    const struct crosstalk_question unknown = {"frob", fft, &lulesh, 1},
                                    missing = {"queue", n, &fft, 1};
    fails(crosstalk_campaign_predict(campaign, &unknown, 1, NAN, &wrong, &error), CROSSTALK_EINVAL,
          &error, "'frob': no such model");
    fails(crosstalk_campaign_predict(campaign, &missing, 1, NAN, &wrong, &error), CROSSTALK_EINVAL,
          &error, "application 2");
    fails(crosstalk_campaign_predict(campaign, questions, 1, 1.5, &wrong, &error), CROSSTALK_EINVAL,
          &error, "level_frac: 1.5");
    crosstalk_campaign_close(campaign);
}

static void verdicts_are_those_of_the_command(void **state)
{
    (void)state;
    struct crosstalk_error error;
    struct crosstalk_campaign *campaign;
    struct crosstalk_verdict verdict;
    assert_int_equal(crosstalk_campaign_open("campaign.h5", NULL, &campaign, NULL), CROSSTALK_OK);
    size_t fft = crosstalk_campaign_find_app(campaign, "fft");
    size_t lulesh = crosstalk_campaign_find_app(campaign, "lulesh");
    const size_t both[] = {fft, lulesh};
    const struct crosstalk_question measured = {NULL, lulesh, &fft, 1},
                                    group = {"queue", lulesh, both, 2};
    assert_int_equal(crosstalk_campaign_verdict(campaign, &measured, 0.05, 0.9, &verdict, NULL),
                     CROSSTALK_OK);
    assert_true(verdict.is_measured && verdict.lo_frac > 0.05);
    assert_true(verdict.lo_frac < verdict.slowdown_frac && verdict.slowdown_frac < verdict.hi_frac);
    assert_string_equal(verdict.verdict, "no");
    assert_string_equal(crosstalk_campaign_shared(campaign), "not recorded");
    assert_int_equal(crosstalk_campaign_verdict(campaign, &measured, 1, 0.9, &verdict, NULL),
                     CROSSTALK_OK);
    assert_string_equal(verdict.verdict, "yes");
    /* Not measured, and too few errors are known for an interval. */
    assert_int_equal(crosstalk_campaign_verdict(campaign, &group, 0.05, 0.9, &verdict, NULL),
                     CROSSTALK_OK);
    assert_true(!verdict.is_measured && verdict.slowdown_frac > 0.05 && isnan(verdict.lo_frac));
    assert_string_equal(verdict.verdict, "perhaps");
    fails(crosstalk_campaign_verdict(campaign, &measured, 0, 0.9, &verdict, &error),
          CROSSTALK_EINVAL, &error, "limit_frac: 0");
    fails(crosstalk_campaign_verdict(campaign, &measured, 0.05, 1.5, &verdict, &error),
          CROSSTALK_EINVAL, &error, "level_frac: 1.5");
    crosstalk_campaign_close(campaign);
}

static void models_have_names(void **state)
{
    (void)state;
    assert_true(crosstalk_model_count() >= 9);
    for (size_t i = 0; i < crosstalk_model_count(); i++)
        assert_true(*crosstalk_model_name(i) && *crosstalk_model_needs(i));
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int i = CROSSTALK_OK; i <= CROSSTALK_ECANCELED; i++)
        assert_string_not_equal(crosstalk_status_text((enum crosstalk_status)i), "unknown status");
    assert_string_equal(crosstalk_status_text((enum crosstalk_status)99), "unknown status");
    crosstalk_run_close(NULL);
    crosstalk_run_list_close(NULL);
    crosstalk_schedule_close(NULL);
    crosstalk_curve_close(NULL);
    crosstalk_campaign_close(NULL);
    crosstalk_topology_close(NULL);
    crosstalk_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_has_its_attributes_and_rows),
        cmocka_unit_test(a_campaign_lists_its_runs),
        cmocka_unit_test(files_that_are_no_runs_are_refused),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(errors_of_hdf5_and_gsl_stay_the_programs),
        cmocka_unit_test(T_is_what_it_is_by_hand),
        cmocka_unit_test(bandwidth_is_what_it_is_by_hand),
        cmocka_unit_test(a_flag_stops_the_calls_of_its_thread),
        cmocka_unit_test(a_stopped_campaign_gives_no_answers),
        cmocka_unit_test(a_tree_has_its_links_and_routes),
        cmocka_unit_test(ranks_go_where_their_messages_are_short),
        cmocka_unit_test(bad_parameters_are_named),
        cmocka_unit_test(bad_schedules_and_conversions_are_named),
        cmocka_unit_test(traces_become_another_schedule_by_other_algorithms),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(a_campaign_answers),
        cmocka_unit_test(verdicts_are_those_of_the_command),
        cmocka_unit_test(models_have_names),
        cmocka_unit_test(every_status_has_a_text),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
