/* Programs on the hosts of an emulated switch, whose counters show how busy the network is. */
#include "campaign/binding.h"
#include "campaign/constants.h"
#include "campaign/host_list.h"
#include "campaign/network_load.h"
#include "campaign/process.h"
#include "campaign/spec_complete.h"
#include "lab/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs that have been asked to end may take this long before they are killed, and traffic on
   its way may take as long to drain. */
static const double leave_s = 3;

struct state {
    struct ct_lab *lab;
    bool ours; /* brought up here, and so taken down here */
    int lock;  /* the lab's network namespace; -1: none */
    struct ct_lab_counters before, after;
    struct ct_lab_late late_before;
    struct ct_lab_lateness lateness; /* of the run */
};

/* Two campaigns in one lab would measure, and kill, each other's programs. A lock on the namespace
   itself needs no file that could be left behind, and is the same for every user of the lab. */
static enum ct_status lock_lab(struct state *state, struct ct_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/net", (int)ct_lab_holder(state->lab));
    state->lock = open(path, O_RDONLY | O_CLOEXEC);
    if (state->lock >= 0 && flock(state->lock, LOCK_EX | LOCK_NB) == 0)
        return CT_OK;
    if (errno == EWOULDBLOCK)
        return ct_fail(err, CT_EEXIST,
                       "lab '%s': another campaign runs in it; wait, or give this one a lab of its "
                       "own by 'lab: NAME' under 'launcher'",
                       ct_lab_id(state->lab));
    return ct_fail(err, CT_EIO, "lab '%s': %s: %s", ct_lab_id(state->lab), path, strerror(errno));
}

static void leave_lab(struct state *state)
{
    if (state->lock >= 0)
        close(state->lock);
    state->lock = -1;
    ct_lab_close(state->lab);
    state->lab = NULL;
}

/* NULL: as $CROSSTALK_LAB says. */
static const char *lab_name(const struct ct_launcher *launcher)
{
    const char *name = launcher->spec->launcher.lab;
    return *name ? name : NULL;
}

static void close_lab(struct ct_launcher *launcher)
{
    struct state *state = launcher->state;
    struct ct_error err;
    if (state->ours && ct_lab_down(lab_name(launcher), NULL, &err) != CT_OK)
        ct_log_error(launcher->log, &err);
    leave_lab(state);
    free(state);
}

static enum ct_status check_lab(const struct ct_launcher *launcher, struct ct_error *err)
{
    const struct state *state = launcher->state;
    return ct_lab_check(state->lab, err);
}

/* A driver that is killed leaves its lab behind; the next one in the same folder knows it by its
   owner, which is the folder's number. */
static enum ct_status name_owner(const char *folder, char owner[CT_LAB_OWNER_MAX],
                                 struct ct_error *err)
{
    struct stat facts;
    if (stat(folder, &facts) != 0)
        return ct_fail(err, CT_EIO, "%s: %s", folder, strerror(errno));
    snprintf(owner, CT_LAB_OWNER_MAX, "%jx.%jx", (uintmax_t)facts.st_dev, (uintmax_t)facts.st_ino);
    return CT_OK;
}

/* The hosts of a lab are all on this machine. Their ranks are not bound; where there are enough
   cores, the system gives each its own. */
static enum ct_status warn_of_shared_cores(const struct ct_launcher *launcher, struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    struct ct_cores cores;
    if (setup->placement != CT_PLACEMENT_CORES)
        return CT_OK;
    CT_TRY(ct_cores_read(&cores, err));
    enum ct_status status = ct_binding_warn(launcher, &cores, setup->hosts, err);
    ct_cores_free(&cores);
    return status;
}

/* Into the lab, which is built if there is none, and taken down again if that fails later. */
static enum ct_status enter_lab(const struct ct_launcher *launcher, const struct ct_lab_spec *spec,
                                struct state *state, bool *existed_p, struct ct_error *err)
{
    const char *id = lab_name(launcher);
    *existed_p = true;
    enum ct_status status =
        launcher->spec->launcher.takes_lab ? CT_OK : ct_lab_up(id, spec, existed_p, err);
    if (status == CT_OK)
        status = ct_lab_open(id, &state->lab, err);
    if (status == CT_OK)
        status = lock_lab(state, err);
    if (status == CT_OK)
        state->ours = !strcmp(ct_lab_owner(state->lab), spec->owner);
    if (status != CT_OK && status != CT_EEXIST && !*existed_p)
        ct_lab_down(id, NULL, NULL); /* if CT_EEXIST, another campaign was faster, and is in it */
    return status;
}

