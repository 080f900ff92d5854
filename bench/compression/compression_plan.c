#include "bench/compression/compression_plan.h"

#include "core/parts.h"

#include <stdlib.h>

const double ct_compression_sleep_from_s = 50e-6;

/* A vote costs nothing in a simulation, but every round that follows what is measured does. */
static const double cadence_s = CT_SIMULATED ? 1e-3 : 75e-3;
enum { CADENCE_GROWTH = 4, CADENCE_MAX = 1 << 20 };

/* Place in a group of n, for i < 2 n. */
static int wrap_index(int i, int n)
{
    return i < n ? i : i - n;
}

/* Adds the messages of a step or of the whole round for the member i of the group, as members. */
static void shift_partner(struct ct_compression_plan *plan, int i, int distance)
{
    plan->receives_from[plan->n_receives++] = wrap_index(i + distance, plan->n_nodes);
    plan->sends_to[plan->n_sends++] = wrap_index(i + plan->n_nodes - distance, plan->n_nodes);
}

static void shift_up_to(struct ct_compression_plan *plan, int i, int n_partners)
{
    for (int p = 1; p <= n_partners; p++)
        shift_partner(plan, i, p);
}

static void plan_ring(struct ct_compression_plan *plan, int i, int n_partners)
{
    shift_up_to(plan, i, n_partners);
    plan->n_steps = n_partners;
}

static void plan_alltoall(struct ct_compression_plan *plan, int i, int n_partners)
{
    (void)n_partners;
    shift_up_to(plan, i, plan->n_nodes - 1);
}

static void plan_bisection(struct ct_compression_plan *plan, int i, int n_partners)
{
    (void)n_partners;
    shift_partner(plan, i, plan->n_nodes / 2);
}

/* Between member 0 and all others: of member 0 the others are listed, of these member 0. */
static void list_star(int n_nodes, int i, int *partners, int *n_p)
{
    int first = i == 0 ? 1 : 0, end = i == 0 ? n_nodes : 1;
    for (int member = first; member < end; member++)
        partners[(*n_p)++] = member;
}

static void plan_incast(struct ct_compression_plan *plan, int i, int n_partners)
{
    (void)n_partners;
    if (i == 0)
        list_star(plan->n_nodes, i, plan->receives_from, &plan->n_receives);
    else
        list_star(plan->n_nodes, i, plan->sends_to, &plan->n_sends);
}

static void plan_bcast(struct ct_compression_plan *plan, int i, int n_partners)
{
    (void)n_partners;
    if (i == 0)
        list_star(plan->n_nodes, i, plan->sends_to, &plan->n_sends);
    else
        list_star(plan->n_nodes, i, plan->receives_from, &plan->n_receives);
}

static const struct pattern {
    /* Fills the lists with members of the group, by index; in one step unless it says otherwise. */
    void (*plan)(struct ct_compression_plan *plan, int i, int n_partners);
    bool takes_partners, synchronous;
} patterns[] = {[CT_PATTERN_RING] = {.plan = plan_ring, .takes_partners = true},
                [CT_PATTERN_ALLTOALL] = {.plan = plan_alltoall},
                [CT_PATTERN_INCAST] = {.plan = plan_incast, .synchronous = true},
                [CT_PATTERN_BISECTION] = {.plan = plan_bisection},
                [CT_PATTERN_BCAST] = {.plan = plan_bcast, .synchronous = true}};

bool ct_pattern_takes_partners(enum ct_pattern pattern)
{
    return patterns[pattern].takes_partners;
}

/* Slots are numbered from 0, so a node that has a slot has all below it: the last slot's group is
 * a part of every other. */
int ct_compression_smallest_group(const struct ct_layout *layout)
{
    int n_nodes = 0;
    for (int node = 0; node < layout->n_nodes; node++)
        n_nodes += layout->slots_of_node[node] == layout->max_slots;
    return n_nodes;
}

