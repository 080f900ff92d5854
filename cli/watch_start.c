/* crosstalk watch start and script: probes on all hosts, now, or as a job. */
#include "cli/cli.h"
#include "cli/watch_commands.h"
#include "core/argv.h"
#include "core/host_file.h"
#include "core/mpi_kind.h"
#include "core/option_rows.h"
#include "core/self.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How impactb is to probe. */
struct probing {
    const char *interface, *folder, *topology;
    double rate_bit_per_s;
};

static const struct ct_option probing_options[] = {
    CT_ROW_OUTPUT(struct probing, folder, "DIR", "folder of the watch", .initial = "watch"),
    {CT_OPTION(STRING, "interface", struct probing, interface), .argument = "NAME",
     .help = "the interface to the network that is watched, such as ib0"},
    {CT_OPTION(RATE, "link-rate", struct probing, rate_bit_per_s), .initial = "1gbit",
     CT_RANGE(1e3, 1e13), .help = "of the link of a host, of which 0.1 % is used at most"},
    {CT_OPTION(STRING, "topology", struct probing, topology), .argument = "TOPOLOGY",
     .help = "switches and links, so that half of the probes go where they distinguish links"},
    {0}};

static void add_probing(const char *program, const struct probing *probing, struct ct_argv *words)
{
    ct_argv_add(words, "%s", program);
    ct_argv_add(words, "--watch");
    ct_argv_add(words, "%s", probing->folder);
    ct_argv_add(words, "--link-rate");
    ct_argv_add(words, "%.0fbit", probing->rate_bit_per_s);
    if (probing->interface) {
        ct_argv_add(words, "--interface");
        ct_argv_add(words, "%s", probing->interface);
    }
    if (probing->topology) {
        ct_argv_add(words, "--topology");
        ct_argv_add(words, "%s", probing->topology);
    }
}

/* Hosts that fail must not end the job. */
static const char *const srun[] = {
    "srun", "--overlap", "--ntasks-per-node=1", "--no-kill", "--kill-on-bad-exit=0", NULL};

/* Hydra's, and those of Open MPI. */
static const char *const mpich_options[] = {"-ppn", "1", "-disable-auto-cleanup", "-f", NULL},
                         *const openmpi_options[] = {
                             "--map-by", "node",       "--bind-to",
                             "none",     "--mca",      "orte_abort_on_non_zero_status",
                             "0",        "--hostfile", NULL};

static void add_words(const char *const *list, struct ct_argv *words)
{
    for (; *list; list++)
        ct_argv_add(words, "%s", *list);
}

/* ---- start ---- */

struct start {
    struct probing probing;
    const char *hostfile;
};

static const struct ct_option start_options[] = {
    {CT_OPTION(STRING, "hostfile", struct start, hostfile), .argument = "FILE",
     .help = "hosts, one a line; without it the nodes of this allocation of Slurm"},
    {0}};

static const struct ct_option_group start_groups[] = {
    {"Where", start_options, 0}, {"Probes", probing_options, offsetof(struct start, probing)}, {0}};

static const char *const start_examples[] = {
    "crosstalk watch start --hostfile hosts -o watch --interface ib0 --link-rate 100gbit",
    "probe between these hosts until Ctrl-C", "crosstalk watch watch --topology ib.txt --follow",
    "at the same time: what is sick", NULL};

static const char *const start_see_also[] = {"crosstalk-watch(1)", "impactb(1)",
                                             "crosstalk-prober(1)", NULL};

static const struct ct_command start_command = {
    .name = "crosstalk watch start",
    .operands = "",
    .summary = "probe between hosts, until a signal comes",
    .description =
        "Starts impactb --watch with one process on each host, by mpiexec or srun, with the "
        "options that let the others go on when a host fails, and becomes that launcher: a signal "
        "ends all processes, which write what they have.",
    .groups = start_groups,
    .examples = start_examples,
    .see_also = start_see_also};

static enum ct_status add_mpiexec(const char *hostfile, char *program, struct ct_argv *words,
                                  struct ct_error *err)
{
    char *const argv[] = {program, NULL};
    struct ct_argv hosts = {0};
    struct ct_mpi_choice choice;
    enum ct_status status = ct_host_file_read(hostfile, &hosts, err);
    if (status == CT_OK && !ct_host_unite(&hosts))
        status = ct_no_memory(err, "%s", hostfile);
    if (status == CT_OK && hosts.n < 2)
        status = ct_fail(err, CT_EINVAL, "%s: one host has nobody to probe", hostfile);
    if (status == CT_OK)
        status = ct_mpi_choose(argv, CT_MPI_UNKNOWN, NULL, &choice, err);
    if (status == CT_OK) {
        ct_argv_add(words, "%s", choice.launcher);
        ct_argv_add(words, "-n");
        ct_argv_add(words, "%zu", hosts.n);
        add_words(choice.mpi == CT_MPI_OPENMPI ? openmpi_options : mpich_options, words);
        ct_argv_add(words, "%s", hostfile);
    }
    ct_argv_free(&hosts);
    return status;
}