/* Our own lab that was damaged when a driver before was killed is built again. */
static enum ct_status enter_whole_lab(const struct ct_launcher *launcher,
                                      const struct ct_lab_spec *spec, struct state *state,
                                      bool *existed_p, struct ct_error *err)
{
    struct ct_error damage;
    enum ct_status status = enter_lab(launcher, spec, state, existed_p, err);
    if (status != CT_OK || ct_lab_check(state->lab, &damage) == CT_OK)
        return status;
    if (!state->ours) {
        *err = damage;
        return damage.status;
    }
    ct_log_warn(launcher->log, "%s; it is built again", damage.text);
    leave_lab(state);
    CT_TRY(ct_lab_down(lab_name(launcher), NULL, err));
    return enter_lab(launcher, spec, state, existed_p, err);
}

/* What the machine's own network needs would lead messages past that of the lab. */
static void note_replaced(const struct ct_launcher *launcher)
{
    char *replaced = ct_lab_replaced((enum ct_mpi)launcher->spec->launcher.mpi);
    if (replaced)
        ct_log_warn(launcher->log, "launcher lab: not taken from the environment: %s", replaced);
    free(replaced);
}

static enum ct_status open_lab(struct ct_launcher *launcher, struct ct_error *err)
{
    struct ct_lab_spec spec;
    CT_TRY(ct_campaign_lab_spec(&launcher->spec->launcher, &spec, err));
    CT_TRY(name_owner(launcher->folder, spec.owner, err));
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return ct_no_memory(err, "launcher");
    state->lock = -1;
    launcher->state = state;
    bool existed;
    enum ct_status status = enter_whole_lab(launcher, &spec, state, &existed, err);
    bool is_asked_for = launcher->spec->launcher.takes_lab; /* a lab that is up, by its name */
    if (status == CT_OK && !is_asked_for)
        ct_log_info(launcher->log, "lab '%s': %s", ct_lab_id(state->lab),
                    existed ? "exists already" : "built");
    if (status == CT_OK)
        note_replaced(launcher);
    if (status == CT_OK)
        status = warn_of_shared_cores(launcher, err);
    if (status != CT_OK)
        close_lab(launcher);
    return status;
}

static void host_name(const struct ct_launcher *launcher, uint32_t host, char text[CT_HOST_MAX])
{
    (void)launcher;
    ct_lab_host_name(host, text);
}

static enum ct_status make_command(struct ct_launcher *launcher, const struct ct_part *part,
                                   char *const *program, struct ct_argv *argv_p,
                                   struct ct_error *err)
{
    const struct state *state = launcher->state;
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    char *hosts = part->hosts ? ct_host_list(launcher, part->hosts, part->n_hosts, ",", "") : NULL;
    if (part->hosts && !hosts)
        return ct_no_memory(err, "command line");
    const struct ct_lab_launch launch = {.ranks_per_host = part->slots,
                                         .hosts = hosts,
                                         .mpi = (enum ct_mpi)setup->mpi,
                                         .mpiexec = setup->mpiexec,
                                         .program = program};
    char **argv;
    enum ct_status status = ct_lab_command(state->lab, &launch, NULL, &argv, err);
    free(hosts);
    if (status != CT_OK)
        return status;
    ct_argv_add_all(argv_p, argv);
    free(argv);
    return argv_p->failed ? ct_no_memory(err, "command line") : CT_OK;
}

/* ---- quiet ---- */

