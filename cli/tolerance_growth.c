/* crosstalk tolerance --along o, or of several parameters in a ratio: by which factor they may
 * grow. */
#include "cli/tolerance.h"
#include "core/units.h"
#include "lp-bridge/envelope/envelope.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OF_L, OF_O, OF_G, PARAMETERS };
static const char *const names[PARAMETERS] = {"L", "o", "G"};
static const double s_per_ns = 1e-9, ns_per_s = 1e9;

/* ---- the option ---- */

static enum ct_status parse_growing(const char *text, size_t length, double *weights,
                                    struct ct_error *err)
{
    char *end = NULL;
    for (size_t p = 0; p < PARAMETERS; p++) {
        if (text[0] != *names[p] || weights[p] > 0)
            continue;
        weights[p] = 1;
        if (length == 1)
            return CT_OK;
        weights[p] = text[1] == '=' ? strtod(text + 2, &end) : 0;
        if (weights[p] > 0 && weights[p] <= 1e6 && end == text + length)
            return CT_OK;
    }
    return ct_fail(err, CT_EUSAGE,
                   "'%.*s': L, o or G, each at most once, with a weight above 0 if they do not "
                   "grow alike, as in L,G=2",
                   (int)length, text);
}

enum ct_status ct_along_parse(const char *text, void *field, struct ct_error *err)
{
    double weights[PARAMETERS] = {0};
    for (const char *rest = text;;) {
        size_t length = strcspn(rest, ",");
        CT_TRY(parse_growing(rest, length, weights, err));
        if (rest[length] == '\0')
            break;
        rest += length + 1;
    }
    double most = fmax(fmax(weights[OF_L], weights[OF_O]), weights[OF_G]);
    const struct ct_growth growth = {weights[OF_L] / most, weights[OF_O] / most,
                                     weights[OF_G] / most};
    enum ct_tolerance_axis axis = CT_ALONG_FACTOR;
    if (growth.o == 0 && growth.G == 0)
        axis = CT_ALONG_L;
    else if (growth.o == 0 && growth.L == 0)
        axis = CT_ALONG_G;
    *(struct ct_along *)field = (struct ct_along){axis, growth};
    return CT_OK;
}

/* ---- computing ---- */

struct subject {
    const struct ct_tolerance_question *question;
    const struct ct_thresholds *thresholds;
    struct ct_growth growth;
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_loggps at;
    struct ct_sensitivity here;        /* at factor 1 */
    double largest[CT_THRESHOLDS_MAX]; /* factors; INFINITY: unbounded */
    size_t n_replicates;
    struct ct_interval runtime_s;
    struct ct_tolerance_interval intervals[CT_THRESHOLDS_MAX]; /* of factors, times s_per_ns */
    struct ct_envelope pieces; /* up to the largest finite factor; n = 0: there is none */
};

static enum ct_status find_pieces(struct subject *subject, const struct ct_evaluator *evaluator,
                                  unsigned threads, struct ct_error *err)
{
    double last = 1;
    for (size_t i = 0; i < subject->thresholds->n; i++)
        if (isfinite(subject->largest[i]))
            last = subject->largest[i];
    return last > 1 ? ct_envelope_find(evaluator, 1, last, threads, &subject->pieces, err) : CT_OK;
}

static enum ct_status find_tolerances(struct subject *subject, unsigned threads,
                                      struct ct_error *err)
{
    const struct ct_plane plane = ct_plane_of_growth(subject->at, subject->growth);
    struct ct_evaluator *evaluator;
    CT_TRY(ct_evaluator_compile(&subject->graph, &plane, &evaluator, err));
    enum ct_status status =
        ct_sensitivity_with(evaluator, 1, subject->thresholds->frac, subject->thresholds->n,
                            threads, &subject->here, subject->largest, err);
    if (status == CT_OK)
        status = find_pieces(subject, evaluator, threads, err);
    ct_evaluator_free(evaluator);
    return status;
}

static bool has_sizes(const struct subject *subject)
{
    return subject->graph.overheads.n > 0;
}

