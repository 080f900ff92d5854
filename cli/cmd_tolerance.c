/* crosstalk tolerance: how much latency a program tolerates, from its schedule. */
#include "cli/cli.h"
#include "cli/collectives.h"
#include "cli/critical_path.h"
#include "cli/latency_plot.h"
#include "cli/tolerance.h"
#include "cli/tolerance_windows.h"
#include "cli/wire_tolerance.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/path.h"
#include "lp-bridge/lp/tolerance.h"
#include "study/compute_noise.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <string.h>

/* What the run of logpb leaves open; NaN where there are no replicates. */
struct intervals {
    size_t n_replicates;
    struct ct_interval runtime_s;
    struct ct_tolerance_interval tolerance[CT_THRESHOLDS_MAX];
};

/* Without --seed the same for all, so that the same question has the same answer. */
static uint64_t noise_seed_of(const struct ct_tolerance_settings *settings)
{
    return settings->effect.has_seed ? settings->effect.seed : 1;
}

/* What is asked about. */
struct subject {
    const struct ct_tolerance_settings *settings;
    struct ct_input input;
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_network network;
    struct ct_evaluator *evaluator; /* T as a function of L, or of the latency of a wire */
    struct ct_tolerance_windows windows;
    struct intervals intervals;
};

struct findings {
    struct ct_tolerance at_L;
    double share_frac;   /* rho_L */
    double compute_frac; /* of the critical path; NAN: not known */
    double traced_s;     /* NAN: not known, of another part, or of a program that was not traced */
    double largest_ns[CT_THRESHOLDS_MAX]; /* INFINITY: unbounded */
    struct ct_wire_findings wires;        /* of a topology, in place of both */
    struct ct_collectives collectives;    /* none: they are not compared */
    struct ct_compute_noise noise;
    struct ct_interval of_another_ns[CT_THRESHOLDS_MAX]; /* tolerances of another run */
};

static struct ct_loggps parameters_of(const struct subject *subject)
{
    return ct_network_at(&subject->network, &subject->settings->machine.wires, &subject->model);
}

/* T is then a function of the latency of a wire, not of L. */
static bool is_of_wires(const struct subject *subject)
{
    const struct ct_wire_settings *wires = &subject->settings->machine.wires;
    return wires->topology && !ct_wire_adds_to_L(wires, &subject->settings->machine.model);
}

/* There is no graph then, only an evaluator. */
static bool is_in_windows(const struct subject *subject)
{
    return subject->windows.evaluator != NULL;
}

static unsigned threads_of(const struct subject *subject)
{
    return (unsigned)subject->settings->answer.threads;
}

static struct ct_wire_subject wire_subject_of(const struct subject *subject)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    return (struct ct_wire_subject){
        .graph = &subject->graph,
        .network = &subject->network,
        .at = parameters_of(subject),
        .switch_ns = is_of_wires(subject) ? ct_ns_from_s(settings->machine.wires.switch_s) : 0,
        .by_lp = settings->solver == CT_SOLVER_CLP,
        .threads = threads_of(subject)};
}

static enum ct_status solve_tolerances(const struct subject *subject, struct findings *found,
                                       struct ct_error *err)
{
    const struct ct_thresholds *thresholds = &subject->settings->thresholds;
    const struct ct_wire_subject of_wires = wire_subject_of(subject);
    if (is_of_wires(subject))
        return ct_wire_find(&of_wires, thresholds, &found->wires, err);
    if (subject->network.wires) {
        CT_TRY(ct_wire_tolerance(&of_wires, CT_OF_WIRE, thresholds, &found->at_L, found->largest_ns,
                                 err));
        if (subject->network.adds_to_L)
            CT_TRY(ct_wire_share(&of_wires, found->at_L.runtime_ns, &found->share_frac, err));
        return CT_OK;
    }
    const struct ct_tolerance_query query = {
        .at = parameters_of(subject), .longer_frac = thresholds->frac, .n = thresholds->n};
    if (subject->settings->solver == CT_SOLVER_CLP)
        return ct_tolerance_by_lp(&subject->graph, &query, &found->at_L, found->largest_ns, err);
    CT_TRY(ct_tolerance_by_envelope(is_in_windows(subject) ? NULL : &subject->graph,
                                    subject->evaluator, &query, threads_of(subject), &found->at_L,
                                    found->largest_ns, err));
    if (is_in_windows(subject))
        found->at_L.lambda_G = subject->windows.lambda_G;
    return CT_OK;
}

