#include "campaign/ask.h"

#include "campaign/process.h"

#include <unistd.h>

static enum ct_status run_program(char *const *argv, const char *output, const char *log,
                                  double limit_s, struct ct_error *err)
{
    struct ct_process process;
    unlink(output);
    unlink(log);
    CT_TRY(ct_process_start_apart(argv, output, log, &process, err));
    struct ct_process *all[] = {&process};
    enum ct_status status = ct_process_wait(all, 1, ct_clock_now_s() + limit_s);
    ct_process_kill(&process);
    if (status == CT_EINTR)
        return ct_fail(err, status, "interrupted");
    char tail[300];
    ct_process_tail(log, tail, sizeof tail);
    if (!*tail)
        ct_process_tail(output, tail, sizeof tail);
    if (status != CT_OK)
        return ct_fail(err, status, "%s: no answer within %.0f s%s%s", argv[0], limit_s,
                       *tail ? ": " : "", tail);
    if (process.code != 0)
        return ct_fail(err, CT_ECHILD, "%s: exit code %d%s%s", argv[0], process.code,
                       *tail ? ": " : "", tail);
    return CT_OK;
}

enum ct_status ct_ask(struct ct_argv *argv, const char *folder, double limit_s,
                      struct ct_text *answer_p, struct ct_error *err)
{
    char output[PATH_MAX], log[PATH_MAX];
    enum ct_status status = ct_folder_name(folder, "logs/", "launcher", ".out", output, err);
    if (status == CT_OK)
        status = ct_folder_name(folder, "logs/", "launcher", ".log", log, err);
    if (status == CT_OK && argv->failed)
        status = ct_no_memory(err, "command line");
    if (status == CT_OK)
        status = run_program(argv->item, output, log, limit_s, err);
    if (status == CT_OK)
        status = ct_file_read(output, answer_p, err);
    ct_argv_free(argv);
    return status;
}
