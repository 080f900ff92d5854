#include "core/array.h"
#include "core/clock.h"
#include "core/self.h"
#include "lab/internal.h"
#include "topology/places.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM_VARIABLE "CROSSTALK_LAB_PROGRAM"
#define NS_VARIABLE "CROSSTALK_LAB_NS"
#define PRELOAD_VARIABLE "CROSSTALK_LAB_PRELOAD"
#define OVERHEAD_VARIABLE "CROSSTALK_LAB_OVERHEAD_NS" /* as in preload.c */

/* ---- lists of arguments ---- */

/* Arguments of a command line, borrowed until they are packed. */
struct arguments {
    const char **item;
    size_t n, room;
    bool failed; /* out of memory: seen once, at the end */
};

static void add_word(struct arguments *arguments, const char *word)
{
    if (!CT_ARRAY_RESERVE(arguments->item, arguments->room, arguments->n + 1)) {
        arguments->failed = true;
        return;
    }
    arguments->item[arguments->n++] = word;
}

static void add_all(struct arguments *arguments, char *const *list)
{
    for (; *list; list++)
        add_word(arguments, *list);
}

/* Pointers and text in one block, so that the caller frees one thing. */
static enum ct_status pack_words(struct arguments *arguments, char ***argv_p, struct ct_error *err)
{
    size_t size = (arguments->n + 1) * sizeof(char *);
    for (size_t i = 0; i < arguments->n; i++)
        size += strlen(arguments->item[i]) + 1;
    char **argv = arguments->failed ? NULL : malloc(size);
    if (argv) {
        char *text = (char *)(argv + arguments->n + 1);
        for (size_t i = 0; i < arguments->n; i++) {
            size_t length = strlen(arguments->item[i]) + 1;
            argv[i] = memcpy(text, arguments->item[i], length);
            text += length;
        }
        argv[arguments->n] = NULL;
    }
    free(arguments->item);
    if (!argv)
        return ct_no_memory(err, "command line");
    *argv_p = argv;
    return CT_OK;
}

/* ---- command lines ---- */

enum ct_status ct_lab_command(const struct ct_lab *lab, const struct ct_lab_launch *launch,
                              const char *crosstalk, char ***argv_p, struct ct_error *err)
{
    char self[PATH_MAX], ranks[32], per_host[32], deadline[40], grace[40];
    if (!crosstalk) {
        CT_TRY(ct_self_path(self, sizeof self, err));
        crosstalk = self;
    }
    struct arguments arguments = {0};
    add_word(&arguments, crosstalk);
    add_word(&arguments, "lab");
    add_word(&arguments, "mpiexec");
    add_word(&arguments, "--id");
    add_word(&arguments, lab->paths.id);
    add_word(&arguments, "--quiet");
    if (launch->n_ranks > 0) {
        snprintf(ranks, sizeof ranks, "%" PRIu64, launch->n_ranks);
        add_word(&arguments, "--ranks");
        add_word(&arguments, ranks);
    }
    if (launch->ranks_per_host > 1) {
        snprintf(per_host, sizeof per_host, "%" PRIu64, launch->ranks_per_host);
        add_word(&arguments, "--ppn");
        add_word(&arguments, per_host);
    }
    if (launch->hosts) {
        add_word(&arguments, "--hosts-used");
        add_word(&arguments, launch->hosts);
    }
    if (launch->mpi != CT_MPI_UNKNOWN) {
        add_word(&arguments, "--mpi");
        add_word(&arguments, ct_mpi_names[launch->mpi]);
    }
    if (launch->mpiexec && *launch->mpiexec) {
        add_word(&arguments, "--mpiexec");
        add_word(&arguments, launch->mpiexec);
    }
    if (launch->deadline_s > 0) {
        snprintf(deadline, sizeof deadline, "%.6fs", launch->deadline_s);
        snprintf(grace, sizeof grace, "%.6fs", launch->grace_s);
        add_word(&arguments, "--deadline");
        add_word(&arguments, deadline);
        add_word(&arguments, "--grace");
        add_word(&arguments, grace);
    }
    add_word(&arguments, "--");
    add_all(&arguments, launch->program);
    return pack_words(&arguments, argv_p, err);
}

