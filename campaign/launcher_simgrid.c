/* All programs of a run in one simulation of SimGrid, by crosstalk-simgrid. */
#include "campaign/constants.h"
#include "campaign/host_list.h"
#include "campaign/simgrid_load.h"
#include "campaign/simgrid_platform.h"
#include "core/self.h"
#include "core/units.h"
#include "topology/places.h"
#include "topology/simgrid.h"
#include "topology/spec.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct state {
    struct ct_topology topology;
    char platform[PATH_MAX]; /* file; "": the network is one of a spec */
    char program[PATH_MAX];  /* crosstalk-simgrid */
    double added_latency_s;
};

static void host_name(const struct ct_launcher *launcher, uint32_t host, char text[CT_HOST_MAX])
{
    const struct state *state = launcher->state;
    ct_simgrid_host_name(&state->topology, host, text);
}

/* ---- start ---- */

/* In the folder that the campaign names, or where it is installed, or in the build beside this one.
 */
static enum ct_status find_program(const struct ct_launcher *launcher, char path[PATH_MAX],
                                   struct ct_error *err)
{
    static const char *const relatives[] = {CT_SIMGRID_FROM_PROGRAM,
                                            "../../simgrid/bin/crosstalk-simgrid", NULL};
    static const char *const given[] = {"crosstalk-simgrid", NULL};
    const char *folder = launcher->spec->launcher.simgrid;
    char self[PATH_MAX / 2] = "";
    CT_TRY(*folder ? CT_OK : ct_self_folder(self, sizeof self, err));
    bool is_there = *folder ? ct_self_find(folder, given, path, PATH_MAX)
                            : ct_self_find(self, relatives, path, PATH_MAX);
    if (!is_there || access(path, X_OK) != 0)
        return ct_fail(
            err, CT_ENOENT,
            "launcher simgrid: %s: %s; build it by cmake --preset simgrid (docs/simgrid.md), "
            "or name its folder in the campaign's file (launcher: simgrid)",
            path, strerror(errno));
    return CT_OK;
}

static void close_simgrid(struct ct_launcher *launcher)
{
    struct state *state = launcher->state;
    ct_topology_free(&state->topology);
    free(state);
}

static bool is_file(const struct ct_launcher *launcher)
{
    const char *topology = launcher->spec->launcher.topology;
    return *topology && !ct_topology_is_spec(topology);
}

static enum ct_status check_hosts(const struct ct_launcher *launcher, const struct state *state,
                                  struct ct_error *err)
{
    uint64_t hosts = launcher->spec->launcher.hosts;
    if (hosts <= state->topology.n_nodes)
        return CT_OK;
    return ct_fail(err, CT_EINVAL, "launcher.hosts: %" PRIu64 ", but %s has %u nodes", hosts,
                   state->topology.name, state->topology.n_nodes);
}

/* Of a topology in a file, which has rates and latencies: crosstalk-simgrid may be built without
 * what reads it. */
static enum ct_status write_platform(const struct ct_launcher *launcher, struct state *state,
                                     struct ct_error *err)
{
    if ((size_t)snprintf(state->platform, sizeof state->platform, "%s/platform.xml",
                         launcher->folder) >= sizeof state->platform)
        return ct_fail(err, CT_EINVAL, "%s: the path is too long", launcher->folder);
    return ct_simgrid_platform_write(&state->topology, state->platform, err);
}

static enum ct_status open_simgrid(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return ct_no_memory(err, "launcher");
    launcher->state = state;
    enum ct_status status = find_program(launcher, state->program, err);
    if (status == CT_OK)
        status = ct_simgrid_topology(&launcher->spec->launcher, &state->topology, err);
    if (status == CT_OK)
        status = check_hosts(launcher, state, err);
    if (status == CT_OK)
        status = is_file(launcher) ? write_platform(launcher, state, err)
                                   : ct_topology_simgrid_check(&state->topology, err);
    if (status != CT_OK) {
        close_simgrid(launcher);
        return status;
    }
    ct_log_info(launcher->log, "launcher simgrid: %s, %s", state->topology.name, state->program);
    return CT_OK;
}

/* ---- command lines ---- */

static void add_simulation(const struct ct_launcher *launcher, const char *load_path,
                           struct ct_argv *argv_p)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    const struct state *state = launcher->state;
    char overhead[CT_UNITS_TEXT_MAX], added[CT_UNITS_TEXT_MAX];
    if (*setup->topology) { /* for programs that measure, as in labs */
        ct_argv_add(argv_p, "env");
        ct_argv_add(argv_p, "%s=%s", CT_LAB_TOPOLOGY_VARIABLE, setup->topology);
    }
    ct_format_duration(setup->overhead_s, overhead);
    ct_argv_add(argv_p, "%s", state->program);
    if (*state->platform)
        ct_argv_add(argv_p, "--platform=%s", state->platform);
    else
        ct_simgrid_add_network(setup, &state->topology, argv_p);
    ct_argv_add(argv_p, "--model");
    ct_argv_add(argv_p, "%s", ct_campaign_simgrid_models[setup->model]);
    ct_argv_add(argv_p, "--overhead");
    ct_argv_add(argv_p, "%s", overhead);
    if (state->added_latency_s > 0) {
        ct_format_duration(state->added_latency_s, added);
        ct_argv_add(argv_p, "--add-latency");
        ct_argv_add(argv_p, "%s", added);
    }
    ct_argv_add(argv_p, "--set");
    ct_argv_add(argv_p, "%s", setup->options);
    ct_argv_add(argv_p, "--counters");
    ct_argv_add(argv_p, "%s", load_path);
}