/* Wait for the last programs to leave; then end them. */
static enum ct_status empty_hosts(struct ct_launcher *launcher, struct ct_error *err)
{
    const struct state *state = launcher->state;
    double until_s = ct_clock_now_s() + leave_s;
    for (;;) {
        struct ct_lab_process *list = NULL;
        size_t n = 0;
        enum ct_status status = ct_lab_processes(state->lab, &list, &n, err);
        if (status == CT_OK && n > 0 && ct_clock_now_s() >= until_s)
            ct_log_warn(launcher->log, "%zu left-over processes, such as '%s', are killed", n,
                        list[0].name);
        free(list);
        if (status != CT_OK || n == 0)
            return status;
        if (ct_clock_now_s() >= until_s)
            return ct_lab_kill_all(state->lab, err);
        if (ct_process_wait(NULL, 0, ct_clock_now_s() + 0.02) == CT_EINTR)
            return ct_fail(err, CT_EINTR, "interrupted");
    }
}

struct busiest {
    double busy_frac;
    char what[100];
};

/* How busy a direction is; wholly, if something waits there. */
static void see_flow(struct busiest *busiest, double busy_frac, const struct ct_lab_flow *flow,
                     const char *from, const char *to)
{
    if (flow->backlog_bytes > 0)
        busy_frac = 1;
    if (busy_frac <= busiest->busy_frac)
        return;
    busiest->busy_frac = busy_frac;
    snprintf(busiest->what, sizeof busiest->what, "%s%s%s", from, to ? " to " : "", to ? to : "");
}

/* The busiest port or link, either direction, between two readings. */
static void find_busiest(const struct ct_lab *lab, const struct ct_lab_counters *before,
                         const struct ct_lab_counters *after, struct busiest *busiest_p)
{
    const struct ct_lab_plan *plan = ct_lab_plan_of(lab);
    *busiest_p = (struct busiest){0};
    for (size_t i = 0; i < after->n_ports; i++) {
        char host[24] = "host ";
        struct ct_lab_load load = ct_lab_load(lab, before, after, i);
        ct_lab_host_name((unsigned)i, host + strlen("host "));
        see_flow(busiest_p, load.tx_busy_frac, &load.delta.tx, host, NULL);
        see_flow(busiest_p, load.rx_busy_frac, &load.delta.rx, host, NULL);
    }
    for (size_t i = 0; i < after->n_links; i++)
        for (size_t end = 0; end < 2; end++) {
            struct ct_lab_link_load load = ct_lab_link_load(lab, before, after, i, end);
            see_flow(busiest_p, load.busy_frac, &load.delta,
                     plan->switch_name[plan->link[i].at[end]],
                     plan->switch_name[plan->link[i].at[!end]]);
        }
}

/* Over a short window; nothing may wait in a queue. */
static enum ct_status watch_ports(struct state *state, struct busiest *busiest_p,
                                  struct ct_error *err)
{
    struct ct_lab_counters before, after;
    CT_TRY(ct_lab_counters_read(state->lab, &before, err));
    if (ct_process_wait(
            NULL, 0, ct_clock_now_s() + ct_campaign_constant(CT_CAMPAIGN_QUIET_WINDOW)) == CT_EINTR)
        return ct_fail(err, CT_EINTR, "interrupted");
    CT_TRY(ct_lab_counters_read(state->lab, &after, err));
    find_busiest(state->lab, &before, &after, busiest_p);
    return CT_OK;
}

static enum ct_status settle_lab(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = launcher->state;
    enum ct_status status = empty_hosts(launcher, err);
    double until_s = ct_clock_now_s() + leave_s;
    while (status == CT_OK) {
        struct busiest busiest;
        status = watch_ports(state, &busiest, err);
        if (status == CT_OK && busiest.busy_frac <= ct_campaign_constant(CT_CAMPAIGN_QUIET))
            return CT_OK;
        if (status == CT_OK && ct_clock_now_s() >= until_s)
            status = ct_fail(err, CT_ETIMEOUT,
                             "the network is not quiet: %s uses %.1f%% of its link although "
                             "no program runs",
                             busiest.what, 100 * busiest.busy_frac);
    }
    return status;
}

/* ---- latency ---- */

static enum ct_status add_latency(struct ct_launcher *launcher, double latency_s,
                                  struct ct_error *err)
{
    struct state *state = launcher->state;
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    struct ct_lab_delay wanted = ct_lab_spec_of(state->lab).delay;
    double now_s = wanted.latency_s;
    wanted.latency_s = setup->latency_s + latency_s;
    return wanted.latency_s == now_s ? CT_OK : ct_lab_delay_set(state->lab, &wanted, err);
}

