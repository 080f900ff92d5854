#include "cli/analysis.h"

#include "core/log.h"

/* Ends of a 90 % interval rest on 50 replicates each: good to a tenth of the interval's length. */
enum { REPLICATES = 1000 };

const struct ct_option ct_analysis_options[] = {
    {.name = "format",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct ct_analysis_settings, format),
     .argument = "FORM",
     .initial = "table",
     .choices = ct_format_names,
     .help = "form of the answer"},
    {.name = "confidence",
     .type = CT_OPTION_FRACTION,
     .offset = offsetof(struct ct_analysis_settings, confidence_frac),
     .argument = "FRACTION",
     .initial = "90%",
     .min = 0.5,
     .max = 0.99,
     .help = "level of the intervals, which come from a block bootstrap over time"},
    {.name = "seed",
     .type = CT_OPTION_SEED,
     .offset = offsetof(struct ct_analysis_settings, seed),
     .argument = "N",
     .help = "start of the random numbers of the bootstrap"},
    {.name = "quiet",
     .letter = 'q',
     .type = CT_OPTION_FLAG,
     .offset = offsetof(struct ct_analysis_settings, quiet),
     .help = "print warnings, errors and the answer only"},
    {0}};

struct ct_bootstrap ct_analysis_bootstrap(const struct ct_analysis_settings *settings)
{
    return (struct ct_bootstrap){
        .replicates = REPLICATES, .level = settings->confidence_frac, .seed = settings->seed};
}

struct ct_bootstrap ct_predict_bootstrap(const struct ct_analysis_settings *settings)
{
    /* Ends of a 90 % interval rest on 20 replicates each. */
    enum { FEWER = 400 };
    struct ct_bootstrap setup = ct_analysis_bootstrap(settings);
    setup.replicates = FEWER;
    return setup;
}

void ct_analysis_warn(const struct ct_words *notes)
{
    struct ct_log log = ct_log_open("crosstalk", false);
    for (size_t i = 0; i < notes->n; i++)
        ct_log_warn(&log, "%s", notes->item[i]);
}

static void add_provenance(const char *name, const char *value, void *report)
{
    if (*value)
        ct_report_provenance(report, name, "%s", value);
}

void ct_analysis_provenance(const struct ct_command *command, const void *values,
                            struct ct_report *report)
{
    ct_command_visit(command, values, add_provenance, report);
}
