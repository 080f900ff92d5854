#include "study/app_times.h"

#include "core/parallel.h"
#include "simulate/constants.h"
#include "simulate/run_path.h"
#include "study/constants.h"
#include "trace/input/schedule_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;

/* An application to be simulated. */
struct subject {
    const struct ct_goal *goal;
    struct ct_engine_job job;
    struct ct_simulate_network_setup network;
    struct ct_stack stack;
    uint32_t n_ranks;
};

static struct ct_simulate_network_setup network_of(const struct ct_schedules *schedules,
                                                   uint32_t n_ranks, uint32_t ranks_per_node)
{
    const struct ct_program_network *network = schedules->network;
    bool has_topology = network->places.n_used > 0;
    return (struct ct_simulate_network_setup){
        .topology = has_topology ? &network->topology : NULL,
        .nodes = has_topology ? network->places.used : NULL,
        .n_nodes = has_topology ? network->places.n_used : (n_ranks - 1) / ranks_per_node + 1,
        .n_jobs = 1,
        .injection_ns_per_byte = schedules->model->G_s_per_byte * ns_per_s,
        .link_ns_per_byte = NAN,
        .latency_ns = schedules->model->L_s * ns_per_s,
        .by_switches = schedules->model->paths,
        .packet_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET),
        .buffer_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_BUFFER)};
}

/* One simulation. observer: NULL: none */
static enum ct_status run_network(const struct subject *subject, enum ct_simulate_network_kind kind,
                                  const struct ct_stack *stack, double *runtime_ns_p,
                                  const struct ct_observer *observer, struct ct_error *err)
{
    struct ct_simulate_network network;
    CT_TRY(ct_simulate_network_new(kind, &subject->network, &network, err));
    const struct ct_engine_setup setup = {.stack = stack,
                                          .network = &network,
                                          .n_nodes = subject->network.n_nodes,
                                          .passes = 1,
                                          .work_max =
                                              (uint64_t)ct_study_constant(CT_STUDY_TIMES_WORK)};
    enum ct_status status =
        ct_engine_run(&subject->job, 1, &setup, observer, runtime_ns_p, NULL, err);
    ct_simulate_network_free(&network);
    return status;
}

/* A simulation of an application; those of one are shared by threads. */
struct task {
    enum ct_simulate_network_kind kind;
    const struct ct_stack *stack;
    bool has_path; /* it is asked for */
    double runtime_ns;
    struct ct_time_shares shares; /* sums over the ranks */
    struct ct_run_path path;      /* of no steps: not known */
    enum ct_status status;
    struct ct_error why;
};

/* One on each kind of network, and one without a network but with the costs of MPI. */
enum { NO_NETWORK = CT_NETWORK_KINDS, TASKS };

struct work {
    const struct subject *subject;
    struct task tasks[TASKS];
};

/* @param record  [in,out] NULL: the path is not asked for */
static enum ct_status run_observed(const struct subject *subject, struct task *task,
                                   struct ct_rank_times *times, struct ct_path_record *record)
{
    struct ct_observer_pair pair = {.first = ct_rank_times_observer(times)};
    if (record)
        pair.second = ct_path_record_observer(record);
    const struct ct_observer observer = ct_observer_of_pair(&pair);
    CT_TRY(run_network(subject, task->kind, task->stack, &task->runtime_ns, &observer, &task->why));
    task->shares = ct_rank_times_sum(times, 0);
    struct ct_error unknown;
    if (record && ct_run_path_find(record, 0, &task->path, &unknown) == CT_ENOMEM)
        return ct_fail(&task->why, CT_ENOMEM, "%s", unknown.text);
    return CT_OK;
}

static void run_task(void *data, size_t i)
{
    struct work *work = data;
    struct task *task = &work->tasks[i];
    const struct subject *subject = work->subject;
    struct ct_path_record *record = NULL;
    struct ct_rank_times *times = NULL;
    task->status = ct_rank_times_new(&subject->n_ranks, 1, &times, &task->why);
    if (task->status == CT_OK && task->has_path)
        task->status = ct_path_record_new(subject->goal, 1, &record, &task->why);
    if (task->status == CT_OK)
        task->status = run_observed(subject, task, times, record);
    ct_path_record_free(record);
    ct_rank_times_free(times);
}

/* On one network; a reason that it is not known is kept. */
static enum ct_status take_on(const struct subject *subject, const struct task *task,
                              struct ct_app_times *times)
{
    struct ct_app_time *time = &times->on[task->kind];
    if (task->status != CT_OK && !times->why)
        times->why = strdup(task->why.text);
    if (task->status != CT_OK)
        return task->status == CT_ENOMEM || !times->why ? CT_ENOMEM : CT_OK;
    time->is_known = true;
    time->runtime_s = task->runtime_ns / ns_per_s;
    time->mean_s = task->shares.runtime_ns / ns_per_s / subject->n_ranks;
    for (int part = 0; part < CT_TIME_PARTS; part++)
        time->part_s[part] = task->shares.part_ns[part] / ns_per_s / subject->n_ranks;
    for (size_t i = 0; i < task->path.n; i++)
        times->path_s[task->path.steps[i].part] +=
            (task->path.steps[i].end_ns - task->path.steps[i].begin_ns) / ns_per_s;
    return CT_OK;
}

