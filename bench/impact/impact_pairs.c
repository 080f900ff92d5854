#include "bench/impact/impact_pairs.h"

#include "core/order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ct_status ct_impact_team_new(const struct ct_layout *layout, enum ct_pairing pairing,
                                  bool within_node, uint64_t seed,
                                  const struct ct_impact_rounds *rounds,
                                  struct ct_impact_team *team_p)
{
    int n_units = within_node ? layout->n_ranks : layout->n_nodes;
    int *partner = malloc((size_t)n_units * sizeof *partner);
    if (!partner)
        return CT_ENOMEM;
    *team_p = (struct ct_impact_team){.layout = layout,
                                      .pairing = pairing,
                                      .within_node = within_node,
                                      .seed = seed,
                                      .rounds = rounds ? *rounds : (struct ct_impact_rounds){0},
                                      .n_units = n_units,
                                      .partner_of_unit = partner};
    return CT_OK;
}

void ct_impact_team_free(struct ct_impact_team *team)
{
    free(team->partner_of_unit);
    team->partner_of_unit = NULL;
}

int ct_impact_team_cycle(const struct ct_impact_team *team)
{
    return team->pairing == CT_PAIRING_LINKS ? team->rounds.n
                                             : ct_impact_epochs(team->pairing, team->n_units);
}

enum ct_status ct_impact_team_epoch(struct ct_impact_team *team, int epoch)
{
    if (team->pairing == CT_PAIRING_LINKS) {
        size_t n = (size_t)team->n_units, round = (size_t)(epoch % team->rounds.n);
        memcpy(team->partner_of_unit, team->rounds.partner + round * n,
               n * sizeof *team->partner_of_unit);
        return CT_OK;
    }
    return ct_impact_partners(team->pairing, team->n_units, epoch, team->seed,
                              team->partner_of_unit);
}

int ct_impact_team_partner(const struct ct_impact_team *team, int rank)
{
    if (team->within_node)
        return team->partner_of_unit[rank];
    const struct ct_layout *layout = team->layout;
    int node = team->partner_of_unit[layout->node_of_rank[rank]];
    int partner = ct_layout_rank(layout, node, layout->slot_of_rank[rank]);
    return partner < 0 ? rank : partner;
}

int ct_impact_team_prober(const struct ct_impact_team *team, int rank, int partner, int epoch)
{
    int cycle = epoch / ct_impact_team_cycle(team);
    int lower = rank < partner ? rank : partner, higher = rank < partner ? partner : rank;
    return (lower + higher + cycle) % 2 == 1 ? lower : higher;
}

CT_ORDER(compare_pairs, struct ct_pair, rank_a, rank_b)

static struct ct_pair make_pair(const struct ct_layout *layout, int rank_a, int rank_b)
{
    struct ct_pair pair = {.rank_a = (uint32_t)rank_a, .rank_b = (uint32_t)rank_b};
    snprintf(pair.host_a, CT_HOST_MAX, "%s", ct_layout_host(layout, layout->node_of_rank[rank_a]));
    snprintf(pair.host_b, CT_HOST_MAX, "%s", ct_layout_host(layout, layout->node_of_rank[rank_b]));
    return pair;
}

/* Mark in met[], n_units squared, which units meet. */
static enum ct_status find_meetings(struct ct_impact_team *team, int n_epochs, bool *met)
{
    size_t n = (size_t)team->n_units;
    for (int epoch = 0; epoch < n_epochs; epoch++) {
        if (ct_impact_team_epoch(team, epoch) != CT_OK)
            return CT_ENOMEM;
        for (size_t unit = 0; unit < n; unit++)
            met[unit * n + (size_t)team->partner_of_unit[unit]] = true;
    }
    return CT_OK;
}

static size_t list_pairs(const struct ct_impact_team *team, const bool *met, struct ct_pair *pairs)
{
    const struct ct_layout *layout = team->layout;
    size_t n = (size_t)team->n_units, count = 0;
    for (int rank_a = 0; rank_a < layout->n_ranks; rank_a++)
        for (int rank_b = rank_a + 1; rank_b < layout->n_ranks; rank_b++) {
            int unit_a = team->within_node ? rank_a : layout->node_of_rank[rank_a];
            int unit_b = team->within_node ? rank_b : layout->node_of_rank[rank_b];
            bool same_slot =
                team->within_node || layout->slot_of_rank[rank_a] == layout->slot_of_rank[rank_b];
            if (unit_a == unit_b || !same_slot || !met[(size_t)unit_a * n + (size_t)unit_b])
                continue;
            if (pairs)
                pairs[count] = make_pair(layout, rank_a, rank_b);
            count++;
        }
    return count;
}

enum ct_status ct_impact_team_pairs(struct ct_impact_team *team, int n_epochs,
                                    struct ct_pair **pairs_p, size_t *n_p)
{
    /* After one cycle nothing new comes, unless partners are drawn. */
    int once = ct_impact_team_cycle(team);
    if (team->pairing != CT_PAIRING_RANDOM && n_epochs > once)
        n_epochs = once;
    size_t n_units = (size_t)team->n_units;
    bool *met = calloc(n_units * n_units, sizeof *met);
    struct ct_pair *pairs = NULL;
    size_t n = 0;
    enum ct_status status = met ? find_meetings(team, n_epochs, met) : CT_ENOMEM;
    if (status == CT_OK)
        n = list_pairs(team, met, NULL);
    if (status == CT_OK && n > 0) {
        pairs = malloc(n * sizeof *pairs);
        status = pairs ? CT_OK : CT_ENOMEM;
    }
    if (status == CT_OK && n > 0)
        list_pairs(team, met, pairs);
    free(met);
    if (status != CT_OK)
        return status;
    *pairs_p = pairs;
    *n_p = n;
    return CT_OK;
}

uint32_t ct_impact_pair_index(const struct ct_pair *pairs, size_t n, int rank_a, int rank_b)
{
    const struct ct_pair key = {.rank_a = (uint32_t)rank_a, .rank_b = (uint32_t)rank_b};
    const struct ct_pair *found = bsearch(&key, pairs, n, sizeof *pairs, compare_pairs);
    assert(found);
    return (uint32_t)(found - pairs);
}
