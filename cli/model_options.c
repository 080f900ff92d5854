#include "cli/model_options.h"

#include <math.h>
#include <string.h>

#define MEASURED_ROWS                                                                              \
    CT_MODEL_ROW_O(struct ct_model_settings, o, "; required without --logp"),                      \
        CT_MODEL_ROW_G(struct ct_model_settings, G, "; required without --logp"),                  \
        CT_MODEL_ROW_S(struct ct_model_settings, S,                                                \
                       ": they wait until the receive is posted (default: 256KiB, or with --logp " \
                       "the size above which sends wait for a handshake)"),                        \
        CT_MODEL_ROW_LOGP(struct ct_model_settings, logp_path,                                     \
                          "run of logpb to take L, o by message size, G and S from; a value that " \
                          "is given by its option is taken instead of the measured one")

const struct ct_option ct_model_options[] = {
    MEASURED_ROWS, CT_MODEL_ROW_PARAMETERS(struct ct_model_settings, posterior_path, ""), {0}};

const struct ct_option ct_measured_model_options[] = {MEASURED_ROWS, {0}};

/* ---- given ---- */

enum ct_status ct_g_parse(const char *text, void *field, struct ct_error *err)
{
    struct ct_g_asked g = {.is_measured = !strcmp(text, "measured")};
    struct ct_error why;
    if (!g.is_measured && ct_parse_duration(text, &g.s, &why) != CT_OK)
        return ct_fail(err, CT_EUSAGE, "%s; or 'measured': that of --logp", why.text);
    if (g.s > CT_MODEL_MAX_S)
        return ct_fail(err, CT_EUSAGE, "'%s': more than %g s", text, CT_MODEL_MAX_S);
    *(struct ct_g_asked *)field = g;
    return CT_OK;
}

static enum ct_status parse_duration(const char *name, const char *text, double *value_p,
                                     struct ct_error *err)
{
    const bool is_gap = !strcmp(name, "G");
    struct ct_error why;
    if (!text)
        return CT_OK;
    if ((is_gap ? ct_parse_gap : ct_parse_duration)(text, value_p, &why) != CT_OK)
        return ct_fail(err, CT_EUSAGE, "--%s: %s", name, why.text);
    if (*value_p > CT_MODEL_MAX_S) {
        char most[CT_UNITS_TEXT_MAX];
        ct_format_duration(CT_MODEL_MAX_S, most);
        return ct_fail(err, CT_EUSAGE, "--%s: '%s': more than %s", name, text, most);
    }
    return CT_OK;
}

enum ct_status ct_model_given(const struct ct_model_settings *settings,
                              struct ct_parameters_given *given_p, struct ct_error *err)
{
    struct ct_parameters_given given = {.L_s = NAN,
                                        .o_s = NAN,
                                        .G_s_per_byte = NAN,
                                        .g = settings->g,
                                        .posterior_path = settings->posterior_path,
                                        .logp_path = settings->logp_path};
    struct ct_error why;
    CT_TRY(parse_duration("L", settings->L, &given.L_s, err));
    CT_TRY(parse_duration("o", settings->o, &given.o_s, err));
    CT_TRY(parse_duration("G", settings->G, &given.G_s_per_byte, err));
    if (settings->S) {
        given.has_S = true;
        if (ct_parse_size(settings->S, &given.S_bytes, &why) != CT_OK)
            return ct_fail(err, CT_EUSAGE, "--S: %s", why.text);
    }
    *given_p = given;
    return CT_OK;
}

enum ct_status ct_model_demand_G(const struct ct_model_settings *settings, struct ct_error *err)
{
    double G_s_per_byte = NAN;
    CT_TRY(parse_duration("G", settings->G, &G_s_per_byte, err));
    if (G_s_per_byte == 0)
        return ct_fail(err, CT_EUSAGE,
                       "--G: '%s': a network is simulated at its rate: give more than 0s, such "
                       "as 0.08ns for 100 Gbit/s",
                       settings->G);
    return CT_OK;
}

enum ct_status ct_model_parameters(const struct ct_model_settings *settings, bool needs_L,
                                   struct ct_parameters *parameters_p, struct ct_error *err)
{
    struct ct_parameters_given given;
    CT_TRY(ct_model_given(settings, &given, err));
    return ct_parameters_make(&given, needs_L, parameters_p, err);
}

enum ct_status ct_model_replicates(const struct ct_model_settings *settings,
                                   struct ct_parameters *model, struct ct_error *err)
{
    if (settings->logp_path && ct_parameters_is_measured(model))
        CT_TRY(ct_parameters_resample(settings->logp_path, model, err));
    return ct_parameters_draw(model, err);
}

/* ---- the table ---- */

static const struct ct_interval no_interval = {NAN, NAN};

/* Six digits, of which no more are measured. */
static void show_duration(double value_s, char *text, size_t size)
{
    static const struct {
        double s;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && value_s < units[i].s)
        i++;
    snprintf(text, size, "%.6g%s", value_s / units[i].s, units[i].name);
}

static void add_row(struct ct_tables *tables, const char *name, const char *shown, double value,
                    struct ct_interval ci, const char *origin)
{
    ct_tables_cell_text(tables, name);
    ct_tables_cell_text(tables, shown);
    CT_CELL_NUMBERS(tables, value, ci.lo, ci.hi);
    ct_tables_cell_text(tables, origin);
}

static void add_duration(struct ct_tables *tables, const char *name, double value_s,
                         const char *origin)
{
    char shown[CT_UNITS_TEXT_MAX];
    show_duration(value_s, shown, sizeof shown);
    add_row(tables, name, shown, value_s, no_interval, origin);
}

