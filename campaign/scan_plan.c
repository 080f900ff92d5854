#include "campaign/scan_plan.h"

#include "core/array.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

size_t ct_scan_plan_canaries(size_t n_nodes)
{
    size_t n = (n_nodes / 5 + 1) / 2 * 2, least = n_nodes < 8 ? 2 : 4;
    return n < least ? least : n;
}

static bool is_same_switch(const struct ct_scan_node *a, const struct ct_scan_node *b)
{
    return a->switch_name && b->switch_name ? !strcmp(a->switch_name, b->switch_name)
                                            : a->switch_name == b->switch_name;
}

/* The nodes of a round while they are dealt. */
struct deck {
    size_t n;
    const struct ct_scan_node *nodes;
    size_t *switch_of; /* number of a node's switch: that of the first node on it */
    int *shuffled, *sorted;
};

static enum ct_status make_deck(const struct ct_scan *scan, struct deck *deck, struct ct_error *err)
{
    size_t n = scan->n_nodes;
    *deck = (struct deck){.n = n,
                          .nodes = scan->nodes,
                          .switch_of = calloc(n + 1, sizeof *deck->switch_of),
                          .shuffled = calloc(n + 1, sizeof *deck->shuffled),
                          .sorted = calloc(n + 1, sizeof *deck->sorted)};
    if (!deck->switch_of || !deck->shuffled || !deck->sorted)
        return ct_no_memory(err, "%zu nodes", n);
    for (size_t i = 0; i < n; i++) {
        deck->shuffled[i] = (int)i;
        while (!is_same_switch(&scan->nodes[deck->switch_of[i]], &scan->nodes[i]))
            deck->switch_of[i]++;
    }
    return CT_OK;
}

static void free_deck(struct deck *deck)
{
    free(deck->switch_of);
    free(deck->shuffled);
    free(deck->sorted);
}

/* The nodes of a switch together, in their order from the one that comes first; those whose switch
 * is not known stay shuffled. Switches in the order in which they come first. */
static void sort_by_switch(struct deck *deck)
{
    size_t n = 0;
    for (size_t i = 0; i < deck->n; i++) {
        size_t first = (size_t)deck->shuffled[i], place = deck->switch_of[first];
        bool is_seen = false, is_known = deck->nodes[first].switch_name != NULL;
        for (size_t k = 0; k < n; k++)
            is_seen = is_seen || deck->switch_of[deck->sorted[k]] == place;
        for (size_t k = 0; k < deck->n && !is_seen; k++) {
            int node = is_known ? (int)((first + k) % deck->n) : deck->shuffled[(i + k) % deck->n];
            if (deck->switch_of[node] == place)
                deck->sorted[n++] = node;
        }
    }
}

/* One turn over the switches. Returns how many canaries there are now. */
static size_t deal_turn(const struct deck *deck, size_t n_wanted, size_t n_dealt, bool *is_canary)
{
    for (size_t from = 0, to; from < deck->n && n_dealt < n_wanted; from = to) {
        size_t place = deck->switch_of[deck->sorted[from]];
        for (to = from; to < deck->n && deck->switch_of[deck->sorted[to]] == place;)
            to++;
        size_t n_here = to - from >= 4 && n_wanted >= 4 ? 2 : 1;
        for (size_t i = from; i < to && n_here > 0 && n_dealt < n_wanted; i++)
            if (!is_canary[deck->sorted[i]]) {
                is_canary[deck->sorted[i]] = true;
                n_dealt++;
                n_here--;
            }
    }
    return n_dealt;
}

enum ct_status ct_scan_plan_divide(const struct ct_scan *scan, uint64_t seed, bool *is_canary,
                                   struct ct_error *err)
{
    size_t n_wanted = ct_scan_plan_canaries(scan->n_nodes), n_dealt = 0;
    struct deck deck;
    struct ct_twister twister;
    enum ct_status status = make_deck(scan, &deck, err);
    if (status == CT_OK) {
        ct_twister_seed(&twister, ct_random_fold(seed));
        ct_twister_shuffle(&twister, deck.shuffled, deck.n);
        sort_by_switch(&deck);
        for (size_t i = 0; i < deck.n; i++)
            is_canary[i] = false;
        while (n_dealt < n_wanted)
            n_dealt = deal_turn(&deck, n_wanted, n_dealt, is_canary);
    }
    free_deck(&deck);
    return status;
}

