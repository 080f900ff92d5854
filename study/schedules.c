#include "study/schedules.h"

#include "core/parallel.h"
#include "lp-bridge/envelope/wires.h"
#include "simulate/constants.h"
#include "study/constants.h"
#include "study/placements.h"
#include "trace/input/schedule_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- run times ---- */

static const double ns_per_s = 1e9;

/* The latency between nodes is longer; it is never below 0. */
static enum ct_status find_runtimes(const void *model, const double *extra_s, size_t n,
                                    double *runtime_s, struct ct_error *err)
{
    const struct ct_schedule *schedule = model;
    double *L_ns = malloc((n + 1) * sizeof *L_ns);
    struct ct_line *lines = malloc((n + 1) * sizeof *lines);
    enum ct_status status = L_ns && lines ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        L_ns[i] = fmax(0, schedule->L_s + extra_s[i]) * ns_per_s;
    if (status == CT_OK)
        status =
            ct_evaluator_lines(schedule->evaluator, L_ns, n, ct_parallel_processors(), lines, NULL);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        runtime_s[i] = ct_line_at(lines[i], L_ns[i]) / ns_per_s;
    free(L_ns);
    free(lines);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "run times");
}

/* T as a function of the latency between nodes. */
static enum ct_status make_evaluator(struct ct_schedule *schedule, const struct ct_graph *graph,
                                     const struct ct_loggps *at, struct ct_error *err)
{
    const struct ct_wires_setup setup = {.ranks_per_node = schedule->ranks_per_node,
                                         .L_node_ns = at->L_ns,
                                         .G_node_ns_per_byte = at->G_ns_per_byte};
    const double nothing_s = 0;
    struct ct_wires *wires;
    struct ct_wires_plane plane;
    CT_TRY(ct_wires_new(&setup, graph, &wires, err));
    ct_wires_plane(wires, at, CT_WIRES_LATENCY, CT_WIRES_FIXED, &plane);
    enum ct_status status = ct_evaluator_compile(graph, &plane.plane, &schedule->evaluator, err);
    ct_wires_free(wires);
    return status == CT_OK ? find_runtimes(schedule, &nothing_s, 1, &schedule->runtime_s, err)
                           : status;
}

/* ---- one application ---- */

/* For simulations with others, alone and beside another one: without it the other models answer
 * still. */
static enum ct_status make_programs(const struct ct_goal *goal, size_t app,
                                    const struct ct_schedules *schedules, struct ct_error *err)
{
    const struct ct_program_network *network = schedules->network;
    const struct ct_simulate_place alone =
        ct_program_network_place(network, app, schedules->items[app].ranks_per_node);
    enum ct_status status = ct_simulation_program_new(goal, &alone, &schedules->programs[app], err);
    if (status == CT_OK && network->has_background) {
        const struct ct_simulate_place beside =
            ct_program_network_place_beside(network, goal->n_ranks);
        status = ct_simulation_program_new(goal, &beside,
                                           &schedules->programs[schedules->n_apps + app], err);
    }
    return status == CT_ENOMEM ? status : CT_OK;
}

/* The schedule of an application, or of the steps in its traces. */
static enum ct_status read_schedule(struct ct_schedules *schedules, struct ct_input input,
                                    struct ct_goal *goal_p, struct ct_error *err)
{
    struct ct_convert_options options = ct_convert_defaults();
    uint64_t n_steps;
    options.in_simgrid = schedules->in_simgrid;
    if (schedules->steps_only && ct_input_has_calls(input))
        CT_TRY(ct_schedule_find_steps(input, &options.part, &n_steps, err));
    return ct_schedule_read(input, &options, goal_p, &schedules->notes, err);
}

