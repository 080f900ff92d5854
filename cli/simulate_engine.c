#include "cli/simulate_engine.h"

#include "results/arrays.h"
#include "simulate/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

const char *const ct_engine_former_networks[] = {"shared", "packet", NULL};

const struct ct_option ct_engine_options[] = {
    {CT_OPTION(CHOICE, "network", struct ct_engine_settings, network), .argument = "KIND",
     .initial = "packet", .choices = ct_simulate_network_names, .former = ct_engine_former_networks,
     .help = "packets that queue at ports, alpha + beta N with one message at a time at each end, "
             "or no network: no latency, no bytes, no costs of MPI"},
    {CT_OPTION(STRING, "parameters", struct ct_engine_settings, parameters), .argument = "FILE",
     .help = "protocols mailbox, eager and rendezvous with RDMA, with the costs in a file (lines "
             "'post-header: 360ns'; an empty file: all defaults); LogGPS, if it has the line "
             "'protocols: loggps' (L, o, G and S), or with 'protocols: sockets' these costs as MPI "
             "over TCP has them; all may have queue, burst and ahead in place of the options of "
             "these names. Or the posterior of crosstalk-calibrate(1): then run times have "
             "intervals"},
    {CT_OPTION(U64, "draws", struct ct_engine_settings, draws), .initial = "40",
     CT_RANGE(2, 100000),
     .help = "of a posterior, or of what logpb measured: how many draws each program is simulated "
             "with, at most"},
    CT_ENGINE_ROW_PACKET(struct ct_engine_settings, packet_bytes),
    CT_ENGINE_ROW_BUFFER(struct ct_engine_settings, buffer_bytes),
    {CT_OPTION(FLAG, "ranks", struct ct_engine_settings, ranks),
     .help = "print where the time of each rank goes: computation, software of MPI, waiting for "
             "other ranks, network"},
    {0}};

bool ct_engine_needs_model(const struct ct_engine_settings *settings)
{
    return !settings->parameters && settings->network != CT_NETWORK_NONE;
}

/* ---- options that do not go together ---- */

static enum ct_status check_model(const struct ct_engine_settings *settings,
                                  const struct ct_model_settings *model,
                                  const struct ct_fabric_settings *fabric, struct ct_error *err)
{
    bool has_model = model->L || model->o || model->G || model->logp_path || model->g.s > 0 ||
                     model->g.is_measured;
    if (settings->parameters && (has_model || model->S))
        return ct_fail(
            err, CT_EUSAGE,
            "--parameters: not together with --L, --o, --g, --G, --S or --logp, which are of "
            "another model (LogGPS); leave out one or the other");
    if (settings->parameters && (!isnan(fabric->wire_s) || !isnan(fabric->switch_s)))
        return ct_fail(err, CT_EUSAGE,
                       "--wire, --switch: with --parameters latency is the key "
                       "'hop' of the file; leave them out");
    return CT_OK;
}

enum ct_status ct_engine_check_network(int network, size_t packet_bytes, size_t buffer_bytes,
                                       const struct ct_port_queues *queues, struct ct_error *err)
{
    const char *name = ct_simulate_network_names[network];
    bool is_packet = network == CT_NETWORK_PACKET;
    bool has_packets = packet_bytes != (size_t)ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET) ||
                       buffer_bytes != (size_t)ct_simulate_constant(CT_SIMULATE_NETWORK_BUFFER);
    if (!is_packet && has_packets)
        return ct_fail(err, CT_EUSAGE,
                       "--packet, --buffer: the network %s has no packets; add "
                       "--network packet",
                       name);
    if (buffer_bytes < packet_bytes)
        return ct_fail(
            err, CT_EUSAGE,
            "--buffer: %zu B have no room for a packet of %zu B; give a larger --buffer or "
            "a smaller --packet",
            buffer_bytes, packet_bytes);
    bool has_queues =
        queues->order != CT_PORT_ROUND_ROBIN || queues->burst_bytes > 0 || queues->ahead_bytes > 0;
    if (!is_packet && has_queues)
        return ct_fail(
            err, CT_EUSAGE,
            "--queue, --burst, --ahead: of --network packet; the network %s has no queues", name);
    return CT_OK;
}

