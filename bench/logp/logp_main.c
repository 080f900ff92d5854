/* logpb: options, plan, run, answer, file. */
#include "bench/logp/logp_paths.h"
#include "bench/logp/logp_print.h"
#include "bench/logp/logp_rows.h"
#include "bench/logp/logp_run.h"
#include "model/loggp/emit.h"
#include "results/checkpoint.h"
#include "results/run_parallel.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

struct values {
    double epsilon;
    size_t max_bytes;
    uint64_t max_sizes;
    int methods, gap, pairs, emit;
    bool swap, sequential;
    uint64_t per_class;
    const char *topology;
    uint64_t warmup;
    double deadline_s, checkpoint_s;
    struct ct_bench_options common;
};

static const double level = 0.95;

static const struct ct_option options[] = {
    {CT_OPTION(CHOICE, "method", struct values, methods), .argument = "METHOD", .initial = "fast",
     .choices = ct_logp_method_names,
     .help = "how gaps are measured: by single round trips, by saturating the link for every size "
             "(which gives gaps only), or both for comparison"},
    {CT_OPTION(FRACTION, "epsilon", struct values, epsilon), .initial = "1%", CT_RANGE(1e-6, 0.5),
     .help = "largest relative error: ends repetitions and the adding of sizes"},
    {CT_OPTION(SIZE, "max-size", struct values, max_bytes), .initial = "1MiB", CT_RANGE(1, 1 << 30),
     .help = "largest message; sizes above 256 KiB are measured only until the gap per byte is "
             "stable"},
    {CT_OPTION(U64, "max-sizes", struct values, max_sizes), .initial = "64", CT_RANGE(1, 10000),
     .help = "add no further sizes beyond this number; the largest bends of the curve come first"},
    {CT_OPTION(CHOICE, "gap", struct values, gap), .argument = "HOW", .initial = "auto",
     .choices = ct_logp_gap_names,
     .help =
         "g(m) of the fast method. equation: RTT(m) - RTT(0) + g(0). back-to-back: by trains of 2 "
         "to 8 messages. auto: by both, until they agree and a round trip takes as long as 20 "
         "empty ones; the train is taken if it contradicts the equation or is more precise"},
    {CT_OPTION(U64, "warmup", struct values, warmup), .letter = 'x', .initial = "1", .max = 1e6,
     .help = "exchanges of every size that are not recorded"},
    {0}};

static const struct ct_option pair_options[] = {
    {CT_OPTION(CHOICE, "pairs", struct values, pairs), .argument = "KIND", .initial = "first",
     .choices = ct_logp_pairs_names,
     .help =
         "the first two nodes, adjacent nodes, every two nodes, or some of every class of paths: "
         "inside a node, and by the number of switches between two nodes. The pairs of a round "
         "at the same time. Ranks of one node where there is only one"},
    {CT_OPTION(U64, "pairs-per-class", struct values, per_class), .initial = "3",
     CT_RANGE(1, 1000000), .help = "with --pairs classes: pairs that are measured of each class"},
    {CT_OPTION(STRING, "topology", struct values, topology), .argument = "SPEC|FILE",
     .help =
         "with --pairs classes: the network between the nodes, such as fat-tree:16x3, or a file "
         "that names the hosts; see crosstalk-topology(1). Without this option that of the lab, "
         "or in a job of Slurm that of its topology.conf; else all pairs of nodes are one class"},
    {CT_OPTION(FLAG, "swap", struct values, swap),
     .help = "measure the other direction too, with the roles swapped, and compare"},
    {CT_OPTION(FLAG, "sequential", struct values, sequential), .help = "one pair at a time"},
    {0}};

