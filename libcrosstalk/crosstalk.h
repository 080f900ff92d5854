/**
 * @file crosstalk.h
 * What runs of crosstalk say, from C and without MPI:
 *
 * - run files, one by one or all of a campaign: struct crosstalk_run, struct crosstalk_run_list;
 * - the run time T(L) of a schedule as an exact function of the network's latency, its slope
 *   lambda_L, critical latencies and tolerances: struct crosstalk_schedule, struct crosstalk_curve;
 * - measured and predicted slowdowns of a campaign's applications: struct crosstalk_campaign.
 *
 * The same questions are answered by the command crosstalk, which gives the same numbers.
 *
 *     struct crosstalk_error error;
 *     struct crosstalk_run *run;
 *     if (crosstalk_run_open("results/runs/idle.h5", &run, &error) != CROSSTALK_OK) {
 *         fprintf(stderr, "%s\n", error.text);
 *         return 1;
 *     }
 *     const struct crosstalk_sample *samples;
 *     size_t n = crosstalk_run_samples(run, &samples);
 *     for (size_t i = 0; i < n; i++)
 *         printf("%g %g\n", samples[i].time_s, samples[i].latency_s);
 *     crosstalk_run_close(run);
 *
 * Compile with `pkg-config --cflags --libs crosstalk`, or with CMake:
 *
 *     find_package(crosstalk REQUIRED)
 *     target_link_libraries(mine PRIVATE crosstalk::crosstalk)
 *
 * Units: seconds, bytes, fractions (0.25 is 25 %). NaN: not known, or not measured.
 *
 * Errors: a function that can fail returns a status and fills an error (NULL: not wanted) with the
 * value, the cause and the remedy. Outputs come last, their names end in _p, and they are unchanged
 * on error. Pointers may not be NULL where nothing else is said.
 *
 * Ownership: what *_open() and *_new() give is the caller's, who ends it by *_close(). Texts and
 * arrays that a handle gives out belong to the handle and end with it. *_close(NULL) does nothing.
 *
 * Threads: several threads may call any function at the same time, as long as none of them uses a
 * handle that another one changes: a handle changes in calls that take it without `const`. Files
 * are read one at a time. A program that calls HDF5 from other threads meanwhile needs an HDF5 that
 * is built for it (H5is_library_threadsafe()).
 *
 * What a program may notice: nothing is printed, and nothing ends the program. Opening a run file
 * starts a child process, which tries the file out and ends: HDF5 may crash on damaged ones. What
 * the program has set of HDF5's and GSL's handling of errors is put back before a call returns.
 *
 * Versions: until 1.0, struct and functions may change from one minor version to the next; the
 * shared library's name then does too.
 */
#ifndef CROSSTALK_H
#define CROSSTALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** Version of the library, "0.2.0"; static storage. */
const char *crosstalk_version(void);

/* ---- errors ---- */

/** What a function returns. */
enum crosstalk_status {
    CROSSTALK_OK = 0,
    CROSSTALK_EINVAL = 1,      /**< a value that is not allowed, or a file of another kind */
    CROSSTALK_ENOMEM = 2,      /**< out of memory */
    CROSSTALK_EIO = 3,         /**< a file could not be read */
    CROSSTALK_EFORMAT = 4,     /**< a file is damaged, or is none of crosstalk's */
    CROSSTALK_ENOENT = 5,      /**< a file or a name is not there */
    CROSSTALK_ENODATA = 6,     /**< too little was measured for an answer */
    CROSSTALK_EUNSUPPORTED = 7 /**< not available on this system, or too large */
};

/** Message of a status; "unknown status" for a value outside the list. Static storage. */
const char *crosstalk_status_text(enum crosstalk_status status);

/** An error with its cause; the caller's. Untouched on success. */
struct crosstalk_error {
    enum crosstalk_status status;
    char text[1020]; /**< "what: why", one line, without a newline at its end */
};

/* ---- run files ---- */

/** What was measured. */
enum crosstalk_kind {
    CROSSTALK_RUN_IMPACT = 0,      /**< latencies of a probe: crosstalk_run_samples() */
    CROSSTALK_RUN_COMPRESSION = 1, /**< what compressionb sent: crosstalk_run_rounds() */
    CROSSTALK_RUN_RUNTIME = 2,     /**< times of an application: crosstalk_run_passes() */
    CROSSTALK_RUN_LOGP = 3         /**< LogP parameters: crosstalk_run_logp() */
};