static void fill_tolerance(struct ct_tables *tables, const struct subject *subject,
                           const struct findings *found)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"L_s", "largest L", CT_UNIT_SECONDS},
        {"L_ci_s[]", CT_IF_KNOWN "from", CT_UNIT_SECONDS},
        {"L_ci_s[]", CT_IF_KNOWN "to", CT_UNIT_SECONDS},
        {"delta_L_s", "added latency", CT_UNIT_SECONDS},
        {"delta_L_ci_s[]", CT_IF_KNOWN "from", CT_UNIT_SECONDS},
        {"delta_L_ci_s[]", CT_IF_KNOWN "to", CT_UNIT_SECONDS},
        {"delta_L_again_s[]", NULL, CT_UNIT_SECONDS},
        {"delta_L_again_s[]", NULL, CT_UNIT_SECONDS}};
    const struct ct_tolerance_settings *settings = subject->settings;
    double L_ns = parameters_of(subject).L_ns;
    /* The answer has it, too; what else was asked for comes first. */
    ct_tables_detail(tables, settings->compare_collectives || settings->critical_path);
    CT_TABLES_BEGIN(tables, "tolerance", "Latency tolerance", columns);
    ct_tables_detail(tables, false);
    for (size_t i = 0; i < settings->thresholds.n; i++) {
        const struct ct_tolerance_interval *interval = &subject->intervals.tolerance[i];
        CT_CELL_NUMBERS(tables, settings->thresholds.frac[i], found->largest_ns[i] * 1e-9,
                        interval->L_s.lo, interval->L_s.hi, (found->largest_ns[i] - L_ns) * 1e-9,
                        interval->delta_L_s.lo, interval->delta_L_s.hi,
                        found->of_another_ns[i].lo * 1e-9, found->of_another_ns[i].hi * 1e-9);
    }
    /* Thresholds ascend: where one is unbounded, so are those that follow. */
    for (size_t i = 0; i < settings->thresholds.n; i++)
        if (isinf(found->largest_ns[i])) {
            ct_tables_note(tables,
                           "The tolerance is unbounded from %.3g %% on: no latency makes the "
                           "program run so much longer.",
                           100 * settings->thresholds.frac[i]);
            break;
        }
}

