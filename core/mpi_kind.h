/**
 * Which MPI a program is linked to, and what starts programs of that MPI.
 *
 * A program started by another MPI's mpiexec does not fail: each of its ranks is alone in a world
 * of one. So the launcher is chosen by the program, on machines that have several MPIs too:
 *
 *     struct ct_mpi_choice choice;
 *     if (ct_mpi_choose(argv, CT_MPI_UNKNOWN, NULL, &choice, &err) == CT_OK)
 *         start(choice.launcher, argv);
 *
 * The environment variable CROSSTALK_MPIEXEC names a launcher for programs of its own MPI, and for
 * those whose MPI is not known. If its own MPI is not known, it starts all programs.
 */
#ifndef CT_CORE_MPI_KIND_H
#define CT_CORE_MPI_KIND_H

#include "core/status.h"

#include <limits.h>
#include <stdbool.h>

/** An MPI: libraries and launchers that belong together. Names as in files and options. */
#define CT_MPI_MAP(X)                                                                              \
    X(UNKNOWN, "auto", "an unknown MPI")                                                           \
    X(MPICH, "mpich", "MPICH")                                                                     \
    X(OPENMPI, "openmpi", "Open MPI")

enum ct_mpi {
#define CT_MPI_ENUM(name, text, title) CT_MPI_##name,
    CT_MPI_MAP(CT_MPI_ENUM)
#undef CT_MPI_ENUM
        CT_MPI_N
};

/** "auto", "mpich", "openmpi", NULL: choices of an option. */
extern const char *const ct_mpi_names[];
/** "MPICH" */
const char *ct_mpi_title(enum ct_mpi mpi);
/** That of this build's programs; unknown if it has none. */
enum ct_mpi ct_mpi_of_build(void);

/** By the file name of a library: those of MPICH's ABI (Intel MPI, MVAPICH, Cray MPICH) count as
 * MPICH. Unknown: no MPI's. */
enum ct_mpi ct_mpi_of_library(const char *name);
/** By what a launcher prints for --version, or a library for MPI_Get_library_version(). */
enum ct_mpi ct_mpi_of_version(const char *text);

/** A program and its MPI. */
struct ct_mpi_program {
    enum ct_mpi mpi;
    char path[PATH_MAX];    /**< of the program; "": unknown */
    char library[PATH_MAX]; /**< of its MPI, as the dynamic loader finds it; "": unknown */
};

/**
 * By the libraries that a program or shared library needs; if none of these is an MPI's, by
 * those that its dynamic loader finds (which takes a process and some ms). Scripts, programs that
 * are linked statically and files that cannot be read are of an unknown MPI.
 * @param path       [in]  of the file
 * @param program_p  [out] always filled
 */
void ct_mpi_of_file(const char *path, struct ct_mpi_program *program_p);

/**
 * The same for a command line. If its first word has no MPI, as "env", "taskset" and "bash" have
 * not, the first later word that names a program with an MPI does; a word with blanks, as after
 * "bash -c", is split at these. Words are looked up in PATH; launchers do not count.
 * @param argv       [in]  NULL-terminated
 * @param program_p  [out] always filled
 */
void ct_mpi_of_command(char *const *argv, struct ct_mpi_program *program_p);

/** By its name: "mpiexec", "/usr/bin/mpirun.openmpi", "srun" and so on. */
bool ct_mpi_is_launcher(const char *word);

/** By the name of a launcher or else by its answer to --version. */
enum ct_mpi ct_mpi_of_launcher(const char *launcher);

struct ct_mpi_choice {
    struct ct_mpi_program program;
    enum ct_mpi mpi;         /**< of the launcher; may be unknown */
    char launcher[PATH_MAX]; /**< a name to be found in PATH, or a path */
};

/**
 * Choose the launcher of a program: the one that is given, beside the program's MPI library, that
 * of this build, in PATH. A program of an unknown MPI counts as one of the MPI that is wanted, or
 * else of that of $CROSSTALK_MPIEXEC, or else of this build's.
 * @param argv      [in]  command line of the program; NULL-terminated
 * @param wanted    [in]  MPI of a program whose own is not known; CT_MPI_UNKNOWN: see above
 * @param given     [in]  launcher to use if it is of the program's MPI; NULL or "": the one in
 *                        $CROSSTALK_MPIEXEC
 * @param choice_p  [out] unchanged on error
 * @return CT_OK; CT_ENOENT (the given one is not there); CT_EUNSUPPORTED (none of that MPI)
 */
enum ct_status ct_mpi_choose(char *const *argv, enum ct_mpi wanted, const char *given,
                             struct ct_mpi_choice *choice_p, struct ct_error *err);

#endif