size_t ct_lab_launch_hosts(const struct ct_lab *lab, const struct ct_lab_launch *launch)
{
    uint64_t per_host = launch->ranks_per_host ? launch->ranks_per_host : 1;
    size_t n = lab->state.spec.n_hosts;
    if (launch->hosts) {
        n = 1;
        for (const char *c = launch->hosts; (c = strchr(c, ',')); c++)
            n++;
    }
    size_t filled = (size_t)((launch->n_ranks + per_host - 1) / per_host);
    return launch->n_ranks > 0 && filled < n ? filled : n;
}

/* "h1:2,h2:2,...": a host is filled before the next one starts. */
static enum ct_status list_hosts(const struct ct_lab *lab, const struct ct_lab_launch *launch,
                                 char *text, size_t size, uint64_t *n_slots_p, struct ct_error *err)
{
    uint64_t per_host = launch->ranks_per_host ? launch->ranks_per_host : 1;
    size_t used = 0;
    *n_slots_p = 0;
    const char *at = launch->hosts;
    for (unsigned i = 0; at ? *at != '\0' : i < lab->state.spec.n_hosts; i++) {
        char name[16];
        unsigned long number = i + 1;
        if (at) {
            char *end = NULL;
            number = at[0] == 'h' ? strtoul(at + 1, &end, 10) : 0;
            if (number < 1 || number > lab->state.spec.n_hosts || !strchr(",", *end))
                return ct_fail(err, CT_EINVAL, "hosts '%s': '%.20s' is none of h1 to h%" PRIu64,
                               launch->hosts, at, lab->state.spec.n_hosts);
            at = end + (*end == ',');
        }
        ct_lab_host_name((unsigned)number - 1, name);
        int n =
            snprintf(text + used, size - used, "%s%s:%" PRIu64, used ? "," : "", name, per_host);
        if (n < 0 || (size_t)n >= size - used)
            return ct_fail(err, CT_EINVAL, "hosts '%s': too many", launch->hosts);
        used += (size_t)n;
        *n_slots_p += per_host;
    }
    if (*n_slots_p == 0)
        return ct_fail(err, CT_EINVAL, "hosts '%s': none is named", launch->hosts);
    return CT_OK;
}

static enum ct_status find_preload(const char *given, char *path, size_t size, struct ct_error *err)
{
    static const char *const relatives[] = {CT_LAB_PRELOAD_FROM_PROGRAM, "libcrosstalk-lab.so",
                                            "lab/libcrosstalk-lab.so", "../lab/libcrosstalk-lab.so",
                                            NULL};
    char folder[PATH_MAX / 2];
    if (!given)
        given = getenv(PRELOAD_VARIABLE);
    if (given) {
        snprintf(path, size, "%s", given);
        if (access(path, R_OK) == 0)
            return CT_OK;
        return ct_fail(err, CT_ENOENT, "%s: %s", path, strerror(errno));
    }
    enum ct_status status = ct_self_folder(folder, sizeof folder, err);
    if (status != CT_OK || ct_self_find(folder, relatives, path, size))
        return status;
    return ct_fail(err, CT_ENOENT,
                   "libcrosstalk-lab.so: neither beside %s nor installed; set " PRELOAD_VARIABLE
                   " to its path",
                   folder);
}

/* ---- process managers ---- */

struct variable {
    const char *name, *value; /* value NULL: not set */
};
#define RSH "rsh" /* as a value: the path of this lab's rsh */

/* What is the same for all words of a command line. */
struct line {
    const char *launcher, *rsh, *hosts, *ranks, *preload;
};

/* What ranks find in their environment, whatever their MPI. What a site or a user has set for the
   machine's own network would lead messages past the switch. */
static const struct variable ucx_environment[] = {
    {"UCX_TLS", "tcp,self"}, {"UCX_NET_DEVICES", "eth0"}, {"UCX_WARN_UNUSED_ENV_VARS", "n"}, {0}};