enum ct_status ct_compression_check(const struct ct_layout *layout, enum ct_pattern pattern,
                                    int n_partners, struct ct_error *err)
{
    int smallest = ct_compression_smallest_group(layout);
    const char *name = ct_pattern_names[pattern];
    if (layout->n_nodes == 1)
        return ct_fail(err, CT_EINVAL,
                       "there is one node only, %s (ranks: %d): --pattern %s takes two or more",
                       ct_layout_host(layout, 0), layout->n_ranks, name);
    if (smallest == 1)
        return ct_fail(err, CT_EINVAL,
                       "only one of %d nodes has %d ranks: --pattern %s takes two or more; start "
                       "the same number of ranks on every node",
                       layout->n_nodes, layout->max_slots, name);
    if (n_partners < smallest || !patterns[pattern].takes_partners)
        return CT_OK;
    if (smallest == layout->n_nodes)
        return ct_fail(err, CT_EINVAL, "--partners %d: must be less than the number of nodes, %d",
                       n_partners, layout->n_nodes);
    return ct_fail(err, CT_EINVAL,
                   "--partners %d: must be less than %d, for only %d of %d nodes have %d ranks",
                   n_partners, smallest, smallest, layout->n_nodes, layout->max_slots);
}

/* Ranks that have the slot, in the order of their nodes; returns how many. */
static int list_members(const struct ct_layout *layout, int slot, int *rank_of_node, int *members_p)
{
    for (int rank = 0; rank < layout->n_ranks; rank++)
        if (layout->slot_of_rank[rank] == slot)
            rank_of_node[layout->node_of_rank[rank]] = rank;
    int n = 0;
    for (int node = 0; node < layout->n_nodes; node++)
        if (layout->slots_of_node[node] > slot)
            members_p[n++] = rank_of_node[node];
    return n;
}

static void plan_rank(const struct pattern *pattern, const int *members, int rank, int n_partners,
                      struct ct_compression_plan *plan)
{
    int member = 0;
    while (members[member] != rank)
        member++;
    plan->n_steps = 1;
    plan->synchronous = pattern->synchronous;
    pattern->plan(plan, member, n_partners);
    for (int k = 0; k < plan->n_sends; k++)
        plan->sends_to[k] = members[plan->sends_to[k]];
    for (int k = 0; k < plan->n_receives; k++)
        plan->receives_from[k] = members[plan->receives_from[k]];
}

enum ct_status ct_compression_plan_new(const struct ct_layout *layout, enum ct_pattern pattern,
                                       int n_partners, int rank, struct ct_compression_plan *plan_p,
                                       struct ct_error *err)
{
    size_t n = (size_t)layout->n_nodes; /* more than a rank can have partners */
    int *rank_of_node = calloc(n, sizeof *rank_of_node);
    int *members = calloc(n, sizeof *members);
    struct ct_compression_plan plan = {.sends_to = calloc(n, sizeof *plan.sends_to),
                                       .receives_from = calloc(n, sizeof *plan.receives_from)};
    enum ct_status status = CT_OK;
    if (rank_of_node && members && plan.sends_to && plan.receives_from) {
        plan.n_nodes = list_members(layout, layout->slot_of_rank[rank], rank_of_node, members);
        plan_rank(&patterns[pattern], members, rank, n_partners, &plan);
        *plan_p = plan;
    } else {
        ct_compression_plan_free(&plan);
        status = ct_no_memory(err, "plan of %d nodes", layout->n_nodes);
    }
    free(rank_of_node);
    free(members);
    return status;
}

void ct_compression_plan_free(struct ct_compression_plan *plan)
{
    free(plan->sends_to);
    free(plan->receives_from);
    *plan = (struct ct_compression_plan){0};
}

int ct_compression_cadence(int before, double round_s)
{
    double fitting = round_s > 0 ? cadence_s / round_s : CADENCE_MAX;
    double most = (double)before * CADENCE_GROWTH;
    if (most > CADENCE_MAX)
        most = CADENCE_MAX;
    double rounds = fitting < most ? fitting : most;
    return rounds < 1 ? 1 : (int)rounds;
}
