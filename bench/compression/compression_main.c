/* compressionb: options, rounds, tables, run file. */
#include "bench/common/clock.h"
#include "bench/compression/compression_plan.h"
#include "bench/compression/compression_run.h"
#include "results/run_parallel.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

struct values {
    uint64_t partners, messages; /* partners: 0 unless given */
    struct ct_pause bubble;
    size_t message_bytes;
    int pattern; /* enum ct_pattern */
    struct ct_burst burst;
    struct ct_bench_options common;
};

static const struct ct_option options[] = {
    {CT_OPTION(CHOICE, "pattern", struct values, pattern), .argument = "PATTERN", .initial = "ring",
     .choices = ct_pattern_names,
     .help =
         "who sends to whom: each node to the next P, all to all, all to the first one, each to "
         "the one half way round, the first one to all"},
    {CT_OPTION(U64, "partners", struct values, partners), .letter = 'P', .argument = "P",
     CT_RANGE(1, 1e6),
     .help = "nodes that every rank sends to in a round; less than the number of nodes. A ring "
             "needs this option, other patterns do not take it"},
    {CT_OPTION(U64, "messages", struct values, messages), .letter = 'M', .argument = "M",
     CT_RANGE(1, 1e6), .required = true,
     .help = "messages in a row to each node that a rank sends to, in a round"},
    {CT_OPTION(PAUSE, "bubble", struct values, bubble), .letter = 'B', .required = true,
     .help = "pause after the messages to one partner (ring) or to all: a time such as 10us, or "
             "cycles of the "
             "time-stamp counter such as 25000cycles. Under 50us it is spent spinning, else "
             "sleeping"},
    {CT_OPTION(SIZE, "message-size", struct values, message_bytes), .letter = 'm',
     .initial = "40kB", CT_RANGE(CT_COMPRESSION_LEAST_BYTES, INT_MAX), .help = "size of a message"},
    {CT_OPTION(CUSTOM, "burst", struct values, burst), .argument = "ON/OFF",
     .parse = ct_burst_parse,
     .help = "load in bursts: for ON, then no load for OFF, and so on, such as 20ms/40ms; each "
             "phase 25 % shorter to 25 % longer, drawn from the seed, the same on all ranks. "
             "Without this option there is load all the time"},
    {0}};

static const struct ct_option_group groups[] = {{.title = "Load", .options = options},
                                                {.title = "Run",
                                                 .options = ct_bench_option_rows,
                                                 .base_offset = offsetof(struct values, common)},
                                                {0}};

static const char *const examples[] = {
    "mpiexec -n 18 -ppn 1 compressionb -P 4 -M 1 -B 25000cycles",
    "load of a minute between 18 nodes",
    "mpiexec -n 8 compressionb --partners 7 --messages 10 --bubble 1ms --time 1h",
    "load that ends at SIGINT or SIGTERM",
    "mpiexec -n 8 compressionb --pattern incast -M 4 -B 1ms --burst 20ms/40ms",
    "seven nodes send to the first one, a third of the time",
    NULL};

static const char *const see_also[] = {"crosstalk(1)", "impactb(1)", "workload(1)", NULL};

