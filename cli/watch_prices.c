#include "cli/watch_prices.h"

#include "cli/applications.h"
#include "cli/topology_options.h"
#include "core/array.h"
#include "core/parallel.h"
#include "simulate/constants.h"
#include "simulate/joint/simulation.h"
#include "study/fault_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ct_option ct_watch_network_options[] = {
    CT_ROW_SPINES(struct ct_watch_price_settings, fabric.spines),
    CT_ROW_RATE(struct ct_watch_price_settings, fabric.rate_bit_per_s),
    CT_ROW_UPLINK(struct ct_watch_price_settings, fabric.uplink_bit_per_s),
    {0}};

const struct ct_option ct_watch_price_options[] = {
    {CT_OPTION(STRING, "applications", struct ct_watch_price_settings, applications),
     .argument = "DIR2",
     .help = "print what each fault costs the applications of a folder, of which each is a folder "
             "of traces or a file APP.goal or APP.bin; or one of these; this needs L, o and G, or "
             "--logp"},
    {CT_OPTION(STRING, "fault", struct ct_watch_price_settings, fault), .argument = "TEXT",
     .help = "print what this fault would cost them, without DIR: 'leaf3 to spine1 at 80%', 'leaf3 "
             "to spine1 and back at 80%', 'leaf3 to spine1 later by 20us', 'n5 later by 20us' or, "
             "with --retransmit, 'leaf3 to spine1 loses 1%'"},
    {CT_OPTION(STRING, "hosts", struct ct_watch_price_settings, fabric.hosts), .argument = "LISTS",
     .help = "nodes of the applications, a list each in the order of their names, with blanks "
             "between: 'n[0-3] n[4-7]'; one list is for all; without it the first nodes"},
    {CT_OPTION(U64, "ranks-per-node", struct ct_watch_price_settings, fabric.ranks_per_node),
     .initial = "1", CT_RANGE(1, UINT32_MAX),
     .help = "ranks of each application on a node, in blocks"},
    CT_MODEL_ROW_L(struct ct_watch_price_settings, model.L,
                   "latency of the network; required without --logp and --parameters"),
    {CT_OPTION(CHOICE, "queue", struct ct_watch_price_settings, order),
     .given = CT_OFFSET_OF(bool, struct ct_watch_price_settings, has_order), .argument = "KIND",
     .initial = "round-robin", .choices = ct_port_order_names,
     .help = "order in which a port serves waiting messages, as of crosstalk-simulate(1)"},
    {CT_OPTION(SIZE, "burst", struct ct_watch_price_settings, burst_bytes),
     .given = CT_OFFSET_OF(bool, struct ct_watch_price_settings, has_burst), .initial = "0B",
     .max = 1 << 30,
     .help = "bytes that an unused link lets pass at once, as a shaper with a token bucket does"},
    {CT_OPTION(DURATION, "retransmit", struct ct_watch_price_settings, retransmit_s),
     CT_RANGE(0, 3600),
     .help = "after which a lost packet is there by another try; over TCP, which repeats sooner or "
             "far later, the price says little; without it lost messages have no price"},
    {0}};

struct ct_watch_price_settings ct_watch_price_defaults(void)
{
    return (struct ct_watch_price_settings){.fabric = ct_fabric_defaults(), .retransmit_s = NAN};
}

/* What an alarm was when it was priced. */
struct known {
    uint64_t alarm;
    enum ct_watch_kind kind;
    int64_t narrowed_unix_ns;
};

struct ct_watch_prices {
    const char *command;
    const struct ct_watch_price_settings *settings;
    struct ct_fabric fabric;
    struct ct_parameters model;
    struct ct_applications apps;
    struct ct_priced **priced; /* [apps.n]; NULL: it has no price, and apps has the reason */
    struct known *known;       /* [n_known], each with n_apps prices */
    size_t n_known, known_room;
    struct ct_watch_price *prices;
    size_t prices_room;
};

/* ---- opening ---- */

static enum ct_status check_settings(const struct ct_watch_price_settings *settings,
                                     struct ct_error *err)
{
    const struct ct_model_settings *model = &settings->model;
    bool has_model =
        model->L || model->o || model->G || model->S || model->logp_path || model->posterior_path;
    if (!settings->fabric.topology)
        return ct_fail(err, CT_EUSAGE, "--topology is missing: what is watched?");
    if (!settings->applications && settings->fault)
        return ct_fail(err, CT_EUSAGE, "--fault: what does it cost? give --applications");
    bool has_place = settings->fabric.hosts || settings->fabric.ranks_per_node > 1;
    if (!settings->applications && (has_model || has_place || settings->has_order ||
                                    settings->has_burst || !isnan(settings->retransmit_s)))
        return ct_fail(err, CT_EUSAGE,
                       "--hosts, --ranks-per-node, --queue, --burst, --retransmit, --logp, --L, "
                       "--o, --G, --S, --parameters: of which --applications?");
    CT_TRY(ct_fabric_check(&settings->fabric, err));
    return ct_model_demand_G(&settings->model, err);
}