/* One of each switch that has canaries and no root yet. Returns how many roots there are now. */
static size_t add_turn_of_roots(const struct deck *deck, const bool *is_canary, size_t n_wanted,
                                bool *is_root, size_t *roots, size_t n)
{
    for (size_t from = 0, to; from < deck->n && n < n_wanted; from = to) {
        size_t place = deck->switch_of[deck->sorted[from]], chosen = deck->n;
        bool has_canary = false;
        for (to = from; to < deck->n && deck->switch_of[deck->sorted[to]] == place; to++) {
            size_t node = (size_t)deck->sorted[to];
            has_canary = has_canary || is_canary[node];
            if (chosen == deck->n && !is_canary[node] && !is_root[node])
                chosen = node;
        }
        if (has_canary && chosen < deck->n) {
            is_root[chosen] = true;
            roots[n++] = chosen;
        }
    }
    return n;
}

enum ct_status ct_scan_plan_roots(const struct ct_scan *scan, uint64_t seed, const bool *is_canary,
                                  size_t n_wanted, size_t *roots, size_t *n_p, struct ct_error *err)
{
    struct deck deck;
    struct ct_twister twister;
    bool *is_root = calloc(scan->n_nodes + 1, sizeof *is_root);
    enum ct_status status = make_deck(scan, &deck, err);
    if (status == CT_OK && !is_root)
        status = ct_no_memory(err, "%zu nodes", scan->n_nodes);
    *n_p = 0;
    if (status == CT_OK) {
        ct_twister_seed(&twister, ct_random_fold(seed));
        ct_twister_shuffle(&twister, deck.shuffled, deck.n);
        sort_by_switch(&deck);
        for (size_t before = SIZE_MAX; *n_p != before && *n_p < n_wanted;) {
            before = *n_p;
            *n_p = add_turn_of_roots(&deck, is_canary, n_wanted, is_root, roots, before);
        }
    }
    free(is_root);
    free_deck(&deck);
    return status;
}

/* ---- cases ---- */

struct list {
    struct ct_scan_case *cases;
    size_t n, room;
    bool failed;
};

static void add_case(struct list *list, enum ct_scan_canary canary,
                     const struct ct_scan_setting *setting)
{
    list->failed = list->failed || !CT_ARRAY_RESERVE(list->cases, list->room, list->n + 1);
    if (!list->failed)
        list->cases[list->n++] = (struct ct_scan_case){canary, *setting};
}

static void add_steady(struct list *list, double intensity)
{
    for (int canary = 0; canary < CT_N_SCAN_CANARIES; canary++)
        for (int congestor = CT_SCAN_WITH_NONE + 1; congestor < CT_N_SCAN_CONGESTORS; congestor++)
            add_case(list, (enum ct_scan_canary)canary,
                     &(struct ct_scan_setting){.congestor = (enum ct_scan_congestor)congestor,
                                               .intensity = intensity});
}

/* GPCNeT's table: its canaries beside its four congestors. */
static void add_gpcnet(struct list *list)
{
    for (int canary = 0; canary < CT_N_SCAN_CANARIES; canary++)
        add_case(list, (enum ct_scan_canary)canary,
                 &(struct ct_scan_setting){.congestor = CT_SCAN_WITH_GPCNET, .intensity = 1});
}

static void add_bursts(struct list *list, enum ct_scan_canary canary,
                       enum ct_scan_congestor congestor)
{
    static const double lengths_s[] = {1e-3, 1e-2, 1e-1};
    enum { N = sizeof lengths_s / sizeof *lengths_s };
    for (size_t burst = 0; burst < N; burst++)
        for (size_t pause = 0; pause < N; pause++)
            add_case(list, canary,
                     &(struct ct_scan_setting){.congestor = congestor,
                                               .burst_s = lengths_s[burst],
                                               .pause_s = lengths_s[pause],
                                               .intensity = 1});
}