static const struct ct_command command = {
    .name = "compressionb",
    .summary = "load a network by a known amount",
    .description =
        "Ranks with the same slot on their nodes form a group over the nodes. In a round of a "
        "ring, for p = 1 to P in turn, every rank starts M receives from its p-th successor and M "
        "sends to its p-th predecessor, then pauses for B; after all partners it waits until all "
        "its messages are complete. Every message is checked.\n\n"
        "With other patterns a rank starts all messages of a round, pauses once, and waits. "
        "alltoall: every node sends to all others; incast: all send to the first node, that of "
        "rank 0; bisection: every node sends to the one half way round; bcast: the first node "
        "sends to all others. In incast and bcast a send ends when its receiver has reached the "
        "same round, so that no rank gets ahead of others.\n\n"
        "With --burst nothing is sent outside the bursts except messages that are under way. The "
        "first burst begins with the first round. Pauses also elapse outside bursts, and messages "
        "that are due there are sent when the next burst begins.\n\n"
        "SIGINT and SIGTERM to any rank end the run after a common round. The output and the run "
        "file have the bytes sent until then; the run file has the bytes of all ranks in windows "
        "of 0.1 s (longer ones in runs of more than 1000 s), each round spread evenly over its "
        "time. Clocks of nodes are aligned by a barrier at the start.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* ---- run file ---- */

/* One row per window; the last one ends with the last round. */
static enum ct_status make_rows(const struct ct_compression_result *result,
                                struct ct_round **rows_p, size_t *n_p, struct ct_error *err)
{
    const struct ct_compression_windows *windows = &result->windows;
    size_t n = ct_compression_windows_until(windows, result->elapsed_s);
    struct ct_round *rows = calloc(n, sizeof *rows);
    if (!rows)
        return ct_fail(err, CT_ENOMEM, "no memory for %zu rows", n);
    for (size_t k = 0; k < n; k++) {
        double start_s = (double)k * windows->width_s;
        rows[k] =
            (struct ct_round){.start_s = start_s,
                              .duration_s = fmin(windows->width_s, result->elapsed_s - start_s),
                              .bytes = windows->bytes[k]};
    }
    *rows_p = rows;
    *n_p = n;
    return CT_OK;
}

struct answer {
    struct ct_compression_setup setup;
    struct ct_compression_result result;
    double cycles_per_s; /* NaN unless the pause was given in cycles */
    double bytes;        /* sent by all ranks; on rank 0 */
};

enum { GROUPS_TEXT_MAX = 128 };

static void describe_groups(const struct ct_layout *layout, char text[GROUPS_TEXT_MAX])
{
    int n = layout->max_slots, smallest = ct_compression_smallest_group(layout);
    if (layout->min_slots == layout->max_slots)
        snprintf(text, GROUPS_TEXT_MAX, "%d, of %d nodes each", n, layout->n_nodes);
    else
        snprintf(text, GROUPS_TEXT_MAX,
                 "%d, of %d nodes down to %d: not all nodes have the same number of ranks", n,
                 layout->n_nodes, smallest);
}

static double on_frac(const struct answer *answer)
{
    return answer->result.loaded_s / answer->result.elapsed_s;
}

static enum ct_status add_facts(const struct ct_layout *layout, const struct answer *answer,
                                struct ct_run_info *info, struct ct_error *err)
{
    const struct ct_compression_result *result = &answer->result;
    const struct ct_burst *burst = &answer->setup.burst;
    const struct {
        const char *key;
        double number;
    } facts[] = {{"rounds", (double)result->n_rounds},
                 {"rounds_s", result->elapsed_s},
                 {"bytes_per_s", answer->bytes / result->elapsed_s},
                 {"bubble_mean_s", result->pause_s},
                 {"cycles_per_s", answer->cycles_per_s},
                 {"burst_on_frac", burst->given ? on_frac(answer) : NAN},
                 {"window_s", result->windows.width_s}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == CT_OK; i++)
        if (!isnan(facts[i].number))
            status = ct_run_add_number(info, facts[i].key, facts[i].number);
    char groups_text[GROUPS_TEXT_MAX];
    describe_groups(layout, groups_text);
    if (status == CT_OK)
        status = ct_run_add_text(info, "groups", groups_text);
    return status == CT_OK ? CT_OK : ct_fail(err, status, "no memory for the run's attributes");
}

static enum ct_status write_run(const struct ct_bench *bench, const struct answer *answer,
                                struct ct_error *err)
{
    struct ct_run run = {0};
    enum ct_status status = ct_bench_describe(bench, CT_RUN_COMPRESSION, &run.info, err);
    if (status == CT_OK && bench->rank == 0) {
        run.info.has_config = true;
        run.info.config = (struct ct_config){.partners = (uint32_t)answer->result.partners,
                                             .messages = (uint32_t)answer->setup.messages,
                                             .bubble_s = answer->setup.bubble_s,
                                             .pattern = answer->setup.pattern,
                                             .burst = answer->setup.burst,
                                             .message_bytes = answer->setup.message_bytes,
                                             .slots = (uint32_t)bench->layout.max_slots};
        status = add_facts(&bench->layout, answer, &run.info, err);
        if (status == CT_OK)
            status = make_rows(&answer->result, &run.rounds, &run.n_rounds, err);
    }
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK)
        status = ct_run_write_parallel(bench->comm, bench->options->output, &run, err);
    free(run.rounds);
    ct_run_info_free(&run.info);
    return status;
}

