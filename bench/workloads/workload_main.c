/* workload NAME: options, passes, tables, run file. */
#include "bench/replay/replay.h"
#include "bench/workloads/workload.h"
#include "bench/workloads/workload_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_workload *const workloads[] = {
#define CT_WORKLOAD_ROW(name, about) &ct_workload_##name,
    CT_WORKLOAD_MAP(CT_WORKLOAD_ROW)
#undef CT_WORKLOAD_ROW
        NULL};

enum compute { COMPUTE_SLEEP, COMPUTE_SPIN };
static const char *const compute_names[] = {"sleep", "spin", NULL};

struct values {
    char **words;        /* argv */
    uint64_t iterations; /* 0 until the workload is known */
    double scale;
    int compute;      /* enum compute */
    double compute_s; /* NaN until the workload is known */
    double dilation;  /* 0: no lab that imitates a machine */
    bool loop, profile;
    struct ct_replay_options replay;
    struct ct_bench_options common;
};

static const struct ct_option options[] = {
    {CT_OPTION(U64, "iterations", struct values, iterations), .letter = 'i', CT_RANGE(1, 1e9),
     .help = "iterations of a pass (default: the workload's)"},
    {CT_OPTION(DOUBLE, "scale", struct values, scale), .initial = "1", CT_RANGE(1e-6, 1e6),
     .help = "size of the problem; compute time and amount of data increase with it"},
    {CT_OPTION(CHOICE, "compute", struct values, compute), .argument = "HOW", .initial = "sleep",
     .choices = compute_names,
     .help = "leave the processor to others while computing, or keep it busy"},
    {CT_OPTION(DURATION, "compute-time", struct values, compute_s), CT_RANGE(0, 3600),
     .help =
         "compute time of one iteration on every rank (default: the workload's, times --scale)"},
    {CT_OPTION(FLAG, "loop", struct values, loop),
     .help = "repeat passes until --time is over or a signal comes; without it one pass. A pass "
             "that has begun is finished"},
    {CT_OPTION(FLAG, "profile", struct values, profile),
     .help =
         "show time and messages of each phase of the workload. Run files always contain these"},
    {0}};

static const char *const pass_names[] = {"whole", "step", NULL};

static const struct ct_option replay_options[] = {
    {CT_OPTION(STRING, "trace", struct ct_replay_options, trace), .argument = "TRACES",
     .initial = "",
     .help =
         "traces of the program: a folder, of crosstalk trace or liballprof, or ARCHIVE.otf2, of "
         "Score-P"},
    {CT_OPTION(STRING, "goal", struct ct_replay_options, goal), .argument = "FILE", .initial = "",
     .help = "schedule of the program, as crosstalk goal writes it, in either form"},
    {CT_OPTION(DOUBLE, "compute-scale", struct ct_replay_options, compute_scale), .initial = "1",
     CT_RANGE(0, 1e6), .help = "factor for the time that the program computes between two calls"},
    {CT_OPTION(CHOICE, "pass", struct ct_replay_options, pass), .argument = "PART",
     .initial = "whole", .choices = pass_names,
     .help =
         "with --trace: a pass is the whole program, or one of the steps that are found in it: "
         "sequences of collectives of all ranks that repeat. Calls before them are made once. Not "
         "if several threads of a rank call MPI"},
    {CT_OPTION(U64, "pass-from", struct ct_replay_options, from), CT_RANGE(1, 1e15),
     .help = "with --trace: a pass begins after the N-th blocking collective of all ranks"},
    {CT_OPTION(U64, "pass-to", struct ct_replay_options, to), CT_RANGE(1, 1e15),
     .help = "with --trace: a pass ends after the N-th one"},
    {0}};

static const struct ct_option_group groups[] = {
    {.title = "Workload", .options = options},
    {.title = "Replay", .options = replay_options, .base_offset = offsetof(struct values, replay)},
    {.title = "Run",
     .options = ct_bench_option_rows,
     .base_offset = offsetof(struct values, common)},
    {0}};

static const char *const examples[] = {
    "mpiexec -n 8 workload fft",
    "one pass of the FFT",
    "mpiexec -n 8 workload lulesh --loop --time 60s --output lulesh.h5",
    "passes for a minute; their durations go into a run file",
    "mpiexec -n 64 workload fft --scale 4096 --compute spin",
    "a 12288 x 12288 matrix, computing on the processors",
    "mpiexec -n 8 workload amg --profile",
    "time, messages, bytes and partners of each phase",
    "mpiexec -n 8 workload replay --trace solver --loop --time 60s --output solver.h5",
    "passes of a program that crosstalk trace has recorded to the folder solver",
    "mpiexec -n 8 workload replay --trace scorep-solver/traces.otf2",
    "the program once, from the archive that Score-P made of it",
    NULL};

static const char *const see_also[] = {"crosstalk(1)", "crosstalk-trace(1)", "crosstalk-goal(1)",
                                       "impactb(1)",   "compressionb(1)",    NULL};

