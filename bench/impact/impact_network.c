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
    bool is_conf_ignored; /* by Slurm, which has topology.yaml beside it */
};

/* Slurm ignores topology.conf where there is a topology.yaml, as topology.conf(5) says. */
static bool find_in(const char *folder, int length, struct source *source)
{
    char conf[sizeof source->slurm_path];
    const size_t size = sizeof source->slurm_path;
    snprintf(conf, size, "%.*s/topology.conf", length, folder);
    snprintf(source->slurm_path, size, "%.*s/topology.yaml", length, folder);
    bool has_conf = access(conf, F_OK) == 0, has_yaml = access(source->slurm_path, F_OK) == 0;
    source->is_conf_ignored = has_conf && has_yaml;
    if (!has_yaml)
        snprintf(source->slurm_path, size, "%s", conf);
    return has_conf || has_yaml;
}

/* Beside slurm.conf: where SLURM_CONF says, in the usual folder, or where slurmd has fetched it. */
static bool find_slurm_file(struct source *source)
{
    static const char *const folders[] = {"/etc/slurm", "/run/slurm/conf"};
    const char *conf = getenv("SLURM_CONF");
    const char *slash = conf ? strrchr(conf, '/') : NULL;
    if (!getenv("SLURM_JOB_ID"))
        return false;
    if (slash && find_in(conf, (int)(slash - conf), source))
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (find_in(folders[i], (int)strlen(folders[i]), source))
            return true;
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
    CT_TRY(ct_topology_load(text, &network->text, err));
    return ct_topology_parse(network->text.text, network->text.size, text, &network->topology, err);
}

static enum ct_status place_hosts(struct ct_impact_network *network, const struct ct_layout *layout,
                                  enum ct_places places, struct ct_error *err)
{
    size_t n = (size_t)layout->n_nodes;
    const char **hosts = malloc(n * sizeof *hosts);
    network->vertex = malloc(n * sizeof *network->vertex);
    enum ct_status status = hosts && network->vertex ? CT_OK : ct_no_memory(err, "topology");
    for (size_t node = 0; node < n && status == CT_OK; node++)
        hosts[node] = ct_layout_host(layout, (int)node);
    if (status == CT_OK)
        status = ct_topology_place(&network->topology, hosts, n, places, network->vertex, err);
    free(hosts);
    return status;
}

/* Hosts in parts that no switch joins have no paths between them. */
static enum ct_status check_ways(const struct ct_impact_network *network,
                                 const struct ct_layout *layout, struct ct_error *err)
{
    uint32_t switches;
    for (int node = 1; node < layout->n_nodes; node++)
        CT_TRY(ct_route_switches(network->router, network->vertex[0], network->vertex[node],
                                 &switches, err));
    return CT_OK;
}

static enum ct_status read_network(const struct source *source, const struct ct_layout *layout,
                                   struct ct_impact_network *network, bool *is_read_p,
                                   struct ct_error *err)
{
    enum ct_status status = open_topology(source->text, layout, network, err);
    *is_read_p = status == CT_OK;
    if (status == CT_OK)
        status = place_hosts(network, layout, source->places, err);
    if (status == CT_OK)
        status = ct_router_new(&network->topology, &network->router, err);
    return status == CT_OK ? check_ways(network, layout, err) : status;
}

/* What was left out of Slurm's file, or how it was taken: ": " and the first sentence without its
   full stop; "": nothing. */
static void describe_reading(const struct source *source, const struct ct_impact_network *network,
                             char text[400])
{
    const char *notes = source->origin == OF_SLURM ? network->topology.notes : NULL;
    size_t length = notes ? strcspn(notes, "\n") : 0;
    length -= length > 0 && notes[length - 1] == '.';
    snprintf(text, 400, "%s%.*s", length > 0 ? ": " : "", (int)length, notes ? notes : "");
}

/* What was found by itself and is not used would be missed without a word. */
static enum ct_status note_failure(const struct source *source, const struct ct_error *why,
                                   struct ct_impact_network *network, struct ct_error *err)
{
    int length = 0;
    char reading[400];
    describe_reading(source, network, reading);
    if (why)
        length = asprintf(
            &network->note, "no topology is known: that of %s is left out: %s%s",
            source->origin == OF_LAB ? "the lab" : "Slurm", why->text,
            source->is_conf_ignored ? "; Slurm ignores topology.conf beside topology.yaml" : "");
    else if (source->is_conf_ignored || *reading)
        length = asprintf(&network->note, "the topology is %s%s%s", source->slurm_path, reading,
                          source->is_conf_ignored ? "; Slurm ignores topology.conf beside it" : "");
    if (length >= 0)
        return CT_OK;
    network->note = NULL;
    return ct_no_memory(err, "topology");
}

enum ct_status ct_impact_network_find(const char *given, const struct ct_layout *layout,
                                      struct ct_impact_network *network_p, struct ct_error *err)
{
    struct source source = find_source(given);
    struct ct_error why;
    bool is_read;
    *network_p = (struct ct_impact_network){0};
    if (!source.text && find_slurm_file(&source))
        source.text = source.slurm_path;
    if (!source.text)
        return CT_OK;
    enum ct_status status = read_network(&source, layout, network_p, &is_read, &why);
    if (status == CT_OK) {
        network_p->known = true;
        return note_failure(&source, NULL, network_p, err);
    }
    ct_impact_network_free(network_p);
    if (status != CT_ENOMEM && source.origin != GIVEN && (source.origin != OF_LAB || is_read))
        return note_failure(&source, &why, network_p, err);
    if (err)
        *err = why;
    return status;
}

void ct_impact_network_free(struct ct_impact_network *network)
{
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
    free(network->vertex);
    free(network->text.text);
    free(network->note);
    *network = (struct ct_impact_network){0};
}

enum ct_status ct_impact_network_classify(const struct ct_impact_network *network,
                                          const struct ct_layout *layout, struct ct_pair *pairs,
                                          size_t n_pairs, struct ct_error *err)
{
    for (size_t p = 0; p < n_pairs; p++) {
        uint32_t a = network->vertex[layout->node_of_rank[pairs[p].rank_a]], there;
        uint32_t b = network->vertex[layout->node_of_rank[pairs[p].rank_b]], back;
        CT_TRY(ct_route_switches(network->router, a, b, &there, err));
        CT_TRY(ct_route_switches(network->router, b, a, &back, err));
        pairs[p].path_class = there > back ? there : back;
    }
    return CT_OK;
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
    enum ct_status status = CT_OK;
    if (network->note)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY_NOTE, network->note);
    if (!network->known)
        return status == CT_OK ? CT_OK : ct_no_memory(err, "topology");
    char *nodes = join_nodes(network, layout);
    if (status == CT_OK && !nodes)
        status = CT_ENOMEM;
    if (status == CT_OK)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY, network->topology.name);
    if (status == CT_OK)
        status = ct_run_add_number(info, CT_RUN_TOPOLOGY_SWITCHES, network->topology.n_switches);
    if (status == CT_OK)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY_NODES, nodes);
    if (status == CT_OK && network->text.text && network->text.size <= CT_RUN_TOPOLOGY_TEXT_MAX)
        status = ct_run_add_text(info, CT_RUN_TOPOLOGY_TEXT, network->text.text);
    free(nodes);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "topology");
}
