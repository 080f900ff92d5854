/* crosstalk tolerance --pieces: the run time as an exact function of the latency over an interval.
 */
#include "cli/latency_plot.h"
#include "cli/tolerance_pairs.h"
#include "cli/wire_tolerance.h"
#include "lp-bridge/envelope/of_graph.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <stdlib.h>

#define CT_END_ROW(name_, axis_, end_, help_)                                                      \
    {                                                                                              \
        CT_OPTION(DURATION, name_, struct ct_tolerance_settings, over[axis_].end_),                \
            .max = CT_MODEL_MAX_S, .help = (help_)                                                 \
    }

const struct ct_option ct_pieces_options[] = {
    CT_END_ROW("L-min", CT_OVER_L, min_s,
               "smallest latency of the network, on the path that L was measured on; required for "
               "--pieces without --wire, --switch and --pairs"),
    CT_END_ROW("L-max", CT_OVER_L, max_s, "largest latency"),
    CT_END_ROW("wire-min", CT_OVER_WIRE, min_s,
               "smallest latency of a wire of a topology; this or --switch-min is required for "
               "--pieces with --topology"),
    CT_END_ROW("wire-max", CT_OVER_WIRE, max_s, "largest latency of a wire"),
    CT_END_ROW("switch-min", CT_OVER_SWITCH, min_s, "smallest time in a switch of a topology"),
    CT_END_ROW("switch-max", CT_OVER_SWITCH, max_s, "largest time in a switch"),
    CT_END_ROW("added-min", CT_OVER_ADDED, min_s,
               "smallest latency added to every pair of nodes; required for --pieces with --pairs"),
    CT_END_ROW("added-max", CT_OVER_ADDED, max_s, "largest latency added to every pair of nodes"),
    {0}};

/* Of pieces: T where each begins, lambda_L in its middle. */
struct intervals {
    size_t n_replicates;         /* 0: none */
    struct ct_line_interval *at; /* [2 * pieces]: beginnings, then middles */
};

/* What is printed of an axis. Wires and switches have no intervals. */
#define CT_PIECES_FORM(key_, critical_, name_, lambda_, columns_, title_)                          \
    {                                                                                              \
        {critical_ "_s[]", NULL, CT_UNIT_SECONDS}, {critical_ "_s", NULL, CT_UNIT_SECONDS},        \
            {{key_ "_lo_s", name_ " from", CT_UNIT_SECONDS},                                       \
             {key_ "_hi_s", "to", CT_UNIT_SECONDS},                                                \
             {lambda_, lambda_, CT_UNIT_NONE},                                                     \
             {"runtime_lo_s", "T at from", CT_UNIT_SECONDS},                                       \
             {"runtime_lo_ci_s[]", CT_IF_KNOWN "T from", CT_UNIT_SECONDS},                         \
             {"runtime_lo_ci_s[]", CT_IF_KNOWN "to", CT_UNIT_SECONDS},                             \
             {"lambda_L_ci[]", CT_IF_KNOWN "lambda_L from", CT_UNIT_NONE},                         \
             {"lambda_L_ci[]", CT_IF_KNOWN "to", CT_UNIT_NONE}},                                   \
            columns_, title_                                                                       \
    }
enum { WITHOUT_INTERVALS = 4, WITH_INTERVALS = 8 };
static const struct {
    struct ct_column critical, none, columns[WITH_INTERVALS];
    size_t n_columns;
    const char *title;
} forms[CT_PIECES_AXES] = {
    [CT_OVER_L] = CT_PIECES_FORM("L", "critical_latencies", "L", "lambda_L", WITH_INTERVALS,
                                 "Pieces of T(L)"),
    [CT_OVER_ADDED] =
        CT_PIECES_FORM("added", "critical_latencies", "added", "lambda_L", WITH_INTERVALS,
                       "Pieces of T, by the latency added to every pair"),
    [CT_OVER_WIRE] = CT_PIECES_FORM("wire", "critical_wires", "wire", "lambda_wire",
                                    WITHOUT_INTERVALS, "Pieces of T, by the latency of a wire"),
    [CT_OVER_SWITCH] = CT_PIECES_FORM("switch", "critical_switches", "switch", "lambda_switch",
                                      WITHOUT_INTERVALS, "Pieces of T, by the time in a switch")};

