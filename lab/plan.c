#include "lab/plan.h"

#include "topology/route.h"
#include "topology/spec.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a lab can have ---- */

static enum ct_status check_sizes(const struct ct_topology *topology, struct ct_error *err)
{
    uint32_t n_links = topology->n_links - topology->n_nodes;
    if (topology->n_nodes < 2 || topology->n_nodes > CT_LAB_HOSTS_MAX)
        return ct_fail(err, CT_EINVAL, "topology '%s': %u hosts: 2 to %d are possible",
                       topology->name, topology->n_nodes, CT_LAB_HOSTS_MAX);
    for (uint32_t host = 0; host < topology->n_nodes; host++)
        if (ct_topology_degree(topology, host) != 1)
            return ct_fail(err, CT_EINVAL,
                           "topology '%s': its hosts have %u links; one is possible in a lab",
                           topology->name, ct_topology_degree(topology, host));
    if (topology->n_switches > CT_LAB_SWITCHES_MAX || n_links > CT_LAB_LINKS_MAX)
        return ct_fail(err, CT_EINVAL,
                       "topology '%s': %u switches and %u links between them; at most %d and %d "
                       "are possible in a lab",
                       topology->name, topology->n_switches, n_links, CT_LAB_SWITCHES_MAX,
                       CT_LAB_LINKS_MAX);
    return CT_OK;
}

/* Links between switches that no host can use. */
static enum ct_status check_spread(const struct ct_topology *topology, struct ct_error *err)
{
    const struct ct_port *ports = topology->ports;
    uint32_t first = ports[topology->first_port[0]].peer;
    for (uint32_t host = 1; host < topology->n_nodes; host++)
        if (ports[topology->first_port[host]].peer != first)
            return CT_OK;
    if (topology->n_switches == 1)
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "topology '%s': all its hosts are on one switch, and nothing uses the links to "
                   "others; take two leaves or more, or 'switch:%u'",
                   topology->name, topology->n_nodes);
}

static enum ct_status make_topology(const char *text, uint64_t spines,
                                    struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    if (spines > CT_TOPOLOGY_NODES_MAX)
        return ct_fail(err, CT_EINVAL, "topology '%s': %llu spines: too many", text,
                       (unsigned long long)spines);
    settings.spines = (uint32_t)spines;
    CT_TRY(ct_topology_make(text, &settings, &topology, err));
    enum ct_status status = check_sizes(&topology, err);
    if (status == CT_OK)
        status = check_spread(&topology, err);
    if (status == CT_OK)
        *topology_p = topology;
    else
        ct_topology_free(&topology);
    return status;
}

/* ---- settings ---- */

enum ct_status ct_lab_rate_check(const char *what, double bit_per_s, struct ct_error *err)
{
    if (bit_per_s >= 1e5 && bit_per_s <= 1e10)
        return CT_OK;
    return ct_fail(err, CT_EINVAL, "%s %g bit/s: 100kbit to 10gbit are possible", what, bit_per_s);
}

/* The same network has the same text: spines are part of it. */
static void print_text(const struct ct_topology *topology, const char *text, char *out, size_t size)
{
    const struct ct_shape *shape = &topology->shape;
    if (topology->n_switches == 1)
        out[0] = '\0';
    else if (!strncmp(text, "tree:", strlen("tree:")))
        snprintf(out, size, "tree:%ux%u,%u", shape->down[1], shape->down[0], shape->up[1]);
    else
        snprintf(out, size, "%s", text);
}

static enum ct_status check_settings(const struct ct_topology *topology, const char *text,
                                     double uplink_bit_per_s, const struct ct_lab_spec *spec,
                                     struct ct_error *err)
{
    if (strlen(text) >= CT_LAB_TOPOLOGY_MAX - sizeof ",4294967295")
        return ct_fail(err, CT_EINVAL, "topology '%s': a text of so many characters is too long",
                       text);
    if (spec->n_hosts > 0 && spec->n_hosts != topology->n_nodes)
        return ct_fail(err, CT_EUSAGE,
                       "topology '%s': has %u hosts, not %llu; leave the number of hosts out", text,
                       topology->n_nodes, (unsigned long long)spec->n_hosts);
    if (topology->n_switches == 1 && !isnan(uplink_bit_per_s))
        return ct_fail(err, CT_EUSAGE, "topology '%s': one switch has no uplinks; leave uplink out",
                       text);
    return isnan(uplink_bit_per_s) ? CT_OK : ct_lab_rate_check("uplink", uplink_bit_per_s, err);
}

enum ct_status ct_lab_spec_topology(const char *text, uint64_t spines, double uplink_bit_per_s,
                                    struct ct_lab_spec *spec, struct ct_error *err)
{
    struct ct_topology topology;
    CT_TRY(make_topology(text, spines, &topology, err));
    enum ct_status status = check_settings(&topology, text, uplink_bit_per_s, spec, err);
    if (status == CT_OK) {
        spec->n_hosts = topology.n_nodes;
        print_text(&topology, text, spec->topology, sizeof spec->topology);
        spec->uplink_bit_per_s = topology.n_switches == 1  ? 0
                                 : isnan(uplink_bit_per_s) ? spec->rate_bit_per_s
                                                           : uplink_bit_per_s;
    }
    ct_topology_free(&topology);
    return status;
}

/* ---- the plan ---- */

/* Links of hosts become ports, those between switches links of the plan; where[] is their number.
 */
