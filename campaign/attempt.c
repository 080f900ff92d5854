#include "campaign/attempt.h"

#include "campaign/commands.h"
#include "campaign/host_list.h"
#include "campaign/network_load.h"
#include "campaign/passes.h"
#include "campaign/process.h"
#include "campaign/traces.h"
#include "campaign/waits.h"
#include "study/pass_traces.h"
#include "study/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program that has been asked to end finishes its pass first. */
static const double grace_s = 5;

/* A program of the run. */
struct member {
    const char *role; /* "background", "measured", for messages */
    const char *name; /* the same in names of files and facts */
    bool restarts;    /* is started again when it ends: a pass */
    struct ct_argv argv;
    char log[PATH_MAX];
    struct ct_process process;
    bool started;
    size_t n_starts;
};

struct attempt {
    const struct ct_campaign_spec *spec;
    const struct ct_plan_run *run;
    struct ct_launcher *launcher;
    struct member backgrounds[CT_GROUP_OTHERS_MAX], measured;
    size_t n_backgrounds;
    char partial[PATH_MAX], partial_ports[PATH_MAX], partial_sent[PATH_MAX];
    char file[PATH_MAX], ports[PATH_MAX], sent[PATH_MAX];
    char waits[PATH_MAX]; /* folder: see campaign/waits.h */
    struct ct_passes_list passes;
    double limit_s; /* duration */
    double until_s; /* ct_clock_now_s() at which it is over */
};

static const struct {
    const char *role, *name, *log;
} background_names[CT_GROUP_OTHERS_MAX] = {
    {"background", "background", ".background.log"},
    {"second background", "background2", ".background2.log"},
    {"third background", "background3", ".background3.log"},
    {"fourth background", "background4", ".background4.log"}};

/*
 * Time after which an attempt is ended: deadline_factor times the expected time, and the time for
 * starting; seconds.
 */
static double limit_of(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    return spec->durations.deadline_factor * run->expected_s + spec->durations.start_s;
}

/* ---- members ---- */

static enum ct_status start_member(struct member *member, struct ct_error *err)
{
    enum ct_status status = ct_process_start(member->argv.item, member->log, &member->process, err);
    member->started = status == CT_OK;
    member->n_starts += member->started;
    if (status != CT_OK)
        ct_fail_within(err, status, "%s program", member->role);
    return status;
}

/* False: it did not end within the time it was given, and was killed. */
static bool end_member(const struct attempt *attempt, struct member *member, double limit_s)
{
    return !member->started ||
           ct_process_end(&member->process, attempt->launcher->row->end_signal, limit_s);
}

static enum ct_status fail_ended(const struct member *member, struct ct_error *err)
{
    char tail[300];
    int code = member->process.code;
    /* Of a program that was killed, or one that says so of another, like shells and launchers. */
    const char *signal = code > 128 ? sigabbrev_np(code - 128) : NULL;
    ct_process_tail(member->log, tail, sizeof tail);
    return ct_fail(err, CT_ECHILD, "%s program ended with exit code %d%s%s%s%s%s", member->role,
                   code, signal ? ", 128 + SIG" : "", signal ? signal : "",
                   member->restarts || code ? "" : " before the measurement did",
                   *tail ? ": " : "; it printed nothing", tail);
}

static enum ct_status fail_late(const struct attempt *attempt, struct ct_error *err)
{
    char tail[300];
    ct_process_tail(attempt->measured.log, tail, sizeof tail);
    return ct_fail(err, CT_ETIMEOUT, "not done after %.0f s, the deadline%s%s", attempt->limit_s,
                   *tail ? ": " : "", tail);
}

/* A program of the background that hangs may have hung all the time. */
static enum ct_status end_background(struct attempt *attempt, size_t index, struct ct_error *err)
{
    const struct ct_campaign_spec *spec = attempt->spec;
    bool is_app = ct_plan_n_others(spec, attempt->run) > 0;
    double pass_s = is_app ? spec->apps[ct_plan_other(spec, attempt->run, index)].pass_s : 0;
    double limit_s = grace_s + spec->durations.deadline_factor * pass_s;
    if (end_member(attempt, &attempt->backgrounds[index], limit_s))
        return CT_OK;
    return ct_fail(
        err, CT_ETIMEOUT, "%s program does not end within %.0f s after SIG%s, as if it hung%s",
        attempt->backgrounds[index].role, limit_s, sigabbrev_np(attempt->launcher->row->end_signal),
        is_app ? "; if its passes take so long, give 'pass'" : "");
}