static const struct ct_option run_options[] = {
    {CT_OPTION(DURATION, "time", struct values, common.time_s), .initial = "10min",
     CT_RANGE(1e-3, 1e7),
     .help = "begin no further size after this time; of several rounds of pairs each has an equal "
             "part of what is left. Sizes of every decade come first"},
    {CT_OPTION(DURATION, "deadline", struct values, deadline_s), .initial = "30s", CT_RANGE(2, 1e6),
     .help = "fail after this time without a message; whole seconds"},
    {CT_OPTION(DURATION, "checkpoint", struct values, checkpoint_s), .initial = "1s", .max = 1e6,
     .help = "save the sizes measured so far at this interval, between two sizes, in the folder "
             "FILE.h5.checkpoint, so that they are not lost if the run is killed; see "
             "crosstalk-export(1). 0s: keep nothing"},
    {CT_OPTION(CHOICE, "emit", struct values, emit), .argument = "SIMULATOR", .initial = "none",
     .choices = ct_emit_names,
     .help = "print the parameters of the first pair in the input format of this simulator, "
             "instead of the tables"},
    {0}};

static const struct ct_option_group groups[] = {{"Measurement", options, 0},
                                                {"Pairs", pair_options, 0},
                                                {"Run", run_options, 0},
                                                {"Output and provenance",
                                                 ct_bench_option_rows + CT_BENCH_TIME_ROWS,
                                                 offsetof(struct values, common)},
                                                {0}};

static const char *const examples[] = {
    "mpiexec -ppn 1 -hosts n1,n2 logpb --output logp.h5",
    "parameters between two nodes, for all sizes to 1 MiB",
    "mpiexec -ppn 1 -hosts n1,n2 logpb --method both --swap",
    "the same by saturation too, in both directions",
    "mpiexec -ppn 1 -hosts n1,n2,n3,n4 logpb --pairs all --format json",
    "every two of four nodes, for scripts",
    "mpiexec -ppn 2 -f hosts logpb --pairs classes --topology topology.conf --output classes.h5",
    "inside a node, and over each number of switches, for crosstalk tolerance --pairs",
    "mpiexec -n 2 logpb --emit loggopsim",
    "options for LogGOPSim, between two processes of this machine",
    "mpiexec -ppn 1 -hosts n1,n2 logpb --label milc --output logp-milc.h5",
    "parameters of the network beside milc, which runs on the same nodes",
    NULL};
static const char *const see_also[] = {
    "impactb(1)",          "compressionb(1)",        "crosstalk-show(1)",     "crosstalk-export(1)",
    "crosstalk-export(1)", "crosstalk-tolerance(1)", "crosstalk-topology(1)", NULL};

