#include "bench/common/world.h"

#include "core/parts.h"
#include "core/simulated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What launchers tell the processes that they start. NULL: not set. */
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

static bool is_printer(void)
{
    if (CT_SIMULATED)
        return ct_simulated_look().is_first;
    for (size_t i = 0; i < N_LAUNCHERS; i++) {
        const char *text = getenv(launchers[i].rank);
        if (text)
            return strcmp(text, "0") == 0;
    }
    return true;
}

struct ct_world ct_world_look(enum ct_mpi mpi)
{
    struct ct_world world = {.mpi = mpi, .prints = is_printer()};
    bool own = CT_SIMULATED; /* what started the simulator is no launcher of ranks */
    for (size_t i = 0; i < N_LAUNCHERS && !own; i++) {
        const char *text = launchers[i].size ? getenv(launchers[i].size) : NULL;
        own = text && launchers[i].mpi == mpi;
        if (!text || (world.launcher && !own))
            continue;
        world.launcher = launchers[i].name;
        world.n_ranks = strtol(text, NULL, 10);
    }
    return world;
}

/* "mpiexec.mpich", or a description where none is found. */
static void name_remedy(enum ct_mpi mpi, char *text, size_t size)
{
    char self[] = "/proc/self/exe";
    char *const argv[] = {self, NULL};
    struct ct_mpi_choice choice;
    if (ct_mpi_choose(argv, mpi, NULL, &choice, NULL) == CT_OK)
        snprintf(text, size, "%s", choice.launcher);
    else
        snprintf(text, size, "the mpiexec of %s", ct_mpi_title(mpi));
}

MPI_Comm ct_world_begin(int *argc, char ***argv, bool threads)
{
    int provided;
#if CT_SIMULATED
    MPI_Comm given = ct_simulated_look().world;
    if (given)
        return given;
#endif
    if (threads)
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(argc, argv);
    return MPI_COMM_WORLD;
}

void ct_world_end(void)
{
    if (!CT_SIMULATED || !ct_simulated_look().world)
        MPI_Finalize();
}

enum ct_status ct_world_check(const struct ct_world *world, int size, struct ct_error *err)
{
    if (size > 1 || !world->launcher || world->n_ranks <= 1)
        return CT_OK;
    char remedy[PATH_MAX];
    name_remedy(world->mpi, remedy, sizeof remedy);
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s has started %ld ranks, but each of them is alone in MPI_COMM_WORLD: this "
                   "program is linked to %s; start it with %.200s%s",
                   world->launcher, world->n_ranks, ct_mpi_title(world->mpi), remedy,
                   strcmp(world->launcher, "srun") == 0
                       ? ", or give srun the option --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI)"
                       : "");
}