/* In the order in which they started, each asked when the one before has ended: what is left of
   the load then does not matter any more. */
static enum ct_status end_backgrounds(struct attempt *attempt, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < attempt->n_backgrounds; i++) {
        if (status == CT_OK)
            status = end_background(attempt, i, err);
        else if (attempt->backgrounds[i].started)
            ct_process_kill(&attempt->backgrounds[i].process);
    }
    return status;
}

/* Start those of the background again that have ended, if that is how they loop. */
static enum ct_status revive_lab(struct attempt *attempt, struct ct_error *err)
{
    for (size_t i = 0; i < attempt->n_backgrounds; i++) {
        struct member *background = &attempt->backgrounds[i];
        if (!background->started || !background->process.ended)
            continue;
        if (!background->restarts || background->process.code != 0)
            return fail_ended(background, err);
        CT_TRY(start_member(background, err));
    }
    return CT_OK;
}

/* ---- phases ---- */

/* When the measured program begins, after the background. */
static double start_s(const struct attempt *attempt)
{
    return attempt->n_backgrounds > 0 ? attempt->spec->durations.settle_s +
                                            ct_plan_phase(attempt->spec, attempt->run).later_s
                                      : 0;
}

/* Wait for one of the members to end, or for until_s. */
static enum ct_status wait_members(struct attempt *attempt, double until_s, struct ct_error *err)
{
    struct ct_process *processes[CT_GROUP_OTHERS_MAX + 1];
    size_t n = 0;
    for (size_t i = 0; i < attempt->n_backgrounds; i++)
        if (attempt->backgrounds[i].started)
            processes[n++] = &attempt->backgrounds[i].process;
    if (attempt->measured.started)
        processes[n++] = &attempt->measured.process;
    enum ct_status status = ct_process_wait(processes, n, until_s);
    return status == CT_EINTR ? ct_fail(err, status, "interrupted") : status;
}

static enum ct_status start_background(struct attempt *attempt, struct ct_error *err)
{
    if (attempt->n_backgrounds == 0 || attempt->launcher->row->together)
        return CT_OK;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < attempt->n_backgrounds && status == CT_OK; i++)
        status = start_member(&attempt->backgrounds[i], err);
    double until_s = ct_clock_now_s() + start_s(attempt);
    while (status == CT_OK) {
        status = wait_members(attempt, until_s, err);
        if (status == CT_ETIMEOUT)
            return CT_OK;
        if (status == CT_OK)
            status = revive_lab(attempt, err);
    }
    return status;
}

/* The measured program has ended. For one that restarts that was a pass. */
static enum ct_status take_end(struct attempt *attempt, bool *done_p, struct ct_error *err)
{
    struct member *measured = &attempt->measured;
    const struct ct_process *process = &measured->process;
    if (process->code != 0)
        return fail_ended(measured, err);
    *done_p = true;
    if (!measured->restarts)
        return CT_OK;
    enum ct_status status = ct_passes_add(&attempt->passes, process->start_s, process->end_s, err);
    *done_p = process->end_s - attempt->passes.first_start_s >= attempt->spec->durations.runtime_s;
    return status == CT_OK && !*done_p ? start_member(measured, err) : status;
}

static enum ct_status measure_network(struct attempt *attempt, struct ct_error *err)
{
    bool done = false;
    ct_clock_utc(attempt->passes.started_utc);
    enum ct_status status = start_member(&attempt->measured, err);
    while (status == CT_OK && !done) {
        status = wait_members(attempt, attempt->until_s, err);
        if (status == CT_ETIMEOUT)
            return fail_late(attempt, err);
        if (status == CT_OK && attempt->measured.process.ended)
            status = take_end(attempt, &done, err);
        if (status == CT_OK && !done)
            status = revive_lab(attempt, err);
    }
    return status;
}

