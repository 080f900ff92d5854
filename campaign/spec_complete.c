#include "campaign/spec_complete.h"

#include "campaign/constants.h"
#include "campaign/simgrid_platform.h"
#include "core/argv.h"
#include "core/array.h"
#include "core/order.h"
#include "core/units.h"
#include "lab/like.h"
#include "topology/simgrid.h"
#include "topology/spec.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- applications ---- */

static enum ct_status check_distinct(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    for (size_t i = 0; i < spec->n_apps; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(spec->apps[i].name, spec->apps[j].name))
                return ct_fail(err, CT_EINVAL, "applications[%zu].name: '%s': used twice", i + 1,
                               spec->apps[i].name);
    return CT_OK;
}

static enum ct_status find_app(const struct ct_campaign_spec *spec, const char *name, size_t *app_p,
                               struct ct_error *err)
{
    for (size_t i = 0; i < spec->n_apps; i++)
        if (!strcmp(spec->apps[i].name, name)) {
            *app_p = i;
            return CT_OK;
        }
    return ct_fail(err, CT_EINVAL, "'%.80s': not among the applications", name);
}

static enum ct_status find_others(const struct ct_campaign_spec *spec, const struct ct_argv *names,
                                  struct ct_campaign_group *group, struct ct_error *err)
{
    if (names->n < 2 || names->n > CT_GROUP_OTHERS_MAX)
        return ct_fail(err, CT_EINVAL, "'%.80s': not 2 to %d applications; pairs are always made",
                       group->with_names, CT_GROUP_OTHERS_MAX);
    for (group->n_others = 0; group->n_others < names->n; group->n_others++)
        CT_TRY(find_app(spec, names->item[group->n_others], &group->others[group->n_others], err));
    qsort(group->others, group->n_others, sizeof *group->others, ct_order_sizes);
    for (size_t i = 0; i < group->n_others; i++) {
        size_t used = strlen(group->with);
        snprintf(group->with + used, sizeof group->with - used, "%s%s", i ? "," : "",
                 spec->apps[group->others[i]].name);
    }
    return CT_OK;
}

static enum ct_status resolve_groups(struct ct_campaign_spec *spec, struct ct_error *err)
{
    for (size_t i = 0; i < spec->n_groups; i++) {
        struct ct_campaign_group *group = &spec->groups[i];
        struct ct_argv names = {0};
        const char *key = "app";
        enum ct_status status = find_app(spec, group->app_name, &group->app, err);
        if (status == CT_OK) {
            key = "with";
            status = ct_argv_split(&names, group->with_names, err);
        }
        if (status == CT_OK)
            status = find_others(spec, &names, group, err);
        ct_argv_free(&names);
        if (status != CT_OK) {
            ct_fail_within(err, status, "groups[%zu].%s", i + 1, key);
            return status;
        }
        for (size_t j = 0; j < i; j++)
            if (group->app == spec->groups[j].app && !strcmp(group->with, spec->groups[j].with))
                return ct_fail(err, CT_EINVAL, "groups[%zu]: the applications of groups[%zu]",
                               i + 1, j + 1);
    }
    return CT_OK;
}

/* ---- configurations ---- */

/* Patterns other than the ring find their partners themselves. */
static enum ct_status check_configs(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    for (size_t i = 0; i < spec->n_configs; i++) {
        const struct ct_config *load = &spec->configs[i].load;
        bool ring = load->pattern == CT_PATTERN_RING;
        if (ring != (load->partners > 0))
            return ct_fail(err, CT_EINVAL, "configurations[%zu].partners: %s pattern %s", i + 1,
                           ring ? "missing, for" : "must be left out with",
                           ct_pattern_names[load->pattern]);
        for (size_t j = 0; j < i; j++)
            if (ct_config_same(load, &spec->configs[j].load))
                return ct_fail(err, CT_EINVAL,
                               "configurations[%zu]: partners, messages, bubble, pattern, burst, "
                               "message_size and slots are those of configurations[%zu]",
                               i + 1, j + 1);
    }
    return CT_OK;
}

