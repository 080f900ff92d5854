#include "bench/impact/impact_print.h"

#include "core/order.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>

/* Beyond so many samples (half a gigabyte) the run file and `crosstalk show` are the place to look.
 */
enum { GATHER_MAX = 20000000 };
static const double level = 0.95;
static const double late_frac_noted = 0.1;

/* Samples of all ranks, on rank 0. */
struct pool {
    struct ct_sample *samples;
    size_t n;
};

static enum ct_status make_room(const struct ct_bench *bench, const int *counts, int *displacements,
                                struct pool *all_p, struct ct_error *err)
{
    size_t n = 0;
    for (int rank = 0; rank < bench->size; rank++) {
        displacements[rank] = (int)n;
        n += (size_t)counts[rank];
    }
    all_p->samples = malloc((n + 1) * sizeof *all_p->samples);
    all_p->n = n;
    return all_p->samples ? CT_OK : ct_no_memory(err, "summary of %zu samples", n);
}

CT_ORDER(compare_times, struct ct_sample, t_s)

/* In the order of time, as the block bootstrap wants them. */
static enum ct_status gather_pools(const struct ct_bench *bench,
                                   const struct ct_impact_result *result, struct pool *all_p,
                                   struct ct_error *err)
{
    MPI_Datatype sample;
    MPI_Type_contiguous((int)sizeof(struct ct_sample), MPI_BYTE, &sample);
    MPI_Type_commit(&sample);
    int *counts = calloc((size_t)bench->size, sizeof *counts);
    int *displacements = calloc((size_t)bench->size, sizeof *displacements);
    bool room = counts && displacements;
    enum ct_status status = room ? CT_OK : ct_no_memory(err, "summary");
    status = ct_bench_agree(bench, status, err);
    int n = (int)result->n_samples;
    if (status == CT_OK && room) {
        MPI_Gather(&n, 1, MPI_INT, counts, 1, MPI_INT, 0, bench->comm);
        status = bench->rank == 0 ? make_room(bench, counts, displacements, all_p, err) : CT_OK;
        status = ct_bench_agree(bench, status, err);
    }
    if (status == CT_OK)
        MPI_Gatherv(result->samples, n, sample, all_p->samples, counts, displacements, sample, 0,
                    bench->comm);
    if (status == CT_OK && all_p->n > 0)
        qsort(all_p->samples, all_p->n, sizeof *all_p->samples, compare_times);
    MPI_Type_free(&sample);
    free(counts);
    free(displacements);
    return status;
}

/* ---- latencies ---- */

static const struct ct_column latency_columns[] = {{"statistic", "latency", CT_UNIT_NONE},
                                                   {"value_s", "value", CT_UNIT_SECONDS},
                                                   {"ci_s[]", "95 % from", CT_UNIT_SECONDS},
                                                   {"ci_s[]", "to", CT_UNIT_SECONDS}};

static void print_statistic(struct ct_tables *tables, const char *name, double value_s,
                            struct ct_interval interval_s)
{
    ct_tables_cell_text(tables, name);
    CT_CELL_NUMBERS(tables, value_s, interval_s.lo, interval_s.hi);
}

static double mean_of(const struct ct_series *series, void *data)
{
    (void)data;
    double sum = 0;
    for (size_t i = 0; i < series->n; i++)
        sum += series->x[i];
    return sum / (double)series->n;
}

/* latency_s: in the order of time; sorted on return. */
static void print_latencies(struct ct_tables *tables, double *latency_s, size_t n, uint64_t seed)
{
    static const struct {
        const char *name;
        double p;
    } quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};
    const struct ct_interval none = {NAN, NAN};
    struct ct_interval interval = none;
    struct ct_summary summary;
    if (ct_stats_summarize(latency_s, n, &summary) != CT_OK)
        return;
    const struct ct_series series = {.x = latency_s, .n = n};
    const struct ct_bootstrap setup = {.replicates = 400, .level = level, .seed = seed};
    if (ct_stats_bootstrap(&series, 1, mean_of, NULL, &setup, &interval) != CT_OK)
        interval = none;
    ct_tables_begin(tables, "latencies{}", "Latencies", latency_columns, 4);
    print_statistic(tables, "min", summary.min, none);
    print_statistic(tables, "mean", summary.mean, interval);
    ct_stats_sort(latency_s, n);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        double value_s = NAN;
        ct_stats_quantile(latency_s, n, quantiles[i].p, &value_s);
        interval = none;
        ct_stats_quantile_interval(latency_s, n, quantiles[i].p, level, &interval);
        print_statistic(tables, quantiles[i].name, value_s, interval);
    }
    print_statistic(tables, "max", summary.max, none);
    char median[CT_UNITS_TEXT_MAX], late[CT_UNITS_TEXT_MAX];
    double median_s = NAN, late_s = NAN;
    ct_stats_quantile(latency_s, n, 0.5, &median_s);
    ct_stats_quantile(latency_s, n, 0.99, &late_s);
    ct_format_words(median_s, 3, median);
    ct_format_words(late_s, 3, late);
    ct_tables_answer(tables,
                     "Half of the %zu probes took at most %s, 99 of 100 at most %s; how busy the "
                     "network was: crosstalk utilization.",
                     n, median, late);
}

