#include "delay/run.h"

#include "core/parts.h"
#include "core/preload.h"
#include "core/units.h"
#include "delay/calls.h"
#include "delay/latency.h"
#include "delay/openmpi.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcrosstalk-delay.so"
static enum ct_status find_library(char *path, size_t size, struct ct_error *err)
{
    static const char *const relatives[] = {CT_DELAY_LIBRARY_FROM_PROGRAM, LIBRARY,
                                            "../delay/" LIBRARY, NULL};
    const struct ct_preload_library library = {
        .name = LIBRARY,
        .variable = CT_DELAY_LIBRARY_VARIABLE,
        .relatives = relatives,
        .absent = CT_HAVE_DELAY ? ""
                                : " (this crosstalk was built without it: install libucx-dev and "
                                  "configure with -DCROSSTALK_DELAY=ON)"};
    return ct_preload_find(&library, path, size, err);
}

/* ---- the MPI of the program ---- */

/* Open MPI decides when it starts, and each rank looks. What can be known before is checked. */
static enum ct_status check_openmpi(const struct ct_mpi_program *program, char *const *argv,
                                    struct ct_error *err)
{
    char component[PATH_MAX];
    enum ct_status status = ct_delay_openmpi_check_choice(argv, getenv("OMPI_MCA_pml"), err);
    if (status != CT_OK || program->library[0] == '\0' ||
        !ct_delay_openmpi_component(program->library, component, sizeof component))
        return status;
    return ct_delay_check_file(component, err);
}

static enum ct_status check_program(char *const *argv, bool *known_p, struct ct_error *err)
{
    struct ct_mpi_program program;
    ct_preload_program(argv, &program);
    *known_p = program.library[0] != '\0';
    CT_TRY(ct_preload_check_launcher(&program, argv, err));
    if (program.mpi == CT_MPI_OPENMPI)
        return check_openmpi(&program, argv, err);
    return *known_p ? ct_delay_check_file(program.library, err) : CT_OK;
}

enum ct_status ct_delay_check(const struct ct_delay_run *run, bool *known_p, struct ct_error *err)
{
    struct ct_delay_latency latency = {0};
    const char *slash = strrchr(run->argv[0], '/');
    if (strcmp(slash ? slash + 1 : run->argv[0], "crosstalk") == 0 && run->argv[1] &&
        strcmp(run->argv[1], "lab") == 0)
        return ct_fail(
            err, CT_EUSAGE,
            "in the lab ranks sleep until a packet arrives, so messages that are held "
            "back would come late; use crosstalk lab up --latency, which delays packets");
    enum ct_status status = run->matrix ? ct_delay_matrix_read(run->matrix, &latency, err)
                                        : ct_delay_latency_check(run->latency_s, err);
    free(latency.matrix_ns);
    return status == CT_OK ? check_program(run->argv, known_p, err) : status;
}

/* ---- running it ---- */

static bool set_variable(const char *name, const char *value)
{
    return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

/* What each rank needs, be it on another machine. */
static const char *const passed_on[] = {"LD_PRELOAD",
                                        CT_DELAY_LATENCY_VARIABLE,
                                        CT_DELAY_MATRIX_VARIABLE,
                                        CT_DELAY_QUIET_VARIABLE,
                                        CT_DELAY_WITHIN_NODES_VARIABLE,
                                        CT_DELAY_RENDEZVOUS_VARIABLE,
                                        NULL};

static enum ct_status set_environment(const struct ct_delay_run *run, const char *library,
                                      struct ct_error *err)
{
    char bytes[32], latency[CT_UNITS_TEXT_MAX], matrix[PATH_MAX];
    if (run->matrix && !realpath(run->matrix, matrix)) /* ranks may start in other folders */
        return ct_fail(err, CT_EIO, "%s: %s", run->matrix, strerror(errno));
    snprintf(bytes, sizeof bytes, "%zu", run->rendezvous_bytes);
    ct_format_duration(run->latency_s, latency);
    if (!set_variable(CT_DELAY_LATENCY_VARIABLE, run->matrix ? NULL : latency) ||
        !set_variable(CT_DELAY_MATRIX_VARIABLE, run->matrix ? matrix : NULL) ||
        !set_variable(CT_DELAY_QUIET_VARIABLE, run->quiet ? "1" : NULL) ||
        !set_variable(CT_DELAY_RENDEZVOUS_VARIABLE, bytes) ||
        !set_variable(CT_DELAY_WITHIN_NODES_VARIABLE, run->within_nodes ? "1" : NULL) ||
        (run->within_nodes && !set_variable("MPIR_CVAR_NOLOCAL", "1")))
        return ct_no_memory(err, "environment");
    CT_TRY(ct_delay_openmpi_choose(err));
    CT_TRY(ct_preload_add(library, err));
    if (ct_mpi_is_launcher(run->argv[0]) && ct_mpi_of_launcher(run->argv[0]) == CT_MPI_OPENMPI)
        CT_TRY(ct_delay_openmpi_pass_on(run->argv, passed_on, err));
    return CT_OK;
}

enum ct_status ct_delay_run(const struct ct_delay_run *run, struct ct_error *err)
{
    char library[PATH_MAX];
    CT_TRY(find_library(library, sizeof library, err));
    CT_TRY(set_environment(run, library, err));
    return ct_preload_run(run->argv, err);
}