static enum ct_status add_bursts(struct ct_campaign_spec *spec, struct ct_error *err)
{
    struct ct_argv words = {0};
    enum ct_status status = ct_argv_split(&words, spec->bursts, err);
    for (size_t i = 0; i < words.n && status == CT_OK; i++) {
        struct ct_burst burst;
        status = ct_burst_parse(words.item[i], &burst, err);
        if (status == CT_OK && !ct_grid_add_burst(&spec->grid, burst))
            status = ct_fail(err, CT_EINVAL, "bursts: more than %d", CT_GRID_BURSTS_MAX);
    }
    ct_argv_free(&words);
    return status;
}

/* Points on the axis and on curves are made of all of these. */
static enum ct_status check_adaptive(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    const struct ct_campaign_repetitions *n = &spec->repetitions;
    if (spec->n_apps == 0)
        return ct_fail(err, CT_EINVAL, "grid: adaptive: give applications: it is fitted to them");
    if (n->idle == 0 || n->baseline == 0 || n->impact == 0 || n->compression == 0)
        return ct_fail(err, CT_EINVAL,
                       "grid: adaptive: repetitions of idle, baseline, impact and compression must "
                       "be at least 1");
    return CT_OK;
}

/* What the list has already stays as it is there. */
static enum ct_status add_grid(struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (spec->grid_kind == CT_GRID_NONE)
        return *spec->bursts == '\0' ? CT_OK
                                     : ct_fail(err, CT_EINVAL,
                                               "bursts: are for a grid; in "
                                               "configurations give 'burst: %s'",
                                               spec->bursts);
    if (spec->launcher.hosts < 2)
        return ct_fail(err, CT_EINVAL,
                       "grid: give launcher.hosts, at least 2: it limits the number of partners");
    if (!spec->launcher.has_rate && spec->launcher.kind != CT_LAUNCHER_LAB)
        return ct_fail(err, CT_EINVAL,
                       "grid: give launcher.rate, that of a link, such as 40gbit: the pauses are "
                       "scaled to it");
    bool adaptive = spec->grid_kind == CT_GRID_ADAPTIVE;
    CT_TRY(adaptive ? check_adaptive(spec, err) : CT_OK);
    spec->grid = ct_grid_paper(ct_campaign_program_hosts(spec), spec->launcher.rate_bit_per_s);
    CT_TRY(add_bursts(spec, err));
    if (!CT_ARRAY_RESIZE(spec->configs, spec->n_configs + spec->grid.n))
        return ct_no_memory(err, "grid");
    struct ct_campaign_config *configs = spec->configs;
    size_t n_listed = spec->n_configs;
    for (size_t i = 0; i < spec->grid.n; i++) {
        bool listed = false;
        for (size_t j = 0; j < n_listed && !listed; j++)
            listed = ct_config_same(&configs[j].load, &spec->grid.loads[i]);
        if (!listed)
            configs[spec->n_configs++] =
                (struct ct_campaign_config){.load = spec->grid.loads[i], .is_candidate = adaptive};
    }
    return CT_OK;
}

/* ---- launcher ---- */

static const double lab_rate_max_bit_per_s = 1e10;

enum ct_status ct_campaign_lab_spec(const struct ct_campaign_launcher *launcher,
                                    struct ct_lab_spec *spec_p, struct ct_error *err)
{
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    enum ct_status status = CT_OK;
    spec.n_hosts = launcher->hosts;
    spec.rate_bit_per_s = launcher->rate_bit_per_s;
    spec.queue = (enum ct_lab_queue)launcher->queue;
    spec.delay = (struct ct_lab_delay){launcher->latency_s, launcher->jitter_s,
                                       (enum ct_lab_jitter)launcher->jitter_shape};
    if (*launcher->topology)
        status = ct_lab_spec_topology(launcher->topology, launcher->spines,
                                      launcher->has_uplink ? launcher->uplink_bit_per_s : NAN,
                                      &spec, err);
    if (status == CT_OK && *launcher->like)
        status = ct_lab_spec_like(launcher->like, launcher->dilation, &spec, err);
    if (status == CT_OK)
        *spec_p = spec;
    else
        ct_fail_within(err, status, "launcher");
    return status;
}