static enum ct_status find_all(const struct subject *subject, struct ct_app_times *times)
{
    const struct ct_stack free_stack = ct_stack_free_of_cost(&subject->stack);
    struct work *work = calloc(1, sizeof *work);
    enum ct_status status = work ? CT_OK : CT_ENOMEM;
    if (!work)
        return status;
    work->subject = subject;
    for (int i = 0; i < TASKS; i++)
        work->tasks[i] = (struct task){
            .kind = i == NO_NETWORK ? CT_NETWORK_NONE : (enum ct_simulate_network_kind)i,
            .stack = i == CT_NETWORK_NONE ? &free_stack : &subject->stack,
            .has_path = i == CT_NETWORK_PACKET};
    ct_parallel_run(TASKS, ct_parallel_processors(), run_task, work);
    for (int i = 0; i < CT_NETWORK_KINDS && status == CT_OK; i++)
        status = take_on(subject, &work->tasks[i], times);
    const struct task *no_network = &work->tasks[NO_NETWORK];
    if (status == CT_OK && times->on[CT_NETWORK_NONE].is_known) {
        bool is_known = no_network->status == CT_OK;
        times->no_network_s = is_known ? no_network->runtime_ns / ns_per_s : NAN;
        status = no_network->status == CT_ENOMEM ? CT_ENOMEM : CT_OK;
    }
    for (int i = 0; i < TASKS; i++)
        ct_run_path_free(&work->tasks[i].path);
    free(work);
    return status;
}

static enum ct_status simulate_apps(const struct ct_schedules *schedules, size_t app,
                                    const struct ct_goal *goal, struct ct_app_times *times,
                                    struct ct_error *why)
{
    const struct ct_parameters *model = schedules->model;
    uint32_t per_node = schedules->items[app].ranks_per_node;
    struct ct_engine_program *program;
    CT_TRY(ct_engine_program_new(goal, &program, why));
    const struct ct_loggps at = ct_parameters_at(model, model->L_s);
    struct subject subject = {
        .goal = goal,
        .job = {.program = program,
                .place = ct_program_network_place(schedules->network, app, per_node)},
        .network = network_of(schedules, goal->n_ranks, per_node),
        .stack = ct_stack_loggps(&at, model->S_bytes, ct_parameters_overheads(model)),
        .n_ranks = goal->n_ranks};
    subject.stack.gaps = ct_parameters_gaps(model);
    subject.stack.g_ns = ct_ns_from_s(model->between_s);
    enum ct_status status = find_all(&subject, times);
    ct_engine_program_free(program);
    return status;
}

/* An application; what cannot be done is said in why. */
static enum ct_status find_one(const struct ct_schedules *schedules, size_t app,
                               struct ct_app_times *times)
{
    const struct ct_schedule *schedule = &schedules->items[app];
    struct ct_argv notes = {0}; /* said when the schedule was read first */
    struct ct_error why;
    struct ct_goal goal;
    if (schedule->why || !schedule->path || !schedules->network) {
        times->why = strdup(schedule->why ? schedule->why : "no schedule");
        return times->why ? CT_OK : CT_ENOMEM;
    }
    struct ct_convert_options options = ct_convert_defaults();
    options.in_simgrid = schedules->in_simgrid;
    enum ct_status status = ct_schedule_read(schedule->input, &options, &goal, &notes, &why);
    ct_argv_free(&notes);
    if (status == CT_OK) {
        status = simulate_apps(schedules, app, &goal, times, &why);
        ct_goal_free(&goal);
    }
    if (status == CT_OK || status == CT_ENOMEM)
        return status;
    times->why = strdup(why.text);
    return times->why ? CT_OK : CT_ENOMEM;
}

enum ct_status ct_app_times_find(const struct ct_schedules *schedules,
                                 struct ct_app_times **times_p, struct ct_error *err)
{
    struct ct_app_times *times = calloc(schedules->n_apps + 1, sizeof *times);
    enum ct_status status = times ? CT_OK : CT_ENOMEM;
    for (size_t app = 0; app < schedules->n_apps && status == CT_OK; app++)
        status = find_one(schedules, app, &times[app]);
    if (status != CT_OK) {
        ct_app_times_free(times, schedules->n_apps);
        return ct_no_memory(err, "where the time goes");
    }
    *times_p = times;
    return CT_OK;
}

void ct_app_times_free(struct ct_app_times *times, size_t n_apps)
{
    for (size_t app = 0; times && app < n_apps; app++)
        free(times[app].why);
    free(times);
}
