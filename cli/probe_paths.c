#include "cli/probe_paths.h"

#include "results/path_classes.h"
#include "study/run_network.h"

#include <stdio.h>
#include <stdlib.h>

/* "h1 to h6: leaf0 spine1 leaf1, back leaf1 spine0 leaf0". */
static void write_way(FILE *out, struct ct_run_network *network, uint32_t from, uint32_t to)
{
    struct ct_route route = {0};
    struct ct_error err;
    if (ct_route_find(network->router, from, to, &route, &err) == CT_OK)
        for (size_t i = 0; i + 1 < route.n; i++)
            fprintf(out, " %s", ct_topology_name(&network->topology, route.hops[i].to));
    free(route.hops);
}

static char *describe_paths(const struct ct_run *run, size_t pair)
{
    struct ct_run_network network;
    struct ct_node_pair *pairs = NULL;
    struct ct_error err;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s to %s", run->pairs[pair].host_a, run->pairs[pair].host_b);
    /* A topology that the run names but does not hold: the names of the hosts have to do. */
    if (ct_run_network_open(&run->info, NULL, &network, &err) == CT_OK &&
        ct_run_network_pairs(&network, run, &pairs, &err) == CT_OK) {
        fprintf(out, ":");
        write_way(out, &network, pairs[pair].a, pairs[pair].b);
        fprintf(out, ", back");
        write_way(out, &network, pairs[pair].b, pairs[pair].a);
    }
    free(pairs);
    ct_run_network_close(&network);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void fill_class(struct ct_tables *tables, const struct ct_path_class *class)
{
    char name[32] = "same switch";
    if (class->switches > 1)
        snprintf(name, sizeof name, "%u switches", class->switches);
    ct_tables_cell_text(tables, name);
    CT_CELL_NUMBERS(tables, class->switches, (double)class->n_pairs, (double)class->n,
                    class->mean_s, class->p50_s, class->p99_s);
}

enum ct_status ct_probe_paths_fill(struct ct_tables *tables, const struct ct_run *run,
                                   struct ct_error *err)
{
    static const struct ct_column columns[] = {
        {"path", "path", CT_UNIT_NONE},      {"path_class", NULL, CT_UNIT_COUNT},
        {"n_pairs", "pairs", CT_UNIT_COUNT}, {"samples", "samples", CT_UNIT_COUNT},
        {"mean_s", "mean", CT_UNIT_SECONDS}, {"p50_s", "p50", CT_UNIT_SECONDS},
        {"p99_s", "p99", CT_UNIT_SECONDS}};
    struct ct_path_class *classes = NULL;
    size_t n, worst;
    enum ct_status status = ct_path_classes_take(run, &classes, &n, &worst, err);
    if (status != CT_OK || n == 0)
        return status;
    char *way = describe_paths(run, worst);
    if (way) {
        CT_TABLES_TEXT(tables, "slowest_path", "slowest path", way);
        CT_TABLES_BEGIN(tables, "paths", "Latency by path", columns);
        for (size_t i = 0; i < n; i++)
            fill_class(tables, &classes[i]);
    } else {
        status = ct_no_memory(err, "slowest path");
    }
    free(way);
    free(classes);
    return status;
}