void ct_campaign_lateness_bounds(const struct ct_campaign_launcher *launcher, double latency_s,
                                 double *median_s, double *p99_s)
{
    double share_s = ct_campaign_constant(CT_CAMPAIGN_LATE_P99) * latency_s;
    *p99_s = launcher->has_lateness ? launcher->lateness_s : fmax(launcher->lateness_s, share_s);
    *median_s =
        fmax(ct_campaign_constant(CT_CAMPAIGN_LATE_MEDIAN),
             ct_campaign_constant(CT_CAMPAIGN_LATE_SHARE) * fmax(launcher->lateness_s, latency_s));
}

/* All nodes of the topology, or the first ones. */
static enum ct_status take_simgrid_hosts(struct ct_campaign_launcher *launcher,
                                         struct ct_error *err)
{
    struct ct_topology topology;
    if (!ct_topology_is_spec(launcher->topology))
        return CT_OK; /* a file is read when the campaign starts */
    enum ct_status status = ct_simgrid_topology(launcher, &topology, err);
    if (status != CT_OK)
        return status;
    if (launcher->hosts == 0)
        launcher->hosts = topology.n_nodes;
    else if (launcher->hosts > topology.n_nodes)
        status = ct_fail(err, CT_EINVAL, "launcher.hosts: %llu, but %s has %u nodes",
                         (unsigned long long)launcher->hosts, topology.name, topology.n_nodes);
    ct_topology_free(&topology);
    return status;
}

/* The topology says how many hosts there are. */
static enum ct_status take_topology(struct ct_campaign_launcher *launcher, struct ct_error *err)
{
    bool given = *launcher->topology != '\0';
    const char *key = given ? "topology" : launcher->spines > 0 ? "spines" : "uplink";
    if (!given && launcher->spines == 0 && !launcher->has_uplink)
        return CT_OK;
    if (launcher->kind != CT_LAUNCHER_LAB && launcher->kind != CT_LAUNCHER_SIMGRID)
        return ct_fail(err, CT_EINVAL, "launcher.%s: is for 'kind: lab' and 'kind: simgrid'", key);
    if (!given)
        return ct_fail(err, CT_EINVAL,
                       "launcher.%s: one switch has none; give 'topology: tree:LEAVESxHOSTS', too",
                       key);
    if (launcher->kind == CT_LAUNCHER_SIMGRID)
        return take_simgrid_hosts(launcher, err);
    struct ct_lab_spec spec;
    if (ct_campaign_lab_spec(launcher, &spec, err) != CT_OK)
        return CT_EINVAL;
    launcher->hosts = spec.n_hosts;
    return CT_OK;
}

/* Where several switches are known L depends on the path: what the file does not say. */
static void choose_logp(struct ct_campaign_spec *spec)
{
    const struct ct_campaign_launcher *launcher = &spec->launcher;
    struct ct_topology topology = {0};
    struct ct_lab_spec lab;
    struct ct_lab_plan *plan = NULL;
    uint32_t n_switches = 0;
    if (*launcher->topology && launcher->kind == CT_LAUNCHER_SIMGRID &&
        ct_simgrid_topology(launcher, &topology, NULL) == CT_OK)
        n_switches = topology.n_switches;
    if (*launcher->topology && launcher->kind == CT_LAUNCHER_LAB &&
        ct_campaign_lab_spec(launcher, &lab, NULL) == CT_OK &&
        ct_lab_plan_new(&lab, &plan, NULL) == CT_OK)
        n_switches = plan->n_switches;
    free(plan);
    ct_topology_free(&topology);
    spec->is_logp_chosen = spec->is_logp_chosen && n_switches > 1;
    if (spec->is_logp_chosen)
        spec->logp = CT_CAMPAIGN_LOGP_CLASSES;
}

/* The machine that a lab imitates says its rates and latencies. */
static enum ct_status take_like(struct ct_campaign_launcher *launcher, struct ct_error *err)
{
    struct ct_lab_spec spec;
    if (!*launcher->like)
        return CT_OK;
    CT_TRY(ct_campaign_lab_spec(launcher, &spec, err));
    launcher->dilation = spec.like.dilation;
    launcher->rate_bit_per_s = launcher->uplink_bit_per_s = spec.rate_bit_per_s;
    launcher->latency_s = spec.delay.latency_s;
    return CT_OK;
}

