#include "campaign/drive.h"

#include "campaign/adaptive.h"
#include "campaign/adaptive_co_runs.h"
#include "campaign/host_list.h"
#include "campaign/jobs.h"
#include "campaign/process.h"
#include "campaign/repeat.h"
#include "core/clock.h"
#include "study/seal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct driver {
    const struct ct_campaign_spec *spec;
    bool leaves_out_co_runs;
    struct ct_log *log;
    struct ct_folder folder;
    struct ct_plan plan;
    struct ct_launcher launcher;
    size_t n_jobs; /* runs at once */
    struct ct_jobs *jobs;
    struct ct_drive_result result;
    double expected_left_s;         /* of the runs that are not done */
    double expected_made_s, made_s; /* of the runs made now: what was expected, and what it was */
    bool is_grid_done;              /* no further configuration of an adaptive grid */
    bool is_picking_done;           /* nor a further co-run */
};

static enum ct_status note_end(struct driver *driver, struct ct_attempt *attempt,
                               enum ct_outcome outcome, const char *reason, struct ct_error *err)
{
    attempt->outcome = outcome;
    snprintf(attempt->reason, sizeof attempt->reason, "%s", reason);
    return ct_folder_note(&driver->folder, attempt, err);
}

/* Where the network is lost, that is why the attempt failed, and would fail again. */
static bool is_network_lost(const struct driver *driver, struct ct_error *why)
{
    const struct ct_launcher *launcher = &driver->launcher;
    struct ct_error lost;
    if (!launcher->row->check || launcher->row->check(launcher, &lost) == CT_OK)
        return false;
    *why = lost;
    return true;
}

/* Begin an attempt, with a line in the journal. An error is one for which no other run could be
 * begun either. */
static enum ct_status begin_attempt(struct driver *driver, const struct ct_plan_run *run,
                                    uint64_t number, struct ct_error *err)
{
    struct ct_attempt attempt = {.number = number};
    snprintf(attempt.id, sizeof attempt.id, "%s", run->id);
    ct_clock_utc(attempt.started_utc);
    enum ct_status status = ct_folder_reserve(&driver->folder, ct_jobs_n_open(driver->jobs), err);
    if (status == CT_OK)
        status = note_end(driver, &attempt, CT_OUTCOME_BEGUN, "", err);
    if (status == CT_OK)
        status = ct_jobs_begin(driver->jobs, run, &attempt, err);
    if (status != CT_OK)
        note_end(driver, &attempt, CT_OUTCOME_FAILED, err->text, NULL);
    return status;
}

static void show_progress(struct driver *driver, const struct ct_plan_run *run)
{
    const struct ct_drive_result *result = &driver->result;
    double pace = driver->expected_made_s > 0 ? driver->made_s / driver->expected_made_s : 1;
    ct_log_progress(driver->log, (double)(result->n_found + result->n_made + result->n_failed),
                    (double)result->n_runs, pace * driver->expected_left_s / (double)driver->n_jobs,
                    run->id);
}

static enum ct_status note_outcome(struct driver *driver, struct ct_job *job, struct ct_error *err)
{
    if (job->status == CT_OK) {
        driver->expected_made_s += job->run->expected_s;
        driver->made_s += job->attempt.duration_s;
        driver->expected_left_s -= job->run->expected_s;
        driver->result.n_made++;
        return note_end(driver, &job->attempt, CT_OUTCOME_DONE, "", err);
    }
    return note_end(driver, &job->attempt,
                    job->status == CT_EINTR ? CT_OUTCOME_INTERRUPTED : CT_OUTCOME_FAILED,
                    job->why.text, err);
}

/* After an attempt that failed. */
static enum ct_status try_again(struct driver *driver, const struct ct_job *job,
                                struct ct_error *err)
{
    uint64_t number = job->attempt.number, retries = driver->spec->retries;
    ct_log_progress_end(driver->log);
    if (number <= retries) {
        driver->result.n_retried++;
        ct_log_warn(driver->log, "%s: %s; trying again", job->run->id, job->why.text);
        return begin_attempt(driver, job->run, number + 1, err);
    }
    driver->result.n_failed++;
    driver->expected_left_s -= job->run->expected_s;
    ct_log_warn(driver->log, "%s: failed %llu times, given up: %s", job->run->id,
                (unsigned long long)retries + 1, job->why.text);
    return CT_OK;
}

