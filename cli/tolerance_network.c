/* crosstalk tolerance --to NETWORK: run time and tolerance on another network, and what each of its
 * parameters contributes. */
#include "cli/tolerance_once.h"
#include "core/units.h"
#include "topology/machine.h"

#include <math.h>
#include <unistd.h>

static const double s_per_ns = 1e-9;

enum parameter { OF_L, OF_O, OF_G, PARAMETERS };
enum network { HERE, THERE, NETWORKS };

struct subject {
    const struct ct_tolerance_question *question;
    const struct ct_thresholds *thresholds;
    struct ct_tolerance_once sides[NETWORKS];
    double alone_ns[PARAMETERS]; /* T here with one parameter of the other network */
};

/* ---- computing ---- */

/* A machine of the table, of two hosts on one switch, as options give them, or a run of logpb; S is
 * the one that was given. */
static enum ct_status take_network(const char *option, const char *name, const char *S,
                                   struct ct_parameters *model_p, struct ct_error *err)
{
    const struct ct_machine *machine;
    struct ct_error no_machine;
    char L[CT_UNITS_TEXT_MAX], o[CT_UNITS_TEXT_MAX], G[CT_UNITS_TEXT_MAX];
    if (ct_machine_find(name, &machine, &no_machine) != CT_OK) {
        const struct ct_model_settings measured = {.S = S, .logp_path = name};
        if (access(name, F_OK) != 0)
            return ct_fail(err, CT_EUSAGE, "--%s: %s; nor is it a file of logpb", option,
                           no_machine.text);
        return ct_model_parameters(&measured, true, model_p, err);
    }
    snprintf(L, sizeof L, "%.6gns", machine->leaf_s / s_per_ns);
    snprintf(o, sizeof o, "%.6gns", machine->o_s / s_per_ns);
    snprintf(G, sizeof G, "%.6gns", machine->G_s / s_per_ns);
    const struct ct_model_settings values = {.L = L, .o = o, .G = G, .S = S};
    return ct_model_parameters(&values, true, model_p, err);
}

/* T with each parameter of the other network alone; its overhead is in the other graph. */
static enum ct_status change_each(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_once *here = &subject->sides[HERE], *there = &subject->sides[THERE];
    struct ct_loggps changed[PARAMETERS] = {here->at, here->at, here->at};
    changed[OF_L].L_ns = there->at.L_ns;
    changed[OF_O].o_ns = there->at.o_ns;
    changed[OF_G].G_ns_per_byte = there->at.G_ns_per_byte;
    for (size_t i = 0; i < PARAMETERS; i++)
        CT_TRY(
            ct_tolerance_once_at(i == OF_O ? there : here, changed[i], &subject->alone_ns[i], err));
    return CT_OK;
}

static enum ct_status compute_subject(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    const struct ct_model_settings *given = &settings->machine.model;
    struct ct_tolerance_once *here = &subject->sides[HERE], *there = &subject->sides[THERE];
    CT_TRY(settings->from ? take_network("from", settings->from, given->S, &here->model, err)
                          : ct_model_parameters(given, true, &here->model, err));
    CT_TRY(take_network("to", settings->to, given->S, &there->model, err));
    CT_TRY(ct_tolerance_once_solve(subject->question, here, err));
    CT_TRY(ct_tolerance_once_solve(subject->question, there, err));
    return change_each(subject, err);
}

/* ---- printing ---- */

static double change_frac(const struct subject *subject, double runtime_ns)
{
    double here_ns = subject->sides[HERE].runtime_ns;
    return here_ns > 0 ? runtime_ns / here_ns - 1 : 0;
}

static const char *here_name(const struct ct_tolerance_settings *settings)
{
    return settings->from ? settings->from : "here";
}

/* "131 us", "0.3 GB/s", or "by size" for overheads that logpb measured. */
static void format_parameter(const struct ct_tolerance_once *side, enum parameter parameter,
                             char text[CT_UNITS_TEXT_MAX])
{
    if (parameter == OF_G)
        snprintf(text, CT_UNITS_TEXT_MAX, "%.3g GB/s", 1 / side->at.G_ns_per_byte);
    else if (parameter == OF_O && side->graph.overheads.n > 0)
        snprintf(text, CT_UNITS_TEXT_MAX, "by size");
    else
        ct_format_words((parameter == OF_L ? side->at.L_ns : side->at.o_ns) * s_per_ns, 3, text);
}

static double value_of(const struct ct_tolerance_once *side, enum parameter parameter)
{
    if (parameter == OF_O && side->graph.overheads.n > 0)
        return NAN;
    return (parameter == OF_L   ? side->at.L_ns
            : parameter == OF_O ? side->at.o_ns
                                : side->at.G_ns_per_byte) *
           s_per_ns;
}

