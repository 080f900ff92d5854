/**
 * Proxy applications: programs that send the messages of a real code, in the same order and sizes,
 * and sleep or spin where it computes. A workload is one file and one row of CT_WORKLOAD_MAP.
 *
 * A pass is a number of iterations, timed from a common start to the end of the last rank: the run
 * time of the application. Receivers check messages: samples of them in timed iterations, every
 * word in one iteration before the first pass and in one after the last.
 */
#pragma once

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/workloads/profile.h"
#include "bench/workloads/region.h"

/** Every workload: the NAME of its struct ct_workload_NAME, and its text in --help. */
#define CT_WORKLOAD_MAP(X)                                                                         \
    X(fft, "2-D FFT: two all-to-all transpositions an iteration")                                  \
    X(vpfft, "crystal plasticity: much computing, then six all-to-all transpositions of a "        \
             "cube and one reduction an iteration")                                                \
    X(lulesh, "shock hydrodynamics: three exchanges with up to 26 neighbours and one "             \
              "reduction an iteration; the number of ranks must be a cube")                        \
    X(mcb, "Monte Carlo particles: few messages, at random, to up to 6 neighbours; "               \
           "reductions that count them end an iteration")                                          \
    X(milc, "lattice conjugate gradient: two exchanges with up to 8 neighbours and two "           \
            "reductions an iteration")                                                             \
    X(amg, "multigrid: computing, then V-cycles, exchanges with up to 6 neighbours from "          \
           "large to tiny and a reduction each")                                                   \
    X(replay, "any program: the calls in its traces (--trace) or schedule (--goal), one by one; "  \
              "the number of ranks must be that of the program")

/** Input and results of iterations. One for each process, a variable of main(). */
struct ct_replay_options;
struct ct_workload_run {
    MPI_Comm comm;
    int rank, size;
    double scale;
    double compute_s;                       /**< per iteration */
    bool spin;                              /**< compute on the processor; else sleep */
    uint64_t seed;                          /**< the same on all ranks */
    uint64_t iteration;                     /**< since the program's start; never repeats */
    size_t max_checks;                      /**< words that are checked per message */
    const struct ct_replay_options *replay; /**< of the workload replay; borrowed */
    struct ct_log *log;                     /**< for warnings of rank 0; borrowed */
    double mpi_from_s;                      /**< start of the current MPI call */
    struct ct_profile profile;

    enum ct_status status; /**< first failure of this rank, which continues until all ranks agree */
    struct ct_error error;
};

struct ct_workload {
    const char *name;
    uint64_t iterations;       /**< of a pass, by default */
    double compute_s;          /**< per iteration and rank at scale 1 */
    const char *const *phases; /**< names, NULL-terminated, CT_PROFILE_PHASES_MAX at most; an
                                    iteration starts in the first */
    /**
     * Choose sizes and allocate memory. Collective, but single ranks may fail.
     * @param state_p  [out] owned by the caller, destroy(); unchanged on error
     * @return CT_OK; CT_EUSAGE (this number of ranks, or this scale, is not possible); CT_ENOMEM
     */
    enum ct_status (*create)(const struct ct_workload_run *run, void **state_p,
                             struct ct_error *err);
    /** One iteration. Collective. */
    void (*iterate)(void *state, struct ct_workload_run *run);
    void (*destroy)(void *state); /**< NULL is allowed */
};

#define CT_WORKLOAD_DECLARE(name, about) extern const struct ct_workload ct_workload_##name;
CT_WORKLOAD_MAP(CT_WORKLOAD_DECLARE)
#undef CT_WORKLOAD_DECLARE

/* --- for iterate() --------------------------------------------------------------------------- */

/** Compute for a share of the iteration's compute time, 0..1. */
void ct_workload_compute(struct ct_workload_run *run, double share);

/** Begin a phase, an index into the workload's names. Reads the clock only. */
static inline void ct_workload_phase(struct ct_workload_run *run, int phase)
{
    ct_profile_enter(&run->profile, phase, ct_clock_now_s());
}

/** Call these around MPI calls, whose time counts as communication. */
static inline void ct_workload_mpi_begin(struct ct_workload_run *run)
{
    run->mpi_from_s = ct_clock_now_s();
}

static inline void ct_workload_mpi_end(struct ct_workload_run *run)
{
    ct_profile_mpi(&run->profile, ct_clock_now_s() - run->mpi_from_s);
}

/** Count a message to another rank. */
static inline void ct_workload_sent(struct ct_workload_run *run, int peer, uint64_t bytes)
{
    ct_profile_sent(&run->profile, peer, bytes);
}

/** Reduce one number per rank, on all ranks; its time counts as communication. */
double ct_workload_reduce(struct ct_workload_run *run, double mine, MPI_Op op);

/** The same with a known result; any other result is a failure of the rank. */
void ct_workload_reduce_checked(struct ct_workload_run *run, double mine, MPI_Op op,
                                double expected);

/** Check a message; the first wrong one becomes the rank's failure. */
void ct_workload_check(struct ct_workload_run *run, int sender, const struct ct_region *region,
                       uint64_t stamp, const uint64_t *words);

/**
 * size * scale^power, rounded, at least 1.
 * @param power  [in] 1/3 for an edge, if the volume is proportional to the scale
 */
size_t ct_workload_scaled(size_t size, double scale, double power);

/* --- for the program ------------------------------------------------------------------------- */

/**
 * By which factor a lab that imitates a machine makes computing longer: CT_CLOCK_DILATION_VARIABLE.
 * @param factor_p  [out] 0: none
 * @return CT_OK; CT_EINVAL
 */
enum ct_status ct_workload_dilation(double *factor_p, struct ct_error *err);

struct ct_workload_plan {
    uint64_t iterations; /**< of a pass, >= 1 */
    double dilation;     /**< factor of times of computing that the lab has set; 0: none */
    bool loop;     /**< repeat passes until the time is over or a signal comes; else one pass */
    double time_s; /**< since the program's common start */
};

/** Passes that were made. rows: rank 0 only. */
struct ct_workload_passes {
    struct ct_runtime *rows; /**< n; free() */
    size_t n, capacity;
    double total_s; /**< sum of the passes' durations */
};

/**
 * Make passes until the plan ends. A pass that has begun is finished. Collective.
 * @param passes_p  [out] owned by the caller, also on error
 * @return the same on all ranks: CT_OK; CT_EIO (the content of a message is wrong); CT_ENOMEM
 */
enum ct_status ct_workload_repeat(struct ct_bench *bench, const struct ct_workload *workload,
                                  void *state, const struct ct_workload_plan *plan,
                                  struct ct_workload_run *run, struct ct_workload_passes *passes_p,
                                  struct ct_error *err);
