#include "cli/cli.h"

int ct_print_failure(const char *command, const struct ct_error *err)
{
    struct ct_log log = ct_log_open(command, false);
    ct_log_error(&log, err);
    return ct_exit_code(err->status);
}

int ct_command_main(const struct ct_command *command, int argc, char **argv, void *settings,
                    ct_command_run *run)
{
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(command, argc, argv, settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = run(settings, &args, &err);
    return status == CT_OK ? 0 : ct_print_failure(command->name, &err);
}
