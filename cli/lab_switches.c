#include "cli/lab_switches.h"

#include "lab/plan.h"

#include <math.h>
#include <stdio.h>

void ct_lab_switches_describe(const struct ct_lab *lab, char text[CT_LAB_SWITCHES_TEXT_MAX])
{
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    char rate[CT_UNITS_TEXT_MAX];
    text[0] = '\0';
    if (!*spec.topology)
        return;
    ct_format_rate(spec.uplink_bit_per_s, rate);
    snprintf(text, CT_LAB_SWITCHES_TEXT_MAX, ", %s: %u switches, %s between them", spec.topology,
             ct_lab_plan_of(lab)->n_switches, rate);
}

/* ---- status ---- */

void ct_lab_switches_fill(struct ct_tables *tables, const struct ct_lab *lab)
{
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    if (!*spec.topology)
        return;
    CT_TABLES_TEXT(tables, "topology", "topology", spec.topology);
    CT_TABLES_NUMBER(tables, "uplink_bit_per_s", "rate between switches", BIT_PER_S,
                     spec.uplink_bit_per_s);
    CT_TABLES_NUMBER(tables, "oversubscription", "oversubscription", NONE,
                     ct_lab_oversubscription(ct_lab_plan_of(lab), &spec));
}

void ct_lab_hosts_fill(struct ct_tables *tables, const struct ct_lab *lab)
{
    static const struct ct_column columns[] = {{"name", "host", CT_UNIT_NONE},
                                               {"address", "measured network", CT_UNIT_NONE},
                                               {"management", "management", CT_UNIT_NONE},
                                               {"switch", "switch", CT_UNIT_NONE}};
    const struct ct_lab_plan *plan = ct_lab_plan_of(lab);
    bool several = plan->n_switches > 1;
    ct_tables_begin(tables, "hosts", NULL, columns, several ? 4 : 3);
    for (unsigned i = 0; i < plan->n_hosts; i++) {
        char text[16];
        ct_lab_host_name(i, text);
        ct_tables_cell_text(tables, text);
        ct_lab_host_address(i, text);
        ct_tables_cell_text(tables, text);
        ct_lab_management_address(i, text);
        ct_tables_cell_text(tables, text);
        if (several)
            ct_tables_cell_text(tables, plan->switch_name[plan->switch_of[i]]);
    }
}

void ct_lab_links_fill(struct ct_tables *tables, const struct ct_lab *lab)
{
    static const struct ct_column switch_columns[] = {{"name", "switch", CT_UNIT_NONE},
                                                      {"device", "bridge", CT_UNIT_NONE}};
    static const struct ct_column link_columns[] = {{"from", "from", CT_UNIT_NONE},
                                                    {"to", "to", CT_UNIT_NONE},
                                                    {"from_device", "device", CT_UNIT_NONE},
                                                    {"to_device", "device there", CT_UNIT_NONE}};
    const struct ct_lab_plan *plan = ct_lab_plan_of(lab);
    char text[CT_LAB_DEVICE_MAX];
    if (plan->n_switches < 2)
        return;
    CT_TABLES_BEGIN(tables, "switches", NULL, switch_columns);
    for (unsigned i = 0; i < plan->n_switches; i++) {
        ct_tables_cell_text(tables, plan->switch_name[i]);
        ct_lab_switch_device(i, text);
        ct_tables_cell_text(tables, text);
    }
    CT_TABLES_BEGIN(tables, "links", "Links between switches", link_columns);
    for (unsigned i = 0; i < plan->n_links; i++) {
        for (size_t end = 0; end < 2; end++)
            ct_tables_cell_text(tables, plan->switch_name[plan->link[i].at[end]]);
        for (unsigned end = 0; end < 2; end++) {
            ct_lab_link_device(i, end, text);
            ct_tables_cell_text(tables, text);
        }
    }
}

/* ---- counters ---- */

