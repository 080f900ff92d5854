/* What crosstalk tolerance can be asked: its options, examples and manual. */
#include "cli/tolerance.h"
#include "core/option_rows.h"

#include <string.h>

static const char *const solver_names[] = {"envelope", "clp", NULL};
static const char *const progress_names[] = {"at-once", "in-call", "both", NULL};
static const char *const protocol_names[] = {"loggps", "sockets", NULL};

static const struct ct_option question_options[] = {
    CT_MODEL_ROW_L(struct ct_tolerance_settings, machine.model.L,
                   "latency of the network; required without --logp, --parameters, --topology or "
                   "--pairs; with a file of --topology that has latencies of links, that of the "
                   "path that was measured"),
    {CT_OPTION(CUSTOM, "threshold", struct ct_tolerance_settings, thresholds),
     .argument = "FRACTION,...",
     .given = CT_OFFSET_OF(bool, struct ct_tolerance_settings, has_thresholds),
     .initial = "1%,2%,5%", .parse = ct_thresholds_parse,
     .help = "how much longer the program may run"},
    {CT_OPTION(CUSTOM, "along", struct ct_tolerance_settings, along), .argument = "L|o|G|L,G=2",
     .initial = "L", .parse = ct_along_parse,
     .help = "what grows: L, the latency; G, the time of a byte: how much bandwidth the program "
             "can lose, and how much beside more latency; o, the overheads of messages, by one "
             "factor; or several in a ratio: L,G=2 lets G grow by twice the share of L"},
    {CT_OPTION(FLAG, "gaps", struct ct_tolerance_settings, graph.gaps),
     .help = "times of bytes by message size, where --logp measured that one G does not fit, as "
             "simulate and predict have them; --along G is then one factor on the whole curve"},
    CT_ROW_BETWEEN(struct ct_tolerance_settings, machine.model.g),
    {CT_OPTION(CHOICE, "progress", struct ct_tolerance_settings, graph.progress),
     .argument = "at-once|in-call|both", .initial = "at-once", .choices = progress_names,
     .help = "when messages go on that a rank must work for. at-once: the library or the network "
             "card does it while the program computes, so that T is a lower bound. in-call: when "
             "the rank is in MPI again, an upper bound. both: the two beside each other"},
    {CT_OPTION(CHOICE, "protocols", struct ct_tolerance_settings, graph.puts),
     .argument = "loggps|sockets", .initial = "loggps", .choices = protocol_names,
     .help = "messages above S. loggps: a request, a grant and the data. sockets, of MPI over TCP: "
             "also an acknowledgement and a word of the end"},
    {CT_OPTION(STRING, "to", struct ct_tolerance_settings, to), .argument = "MACHINE|FILE.h5",
     .help = "what another network would change: run time and tolerances with its L, o and G, and "
             "with each of these alone. A run file of logpb there, or a machine of crosstalk show "
             "--constants: qdr, hdr, ndr, slingshot11, 100gbe"},
    {CT_OPTION(STRING, "from", struct ct_tolerance_settings, from), .argument = "MACHINE|FILE.h5",
     .help = "with --to: the network to change from, in place of --logp or --L, --o and --G"},
    {CT_OPTION(CHOICE, "solver", struct ct_tolerance_settings, solver), .argument = "NAME",
     .initial = "envelope", .choices = solver_names,
     .help = "envelope: exact, on the graph itself. clp: the linear program, solved by Clp; slower "
             "by orders of magnitude, equal to 1e-9"},
    {CT_OPTION(FLAG, "critical-path", struct ct_tolerance_settings, critical_path),
     .help = "list the operations on the critical path, and the parts of each rank's time on it"},
    {CT_OPTION(FLAG, "compare-collectives", struct ct_tolerance_settings, compare_collectives),
     .help = "of traces: list run time and tolerances with each algorithm of each collective that "
             "the program calls"},
    {CT_OPTION(STRING, "write-lp", struct ct_tolerance_settings, lp_path), .target = CT_FILE_STREAM,
     .argument = "FILE",
     .help =
         "write the linear program instead: FILE.mps (free-format MPS) or FILE.lp (LP format of "
         "CPLEX). With --threshold, of one fraction, in the tolerance form: max l with t at "
         "most this fraction above the run time at L"},
    {CT_OPTION(STRING, "output", struct ct_tolerance_settings, lp_path), .letter = 'o',
     .target = CT_FILE_STREAM, .argument = "FILE", .successor = "--write-lp FILE"},
    CT_ROW_PLOT(
        struct ct_tolerance_settings, plot_path,
        "draw run time with the tolerances as zones, or the pieces, lambda_L and rho_L (needs "
        "gnuplot)"),
    {0}};

