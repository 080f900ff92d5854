#include "study/run_network.h"

#include "topology/places.h"
#include "topology/read.h"

#include <stdlib.h>
#include <string.h>

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "network of a run: out of memory");
}

static enum ct_status build(const struct ct_run_info *info, const char *text,
                            struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    const char *name = ct_run_text(info, CT_RUN_TOPOLOGY);
    const char *content = ct_run_text(info, CT_RUN_TOPOLOGY_TEXT);
    settings.n_nodes = (uint32_t)ct_run_count_hosts(info);
    if (text)
        return ct_topology_open(text, &settings, topology_p, err);
    if (content)
        return ct_topology_parse(content, strlen(content), name ? name : "topology", topology_p,
                                 err);
    if (name && ct_topology_is_spec(name))
        return ct_topology_make(name, &settings, topology_p, err);
    return ct_fail(err, CT_ENODATA,
                   "the run has no topology: give --topology, or probe with impactb --topology");
}

enum ct_status ct_run_network_open(const struct ct_run_info *info, const char *text,
                                   struct ct_run_network *network_p, struct ct_error *err)
{
    *network_p = (struct ct_run_network){0};
    enum ct_status status = build(info, text, &network_p->topology, err);
    return status == CT_OK ? ct_router_new(&network_p->topology, &network_p->router, err) : status;
}

void ct_run_network_close(struct ct_run_network *network)
{
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
    *network = (struct ct_run_network){0};
}

/* ---- hosts ---- */

/* Words of a text, in a copy of it. */
struct words {
    char *text;
    const char **word;
    size_t n;
};

static bool split(const char *text, struct words *words)
{
    char *rest;
    *words = (struct words){.text = strdup(text),
                            .word = malloc((strlen(text) + 1) * sizeof *words->word)};
    if (!words->text || !words->word)
        return false;
    for (char *word = strtok_r(words->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        words->word[words->n++] = word;
    return true;
}

static void free_words(struct words *words)
{
    free(words->text);
    free(words->word);
}

/* Names of nodes that the run has recorded, if this topology has all of them. */
static bool take_recorded(const struct ct_topology *topology, const struct words *nodes,
                          size_t n_hosts, uint32_t *vertex)
{
    if (nodes->n != n_hosts)
        return false;
    for (size_t i = 0; i < n_hosts; i++)
        if (!ct_topology_find(topology, nodes->word[i], &vertex[i]) ||
            vertex[i] >= topology->n_nodes)
            return false;
    return true;
}

static bool find_host(const struct words *hosts, const char *name, size_t *i_p)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (strcmp(hosts->word[i], name) == 0) {
            *i_p = i;
            return true;
        }
    return false;
}

static enum ct_status translate(const struct ct_run *run, const struct words *hosts,
                                const uint32_t *vertex, struct ct_node_pair *pairs,
                                struct ct_error *err)
{
    for (size_t p = 0; p < run->n_pairs; p++) {
        const struct ct_pair *pair = &run->pairs[p];
        size_t a, b;
        if (!find_host(hosts, pair->host_a, &a) || !find_host(hosts, pair->host_b, &b))
            return ct_fail(err, CT_EINVAL, "pair %zu: %s or %s is not among the hosts of the run",
                           p, pair->host_a, pair->host_b);
        if (a == b)
            return ct_fail(err, CT_EINVAL, "pair %zu: both ranks are on %s, with no link between",
                           p, pair->host_a);
        pairs[p] = (struct ct_node_pair){vertex[a], vertex[b]};
    }
    return CT_OK;
}

enum ct_status ct_run_network_pairs(const struct ct_run_network *network, const struct ct_run *run,
                                    struct ct_node_pair **pairs_p, struct ct_error *err)
{
    const char *recorded = ct_run_text(&run->info, CT_RUN_TOPOLOGY_NODES);
    struct words hosts = {0}, nodes = {0};
    struct ct_node_pair *pairs = malloc((run->n_pairs + 1) * sizeof *pairs);
    bool room = split(run->info.hosts, &hosts) && split(recorded ? recorded : "", &nodes) && pairs;
    uint32_t *vertex = malloc((hosts.n + 1) * sizeof *vertex);
    enum ct_status status = room && vertex ? CT_OK : no_memory(err);
    if (status == CT_OK && !take_recorded(&network->topology, &nodes, hosts.n, vertex))
        status = ct_topology_place(&network->topology, hosts.word, hosts.n, CT_PLACES_IN_ORDER,
                                   vertex, err);
    if (status == CT_OK)
        status = translate(run, &hosts, vertex, pairs, err);
    free(vertex);
    free_words(&hosts);
    free_words(&nodes);
    if (status == CT_OK)
        *pairs_p = pairs;
    else
        free(pairs);
    return status;
}
