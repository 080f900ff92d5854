#include "study/logp_links.h"

#include "core/order.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

/* A run's rows, link after link, each link's in the order of the run. */
struct sorted {
    uint64_t *keys; /* n, ascending: a link each */
    size_t n;
    struct ct_logp_row *rows;
    struct ct_logp_repetition *repetitions;
    size_t *first_row, *first_repetition; /* n + 1 */
};

static uint64_t key_of(uint32_t rank_from, uint32_t rank_to)
{
    return (uint64_t)rank_from << 32 | rank_to;
}

/* Index of a key; n: there is none. */
static size_t find_key(const struct sorted *sorted, uint64_t key)
{
    const uint64_t *found = bsearch(&key, sorted->keys, sorted->n, sizeof key, ct_order_u64);
    return found ? (size_t)(found - sorted->keys) : sorted->n;
}

static void list_keys(const struct ct_run *run, struct sorted *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_logp; i++)
        if (run->logp[i].method == CT_LOGP_FAST)
            sorted->keys[n++] = key_of(run->logp[i].rank_from, run->logp[i].rank_to);
    qsort(sorted->keys, n, sizeof *sorted->keys, ct_order_u64);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted->keys[i] != sorted->keys[sorted->n - 1])
            sorted->keys[sorted->n++] = sorted->keys[i];
}

/* From how many there are of each link to where those of each begin. */
static void add_up(size_t *first, size_t n)
{
    size_t before = 0;
    for (size_t i = 0; i <= n; i++) {
        size_t here = first[i];
        first[i] = before;
        before += here;
    }
}