/* Wait for the end of an attempt, and follow it up. An error is one that ends the campaign. */
static enum ct_status finish_one(struct driver *driver, struct ct_error *err)
{
    struct ct_job job;
    if (!ct_jobs_next(driver->jobs, &job))
        return CT_OK;
    bool fatal = job.status == CT_EINTR || job.status == CT_ENOMEM ||
                 (job.status != CT_OK && is_network_lost(driver, &job.why));
    enum ct_status status = note_outcome(driver, &job, err);
    if (fatal) { /* says more than that the journal could not be written */
        *err = job.why;
        return job.status;
    }
    return status == CT_OK && job.status != CT_OK ? try_again(driver, &job, err) : status;
}

/* The others that are under way; what has ended in the meantime is kept. */
static void abandon_attempts(struct driver *driver)
{
    struct ct_job job;
    ct_jobs_stop(driver->jobs);
    while (ct_jobs_next(driver->jobs, &job))
        note_outcome(driver, &job, NULL);
}

/* When there is room for it. */
static enum ct_status make_run(struct driver *driver, const struct ct_plan_run *run,
                               struct ct_error *err)
{
    enum ct_status status = CT_OK;
    while (ct_jobs_full(driver->jobs) && status == CT_OK)
        status = finish_one(driver, err);
    if (status != CT_OK)
        return status;
    show_progress(driver, run);
    return begin_attempt(driver, run, 1, err);
}

/* From the first one on; not the closing ones. */
static enum ct_status make_missing(struct driver *driver, size_t first, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    size_t end = driver->plan.n_runs - driver->plan.n_closing;
    for (size_t i = first; i < end && status == CT_OK; i++) {
        const struct ct_plan_run *run = &driver->plan.runs[i];
        if (ct_folder_find_run(driver->folder.path, driver->spec, run, NULL) != CT_OK)
            status = make_run(driver, run, err);
    }
    while (status == CT_OK && ct_jobs_n_open(driver->jobs) > 0)
        status = finish_one(driver, err);
    if (status != CT_OK)
        abandon_attempts(driver);
    ct_log_progress_end(driver->log);
    return status;
}

/* "interleaved: ", where there are several. */
static const char *describe_placement(const struct driver *driver, size_t placement, char text[32])
{
    const struct ct_campaign_spec *spec = driver->spec;
    text[0] = '\0';
    if (spec->n_placements > 1)
        snprintf(text, 32, "%s: ", ct_sides_names[spec->placements[placement].kind]);
    return text;
}

static void tell_choice(struct driver *driver, size_t placement, const struct ct_next_load *next)
{
    const struct ct_campaign_spec *spec = driver->spec;
    char placed[32];
    char name[CT_CONFIG_TEXT_MAX];
    if (next->reason == CT_NEXT_LOAD_DONE) {
        ct_log_info(driver->log, "picking ends: %s",
                    next->is_met ? "the resolution is reached"
                                 : "no candidate is left that is expected where one is needed");
        return;
    }
    ct_config_describe(&spec->configs[next->load].load, name);
    ct_log_info(driver->log, "%spicked %s, utilization about %.0f %%: %s (%.0f to %.0f %%)",
                describe_placement(driver, placement, placed), name, 100 * next->expected_frac,
                ct_next_load_reason_text(next->reason), 100 * next->from_frac, 100 * next->to_frac);
}

/* The next configuration of an adaptive grid. */
static enum ct_status add_next_load(struct driver *driver, struct ct_error *err)
{
    struct ct_next_load next;
    size_t placement;
    enum ct_status status =
        ct_adaptive_add_next(driver->spec, driver->folder.path, driver->folder.seed, &driver->plan,
                             &placement, &next, err);
    driver->is_grid_done =
        status == CT_ENODATA || (status == CT_OK && next.reason == CT_NEXT_LOAD_DONE);
    if (status == CT_OK)
        tell_choice(driver, placement, &next);
    if (status != CT_ENODATA)
        return status;
    ct_log_warn(driver->log, "no configuration is picked: %s", err->text);
    return CT_OK;
}

static void tell_co_run(struct driver *driver, size_t placement, const struct ct_next_co_run *next)
{
    const struct ct_campaign_app *apps = driver->spec->apps;
    char placed[32];
    if (next->is_found)
        ct_log_info(driver->log, "%spicked %s beside %s: of %zu open verdicts it decides most",
                    describe_placement(driver, placement, placed), apps[next->app].name,
                    apps[next->with].name, next->n_open);
    else if (next->n_open > 0)
        ct_log_info(driver->log, "picking of co-runs ends: %zu verdicts stay open", next->n_open);
    else
        ct_log_info(driver->log, "picking of co-runs ends: no verdict is open");
}