enum ct_status ct_engine_check(const struct ct_engine_settings *settings,
                               const struct ct_model_settings *model,
                               const struct ct_fabric_settings *fabric,
                               const struct ct_port_queues *queues, struct ct_error *err)
{
    CT_TRY(check_model(settings, model, fabric, err));
    return ct_engine_check_network(settings->network, settings->packet_bytes,
                                   settings->buffer_bytes, queues, err);
}

/* ---- the simulation ---- */

static uint32_t count_nodes(const struct ct_engine_request *request)
{
    uint64_t per_node = request->fabric_settings->ranks_per_node, most = 1;
    if (request->fabric_settings->topology)
        return request->fabric->places.n_used;
    for (size_t i = 0; i < request->n; i++) {
        uint64_t n = (request->goals[i].n_ranks + per_node - 1) / per_node;
        most = n > most ? n : most;
    }
    return (uint32_t)most;
}

/* Rates and latencies of links: of the RDMA protocols' file, or of LogGPS. */
static void set_costs(const struct ct_engine_request *request,
                      const struct ct_stack_parameters *parameters,
                      struct ct_simulate_network_setup *setup)
{
    if (request->settings->parameters) {
        ct_stack_set_network(parameters, setup);
        return;
    }
    setup->injection_ns_per_byte = ct_ns_from_s(request->model->G_s_per_byte);
    setup->link_ns_per_byte = NAN;
    setup->wire_ns = ct_ns_from_s(request->fabric_settings->wire_s);
    setup->switch_ns = ct_ns_from_s(request->fabric_settings->switch_s);
    setup->latency_ns = isnan(setup->wire_ns) ? ct_ns_from_s(request->model->L_s) : NAN;
    setup->by_switches = request->model->paths;
    setup->adds_links = request->fabric->latency.adds_links;
    setup->measured_ns = request->fabric->latency.measured_ns;
    if (setup->adds_links && !isnan(setup->wire_ns))
        setup->wire_ns = 0; /* it is the latency of links that have no other */
}

static struct ct_simulate_network_setup network_of(const struct ct_engine_request *request,
                                                   const struct ct_stack_parameters *parameters)
{
    const struct ct_engine_settings *settings = request->settings;
    bool has_topology = request->fabric_settings->topology != NULL;
    struct ct_simulate_network_setup setup = {
        .topology = has_topology ? &request->fabric->topology : NULL,
        .nodes = has_topology ? request->fabric->places.used : NULL,
        .n_nodes = count_nodes(request),
        .queues = *request->queues,
        .packet_bytes = (double)settings->packet_bytes,
        .buffer_bytes = (double)settings->buffer_bytes,
        .window_bytes = request->queues->ahead_bytes};
    set_costs(request, parameters, &setup);
    return setup;
}

static struct ct_stack stack_of(const struct ct_engine_request *request,
                                const struct ct_stack_parameters *parameters)
{
    const struct ct_parameters *model = request->model;
    if (request->settings->parameters)
        return ct_stack_of(parameters);
    const struct ct_loggps nothing = {0}, at = ct_parameters_at(model, model->L_s);
    bool needs = ct_engine_needs_model(request->settings);
    struct ct_stack stack = ct_stack_loggps(needs ? &at : &nothing, model->S_bytes,
                                            needs ? ct_parameters_overheads(model) : NULL);
    stack.gaps = needs ? ct_parameters_gaps(model) : NULL;
    stack.g_ns = needs ? ct_ns_from_s(model->between_s) : 0;
    return stack;
}

/* What is simulated, and by what. */
struct made {
    struct ct_engine_program *programs[CT_SIMULATE_JOBS_MAX];
    struct ct_engine_job jobs[CT_SIMULATE_JOBS_MAX];
    uint32_t n_ranks[CT_SIMULATE_JOBS_MAX];
};

static void free_made(const struct ct_engine_request *request, struct made *made)
{
    for (size_t i = 0; i < request->n; i++)
        ct_engine_program_free(made->programs[i]);
}

/* @param made  [out] free_made(), also on error */
static enum ct_status make_engine(const struct ct_engine_request *request, struct made *made,
                                  struct ct_error *err)
{
    enum ct_status status = CT_OK;
    *made = (struct made){.programs = {NULL}};
    for (size_t i = 0; i < request->n && status == CT_OK; i++) {
        status = ct_engine_program_new(&request->goals[i], &made->programs[i], err);
        made->n_ranks[i] = request->goals[i].n_ranks;
        made->jobs[i] = (struct ct_engine_job){
            .program = made->programs[i],
            .place =
                ct_fabric_place(request->fabric, request->fabric_settings, request->first + i)};
    }
    return status;
}

