#include "cli/trace_options.h"

#include "cli/warn.h"

/* Options of earlier versions, one a collective. */
#define FORMER_RULES(name_, collective_)                                                           \
    {                                                                                              \
        CT_OPTION(STRING, name_, struct ct_trace_settings, rules[collective_]),                    \
            .argument = "RULES", .successor = "--collectives " name_ "=RULES"                      \
    }

const char *const ct_pass_names[] = {"whole", "step", NULL};
enum { WHOLE, STEP };

/* Algorithms as lp-bridge/collective names them; a test compares. */
const struct ct_option ct_trace_options[] = {
    {CT_OPTION(DOUBLE, "compute-scale", struct ct_trace_settings, compute_scale),
     .argument = "FACTOR", .initial = "1", CT_RANGE(0, CT_COMPUTE_SCALE_MAX),
     .help = "multiply the time between calls: 0.5 is a machine that computes twice as fast"},
    {CT_OPTION(CHOICE, "pass", struct ct_trace_settings, pass), .argument = "PART",
     .initial = "whole", .choices = ct_pass_names,
     .help = "the whole program, or only the steps that 'workload replay --pass step' finds in it, "
             "one after the other: sequences of collectives of all ranks that repeat"},
    {CT_OPTION(U64, "pass-from", struct ct_trace_settings, part.from), CT_RANGE(1, 1e15),
     .help = "only a part of the program, that after its N-th blocking collective of all ranks, as "
             "'workload replay' counts them"},
    {CT_OPTION(U64, "pass-to", struct ct_trace_settings, part.to), CT_RANGE(1, 1e15),
     .help = "the part ends after the N-th one"},
    {CT_OPTION(STRING, "collectives", struct ct_trace_settings, collectives),
     .argument = "COLLECTIVE=RULES,...",
     .help =
         "algorithms of collectives; those that are not named are as MPICH chooses them for one "
         "process a node, of programs inside SimGrid as SMPI does. mpich, smpi: all as it chooses "
         "them, whatever was traced. RULES are an algorithm for all sizes, or several with "
         "conditions: "
         "allreduce=recursive-doubling,ring@64KiB,bcast=binomial is a ring for allreduces from 64 "
         "KiB on (also @8ranks, @8B/rank, @power-of-two; the last that holds counts). "
         "allreduce: recursive-doubling, ring, rabenseifner, reduce-bcast. "
         "bcast: binomial, scatter-allgather, scatter-ring, pipelined-ring. "
         "barrier: dissemination. "
         "reduce: binomial, reduce-scatter-gather. "
         "reduce-scatter: pairwise, recursive-halving. "
         "allgather, for allgatherv too: ring, recursive-doubling, bruck. "
         "alltoall: linear, fours, pairwise, ring, bruck; for alltoallv too, as if of 0 bytes, and "
         "linear instead of bruck. "
         "gather, scatter: linear, binomial; linear where blocks differ in size. "
         "scan, exscan: recursive-doubling, linear"},
    FORMER_RULES("allreduce", CT_COLLECTIVE_ALLREDUCE),
    FORMER_RULES("bcast", CT_COLLECTIVE_BCAST),
    FORMER_RULES("barrier", CT_COLLECTIVE_BARRIER),
    FORMER_RULES("reduce", CT_COLLECTIVE_REDUCE),
    FORMER_RULES("reduce-scatter", CT_COLLECTIVE_REDUCE_SCATTER),
    FORMER_RULES("allgather", CT_COLLECTIVE_ALLGATHER),
    FORMER_RULES("alltoall", CT_COLLECTIVE_ALLTOALL),
    FORMER_RULES("gather", CT_COLLECTIVE_GATHER),
    FORMER_RULES("scatter", CT_COLLECTIVE_SCATTER),
    FORMER_RULES("scan", CT_COLLECTIVE_SCAN),
    FORMER_RULES("exscan", CT_COLLECTIVE_EXSCAN),
    {0}};