static enum ct_status check_lab(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (spec->launcher.hosts < 2 || spec->launcher.hosts > CT_LAB_HOSTS_MAX)
        return ct_fail(err, CT_EINVAL, "launcher.hosts: a lab has 2 to %d hosts", CT_LAB_HOSTS_MAX);
    if (spec->launcher.rate_bit_per_s > lab_rate_max_bit_per_s)
        return ct_fail(err, CT_EINVAL, "launcher.rate: a lab has at most 10gbit");
    if (*spec->launcher.hostfile || *spec->launcher.options)
        return ct_fail(err, CT_EINVAL,
                       "launcher: hostfile and options are for 'kind: mpiexec', not for a lab");
    const struct ct_lab_delay delay = {spec->launcher.latency_s, spec->launcher.jitter_s,
                                       (enum ct_lab_jitter)spec->launcher.jitter_shape};
    enum ct_status status = ct_lab_delay_check(&delay, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "launcher");
    return CT_OK;
}

/* A ring needs a host for each partner. */
static enum ct_status check_partners(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    uint64_t n = ct_campaign_program_hosts(spec);
    for (size_t i = 0; i < spec->n_configs && n > 0; i++)
        if (spec->configs[i].load.partners >= n)
            return ct_fail(err, CT_EINVAL,
                           "configurations[%zu].partners: %u: with %llu hosts%s there are at most "
                           "%llu",
                           i + 1, spec->configs[i].load.partners, (unsigned long long)n,
                           n < spec->launcher.hosts ? " for each program" : "",
                           (unsigned long long)n - 1);
    return CT_OK;
}

/* srun starts programs of any MPI, by its option --mpi. */
static enum ct_status check_slurm(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (spec->launcher.mpi != CT_MPI_UNKNOWN || *spec->launcher.mpiexec)
        return ct_fail(err, CT_EINVAL,
                       "launcher: mpi and mpiexec are for 'kind: mpiexec' and labs; for slurm give "
                       "'options: --mpi=pmi2' or another that 'srun --mpi=list' names");
    return CT_OK;
}

/* Programs in a simulator are ours, or built for it. */
static enum ct_status check_simgrid(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    const struct ct_campaign_launcher *launcher = &spec->launcher;
    if (!launcher->has_rate || !(launcher->latency_s > 0))
        return ct_fail(err, CT_EINVAL,
                       "launcher: give rate and latency, those of each link of the simulated "
                       "network, such as 40gbit and 500ns");
    if (launcher->rate_bit_per_s > CT_SIMGRID_RATE_MAX ||
        (launcher->has_uplink && launcher->uplink_bit_per_s > CT_SIMGRID_RATE_MAX))
        return ct_fail(err, CT_EINVAL, "launcher.%s: a simulation has at most 1000gbit",
                       launcher->rate_bit_per_s > CT_SIMGRID_RATE_MAX ? "rate" : "uplink");
    if (launcher->hosts < 2)
        return ct_fail(err, CT_EINVAL,
                       "launcher.hosts: a simulation has 2 or more; of a topology in a file it "
                       "takes the first ones");
    if (*launcher->hostfile || *launcher->mpiexec || launcher->mpi != CT_MPI_UNKNOWN)
        return ct_fail(err, CT_EINVAL,
                       "launcher: hostfile, mpi and mpiexec are for 'kind: mpiexec' and labs");
    if (strstr(launcher->options, "network/model:"))
        return ct_fail(err, CT_EINVAL,
                       "launcher.options: network/model: is that of launcher.model, whose links "
                       "can be counted");
    for (size_t i = 0; i < spec->n_apps; i++)
        if (spec->apps[i].passes == CT_PASSES_DRIVER)
            return ct_fail(err, CT_EINVAL,
                           "applications[%zu].passes: driver: not in a simulation, where all "
                           "programs of a run start together",
                           i + 1);
    return CT_OK;
}

/* ---- latencies ---- */

