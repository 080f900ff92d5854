/* Programs through the mpiexec of their own MPI, on the machines of a host file or on this one. */
#include "campaign/binding.h"
#include "campaign/commands.h"
#include "core/host_file.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
    uint64_t n_hosts;
    uint64_t hosts_per_machine; /* without a host file all of them are on this machine */
    struct ct_cores cores;      /* n = 0: programs are not bound */
    struct ct_argv names;       /* in the host file, each once */
    bool repeats;               /* the host file has some of them several times */
};

static enum ct_status find_hosts(const struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    state->n_hosts = setup->hosts ? setup->hosts : 1;
    state->hosts_per_machine = *setup->hostfile ? 1 : state->n_hosts;
    if (!*setup->hostfile)
        return CT_OK;
    enum ct_status status = ct_host_file_read(setup->hostfile, &state->names, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "hostfile");
    size_t n_lines = state->names.n;
    /* Resource managers write a line for each core of a host. */
    if (!ct_host_unite(&state->names))
        return ct_no_memory(err, "hostfile: %s", setup->hostfile);
    if (setup->hosts == 0)
        state->n_hosts = state->names.n;
    state->repeats = state->names.n < n_lines;
    if (state->names.n < state->n_hosts)
        return ct_fail(err, CT_EINVAL,
                       "hostfile: %s: names %zu hosts%s, and %" PRIu64 " are asked for",
                       setup->hostfile, state->names.n,
                       state->repeats ? ", some of them several times" : "", state->n_hosts);
    if (state->repeats)
        ct_log_info(launcher->log,
                    "hostfile: %s: %zu lines name %zu hosts; each is one host, and 'slots' "
                    "says how many ranks of a program it has",
                    setup->hostfile, n_lines, state->names.n);
    return CT_OK;
}

static void host_name(const struct ct_launcher *launcher, uint32_t host, char text[CT_HOST_MAX])
{
    const struct state *state = launcher->state;
    snprintf(text, CT_HOST_MAX, "%s", state->names.item[host]);
}

/* ---- the words of a launcher ---- */

/* Which hosts a program gets: the first n of the host file, or a list of names. The list is due
   where the file has names several times, which launchers take for as many hosts, or cores. */
struct extent {
    uint64_t slots, n_hosts;
    const char *list; /* "node1:2,node2:2"; NULL: as in the host file */
};

/* The hosts of a part; list_p to be freed. */
static enum ct_status list_hosts(const struct ct_launcher *launcher, const struct ct_part *part,
                                 char **list_p, struct extent *extent_p, struct ct_error *err)
{
    const struct state *state = launcher->state;
    size_t n = part->hosts ? part->n_hosts : (size_t)state->n_hosts;
    bool is_listed = part->hosts || state->repeats;
    size_t size;
    *list_p = NULL;
    FILE *out = is_listed ? open_memstream(list_p, &size) : NULL;
    for (size_t i = 0; out && i < n; i++)
        fprintf(out, "%s%s:%" PRIu64, i ? "," : "",
                state->names.item[part->hosts ? part->hosts[i] : i], part->slots);
    if (is_listed && (!out || fclose(out) != 0)) {
        free(*list_p);
        *list_p = NULL;
        return ct_no_memory(err, "command line");
    }
    *extent_p = (struct extent){part->slots, n, *list_p};
    return CT_OK;
}

/* What Open MPI is asked for in any case: it refuses more ranks than cores otherwise, and binds
   them by its own rules. */
static void add_openmpi(const struct ct_campaign_launcher *setup, const struct extent *extent,
                        struct ct_argv *argv_p)
{
    if (*setup->hostfile) {
        ct_argv_add(argv_p, extent->list ? "--host" : "--hostfile");
        ct_argv_add(argv_p, "%s", extent->list ? extent->list : setup->hostfile);
        ct_argv_add(argv_p, "--map-by");
        ct_argv_add(argv_p, "ppr:%" PRIu64 ":node:oversubscribe", extent->slots);
    } else {
        ct_argv_add(argv_p, "--oversubscribe");
    }
    ct_argv_add(argv_p, "--bind-to");
    ct_argv_add(argv_p, "none");
}

static void add_hydra(const struct ct_campaign_launcher *setup, const struct extent *extent,
                      struct ct_argv *argv_p)
{
    if (!*setup->hostfile)
        return;
    ct_argv_add(argv_p, extent->list ? "-hosts" : "-f");
    ct_argv_add(argv_p, "%s", extent->list ? extent->list : setup->hostfile);
    ct_argv_add(argv_p, "-ppn");
    ct_argv_add(argv_p, "%" PRIu64, extent->slots);
}

/* The launcher on these hosts, slots ranks on each, without the user's options. One that does not
   tell its MPI is spoken to as Hydra, whose words are the older ones. */
static void add_mpiexec(const struct ct_launcher *launcher, const struct ct_mpi_choice *choice,
                        const struct extent *extent, struct ct_argv *argv_p)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    ct_argv_add(argv_p, "%s", choice->launcher);
    if (choice->mpi == CT_MPI_OPENMPI)
        add_openmpi(setup, extent, argv_p);
    else
        add_hydra(setup, extent, argv_p);
    ct_argv_add(argv_p, "-n");
    ct_argv_add(argv_p, "%" PRIu64, extent->slots * extent->n_hosts);
}