static void fill_findings(struct ct_tables *tables, const struct subject *subject,
                          const struct findings *found)
{
    const struct ct_tolerance *at = &found->at_L;
    const struct ct_interval *runtime_s = &subject->intervals.runtime_s;
    const struct ct_compute_noise *noise = &found->noise;
    const struct {
        struct ct_column column;
        double value;
        bool is_detail;
    } rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, at->runtime_ns * 1e-9, false},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T from", CT_UNIT_SECONDS}, runtime_s->lo, false},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T to", CT_UNIT_SECONDS}, runtime_s->hi, false},
        {{"traced_s", CT_IF_KNOWN "traced", CT_UNIT_SECONDS}, found->traced_s, false},
        {{"L_s", "latency L", CT_UNIT_SECONDS}, subject->model.L_s, false},
        {{"lambda_L", "lambda_L, latencies on the critical path", CT_UNIT_NONE},
         at->lambda_L,
         false},
        {{"rho_L", "rho_L, their share of T", CT_UNIT_FRACTION}, found->share_frac, false},
        {{"compute", CT_IF_KNOWN "computing on it", CT_UNIT_FRACTION}, found->compute_frac, false},
        {{"L_range_s[]", "lambda_L holds from L =", CT_UNIT_SECONDS}, at->lo_ns * 1e-9, true},
        {{"L_range_s[]", "to L =", CT_UNIT_SECONDS}, at->hi_ns * 1e-9, true},
        {{"lambda_G", "lambda_G, bytes on the critical path", CT_UNIT_NONE}, at->lambda_G, true},
        {{"runtime_again_s[]", CT_IF_KNOWN "T, passes drawn anew, from", CT_UNIT_SECONDS},
         noise->runtime_ns.lo * 1e-9,
         true},
        {{"runtime_again_s[]", CT_IF_KNOWN "T, passes drawn anew, to", CT_UNIT_SECONDS},
         noise->runtime_ns.hi * 1e-9,
         true},
        {{"runtime_quiet_s", CT_IF_KNOWN "T without noise of computing", CT_UNIT_SECONDS},
         noise->quiet_ns * 1e-9,
         true},
        {{"runtime_noisy_s", CT_IF_KNOWN "mean T with it", CT_UNIT_SECONDS},
         noise->mean_ns * 1e-9,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ct_tables_detail(tables, rows[i].is_detail);
        ct_tables_number(tables, rows[i].column, rows[i].value);
    }
    ct_tables_detail(tables, false);
    fill_tolerance(tables, subject, found);
}

static void answer_traced(const struct subject *subject, double traced_s, double runtime_s,
                          struct ct_tables *tables)
{
    const char *doubt =
        subject->settings->graph.serialize_nic || subject->settings->graph.serialize
            ? " If L, o and G are of the traced network, do not rely on T: ranks waited for "
              "processors, or messages for each other at the receiver."
            : " If L, o and G are of the traced network, try --serialize-nic: messages that a rank "
              "sends at once then share its link.";
    char traced[CT_UNITS_TEXT_MAX], T[CT_UNITS_TEXT_MAX], off[CT_UNITS_TEXT_MAX];
    if (isnan(traced_s) || !(traced_s > 0))
        return;
    double longer = runtime_s / traced_s - 1;
    ct_format_words(traced_s, 4, traced);
    ct_format_words(runtime_s, 4, T);
    ct_format_share(fabs(longer), off);
    ct_tables_answer(
        tables, "Traced %s, T %s: %s %s%s.%s", traced, T, off, longer < 0 ? "less" : "more",
        fabs(longer) < 0.01 ? "" : "; computing is as traced, the difference is in MPI calls",
        fabs(longer) < 0.1 ? "" : doubt);
}

/* E[max] is at least max(E). */
static void answer_noise(const struct subject *subject, const struct ct_compute_noise *noise,
                         struct ct_tables *tables)
{
    char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], cost[CT_UNITS_TEXT_MAX];
    if (noise->n_draws == 0)
        return;
    ct_format_words(noise->runtime_ns.lo * 1e-9, 4, from);
    ct_format_words(noise->runtime_ns.hi * 1e-9, 4, to);
    ct_format_share(fmax(noise->mean_ns / noise->quiet_ns - 1, 0), cost);
    ct_tables_provenance(tables, "noise", "%zu draws of passes, seed %llu", noise->n_draws,
                         (unsigned long long)noise_seed_of(subject->settings));
    ct_tables_answer(tables,
                     "Passes of this run vary: drawn anew, T is %s to %s (%.4g %%; another run may "
                     "differ by more); that ranks wait for the slowest costs %s.",
                     from, to, 100 * subject->settings->effect.confidence_frac, cost);
}

