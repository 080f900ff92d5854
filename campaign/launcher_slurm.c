/*
 * Programs as steps of the Slurm allocation that this process is in.
 *
 * The steps overlap, so that a program in the background leaves the measured one its share of the
 * nodes; who gets which cores is said by campaign/placement.h. All steps of a campaign have a name
 * of their own, by which left-overs are found.
 */
#include "campaign/ask.h"
#include "campaign/binding.h"
#include "campaign/host_list.h"
#include "campaign/process.h"
#include "core/units.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STEP_PREFIX "crosstalk-"

/* How long the controller may take to answer, and how often it is asked at most. */
static const double answer_limit_s = 60, ask_again_s = 0.25;
/* Time for steps to leave by themselves, and after they have been killed. */
static const double leave_s = 5, killed_s = 60;

struct state {
    const char *job;           /* borrowed from the environment */
    uint64_t n_hosts, n_nodes; /* of the campaign; of the allocation */
    char step_name[64];
    struct ct_cores cores; /* n = 0: programs are not bound */
    struct ct_argv names;  /* of nodes; empty where nobody needs them */
};

/* ---- steps that are running ---- */

struct step {
    char id[64]; /* "1234.5" */
    char name[64];
};

/* The next step of a campaign in squeue's answer, or nothing; rest_p moves on. */
static bool next_step(char **rest_p, struct step *step_p)
{
    for (char *line; (line = strsep(rest_p, "\n"));)
        if (sscanf(line, "%63s %63s", step_p->id, step_p->name) == 2 &&
            strncmp(step_p->name, STEP_PREFIX, strlen(STEP_PREFIX)) == 0)
            return true;
    return false;
}

static enum ct_status ask_steps(const struct ct_launcher *launcher, struct ct_text *answer_p,
                                struct ct_error *err)
{
    const struct state *state = launcher->state;
    const char *const words[] = {"squeue", "--steps", "--noheader", "--format=%i %j"};
    struct ct_argv argv = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ct_argv_add(&argv, "%s", words[i]);
    ct_argv_add(&argv, "--jobs=%s", state->job);
    return ct_ask(&argv, launcher->folder, answer_limit_s, answer_p, err);
}

static enum ct_status kill_step(const struct ct_launcher *launcher, const char *id,
                                struct ct_error *err)
{
    struct ct_argv argv = {0};
    ct_argv_add(&argv, "scancel");
    ct_argv_add(&argv, "--signal=KILL");
    ct_argv_add(&argv, "%s", id);
    struct ct_text answer;
    enum ct_status status = ct_ask(&argv, launcher->folder, answer_limit_s, &answer, err);
    if (status == CT_OK)
        free(answer.text);
    /* It may have ended since it was seen; whether it has is seen next. */
    return status == CT_ECHILD ? CT_OK : status;
}

/* Look once at what runs, and kill it if so wished. *step_p: one of ours; id "" if there is none.
 */
static enum ct_status look_for_step(const struct ct_launcher *launcher, bool kill,
                                    struct step *step_p, struct ct_error *err)
{
    const struct state *state = launcher->state;
    struct ct_text answer;
    struct step step;
    *step_p = (struct step){0};
    CT_TRY(ask_steps(launcher, &answer, err));
    enum ct_status status = CT_OK;
    for (char *rest = answer.text; status == CT_OK && next_step(&rest, &step);) {
        if (strcmp(step.name, state->step_name) != 0) {
            status = ct_fail(err, CT_EEXIST,
                             "step %s (%s): another campaign runs in this allocation; wait, or end "
                             "it by scancel %s",
                             step.id, step.name, step.id);
            break;
        }
        *step_p = step;
        if (kill)
            status = kill_step(launcher, step.id, err);
    }
    free(answer.text);
    return status;
}

static enum ct_status settle_job(struct ct_launcher *launcher, struct ct_error *err)
{
    double start_s = ct_clock_now_s();
    bool kill = false;
    for (;;) {
        struct step step;
        enum ct_status status = look_for_step(launcher, kill, &step, err);
        if (status != CT_OK || !*step.id)
            return status;
        double passed_s = ct_clock_now_s() - start_s;
        if (passed_s > leave_s + killed_s)
            return ct_fail(err, CT_ETIMEOUT, "step %s does not end", step.id);
        kill = passed_s > leave_s;
        if (ct_process_wait(NULL, 0, ct_clock_now_s() + ask_again_s) == CT_EINTR)
            return ct_fail(err, CT_EINTR, "interrupted");
    }
}