static const struct variable mpich_environment[] = {
    /* Not over shared memory within a host either: the preloaded library wakes up for sockets. */
    {"MPIR_CVAR_NOLOCAL", "1"},
    /* Adapters of the machine that libfabric and Intel MPI would look for. */
    {"MPIR_CVAR_CH4_NETMOD", NULL},
    {"MPIR_CVAR_OFI_USE_PROVIDER", NULL},
    {"FI_PROVIDER", NULL},
    {"FI_TCP_IFACE", NULL},
    {"FI_SOCKETS_IFACE", NULL},
    {"I_MPI_FABRICS", NULL},
    {"I_MPI_OFI_PROVIDER", NULL},
    {0}};

/* TCP by Open MPI itself: the hosts share a kernel, so that shared memory has to be forbidden. With
   UCX (pml ucx) latencies are the same, but a run of 16 ranks takes 0.7 s longer to start and end,
   and one of 29 crashed in MPI_Init, where Open MPI writes UCX's memory hooks over code that
   another of its threads runs. epoll, since that is what the preloaded library waits in. */
static const struct variable openmpi_environment[] = {{"OMPI_MCA_pml", "ob1"},
                                                      {"OMPI_MCA_btl", "tcp,self"},
                                                      {"OMPI_MCA_btl_tcp_if_include", "eth0"},
                                                      /* excludes the one before */
                                                      {"OMPI_MCA_btl_tcp_if_exclude", NULL},
                                                      {"OMPI_MCA_opal_event_include", "epoll"},
                                                      {0}};

static void add_hydra(const struct line *line, struct arguments *arguments)
{
    const char *const fixed[] = {line->launcher, "-launcher",   "rsh",       "-launcher-exec",
                                 line->rsh,      "-iface",      "mgmt0",     "-hosts",
                                 line->hosts,    "-n",          line->ranks, "-genv",
                                 "LD_PRELOAD",   line->preload, NULL};
    add_all(arguments, (char *const *)fixed);
}

/* How Open MPI's mpiexec gets to the hosts; OMPI_MCA_ up to version 4, PRTE_MCA_ from 5 on. Slurm
   and its like could take over, where a lab is within one of their jobs. Two programs in a lab each
   have a process 2 on the switch, from which Open MPI derives the name of its folder for the run;
   /dev/shm is another one for each of them. */
static const struct variable openmpi_launching[] = {{"OMPI_MCA_plm", "^slurm,tm,lsf"},
                                                    {"PRTE_MCA_plm", "^slurm,tm,lsf"},
                                                    {"OMPI_MCA_ras", "^slurm,tm,lsf,gridengine"},
                                                    {"PRTE_MCA_ras", "^slurm,tm,lsf,gridengine"},
                                                    {"OMPI_MCA_plm_rsh_agent", RSH},
                                                    {"PRTE_MCA_plm_ssh_agent", RSH},
                                                    {"OMPI_MCA_plm_rsh_no_tree_spawn", "1"},
                                                    {"PRTE_MCA_plm_ssh_no_tree_spawn", "1"},
                                                    {"OMPI_MCA_oob_tcp_if_include", "mgmt0"},
                                                    {"PRTE_MCA_prte_if_include", "mgmt0"},
                                                    {"OMPI_MCA_orte_tmpdir_base", "/dev/shm"},
                                                    {"PRTE_MCA_prte_tmpdir_base", "/dev/shm"},
                                                    {0}};
static const struct variable no_launching[] = {{0}};

static void add_orterun(const struct line *line, struct arguments *arguments)
{
    const char *const fixed[] = {line->launcher,
                                 "--allow-run-as-root",
                                 "--bind-to",
                                 "none",
                                 "--map-by",
                                 "slot:OVERSUBSCRIBE",
                                 "--host",
                                 line->hosts,
                                 "-n",
                                 line->ranks,
                                 "-x",
                                 line->preload,
                                 NULL};
    add_all(arguments, (char *const *)fixed);
}