/* What it means. */
static void fill_answer(struct ct_tables *tables, const struct subject *subject,
                        const struct findings *found)
{
    const struct ct_thresholds *thresholds = &subject->settings->thresholds;
    char share[CT_UNITS_TEXT_MAX], compute[CT_UNITS_TEXT_MAX] = "";
    double added_s[CT_THRESHOLDS_MAX];
    for (size_t i = 0; i < thresholds->n; i++)
        added_s[i] = (found->largest_ns[i] - parameters_of(subject).L_ns) * 1e-9;
    ct_thresholds_answer(thresholds, "every message", added_s, tables);
    ct_format_share(found->share_frac, share);
    if (!isnan(found->compute_frac))
        ct_format_share(found->compute_frac, compute);
    ct_tables_answer(tables, "Latency is %s of the run time%s%s%s.", share,
                     *compute ? "; computing is " : "", compute,
                     found->share_frac < 0.01 ? ": less latency would not help" : "");
    answer_traced(subject, found->traced_s, found->at_L.runtime_ns * 1e-9, tables);
    answer_noise(subject, &found->noise, tables);
}

/* From L to a little beyond the largest tolerance; where all are unbounded, to ten times L. */
static enum ct_status draw_figure(const struct subject *subject, const struct findings *found,
                                  struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    struct ct_loggps at = parameters_of(subject);
    const double *largest_ns =
        is_of_wires(subject) ? found->wires.largest_ns[CT_OF_WIRE] : found->largest_ns;
    struct ct_latency_zone zones[CT_THRESHOLDS_MAX];
    struct ct_envelope envelope = {0};
    double end_ns = at.L_ns;
    for (size_t i = 0; i < settings->thresholds.n; i++) {
        zones[i] = (struct ct_latency_zone){settings->thresholds.frac[i], largest_ns[i]};
        if (isfinite(largest_ns[i]))
            end_ns = fmax(end_ns, at.L_ns + 1.25 * (largest_ns[i] - at.L_ns));
    }
    if (!(end_ns > at.L_ns))
        end_ns = 10 * at.L_ns + 1;
    enum ct_status status =
        ct_envelope_find(subject->evaluator, at.L_ns, end_ns, threads_of(subject), &envelope, err);
    if (status == CT_OK)
        status =
            ct_latency_plot(subject->input.path, is_of_wires(subject) ? &ct_axis_wire : &ct_axis_L,
                            &envelope, zones, settings->thresholds.n, settings->plot_path, err);
    ct_envelope_free(&envelope);
    return status;
}

/* Shares of T, and the time that was traced. */
static enum ct_status find_shares(const struct subject *subject, struct findings *found,
                                  struct ct_error *err)
{
    const struct ct_trace_settings *traces = &subject->settings->graph.traces;
    const struct ct_tolerance *at = &found->at_L;
    const bool is_whole = traces->pass == 0 && traces->part.from == 0 && traces->part.to == 0 &&
                          traces->compute_scale >= 1 && traces->compute_scale <= 1;
    struct ct_path path;
    found->traced_s = found->compute_frac = NAN;
    if (is_of_wires(subject))
        return CT_OK;
    enum ct_status status = CT_OK;
    if (!subject->network.adds_to_L)
        found->share_frac =
            at->runtime_ns > 0 ? at->lambda_L * parameters_of(subject).L_ns / at->runtime_ns : 0;
    if (ct_input_has_calls(subject->input) && subject->input.kind != CT_INPUT_GENERATED && is_whole)
        status = ct_schedule_traced_time(subject->input, &found->traced_s, err);
    if (status != CT_OK || subject->network.wires || !(at->runtime_ns > 0))
        return status;
    struct ct_loggps parameters = parameters_of(subject);
    if (is_in_windows(subject)) {
        found->compute_frac = subject->windows.compute_ns / at->runtime_ns;
        return CT_OK;
    }
    CT_TRY(ct_path_find(&subject->graph, &parameters, &path, err));
    found->compute_frac = 0;
    for (size_t i = 0; i < path.n; i++)
        found->compute_frac += path.steps[i].part_ns[CT_PATH_COMPUTE] / at->runtime_ns;
    ct_path_free(&path);
    return CT_OK;
}

