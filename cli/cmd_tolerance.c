/* crosstalk tolerance: how much latency a program bears, from its schedule. */
#include "cli/cli.h"
#include "cli/critical_path.h"
#include "cli/graph_input.h"
#include "cli/latency_plot.h"
#include "cli/thresholds.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/lp/lp.h"

#include <math.h>

enum solver { SOLVER_ENVELOPE, SOLVER_CLP };
static const char *const solver_names[] = {"envelope", "clp", NULL};

struct settings {
    double L_s;
    struct ct_thresholds thresholds;
    int solver;
    bool critical_path;
    const char *plot_path;
    struct ct_graph_settings graph;
    struct ct_answer_settings answer;
};

static const struct ct_option question_options[] = {
    {.name = "L",
     .type = CT_OPTION_DURATION,
     .offset = offsetof(struct settings, L_s),
     .argument = "DURATION",
     .required = true,
     .help = "latency of the network"},
    {.name = "threshold",
     .type = CT_OPTION_CUSTOM,
     .offset = offsetof(struct settings, thresholds),
     .argument = "FRACTION,...",
     .initial = "1%,2%,5%",
     .parse = ct_thresholds_parse,
     .help = "how much longer the program may run"},
    {.name = "solver",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct settings, solver),
     .argument = "NAME",
     .initial = "envelope",
     .choices = solver_names,
     .help = "envelope: exact, on the graph itself. clp: the linear program, solved by Clp; slower "
             "by orders of magnitude, equal to 1e-9"},
    {.name = "critical-path",
     .type = CT_OPTION_FLAG,
     .offset = offsetof(struct settings, critical_path),
     .help = "list the operations on the critical path, and what each rank's time on it goes to"},
    {.name = "plot",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, plot_path),
     .argument = "FILE.svg",
     .help = "draw run time with the tolerances as zones, lambda_L and rho_L (needs gnuplot)"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Question", question_options, 0},
    {"Model (LogGPS)", ct_graph_options, offsetof(struct settings, graph)},
    {"Computing and output", ct_answer_options, offsetof(struct settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns",
    "latencies at which the program takes 1, 2 and 5 % longer",
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns --critical-path",
    "also which operations the run time consists of",
    "crosstalk tolerance stencil.goal --L 3us --o 5us --G 0.018ns --solver clp --format json",
    "the same by linear programming, for scripts",
    NULL};

static const char *const see_also[] = {"crosstalk-envelope(1)", "crosstalk-lp(1)",
                                       "crosstalk-goal(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk tolerance",
    .summary = "how much network latency a schedule bears",
    .operands = "FILE.goal",
    .description =
        "Runs a schedule under the LogGPS model and answers how its run time T depends on the "
        "network: lambda_L = dT/dL, the latencies on the critical path (at a latency where the "
        "path "
        "changes: the right derivative), the range of L in which that holds, rho_L = lambda_L L / "
        "T, "
        "the share of T that is latency, and lambda_G = dT/dG, the bytes on the path. For each "
        "threshold x the tolerance is the largest L with T(L) <= (1 + x) T.\n\n"
        "With --solver clp the range is that of the solver's basis: it lies within the range of "
        "lambda_L and can be smaller.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = 1};

/* What both solvers find. */
struct findings {
    double runtime_ns, lambda_L, lambda_G, lo_ns, hi_ns;
    double tolerance_ns[CT_THRESHOLDS_MAX]; /* INFINITY: unbounded */
};

static void set_limits(const struct settings *settings, double runtime_ns, double *limits)
{
    for (size_t i = 0; i < settings->thresholds.n; i++)
        limits[i] = (1 + settings->thresholds.frac[i]) * runtime_ns;
}

static enum ct_status find_lambda_G(const struct ct_graph *graph, const struct ct_loggps *at,
                                    double *lambda_G_p, struct ct_error *err)
{
    struct ct_plane plane = ct_plane_of_gap(*at);
    struct ct_program *program = NULL;
    struct ct_line line;
    enum ct_status status = ct_program_compile(graph, &plane, &program, err);
    if (status == CT_OK)
        status = ct_program_lines(program, &at->G_ns_per_byte, 1, 1, &line, err);
    ct_program_free(program);
    if (status == CT_OK)
        *lambda_G_p = line.slope;
    return status;
}

static enum ct_status solve_on_graph(const struct settings *settings, const struct ct_graph *graph,
                                     struct findings *found, struct ct_error *err)
{
    struct ct_loggps at = ct_graph_parameters(&settings->graph, settings->L_s);
    struct ct_plane plane = ct_plane_of_latency(at);
    unsigned threads = (unsigned)settings->answer.threads;
    struct ct_program *program = NULL;
    struct ct_sensitivity sensitivity;
    double limits[CT_THRESHOLDS_MAX];
    enum ct_status status = ct_program_compile(graph, &plane, &program, err);
    if (status == CT_OK)
        status = ct_sensitivity_at(program, at.L_ns, threads, &sensitivity, err);
    if (status == CT_OK) {
        *found = (struct findings){.runtime_ns = sensitivity.runtime_ns,
                                   .lambda_L = sensitivity.line.slope,
                                   .lo_ns = sensitivity.lo,
                                   .hi_ns = sensitivity.hi};
        set_limits(settings, found->runtime_ns, limits);
        status = ct_tolerance_find(program, at.L_ns, limits, settings->thresholds.n, threads,
                                   found->tolerance_ns, err);
    }
    ct_program_free(program);
    return status == CT_OK ? find_lambda_G(graph, &at, &found->lambda_G, err) : status;
}

static enum ct_status solve_by_clp(const struct settings *settings, const struct ct_graph *graph,
                                   struct findings *found, struct ct_error *err)
{
    struct ct_loggps at = ct_graph_parameters(&settings->graph, settings->L_s);
    struct ct_lp lp;
    struct ct_lp_solution solution;
    double limits[CT_THRESHOLDS_MAX];
    enum ct_status status = ct_lp_build(graph, at.o_ns, &lp, err);
    if (status != CT_OK)
        return status;
    status = ct_lp_solve(&lp, at.L_ns, at.G_ns_per_byte, &solution, err);
    if (status == CT_OK) {
        *found = (struct findings){.runtime_ns = solution.runtime_ns,
                                   .lambda_L = solution.lambda_L,
                                   .lambda_G = solution.lambda_G,
                                   .lo_ns = solution.lo_ns,
                                   .hi_ns = solution.hi_ns};
        set_limits(settings, found->runtime_ns, limits);
    }
    for (size_t i = 0; i < settings->thresholds.n && status == CT_OK; i++)
        status = ct_lp_tolerance(&lp, limits[i], at.G_ns_per_byte, &found->tolerance_ns[i], err);
    ct_lp_free(&lp);
    return status;
}

static void fill_tolerance(struct ct_report *report, const struct settings *settings,
                           const struct findings *found)
{
    static const struct ct_column columns[] = {{"threshold", "T longer by", CT_UNIT_FRACTION},
                                               {"L_s", "largest L", CT_UNIT_SECONDS},
                                               {"delta_L_s", "added latency", CT_UNIT_SECONDS}};
    double L_ns = ct_ns_from_s(settings->L_s);
    ct_report_table(report, "tolerance", "Latency tolerance", columns,
                    sizeof columns / sizeof *columns);
    for (size_t i = 0; i < settings->thresholds.n; i++) {
        ct_report_cell_number(report, settings->thresholds.frac[i]);
        ct_report_cell_number(report, found->tolerance_ns[i] * 1e-9);
        ct_report_cell_number(report, (found->tolerance_ns[i] - L_ns) * 1e-9);
    }
    /* Thresholds ascend: where one is unbounded, so are those that follow. */
    for (size_t i = 0; i < settings->thresholds.n; i++)
        if (isinf(found->tolerance_ns[i])) {
            ct_report_note(report,
                           "The tolerance is unbounded from %.3g %% on: no latency makes the "
                           "program run so much longer.",
                           100 * settings->thresholds.frac[i]);
            break;
        }
}

static void fill_report(struct ct_report *report, const struct settings *settings,
                        const struct findings *found)
{
    double rho = found->runtime_ns > 0
                     ? found->lambda_L * ct_ns_from_s(settings->L_s) / found->runtime_ns
                     : 0;
    const struct {
        struct ct_column column;
        double value;
    } rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, found->runtime_ns * 1e-9},
        {{"L_s", "latency L", CT_UNIT_SECONDS}, settings->L_s},
        {{"lambda_L", "lambda_L, latencies on the critical path", CT_UNIT_NONE}, found->lambda_L},
        {{"rho_L", "rho_L, their share of T", CT_UNIT_FRACTION}, rho},
        {{"L_range_s[]", "lambda_L holds from L =", CT_UNIT_SECONDS}, found->lo_ns * 1e-9},
        {{"L_range_s[]", "to L =", CT_UNIT_SECONDS}, found->hi_ns * 1e-9},
        {{"lambda_G", "lambda_G, bytes on the critical path", CT_UNIT_NONE}, found->lambda_G},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ct_report_number(report, rows[i].column, rows[i].value);
    fill_tolerance(report, settings, found);
}

/* From L to a little beyond the largest tolerance; where all are unbounded, to ten times L. */
static enum ct_status draw(const struct settings *settings, const struct ct_graph *graph,
                           const char *title, const struct findings *found, struct ct_error *err)
{
    struct ct_loggps at = ct_graph_parameters(&settings->graph, settings->L_s);
    struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_latency_zone zones[CT_THRESHOLDS_MAX];
    struct ct_program *program = NULL;
    struct ct_envelope envelope = {0};
    double end_ns = at.L_ns;
    for (size_t i = 0; i < settings->thresholds.n; i++) {
        zones[i] = (struct ct_latency_zone){settings->thresholds.frac[i], found->tolerance_ns[i]};
        if (isfinite(found->tolerance_ns[i]))
            end_ns = fmax(end_ns, at.L_ns + 1.25 * (found->tolerance_ns[i] - at.L_ns));
    }
    if (!(end_ns > at.L_ns))
        end_ns = 10 * at.L_ns + 1;
    enum ct_status status = ct_program_compile(graph, &plane, &program, err);
    if (status == CT_OK)
        status = ct_envelope_find(program, at.L_ns, end_ns, (unsigned)settings->answer.threads,
                                  &envelope, err);
    if (status == CT_OK)
        status = ct_latency_plot(title, &envelope, zones, settings->thresholds.n,
                                 settings->plot_path, err);
    ct_envelope_free(&envelope);
    ct_program_free(program);
    return status;
}

static enum ct_status report_findings(const struct settings *settings, const struct ct_graph *graph,
                                      const char *path, const struct findings *found,
                                      struct ct_error *err)
{
    struct ct_loggps at = ct_graph_parameters(&settings->graph, settings->L_s);
    struct ct_report *report =
        ct_graph_report(&command, settings, (enum ct_format)settings->answer.format, path, graph);
    if (!report)
        return ct_fail(err, CT_ENOMEM, "report: out of memory");
    fill_report(report, settings, found);
    enum ct_status status = CT_OK;
    if (settings->critical_path)
        status = ct_critical_path_report(report, graph, &at, err);
    if (status == CT_OK)
        status = ct_report_print(report, stdout, err);
    ct_report_free(report);
    return status;
}

static enum ct_status answer(const struct settings *settings, const char *path,
                             struct ct_error *err)
{
    struct ct_graph graph = {0};
    struct findings found = {0};
    enum ct_status status = ct_graph_load(path, &settings->graph, &graph, err);
    if (status == CT_OK && settings->solver == SOLVER_CLP)
        status = solve_by_clp(settings, &graph, &found, err);
    else if (status == CT_OK)
        status = solve_on_graph(settings, &graph, &found, err);
    if (status == CT_OK && settings->plot_path)
        status = draw(settings, &graph, path, &found, err);
    if (status == CT_OK)
        status = report_findings(settings, &graph, path, &found, err);
    ct_graph_free(&graph);
    return status;
}

int ct_cmd_tolerance(int argc, char **argv)
{
    struct settings settings = {.answer = ct_answer_defaults()};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = answer(&settings, args.operands[0], &err);
    return status == CT_OK ? 0 : ct_report_failure(command.name, &err);
}