static enum ct_status add_next_co_run(struct driver *driver, struct ct_error *err)
{
    struct ct_next_co_run next = {.is_found = false};
    size_t placement = 0;
    enum ct_status status =
        ct_adaptive_add_co_run(driver->spec, driver->folder.path, driver->folder.seed,
                               &driver->plan, &placement, &next, err);
    driver->is_picking_done = !next.is_found;
    if (status == CT_OK)
        tell_co_run(driver, placement, &next);
    return status;
}

/* What an adaptive grid picks; the closing runs once that is nothing. */
static enum ct_status add_pick(struct driver *driver, struct ct_error *err)
{
    const struct ct_campaign_spec *spec = driver->spec;
    enum ct_status status = CT_OK;
    if (spec->grid_kind != CT_GRID_ADAPTIVE)
        return CT_OK;
    if (!spec->repetitions.picks_co_runs || driver->leaves_out_co_runs)
        driver->is_picking_done = true;
    if (!driver->is_grid_done)
        status = add_next_load(driver, err);
    if (status == CT_OK && driver->is_grid_done && !driver->is_picking_done)
        status = add_next_co_run(driver, err);
    if (driver->is_grid_done && driver->is_picking_done)
        driver->plan.n_closing = 0;
    return status;
}

/* Further repetitions of each sort that needs them; once none does, the next pick. */
static enum ct_status add_runs(struct driver *driver, struct ct_error *err)
{
    double before_s = driver->plan.expected_s;
    enum ct_status status = ct_repeat_add_needed(driver->spec, driver->folder.path,
                                                 driver->folder.seed, &driver->plan, err);
    if (status == CT_OK && driver->plan.n_runs == driver->result.n_runs)
        status = add_pick(driver, err);
    driver->result.n_runs = driver->plan.n_runs;
    driver->expected_left_s += driver->plan.expected_s - before_s;
    return status;
}

/* All runs, and then further ones, a round at a time so that those of a sort do not bunch. */
static enum ct_status make_all(struct driver *driver, struct ct_error *err)
{
    size_t n_tried = 0;
    enum ct_status status = CT_OK;
    while (status == CT_OK && n_tried < driver->plan.n_runs) {
        status = make_missing(driver, n_tried, err);
        n_tried = driver->plan.n_runs - driver->plan.n_closing;
        if (status == CT_OK)
            status = add_runs(driver, err);
    }
    return status;
}

/* A run whose file is there and not what was written is made again. Not where predictions have been
 * made from it: they would look as if they rested on a run that was made after them. */
static enum ct_status note_spoilt(struct driver *driver, const struct ct_plan_run *run,
                                  const char *reason, struct ct_error *err)
{
    char seal[NAME_MAX + 1];
    if (!ct_plan_is_co_run(run) && ct_seal_is_in(driver->folder.path, seal, sizeof seal))
        return ct_fail(
            err, CT_EEXIST,
            "%s; it is not made again, since the predictions in %s/%s were made from it: "
            "put the file back, or move them away",
            reason, driver->folder.path, seal);
    struct ct_attempt attempt = {.outcome = CT_OUTCOME_SPOILT};
    snprintf(attempt.id, sizeof attempt.id, "%s", run->id);
    ct_clock_utc(attempt.started_utc);
    ct_log_warn(driver->log, "%s; the run is made again", reason);
    return note_end(driver, &attempt, CT_OUTCOME_SPOILT, reason, err);
}

static enum ct_status count_found(struct driver *driver, struct ct_error *err)
{
    driver->result.n_runs = driver->plan.n_runs;
    for (size_t i = 0; i < driver->plan.n_runs; i++) {
        const struct ct_plan_run *run = &driver->plan.runs[i];
        struct ct_error why;
        enum ct_status found = ct_folder_find_run(driver->folder.path, driver->spec, run, &why);
        if (found == CT_OK)
            driver->result.n_found++;
        else
            driver->expected_left_s += run->expected_s;
        if (found != CT_OK && found != CT_ENOENT)
            CT_TRY(note_spoilt(driver, run, why.text, err));
    }
    return CT_OK;
}