/* A factor of nothing says nothing. */
static enum ct_status check_growing(const struct subject *subject, struct ct_error *err)
{
    const struct ct_growth *growth = &subject->growth;
    if (growth->L * subject->at.L_ns > 0 || growth->G * subject->at.G_ns_per_byte > 0 ||
        (growth->o > 0 && (has_sizes(subject) || subject->at.o_ns > 0)))
        return CT_OK;
    return ct_fail(err, CT_EINVAL, "--along: what grows by a factor is 0; give more than 0");
}

static enum ct_status compute_subject(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    const unsigned threads = (unsigned)settings->answer.threads;
    CT_TRY(ct_tolerance_load(subject->question, &subject->model, &subject->graph, err));
    subject->at = ct_parameters_at(&subject->model, subject->model.L_s);
    CT_TRY(check_growing(subject, err));
    CT_TRY(find_tolerances(subject, threads, err));
    const struct ct_model_replicates of = {
        .graph = &subject->graph, .model = &subject->model, .growth = subject->growth};
    const struct ct_replicates replicates = ct_replicates_of_growth(&of);
    return ct_tolerance_intervals(&replicates, subject->thresholds->frac, subject->thresholds->n,
                                  threads, &subject->n_replicates, &subject->runtime_s,
                                  subject->intervals, err);
}

/* ---- printing ---- */

static double share_of(const struct subject *subject)
{
    double runtime_ns = subject->here.runtime_ns;
    return runtime_ns > 0 ? subject->here.line.slope / runtime_ns : 0;
}

/* A parameter at a factor, seconds; NAN where it does not grow, or is by size. */
static double grown_s(const struct subject *subject, int parameter, double factor)
{
    const double weights[] = {subject->growth.L, subject->growth.o, subject->growth.G},
                 at_ns[] = {subject->at.L_ns, subject->at.o_ns, subject->at.G_ns_per_byte};
    if (weights[parameter] == 0 || (parameter == OF_O && has_sizes(subject)) ||
        (parameter == OF_G && subject->graph.gaps.n > 0))
        return NAN;
    return (1 + weights[parameter] * (factor - 1)) * at_ns[parameter] * s_per_ns;
}

static void fill_findings(const struct subject *subject, struct ct_tables *tables)
{
    const struct ct_value rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, subject->here.runtime_ns * s_per_ns},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T from", CT_UNIT_SECONDS}, subject->runtime_s.lo},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T to", CT_UNIT_SECONDS}, subject->runtime_s.hi},
        {{"slope_s", NULL, CT_UNIT_SECONDS}, subject->here.line.slope * s_per_ns},
        {{"share", "share of T that grows by the factor", CT_UNIT_FRACTION}, share_of(subject)},
    };
    CT_TABLES_NUMBERS(tables, rows);
}

static void fill_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"factor", NULL, CT_UNIT_NONE},
        {"growth", "growth", CT_UNIT_FRACTION},
        {"growth_ci[]", CT_IF_KNOWN "from", CT_UNIT_FRACTION},
        {"growth_ci[]", CT_IF_KNOWN "to", CT_UNIT_FRACTION},
        {"L_s", CT_IF_KNOWN "L", CT_UNIT_SECONDS},
        {"o_s", CT_IF_KNOWN "o", CT_UNIT_SECONDS},
        {"G_s_per_byte", NULL, CT_UNIT_SECONDS},
        {"bandwidth_bytes_per_s", CT_IF_KNOWN "1/G", CT_UNIT_BYTES_PER_S}};
    CT_TABLES_BEGIN(tables, "tolerance", "Tolerance of what grows", columns);
    for (size_t i = 0; i < subject->thresholds->n; i++) {
        double factor = subject->largest[i];
        CT_CELL_NUMBERS(tables, subject->thresholds->frac[i], factor, factor - 1,
                        subject->intervals[i].delta_L_s.lo * ns_per_s,
                        subject->intervals[i].delta_L_s.hi * ns_per_s,
                        grown_s(subject, OF_L, factor), grown_s(subject, OF_O, factor),
                        grown_s(subject, OF_G, factor), 1 / grown_s(subject, OF_G, factor));
    }
}

