#include "campaign/simgrid_load.h"

#include "campaign/simgrid_platform.h"
#include "core/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* A name ends in the number of its link. SIZE_MAX: no direction of a link has this name. */
static size_t find_way(const struct ct_topology *topology, const char *name)
{
    const char *dash = name ? strrchr(name, '-') : NULL;
    char *end = NULL;
    unsigned long link = dash ? strtoul(dash + 1, &end, 10) : 0;
    if (!dash || *end || end == dash + 1 || link >= topology->n_links)
        return SIZE_MAX;
    for (size_t d = 0; d < 2; d++) {
        char *known = ct_simgrid_link_name(topology, (uint32_t)link, d);
        bool is_it = known && !strcmp(known, name);
        free(known);
        if (is_it)
            return 2 * link + d;
    }
    return SIZE_MAX;
}

static enum ct_status take_link(const cJSON *link, const char *name,
                                const struct ct_topology *topology, struct ct_load_flow *flows,
                                struct ct_error *err)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(link, "link"));
    size_t way = find_way(topology, text);
    const struct ct_load_flow flow = {number_of(link, "bytes"), NAN,
                                      number_of(link, "busy_fraction")};
    if (way == SIZE_MAX)
        return ct_fail(err, CT_EFORMAT, "%s: link '%s': the topology has none of this name", name,
                       text ? text : "");
    if (!(flow.bytes >= 0) || !(flow.busy_frac >= 0) || !isfinite(flow.bytes + flow.busy_frac))
        return ct_fail(err, CT_EFORMAT, "%s: link '%s': bytes and busy_fraction are not both >= 0",
                       name, text);
    flows[way] = flow;
    return CT_OK;
}

static enum ct_status take_links(const cJSON *root, const char *name,
                                 const struct ct_topology *topology, struct ct_simgrid_load *load,
                                 struct ct_error *err)
{
    const cJSON *links = cJSON_GetObjectItemCaseSensitive(root, "links"), *link;
    enum ct_status status = CT_OK;
    load->interval_s = number_of(root, "interval_s");
    if (!cJSON_IsArray(links) || !(load->interval_s >= 0) || !isfinite(load->interval_s))
        return ct_fail(err, CT_EFORMAT, "%s: no interval_s >= 0 and list of links in it", name);
    for (size_t i = 0; i < 2 * (size_t)topology->n_links; i++)
        load->flows[i] = (struct ct_load_flow){0, NAN, load->interval_s > 0 ? 0 : NAN};
    cJSON_ArrayForEach(link, links)
    {
        if (status == CT_OK)
            status = take_link(link, name, topology, load->flows, err);
    }
    return status;
}

enum ct_status ct_simgrid_load_parse(const char *text, size_t size, const char *name,
                                     const struct ct_topology *topology,
                                     struct ct_simgrid_load *load_p, struct ct_error *err)
{
    struct ct_simgrid_load load = {0};
    cJSON *root = cJSON_ParseWithLength(text, size);
    if (!root)
        return ct_fail(err, CT_EFORMAT, "%s: is not JSON", name);
    load.flows = calloc(2 * (size_t)topology->n_links + 1, sizeof *load.flows);
    enum ct_status status =
        load.flows ? take_links(root, name, topology, &load, err) : ct_no_memory(err, "%s", name);
    cJSON_Delete(root);
    if (status == CT_OK)
        *load_p = load;
    else
        free(load.flows);
    return status;
}

/* ---- as the load of the network ---- */

/* Over all links of a host, of which most topologies have one. */
static void add_port(struct ct_load_flow *sum, const struct ct_load_flow *flow, double n)
{
    sum->bytes += flow->bytes;
    sum->busy_frac += flow->busy_frac / n;
}

static void add_host(struct ct_network_load *to, const struct ct_simgrid_load *load,
                     const struct ct_topology *topology, uint32_t node)
{
    char host[CT_HOST_MAX];
    struct ct_load_flow tx = {0, NAN, 0}, rx = tx;
    double n = ct_topology_degree(topology, node);
    for (uint32_t i = topology->first_port[node]; i < topology->first_port[node + 1]; i++) {
        uint32_t link = topology->ports[i].link;
        size_t leaving = topology->links[link].end[0] == node ? 0 : 1;
        add_port(&tx, &load->flows[2 * (size_t)link + leaving], n);
        add_port(&rx, &load->flows[2 * (size_t)link + !leaving], n);
    }
    ct_simgrid_host_name(topology, node, host);
    ct_network_load_add_host(to, host, &tx, &rx);
}

static void add_links(struct ct_network_load *to, const struct ct_simgrid_load *load,
                      const struct ct_topology *topology)
{
    for (size_t i = 0; i < topology->n_links; i++) {
        const uint32_t *end = topology->links[i].end;
        if (end[0] < topology->n_nodes || end[1] < topology->n_nodes)
            continue;
        for (size_t d = 0; d < 2; d++)
            ct_network_load_add_link(to, ct_topology_name(topology, end[d]),
                                     ct_topology_name(topology, end[!d]), &load->flows[2 * i + d]);
    }
}

static enum ct_status write_load(const struct ct_simgrid_load *load,
                                 const struct ct_topology *topology, uint32_t n_hosts,
                                 const char *topology_name, const char *path, struct ct_error *err)
{
    struct ct_network_load *to = ct_network_load_new();
    if (!to)
        return ct_no_memory(err, "%s", path);
    for (uint32_t i = 0; i < n_hosts; i++)
        add_host(to, load, topology, i);
    add_links(to, load, topology);
    enum ct_status status = ct_network_load_write(to, load->interval_s, topology_name, path, err);
    ct_network_load_free(to);
    return status;
}

enum ct_status ct_simgrid_load_convert(const char *path, const struct ct_topology *topology,
                                       uint32_t n_hosts, const char *topology_name,
                                       struct ct_error *err)
{
    struct ct_text text;
    struct ct_simgrid_load load;
    CT_TRY(ct_file_read(path, &text, err));
    enum ct_status status = ct_simgrid_load_parse(text.text, text.size, path, topology, &load, err);
    free(text.text);
    if (status != CT_OK)
        return status;
    status = write_load(&load, topology, n_hosts, topology_name, path, err);
    free(load.flows);
    return status;
}