/* ---- tables ---- */

static void fill_setup(const struct ct_bench *bench, const struct answer *answer,
                       struct ct_tables *tables)
{
    char groups_text[GROUPS_TEXT_MAX];
    describe_groups(&bench->layout, groups_text);
    ct_bench_add_provenance(bench, tables);
    ct_tables_provenance(tables, "groups", "%s", groups_text);
    if (answer->setup.bubble_s > 0)
        ct_tables_provenance(tables, "pause", "%.6g us, %s", answer->setup.bubble_s * 1e6,
                             answer->setup.bubble_s < ct_compression_sleep_from_s ? "spinning"
                                                                                  : "sleeping");
    if (!isnan(answer->cycles_per_s))
        ct_tables_provenance(tables, "time-stamp counter", "%.6g cycles a second",
                             answer->cycles_per_s);
    const struct ct_burst *burst = &answer->setup.burst;
    if (burst->given)
        ct_tables_provenance(tables, "burst", "%.6g ms on, %.6g ms off, each +-25 %%",
                             burst->on_s * 1e3, burst->off_s * 1e3);
}

static const struct ct_column node_columns[] = {
    {"node", "node", CT_UNIT_COUNT},
    {"host", "host", CT_UNIT_NONE},
    {"ranks", "ranks", CT_UNIT_COUNT},
    {"bytes", "sent", CT_UNIT_BYTES},
    {"bytes_per_s", "rate", CT_UNIT_BYTES_PER_S},
    {"waiting_frac", "waiting for messages", CT_UNIT_FRACTION}};

/* Sum over the ranks of a node. */
struct tally {
    double bytes, waiting_s;
};
enum { TALLY_NUMBERS = sizeof(struct tally) / sizeof(double) };

static void fill_nodes(const struct ct_layout *layout, double elapsed_s,
                       const struct tally *tallies, struct ct_tables *tables)
{
    CT_TABLES_BEGIN(tables, "nodes", "Nodes", node_columns);
    for (int node = 0; node < layout->n_nodes; node++) {
        int n = layout->slots_of_node[node];
        ct_tables_cell_number(tables, node);
        ct_tables_cell_text(tables, ct_layout_host(layout, node));
        CT_CELL_NUMBERS(tables, n, tallies[node].bytes, tallies[node].bytes / elapsed_s,
                        tallies[node].waiting_s / n / elapsed_s);
    }
}

static enum ct_status print_answer(const struct ct_bench *bench, const struct answer *answer,
                                   const struct tally *tallies, struct ct_error *err)
{
    const struct ct_compression_result *result = &answer->result;
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)bench->options->format);
    const struct ct_value rows[] = {
        {{"rounds", "rounds", CT_UNIT_COUNT}, (double)result->n_rounds},
        {{"elapsed_s", "time", CT_UNIT_LONG_SECONDS}, result->elapsed_s},
        {{"round_mean_s", "mean round", CT_UNIT_SECONDS},
         result->loaded_s / (double)result->n_rounds},
        {{"round_max_s", "longest round", CT_UNIT_SECONDS}, result->longest_s},
        {{"bubble_s", "pause asked for", CT_UNIT_SECONDS}, answer->setup.bubble_s},
        {{"bubble_mean_s", "mean pause", CT_UNIT_SECONDS}, result->pause_s},
        {{"bytes", "sent by all nodes", CT_UNIT_BYTES}, answer->bytes},
        {{"bytes_per_s", "rate of all nodes", CT_UNIT_BYTES_PER_S},
         answer->bytes / result->elapsed_s},
    };
    fill_setup(bench, answer, tables);
    char elapsed[CT_UNITS_TEXT_MAX];
    ct_format_elapsed(result->elapsed_s, elapsed);
    ct_tables_answer(tables, "All nodes together sent %.3g MB/s for %s.",
                     1e-6 * answer->bytes / result->elapsed_s, elapsed);
    CT_TABLES_NUMBERS(tables, rows);
    if (answer->setup.burst.given)
        CT_TABLES_NUMBER(tables, "burst_on_frac", "bursts' share of the time", FRACTION,
                         on_frac(answer));
    fill_nodes(&bench->layout, result->elapsed_s, tallies, tables);
    return ct_tables_finish(tables, err);
}