static const struct ct_command command = {
    .name = "logpb",
    .summary = "LogP and LogGP parameters of the network for every message size",
    .description =
        "Measures send overhead o_s(m), receive overhead o_r(m), gap g(m) and latency L between "
        "two ranks by the method of Kielmann, Bal and Verstoep (2000): one train of empty messages "
        "saturates the link, for g(0); all other values come from single round trips. Gaps of "
        "small messages also come from short trains, because a message after a pause may take more "
        "or less time than one in a train. Each value is the median of up to 60 repetitions, or 15 "
        "if a round trip takes more than twice that of an empty message, with its 95 % "
        "interval.\n\n"
        "L comes from the round trips RTT(m) of messages up to 64 B with an empty answer: RTT(m) - "
        "RTT(0) / 2 = o_s(m) + L + (m - 1) G + o_r(m). For 1 B that is the L of LogP in Table 1 of "
        "the paper. G is such that the time of the largest message is right, o is (o_s(1) + "
        "o_r(1)) / 2, g is g(1). crosstalk-show(1), crosstalk-tolerance(1) and crosstalk-export(1) "
        "derive the same L, o and G from the file. L and G have 95 % intervals from 200 bootstrap "
        "replicates of the repetitions, drawn with --seed.\n\n"
        "Sizes are powers of two, measured coarse to fine: the smallest and the largest, then the "
        "middle of each distance, so that a run that --time or a signal cuts short has sizes in "
        "every decade. Until it has, no size takes more than its part of the time that is left. "
        "The file says which sizes were cut (cut_sizes). If o_s, o_r or g of a size differs from "
        "the line through the two "
        "sizes before it by more than epsilon and by more than the intervals explain, sizes in "
        "between are added, down to a distance of 32 B or epsilon of the size. A jump of o_s gives "
        "S, the size above which messages go by rendezvous.\n\n"
        "o_r is that of messages that arrive unexpected; a further column has it for messages "
        "whose receive was posted. The method assumes that a message takes the same time after "
        "another message as after a pause. To check this, gaps of some sizes are also measured "
        "back to back.\n\n"
        "Overheads are of blocking MPI_Send and MPI_Recv. SIGINT or SIGTERM ends the measurement; "
        "the measurements so far are written.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* Between the nodes; none unless classes of them are measured. */
struct paths {
    struct ct_path_row *rows;
    size_t n;
};

/* ---- file ---- */

/* all: known on rank 0, whose attributes are the file's. */
static enum ct_status write_run(const struct ct_bench *bench, const struct ct_logp_results *results,
                                const struct ct_logp_gathered *all, struct paths *paths,
                                struct ct_error *err)
{
    struct ct_run run = {.logp = NULL};
    enum ct_status status = ct_bench_describe(bench, CT_RUN_LOGP, &run.info, err);
    if (status == CT_OK && all->n_links > 0 &&
        ct_logp_add_facts(&run.info, all->links, all->n_links, level) != CT_OK)
        status = ct_no_memory(err, "description of the run");
    if (status == CT_OK)
        status = ct_logp_make_rows(results->results, results->n, &run, err);
    if (status == CT_OK && bench->rank == 0) {
        run.paths = paths->rows; /* the run frees them */
        run.n_paths = paths->n;
        *paths = (struct paths){.n = 0};
    }
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK)
        status = ct_run_write_parallel(bench->comm, bench->options->output, &run, err);
    if (status == CT_OK && bench->rank == 0)
        status = ct_checkpoint_remove(bench->options->output, err);
    ct_run_free(&run);
    return ct_bench_agree(bench, status, err);
}

/* ---- answer ---- */

static enum ct_status emit_parameters(struct ct_bench *bench, const struct ct_logp_gathered *all,
                                      enum ct_emit what, struct ct_error *err)
{
    const struct ct_logp_link *link = all->links;
    if (!link->is_complete)
        ct_log_warn(&bench->log, "incomplete: --time or a signal ended the "
                                 "measurement");
    const struct ct_emit_source source = {
        .points = all->points, .n_points = (size_t)link->n_points, .threshold = link->threshold};
    return ct_loggp_emit(what, &source, stdout, err);
}

static enum ct_status answer_question(struct ct_bench *bench, const struct values *values,
                                      const struct ct_logp_setup *setup,
                                      const struct ct_logp_gathered *all, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (bench->rank == 0 && all->n_links == 0)
        status = ct_fail(err, CT_ENODATA, "ended before anything was measured");
    else if (bench->rank == 0)
        status = values->emit == CT_EMIT_NONE
                     ? ct_logp_print(bench, setup, all, err)
                     : emit_parameters(bench, all, (enum ct_emit)values->emit, err);
    return ct_bench_agree(bench, status, err);
}

/* What was measured is kept whatever went wrong: the first error is the one that is reported. */
static enum ct_status conclude_run(struct ct_bench *bench, const struct values *values,
                                   const struct ct_logp_setup *setup,
                                   const struct ct_logp_results *results, struct paths *paths,
                                   enum ct_status status, struct ct_error *err)
{
    struct ct_logp_gathered all;
    struct ct_error later;
    enum ct_status gathered = ct_logp_gather(bench, results, &all, status == CT_OK ? err : &later);
    status = status == CT_OK ? gathered : status;
    if (gathered == CT_OK && *values->common.output) {
        enum ct_status written =
            write_run(bench, results, &all, paths, status == CT_OK ? err : &later);
        status = status == CT_OK ? written : status;
    }
    if (gathered == CT_OK) {
        enum ct_status answered =
            answer_question(bench, values, setup, &all, status == CT_OK ? err : &later);
        status = status == CT_OK ? answered : status;
    }
    ct_logp_gathered_free(&all);
    return status;
}

