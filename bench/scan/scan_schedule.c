#include "bench/scan/scan_schedule.h"

#include "core/random.h"

#include <stdlib.h>

static int count_seats(int n)
{
    return n + n % 2;
}

int ct_scan_steps(int n)
{
    return n < 2 ? 0 : count_seats(n) - 1;
}

int ct_scan_partner(int n, int step, int node)
{
    int last = count_seats(n) - 1;
    int partner = node == last ? step : ((2 * step - node) % last + last) % last;
    if (partner == node)
        partner = last;
    return partner < n ? partner : -1;
}

/* ---- parts ---- */

enum { GPCNET_PARTS = 4 };

int ct_scan_part_count(enum ct_scan_congestor congestor, int n_nodes)
{
    if (congestor == CT_SCAN_WITH_GPCNET)
        return GPCNET_PARTS;
    if (congestor != CT_SCAN_WITH_INCAST && congestor != CT_SCAN_WITH_BROADCAST)
        return 1;
    return n_nodes < CT_SCAN_PART_NODES ? 1 : n_nodes / CT_SCAN_PART_NODES;
}

/* First nodes of the parts first, then the others in their order. */
static void order_rooted(int n_nodes, uint64_t seed, const int *roots, int n_roots, int n_parts,
                         int *order)
{
    int n = 0, start = (int)(seed % (uint64_t)n_nodes);
    for (int part = 0; part < n_parts; part++) {
        int node = part < n_roots ? roots[part]
                                  : (int)((start + (int64_t)part * n_nodes / n_parts) % n_nodes);
        bool is_free = false;
        while (!is_free) {
            is_free = true;
            for (int i = 0; i < n; i++)
                is_free = is_free && order[i] != node;
            node = is_free ? node : (node + 1) % n_nodes;
        }
        order[n++] = node;
    }
    for (int i = 0; i < n_nodes; i++) {
        bool is_first = false;
        for (int part = 0; part < n_parts; part++)
            is_first = is_first || order[part] == i;
        if (!is_first)
            order[n++] = i;
    }
}

enum ct_status ct_scan_part_divide(enum ct_scan_congestor congestor, int n_nodes, uint64_t seed,
                                   const int *roots, int n_roots, int *part_of, int *place_of,
                                   struct ct_error *err)
{
    int n_parts = ct_scan_part_count(congestor, n_nodes);
    int *order = malloc((size_t)n_nodes * sizeof *order);
    struct ct_twister twister;
    if (!order)
        return ct_no_memory(err, "%d congestor nodes", n_nodes);
    for (int i = 0; i < n_nodes; i++)
        order[i] = i;
    if (congestor == CT_SCAN_WITH_INCAST || congestor == CT_SCAN_WITH_BROADCAST)
        order_rooted(n_nodes, seed, roots, n_roots, n_parts, order);
    if (congestor == CT_SCAN_WITH_GPCNET) {
        ct_twister_seed(&twister, ct_random_fold(seed));
        ct_twister_shuffle(&twister, order, (size_t)n_nodes);
    }
    for (int i = 0; i < n_nodes; i++) {
        part_of[order[i]] = i % n_parts;
        place_of[order[i]] = i / n_parts;
    }
    free(order);
    return CT_OK;
}
