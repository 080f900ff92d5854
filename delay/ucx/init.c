/*
 * The start of the MPI. If it has made no worker then, its messages pass this library by, which is
 * an error: a run that measures nothing would look like one without latency.
 */
#include "delay/calls.h"
#include "delay/openmpi.h"
#include "delay/ucx/state.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

typedef int init_function(int *argc, char ***argv);
typedef int init_thread_function(int *argc, char ***argv, int required, int *provided);

struct search {
    const char *name;
    void *found;
};

/* In an MPI that was loaded after this library, for itself: as of a module of Python. */
static int look_in(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    const char *slash = strrchr(object->dlpi_name, '/');
    (void)size;
    if (!slash || strncmp(slash + 1, "libmpi", strlen("libmpi")) != 0)
        return 0;
    void *library = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return 0;
    search->found = dlsym(library, search->name);
    dlclose(library);
    return search->found != NULL;
}

static void *function_of_mpi(const char *name)
{
    struct search search = {name, dlsym(RTLD_NEXT, name)};
    if (!search.found)
        dl_iterate_phdr(look_in, &search);
    if (!search.found) {
        ct_delay_say("%s of the MPI was not found", name);
        abort();
    }
    return search.found;
}

static int check_started(int code)
{
    if (code != 0 || ct_delay_workers || !ct_delay_is_wanted())
        return code;
    if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"))
        ct_delay_say("Open MPI has not chosen its pml/ucx, so that its messages cannot be delayed: "
                     "give mpiexec " CT_DELAY_OPENMPI_CHOICE);
    else
        ct_delay_say("the MPI of this program does not send by UCX: " CT_DELAY_REMEDY);
    exit(EXIT_FAILURE);
}

static int start_delay(const char *name, int *argc, char ***argv)
{
    init_function *function;
    *(void **)&function = function_of_mpi(name);
    return check_started(function(argc, argv));
}

static int start_thread(const char *name, int *argc, char ***argv, int required, int *provided)
{
    init_thread_function *function;
    *(void **)&function = function_of_mpi(name);
    return check_started(function(argc, argv, required, provided));
}

CT_UCX_EXPORT int MPI_Init(int *argc, char ***argv);
CT_UCX_EXPORT int PMPI_Init(int *argc, char ***argv);
CT_UCX_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
CT_UCX_EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);

int MPI_Init(int *argc, char ***argv)
{
    return start_delay("MPI_Init", argc, argv);
}

int PMPI_Init(int *argc, char ***argv)
{
    return start_delay("PMPI_Init", argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return start_thread("MPI_Init_thread", argc, argv, required, provided);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return start_thread("PMPI_Init_thread", argc, argv, required, provided);
}
