/* The crosstalk command: find the subcommand and hand over. */
#include "cli/cli.h"
#include "cli/family.h"

#include <stdbool.h>
#include <stdio.h>

static const struct {
    int (*run)(int argc, char **argv);
    const char *group;
    struct ct_command command;
} subcommands[] = {
#define CT_SUBCOMMAND_ROW(word, heading, text)                                                     \
    {ct_cmd_##word, heading, {.name = "crosstalk " #word, .summary = (text)}},
    CT_SUBCOMMAND_MAP(CT_SUBCOMMAND_ROW)
#undef CT_SUBCOMMAND_ROW
};

static const struct ct_command *get_member(size_t i)
{
    return &subcommands[i].command;
}

static const char *group_of(size_t i)
{
    return subcommands[i].group;
}

static int run_command(size_t i, int argc, char **argv)
{
    return subcommands[i].run(argc, argv);
}

static const char *const examples[] = {"crosstalk lab up --hosts 8 --rate 50mbit",
                                       "start an emulated switch with 8 hosts",
                                       "crosstalk campaign run campaign.yaml -o results",
                                       "make all measurements that a campaign file names",
                                       "crosstalk predict results",
                                       "which applications may run beside each other",
                                       NULL};
static const char *const see_also[] = {"impactb(1)", "compressionb(1)", "workload(1)", NULL};

/* Until 0.4. */
static const struct ct_former_command former[] = {
    {"advise", "predict --groups N", {"predict", "--groups", "2"}},
    {"cosim", "simulate", {"simulate"}},
    {"envelope", "tolerance --pieces", {"tolerance", "--pieces"}},
    {"lp",
     "tolerance --write-lp FILE",
     {"tolerance", "--write-lp", ""}}, /* --output has its file */
    {"pack", "export -o FILE.h5", {"export", "--pack"}},
    {"recover", "export -o FILE.h5", {"export", "--recover"}},
    {NULL}};

static const struct ct_family family = {
    .name = "crosstalk",
    .summary = "measure how MPI applications disturb each other on a network, and predict it",
    .operands = "[OPTION]... [OPERAND]...",
    .notes = "Every command has -h, --help and a man page, crosstalk-COMMAND(1). The programs that "
             "measure are impactb, compressionb, logpb, scanb, workload and crosstalk-prober.",
    .group_of = group_of,
    .examples = examples,
    .see_also = see_also,
    .exit_note = "",
    .former = former,
    .n_members = sizeof subcommands / sizeof *subcommands,
    .member = get_member,
    .run = run_command};

/* Output that is lost, on a full disk, is a failure whatever the command says. */
static int check_output(int code)
{
    struct ct_error err;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (!failed || code != 0)
        return code;
    ct_fail(&err, CT_EIO, "standard output: cannot be written");
    return ct_print_failure(family.name, &err);
}

int main(int argc, char **argv)
{
    return check_output(ct_family_main(&family, argc, argv));
}