/* With the interval of a measured value, where there are replicates. */
static void add_measured(struct ct_tables *tables, const char *name, double value_s,
                         struct ct_interval ci, const char *origin)
{
    char shown[CT_UNITS_TEXT_MAX], from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], all[128];
    show_duration(value_s, shown, sizeof shown);
    show_duration(ci.lo, from, sizeof from);
    show_duration(ci.hi, to, sizeof to);
    snprintf(all, sizeof all, isnan(ci.lo) ? "%s" : "%s, %s to %s", shown, from, to);
    add_row(tables, name, all, value_s, ci, origin);
}

static void add_overheads(const struct ct_parameters *model, struct ct_tables *tables)
{
    const struct ct_overheads *overheads = ct_parameters_overheads(model);
    if (!overheads) {
        add_duration(tables, "o", model->o_s, model->o_origin);
        return;
    }
    for (size_t side = 0; side < 2; side++) {
        const struct ct_overhead *first = &overheads->sizes[0], *last = first + overheads->n - 1;
        char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], shown[128];
        show_duration(side == 0 ? first->send_s : first->recv_s, from, sizeof from);
        show_duration(side == 0 ? last->send_s : last->recv_s, to, sizeof to);
        snprintf(shown, sizeof shown, "%s (%lluB) to %s (%lluB)", from,
                 (unsigned long long)first->bytes, to, (unsigned long long)last->bytes);
        add_row(tables, side == 0 ? "o_send" : "o_recv", shown, NAN, no_interval, model->o_origin);
    }
}

static void add_overhead_table(const struct ct_overheads *overheads, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"bytes", "size", CT_UNIT_BYTES},
                                               {"send_s", "o_send", CT_UNIT_SECONDS},
                                               {"recv_s", "o_recv", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "overheads", "Overheads by message size", columns);
    for (size_t i = 0; i < overheads->n; i++) {
        CT_CELL_NUMBERS(tables, (double)overheads->sizes[i].bytes, overheads->sizes[i].send_s,
                        overheads->sizes[i].recv_s);
    }
}

void ct_parameters_fill(const struct ct_parameters *model, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"parameter", "parameter", CT_UNIT_NONE},
                                               {"shown", "value", CT_UNIT_NONE},
                                               {"value", NULL, CT_UNIT_NONE},
                                               {"ci[]", NULL, CT_UNIT_NONE},
                                               {"ci[]", NULL, CT_UNIT_NONE},
                                               {"origin", "from", CT_UNIT_NONE}};
    const struct ct_loggps_model *measured = &model->measured;
    char S_shown[CT_UNITS_TEXT_MAX];
    ct_tables_detail(tables, true);
    CT_TABLES_BEGIN(tables, "parameters{}", "Parameters (LogGPS)", columns);
    if (!isnan(model->L_s))
        add_measured(tables, "L", model->L_s, ct_parameters_L_interval(model), model->L_origin);
    add_overheads(model, tables);
    add_measured(tables, "G", model->G_s_per_byte, ct_parameters_G_interval(model),
                 model->G_origin);
    ct_format_size(model->S_bytes, S_shown);
    add_row(tables, "S", S_shown, (double)model->S_bytes, no_interval, model->S_origin);
    if (ct_parameters_overheads(model))
        add_overhead_table(&measured->overheads, tables);
    if (measured->overheads.n > 0 && !isnan(measured->misfit_max_frac))
        ct_tables_note(tables,
                       "as measured, the model is off the time of a message by %.3g %% (median of "
                       "the sizes), at most %.3g %% (%llu B)",
                       100 * measured->misfit_median_frac, 100 * measured->misfit_max_frac,
                       (unsigned long long)measured->misfit_max_bytes);
    ct_tables_detail(tables, false);
}

void ct_replicates_fill(const struct ct_loggps_replicates *replicates, const char *logp_path,
                        size_t n_edges, size_t n_replicates, struct ct_tables *tables)
{
    if (n_replicates > 0)
        ct_tables_provenance(tables, "intervals",
                             "%g %%, what %s leaves open: %zu replicates of its repetitions, seed "
                             "%llu",
                             100 * replicates->level, logp_path, n_replicates,
                             (unsigned long long)replicates->seed);
    else if (replicates->n > 0)
        ct_tables_note(tables, "No intervals of T and tolerances: a schedule of %zu dependencies.",
                       n_edges);
    else
        ct_tables_note(tables,
                       "No intervals of L, G, T and tolerances: the repetitions that they come "
                       "from are not in %s.",
                       logp_path);
}

void ct_intervals_fill(const struct ct_parameters *model, const struct ct_model_settings *settings,
                       size_t n_edges, size_t n_replicates, struct ct_tables *tables)
{
    bool is_measured = settings->logp_path && ct_parameters_is_measured(model);
    if (!model->posterior || n_replicates == 0) {
        if (is_measured || model->posterior)
            ct_replicates_fill(&model->replicates, settings->logp_path, n_edges, n_replicates,
                               tables);
        return;
    }
    ct_tables_provenance(tables, "intervals", "%g %%, what %s%s%s leaves open: %zu draws",
                         100 * model->replicates.level, settings->posterior_path,
                         is_measured ? " and " : "", is_measured ? settings->logp_path : "",
                         n_replicates);
    ct_tables_note(tables, "Intervals are what parameters contribute: one run was traced, and the "
                           "scatter of runs is not in them.");
}
