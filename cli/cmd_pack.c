/* crosstalk pack: the runs of a campaign in one file. */
#include "cli/cli.h"
#include "cli/placement_row.h"
#include "cli/warn.h"
#include "core/option_rows.h"
#include "results/thin.h"
#include "study/placements.h"
#include "study/switch_counters.h"

struct values {
    const char *output;
    const char *placement;
    uint64_t samples_max;
    bool quiet;
};

static const struct ct_option options[] = {
    CT_ROW_OUTPUT(struct values, output, "FILE.h5",
                  "the packed campaign; an existing file is replaced once the new one is complete",
                  .required = true, .target = CT_FILE_REGULAR),
    {.name = "thin",
     CT_OPTION_AT(U64, struct values, samples_max),
     .argument = "N",
     .min = CT_THIN_STRETCH,
     .max = 1e15,
     .help = "keep at most this many samples of each probe run; without it, all"},
    CT_ROW_PLACEMENT(struct values, placement,
                     "only the runs of one placement of a campaign that has several, for commands "
                     "without this option; without it, all"),
    CT_ROW_QUIET_NO_ANSWER(struct values, quiet),
    {0}};
static const struct ct_option_group groups[] = {{"Output", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk pack",
    .summary = "put the runs of a campaign into one file",
    .operands = "DIR",
    .description =
        "Every command that takes a campaign's folder takes the packed file too, or a folder that "
        "holds it. Its runs are named FILE.h5:0000, FILE.h5:0001 and so on, in the order of their "
        "paths.\n\nEvery run is read completely first. If a file cannot be read, nothing is "
        "packed, so that no run is lost unnoticed. The utilization by the switch counters during a "
        "run, RUN.ports.json beside it, becomes the attribute "
        "packed_switch_busy_mean_frac.\n\nWith --thin a probe run keeps stretches of 64 to 127 "
        "consecutive samples, in the order of time over all pairs, at equal steps from its first "
        "sample to its last. So bursts and correlations shorter than a stretch do not change, and "
        "mean and distribution are those of a smaller sample of the whole run. The attributes "
        "packed_thinned_rule and packed_thinned_from_samples record this.",
    .groups = groups,
    .examples = (const char *const[]){"crosstalk pack results -o campaign.h5",
                                      "all runs of a campaign in one file",
                                      "crosstalk pack results --thin 640 -o small.h5",
                                      "the same with ten stretches of each probe run", NULL},
    .see_also =
        (const char *const[]){"crosstalk(1)", "crosstalk-show(1)", "crosstalk-export(1)", NULL},
    .min_operands = 1,
    .max_operands = 1};

static enum ct_status pack(const char *path, const struct values *values, size_t *n_p,
                           struct ct_error *err)
{
    struct ct_run_list list;
    enum ct_status status = ct_run_list_read(path, &list, err);
    if (status != CT_OK)
        return status;
    ct_warn_of_rejected(command.name, &list);
    if (list.n_rejected > 0)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: files that cannot be read: %zu, named above; move them away first",
                         path, list.n_rejected);
    if (status == CT_OK && values->placement)
        status = ct_placements_select(values->placement, path, &list, err);
    for (size_t i = 0; i < list.n_entries && status == CT_OK; i++)
        status = ct_switch_add_facts(&list.entries[i], err);
    if (status == CT_OK)
        status = ct_run_pack_thinned(&list, values->output, values->samples_max, err);
    *n_p = list.n_entries;
    ct_run_list_free(&list);
    return status;
}

int ct_cmd_pack(int argc, char **argv)
{
    struct values values = {.samples_max = SIZE_MAX};
    struct ct_arguments args;
    struct ct_error err;
    size_t n = 0;
    if (ct_command_parse(&command, argc, argv, &values, &args, stdout, &err) != CT_OK)
        return ct_print_failure(command.name, &err);
    if (args.finished)
        return 0;
    if (pack(args.operands[0], &values, &n, &err) != CT_OK)
        return ct_print_failure(command.name, &err);
    struct ct_log log = ct_log_open(command.name, values.quiet);
    ct_log_info(&log, "%s: %zu runs", values.output, n);
    return 0;
}