static enum ct_status add_effect(const struct subject *subject, const struct findings *found,
                                 struct ct_tables *tables, struct ct_error *err)
{
    const struct ct_thresholds *thresholds = &subject->settings->thresholds;
    const struct ct_effect_subject effect = {
        .evaluator = subject->evaluator, .L_s = subject->model.L_s, .threads = threads_of(subject)};
    const struct ct_effect_tolerance tolerance = {
        .threshold_frac = thresholds->frac[thresholds->n - 1],
        .tolerance_s = found->largest_ns[thresholds->n - 1] * 1e-9,
        .schedule = subject->input.path};
    return ct_effect_table(&subject->settings->effect, effect, &tolerance, tables, err);
}

static enum ct_status print_findings(const struct subject *subject, struct findings *found,
                                     struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    struct ct_loggps at = parameters_of(subject);
    struct ct_tables *tables =
        ct_graph_tables(&ct_tolerance_command, settings, (enum ct_format)settings->answer.format,
                        subject->input.path, &subject->graph);
    ct_network_provenance(&subject->network, tables);
    if (!is_of_wires(subject))
        ct_intervals_fill(&subject->model, &settings->machine.model,
                          is_in_windows(subject) ? subject->windows.n_edges
                                                 : subject->graph.n_edges,
                          subject->intervals.n_replicates, tables);
    const struct ct_wire_subject of_wires = wire_subject_of(subject);
    if (is_of_wires(subject))
        ct_wire_fill(&of_wires, &settings->thresholds, &found->wires, tables);
    else
        fill_findings(tables, subject, found);
    if (!is_of_wires(subject))
        fill_answer(tables, subject, found);
    if (found->collectives.n > 0)
        ct_collectives_fill(&found->collectives, &settings->thresholds, is_of_wires(subject),
                            tables);
    enum ct_status status = add_effect(subject, found, tables, err);
    ct_gaps_fill(&subject->settings->graph, &subject->model, tables);
    ct_parameters_fill(&subject->model, tables);
    if (status == CT_OK && settings->critical_path)
        status = ct_critical_path_fill(tables, &subject->graph, &at, err);
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

/* What only a network with one L answers. */
static enum ct_status check_questions(const struct ct_tolerance_settings *settings,
                                      struct ct_error *err)
{
    bool has_wires = settings->machine.wires.topology || settings->machine.wires.ranks_per_node > 1;
    if (has_wires && settings->critical_path)
        return ct_fail(err, CT_EUSAGE,
                       "--critical-path: not with --topology or --ranks-per-node: it counts L");
    if (settings->machine.wires.topology &&
        !ct_wire_adds_to_L(&settings->machine.wires, &settings->machine.model) &&
        (settings->effect.impact_path || settings->effect.campaign_path))
        return ct_fail(err, CT_EUSAGE,
                       "--impact, --campaign: not with --topology: what a probe says is not of one "
                       "wire");
    return ct_wire_check(&settings->machine.wires, &settings->machine.model, CT_WIRE_OR_LINKS, err);
}

static enum ct_status compile_evaluator(struct subject *subject, struct ct_error *err)
{
    const struct ct_wire_subject of_wires = wire_subject_of(subject);
    struct ct_plane plane = ct_plane_of_latency(parameters_of(subject));
    if (is_in_windows(subject)) {
        subject->evaluator = subject->windows.evaluator;
        return CT_OK;
    }
    if (subject->network.wires)
        return ct_wire_evaluator(&of_wires, CT_OF_WIRE, &subject->evaluator, err);
    return ct_evaluator_compile(&subject->graph, &plane, &subject->evaluator, err);
}

/* What asks for a graph has all of it; what asks for T only has windows of it, if it is large. */
static uint64_t find_weight(const struct ct_tolerance_settings *settings)
{
    const struct ct_wire_settings *wires = &settings->machine.wires;
    return wires->topology || wires->ranks_per_node > 1 || settings->solver == CT_SOLVER_CLP ||
                   settings->critical_path || settings->compare_collectives ||
                   settings->graph.serialize || settings->graph.serialize_nic ||
                   settings->machine.model.g.is_measured || settings->machine.model.g.s > 0 ||
                   settings->graph.traces.pass != 0 || settings->graph.progress == CT_ASKED_IN_CALL
               ? CT_WINDOW_WHOLE
               : CT_TOLERANCE_WINDOW;
}

/* All that depends on the schedule; the model stays. */
static enum ct_status open_schedule(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    const struct ct_wire_base base = {&subject->model, &settings->machine.model};
    const struct ct_tolerance_load load = {
        .command = ct_tolerance_command.name,
        .input = subject->input,
        .graph = &settings->graph,
        .model = &subject->model,
        .at = ct_parameters_at(&subject->model, subject->model.L_s),
        .weight = find_weight(settings)};
    CT_TRY(ct_tolerance_windows_load(&load, &subject->graph, &subject->windows, err));
    CT_TRY(
        ct_network_open(&settings->machine.wires, &subject->graph, &base, &subject->network, err));
    return compile_evaluator(subject, err);
}

static void close_schedule(struct subject *subject)
{
    ct_evaluator_free(subject->evaluator);
    ct_network_free(&subject->network);
    ct_graph_free(&subject->graph);
}

static enum ct_status prepare_question(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    CT_TRY(ct_effect_check(&settings->effect, err));
    if (settings->compare_collectives && !ct_input_has_calls(subject->input))
        return ct_fail(err, CT_EUSAGE,
                       "--compare-collectives: %s: not traces: a schedule has messages, no calls",
                       subject->input.path);
    CT_TRY(check_questions(settings, err));
    CT_TRY(
        ct_model_parameters(&settings->machine.model, !is_of_wires(subject), &subject->model, err));
    CT_TRY(ct_model_replicates(&settings->machine.model, &subject->model, err));
    return open_schedule(subject, err);
}

static enum ct_status find_intervals(struct subject *subject, struct ct_error *err)
{
    const struct ct_thresholds *thresholds = &subject->settings->thresholds;
    struct intervals *intervals = &subject->intervals;
    if (is_of_wires(subject) || is_in_windows(subject)) {
        const struct ct_interval none = {NAN, NAN};
        intervals->runtime_s = none;
        for (size_t i = 0; i < thresholds->n; i++)
            intervals->tolerance[i] = (struct ct_tolerance_interval){none, none};
        return CT_OK;
    }
    const struct ct_model_replicates of = {
        .graph = &subject->graph, .model = &subject->model, .wires = subject->network.wires};
    const struct ct_replicates replicates = ct_replicates_of_model(&of);
    return ct_tolerance_intervals(&replicates, thresholds->frac, thresholds->n, threads_of(subject),
                                  &intervals->n_replicates, &intervals->runtime_s,
                                  intervals->tolerance, err);
}

static enum ct_status find_noise(const struct subject *subject, struct findings *found,
                                 struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->settings;
    const struct ct_compute_noise_query query = {.at = parameters_of(subject),
                                                 .longer_frac = settings->thresholds.frac,
                                                 .n = settings->thresholds.n,
                                                 .level = settings->effect.confidence_frac,
                                                 .seed = noise_seed_of(settings),
                                                 .threads = threads_of(subject)};
    if (!subject->network.wires && !is_in_windows(subject) && !subject->graph.in_call)
        return ct_compute_noise_find(&subject->graph, &query, &found->noise, found->of_another_ns,
                                     err);
    found->noise =
        (struct ct_compute_noise){.mean_ns = NAN, .quiet_ns = NAN, .runtime_ns = {NAN, NAN}};
    for (size_t i = 0; i < settings->thresholds.n; i++)
        found->of_another_ns[i] = (struct ct_interval){NAN, NAN};
    return CT_OK;
}

/* ---- other algorithms ---- */

static void take_row(const struct subject *subject, const struct findings *found,
                     struct ct_collectives_row *row)
{
    bool wires = is_of_wires(subject);
    row->at = wires ? found->wires.at[CT_OF_WIRE] : found->at_L;
    for (size_t i = 0; i < subject->settings->thresholds.n; i++)
        row->largest_ns[i] = wires ? found->wires.largest_ns[CT_OF_WIRE][i] : found->largest_ns[i];
}

static enum ct_status ask_parts(const void *data, const struct ct_trace_settings *traces,
                                struct ct_collectives_row *row_p, struct ct_error *err)
{
    const struct subject *of = data;
    struct ct_tolerance_settings settings = *of->settings;
    struct subject subject = {.settings = &settings, .input = of->input, .model = of->model};
    struct findings found = {0};
    settings.graph.traces = *traces;
    enum ct_status status = open_schedule(&subject, err);
    if (status == CT_OK)
        status = solve_tolerances(&subject, &found, err);
    if (status == CT_OK)
        take_row(&subject, &found, row_p);
    close_schedule(&subject);
    return status;
}

static enum ct_status compare_collectives(const struct subject *subject, struct findings *found,
                                          struct ct_error *err)
{
    struct ct_collectives_question question = {
        .input = subject->input,
        .traces = &subject->settings->graph.traces,
        .given = {.collective = "all", .algorithm = "as given"},
        .ask = ask_parts,
        .data = subject};
    take_row(subject, found, &question.given);
    return ct_collectives_compare(&question, &found->collectives, err);
}

static enum ct_status answer_tolerance(void *values, const struct ct_arguments *args,
                                       struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = values;
    struct ct_input input = ct_input_of(args->operands[0]);
    const struct ct_tolerance_question question = {&ct_tolerance_command, settings, input};
    CT_TRY(ct_input_check(input, err));
    CT_TRY(ct_tolerance_check(settings, args->n_operands > 1, err));
    if (args->n_operands > 1)
        return ct_traces_answer(&question, args->operands, args->n_operands, err);
    if (settings->lp_path)
        return ct_lp_answer(&question, err);
    if (settings->to)
        return ct_network_answer(&question, err);
    if (settings->along.axis == CT_ALONG_G)
        return ct_gap_answer(&question, err);
    if (settings->along.axis == CT_ALONG_FACTOR)
        return ct_growth_answer(&question, err);
    if (settings->graph.progress == CT_ASKED_BOTH)
        return ct_bounds_answer(&question, err);
    if (settings->pieces)
        return ct_pieces_answer(&question, err);
    if (settings->machine.pairs_path)
        return ct_pairs_answer(&question, err);
    struct subject subject = {.settings = settings, .input = input};
    struct findings found = {0};
    enum ct_status status = prepare_question(&subject, err);
    if (status == CT_OK)
        status = solve_tolerances(&subject, &found, err);
    if (status == CT_OK)
        status = find_intervals(&subject, err);
    if (status == CT_OK)
        status = find_noise(&subject, &found, err);
    if (status == CT_OK)
        status = find_shares(&subject, &found, err);
    if (status == CT_OK && settings->compare_collectives)
        status = compare_collectives(&subject, &found, err);
    if (status == CT_OK && settings->plot_path)
        status = draw_figure(&subject, &found, err);
    if (status == CT_OK)
        status = print_findings(&subject, &found, err);
    ct_collectives_free(&found.collectives);
    close_schedule(&subject);
    ct_parameters_free(&subject.model);
    return status;
}

int ct_cmd_tolerance(int argc, char **argv)
{
    struct ct_tolerance_settings settings = {
        .over = {{NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}},
        .machine.wires = ct_wire_defaults(),
        .answer = ct_answer_defaults()};
    return ct_command_main(&ct_tolerance_command, argc, argv, &settings, answer_tolerance);
}
