/* crosstalk watch script: a job that probes all nodes of a partition. */
#include "cli/cli.h"
#include "cli/watch_check.h"
#include "core/option_rows.h"
#include "core/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

struct settings {
    const char *partition, *interface, *folder, *topology, *rate;
    uint64_t nodes;
    bool quiet;
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "partition", struct settings, partition), .argument = "NAME",
     .required = true, .help = "of Slurm: all its nodes are watched"},
    {CT_OPTION(U64, "nodes", struct settings, nodes), .argument = "N", CT_RANGE(2, 65536),
     .required = true, .help = "number of its nodes; sinfo prints it"},
    {CT_OPTION(STRING, "interface", struct settings, interface), .argument = "NAME",
     .help = "the interface to the network that is watched, such as ib0"},
    {CT_OPTION(STRING, "link-rate", struct settings, rate), .argument = "RATE", .initial = "1gbit",
     .help = "of the link of a node, of which 0.1 % is used at most"},
    {CT_OPTION(STRING, "topology", struct settings, topology), .argument = "TOPOLOGY",
     .help = "switches and links, so that half of the probes go where they distinguish links"},
    CT_ROW_OUTPUT(struct settings, folder, "DIR", "folder of the watch, which all nodes see",
                  .initial = "watch"),
    {0}};

static const struct ct_option_group groups[] = {{"Options", options, 0}, {0}};

static const char *const examples[] = {
    "crosstalk watch script --partition batch --nodes 64 --interface ib0 --link-rate 100gbit > "
    "w.sh",
    "a batch script that probes between 64 nodes; then: sbatch w.sh", NULL};

static const char *const see_also[] = {"crosstalk-watch(1)", "impactb(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk watch script",
    .operands = "",
    .summary = "a batch script of Slurm that probes between all nodes of a partition",
    .description =
        "Prints a script for sbatch. Its job has one task a node, of one processor that other jobs "
        "may use, too, runs until it is cancelled, and goes on when nodes fail. The partition must "
        "let jobs share nodes (OverSubscribe=FORCE, or YES): the nodes are the job's alone "
        "otherwise.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* As a word of a shell. */
static void print_word(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

static void print_option(const char *name, const char *text)
{
    if (!text)
        return;
    printf(" %s ", name);
    print_word(text);
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

static enum ct_status check_rate(const char *text, struct ct_error *err)
{
    double rate_bit_per_s;
    enum ct_status status = ct_parse_rate(text, &rate_bit_per_s, err);
    return status == CT_OK ? status : ct_fail_within(err, CT_EUSAGE, "--link-rate");
}

static enum ct_status print_script(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct settings *settings = values;
    (void)args;
    enum ct_status status = check_partition(settings->partition, err);
    if (status == CT_OK)
        status = check_rate(settings->rate, err);
    if (status != CT_OK)
        return status;
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
        "exec srun --overlap --ntasks-per-node=1 --no-kill --kill-on-bad-exit=0 \\\n    impactb",
        settings->partition, settings->nodes);
    print_option("--watch", settings->folder);
    print_option("--interface", settings->interface);
    print_option("--link-rate", settings->rate);
    print_option("--topology", settings->topology);
    putchar('\n');
    return CT_OK;
}

int ct_watch_script(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, print_script);
}