/* ---- plan ---- */

/* Found on rank 0, known on all. */
static enum ct_status find_paths(const struct ct_bench *bench, const struct values *values,
                                 struct paths *paths, struct ct_error *err)
{
    struct ct_impact_network network = {0};
    enum ct_status status = CT_OK;
    if (bench->rank == 0) {
        status = ct_impact_network_find(values->topology, &bench->layout, &network, err);
        struct ct_log log = bench->log;
        if (network.note)
            ct_log_info(&log, "%s", network.note);
        if (status == CT_OK)
            status = ct_logp_paths_make(&bench->layout, &network, &paths->rows, &paths->n, err);
        ct_impact_network_free(&network);
    }
    status = ct_bench_agree(bench, status, err);
    if (status != CT_OK)
        return status;
    MPI_Bcast(&paths->n, sizeof paths->n, MPI_BYTE, 0, bench->comm);
    if (bench->rank != 0)
        paths->rows = malloc((paths->n + 1) * sizeof *paths->rows);
    if (!paths->rows)
        status = ct_no_memory(err, "rank %d", bench->rank);
    CT_TRY(ct_bench_agree(bench, status, err));
    MPI_Bcast(paths->rows, (int)(paths->n * sizeof *paths->rows), MPI_BYTE, 0, bench->comm);
    return CT_OK;
}

static enum ct_status make_plan(const struct ct_bench *bench, const struct values *values,
                                struct paths *paths, struct ct_logp_plan *plan_p,
                                struct ct_error *err)
{
    enum ct_logp_pairs pairs = (enum ct_logp_pairs)values->pairs;
    if (pairs != CT_LOGP_PAIRS_CLASSES && values->topology)
        return ct_fail(err, CT_EUSAGE, "--topology: only with --pairs classes");
    if (pairs != CT_LOGP_PAIRS_CLASSES)
        return ct_logp_plan_make(&bench->layout, pairs, values->swap, values->sequential, plan_p,
                                 err);
    CT_TRY(find_paths(bench, values, paths, err));
    return ct_logp_plan_make_classes(paths->rows, paths->n, values->per_class, values->swap,
                                     values->sequential, plan_p, err);
}

static enum ct_status measure_network(struct ct_bench *bench, void *given, struct ct_error *err)
{
    const struct values *values = given;
    const struct ct_logp_setup setup = {.epsilon = values->epsilon,
                                        .level = level,
                                        .max_bytes = values->max_bytes,
                                        .max_sizes = values->max_sizes,
                                        .methods = (enum ct_logp_methods)values->methods,
                                        .gap = (enum ct_logp_gap)values->gap,
                                        .n_warmup = values->warmup,
                                        .seed = bench->options->seed,
                                        .time_s = values->common.time_s};
    struct ct_logp_plan plan;
    struct ct_logp_results results;
    struct paths paths = {.n = 0};
    enum ct_status status = make_plan(bench, values, &paths, &plan, err);
    bool is_planned = status == CT_OK;
    status = ct_bench_agree(bench, status, err);
    if (status != CT_OK) {
        if (is_planned)
            ct_logp_plan_free(&plan);
        free(paths.rows);
        return status;
    }
    const struct ct_logp_limits limits = {.deadline_s = values->deadline_s,
                                          .checkpoint_s = values->checkpoint_s};
    status = ct_logp_run(bench, &setup, &plan, &limits, &results, err);
    status = conclude_run(bench, values, &setup, &results, &paths, status, err);
    free(paths.rows);
    ct_logp_results_free(&results);
    ct_logp_plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {0};
    return ct_bench_main(&command, argc, argv, &values, &values.common, NULL, measure_network);
}