static enum ct_status make_model_of(struct ct_schedules *schedules, size_t app,
                                    struct ct_error *err)
{
    const struct ct_parameters *model = schedules->model;
    struct ct_schedule *schedule = &schedules->items[app];
    const struct ct_graph_options options = {.eager_max_bytes = model->S_bytes,
                                             .serialize_nic = true,
                                             .overheads = ct_parameters_overheads(model),
                                             .g_ns = ct_ns_from_s(model->between_s)};
    struct ct_loggps at = ct_parameters_at(model, model->L_s);
    struct ct_goal goal;
    struct ct_graph graph;
    CT_TRY(read_schedule(schedules, schedule->input, &goal, err));
    enum ct_status status = ct_graph_build(&goal, &options, &graph, err);
    if (status == CT_OK) {
        status = make_programs(&goal, app, schedules, err);
        if (status != CT_OK)
            ct_graph_free(&graph);
    }
    ct_goal_free(&goal);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", schedule->path);
    schedule->n_ranks = graph.n_ranks;
    schedule->n_operations = graph.n_operations;
    schedule->L_s = model->L_s;
    status = make_evaluator(schedule, &graph, &at, err);
    ct_graph_free(&graph);
    return status;
}

static bool is_there(const char *path, mode_t type)
{
    struct stat info;
    return stat(path, &info) == 0 && (info.st_mode & S_IFMT) == type;
}

__attribute__((format(printf, 2, 3))) static enum ct_status print_text(char **text_p,
                                                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vasprintf(text_p, format, args);
    va_end(args);
    if (length >= 0)
        return CT_OK;
    *text_p = NULL;
    return CT_ENOMEM;
}

/* Where schedules are: a folder for files, a folder for traces. */
struct folders {
    char *files, *traces; /* owned */
};

static enum ct_status find_schedule(const struct folders *folders, const char *app, char **path_p)
{
    const struct {
        const char *folder, *ending;
        mode_t type;
    } names[] = {{folders->files, ".goal", S_IFREG},
                 {folders->files, ".bin", S_IFREG},
                 {folders->traces, "", S_IFDIR}};
    *path_p = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (print_text(path_p, "%s/%s%s", names[i].folder, app, names[i].ending) != CT_OK)
            return CT_ENOMEM;
        if (is_there(*path_p, names[i].type))
            return CT_OK;
        free(*path_p);
        *path_p = NULL;
    }
    return CT_OK;
}

/* A schedule that cannot be used leaves the other models as they are: why is for people. */
static enum ct_status load_one(const struct folders *folders, const char *name, size_t app,
                               const char *no_model, struct ct_schedules *schedules)
{
    struct ct_error why;
    struct ct_schedule *schedule = &schedules->items[app];
    if (find_schedule(folders, name, &schedule->path) != CT_OK)
        return CT_ENOMEM;
    if (!schedule->path)
        return print_text(&schedule->why,
                          "no schedule: neither %s/%s.goal nor .bin, nor a trace "
                          "%s/%s",
                          folders->files, name, folders->traces, name);
    schedule->input = ct_input_of(schedule->path);
    if (!schedules->model)
        return print_text(&schedule->why, "no parameters: %s", no_model);
    enum ct_status status = make_model_of(schedules, app, &why);
    if (status == CT_ENOMEM)
        return status;
    if (status != CT_OK)
        return print_text(&schedule->why, "%s", why.text);
    schedules->n_available++;
    return CT_OK;
}

/* ---- facts from the runs ---- */

static bool is_idle_logp(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_LOGP && !*info->app && !*info->with && !info->has_config;
}

static bool is_baseline(const struct ct_run_info *info, const char *app)
{
    return info->kind == CT_RUN_RUNTIME && !*info->with && !info->has_config &&
           !strcmp(info->app, app);
}

static uint32_t ranks_per_node(const struct ct_run_list *list, const char *app)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        double ranks = ct_run_number(info, "ranks");
        size_t nodes = ct_run_count_hosts(info);
        if (is_baseline(info, app) && ranks >= 1 && ranks <= UINT32_MAX && nodes > 0)
            return (uint32_t)ceil(ranks / (double)nodes);
    }
    return 1;
}

static bool is_given(const struct ct_parameters_given *given)
{
    return !isnan(given->L_s) || !isnan(given->o_s) || !isnan(given->G_s_per_byte) ||
           given->posterior_path || given->logp_path;
}

/* No link passes a byte in less time than that of a node, if runs have recorded its rate. */
static void bound_G(const struct ct_run_list *list, struct ct_parameters *model)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        double rate = ct_run_number(&list->entries[i].info, CT_RUN_NODE_RATE);
        if (rate > 0) {
            ct_parameters_bound_G(rate, model);
            return;
        }
    }
}