static enum ct_status add_latency(struct ct_campaign_spec *spec, const char *word,
                                  struct ct_error *err)
{
    double latency_s;
    enum ct_status status = ct_parse_duration(word, &latency_s, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "latencies");
    if (latency_s == 0)
        return CT_OK; /* that is every baseline */
    if (latency_s > CT_SIMGRID_ADDED_MAX_S)
        return ct_fail(err, CT_EINVAL, "latencies: %s: more than 10s", word);
    bool is_lab = spec->launcher.kind == CT_LAUNCHER_LAB;
    if (is_lab && spec->launcher.latency_s + latency_s > CT_LAB_LATENCY_MAX_S * (1 + 1e-9))
        return ct_fail(err, CT_EINVAL,
                       "latencies: %s: with launcher.latency more than the 20ms that can be added",
                       word);
    if (spec->n_latencies == CT_LATENCIES_MAX)
        return ct_fail(err, CT_EINVAL, "latencies: more than %d", CT_LATENCIES_MAX);
    for (size_t i = 0; i < spec->n_latencies; i++)
        if (spec->latencies_s[i] == latency_s)
            return ct_fail(err, CT_EINVAL, "latencies: %s: is there twice", word);
    spec->latencies_s[spec->n_latencies++] = latency_s;
    return CT_OK;
}

/* Candidates of an adaptive grid are picked by runs without added latency. */
static enum ct_status check_latency_runs(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (spec->latency_runs == CT_LATENCY_RUNS_ALONE)
        return CT_OK;
    if (!*spec->latency_words)
        return ct_fail(err, CT_EINVAL, "latency_runs: goes with 'latencies: 100us 1ms'");
    if (spec->grid_kind == CT_GRID_ADAPTIVE)
        return ct_fail(err, CT_EINVAL, "latency_runs: not with grid: adaptive");
    if (spec->n_configs == 0 && spec->grid_kind == CT_GRID_NONE)
        return ct_fail(err, CT_EINVAL,
                       "latency_runs: there are no configurations beside which to run");
    return CT_OK;
}

static enum ct_status add_latencies(struct ct_campaign_spec *spec, struct ct_error *err)
{
    struct ct_argv words = {0};
    enum ct_status status = check_latency_runs(spec, err);
    if (status != CT_OK || !*spec->latency_words)
        return status;
    if (!(spec->launcher.latency_s > 0))
        return ct_fail(err, CT_EINVAL,
                       "latencies: need 'latency: 200us' or more under launcher: the way through "
                       "the delay line belongs to the baseline");
    if (spec->repetitions.has_target)
        return ct_fail(err, CT_EINVAL, "latencies: not with repetitions.target");
    status = ct_argv_split(&words, spec->latency_words, err);
    for (size_t i = 0; i < words.n && status == CT_OK; i++)
        status = add_latency(spec, words.item[i], err);
    ct_argv_free(&words);
    if (spec->n_latencies > 0)
        qsort(spec->latencies_s, spec->n_latencies, sizeof *spec->latencies_s, ct_order_doubles);
    return status;
}

/* ---- placements ---- */

uint64_t ct_campaign_program_hosts(const struct ct_campaign_spec *spec)
{
    return spec->n_placements > 0 ? spec->placements[0].n : spec->launcher.hosts;
}

/* Switches are known in a lab only. */
static enum ct_status check_launcher(const struct ct_campaign_launcher *launcher,
                                     struct ct_error *err)
{
    if (launcher->kind == CT_LAUNCHER_MPIEXEC && !*launcher->hostfile)
        return ct_fail(err, CT_EINVAL,
                       "placement: launcher mpiexec starts all programs on this machine; give "
                       "launcher.hostfile, or 'kind: lab'");
    if (launcher->hosts == 0)
        return ct_fail(err, CT_EINVAL,
                       "placement: give launcher.hosts: they are divided among the programs");
    return CT_OK;
}