static void fill_pieces(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"factor_from", "factor from", CT_UNIT_NONE},
                                               {"factor_to", "to", CT_UNIT_NONE},
                                               {"slope_s", "T for a factor", CT_UNIT_SECONDS},
                                               {"runtime_s", "T at from", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "pieces", "Pieces of T", columns);
    for (size_t i = 0; i < subject->pieces.n; i++) {
        const struct ct_segment *piece = &subject->pieces.segments[i];
        CT_CELL_NUMBERS(tables, piece->lo, piece->hi, piece->line.slope * s_per_ns,
                        ct_line_at(piece->line, piece->lo) * s_per_ns);
    }
}

/* "overheads (o)", "latency (L) and, by 0.5 of that share, time of a byte (G)". */
static void describe_growing(const struct subject *subject, char *text, size_t size)
{
    static const char *const words[PARAMETERS] = {"latency L", "overheads o",
                                                  "the time of a byte G"};
    const double weights[] = {subject->growth.L, subject->growth.o, subject->growth.G};
    *text = '\0';
    for (int most = 1; most >= 0; most--)
        for (size_t p = 0; p < PARAMETERS; p++) {
            size_t used = strlen(text);
            if (weights[p] == 0 || (weights[p] == 1) != most)
                continue;
            snprintf(text + used, size - used, "%s%s", used ? " and " : "", words[p]);
            if (!most)
                snprintf(text + strlen(text), size - strlen(text), " (by %.3g of that)",
                         weights[p]);
        }
}

static void answer_in_words(const struct subject *subject, struct ct_tables *tables)
{
    char text[500] = "", growing[200], share[CT_UNITS_TEXT_MAX], longer[CT_UNITS_TEXT_MAX];
    const struct ct_thresholds *thresholds = subject->thresholds;
    describe_growing(subject, growing, sizeof growing);
    *growing = growing[0] == 'o' ? 'O' : growing[0] == 'l' ? 'L' : 'T';
    for (size_t i = 0; i < thresholds->n && isfinite(subject->largest[i]); i++) {
        ct_format_share(subject->largest[i] - 1, share);
        ct_thresholds_append(thresholds, i, share, text, sizeof text);
    }
    ct_format_share(thresholds->frac[0], longer);
    if (*text)
        ct_tables_answer(tables, "%s may grow by: %s.", growing, text);
    else
        ct_tables_answer(tables, "%s: no growth makes the program %s longer.", growing, longer);
    ct_format_share(share_of(subject), share);
    ct_tables_answer(tables, "That is %s of the run time.", share);
    if (subject->growth.o > 0 && has_sizes(subject))
        ct_tables_answer(tables, "Overheads are by message size: the factor is on all of them.");
}

static enum ct_status print_findings(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    struct ct_tables *tables = ct_tolerance_tables(subject->question, &subject->graph);
    ct_intervals_fill(&subject->model, &settings->machine.model, subject->graph.n_edges,
                      subject->n_replicates, tables);
    fill_findings(subject, tables);
    fill_tolerances(subject, tables);
    ct_tables_detail(tables, true);
    fill_pieces(subject, tables);
    ct_tables_detail(tables, false);
    answer_in_words(subject, tables);
    ct_gaps_fill(&settings->graph, &subject->model, tables);
    ct_parameters_fill(&subject->model, tables);
    return ct_tables_finish(tables, err);
}

enum ct_status ct_growth_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    struct subject subject = {.question = question,
                              .thresholds = &question->settings->thresholds,
                              .growth = question->settings->along.growth};
    enum ct_status status = compute_subject(&subject, err);
    if (status == CT_OK)
        status = print_findings(&subject, err);
    ct_envelope_free(&subject.pieces);
    ct_graph_free(&subject.graph);
    ct_parameters_free(&subject.model);
    return status;
}
