#include "bench/scan/scan_run.h"

#include "bench/common/clock.h"
#include "core/array.h"
#include "core/random.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct round_run {
    const struct ct_scan_side *side;
    const struct ct_scan_setup *setup;
    struct ct_scan_result *result;
};

static struct ct_scan_canary_setup canary_setup(const struct round_run *run,
                                                enum ct_scan_canary canary)
{
    return (struct ct_scan_canary_setup){.canary = canary,
                                         .message_bytes = run->setup->message_bytes,
                                         .most_samples = run->setup->most_samples,
                                         .time_s = run->setup->cell_s};
}

/* ---- a cell ---- */

/* All ranks would wait for those that do not start: there is no way to go on. */
static void await_congestors(const struct round_run *run, const struct ct_scan_case *scan_case)
{
    struct ct_bench *bench = run->side->bench;
    struct ct_error err;
    char text[CT_SCAN_TEXT_MAX];
    if (run->side->rank == 0 &&
        ct_scan_congestor_await(run->side, run->setup->start_limit_s, &err) != CT_OK) {
        ct_scan_case_format(scan_case, text);
        ct_fail_within(&err, err.status, "%s", text);
        ct_log_error(&bench->log, &err);
        MPI_Abort(bench->comm, 1);
    }
    MPI_Barrier(run->side->comm);
}

static enum ct_status run_canary(const struct round_run *run, const struct ct_scan_case *scan_case,
                                 struct ct_scan_times *times_p, struct ct_error *err)
{
    const struct ct_scan_canary_setup setup = canary_setup(run, scan_case->canary);
    bool is_loaded = scan_case->setting.congestor != CT_SCAN_WITH_NONE;
    if (is_loaded) {
        await_congestors(run, scan_case);
        double until_s = ct_clock_now_s() + run->setup->settle_s;
        while (ct_clock_now_s() < until_s && !ct_bench_signalled())
            ct_clock_sleep_until(until_s);
    }
    enum ct_status status = ct_scan_canary_measure(run->side, &setup, times_p, err);
    if (is_loaded && run->side->rank == 0)
        ct_scan_congestor_end(run->side);
    return status;
}

/* What all ranks know of a cell afterwards. */
struct tally {
    double bytes;                                       /* sum */
    double start_s, duration_s, load_s, is_interrupted; /* largest */
};

static struct tally agree_on_cell(const struct round_run *run, const struct ct_scan_times *times,
                                  const struct ct_scan_load *load)
{
    const struct ct_bench *bench = run->side->bench;
    bool is_first = run->side->is_canary && run->side->rank == 0;
    struct tally tally, here = {.bytes = (double)load->bytes,
                                .start_s = is_first ? times->start_s - bench->start_s : 0,
                                .duration_s = is_first ? times->duration_s : 0,
                                .load_s = load->time_s,
                                .is_interrupted = times->is_interrupted || ct_bench_signalled()};
    MPI_Allreduce(&here.bytes, &tally.bytes, 1, MPI_DOUBLE, MPI_SUM, bench->comm);
    MPI_Allreduce(&here.start_s, &tally.start_s, 4, MPI_DOUBLE, MPI_MAX, bench->comm);
    return tally;
}

/* The samples of all ranks, behind those that rank 0 has. Counts of bytes fit: a cell has at most
 * most_samples and a turn of all pairs. */
static enum ct_status gather_samples(const struct round_run *run, const struct ct_scan_times *times,
                                     struct ct_error *err)
{
    const struct ct_bench *bench = run->side->bench;
    struct ct_scan_result *result = run->result;
    int n_bytes = (int)(times->n * sizeof *times->rows), total = 0;
    int *counts = calloc((size_t)bench->size, sizeof *counts);
    int *places = calloc((size_t)bench->size, sizeof *places);
    enum ct_status status = counts && places ? CT_OK : ct_no_memory(err, "samples of a cell");
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK && counts && places) { /* on all ranks, as they agreed */
        MPI_Gather(&n_bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, bench->comm);
        for (int rank = 0; bench->rank == 0 && rank < bench->size; rank++) {
            places[rank] = total;
            total += counts[rank];
        }
        size_t n_more = (size_t)total / sizeof *result->samples;
        if (!CT_ARRAY_RESIZE(result->samples, result->n_samples + n_more))
            status = ct_no_memory(err, "%zu samples", n_more);
        status = ct_bench_agree(bench, status, err);
    }
    if (status == CT_OK) {
        struct ct_scan_sample *more = result->samples + result->n_samples;
        size_t n_more = (size_t)total / sizeof *more;
        MPI_Gatherv(times->rows, n_bytes, MPI_BYTE, more, counts, places, MPI_BYTE, 0, bench->comm);
        for (size_t i = 0; i < n_more; i++)
            more[i].cell = (uint32_t)result->n_cells;
        result->n_samples += n_more;
    }
    free(counts);
    free(places);
    return status;
}