/** One run; it does not change once it is open. */
struct crosstalk_run;

/**
 * Read a run file.
 * @param path   [in]  a file, or a run of a packed campaign written "campaign.h5:NNNN"
 * @param run_p  [out] crosstalk_run_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_EFORMAT (no run file, damaged, of another
 *         schema); CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_run_open(const char *path, struct crosstalk_run **run_p,
                                         struct crosstalk_error *error);
void crosstalk_run_close(struct crosstalk_run *run);

/** Where the run was read from, as crosstalk_run_open() takes it. */
const char *crosstalk_run_path(const struct crosstalk_run *run);

enum crosstalk_kind crosstalk_run_kind(const struct crosstalk_run *run);

/** What ran beside the probe, or what was timed; "": the idle network. */
const char *crosstalk_run_app(const struct crosstalk_run *run);

/** What ran beside the application that was timed; "": nothing. Several: "B,C". */
const char *crosstalk_run_with(const struct crosstalk_run *run);

/**
 * The configuration of CompressionB that ran, "4:1:10ms" for 4 partners, 1 message and a pause of
 * 10 ms, as crosstalk's campaign files and options have it; "": none.
 */
const char *crosstalk_run_config(const struct crosstalk_run *run);

/**
 * An attribute of the file that is a text: "tool", "version", "started_utc" (ISO 8601), "argv",
 * "hosts" (separated by blanks), "mpi_library", "timer", or what else the tool has recorded.
 * @return NULL: there is no such attribute, or it is a number
 */
const char *crosstalk_run_text(const struct crosstalk_run *run, const char *name);

/**
 * An attribute that is a number: "seed", "timer_resolution_s", or what else the tool has recorded.
 * @return NaN: there is no such attribute, or it is a text. A seed above 2^53 is rounded
 */
double crosstalk_run_number(const struct crosstalk_run *run, const char *name);

/** A latency of a probe. */
struct crosstalk_sample {
    double time_s;    /**< when it was due, since the run's start */
    double latency_s; /**< half the round trip; from the due time where the probe was late */
    uint32_t pair;    /**< row of crosstalk_run_pairs() */
    uint32_t late;    /**< 1: it could not start when due, the one before was still out; else 0 */
};

/** Two ranks that probe each other. */
struct crosstalk_pair {
    uint32_t rank_a, rank_b;
    char host_a[64], host_b[64];
};

/** An application from its start to its end, or one of its passes. */
struct crosstalk_pass {
    double start_s; /**< since the run's start */
    double duration_s;
};

/** What compressionb sent, from all ranks, in [start_s, start_s + duration_s). */
struct crosstalk_round {
    double start_s, duration_s;
    uint64_t bytes;
};

/** A value between the ends of its 95 % interval; NaN: not measured, or too few repetitions. */
struct crosstalk_estimate {
    double value, lo, hi;
};

/** Parameterized LogP for one message size from one rank to another. */
struct crosstalk_logp {
    uint64_t bytes;
    uint32_t rank_from, rank_to;                  /**< measures; answers */
    uint32_t repetitions;                         /**< round trips, or messages of the train */
    uint32_t saturation;                          /**< 1: the gap is from a train; 0: round trips */
    struct crosstalk_estimate send_overhead_s;    /**< o_s */
    struct crosstalk_estimate receive_overhead_s; /**< o_r, message unexpected */
    struct crosstalk_estimate receive_expected_s; /**< o_r, receive posted beforehand */
    struct crosstalk_estimate gap_s;              /**< g */
    struct crosstalk_estimate round_trip_s;       /**< message out, empty answer back */
};

/**
 * Rows of a run, in the order of the file; so do the functions below, each for one kind of rows.
 * @param samples_p  [out] the rows; they belong to the run. NULL: the run has none
 * @return number of rows; 0: runs of this kind have none
 */
size_t crosstalk_run_samples(const struct crosstalk_run *run,
                             const struct crosstalk_sample **samples_p);
size_t crosstalk_run_pairs(const struct crosstalk_run *run, const struct crosstalk_pair **pairs_p);
size_t crosstalk_run_passes(const struct crosstalk_run *run,
                            const struct crosstalk_pass **passes_p);
size_t crosstalk_run_rounds(const struct crosstalk_run *run,
                            const struct crosstalk_round **rounds_p);
size_t crosstalk_run_logp(const struct crosstalk_run *run, const struct crosstalk_logp **rows_p);