static enum ct_status plan_runs(struct driver *driver, struct ct_error *err)
{
    const struct ct_campaign_spec *spec = driver->spec;
    uint64_t seed = driver->folder.seed;
    CT_TRY(ct_plan_make(spec, seed, &driver->plan, err));
    CT_TRY(ct_adaptive_add_found(spec, driver->folder.path, seed, &driver->plan, err));
    CT_TRY(ct_adaptive_add_co_runs_found(spec, driver->folder.path, seed, &driver->plan, err));
    CT_TRY(ct_repeat_add_found(spec, driver->folder.path, seed, &driver->plan, err));
    if (driver->leaves_out_co_runs)
        ct_plan_leave_out_co_runs(&driver->plan);
    CT_TRY(count_found(driver, err));
    if (driver->result.n_found > 0)
        ct_log_info(driver->log, "%s: %zu of %zu runs are there already", driver->folder.path,
                    driver->result.n_found, driver->result.n_runs);
    /* The launcher is opened only if there is something to make. */
    return driver->result.n_found < driver->result.n_runs ? CT_OK : add_runs(driver, err);
}

static enum ct_status note_placement(struct driver *driver, const struct ct_sides *sides,
                                     struct ct_error *err)
{
    char *hosts[2];
    for (size_t side = 0; side < 2; side++)
        hosts[side] = ct_host_list(&driver->launcher, sides->hosts[side], sides->n, " ", "");
    enum ct_status status =
        hosts[0] && hosts[1]
            ? ct_journal_placement(driver->folder.journal, driver->folder.path,
                                   ct_sides_names[sides->kind], hosts[0], hosts[1], err)
            : ct_no_memory(err, "placements");
    free(hosts[0]);
    free(hosts[1]);
    return status;
}

/* With the names that the launcher has for hosts. */
static enum ct_status note_placements(struct driver *driver, struct ct_error *err)
{
    for (size_t i = 0; i < driver->spec->n_placements; i++)
        CT_TRY(note_placement(driver, &driver->spec->placements[i], err));
    return CT_OK;
}

static enum ct_status make_with_launcher(struct driver *driver, struct ct_error *err)
{
    CT_TRY(note_placements(driver, err));
    driver->jobs =
        ct_jobs_new(driver->spec, &driver->launcher, driver->folder.path, driver->n_jobs);
    if (!driver->jobs)
        return ct_no_memory(err, "runs");
    if (driver->n_jobs > 1)
        ct_log_info(driver->log, "%zu runs at once", driver->n_jobs);
    enum ct_status status = make_all(driver, err);
    ct_jobs_free(driver->jobs);
    return status;
}

static enum ct_status drive_open(struct driver *driver, struct ct_error *err)
{
    enum ct_status status = plan_runs(driver, err);
    if (status == CT_OK && driver->result.n_found < driver->result.n_runs) {
        status = ct_launcher_open(driver->spec, driver->folder.path, driver->log, &driver->launcher,
                                  err);
        if (status == CT_OK) {
            status = make_with_launcher(driver, err);
            ct_launcher_close(&driver->launcher);
        }
    }
    ct_plan_free(&driver->plan);
    return status;
}

enum ct_status ct_drive(const char *path, struct ct_text file, const struct ct_campaign_spec *spec,
                        const struct ct_drive_options *options, struct ct_log *log,
                        struct ct_drive_result *result_p, struct ct_error *err)
{
    struct driver driver = {
        .spec = spec, .leaves_out_co_runs = options->leaves_out_co_runs, .log = log};
    ct_process_catch_signals();
    enum ct_status status = ct_jobs_number(spec, options->jobs, &driver.n_jobs, err);
    if (status == CT_OK)
        status = ct_folder_open(path, file, spec, &driver.folder, err);
    if (status == CT_OK) {
        if (driver.folder.lock_failure != 0)
            ct_log_warn(log,
                        "%s: its file system has no locks (%s): a second 'crosstalk campaign run' "
                        "in it is not kept out, and would spoil both",
                        path, strerror(driver.folder.lock_failure));
        for (size_t i = 0; i < driver.folder.cut_off.n; i++)
            ct_log_warn(log, "%s: %s", driver.folder.cut_off.item[i], ct_outcome_cut_off);
        status = drive_open(&driver, err);
        ct_folder_close(&driver.folder);
    }
    *result_p = driver.result;
    return status;
}