/* The network and its protocols. */
struct costs {
    struct ct_stack stack;
    struct ct_network_runs_setup setup; /* points to the stack */
};

static void set_up(const struct ct_engine_request *request,
                   const struct ct_stack_parameters *parameters, struct costs *costs)
{
    costs->stack = stack_of(request, parameters);
    if (request->settings->network == CT_NETWORK_NONE)
        costs->stack = ct_stack_free_of_cost(&costs->stack);
    costs->setup = (struct ct_network_runs_setup){
        .kind = (enum ct_simulate_network_kind)request->settings->network,
        .network = network_of(request, parameters),
        .stack = &costs->stack,
        .work_max = (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX_ALONE),
        .has_gains = !request->is_bare,
        .threads = request->threads,
        .observers = request->observers};
}

/* The level of the intervals of a calibration. */
static const double spread_level = 0.95;

static double slowdown_of(const struct ct_network_run *run)
{
    return run->alone_ns > 0 ? run->together_ns / run->alone_ns - 1 : 0;
}

/* The most likely parameters may be beyond all of a few draws. */
static void include_value(double value, struct ct_interval *interval)
{
    if (isnan(interval->lo))
        return;
    interval->lo = fmin(interval->lo, value);
    interval->hi = fmax(interval->hi, value);
}

/* Intervals from draws of what is uncertain, as many as take seconds. */
static enum ct_status find_spreads(const struct ct_engine_request *request, const struct made *made,
                                   const struct ct_network_runs_setup *setup,
                                   const struct ct_posterior_draws *posterior,
                                   struct ct_engine_answer *answer, struct ct_error *err)
{
    const struct ct_parameters *model = request->model;
    const struct ct_network_uncertain uncertain = {posterior, posterior ? NULL : model};
    bool is_measured = ct_engine_needs_model(request->settings) && model->replicates.n > 0;
    uint64_t n_ops = 0;
    if (request->is_bare || !(posterior || is_measured))
        return CT_OK;
    for (size_t i = 0; i < request->n; i++)
        n_ops += request->goals[i].n_ops;
    answer->n_draws = ct_network_draws_within(request->settings->draws, n_ops, request->n);
    answer->is_too_large = answer->n_draws == 0;
    if (answer->is_too_large)
        return CT_OK;
    answer->spread_level = posterior ? spread_level : model->replicates.level;
    CT_TRY(ct_network_draws(made->jobs, made->n_ranks, request->n, setup, &uncertain,
                            answer->n_draws, answer->spread_level, request->threads,
                            answer->spreads, err));
    for (size_t i = 0; i < request->n; i++) {
        const struct ct_network_run *run = &answer->runs[i];
        struct ct_network_spread *spread = &answer->spreads[i];
        include_value(run->alone_ns, &spread->alone_ns);
        include_value(run->together_ns, &spread->together_ns);
        include_value(slowdown_of(run), &spread->slowdown_frac);
    }
    return CT_OK;
}

/* posterior NULL: there is none. */
static enum ct_status run_engine(const struct ct_engine_request *request, const struct made *made,
                                 const struct ct_posterior_draws *posterior,
                                 struct ct_engine_answer *answer, struct ct_error *err)
{
    struct costs costs;
    set_up(request, &answer->parameters, &costs);
    CT_TRY(ct_network_runs(made->jobs, made->n_ranks, request->n, &costs.setup, answer->runs,
                           &answer->times,
                           request->fabric_settings->topology ? &answer->busy : NULL, err));
    enum ct_status status = find_spreads(request, made, &costs.setup, posterior, answer, err);
    if (status != CT_OK)
        ct_engine_answer_free(answer);
    return status;
}

/* Parameters from a file of lines, or from a posterior, whose draws are then the caller's. */
static enum ct_status read_parameters(const char *path, struct ct_stack_parameters *parameters_p,
                                      struct ct_posterior_draws *draws_p, bool *is_posterior_p,
                                      struct ct_error *err)
{
    *is_posterior_p = ct_arrays_is_hdf5(path);
    CT_TRY(*is_posterior_p ? ct_posterior_draws_read(path, draws_p, err)
                           : ct_stack_read(path, NULL, NULL, parameters_p, err));
    if (*is_posterior_p)
        *parameters_p = ct_unknowns_at(&draws_p->unknowns, draws_p->most_likely);
    return ct_stack_check(parameters_p, err);
}