/** All runs of a campaign, with their attributes and without their rows. */
struct crosstalk_run_list;

/**
 * List the runs of a campaign.
 * @param path    [in]  a folder with run files (in it, or in its folder "runs"), a packed campaign,
 * a folder that holds one, or a run file
 * @param list_p  [out] crosstalk_run_list_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_ENODATA (no run in the folder);
 *         CROSSTALK_EFORMAT; CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_run_list_open(const char *path, struct crosstalk_run_list **list_p,
                                              struct crosstalk_error *error);
void crosstalk_run_list_close(struct crosstalk_run_list *list);

size_t crosstalk_run_list_count(const struct crosstalk_run_list *list);

/**
 * A run of the list, ordered by path. It has no rows: crosstalk_run_open() with its
 * crosstalk_run_path() reads them. Belongs to the list; not to be closed.
 * @param i  [in] < crosstalk_run_list_count()
 */
const struct crosstalk_run *crosstalk_run_list_item(const struct crosstalk_run_list *list,
                                                    size_t i);

/** Files that look like run files and could not be read: their number, and "path: why" of one. */
size_t crosstalk_run_list_rejected_count(const struct crosstalk_run_list *list);
const char *crosstalk_run_list_rejected(const struct crosstalk_run_list *list, size_t i);

/* ---- schedules ---- */

/** What each rank of a program calculates, sends and receives, and what waits for what. */
struct crosstalk_schedule;

/** How traces become a schedule. Begin with crosstalk_conversion_init(). */
struct crosstalk_conversion {
    double compute_scale; /**< factor for the time between calls, 0..1e6 */
    /** Algorithms of collective calls, "allreduce=recursive-doubling,ring@64KiB", a text for each
     *  collective, then NULL; as crosstalk-goal(1) has them. NULL: MPICH's choices. */
    const char *const *collectives;
};

/** As traced, with MPICH's algorithms. */
void crosstalk_conversion_init(struct crosstalk_conversion *conversion_p);

/**
 * Read a schedule in GOAL, text or binary, or make one of the traces of a program.
 * @param path        [in]  a file, or a folder of traces by `crosstalk trace`; "-": standard input
 * @param conversion  [in]  for traces; NULL: crosstalk_conversion_init()
 * @param schedule_p  [out] crosstalk_schedule_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_EFORMAT (with line and column, or rank and
 *         event); CROSSTALK_EINVAL (an operation that cannot be, the conversion); CROSSTALK_ENODATA
 *         (the trace of a rank is missing); CROSSTALK_EUNSUPPORTED; CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_schedule_open(const char *path,
                                              const struct crosstalk_conversion *conversion,
                                              struct crosstalk_schedule **schedule_p,
                                              struct crosstalk_error *error);
void crosstalk_schedule_close(struct crosstalk_schedule *schedule);

uint32_t crosstalk_schedule_ranks(const struct crosstalk_schedule *schedule);

/** Operations of all ranks: calculations, sends, receives. */
uint64_t crosstalk_schedule_operations(const struct crosstalk_schedule *schedule);

/** What the schedule leaves out of the traces: the number of notes, and one for people. */
size_t crosstalk_schedule_note_count(const struct crosstalk_schedule *schedule);
const char *crosstalk_schedule_note(const struct crosstalk_schedule *schedule, size_t i);

/* ---- run time as a function of the latency ---- */

/**
 * Parameters of the LogGPS model. Begin with crosstalk_parameters_init(). What is not given is
 * taken from a run of logpb, if there is one.
 *
 * A message of s bytes, B = max(s - 1, 0): it is there o + L + B G after its send has begun, and
 * costs the receiver o. Above S bytes it first asks whether the receive is posted.
 * docs/models.md has the equations.
 */
struct crosstalk_parameters {
    double L_s;            /**< latency; needed by those who do not give one themselves */
    double o_s;            /**< overhead of the CPU for a message, on either side; with a run of
                                logpb NaN stands for those measured, by message size */
    double G_s_per_byte;   /**< gap per byte, the inverse of bandwidth */
    bool has_S;            /**< S_bytes is given; without it: as measured, or 256 KiB */
    uint64_t S_bytes;      /**< larger messages wait for their receive (rendezvous) */
    const char *logp_path; /**< run of logpb for the rest; NULL: none */
    bool serialize;        /**< one operation at a time on each CPU of a rank */
    bool serialize_nic;    /**< one message at a time leaves the NIC of a rank */
    unsigned threads;      /**< that compute, 1..64 */
};

