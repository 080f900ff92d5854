/* scanb: options, cells, run file. */
#include "bench/common/clock.h"
#include "bench/scan/scan_print.h"
#include "core/argv.h"
#include "results/checkpoint.h"

#include <limits.h>
#include <stdlib.h>

struct values {
    const char *cells, *canaries, *roots;
    double cell_s, settle_s, start_limit_s;
    size_t message_bytes;
    uint64_t samples;
    struct ct_bench_options common;
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "cells", struct values, cells), .argument = "LIST",
     .initial = "latency:none bandwidth:none allreduce:none",
     .help = "what is measured, in this order, separated by blanks: "
             "CANARY:CONGESTOR[:BURST/PAUSE][:INTENSITY], see above"},
    {CT_OPTION(STRING, "canaries", struct values, canaries), .argument = "HOST,...", .initial = "",
     .help =
         "hosts that measure, by name, or by number from 0 in the order of the ranks; the others "
         "load the network. Without this option all of them measure, and no congestor is "
         "possible"},
    {CT_OPTION(STRING, "roots", struct values, roots), .argument = "HOST,...", .initial = "",
     .help = "congestor hosts at which incasts gather and broadcasts begin, as --canaries names "
             "hosts. Congestors of 24 nodes or more have several of both. Without this option "
             "drawn by the seed"},
    {CT_OPTION(DURATION, "cell-time", struct values, cell_s), .initial = "1s", CT_RANGE(1e-3, 1e4),
     .help = "how long a canary measures in a cell"},
    {CT_OPTION(DURATION, "settle", struct values, settle_s), .initial = "50ms", CT_RANGE(0, 100),
     .help = "time between the first messages of a congestor and the canary"},
    {CT_OPTION(DURATION, "start-limit", struct values, start_limit_s), .initial = "30s",
     CT_RANGE(0.1, 1e4),
     .help = "end the run if a congestor's first messages have not arrived after that; longer on "
             "slow links"},
    {CT_OPTION(SIZE, "message-size", struct values, message_bytes), .initial = "128KiB",
     CT_RANGE(64, 1 << 26), .help = "size of a message of the bandwidth canary and of congestors"},
    {CT_OPTION(U64, "samples", struct values, samples), .initial = "8192", CT_RANGE(64, 10000000),
     .help = "times that are kept of a cell, about; of more, those of every second turn are "
             "dropped"},
    {0}};

static const struct ct_option_group groups[] = {
    {.title = "Cells", .options = options},
    {.title = "Run",
     .options = ct_bench_option_rows + CT_BENCH_TIME_ROWS,
     .base_offset = offsetof(struct values, common)},
    {0}};

static const char *const examples[] = {
    "mpiexec -n 8 -ppn 1 scanb",
    "the canaries on an idle network, all nodes",
    "mpiexec -n 8 -ppn 1 scanb --canaries n1,n5 --cells 'latency:none latency:incast' -o round.h5",
    "latency between two nodes, alone and beside six that send to one of them",
    ("mpiexec -n 8 -ppn 1 scanb --canaries n1,n5 --cells 'allreduce:none "
     "allreduce:alltoall:1ms/10ms:0.5'"),
    "beside bursts of 1 ms, then 10 ms of rest, half of the time in a burst",
    "srun --jobid=THEIRS --overlap --ntasks-per-node=1 scanb --cells latency:none --label fft",
    "latency beside the application fft, for crosstalk predict --scan",
    NULL};

static const char *const see_also[] = {"crosstalk(1)",    "crosstalk-scan(1)", "impactb(1)",
                                       "compressionb(1)", "workload(1)",       NULL};

static const struct ct_command command = {
    .name = "scanb",
    .summary = "measure MPI calls alone and beside loads, for crosstalk scan",
    .description =
        "One round of a scan: cells, one after the other. In a cell the canary nodes time calls of "
        "MPI: latency (MPI_Sendrecv of 8 bytes each way, each pair of nodes in turn), bandwidth (8 "
        "messages each way by MPI_Isend and MPI_Irecv, until both ends have them) or allreduce "
        "(MPI_Allreduce of 8 bytes over all canary nodes), or iterations of a workload (fft, "
        "vpfft, "
        "lulesh, mcb, milc or amg, see workload(1)). The other nodes do nothing (none) or "
        "load the network meanwhile: incast (all send to one), alltoall, broadcast (one sends to "
        "all), bisection (each sends to the one half way round), allreduce (MPI_Allreduce of 8 "
        "message sizes), gpcnet (GPCNeT's four congestors at once, with messages of 4 KiB, on 8 "
        "nodes or more: alltoall, incast, incast by MPI_Put, broadcast by MPI_Get), or a known "
        "amount of it (compression:P=1,M=10,B=100us, as compressionb(1) does with --partners, "
        "--messages and --bubble).\n\n"
        "A congestor takes as much of the network as it can get, from every job on these switches: "
        "use it only where nobody else does. With BURST/PAUSE, such as 1ms/10ms, it sends for the "
        "first time and rests for the second, each 25 % shorter to 25 % longer. With INTENSITY, "
        "such as 0.5, its rounds use that share of this time.\n\n"
        "SIGINT and SIGTERM end the congestors and the run; the cell under way is left out, and "
        "the "
        "run file has those before it. What is measured is also kept beside the run file while the "
        "run goes on, so that a run that is killed leaves it.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* ---- run file ---- */

struct keeper {
    const struct ct_scan_side *side;
    size_t n_planned;
    bool has_begun;
    double next_s;
};

/* While the run goes on: a run of a minute writes what it has a few times. */
static const double keep_period_s = 2;

static enum ct_status describe_round(const struct keeper *keeper, struct ct_run *run,
                                     struct ct_error *err)
{
    const struct ct_bench *bench = keeper->side->bench;
    enum ct_status status = ct_bench_describe(bench, CT_RUN_SCAN, &run->info, err);
    if (status != CT_OK)
        return status;
    size_t size = (size_t)bench->layout.n_nodes * CT_UNITS_TEXT_MAX + 1, used = 0;
    char *text = calloc(size, 1);
    for (int node = 0; text && node < bench->layout.n_nodes; node++)
        if (keeper->side->canary_node[node])
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? " " : "", node);
    if (!text || ct_run_add_text(&run->info, CT_RUN_SCAN_CANARIES, text) != CT_OK ||
        ct_run_add_number(&run->info, CT_RUN_SCAN_PLANNED, (double)keeper->n_planned) != CT_OK ||
        ct_run_add_number(&run->info, "ranks_per_node", bench->layout.max_slots) != CT_OK)
        status = ct_no_memory(err, "description of the run");
    free(text);
    return status;
}

