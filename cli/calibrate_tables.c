#include "cli/calibrate_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

static const struct ct_column parameter_columns[] = {
    {"name", "parameter", CT_UNIT_NONE},
    {"unit", NULL, CT_UNIT_NONE},
    {"most_likely", NULL, CT_UNIT_NONE},
    {"mean", NULL, CT_UNIT_NONE},
    {"ci[]", NULL, CT_UNIT_NONE},
    {"ci[]", NULL, CT_UNIT_NONE},
    {"shown.prior", "prior", CT_UNIT_NONE},
    {"shown.most_likely", "most likely", CT_UNIT_NONE},
    {"shown.mean", "mean", CT_UNIT_NONE},
    {"shown.ci", "interval", CT_UNIT_NONE},
    {"width", "of prior", CT_UNIT_FRACTION},
    {"sobol_total", "largest index", CT_UNIT_NONE},
    {"sobol_total_of", "of", CT_UNIT_NONE},
    {"r_hat", "R-hat", CT_UNIT_NONE},
    {"effective_samples", "eff. samples", CT_UNIT_COUNT}};

/* A value with four significant digits and its unit. */
static void format_value(size_t key, double value, char text[CT_STACK_VALUE_MAX])
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.3e", value);
    ct_stack_key_format(key, strtod(digits, NULL), text);
}

/* Length of the interval as a share of that of the prior, both of the coordinate in which the prior
 * is uniform, at the same level: 1 where the data say nothing. */
static double width_of(const struct ct_prior *prior, struct ct_interval interval, double level)
{
    return (ct_prior_coordinate(prior, interval.hi) - ct_prior_coordinate(prior, interval.lo)) / 2 /
           level;
}

/* The output that a parameter matters most for. */
static size_t find_largest(const struct ct_surrogate *surrogate, size_t parameter, double *total_p)
{
    double first[CT_STACK_KEYS], total[CT_STACK_KEYS];
    size_t at = 0;
    *total_p = NAN;
    for (size_t i = 0; i < ct_surrogate_n_outputs(surrogate); i++) {
        ct_surrogate_indices(surrogate, i, first, total);
        if (total[parameter] > *total_p || (isnan(*total_p) && !isnan(total[parameter]))) {
            *total_p = total[parameter];
            at = i;
        }
    }
    return at;
}

static void add_parameter(const struct ct_calibration_request *request,
                          const struct ct_calibration_answer *answer, size_t i,
                          struct ct_tables *tables)
{
    const struct ct_parameter *parameter = &request->unknowns->parameters[i];
    const struct ct_posterior_parameter *found = &answer->posterior->parameters[i];
    size_t key = request->unknowns->keys[i];
    char text[CT_PRIOR_TEXT_MAX], lo[CT_STACK_VALUE_MAX], hi[CT_STACK_VALUE_MAX];
    double total;
    ct_tables_cell_text(tables, parameter->name);
    ct_tables_cell_text(tables, parameter->unit);
    CT_CELL_NUMBERS(tables, found->most_likely, found->mean, found->interval.lo,
                    found->interval.hi);
    ct_unknowns_prior_text(request->unknowns, i, text);
    ct_tables_cell_text(tables, text);
    format_value(key, found->most_likely, lo);
    ct_tables_cell_text(tables, lo);
    format_value(key, found->mean, lo);
    ct_tables_cell_text(tables, lo);
    format_value(key, found->interval.lo, lo);
    format_value(key, found->interval.hi, hi);
    snprintf(text, sizeof text, "%s .. %s", lo, hi);
    ct_tables_cell_text(tables, text);
    ct_tables_cell_number(tables,
                          width_of(&parameter->prior, found->interval, request->posterior.level));
    size_t largest = find_largest(ct_calibration_first(answer)->surrogate, i, &total);
    ct_tables_cell_number(tables, total);
    ct_tables_cell_text(tables, answer->names[largest]);
    CT_CELL_NUMBERS(tables, found->r_hat, found->effective);
}

/* From this share of the prior's width on, data say nothing of a parameter. */
static const double UNKNOWN_FRAC = 0.9;

void ct_calibrate_say(const struct ct_calibration_request *request,
                      const struct ct_calibration_answer *answer, struct ct_tables *tables)
{
    char known[400] = "", unknown[400] = "";
    for (size_t i = 0; i < request->unknowns->n; i++) {
        const struct ct_parameter *parameter = &request->unknowns->parameters[i];
        const struct ct_posterior_parameter *found = &answer->posterior->parameters[i];
        double width = width_of(&parameter->prior, found->interval, request->posterior.level);
        char *text = width < UNKNOWN_FRAC ? known : unknown;
        size_t used = strlen(text);
        snprintf(text + used, sizeof known - used, "%s%s", used ? ", " : "", parameter->name);
    }
    ct_tables_answer(tables, "The data determine %s%s%s.", *known ? known : "no parameter",
                     *unknown ? "; they say next to nothing of " : "", unknown);
}

/* ---- outputs ---- */

static double loo_error(const struct ct_calibration_answer *answer, size_t output)
{
    return sqrt(ct_surrogate_loo_variance(ct_calibration_last(answer)->surrogate, output));
}