/** Nothing given (NaN, false, NULL), one thread. */
void crosstalk_parameters_init(struct crosstalk_parameters *parameters_p);

/** T(L) of a schedule, all other parameters fixed: convex and piecewise linear. */
struct crosstalk_curve;

/**
 * @param schedule    [in]  may be closed after the call
 * @param parameters  [in]  each of L, o and G within 0..1000 s; o and G are needed, or a run of
 * logpb
 * @param curve_p     [out] crosstalk_curve_close()
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (a parameter that is missing or not allowed, a run of
 *         another kind; operations that wait for each other in a circle, a message without its
 *         counterpart); CROSSTALK_ENODATA (the run does not tell a parameter);
 *         those of crosstalk_run_open()
 */
enum crosstalk_status crosstalk_curve_new(const struct crosstalk_schedule *schedule,
                                          const struct crosstalk_parameters *parameters,
                                          struct crosstalk_curve **curve_p,
                                          struct crosstalk_error *error);
void crosstalk_curve_close(struct crosstalk_curve *curve);

/** The parameters that the curve rests on. L_s: as given, else as measured, else NaN; o_s: NaN
 * where overheads are those measured, by message size; logp_path: NULL. */
void crosstalk_curve_parameters(const struct crosstalk_curve *curve,
                                struct crosstalk_parameters *parameters_p);

/** T at one latency. */
struct crosstalk_point {
    double runtime_s; /**< T */
    double lambda_L;  /**< dT/dL, messages on the critical path; at a critical latency the right
                           derivative */
    double lambda_G;  /**< dT/dG, bytes (less one a message) on the critical path */
    double rho_L;     /**< lambda_L L / T, the share of T that is latency; 0 where T is 0 */
    double L_lo_s;    /**< lambda_L holds from here ... */
    double L_hi_s;    /**< ... to here; INFINITY: no end */
};

/**
 * @param L_s      [in]  0..1000 s
 * @param point_p  [out]
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_at(const struct crosstalk_curve *curve, double L_s,
                                         struct crosstalk_point *point_p,
                                         struct crosstalk_error *error);

/**
 * Latency tolerance: the largest latency at which the program runs at most so much longer than at
 * L_s, T(L_max) <= (1 + longer) T(L_s).
 * @param L_s          [in]  0..1000 s
 * @param longer_frac  [in]  n fractions, finite, >= 0
 * @param L_max_s_p    [out] n latencies; INFINITY: no latency makes the program run so much longer
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_tolerance(const struct crosstalk_curve *curve, double L_s,
                                                const double *longer_frac, size_t n,
                                                double *L_max_s_p, struct crosstalk_error *error);

/** A piece of T(L), on which T is a straight line. */
struct crosstalk_piece {
    double L_lo_s, L_hi_s; /**< where two pieces meet is a critical latency: the path changes */
    double runtime_lo_s;   /**< T(L_lo_s) */
    double lambda_L;       /**< dT/dL */
};

/**
 * All pieces of T between two latencies, from left to right; each begins where the one before ends.
 * @param L_lo_s    [in]  0..1000 s
 * @param L_hi_s    [in]  > L_lo_s, 0..1000 s
 * @param pieces_p  [out] at least one; the caller's, crosstalk_free()
 * @param n_p       [out] their number
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_pieces(const struct crosstalk_curve *curve, double L_lo_s,
                                             double L_hi_s, struct crosstalk_piece **pieces_p,
                                             size_t *n_p, struct crosstalk_error *error);

/* ---- slowdowns ---- */

/** The runs of a campaign, pooled, and the schedules of its applications. */
struct crosstalk_campaign;

/** What is not in the campaign. Begin with crosstalk_campaign_setup_init(). */
struct crosstalk_campaign_setup {
    const char *schedules_path; /**< folder with schedules APP.goal or APP.bin; NULL: the folders
                                     "schedules" and "traces" of the campaign, where they are */
    const char *logp_path;      /**< run of logpb that models of execution take their parameters
                                     from; NULL: the campaign's own */
    double link_bit_per_s;      /**< data rate of a link, for known loads of configurations, > 0;
                                     NaN: from the switch's counters, where they were recorded */
    uint64_t seed;              /**< of the random numbers */
};

/** Nothing given (NULL, NaN), seed 0. */
void crosstalk_campaign_setup_init(struct crosstalk_campaign_setup *setup_p);

