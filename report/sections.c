#include "report/sections.h"

#include <math.h>
#include <stdio.h>

const char *ct_page_app(const struct ct_page_facts *facts, size_t app)
{
    return ct_measured_app(facts->measured, app)->name;
}

struct ct_plot ct_figure_plot(const struct ct_plot_panel *panels, size_t n_panels,
                              double panel_height)
{
    return (struct ct_plot){.panels = panels,
                            .n_panels = n_panels,
                            .width = CT_FIGURE_WIDTH,
                            .panel_height = panel_height,
                            .font_px = 15};
}

void ct_figure_id(const char *what, size_t number, char id[64])
{
    snprintf(id, 64, "figure-%s-%zu", what, number);
}

struct ct_tables *ct_figure_data(void)
{
    return ct_tables_new("crosstalk report", CT_FORMAT_CSV);
}

const struct ct_page_utilization ct_page_utilizations[CT_N_PAGE_UTILIZATIONS] = {
    {"switch counters", "true_utilization", .is_truth = true},
    {"pk (queue of the paper)", "utilization_pk", .kind = CT_UTILIZATION_PK},
    {"by delay", "utilization_calibrated", .kind = CT_UTILIZATION_CALIBRATED},
    {"by waiting", "utilization_waiting", .kind = CT_UTILIZATION_WAITING},
};

struct ct_utilization ct_page_utilization_of(const struct ct_page_utilization *row,
                                             const struct ct_predict_load *load)
{
    const struct ct_interval none = {NAN, NAN};
    if (row->is_truth)
        return (struct ct_utilization){load->true_utilization_frac, none};
    switch (row->kind) {
    case CT_UTILIZATION_PK:
        return (struct ct_utilization){load->utilization_frac, load->utilization_interval};
    case CT_UTILIZATION_CALIBRATED:
        return load->calibrated;
    case CT_UTILIZATION_WAITING:
        return load->waiting;
    default:
        return (struct ct_utilization){ct_predict_utilization(load, row->kind), none};
    }
}
