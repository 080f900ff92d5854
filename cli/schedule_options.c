#include "cli/schedule_options.h"

#include "cli/trace_options.h"

#include <stdint.h>

static const char *const order_names[] = {"fitted", "round-robin", "fifo", "shared", NULL};
static const size_t not_given = SIZE_MAX;

static enum ct_status parse_burst(const char *text, void *field, struct ct_error *err)
{
    size_t *burst_bytes = field;
    *burst_bytes = not_given;
    return *text ? ct_parse_size(text, burst_bytes, err) : CT_OK;
}

const struct ct_option ct_schedule_options[] = {
    {CT_OPTION(STRING, "schedules", struct ct_schedule_settings, folder), .argument = "DIR2",
     .help = "folder with schedules APP.goal or APP.bin of the applications, for the models lp and "
             "packets (default: schedules in the campaign's folder, or traces)"},
    {CT_OPTION(CHOICE, "pass", struct ct_schedule_settings, pass), .argument = "PART",
     .initial = "whole", .choices = ct_pass_names,
     .help =
         "of traces: the whole program, or only the steps that repeat in it, as crosstalk-goal(1) "
         "finds them with --pass step; an application without such steps has no schedule then"},
    CT_MODEL_ROW_L(struct ct_schedule_settings, model.L,
                   "latency of the idle network; this and the others of LogGPS are taken from the "
                   "campaign's logp run of the idle network where they are not given"),
    CT_MODEL_ROW_O(struct ct_schedule_settings, model.o, ""),
    CT_MODEL_ROW_G(struct ct_schedule_settings, model.G, ""),
    CT_ROW_BETWEEN(struct ct_schedule_settings, model.g),
    CT_MODEL_ROW_S(struct ct_schedule_settings, model.S, ""),
    CT_MODEL_ROW_LOGP(struct ct_schedule_settings, model.logp_path,
                      "another run of logpb for LogGPS"),
    CT_MODEL_ROW_PARAMETERS(struct ct_schedule_settings, model.posterior_path,
                            ", and queues for the model packets"),
    {CT_OPTION(CHOICE, "queue", struct ct_schedule_settings, order), .argument = "ORDER",
     .initial = "fitted", .choices = order_names,
     .help = "order in which ports of the network serve, for the model packets. fitted: that of "
             "--parameters, else what the runs record, else fitted to the configurations"},
    {CT_OPTION(CUSTOM, "burst", struct ct_schedule_settings, burst_bytes), .argument = "SIZE",
     .initial = "", .parse = parse_burst,
     .help = "bytes that an unused port lets pass at once, for the model packets (default: that "
             "of --parameters, else what the runs record, else fitted)"},
    {0}};

enum ct_status ct_schedule_source_given(const struct ct_schedule_settings *settings,
                                        struct ct_schedule_source *source_p, struct ct_error *err)
{
    source_p->folder = settings->folder;
    source_p->steps_only = settings->pass > 0;
    source_p->queues = (struct ct_queues_known){0};
    if (settings->order > 0) {
        source_p->queues.has_order = true;
        source_p->queues.order = (enum ct_port_order)(settings->order - 1);
    }
    if (settings->burst_bytes != not_given) {
        source_p->queues.has_burst = true;
        source_p->queues.burst_bytes = (double)settings->burst_bytes;
    }
    CT_TRY(ct_model_demand_G(&settings->model, err));
    return ct_model_given(&settings->model, &source_p->given, err);
}