/**
 * Read a campaign: all its runs, with all samples. Nothing is written. The folder is not looked at
 * any more after the call.
 * @param path        [in]  as crosstalk_run_list_open()
 * @param setup       [in]  NULL: crosstalk_campaign_setup_init()
 * @param campaign_p  [out] crosstalk_campaign_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_ENODATA (a kind of run is missing without which
 *         there is nothing to predict from); CROSSTALK_EINVAL (the setup); CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_open(const char *path,
                                              const struct crosstalk_campaign_setup *setup,
                                              struct crosstalk_campaign **campaign_p,
                                              struct crosstalk_error *error);
void crosstalk_campaign_close(struct crosstalk_campaign *campaign);

/** Applications are numbered from 0, in the order of their names. */
size_t crosstalk_campaign_app_count(const struct crosstalk_campaign *campaign);
const char *crosstalk_campaign_app(const struct crosstalk_campaign *campaign, size_t app);

/** The number of an application; crosstalk_campaign_app_count() where there is none of that name.
 */
size_t crosstalk_campaign_find_app(const struct crosstalk_campaign *campaign, const char *name);

/** What was left out, and what is odd about the runs: the number of notes, and one for people. */
size_t crosstalk_campaign_note_count(const struct crosstalk_campaign *campaign);
const char *crosstalk_campaign_note(const struct crosstalk_campaign *campaign, size_t i);

/**
 * What an application does to a probe, and what share of the network that is by the models of
 * crosstalk-utilization(1): by the mean and variance of latency (pk), by the mean with a fitted
 * constant (calibrated), by the share of probes that wait (waiting), as a mixture of configurations
 * whose load is known (mixture), and as the switch counted (counted). Utilizations: 0..1.
 */
struct crosstalk_load {
    size_t n_latencies; /**< 0: the network was not probed beside it */
    double mean_latency_s;
    double pk_frac, calibrated_frac, waiting_frac, mixture_frac, counted_frac;
};

/**
 * Of an application, or of the idle network.
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (no such application); CROSSTALK_ENODATA; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_load(struct crosstalk_campaign *campaign, size_t app,
                                              struct crosstalk_load *load_p,
                                              struct crosstalk_error *error);
enum crosstalk_status crosstalk_campaign_idle(struct crosstalk_campaign *campaign,
                                              struct crosstalk_load *load_p,
                                              struct crosstalk_error *error);

/**
 * Slowdown of an application beside others, as measured:
 * (mean time with - mean time without) / mean time without.
 * @param with             [in]  n >= 1 applications that ran beside it at once
 * @param slowdown_frac_p  [out] 0.25: 25 % slower; NaN: not measured
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (no such application); CROSSTALK_ENODATA; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_measured(struct crosstalk_campaign *campaign, size_t app,
                                                  const size_t *with, size_t n,
                                                  double *slowdown_frac_p,
                                                  struct crosstalk_error *error);

/** Models that predict: their number, the name of one, and what it works from. Static storage. */
size_t crosstalk_model_count(void);
const char *crosstalk_model_name(size_t i);
const char *crosstalk_model_needs(size_t i);

/** How much is app slowed beside others, by a model? */
struct crosstalk_question {
    const char *model; /**< crosstalk_model_name() */
    size_t app;
    const size_t *with; /**< n_with >= 1 applications, all at once */
    size_t n_with;
};

struct crosstalk_prediction {
    double slowdown_frac;    /**< NaN: the model cannot answer */
    double lo_frac, hi_frac; /**< interval; NaN: not asked for, or too little for one */
    const char *note;        /**< for people: why there is no answer, or what is to be known about
                                  it; "": nothing. Static storage */
};

/**
 * Predict slowdowns. Models that replay schedules ("replay" and its like) take seconds for the
 * first question.
 * @param questions      [in]  n of them
 * @param level_frac     [in]  level of the intervals, 0.5..0.99; NaN: none
 * @param predictions_p  [out] n of them
 * @return CROSSTALK_OK, also where an answer is NaN; CROSSTALK_EINVAL (an application or a model
 *         that there is not, the level); CROSSTALK_ENODATA; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_predict(struct crosstalk_campaign *campaign,
                                                 const struct crosstalk_question *questions,
                                                 size_t n, double level_frac,
                                                 struct crosstalk_prediction *predictions_p,
                                                 struct crosstalk_error *error);

/** End an array that is the caller's. NULL: does nothing. */
void crosstalk_free(void *array);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
