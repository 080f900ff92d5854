/* crosstalk tolerance --pairs: o, L and G differ from pair to pair of nodes. */
#include "cli/tolerance_pairs.h"

#include <math.h>
#include <stdlib.h>

/* What is computed on, and what comes of it. */
struct subject {
    const struct ct_tolerance_question *question;
    struct ct_pair_subject on;
    struct ct_pair_sensitivity found;
    struct ct_sensitivity added; /* around an added latency of 0 */
    double largest_ns[CT_THRESHOLDS_MAX];
    struct ct_pair_draws draws;
    size_t n_replicates; /* that intervals are of; 0: there are none */
    struct ct_interval runtime_s;
    struct ct_tolerance_interval tolerance[CT_THRESHOLDS_MAX];
};

enum ct_status ct_pair_open(const struct ct_tolerance_question *question,
                            struct ct_pair_subject *subject_p, struct ct_error *err)
{
    struct ct_parameters model = ct_parameters_none();
    struct ct_graph_settings settings = question->settings->graph;
    settings.peers = true;
    enum ct_status status =
        ct_pair_settings_read(&question->settings->machine, &subject_p->parameters, &model, err);
    if (status == CT_OK)
        status = ct_graph_load(question->command->name, question->input, &settings, &model,
                               &subject_p->graph, err);
    if (status == CT_OK &&
        (status = ct_pair_evaluator_new(&subject_p->graph, &subject_p->parameters.pairs,
                                        &subject_p->evaluator, err)) != CT_OK)
        ct_fail_within(err, status, "%s", question->settings->machine.pairs_path);
    return status;
}

void ct_pair_close(struct ct_pair_subject *subject)
{
    ct_pair_evaluator_free(subject->evaluator);
    ct_graph_free(&subject->graph);
    ct_pair_parameters_free(&subject->parameters);
}

void ct_pair_intervals_fill(const struct ct_tolerance_question *question,
                            const struct ct_pair_subject *subject,
                            const struct ct_pair_draws *draws, size_t n_replicates,
                            struct ct_tables *tables)
{
    const struct ct_loggps_replicates replicates = {
        .n = draws->n, .level = draws->level, .seed = draws->seed};
    if (draws->has_too_many_links)
        ct_tables_note(tables, "No intervals of T: %zu measured links, more than %d.",
                       subject->parameters.links.n, CT_PAIR_DRAWS_LINKS_MAX);
    else
        ct_replicates_fill(&replicates, question->settings->machine.pairs_path,
                           subject->graph.n_edges, n_replicates, tables);
}

void ct_pair_provenance(const struct ct_pair_subject *subject, struct ct_tables *tables)
{
    ct_tables_provenance(tables, "nodes", "%u, with %zu measured links between them or inside",
                         subject->parameters.pairs.n_places, subject->parameters.links.n);
}

static enum ct_status compute_tolerances(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_question *question = subject->question;
    const struct ct_thresholds *thresholds = &question->settings->thresholds;
    const unsigned threads = (unsigned)question->settings->answer.threads;
    double limits_ns[CT_THRESHOLDS_MAX];
    CT_TRY(ct_pair_open(question, &subject->on, err));
    CT_TRY(ct_pair_sensitivity_find(subject->on.evaluator, 0, &subject->found, err));
    const struct ct_evaluator *added = ct_pair_evaluator_added(subject->on.evaluator);
    for (size_t i = 0; i < thresholds->n; i++)
        limits_ns[i] = (1 + thresholds->frac[i]) * subject->found.runtime_ns;
    CT_TRY(ct_sensitivity_at(added, 0, threads, &subject->added, err));
    return ct_tolerance_find(added, 0, limits_ns, thresholds->n, threads, subject->largest_ns, err);
}

static enum ct_status find_intervals(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_question *question = subject->question;
    const struct ct_thresholds *thresholds = &question->settings->thresholds;
    CT_TRY(ct_pair_settings_draw(&question->settings->machine, &subject->on.parameters,
                                 &subject->draws, err));
    const struct ct_pair_replicates of = {&subject->on.graph, &subject->on.parameters,
                                          &subject->draws};
    const struct ct_replicates replicates = ct_replicates_of_pairs(&of);
    return ct_tolerance_intervals(
        &replicates, thresholds->frac, thresholds->n, (unsigned)question->settings->answer.threads,
        &subject->n_replicates, &subject->runtime_s, subject->tolerance, err);
}

/* ---- tables ---- */

static void fill_tolerance(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"delta_L_s", "latency added to every pair", CT_UNIT_SECONDS},
        {"delta_L_ci_s[]", CT_IF_KNOWN "from", CT_UNIT_SECONDS},
        {"delta_L_ci_s[]", CT_IF_KNOWN "to", CT_UNIT_SECONDS}};
    const struct ct_thresholds *thresholds = &subject->question->settings->thresholds;
    CT_TABLES_BEGIN(tables, "tolerance", "Latency tolerance", columns);
    for (size_t i = 0; i < thresholds->n; i++) {
        const struct ct_interval *interval = &subject->tolerance[i].delta_L_s;
        CT_CELL_NUMBERS(tables, thresholds->frac[i], subject->largest_ns[i] * 1e-9, interval->lo,
                        interval->hi);
    }
}

static double share_of(const struct subject *subject, const struct ct_pair_use *use)
{
    double T_ns = subject->found.runtime_ns;
    double L_ns = subject->on.parameters.pairs.classes[use->class].L_ns;
    return T_ns > 0 ? use->lambda.latencies * L_ns / T_ns : 0;
}

