/* Sealed predictions of scans whose truth is known; the file of a kit, and what is not in it. */
#include "core/file.h"
#include "core/random.h"
#include "study/scan_file.h"
#include "study/scan_kit.h"
#include "study/scan_kit_fields.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ct_text read_file(const char *path)
{
    struct ct_text text;
    struct ct_error err;
    if (ct_file_read(path, &text, &err) != CT_OK)
        fail_msg("%s", err.text);
    return text;
}

/* ---- synthetic scans ---- */

enum { N_CASES = 4, TIMES = 3 };

static const struct ct_scan_case cases[N_CASES] = {
    {CT_SCAN_LATENCY, {.congestor = CT_SCAN_WITH_INCAST, .intensity = 1}},
    {CT_SCAN_LATENCY, {.congestor = CT_SCAN_WITH_ALLTOALL, .intensity = 1}},
    {CT_SCAN_LATENCY, {.congestor = CT_SCAN_WITH_INCAST, .intensity = 0.5}},
    {CT_SCAN_LATENCY,
     {.congestor = CT_SCAN_WITH_ALLTOALL, .burst_s = 1e-2, .pause_s = 1e-2, .intensity = 1}}};

static void add_cell(struct ct_scan *scan, size_t round, const struct ct_scan_case *scan_case,
                     double value_s)
{
    double *times = malloc(TIMES * sizeof *times);
    assert_non_null(times);
    for (size_t i = 0; i < TIMES; i++)
        times[i] = value_s;
    scan->cells[scan->n_cells++] = (struct ct_scan_cell){.canary = scan_case->canary,
                                                         .setting = scan_case->setting,
                                                         .round = round,
                                                         .path_class = -1,
                                                         .samples_s = times,
                                                         .n_samples = TIMES};
    scan->sample_blocks[scan->n_sample_blocks++] = times;
}

/* Nearly normal, with this standard deviation. */
static double draw(uint64_t *state, double deviation)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += ct_random_unit(ct_random_next(state));
    return deviation * sum;
}

/* Rounds of one idle latency, 1e-5 s, and of factors 1.5, 2, 1.2, 1.3. */
static struct ct_scan make_scan(size_t n_rounds, double deviation, uint64_t seed)
{
    static const double factor[N_CASES] = {1.5, 2, 1.2, 1.3};
    struct ct_scan scan = {.n_rounds = n_rounds, .n_cases = N_CASES};
    size_t n_cells = n_rounds * (N_CASES + 1);
    scan.rounds = calloc(n_rounds, sizeof *scan.rounds);
    scan.cells = calloc(n_cells, sizeof *scan.cells);
    scan.sample_blocks = calloc(n_cells, sizeof *scan.sample_blocks);
    scan.cases = malloc(sizeof cases);
    assert_true(scan.rounds && scan.cells && scan.sample_blocks && scan.cases);
    memcpy(scan.cases, cases, sizeof cases);
    for (size_t round = 0; round < n_rounds; round++) {
        add_cell(&scan, round, &(struct ct_scan_case){CT_SCAN_LATENCY, {.intensity = 1}}, 1e-5);
        for (size_t c = 0; c < N_CASES; c++)
            add_cell(&scan, round, &cases[c], 1e-5 * factor[c] * exp(draw(&seed, deviation)));
    }
    return scan;
}

