#include "bench/common/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What launchers tell the processes that they start. NULL: not told. */
static const struct launcher {
    const char *rank, *size;
    const char *name;
    enum ct_mpi mpi;
} launchers[] = {
    {"PMI_RANK", "PMI_SIZE", "a launcher for MPICH", CT_MPI_MPICH},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI's mpiexec", CT_MPI_OPENMPI},
    {"PMIX_RANK", NULL, "a launcher with PMIx", CT_MPI_UNKNOWN},
    /* Not SLURM_NTASKS, which a batch script has too, outside of any srun. */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "srun", CT_MPI_UNKNOWN},
};
enum { N_LAUNCHERS = sizeof launchers / sizeof *launchers };

bool ct_world_speaks(void)
{
    for (size_t i = 0; i < N_LAUNCHERS; i++) {
        const char *text = getenv(launchers[i].rank);
        if (text)
            return strcmp(text, "0") == 0;
    }
    return true;
}

/* How many ranks a launcher says it has started; 0: it does not say. */
static long ranks_told(const struct launcher *launcher)
{
    const char *text = launcher->size ? getenv(launcher->size) : NULL;
    return text ? strtol(text, NULL, 10) : 0;
}

/* The one of the program's own MPI, else any other; NULL: none has started it. */
static const struct launcher *find_launcher(enum ct_mpi mpi)
{
    const struct launcher *found = NULL;
    for (size_t i = 0; i < N_LAUNCHERS; i++) {
        if (ranks_told(&launchers[i]) == 0)
            continue;
        if (launchers[i].mpi == mpi)
            return &launchers[i];
        if (!found)
            found = &launchers[i];
    }
    return found;
}

/* "mpiexec.mpich", or a description where none is found. */
static void name_remedy(enum ct_mpi mpi, char *text, size_t size)
{
    char self[] = "/proc/self/exe";
    char *const words[] = {self, NULL};
    struct ct_mpi_choice choice;
    if (ct_mpi_choose(words, mpi, NULL, &choice, NULL) == CT_OK)
        snprintf(text, size, "%s", choice.launcher);
    else
        snprintf(text, size, "the mpiexec of %s", ct_mpi_title(mpi));
}

enum ct_status ct_world_check(enum ct_mpi mpi, int size, struct ct_error *err)
{
    const struct launcher *launcher = size == 1 ? find_launcher(mpi) : NULL;
    long told = launcher ? ranks_told(launcher) : 1;
    if (told <= 1)
        return CT_OK;
    char remedy[PATH_MAX];
    name_remedy(mpi, remedy, sizeof remedy);
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s has started %ld ranks, but each of them is alone in MPI_COMM_WORLD: this "
                   "program is linked to %s; start it with %.200s%s",
                   launcher->name, told, ct_mpi_title(mpi), remedy,
                   strcmp(launcher->name, "srun") == 0
                       ? ", or give srun the option --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI)"
                       : "");
}