/* One row a number that is shown of a direction; names go by what the switch does. */
static const struct ct_column counter_columns[] = {{"host", "host", CT_UNIT_NONE},
                                                   {"tx_bytes", "to host", CT_UNIT_BYTES},
                                                   {"tx_packets", "packets", CT_UNIT_COUNT},
                                                   {"tx_drops", "drops", CT_UNIT_COUNT},
                                                   {"tx_backlog_bytes", "waiting", CT_UNIT_BYTES},
                                                   {"tx_busy_frac", "busy", CT_UNIT_FRACTION},
                                                   {"rx_bytes", "from host", CT_UNIT_BYTES},
                                                   {"rx_packets", "packets", CT_UNIT_COUNT},
                                                   {"rx_drops", "drops", CT_UNIT_COUNT},
                                                   {"rx_backlog_bytes", "waiting", CT_UNIT_BYTES},
                                                   {"rx_busy_frac", "busy", CT_UNIT_FRACTION}};

static void fill_flow(struct ct_tables *tables, const struct ct_lab_flow *flow, double busy_frac)
{
    CT_CELL_NUMBERS(tables, (double)flow->bytes, (double)flow->packets, (double)flow->drops,
                    (double)flow->backlog_bytes, busy_frac);
}

void ct_lab_port_loads_fill(struct ct_tables *tables, const struct ct_lab *lab,
                            const struct ct_lab_counters *before,
                            const struct ct_lab_counters *after)
{
    char name[16], share[CT_UNITS_TEXT_MAX];
    double most_frac = NAN;
    unsigned busiest = 0;
    uint64_t n_drops = 0;
    CT_TABLES_BEGIN(tables, "ports", NULL, counter_columns);
    for (size_t i = 0; i < after->n_ports; i++) {
        struct ct_lab_load load = ct_lab_load(lab, before, after, i);
        ct_lab_host_name((unsigned)i, name);
        ct_tables_cell_text(tables, name);
        fill_flow(tables, &load.delta.tx, load.tx_busy_frac);
        fill_flow(tables, &load.delta.rx, load.rx_busy_frac);
        n_drops += load.delta.tx.drops + load.delta.rx.drops;
        double busy_frac = fmax(load.tx_busy_frac, load.rx_busy_frac);
        if (i == 0 || busy_frac > most_frac) {
            most_frac = busy_frac;
            busiest = (unsigned)i;
        }
    }
    ct_lab_host_name(busiest, name);
    ct_format_share(most_frac, share);
    ct_tables_answer(tables, "The busiest port is that of %s, %s; %llu packet%s dropped.", name,
                     share, (unsigned long long)n_drops, n_drops == 1 ? "" : "s");
}

void ct_lab_link_loads_fill(struct ct_tables *tables, const struct ct_lab *lab,
                            const struct ct_lab_counters *before,
                            const struct ct_lab_counters *after)
{
    static const struct ct_column columns[] = {
        {"from", "from", CT_UNIT_NONE},         {"to", "to", CT_UNIT_NONE},
        {"bytes", "bytes", CT_UNIT_BYTES},      {"packets", "packets", CT_UNIT_COUNT},
        {"drops", "drops", CT_UNIT_COUNT},      {"backlog_bytes", "waiting", CT_UNIT_BYTES},
        {"busy_frac", "busy", CT_UNIT_FRACTION}};
    const struct ct_lab_plan *plan = ct_lab_plan_of(lab);
    if (plan->n_switches < 2)
        return;
    CT_TABLES_BEGIN(tables, "links", "Links between switches", columns);
    for (size_t i = 0; i < plan->n_links; i++)
        for (size_t end = 0; end < 2; end++) {
            struct ct_lab_link_load load = ct_lab_link_load(lab, before, after, i, end);
            ct_tables_cell_text(tables, plan->switch_name[plan->link[i].at[end]]);
            ct_tables_cell_text(tables, plan->switch_name[plan->link[i].at[!end]]);
            fill_flow(tables, &load.delta, load.busy_frac);
        }
}