/* Most latencies first, then most bytes; then as they are numbered. */
static int by_lambda(const void *a, const void *b)
{
    const struct ct_pair_use *x = a, *y = b;
    if (x->lambda.latencies > y->lambda.latencies || x->lambda.latencies < y->lambda.latencies)
        return x->lambda.latencies > y->lambda.latencies ? -1 : 1;
    if (x->lambda.bytes > y->lambda.bytes || x->lambda.bytes < y->lambda.bytes)
        return x->lambda.bytes > y->lambda.bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void fill_pairs(struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"from", "from node", CT_UNIT_COUNT},
                                               {"to", "to node", CT_UNIT_COUNT},
                                               {"class", NULL, CT_UNIT_COUNT},
                                               {"L_s", "L", CT_UNIT_SECONDS},
                                               {"o_s", "o", CT_UNIT_SECONDS},
                                               {"G_s_per_byte", "G per byte", CT_UNIT_SECONDS},
                                               {"messages", "messages", CT_UNIT_COUNT},
                                               {"lambda_L", "lambda", CT_UNIT_NONE},
                                               {"rho_L", "share of T", CT_UNIT_FRACTION},
                                               {"lambda_G", "bytes on path", CT_UNIT_NONE}};
    struct ct_pair_sensitivity *found = &subject->found;
    bool has_paths = subject->on.parameters.has_paths;
    qsort(found->pairs, found->n_pairs, sizeof *found->pairs, by_lambda);
    CT_TABLES_BEGIN(tables, "pairs", "Pairs of nodes with the largest sensitivities", columns);
    for (size_t i = 0; i < found->n_pairs; i++) {
        const struct ct_pair_use *use = &found->pairs[i];
        const struct ct_loggps *of = &subject->on.parameters.pairs.classes[use->class];
        double path_class = subject->on.parameters.classes[use->class].path_class;
        if (!has_paths)
            path_class = NAN;
        CT_CELL_NUMBERS(tables, use->from, use->to, path_class, of->L_ns * 1e-9, of->o_ns * 1e-9,
                        of->G_ns_per_byte * 1e-9, (double)use->messages, use->lambda.latencies,
                        share_of(subject, use), use->lambda.bytes);
    }
}

static void answer_in_words(const struct subject *subject, double rho, struct ct_tables *tables)
{
    const struct ct_thresholds *thresholds = &subject->question->settings->thresholds;
    double added_s[CT_THRESHOLDS_MAX];
    char share[CT_UNITS_TEXT_MAX];
    for (size_t i = 0; i < thresholds->n; i++)
        added_s[i] = subject->largest_ns[i] * 1e-9;
    ct_thresholds_answer(thresholds, "every pair of nodes", added_s, tables);
    ct_format_share(rho, share);
    ct_tables_answer(tables, "Latency between nodes is %s of the run time.", share);
}

static void fill_tables(struct subject *subject, struct ct_tables *tables)
{
    const struct ct_pair_sensitivity *found = &subject->found;
    double rho = 0;
    for (size_t i = 0; i < found->n_pairs; i++)
        if (found->pairs[i].from != found->pairs[i].to)
            rho += share_of(subject, &found->pairs[i]);
    bool has_inside = subject->question->settings->machine.wires.ranks_per_node > 1;
    const struct ct_value rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, found->runtime_ns * 1e-9},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T from", CT_UNIT_SECONDS}, subject->runtime_s.lo},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T to", CT_UNIT_SECONDS}, subject->runtime_s.hi},
        {{"lambda_L", "lambda_L, latencies between nodes on the critical path", CT_UNIT_NONE},
         found->between.latencies},
        {{"rho_L", "rho_L, their share of T", CT_UNIT_FRACTION}, rho},
        {{"lambda_inside", has_inside ? "latencies inside nodes on it" : NULL, CT_UNIT_NONE},
         found->inside.latencies},
        {{"delta_range_s[]", "lambda_L holds from an added latency of", CT_UNIT_SECONDS},
         subject->added.lo * 1e-9},
        {{"delta_range_s[]", "to", CT_UNIT_SECONDS}, subject->added.hi * 1e-9},
        {{"lambda_G", "lambda_G, bytes between nodes on the critical path", CT_UNIT_NONE},
         found->between.bytes}};
    CT_TABLES_NUMBERS(tables, rows);
    fill_tolerance(subject, tables);
    answer_in_words(subject, rho, tables);
    if (subject->on.parameters.has_paths)
        ct_pair_classes_fill(&subject->on.parameters, found->classes, found->runtime_ns * 1e-9,
                             tables);
    fill_pairs(subject, tables);
}

static enum ct_status print_tables(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_question *question = subject->question;
    struct ct_tables *tables = ct_tolerance_tables(question, &subject->on.graph);
    ct_pair_provenance(&subject->on, tables);
    ct_pair_intervals_fill(question, &subject->on, &subject->draws, subject->n_replicates, tables);
    fill_tables(subject, tables);
    return ct_tables_finish(tables, err);
}

enum ct_status ct_pairs_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    struct subject subject = {.question = question};
    enum ct_status status = compute_tolerances(&subject, err);
    if (status == CT_OK)
        status = find_intervals(&subject, err);
    if (status == CT_OK)
        status = print_tables(&subject, err);
    ct_pair_sensitivity_free(&subject.found);
    ct_pair_draws_free(&subject.draws);
    ct_pair_close(&subject.on);
    return status;
}