static void fill_parameters(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"parameter", "parameter", CT_UNIT_NONE},
        {"from", "from", CT_UNIT_NONE},
        {"to", "to", CT_UNIT_NONE},
        {"from_s", NULL, CT_UNIT_SECONDS},
        {"to_s", NULL, CT_UNIT_SECONDS},
        {"runtime_s", "T with it alone", CT_UNIT_SECONDS},
        {"change", "change", CT_UNIT_FRACTION},
    };
    static const char *const names[PARAMETERS] = {"L", "o", "1/G"};
    CT_TABLES_BEGIN(tables, "parameters_changed", "What each parameter changes", columns);
    for (enum parameter i = OF_L; i < PARAMETERS; i++) {
        char text[CT_UNITS_TEXT_MAX];
        ct_tables_cell_text(tables, names[i]);
        for (size_t k = 0; k < NETWORKS; k++) {
            format_parameter(&subject->sides[k], i, text);
            ct_tables_cell_text(tables, text);
        }
        for (size_t k = 0; k < NETWORKS; k++)
            ct_tables_cell_number(tables, value_of(&subject->sides[k], i));
        CT_CELL_NUMBERS(tables, subject->alone_ns[i] * s_per_ns,
                        change_frac(subject, subject->alone_ns[i]));
    }
}

static void fill_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"delta_L_from_s", "added latency, from", CT_UNIT_SECONDS},
        {"delta_L_to_s", "to", CT_UNIT_SECONDS},
    };
    CT_TABLES_BEGIN(tables, "tolerance", "Latency tolerance on both", columns);
    for (size_t i = 0; i < subject->thresholds->n; i++) {
        ct_tables_cell_number(tables, subject->thresholds->frac[i]);
        for (size_t k = 0; k < NETWORKS; k++)
            ct_tables_cell_number(tables, subject->sides[k].tolerance_ns[i] * s_per_ns);
    }
}

static void answer_in_words(const struct subject *subject, struct ct_tables *tables)
{
    static const char *const names[PARAMETERS] = {"latency", "overhead", "bandwidth"};
    const struct ct_tolerance_settings *settings = subject->question->settings;
    char here[CT_UNITS_TEXT_MAX], there[CT_UNITS_TEXT_MAX], change[CT_UNITS_TEXT_MAX];
    double change_of_all = change_frac(subject, subject->sides[THERE].runtime_ns);
    size_t most = OF_L;
    for (size_t i = 0; i < PARAMETERS; i++)
        if (fabs(change_frac(subject, subject->alone_ns[i])) >
            fabs(change_frac(subject, subject->alone_ns[most])))
            most = i;
    ct_format_words(subject->sides[HERE].runtime_ns * s_per_ns, 4, here);
    ct_format_words(subject->sides[THERE].runtime_ns * s_per_ns, 4, there);
    ct_format_share(fabs(change_of_all), change);
    if (fabs(change_of_all) < 0.001) {
        ct_tables_answer(tables, "On %s T is what it is %s%s, %s: its network decides nothing.",
                         settings->to, settings->from ? "on " : "", here_name(settings), here);
        return;
    }
    ct_tables_answer(tables, "On %s T is %s in place of %s: %s %s.", settings->to, there, here,
                     change, change_of_all < 0 ? "less" : "more");
    ct_format_share(fabs(change_frac(subject, subject->alone_ns[most])), change);
    ct_tables_answer(tables,
                     "Most of it is by %s: with it alone %s. Times of computing do not change.",
                     names[most], change);
}

static enum ct_status print_findings(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    const struct ct_tolerance_once *here = &subject->sides[HERE], *there = &subject->sides[THERE];
    struct ct_tables *tables = ct_tolerance_tables(subject->question, &here->graph);
    CT_TABLES_TEXT(tables, "from", "from", here_name(settings));
    CT_TABLES_TEXT(tables, "to", "to", settings->to);
    CT_TABLES_NUMBER(tables, "runtime_from_s", "T from", SECONDS, here->runtime_ns * s_per_ns);
    CT_TABLES_NUMBER(tables, "runtime_to_s", "T to", SECONDS, there->runtime_ns * s_per_ns);
    CT_TABLES_NUMBER(tables, "change", "change", FRACTION, change_frac(subject, there->runtime_ns));
    fill_parameters(subject, tables);
    fill_tolerances(subject, tables);
    answer_in_words(subject, tables);
    return ct_tables_finish(tables, err);
}

enum ct_status ct_network_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    struct subject subject = {.question = question, .thresholds = &question->settings->thresholds};
    enum ct_status status = compute_subject(&subject, err);
    if (status == CT_OK)
        status = print_findings(&subject, err);
    for (size_t i = 0; i < NETWORKS; i++)
        ct_tolerance_once_free(&subject.sides[i]);
    return status;
}