static enum ct_status add_placement(struct ct_campaign_spec *spec, const char *word, bool halves,
                                    const struct ct_sides_network *network, struct ct_error *err)
{
    int kind = 0;
    while (kind < CT_SIDES_N_KINDS && strcmp(ct_sides_names[kind], word) != 0)
        kind++;
    if (kind == CT_SIDES_N_KINDS)
        return ct_fail(err, CT_EINVAL,
                       "placement: '%.80s': not one of shared, disjoint, interleaved, fragments",
                       word);
    if (kind == CT_SIDES_FRAGMENTS && !spec->has_seed)
        return ct_fail(err, CT_EINVAL,
                       "placement: fragments: give 'seed: NUMBER', which decides where they are");
    for (size_t i = 0; i < spec->n_placements; i++)
        if (spec->placements[i].kind == (enum ct_sides_kind)kind)
            return ct_fail(err, CT_EINVAL, "placement: %s: is there twice", word);
    enum ct_status status = ct_sides_make((enum ct_sides_kind)kind, network, halves, spec->fragment,
                                          spec->seed, &spec->placements[spec->n_placements], err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "placement: %s", word);
    spec->n_placements++;
    return CT_OK;
}

static enum ct_status divide_hosts(struct ct_campaign_spec *spec, const struct ct_argv *words,
                                   const struct ct_sides_network *network, struct ct_error *err)
{
    bool halves = false;
    for (size_t i = 0; i < words->n; i++)
        halves |= strcmp(words->item[i], ct_sides_names[CT_SIDES_SHARED]) != 0;
    spec->placements = calloc(words->n + 1, sizeof *spec->placements);
    if (!spec->placements)
        return ct_no_memory(err, "placement");
    for (size_t i = 0; i < words->n; i++)
        CT_TRY(add_placement(spec, words->item[i], halves, network, err));
    return CT_OK;
}

/* The switches of a lab, in a list that is to be freed. */
static enum ct_status find_lab_switches(const struct ct_campaign_launcher *launcher,
                                        struct ct_sides_network *network, uint16_t *switch_of,
                                        struct ct_error *err)
{
    struct ct_lab_spec lab;
    struct ct_lab_plan *plan;
    CT_TRY(ct_campaign_lab_spec(launcher, &lab, err));
    CT_TRY(ct_lab_plan_new(&lab, &plan, err));
    memcpy(switch_of, plan->switch_of, network->n_hosts * sizeof *switch_of);
    network->uplinks = ct_sides_uplinks(plan);
    free(plan);
    return CT_OK;
}

/* Hosts have one link, to their switch; what else is joined to that switch are uplinks. */
static enum ct_status find_simgrid_switches(const struct ct_campaign_launcher *launcher,
                                            struct ct_sides_network *network, uint16_t *switch_of,
                                            struct ct_error *err)
{
    struct ct_topology topology;
    if (!ct_topology_is_spec(launcher->topology))
        return ct_fail(err, CT_EINVAL,
                       "placement: the switches of a file are not read here; give a topology such "
                       "as fat-tree:8");
    CT_TRY(ct_simgrid_topology(launcher, &topology, err));
    if (topology.n_switches > UINT16_MAX) {
        ct_topology_free(&topology);
        return ct_fail(err, CT_EINVAL, "placement: %s: more than %d switches", launcher->topology,
                       UINT16_MAX);
    }
    uint32_t n_first = 0;
    for (uint32_t host = 0; host < topology.n_nodes; host++) {
        uint32_t at = topology.ports[topology.first_port[host]].peer - topology.n_nodes;
        if (host < network->n_hosts)
            switch_of[host] = (uint16_t)at;
        n_first += at == topology.ports[topology.first_port[0]].peer - topology.n_nodes;
    }
    network->uplinks =
        ct_topology_degree(&topology, topology.ports[topology.first_port[0]].peer) - n_first;
    ct_topology_free(&topology);
    return CT_OK;
}

static enum ct_status find_switches(const struct ct_campaign_launcher *launcher,
                                    struct ct_sides_network *network, struct ct_error *err)
{
    uint16_t *switch_of = calloc(network->n_hosts + 1, sizeof *switch_of);
    if (!switch_of)
        return ct_no_memory(err, "placement");
    network->switch_of = switch_of;
    return launcher->kind == CT_LAUNCHER_SIMGRID
               ? find_simgrid_switches(launcher, network, switch_of, err)
               : find_lab_switches(launcher, network, switch_of, err);
}

