#include "cli/schedule_options.h"

const struct ct_option ct_schedule_options[] = {
    {.name = "schedules",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_schedule_settings, folder),
     .argument = "DIR2",
     .help = "folder with schedules APP.goal or APP.bin of the applications, for the models lp and "
             "replay (default: schedules in the campaign's folder, or traces)"},
    CT_MODEL_ROW_L(offsetof(struct ct_schedule_settings, model.L),
                   "latency of the idle network; this and the others of LogGPS are taken from the "
                   "campaign's logp run of the idle network where they are not given"),
    CT_MODEL_ROW_O(offsetof(struct ct_schedule_settings, model.o), ""),
    CT_MODEL_ROW_G(offsetof(struct ct_schedule_settings, model.G), ""),
    CT_MODEL_ROW_S(offsetof(struct ct_schedule_settings, model.S), ""),
    CT_MODEL_ROW_LOGP(offsetof(struct ct_schedule_settings, model.logp_path),
                      "another run of logpb for LogGPS"),
    {0}};

enum ct_status ct_schedule_source_given(const struct ct_schedule_settings *settings,
                                        struct ct_schedule_source *source_p, struct ct_error *err)
{
    source_p->folder = settings->folder;
    return ct_model_given(&settings->model, &source_p->given, err);
}