/* Nodes of all applications; of one without a schedule any. */
static enum ct_status open_fabric(struct ct_watch_prices *prices, struct ct_error *err)
{
    uint32_t *n_ranks = malloc((prices->apps.n + 1) * sizeof *n_ranks);
    if (!n_ranks)
        return ct_no_memory(err, "applications");
    for (size_t i = 0; i < prices->apps.n; i++)
        n_ranks[i] =
            prices->apps.items[i].goal.n_ranks > 0 ? prices->apps.items[i].goal.n_ranks : 1;
    enum ct_status status =
        ct_fabric_open(&prices->settings->fabric, n_ranks, prices->apps.n, &prices->fabric, err);
    free(n_ranks);
    return status;
}

static enum ct_status make_programs(struct ct_watch_prices *prices, struct ct_error *err)
{
    prices->priced = calloc(prices->apps.n + 1, sizeof(struct ct_priced *));
    if (!prices->priced)
        return ct_no_memory(err, "applications");
    for (size_t i = 0; i < prices->apps.n; i++) {
        struct ct_application *app = &prices->apps.items[i];
        const struct ct_simulate_place place =
            ct_fabric_place(&prices->fabric, &prices->settings->fabric, i);
        if (app->goal.n_ranks == 0)
            continue;
        if ((app->goal.n_ranks - 1) / place.ranks_per_node >= place.n_nodes)
            return ct_fail(err, CT_EUSAGE,
                           "--hosts: %s has %u ranks, %u on a node: %u nodes have no room for them",
                           app->name, app->goal.n_ranks, place.ranks_per_node, place.n_nodes);
        enum ct_status status = ct_priced_new(&app->goal, &place, &prices->priced[i], err);
        if (status != CT_OK)
            return ct_fail_within(err, status, "%s", app->path);
    }
    return CT_OK;
}

/* Options that a posterior may have values of, by their bits. */
static uint32_t options_of(const struct ct_watch_price_settings *settings)
{
    return (uint32_t)settings->has_order << CT_STACK_KEY_QUEUE | (uint32_t)settings->has_burst
                                                                     << CT_STACK_KEY_BURST;
}

enum ct_status ct_watch_prices_open(const char *command,
                                    const struct ct_watch_price_settings *settings,
                                    struct ct_watch_prices **prices_p, struct ct_error *err)
{
    CT_TRY(check_settings(settings, err));
    struct ct_watch_prices *prices = malloc(sizeof *prices);
    if (!prices)
        return ct_no_memory(err, "prices");
    *prices = (struct ct_watch_prices){
        .command = command, .settings = settings, .model = ct_parameters_none()};
    enum ct_status status = CT_OK;
    if (settings->applications)
        status = ct_model_parameters(&settings->model, true, &prices->model, err);
    if (status == CT_OK && settings->applications)
        status = ct_parameters_check_options(&prices->model, options_of(settings),
                                             settings->model.posterior_path, err);
    if (status == CT_OK && settings->applications && settings->fabric.rate_bit_per_s > 0)
        ct_parameters_bound_G(settings->fabric.rate_bit_per_s, &prices->model);
    if (status == CT_OK && settings->applications)
        status = ct_applications_read(command, settings->applications, &prices->apps, err);
    if (status == CT_OK)
        status = open_fabric(prices, err);
    if (status == CT_OK)
        status = make_programs(prices, err);
    if (status == CT_OK)
        *prices_p = prices;
    else
        ct_watch_prices_free(prices);
    return status;
}

void ct_watch_prices_free(struct ct_watch_prices *prices)
{
    if (!prices)
        return;
    for (size_t i = 0; prices->priced && i < prices->apps.n; i++)
        ct_priced_free(prices->priced[i]);
    free(prices->priced);
    ct_applications_free(&prices->apps);
    ct_fabric_free(&prices->fabric);
    ct_parameters_free(&prices->model);
    free(prices->known);
    free(prices->prices);
    free(prices);
}

const struct ct_topology *ct_watch_prices_topology(const struct ct_watch_prices *prices)
{
    return &prices->fabric.topology;
}

/* ---- prices ---- */

