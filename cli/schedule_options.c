#include "cli/schedule_options.h"

const struct ct_option ct_schedule_options[] = {
    {.name = "schedules",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, folder),
     .argument = "DIR2",
     .help = "folder with schedules APP.goal or APP.bin of the applications, for the models lp and "
             "replay (default: schedules in the campaign's folder, or traces)"},
    {.name = "L",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, model.L),
     .argument = "DURATION",
     .help = "latency of the idle network; this and the others of LogGPS are taken from the "
             "campaign's logp run of the idle network where they are not given"},
    {.name = "o",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, model.o),
     .argument = "DURATION",
     .help = "overhead of the CPU for a message, on either side"},
    {.name = "G",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, model.G),
     .argument = "DURATION",
     .help = "gap per byte, the inverse of bandwidth: 0.08ns is 100 Gbit/s"},
    {.name = "S",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, model.S),
     .argument = "SIZE",
     .help = "larger messages use rendezvous"},
    {.name = "logp",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, model.logp_path),
     .argument = "FILE.h5",
     .help = "another run of logpb for LogGPS"},
    {0}};

enum ct_status ct_schedule_source_given(const struct ct_schedule_settings *settings,
                                        struct ct_schedule_source *source_p, struct ct_error *err)
{
    source_p->folder = settings->folder;
    return ct_model_given(&settings->model, &source_p->given, err);
}
