#include "bench/logp/logp_plan.h"

#include "bench/impact/impact_plan.h"

#include <stdlib.h>

const char *const ct_logp_pairs_names[] = {"first", "adjacent", "all", NULL};

struct units {
    int n;
    int *rank;    /* n */
    int *partner; /* n: in the epoch under way */
};

static void free_units(struct units *units)
{
    free(units->rank);
    free(units->partner);
}

static enum ct_status find_units(const struct ct_layout *layout, struct units *units_p)
{
    bool nodes = layout->n_nodes > 1;
    struct units units = {.n = nodes ? layout->n_nodes : layout->n_ranks};
    units.rank = malloc((size_t)units.n * sizeof *units.rank);
    units.partner = malloc((size_t)units.n * sizeof *units.partner);
    if (!units.rank || !units.partner) {
        free_units(&units);
        return CT_ENOMEM;
    }
    for (int unit = 0; unit < units.n; unit++)
        units.rank[unit] = nodes ? ct_layout_rank(layout, unit, 0) : unit;
    *units_p = units;
    return CT_OK;
}

static void add(struct ct_logp_plan *plan, bool sequential, int from, int to)
{
    int round = sequential ? (int)plan->n : plan->n_rounds;
    plan->meetings[plan->n++] =
        (struct ct_logp_meeting){.round = round, .rank_from = from, .rank_to = to};
}

/* All meetings of the pairs of one epoch, in one direction. */
static void add_round(const struct units *units, enum ct_logp_pairs pairs, bool turned,
                      bool sequential, struct ct_logp_plan *plan)
{
    int n = pairs == CT_LOGP_PAIRS_FIRST ? 1 : units->n;
    for (int unit = 0; unit < n; unit++) {
        int partner = pairs == CT_LOGP_PAIRS_FIRST ? 1 : units->partner[unit];
        if (partner <= unit)
            continue;
        int a = units->rank[unit], b = units->rank[partner];
        add(plan, sequential, turned ? b : a, turned ? a : b);
    }
    plan->n_rounds = sequential ? (int)plan->n : plan->n_rounds + 1;
}

enum ct_status ct_logp_plan_make(const struct ct_layout *layout, enum ct_logp_pairs pairs,
                                 bool swap, bool sequential, struct ct_logp_plan *plan_p,
                                 struct ct_error *err)
{
    if (layout->n_ranks < 2)
        return ct_fail(err, CT_EINVAL,
                       "one rank: two are needed to measure; start it with mpiexec -n 2, best a "
                       "rank on each node");
    struct units units;
    if (find_units(layout, &units) != CT_OK)
        return ct_fail(err, CT_ENOMEM, "plan of %d ranks: out of memory", layout->n_ranks);
    enum ct_pairing pairing = pairs == CT_LOGP_PAIRS_ALL ? CT_PAIRING_ROTATE : CT_PAIRING_ADJACENT;
    int n_epochs = ct_impact_epochs(pairing, units.n);
    size_t room = 2 * (size_t)n_epochs * (size_t)(units.n / 2 + 1);
    struct ct_logp_plan plan = {.meetings = malloc(room * sizeof *plan.meetings)};
    enum ct_status status = plan.meetings ? CT_OK : CT_ENOMEM;
    for (int epoch = 0; epoch < n_epochs && status == CT_OK; epoch++) {
        status = ct_impact_partners(pairing, units.n, epoch, 0, units.partner);
        for (int turned = 0; turned <= (int)swap && status == CT_OK; turned++)
            add_round(&units, pairs, turned, sequential, &plan);
    }
    free_units(&units);
    if (status != CT_OK) {
        ct_logp_plan_free(&plan);
        return ct_fail(err, CT_ENOMEM, "plan of %d ranks: out of memory", layout->n_ranks);
    }
    *plan_p = plan;
    return CT_OK;
}

void ct_logp_plan_free(struct ct_logp_plan *plan)
{
    free(plan->meetings);
    *plan = (struct ct_logp_plan){.meetings = NULL};
}