static enum ct_status start_probes(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct start *start = values;
    struct ct_argv words = {0};
    char program[PATH_MAX];
    enum ct_status status = CT_OK;
    (void)args;
    if (!ct_self_find_helper("impactb", program, sizeof program))
        snprintf(program, sizeof program, "impactb");
    if (start->hostfile)
        status = add_mpiexec(start->hostfile, program, &words, err);
    else if (getenv("SLURM_JOB_ID"))
        add_words(srun, &words);
    else
        status = ct_fail(err, CT_EUSAGE,
                         "on which hosts? give --hostfile, or call this in an allocation of Slurm");
    add_probing(program, &start->probing, &words);
    if (status == CT_OK && words.failed)
        status = ct_no_memory(err, "command line");
    if (status == CT_OK) {
        execvp(words.item[0], words.item);
        status = ct_fail(err, CT_EIO, "%s: cannot be started: %s", words.item[0], strerror(errno));
    }
    ct_argv_free(&words);
    return status;
}

int ct_watch_start(int argc, char **argv)
{
    struct start start = {.hostfile = NULL};
    return ct_command_main(&start_command, argc, argv, &start, start_probes);
}

/* ---- script ---- */

struct script {
    struct probing probing;
    const char *partition;
    uint64_t nodes;
};

static const struct ct_option script_options[] = {
    {CT_OPTION(STRING, "partition", struct script, partition), .argument = "NAME", .required = true,
     .help = "of Slurm: all its nodes are watched"},
    {CT_OPTION(U64, "nodes", struct script, nodes), .argument = "N", CT_RANGE(2, 65536),
     .required = true, .help = "number of its nodes; sinfo prints it"},
    {0}};

static const struct ct_option_group script_groups[] = {
    {"Where", script_options, 0},
    {"Probes", probing_options, offsetof(struct script, probing)},
    {0}};

static const char *const script_examples[] = {
    "crosstalk watch script --partition batch --nodes 64 --interface ib0 --link-rate 100gbit > "
    "w.sh",
    "a batch script that probes between 64 nodes; then: sbatch w.sh", NULL};

static const char *const script_see_also[] = {"crosstalk-watch(1)", "impactb(1)", NULL};

static const struct ct_command script_command = {
    .name = "crosstalk watch script",
    .operands = "",
    .summary = "a batch script of Slurm that probes between all nodes of a partition",
    .description =
        "Prints a script for sbatch. Its job has one task a node, of one processor that other jobs "
        "may use, too, runs until it is cancelled, and goes on when nodes fail. The partition must "
        "let jobs share nodes (OverSubscribe=FORCE, or YES): the nodes are the job's alone "
        "otherwise. Nodes need their RealMemory in slurm.conf: the job asks for 64 MB, which "
        "sbatch "
        "refuses otherwise.",
    .groups = script_groups,
    .examples = script_examples,
    .see_also = script_see_also};

/* As a word of a shell. */
static void print_word(const char *text)
{
    const char *c = text;
    while (isalnum((unsigned char)*c) || (*c && strchr("-=_./:,+", *c)))
        c++;
    if (*text && !*c) {
        fputs(text, stdout);
        return;
    }
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* What stands in a comment of the script must be one word. */
static enum ct_status check_partition(const char *name, struct ct_error *err)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-,", *c))
            return ct_fail(err, CT_EUSAGE,
                           "--partition: '%s': letters, digits and .-_, are names of partitions",
                           name);
    return CT_OK;
}

static enum ct_status print_script(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct script *script = values;
    struct ct_argv words = {0};
    (void)args;
    CT_TRY(check_partition(script->partition, err));
    printf(
        "#!/bin/bash\n"
        "# Probes between the nodes of a partition for days: sbatch this, and read the folder by\n"
        "# crosstalk watch. Nodes that fail are dropped, and the rest goes on.\n"
        "#SBATCH --job-name=crosstalk-watch\n"
        "#SBATCH --partition=%s\n"
        "#SBATCH --nodes=%" PRIu64 "\n"
        "#SBATCH --ntasks-per-node=1\n"
        "#SBATCH --cpus-per-task=1\n"
        "#SBATCH --mem-per-cpu=64M\n"
        "#SBATCH --oversubscribe\n"
        "#SBATCH --time=UNLIMITED\n"
        "#SBATCH --no-kill\n"
        "#SBATCH --requeue\n"
        "#SBATCH --dependency=singleton\n"
        "#SBATCH --output=crosstalk-watch.%%j.log\n"
        "exec",
        script->partition, script->nodes);
    add_words(srun, &words);
    add_probing("impactb", &script->probing, &words);
    for (size_t i = 0; i < words.n; i++) {
        putchar(' ');
        print_word(words.item[i]);
    }
    putchar('\n');
    enum ct_status status = words.failed ? ct_no_memory(err, "command line") : CT_OK;
    ct_argv_free(&words);
    return status;
}

int ct_watch_script(int argc, char **argv)
{
    struct script script = {.partition = NULL};
    return ct_command_main(&script_command, argc, argv, &script, print_script);
}