/* Given, or else as measured; why: where neither is. */
static enum ct_status make_model(const struct ct_run_list *list,
                                 const struct ct_schedule_source *source,
                                 struct ct_schedules *schedules, struct ct_error *why,
                                 struct ct_error *err)
{
    struct ct_parameters_given given = source->given;
    for (size_t i = 0; i < list->n_entries && !given.logp_path; i++)
        if (is_idle_logp(&list->entries[i].info))
            given.logp_path = list->entries[i].path;
    if (!is_given(&given)) {
        ct_fail(why, CT_ENODATA,
                "no logp run of the idle network; give --L, --o and --G, or measure with the "
                "campaign's key logp: idle");
        return CT_OK;
    }
    struct ct_parameters made = ct_parameters_none(), *kept = malloc(sizeof *kept);
    if (!kept)
        return ct_no_memory(err, "schedules");
    enum ct_status status = ct_parameters_make(&given, true, &made, why);
    if (status == CT_OK && made.posterior) {
        if (given.logp_path && ct_parameters_is_measured(&made))
            status = ct_parameters_resample(given.logp_path, &made, why);
        if (status == CT_OK)
            status = ct_parameters_draw(&made, why);
    }
    if (status == CT_OK && given.logp_path)
        status = ct_parameters_take_probes(given.logp_path, list, &made, why);
    if (status != CT_OK)
        ct_parameters_free(&made);
    if (status == CT_OK) {
        bound_G(list, &made);
        *kept = made;
        schedules->model = kept;
    } else {
        free(kept);
    }
    if (status == CT_ENOMEM || (status != CT_OK && is_given(&source->given)))
        return ct_fail(err, status, "%s", why->text);
    return CT_OK;
}

/* ---- the whole ---- */

static enum ct_status find_folders(const char *directory, const struct ct_schedule_source *source,
                                   struct folders *folders, struct ct_error *err)
{
    const char *slash = strrchr(directory, '/');
    int length = is_there(directory, S_IFDIR) ? (int)strlen(directory)
                 : slash                      ? (int)(slash - directory)
                                              : 0;
    const char *base = length > 0 ? directory : ".";
    length = length > 0 ? length : 1;
    if (source->folder && !is_there(source->folder, S_IFDIR))
        return ct_fail(err, CT_ENOENT, "--schedules: %s: no such folder", source->folder);
    enum ct_status status = source->folder
                                ? print_text(&folders->files, "%s", source->folder)
                                : print_text(&folders->files, "%.*s/schedules", length, base);
    if (status == CT_OK)
        status = print_text(&folders->traces, "%.*s/traces", length, base);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "schedules");
}

static bool any_there(const struct folders *folders)
{
    return is_there(folders->files, S_IFDIR) || is_there(folders->traces, S_IFDIR);
}

static enum ct_status load_all(const struct ct_study *study, const struct folders *folders,
                               const struct ct_run_list *list, const char *no_model,
                               struct ct_schedules *schedules)
{
    enum ct_status status = CT_OK;
    for (size_t app = 0; app < schedules->n_apps && status == CT_OK; app++) {
        struct ct_schedule *schedule = &schedules->items[app];
        const char *name = ct_study_app(study, app);
        schedule->ranks_per_node = ranks_per_node(list, name);
        status = load_one(folders, name, app, no_model, schedules);
        schedules->responses[app] = (struct ct_predict_response){schedule->why ? NULL : schedule,
                                                                 schedule->why, find_runtimes};
    }
    return status;
}

/* Simulators whose flows share links: none is served before another, nothing at once, and as much
 * is under way as there is to send. */
static void take_equal_shares(struct ct_queues_known *known)
{
    if (!known->has_order)
        known->order = CT_PORT_SHARED;
    if (!known->has_burst)
        known->burst_bytes = 0;
    if (!known->has_ahead)
        known->ahead_bytes = 0;
    known->has_order = known->has_burst = known->has_ahead = true;
}

/* What SimGrid's models add on the way back, for acknowledgements, unless its settings leave it
 * out: what is not recorded is as it is without settings. */
static double find_back_frac(const struct ct_run_info *info)
{
    static const char setting[] = "network/crosstraffic:";
    const char *settings = ct_run_text(info, CT_RUN_SIMULATED_SETTINGS);
    const char *given = settings ? strstr(settings, setting) : NULL;
    bool is_out = given && strchr("0nNfF", given[sizeof setting - 1]);
    return is_out ? 0 : ct_simulate_constant(CT_SIMULATE_SIMGRID_BACK);
}