static enum ct_status place_programs(struct ct_campaign_spec *spec, struct ct_error *err)
{
    struct ct_sides_network network = {.n_hosts = spec->launcher.hosts};
    struct ct_argv words = {0};
    enum ct_status status = check_launcher(&spec->launcher, err);
    if (status == CT_OK)
        status = ct_argv_split(&words, spec->placement_words, err);
    if (status == CT_OK && *spec->launcher.topology)
        status = find_switches(&spec->launcher, &network, err);
    if (status == CT_OK)
        status = divide_hosts(spec, &words, &network, err);
    free((void *)network.switch_of);
    ct_argv_free(&words);
    return status;
}

/* An application without a number of hosts uses all of them. */
static bool fits_half(const struct ct_campaign_spec *spec)
{
    for (size_t i = 0; i < spec->n_apps; i++)
        if (spec->apps[i].hosts == 0 || 2 * spec->apps[i].hosts > spec->launcher.hosts)
            return false;
    for (size_t i = 0; i < spec->n_configs; i++)
        if (2 * (uint64_t)spec->configs[i].load.partners >= spec->launcher.hosts)
            return false;
    return spec->n_apps > 0;
}

/* What the file does not say: on the same hosts, and where there is room on hosts of their own too.
 * Where hosts cannot be divided, all programs have the same. */
static enum ct_status choose_placement(struct ct_campaign_spec *spec, struct ct_error *err)
{
    spec->is_placement_chosen = true;
    if (spec->is_begun_without_placement || !fits_half(spec))
        return CT_OK;
    spec->placement_words = "shared interleaved";
    enum ct_status status = place_programs(spec, NULL);
    if (status == CT_OK)
        return CT_OK;
    ct_campaign_forget_placements(spec);
    return status == CT_ENOMEM ? ct_no_memory(err, "placement") : CT_OK;
}

static enum ct_status add_placements(struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (*spec->scan && !*spec->placement_words)
        spec->placement_words = ct_sides_names[CT_SIDES_INTERLEAVED];
    return *spec->placement_words ? place_programs(spec, err) : choose_placement(spec, err);
}

void ct_campaign_forget_placements(struct ct_campaign_spec *spec)
{
    for (size_t i = 0; i < spec->n_placements; i++)
        ct_sides_free(&spec->placements[i]);
    free(spec->placements);
    spec->placements = NULL;
    spec->n_placements = 0;
    spec->placement_words = "";
}

bool ct_campaign_describe_choice(const struct ct_campaign_spec *spec, char *text, size_t size)
{
    const unsigned long long n = spec->launcher.hosts;
    if (!spec->is_placement_chosen || spec->n_apps == 0)
        return false;
    if (spec->n_placements > 0)
        snprintf(text, size,
                 "No placement is given: shared and interleaved, programs on the same %llu hosts, "
                 "and each on %llu of its own. Not asked: disjoint, fragments.",
                 n / 2, n / 2);
    else
        snprintf(text, size,
                 "No placement is given: shared, all programs on the same hosts. Not asked: "
                 "programs on hosts of their own ('placement: interleaved').");
    return true;
}

/* In a scan canaries and loads are on nodes of their own, and idle network and known loads were
 * probed. */
static enum ct_status check_scan(const struct ct_campaign_spec *spec, struct ct_error *err)
{
    if (!*spec->scan)
        return CT_OK;
    for (size_t i = 0; i < spec->n_placements; i++)
        if (spec->placements[i].kind == CT_SIDES_SHARED)
            return ct_fail(err, CT_EINVAL,
                           "placement: shared: not with 'scan': its loads are on nodes of their "
                           "own; give interleaved, disjoint or fragments");
    if (spec->grid_kind != CT_GRID_NONE)
        return ct_fail(err, CT_EINVAL,
                       "grid: %s: not with 'scan', whose known loads are the configurations",
                       ct_grid_names[spec->grid_kind]);
    if (spec->latency_runs != CT_LATENCY_RUNS_ALONE)
        return ct_fail(err, CT_EINVAL,
                       "latency_runs: not with 'scan', whose loads have one latency");
    return CT_OK;
}