/* ---- load ---- */

static enum ct_status meter_start(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = launcher->state;
    CT_TRY(ct_lab_counters_read(state->lab, &state->before, err));
    if (ct_lab_delay_by(state->lab) == CT_LAB_DELAY_LINE)
        CT_TRY(ct_lab_late_read(state->lab, &state->late_before, err));
    return CT_OK;
}

/* A run whose packets were later than promised was made on another network than it says. */
static enum ct_status check_lateness(const struct ct_launcher *launcher, struct ct_error *err)
{
    const struct ct_lab_lateness *late = &((const struct state *)launcher->state)->lateness;
    const struct state *state = launcher->state;
    double median_bound_s, bound_s;
    ct_campaign_lateness_bounds(&launcher->spec->launcher,
                                ct_lab_spec_of(state->lab).delay.latency_s, &median_bound_s,
                                &bound_s);
    if (late->drops > 0)
        return ct_fail(err, CT_ETIMEOUT, "the delay line of the lab lost %llu packets",
                       (unsigned long long)late->drops);
    if (late->p99_s > bound_s || late->median_s > median_bound_s)
        return ct_fail(err, CT_ETIMEOUT,
                       "the delay line of the lab was too late: median %.1f us, 99 %% %.1f us; "
                       "allowed are %.1f and %.1f (launcher.lateness); other programs keep the "
                       "processors busy",
                       1e6 * late->median_s, 1e6 * late->p99_s, 1e6 * median_bound_s,
                       1e6 * bound_s);
    return CT_OK;
}

static enum ct_status read_lateness(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = launcher->state;
    struct ct_lab_late after;
    if (ct_lab_delay_by(state->lab) != CT_LAB_DELAY_LINE)
        return CT_OK;
    CT_TRY(ct_lab_late_read(state->lab, &after, err));
    state->lateness = ct_lab_lateness(&state->late_before, &after);
    return check_lateness(launcher, err);
}

static enum ct_status add_latency_facts(const struct ct_launcher *launcher,
                                        struct ct_run_info *info)
{
    const struct state *state = launcher->state;
    const struct ct_lab_delay delay = ct_lab_spec_of(state->lab).delay;
    const struct ct_lab_lateness *late = &state->lateness;
    enum ct_lab_delay_by by = ct_lab_delay_by(state->lab);
    const struct {
        const char *key;
        double value;
    } facts[] = {{"latency_added_s", delay.latency_s},
                 {"latency_jitter_s", delay.jitter_s},
                 {CT_RUN_ADDED_LATENCY,
                  1e-9 * round(1e9 * (delay.latency_s - launcher->spec->launcher.latency_s))},
                 {"latency_late_median_s", late->median_s},
                 {"latency_late_p99_s", late->p99_s},
                 {"latency_late_max_s", late->largest_s},
                 {"latency_packets", (double)late->packets},
                 {"latency_drops", (double)late->drops}};
    if (by == CT_LAB_DELAY_NONE)
        return CT_OK;
    enum ct_status status = ct_run_add_text(info, "latency_by", ct_lab_delay_names[by]);
    size_t n = by == CT_LAB_DELAY_LINE && late->packets > 0 ? sizeof facts / sizeof *facts : 3;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = ct_run_add_number(info, facts[i].key, facts[i].value);
    return status;
}

static enum ct_status add_topology(const struct state *state, struct ct_run_info *info)
{
    const struct ct_lab_spec spec = ct_lab_spec_of(state->lab);
    CT_TRY(ct_run_add_text(info, CT_RUN_TOPOLOGY, spec.topology));
    CT_TRY(ct_run_add_number(info, CT_RUN_NODE_RATE, spec.rate_bit_per_s));
    return ct_run_add_number(info, CT_RUN_UPLINK_RATE, spec.uplink_bit_per_s);
}

static enum ct_status add_like(const struct ct_lab_like *like, struct ct_run_info *info)
{
    if (like->dilation == 0)
        return CT_OK;
    CT_TRY(ct_run_add_text(info, CT_RUN_MACHINE, like->machine));
    CT_TRY(ct_run_add_number(info, CT_RUN_DILATION, like->dilation));
    CT_TRY(ct_run_add_number(info, "link_latency_s", like->link_latency_s));
    return ct_run_add_number(info, "overhead_s", like->overhead_s);
}