/* Rows are the result's; they are not freed with the run. */
static enum ct_status describe_result(const struct keeper *keeper,
                                      const struct ct_scan_result *result, struct ct_run *run,
                                      struct ct_error *err)
{
    *run = (struct ct_run){.scan_cells = result->cells,
                           .n_scan_cells = result->n_cells,
                           .scan_samples = result->samples,
                           .n_scan_samples = result->n_samples};
    return describe_round(keeper, run, err);
}

static enum ct_status keep_cells(void *context, const struct ct_scan_result *so_far,
                                 struct ct_error *err)
{
    struct keeper *keeper = context;
    const char *output = keeper->side->bench->options->output;
    struct ct_run run;
    if (!*output || ct_clock_now_s() < keeper->next_s || CT_SIMULATED)
        return CT_OK;
    enum ct_status status = describe_result(keeper, so_far, &run, err);
    if (status == CT_OK && !keeper->has_begun)
        status = ct_checkpoint_begin(output, &run, err);
    keeper->has_begun = true;
    if (status == CT_OK)
        status = ct_checkpoint_replace(output, 0, &run, err);
    ct_run_info_free(&run.info);
    keeper->next_s = ct_clock_now_s() + keep_period_s;
    return status;
}

static enum ct_status write_run(const struct keeper *keeper, const struct ct_scan_result *result,
                                struct ct_error *err)
{
    const char *output = keeper->side->bench->options->output;
    struct ct_run run;
    enum ct_status status = describe_result(keeper, result, &run, err);
    if (status == CT_OK)
        status = ct_run_write(output, &run, err);
    ct_run_info_free(&run.info);
    if (status == CT_OK && keeper->has_begun)
        status = ct_checkpoint_remove(output, err);
    return status;
}

/* ---- the run ---- */

/* @param cases_p  [out] free() */
static enum ct_status parse_cells(const char *text, struct ct_scan_case **cases_p, size_t *n_p,
                                  struct ct_error *err)
{
    struct ct_argv words = {0};
    enum ct_status status = ct_argv_split(&words, text, err);
    struct ct_scan_case *cases = calloc(words.n + 1, sizeof *cases);
    if (status == CT_OK && (words.failed || !cases))
        status = ct_no_memory(err, "--cells");
    if (status == CT_OK && words.n == 0)
        status = ct_fail(err, CT_EUSAGE, "--cells: empty; name at least one, such as latency:none");
    for (size_t i = 0; i < words.n && status == CT_OK; i++)
        if (ct_scan_case_parse(words.item[i], &cases[i], err) != CT_OK)
            status = ct_fail_within(err, CT_EUSAGE, "--cells");
    *n_p = words.n;
    ct_argv_free(&words);
    if (status == CT_OK)
        *cases_p = cases;
    else
        free(cases);
    return status;
}

static enum ct_status run_round(struct ct_bench *bench, const struct ct_scan_side *side,
                                const struct ct_scan_setup *setup, struct ct_error *err)
{
    struct keeper keeper = {.side = side, .n_planned = setup->n_cases};
    struct ct_scan_result result;
    enum ct_status status = ct_scan_run(side, setup, keep_cells, &keeper, &result, err);
    if (status == CT_OK && bench->rank == 0 && *bench->options->output)
        status = write_run(&keeper, &result, err);
    ct_log_progress_end(&bench->log);
    if (status == CT_OK && bench->rank == 0)
        status = ct_scan_print(side, setup, &result, err);
    ct_scan_result_free(&result);
    return ct_bench_agree(bench, status, err);
}

static enum ct_status run_scanb(struct ct_bench *bench, void *data, struct ct_error *err)
{
    const struct values *values = data;
    struct ct_scan_setup setup = {.message_bytes = values->message_bytes,
                                  .most_samples = (size_t)values->samples,
                                  .cell_s = values->cell_s,
                                  .settle_s = values->settle_s,
                                  .start_limit_s = values->start_limit_s};
    struct ct_scan_case *cases = NULL;
    struct ct_scan_side side;
    enum ct_status status = parse_cells(values->cells, &cases, &setup.n_cases, err);
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK)
        status = ct_scan_side_new(bench, values->canaries, values->roots, &side, err);
    if (status != CT_OK) {
        free(cases);
        return status;
    }
    setup.cases = cases;
    status = run_round(bench, &side, &setup, err);
    ct_scan_side_free(&side);
    free(cases);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {0};
    return ct_bench_main(&command, argc, argv, &values, &values.common, NULL, run_scanb);
}