#define CT_WORKLOAD_PARAGRAPH(name, about) "\n\n" #name ": " about
#define CT_WORKLOAD_PARAGRAPHS CT_WORKLOAD_MAP(CT_WORKLOAD_PARAGRAPH)
static const char description[] =
    "Sends the messages of a real application, in the same pattern, order and sizes, and sleeps "
    "where it computes. NAME is one of the following, each for any number of ranks unless it says "
    "otherwise:" CT_WORKLOAD_PARAGRAPHS "\n\n"
    "A pass is --iterations iterations, timed from a common start to the end of the slowest rank. "
    "Receivers check the data: a sample of each message in a timed iteration, every word in one "
    "iteration before the first pass and one after the last. SIGINT and SIGTERM end the program "
    "after the current pass.";
#undef CT_WORKLOAD_PARAGRAPHS
#undef CT_WORKLOAD_PARAGRAPH

static const struct ct_command command = {.name = "workload",
                                          .summary = "proxy applications that time themselves",
                                          .operands = "NAME",
                                          .description = description,
                                          .groups = groups,
                                          .examples = examples,
                                          .see_also = see_also,
                                          .min_operands = 1};

/* NULL, with an error that lists what there is, for a name that is not in the table. */
static const struct ct_workload *find_workload(const char *name, struct ct_error *err)
{
    char known[200] = "";
    for (size_t i = 0; workloads[i]; i++) {
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", workloads[i]->name);
    }
    ct_fail(err, CT_EUSAGE, "'%s': no such workload; there are %s", name, known);
    return NULL;
}

/* Options that belong to the replay, and those that do not. */
static enum ct_status check_replay(const struct values *values, const struct ct_workload *workload,
                                   struct ct_error *err)
{
    const struct ct_replay_options *replay = &values->replay;
    bool has_trace = *replay->trace, has_goal = *replay->goal;
    bool has_part = replay->from > 0 || replay->to > 0 || replay->pass != CT_REPLAY_WHOLE;
    if (workload != &ct_workload_replay)
        return has_trace || has_goal || has_part || replay->compute_scale != 1
                   ? ct_fail(
                         err, CT_EUSAGE,
                         "--trace, --goal, --compute-scale, --pass: are for the workload replay")
                   : CT_OK;
    if (has_trace == has_goal)
        return ct_fail(err, CT_EUSAGE, "replay: give --trace TRACES or --goal FILE, one of them");
    if (has_goal && has_part)
        return ct_fail(err, CT_EUSAGE, "--pass, --pass-from, --pass-to: need --trace");
    if ((replay->from > 0) != (replay->to > 0) ||
        (replay->from > 0 && replay->pass != CT_REPLAY_WHOLE))
        return ct_fail(err, CT_EUSAGE,
                       "--pass-from, --pass-to: both of them, and without --pass step");
    if (!isnan(values->compute_s) || values->scale != 1)
        return ct_fail(err, CT_EUSAGE,
                       "--scale, --compute-time: not for the workload replay; --compute-scale "
                       "makes it compute more or less");
    return CT_OK;
}

static enum ct_status run_workload(struct ct_bench *bench, const struct values *values,
                                   const struct ct_workload *workload, struct ct_error *err)
{
    struct ct_workload_run run = {.comm = bench->comm,
                                  .rank = bench->rank,
                                  .size = bench->size,
                                  .scale = values->scale,
                                  .compute_s = values->compute_s,
                                  .spin = values->compute == COMPUTE_SPIN,
                                  .replay = &values->replay,
                                  .log = &bench->log,
                                  .seed = values->common.seed};
    void *state = NULL;
    enum ct_status status = ct_profile_new(run.size, &run.profile, err);
    if (status == CT_OK)
        status = workload->create(&run, &state, err);
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK) {
        const struct ct_workload_plan plan = {.iterations = values->iterations,
                                              .dilation = values->dilation,
                                              .loop = values->loop,
                                              .time_s = values->common.time_s};
        struct ct_workload_passes passes;
        status = ct_workload_repeat(bench, workload, state, &plan, &run, &passes, err);
        if (status == CT_OK)
            status = ct_workload_print(bench, workload, &plan, &run.profile, &passes,
                                       values->profile, err);
        free(passes.rows);
    }
    workload->destroy(state);
    ct_profile_free(&run.profile);
    return status;
}

/* A lab that imitates a machine says by how much everything takes longer there. */
static enum ct_status take_dilation(struct values *values, struct ct_error *err)
{
    CT_TRY(ct_workload_dilation(&values->dilation, err));
    if (values->dilation > 0) {
        values->compute_s *= values->dilation;
        values->replay.compute_scale *= values->dilation;
    }
    return CT_OK;
}

static bool needs_threads(const void *values)
{
    return ct_replay_needs_threads(&((const struct values *)values)->replay);
}

static enum ct_status find_and_run(struct ct_bench *bench, void *given, struct ct_error *err)
{
    struct values *values = given;
    /* Parsing moved the operand to the front. */
    const struct ct_workload *workload = find_workload(values->words[1], err);
    if (!workload || check_replay(values, workload, err) != CT_OK)
        return err->status;
    if (values->iterations == 0)
        values->iterations = workload->iterations;
    if (isnan(values->compute_s))
        values->compute_s = workload->compute_s * values->scale;
    if (!*values->common.label)
        values->common.label = workload->name;
    if (take_dilation(values, err) != CT_OK)
        return err->status;
    return run_workload(bench, values, workload, err);
}

int main(int argc, char **argv)
{
    struct values values = {.words = argv, .compute_s = NAN};
    return ct_bench_main(&command, argc, argv, &values, &values.common, needs_threads,
                         find_and_run);
}