enum ct_status ct_engine_find(const struct ct_engine_request *request,
                              struct ct_engine_answer *answer_p, struct ct_error *err)
{
    struct ct_engine_answer answer = {.times = NULL};
    struct made made = {.programs = {NULL}};
    struct ct_posterior_draws draws = {.draws = NULL};
    bool is_posterior = false;
    enum ct_status status = CT_OK;
    if (request->settings->parameters)
        status = read_parameters(request->settings->parameters, &answer.parameters, &draws,
                                 &is_posterior, err);
    if (status == CT_OK)
        status = ct_stack_check_options(&answer.parameters, request->options,
                                        request->settings->parameters, err);
    if (status == CT_OK)
        status = make_engine(request, &made, err);
    if (status == CT_OK)
        status = run_engine(request, &made, is_posterior ? &draws : NULL, &answer, err);
    ct_posterior_draws_free(&draws);
    free_made(request, &made);
    if (status == CT_OK)
        *answer_p = answer;
    return status;
}

void ct_engine_answer_free(struct ct_engine_answer *answer)
{
    ct_rank_times_free(answer->times);
    answer->times = NULL;
    free(answer->busy.links);
    answer->busy = (struct ct_busy_links){NULL, 0};
}

/* ---- tables ---- */

void ct_parts_fill(const struct ct_time_shares *shares, double n, struct ct_tables *tables)
{
    static const enum ct_time_part order[] = {CT_TIME_COMPUTE, CT_TIME_STACK, CT_TIME_SYNC,
                                              CT_TIME_NETWORK};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        ct_tables_cell_number(tables, shares->part_ns[order[i]] / ns_per_s / n);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        ct_tables_cell_number(
            tables, shares->runtime_ns > 0 ? shares->part_ns[order[i]] / shares->runtime_ns : 0);
}

/* Share of a time that is saved; 0 where there is nothing to save. */
static double saved_frac(double time_ns, double less_ns)
{
    return time_ns > 0 ? 1 - less_ns / time_ns : 0;
}

static void fill_programs(const struct ct_engine_request *request,
                          const struct ct_engine_answer *answer, const char *const *names,
                          struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"name", "schedule", CT_UNIT_NONE},
        CT_PART_COLUMNS,
        {"bound", NULL, CT_UNIT_NONE},
        {"no_network_s", NULL, CT_UNIT_LONG_SECONDS},
        {"no_network_gain", "gain: no network", CT_UNIT_FRACTION},
        {"none_s", NULL, CT_UNIT_LONG_SECONDS},
        {"none_gain", "and no stack", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "breakdown", "Where the time goes, mean of the ranks", columns);
    for (size_t i = 0; i < request->n; i++) {
        const struct ct_network_run *run = &answer->runs[i];
        const struct ct_time_shares shares = ct_rank_times_sum(answer->times, i);
        ct_tables_cell_text(tables, names[i]);
        ct_parts_fill(&shares, request->goals[i].n_ranks, tables);
        ct_tables_cell_text(tables, ct_bound_names[ct_time_bound(&shares)]);
        CT_CELL_NUMBERS(tables, run->no_network_ns / ns_per_s,
                        saved_frac(run->alone_ns, run->no_network_ns), run->none_ns / ns_per_s,
                        saved_frac(run->alone_ns, run->none_ns));
    }
}

static void fill_ranks(const struct ct_engine_request *request,
                       const struct ct_engine_answer *answer, const char *const *names,
                       struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"name", "schedule", CT_UNIT_NONE},
                                               {"rank", "rank", CT_UNIT_COUNT},
                                               CT_PART_COLUMNS,
                                               {"runtime_s", "run time", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "ranks", "Where the time of each rank goes", columns);
    for (size_t i = 0; i < request->n; i++)
        for (uint32_t rank = 0; rank < request->goals[i].n_ranks; rank++) {
            const struct ct_time_shares shares = ct_rank_times_of(answer->times, i, rank);
            ct_tables_cell_text(tables, names[i]);
            ct_tables_cell_number(tables, rank);
            ct_parts_fill(&shares, 1, tables);
            ct_tables_cell_number(tables, shares.runtime_ns / ns_per_s);
        }
}