static struct ct_fault_network network_of(const struct ct_watch_prices *prices)
{
    const struct ct_parameters *model = &prices->model;
    const struct ct_queues_known queues = {.order = (enum ct_port_order)prices->settings->order,
                                           .burst_bytes = (double)prices->settings->burst_bytes};
    struct ct_fault_network network = {.topology = &prices->fabric.topology,
                                       .nodes = prices->fabric.places.used,
                                       .n_nodes = prices->fabric.places.n_used,
                                       .costs = {.at = ct_parameters_at(model, model->L_s),
                                                 .S_bytes = model->S_bytes,
                                                 .overheads = ct_parameters_overheads(model),
                                                 .gaps = ct_parameters_gaps(model),
                                                 .g_ns = ct_ns_from_s(model->between_s),
                                                 .by_switches = model->paths},
                                       .queues = ct_simulation_unfitted_queues(&queues),
                                       .again_s = prices->settings->retransmit_s,
                                       .work_max =
                                           (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX),
                                       .threads = ct_parallel_processors()};
    if (ct_parameters_has_queues(model))
        ct_parameters_queues(model, SIZE_MAX, &network.queues);
    return network;
}

/* One that has no price for a reason of its own does not keep the others from theirs. */
static enum ct_status price_application(const struct ct_watch_prices *prices, size_t index,
                                        const struct ct_fault *fault, struct ct_watch_price *price,
                                        struct ct_error *err)
{
    const struct ct_application *app = &prices->apps.items[index];
    const struct ct_fault_network network = network_of(prices);
    struct ct_error why;
    snprintf(price->application, sizeof price->application, "%s", app->name);
    price->percent = price->low = price->high = NAN;
    if (!prices->priced[index]) {
        snprintf(price->how, sizeof price->how, "%s", app->why);
        return CT_OK;
    }
    enum ct_status status = ct_fault_price(&network, fault, prices->priced[index], price, &why);
    if (status == CT_ENOMEM || status == CT_EINTR)
        return ct_fail(err, status, "%s", why.text);
    if (status != CT_OK)
        snprintf(price->how, sizeof price->how, "%.60s", why.text);
    return CT_OK;
}

/* Prices of all applications, in place of what is there of the same alarm, or behind all. */
static enum ct_status price_fault(struct ct_watch_prices *prices, struct known known,
                                  const struct ct_fault *fault, struct ct_error *err)
{
    size_t at = 0, n = prices->apps.n;
    while (at < prices->n_known && prices->known[at].alarm != known.alarm)
        at++;
    if (!CT_ARRAY_RESERVE(prices->known, prices->known_room, prices->n_known + 1) ||
        !CT_ARRAY_RESERVE(prices->prices, prices->prices_room, (prices->n_known + 1) * n))
        return ct_no_memory(err, "prices");
    for (size_t i = 0; i < n; i++) {
        struct ct_watch_price *price = &prices->prices[at * n + i];
        price->alarm = known.alarm;
        CT_TRY(price_application(prices, i, fault, price, err));
    }
    prices->known[at] = known;
    prices->n_known += at == prices->n_known;
    return CT_OK;
}

/* Links of a host; none, and no error, of one that the topology does not have. */
static enum ct_status find_host(const struct ct_watch_prices *prices, const char *name,
                                struct ct_fault_words *words, struct ct_error *err)
{
    struct ct_error why;
    enum ct_status status = ct_fault_of_host(&prices->fabric.topology, name, words, &why);
    return status == CT_ENOMEM ? ct_fail(err, status, "%s", why.text) : CT_OK;
}

static enum ct_status price_alarm(struct ct_watch_prices *prices,
                                  const struct ct_watch_state *state,
                                  const struct ct_watch_alarm *alarm, struct ct_error *err)
{
    struct ct_fault_words host = {.ways = NULL};
    struct ct_fault fault = {.kind = alarm->kind,
                             .ways = alarm->suspects,
                             .n = alarm->n_suspects,
                             .is_one = true,
                             .size = alarm->size,
                             .low = alarm->low,
                             .high = alarm->high};
    enum ct_status status = CT_OK;
    if (alarm->host != UINT32_MAX) {
        status = find_host(prices, state->hosts[alarm->host].name, &host, err);
        fault.ways = host.ways;
        fault.n = host.fault.n;
        fault.is_one = false;
    }
    if (status == CT_OK)
        status = price_fault(
            prices, (struct known){alarm->id, alarm->kind, alarm->narrowed_unix_ns}, &fault, err);
    ct_fault_words_free(&host);
    return status;
}

static const struct ct_watch_alarm *find_alarm(const struct ct_watch_state *state, uint64_t id)
{
    for (size_t i = 0; i < state->n_alarms; i++)
        if (state->alarms[i].id == id)
            return &state->alarms[i];
    return NULL;
}

static bool is_known(const struct ct_watch_prices *prices, const struct ct_watch_alarm *alarm)
{
    for (size_t i = 0; i < prices->n_known; i++)
        if (prices->known[i].alarm == alarm->id)
            return prices->known[i].kind == alarm->kind &&
                   prices->known[i].narrowed_unix_ns == alarm->narrowed_unix_ns;
    return false;
}

