/* Programs through the mpiexec of their own MPI, on the machines of a host file or on this one. */
#include "campaign/binding.h"
#include "campaign/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    uint64_t n_hosts;
    uint64_t hosts_per_machine; /* without a host file all of them are on this machine */
    struct ct_cores cores;      /* n = 0: programs are not bound */
};

static enum ct_status count_hosts(const char *path, uint64_t *n_p, struct ct_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "launcher.hostfile: %s: %s", path,
                       strerror(errno));
    char *line = NULL;
    size_t size = 0;
    uint64_t n = 0;
    while (getline(&line, &size, file) >= 0) {
        char first = line[strspn(line, " \t\r\n")];
        n += first != '\0' && first != '#';
    }
    free(line);
    fclose(file);
    if (n == 0)
        return ct_fail(err, CT_EINVAL, "launcher.hostfile: %s: names no host", path);
    *n_p = n;
    return CT_OK;
}

/* ---- the words of a launcher ---- */

/* What Open MPI is asked for in any case: it refuses more ranks than cores otherwise, and binds
   them by its own rules. */
static void add_openmpi(const struct ct_campaign_launcher *setup, uint64_t slots,
                        struct ct_argv *argv_p)
{
    if (*setup->hostfile) {
        ct_argv_add(argv_p, "--hostfile");
        ct_argv_add(argv_p, "%s", setup->hostfile);
        ct_argv_add(argv_p, "--map-by");
        ct_argv_add(argv_p, "ppr:%" PRIu64 ":node:oversubscribe", slots);
    } else {
        ct_argv_add(argv_p, "--oversubscribe");
    }
    ct_argv_add(argv_p, "--bind-to");
    ct_argv_add(argv_p, "none");
}

static void add_hydra(const struct ct_campaign_launcher *setup, uint64_t slots,
                      struct ct_argv *argv_p)
{
    if (!*setup->hostfile)
        return;
    ct_argv_add(argv_p, "-f");
    ct_argv_add(argv_p, "%s", setup->hostfile);
    ct_argv_add(argv_p, "-ppn");
    ct_argv_add(argv_p, "%" PRIu64, slots);
}

/* The launcher on all hosts, slots ranks on each, without the user's options. One that does not
   tell its MPI is spoken to as Hydra, whose words are the older ones. */
static void add_mpiexec(const struct ct_launcher *launcher, const struct state *state,
                        const struct ct_mpi_choice *choice, uint64_t slots, struct ct_argv *argv_p)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    ct_argv_add(argv_p, "%s", choice->launcher);
    if (choice->mpi == CT_MPI_OPENMPI)
        add_openmpi(setup, slots, argv_p);
    else
        add_hydra(setup, slots, argv_p);
    ct_argv_add(argv_p, "-n");
    ct_argv_add(argv_p, "%" PRIu64, slots * state->n_hosts);
}

static enum ct_status choose(const struct ct_launcher *launcher, char *const *program,
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
    add_mpiexec(launcher, state, choice, 1, &start);
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
    enum ct_status status = program.failed ? ct_fail(err, CT_ENOMEM, "command line: out of memory")
                                           : choose(launcher, program.item, &choice, err);
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
    free(state);
}

static enum ct_status open_mpiexec(struct ct_launcher *launcher, struct ct_error *err)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return ct_fail(err, CT_ENOMEM, "launcher: out of memory");
    launcher->state = state;
    state->n_hosts = setup->hosts ? setup->hosts : 1;
    enum ct_status status = CT_OK;
    if (*setup->hostfile && setup->hosts == 0)
        status = count_hosts(setup->hostfile, &state->n_hosts, err);
    state->hosts_per_machine = *setup->hostfile ? 1 : state->n_hosts;
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
    return *list_p ? CT_OK : ct_fail(err, CT_ENOMEM, "command line: out of memory");
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

static enum ct_status command(struct ct_launcher *launcher, const struct ct_part *part,
                              char *const *program, struct ct_argv *argv_p, struct ct_error *err)
{
    const struct state *state = launcher->state;
    struct ct_mpi_choice choice;
    char *list = NULL;
    enum ct_status status = choose(launcher, program, &choice, err);
    if (status == CT_OK)
        status = list_cores(state, part, &list, err);
    if (status != CT_OK)
        return status;
    add_mpiexec(launcher, state, &choice, part->slots, argv_p);
    if (list && choice.mpi == CT_MPI_MPICH)
        add_hydra_binding(list, argv_p);
    status = ct_argv_split(argv_p, launcher->spec->launcher.options, err);
    if (list && choice.mpi == CT_MPI_OPENMPI)
        add_own_binding(list, argv_p);
    free(list);
    ct_argv_add_all(argv_p, program);
    if (status == CT_OK && argv_p->failed)
        status = ct_fail(err, CT_ENOMEM, "command line: out of memory");
    return status;
}

const struct ct_launcher_row ct_launcher_mpiexec = {
    .open = open_mpiexec, .close = close_mpiexec, .command = command, .end_signal = SIGTERM};
