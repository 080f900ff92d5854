#include "tests/unit/run_example.h"

#include "results/dataset.h"

#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *checked(void *memory)
{
    if (!memory) {
        perror("run_example");
        exit(1);
    }
    return memory;
}

static char *copy(const char *text)
{
    return checked(strdup(text));
}

static struct ct_run_info example_info(enum ct_run_kind kind)
{
    struct ct_run_info info = {.kind = kind,
                               .tool = copy("impactb"),
                               .version = copy("0.1.0"),
                               .app = copy("fft"),
                               .with = copy(""),
                               .has_config = kind != CT_RUN_LOGP,
                               .config = {.partners = 4,
                                          .message_bytes = 1000,
                                          .slots = 2,
                                          .messages = 10,
                                          .bubble_s = 9.6e-6,
                                          .pattern = CT_PATTERN_BISECTION,
                                          .burst = {true, 0.02, 0.04}},
                               .started_utc = copy("2026-11-21T10:00:00Z"),
                               .argv = copy("impactb --label 'größer als'"),
                               .seed = UINT64_MAX - 1,
                               .hosts = copy("h1 h2"),
                               .mpi_library = copy("MPICH 4.0.2"),
                               .timer = copy("CLOCK_MONOTONIC"),
                               .timer_resolution_s = 1e-9};
    if (kind == CT_RUN_LOGP)
        info.config = (struct ct_config){0};
    if (ct_run_add_text(&info, "zeta", "first in the file") != CT_OK ||
        ct_run_add_number(&info, "alpha_s", 0.1) != CT_OK ||
        ct_run_add_text(&info, "empty", "") != CT_OK)
        exit(1);
    return info;
}

static void fill_logp(struct ct_run *run, size_t i, double x)
{
    run->logp[i] = (struct ct_logp_row){.bytes = i,
                                        .os_s = x,
                                        .or_s = -x,
                                        .g_s = 3 * x,
                                        .rtt_s = i % 2 ? NAN : 4 * x,
                                        .repetitions = (uint32_t)i,
                                        .os_lo_s = x / 2,
                                        .or_expected_hi_s = 5 * x,
                                        .rank_to = UINT32_MAX,
                                        .method = i % 2};
    run->repetitions[i] = (struct ct_logp_repetition){.bytes = UINT64_MAX - i,
                                                      .messages = (uint32_t)i,
                                                      .rank_from = 7,
                                                      .quantity = (uint8_t)(i % 4),
                                                      .value_s = x};
}

/* Three cells, and n times. */
static void fill_scan(struct ct_run *run, size_t n)
{
    run->n_scan_cells = 3;
    run->scan_cells = checked(calloc(run->n_scan_cells, sizeof *run->scan_cells));
    for (uint8_t i = 0; i < 3; i++)
        run->scan_cells[i] = (struct ct_scan_cell_row){.start_s = i,
                                                       .duration_s = 0.5,
                                                       .burst_s = 1e-3 * i,
                                                       .pause_s = 1e-2 * i,
                                                       .intensity = 1.0 / (i + 1),
                                                       .congestor_s = 0.75,
                                                       .congestor_bytes = UINT64_MAX - i,
                                                       .bytes = 8,
                                                       .canary = i,
                                                       .congestor = i};
    run->n_scan_samples = n;
    run->scan_samples = checked(calloc(n > 0 ? n : 1, sizeof *run->scan_samples));
    for (size_t i = 0; i < n; i++)
        run->scan_samples[i] = (struct ct_scan_sample){.t_s = (double)i * 0.1,
                                                       .value_s = 1.0 / (double)(i + 1),
                                                       .cell = (uint32_t)(i % 3),
                                                       .node_a = (uint32_t)(i % 2),
                                                       .node_b = UINT32_MAX - (uint32_t)i};
}

