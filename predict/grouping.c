#include "predict/grouping.h"

#include "core/random.h"
#include "predict/constants.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double join_costs(const struct ct_grouping_problem *problem, double a, double b)
{
    return problem->objective == CT_GROUPING_SUM ? a + b : fmax(a, b);
}

/* Cost of no group at all. */
static double neutral_cost(const struct ct_grouping_problem *problem)
{
    return problem->objective == CT_GROUPING_SUM ? 0 : -INFINITY;
}

static bool is_possible(const struct ct_grouping_problem *problem)
{
    return problem->n > 0 && problem->n_switches > 0 && problem->per_switch > 0 &&
           (problem->n - 1) / problem->per_switch < problem->n_switches;
}

static size_t least_of(size_t a, size_t b)
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

/* The others must fit on the other switches. */
static bool can_be_group(const struct ct_grouping_problem *problem, size_t n)
{
    size_t n_left = problem->n - n;
    return n <= problem->per_switch &&
           (n_left == 0 || (n_left - 1) / problem->per_switch + 1 < problem->n_switches);
}

static enum ct_status cost_groups(const struct ct_grouping_problem *problem, struct table *table)
{
    for (uint32_t set = 1; set < table->n_sets; set++) {
        size_t jobs[CT_GROUPING_EXACT_MAX], n = 0;
        for (size_t job = 0; job < problem->n; job++)
            if (set >> job & 1)
                jobs[n++] = job;
        table->group[set] = INFINITY;
        if (!can_be_group(problem, n))
            continue;
        CT_TRY(problem->cost(jobs, n, problem->data, &table->group[set]));
    }
    return CT_OK;
}

