#include "cli/constants.h"

#include "campaign/constants.h"
#include "lp-bridge/collective/constants.h"
#include "lp-bridge/envelope/constants.h"
#include "model/constants.h"
#include "model/loggp/constants.h"
#include "predict/constants.h"
#include "simulate/constants.h"
#include "study/constants.h"

#include <math.h>

static const struct {
    const struct ct_constant *rows;
    size_t n;
} tables[] = {{ct_simulate_constants, CT_SIMULATE_N_CONSTANTS},
              {ct_predict_constants, CT_PREDICT_N_CONSTANTS},
              {ct_study_constants, CT_STUDY_N_CONSTANTS},
              {ct_model_constants, CT_MODEL_N_CONSTANTS},
              {ct_loggp_constants, CT_LOGGP_N_CONSTANTS},
              {ct_envelope_constants, CT_ENVELOPE_N_CONSTANTS},
              {ct_collective_constants, CT_COLLECTIVE_N_CONSTANTS},
              {ct_campaign_constants, CT_CAMPAIGN_N_CONSTANTS}};

static const struct ct_column columns[] = {
    {"name", "constant", CT_UNIT_NONE}, {"value", "value", CT_UNIT_NONE},
    {"unit", "unit", CT_UNIT_NONE},     {"model", "of", CT_UNIT_NONE},
    {"origin", "origin", CT_UNIT_NONE}, {"from", "fitted to, source or reason", CT_UNIT_NONE},
    {"off_by", "off by", CT_UNIT_NONE}};

static void add_row(struct ct_report *report, const struct ct_constant *constant)
{
    ct_report_cell_text(report, constant->name);
    ct_report_cell_number(report, constant->value);
    ct_report_cell_text(report, constant->unit);
    ct_report_cell_text(report, constant->model);
    ct_report_cell_text(report, ct_constant_origin_text(constant->origin));
    ct_report_cell_text(report, constant->from);
    if (constant->off_by)
        ct_report_cell_text(report, constant->off_by);
    else
        ct_report_cell_number(report, NAN);
}

void ct_report_constants(struct ct_report *report)
{
    ct_report_table(report, "constants", "Constants of the models", columns,
                    sizeof columns / sizeof *columns);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t].n; i++)
            add_row(report, &tables[t].rows[i]);
}