enum ct_status ct_trace_convert_options(const struct ct_trace_settings *settings,
                                        struct ct_convert_options *options_p, struct ct_error *err)
{
    *options_p = ct_convert_defaults();
    options_p->compute_scale = settings->compute_scale;
    options_p->part = settings->part;
    options_p->marks_waits = settings->marks_waits;
    if (settings->collectives &&
        ct_collective_rules_parse(&options_p->rules, settings->collectives, err) != CT_OK)
        return ct_fail_within(err, CT_EUSAGE, "--collectives");
    for (int c = 0; c < CT_COLLECTIVE_N_COLLECTIVES; c++) {
        enum ct_collective what = (enum ct_collective)c;
        if (!settings->rules[c])
            continue;
        if (ct_collective_rules_set(&options_p->rules, what, settings->rules[c], err) != CT_OK)
            return ct_fail_within(err, CT_EUSAGE, "--%s", ct_collective_name(what));
    }
    return CT_OK;
}

/* Options for traces, given with a schedule, would be ignored. */
static enum ct_status refuse_settings(const char *path, const struct ct_trace_settings *settings,
                                      struct ct_error *err)
{
    const char *given = settings->compute_scale < 1 || settings->compute_scale > 1 ? "compute-scale"
                        : settings->pass == STEP                                   ? "pass"
                        : settings->part.from > 0                                  ? "pass-from"
                        : settings->part.to > 0                                    ? "pass-to"
                        : settings->collectives                                    ? "collectives"
                                                                                   : NULL;
    for (int c = 0; c < CT_COLLECTIVE_N_COLLECTIVES && !given; c++)
        if (settings->rules[c])
            given = ct_collective_name((enum ct_collective)c);
    return given
               ? ct_fail(err, CT_EUSAGE, "--%s: is for a folder of traces; %s is none", given, path)
               : CT_OK;
}

/* The part that --pass stands for, and a note that says how to ask for it by its numbers. */
static enum ct_status find_part(struct ct_input input, const struct ct_trace_settings *settings,
                                struct ct_convert_part *part_p, struct ct_argv *notes,
                                struct ct_error *err)
{
    uint64_t n_steps;
    if (settings->pass == WHOLE)
        return CT_OK;
    if (settings->part.from > 0 || settings->part.to > 0)
        return ct_fail(err, CT_EUSAGE,
                       "--pass-from, --pass-to: both of them, and without --pass "
                       "step");
    CT_TRY(ct_schedule_find_steps(input, part_p, &n_steps, err));
    ct_argv_add(notes, "%s: %llu steps are used, those of --pass-from %llu --pass-to %llu",
                input.path, (unsigned long long)n_steps, (unsigned long long)part_p->from,
                (unsigned long long)part_p->to);
    return CT_OK;
}

static void print_notes(const char *command, const struct ct_trace_settings *settings,
                        struct ct_argv *notes)
{
    if (!settings->is_known)
        ct_warn_all(command, notes);
    ct_argv_free(notes);
}

enum ct_status ct_schedule_open(const char *command, struct ct_input input,
                                const struct ct_trace_settings *settings, uint64_t weight,
                                struct ct_schedule_windows *windows_p, struct ct_error *err)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_argv notes = {0};
    enum ct_status status = CT_OK;
    if (ct_input_has_calls(input))
        status = ct_trace_convert_options(settings, &options, err);
    else if (input.kind != CT_INPUT_ABSENT)
        status = refuse_settings(input.path, settings, err);
    if (status == CT_OK && ct_input_has_calls(input))
        status = find_part(input, settings, &options.part, &notes, err);
    if (status == CT_OK)
        status = ct_schedule_windows_open(input, &options, weight, windows_p, err);
    print_notes(command, settings, &notes);
    return status;
}

void ct_schedule_close(const char *command, const struct ct_trace_settings *settings,
                       struct ct_schedule_windows *windows)
{
    struct ct_argv notes = {0};
    ct_schedule_windows_close(windows, &notes);
    print_notes(command, settings, &notes);
}

enum ct_status ct_schedule_load(const char *command, struct ct_input input,
                                const struct ct_trace_settings *settings, struct ct_goal *goal_p,
                                struct ct_error *err)
{
    struct ct_schedule_windows windows;
    CT_TRY(ct_schedule_open(command, input, settings, CT_WINDOW_WHOLE, &windows, err));
    enum ct_status status = ct_schedule_windows_next(&windows, goal_p, err);
    ct_schedule_close(command, settings, &windows);
    return status;
}