static struct ct_scan_seal seal_scan(struct ct_scan *scan, size_t n_first)
{
    struct ct_scan_seal seal;
    struct ct_error err;
    size_t n_rounds = scan->n_rounds, n_cells = scan->n_cells;
    remove(CT_SCAN_SEAL_FILE);
    scan->n_rounds = n_first;
    scan->n_cells = n_first * (N_CASES + 1);
    if (ct_scan_seal_make(".", scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    scan->n_rounds = n_rounds;
    scan->n_cells = n_cells;
    if (ct_scan_seal_judge(".", scan, &seal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return seal;
}

static const struct ct_scan_prediction *find_by(const struct ct_scan_seal *seal,
                                                enum ct_scan_model model)
{
    for (size_t i = 0; i < seal->n; i++)
        if (seal->items[i].model == model)
            return &seal->items[i];
    fail_msg("no such prediction");
    return NULL;
}

/* An idle latency that is always T, so Var(S) = 0: at 1.5 T rho is 1/2; at rho = 1/4 the queue has
 * T (1 + 1/3 / 2). Half of the time in bursts of the factor 2: 4/3. */
static void models_predict_what_their_formulas_say(void **state)
{
    (void)state;
    struct ct_scan scan = make_scan(3, 1e-9, 1);
    struct ct_scan_seal seal = seal_scan(&scan, 2);
    assert_int_equal(seal.n, 2 * N_CASES + 2);
    assert_int_equal(seal.n_made_of, 2);
    assert_near(find_by(&seal, CT_SCAN_BY_REPEAT)->value, 1.5, 1e-5);
    assert_true(
        ct_scan_prediction_is_hit(find_by(&seal, CT_SCAN_BY_REPEAT))); /* as good as equal */
    assert_near(find_by(&seal, CT_SCAN_BY_QUEUE)->value, 7.0 / 6, 1e-5);
    assert_near(find_by(&seal, CT_SCAN_BY_BURSTS)->value, 4.0 / 3, 1e-5);
    assert_near(find_by(&seal, CT_SCAN_BY_BURSTS)->measured, 1.3, 1e-5);
    assert_int_equal(find_by(&seal, CT_SCAN_BY_BURSTS)->n_rounds, 1);
    assert_int_equal(find_by(&seal, CT_SCAN_BY_BURSTS)->n_inside, 0); /* 4/3 is not 1.3 */
    assert_false(ct_scan_prediction_is_hit(find_by(&seal, CT_SCAN_BY_BURSTS)));
    ct_scan_seal_free(&seal);
    ct_scan_free(&scan);
}

static void slow_later_rounds_are_inside_as_often_as_said(void **state)
{
    (void)state;
    enum { SCANS = 200 };
    size_t n = 0, n_inside = 0;
    for (uint64_t seed = 0; seed < SCANS; seed++) {
        struct ct_scan scan = make_scan(5, 0.05, ct_random_at(3, seed));
        struct ct_scan_seal seal = seal_scan(&scan, 2);
        for (size_t i = 0; i < seal.n; i++)
            if (seal.items[i].model == CT_SCAN_BY_REPEAT) {
                n += seal.items[i].n_rounds;
                n_inside += seal.items[i].n_inside;
            }
        ct_scan_seal_free(&seal);
        ct_scan_free(&scan);
    }
    assert_int_equal(n, SCANS * 3 * 2 * N_CASES);
    assert_true((double)n_inside >= 0.88 * (double)n && (double)n_inside <= 0.92 * (double)n);
}

static void a_seal_is_made_once_and_of_enough(void **state)
{
    (void)state;
    struct ct_scan scan = make_scan(2, 0.05, 1);
    struct ct_error err;
    struct ct_scan_seal seal;
    scan.n_rounds = 1;
    scan.n_cells = N_CASES + 1;
    assert_int_equal(ct_scan_seal_judge(".", &scan, &seal, &err), CT_OK);
    assert_null(seal.text);
    assert_int_equal(ct_scan_seal_make(".", &scan, &err), CT_ENODATA);
    scan.n_rounds = 2;
    scan.n_cells = 2 * (N_CASES + 1);
    assert_int_equal(ct_scan_seal_make(".", &scan, &err), CT_OK);
    assert_int_equal(ct_scan_seal_make(".", &scan, &err), CT_EEXIST);
    ct_scan_free(&scan);
}

static void lines_are_whole_or_refused(void **state)
{
    (void)state;
    static const char *const good[] = {
        "sealed 1 rounds 2 level 0.95", "repeat latency:incast mean 1.5 1.4 1.6",
        "probe fft:incast mean 1.5 0 5", "bursts allreduce:incast:1ms/10ms mean 1.5 1 2"};
    static const char *const bad[] = {"",
                                      "sealed 1 rounds 1 level 0.95",
                                      "sealed 1 rounds 2 level 0.95 alice",
                                      "guess latency:incast mean 1.5 1.4 1.6",
                                      "repeat latency:storm mean 1.5 1.4 1.6",
                                      "repeat latency:incast  mean 1.5 1.4 1.6",
                                      "repeat latency:incast mean 1.50 1.4 1.6",
                                      "repeat latency:incast mean 1.5 1.6 1.4",
                                      "repeat latency:incast mean 1.5 -1 1.6",
                                      "repeat latency:incast mean 1.5 nan 1.6",
                                      "repeat latency:incast mean 1.5 1.4 1.6 at node7",
                                      "repeat latency:incast mean 1.5 1.4"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(ct_scan_seal_is_line(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(ct_scan_seal_is_line(bad[i]));
}

/* ---- the file of a kit ---- */

/* What must not leave: user, hosts, path, job, address, card, switches. */
static const char *const canaries[] = {"zanzibar",  "quokkahost",  "narwhalpath", "jackdaw4711",
                                       "axolotl10", "mandrillhca", "ocelotleaf"};
enum { N_CANARIES = sizeof canaries / sizeof *canaries };

static const char plan[] =
    "{\"scan\": 1, \"launcher\": \"mpiexec\", \"switches_of\": \"/home/narwhalpath/net.xml\", "
    "\"seed\": \"4711\", \"time_s\": 60, \"half_width_frac\": 0.05, \"slots\": 1, "
    "\"message_bytes\": 4096, \"reason_ended\": \"\", \"cases\": [\"latency:incast\", "
    "\"latency:incast:0.5\"], \"nodes\": "
    "[{\"name\": \"quokkahost1.axolotl10\", \"switch\": \"ocelotleaf1\"}, "
    "{\"name\": \"quokkahost2\", \"switch\": \"ocelotleaf1\"}, "
    "{\"name\": \"quokkahost3\", \"switch\": \"ocelotleaf2\"}, "
    "{\"name\": \"quokkahost4\", \"switch\": \"ocelotleaf2\"}], "
    "\"paths\": [\"0133\", \"1033\", \"3301\", \"3310\"]}";

static void write_plan(void)
{
    struct ct_scan scan;
    struct ct_error err;
    if (ct_scan_file_parse(plan, strlen(plan), "plan", &scan, &err) != CT_OK ||
        ct_scan_file_write(".", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_scan_free(&scan);
    mkdir("runs", 0777);
}

static void set_text(char **member, const char *text)
{
    free(*member);
    *member = strdup(text);
    assert_non_null(*member);
}

/* Too few known loads for an interval of the model: what is not sealed is not silent. */
static void a_seal_says_that_no_workload_is_predicted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "sealed 1 rounds 2 level 0.9\nrepeat fft:incast mean 1.5 1.4 1.6\n",
        ("sealed 1 rounds 2 level 0.9\nrepeat fft:incast mean 1.5 1.4 1.6\n"
         "probe fft:incast mean 1.5 1.4 1.6\n"),
        "sealed 1 rounds 2 level 0.9\nrepeat latency:incast mean 1.5 1.4 1.6\n"};
    for (size_t i = 0; i < 3; i++) {
        struct ct_scan_seal seal;
        struct ct_argv words = {0};
        struct ct_error err;
        bool is_said = false;
        assert_int_equal(ct_scan_seal_parse(texts[i], "seal", &seal, &err), CT_OK);
        ct_scan_seal_words(&seal, &words);
        for (size_t k = 0; k < words.n; k++)
            is_said |= strstr(words.item[k], "beside 9 loads of known amount") != NULL;
        assert_int_equal(is_said, i == 0);
        ct_argv_free(&words);
        ct_scan_seal_free(&seal);
    }
}

/* A round whose every text has a canary: latency alone, beside an incast, beside half of one. */
static void write_round(const char *path, const char *measuring, double factor)
{
    enum { SAMPLES = 8, CELLS = 3 };
    struct ct_scan_cell_row cells[CELLS] = {{.duration_s = 1, .intensity = 1, .bytes = 8}};
    struct ct_scan_sample samples[CELLS * SAMPLES];
    struct ct_run run = example_run(CT_RUN_SCAN, 0);
    struct ct_error err;
    for (uint32_t i = 1; i < CELLS; i++)
        cells[i] = (struct ct_scan_cell_row){.duration_s = 1,
                                             .intensity = 1 / (double)i,
                                             .bytes = 8,
                                             .congestor = CT_SCAN_WITH_INCAST,
                                             .congestor_s = 2,
                                             .congestor_bytes = 1000};
    for (uint32_t i = 0; i < CELLS * SAMPLES; i++) {
        uint32_t cell = i / SAMPLES;
        samples[i] = (struct ct_scan_sample){.t_s = 0.01 * i,
                                             .value_s = 1e-5 * (1 + 0.1 * (i % SAMPLES)) *
                                                        (cell ? factor / cell : 1),
                                             .cell = cell,
                                             .node_a = 0,
                                             .node_b = 1 + i % 2};
    }
    free(run.scan_cells);
    free(run.scan_samples);
    run.scan_cells = cells;
    run.n_scan_cells = CELLS;
    run.scan_samples = samples;
    run.n_scan_samples = CELLS * SAMPLES;
    set_text(&run.info.hosts, "quokkahost1.axolotl10 quokkahost2 quokkahost3 quokkahost4");
    set_text(&run.info.argv, "/home/zanzibar/narwhalpath/scanb --job jackdaw4711");
    set_text(&run.info.mpi_library, "MPICH by zanzibar on mandrillhca");
    static const char *const keys[] = {"user", "host", "path", "job", "address", "card", "switch"};
    for (size_t i = 0; i < N_CANARIES; i++)
        assert_int_equal(ct_run_add_text(&run.info, keys[i], canaries[i]), CT_OK);
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_TOPOLOGY, "/narwhalpath/net.xml"), CT_OK);
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_SCAN_CANARIES, measuring), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, CT_RUN_SCAN_PLANNED, CELLS), CT_OK);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_info_free(&run.info);
}

static struct ct_scan load_scan(void)
{
    struct ct_scan scan;
    struct ct_error err;
    if (ct_scan_load(".", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return scan;
}

/* A survey and two rounds, the seal, two rounds more, and the file. */
static void make_kit(void)
{
    static const char *const keys[] = {"USER",
                                       "HOSTNAME",
                                       "PWD",
                                       "SLURM_JOB_ID",
                                       "SSH_CLIENT",
                                       "UCX_NET_DEVICES",
                                       "SLURM_TOPOLOGY_ADDR"};
    struct ct_scan_sheet sheet;
    struct ct_scan_seal seal;
    struct ct_error err;
    for (size_t i = 0; i < N_CANARIES; i++)
        setenv(keys[i], canaries[i], 1);
    write_plan();
    write_round("runs/round-0000.h5", "0 1 2 3", 2);
    write_round("runs/round-0001.h5", "0 1 2", 2);
    write_round("runs/round-0002.h5", "0 1 2", 2.2);
    struct ct_scan scan = load_scan();
    if (ct_scan_seal_make(".", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_scan_free(&scan);
    write_round("runs/round-0003.h5", "0 1 2", 2.1);
    write_round("runs/round-0004.h5", "0 1 2", 2.15);
    scan = load_scan();
    if (ct_scan_sheet_make(&scan, &sheet, &err) != CT_OK ||
        ct_scan_seal_judge(".", &scan, &seal, &err) != CT_OK ||
        ct_scan_kit_write(".", "kit.json", &scan, &sheet, &seal, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_scan_seal_free(&seal);
    ct_scan_sheet_free(&sheet);
    ct_scan_free(&scan);
}

static void encode_hex(const char *text, char *out)
{
    for (size_t i = 0; text[i]; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned char)text[i]);
}

/* Base64 of the whole groups of three bytes from an offset on: what it looks like inside another
 * text, wherever that begins. */
static void encode_base64(const char *text, size_t offset, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(text), k = 0;
    for (size_t i = offset; i + 3 <= n; i += 3) {
        unsigned bits = (unsigned)(unsigned char)text[i] << 16 |
                        (unsigned)(unsigned char)text[i + 1] << 8 | (unsigned char)text[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            out[k++] = digits[bits >> shift & 63];
    }
    out[k] = '\0';
}

static bool has_canary(const char *text, const char *canary)
{
    char hex[64], base64[64];
    encode_hex(canary, hex);
    bool is_found = strcasestr(text, canary) || strcasestr(text, hex);
    for (size_t offset = 0; offset < 3; offset++) {
        encode_base64(canary, offset, base64);
        is_found = is_found || strstr(text, base64);
    }
    return is_found;
}

static void the_search_finds_what_is_there(void **state)
{
    (void)state;
    assert_true(has_canary("of ZanziBar.", "zanzibar"));
    assert_true(has_canary("7a616e7a69626172", "zanzibar"));
    assert_true(has_canary("eHphbnppYmFyeA==", "zanzibar")); /* xzanzibarx */
    assert_true(has_canary("emFuemliYXI=", "zanzibar"));
    assert_false(has_canary("zanzi bar", "zanzibar"));
}

static void no_canary_is_in_the_file(void **state)
{
    (void)state;
    make_kit();
    struct ct_text kit = read_file("kit.json"), given = read_file(CT_SCAN_FILE);
    struct ct_text seal = read_file(CT_SCAN_SEAL_FILE);
    assert_true(has_canary(given.text, "quokkahost") && has_canary(given.text, "narwhalpath"));
    for (size_t i = 0; i < N_CANARIES; i++) {
        assert_false(has_canary(kit.text, canaries[i]));
        assert_false(has_canary(seal.text, canaries[i]));
    }
    free(kit.text);
    free(given.text);
    free(seal.text);
}

static enum ct_status parse(const char *text, size_t size)
{
    struct ct_scan_kit kit;
    struct ct_error err;
    enum ct_status status = ct_scan_kit_parse(text, size, "kit.json", &kit, &err);
    if (status == CT_OK)
        ct_scan_kit_free(&kit);
    else
        assert_non_null(strstr(err.text, "kit.json: "));
    return status;
}

static void a_kit_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct ct_scan_kit kit;
    struct ct_error err;
    make_kit();
    if (ct_scan_kit_read("kit.json", &kit, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(kit.scan.n_nodes, 4);
    assert_int_equal(kit.scan.n_rounds, 5);
    assert_string_equal(kit.scan.asked.switches_of, "topology");
    assert_string_equal(kit.scan.nodes[0].switch_name, kit.scan.nodes[1].switch_name);
    assert_string_not_equal(kit.scan.nodes[0].name, kit.scan.nodes[1].name);
    assert_false(kit.seal.is_broken);
    assert_int_equal(kit.seal.n, 5);
    for (size_t i = 0; i < kit.seal.n; i++)
        assert_int_equal(kit.seal.items[i].n_rounds, 2);
    assert_near(kit.seal.items[0].measured, sqrt(2.1 * 2.15), 1e-9);
    assert_true(ct_scan_prediction_is_hit(&kit.seal.items[0]));
    assert_int_equal(kit.sheet.n_classes, 2);
    assert_true(kit.sheet.n_rows > 0 && kit.sheet.worst.factor > 2);
    ct_scan_kit_free(&kit);
}

/* The loads of this scan are taken for GPCNeT's. A canary has one of its three names, and no other.
 */
static void gpcnets_table_is_in_the_file(void **state)
{
    (void)state;
    static const char name[] = "RR Two-sided Lat (8 B)";
    struct ct_scan_sheet sheet;
    struct ct_scan_seal seal;
    struct ct_scan_kit kit;
    struct ct_error err;
    make_kit();
    struct ct_scan scan = load_scan();
    for (size_t c = 0; c < scan.n_cells; c++)
        if (scan.cells[c].setting.congestor == CT_SCAN_WITH_INCAST &&
            !(scan.cells[c].setting.intensity < 1))
            scan.cells[c].setting.congestor = CT_SCAN_WITH_GPCNET;
    assert_int_equal(ct_scan_sheet_make(&scan, &sheet, &err), CT_OK);
    assert_int_equal(ct_scan_seal_judge(".", &scan, &seal, &err), CT_OK);
    if (ct_scan_kit_write(".", "kit.json", &scan, &sheet, &seal, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_text text = read_file("kit.json");
    char *at = strstr(text.text, name);
    assert_non_null(at);
    assert_int_equal(ct_scan_kit_parse(text.text, text.size, "kit", &kit, &err), CT_OK);
    ct_scan_kit_free(&kit);
    memcpy(at, "alice", strlen("alice"));
    assert_int_equal(ct_scan_kit_parse(text.text, text.size, "kit", &kit, &err), CT_EFORMAT);
    free(text.text);
    ct_scan_seal_free(&seal);
    ct_scan_sheet_free(&sheet);
    ct_scan_free(&scan);
}

static void pseudonyms_are_of_a_salt_that_stays(void **state)
{
    (void)state;
    struct stat about;
    make_kit();
    assert_int_equal(stat("kit.salt", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    struct ct_text first = read_file("kit.json");
    remove(CT_SCAN_SEAL_FILE);
    make_kit();
    struct ct_text again = read_file("kit.json");
    assert_non_null(strstr(first.text, "\"node-"));
    const char *name = strstr(first.text, "\"node-");
    char node[20];
    snprintf(node, sizeof node, "%.19s", name);
    assert_non_null(strstr(again.text, node));
    free(again.text);
    remove(CT_SCAN_SEAL_FILE);
    remove("kit.salt");
    make_kit();
    again = read_file("kit.json");
    assert_null(strstr(again.text, node));
    free(first.text);
    free(again.text);
}

/* Replaces the first `from` by `to`, of the same length. */
static void change_text(struct ct_text *text, const char *from, const char *to)
{
    char *at = strstr(text->text, from);
    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    for (size_t i = 0; to[i]; i++)
        at[i] = to[i];
}

static void changed_files_are_seen(void **state)
{
    (void)state;
    struct ct_scan_kit kit;
    make_kit();
    struct ct_text text = read_file("kit.json");
    for (size_t n = 0; n + 3 < text.size; n += 61)
        assert_int_equal(parse(text.text, n), CT_EFORMAT);
    change_text(&text, "repeat latency:incast mean 2", "repeat latency:incast mean 3");
    assert_int_equal(ct_scan_kit_parse(text.text, text.size, "kit.json", &kit, NULL), CT_OK);
    assert_true(kit.seal.is_broken);
    ct_scan_kit_free(&kit);
    change_text(&text, "\"slots\"", "\"alice\""); /* a member that is not listed */
    assert_int_equal(parse(text.text, text.size), CT_EFORMAT);
    free(text.text);
    text = read_file("kit.json");
    change_text(&text, "\"node-", "\"host-");
    assert_int_equal(parse(text.text, text.size), CT_EFORMAT);
    free(text.text);
    text = read_file("kit.json");
    change_text(&text, "\"mpiexec\"", "\"mpirunx\"");
    assert_int_equal(parse(text.text, text.size), CT_EFORMAT);
    free(text.text);
    text = read_file(CT_SCAN_FILE);
    assert_int_equal(parse(text.text, text.size), CT_EFORMAT);
    free(text.text);
}

/* docs/kit.md has a row for each of the table, with the same words, and no other. */
static void the_page_lists_the_fields(void **state)
{
    (void)state;
    char path[4096], row[400];
    snprintf(path, sizeof path, "%s/docs/kit.md", getenv("CROSSTALK_SOURCE"));
    struct ct_text page = read_file(path);
    const char *at = strstr(page.text, "| field | what it is |\n|---|---|\n");
    assert_non_null(at);
    at = strstr(at, "|---|---|\n") + strlen("|---|---|\n");
    for (const struct ct_scan_kit_field *field = ct_scan_kit_fields; field->path; field++) {
        snprintf(row, sizeof row, "| `%s` | %s |\n", field->path, field->what);
        if (strncmp(at, row, strlen(row)) != 0)
            fail_msg("docs/kit.md should have here: %s", row);
        at += strlen(row);
    }
    assert_true(*at == '\n');
    free(page.text);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(models_predict_what_their_formulas_say),
        IN_FOLDER(slow_later_rounds_are_inside_as_often_as_said),
        IN_FOLDER(a_seal_is_made_once_and_of_enough),
        cmocka_unit_test(a_seal_says_that_no_workload_is_predicted),
        cmocka_unit_test(lines_are_whole_or_refused),
        cmocka_unit_test(the_search_finds_what_is_there),
        IN_FOLDER(no_canary_is_in_the_file),
        IN_FOLDER(a_kit_is_read_as_it_was_written),
        IN_FOLDER(gpcnets_table_is_in_the_file),
        IN_FOLDER(pseudonyms_are_of_a_salt_that_stays),
        IN_FOLDER(changed_files_are_seen),
        cmocka_unit_test(the_page_lists_the_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