static void forget_prices(struct ct_watch_prices *prices, const struct ct_watch_state *state)
{
    size_t kept = 0, n = prices->apps.n;
    for (size_t i = 0; i < prices->n_known; i++)
        if (find_alarm(state, prices->known[i].alarm)) {
            prices->known[kept] = prices->known[i];
            memmove(&prices->prices[kept * n], &prices->prices[i * n], n * sizeof *prices->prices);
            kept++;
        }
    prices->n_known = kept;
}

static void show_prices(const struct ct_watch_prices *prices, struct ct_watch_state *state)
{
    state->prices = prices->prices;
    state->n_prices = prices->n_known * prices->apps.n;
}

enum ct_status ct_watch_prices_join(struct ct_watch_prices *prices, struct ct_watch_state *state,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    forget_prices(prices, state);
    for (size_t i = 0; i < state->n_alarms && prices->apps.n > 0 && status == CT_OK; i++)
        if (state->alarms[i].ended_unix_ns == 0 && !is_known(prices, &state->alarms[i]))
            status = price_alarm(prices, state, &state->alarms[i], err);
    show_prices(prices, state);
    return status;
}

enum ct_status ct_watch_prices_ask(struct ct_watch_prices *prices, struct ct_watch_state *state,
                                   struct ct_error *err)
{
    struct ct_fault_words words;
    enum ct_status status =
        ct_fault_parse(&prices->fabric.topology, prices->settings->fault, &words, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--fault");
    status = price_fault(prices, (struct known){.kind = words.fault.kind}, &words.fault, err);
    ct_fault_words_free(&words);
    state->topology = &prices->fabric.topology;
    show_prices(prices, state);
    return status;
}

/* ---- the answer ---- */

void ct_watch_prices_fill(const struct ct_watch_state *state, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"alarm", "alarm", CT_UNIT_COUNT},          {"application", "application", CT_UNIT_NONE},
        {"slowdown", "slowdown", CT_UNIT_FRACTION}, {"slowdown_ci[]", "from", CT_UNIT_FRACTION},
        {"slowdown_ci[]", "to", CT_UNIT_FRACTION},  {"how", "by", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "prices", "What it costs applications", columns);
    for (size_t i = 0; i < state->n_prices; i++) {
        const struct ct_watch_price *price = &state->prices[i];
        ct_tables_cell_number(tables, (double)price->alarm);
        ct_tables_cell_text(tables, price->application);
        CT_CELL_NUMBERS(tables, price->percent / 100, price->low / 100, price->high / 100);
        ct_tables_cell_text(tables, price->how);
    }
}

static int by_cost(const void *a, const void *b)
{
    const struct ct_watch_price *x = *(const struct ct_watch_price *const *)a,
                                *y = *(const struct ct_watch_price *const *)b;
    if (isnan(x->percent) || isnan(y->percent))
        return isnan(x->percent) - isnan(y->percent);
    return (x->percent < y->percent) - (x->percent > y->percent);
}

/* "lammps +12 % [10, 14]" */
static int write_price(const struct ct_watch_price *price, char *text, size_t room)
{
    char ends[64] = "";
    int digits = fabs(price->percent) < 10 ? 1 : 0;
    if (price->high - price->low >= 0.05)
        snprintf(ends, sizeof ends, " [%.*f, %.*f]", digits, price->low, digits, price->high);
    if (isnan(price->percent))
        return snprintf(text, room, "%s not known, since %s", price->application, price->how);
    if (fabs(price->percent) < 0.05 && !*ends)
        return snprintf(text, room, "%s 0 %%", price->application);
    return snprintf(text, room, "%s %+.*f %%%s", price->application, digits, price->percent, ends);
}

bool ct_watch_prices_write(const struct ct_watch_state *state, uint64_t alarm, char *text,
                           size_t room)
{
    enum { SHOWN_MAX = 8 };
    const struct ct_watch_price *of[64];
    size_t n = 0, used = 0, i;
    for (i = 0; i < state->n_prices && n < sizeof of / sizeof *of; i++)
        if (state->prices[i].alarm == alarm)
            of[n++] = &state->prices[i];
    if (n == 0)
        return false;
    qsort(of, n, sizeof *of, by_cost);
    for (i = 0; i < n && i < SHOWN_MAX && used < room; i++) {
        used += (size_t)snprintf(text + used, room - used, "%s", i > 0 ? ", " : "");
        if (used < room)
            used += (size_t)write_price(of[i], text + used, room - used);
    }
    if (i < n && used < room)
        snprintf(text + used, room - used, ", and %zu more", n - i);
    return true;
}
