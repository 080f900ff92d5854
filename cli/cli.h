/** The crosstalk command: one row a subcommand, one file cmd_NAME.c each. */
#pragma once

#include "core/log.h"
#include "core/option.h"
#include "core/table.h"

/** Subcommands by task: argv[0] is the subcommand's name; the return value is the exit code. */
#define CT_SUBCOMMAND_MAP(X)                                                                       \
    X(campaign, "Measure", "plan and run the measurements of a campaign file")                     \
    X(scan, "Measure", "how a fabric behaves under load, in fifteen minutes")                      \
    X(lab, "Measure", "an emulated switch on this machine")                                        \
    X(trace, "Measure", "record what an MPI program communicates")                                 \
    X(report, "Answer", "show a campaign or a scan as a page")                                     \
    X(predict, "Answer", "which applications may run beside each other")                           \
    X(utilization, "Answer", "network utilization from probe latencies")                           \
    X(watch, "Answer", "which link of a watched network is sick")                                  \
    X(tolerance, "Answer", "how much network latency a schedule tolerates")                        \
    X(simulate, "Answer", "run time of programs that share a network, from their schedules")       \
    X(place, "Answer", "on which nodes the ranks of a program should run")                         \
    X(show, "Files", "describe a run file, or list the runs of a campaign")                        \
    X(export, "Files", "write runs as CSV or JSON, traces as timelines")                           \
    X(goal, "For experts", "make GOAL schedules of traces, convert and describe them")             \
    X(topology, "For experts", "hops, routes and a picture of a network of switches")              \
    X(calibrate, "For experts", "parameters of a simulated network from measurements")             \
    X(delay, "For experts", "run an MPI program whose messages arrive later")                      \
    X(validate, "For experts", "run time of a program over latency, measured and predicted")

#define CT_SUBCOMMAND_DECLARE(name, group, summary) int ct_cmd_##name(int argc, char **argv);
CT_SUBCOMMAND_MAP(CT_SUBCOMMAND_DECLARE)
#undef CT_SUBCOMMAND_DECLARE

/** What a command does. @param settings  [in,out] of its options */
typedef enum ct_status ct_command_run(void *settings, const struct ct_arguments *args,
                                      struct ct_error *err);

/** main() of a command: parse its words, run it unless they ask for help, print its error.
 * @return exit code */
int ct_command_main(const struct ct_command *command, int argc, char **argv, void *settings,
                    ct_command_run *run);

/** Print an error for the command; returns the exit code. */
int ct_print_failure(const char *command, const struct ct_error *err);