static void fill_segments(struct ct_tables *tables, enum ct_pieces_axis axis,
                          const struct ct_envelope *envelope, const struct intervals *intervals)
{
    static const struct ct_line_interval none = {{NAN, NAN}, {NAN, NAN}};
    bool has_intervals = intervals->n_replicates > 0;
    if (envelope->n == 1)
        ct_tables_begin(tables, forms[axis].none.key, NULL, &forms[axis].none, 1);
    for (size_t i = 1; i < envelope->n; i++)
        ct_tables_number(tables, forms[axis].critical, envelope->segments[i].lo * 1e-9);
    ct_tables_begin(tables, "segments", forms[axis].title, forms[axis].columns,
                    forms[axis].n_columns);
    for (size_t i = 0; i < envelope->n; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        const struct ct_line_interval *begin = has_intervals ? &intervals->at[i] : &none;
        const struct ct_line_interval *middle =
            has_intervals ? &intervals->at[envelope->n + i] : &none;
        CT_CELL_NUMBERS(tables, segment->lo * 1e-9, segment->hi * 1e-9, segment->line.slope,
                        ct_line_at(segment->line, segment->lo) * 1e-9);
        if (forms[axis].n_columns == WITH_INTERVALS)
            CT_CELL_NUMBERS(tables, begin->runtime_s.lo, begin->runtime_s.hi, middle->lambda_L.lo,
                            middle->lambda_L.hi);
    }
}

static enum ct_status find_intervals(const struct ct_replicates *replicates,
                                     const struct ct_envelope *envelope, unsigned threads,
                                     struct intervals *intervals_p, struct ct_error *err)
{
    size_t n = envelope->n;
    double *L_ns = malloc((2 * n + 1) * sizeof *L_ns);
    struct intervals found = {.at = malloc((2 * n + 1) * sizeof *found.at)};
    enum ct_status status = CT_ENOMEM;
    for (size_t i = 0; i < n && L_ns; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        L_ns[i] = segment->lo;
        L_ns[n + i] = segment->lo + (segment->hi - segment->lo) / 2;
    }
    if (L_ns && found.at)
        status =
            ct_line_intervals(replicates, L_ns, 2 * n, threads, &found.n_replicates, found.at, err);
    else
        ct_no_memory(err, "intervals");
    free(L_ns);
    if (status == CT_OK)
        *intervals_p = found;
    else
        free(found.at);
    return status;
}

/* Paths may have latencies beside L, which is measured then. */
static bool may_add_to_L(const struct ct_tolerance_settings *settings)
{
    const struct ct_model_settings *model = &settings->machine.model;
    return ct_wire_adds_to_L(&settings->machine.wires, model) &&
           (model->logp_path || model->posterior_path);
}

static enum ct_status make_model(const struct ct_tolerance_settings *settings, bool needs_L,
                                 struct ct_parameters *model_p, struct ct_error *err)
{
    CT_TRY(ct_model_parameters(&settings->machine.model, needs_L, model_p, err));
    return ct_model_replicates(&settings->machine.model, model_p, err);
}

/* What is computed on, and what comes of it. */
struct subject {
    const struct ct_tolerance_question *question;
    const struct ct_tolerance_settings *settings; /* of the question */
    enum ct_pieces_axis axis;
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_network network;
    struct ct_pair_subject of_pairs; /* with --pairs, in place of model, graph and network, */
    struct ct_pair_draws draws;      /* and in place of the model's replicates */
    struct ct_envelope envelope;
    struct intervals intervals;
};

static const struct ct_graph *graph_of(const struct subject *subject)
{
    return subject->axis == CT_OVER_ADDED ? &subject->of_pairs.graph : &subject->graph;
}

static void answer_in_words(const struct ct_envelope *envelope, struct ct_tables *tables)
{
    const struct ct_segment *first = &envelope->segments[0];
    const struct ct_segment *last = &envelope->segments[envelope->n - 1];
    char lo[CT_UNITS_TEXT_MAX], hi[CT_UNITS_TEXT_MAX];
    ct_format_words(ct_line_at(first->line, first->lo) * 1e-9, 4, lo);
    ct_format_words(ct_line_at(last->line, last->hi) * 1e-9, 4, hi);
    ct_tables_answer(tables,
                     "T rises from %s to %s, in %zu piece%s: the critical path has %.6g latencies "
                     "at first, %.6g at the end.",
                     lo, hi, envelope->n, envelope->n == 1 ? "" : "s", first->line.slope,
                     last->line.slope);
}

