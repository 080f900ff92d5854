#include "bench/logp/logp_plan.h"

#include "bench/impact/impact_plan.h"
#include "core/order.h"

#include <stdlib.h>

const char *const ct_logp_pairs_names[] = {"first", "adjacent", "all", "classes", NULL};

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

static void add_pair(struct ct_logp_plan *plan, bool sequential, int from, int to)
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
        add_pair(plan, sequential, turned ? b : a, turned ? a : b);
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
        return ct_no_memory(err, "plan of %d ranks", layout->n_ranks);
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
        return ct_no_memory(err, "plan of %d ranks", layout->n_ranks);
    }
    *plan_p = plan;
    return CT_OK;
}

/* ---- classes of paths ---- */

/* What each class still wants. */
struct chooser {
    const struct ct_path_row *paths;
    size_t n_paths;
    uint32_t n_classes, n_ranks;
    uint64_t *wanted; /* n_classes */
    bool *is_used;    /* n_ranks: by a pair of the class under way */
    bool *chosen;     /* n_paths */
    size_t n_chosen;
};

static bool open_chooser(struct chooser *chooser, const struct ct_path_row *paths, size_t n_paths,
                         uint64_t per_class)
{
    *chooser = (struct chooser){.paths = paths, .n_paths = n_paths};
    for (size_t i = 0; i < n_paths; i++) {
        if (paths[i].path_class >= chooser->n_classes)
            chooser->n_classes = paths[i].path_class + 1;
        if (paths[i].rank_b >= chooser->n_ranks)
            chooser->n_ranks = paths[i].rank_b + 1;
    }
    chooser->wanted = malloc((chooser->n_classes + (size_t)1) * sizeof *chooser->wanted);
    chooser->is_used = malloc((chooser->n_ranks + (size_t)1) * sizeof *chooser->is_used);
    chooser->chosen = calloc(n_paths + 1, sizeof *chooser->chosen);
    if (!chooser->wanted || !chooser->is_used || !chooser->chosen)
        return false;
    for (uint32_t c = 0; c < chooser->n_classes; c++)
        chooser->wanted[c] = per_class;
    return true;
}

static void close_chooser(struct chooser *chooser)
{
    free(chooser->wanted);
    free(chooser->is_used);
    free(chooser->chosen);
}

/* Of one class, in the order of the paths; apart: pairs without a rank of a pair chosen before. */
static void choose_pairs(struct chooser *chooser, uint32_t path_class, bool apart)
{
    if (apart)
        for (uint32_t rank = 0; rank < chooser->n_ranks; rank++)
            chooser->is_used[rank] = false;
    for (size_t i = 0; i < chooser->n_paths && chooser->wanted[path_class] > 0; i++) {
        const struct ct_path_row *path = &chooser->paths[i];
        bool is_used = chooser->is_used[path->rank_a] || chooser->is_used[path->rank_b];
        if (path->path_class != path_class || chooser->chosen[i] || (apart && is_used))
            continue;
        chooser->chosen[i] = true;
        chooser->n_chosen++;
        chooser->wanted[path_class]--;
        chooser->is_used[path->rank_a] = chooser->is_used[path->rank_b] = true;
    }
}

/* The first round from `first` on in which neither rank is at work; n meetings are in the plan. */
static int free_round(const struct ct_logp_plan *plan, int first, const struct ct_path_row *path)
{
    int round = first;
    for (bool busy = true; busy; round += busy) {
        busy = false;
        for (size_t i = 0; i < plan->n && !busy; i++) {
            const struct ct_logp_meeting *meeting = &plan->meetings[i];
            int a = (int)path->rank_a, b = (int)path->rank_b;
            busy = meeting->round == round && (meeting->rank_from == a || meeting->rank_to == a ||
                                               meeting->rank_from == b || meeting->rank_to == b);
        }
    }
    return round;
}

static void put_chosen(const struct chooser *chooser, bool turned, bool sequential,
                       struct ct_logp_plan *plan)
{
    int first = plan->n_rounds;
    for (size_t i = 0; i < chooser->n_paths; i++) {
        const struct ct_path_row *path = &chooser->paths[i];
        if (!chooser->chosen[i])
            continue;
        int round = sequential ? plan->n_rounds : free_round(plan, first, path);
        plan->meetings[plan->n++] =
            (struct ct_logp_meeting){.round = round,
                                     .rank_from = (int)(turned ? path->rank_b : path->rank_a),
                                     .rank_to = (int)(turned ? path->rank_a : path->rank_b)};
        if (round >= plan->n_rounds)
            plan->n_rounds = round + 1;
    }
}

CT_ORDER(by_round, struct ct_logp_meeting, round, rank_from)

enum ct_status ct_logp_plan_make_classes(const struct ct_path_row *paths, size_t n_paths,
                                         uint64_t per_class, bool swap, bool sequential,
                                         struct ct_logp_plan *plan_p, struct ct_error *err)
{
    struct chooser chooser;
    struct ct_logp_plan plan = {.meetings = NULL};
    if (n_paths == 0)
        return ct_fail(err, CT_EINVAL, "no two ranks: nothing to measure");
    bool ok = open_chooser(&chooser, paths, n_paths, per_class);
    for (uint32_t c = 0; c < chooser.n_classes && ok; c++) {
        choose_pairs(&chooser, c, true);
        choose_pairs(&chooser, c, false);
    }
    if (ok)
        plan.meetings = malloc((2 * chooser.n_chosen + 1) * sizeof *plan.meetings);
    for (int turned = 0; turned <= (int)swap && plan.meetings; turned++)
        put_chosen(&chooser, turned != 0, sequential, &plan);
    close_chooser(&chooser);
    if (!plan.meetings)
        return ct_no_memory(err, "plan of %zu paths", n_paths);
    qsort(plan.meetings, plan.n, sizeof *plan.meetings, by_round);
    *plan_p = plan;
    return CT_OK;
}

void ct_logp_plan_free(struct ct_logp_plan *plan)
{
    free(plan->meetings);
    *plan = (struct ct_logp_plan){.meetings = NULL};
}