/* After items were put in, first[i] is where those of link i end. */
static void move_back(size_t *first, size_t n)
{
    for (size_t i = n; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

static size_t link_of_row(const struct sorted *sorted, const struct ct_logp_row *row)
{
    return row->method == CT_LOGP_FAST ? find_key(sorted, key_of(row->rank_from, row->rank_to))
                                       : sorted->n;
}

static void sort_rows(const struct ct_run *run, struct sorted *sorted)
{
    for (size_t i = 0; i < run->n_logp; i++)
        sorted->first_row[link_of_row(sorted, &run->logp[i])]++;
    add_up(sorted->first_row, sorted->n);
    for (size_t i = 0; i < run->n_logp; i++)
        sorted->rows[sorted->first_row[link_of_row(sorted, &run->logp[i])]++] = run->logp[i];
    move_back(sorted->first_row, sorted->n);
}

static size_t link_of_repetition(const struct sorted *sorted, const struct ct_logp_repetition *one)
{
    return find_key(sorted, key_of(one->rank_from, one->rank_to));
}

static void sort_repetitions(const struct ct_run *run, struct sorted *sorted)
{
    const struct ct_logp_repetition *all = run->repetitions;
    for (size_t i = 0; i < run->n_repetitions; i++)
        sorted->first_repetition[link_of_repetition(sorted, &all[i])]++;
    add_up(sorted->first_repetition, sorted->n);
    for (size_t i = 0; i < run->n_repetitions; i++)
        sorted->repetitions[sorted->first_repetition[link_of_repetition(sorted, &all[i])]++] =
            all[i];
    move_back(sorted->first_repetition, sorted->n);
}

static void free_sorted(struct sorted *sorted)
{
    free(sorted->keys);
    free(sorted->rows);
    free(sorted->repetitions);
    free(sorted->first_row);
    free(sorted->first_repetition);
}

static enum ct_status sort_links(const struct ct_run *run, size_t intervals_max,
                                 struct sorted *sorted, struct ct_error *err)
{
    sorted->keys = malloc((run->n_logp + 1) * sizeof *sorted->keys);
    sorted->rows = malloc((run->n_logp + 1) * sizeof *sorted->rows);
    sorted->repetitions = malloc((run->n_repetitions + 1) * sizeof *sorted->repetitions);
    if (!sorted->keys || !sorted->rows || !sorted->repetitions)
        return ct_no_memory(err, "pairs of ranks");
    list_keys(run, sorted);
    if (sorted->n == 0)
        return ct_fail(err, CT_ENODATA, "no round trips between two ranks");
    sorted->first_row = calloc(sorted->n + 2, sizeof *sorted->first_row);
    sorted->first_repetition = calloc(sorted->n + 2, sizeof *sorted->first_repetition);
    if (!sorted->first_row || !sorted->first_repetition)
        return ct_no_memory(err, "pairs of ranks");
    sort_rows(run, sorted);
    if (sorted->n <= intervals_max)
        sort_repetitions(run, sorted);
    return CT_OK;
}

/* ---- links ---- */

/* The run as if there were no other link. */
static struct ct_run view_of(const struct ct_run *run, const struct sorted *sorted, size_t i)
{
    return (struct ct_run){.info = run->info,
                           .logp = sorted->rows + sorted->first_row[i],
                           .n_logp = sorted->first_row[i + 1] - sorted->first_row[i],
                           .repetitions = sorted->repetitions + sorted->first_repetition[i],
                           .n_repetitions =
                               sorted->first_repetition[i + 1] - sorted->first_repetition[i]};
}

static enum ct_status derive_link(const struct ct_run *run, const struct sorted *sorted, size_t i,
                                  struct ct_logp_link_parameters *link_p, struct ct_error *err)
{
    struct ct_logp_curve curve;
    const struct ct_run view = view_of(run, sorted, i);
    CT_TRY(ct_logp_curve_take(&view, &curve, err));
    *link_p = (struct ct_logp_link_parameters){.rank_from = view.logp[0].rank_from,
                                               .rank_to = view.logp[0].rank_to,
                                               .S_bytes = ct_logp_curve_eager_bytes(&curve)};
    enum ct_status status = ct_logp_curve_derive(&curve, &link_p->loggp, err);
    ct_logp_curve_free(&curve);
    return status;
}

static bool list_ranks(struct ct_logp_links *links)
{
    links->ranks = malloc((2 * links->n + 1) * sizeof *links->ranks);
    if (!links->ranks)
        return false;
    for (size_t i = 0; i < links->n; i++) {
        links->ranks[2 * i] = links->links[i].rank_from;
        links->ranks[2 * i + 1] = links->links[i].rank_to;
    }
    qsort(links->ranks, 2 * links->n, sizeof *links->ranks, ct_order_u32);
    for (size_t i = 0; i < 2 * links->n; i++)
        if (links->n_ranks == 0 || links->ranks[i] != links->ranks[links->n_ranks - 1])
            links->ranks[links->n_ranks++] = links->ranks[i];
    return true;
}

enum ct_status ct_logp_links_take(const struct ct_run *run, size_t intervals_max,
                                  struct ct_logp_links *links_p, struct ct_error *err)
{
    struct sorted sorted = {.n = 0};
    struct ct_logp_links links = {.n = 0};
    enum ct_status status = sort_links(run, intervals_max, &sorted, err);
    if (status == CT_OK) {
        links.links = malloc((sorted.n + 1) * sizeof *links.links);
        if (!links.links)
            status = ct_no_memory(err, "pairs of ranks");
    }
    for (size_t i = 0; i < sorted.n && status == CT_OK; i++) {
        status = derive_link(run, &sorted, i, &links.links[links.n], err);
        links.n++;
    }
    links.has_intervals = sorted.n <= intervals_max;
    if (status == CT_OK && !list_ranks(&links))
        status = ct_no_memory(err, "pairs of ranks");
    free_sorted(&sorted);
    if (status == CT_OK)
        *links_p = links;
    else
        ct_logp_links_free(&links);
    return status;
}

void ct_logp_links_free(struct ct_logp_links *links)
{
    free(links->links);
    free(links->ranks);
    *links = (struct ct_logp_links){.n = 0};
}

static int by_ranks(const void *a, const void *b)
{
    const uint64_t *key = a;
    const struct ct_logp_link_parameters *link = b;
    uint64_t other = key_of(link->rank_from, link->rank_to);
    return (*key > other) - (*key < other);
}

const struct ct_logp_link_parameters *ct_logp_links_find(const struct ct_logp_links *links,
                                                         uint32_t rank_from, uint32_t rank_to)
{
    uint64_t there = key_of(rank_from, rank_to), back = key_of(rank_to, rank_from);
    const struct ct_logp_link_parameters *found =
        bsearch(&there, links->links, links->n, sizeof *links->links, by_ranks);
    return found ? found : bsearch(&back, links->links, links->n, sizeof *links->links, by_ranks);
}

/* ---- replicates ---- */

/* Replicate r of a link; where fewer than all could be derived, they are used again. */
static struct ct_logp_drawn drawn_of(const struct ct_loggps_replicates *replicates, size_t r)
{
    if (replicates->n == 0)
        return (struct ct_logp_drawn){NAN, NAN, NAN};
    const struct ct_loggps_model *model = &replicates->models[r % replicates->n];
    return (struct ct_logp_drawn){model->o_s, model->L_s, model->G_s_per_byte};
}

static enum ct_status draw_link(const struct ct_run *run, const struct sorted *sorted, size_t i,
                                struct ct_logp_draws *draws, size_t *most_p, struct ct_error *err)
{
    struct ct_logp_curve curve;
    struct ct_loggps_replicates replicates = {.n = 0};
    const struct ct_run view = view_of(run, sorted, i);
    CT_TRY(ct_logp_curve_take(&view, &curve, err));
    enum ct_status status = CT_OK;
    if (!draws->drawn) {
        draws->n = curve.resampling.replicates;
        draws->level = curve.resampling.level;
        draws->seed = curve.resampling.seed;
        draws->drawn = malloc((draws->n * sorted->n + 1) * sizeof *draws->drawn);
        if (!draws->drawn)
            status = ct_no_memory(err, "pairs of ranks");
    }
    curve.resampling.seed = ct_random_at(draws->seed, i);
    if (status == CT_OK)
        status = ct_loggps_resample(curve.points, curve.samples, curve.n,
                                    ct_logp_curve_eager_bytes(&curve), &curve.resampling,
                                    &replicates, err);
    ct_logp_curve_free(&curve);
    for (size_t r = 0; r < draws->n && status == CT_OK; r++)
        draws->drawn[r * sorted->n + i] = drawn_of(&replicates, r);
    *most_p = replicates.n > *most_p ? replicates.n : *most_p;
    ct_loggps_replicates_free(&replicates);
    return status;
}

enum ct_status ct_logp_links_draw(const struct ct_run *run, struct ct_logp_draws *draws_p,
                                  struct ct_error *err)
{
    struct sorted sorted = {.n = 0};
    struct ct_logp_draws draws = {.n = 0};
    size_t most = 0;
    enum ct_status status = sort_links(run, SIZE_MAX, &sorted, err);
    for (size_t i = 0; i < sorted.n && status == CT_OK; i++)
        status = draw_link(run, &sorted, i, &draws, &most, err);
    free_sorted(&sorted);
    if (most == 0)
        draws.n = 0;
    if (status == CT_OK)
        *draws_p = draws;
    else
        ct_logp_draws_free(&draws);
    return status;
}

void ct_logp_draws_free(struct ct_logp_draws *draws)
{
    free(draws->drawn);
    *draws = (struct ct_logp_draws){.n = 0};
}
