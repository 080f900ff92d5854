/* What is done inside a lab from outside. */
#include "lab/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void act_inside(const struct ct_lab *lab, ct_lab_act *act, const void *data, int answer)
{
    struct ct_error err;
    enum ct_status status = ct_lab_enter(lab, &err);
    if (status == CT_OK)
        status = act(lab, data, &err);
    if (status != CT_OK && write(answer, &err, sizeof err) != (ssize_t)sizeof err)
        _exit(1);
    _exit(0);
}

enum ct_status ct_lab_inside(const struct ct_lab *lab, ct_lab_act *act, const void *data,
                             struct ct_error *err)
{
    int answer[2];
    if (pipe2(answer, O_CLOEXEC) != 0)
        return ct_fail(err, CT_EIO, "pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    int cause = errno;
    if (child == 0)
        act_inside(lab, act, data, answer[1]);
    close(answer[1]);
    struct ct_error refusal;
    ssize_t n = child > 0 ? read(answer[0], &refusal, sizeof refusal) : -1;
    close(answer[0]);
    if (child < 0)
        return ct_fail(err, CT_EIO, "lab: no process: %s", strerror(cause));
    if (ct_lab_wait(child) != 0)
        return ct_fail(err, CT_ECHILD, "lab '%s': cannot be looked at", lab->paths.id);
    if (n != (ssize_t)sizeof refusal)
        return CT_OK;
    if (err)
        *err = refusal;
    return refusal.status;
}
