/* impactb: options, plan, run, answer, file. */
#include "bench/impact/impact_print.h"
#include "bench/impact/impact_run.h"
#include "bench/impact/impact_watch.h"
#include "bench/impact/impact_wire.h"
#include "results/run_parallel.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

struct values {
    size_t message_bytes;
    double interval_s;
    uint64_t iterations;
    uint64_t warmup;
    uint64_t outstanding;
    int arrivals, wait;
    int pairing; /* NOT_GIVEN: depends on --topology */
    const char *topology;
    double checkpoint_s;
    bool allow_one_node;
    struct ct_impact_watch watch;
    struct ct_argv prober; /* what this process becomes after MPI; empty: nothing */
    struct ct_bench_options common;
};

enum { NOT_GIVEN = -1 };

static const struct ct_option options[] = {
    {CT_OPTION(SIZE, "message-size", struct values, message_bytes), .letter = 'm',
     .initial = "1KiB", CT_RANGE(CT_PROBE_LEAST_BYTES, 1 << 30),
     .help = "size of a probe and of its answer"},
    {CT_OPTION(DURATION, "interval", struct values, interval_s), .initial = "100ms",
     CT_RANGE(1e-6, 1e6), .help = "mean time between the probes of a pair"},
    {CT_OPTION(CHOICE, "arrivals", struct values, arrivals), .argument = "KIND",
     .initial = "poisson", .choices = ct_arrivals_names,
     .help = "when probes are due, at random (so that their mean latency is a time average) or at "
             "equal distances"},
    {CT_OPTION(CHOICE, "pairing", struct values, pairing), .argument = "KIND",
     .choices = ct_pairing_names,
     .help = "adjacent nodes, every node with every other in turn, random partners, or few pairs "
             "that pass every link of the topology. Without this option links with --topology, "
             "else rotate"},
    {CT_OPTION(STRING, "topology", struct values, topology), .argument = "TOPOLOGY",
     .help = "switches and links between the nodes, as crosstalk-topology(1) takes them: "
             "topology.conf, or fat-tree:16x2. Without this option that of the lab, or in a job of "
             "Slurm that of its topology.conf"},
    {CT_OPTION(U64, "iterations", struct values, iterations), .letter = 'i', CT_RANGE(1, 1e12),
     .help = "end after N probes of every pair, or when --time is over"},
    {CT_OPTION(U64, "warmup", struct values, warmup), .letter = 'x', .initial = "2",
     CT_RANGE(1, 1e6), .help = "exchanges with a new partner that are not recorded"},
    {CT_OPTION(U64, "outstanding", struct values, outstanding), .initial = "64", CT_RANGE(1, 65536),
     .help = "most probes of a pair that are not yet answered; further ones wait. The default "
             "suffices for round trips of 64 intervals"},
    {CT_OPTION(CHOICE, "wait", struct values, wait), .argument = "HOW", .initial = "yield",
     .choices = ct_wait_names,
     .help = "how a rank waits: polling on a core of its own, offering the core to others at each "
             "poll, or asleep between polls, which adds up to 0.1 ms to latencies"},
    {CT_OPTION(DURATION, "checkpoint", struct values, checkpoint_s), .initial = "60s", .max = 1e6,
     .help = "save the samples so far at this interval, in the folder FILE.h5.checkpoint, so that "
             "a run that is killed loses no more than that; see crosstalk-export(1). 0s: keep "
             "nothing. A run of at most this time has no checkpoint"},
    {CT_OPTION(FLAG, "allow-one-node", struct values, allow_one_node),
     .help = "if all ranks share one node, measure between them"},
    {0}};

