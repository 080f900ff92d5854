#include "cli/graph_input.h"

#include <unistd.h>

const struct ct_option ct_graph_options[] = {
    {CT_OPTION(FLAG, "serialize", struct ct_graph_settings, serialize),
     .help =
         "one operation at a time on each CPU of a rank, in the order of the schedule; a "
         "receive blocks its CPU, so that one listed before the send it depends on is an error"},
    {CT_OPTION(FLAG, "serialize-nic", struct ct_graph_settings, serialize_nic),
     .help = "one message at a time leaves each NIC of a rank, in the order of the schedule, so "
             "that sends at the same time share its bandwidth; not those by rendezvous"},
    {0}};

const struct ct_option ct_threads_options[] = {
    {CT_OPTION(U64, "threads", struct ct_answer_settings, threads), CT_RANGE(1, 64),
     .help = "walks through the graph at the same time; without it, one for each processor"},
    {0}};

const struct ct_option ct_output_options[] = {
    CT_ROW_FORMAT(struct ct_answer_settings, format, "format of the output"),
    CT_ROWS_VIEW(struct ct_answer_settings, view),
    {0}};

struct ct_answer_settings ct_answer_defaults(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct ct_answer_settings){.threads = processors > 0 ? (uint64_t)processors : 1};
}

struct ct_graph_options ct_graph_load_options(const struct ct_graph_settings *settings,
                                              const struct ct_parameters *model)
{
    return (struct ct_graph_options){
        .eager_max_bytes = model->S_bytes,
        .serialize = settings->serialize,
        .serialize_nic = settings->serialize_nic,
        .overheads = ct_parameters_overheads(model),
        .gaps = settings->gaps && model->G_s_per_byte > 0 ? ct_parameters_gaps(model) : NULL,
        .gaps_G_s_per_byte = model->G_s_per_byte,
        .g_ns = ct_ns_from_s(model->between_s),
        .puts = settings->puts != 0,
        .in_call = settings->progress == CT_ASKED_IN_CALL,
        .peers = settings->peers};
}

void ct_gaps_fill(const struct ct_graph_settings *settings, const struct ct_parameters *model,
                  struct ct_tables *tables)
{
    if (settings->gaps && !ct_parameters_gaps(model))
        ct_tables_note(tables, "--gaps changes nothing: one G is right for all sizes, or L, o and "
                               "G are not all those of --logp");
}

enum ct_status ct_graph_load(const char *command, struct ct_input input,
                             const struct ct_graph_settings *settings,
                             const struct ct_parameters *model, struct ct_graph *graph_p,
                             struct ct_error *err)
{
    struct ct_goal goal;
    const struct ct_graph_options options = ct_graph_load_options(settings, model);
    struct ct_trace_settings traces = settings->traces;
    traces.marks_waits = options.in_call;
    CT_TRY(ct_schedule_load(command, input, &traces, &goal, err));
    enum ct_status status = ct_graph_take(&goal, &options, graph_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", input.path);
}

struct ct_tables *ct_graph_tables(const struct ct_command *command, const void *values,
                                  enum ct_format format, const char *path,
                                  const struct ct_graph *graph)
{
    struct ct_tables *tables = ct_tables_new(command->name, format);
    ct_tables_provenance(tables, "schedule", "%s", path);
    ct_tables_parameters(tables, command, values);
    ct_tables_provenance(tables, "ranks", "%u", graph->n_ranks);
    ct_tables_provenance(tables, "operations", "%llu", (unsigned long long)graph->n_operations);
    return tables;
}