static enum ct_status choose_mpi(const struct ct_launcher *launcher, char *const *program,
                                 struct ct_mpi_choice *choice_p, struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    return ct_mpi_choose(program, (enum ct_mpi)setup->mpi, setup->mpiexec, choice_p, err);
}

/* ---- cores ---- */

static enum ct_status ask_cores(const struct ct_launcher *launcher, struct state *state,
                                const struct ct_mpi_choice *choice, struct ct_error *err)
{
    if (!*launcher->spec->launcher.hostfile)
        return ct_cores_read(&state->cores, err);
    struct ct_argv start = {0};
    char *list;
    struct extent extent;
    CT_TRY(list_hosts(launcher, &(struct ct_part){.slots = 1}, &list, &extent, err));
    add_mpiexec(launcher, choice, &extent, &start);
    free(list);
    enum ct_status status = ct_argv_split(&start, launcher->spec->launcher.options, err);
    if (status != CT_OK) {
        ct_argv_free(&start);
        return status;
    }
    return ct_binding_ask(launcher, &start, state->n_hosts, &state->cores, err);
}

/* Any program does for that; ours is there. */
static enum ct_status find_cores(const struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    if (launcher->spec->launcher.placement != CT_PLACEMENT_CORES)
        return CT_OK;
    struct ct_mpi_choice choice;
    struct ct_argv program = {0};
    ct_command_add_program(&program, "impactb");
    enum ct_status status = program.failed ? ct_no_memory(err, "command line")
                                           : choose_mpi(launcher, program.item, &choice, err);
    ct_argv_free(&program);
    if (status == CT_OK && choice.mpi == CT_MPI_UNKNOWN) {
        ct_log_info(launcher->log,
                    "launcher mpiexec: ranks are not bound to cores, since %s does not tell how it "
                    "is asked for that; options for it go into 'options'",
                    choice.launcher);
        return CT_OK;
    }
    if (status == CT_OK)
        status = ask_cores(launcher, state, &choice, err);
    if (status == CT_OK)
        status = ct_binding_warn(launcher, &state->cores, state->hosts_per_machine, err);
    return status;
}

/* ---- the row ---- */

static void close_mpiexec(struct ct_launcher *launcher)
{
    struct state *state = launcher->state;
    ct_cores_free(&state->cores);
    ct_argv_free(&state->names);
    free(state);
}

static enum ct_status open_mpiexec(struct ct_launcher *launcher, struct ct_error *err)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return ct_no_memory(err, "launcher");
    launcher->state = state;
    enum ct_status status = find_hosts(launcher, state, err);
    if (status == CT_OK)
        status = find_cores(launcher, state, err);
    if (status != CT_OK) {
        close_mpiexec(launcher);
        return status;
    }
    ct_log_info(launcher->log, "launcher mpiexec: whether the network is quiet before a run, and "
                               "how busy it is, cannot be seen");
    return CT_OK;
}

/* The cores of a program, a list to be freed; NULL: it is not to be bound. */
static enum ct_status list_cores(const struct state *state, const struct ct_part *part,
                                 char **list_p, struct ct_error *err)
{
    *list_p = NULL;
    struct ct_core_range range =
        ct_placement_of(state->cores.n, part->role, part->slots * state->hosts_per_machine,
                        part->taken * state->hosts_per_machine);
    if (range.n == 0)
        return CT_OK;
    *list_p = ct_cores_format(&state->cores, range);
    return *list_p ? CT_OK : ct_no_memory(err, "command line");
}

static void add_hydra_binding(const char *list, struct ct_argv *argv_p)
{
    ct_argv_add(argv_p, "-bind-to");
    ct_argv_add(argv_p, "user:%s", list);
}

/* Open MPI counts cores in its own way, and its options for lists change from version to version.
 */
static void add_own_binding(const char *list, struct ct_argv *argv_p)
{
    ct_command_add_program(argv_p, "crosstalk");
    ct_argv_add(argv_p, "campaign");
    ct_argv_add(argv_p, "bind");
    ct_argv_add(argv_p, "%s", list);
}

static enum ct_status make_command(struct ct_launcher *launcher, const struct ct_part *part,
                                   char *const *program, struct ct_argv *argv_p,
                                   struct ct_error *err)
{
    const struct state *state = launcher->state;
    struct ct_mpi_choice choice;
    struct extent extent;
    char *cores = NULL, *hosts = NULL;
    enum ct_status status = choose_mpi(launcher, program, &choice, err);
    if (status == CT_OK)
        status = list_cores(state, part, &cores, err);
    if (status == CT_OK)
        status = list_hosts(launcher, part, &hosts, &extent, err);
    if (status == CT_OK) {
        add_mpiexec(launcher, &choice, &extent, argv_p);
        if (cores && choice.mpi == CT_MPI_MPICH)
            add_hydra_binding(cores, argv_p);
        status = ct_argv_split(argv_p, launcher->spec->launcher.options, err);
        if (cores && choice.mpi == CT_MPI_OPENMPI)
            add_own_binding(cores, argv_p);
        ct_argv_add_all(argv_p, program);
    }
    free(cores);
    free(hosts);
    if (status == CT_OK && argv_p->failed)
        status = ct_no_memory(err, "command line");
    return status;
}

const struct ct_launcher_row ct_launcher_mpiexec = {.open = open_mpiexec,
                                                    .close = close_mpiexec,
                                                    .command = make_command,
                                                    .host_name = host_name,
                                                    .end_signal = SIGTERM};