/* How the process manager of an MPI is spoken to. */
struct manager {
    const struct variable *environment; /* of the ranks */
    const struct variable *launching;   /* of itself */
    void (*add)(const struct line *line, struct arguments *arguments);
    const char *preload; /* before the libraries to load into the ranks, in their word */
    bool needs_preload;  /* the process manager itself runs with ours, see preload.c */
};

static const struct manager managers[CT_MPI_N] = {
    [CT_MPI_MPICH] = {mpich_environment, no_launching, add_hydra, "", false},
    [CT_MPI_OPENMPI] = {openmpi_environment, openmpi_launching, add_orterun, "LD_PRELOAD=", true}};

static bool set_variables(const struct variable *variable, const char *rsh)
{
    bool good = true;
    for (; variable->name; variable++) {
        const char *value =
            variable->value && !strcmp(variable->value, RSH) ? rsh : variable->value;
        good = good && (value ? setenv(variable->name, value, 1) : unsetenv(variable->name)) == 0;
    }
    return good;
}

/* Those that have another value in the environment, each with that of the lab. */
static void print_replaced(const struct variable *variable, size_t *n_p, FILE *out)
{
    for (; variable->name; variable++) {
        const char *given = getenv(variable->name), *value = variable->value;
        if (!given || (value && !strcmp(given, value)))
            continue;
        fprintf(out, "%s%s=%s (in the lab: %s)", (*n_p)++ ? ", " : "", variable->name, given,
                value ? value : "not set");
    }
}

/* Ranks built with the address sanitizer insist on being loaded first; ours replaces nothing that
   they do. */
static bool allow_sanitizer(void)
{
    static const char order[] = "verify_asan_link_order=0";
    const char *given = getenv("ASAN_OPTIONS");
    char options[1024];
    int n =
        snprintf(options, sizeof options, "%s%s%s", given ? given : "", given ? ":" : "", order);
    return n < 0 || (size_t)n >= sizeof options || setenv("ASAN_OPTIONS", options, 1) == 0;
}

/* For the preloaded library, and for workloads. UCX changes to a rendezvous, which over TCP pays
   latencies and overheads three times, from some kilobytes on; machines do so from 256 KiB on: S of
   MPICH over UCX with ConnectX-3, and of Aries, in LLAMP, IV-B and V. */
static bool set_like(const struct ct_lab_like *like)
{
    char overhead[32], dilation[32];
    if (like->dilation > 0 && setenv("UCX_RNDV_THRESH", "256k", 1) != 0)
        return false;
    if (like->dilation == 0)
        return unsetenv(OVERHEAD_VARIABLE) == 0 && unsetenv(CT_CLOCK_DILATION_VARIABLE) == 0;
    snprintf(overhead, sizeof overhead, "%.0f", 1e9 * like->overhead_s);
    snprintf(dilation, sizeof dilation, "%.17g", like->dilation);
    return setenv(OVERHEAD_VARIABLE, overhead, 1) == 0 &&
           setenv(CT_CLOCK_DILATION_VARIABLE, dilation, 1) == 0;
}

static enum ct_status set_environment(const struct ct_lab *lab, const struct manager *manager,
                                      const char *rsh, const char *library, struct ct_error *err)
{
    char self[PATH_MAX];
    CT_TRY(ct_self_path(self, sizeof self, err));
    bool good = setenv(PROGRAM_VARIABLE, self, 1) == 0 &&
                setenv(NS_VARIABLE, lab->paths.ns, 1) == 0 &&
                setenv(CT_LAB_TOPOLOGY_VARIABLE, lab->state.spec.topology, 1) == 0 &&
                set_variables(ucx_environment, rsh) && set_variables(manager->environment, rsh) &&
                set_variables(manager->launching, rsh) && allow_sanitizer() &&
                set_like(&lab->state.spec.like);
    /* What is to be loaded into the ranks is in the command line. */
    if (manager->needs_preload)
        good = good && setenv("LD_PRELOAD", library, 1) == 0;
    else
        unsetenv("LD_PRELOAD");
    return good ? CT_OK : ct_no_memory(err, "environment");
}