static const struct ct_option pieces_options[] = {
    {CT_OPTION(FLAG, "pieces", struct ct_tolerance_settings, pieces),
     .help = "print all pieces of T as a function of latency, over an interval, instead"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Question", question_options, 0},
    {"Pieces of T", pieces_options, 0},
    {"Interval of --pieces", ct_pieces_options, 0},
    CT_MACHINE_GROUPS(struct ct_tolerance_settings, machine),
    CT_GRAPH_GROUPS(struct ct_tolerance_settings, graph, answer),
    {"Beside other applications", ct_effect_options,
     offsetof(struct ct_tolerance_settings, effect)},
    {"Output", ct_output_options, offsetof(struct ct_tolerance_settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk tolerance traces --serialize-nic --logp logp.h5 --plot tolerance.svg",
    ("how much latency a traced program tolerates, with the parameters that logpb measured, and a "
     "figure"),
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns",
    "latencies at which the program takes 1, 2 and 5 % longer",
    "crosstalk tolerance run-1 run-2 run-3 --logp logp.h5",
    "how much T and the tolerances differ between three traces of one program",
    "crosstalk tolerance traces --logp logp.h5 --along G --plot frontier.svg",
    "how much bandwidth the program can lose, alone and beside more latency, and a figure of both",
    "crosstalk tolerance traces --logp logp.h5 --along o",
    "by which factor the processor's overheads of messages may grow",
    "crosstalk tolerance traces --logp logp.h5 --progress both --protocols sockets",
    "least and most T, if messages may wait until their ranks are in MPI",
    "crosstalk tolerance traces --from qdr --to ndr",
    "what a newer network would gain, and by which of its parameters",
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns --critical-path",
    "also which operations the run time consists of",
    "crosstalk tolerance traces --logp logp.h5 --compare-collectives",
    "also the same with each algorithm of the collectives that the program calls",
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns --solver clp --format json",
    "the same by linear programming, for scripts",
    "crosstalk tolerance stencil.goal --logp logp.h5",
    "with L, o by message size, G and S as logpb measured them",
    "crosstalk tolerance stencil.goal --parameters posterior.h5",
    "with intervals from the draws of L, o and G of a calibration",
    "crosstalk tolerance stencil.goal --logp logp.h5 --impact beside.h5 --idle idle.h5",
    "also the run time beside the application whose impact beside.h5 contains",
    ("crosstalk tolerance stencil.goal --o 5us --G 0.018ns --topology fat-tree:16x3 --wire 274ns "
     "--switch 108ns"),
    "how much longer each wire of a fat tree may be",
    "crosstalk tolerance stencil.goal --pairs logp-all.h5",
    "with o, L and G of every pair of nodes, and which pairs the run time is sensitive to",
    "crosstalk tolerance stencil.goal --logp logp.h5 --campaign results --app stencil",
    "also the slowdown beside each application of a campaign",
    ("crosstalk tolerance stencil.goal --pieces --o 5us --G 0.018ns --L-min 3us --L-max 103us "
     "--plot T.svg"),
    "every latency between 3 and 103 us at which the critical path changes, and a figure",
    ("crosstalk tolerance stencil.goal --pieces --o 5us --G 0.018ns --topology fat-tree:16x3 "
     "--switch 108ns --wire-min 274ns --wire-max 424ns"),
    "run time as a function of the latency of each wire of a fat tree",
    ("crosstalk tolerance stencil.goal --pieces --pairs logp-all.h5 --added-min 0us "
     "--added-max 100us"),
    "as a function of a latency added to every pair of nodes",
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns --write-lp stencil.lp",
    "write the linear program; glpsol --lp stencil.lp solves it",
    NULL};

static const char *const see_also[] = {"crosstalk-goal(1)",    "crosstalk-topology(1)",
                                       "crosstalk-predict(1)", "logpb(1)",
                                       "impactb(1)",           NULL};

const struct ct_command ct_tolerance_command = {
    .name = "crosstalk tolerance",
    .summary = "how much network latency a schedule tolerates",
    .operands = "TRACES|FILE.goal...",
    .description =
        "Runs a schedule, or the traces of a program (a folder, see crosstalk-goal(1)), under the "
        "LogGPS model and prints how its run time T depends on the network: lambda_L = dT/dL, the "
        "latencies on the critical path (at a latency where the path changes: the right "
        "derivative), the range of L in which that holds, rho_L = lambda_L L / T, the share of T "
        "that is latency, and lambda_G = dT/dG, the bytes on the path. For each threshold x the "
        "tolerance is the largest L with T(L) <= (1 + x) T.\n\n"
        "Of several traces of one program each is answered, with means over the runs and their 90 "
        "% intervals: two traces may differ by more than the interval of one, which has the "
        "uncertainty of L, o and G only.\n\n"
        "With --solver clp the range is that of the solver's basis: it lies within the range of "
        "lambda_L and can be smaller.\n\n"
        "--logp takes the parameters from a run of logpb: the overhead of each message is that of "
        "its size, on the side that sends and on the side that receives. T and each tolerance then "
        "have an interval: the run's repetitions are resampled 200 times, and overheads, L, G, T "
        "and tolerances are derived from each sample. Level and seed are those of the run, not "
        "those of --confidence and --seed. The interval has the uncertainty of the measurement, "
        "but not the error of the model. A schedule of more than 500,000 dependencies gets fewer "
        "samples, one of more than 5 million no intervals.\n\n"
        "--parameters takes L, o, G and S from a posterior of crosstalk-calibrate(1) with the "
        "protocols loggps: most likely values, and intervals of T and tolerances from 200 of its "
        "draws, at its level. What it does not have is as given, or that of --logp.\n\n"
        "--topology puts nodes on a network of switches: the latency of two ranks is that of the h "
        "+ 1 wires and h switches between their nodes. The tolerances are then those of the "
        "latency of a wire, and of the time in a switch: lambda_wire = dT/dwire counts the wires "
        "on the critical path. Messages inside a node (--ranks-per-node) have --L-node and "
        "--G-node. Without --wire and --switch L and G are those of --logp, a run of logpb --pairs "
        "classes, by the switches between two nodes. With a file in which all links have "
        "latencies, and without --wire and --switch, "
        "the latency of two nodes is L (--L, --logp) plus the latencies of the links between them, "
        "less those of the path that L was measured on, which a note names; the tolerances are "
        "then those of L, a latency that is added to every pair. Intervals and the critical path "
        "need an L that is the same for all pairs, --impact and --campaign one without --wire."
        "\n\n"
        "--pairs takes o, L and G of every pair of nodes from a run of logpb --pairs all, or of "
        "every class of paths from one of logpb --pairs classes. Node i is that of the i-th rank "
        "that was measured; with --ranks-per-node N, rank r of the schedule is on node r / N. "
        "lambda of a pair, dT/dL of that pair alone, counts its latencies on the critical path; "
        "the sum over all pairs is lambda_L. The tolerance is the largest latency that may be "
        "added to every pair of nodes. T and tolerances have intervals as with --logp, from the "
        "repetitions of all pairs, of a run with up to 100 directions.\n\n"
        "--along G asks the same of bandwidth: T is piecewise linear in G, the time of a byte, "
        "too. "
        "Beside tolerances of G alone it finds the frontier, the pairs of latency and bandwidth "
        "from which on T is longer by a threshold: a convex polygon, whose corners --all and JSON "
        "list and --plot draws. --along o, or several parameters in a ratio, asks by which factor "
        "these may grow: parameters and overheads by size are 1 - w + w f times what they are, for "
        "a weight w of 1 of what grows fastest. --all lists all pieces of T up to the largest "
        "factor that was asked about.\n\n"
        "--compare-collectives converts the traces again for each algorithm of the collectives "
        "that the program calls (see crosstalk-goal(1)): one collective at a time has another "
        "algorithm, the others stay as given.\n\n"
        "--pieces: T is a convex, piecewise linear function of the latency L. This finds all its "
        "pieces in an interval: on each, the critical path has lambda_L = dT/dL latencies, and "
        "where a piece ends, at a critical latency, a path with more of them becomes the longest. "
        "With --topology it is a function of the latency of a wire (--wire-min, --wire-max, "
        "--switch) or of the time in a switch (--switch-min, --switch-max, --wire), with --pairs "
        "of a latency that is added to every pair (--added-min, --added-max). With --logp, "
        "--parameters or --pairs, T at the start of each piece and lambda_L in its middle have "
        "intervals.\n\n"
        "--write-lp writes the linear program whose optimum is T, for any solver. Its columns are "
        "l (latency), g (gap per byte), t (run time) and one y for each point at which an "
        "operation waits for several others, all in nanoseconds. The reduced costs of l and g are "
        "lambda_L and lambda_G. With --pairs, L and G of every pair are constants: l is a latency "
        "that is added to every pair, g a gap that is added to every byte between two nodes, and "
        "both are at least 0.\n\n"
        "--impact and --campaign predict the run time beside other applications from the latency "
        "that these add. dL, the mean latency of a probe beside them minus that on the idle "
        "network, gives the run time T(L + dL); T at each sampled latency gives the distribution "
        "of the run time. The bandwidth that they take is not modelled.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = SIZE_MAX};

enum ct_status ct_tolerance_check(const struct ct_tolerance_settings *settings, bool is_of_several,
                                  struct ct_error *err)
{
    const bool is_both = settings->graph.progress == CT_ASKED_BOTH,
               is_grown = settings->along.axis != CT_ALONG_L;
    const char *along = settings->along.axis == CT_ALONG_G ? "--along G" : "--along of a factor";
    const char *view = is_of_several                  ? "several traces"
                       : settings->lp_path            ? "--write-lp"
                       : settings->to                 ? "--to"
                       : is_grown                     ? along
                       : is_both                      ? "--progress both"
                       : settings->pieces             ? "--pieces"
                       : settings->machine.pairs_path ? "--pairs"
                                                      : NULL;
    const bool writes = settings->lp_path, prints = !writes;
    const bool finds_pieces = prints && settings->pieces,
               of_gap = settings->along.axis == CT_ALONG_G;
    const bool of_one_L = is_grown || settings->to || is_of_several || is_both;
    const struct ct_wire_settings *wires = &settings->machine.wires;
    const bool is_spaced = settings->machine.model.g.is_measured || settings->machine.model.g.s > 0;
    const struct {
        const char *name;
        bool is_given;
    } others[] = {
        {"write-lp", is_of_several && writes},
        {"pieces", (writes || of_one_L) && settings->pieces},
        {along + strlen("--"), (writes || settings->to || is_of_several) && is_grown},
        {"to", (writes || is_of_several) && settings->to},
        {"progress both", (writes || is_grown || settings->to || is_of_several) && is_both},
        {"gaps", (settings->to || settings->machine.pairs_path) && settings->graph.gaps},
        {"g", (settings->to || settings->machine.pairs_path) && is_spaced},
        {"pairs", of_one_L && settings->machine.pairs_path},
        {"topology", of_one_L && wires->topology},
        {"ranks-per-node", of_one_L && wires->ranks_per_node > 1},
        {"L", finds_pieces && settings->machine.model.L},
        {"threshold", finds_pieces && settings->has_thresholds},
        {"critical-path", settings->critical_path},
        {"compare-collectives", settings->compare_collectives},
        {"plot", !finds_pieces && !of_gap && settings->plot_path},
        {"solver clp", settings->solver == CT_SOLVER_CLP},
        {"impact", settings->effect.impact_path != NULL},
        {"campaign", settings->effect.campaign_path != NULL}};
    for (size_t i = 0; view && i < sizeof others / sizeof *others; i++)
        if (others[i].is_given)
            return ct_fail(err, CT_EUSAGE, "--%s: not with %s", others[i].name, view);
    const struct ct_model_settings *model = &settings->machine.model;
    if (!model->logp_path && (settings->graph.gaps || model->g.is_measured))
        return ct_fail(err, CT_EUSAGE, "--%s: needs --logp, the run of logpb that measured it",
                       settings->graph.gaps ? "gaps" : "g measured");
    if (settings->from &&
        (model->L || model->o || model->G || model->logp_path || model->posterior_path))
        return ct_fail(err, CT_EUSAGE,
                       "--from: not with --L, --o, --G, --logp and --parameters: it has these");
    if (settings->from && !settings->to)
        return ct_fail(err, CT_EUSAGE, "--from: needs --to, the network to change to");
    if (!settings->pieces && ct_pieces_has_interval(settings))
        return ct_fail(err, CT_EUSAGE, "--L-min and other ends of an interval: are for --pieces");
    return CT_OK;
}
