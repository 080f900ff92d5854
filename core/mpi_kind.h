/**
 * Which MPI a program is linked to, and what starts programs of that MPI.
 *
 * A program started by another MPI's mpiexec does not fail: each of its ranks is alone in a world
 * of one. So the launcher is chosen to fit the program:
 *
 *     struct ct_mpi_choice choice;
 *     if (ct_mpi_choose(argv, CT_MPI_UNKNOWN, NULL, &choice, &err) == CT_OK)
 *         start(choice.launcher, argv);
 *
 * The environment variable CROSSTALK_MPIEXEC names a launcher. It starts the programs of the
 * launcher's MPI, and those whose MPI is unknown. If the launcher's MPI is unknown, it starts all
 * programs.
 */
#pragma once

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
/** The MPI of this build's programs; CT_MPI_UNKNOWN: the build has none. */
enum ct_mpi ct_mpi_of_build(void);

/**
 * The MPI of a library, by its file name. Libraries with MPICH's ABI (Intel MPI, MVAPICH, Cray
 * MPICH) count as MPICH. CT_MPI_UNKNOWN: it is no MPI library.
 */
enum ct_mpi ct_mpi_of_library(const char *name);
/**
 * The MPI of a launcher, by its output for --version, or of a library, by the text of
 * MPI_Get_library_version().
 */
enum ct_mpi ct_mpi_of_version(const char *text);

/** A program and its MPI. */
struct ct_mpi_program {
    enum ct_mpi mpi;
    char path[PATH_MAX];    /**< of the program; "": unknown */
    char library[PATH_MAX]; /**< of its MPI, as the dynamic loader finds it; "": unknown */
};

/**
 * Find the MPI of a program or shared library: by the libraries that it needs or, if none of these
 * belongs to an MPI, by those that its dynamic loader finds, which takes a process and some ms. The
 * MPI of scripts, of programs that are linked statically and of files that cannot be read is
 * unknown.
 * @param path       [in]  of the file
 * @param program_p  [out] always filled
 */
void ct_mpi_of_file(const char *path, struct ct_mpi_program *program_p);

/**
 * Find the MPI of a command line: that of its first word or, if that has none (such as "env",
 * "taskset" or "bash"), of the first later word that names a program with an MPI. A word with
 * blanks, as after "bash -c", is split at these. Words are looked up in PATH; launchers do not
 * count.
 * @param argv       [in]  NULL-terminated
 * @param program_p  [out] always filled
 */
void ct_mpi_of_command(char *const *argv, struct ct_mpi_program *program_p);

/**
 * Whether a word is the name of a launcher: "mpiexec", "/usr/bin/mpirun.openmpi", "srun" and so on.
 */
bool ct_mpi_is_launcher(const char *word);

/** The MPI of a launcher, by its name, or else by its output for --version. */
enum ct_mpi ct_mpi_of_launcher(const char *launcher);

struct ct_mpi_choice {
    struct ct_mpi_program program;
    enum ct_mpi mpi;         /**< of the launcher; may be unknown */
    char launcher[PATH_MAX]; /**< a name to be found in PATH, or a path */
};

/**
 * Choose the launcher of a program. These are tried in turn: the given one, those beside the
 * program's MPI library, that of this build, those in PATH. If the program's MPI is unknown,
 * `wanted` is taken for it, or else the MPI of the given launcher, or else that of this build.
 * @param argv      [in]  command line of the program; NULL-terminated
 * @param wanted    [in]  MPI of a program whose own is not known; CT_MPI_UNKNOWN: see above
 * @param given     [in]  launcher to use if it is of the program's MPI; NULL or "": the one in
 *                        $CROSSTALK_MPIEXEC
 * @param choice_p  [out] unchanged on error
 * @return CT_OK; CT_ENOENT (the given launcher does not exist); CT_EUNSUPPORTED (no launcher of
 *         that MPI was found)
 */
enum ct_status ct_mpi_choose(char *const *argv, enum ct_mpi wanted, const char *given,
                             struct ct_mpi_choice *choice_p, struct ct_error *err);