static enum ct_status run_phases(struct attempt *attempt, struct ct_error *err)
{
    const struct ct_launcher_row *row = attempt->launcher->row;
    enum ct_status status = CT_OK;
    if (row->settle)
        status = row->settle(attempt->launcher, err);
    attempt->until_s = ct_clock_now_s() + attempt->limit_s;
    if (status == CT_OK)
        status = start_background(attempt, err);
    if (status == CT_OK && row->meter_start)
        status = row->meter_start(attempt->launcher, err);
    if (status == CT_OK)
        status = measure_network(attempt, err);
    if (status == CT_OK && row->meter_write)
        status = row->meter_write(attempt->launcher, attempt->partial_ports, err);
    if (status == CT_OK)
        return end_backgrounds(attempt, err);
    for (size_t i = 0; i < attempt->n_backgrounds; i++)
        if (attempt->backgrounds[i].started)
            ct_process_kill(&attempt->backgrounds[i].process);
    end_member(attempt, &attempt->measured, grace_s);
    return status;
}

/* ---- files ---- */

static enum ct_status move_file(const char *from, const char *to, struct ct_error *err)
{
    if (rename(from, to) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be renamed to %s: %s", from, to, strerror(errno));
    return CT_OK;
}

/* All that a traced run brings is in one folder. */
static enum ct_status keep_traces(const struct attempt *attempt, struct ct_error *err)
{
    CT_TRY(ct_traces_check(attempt->partial, err));
    return ct_traces_keep(attempt->partial, attempt->file, err);
}

/* The hosts of one side, as a fact. */
static enum ct_status add_hosts(const struct attempt *attempt, const char *key,
                                const struct ct_part *part, struct ct_run_info *info)
{
    char *list = ct_host_list(attempt->launcher, part->hosts, part->n_hosts, " ", "");
    enum ct_status status = list ? ct_run_add_text(info, key, list) : CT_ENOMEM;
    free(list);
    return status;
}

static enum ct_status add_placement(const struct attempt *attempt, struct ct_run_info *info)
{
    const struct ct_part measured = ct_part_measured(attempt->spec, attempt->run);
    enum ct_status status =
        ct_run_add_text(info, CT_RUN_PLACEMENT, ct_plan_placement(attempt->spec, attempt->run));
    if (status == CT_OK)
        status = add_hosts(attempt, CT_RUN_PLACEMENT_HOSTS, &measured, info);
    if (status != CT_OK || attempt->n_backgrounds == 0)
        return status;
    const struct ct_part background = ct_part_background(attempt->spec, attempt->run, 0);
    return add_hosts(attempt, CT_RUN_PLACEMENT_WITH, &background, info);
}

/* Which hosts the programs had, in a file of the run. Programs do not know of each other's. Without
 * placements all of them have the same, the first ones. */
static enum ct_status keep_placement(const struct attempt *attempt, const char *path,
                                     struct ct_error *err)
{
    struct ct_run run;
    bool is_placed = ct_plan_sides(attempt->spec, attempt->run);
    if (!is_placed && attempt->n_backgrounds == 0)
        return CT_OK;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status =
        is_placed ? add_placement(attempt, &run.info)
                  : ct_run_add_text(&run.info, CT_RUN_SHARED, ct_shared_key(CT_SHARED_HOSTS));
    if (status == CT_OK && ct_plan_is_co_run(attempt->run) && !attempt->spec->has_fixed_phases)
        status = ct_run_add_number(&run.info, CT_RUN_PHASE,
                                   ct_plan_phase(attempt->spec, attempt->run).pass_frac);
    status = status == CT_OK ? ct_run_write(path, &run, err) : ct_no_memory(err, "%s", path);
    ct_run_free(&run);
    return status;
}

/* A run on several hosts that sent messages, by its own records. */
static bool has_sent(const struct ct_run_info *info)
{
    return ct_run_count_hosts(info) > 1 &&
           (info->kind != CT_RUN_RUNTIME || ct_run_number(info, CT_RUN_MESSAGES) > 0);
}

static enum ct_status check_traffic(const struct attempt *attempt, const struct ct_run_info *info,
                                    struct ct_error *err)
{
    const struct ct_launcher *launcher = attempt->launcher;
    const struct ct_part part = ct_part_measured(attempt->spec, attempt->run);
    bool is_of_several = !part.hosts || part.n_hosts > 1;
    if (!launcher->row->traffic)
        return CT_OK;
    enum ct_lab_traffic traffic = launcher->row->traffic(launcher);
    if (is_of_several && traffic == CT_LAB_TRAFFIC_CONNECTIONS)
        ct_log_warn(launcher->log,
                    "%s: hardly more than connections take passed the network: if the program "
                    "sends messages between hosts, they went another way; see that its command "
                    "does not set UCX_NET_DEVICES or the like",
                    attempt->run->id);
    if (traffic != CT_LAB_TRAFFIC_NONE)
        return CT_OK;
    if (has_sent(info))
        return ct_fail(err, CT_EINVAL,
                       "the program sent messages between %zu hosts, and none passed the network: "
                       "every port counted 0 bytes, so it measured another way, such as shared "
                       "memory; see that it does not set UCX_TLS, UCX_NET_DEVICES or the like",
                       ct_run_count_hosts(info));
    if (is_of_several)
        ct_log_warn(launcher->log, "%s: nothing passed the network: every port counted 0 bytes",
                    attempt->run->id);
    return CT_OK;
}

/* What the launcher knows of the network of this run. */
static enum ct_status keep_facts(const struct attempt *attempt, struct ct_error *err)
{
    const struct ct_launcher_row *row = attempt->launcher->row;
    struct ct_run run;
    if (!row->meter_facts)
        return CT_OK;
    CT_TRY(ct_run_read(attempt->partial, &run, err));
    size_t n_before = run.info.n_facts;
    enum ct_status status = check_traffic(attempt, &run.info, err);
    if (status == CT_OK && row->meter_facts(attempt->launcher, &run.info) != CT_OK)
        status = ct_no_memory(err, "%s", attempt->partial);
    if (status == CT_OK && row->meter_write)
        status = ct_network_load_add_facts(attempt->partial_ports, &run.info, err);
    if (status == CT_OK && run.info.n_facts > n_before)
        status = ct_run_write(attempt->partial, &run, err);
    ct_run_free(&run);
    return status;
}

static enum ct_status keep_waits(const struct attempt *attempt, struct ct_error *err)
{
    struct ct_waits_program programs[1 + CT_GROUP_OTHERS_MAX] = {
        {attempt->measured.name, attempt->measured.n_starts, !attempt->measured.restarts}};
    size_t n = 1;
    for (size_t i = 0; i < attempt->n_backgrounds; i++)
        programs[n++] = (struct ct_waits_program){attempt->backgrounds[i].name,
                                                  attempt->backgrounds[i].n_starts, false};
    enum ct_status status = ct_waits_keep(attempt->waits, programs, n, attempt->partial, err);
    ct_traces_remove(attempt->waits);
    return status;
}

/* The run file comes last: where it is, all of the run is. */
static enum ct_status keep_files(struct attempt *attempt, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (attempt->run->measure == CT_PLAN_TRACE)
        return keep_traces(attempt, err);
    if (attempt->measured.restarts)
        status = ct_passes_write(&attempt->passes, attempt->partial, attempt->spec, attempt->run,
                                 &attempt->measured.argv, err);
    if (status == CT_OK)
        status = keep_placement(attempt, attempt->partial, err);
    if (status == CT_OK)
        status = ct_folder_check_run(attempt->partial, attempt->spec, attempt->run, err);
    if (status == CT_OK)
        status = keep_facts(attempt, err);
    if (status == CT_OK && !attempt->launcher->row->together) /* nothing was watched there */
        status = keep_waits(attempt, err);
    if (status == CT_OK && attempt->launcher->row->meter_write)
        status = move_file(attempt->partial_ports, attempt->ports, err);
    /* There is none where the load was ended before it began. */
    bool has_sent = access(attempt->partial_sent, F_OK) == 0;
    if (status == CT_OK && has_sent)
        status = keep_placement(attempt, attempt->partial_sent, err);
    if (status == CT_OK && has_sent)
        status = move_file(attempt->partial_sent, attempt->sent, err);
    if (status == CT_OK)
        status = move_file(attempt->partial, attempt->file, err);
    return status;
}

static enum ct_status name_files(struct attempt *attempt, const char *folder, struct ct_error *err)
{
    const struct {
        char *name;
        const char *below, *ending;
    } names[] = {{attempt->partial, "runs/.partial/", ".h5"},
                 {attempt->partial_ports, "runs/.partial/", ".ports.json"},
                 {attempt->partial_sent, "runs/.partial/", CT_FOLDER_SENT_ENDING},
                 {attempt->file, "runs/", ".h5"},
                 {attempt->sent, "runs/", CT_FOLDER_SENT_ENDING},
                 {attempt->ports, "runs/", ".ports.json"},
                 {attempt->waits, "runs/.partial/", ".waits"},
                 {attempt->measured.log, "logs/", ".measured.log"}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == CT_OK; i++)
        status = ct_folder_name(folder, names[i].below, attempt->run->id, names[i].ending,
                                names[i].name, err);
    for (size_t i = 0; i < attempt->n_backgrounds && status == CT_OK; i++)
        status = ct_folder_name(folder, "logs/", attempt->run->id, background_names[i].log,
                                attempt->backgrounds[i].log, err);
    if (status != CT_OK || attempt->run->measure != CT_PLAN_TRACE)
        return status;
    const char *app = attempt->spec->apps[attempt->run->app].name;
    char longer[CT_PASSES_ENDING_MAX] = "";
    if (attempt->run->is_longer)
        ct_passes_ending(attempt->spec->apps[attempt->run->app].longer_by, longer);
    status = ct_folder_name(folder, "runs/.partial/", attempt->run->id, "", attempt->partial, err);
    if (status == CT_OK)
        status = ct_folder_name(folder, "runs/.partial/", attempt->run->id, "/ports.json",
                                attempt->partial_ports, err);
    return status == CT_OK ? ct_folder_name(folder, "traces/", app, longer, attempt->file, err)
                           : status;
}

/* What an attempt before this one left. */
static void clear_files(const struct attempt *attempt)
{
    for (size_t i = 0; i < attempt->n_backgrounds; i++)
        unlink(attempt->backgrounds[i].log);
    ct_traces_remove(attempt->partial);
    ct_traces_remove(attempt->waits);
    unlink(attempt->partial);
    unlink(attempt->partial_ports);
    unlink(attempt->ports);
    unlink(attempt->partial_sent);
    unlink(attempt->sent);
    unlink(attempt->measured.log);
}

/* ---- the attempt ---- */

/* The launcher's command, under the tracer. */
static enum ct_status wrap_measured(struct attempt *attempt, struct ct_error *err)
{
    struct ct_argv traced = {0};
    ct_traces_command(attempt->partial, attempt->measured.argv.item, &traced);
    ct_argv_free(&attempt->measured.argv);
    attempt->measured.argv = traced;
    return traced.failed ? ct_no_memory(err, "command line") : CT_OK;
}

/* What a traced run brings is no measurement. */
static enum ct_status watch_member(const struct attempt *attempt, const struct member *member,
                                   struct ct_argv *program, struct ct_error *err)
{
    if (attempt->run->measure == CT_PLAN_TRACE)
        return CT_OK;
    if (mkdir(attempt->waits, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "%s: %s", attempt->waits, strerror(errno));
    enum ct_status status = ct_waits_command(attempt->waits, member->name, program, err);
    return status == CT_ENOENT ? CT_OK : status; /* the run says that nothing was watched */
}

static enum ct_status prepare_measured(struct attempt *attempt, struct ct_error *err)
{
    const struct ct_part part = ct_part_measured(attempt->spec, attempt->run);
    struct ct_argv program = {0};
    enum ct_status status =
        ct_command_measured(attempt->spec, attempt->run, attempt->partial, &program, err);
    if (status == CT_OK)
        status = watch_member(attempt, &attempt->measured, &program, err);
    if (status == CT_OK)
        status = attempt->launcher->row->command(attempt->launcher, &part, program.item,
                                                 &attempt->measured.argv, err);
    ct_argv_free(&program);
    return status == CT_OK && attempt->run->measure == CT_PLAN_TRACE ? wrap_measured(attempt, err)
                                                                     : status;
}

static enum ct_status prepare_background(struct attempt *attempt, size_t index,
                                         struct ct_error *err)
{
    const struct ct_campaign_spec *spec = attempt->spec;
    const struct ct_plan_run *run = attempt->run;
    const struct ct_part part = ct_part_background(spec, run, index);
    struct ct_argv program = {0};
    enum ct_status status = ct_command_background(spec, run, index, attempt->partial_sent,
                                                  attempt->limit_s + grace_s, &program, err);
    if (status == CT_OK)
        status = watch_member(attempt, &attempt->backgrounds[index], &program, err);
    if (status == CT_OK)
        status = attempt->launcher->row->command(attempt->launcher, &part, program.item,
                                                 &attempt->backgrounds[index].argv, err);
    ct_argv_free(&program);
    return status;
}

static enum ct_status set_latency(const struct attempt *attempt, struct ct_error *err)
{
    const struct ct_launcher_row *row = attempt->launcher->row;
    if (!row->add_latency || attempt->spec->n_latencies == 0)
        return CT_OK;
    return row->add_latency(attempt->launcher, attempt->run->latency_s, err);
}

/* All programs by one command, which is then the measured program's. */
static enum ct_status prepare_together(struct attempt *attempt, struct ct_error *err)
{
    const struct ct_campaign_spec *spec = attempt->spec;
    const struct ct_plan_run *run = attempt->run;
    struct ct_program programs[1 + CT_GROUP_OTHERS_MAX] = {
        {.part = ct_part_measured(spec, run),
         .trace = run->measure == CT_PLAN_TRACE ? attempt->partial : NULL,
         .start_s = start_s(attempt)}};
    struct ct_argv words[1 + CT_GROUP_OTHERS_MAX] = {{0}};
    size_t n = 1 + attempt->n_backgrounds;
    enum ct_status status = ct_command_measured(spec, run, attempt->partial, &words[0], err);
    for (size_t i = 1; i < n && status == CT_OK; i++) {
        programs[i].part = ct_part_background(spec, run, i - 1);
        status = ct_command_background(spec, run, i - 1, attempt->partial_sent,
                                       attempt->limit_s + grace_s, &words[i], err);
    }
    for (size_t i = 0; i < n; i++)
        programs[i].argv = words[i].item;
    if (status == CT_OK)
        status = attempt->launcher->row->together(
            attempt->launcher, programs, n, attempt->partial_ports, &attempt->measured.argv, err);
    for (size_t i = 0; i < n; i++)
        ct_argv_free(&words[i]);
    return status;
}

static enum ct_status prepare_attempt(struct attempt *attempt, struct ct_error *err)
{
    if (attempt->launcher->row->together)
        return prepare_together(attempt, err);
    CT_TRY(prepare_measured(attempt, err));
    for (size_t i = 0; i < attempt->n_backgrounds; i++)
        CT_TRY(prepare_background(attempt, i, err));
    return CT_OK;
}

static void name_members(struct attempt *attempt)
{
    const struct ct_campaign_spec *spec = attempt->spec;
    const struct ct_plan_run *run = attempt->run;
    bool others = ct_plan_n_others(spec, run) > 0;
    attempt->n_backgrounds = ct_command_n_backgrounds(spec, run);
    for (size_t i = 0; i < attempt->n_backgrounds; i++) {
        attempt->backgrounds[i].role = background_names[i].role;
        attempt->backgrounds[i].name = background_names[i].name;
        attempt->backgrounds[i].restarts =
            others && spec->apps[ct_plan_other(spec, run, i)].passes == CT_PASSES_DRIVER;
    }
    attempt->measured.role = "measured";
    attempt->measured.name = "measured";
    attempt->measured.restarts =
        run->measure == CT_PLAN_APP && spec->apps[run->app].passes == CT_PASSES_DRIVER;
}

enum ct_status ct_attempt_make(const struct ct_campaign_spec *spec, struct ct_launcher *launcher,
                               const char *folder, const struct ct_plan_run *run,
                               struct ct_error *err)
{
    struct attempt attempt = {
        .spec = spec, .run = run, .launcher = launcher, .limit_s = limit_of(spec, run)};
    name_members(&attempt);
    enum ct_status status = name_files(&attempt, folder, err);
    if (status == CT_OK) {
        clear_files(&attempt);
        status = set_latency(&attempt, err);
    }
    if (status == CT_OK)
        status = prepare_attempt(&attempt, err);
    if (status == CT_OK)
        status = run_phases(&attempt, err);
    if (status == CT_OK)
        status = keep_files(&attempt, err);
    ct_passes_free(&attempt.passes);
    for (size_t i = 0; i < attempt.n_backgrounds; i++)
        ct_argv_free(&attempt.backgrounds[i].argv);
    ct_argv_free(&attempt.measured.argv);
    return status;
}
