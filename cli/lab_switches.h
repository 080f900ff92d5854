/** Ports and switches of a lab, and the links between them: what answers of `crosstalk lab` say. */
#pragma once

#include "core/table.h"
#include "lab/lab.h"

enum { CT_LAB_SWITCHES_TEXT_MAX = 160 };
/** ", tree:4x4,2: 6 switches, 50mbit between them", as part of a message; "": one switch. */
void ct_lab_switches_describe(const struct ct_lab *lab, char text[CT_LAB_SWITCHES_TEXT_MAX]);

/** Settings of a lab with several switches; nothing for one. */
void ct_lab_switches_fill(struct ct_tables *tables, const struct ct_lab *lab);

/** Its hosts, switches and links, as tables. */
void ct_lab_hosts_fill(struct ct_tables *tables, const struct ct_lab *lab);
void ct_lab_links_fill(struct ct_tables *tables, const struct ct_lab *lab);

/** Load of the port of each host, and which is the busiest. */
void ct_lab_port_loads_fill(struct ct_tables *tables, const struct ct_lab *lab,
                            const struct ct_lab_counters *before,
                            const struct ct_lab_counters *after);

/** Load of each direction of each link between switches; no table for one switch. */
void ct_lab_link_loads_fill(struct ct_tables *tables, const struct ct_lab *lab,
                            const struct ct_lab_counters *before,
                            const struct ct_lab_counters *after);
