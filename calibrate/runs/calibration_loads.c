#include "calibrate/runs/calibration_loads.h"

#include "calibrate/constants.h"
#include "core/order.h"
#include "core/spread.h"
#include "results/fingerprint.h"
#include "results/run.h"
#include "simulate/constants.h"
#include "simulate/engine.h"
#include "simulate/joint/interference.h"
#include "simulate/joint/simulation.h"
#include "simulate/joint/simulation_packets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

struct load {
    struct ct_config config;
    char name[CT_CONFIG_TEXT_MAX];
    struct ct_engine_program *program;
};

struct ct_calibration_loads {
    struct load *items; /* n */
    size_t n;
    uint32_t n_nodes, probe_nodes[2];
    size_t probe_bytes;
    double interval_s, gaps_ns; /* gaps: between all probes of a pass */
    struct ct_engine_program *probe;
};

void ct_calibration_loads_free(struct ct_calibration_loads *loads)
{
    if (!loads)
        return;
    for (size_t i = 0; loads->items && i < loads->n; i++)
        ct_engine_program_free(loads->items[i].program);
    ct_engine_program_free(loads->probe);
    free(loads->items);
    free(loads);
}

size_t ct_calibration_loads_count(const struct ct_calibration_loads *loads)
{
    return loads->n;
}

const char *ct_calibration_load_name(const struct ct_calibration_loads *loads, size_t number)
{
    return loads->items[number - 1].name;
}

/* ---- schedules ---- */

/* Exponential, evenly from the whole distribution, in an order without a period. */
static double gap_ns(const struct ct_calibration_loads *loads, size_t i)
{
    return -log1p(-ct_spread(0, i + 1)) * loads->interval_s * ns_per_s;
}

/* Rank 0 pauses and sends, rank 1 answers. */
static void add_rank(struct ct_calibration_loads *loads, uint32_t rank, size_t n_probes,
                     struct ct_goal_builder *builder)
{
    const struct ct_goal_op send = {
        .kind = CT_GOAL_SEND, .amount = loads->probe_bytes, .peer = 1 - rank};
    const struct ct_goal_op recv = {
        .kind = CT_GOAL_RECV, .amount = loads->probe_bytes, .peer = 1 - rank};
    uint32_t last = UINT32_MAX;
    ct_goal_begin_rank(builder, rank);
    for (size_t i = 0; i < n_probes; i++) {
        const struct ct_goal_op pause = {.kind = CT_GOAL_CALC,
                                         .amount = (uint64_t)(gap_ns(loads, i) + 0.5)};
        const struct ct_goal_op ops[] = {pause, rank == 0 ? send : recv, rank == 0 ? recv : send};
        for (size_t k = rank; k < sizeof ops / sizeof *ops; k++) {
            uint32_t added = ct_goal_add(builder, ops[k]);
            if (last != UINT32_MAX)
                ct_goal_require(builder, added, last, CT_GOAL_FINISH);
            last = added;
        }
    }
}

static enum ct_status make_probe(struct ct_calibration_loads *loads, struct ct_error *err)
{
    const size_t n_probes = ct_calibrate_count(CT_CALIBRATE_PROBES);
    struct ct_goal_builder *builder = ct_goal_builder_new(2);
    struct ct_goal goal;
    if (!builder)
        return ct_no_memory(err, "loads");
    for (uint32_t rank = 0; rank < 2; rank++)
        add_rank(loads, rank, n_probes, builder);
    for (size_t i = 0; i < n_probes; i++)
        loads->gaps_ns += floor(gap_ns(loads, i) + 0.5);
    CT_TRY(ct_goal_build(builder, &goal, err));
    enum ct_status status = ct_engine_program_new(&goal, &loads->probe, err);
    ct_goal_free(&goal);
    return status;
}

static enum ct_status make_load(struct ct_calibration_loads *loads, struct load *load,
                                struct ct_error *err)
{
    struct ct_goal goal;
    const size_t n_rounds = ct_calibrate_count(CT_CALIBRATE_CONFIG_ROUNDS);
    CT_TRY(ct_interference_schedule(&load->config, loads->n_nodes, n_rounds, &goal, err));
    enum ct_status status = ct_engine_program_new(&goal, &load->program, err);
    ct_goal_free(&goal);
    return status;
}

/* ---- runs ---- */

static bool is_probe_run(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_IMPACT && info->has_config && !info->app[0] &&
           !info->config.burst.given && ct_run_added_latency_s(info) == 0;
}

