#include "cli/wire_tolerance.h"

#include "lp-bridge/envelope/evaluator.h"
#include "lp-bridge/lp/tolerance.h"

#include <math.h>

static const enum ct_wires_free free_of[] = {
    [CT_OF_WIRE] = CT_WIRES_LATENCY, [CT_OF_SWITCH] = CT_WIRES_SWITCH};

static double value_of(const struct ct_wire_subject *subject, enum ct_wire_latency of)
{
    return of == CT_OF_SWITCH ? subject->switch_ns : subject->at.L_ns;
}

enum ct_status ct_wire_evaluator(const struct ct_wire_subject *subject, enum ct_wire_latency of,
                                 struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    struct ct_wires_plane plane;
    ct_wires_plane(subject->network->wires, &subject->at, free_of[of], CT_WIRES_FIXED, &plane);
    return ct_evaluator_compile(subject->graph, &plane.plane, evaluator_p, err);
}

enum ct_status ct_wire_tolerance(const struct ct_wire_subject *subject, enum ct_wire_latency of,
                                 const struct ct_thresholds *thresholds,
                                 struct ct_tolerance *found_p, double *largest_p,
                                 struct ct_error *err)
{
    const struct ct_wires *wires = subject->network->wires;
    struct ct_wires_plane parameter, gap;
    struct ct_evaluator *evaluator = NULL;
    ct_wires_plane(wires, &subject->at, free_of[of], CT_WIRES_GAP, &parameter);
    ct_wires_plane(wires, &subject->at, CT_WIRES_GAP, CT_WIRES_FIXED, &gap);
    const struct ct_tolerance_planes planes = {parameter.plane, gap.plane};
    struct ct_tolerance_query query = {
        .at = subject->at, .longer_frac = thresholds->frac, .n = thresholds->n, .planes = &planes};
    query.at.L_ns = value_of(subject, of);
    enum ct_status status =
        subject->by_lp ? ct_tolerance_by_lp(subject->graph, &query, found_p, largest_p, err)
                       : ct_wire_evaluator(subject, of, &evaluator, err);
    if (status == CT_OK && !subject->by_lp)
        status = ct_tolerance_by_envelope(subject->graph, evaluator, &query, subject->threads,
                                          found_p, largest_p, err);
    ct_evaluator_free(evaluator);
    if (status == CT_OK)
        found_p->lo_ns = fmax(found_p->lo_ns, ct_wires_hops(wires).least_L_ns);
    return status;
}

enum ct_status ct_wire_share(const struct ct_wire_subject *subject, double runtime_ns,
                             double *share_p, struct ct_error *err)
{
    struct ct_wires_plane plane;
    struct ct_line line;
    ct_wires_plane(subject->network->wires, &subject->at, CT_WIRES_SHARE, CT_WIRES_FIXED, &plane);
    CT_TRY(ct_evaluate_once(subject->graph, &plane.plane, 1, &line, err));
    *share_p = runtime_ns > 0 ? line.slope / runtime_ns : 0;
    return CT_OK;
}

enum ct_status ct_wire_find(const struct ct_wire_subject *subject,
                            const struct ct_thresholds *thresholds,
                            struct ct_wire_findings *found_p, struct ct_error *err)
{
    struct ct_wire_findings found;
    for (int of = 0; of < CT_WIRE_LATENCIES; of++)
        CT_TRY(ct_wire_tolerance(subject, (enum ct_wire_latency)of, thresholds, &found.at[of],
                                 found.largest_ns[of], err));
    *found_p = found;
    return CT_OK;
}

static void fill_table(const struct ct_wire_subject *subject,
                       const struct ct_thresholds *thresholds, const struct ct_wire_findings *found,
                       struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"wire_s", "largest latency of a wire", CT_UNIT_SECONDS},
        {"delta_wire_s", "added", CT_UNIT_SECONDS},
        {"switch_s", "or largest time in a switch", CT_UNIT_SECONDS},
        {"delta_switch_s", "added", CT_UNIT_SECONDS}};
    bool unbounded = false;
    CT_TABLES_BEGIN(tables, "tolerance", "Latency tolerance", columns);
    for (size_t i = 0; i < thresholds->n; i++) {
        ct_tables_cell_number(tables, thresholds->frac[i]);
        for (int of = 0; of < CT_WIRE_LATENCIES; of++) {
            double largest_ns = found->largest_ns[of][i];
            double added_ns = largest_ns - value_of(subject, (enum ct_wire_latency)of);
            CT_CELL_NUMBERS(tables, largest_ns * 1e-9, added_ns * 1e-9);
            unbounded = unbounded || isinf(largest_ns);
        }
    }
    if (unbounded)
        ct_tables_note(tables, "Where a tolerance is inf, no latency makes the program run so much "
                               "longer.");
}

void ct_wire_fill(const struct ct_wire_subject *subject, const struct ct_thresholds *thresholds,
                  const struct ct_wire_findings *found, struct ct_tables *tables)
{
    const struct ct_tolerance *wire = &found->at[CT_OF_WIRE], *in = &found->at[CT_OF_SWITCH];
    double T_ns = wire->runtime_ns > 0 ? wire->runtime_ns : 1;
    const struct ct_value rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, wire->runtime_ns * 1e-9},
        {{"wire_s", "latency of a wire", CT_UNIT_SECONDS}, subject->at.L_ns * 1e-9},
        {{"lambda_wire", "lambda_wire, wires on the critical path", CT_UNIT_NONE}, wire->lambda_L},
        {{"rho_wire", "rho_wire, their share of T", CT_UNIT_FRACTION},
         wire->lambda_L * subject->at.L_ns / T_ns},
        {{"wire_range_s[]", "lambda_wire holds from", CT_UNIT_SECONDS}, wire->lo_ns * 1e-9},
        {{"wire_range_s[]", "to", CT_UNIT_SECONDS}, wire->hi_ns * 1e-9},
        {{"switch_s", "time in a switch", CT_UNIT_SECONDS}, subject->switch_ns * 1e-9},
        {{"lambda_switch", "lambda_switch, switches on the critical path", CT_UNIT_NONE},
         in->lambda_L},
        {{"rho_switch", "rho_switch, their share of T", CT_UNIT_FRACTION},
         in->lambda_L * subject->switch_ns / T_ns},
        {{"lambda_G", "lambda_G, bytes on the critical path", CT_UNIT_NONE}, wire->lambda_G},
    };
    CT_TABLES_NUMBERS(tables, rows);
    fill_table(subject, thresholds, found, tables);
    for (int of = 0; of < CT_WIRE_LATENCIES; of++) {
        double added_s[CT_THRESHOLDS_MAX];
        for (size_t i = 0; i < thresholds->n; i++)
            added_s[i] =
                (found->largest_ns[of][i] - value_of(subject, (enum ct_wire_latency)of)) * 1e-9;
        ct_thresholds_answer(thresholds, of == CT_OF_WIRE ? "every wire" : "every switch", added_s,
                             tables);
    }
}