static enum ct_status add_cell(const struct round_run *run, const struct ct_scan_case *scan_case,
                               const struct tally *tally, struct ct_error *err)
{
    struct ct_scan_result *result = run->result;
    const struct ct_scan_canary_setup setup = canary_setup(run, scan_case->canary);
    if (run->side->bench->rank != 0)
        return CT_OK;
    if (!CT_ARRAY_RESIZE(result->cells, result->n_cells + 1))
        return ct_no_memory(err, "%zu cells", result->n_cells + 1);
    result->cells[result->n_cells++] =
        (struct ct_scan_cell_row){.start_s = tally->start_s,
                                  .duration_s = tally->duration_s,
                                  .burst_s = scan_case->setting.burst_s,
                                  .pause_s = scan_case->setting.pause_s,
                                  .intensity = scan_case->setting.intensity,
                                  .congestor_s = tally->load_s,
                                  .congestor_bytes = (uint64_t)tally->bytes,
                                  .bytes = ct_scan_canary_bytes(&setup),
                                  .partners = scan_case->setting.partners,
                                  .messages = scan_case->setting.messages,
                                  .canary = (uint8_t)scan_case->canary,
                                  .congestor = (uint8_t)scan_case->setting.congestor};
    return CT_OK;
}

static enum ct_status measure_cell(const struct round_run *run, size_t index, struct ct_error *err)
{
    const struct ct_bench *bench = run->side->bench;
    const struct ct_scan_case *scan_case = &run->setup->cases[index];
    struct ct_scan_times times = {0};
    struct ct_scan_load load = {0};
    enum ct_status status = CT_OK;
    MPI_Barrier(bench->comm);
    if (run->side->is_canary)
        status = run_canary(run, scan_case, &times, err);
    else if (scan_case->setting.congestor != CT_SCAN_WITH_NONE)
        status = ct_scan_congestor_run(run->side, &scan_case->setting, run->setup->message_bytes,
                                       ct_random_at(bench->options->seed, index), &load, err);
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK) {
        struct tally tally = agree_on_cell(run, &times, &load);
        run->result->is_interrupted = tally.is_interrupted != 0;
        if (!run->result->is_interrupted) {
            status = gather_samples(run, &times, err);
            if (status == CT_OK)
                status = ct_bench_agree(bench, add_cell(run, scan_case, &tally, err), err);
        }
    }
    ct_scan_times_free(&times);
    return status;
}

/* ---- the round ---- */

static enum ct_status check_cases(const struct round_run *run, struct ct_error *err)
{
    char text[CT_SCAN_TEXT_MAX];
    const struct ct_scan_side *side = run->side;
    int n_congestors = side->bench->layout.n_nodes - side->n_canary_nodes;
    for (size_t i = 0; i < run->setup->n_cases; i++) {
        const struct ct_scan_setting *setting = &run->setup->cases[i].setting;
        ct_scan_case_format(&run->setup->cases[i], text);
        if (setting->congestor == CT_SCAN_WITH_COMPRESSION && !side->is_canary) {
            enum ct_status status = ct_scan_congestor_check(side, setting, err);
            if (status != CT_OK)
                return ct_fail_within(err, status, "--cells: %s", text);
        }
        if (setting->congestor != CT_SCAN_WITH_NONE && n_congestors == 0)
            return ct_fail(err, CT_EINVAL,
                           "--cells: %s: all nodes are canaries; name those of them by --canaries, "
                           "so that at least two are left for the congestor",
                           text);
        if (setting->congestor == CT_SCAN_WITH_GPCNET && n_congestors < CT_SCAN_GPCNET_NODES)
            return ct_fail(
                err, CT_EINVAL,
                "--cells: %s: %d congestor nodes; GPCNeT's four congestors need %d: name "
                "fewer canaries, or take more nodes",
                text, n_congestors, CT_SCAN_GPCNET_NODES);
    }
    return CT_OK;
}

/* Connections are made before anything is measured. */
static enum ct_status connect_canaries(const struct round_run *run, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int c = 0; c < CT_N_SCAN_MEASURED && run->side->is_canary && status == CT_OK; c++) {
        const struct ct_scan_canary_setup setup = canary_setup(run, (enum ct_scan_canary)c);
        bool is_needed = false;
        for (size_t i = 0; i < run->setup->n_cases; i++)
            is_needed = is_needed || run->setup->cases[i].canary == setup.canary;
        if (is_needed)
            status = ct_scan_canary_connect(run->side, &setup, err);
    }
    return ct_bench_agree(run->side->bench, status, err);
}

static void show_progress(const struct round_run *run, size_t index)
{
    struct ct_bench *bench = run->side->bench;
    double passed_s = ct_clock_now_s() - bench->start_s, n = (double)(index + 1);
    char text[CT_SCAN_TEXT_MAX];
    ct_scan_case_format(&run->setup->cases[index], text);
    ct_log_progress(&bench->log, n, (double)run->setup->n_cases,
                    passed_s / n * ((double)run->setup->n_cases - n), text);
}

enum ct_status ct_scan_run(const struct ct_scan_side *side, const struct ct_scan_setup *setup,
                           ct_scan_keep *keep, void *context, struct ct_scan_result *result_p,
                           struct ct_error *err)
{
    struct ct_bench *bench = side->bench;
    *result_p = (struct ct_scan_result){0};
    struct round_run run = {.side = side, .setup = setup, .result = result_p};
    enum ct_status status = ct_bench_agree(bench, check_cases(&run, err), err);
    if (status == CT_OK)
        status = connect_canaries(&run, err);
    for (size_t i = 0; i < setup->n_cases && status == CT_OK && !result_p->is_interrupted; i++) {
        status = measure_cell(&run, i, err);
        if (status == CT_OK && bench->rank == 0 && !result_p->is_interrupted) {
            status = keep(context, result_p, err);
            show_progress(&run, i);
        }
        status = ct_bench_agree(bench, status, err);
    }
    return status;
}

void ct_scan_result_free(struct ct_scan_result *result)
{
    free(result->cells);
    free(result->samples);
    *result = (struct ct_scan_result){0};
}