static int by_busy(const void *a, const void *b)
{
    const struct ct_busy_link *x = a, *y = b;
    if (x->busy_frac < y->busy_frac || x->busy_frac > y->busy_frac)
        return x->busy_frac < y->busy_frac ? 1 : -1;
    return x->way < y->way ? -1 : 1;
}

/* The busiest links: a large topology has very many. */
static void fill_links(const struct ct_engine_request *request,
                       const struct ct_engine_answer *answer, struct ct_tables *tables)
{
    enum { LINKS_MAX = 32 };
    const struct ct_busy_links *busy = &answer->busy;
    uint32_t n_used = 0;
    qsort(busy->links, busy->n, sizeof *busy->links, by_busy);
    while (n_used < busy->n && busy->links[n_used].busy_frac > 0)
        n_used++;
    ct_fabric_links_begin(n_used > LINKS_MAX ? "Busiest links" : "Links that messages pass",
                          tables);
    for (uint32_t i = 0; i < n_used && i < LINKS_MAX; i++)
        ct_fabric_links_row(request->fabric, busy->links[i].way, busy->links[i].ns_per_byte,
                            busy->links[i].busy_frac, tables);
    if (n_used > LINKS_MAX)
        ct_tables_note(tables, "%u directions of links are used, of which the %d busiest are shown",
                       n_used, LINKS_MAX);
}

static void add_parameter(const char *key, const char *value, void *data)
{
    ct_tables_provenance(data, key, "%s", value);
}

static void add_interval(struct ct_interval interval, double scale, struct ct_tables *tables)
{
    CT_CELL_NUMBERS(tables, interval.lo * scale, interval.hi * scale);
}

/* What is not known of a posterior's parameters. */
static void fill_spreads(const struct ct_engine_request *request,
                         const struct ct_engine_answer *answer, const char *const *names,
                         struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"name", "schedule", CT_UNIT_NONE},
                                               {"alone_s", "alone", CT_UNIT_LONG_SECONDS},
                                               {"alone_mean_s", NULL, CT_UNIT_LONG_SECONDS},
                                               {"alone_ci[]", "from", CT_UNIT_LONG_SECONDS},
                                               {"alone_ci[]", "to", CT_UNIT_LONG_SECONDS},
                                               {"runtime_s", "together", CT_UNIT_LONG_SECONDS},
                                               {"runtime_mean_s", NULL, CT_UNIT_LONG_SECONDS},
                                               {"runtime_ci[]", "from", CT_UNIT_LONG_SECONDS},
                                               {"runtime_ci[]", "to", CT_UNIT_LONG_SECONDS},
                                               {"slowdown_ci[]", "slowdown from", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "to", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "uncertainty", "What parameters contribute", columns);
    for (size_t i = 0; i < request->n; i++) {
        const struct ct_network_spread *spread = &answer->spreads[i];
        ct_tables_cell_text(tables, names[i]);
        CT_CELL_NUMBERS(tables, answer->runs[i].alone_ns / ns_per_s,
                        spread->alone_mean_ns / ns_per_s);
        add_interval(spread->alone_ns, 1 / ns_per_s, tables);
        CT_CELL_NUMBERS(tables, answer->runs[i].together_ns / ns_per_s,
                        spread->together_mean_ns / ns_per_s);
        add_interval(spread->together_ns, 1 / ns_per_s, tables);
        add_interval(spread->slowdown_frac, 1, tables);
    }
    ct_tables_note(tables,
                   request->settings->parameters
                       ? "uncertainty: %g %% of %zu draws of the posterior; other tables are for "
                         "its most likely values. The scatter of runs is not in it"
                       : "uncertainty: %g %% of %zu replicates of what logpb measured; other "
                         "tables are for its means. The scatter of runs is not in it",
                   100 * answer->spread_level, answer->n_draws);
}

void ct_engine_provenance(const struct ct_engine_request *request,
                          const struct ct_engine_answer *answer, struct ct_tables *tables)
{
    ct_tables_detail(tables, true);
    if (request->settings->parameters)
        ct_stack_visit(&answer->parameters, add_parameter, tables);
    ct_tables_detail(tables, false);
}