/* Known on rank 0. */
static enum ct_status tally_nodes(const struct ct_bench *bench,
                                  const struct ct_compression_result *result,
                                  struct tally **tallies_p, struct ct_error *err)
{
    size_t n = (size_t)bench->layout.n_nodes;
    struct tally *own = calloc(n, sizeof *own), *all = calloc(n, sizeof *all);
    enum ct_status status = CT_OK;
    if (own && all)
        own[bench->layout.node_of_rank[bench->rank]] =
            (struct tally){.bytes = (double)result->n_rounds * (double)result->round_bytes,
                           .waiting_s = result->waiting_s};
    else
        status = ct_fail(err, CT_ENOMEM, "no memory for %zu nodes", n);
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK) {
        MPI_Reduce(own, all, (int)n * TALLY_NUMBERS, MPI_DOUBLE, MPI_SUM, 0, bench->comm);
        *tallies_p = all;
    } else {
        free(all);
    }
    free(own);
    return status;
}

/* ---- the run ---- */

static enum ct_status write_answer(struct ct_bench *bench, struct answer *answer,
                                   struct ct_error *err)
{
    struct tally *tallies = NULL;
    enum ct_status status = tally_nodes(bench, &answer->result, &tallies, err);
    for (int node = 0; status == CT_OK && node < bench->layout.n_nodes; node++)
        answer->bytes += tallies[node].bytes;
    if (status == CT_OK && *bench->options->output)
        status = write_run(bench, answer, err);
    ct_log_progress_end(&bench->log);
    if (status == CT_OK && bench->rank == 0)
        status = print_answer(bench, answer, tallies, err);
    free(tallies);
    return status;
}

/* All ranks use rank 0's calibration: the pause is the same everywhere. */
static void set_bubble(const struct ct_bench *bench, struct ct_pause pause, struct answer *answer)
{
    answer->setup.bubble_s = pause.value;
    answer->cycles_per_s = NAN;
    if (!pause.in_cycles)
        return;
    answer->cycles_per_s = ct_clock_cycles_per_s();
    MPI_Bcast(&answer->cycles_per_s, 1, MPI_DOUBLE, 0, bench->comm);
    answer->setup.bubble_s = pause.value / answer->cycles_per_s;
}

/* Which options go together. */
static enum ct_status check_options(const struct values *values, struct ct_error *err)
{
    if (values->common.config.given)
        return ct_fail(err, CT_EUSAGE,
                       "--config: use --partners, --messages and --bubble; compressionb is the "
                       "configuration");
    bool takes_partners = ct_pattern_takes_partners((enum ct_pattern)values->pattern);
    bool has_partners = values->partners > 0;
    if (takes_partners && !has_partners)
        return ct_fail(err, CT_EUSAGE, "--partners P is missing; see %s --help", command.name);
    if (!takes_partners && has_partners)
        return ct_fail(err, CT_EUSAGE,
                       "--partners: leave it out with --pattern %s, which needs no number",
                       ct_pattern_names[values->pattern]);
    return CT_OK;
}

static enum ct_status run_compression(struct ct_bench *bench, void *given, struct ct_error *err)
{
    const struct values *values = given;
    CT_TRY(check_options(values, err));
    struct answer answer = {.setup = {.pattern = (enum ct_pattern)values->pattern,
                                      .partners = (int)values->partners,
                                      .messages = (int)values->messages,
                                      .message_bytes = values->message_bytes,
                                      .burst = values->burst,
                                      .time_s = values->common.time_s}};
    set_bubble(bench, values->bubble, &answer);
    CT_TRY(ct_compression_run(bench, &answer.setup, &answer.result, err));
    enum ct_status status = write_answer(bench, &answer, err);
    ct_compression_result_free(&answer.result);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {0};
    return ct_bench_main(&command, argc, argv, &values, &values.common, NULL, run_compression);
}