static enum ct_status print_envelope(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    struct ct_tables *tables = ct_tolerance_tables(subject->question, graph_of(subject));
    ct_tables_provenance(tables, "evaluations", "%zu", subject->envelope.points);
    if (subject->axis == CT_OVER_ADDED) {
        ct_pair_provenance(&subject->of_pairs, tables);
        ct_pair_intervals_fill(subject->question, &subject->of_pairs, &subject->draws,
                               subject->intervals.n_replicates, tables);
    } else {
        ct_network_provenance(&subject->network, tables);
        if (subject->axis == CT_OVER_L)
            ct_intervals_fill(&subject->model, &settings->machine.model, subject->graph.n_edges,
                              subject->intervals.n_replicates, tables);
    }
    fill_segments(tables, subject->axis, &subject->envelope, &subject->intervals);
    if (subject->envelope.n > 0)
        answer_in_words(&subject->envelope, tables);
    if (subject->axis != CT_OVER_ADDED) {
        ct_gaps_fill(&settings->graph, &subject->model, tables);
        ct_parameters_fill(&subject->model, tables);
    }
    return ct_tables_finish(tables, err);
}

/* The axis that the options ask about, and what else it needs. */
static enum ct_status check_axis(const struct ct_tolerance_settings *settings,
                                 enum ct_pieces_axis given, size_t n_given, struct ct_error *err)
{
    bool of_L = !settings->machine.wires.topology || may_add_to_L(settings),
         has_pairs = settings->machine.pairs_path != NULL;
    if (n_given == 0)
        return ct_fail(err, CT_EUSAGE, "--%s is missing",
                       has_pairs ? "added-min"
                       : of_L    ? "L-min"
                                 : "wire-min or --switch-min");
    if (has_pairs)
        return n_given == 1 && given == CT_OVER_ADDED
                   ? CT_OK
                   : ct_fail(err, CT_EUSAGE, "--pairs: give --added-min and --added-max only");
    if (given == CT_OVER_ADDED)
        return ct_fail(err, CT_EUSAGE, "--added-min: of which --pairs?");
    if (n_given == 1 && (given == CT_OVER_L ? of_L : settings->machine.wires.topology != NULL))
        return CT_OK;
    return ct_fail(
        err, CT_EUSAGE, "%s",
        !settings->machine.wires.topology ? "--wire-min, --switch-min: of which --topology?"
        : of_L ? "--topology: give --L-min and --L-max only, where --logp has L by paths"
               : "--topology: give either --wire-min and --wire-max, or --switch-min and "
                 "--switch-max; --L-min and --L-max where --logp has L by paths");
}

/* Which of the intervals is given, and that what else is needed is there. */
static enum ct_status find_axis(const struct ct_tolerance_settings *settings,
                                enum ct_pieces_axis *axis_p, struct ct_error *err)
{
    static const char *const names[CT_PIECES_AXES] = {"L", "wire", "switch", "added"};
    static const char *const keeps[CT_PIECES_AXES] = {"", "switch", "wire", ""};
    const struct ct_wire_settings *wires = &settings->machine.wires;
    enum ct_pieces_axis axis = CT_OVER_L;
    size_t given = 0;
    for (enum ct_pieces_axis i = CT_OVER_L; i < CT_PIECES_AXES; i++)
        if (!isnan(settings->over[i].min_s) || !isnan(settings->over[i].max_s)) {
            axis = i;
            given++;
        }
    CT_TRY(check_axis(settings, axis, given, err));
    const struct ct_pieces_interval *over = &settings->over[axis];
    if (isnan(over->min_s) || isnan(over->max_s))
        return ct_fail(err, CT_EUSAGE, "--%s-%s is missing", names[axis],
                       isnan(over->min_s) ? "min" : "max");
    if (!(over->min_s < over->max_s))
        return ct_fail(err, CT_EUSAGE, "--%s-max: %gs: not above --%s-min", names[axis],
                       over->max_s, names[axis]);
    if ((axis == CT_OVER_WIRE && isnan(wires->switch_s)) ||
        (axis == CT_OVER_SWITCH && isnan(wires->wire_s)))
        return ct_fail(err, CT_EUSAGE, "--%s-min: --%s is missing", names[axis], keeps[axis]);
    *axis_p = axis;
    return CT_OK;
}

/* As a function of what is added to every pair. */
static enum ct_status compute_pairs(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    const struct ct_pieces_interval *over = &settings->over[CT_OVER_ADDED];
    const unsigned threads = (unsigned)settings->answer.threads;
    CT_TRY(ct_pair_open(subject->question, &subject->of_pairs, err));
    CT_TRY(ct_envelope_find(ct_pair_evaluator_added(subject->of_pairs.evaluator),
                            ct_ns_from_s(over->min_s), ct_ns_from_s(over->max_s), threads,
                            &subject->envelope, err));
    CT_TRY(ct_pair_settings_draw(&settings->machine, &subject->of_pairs.parameters, &subject->draws,
                                 err));
    const struct ct_pair_replicates of = {&subject->of_pairs.graph, &subject->of_pairs.parameters,
                                          &subject->draws};
    const struct ct_replicates replicates = ct_replicates_of_pairs(&of);
    return find_intervals(&replicates, &subject->envelope, threads, &subject->intervals, err);
}