static void place_nodes(const struct ct_topology *topology, struct ct_lab_plan *plan,
                        uint16_t *where)
{
    uint32_t n_hosts = topology->n_nodes;
    plan->n_hosts = n_hosts;
    plan->n_switches = topology->n_switches;
    for (uint32_t i = 0; i < topology->n_switches; i++)
        snprintf(plan->switch_name[i], sizeof plan->switch_name[i], "%.*s",
                 CT_LAB_SWITCH_NAME_MAX - 1, ct_topology_name(topology, n_hosts + i));
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const uint32_t *end = topology->links[i].end;
        if (end[0] < n_hosts || end[1] < n_hosts) {
            uint32_t host = end[0] < n_hosts ? end[0] : end[1];
            plan->switch_of[host] = (uint16_t)(end[0] + end[1] - host - n_hosts);
            continue;
        }
        where[i] = (uint16_t)plan->n_links;
        for (size_t side = 0; side < 2; side++)
            plan->link[plan->n_links].at[side] = (uint16_t)(end[side] - n_hosts);
        plan->n_links++;
    }
}

static void add_hop(const struct ct_topology *topology, const uint16_t *where, uint32_t from,
                    uint32_t to, const struct ct_hop *hop, struct ct_lab_plan *plan)
{
    struct ct_lab_way way = {.kind = CT_LAB_WAY_HOST};
    if (hop->to >= topology->n_nodes) {
        way.kind = CT_LAB_WAY_LINK;
        way.link = where[hop->link];
        way.end = topology->links[hop->link].end[0] == hop->from ? 0 : 1;
        plan->link[way.link].sources[way.end] |= UINT64_C(1) << from;
    }
    struct ct_lab_way *known = &plan->way[hop->from - topology->n_nodes][to];
    assert(known->kind == CT_LAB_WAY_NONE || !memcmp(known, &way, sizeof way));
    *known = way;
}

static enum ct_status follow_routes(const struct ct_topology *topology, const uint16_t *where,
                                    struct ct_lab_plan *plan, struct ct_error *err)
{
    struct ct_router *router;
    struct ct_route route = {0};
    CT_TRY(ct_router_new(topology, &router, err));
    enum ct_status status = CT_OK;
    for (uint32_t from = 0; from < plan->n_hosts; from++)
        for (uint32_t to = 0; to < plan->n_hosts && status == CT_OK; to++) {
            status = ct_route_find(router, from, to, &route, err);
            for (size_t i = 1; i < route.n && status == CT_OK; i++) /* the first leaves the host */
                add_hop(topology, where, from, to, &route.hops[i], plan);
        }
    free(route.hops);
    ct_router_free(router);
    return status;
}

enum ct_status ct_lab_plan_new(const struct ct_lab_spec *spec, struct ct_lab_plan **plan_p,
                               struct ct_error *err)
{
    char text[CT_LAB_TOPOLOGY_MAX];
    struct ct_topology topology;
    if (*spec->topology)
        snprintf(text, sizeof text, "%s", spec->topology);
    else
        snprintf(text, sizeof text, "switch:%llu", (unsigned long long)spec->n_hosts);
    CT_TRY(make_topology(text, 0, &topology, err));
    struct ct_lab_plan *plan = calloc(1, sizeof *plan);
    uint16_t *where = calloc(topology.n_links, sizeof *where);
    enum ct_status status = CT_OK;
    if (!plan || !where) {
        status = ct_no_memory(err, "lab");
    } else if (topology.n_nodes != spec->n_hosts) {
        status = ct_fail(err, CT_EINVAL, "topology '%s': has %u hosts, not %llu", text,
                         topology.n_nodes, (unsigned long long)spec->n_hosts);
    } else {
        place_nodes(&topology, plan, where);
        status = follow_routes(&topology, where, plan, err);
    }
    ct_topology_free(&topology);
    free(where);
    if (status == CT_OK)
        *plan_p = plan;
    else
        free(plan);
    return status;
}

double ct_lab_oversubscription(const struct ct_lab_plan *plan, const struct ct_lab_spec *spec)
{
    double largest = NAN;
    for (uint32_t i = 0; i < plan->n_switches; i++) {
        double hosts = 0, links = 0;
        for (uint32_t host = 0; host < plan->n_hosts; host++)
            hosts += plan->switch_of[host] == i;
        for (uint32_t link = 0; link < plan->n_links; link++)
            links += plan->link[link].at[0] == i || plan->link[link].at[1] == i;
        if (links > 0)
            largest =
                fmax(largest, hosts * spec->rate_bit_per_s / (links * spec->uplink_bit_per_s));
    }
    return largest;
}

/* ---- names ---- */

void ct_lab_switch_device(unsigned number, char text[CT_LAB_DEVICE_MAX])
{
    snprintf(text, CT_LAB_DEVICE_MAX, "sw%u", number);
}

void ct_lab_link_device(unsigned link, unsigned end, char text[CT_LAB_DEVICE_MAX])
{
    snprintf(text, CT_LAB_DEVICE_MAX, "u%u%c", link + 1, end ? 'b' : 'a');
}

void ct_lab_held_device(unsigned link, unsigned end, char text[CT_LAB_DEVICE_MAX])
{
    snprintf(text, CT_LAB_DEVICE_MAX, "e%u%c", link + 1, end ? 'b' : 'a');
}

bool ct_lab_link_of_device(const char *name, size_t *link_p, size_t *end_p)
{
    if (name[0] != 'u' || !isdigit((unsigned char)name[1]))
        return false;
    char *rest;
    unsigned long number = strtoul(name + 1, &rest, 10);
    if (number < 1 || number > CT_LAB_LINKS_MAX || (rest[0] != 'a' && rest[0] != 'b') || rest[1])
        return false;
    *link_p = number - 1;
    *end_p = rest[0] == 'b';
    return true;
}