/* ---- pairs ---- */

struct pair_summary {
    const struct ct_pair *pair;
    size_t n;
    double mean_s, max_s;
};

static int compare_means(const void *left, const void *right)
{
    const struct pair_summary *a = left, *b = right;
    double mean_a = a->n ? a->mean_s : -INFINITY, mean_b = b->n ? b->mean_s : -INFINITY;
    return (mean_a < mean_b) - (mean_a > mean_b);
}

static struct pair_summary *summarize_pairs(const struct ct_impact_result *result,
                                            const struct pool *all)
{
    struct pair_summary *pairs = calloc(result->n_pairs, sizeof *pairs);
    if (!pairs)
        return NULL;
    for (size_t i = 0; i < result->n_pairs; i++)
        pairs[i].pair = &result->pairs[i];
    for (size_t i = 0; i < all->n; i++) {
        const struct ct_sample *sample = &all->samples[i];
        struct pair_summary *pair = &pairs[sample->pair];
        pair->n++;
        pair->mean_s += (sample->latency_s - pair->mean_s) / (double)pair->n;
        pair->max_s = fmax(pair->max_s, sample->latency_s);
    }
    qsort(pairs, result->n_pairs, sizeof *pairs, compare_means);
    return pairs;
}

static const struct ct_column pair_columns[] = {
    {"host_a", "from", CT_UNIT_NONE},      {"rank_a", "rank", CT_UNIT_COUNT},
    {"host_b", "to", CT_UNIT_NONE},        {"rank_b", "rank", CT_UNIT_COUNT},
    {"samples", "samples", CT_UNIT_COUNT}, {"mean_s", "mean", CT_UNIT_SECONDS},
    {"max_s", "max", CT_UNIT_SECONDS},     {"path_class", "switches", CT_UNIT_COUNT}};

static void print_pairs(struct ct_tables *tables, const struct pair_summary *pairs, size_t n,
                        bool has_paths)
{
    size_t n_columns = sizeof pair_columns / sizeof *pair_columns - !has_paths;
    if (pairs[0].n > 0) {
        char worst[2 * CT_HOST_MAX + 64];
        snprintf(worst, sizeof worst, "%s (rank %u) and %s (rank %u)", pairs[0].pair->host_a,
                 pairs[0].pair->rank_a, pairs[0].pair->host_b, pairs[0].pair->rank_b);
        CT_TABLES_TEXT(tables, "worst_pair", "slowest pair", worst);
    }
    ct_tables_begin(tables, "pairs", "Pairs by mean latency", pair_columns, n_columns);
    for (size_t i = 0; i < n; i++) {
        ct_tables_cell_text(tables, pairs[i].pair->host_a);
        ct_tables_cell_number(tables, pairs[i].pair->rank_a);
        ct_tables_cell_text(tables, pairs[i].pair->host_b);
        CT_CELL_NUMBERS(tables, pairs[i].pair->rank_b, (double)pairs[i].n,
                        pairs[i].n ? pairs[i].mean_s : NAN, pairs[i].n ? pairs[i].max_s : NAN);
        if (has_paths)
            ct_tables_cell_number(tables, pairs[i].pair->path_class);
    }
}

/* ---- the whole ---- */

static void describe_epochs(struct ct_tables *tables, const struct ct_impact_setup *setup,
                            const struct ct_impact_result *result, const struct ct_bench *bench)
{
    int n = result->n_epochs, once = setup->rounds->n; /* in which all pairs meet */
    if (setup->pairing != CT_PAIRING_LINKS)
        once = ct_impact_epochs(setup->pairing,
                                setup->within_node ? bench->layout.n_ranks : bench->layout.n_nodes);
    if (setup->limited)
        ct_tables_provenance(tables, "epochs", "%d, of %llu probes a pair", n,
                             (unsigned long long)setup->n_probes);
    else if (setup->pairing != CT_PAIRING_RANDOM && n < once)
        ct_tables_provenance(tables, "epochs",
                             "%d of %.4g s; all pairs take %d: a longer --time reaches them", n,
                             result->epoch_s, once);
    else
        ct_tables_provenance(tables, "epochs", "%d of %.4g s", n, result->epoch_s);
}

