/* Parameters of the network with their uncertainty: Kenny et al., ISC 2018, Fig. 5 to 7. */
#include "report/calibration_figures.h"
#include "report/sections.h"

#include <stdio.h>
#include <stdlib.h>

static const struct ct_column columns[] = {
    {"name", "parameter", CT_UNIT_NONE},        {"most_likely", "most likely", CT_UNIT_NONE},
    {"ci_from", "interval from", CT_UNIT_NONE}, {"ci_to", "to", CT_UNIT_NONE},
    {"prior_from", "prior from", CT_UNIT_NONE}, {"prior_to", "to", CT_UNIT_NONE}};

/* With four significant digits. */
static void add_value(size_t key, double value, struct ct_tables *data)
{
    char digits[32], text[CT_STACK_VALUE_MAX];
    snprintf(digits, sizeof digits, "%.3e", value);
    ct_stack_key_format(key, strtod(digits, NULL), text);
    ct_tables_cell_text(data, text);
}

static enum ct_status add_table(struct ct_html *page, const struct ct_posterior_view *view,
                                struct ct_error *err)
{
    const struct ct_unknowns *unknowns = &view->draws.unknowns;
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "parameters");
    ct_tables_begin(data, "parameters", NULL, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < unknowns->n; i++) {
        const struct ct_prior *prior = &unknowns->parameters[i].prior;
        const double values[] = {view->draws.most_likely[i], view->parameter_interval[2 * i],
                                 view->parameter_interval[2 * i + 1], ct_prior_value(prior, -1),
                                 ct_prior_value(prior, 1)};
        ct_tables_cell_text(data, unknowns->parameters[i].name);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            add_value(unknowns->keys[i], values[k], data);
    }
    enum ct_status status = ct_html_table(page, "table-parameters", data, err);
    ct_tables_free(data);
    return status;
}

static enum ct_status add_figure(struct ct_html *page, const struct ct_posterior_view *view,
                                 int figure, struct ct_error *err)
{
    char *svg, id[64];
    if (!ct_calibration_figure_is_there(view, figure))
        return CT_OK;
    enum ct_status status = ct_calibration_figure_draw(view, figure, &svg, err);
    if (status != CT_OK)
        return status;
    ct_figure_id("calibration", (size_t)figure + 1, id);
    const struct ct_html_figure shown = {.id = id,
                                         .name = ct_calibration_figure_title(figure),
                                         .about = ct_calibration_figure_about(figure),
                                         .svg = svg};
    status = ct_html_figure(page, &shown, err);
    free(svg);
    return status;
}

enum ct_status ct_section_calibration(struct ct_html *page, const struct ct_page_view *view,
                                      struct ct_error *err)
{
    const struct ct_posterior_view *posterior = view->facts->posterior;
    ct_html_say(page,
                "Parameters of the simulated network (%s) that agree with what was measured, by "
                "crosstalk calibrate. Intervals are of %g %%.",
                ct_simulate_network_names[posterior->draws.network], 100 * posterior->draws.level);
    enum ct_status status = add_table(page, posterior, err);
    for (int figure = 0; figure < CT_CALIBRATION_FIGURES && status == CT_OK; figure++)
        status = add_figure(page, posterior, figure, err);
    return status;
}
