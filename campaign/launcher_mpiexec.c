/* Programs through the MPI library's own mpiexec, on the machines of a host file or on this one. */
#include "campaign/ask.h"
#include "campaign/binding.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long mpiexec may take to say what it is. */
static const double answer_limit_s = 30;

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

/* mpiexec on all hosts, slots ranks on each, without the user's options. */
static void add_mpiexec(const struct ct_launcher *launcher, const struct state *state,
                        uint64_t slots, struct ct_words *argv_p)
{
    const struct ct_campaign_launcher *setup = &launcher->spec->launcher;
    ct_words_add(argv_p, "mpiexec");
    if (*setup->hostfile) {
        ct_words_add(argv_p, "-f");
        ct_words_add(argv_p, "%s", setup->hostfile);
        ct_words_add(argv_p, "-ppn");
        ct_words_add(argv_p, "%" PRIu64, slots);
    }
    ct_words_add(argv_p, "-n");
    ct_words_add(argv_p, "%" PRIu64, slots * state->n_hosts);
}

/* ---- cores ---- */

/* Each MPI library's mpiexec binds in its own words; these are Hydra's. */
static enum ct_status ask_hydra(const struct ct_launcher *launcher, bool *is_hydra_p,
                                struct ct_error *err)
{
    struct ct_words argv = {0};
    struct ct_text answer;
    ct_words_add(&argv, "mpiexec");
    ct_words_add(&argv, "--version");
    enum ct_status status = ct_ask(&argv, launcher->folder, answer_limit_s, &answer, err);
    if (status != CT_OK)
        return status;
    *is_hydra_p = strstr(answer.text, "HYDRA") != NULL;
    free(answer.text);
    return CT_OK;
}

static enum ct_status ask_cores(const struct ct_launcher *launcher, struct state *state,
                                struct ct_error *err)
{
    if (!*launcher->spec->launcher.hostfile)
        return ct_cores_read(&state->cores, err);
    struct ct_words start = {0};
    add_mpiexec(launcher, state, 1, &start);
    enum ct_status status = ct_words_split(&start, launcher->spec->launcher.options, err);
    if (status != CT_OK) {
        ct_words_free(&start);
        return status;
    }
    return ct_binding_ask(launcher, &start, state->n_hosts, &state->cores, err);
}

static enum ct_status find_cores(const struct ct_launcher *launcher, struct state *state,
                                 struct ct_error *err)
{
    if (launcher->spec->launcher.placement != CT_PLACEMENT_CORES)
        return CT_OK;
    bool is_hydra = false;
    enum ct_status status = ask_hydra(launcher, &is_hydra, err);
    if (status == CT_OK && !is_hydra) {
        ct_log_info(launcher->log, "launcher mpiexec: ranks are not bound to cores, since this "
                                   "mpiexec is not Hydra's; options for that go into 'options'");
        return CT_OK;
    }
    if (status == CT_OK)
        status = ask_cores(launcher, state, err);
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

static enum ct_status add_binding(const struct state *state, const struct ct_part *part,
                                  struct ct_words *argv_p, struct ct_error *err)
{
    struct ct_core_range range =
        ct_placement_of(state->cores.n, part->role, part->slots * state->hosts_per_machine,
                        part->taken * state->hosts_per_machine);
    if (range.n == 0)
        return CT_OK;
    char *list = ct_cores_format(&state->cores, range);
    if (!list)
        return ct_fail(err, CT_ENOMEM, "command line: out of memory");
    ct_words_add(argv_p, "-bind-to");
    ct_words_add(argv_p, "user:%s", list);
    free(list);
    return CT_OK;
}

static enum ct_status command(struct ct_launcher *launcher, const struct ct_part *part,
                              char *const *program, struct ct_words *argv_p, struct ct_error *err)
{
    const struct state *state = launcher->state;
    add_mpiexec(launcher, state, part->slots, argv_p);
    enum ct_status status = add_binding(state, part, argv_p, err);
    if (status == CT_OK)
        status = ct_words_split(argv_p, launcher->spec->launcher.options, err);
    ct_words_add_all(argv_p, program);
    if (status == CT_OK && argv_p->failed)
        status = ct_fail(err, CT_ENOMEM, "command line: out of memory");
    return status;
}

const struct ct_launcher_row ct_launcher_mpiexec = {
    .open = open_mpiexec, .close = close_mpiexec, .command = command, .end_signal = SIGTERM};
