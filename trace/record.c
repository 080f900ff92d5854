#include "trace/record.h"

#include "core/mpi_kind.h"
#include "core/parts.h"
#include "core/preload.h"
#include "trace/format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "libcrosstalk-trace.so"

static enum ct_status find_library(char *path, size_t size, struct ct_error *err)
{
    static const char *const relatives[] = {CT_TRACE_LIBRARY_FROM_PROGRAM, LIBRARY,
                                            "../trace/" LIBRARY, NULL};
    const struct ct_preload_library library = {
        .name = LIBRARY,
        .variable = CT_TRACE_LIBRARY_VARIABLE,
        .relatives = relatives,
        .absent = strcmp(CT_MPI_KIND, "none") != 0
                      ? ""
                      : " (this crosstalk was built without an MPI, and so without the tracer)"};
    return ct_preload_find(&library, path, size, err);
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

static enum ct_status check_mpi(char *const *argv, const char *library, struct ct_error *err)
{
    struct ct_mpi_program program;
    ct_preload_program(argv, &program);
    CT_TRY(check_program(&program, library, err));
    return ct_preload_check_launcher(&program, argv, err);
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
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return ct_fail(err, CT_EIO, "--output: %s: is a file; give the name of a folder", given);
    if (has_traces(path))
        return ct_fail(err, CT_EEXIST,
                       "%s holds traces already; remove them or give another folder with --output",
                       given);
    return CT_OK;
}

static enum ct_status set_environment(const char *library, const char *directory,
                                      const struct ct_trace_recording *recording,
                                      struct ct_error *err)
{
    if (setenv("CROSSTALK_TRACE_DIR", directory, 1) != 0 ||
        setenv("CROSSTALK_TRACE_COMPUTE", recording->by_processor ? "cpu" : "wall", 1) != 0 ||
        setenv("CROSSTALK_TRACE_CALL_SITES", recording->call_sites ? "1" : "0", 1) != 0)
        return ct_no_memory(err, "environment");
    return ct_preload_add(library, err);
}

enum ct_status ct_trace_record(const struct ct_trace_recording *recording, bool *ran_p,
                               struct ct_error *err)
{
    char library[PATH_MAX], directory[PATH_MAX];
    char *const *argv = recording->argv;
    *ran_p = false;
    CT_TRY(find_library(library, sizeof library, err));
    CT_TRY(check_mpi(argv, library, err));
    CT_TRY(prepare_directory(recording->directory, directory, err));
    CT_TRY(set_environment(library, directory, recording, err));
    enum ct_status status = ct_preload_run(argv, err);
    *ran_p = status != CT_ENOENT;
    if (status == CT_OK && !has_traces(directory))
        return ct_fail(
            err, CT_ENODATA,
            "%s: rank 0 wrote no trace to %s; is its program linked dynamically to the MPI "
            "library that crosstalk was built with, and does it call MPI_Init?",
            argv[0], directory);
    return status;
}
