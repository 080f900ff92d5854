/* crosstalk delay: run an MPI program whose messages arrive later. */
#include "cli/cli.h"
#include "core/option_rows.h"
#include "delay/latency.h"
#include "delay/run.h"

#include <math.h>

struct values {
    double latency_s; /* NaN: not given */
    const char *matrix;
    size_t rendezvous_bytes;
    bool within_nodes, quiet;
};

static const struct ct_option options[] = {
    {CT_OPTION(DURATION, "latency", struct values, latency_s), .letter = 'L',
     .max = CT_DELAY_LATENCY_MAX_S,
     .help = "latency that is added to messages; 0us: none, the baseline to compare with"},
    {CT_OPTION(STRING, "matrix", struct values, matrix), .argument = "FILE",
     .help =
         "instead: a latency for each pair of ranks of MPI_COMM_WORLD, at most 256 of them. The "
         "file has a row for each sender and a column for each receiver, durations with units, "
         "'-' from a rank to itself, and comments after '#'"},
    {CT_OPTION(SIZE, "rendezvous", struct values, rendezvous_bytes), .initial = "8KiB",
     CT_RANGE(1, 1 << 30),
     .help = "messages of that size and larger are sent by rendezvous, whose request, grant and "
             "data each take the latency (sets UCX_RNDV_THRESH)"},
    {CT_OPTION(FLAG, "within-nodes", struct values, within_nodes),
     .help =
         "delay messages between ranks of a node too, and have MPICH send them by UCX as if they "
         "left the node (sets MPIR_CVAR_NOLOCAL)"},
    CT_ROW_QUIET_NO_ANSWER(struct values, quiet),
    {0}};
static const struct ct_option_group groups[] = {{"Delay", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk delay",
    .summary = "run an MPI program whose messages arrive later",
    .operands = "-- COMMAND...",
    .description =
        "Runs a command that starts an MPI program, such as mpiexec or srun, with a library loaded "
        "into every rank (LD_PRELOAD), between the MPI and UCX. The library records when each "
        "message arrives, and passes it to the program after the latency. Neither its sender nor "
        "later messages wait for that. The program and its MPI need no change. Collectives and all "
        "kinds of sends, receives, probes and requests consist of such messages, and so are "
        "delayed. One-sided communication (MPI_Put, MPI_Get; with MPICH also what it sends as "
        "active messages, with Open MPI all of osc/ucx) is not.\n\n"
        "A message sent by rendezvous pays the latency three times: for its request, the grant and "
        "the data. Its sender waits for two of them. A synchronous send waits for the message and "
        "the acknowledgement.\n\n"
        "The library takes time itself, and --rendezvous may change how messages are sent. So "
        "compare with --latency 0us, not with a run without crosstalk delay. Each rank has a "
        "thread that records arrivals while the program computes; it needs a spare core.\n\n"
        "The MPI must be MPICH on UCX (device ch4:ucx), 4.0 or later, or Open MPI 4.1 with its "
        "component pml/ucx, linked dynamically. Others are refused, before they start or, where "
        "the program is not seen, by each rank. Open MPI is made to use pml/ucx, over any "
        "transport (OMPI_MCA_pml=ucx, OMPI_MCA_osc=ucx,sm, OMPI_MCA_opal_common_ucx_tls=any, "
        "OMPI_MCA_opal_common_ucx_devices=any, unless they are set). Messages between ranks of a "
        "node are not delayed, unless --within-nodes is given.\n\n"
        "The library is searched for beside this program and where it is installed; "
        "CROSSTALK_DELAY_LIBRARY gives another path. It takes its settings from "
        "CROSSTALK_DELAY_LATENCY (such as 50us), or CROSSTALK_DELAY_MATRIX (a path that all "
        "machines see), CROSSTALK_DELAY_WITHIN_NODES (1) and UCX_RNDV_THRESH (bytes), so that a "
        "batch script can set LD_PRELOAD and these variables itself. Open MPI's mpiexec "
        "passes them on to other machines if crosstalk delay starts it and its options have no -x "
        "(OMPI_MCA_mca_base_env_list is set, unless it is). In a script, or with other -x, give it "
        "-x LD_PRELOAD -x CROSSTALK_DELAY_LATENCY -x UCX_RNDV_THRESH, and what else is set.",
    .groups = groups,
    .examples = (const char *const[]){"crosstalk delay --latency 0us -- mpiexec -n 8 ./app",
                                      "the baseline: no added latency",
                                      "crosstalk delay --latency 50us -- mpiexec -n 8 ./app",
                                      "every message arrives 50 us later",
                                      "crosstalk delay --matrix pairs.txt -- mpiexec -n 4 ./app",
                                      "a latency for each pair of ranks", NULL},
    .see_also = (const char *const[]){"crosstalk(1)", "crosstalk-lab-up(1)",
                                      "crosstalk-tolerance(1)", NULL},
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true};

static enum ct_status run_delayed(void *given, const struct ct_arguments *args,
                                  struct ct_error *err)
{
    const struct values *values = given;
    bool known = false;
    if (isnan(values->latency_s) == !values->matrix)
        return ct_fail(err, CT_EUSAGE, "give --latency or --matrix, one of them");
    const struct ct_delay_run run = {.argv = args->operands,
                                     .latency_s = values->matrix ? 0 : values->latency_s,
                                     .matrix = values->matrix,
                                     .rendezvous_bytes = values->rendezvous_bytes,
                                     .within_nodes = values->within_nodes,
                                     .quiet = values->quiet};
    CT_TRY(ct_delay_check(&run, &known, err));
    if (!known) {
        struct ct_log log = ct_log_open(command.name, false);
        ct_log_warn(&log,
                    "%s: cannot see which MPI it uses; messages are delayed if rank 0 says so",
                    args->operands[0]);
    }
    return ct_delay_run(&run, err);
}

int ct_cmd_delay(int argc, char **argv)
{
    struct values values = {.latency_s = NAN};
    return ct_command_main(&command, argc, argv, &values, run_delayed);
}
