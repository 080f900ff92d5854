#include "campaign/scan_network.h"

#include "campaign/constants.h"
#include "core/stats.h"
#include "topology/route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by a topology ---- */

static enum ct_status classify_paths(struct ct_router *router, const uint32_t *vertex,
                                     struct ct_scan *scan, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t a = 0; a < scan->n_nodes; a++)
        for (size_t b = 0; b < scan->n_nodes && status == CT_OK; b++) {
            uint32_t switches = 0;
            if (a != b)
                status = ct_route_switches(router, vertex[a], vertex[b], &switches, err);
            scan->path_class[a * scan->n_nodes + b] = (int)switches;
        }
    /* Ways there and back may differ: the longer one counts. */
    for (size_t a = 0; a < scan->n_nodes; a++)
        for (size_t b = 0; b < a; b++) {
            int *there = &scan->path_class[a * scan->n_nodes + b];
            int *back = &scan->path_class[b * scan->n_nodes + a];
            *there = *back = *there > *back ? *there : *back;
        }
    return status;
}

static enum ct_status name_switches(const struct ct_topology *topology, const uint32_t *vertex,
                                    struct ct_scan *scan, struct ct_error *err)
{
    for (size_t i = 0; i < scan->n_nodes; i++) {
        const struct ct_port *port = &topology->ports[topology->first_port[vertex[i]]];
        free(scan->nodes[i].switch_name);
        scan->nodes[i].switch_name = strdup(ct_topology_name(topology, port->peer));
        if (!scan->nodes[i].switch_name)
            return ct_no_memory(err, "topology");
    }
    return CT_OK;
}

enum ct_status ct_scan_network_take(const struct ct_topology *topology, enum ct_places places,
                                    struct ct_scan *scan, struct ct_error *err)
{
    struct ct_router *router = NULL;
    const char **names = malloc(scan->n_nodes * sizeof *names);
    uint32_t *vertex = malloc(scan->n_nodes * sizeof *vertex);
    enum ct_status status = names && vertex ? CT_OK : ct_no_memory(err, "topology");
    for (size_t i = 0; i < scan->n_nodes && status == CT_OK; i++)
        names[i] = scan->nodes[i].name;
    if (status == CT_OK)
        status = ct_topology_place(topology, names, scan->n_nodes, places, vertex, err);
    if (status == CT_OK)
        status = ct_router_new(topology, &router, err);
    if (status == CT_OK)
        status = classify_paths(router, vertex, scan, err);
    if (status == CT_OK)
        status = name_switches(topology, vertex, scan, err);
    ct_router_free(router);
    free(names);
    free(vertex);
    return status;
}

/* ---- by latencies ---- */

/* The middle of the widest gap between the latencies of pairs, by their ratio; NaN: there is none
 * as wide as a switch more makes it. */
static double find_gap(const double *latency_s, size_t n_nodes, double *sorted)
{
    size_t n = 0;
    double widest = ct_campaign_constant(CT_CAMPAIGN_SCAN_GROUPS), middle_s = NAN;
    for (size_t a = 0; a < n_nodes; a++)
        for (size_t b = a + 1; b < n_nodes; b++)
            if (latency_s[a * n_nodes + b] > 0)
                sorted[n++] = latency_s[a * n_nodes + b];
    ct_stats_sort(sorted, n);
    for (size_t i = 1; i < n; i++)
        if (sorted[i] / sorted[i - 1] > widest) {
            widest = sorted[i] / sorted[i - 1];
            middle_s = sqrt(sorted[i] * sorted[i - 1]);
        }
    return middle_s;
}

/* The group of each node, from 1; the first nodes's is that of the nodes near it. Returns whether
 * nearness is the same as being in one group. */
static bool divide_groups(const double *latency_s, size_t n, double limit_s, int *group_of)
{
    int n_groups = 0;
    for (size_t a = 0; a < n; a++) {
        group_of[a] = 0;
        for (size_t b = 0; b < a && group_of[a] == 0; b++)
            if (latency_s[a * n + b] < limit_s)
                group_of[a] = group_of[b];
        if (group_of[a] == 0)
            group_of[a] = ++n_groups;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            if (a != b && !isnan(latency_s[a * n + b]) &&
                (latency_s[a * n + b] < limit_s) != (group_of[a] == group_of[b]))
                return false;
    return n_groups > 1 && n_groups < (int)n;
}

static bool take_groups(const int *group_of, struct ct_scan *scan)
{
    size_t n = scan->n_nodes;
    for (size_t a = 0; a < n; a++) {
        char *name = NULL;
        if (asprintf(&name, "group %d", group_of[a]) < 0)
            return false;
        free(scan->nodes[a].switch_name);
        scan->nodes[a].switch_name = name;
        for (size_t b = 0; b < n; b++)
            scan->path_class[a * n + b] = a == b ? 0 : group_of[a] == group_of[b] ? 1 : 2;
    }
    return true;
}

bool ct_scan_network_group(const double *latency_s, struct ct_scan *scan)
{
    size_t n = scan->n_nodes;
    double *sorted = malloc((n * n + 1) * sizeof *sorted);
    int *group_of = calloc(n + 1, sizeof *group_of);
    bool is_grouped = false;
    if (sorted && group_of) {
        double limit_s = find_gap(latency_s, n, sorted);
        is_grouped = !isnan(limit_s) && divide_groups(latency_s, n, limit_s, group_of) &&
                     take_groups(group_of, scan);
    }
    free(sorted);
    free(group_of);
    return is_grouped;
}
