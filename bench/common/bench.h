/**
 * What all measuring MPI programs have in common: options, start and end, signals, errors, the
 * layout of ranks on nodes, and the attributes of the run file. All state is in a struct ct_bench
 * in main().
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct values values = {0};
 *         return ct_bench_main(&command, argc, argv, &values, &values.common, NULL, run);
 *     }
 */
#pragma once

#include "bench/common/layout.h"
#include "core/log.h"
#include "core/option_rows.h"
#include "core/parts.h"
#include "results/run.h"

#include <mpi.h>

/** A CompressionB configuration given as text (ct_config_parse()), for provenance. */
struct ct_bench_config {
    bool given;
    struct ct_config config;
};

/** Options that all MPI programs share. */
struct ct_bench_options {
    const char *output; /**< run file; "" = none */
    const char *label;  /**< application that is measured, or that runs beside the probe; root
                           attribute "app" */
    const char *with;   /**< co-runner; root attribute "with" */
    struct ct_bench_config config;
    double time_s;
    int format; /**< enum ct_format */
    struct ct_view view;
    uint64_t seed;
};

/**
 * Rows for struct ct_bench_options, for a group of options of their own. The first row is --time: a
 * program that has a row of its own for it begins at ct_bench_option_rows + CT_BENCH_TIME_ROWS.
 */
extern const struct ct_option ct_bench_option_rows[];
enum { CT_BENCH_TIME_ROWS = 1 };

struct ct_bench {
    MPI_Comm comm; /**< a duplicate of the world, see world.h; MPI errors print a text and abort */
    int rank, size;
    struct ct_layout layout;
    struct ct_log log;                      /**< quiet on every rank but 0 */
    const struct ct_command *command;       /**< borrowed */
    const struct ct_bench_options *options; /**< borrowed */
    const void *values;                     /**< values of the command's options; borrowed */
    char *argv_text;
    char started_utc[32];
    double start_s; /**< common start: ct_clock_now_s() of this rank right after a barrier */
};

/** What a program measures. Collective. @param values  [in,out] of its options */
typedef enum ct_status ct_bench_run(struct ct_bench *bench, void *values, struct ct_error *err);

/**
 * main(): parse options, initialise MPI, install handlers for SIGINT and SIGTERM (they set a flag),
 * find out which ranks share a node, agree on the seed, and run; print the error of the lowest rank
 * that has one, and finalise MPI. Usage errors are printed by rank 0 only.
 * @param values         [in,out] the program's options, with `common` inside
 * @param needs_threads  [in]     whether several threads will call MPI at once, by its options;
 *                                before MPI starts, on each rank alone; NULL: no
 * @return exit code
 */
int ct_bench_main(const struct ct_command *command, int argc, char **argv, void *values,
                  struct ct_bench_options *common, bool (*needs_threads)(const void *),
                  ct_bench_run *run);

/** Whether SIGINT or SIGTERM has come to this process. Cheap; once true, it stays true. */
bool ct_bench_signalled(void);

/**
 * Agree on a status after a phase in which ranks may have failed on their own. Collective.
 * @return the status of the lowest rank that failed, and its message in err; CT_OK if none
 */
enum ct_status ct_bench_agree(const struct ct_bench *bench, enum ct_status status,
                              struct ct_error *err);

/**
 * MPI_Test() by a rank that has nothing else to do. In a simulation MPI_Wait(): polling there costs
 * simulated time, and much of the real one.
 * @return whether the request is complete
 */
static inline bool ct_bench_test_idle(MPI_Request *request)
{
    int arrived = 1;
    if (CT_SIMULATED)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    else
        MPI_Test(request, &arrived, MPI_STATUS_IGNORE);
    return arrived != 0;
}

/** True on all ranks as soon as it is true on one. Collective (one small allreduce). */
bool ct_bench_any(const struct ct_bench *bench, bool here);

/**
 * Fill the attributes of a run: tool, version, app, with, configuration, start, argv, seed, hosts,
 * MPI library, timer, resolution, every option of the program as a fact "option_NAME", and the
 * environment of the calling rank (results/environment.h).
 * @param info_p  [out] ct_run_info_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_bench_describe(const struct ct_bench *bench, enum ct_run_kind kind,
                                 struct ct_run_info *info_p, struct ct_error *err);

/** Add provenance lines to tables: program, ranks, nodes, timer, options. */
void ct_bench_add_provenance(const struct ct_bench *bench, struct ct_tables *tables);