/* ---- hosts of applications ---- */

static enum ct_status check_app_hosts(const struct ct_campaign_spec *spec, size_t i,
                                      struct ct_error *err)
{
    const struct ct_campaign_launcher *launcher = &spec->launcher;
    uint64_t n = ct_campaign_program_hosts(spec), wanted = spec->apps[i].hosts;
    if (launcher->hosts == 0)
        return ct_fail(err, CT_EINVAL,
                       "applications[%zu].hosts: give launcher.hosts: these are the first ones of "
                       "them",
                       i + 1);
    if (wanted > n)
        return ct_fail(err, CT_EINVAL,
                       "applications[%zu].hosts: %" PRIu64 ": a program has %" PRIu64 " hosts",
                       i + 1, wanted, n);
    if (launcher->kind == CT_LAUNCHER_MPIEXEC && !*launcher->hostfile)
        return ct_fail(err, CT_EINVAL,
                       "applications[%zu].hosts: launcher mpiexec starts all programs on this "
                       "machine; give launcher.hostfile, or 'kind: lab'",
                       i + 1);
    return CT_OK;
}

static enum ct_status number_hosts(struct ct_campaign_spec *spec, struct ct_error *err)
{
    bool some = false;
    for (size_t i = 0; i < spec->n_apps; i++) {
        if (spec->apps[i].hosts == 0)
            continue;
        CT_TRY(check_app_hosts(spec, i, err));
        some = true;
    }
    if (!some)
        return CT_OK;
    spec->all_hosts = calloc(spec->launcher.hosts, sizeof *spec->all_hosts);
    if (!spec->all_hosts)
        return ct_no_memory(err, "hosts");
    for (uint32_t i = 0; i < spec->launcher.hosts; i++)
        spec->all_hosts[i] = i;
    return CT_OK;
}

/* ---- all of it ---- */

enum ct_status ct_campaign_spec_complete(struct ct_campaign_spec *spec, struct ct_error *err)
{
    enum ct_status status = check_distinct(spec, err);
    if (status == CT_OK)
        status = resolve_groups(spec, err);
    if (status == CT_OK)
        status = check_configs(spec, err);
    if (status == CT_OK)
        status = take_topology(&spec->launcher, err);
    if (status == CT_OK && spec->launcher.hosts >= 2)
        status = take_like(&spec->launcher, err);
    if (status == CT_OK && spec->launcher.kind == CT_LAUNCHER_LAB)
        status = check_lab(spec, err);
    if (status == CT_OK)
        choose_logp(spec);
    if (status == CT_OK)
        status = add_placements(spec, err);
    if (status == CT_OK)
        status = check_scan(spec, err);
    if (status == CT_OK)
        status = number_hosts(spec, err);
    if (status == CT_OK && (spec->launcher.kind == CT_LAUNCHER_LAB ||
                            spec->launcher.kind == CT_LAUNCHER_SIMGRID || spec->n_placements > 0))
        status = check_partners(spec, err);
    if (status == CT_OK && spec->launcher.kind != CT_LAUNCHER_LAB &&
        spec->launcher.kind != CT_LAUNCHER_SIMGRID && spec->launcher.latency_s > 0)
        status =
            ct_fail(err, CT_EINVAL, "launcher.latency: is for 'kind: lab' and 'kind: simgrid'");
    if (status == CT_OK && spec->launcher.kind == CT_LAUNCHER_SIMGRID)
        status = check_simgrid(spec, err);
    if (status == CT_OK && spec->launcher.kind != CT_LAUNCHER_SIMGRID && spec->launcher.jobs > 1)
        status = ct_fail(err, CT_EINVAL,
                         "launcher.jobs: is for 'kind: simgrid'; other runs would share the "
                         "network that they measure");
    if (status == CT_OK && spec->launcher.kind == CT_LAUNCHER_SLURM)
        status = check_slurm(spec, err);
    if (status == CT_OK)
        status = add_latencies(spec, err);
    return status == CT_OK ? add_grid(spec, err) : status;
}