/* The group that holds the first job of a set can be any of its subsets with that job. */
static void divide_jobs(const struct ct_grouping_problem *problem, struct table *table, size_t used)
{
    const double *before = table->best + (used - 1) * table->n_sets;
    double *best = table->best + used * table->n_sets;
    uint32_t *taken = table->taken + used * table->n_sets;
    best[0] = neutral_cost(problem);
    for (uint32_t set = 1; set < table->n_sets; set++) {
        uint32_t first = set & (~set + 1), rest = set ^ first;
        best[set] = INFINITY;
        for (uint32_t others = rest;; others = (others - 1) & rest) {
            uint32_t group = first | others;
            double cost = join_costs(problem, table->group[group], before[set ^ group]);
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
    size_t n_used = least_of(problem->n_switches, problem->n);
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
        table.best[0] = neutral_cost(problem);
        for (size_t used = 1; used <= n_used; used++)
            divide_jobs(problem, &table, used);
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
    size_t *order, *jobs;  /* [n]: room */
    size_t *switch_of;     /* [job] */
    size_t *next, *before; /* [job]: on its switch; NONE: the last or the first one */
    size_t *first;         /* [switch]: a job; NONE: it is empty */
    double *costs;         /* [switch] */
    size_t *sizes;         /* [switch] */
    uint64_t left;         /* jobs that may be priced before the search ends */
};

static const size_t NONE = SIZE_MAX;

static void search_free(struct search *search)
{
    if (search->rng)
        gsl_rng_free(search->rng);
    free(search->order);
    free(search->jobs);
    free(search->switch_of);
    free(search->next);
    free(search->before);
    free(search->first);
    free(search->costs);
    free(search->sizes);
}

static enum ct_status search_new(const struct ct_grouping_problem *problem, struct search *search)
{
    *search = (struct search){.problem = problem,
                              .rng = gsl_rng_alloc(gsl_rng_mt19937),
                              .order = calloc(problem->n, sizeof *search->order),
                              .jobs = calloc(problem->n, sizeof *search->jobs),
                              .switch_of = calloc(problem->n, sizeof *search->switch_of),
                              .next = calloc(problem->n, sizeof *search->next),
                              .before = calloc(problem->n, sizeof *search->before),
                              .first = calloc(problem->n_switches, sizeof *search->first),
                              .costs = calloc(problem->n_switches, sizeof *search->costs),
                              .sizes = calloc(problem->n_switches, sizeof *search->sizes),
                              .left = (uint64_t)ct_predict_count(CT_PREDICT_GROUPING_PRICED)};
    if (!search->rng || !search->order || !search->jobs || !search->switch_of || !search->next ||
        !search->before || !search->first || !search->costs || !search->sizes) {
        search_free(search);
        return CT_ENOMEM;
    }
    gsl_rng_set(search->rng, ct_random_fold(problem->seed));
    return CT_OK;
}

/* Jobs of a switch rise. */
static void put_job(struct search *search, size_t job, size_t number)
{
    size_t next = search->first[number], before = NONE;
    while (next != NONE && next < job) {
        before = next;
        next = search->next[next];
    }
    search->switch_of[job] = number;
    search->next[job] = next;
    search->before[job] = before;
    if (next != NONE)
        search->before[next] = job;
    if (before != NONE)
        search->next[before] = job;
    else
        search->first[number] = job;
    search->sizes[number]++;
}

static void take_job(struct search *search, size_t job)
{
    size_t number = search->switch_of[job], next = search->next[job], before = search->before[job];
    if (before == NONE)
        search->first[number] = next;
    else
        search->next[before] = next;
    if (next != NONE)
        search->before[next] = before;
    search->sizes[number]--;
}

static void deal_jobs(struct search *search)
{
    size_t n = search->problem->n;
    for (size_t i = 0; i < n; i++)
        search->order[i] = i;
    gsl_ran_shuffle(search->rng, search->order, n, sizeof *search->order);
    for (size_t s = 0; s < search->problem->n_switches; s++) {
        search->first[s] = NONE;
        search->sizes[s] = 0;
    }
    for (size_t i = 0; i < n; i++)
        put_job(search, search->order[i], i % search->problem->n_switches);
}

static enum ct_status price_switch(struct search *search, size_t number, double *cost_p)
{
    const struct ct_grouping_problem *problem = search->problem;
    size_t n = 0;
    for (size_t job = search->first[number]; job != NONE; job = search->next[job])
        search->jobs[n++] = job;
    search->left -= least_of(n, search->left);
    *cost_p = 0;
    return n > 0 ? problem->cost(search->jobs, n, problem->data, cost_p) : CT_OK;
}

static double cost_of_all(const struct search *search)
{
    double cost = neutral_cost(search->problem);
    for (size_t s = 0; s < search->problem->n_switches; s++)
        if (search->sizes[s] > 0)
            cost = join_costs(search->problem, cost, search->costs[s]);
    return cost;
}

static enum ct_status price_all(struct search *search, double *cost_p)
{
    enum ct_status status = CT_OK;
    for (size_t s = 0; s < search->problem->n_switches && status == CT_OK; s++)
        status = price_switch(search, s, &search->costs[s]);
    *cost_p = cost_of_all(search);
    return status;
}

/* Job i goes to another switch, and job j of that one, if it is not NONE, to that of i. */
static void change_places(struct search *search, size_t i, size_t to, size_t j)
{
    size_t from = search->switch_of[i];
    take_job(search, i);
    if (j != NONE) {
        take_job(search, j);
        put_job(search, j, from);
    }
    put_job(search, i, to);
}

/* Whether all costs less with these two switches, whose jobs have changed, at their new costs. Of a
 * sum only their own cost counts; of a maximum, whether one of the two had it. */
static bool is_better(const struct search *search, const size_t pair[2], const double costs[2],
                      double before, double *cost_p)
{
    if (search->problem->objective == CT_GROUPING_SUM) {
        double gain = search->costs[pair[0]] + search->costs[pair[1]] - costs[0] - costs[1];
        *cost_p = before - gain;
        return gain > 1e-12;
    }
    if (fmax(search->costs[pair[0]], search->costs[pair[1]]) < before ||
        fmax(costs[0], costs[1]) >= before - 1e-12)
        return false;
    *cost_p = -INFINITY;
    for (size_t s = 0; s < search->problem->n_switches; s++) {
        double cost = s == pair[0] ? costs[0] : s == pair[1] ? costs[1] : search->costs[s];
        if (search->sizes[s] > 0 && cost >= before - 1e-12)
            return false;
        if (search->sizes[s] > 0)
            *cost_p = fmax(*cost_p, cost);
    }
    return true;
}

/* Move job i to another switch, or exchange it for job j there, and keep that if it is better. */
static enum ct_status try_change(struct search *search, size_t i, size_t to, size_t j, double *cost)
{
    const size_t pair[2] = {search->switch_of[i], to};
    double costs[2], changed;
    if (search->problem->objective == CT_GROUPING_MAX &&
        fmax(search->costs[pair[0]], search->costs[pair[1]]) < *cost)
        return CT_OK;
    change_places(search, i, to, j);
    enum ct_status status = price_switch(search, pair[0], &costs[0]);
    if (status == CT_OK)
        status = price_switch(search, pair[1], &costs[1]);
    if (status == CT_OK && is_better(search, pair, costs, *cost, &changed)) {
        *cost = changed;
        search->costs[pair[0]] = costs[0];
        search->costs[pair[1]] = costs[1];
        return CT_OK;
    }
    change_places(search, i, pair[0], j);
    return status;
}

static enum ct_status try_all_of_job(struct search *search, size_t i, double *cost)
{
    const struct ct_grouping_problem *problem = search->problem;
    enum ct_status status = CT_OK;
    for (size_t to = 0; to < problem->n_switches && status == CT_OK && search->left > 0; to++)
        if (to != search->switch_of[i] && search->sizes[to] < problem->per_switch)
            status = try_change(search, i, to, NONE, cost);
    for (size_t j = i + 1; j < problem->n && status == CT_OK && search->left > 0; j++)
        if (search->switch_of[j] != search->switch_of[i])
            status = try_change(search, i, search->switch_of[j], j, cost);
    return status;
}

static enum ct_status descend_search(struct search *search, double *cost)
{
    double before = INFINITY;
    enum ct_status status = CT_OK;
    while (*cost < before && status == CT_OK) {
        before = *cost;
        for (size_t i = 0; i < search->problem->n && status == CT_OK; i++)
            status = try_all_of_job(search, i, cost);
    }
    return status;
}

static enum ct_status find_near(const struct ct_grouping_problem *problem,
                                struct ct_grouping *grouping)
{
    size_t n_starts = ct_predict_count(CT_PREDICT_GROUPING_SEARCHES);
    struct search search;
    CT_TRY(search_new(problem, &search));
    grouping->cost = INFINITY;
    enum ct_status status = CT_OK;
    for (size_t start = 0; start < n_starts && status == CT_OK && search.left > 0; start++) {
        double cost;
        deal_jobs(&search);
        status = price_all(&search, &cost);
        if (status == CT_OK)
            status = descend_search(&search, &cost);
        cost = cost_of_all(&search);
        if (status == CT_OK && cost < grouping->cost) {
            grouping->cost = cost;
            memcpy(grouping->switch_of, search.switch_of, problem->n * sizeof *search.switch_of);
        }
    }
    grouping->is_cut_short = search.left == 0;
    search_free(&search);
    return status;
}

enum ct_status ct_grouping_random(const struct ct_grouping_problem *problem, size_t n_trials,
                                  double *mean_p)
{
    struct search search;
    if (!is_possible(problem) || n_trials == 0)
        return CT_EINVAL;
    CT_TRY(search_new(problem, &search));
    double sum = 0;
    enum ct_status status = CT_OK;
    for (size_t trial = 0; trial < n_trials && status == CT_OK; trial++) {
        double cost = 0;
        deal_jobs(&search);
        status = price_all(&search, &cost);
        sum += cost;
    }
    if (status == CT_OK)
        *mean_p = sum / (double)n_trials;
    search_free(&search);
    return status;
}

/* ---- the whole ---- */

/* Equal groupings get equal numbers. */
static void renumber_switches(const struct ct_grouping_problem *problem, size_t *number_of,
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
        renumber_switches(problem, number_of, grouping.switch_of);
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