static const struct ct_option watch_options[] = {
    {CT_OPTION(STRING, "watch", struct values, watch.folder), .argument = "DIR",
     .help = "probe until a signal comes, by crosstalk-prober(1), into the folder DIR of rank 0; "
             "with --interval, --topology and --time, if they are given"},
    {CT_OPTION(STRING, "interface", struct values, watch.interface), .argument = "NAME",
     .help = "with --watch: the interface of rank 0 to the network that is watched, such as ib0; "
             "without this option the first address of rank 0 that answers"},
    {CT_OPTION(RATE, "link-rate", struct values, watch.link_bit_per_s), CT_RANGE(1e3, 1e13),
     .help = "with --watch: of the link of a host, of which 0.1 % is used at most; without this "
             "option 1 Gbit/s"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Probes", options, 0},
    {"Watch", watch_options, 0},
    {"Run", ct_bench_option_rows, offsetof(struct values, common)},
    {0}};

static const char *const examples[] = {
    "mpiexec -ppn 1 -hosts n1,n2,n3,n4 impactb --output idle.h5",
    "probe the idle network for a minute, every node with every other",
    "mpiexec -ppn 1 -hosts n1,n2,n3,n4 impactb --label milc --output milc.h5",
    "the same while milc runs on these nodes",
    "mpiexec -ppn 1 -f hosts impactb --topology topology.conf --output idle.h5",
    "few pairs that pass every link between the nodes, for crosstalk utilization --links",
    "mpiexec -ppn 1 -f hosts -disable-auto-cleanup impactb --watch watch --interface ib0",
    "watch the network for days; hosts may vanish",
    "mpiexec -n 2 impactb --allow-one-node -i 1000 --interval 1ms",
    "latency inside one machine",
    NULL};
static const char *const see_also[] = {"compressionb(1)",       "crosstalk-utilization(1)",
                                       "crosstalk-topology(1)", "crosstalk-export(1)",
                                       "crosstalk-show(1)",     NULL};

static const struct ct_command command = {
    .name = "impactb",
    .summary = "network latency that a running application leaves to others",
    .description =
        "Pairs the ranks of different nodes that have the same slot on their node, exchanges a "
        "small message between the partners from time to time (--interval, --arrivals), and "
        "records half of each round trip. Start it with one rank per node, on a core that no "
        "application uses.\n\n"
        "The schedule is an open loop: a probe is sent when it is due, whether those before have "
        "been answered or not. Its latency counts from the time at which it was sent. A probe that "
        "is sent more than 1 ms (or a tenth of the interval, if that is less) after its due time "
        "counts as late: --outstanding probes are under way, or the processor was busy. A probe "
        "that is due but not sent when an epoch or the run ends counts as missed.\n\n"
        "Each sample has a one-way time, too (forward_s): when the partner answered, by its clock, "
        "less when the probe was sent. With messages below 24 B it is not recorded.\n\n"
        "Partners take turns at probing from cycle to cycle of pairs (from_b is 1 in samples of "
        "the "
        "second one).\n\n"
        "With a topology the run file has the number of switches between the nodes of each pair. "
        "--pairing links chooses the pairs: of each such number those that pass the most links not "
        "yet passed, then those that tell links apart that the others do not.\n\n"
        "With --watch MPI only says where rank 0 is, and ends; then each process becomes "
        "crosstalk-prober(1), one on each node, so that a host that vanishes does not end the "
        "others. The launcher must let them live: -disable-auto-cleanup of MPICH's mpiexec, "
        "--no-kill --kill-on-bad-exit=0 of srun. Nothing is printed as a result, and no run file "
        "is written.\n\n"
        "SIGINT or SIGTERM to any rank ends the run on all; the measurements so far are written.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* What the run turned out to be. */
static enum ct_status add_facts(const struct ct_impact_result *result, struct ct_run_info *info,
                                struct ct_error *err)
{
    const struct {
        const char *key;
        double value;
    } facts[] = {{"exchange_overhead_s", result->exchange_overhead_s},
                 {"late_probes", (double)result->all_late},
                 {"missed_probes", (double)result->all_missed},
                 {"epochs", result->n_epochs},
                 {"epoch_s", result->epoch_s}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == CT_OK; i++)
        if (!isnan(facts[i].value))
            status = ct_run_add_number(info, facts[i].key, facts[i].value);
    if (status == CT_OK && result->has_one_clock)
        status = ct_run_add_text(info, CT_RUN_CLOCKS,
                                 CT_SIMULATED ? CT_RUN_CLOCKS_COMMON : CT_RUN_CLOCKS_MACHINE);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "description of the run");
}

/* The checkpoint stays where the run file could not be written. */
static enum ct_status write_run(const struct ct_bench *bench, const struct ct_impact_result *result,
                                struct ct_run_info *info, struct ct_error *err)
{
    const char *output = bench->options->output;
    enum ct_status status = ct_bench_agree(bench, add_facts(result, info, err), err);
    struct ct_run run = {.info = *info,
                         .samples = result->samples,
                         .n_samples = result->n_samples,
                         .pairs = result->pairs,
                         .n_pairs = result->n_pairs};
    if (status == CT_OK)
        status = ct_run_write_parallel(bench->comm, output, &run, err);
    if (status == CT_OK && result->checkpointed && bench->rank == 0)
        status = ct_checkpoint_remove(output, err);
    return ct_bench_agree(bench, status, err);
}

/* What was measured is kept whatever went wrong: the first error is the one that is reported. */
static enum ct_status measure_impact(struct ct_bench *bench, const struct ct_impact_setup *setup,
                                     struct ct_run_info *info, struct ct_error *err)
{
    struct ct_impact_result result;
    struct ct_error later;
    enum ct_status status = ct_impact_run(bench, setup, &result, err);
    if (result.n_pairs > 0) {
        if (*bench->options->output) {
            enum ct_status written =
                write_run(bench, &result, info, status == CT_OK ? err : &later);
            status = status == CT_OK ? written : status;
        }
        enum ct_status printed =
            ct_impact_print(bench, setup, &result, status == CT_OK ? err : &later);
        status = status == CT_OK ? printed : status;
    }
    ct_impact_result_free(&result);
    return status;
}

/* ---- topology ---- */

static enum ct_status find_network(struct ct_bench *bench, const struct values *values,
                                   struct ct_impact_network *network, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (bench->rank == 0)
        status = ct_impact_network_find(values->topology, &bench->layout, network, err);
    if (status == CT_OK && network->note)
        ct_log_info(&bench->log, "%s", network->note);
    if (status == CT_OK && bench->rank == 0 && values->pairing == CT_PAIRING_LINKS) {
        if (!network->known)
            status =
                ct_fail(err, CT_EUSAGE, "--pairing links: no topology is known; give --topology");
        else if (bench->layout.n_nodes < 2)
            status = ct_fail(err, CT_EINVAL, "--pairing links: all %d ranks are on one node",
                             bench->size);
    }
    return ct_bench_agree(bench, status, err);
}

/* Chosen on rank 0, known on all. */
static enum ct_status share_rounds(const struct ct_bench *bench,
                                   const struct ct_impact_network *network,
                                   struct ct_impact_rounds *rounds, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    int n_nodes = bench->layout.n_nodes;
    if (bench->rank == 0)
        status = ct_impact_rounds_make(network->router, &network->topology, network->vertex,
                                       n_nodes, rounds, err);
    status = ct_bench_agree(bench, status, err);
    if (status != CT_OK)
        return status;
    MPI_Bcast(&rounds->n, 1, MPI_INT, 0, bench->comm);
    if (bench->rank != 0)
        rounds->partner = malloc((size_t)rounds->n * (size_t)n_nodes * sizeof *rounds->partner);
    if (!rounds->partner)
        status = ct_no_memory(err, "rank %d", bench->rank);
    CT_TRY(ct_bench_agree(bench, status, err));
    MPI_Bcast(rounds->partner, rounds->n * n_nodes, MPI_INT, 0, bench->comm);
    return CT_OK;
}

static enum ct_status describe_run(const struct ct_bench *bench,
                                   const struct ct_impact_network *network,
                                   struct ct_run_info *info, struct ct_error *err)
{
    enum ct_status status = ct_bench_describe(bench, CT_RUN_IMPACT, info, err);
    if (status == CT_OK)
        status = ct_impact_network_describe(network, &bench->layout, info, err);
    return ct_bench_agree(bench, status, err);
}

static enum ct_status prepare_watch(const struct ct_bench *bench, struct values *values,
                                    struct ct_error *err)
{
    struct ct_argv more = {0}, first = {0};
    if (ct_command_has(&command, values, "interval"))
        ct_argv_add(&more, "--interval=%.9gs", values->interval_s);
    if (ct_command_has(&command, values, "time"))
        ct_argv_add(&more, "--time=%.9gs", values->common.time_s);
    if (values->watch.link_bit_per_s > 0)
        ct_argv_add(&more, "--link-rate=%.9gbit", values->watch.link_bit_per_s);
    if (values->common.view.quiet)
        ct_argv_add(&more, "--quiet");
    if (values->topology)
        ct_argv_add(&first, "--topology=%s", values->topology);
    enum ct_status status =
        more.failed || first.failed
            ? ct_no_memory(err, "--watch")
            : ct_impact_watch_prepare(bench, &values->watch, &more, &first, &values->prober, err);
    ct_argv_free(&more);
    ct_argv_free(&first);
    return status;
}

static enum ct_status probe_network(struct ct_bench *bench, void *given, struct ct_error *err)
{
    struct values *values = given;
    if (values->watch.folder)
        return prepare_watch(bench, values, err);
    if (values->pairing == NOT_GIVEN)
        values->pairing = values->topology ? CT_PAIRING_LINKS : CT_PAIRING_ROTATE;
    struct ct_run_info info = {0};
    struct ct_impact_network network = {0};
    struct ct_impact_rounds rounds = {0};
    const char *output = values->common.output;
    bool keeps = *output && values->checkpoint_s < values->common.time_s;
    const struct ct_impact_setup setup = {.message_bytes = values->message_bytes,
                                          .interval_s = values->interval_s,
                                          .time_s = values->common.time_s,
                                          .limited = values->iterations > 0,
                                          .n_probes = values->iterations,
                                          .n_warmup = values->warmup,
                                          .outstanding = (size_t)values->outstanding,
                                          .pairing = (enum ct_pairing)values->pairing,
                                          .rounds = &rounds,
                                          .network = &network,
                                          .arrivals = (enum ct_arrivals)values->arrivals,
                                          .wait = (enum ct_wait)values->wait,
                                          .within_node =
                                              values->allow_one_node && bench->layout.n_nodes == 1,
                                          .seed = values->common.seed,
                                          .checkpoint_s = keeps ? values->checkpoint_s : 0,
                                          .output = output,
                                          .info = &info};
    enum ct_status status = find_network(bench, values, &network, err);
    if (status == CT_OK && values->pairing == CT_PAIRING_LINKS)
        status = share_rounds(bench, &network, &rounds, err);
    if (status == CT_OK)
        status = describe_run(bench, &network, &info, err);
    if (status == CT_OK)
        status = measure_impact(bench, &setup, &info, err);
    ct_run_info_free(&info);
    ct_impact_rounds_free(&rounds);
    ct_impact_network_free(&network);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {.pairing = NOT_GIVEN};
    int code = ct_bench_main(&command, argc, argv, &values, &values.common, NULL, probe_network);
    if (code == 0 && values.prober.n > 0) {
        struct ct_error err;
        struct ct_log log = ct_log_open(command.name, false);
        code = ct_exit_code(ct_impact_watch_become(&values.prober, &err));
        ct_log_error(&log, &err);
    }
    ct_argv_free(&values.prober);
    return code;
}