static void add_interval(struct ct_interval of_logarithm, struct ct_tables *tables)
{
    CT_CELL_NUMBERS(tables, exp(of_logarithm.lo), exp(of_logarithm.hi));
}

static void add_output(const struct ct_calibration_request *request,
                       const struct ct_calibration_answer *answer, size_t i,
                       struct ct_tables *tables)
{
    const struct ct_posterior_output *found = &answer->posterior->outputs[i];
    const struct ct_benchmark_output *output = &request->measured->series[i].output;
    if (output->quantity == CT_BENCHMARK_LATENCY)
        ct_tables_cell_text(tables, ct_calibration_load_name(request->loads, output->bytes));
    else
        ct_tables_cell_number(tables, (double)output->bytes);
    CT_CELL_NUMBERS(tables, (double)answer->summaries[i].n, exp(answer->summaries[i].mean));
    add_interval(found->prior, tables);
    ct_tables_cell_number(tables, exp(found->most_likely));
    add_interval(found->interval, tables);
    add_interval(found->run, tables);
    CT_CELL_NUMBERS(tables, found->variance_parameters, found->variance_model, found->variance_runs,
                    ct_surrogate_order(ct_calibration_last(answer)->surrogate, i),
                    loo_error(answer, i), found->misfit);
}

static void fill_outputs(const struct ct_calibration_request *request,
                         const struct ct_calibration_answer *answer,
                         enum ct_benchmark_quantity quantity, struct ct_tables *tables)
{
    static const struct {
        const char *key, *title;
        struct ct_column of;
        enum ct_unit unit;
    } kinds[] = {
        {"throughput", "Throughput", {"bytes", "size", CT_UNIT_BYTES}, CT_UNIT_BYTES_PER_S},
        {"round_trips", "Round trips", {"bytes", "size", CT_UNIT_BYTES}, CT_UNIT_SECONDS},
        {"latencies",
         "Latency of probes beside loads",
         {"config", "beside", CT_UNIT_NONE},
         CT_UNIT_SECONDS}};
    const enum ct_unit unit = kinds[quantity].unit;
    const struct ct_column columns[] = {kinds[quantity].of,
                                        {"repetitions", NULL, CT_UNIT_COUNT},
                                        {"measured", "measured", unit},
                                        {"prior_ci[]", "prior from", unit},
                                        {"prior_ci[]", "to", unit},
                                        {"most_likely", "most likely", unit},
                                        {"ci[]", "posterior from", unit},
                                        {"ci[]", "to", unit},
                                        {"run_ci[]", "a run from", unit},
                                        {"run_ci[]", "to", unit},
                                        {"variance_parameters", NULL, CT_UNIT_NONE},
                                        {"variance_model", NULL, CT_UNIT_NONE},
                                        {"variance_runs", NULL, CT_UNIT_NONE},
                                        {"order", "order", CT_UNIT_COUNT},
                                        {"loo_error", "error", CT_UNIT_FRACTION},
                                        {"misfit", "misfit", CT_UNIT_NONE}};
    const struct ct_measured *measured = request->measured;
    size_t n = 0;
    for (size_t i = 0; i < measured->n; i++)
        n += measured->series[i].output.quantity == quantity;
    if (n == 0)
        return;
    CT_TABLES_BEGIN(tables, kinds[quantity].key, kinds[quantity].title, columns);
    for (size_t i = 0; i < measured->n; i++)
        if (measured->series[i].output.quantity == quantity)
            add_output(request, answer, i, tables);
}

/* ---- the whole ---- */

void ct_calibrate_fill(const struct ct_calibration_request *request,
                       const struct ct_calibration_answer *answer, struct ct_tables *tables)
{
    const struct ct_posterior *posterior = answer->posterior;
    double largest = 0;
    for (size_t i = 0; i < answer->n_outputs; i++)
        largest = fmax(largest, loo_error(answer, i));
    size_t n_points = 0, n_found = 0;
    double elapsed_s = 0;
    for (size_t i = 0; i < answer->n_rounds; i++) {
        n_points += answer->rounds[i].design.n_points;
        n_found += answer->rounds[i].counts.n_found;
        elapsed_s += answer->rounds[i].counts.elapsed_s;
    }
    ct_tables_provenance(tables, "simulations", "%zu, %zu of them stored before", n_points,
                         n_found);
    ct_tables_provenance(tables, "simulated_in", "%.3g s", elapsed_s);
    CT_TABLES_NUMBER(tables, "r_hat", "largest R-hat", NONE, posterior->r_hat);
    CT_TABLES_NUMBER(tables, "effective_samples", "effective samples, least", COUNT,
                     posterior->effective);
    CT_TABLES_NUMBER(tables, "loo_error", "largest leave-one-out error", FRACTION, largest);
    CT_TABLES_NUMBER(tables, "misfit", "sum of squares of misfits", NONE, posterior->misfit);
    CT_TABLES_BEGIN(tables, "parameters", "Parameters", parameter_columns);
    for (size_t i = 0; i < posterior->n_parameters; i++)
        add_parameter(request, answer, i, tables);
    for (int quantity = 0; quantity < CT_BENCHMARK_QUANTITIES; quantity++)
        fill_outputs(request, answer, (enum ct_benchmark_quantity)quantity, tables);
}