static void print_counts(struct ct_tables *tables, const struct ct_impact_result *result)
{
    const struct {
        struct ct_column column;
        uint64_t n;
    } counts[] = {{{"samples", "samples", CT_UNIT_COUNT}, result->all_samples},
                  {{"late", "late probes", CT_UNIT_COUNT}, result->all_late},
                  {{"missed", "missed probes", CT_UNIT_COUNT}, result->all_missed}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        ct_tables_number(tables, counts[i].column, (double)counts[i].n);
    uint64_t behind = result->all_late + result->all_missed;
    if ((double)behind > late_frac_noted * (double)(result->all_samples + result->all_missed))
        ct_tables_note(tables,
                       "Many probes could not leave when they were due: --outstanding is low or "
                       "--interval short for the latencies met, or the processor was busy.");
}

static void print_provenance(struct ct_tables *tables, const struct ct_bench *bench,
                             const struct ct_impact_setup *setup,
                             const struct ct_impact_result *result)
{
    const struct ct_layout *layout = &bench->layout;
    ct_bench_add_provenance(bench, tables);
    ct_tables_provenance(tables, "exchange-overhead", "%.3g us (half of an exchange with itself)",
                         result->exchange_overhead_s * 1e6);
    describe_epochs(tables, setup, result, bench);
    if (setup->network->known)
        ct_tables_provenance(tables, "network", "%s", setup->network->topology.name);
    ct_tables_provenance(tables, "intervals",
                         "95 %%; mean: block bootstrap; quantiles: order statistics");
    if (!setup->within_node && layout->n_nodes % 2 && setup->pairing == CT_PAIRING_ADJACENT)
        ct_tables_provenance(tables, "not-probed",
                             "%s: odd number of nodes; --pairing rotate "
                             "reaches every node",
                             ct_layout_host(layout, layout->n_nodes - 1));
    if (!setup->within_node && layout->min_slots != layout->max_slots)
        ct_tables_provenance(tables, "unequal-slots",
                             "%d to %d ranks a node: a rank without one in the same slot of the "
                             "other node is not used",
                             layout->min_slots, layout->max_slots);
}

static enum ct_status print_result(const struct ct_bench *bench,
                                   const struct ct_impact_setup *setup,
                                   const struct ct_impact_result *result, struct pool *all,
                                   struct ct_error *err)
{
    enum ct_format format = (enum ct_format)bench->options->format;
    struct ct_tables *tables = ct_tables_new(bench->command->name, format);
    struct pair_summary *pairs = summarize_pairs(result, all);
    double *latency_s = malloc((all->n + 1) * sizeof *latency_s);
    enum ct_status status = CT_OK;
    if (!tables || !pairs || !latency_s)
        status = ct_no_memory(err, "summary");
    if (status == CT_OK) {
        print_provenance(tables, bench, setup, result);
        print_counts(tables, result);
        for (size_t i = 0; i < all->n; i++)
            latency_s[i] = all->samples[i].latency_s;
        print_latencies(tables, latency_s, all->n, setup->seed);
        print_pairs(tables, pairs, result->n_pairs, setup->network->known && !setup->within_node);
        status = ct_tables_print(tables, stdout, err);
    }
    free(pairs);
    free(latency_s);
    ct_tables_free(tables);
    return status;
}

enum ct_status ct_impact_print(struct ct_bench *bench, const struct ct_impact_setup *setup,
                               const struct ct_impact_result *result, struct ct_error *err)
{
    if (result->all_samples > GATHER_MAX) {
        if (bench->rank == 0)
            ct_log_warn(&bench->log,
                        "%llu samples are too many to summarise here; use crosstalk show",
                        (unsigned long long)result->all_samples);
        return CT_OK;
    }
    struct pool all = {0};
    enum ct_status status = gather_pools(bench, result, &all, err);
    if (status == CT_OK && bench->rank == 0)
        status = print_result(bench, setup, result, &all, err);
    free(all.samples);
    return ct_bench_agree(bench, status, err);
}