/* ---- command lines ---- */

static void host_name(const struct ct_launcher *launcher, uint32_t host, char text[CT_HOST_MAX])
{
    const struct state *state = launcher->state;
    snprintf(text, CT_HOST_MAX, "%s", state->names.item[host]);
}

/* A step, slots ranks on each of its hosts: srun and its options, without those of the user.
   nodes NULL: all hosts. */
static void add_srun(const struct state *state, uint64_t slots, const char *nodes, uint64_t n_nodes,
                     struct ct_argv *argv_p)
{
    ct_argv_add(argv_p, "srun");
    ct_argv_add(argv_p, "--overlap");
    /* SIGINT goes to the ranks at once, see end_signal. */
    ct_argv_add(argv_p, "--disable-status");
    ct_argv_add(argv_p, "--kill-on-bad-exit=1");
    ct_argv_add(argv_p, "--job-name=%s", state->step_name);
    if (nodes)
        ct_argv_add(argv_p, "--nodelist=%s", nodes);
    else /* The same nodes for all, also where the allocation has more. */
        ct_argv_add(argv_p, "--relative=0");
    ct_argv_add(argv_p, "--nodes=%" PRIu64, n_nodes);
    ct_argv_add(argv_p, "--ntasks=%" PRIu64, slots * n_nodes);
    ct_argv_add(argv_p, "--ntasks-per-node=%" PRIu64, slots);
    ct_argv_add(argv_p, "--distribution=block");
}

static enum ct_status add_binding(const struct state *state, const struct ct_part *part,
                                  struct ct_argv *argv_p, struct ct_error *err)
{
    struct ct_core_range range =
        ct_placement_of(state->cores.n, part->role, part->slots, part->taken);
    if (range.n == 0) {
        ct_argv_add(argv_p, "--cpu-bind=none");
        ct_argv_add(argv_p, "--overcommit");
        return CT_OK;
    }
    char *list = ct_cores_format(&state->cores, range);
    if (!list)
        return ct_no_memory(err, "command line");
    ct_argv_add(argv_p, "--cpu-bind=map_cpu:%s", list);
    free(list);
    return CT_OK;
}

static enum ct_status make_command(struct ct_launcher *launcher, const struct ct_part *part,
                                   char *const *program, struct ct_argv *argv_p,
                                   struct ct_error *err)
{
    const struct state *state = launcher->state;
    enum ct_status status = CT_OK;
    char *nodes = NULL;
    if (part->hosts) {
        nodes = ct_host_list(launcher, part->hosts, part->n_hosts, ",", "");
        if (!nodes)
            return ct_no_memory(err, "command line");
    }
    add_srun(state, part->slots, nodes, nodes ? part->n_hosts : state->n_hosts, argv_p);
    free(nodes);
    if (launcher->spec->launcher.placement == CT_PLACEMENT_CORES)
        status = add_binding(state, part, argv_p, err);
    if (status == CT_OK)
        status = ct_argv_split(argv_p, launcher->spec->launcher.options, err);
    ct_argv_add_all(argv_p, program);
    if (status == CT_OK && argv_p->failed)
        status = ct_no_memory(err, "command line");
    return status;
}

/* ---- open and close ---- */

static enum ct_status read_allocation(const struct ct_launcher *launcher, struct state *state,
                                      struct ct_error *err)
{
    const char *nodes = getenv("SLURM_JOB_NUM_NODES");
    uint64_t n_nodes, wanted = launcher->spec->launcher.hosts;
    state->job = getenv("SLURM_JOB_ID");
    if (!state->job || !nodes)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "launcher slurm: not in an allocation (no SLURM_JOB_ID and "
                       "SLURM_JOB_NUM_NODES); submit what crosstalk campaign script prints, or "
                       "start this by salloc");
    enum ct_status status = ct_parse_u64(nodes, &n_nodes, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "SLURM_JOB_NUM_NODES");
    if (wanted > n_nodes)
        return ct_fail(err, CT_EINVAL,
                       "launcher.hosts: %" PRIu64 ", but the allocation has %" PRIu64 " nodes",
                       wanted, n_nodes);
    state->n_nodes = n_nodes;
    state->n_hosts = wanted ? wanted : n_nodes;
    return CT_OK;
}