static enum ct_status meter_facts(struct ct_launcher *launcher, struct ct_run_info *info)
{
    const struct state *state = launcher->state;
    const struct ct_lab_spec spec = ct_lab_spec_of(state->lab);
    CT_TRY(ct_run_add_text(info, CT_RUN_QUEUE, ct_lab_queue_names[spec.queue]));
    CT_TRY(ct_run_add_number(info, CT_RUN_BURST, ct_lab_burst_bytes(spec.rate_bit_per_s)));
    CT_TRY(ct_run_add_text(info, CT_RUN_CONGESTION_CONTROL, ct_lab_congestion_control(state->lab)));
    CT_TRY(ct_run_add_number(info, CT_RUN_TCP_WINDOW, CT_LAB_TCP_WINDOW_PACKETS));
    if (state->after.n_links > 0)
        CT_TRY(add_topology(state, info));
    CT_TRY(add_like(&spec.like, info));
    return add_latency_facts(launcher, info);
}

static struct ct_load_flow load_flow(const struct ct_lab_flow *delta, double busy_frac)
{
    return (struct ct_load_flow){(double)delta->bytes, (double)delta->drops, busy_frac};
}

static void add_host(struct ct_network_load *load, const struct state *state, size_t port)
{
    char host[16];
    struct ct_lab_load seen = ct_lab_load(state->lab, &state->before, &state->after, port);
    const struct ct_load_flow tx = load_flow(&seen.delta.tx, seen.tx_busy_frac);
    const struct ct_load_flow rx = load_flow(&seen.delta.rx, seen.rx_busy_frac);
    ct_lab_host_name((unsigned)port, host);
    ct_network_load_add_host(load, host, &tx, &rx);
}

static void add_link(struct ct_network_load *load, const struct state *state, size_t i, size_t end)
{
    const struct ct_lab_plan *plan = ct_lab_plan_of(state->lab);
    const struct ct_lab_plan_link *link = &plan->link[i];
    struct ct_lab_link_load seen =
        ct_lab_link_load(state->lab, &state->before, &state->after, i, end);
    const struct ct_load_flow flow = load_flow(&seen.delta, seen.busy_frac);
    ct_network_load_add_link(load, plan->switch_name[link->at[end]],
                             plan->switch_name[link->at[!end]], &flow);
}

static enum ct_status write_load(const struct state *state, const char *path, struct ct_error *err)
{
    const struct ct_lab_counters *after = &state->after;
    struct ct_network_load *load = ct_network_load_new();
    if (!load)
        return ct_no_memory(err, "%s", path);
    for (size_t i = 0; i < after->n_ports; i++)
        add_host(load, state, i);
    for (size_t i = 0; i < 2 * after->n_links; i++)
        add_link(load, state, i / 2, i % 2);
    enum ct_status status = ct_network_load_write(load, after->time_s - state->before.time_s,
                                                  ct_lab_spec_of(state->lab).topology, path, err);
    ct_network_load_free(load);
    return status;
}

static enum ct_status meter_write(struct ct_launcher *launcher, const char *path,
                                  struct ct_error *err)
{
    struct state *state = launcher->state;
    CT_TRY(ct_lab_counters_read(state->lab, &state->after, err));
    CT_TRY(read_lateness(launcher, err));
    return write_load(state, path, err);
}

static enum ct_lab_traffic name_traffic(const struct ct_launcher *launcher)
{
    const struct state *state = launcher->state;
    return ct_lab_traffic(&state->before, &state->after);
}

const struct ct_launcher_row ct_launcher_lab = {.open = open_lab,
                                                .close = close_lab,
                                                .command = make_command,
                                                .host_name = host_name,
                                                .end_signal = SIGTERM,
                                                .settle = settle_lab,
                                                .check = check_lab,
                                                .add_latency = add_latency,
                                                .meter_start = meter_start,
                                                .meter_write = meter_write,
                                                .traffic = name_traffic,
                                                .meter_facts = meter_facts};