static enum ct_status add_hosts(const struct ct_launcher *launcher, const struct ct_part *part,
                                struct ct_argv *argv_p, struct ct_error *err)
{
    size_t n = part->hosts ? part->n_hosts : launcher->spec->launcher.hosts;
    uint32_t *all = calloc(n + 1, sizeof *all);
    for (size_t i = 0; all && i < n; i++)
        all[i] = part->hosts ? part->hosts[i] : (uint32_t)i;
    char *list = all ? ct_host_list(launcher, all, n, ",", "") : NULL;
    ct_argv_add(argv_p, "--hosts");
    ct_argv_add(argv_p, "%s", list ? list : "");
    free(all);
    if (!list)
        return ct_no_memory(err, "command line");
    free(list);
    ct_argv_add(argv_p, "--slots");
    ct_argv_add(argv_p, "%" PRIu64, part->slots);
    return CT_OK;
}

/* Our own programs are those beside crosstalk-simgrid, not those beside this one. */
static enum ct_status add_program(const struct ct_program *program, struct ct_argv *argv_p,
                                  struct ct_error *err)
{
    char self[PATH_MAX] = "";
    const char *name = program->argv[0], *slash = strrchr(name, '/');
    CT_TRY(ct_self_folder(self, sizeof self, err));
    bool is_ours = slash && strlen(self) == (size_t)(slash - name) &&
                   !strncmp(name, self, (size_t)(slash - name));
    ct_argv_add(argv_p, "%s", is_ours ? slash + 1 : name);
    for (char *const *word = program->argv + 1; *word; word++) {
        if (!strcmp(*word, ":"))
            return ct_fail(err, CT_EINVAL,
                           "%s: an argument ':' would begin another program of the simulation",
                           name);
        ct_argv_add(argv_p, "%s", *word);
    }
    return CT_OK;
}

static enum ct_status make_command(struct ct_launcher *launcher, const struct ct_program *programs,
                                   size_t n, const char *load_path, struct ct_argv *argv_p,
                                   struct ct_error *err)
{
    char start[CT_UNITS_TEXT_MAX];
    enum ct_status status = CT_OK;
    add_simulation(launcher, load_path, argv_p);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        bool is_background = programs[i].part.role == CT_ROLE_BACKGROUND;
        if (i > 0)
            ct_argv_add(argv_p, ":");
        status = add_hosts(launcher, &programs[i].part, argv_p, err);
        if (is_background)
            ct_argv_add(argv_p, "--background");
        if (programs[i].start_s > 0) {
            ct_format_duration(programs[i].start_s, start);
            ct_argv_add(argv_p, "--start");
            ct_argv_add(argv_p, "%s", start);
        }
        if (programs[i].trace) {
            ct_argv_add(argv_p, "--trace");
            ct_argv_add(argv_p, "%s", programs[i].trace);
        }
        if (status == CT_OK)
            status = add_program(&programs[i], argv_p, err);
    }
    return status == CT_OK && argv_p->failed ? ct_no_memory(err, "command line") : status;
}

/* ---- latency ---- */

static enum ct_status add_latency(struct ct_launcher *launcher, double latency_s,
                                  struct ct_error *err)
{
    (void)err;
    ((struct state *)launcher->state)->added_latency_s = latency_s;
    return CT_OK;
}

/* ---- load and facts ---- */

static enum ct_status meter_write(struct ct_launcher *launcher, const char *path,
                                  struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    const struct state *state = launcher->state;
    return ct_simgrid_load_convert(path, &state->topology, (uint32_t)setup->hosts,
                                   *setup->topology ? setup->topology : NULL, err);
}

static enum ct_status add_network(const struct ct_launcher *launcher, struct ct_run_info *info)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    double uplink = setup->has_uplink ? setup->uplink_bit_per_s : setup->rate_bit_per_s;
    bool is_switch = !*setup->topology;
    if (is_file(launcher))
        return CT_OK;
    enum ct_status status = ct_run_add_number(info, "simulated_latency_s", setup->latency_s);
    if (status == CT_OK)
        status = ct_run_add_number(info, CT_RUN_NODE_RATE, setup->rate_bit_per_s);
    if (is_switch || status != CT_OK)
        return status;
    CT_TRY(ct_run_add_text(info, CT_RUN_TOPOLOGY, setup->topology));
    return ct_run_add_number(info, CT_RUN_UPLINK_RATE, uplink);
}

static enum ct_status meter_facts(struct ct_launcher *launcher, struct ct_run_info *info)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    const struct state *state = launcher->state;
    CT_TRY(add_network(launcher, info));
    if (launcher->spec->n_latencies > 0)
        CT_TRY(ct_run_add_number(info, CT_RUN_ADDED_LATENCY, state->added_latency_s));
    CT_TRY(ct_run_add_text(info, CT_RUN_SIMULATED_MODEL, ct_campaign_simgrid_models[setup->model]));
    if (*setup->options)
        CT_TRY(ct_run_add_text(info, CT_RUN_SIMULATED_SETTINGS, setup->options));
    return ct_run_add_number(info, "simulated_overhead_s", setup->overhead_s);
}

const struct ct_launcher_row ct_launcher_simgrid = {.is_simulated = true,
                                                    .open = open_simgrid,
                                                    .close = close_simgrid,
                                                    .together = make_command,
                                                    .host_name = host_name,
                                                    .end_signal = SIGTERM,
                                                    .add_latency = add_latency,
                                                    .meter_write = meter_write,
                                                    .meter_facts = meter_facts};