/* The nodes and the probe, which all runs have. */
static enum ct_status take_setting(struct ct_calibration_loads *loads,
                                   const struct ct_run_entry *entry, struct ct_error *err)
{
    const char *size = ct_run_text(&entry->info, "option_message_size"),
               *interval = ct_run_text(&entry->info, "option_interval");
    uint32_t n_nodes = (uint32_t)ct_run_count_hosts(&entry->info);
    size_t bytes = 0;
    double interval_s = 0;
    if (!size || ct_parse_size(size, &bytes, NULL) != CT_OK || !interval ||
        ct_parse_duration(interval, &interval_s, NULL) != CT_OK || !(interval_s > 0))
        return ct_fail(err, CT_EUNSUPPORTED, "%s: it does not say its probes' size and interval",
                       entry->path);
    if (loads->n_nodes > 0 && (n_nodes != loads->n_nodes || bytes != loads->probe_bytes))
        return ct_fail(err, CT_EUNSUPPORTED,
                       "%s: %u hosts, probes of %zu B; a run before has %u hosts, %zu B",
                       entry->path, n_nodes, bytes, loads->n_nodes, loads->probe_bytes);
    if (n_nodes < 2)
        return ct_fail(err, CT_EUNSUPPORTED, "%s: %u hosts", entry->path, n_nodes);
    for (size_t i = 0; i < entry->info.n_facts; i++)
        if (strcmp(entry->info.facts[i].key, CT_RUN_TOPOLOGY_SWITCHES) == 0 &&
            entry->info.facts[i].number > 1)
            return ct_fail(err, CT_EUNSUPPORTED, "%s: a network of several switches", entry->path);
    loads->n_nodes = n_nodes;
    loads->probe_bytes = bytes;
    loads->interval_s = interval_s;
    loads->probe_nodes[1] = n_nodes / 2;
    return CT_OK;
}

static size_t find_load(const struct ct_calibration_loads *loads, const struct ct_config *config)
{
    size_t i = 0;
    while (i < loads->n && !ct_config_same(&loads->items[i].config, config))
        i++;
    return i;
}

static enum ct_status list_loads(struct ct_calibration_loads *loads, struct ct_run_list *list,
                                 struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_entry *entry = &list->entries[i];
        if (!is_probe_run(&entry->info))
            continue;
        status = take_setting(loads, entry, err);
        size_t at = find_load(loads, &entry->info.config);
        if (at < loads->n || status != CT_OK)
            continue;
        struct load *load = &loads->items[loads->n];
        *load = (struct load){.config = entry->info.config};
        ct_config_describe(&load->config, load->name);
        enum ct_status made = make_load(loads, load, NULL);
        loads->n += made == CT_OK;
        status = made == CT_ENOMEM ? ct_no_memory(err, "loads") : CT_OK;
    }
    return status;
}

/* As many as there is time for, evenly from all, by P, M and B. */
static int by_config(const void *left, const void *right)
{
    return ct_config_compare(&((const struct load *)left)->config,
                             &((const struct load *)right)->config);
}

static void pick_loads(struct ct_calibration_loads *loads)
{
    const size_t most = ct_calibrate_count(CT_CALIBRATE_LOADS);
    size_t n = loads->n, kept = 0;
    qsort(loads->items, n, sizeof *loads->items, by_config);
    for (size_t i = 0; i < n; i++) {
        bool is_kept = n <= most || (most > 0 && i == kept * n / most);
        if (is_kept && kept < most)
            loads->items[kept++] = loads->items[i];
        else
            ct_engine_program_free(loads->items[i].program);
    }
    loads->n = kept;
}

CT_ORDER(by_time, struct ct_sample, t_s)

/* Means over parts of the run. */
static enum ct_status add_parts(struct ct_run *run, size_t number, struct ct_measured *measured,
                                struct ct_error *err)
{
    const struct ct_benchmark_output output = {CT_BENCHMARK_LATENCY, number};
    const size_t parts = ct_calibrate_count(CT_CALIBRATE_PARTS);
    if (run->n_samples > 0)
        qsort(run->samples, run->n_samples, sizeof *run->samples, by_time);
    for (size_t p = 0; p < parts && run->n_samples >= parts; p++) {
        size_t begin = p * run->n_samples / parts, end = (p + 1) * run->n_samples / parts;
        double sum_s = 0;
        for (size_t i = begin; i < end; i++)
            sum_s += run->samples[i].latency_s;
        CT_TRY(ct_measured_add(measured, &output, sum_s / (double)(end - begin), err));
    }
    return CT_OK;
}

static enum ct_status measure_loads(const struct ct_calibration_loads *loads,
                                    const struct ct_run_list *list, struct ct_measured *measured,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_entry *entry = &list->entries[i];
        struct ct_run run;
        size_t at = is_probe_run(&entry->info) ? find_load(loads, &entry->info.config) : loads->n;
        if (at == loads->n)
            continue;
        status = ct_run_read_entry(entry, &run, err);
        if (status != CT_OK)
            break;
        status = add_parts(&run, at + 1, measured, err);
        ct_run_free(&run);
        if (status != CT_OK)
            status = ct_fail_within(err, status, "%s", entry->path);
    }
    ct_measured_sort(measured);
    return status;
}

