#include "watch/probe/partners.h"

#include "core/random.h"
#include "topology/paths.h"

#include <stdlib.h>

enum { ALL_PAIRS_HOSTS = 128, RANDOM_PARTNERS = 64 };

/* All pairs of hosts, or in large watches some for each host, the same each time. */
static size_t list_pairs(const uint32_t *vertex, size_t n, struct ct_node_pair *pairs,
                         size_t *first, size_t *second)
{
    size_t n_pairs = 0;
    uint64_t random = 1;
    for (size_t i = 0; i < n; i++) {
        size_t n_of_host = n <= ALL_PAIRS_HOSTS ? n - 1 - i : RANDOM_PARTNERS;
        for (size_t k = 0; k < n_of_host; k++) {
            size_t j = n <= ALL_PAIRS_HOSTS ? i + 1 + k : ct_random_next(&random) % n;
            if (i == j)
                continue;
            pairs[n_pairs] = (struct ct_node_pair){vertex[i], vertex[j]};
            first[n_pairs] = i;
            second[n_pairs++] = j;
        }
    }
    return n_pairs;
}

static enum ct_status choose_pairs(const struct ct_topology *topology,
                                   const struct ct_node_pair *pairs, size_t n_pairs, bool *chosen,
                                   struct ct_error *err)
{
    struct ct_router *router;
    struct ct_paths paths;
    CT_TRY(ct_router_new(topology, &router, err));
    enum ct_status status = ct_paths_make(router, topology, pairs, n_pairs, &paths, err);
    if (status == CT_OK) {
        status = ct_paths_choose(&paths, chosen, err);
        ct_paths_free(&paths);
    }
    ct_router_free(router);
    return status;
}

enum ct_status ct_probe_partners_choose(const struct ct_topology *topology, enum ct_places places,
                                        const struct ct_watch_host *hosts, size_t n,
                                        bool **partners_p, struct ct_error *err)
{
    size_t n_present = 0;
    size_t room = n <= ALL_PAIRS_HOSTS ? n * n : n * RANDOM_PARTNERS;
    size_t *number = malloc((n + 1) * sizeof *number);
    const char **names = calloc(n + 1, sizeof *names);
    uint32_t *vertex = calloc(n + 1, sizeof *vertex);
    struct ct_node_pair *pairs = malloc((room + 1) * sizeof *pairs);
    size_t *first = malloc((room + 1) * sizeof *first);
    size_t *second = malloc((room + 1) * sizeof *second);
    bool *chosen = calloc(room + 1, sizeof *chosen), *partners = calloc(n * n + 1, 1);
    enum ct_status status =
        number && names && vertex && pairs && first && second && chosen && partners
            ? CT_OK
            : ct_no_memory(err, "partners of %zu hosts", n);
    for (size_t i = 0; status == CT_OK && i < n; i++)
        names[i] = hosts[i].name;
    if (status == CT_OK)
        status = ct_topology_place(topology, names, n, places, vertex, err);
    for (size_t i = 0; status == CT_OK && i < n; i++)
        if (hosts[i].is_present) {
            vertex[n_present] = vertex[i];
            number[n_present++] = i;
        }
    size_t n_pairs = 0;
    if (status == CT_OK && n_present >= 2) {
        n_pairs = list_pairs(vertex, n_present, pairs, first, second);
        status = choose_pairs(topology, pairs, n_pairs, chosen, err);
    }
    for (size_t i = 0; status == CT_OK && i < n_pairs; i++) {
        size_t a = number[first[i]], b = number[second[i]];
        if (chosen[i])
            partners[a * n + b] = partners[b * n + a] = true;
    }
    if (status == CT_OK) {
        *partners_p = n_present >= 2 ? partners : NULL;
        partners = n_present >= 2 ? NULL : partners;
    }
    free(number);
    free(names);
    free(vertex);
    free(pairs);
    free(first);
    free(second);
    free(chosen);
    free(partners);
    return status;
}
