/* crosstalk recover: a run file of what a killed probe run had measured. */
#include "cli/cli.h"
#include "core/option_rows.h"
#include "results/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct values {
    const char *output;
    bool quiet;
};

static const struct ct_option options[] = {
    CT_ROW_OUTPUT(
        struct values, output, "FILE.h5",
        "run file to make; by default the one that the run would have written. An existing "
        "file is not overwritten",
        .target = CT_FILE_REGULAR),
    CT_ROW_QUIET_NO_ANSWER(struct values, quiet),
    {0}};
static const struct ct_option_group groups[] = {{"Output", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk recover",
    .summary = "make a run file of what a killed impactb or logpb had measured",
    .operands = "FILE.h5",
    .description =
        "impactb and logpb save their measurements in the folder FILE.h5.checkpoint beside their "
        "output, every --checkpoint (impactb: 60 s, logpb: 1 s), and remove it when the run file "
        "is complete. If one is killed, the folder remains. This command makes a run file of it, "
        "with the attribute recovered_from_checkpoint, and then removes the folder. It takes the "
        "name of the run file or of the folder.",
    .groups = groups,
    .examples = (const char *const[]){"crosstalk recover idle.h5", "of idle.h5.checkpoint", NULL},
    .see_also = (const char *const[]){"impactb(1)", "logpb(1)", "crosstalk-show(1)", NULL},
    .min_operands = 1,
    .max_operands = 1};

/* OUTPUT of "OUTPUT", "OUTPUT.checkpoint" or "OUTPUT.checkpoint/". */
static char *output_of(const char *name)
{
    size_t length = strlen(name), suffix = strlen(CT_CHECKPOINT_SUFFIX);
    while (length > 1 && name[length - 1] == '/')
        length--;
    bool is_folder =
        length > suffix && strncmp(name + length - suffix, CT_CHECKPOINT_SUFFIX, suffix) == 0;
    return strndup(name, is_folder ? length - suffix : length);
}

/* What was given is the run file, which may be there, or what was measured before it. */
static enum ct_status find_folder(const char *base, char **folder_p, struct ct_error *err)
{
    if (asprintf(folder_p, "%s%s", base, CT_CHECKPOINT_SUFFIX) < 0) {
        *folder_p = NULL;
        return ct_no_memory(err, "%s", base);
    }
    if (access(*folder_p, F_OK) == 0)
        return CT_OK;
    if (access(base, F_OK) == 0)
        return ct_fail(err, CT_EUSAGE, "%s: there is no %s: nothing is to be recovered", base,
                       *folder_p);
    return ct_fail(err, CT_ENOENT, "%s: no such folder", *folder_p);
}

static enum ct_status recover(const char *folder, const char *output, size_t *n_p,
                              struct ct_error *err)
{
    struct ct_run run;
    if (access(output, F_OK) == 0)
        return ct_fail(err, CT_EEXIST, "%s is there; name another file with --output", output);
    enum ct_status status = ct_checkpoint_recover(folder, &run, err);
    if (status != CT_OK)
        return status;
    *n_p = run.n_samples + run.n_logp;
    status = ct_run_write(output, &run, err);
    ct_run_free(&run);
    return status;
}

int ct_cmd_recover(int argc, char **argv)
{
    struct values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    size_t n = 0;
    if (ct_command_parse(&command, argc, argv, &values, &args, stdout, &err) != CT_OK)
        return ct_print_failure(command.name, &err);
    if (args.finished)
        return 0;
    char *base = output_of(args.operands[0]), *folder = NULL;
    enum ct_status status =
        base ? find_folder(base, &folder, &err) : ct_no_memory(&err, "%s", args.operands[0]);
    const char *output = values.output ? values.output : base;
    if (status == CT_OK)
        status = recover(folder, output, &n, &err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, values.quiet);
        ct_log_info(&log, "%s: %zu rows", output, n);
        status = ct_checkpoint_remove(base, &err);
    }
    free(folder);
    free(base);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
