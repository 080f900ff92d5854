#include "campaign/jobs.h"

#include "campaign/attempt.h"
#include "campaign/process.h"
#include "core/clock.h"
#include "core/parallel.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

/* A copy of this process that is asked to end gives its programs five seconds. */
static const double stop_grace_s = 15;

/* Result of an attempt that a copy of this process makes, in memory that both share. */
struct outcome {
    bool is_told;
    enum ct_status status;
    struct ct_error why;
};

struct slot {
    struct ct_jobs *jobs; /* of which it is one */
    bool is_open;
    struct ct_job job;
    double start_s;
    struct ct_process process;
    struct outcome *outcome;
};

struct ct_jobs {
    const struct ct_campaign_spec *spec;
    struct ct_launcher *launcher;
    const char *folder;
    bool is_stopped;
    size_t n, n_open;
    struct outcome *outcomes; /* [n], shared */
    struct slot slots[];      /* [n] */
};

enum ct_status ct_jobs_number(const struct ct_campaign_spec *spec, uint64_t asked, size_t *n_p,
                              struct ct_error *err)
{
    bool is_simulated = ct_launcher_row(spec)->is_simulated;
    uint64_t n = asked > 0 ? asked : spec->launcher.jobs;
    if (n == 0)
        n = is_simulated ? ct_parallel_processors() : 1;
    if (n > 1 && !is_simulated)
        return ct_fail(err, CT_EINVAL,
                       "jobs: %llu: only simulations can be made at once; other runs would share "
                       "the network that they measure",
                       (unsigned long long)n);
    *n_p = n < CT_PROCESSES_MAX ? (size_t)n : CT_PROCESSES_MAX;
    return CT_OK;
}

struct ct_jobs *ct_jobs_new(const struct ct_campaign_spec *spec, struct ct_launcher *launcher,
                            const char *folder, size_t n)
{
    struct ct_jobs *jobs = calloc(1, sizeof *jobs + n * sizeof *jobs->slots);
    if (!jobs)
        return NULL;
    jobs->spec = spec;
    jobs->launcher = launcher;
    jobs->folder = folder;
    jobs->n = n;
    void *shared = mmap(NULL, n * sizeof *jobs->outcomes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        free(jobs);
        return NULL;
    }
    jobs->outcomes = shared;
    for (size_t i = 0; i < n; i++) {
        jobs->slots[i].jobs = jobs;
        jobs->slots[i].outcome = &jobs->outcomes[i];
    }
    return jobs;
}

static bool is_here(const struct ct_jobs *jobs)
{
    return jobs->n == 1;
}

void ct_jobs_free(struct ct_jobs *jobs)
{
    if (!jobs)
        return;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->slots[i].is_open && !is_here(jobs))
            ct_process_kill(&jobs->slots[i].process);
    munmap(jobs->outcomes, jobs->n * sizeof *jobs->outcomes);
    free(jobs);
}

size_t ct_jobs_n_open(const struct ct_jobs *jobs)
{
    return jobs->n_open;
}

bool ct_jobs_full(const struct ct_jobs *jobs)
{
    return jobs->n_open == jobs->n;
}

/* ---- one attempt ---- */

static void make_slot(struct slot *slot)
{
    struct outcome *outcome = slot->outcome;
    outcome->status = ct_attempt_make(slot->jobs->spec, slot->jobs->launcher, slot->jobs->folder,
                                      slot->job.run, &outcome->why);
    outcome->is_told = true;
}

static int make_in_copy(void *slot)
{
    make_slot(slot);
    return 0;
}

enum ct_status ct_jobs_begin(struct ct_jobs *jobs, const struct ct_plan_run *run,
                             const struct ct_attempt *attempt, struct ct_error *err)
{
    struct slot *slot = jobs->slots;
    while (slot->is_open)
        slot++;
    slot->job = (struct ct_job){.run = run, .attempt = *attempt};
    slot->start_s = ct_clock_now_s();
    slot->outcome->is_told = false;
    enum ct_status status =
        is_here(jobs) ? CT_OK : ct_process_fork(make_in_copy, slot, &slot->process, err);
    slot->is_open = status == CT_OK;
    jobs->n_open += slot->is_open;
    return status;
}

/* Of an attempt that has ended. */
static void take_job(struct slot *slot, struct ct_job *job_p)
{
    struct ct_job *job = &slot->job;
    job->attempt.duration_s = ct_clock_now_s() - slot->start_s;
    if (slot->outcome->is_told) {
        job->status = slot->outcome->status;
        job->why = slot->outcome->why;
    } else {
        job->status =
            ct_fail(&job->why, slot->jobs->is_stopped ? CT_EINTR : CT_ECHILD,
                    "the process that made the run ended with exit code %d", slot->process.code);
    }
    *job_p = *job;
    slot->is_open = false;
    slot->jobs->n_open--;
}

/* ---- all ---- */

void ct_jobs_stop(struct ct_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n && !jobs->is_stopped; i++)
        if (jobs->slots[i].is_open && !is_here(jobs))
            kill(jobs->slots[i].process.pid, SIGTERM);
    jobs->is_stopped = true;
}

static struct slot *find_ended(struct ct_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->slots[i].is_open && jobs->slots[i].process.ended)
            return &jobs->slots[i];
    return NULL;
}

/* Wait until one has ended; after ct_jobs_stop() each of them does, in turn. */
static void wait_for_one(struct ct_jobs *jobs)
{
    struct ct_process *processes[CT_PROCESSES_MAX] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->slots[i].is_open)
            processes[n++] = &jobs->slots[i].process;
    if (!jobs->is_stopped && ct_process_wait(processes, n, INFINITY) == CT_EINTR)
        ct_jobs_stop(jobs);
    if (jobs->is_stopped && n > 0)
        ct_process_end(processes[0], SIGTERM, stop_grace_s);
}

bool ct_jobs_next(struct ct_jobs *jobs, struct ct_job *job_p)
{
    if (jobs->n_open == 0)
        return false;
    struct slot *slot = jobs->slots;
    if (is_here(jobs))
        make_slot(slot);
    else
        while (!(slot = find_ended(jobs)))
            wait_for_one(jobs);
    take_job(slot, job_p);
    return true;
}
