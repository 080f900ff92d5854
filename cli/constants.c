#include "cli/constants.h"

#include "calibrate/constants.h"
#include "campaign/constants.h"
#include "lp-bridge/collective/constants.h"
#include "lp-bridge/envelope/constants.h"
#include "lp-bridge/place/constants.h"
#include "model/constants.h"
#include "model/loggp/constants.h"
#include "predict/constants.h"
#include "simulate/constants.h"
#include "study/constants.h"
#include "topology/machine.h"
#include "watch/find/constants.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const struct ct_constant *rows;
    size_t n;
} room_tables[] = {{ct_simulate_constants, CT_SIMULATE_N_CONSTANTS},
                   {ct_calibrate_constants, CT_CALIBRATE_N_CONSTANTS},
                   {ct_predict_constants, CT_PREDICT_N_CONSTANTS},
                   {ct_study_constants, CT_STUDY_N_CONSTANTS},
                   {ct_model_constants, CT_MODEL_N_CONSTANTS},
                   {ct_loggp_constants, CT_LOGGP_N_CONSTANTS},
                   {ct_envelope_constants, CT_ENVELOPE_N_CONSTANTS},
                   {ct_collective_constants, CT_COLLECTIVE_N_CONSTANTS},
                   {ct_place_constants, CT_PLACE_N_CONSTANTS},
                   {ct_campaign_constants, CT_CAMPAIGN_N_CONSTANTS},
                   {ct_watch_constants, CT_WATCH_N_CONSTANTS}};

static const struct ct_column columns[] = {
    {"name", "constant", CT_UNIT_NONE}, {"value", "value", CT_UNIT_NONE},
    {"unit", "unit", CT_UNIT_NONE},     {"model", "of", CT_UNIT_NONE},
    {"origin", "origin", CT_UNIT_NONE}, {"from", "fitted to, source or reason", CT_UNIT_NONE},
    {"off_by", "off by", CT_UNIT_NONE}};

static void add_row(struct ct_tables *tables, const struct ct_constant *constant)
{
    ct_tables_cell_text(tables, constant->name);
    ct_tables_cell_number(tables, constant->value);
    ct_tables_cell_text(tables, constant->unit);
    ct_tables_cell_text(tables, constant->model);
    ct_tables_cell_text(tables, ct_constant_origin_text(constant->origin));
    ct_tables_cell_text(tables, constant->from);
    if (constant->off_by)
        ct_tables_cell_text(tables, constant->off_by);
    else
        ct_tables_cell_number(tables, NAN);
}

/* Six values of a machine, in the order of their sources. */
static void add_machine(struct ct_tables *tables, const struct ct_machine *machine)
{
    const struct {
        const char *name, *unit;
        double value;
    } values[CT_MACHINE_VALUES] = {
        {"L", "s", machine->leaf_s}, {"L_link", "s", machine->link_s},
        {"o", "s", machine->o_s},    {"g", "s", machine->gap_s},
        {"G", "s/B", machine->G_s},  {"packet", "B", machine->packet_bytes}};
    for (size_t i = 0; i < CT_MACHINE_VALUES; i++) {
        char name[CT_MACHINE_NAME_MAX + 16];
        snprintf(name, sizeof name, "%s_%s", machine->name, values[i].name);
        const struct ct_constant row = {.name = name,
                                        .value = values[i].value,
                                        .unit = values[i].unit,
                                        .model = "lab up --like, and groups of networks",
                                        .origin = CT_CONSTANT_PUBLISHED,
                                        .from = machine->from[i]};
        add_row(tables, &row);
    }
}

void ct_constants_table(struct ct_tables *tables)
{
    CT_TABLES_BEGIN(tables, "constants", "Constants of the models", columns);
    for (size_t t = 0; t < sizeof room_tables / sizeof *room_tables; t++)
        for (size_t i = 0; i < room_tables[t].n; i++)
            add_row(tables, &room_tables[t].rows[i]);
    for (size_t i = 0; i < CT_MACHINES_N; i++)
        add_machine(tables, &ct_machines[i]);
}
