#include "lp-bridge/trace/record.h"

#include "core/mpi_kind.h"
#include "core/parts.h"
#include "core/self.h"
#include "lp-bridge/trace/format.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libcrosstalk-trace.so"

static enum ct_status find_library(char *path, size_t size, struct ct_error *err)
{
    static const char *const relatives[] = {CT_TRACE_LIBRARY_FROM_PROGRAM, LIBRARY,
                                            "../lp-bridge/trace/" LIBRARY, NULL};
    const char *given = getenv(CT_TRACE_LIBRARY_VARIABLE);
    char folder[PATH_MAX / 2];
    if (given) {
        snprintf(path, size, "%s", given);
        return access(path, R_OK) == 0
                   ? CT_OK
                   : ct_fail(err, CT_ENOENT, CT_TRACE_LIBRARY_VARIABLE " %s: %s", given,
                             strerror(errno));
    }
    enum ct_status status = ct_self_folder(folder, sizeof folder, err);
    if (status != CT_OK || ct_self_find(folder, relatives, path, size))
        return status;
    return ct_fail(err, CT_ENOENT,
                   LIBRARY ": neither beside %s nor installed%s; set " CT_TRACE_LIBRARY_VARIABLE
                           " to its path",
                   folder,
                   strcmp(CT_MPI_KIND, "none") != 0
                       ? ""
                       : " (this crosstalk was built without an MPI, and so without the tracer)");
}

/* The tracer is linked to one MPI: in a program of another it would bring a second one. */
static enum ct_status check_program(const struct ct_mpi_program *program, const char *library,
                                    struct ct_error *err)
{
    struct ct_mpi_program tracer;
    ct_mpi_of_file(library, &tracer);
    if (program->mpi == CT_MPI_UNKNOWN || tracer.mpi == CT_MPI_UNKNOWN ||
        program->mpi == tracer.mpi)
        return CT_OK;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s is linked to %s, but %s to %s: set " CT_TRACE_LIBRARY_VARIABLE
                   " to the library of a crosstalk that is built with -DCROSSTALK_MPI=%s",
                   program->path, ct_mpi_title(program->mpi), library, ct_mpi_title(tracer.mpi),
                   ct_mpi_names[program->mpi]);
}

/* Under another MPI's launcher each rank would be alone, and all of them rank 0. */
static enum ct_status check_launcher(const struct ct_mpi_program *program, char *const *argv,
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

/* What is started by `crosstalk lab mpiexec`: crosstalk itself is not the program. */
static enum ct_status check_mpi(char *const *argv, const char *library, struct ct_error *err)
{
    const char *slash = strrchr(argv[0], '/');
    bool is_crosstalk = strcmp(slash ? slash + 1 : argv[0], "crosstalk") == 0;
    struct ct_mpi_program program;
    ct_mpi_of_command(argv + is_crosstalk, &program);
    enum ct_status status = check_program(&program, library, err);
    return status == CT_OK ? check_launcher(&program, argv, err) : status;
}

static bool has_traces(const char *directory)
{
    char name[CT_TRACE_NAME_MAX], first[PATH_MAX + CT_TRACE_NAME_MAX];
    ct_trace_file_name(0, name);
    snprintf(first, sizeof first, "%s/%s", directory, name);
    return access(first, F_OK) == 0;
}

/* An absolute path, since ranks may start in other folders; without traces in it. */
static enum ct_status prepare_directory(const char *given, char path[PATH_MAX],
                                        struct ct_error *err)
{
    if (mkdir(given, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "cannot make %s: %s", given, strerror(errno));
    if (!realpath(given, path))
        return ct_fail(err, CT_EIO, "%s: %s", given, strerror(errno));
    if (has_traces(path))
        return ct_fail(err, CT_EEXIST,
                       "%s holds traces already; remove them or give another folder with --output",
                       given);
    return CT_OK;
}

static enum ct_status set_environment(const char *library, const char *directory, bool by_processor,
                                      struct ct_error *err)
{
    const char *others = getenv("LD_PRELOAD");
    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0)
        return ct_fail(err, CT_ENOMEM, "out of memory");
    bool set = setenv("LD_PRELOAD", preload, 1) == 0 &&
               setenv("CROSSTALK_TRACE_DIR", directory, 1) == 0 &&
               setenv("CROSSTALK_TRACE_COMPUTE", by_processor ? "cpu" : "wall", 1) == 0;
    free(preload);
    return set ? CT_OK : ct_fail(err, CT_ENOMEM, "out of memory");
}

/* Signals from the terminal reach the command too; it decides, and its traces are kept. */
static enum ct_status run(char *const *argv, const char *name, struct ct_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;
    int how;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return ct_fail(err, CT_EIO, "cannot start %s: %s", argv[0], strerror(errno));
    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "%s: cannot start %s: %s\n", name, argv[0], strerror(errno));
        _exit(127);
    }
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (WIFSIGNALED(how))
        return ct_fail(err, CT_ECHILD, "%s: ended by signal %d", argv[0], WTERMSIG(how));
    if (WEXITSTATUS(how) != 0)
        return ct_fail(err, CT_ECHILD, "%s: exit code %d", argv[0], WEXITSTATUS(how));
    return CT_OK;
}

enum ct_status ct_trace_record(const struct ct_trace_recording *recording, bool *ran_p,
                               struct ct_error *err)
{
    char library[PATH_MAX], directory[PATH_MAX];
    char *const *argv = recording->argv;
    *ran_p = false;
    enum ct_status status = find_library(library, sizeof library, err);
    if (status == CT_OK)
        status = check_mpi(argv, library, err);
    if (status == CT_OK)
        status = prepare_directory(recording->directory, directory, err);
    if (status == CT_OK)
        status = set_environment(library, directory, recording->by_processor, err);
    if (status != CT_OK)
        return status;
    *ran_p = true;
    status = run(argv, recording->name, err);
    if (status == CT_OK && !has_traces(directory))
        return ct_fail(
            err, CT_ENODATA,
            "%s: rank 0 wrote no trace to %s; is its program linked dynamically to the MPI "
            "library that crosstalk was built with, and does it call MPI_Init?",
            argv[0], directory);
    return status;
}