static void take_queues(const struct ct_run_info *info, struct ct_queues_known *known)
{
    const char *order = ct_run_text(info, CT_RUN_QUEUE);
    double burst_bytes = ct_run_number(info, CT_RUN_BURST);
    for (int o = 0; order && !known->has_order && ct_port_order_names[o]; o++)
        if (!strcmp(ct_port_order_names[o], order)) {
            known->has_order = true;
            known->order = (enum ct_port_order)o;
        }
    if (!known->has_burst && burst_bytes >= 0) {
        known->has_burst = true;
        known->burst_bytes = burst_bytes;
    }
    if (ct_run_text(info, CT_RUN_SIMULATED_MODEL))
        take_equal_shares(known);
    double window_packets = ct_run_number(info, CT_RUN_TCP_WINDOW);
    if (!known->has_ahead && window_packets > 0) {
        known->has_ahead = true;
        known->ahead_bytes = window_packets * ct_simulation_frame_bytes();
    }
}

/* What is not given is that of the first run that records it. */
static struct ct_queues_known find_queues(const struct ct_run_list *list,
                                          const struct ct_queues_known *given)
{
    struct ct_queues_known known = *given;
    for (size_t i = 0; i < list->n_entries; i++)
        take_queues(&list->entries[i].info, &known);
    return known;
}

/* The network of the runs, and the queues that these record. */
static enum ct_status find_network(const struct ct_study *study, const struct ct_run_list *list,
                                   const struct ct_schedule_source *source,
                                   struct ct_schedules *schedules, struct ct_error *err)
{
    schedules->queues = find_queues(list, &source->queues);
    for (size_t i = 0; i < list->n_entries && !schedules->in_simgrid; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        schedules->in_simgrid = ct_run_text(info, CT_RUN_SIMULATED_MODEL);
        schedules->back_frac = schedules->in_simgrid ? find_back_frac(info) : 0;
    }
    schedules->network = calloc(1, sizeof *schedules->network);
    if (!schedules->network)
        return ct_no_memory(err, "schedules");
    if (source->use_cache)
        schedules->store = ct_simulation_store_open();
    return ct_program_network_find(list, study, &schedules->notes, schedules->network, err);
}

enum ct_status ct_schedules_simulate(const struct ct_schedules *schedules,
                                     const struct ct_study *study,
                                     const struct ct_parameters *model,
                                     const struct ct_port_queues *queues,
                                     struct ct_simulation **simulation_p, struct ct_error *err)
{
    const struct ct_program_network *network = schedules->network;
    size_t n_configs = study->measured.n_configs;
    const struct ct_config **configs = malloc((n_configs + 1) * sizeof *configs);
    if (!configs)
        return ct_no_memory(err, "simulation");
    for (size_t c = 0; c < n_configs; c++)
        configs[c] = &study->configs[c].config;
    struct ct_simulation_setup setup = {.programs = schedules->programs,
                                        .n_apps = schedules->n_apps,
                                        .configs = configs,
                                        .n_configs = n_configs,
                                        .costs = {.at = ct_parameters_at(model, model->L_s),
                                                  .S_bytes = model->S_bytes,
                                                  .overheads = ct_parameters_overheads(model),
                                                  .gaps = ct_parameters_gaps(model),
                                                  .g_ns = ct_ns_from_s(model->between_s),
                                                  .by_switches = model->paths,
                                                  .is_simulated = schedules->in_simgrid,
                                                  .back_frac = schedules->back_frac},
                                        .work_max =
                                            (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX),
                                        .known = schedules->queues,
                                        .measured = queues ? NULL : &study->measured,
                                        .store = schedules->store};
    if (network->places.n_used > 0)
        setup.net = (struct ct_simulation_net){.topology = &network->topology,
                                               .nodes = network->places.used,
                                               .n_nodes = network->places.n_used};
    if (network->has_background)
        setup.background = &network->places.of[schedules->n_apps];
    if (queues)
        setup.queues = *queues;
    enum ct_status status = ct_simulation_new(&setup, simulation_p, err);
    free(configs);
    return status;
}

