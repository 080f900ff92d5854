#include "core/preload.h"

#include "core/self.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum ct_status ct_preload_find(const struct ct_preload_library *library, char *path, size_t size,
                               struct ct_error *err)
{
    const char *given = getenv(library->variable);
    char folder[PATH_MAX / 2];
    if (given) {
        snprintf(path, size, "%s", given);
        return access(path, R_OK) == 0 ? CT_OK
                                       : ct_fail(err, CT_ENOENT, "%s %s: %s", library->variable,
                                                 given, strerror(errno));
    }
    enum ct_status status = ct_self_folder(folder, sizeof folder, err);
    if (status != CT_OK || ct_self_find(folder, library->relatives, path, size))
        return status;
    return ct_fail(err, CT_ENOENT, "%s: neither beside %s nor installed%s; set %s to its path",
                   library->name, folder, library->absent, library->variable);
}

void ct_preload_program(char *const *argv, struct ct_mpi_program *program_p)
{
    const char *slash = strrchr(argv[0], '/');
    bool is_crosstalk = strcmp(slash ? slash + 1 : argv[0], "crosstalk") == 0;
    ct_mpi_of_command(argv + is_crosstalk, program_p);
}

enum ct_status ct_preload_check_launcher(const struct ct_mpi_program *program, char *const *argv,
                                         struct ct_error *err)
{
    if (program->mpi == CT_MPI_UNKNOWN || !ct_mpi_is_launcher(argv[0]))
        return CT_OK;
    enum ct_mpi mpi = ct_mpi_of_launcher(argv[0]);
    if (mpi == CT_MPI_UNKNOWN || mpi == program->mpi)
        return CT_OK;
    struct ct_mpi_choice choice;
    bool found = ct_mpi_choose(argv, CT_MPI_UNKNOWN, NULL, &choice, NULL) == CT_OK;
    return ct_fail(err, CT_EUSAGE, "%s is %s's, but %s is linked to %s; start it with %s", argv[0],
                   ct_mpi_title(mpi), program->path, ct_mpi_title(program->mpi),
                   found ? choice.launcher : "its mpiexec");
}

enum ct_status ct_preload_add(const char *path, struct ct_error *err)
{
    const char *others = getenv("LD_PRELOAD");
    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", path, others ? ":" : "", others ? others : "") < 0)
        return ct_no_memory(err, "LD_PRELOAD");
    bool set = setenv("LD_PRELOAD", preload, 1) == 0;
    free(preload);
    return set ? CT_OK : ct_no_memory(err, "LD_PRELOAD");
}

/* The command. A signal that ends this process is meant for the program: a launcher that gets
 * SIGTERM ends its ranks. */
static _Noreturn void become_program(char *const *argv, int report, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) { /* else it died before that took effect */
        execvp(argv[0], argv);
        int why = errno;
        ssize_t written = write(report, &why, sizeof why); /* else it is only an exit code */
        (void)written;
    }
    _exit(127);
}

/* Why the child could not become the command; 0: it has. */
static int read_report(int report)
{
    int why = 0;
    ssize_t n;
    while ((n = read(report, &why, sizeof why)) < 0 && errno == EINTR)
        ;
    close(report);
    return n == (ssize_t)sizeof why ? why : 0;
}

enum ct_status ct_preload_run(char *const *argv, struct ct_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;
    int how, report[2]; /* it closes when the command starts */
    if (pipe2(report, O_CLOEXEC) != 0)
        return ct_fail(err, CT_EIO, "cannot start %s: %s", argv[0], strerror(errno));
    fflush(NULL);
    pid_t self = getpid(), child = fork();
    if (child == 0)
        become_program(argv, report[1], self);
    int why = child < 0 ? errno : 0;
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        return ct_fail(err, CT_EIO, "cannot start %s: %s", argv[0], strerror(why));
    }
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    why = read_report(report[0]);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (why != 0)
        return ct_fail(err, CT_ENOENT, "cannot start %s: %s", argv[0], strerror(why));
    if (WIFSIGNALED(how))
        return ct_fail(err, CT_ECHILD, "%s: ended by signal %d", argv[0], WTERMSIG(how));
    if (WEXITSTATUS(how) != 0)
        return ct_fail(err, CT_ECHILD, "%s: exit code %d", argv[0], WEXITSTATUS(how));
    return CT_OK;
}