struct ct_run example_run(enum ct_run_kind kind, size_t n)
{
    struct ct_run run = {.info = example_info(kind)};
    if (kind == CT_RUN_IMPACT) {
        run.n_pairs = 3;
        run.pairs = checked(calloc(run.n_pairs, sizeof *run.pairs));
        for (uint32_t i = 0; i < 3; i++) {
            run.pairs[i] =
                (struct ct_pair){.rank_a = i, .rank_b = UINT32_MAX - i, .path_class = 2 * i + 1};
            snprintf(run.pairs[i].host_a, CT_HOST_MAX, "h%u", (unsigned)i + 1);
            memset(run.pairs[i].host_b, 'x', CT_HOST_MAX - 1); /* as long as can be */
        }
    }
    if (kind == CT_RUN_LOGP) {
        run.n_paths = 3;
        run.paths = checked(calloc(run.n_paths, sizeof *run.paths));
        for (uint32_t i = 0; i < 3; i++)
            run.paths[i] = (struct ct_path_row){i, UINT32_MAX - i, i * 5};
    }
    if (kind == CT_RUN_SCAN) {
        fill_scan(&run, n);
        return run;
    }
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        if (n > 0 && ct_datasets[d].kind == kind && ct_datasets[d].is_shared)
            ct_dataset_set(&ct_datasets[d], &run, checked(calloc(n, ct_datasets[d].row_bytes)), n);
    for (size_t i = 0; i < n; i++) {
        double x = 1.0 / (double)(i + 1);
        if (kind == CT_RUN_IMPACT)
            run.samples[i] = (struct ct_sample){.t_s = (double)i * 0.1,
                                                .sent_s = (double)i * 0.1 + 1e-4,
                                                .latency_s = x,
                                                .forward_s = x / 4,
                                                .pair = (uint32_t)(i % 3),
                                                .late = i % 7 == 0,
                                                .from_b = i % 2 == 1};
        else if (kind == CT_RUN_RUNTIME)
            run.runtimes[i] = (struct ct_runtime){.start_s = -x, .duration_s = x};
        else if (kind == CT_RUN_COMPRESSION)
            run.rounds[i] =
                (struct ct_round){.start_s = x, .duration_s = 2 * x, .bytes = UINT64_MAX - i};
        else
            fill_logp(&run, i, x);
    }
    return run;
}

static const char *info_difference(const struct ct_run_info *a, const struct ct_run_info *b)
{
    const struct {
        const char *name, *a, *b;
    } texts[] = {{"tool", a->tool, b->tool},
                 {"version", a->version, b->version},
                 {"app", a->app, b->app},
                 {"with", a->with, b->with},
                 {"started_utc", a->started_utc, b->started_utc},
                 {"argv", a->argv, b->argv},
                 {"hosts", a->hosts, b->hosts},
                 {"mpi_library", a->mpi_library, b->mpi_library},
                 {"timer", a->timer, b->timer}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!texts[i].a || !texts[i].b || strcmp(texts[i].a, texts[i].b) != 0)
            return texts[i].name;
    if (a->kind != b->kind)
        return "kind";
    if (a->seed != b->seed)
        return "seed";
    if (a->timer_resolution_s != b->timer_resolution_s)
        return "timer_resolution_s";
    if (a->has_config != b->has_config || ct_config_compare(&a->config, &b->config) != 0)
        return "config";
    if (a->n_facts != b->n_facts)
        return "number of facts";
    for (size_t i = 0; i < a->n_facts; i++) {
        const struct ct_run_fact *x = &a->facts[i], *y = &b->facts[i];
        if (strcmp(x->key, y->key) != 0 || !x->text != !y->text)
            return "key or type of a fact";
        if (x->text ? strcmp(x->text, y->text) != 0 : x->number != y->number)
            return "value of a fact";
    }
    return NULL;
}

const char *example_difference(const struct ct_run *a, const struct ct_run *b)
{
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        const struct ct_dataset *dataset = &ct_datasets[d];
        size_t n = ct_dataset_count(dataset, a);
        if (n != ct_dataset_count(dataset, b))
            return dataset->name;
        /* Packed, so that gaps between the members of a row do not count. */
        char *packed_a = checked(malloc(n * dataset->packed_bytes + 1));
        char *packed_b = checked(malloc(n * dataset->packed_bytes + 1));
        if (n > 0) {
            ct_dataset_pack(dataset, ct_dataset_rows(dataset, a), n, packed_a);
            ct_dataset_pack(dataset, ct_dataset_rows(dataset, b), n, packed_b);
        }
        int differs = memcmp(packed_a, packed_b, n * dataset->packed_bytes);
        free(packed_a);
        free(packed_b);
        if (differs)
            return dataset->name;
    }
    return info_difference(&a->info, &b->info);
}

int example_folder_enter(void **state)
{
    char name[] = "/tmp/crosstalk-test.XXXXXX";
    if (!mkdtemp(name) || chdir(name) != 0 || setenv("XDG_CACHE_HOME", name, 1) != 0)
        return -1;
    *state = strdup(name);
    return *state ? 0 : -1;
}

char *example_cache(const char *kind)
{
    char pattern[PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/crosstalk/*.%s", getenv("XDG_CACHE_HOME"), kind);
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    char *path = found.gl_pathc == 1 ? strdup(found.gl_pathv[0]) : NULL;
    globfree(&found);
    return path;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st, (void)type, (void)place;
    return remove(path);
}

int example_folder_leave(void **state)
{
    enum { OPEN_FOLDERS = 16 };
    int done = chdir("/");
    if (nftw(*state, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        done = -1;
    free(*state);
    return done;
}
