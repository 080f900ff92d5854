#include "bench/impact/impact_network.h"

#include "topology/places.h"
#include "topology/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text, and how it was come by. */
struct source {
    const char *text;
    enum { GIVEN, OF_LAB, OF_SLURM } origin;
    enum ct_places places;
    char slurm_path[512];
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "topology: out of memory");
}

/* Beside slurm.conf: where SLURM_CONF says, in the usual folder, or where slurmd has fetched it. */
static bool find_slurm_file(char *path, size_t size)
{
    static const char *const folders[] = {"/etc/slurm", "/run/slurm/conf"};
    const char *conf = getenv("SLURM_CONF");
    const char *slash = conf ? strrchr(conf, '/') : NULL;
    if (!getenv("SLURM_JOB_ID"))
        return false;
    if (slash) {
        snprintf(path, size, "%.*s/topology.conf", (int)(slash - conf), conf);
        if (access(path, R_OK) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, size, "%s/topology.conf", folders[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static struct source find_source(const char *given)
{
    const char *of_lab = getenv(CT_LAB_TOPOLOGY_VARIABLE);
    bool in_lab = of_lab && *of_lab;
    return (struct source){.text = given    ? given
                                   : in_lab ? of_lab
                                            : NULL,
                           .origin = given    ? GIVEN
                                     : in_lab ? OF_LAB
                                              : OF_SLURM,
                           .places = in_lab ? CT_PLACES_OF_LAB : CT_PLACES_IN_ORDER};
}

static enum ct_status open_topology(const char *text, const struct ct_layout *layout,
                                    struct ct_impact_network *network, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    settings.n_nodes = (uint32_t)layout->n_nodes;
    if (ct_topology_is_spec(text) || access(text, R_OK) != 0)
        return ct_topology_open(text, &settings, &network->topology, err);
    enum ct_status status = ct_file_read(text, &network->text, err);
    return status == CT_OK ? ct_topology_parse(network->text.text, network->text.size, text,
                                               &network->topology, err)
                           : status;
}

static enum ct_status place_hosts(struct ct_impact_network *network, const struct ct_layout *layout,
                                  enum ct_places places, struct ct_error *err)
{
    size_t n = (size_t)layout->n_nodes;
    const char **hosts = malloc(n * sizeof *hosts);
    network->vertex = malloc(n * sizeof *network->vertex);
    enum ct_status status = hosts && network->vertex ? CT_OK : no_memory(err);
    for (size_t node = 0; node < n && status == CT_OK; node++)
        hosts[node] = ct_layout_host(layout, (int)node);
    if (status == CT_OK)
        status = ct_topology_place(&network->topology, hosts, n, places, network->vertex, err);
    free(hosts);
    return status;
}

enum ct_status ct_impact_network_find(const char *given, const struct ct_layout *layout,
                                      struct ct_impact_network *network_p, struct ct_error *err)
{
    struct source source = find_source(given);
    *network_p = (struct ct_impact_network){0};
    if (!source.text && find_slurm_file(source.slurm_path, sizeof source.slurm_path))
        source.text = source.slurm_path;
    if (!source.text)
        return CT_OK;
    enum ct_status status = open_topology(source.text, layout, network_p, err);
    bool is_read = status == CT_OK;
    if (status == CT_OK)
        status = place_hosts(network_p, layout, source.places, err);
    if (status == CT_OK)
        status = ct_router_new(&network_p->topology, &network_p->router, err);
    network_p->known = status == CT_OK;
    if (status == CT_OK)
        return CT_OK;
    ct_impact_network_free(network_p);
    bool is_due = source.origin == GIVEN || (source.origin == OF_LAB && !is_read);
    return is_due || status == CT_ENOMEM ? status : CT_OK;
}

void ct_impact_network_free(struct ct_impact_network *network)
{
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
    free(network->vertex);
    free(network->text.text);
    *network = (struct ct_impact_network){0};
}

enum ct_status ct_impact_network_classify(const struct ct_impact_network *network,
                                          const struct ct_layout *layout, struct ct_pair *pairs,
                                          size_t n_pairs, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t p = 0; p < n_pairs && status == CT_OK; p++) {
        uint32_t a = network->vertex[layout->node_of_rank[pairs[p].rank_a]], there;
        uint32_t b = network->vertex[layout->node_of_rank[pairs[p].rank_b]], back;
        status = ct_route_switches(network->router, a, b, &there, err);
        if (status == CT_OK)
            status = ct_route_switches(network->router, b, a, &back, err);
        if (status == CT_OK)
            pairs[p].path_class = there > back ? there : back;
    }
    return status;
}

static char *join_nodes(const struct ct_impact_network *network, const struct ct_layout *layout)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int node = 0; node < layout->n_nodes; node++)
        fprintf(out, "%s%s", node ? " " : "",
                ct_topology_name(&network->topology, network->vertex[node]));
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

enum ct_status ct_impact_network_describe(const struct ct_impact_network *network,
                                          const struct ct_layout *layout, struct ct_run_info *info,
                                          struct ct_error *err)
{
    char *nodes = join_nodes(network, layout);
    enum ct_status status = nodes ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY, network->topology.name);
    if (status == CT_OK)
        status = ct_run_add_number(info, CT_RUN_TOPOLOGY_SWITCHES, network->topology.n_switches);
    if (status == CT_OK)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY_NODES, nodes);
    if (status == CT_OK && network->text.text && network->text.size <= CT_RUN_TOPOLOGY_TEXT_MAX)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY_TEXT, network->text.text);
    free(nodes);
    return status == CT_OK ? CT_OK : no_memory(err);
}