/* A launcher of an unknown MPI is one for the program's, or for that of this build. */
static const struct manager *manager_of(const struct ct_mpi_choice *choice)
{
    const enum ct_mpi of[] = {choice->mpi, choice->program.mpi, ct_mpi_of_build(), CT_MPI_MPICH};
    size_t i = 0;
    while (of[i] == CT_MPI_UNKNOWN)
        i++;
    return &managers[of[i]];
}

enum ct_status ct_lab_mpiexec(const struct ct_lab *lab, const struct ct_lab_launch *launch,
                              const char *preload, char ***argv_p, struct ct_error *err)
{
    char library[PATH_MAX], preloads[2 * PATH_MAX], rsh[PATH_MAX], ranks[32];
    char hosts[CT_LAB_HOSTS_MAX * 32];
    uint64_t n_slots;
    struct ct_mpi_choice choice;
    CT_TRY(ct_mpi_choose(launch->program, launch->mpi, launch->mpiexec, &choice, err));
    CT_TRY(list_hosts(lab, launch, hosts, sizeof hosts, &n_slots, err));
    CT_TRY(find_preload(preload, library, sizeof library, err));
    const struct manager *manager = manager_of(&choice);
    /* Overheads are filled up in calls of UCX, which MPICH makes for every message. */
    if (lab->state.spec.like.dilation > 0 && manager != &managers[CT_MPI_MPICH])
        return ct_fail(err, CT_EINVAL,
                       "lab '%s': imitates a machine ('--like %s'), which programs with MPICH can "
                       "run on, not those with another MPI",
                       lab->paths.id, lab->state.spec.like.machine);
    /* Ours first: a tracer's MPI_Finalize, called by ours, may go to PMPI_Finalize directly. */
    const char *others = getenv("LD_PRELOAD");
    snprintf(preloads, sizeof preloads, "%s%s%s%s", manager->preload, library, others ? ":" : "",
             others ? others : "");
    snprintf(rsh, sizeof rsh, "%s/rsh", lab->paths.ns);
    CT_TRY(set_environment(lab, manager, rsh, library, err));
    snprintf(ranks, sizeof ranks, "%" PRIu64, launch->n_ranks ? launch->n_ranks : n_slots);
    const struct line line = {choice.launcher, rsh, hosts, ranks, preloads};
    struct arguments arguments = {0};
    manager->add(&line, &arguments);
    add_all(&arguments, launch->program);
    return pack_words(&arguments, argv_p, err);
}

char *ct_lab_replaced(enum ct_mpi mpi)
{
    char *text = NULL;
    size_t size, n = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_replaced(ucx_environment, &n, out);
    for (size_t i = 0; i < CT_MPI_N; i++)
        if (managers[i].environment && (mpi == CT_MPI_UNKNOWN || mpi == (enum ct_mpi)i))
            print_replaced(managers[i].environment, &n, out);
    if (fclose(out) == 0 && n > 0)
        return text;
    free(text);
    return NULL;
}

/* ---- the rsh ---- */

enum ct_status ct_lab_rsh(char *const *argv, struct ct_error *err)
{
    const char *ns = getenv(NS_VARIABLE);
    if (!ns || !argv[0] || !argv[1])
        return ct_fail(err, CT_EUSAGE, "lab rsh: for 'lab mpiexec' only");
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    if (!out)
        return ct_no_memory(err, "lab rsh");
    /* Open MPI's words may be several commands. */
    for (char *const *word = argv + 1; *word; word++)
        fprintf(out, "%s ", *word);
    if (fclose(out) != 0)
        return ct_no_memory(err, "lab rsh");
    enum ct_status status = ct_lab_enter_host(ns, argv[0], err);
    if (status == CT_OK)
        status = ct_lab_private_mounts(false, err);
    if (status == CT_OK) {
        unsetenv("LD_PRELOAD"); /* of the process manager alone */
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        status = ct_fail(err, CT_EIO, "/bin/sh: %s", strerror(errno));
    }
    free(command);
    return status;
}
