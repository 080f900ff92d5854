#include "predict/grouping.h"

#include "core/random.h"
#include "predict/constants.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double join(const struct ct_grouping_problem *problem, double a, double b)
{
    return problem->objective == CT_GROUPING_SUM ? a + b : fmax(a, b);
}

/* Cost of no group at all. */
static double nothing(const struct ct_grouping_problem *problem)
{
    return problem->objective == CT_GROUPING_SUM ? 0 : -INFINITY;
}

static bool is_possible(const struct ct_grouping_problem *problem)
{
    return problem->n > 0 && problem->n_switches > 0 && problem->per_switch > 0 &&
           (problem->n - 1) / problem->per_switch < problem->n_switches;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- exact: over all sets of jobs ---- */

struct table {
    double *group;   /* [set]: cost of the set on one switch; INFINITY where it does not fit */
    double *best;    /* [switches used * n_sets + set] */
    uint32_t *taken; /* the same: the last group */
    size_t n_sets;
};

static enum ct_status cost_groups(const struct ct_grouping_problem *problem, struct table *table)
{
    for (uint32_t set = 1; set < table->n_sets; set++) {
        size_t jobs[CT_GROUPING_EXACT_MAX], n = 0;
        for (size_t job = 0; job < problem->n; job++)
            if (set >> job & 1)
                jobs[n++] = job;
        table->group[set] = INFINITY;
        if (n > problem->per_switch)
            continue;
        enum ct_status status = problem->cost(jobs, n, problem->data, &table->group[set]);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* The group that holds the first job of a set can be any of its subsets with that job. */
static void divide(const struct ct_grouping_problem *problem, struct table *table, size_t used)
{
    const double *before = table->best + (used - 1) * table->n_sets;
    double *best = table->best + used * table->n_sets;
    uint32_t *taken = table->taken + used * table->n_sets;
    best[0] = nothing(problem);
    for (uint32_t set = 1; set < table->n_sets; set++) {
        uint32_t first = set & (~set + 1), rest = set ^ first;
        best[set] = INFINITY;
        for (uint32_t others = rest;; others = (others - 1) & rest) {
            uint32_t group = first | others;
            double cost = join(problem, table->group[group], before[set ^ group]);
            if (cost < best[set]) {
                best[set] = cost;
                taken[set] = group;
            }
            if (others == 0)
                break;
        }
    }
}

static void read_off(const struct ct_grouping_problem *problem, const struct table *table,
                     size_t n_used, struct ct_grouping *grouping)
{
    uint32_t set = (uint32_t)(table->n_sets - 1);
    grouping->cost = table->best[n_used * table->n_sets + set];
    for (size_t number = 0; set != 0; number++) {
        uint32_t group = table->taken[(n_used - number) * table->n_sets + set];
        for (size_t job = 0; job < problem->n; job++)
            if (group >> job & 1)
                grouping->switch_of[job] = number;
        set ^= group;
    }
}

static enum ct_status find_exactly(const struct ct_grouping_problem *problem,
                                   struct ct_grouping *grouping)
{
    size_t n_used = least(problem->n_switches, problem->n);
    struct table table = {.n_sets = (size_t)1 << problem->n};
    table.group = calloc(table.n_sets, sizeof *table.group);
    table.best = calloc((n_used + 1) * table.n_sets, sizeof *table.best);
    table.taken = calloc((n_used + 1) * table.n_sets, sizeof *table.taken);
    enum ct_status status = CT_ENOMEM;
    if (table.group && table.best && table.taken)
        status = cost_groups(problem, &table);
    if (status == CT_OK) {
        for (size_t set = 1; set < table.n_sets; set++)
            table.best[set] = INFINITY; /* no job is on no switch */
        table.best[0] = nothing(problem);
        for (size_t used = 1; used <= n_used; used++)
            divide(problem, &table, used);
        read_off(problem, &table, n_used, grouping);
        grouping->is_exact = true;
    }
    free(table.group);
    free(table.best);
    free(table.taken);
    return status;
}

/* ---- random groupings, and better ones near them ---- */

struct search {
    const struct ct_grouping_problem *problem;
    gsl_rng *rng;
    size_t *order, *jobs; /* [n]: room */
    double *costs;        /* [switch] */
    size_t *sizes;        /* [switch] */
};

static void search_free(struct search *search)
{
    if (search->rng)
        gsl_rng_free(search->rng);
    free(search->order);
    free(search->jobs);
    free(search->costs);
    free(search->sizes);
}

static enum ct_status search_new(const struct ct_grouping_problem *problem, struct search *search)
{
    *search = (struct search){.problem = problem,
                              .rng = gsl_rng_alloc(gsl_rng_mt19937),
                              .order = calloc(problem->n, sizeof *search->order),
                              .jobs = calloc(problem->n, sizeof *search->jobs),
                              .costs = calloc(problem->n_switches, sizeof *search->costs),
                              .sizes = calloc(problem->n_switches, sizeof *search->sizes)};
    if (!search->rng || !search->order || !search->jobs || !search->costs || !search->sizes) {
        search_free(search);
        return CT_ENOMEM;
    }
    gsl_rng_set(search->rng, ct_random_fold(problem->seed));
    return CT_OK;
}

static void deal(struct search *search, size_t *switch_of)
{
    size_t n = search->problem->n;
    for (size_t i = 0; i < n; i++)
        search->order[i] = i;
    gsl_ran_shuffle(search->rng, search->order, n, sizeof *search->order);
    for (size_t i = 0; i < n; i++)
        switch_of[search->order[i]] = i % search->problem->n_switches;
}

/* Cost and size of one switch. */
static enum ct_status price(struct search *search, const size_t *switch_of, size_t number)
{
    const struct ct_grouping_problem *problem = search->problem;
    size_t n = 0;
    for (size_t job = 0; job < problem->n; job++)
        if (switch_of[job] == number)
            search->jobs[n++] = job;
    search->sizes[number] = n;
    search->costs[number] = 0;
    return n > 0 ? problem->cost(search->jobs, n, problem->data, &search->costs[number]) : CT_OK;
}

static enum ct_status price_all(struct search *search, const size_t *switch_of, double *cost_p)
{
    enum ct_status status = CT_OK;
    double cost = nothing(search->problem);
    for (size_t s = 0; s < search->problem->n_switches && status == CT_OK; s++) {
        status = price(search, switch_of, s);
        if (search->sizes[s] > 0)
            cost = join(search->problem, cost, search->costs[s]);
    }
    *cost_p = cost;
    return status;
}

/* What all cost if two switches are priced anew after a change. */
static enum ct_status reprice(struct search *search, const size_t *switch_of, size_t a, size_t b,
                              double *cost_p)
{
    double cost = nothing(search->problem);
    enum ct_status status = price(search, switch_of, a);
    if (status == CT_OK)
        status = price(search, switch_of, b);
    for (size_t s = 0; s < search->problem->n_switches; s++)
        if (search->sizes[s] > 0)
            cost = join(search->problem, cost, search->costs[s]);
    *cost_p = cost;
    return status;
}

/* Move job i to the switch of j, or exchange both, and keep it if it is better. */
static enum ct_status try_change(struct search *search, size_t *switch_of, size_t i, size_t to,
                                 size_t j, double *cost)
{
    size_t from = switch_of[i];
    double changed;
    switch_of[i] = to;
    if (j < search->problem->n)
        switch_of[j] = from;
    enum ct_status status = reprice(search, switch_of, from, to, &changed);
    if (status == CT_OK && changed < *cost - 1e-12) {
        *cost = changed;
        return CT_OK;
    }
    switch_of[i] = from;
    if (j < search->problem->n)
        switch_of[j] = to;
    double unchanged;
    return status == CT_OK ? reprice(search, switch_of, from, to, &unchanged) : status;
}

static enum ct_status descend(struct search *search, size_t *switch_of, double *cost)
{
    const struct ct_grouping_problem *problem = search->problem;
    double before = INFINITY;
    enum ct_status status = CT_OK;
    while (*cost < before && status == CT_OK) {
        before = *cost;
        for (size_t i = 0; i < problem->n && status == CT_OK; i++) {
            for (size_t to = 0; to < problem->n_switches && status == CT_OK; to++)
                if (to != switch_of[i] && search->sizes[to] < problem->per_switch)
                    status = try_change(search, switch_of, i, to, problem->n, cost);
            for (size_t j = i + 1; j < problem->n && status == CT_OK; j++)
                if (switch_of[j] != switch_of[i])
                    status = try_change(search, switch_of, i, switch_of[j], j, cost);
        }
    }
    return status;
}

static enum ct_status find_near(const struct ct_grouping_problem *problem,
                                struct ct_grouping *grouping)
{
    size_t n_starts = ct_predict_count(CT_PREDICT_GROUPING_SEARCHES);
    struct search search;
    enum ct_status status = search_new(problem, &search);
    if (status != CT_OK)
        return status;
    size_t *switch_of = calloc(problem->n, sizeof *switch_of);
    status = switch_of ? CT_OK : CT_ENOMEM;
    grouping->cost = INFINITY;
    for (size_t start = 0; start < n_starts && status == CT_OK; start++) {
        double cost;
        deal(&search, switch_of);
        status = price_all(&search, switch_of, &cost);
        if (status == CT_OK)
            status = descend(&search, switch_of, &cost);
        if (status == CT_OK && cost < grouping->cost) {
            grouping->cost = cost;
            memcpy(grouping->switch_of, switch_of, problem->n * sizeof *switch_of);
        }
    }
    free(switch_of);
    search_free(&search);
    return status;
}

enum ct_status ct_grouping_random(const struct ct_grouping_problem *problem, size_t n_trials,
                                  double *mean_p)
{
    struct search search;
    if (!is_possible(problem) || n_trials == 0)
        return CT_EINVAL;
    enum ct_status status = search_new(problem, &search);
    if (status != CT_OK)
        return status;
    size_t *switch_of = calloc(problem->n, sizeof *switch_of);
    status = switch_of ? CT_OK : CT_ENOMEM;
    double sum = 0;
    for (size_t trial = 0; trial < n_trials && status == CT_OK; trial++) {
        double cost = 0;
        deal(&search, switch_of);
        status = price_all(&search, switch_of, &cost);
        sum += cost;
    }
    if (status == CT_OK)
        *mean_p = sum / (double)n_trials;
    free(switch_of);
    search_free(&search);
    return status;
}

/* ---- the whole ---- */

/* Equal groupings get equal numbers. */
static void renumber(const struct ct_grouping_problem *problem, size_t *number_of,
                     size_t *switch_of)
{
    size_t next = 0;
    for (size_t s = 0; s < problem->n_switches; s++)
        number_of[s] = SIZE_MAX;
    for (size_t job = 0; job < problem->n; job++) {
        if (number_of[switch_of[job]] == SIZE_MAX)
            number_of[switch_of[job]] = next++;
        switch_of[job] = number_of[switch_of[job]];
    }
}

enum ct_status ct_grouping_best(const struct ct_grouping_problem *problem,
                                struct ct_grouping *grouping_p)
{
    if (!is_possible(problem))
        return CT_EINVAL;
    struct ct_grouping grouping = {.switch_of = calloc(problem->n, sizeof *grouping.switch_of)};
    size_t *number_of = calloc(problem->n_switches, sizeof *number_of);
    enum ct_status status = CT_ENOMEM;
    if (grouping.switch_of && number_of)
        status = problem->n <= CT_GROUPING_EXACT_MAX ? find_exactly(problem, &grouping)
                                                     : find_near(problem, &grouping);
    if (status == CT_OK) {
        renumber(problem, number_of, grouping.switch_of);
        *grouping_p = grouping;
    } else {
        ct_grouping_free(&grouping);
    }
    free(number_of);
    return status;
}

void ct_grouping_free(struct ct_grouping *grouping)
{
    free(grouping->switch_of);
    *grouping = (struct ct_grouping){0};
}