/* compressionb's configurations. A node of the ring has its link busy for M s G of B: the pauses of
   10 us to 10 ms, with three M between two of them, span loads of a hundredth of the link to all of
   it in steps of about 2, at any rate from 1 to 400 Gbit/s, which is not known. */
static void add_compression(struct list *list, enum ct_scan_canary canary)
{
    static const double pauses_s[] = {1e-5, 1e-4, 1e-3, 1e-2};
    static const uint32_t messages[] = {1, 2, 5};
    for (size_t pause = 0; pause < sizeof pauses_s / sizeof *pauses_s; pause++)
        for (size_t m = 0; m < sizeof messages / sizeof *messages; m++)
            add_case(list, canary,
                     &(struct ct_scan_setting){.congestor = CT_SCAN_WITH_COMPRESSION,
                                               .pause_s = pauses_s[pause],
                                               .intensity = 1,
                                               .partners = 1,
                                               .messages = messages[m]});
}

/* A workload beside loads of known amount, from which the model probe predicts, and beside the
 * congestors that it predicts. */
static void add_workload(struct list *list, enum ct_scan_canary workload)
{
    add_compression(list, workload);
    for (int congestor = CT_SCAN_WITH_NONE + 1; congestor < CT_N_SCAN_CONGESTORS; congestor++)
        add_case(list, workload,
                 &(struct ct_scan_setting){.congestor = (enum ct_scan_congestor)congestor,
                                           .intensity = 1});
}

static double rounds_s(const struct ct_scan_pace *pace, const struct list *list, int n_rounds)
{
    return n_rounds * ct_scan_plan_round_s(pace, ct_scan_plan_count(list->cases, list->n));
}

/* What fits is kept: from `before` on, or nothing of it. @return whether it is kept */
static bool keep_fitting(struct list *list, size_t before, double time_s,
                         const struct ct_scan_pace *pace)
{
    bool fits = !list->failed && rounds_s(pace, list, CT_SCAN_ROUNDS_BURSTS) <= time_s;
    if (!fits)
        list->n = before;
    return fits;
}

enum ct_status ct_scan_plan_cases(double time_s, bool has_workloads,
                                  const struct ct_scan_pace *pace, struct ct_scan_case **cases_p,
                                  size_t *n_p, struct ct_error *err)
{
    struct list list = {0};
    add_steady(&list, 1);
    double least_s = rounds_s(pace, &list, CT_SCAN_ROUNDS_MIN);
    if (!list.failed && time_s < least_s) {
        free(list.cases);
        return ct_fail(err, CT_EINVAL,
                       "--time: %.0f s are too short for %d rounds of every canary beside every "
                       "congestor, which take %.0f s; give more, or fewer cells by --cells, or "
                       "shorter ones by --cell-time",
                       time_s, CT_SCAN_ROUNDS_MIN, least_s);
    }
    /* What fits is kept, the most telling first. */
    static const struct {
        enum ct_scan_canary canary;
        enum ct_scan_congestor congestor;
    } maps[] = {{CT_SCAN_LATENCY, CT_SCAN_WITH_INCAST},
                {CT_SCAN_ALLREDUCE, CT_SCAN_WITH_INCAST},
                {CT_SCAN_LATENCY, CT_SCAN_WITH_ALLTOALL},
                {CT_SCAN_ALLREDUCE, CT_SCAN_WITH_ALLTOALL}};
    static const enum ct_scan_canary workloads[] = {CT_SCAN_FFT, CT_SCAN_MILC};
    size_t before = list.n, n_workloads = 0;
    if (has_workloads) {
        add_compression(&list, CT_SCAN_LATENCY);
        add_workload(&list, workloads[n_workloads++]);
        has_workloads = keep_fitting(&list, before, time_s, pace);
    }
    before = list.n;
    add_gpcnet(&list);
    (void)keep_fitting(&list, before, time_s, pace);
    for (size_t i = 0; i < sizeof maps / sizeof *maps && !list.failed; i++) {
        before = list.n;
        add_bursts(&list, maps[i].canary, maps[i].congestor);
        (void)keep_fitting(&list, before, time_s, pace);
    }
    before = list.n;
    add_steady(&list, 0.5);
    (void)keep_fitting(&list, before, time_s, pace);
    before = list.n;
    if (!has_workloads)
        add_compression(&list, CT_SCAN_LATENCY);
    add_compression(&list, CT_SCAN_BANDWIDTH);
    (void)keep_fitting(&list, before, time_s, pace);
    for (; has_workloads && n_workloads < sizeof workloads / sizeof *workloads; n_workloads++) {
        before = list.n;
        add_workload(&list, workloads[n_workloads]);
        (void)keep_fitting(&list, before, time_s, pace);
    }
    if (list.failed) {
        free(list.cases);
        return ct_no_memory(err, "plan");
    }
    *cases_p = list.cases;
    *n_p = list.n;
    return CT_OK;
}