/* What is given of queues is not also in the posterior. */
static enum ct_status check_queues(const struct ct_schedule_source *source,
                                   const struct ct_parameters *model, struct ct_error *err)
{
    uint32_t options = (uint32_t)source->queues.has_order << CT_STACK_KEY_QUEUE |
                       (uint32_t)source->queues.has_burst << CT_STACK_KEY_BURST;
    return ct_parameters_check_options(model, options, source->given.posterior_path, err);
}

/* Queues that a posterior knows are those; others are fitted to the configurations. */
static enum ct_status make_simulation(const struct ct_study *study, struct ct_schedules *schedules,
                                      struct ct_error *err)
{
    const struct ct_parameters *model = schedules->model;
    struct ct_port_queues queues = ct_simulation_unfitted_queues(&schedules->queues);
    bool is_known = ct_parameters_has_queues(model);
    if (is_known)
        ct_parameters_queues(model, SIZE_MAX, &queues);
    return ct_schedules_simulate(schedules, study, model, is_known ? &queues : NULL,
                                 &schedules->simulation, err);
}

enum ct_status ct_schedules_load(const struct ct_study *study, const char *directory,
                                 const char *placement, const struct ct_run_list *runs,
                                 const struct ct_schedule_source *source,
                                 struct ct_schedules *schedules_p, struct ct_error *err)
{
    struct folders folders = {0};
    struct ct_run_list own = {0};
    const struct ct_run_list *list = runs->n_entries > 0 ? runs : &own;
    struct ct_error why = {0};
    size_t n = study->measured.n_apps;
    struct ct_schedules schedules = {.n_apps = n,
                                     .steps_only = source->steps_only,
                                     .items = calloc(n + 1, sizeof *schedules.items),
                                     .responses = calloc(n + 1, sizeof *schedules.responses),
                                     .programs = calloc(2 * n + 1, sizeof *schedules.programs)};
    enum ct_status status = schedules.items && schedules.responses && schedules.programs
                                ? find_folders(directory, source, &folders, err)
                                : ct_no_memory(err, "schedules");
    /* Without any schedule the list of runs, which takes long to read, says nothing. */
    if (status == CT_OK && (any_there(&folders) || is_given(&source->given))) {
        if (runs->n_entries == 0)
            status = ct_placements_read_list(directory, placement, &own, err);
        if (status == CT_OK)
            status = make_model(list, source, &schedules, &why, err);
        if (status == CT_OK && schedules.model)
            status = check_queues(source, schedules.model, err);
        if (status == CT_OK && schedules.model)
            status = find_network(study, list, source, &schedules, err);
    }
    if (status == CT_OK && load_all(study, &folders, list, why.text, &schedules) != CT_OK)
        status = ct_no_memory(err, "schedules");
    if (status == CT_OK && schedules.network)
        status = make_simulation(study, &schedules, err);
    ct_run_list_free(&own);
    free(folders.files);
    free(folders.traces);
    if (status != CT_OK) {
        ct_schedules_free(&schedules);
        return status;
    }
    *schedules_p = schedules;
    return CT_OK;
}

void ct_schedules_join(const struct ct_schedules *schedules, struct ct_predict_input *input)
{
    if (schedules->n_available == 0)
        return;
    input->responses = schedules->responses;
    input->joint = ct_simulation_response(schedules->simulation);
}

void ct_schedules_show(const struct ct_schedules *schedules, struct ct_log *log)
{
    ct_simulation_show(schedules->simulation, log);
}

void ct_schedules_free(struct ct_schedules *schedules)
{
    for (size_t app = 0; schedules->items && app < schedules->n_apps; app++) {
        free(schedules->items[app].path);
        free(schedules->items[app].why);
        ct_evaluator_free(schedules->items[app].evaluator);
    }
    free(schedules->items);
    free(schedules->responses);
    ct_simulation_free(schedules->simulation);
    for (size_t i = 0; schedules->programs && i < 2 * schedules->n_apps; i++)
        ct_simulation_program_free(schedules->programs[i]);
    free(schedules->programs);
    ct_simulation_store_close(schedules->store);
    if (schedules->network)
        ct_program_network_free(schedules->network);
    free(schedules->network);
    if (schedules->model)
        ct_parameters_free(schedules->model);
    free(schedules->model);
    ct_argv_free(&schedules->notes);
    *schedules = (struct ct_schedules){0};
}
