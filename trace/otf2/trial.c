/* The program crosstalk-try reads a foreign archive first, and crashes instead of this one. */
#include "core/self.h"
#include "trace/otf2/otf2.h"
#include "trace/otf2/untried.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without the program, or where it cannot be started, archives are read untried. */
static enum ct_status survive_trial(const char *anchor, struct ct_error *err)
{
    char program[PATH_MAX];
    int outcome = 0;
    pid_t child;
    if (!ct_self_find_helper("crosstalk-try", program, sizeof program))
        return CT_OK;
    char *const argv[] = {program, (char *)"otf2", (char *)anchor, NULL};
    if (posix_spawn(&child, program, NULL, NULL, argv, environ) != 0)
        return CT_OK;
    while (waitpid(child, &outcome, 0) < 0)
        if (errno != EINTR)
            return CT_OK;
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0)
        return CT_OK;
    if (WIFEXITED(outcome))
        return ct_fail(err, CT_EFORMAT, "%s: damaged: OTF2 ends the program reading it", anchor);
    return ct_fail(err, CT_EFORMAT, "%s: damaged: OTF2 %s reading it (%s)", anchor,
                   WTERMSIG(outcome) == SIGXCPU || WTERMSIG(outcome) == SIGKILL ? "never ends"
                                                                                : "fails",
                   strsignal(WTERMSIG(outcome)));
}

enum ct_status ct_otf2_open(const char *path, struct ct_events *events_p, struct ct_error *err)
{
    char anchor[PATH_MAX];
    if (access(path, R_OK) != 0)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "cannot read %s: %s", path,
                       strerror(errno));
    CT_TRY(ct_otf2_find_anchor(path, anchor, err));
    CT_TRY(survive_trial(anchor, err));
    return ct_otf2_open_untried(anchor, events_p, err);
}