/* ---- a round ---- */

static bool has_canary(const struct ct_scan_case *cases, size_t n, int canary)
{
    for (size_t i = 0; i < n; i++)
        if ((int)cases[i].canary == canary)
            return true;
    return false;
}

static size_t count_canaries(const struct ct_scan_case *cases, size_t n)
{
    size_t count = 0;
    for (int canary = 0; canary < CT_N_SCAN_MEASURED; canary++)
        count += has_canary(cases, n, canary);
    return count;
}

size_t ct_scan_plan_count(const struct ct_scan_case *cases, size_t n)
{
    size_t n_groups = (n + CT_SCAN_BASELINE_EVERY - 1) / CT_SCAN_BASELINE_EVERY + 1;
    return n + n_groups * count_canaries(cases, n);
}

static void add_baselines(struct list *list, const struct ct_scan_case *cases, size_t n,
                          struct ct_twister *twister)
{
    int order[CT_N_SCAN_MEASURED], n_order = 0;
    for (int i = 0; i < CT_N_SCAN_MEASURED; i++)
        if (!ct_scan_is_workload((enum ct_scan_canary)i) || has_canary(cases, n, i))
            order[n_order++] = i; /* of scans without workloads as it was before there were any */
    ct_twister_shuffle(twister, order, (size_t)n_order);
    for (int i = 0; i < n_order; i++)
        if (has_canary(cases, n, order[i]))
            add_case(list, (enum ct_scan_canary)order[i],
                     &(struct ct_scan_setting){.congestor = CT_SCAN_WITH_NONE, .intensity = 1});
}

enum ct_status ct_scan_plan_order(const struct ct_scan_case *cases, size_t n, uint64_t seed,
                                  struct ct_scan_case **cells_p, size_t *n_p, struct ct_error *err)
{
    struct list list = {0};
    struct ct_twister twister;
    int *order = malloc((n + 1) * sizeof *order);
    if (!order)
        return ct_no_memory(err, "plan");
    for (size_t i = 0; i < n; i++)
        order[i] = (int)i;
    ct_twister_seed(&twister, ct_random_fold(seed));
    ct_twister_shuffle(&twister, order, n);
    for (size_t i = 0; i < n; i++) {
        if (i % CT_SCAN_BASELINE_EVERY == 0)
            add_baselines(&list, cases, n, &twister);
        add_case(&list, cases[order[i]].canary, &cases[order[i]].setting);
    }
    add_baselines(&list, cases, n, &twister);
    free(order);
    if (list.failed) {
        free(list.cases);
        return ct_no_memory(err, "plan");
    }
    *cells_p = list.cases;
    *n_p = list.n;
    return CT_OK;
}

double ct_scan_plan_round_s(const struct ct_scan_pace *pace, size_t n_cells)
{
    return pace->start_s + (double)n_cells * (pace->cell_s + pace->extra_s);
}