static enum ct_status read_all(const char *path, struct ct_calibration_loads *loads,
                               struct ct_run_list *list, struct ct_measured *measured,
                               struct ct_error *err)
{
    loads->items = calloc(list->n_entries + 1, sizeof *loads->items);
    if (!loads->items)
        return ct_no_memory(err, "loads");
    CT_TRY(list_loads(loads, list, err));
    if (loads->n == 0)
        return ct_fail(err, CT_ENODATA, "%s: no probe run beside a steady configuration", path);
    pick_loads(loads);
    CT_TRY(make_probe(loads, err));
    return measure_loads(loads, list, measured, err);
}

enum ct_status ct_calibration_loads_open(const char *path, struct ct_measured *measured,
                                         struct ct_calibration_loads **loads_p,
                                         struct ct_error *err)
{
    struct ct_calibration_loads *loads = calloc(1, sizeof *loads);
    struct ct_run_list list;
    if (!loads)
        return ct_no_memory(err, "loads");
    enum ct_status status = ct_run_list_read(path, &list, err);
    if (status == CT_OK) {
        status = read_all(path, loads, &list, measured, err);
        ct_run_list_free(&list);
    }
    if (status == CT_OK)
        *loads_p = loads;
    else
        ct_calibration_loads_free(loads);
    return status;
}

/* ---- simulations ---- */

struct ct_simulate_network_setup ct_calibration_network(uint32_t n_nodes)
{
    static const struct ct_queues_known nothing = {.has_order = false};
    const struct ct_simulation_packets packets = {
        .costs = {.at = {.L_ns = NAN, .G_ns_per_byte = NAN}},
        .queues = ct_simulation_unfitted_queues(&nothing)};
    return ct_simulation_packet_network(&packets, n_nodes);
}

void ct_calibration_loads_hash(const struct ct_calibration_loads *loads, uint64_t bits[2])
{
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    const double numbers[] = {(double)loads->n_nodes,
                              (double)loads->probe_bytes,
                              loads->interval_s,
                              loads->gaps_ns,
                              ct_calibrate_constant(CT_CALIBRATE_PROBES),
                              ct_calibrate_constant(CT_CALIBRATE_CONFIG_ROUNDS)};
    bits[0] = bits[1] = 0;
    if (!fingerprint)
        return;
    ct_fingerprint_add(fingerprint, numbers, sizeof numbers);
    for (size_t i = 0; i < loads->n; i++) {
        char text[CT_CONFIG_TEXT_MAX];
        ct_config_format(&loads->items[i].config, text);
        ct_fingerprint_add_text(fingerprint, text);
    }
    ct_fingerprint_end(fingerprint, bits);
}

static enum ct_status run_load(const struct ct_calibration_loads *loads, const struct load *load,
                               const struct ct_simulate_network_setup *setup,
                               const struct ct_stack *stack, double *latency_s_p,
                               struct ct_error *err)
{
    enum { LOAD, PROBE, JOBS };
    struct ct_engine_job jobs[JOBS] = {
        [LOAD] = {.program = load->program, .place = ct_simulate_blocks(1)},
        [PROBE] = {.program = loads->probe, .place = ct_simulate_blocks(1)}};
    const double n_probes = ct_calibrate_constant(CT_CALIBRATE_PROBES);
    struct ct_simulate_network network;
    double pass_ns[JOBS] = {0};
    jobs[PROBE].place.nodes = loads->probe_nodes;
    jobs[PROBE].place.n_nodes = 2;
    CT_TRY(ct_simulate_network_new(CT_NETWORK_PACKET, setup, &network, err));
    const struct ct_engine_setup engine = {
        .stack = stack,
        .network = &network,
        .n_nodes = loads->n_nodes,
        .passes = 1,
        .work_max = (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX)};
    enum ct_status status = ct_engine_run(jobs, JOBS, &engine, NULL, pass_ns, NULL, err);
    ct_simulate_network_free(&network);
    *latency_s_p = (pass_ns[PROBE] - loads->gaps_ns) / n_probes / 2 / ns_per_s;
    return status;
}

enum ct_status ct_calibration_loads_run(const struct ct_calibration_loads *loads,
                                        const struct ct_stack_parameters *parameters,
                                        double *values, struct ct_error *err)
{
    const struct ct_stack stack = ct_stack_of(parameters);
    struct ct_simulate_network_setup setup = ct_calibration_network(loads->n_nodes);
    enum ct_status status = CT_OK;
    ct_stack_set_network(parameters, &setup);
    setup.n_jobs = 2;
    for (size_t i = 0; i < loads->n && status == CT_OK; i++) {
        status = run_load(loads, &loads->items[i], &setup, &stack, &values[i], err);
        if (status != CT_OK)
            status = ct_fail_within(err, status, "%s", loads->items[i].name);
    }
    return status;
}
