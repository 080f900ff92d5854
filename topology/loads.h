/** Reads utilizations of links from CSV, for pictures. */
#pragma once

#include "topology/topology.h"

/**
 * Read CSV, with commas, semicolons or tabs between fields and a decimal point or comma, with the
 * columns from, to and utilization (a fraction, or empty; the name busy_frac of `crosstalk lab
 * counters` is accepted, too), in any order and among others: a row is one direction of all links
 * between two vertices. Lines before the heading, and those that begin with '#', are ignored; an
 * empty line ends the table.
 * @param text           [in]  ends in NUL
 * @param source         [in]  prefix of messages
 * @param utilization_p  [out] 2 n_links as in struct ct_picture, NaN: not in the table; free()
 * @return CT_OK; CT_EFORMAT with the line; CT_ENOMEM
 */
enum ct_status ct_topology_loads(const struct ct_topology *topology, const char *text,
                                 const char *source, double **utilization_p, struct ct_error *err);