static enum ct_status find_envelope(struct subject *subject, struct ct_error *err)
{
    const struct ct_pieces_interval *over = &subject->settings->over[subject->axis];
    const unsigned threads = (unsigned)subject->settings->answer.threads;
    double lo_ns = ct_ns_from_s(over->min_s), hi_ns = ct_ns_from_s(over->max_s);
    struct ct_parameters model = subject->model;
    model.L_s = 0;
    struct ct_loggps at =
        ct_network_at(&subject->network, &subject->settings->machine.wires, &model);
    if (!subject->network.wires)
        return ct_envelope_of_graph(&subject->graph, &at, lo_ns, hi_ns, threads, &subject->envelope,
                                    err);
    const struct ct_wire_subject of_wires = {
        .graph = &subject->graph, .network = &subject->network, .at = at, .threads = threads};
    struct ct_evaluator *evaluator = NULL;
    double least_ns = ct_wires_hops(subject->network.wires).least_L_ns;
    if (lo_ns < least_ns)
        return ct_fail(err, CT_EINVAL,
                       "--L-min: %gs: paths that were measured as shorter would take less than "
                       "nothing: give at least %.6gns",
                       over->min_s, least_ns);
    enum ct_status status = ct_wire_evaluator(
        &of_wires, subject->axis == CT_OVER_SWITCH ? CT_OF_SWITCH : CT_OF_WIRE, &evaluator, err);
    if (status == CT_OK)
        status = ct_envelope_find(evaluator, lo_ns, hi_ns, threads, &subject->envelope, err);
    ct_evaluator_free(evaluator);
    return status;
}

static enum ct_status compute_pieces(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    const bool of_L = subject->axis == CT_OVER_L;
    const struct ct_wire_base base = {&subject->model, &settings->machine.model};
    enum ct_status status =
        make_model(settings, of_L && settings->machine.wires.topology, &subject->model, err);
    if (status == CT_OK)
        status = ct_graph_load(subject->question->command->name, subject->question->input,
                               &settings->graph, &subject->model, &subject->graph, err);
    if (status == CT_OK)
        status = ct_network_open(&settings->machine.wires, &subject->graph, of_L ? &base : NULL,
                                 &subject->network, err);
    if (status == CT_OK)
        status = find_envelope(subject, err);
    if (status != CT_OK || !of_L)
        return status;
    const struct ct_model_replicates of = {
        .graph = &subject->graph, .model = &subject->model, .wires = subject->network.wires};
    const struct ct_replicates replicates = ct_replicates_of_model(&of);
    return find_intervals(&replicates, &subject->envelope, (unsigned)settings->answer.threads,
                          &subject->intervals, err);
}

static enum ct_status draw_pieces(const struct subject *subject, struct ct_error *err)
{
    static const struct ct_latency_axis *const axes[CT_PIECES_AXES] = {
        &ct_axis_L, &ct_axis_wire, &ct_axis_switch, &ct_axis_added};
    return ct_latency_plot(subject->question->input.path, axes[subject->axis], &subject->envelope,
                           NULL, 0, subject->settings->plot_path, err);
}

bool ct_pieces_has_interval(const struct ct_tolerance_settings *settings)
{
    for (size_t i = 0; i < CT_PIECES_AXES; i++)
        if (!isnan(settings->over[i].min_s) || !isnan(settings->over[i].max_s))
            return true;
    return false;
}

enum ct_status ct_pieces_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct subject subject = {.question = question, .settings = settings};
    enum ct_status status = CT_OK;
    if (!settings->machine.pairs_path)
        status =
            ct_wire_check(&settings->machine.wires, &settings->machine.model, CT_WIRE_ANY, err);
    if (status == CT_OK)
        status = find_axis(settings, &subject.axis, err);
    if (status == CT_OK)
        status = (settings->machine.pairs_path ? compute_pairs : compute_pieces)(&subject, err);
    if (status == CT_OK && settings->plot_path)
        status = draw_pieces(&subject, err);
    if (status == CT_OK)
        status = print_envelope(&subject, err);
    free(subject.intervals.at);
    ct_envelope_free(&subject.envelope);
    ct_network_free(&subject.network);
    ct_graph_free(&subject.graph);
    ct_parameters_free(&subject.model);
    ct_pair_draws_free(&subject.draws);
    ct_pair_close(&subject.of_pairs);
    return status;
}