static void add_spreads(const struct ct_engine_request *request,
                        const struct ct_engine_answer *answer, const char *const *names,
                        struct ct_tables *tables)
{
    ct_tables_detail(tables, true);
    if (answer->n_draws > 0)
        fill_spreads(request, answer, names, tables);
    ct_tables_detail(tables, false);
    if (answer->is_too_large)
        ct_tables_note(tables, "uncertainty: parameters are uncertain, but the schedules are too "
                               "large to be simulated with draws of them; so there are no "
                               "intervals");
}

/* Names of programs are paths. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void answer_slowdown(const struct ct_engine_answer *answer, size_t i, const char *name,
                            struct ct_tables *tables)
{
    const struct ct_network_run *run = &answer->runs[i];
    const struct ct_interval *interval = &answer->spreads[i].slowdown_frac;
    char share[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX], hi[CT_UNITS_TEXT_MAX];
    ct_format_share(slowdown_of(run), share);
    if (answer->n_draws > 0 && !isnan(interval->lo)) {
        ct_format_share(interval->lo, lo);
        ct_format_share(interval->hi, hi);
        ct_tables_answer(tables, "Together %s takes %s longer (%s to %s by its parameters).", name,
                         share, lo, hi);
    } else
        ct_tables_answer(tables, "Together %s takes %s longer.", name, share);
}

static void answer_shares(const struct ct_engine_request *request,
                          const struct ct_engine_answer *answer, size_t i, const char *name,
                          struct ct_tables *tables)
{
    static const struct {
        enum ct_time_part part;
        const char *words;
    } parts[] = {{CT_TIME_COMPUTE, "computes"},
                 {CT_TIME_SYNC, "waits for other ranks"},
                 {CT_TIME_STACK, "is in the software of MPI"},
                 {CT_TIME_NETWORK, "waits for the network"}};
    const struct ct_network_run *run = &answer->runs[i];
    const struct ct_time_shares shares = ct_rank_times_sum(answer->times, i);
    const enum ct_bound bound = ct_time_bound(&shares);
    char text[300] = "", share[CT_UNITS_TEXT_MAX], gain[CT_UNITS_TEXT_MAX];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t used = strlen(text);
        ct_format_share(
            shares.runtime_ns > 0 ? shares.part_ns[parts[k].part] / shares.runtime_ns : 0, share);
        snprintf(text + used, sizeof text - used, "%s%s %s", k ? ", " : "", parts[k].words, share);
    }
    ct_format_share(saved_frac(run->alone_ns, run->no_network_ns), gain);
    ct_tables_answer(tables, "%s %s of the time%s%s. Without a network it would take %s less%s.",
                     name, text, bound == CT_BOUND_NONE ? "" : ": ",
                     bound == CT_BOUND_NONE ? "" : ct_bound_names[bound], gain,
                     request->n > 1 ? " alone" : "");
}

/* Whether a copy of the program before it has the same slowdown, as a sentence has it. */
static bool is_repeated(const struct ct_engine_answer *answer, const char *const *names, size_t i)
{
    char share[CT_UNITS_TEXT_MAX], before[CT_UNITS_TEXT_MAX];
    ct_format_share(slowdown_of(&answer->runs[i]), share);
    for (size_t k = 0; k < i; k++) {
        ct_format_share(slowdown_of(&answer->runs[k]), before);
        if (strcmp(names[k], names[i]) == 0 && strcmp(before, share) == 0)
            return true;
    }
    return false;
}

/* What it means: of a few programs, since the tables have all. */
static void answer_in_words(const struct ct_engine_request *request,
                            const struct ct_engine_answer *answer, const char *const *names,
                            struct ct_tables *tables)
{
    enum { PROGRAMS_MAX = 3 };
    for (size_t i = 0; i < request->n && i < PROGRAMS_MAX; i++) {
        if (is_repeated(answer, names, i))
            continue;
        if (request->n > 1)
            answer_slowdown(answer, i, last_part(names[i]), tables);
        answer_shares(request, answer, i, last_part(names[i]), tables);
    }
}

void ct_engine_fill(const struct ct_engine_request *request, const struct ct_engine_answer *answer,
                    const char *const *names, struct ct_tables *tables)
{
    fill_programs(request, answer, names, tables);
    if (request->settings->ranks)
        fill_ranks(request, answer, names, tables);
    if (answer->busy.n > 0)
        fill_links(request, answer, tables);
    add_spreads(request, answer, names, tables);
    if (request->n > 1)
        ct_tables_note(tables, "where the time goes: of the programs together; gains: alone");
    answer_in_words(request, answer, names, tables);
}