/* The same for every driver of a folder, of which there is one at a time: what runs under this name
   before the first step is left over. */
static enum ct_status name_steps(const struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    struct stat folder;
    if (stat(launcher->folder, &folder) != 0)
        return ct_fail(err, CT_EIO, "%s: %s", launcher->folder, strerror(errno));
    snprintf(state->step_name, sizeof state->step_name, STEP_PREFIX "%jx-%jx",
             (uintmax_t)folder.st_dev, (uintmax_t)folder.st_ino);
    return CT_OK;
}

static enum ct_status find_cores(struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    if (launcher->spec->launcher.placement != CT_PLACEMENT_CORES)
        return CT_OK;
    struct ct_argv start = {0};
    add_srun(state, 1, NULL, state->n_hosts, &start);
    enum ct_status status = ct_argv_split(&start, launcher->spec->launcher.options, err);
    if (status != CT_OK) {
        ct_argv_free(&start);
        return status;
    }
    CT_TRY(ct_binding_ask(launcher, &start, state->n_hosts, &state->cores, err));
    return ct_binding_warn(launcher, &state->cores, 1, err);
}

/* A wrapper around scontrol may print what it likes. */
static enum ct_status add_name(const char *line, struct ct_argv *names, struct ct_error *err)
{
    static const char taken[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    if (line[strspn(line, taken)] != '\0' || strlen(line) >= CT_HOST_MAX)
        return ct_fail(err, CT_EFORMAT,
                       "launcher slurm: scontrol show hostnames prints '%.80s', which is no name "
                       "of a node",
                       line);
    ct_argv_add(names, "%s", line);
    return CT_OK;
}

/* Placements, and applications on some of the nodes, need the names of these, in Slurm's order. */
static enum ct_status find_names(const struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    const char *list = getenv("SLURM_JOB_NODELIST");
    if (launcher->spec->n_placements == 0 && !launcher->spec->all_hosts)
        return CT_OK;
    if (!list)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "launcher slurm: no SLURM_JOB_NODELIST, which placements, and hosts of "
                       "applications, need");
    struct ct_argv argv = {0};
    struct ct_text answer;
    const char *const words[] = {"scontrol", "show", "hostnames", list};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ct_argv_add(&argv, "%s", words[i]);
    CT_TRY(ct_ask(&argv, launcher->folder, answer_limit_s, &answer, err));
    char *rest = answer.text;
    enum ct_status status = CT_OK;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));)
        if (*line)
            status = add_name(line, &state->names, err);
    free(answer.text);
    if (status == CT_OK && state->names.failed)
        return ct_no_memory(err, "launcher slurm: names of nodes");
    if (status == CT_OK && state->names.n != state->n_nodes)
        return ct_fail(err, CT_EFORMAT,
                       "launcher slurm: scontrol show hostnames %s prints %zu names, and the "
                       "allocation has %" PRIu64 " nodes (SLURM_JOB_NUM_NODES)",
                       list, state->names.n, state->n_nodes);
    return status;
}

static void close_slurm(struct ct_launcher *launcher)
{
    struct state *state = launcher->state;
    ct_cores_free(&state->cores);
    ct_argv_free(&state->names);
    free(state);
}

static enum ct_status open_slurm(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return ct_no_memory(err, "launcher");
    launcher->state = state;
    enum ct_status status = read_allocation(launcher, state, err);
    if (status == CT_OK)
        status = name_steps(launcher, state, err);
    if (status == CT_OK)
        status = settle_job(launcher, err);
    if (status == CT_OK)
        status = find_names(launcher, state, err);
    if (status == CT_OK)
        status = find_cores(launcher, state, err);
    if (status != CT_OK) {
        close_slurm(launcher);
        return status;
    }
    ct_log_info(launcher->log,
                "launcher slurm: job %s, %" PRIu64 " nodes; how busy the network is cannot be seen",
                state->job, state->n_hosts);
    return CT_OK;
}

/* SIGTERM makes srun kill the ranks; SIGINT it passes on. */
const struct ct_launcher_row ct_launcher_slurm = {.open = open_slurm,
                                                  .close = close_slurm,
                                                  .command = make_command,
                                                  .host_name = host_name,
                                                  .end_signal = SIGINT,
                                                  .settle = settle_job};
