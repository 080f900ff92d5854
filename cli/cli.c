#include "cli/cli.h"

int ct_report_failure(const char *command, const struct ct_error *err)
{
    struct ct_log log = ct_log_open(command, false);
    ct_log_error(&log, err);
    return ct_exit_code(err->status);
}

int ct_report_finish(const char *command, struct ct_report *report)
{
    struct ct_error err;
    enum ct_status status = report ? ct_report_print(report, stdout, &err)
                                   : ct_fail(&err, CT_ENOMEM, "report: out of memory");
    ct_report_free(report);
    return status == CT_OK ? 0 : ct_report_failure(command, &err);
}
