/**
 * @file crosstalk.h Results of crosstalk, from C and without MPI:
 *
 * - run files, one by one or all of a campaign: struct crosstalk_run, struct crosstalk_run_list;
 * - the run time T(L) of a schedule as an exact function of the network's latency, its slope
 *   lambda_L, critical latencies and tolerances: struct crosstalk_schedule, struct crosstalk_curve;
 * - measured and predicted slowdowns of a campaign's applications: struct crosstalk_campaign;
 * - networks of switches: struct crosstalk_topology; programs that share one, simulated:
 *   crosstalk_simulate(); where the ranks of a program run best: crosstalk_place().
 *
 * The numbers are the same as those of the command crosstalk.
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
 * Errors: a function that can fail returns a status and fills an error (may be NULL) with the
 * value, the cause and the remedy. Outputs come last, their names end in _p, and they are unchanged
 * on error. Pointers may be NULL only where this is stated.
 *
 * Ownership: the caller closes the handles of *_open() and *_new() by *_close(). Texts and arrays
 * that functions return for a handle belong to it, and are valid until it is closed. *_close(NULL)
 * does nothing.
 *
 * Threads: several threads may call any function at the same time, as long as none of them uses a
 * handle that another one changes: a handle changes in calls that take it without `const`. Files
 * are read one at a time. A program that calls HDF5 from other threads meanwhile needs an HDF5 that
 * is built for it (H5is_library_threadsafe()).
 *
 * Side effects: nothing is printed, and no function ends the program. Run files of other users, or
 * without a right checksum at their end, are tried by the program crosstalk-try before they are
 * read, since HDF5 may crash on damaged ones. It comes with the command crosstalk; without it, they
 * are read untried. The program's settings of error handling in HDF5 and GSL are restored before a
 * call returns.
 *
 * Stopping: crosstalk_cancel_when() gives a thread a flag that ends its long calls.
 *
 * Versions: from 0.3 on, programs run with every later library of the same name
 * (libcrosstalk.so.0): its struct and functions stay as they are, and more are added.
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

/** Status codes. */
enum crosstalk_status {
    CROSSTALK_OK = 0,
    CROSSTALK_EINVAL = 1,       /**< a value that is not allowed, or a file of another kind */
    CROSSTALK_ENOMEM = 2,       /**< out of memory */
    CROSSTALK_EIO = 3,          /**< a file could not be read */
    CROSSTALK_EFORMAT = 4,      /**< a file is damaged, or not a file of crosstalk */
    CROSSTALK_ENOENT = 5,       /**< a file or a name does not exist */
    CROSSTALK_ENODATA = 6,      /**< the measurements are not sufficient */
    CROSSTALK_EUNSUPPORTED = 7, /**< not available on this system, or too large */
    CROSSTALK_ECANCELED = 8     /**< stopped: crosstalk_cancel_when() */
};

/** Message of a status; "unknown status" for a value outside the list. Static storage. */
const char *crosstalk_status_text(enum crosstalk_status status);

/** An error with its cause. Owned by the caller; unchanged on success. */
struct crosstalk_error {
    enum crosstalk_status status;
    char text[1020]; /**< "what: why", one line, without a newline at its end */
};

/* ---- stopping ---- */

/**
 * Let the calls of this thread be stopped. Reading campaigns, run files, schedules and traces,
 * T(L), predictions, simulations and placements look at the flag, most of them within milliseconds;
 * the call then returns CROSSTALK_ECANCELED. A campaign that was stopped while it was asked gives
 * no more answers: close it.
 * @param flag  [in] which another thread or a signal handler sets to other than 0; NULL: none.
 *                   Borrowed until the next call of this function by the same thread
 */
void crosstalk_cancel_when(const volatile int *flag);

/* ---- run files ---- */

/** Kinds of runs. */
enum crosstalk_kind {
    CROSSTALK_RUN_IMPACT = 0,      /**< latencies of a probe: crosstalk_run_samples() */
    CROSSTALK_RUN_COMPRESSION = 1, /**< bytes that compressionb sent: crosstalk_run_rounds() */
    CROSSTALK_RUN_RUNTIME = 2,     /**< times of an application: crosstalk_run_passes() */
    CROSSTALK_RUN_LOGP = 3,        /**< LogP parameters: crosstalk_run_logp() */
    CROSSTALK_RUN_SCAN = 4         /**< a round of crosstalk scan, whose rows are not given here */
};

/** One run; it does not change once it is open. */
struct crosstalk_run;

/**
 * Read a run file.
 * @param path   [in]  a file, or "campaign.h5:NNNN" for a run of a packed campaign
 * @param run_p  [out] crosstalk_run_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_EFORMAT (no run file, damaged, another schema);
 *         CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_run_open(const char *path, struct crosstalk_run **run_p,
                                         struct crosstalk_error *error);
void crosstalk_run_close(struct crosstalk_run *run);

/** Where the run was read from, as crosstalk_run_open() takes it. */
const char *crosstalk_run_path(const struct crosstalk_run *run);

enum crosstalk_kind crosstalk_run_kind(const struct crosstalk_run *run);

/** The application that ran beside the probe, or that was timed; "": the idle network. */
const char *crosstalk_run_app(const struct crosstalk_run *run);

/** The co-runners of the timed application, "B" or "B,C"; "": none. */
const char *crosstalk_run_with(const struct crosstalk_run *run);

/**
 * The configuration of CompressionB in the run, as in campaign files and options: "4:1:10ms" for 4
 * partners, 1 message and a pause of 10 ms; "": none.
 */
const char *crosstalk_run_config(const struct crosstalk_run *run);

/**
 * An attribute of the file that is a text: "tool", "version", "started_utc" (ISO 8601), "argv",
 * "hosts" (separated by blanks), "mpi_library", "timer", or another one that the tool has recorded.
 * @return NULL: there is no such attribute, or it is a number
 */
const char *crosstalk_run_text(const struct crosstalk_run *run, const char *name);

/**
 * An attribute that is a number: "seed", "timer_resolution_s", or another one that the tool has
 * recorded.
 * @return NaN: there is no such attribute, or it is a text. A seed above 2^53 is rounded
 */
double crosstalk_run_number(const struct crosstalk_run *run, const char *name);

/** A latency of a probe. */
struct crosstalk_sample {
    double time_s;    /**< when the probe was due, since the run's start */
    double latency_s; /**< half the round trip; see late */
    uint32_t pair;    /**< row of crosstalk_run_pairs() */
    uint32_t late; /**< 1: the probe was sent later than it was due, else 0. In files of version 0.1
                      the latency of such a probe is measured from its due time */
};

/** Two ranks that probe each other. */
struct crosstalk_pair {
    uint32_t rank_a, rank_b;
    char host_a[64], host_b[64];
};

/** A pass of an application, or its whole run. */
struct crosstalk_pass {
    double start_s; /**< since the run's start */
    double duration_s;
};

/** Bytes that all ranks of compressionb sent in [start_s, start_s + duration_s). */
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
 * Rows of a run, in the order of the file. The functions below do the same for other kinds of rows.
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

/** Files that end in .h5 and could not be read: their number, and "path: why" of one of them. */
size_t crosstalk_run_list_rejected_count(const struct crosstalk_run_list *list);
const char *crosstalk_run_list_rejected(const struct crosstalk_run_list *list, size_t i);

/* ---- schedules ---- */

/** The operations of each rank of a program (calculate, send, receive), and their dependencies. */
struct crosstalk_schedule;

/** How traces become a schedule. Begin with crosstalk_conversion_init(). */
struct crosstalk_conversion {
    double compute_scale; /**< factor for the time between calls, 0..1e6 */
    /**
     * Algorithms of collective calls, "allreduce=recursive-doubling,ring@64KiB", a text for each
     * collective, then NULL; as in crosstalk-goal(1). NULL: the choices of MPICH.
     */
    const char *const *collectives;
};

/** Factor 1, and the choices of MPICH. */
void crosstalk_conversion_init(struct crosstalk_conversion *conversion_p);

/**
 * Read a schedule in GOAL, text or binary, or make one from the traces of a program.
 * @param path        [in]  a file, or a folder of traces by `crosstalk trace`; "-": standard input
 * @param conversion  [in]  for traces; NULL: crosstalk_conversion_init()
 * @param schedule_p  [out] crosstalk_schedule_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_EFORMAT (with line and column, or rank and
 *         event); CROSSTALK_EINVAL (an invalid operation, the conversion); CROSSTALK_ENODATA (the
 *         trace of a rank is missing); CROSSTALK_EUNSUPPORTED; CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_schedule_open(const char *path,
                                              const struct crosstalk_conversion *conversion,
                                              struct crosstalk_schedule **schedule_p,
                                              struct crosstalk_error *error);
void crosstalk_schedule_close(struct crosstalk_schedule *schedule);

uint32_t crosstalk_schedule_ranks(const struct crosstalk_schedule *schedule);

/** Operations of all ranks: calculations, sends, receives. */
uint64_t crosstalk_schedule_operations(const struct crosstalk_schedule *schedule);

/**
 * Notes on the parts of the traces that the schedule leaves out: their number, and the text of one.
 */
size_t crosstalk_schedule_note_count(const struct crosstalk_schedule *schedule);
const char *crosstalk_schedule_note(const struct crosstalk_schedule *schedule, size_t i);

/* ---- run time as a function of the latency ---- */

/**
 * Parameters of the LogGPS model. Begin with crosstalk_parameters_init(). Parameters that are not
 * given are taken from a run of logpb, if there is one.
 *
 * A message of s bytes, B = max(s - 1, 0): it arrives o + L + B G after its send has begun, and the
 * receiver spends o on it. A message of more than S bytes is sent by rendezvous: it waits until its
 * receive is posted. docs/models.md has the equations.
 */
struct crosstalk_parameters {
    double L_s; /**< latency; not needed for functions that take one */
    double o_s; /**< overhead of the CPU for a message, on either side; NaN with a run of logpb: the
                   measured ones, by message size */
    double G_s_per_byte;   /**< gap per byte, the inverse of bandwidth */
    bool has_S;            /**< whether S_bytes is given; if not, the measured one, or 256 KiB */
    uint64_t S_bytes;      /**< larger messages wait for their receive (rendezvous) */
    const char *logp_path; /**< run of logpb for the other parameters; NULL: none */
    bool serialize;        /**< one operation at a time on each CPU of a rank */
    bool serialize_nic;    /**< one message at a time leaves the NIC of a rank */
    unsigned threads;      /**< number of threads, 1..64 */
};

/** Nothing given (NaN, false, NULL), one thread. */
void crosstalk_parameters_init(struct crosstalk_parameters *parameters_p);

/** T(L) of a schedule, all other parameters fixed: convex and piecewise linear. */
struct crosstalk_curve;

/**
 * @param schedule    [in]  may be closed after the call
 * @param parameters  [in]  each of L, o and G within 0..1000 s; o and G are needed, or a run of
 *                          logpb
 * @param curve_p     [out] crosstalk_curve_close()
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (a parameter that is missing or not allowed, a run of
 *         another kind; operations that wait for each other in a cycle, a message without
 *         counterpart); CROSSTALK_ENODATA (the run lacks a parameter); those of
 *         crosstalk_run_open()
 */
enum crosstalk_status crosstalk_curve_new(const struct crosstalk_schedule *schedule,
                                          const struct crosstalk_parameters *parameters,
                                          struct crosstalk_curve **curve_p,
                                          struct crosstalk_error *error);
void crosstalk_curve_close(struct crosstalk_curve *curve);

/**
 * The parameters of the curve. L_s: as given, else as measured, else NaN; o_s: NaN if overheads are
 * the measured ones, by message size; logp_path: NULL.
 */
void crosstalk_curve_parameters(const struct crosstalk_curve *curve,
                                struct crosstalk_parameters *parameters_p);

/** T at one latency. */
struct crosstalk_point {
    double runtime_s; /**< T */
    double lambda_L;  /**< dT/dL, messages on the critical path; at a critical latency the right
                           derivative */
    double lambda_G;  /**< dT/dG, bytes (minus one for each message) on the critical path */
    double rho_L;     /**< lambda_L L / T, the share of latencies in T; 0 if T is 0 */
    double L_lo_s;    /**< lambda_L does not change from here ... */
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
 * Latency tolerance: the largest latency L_max with T(L_max) <= (1 + longer_frac) T(L_s).
 * @param L_s          [in]  0..1000 s
 * @param longer_frac  [in]  n fractions, finite, >= 0
 * @param L_max_s_p    [out] n latencies; INFINITY: T never becomes so much longer
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_tolerance(const struct crosstalk_curve *curve, double L_s,
                                                const double *longer_frac, size_t n,
                                                double *L_max_s_p, struct crosstalk_error *error);

/**
 * Bandwidth tolerance, along G: the largest time a byte G_max with T(G_max) <= (1 + longer_frac) T,
 * where L is L_s.
 * @param L_s                 [in]  0..1000 s
 * @param longer_frac         [in]  n fractions, finite, >= 0
 * @param G_max_s_per_byte_p  [out] n; INFINITY: T never becomes so much longer
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_gap_tolerance(const struct crosstalk_curve *curve, double L_s,
                                                    const double *longer_frac, size_t n,
                                                    double *G_max_s_per_byte_p,
                                                    struct crosstalk_error *error);

/** A piece of T(L), on which T is a straight line. */
struct crosstalk_piece {
    double L_lo_s,
        L_hi_s; /**< two pieces meet at a critical latency, where the critical path changes */
    double runtime_lo_s; /**< T(L_lo_s) */
    double lambda_L;     /**< dT/dL */
};

/**
 * All pieces of T between two latencies, from left to right; each begins where the one before ends.
 * @param L_lo_s    [in]  0..1000 s
 * @param L_hi_s    [in]  > L_lo_s, 0..1000 s
 * @param pieces_p  [out] at least one; owned by the caller, crosstalk_free()
 * @param n_p       [out] their number
 * @return CROSSTALK_OK; CROSSTALK_EINVAL; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_curve_pieces(const struct crosstalk_curve *curve, double L_lo_s,
                                             double L_hi_s, struct crosstalk_piece **pieces_p,
                                             size_t *n_p, struct crosstalk_error *error);

/* ---- slowdowns ---- */

/** The runs of a campaign, pooled, and the schedules of its applications. */
struct crosstalk_campaign;

/** Settings and inputs outside of the campaign. Begin with crosstalk_campaign_setup_init(). */
struct crosstalk_campaign_setup {
    const char *schedules_path; /**< folder with schedules APP.goal or APP.bin; NULL: the folders
                                   "schedules" and "traces" of the campaign, if they exist */
    const char *logp_path; /**< run of logpb with the parameters of models of execution; NULL: that
                              of the campaign */
    double link_bit_per_s; /**< data rate of a link, for known loads of configurations, > 0; NaN: by
                              the switch counters, if they were recorded */
    uint64_t seed;         /**< not used since 0.3: no model draws random numbers */
};

/** Nothing given (NULL, NaN), seed 0. */
void crosstalk_campaign_setup_init(struct crosstalk_campaign_setup *setup_p);

/**
 * Read a campaign: all its runs, with all samples. Nothing is written. The folder is not read any
 * more after the call.
 * @param path        [in]  as crosstalk_run_list_open()
 * @param setup       [in]  NULL: crosstalk_campaign_setup_init()
 * @param campaign_p  [out] crosstalk_campaign_close()
 * @return CROSSTALK_OK; CROSSTALK_ENOENT; CROSSTALK_ENODATA (a kind of run is missing without which
 *         nothing can be predicted); CROSSTALK_EINVAL (the setup; runs of several placements: pack
 *         one by crosstalk export --placement); CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_open(const char *path,
                                              const struct crosstalk_campaign_setup *setup,
                                              struct crosstalk_campaign **campaign_p,
                                              struct crosstalk_error *error);
void crosstalk_campaign_close(struct crosstalk_campaign *campaign);

/** Applications are numbered from 0, in the order of their names. */
size_t crosstalk_campaign_app_count(const struct crosstalk_campaign *campaign);
const char *crosstalk_campaign_app(const struct crosstalk_campaign *campaign, size_t app);

/** The number of an application; crosstalk_campaign_app_count() if there is none of that name. */
size_t crosstalk_campaign_find_app(const struct crosstalk_campaign *campaign, const char *name);

/** Notes on runs that were left out or are doubtful: their number, and the text of one. */
size_t crosstalk_campaign_note_count(const struct crosstalk_campaign *campaign);
const char *crosstalk_campaign_note(const struct crosstalk_campaign *campaign, size_t i);

/**
 * Effect of an application on the probe, and its utilization of the network by the estimates of
 * crosstalk-utilization(1): pk (pk), by delay (calibrated), by waiting (waiting), by phases
 * (mixture) and by the switch counters (counted). Utilizations: 0..1; docs/glossary.md has the
 * definitions.
 */
struct crosstalk_load {
    size_t n_latencies; /**< 0: the network was not probed beside it */
    double mean_latency_s;
    double pk_frac, calibrated_frac, waiting_frac, mixture_frac, counted_frac;
};

/**
 * Load of an application, and of the idle network.
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
 * @param with             [in]  n >= 1 co-runners, all at the same time
 * @param slowdown_frac_p  [out] 0.25: 25 % slower; NaN: not measured
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (no such application); CROSSTALK_ENODATA; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_measured(struct crosstalk_campaign *campaign, size_t app,
                                                  const size_t *with, size_t n,
                                                  double *slowdown_frac_p,
                                                  struct crosstalk_error *error);

/** Models: their number, the key of one, and the measurements that it needs. Static storage. */
size_t crosstalk_model_count(void);
const char *crosstalk_model_name(size_t i);
const char *crosstalk_model_needs(size_t i);

/** A prediction to be made: the slowdown of app beside others, by a model. */
struct crosstalk_question {
    const char *model; /**< crosstalk_model_name(); NULL: the best that the inputs allow, as
                          crosstalk predict has it. Names of models before 0.3 are those of their
                          successors until 0.4 */
    size_t app;
    const size_t *with; /**< n_with >= 1 co-runners, all at the same time */
    size_t n_with;
};

struct crosstalk_prediction {
    double slowdown_frac;    /**< NaN: no prediction */
    double lo_frac, hi_frac; /**< interval; NaN: not requested, or too few known errors */
    const char *note; /**< message: why there is no prediction, or a remark on it; "": none. Static
                         storage */
};

/**
 * Predict slowdowns. The model that simulates schedules ("packets") takes seconds for the first
 * question.
 * @param questions      [in]  n of them
 * @param level_frac     [in]  level of the intervals, 0.5..0.99; NaN: none
 * @param predictions_p  [out] n of them
 * @return CROSSTALK_OK, also if a prediction is NaN; CROSSTALK_EINVAL (no such application or
 *         model, the level); CROSSTALK_ENODATA; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_campaign_predict(struct crosstalk_campaign *campaign,
                                                 const struct crosstalk_question *questions,
                                                 size_t n, double level_frac,
                                                 struct crosstalk_prediction *predictions_p,
                                                 struct crosstalk_error *error);

/**
 * Whether a slowdown is acceptable. The verdict, in static storage, is
 * - "yes": lo_frac..hi_frac is within the limit;
 * - "no": it is beyond;
 * - "perhaps": the limit is inside, or there is no interval;
 * - "unknown": the slowdown was neither measured nor predicted;
 * - "disturbed": do not decide by it; processors, stolen time or drift explain more than half of
 * it, or of the limit if that is larger.
 */
struct crosstalk_verdict {
    const char *verdict;
    double slowdown_frac;    /**< the measured one, or else the predicted one; NaN: neither */
    double lo_frac, hi_frac; /**< its interval, without random numbers; NaN: none */
    double explained_frac;   /**< what processors, stolen time and drift explain; 0: not measured */
    bool is_measured;
};

/**
 * The verdict of crosstalk predict on an application beside others. Two may run beside each other,
 * sharing what they shared in the campaign (crosstalk_campaign_shared()), if it is "yes" for each
 * of them beside the other.
 * @param question    [in]  its model answers if the slowdown was not measured
 * @param limit_frac  [in]  largest slowdown that is acceptable, > 0; the commands have 0.05
 * @param level_frac  [in]  level of the interval, 0.5..0.99; the commands have 0.9
 * @return as crosstalk_campaign_predict()
 */
enum crosstalk_status crosstalk_campaign_verdict(struct crosstalk_campaign *campaign,
                                                 const struct crosstalk_question *question,
                                                 double limit_frac, double level_frac,
                                                 struct crosstalk_verdict *verdict_p,
                                                 struct crosstalk_error *error);

/**
 * What programs that ran at the same time shared, in static storage: "hosts"; with hosts of their
 * own, "switch", "links" (between switches) or "nothing"; "own hosts" (the switches were not
 * recorded); "not recorded". Predictions and verdicts are about programs that share the same.
 */
const char *crosstalk_campaign_shared(const struct crosstalk_campaign *campaign);

/* ---- networks of switches ---- */

/** Nodes, switches and links, with static routes; it does not change. */
struct crosstalk_topology;

/** A link; its two directions carry data at the same time. */
struct crosstalk_link {
    uint32_t from, to;     /**< nodes, and behind them switches: crosstalk_topology_name() */
    double rate_bit_per_s; /**< of a direction; NaN: not known */
    double latency_s;      /**< NaN: not known */
};

/**
 * @param text              [in]  "tree:4x4" and the like, or a file: crosstalk-topology(1)
 * @param rate_bit_per_s    [in]  of links that have none there; NaN: not known
 * @param uplink_bit_per_s  [in]  likewise, of links between switches; NaN: as those of nodes
 * @param topology_p        [out] crosstalk_topology_close()
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (the text, too large); CROSSTALK_ENOENT;
 *         CROSSTALK_EFORMAT; CROSSTALK_ENODATA (no node); CROSSTALK_EIO; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_topology_open(const char *text, double rate_bit_per_s,
                                              double uplink_bit_per_s,
                                              struct crosstalk_topology **topology_p,
                                              struct crosstalk_error *error);
void crosstalk_topology_close(struct crosstalk_topology *topology);

uint32_t crosstalk_topology_nodes(const struct crosstalk_topology *topology);
uint32_t crosstalk_topology_switches(const struct crosstalk_topology *topology);

/** Name of a node, or of switch i - nodes. @param i  [in] below nodes + switches */
const char *crosstalk_topology_name(const struct crosstalk_topology *topology, uint32_t i);

/** The links: their number, and the array, which belongs to the topology. */
size_t crosstalk_topology_links(const struct crosstalk_topology *topology,
                                const struct crosstalk_link **links_p);

/**
 * The route of messages from one node to another.
 * @param links_p  [out] numbers of its links, in their order; owned by the caller, crosstalk_free()
 * @param n_p      [out] how many; 0 from a node to itself
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (no such node); CROSSTALK_ENODATA (no route);
 *         CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_topology_route(const struct crosstalk_topology *topology,
                                               uint32_t from, uint32_t to, uint32_t **links_p,
                                               size_t *n_p, struct crosstalk_error *error);

/** How far apart the nodes are. */
struct crosstalk_distances {
    double mean_switches;       /**< between two nodes; of very many, those of evenly spaced ones */
    uint32_t most_switches;     /**< likewise */
    uint64_t bisection_links;   /**< least cut between the first and the second half of the nodes */
    double bisection_bit_per_s; /**< the same, of one direction; NaN: a rate is not known */
};

/** @return CROSSTALK_OK; CROSSTALK_ENODATA (fewer than two nodes); CROSSTALK_ENOMEM */
enum crosstalk_status crosstalk_topology_distances(const struct crosstalk_topology *topology,
                                                   struct crosstalk_distances *distances_p,
                                                   struct crosstalk_error *error);

/** What programs run on. Begin with crosstalk_network_init(). */
struct crosstalk_network {
    const struct crosstalk_topology *topology; /**< NULL: one switch; borrowed during the call */
    double wire_s, switch_s; /**< of each link and switch, in place of L; NaN: L, or that of classes
                                of paths in the run of logpb */
    double L_node_s, G_node_s_per_byte; /**< between ranks of one node; not used by simulations */
    uint32_t ranks_per_node;            /**< in blocks, >= 1 */
};

/** One switch, NaN, 0, one rank on a node. */
void crosstalk_network_init(struct crosstalk_network *network_p);

/* ---- programs that share a network ---- */

/** A program, borrowed during the call. */
struct crosstalk_program {
    const struct crosstalk_schedule *schedule;
    const char *hosts; /**< nodes of the topology, "n[0-3],n8", in the order of its blocks of ranks;
                          NULL: the first ones */
};

/** Times of a program, the mean of its passes. */
struct crosstalk_simulated {
    double alone_s, runtime_s; /**< alone; beside the others (a single program: the same) */
    double slowdown_frac;
    double no_network_s; /**< alone, without a network, with the costs of MPI */
    double none_s;       /**< likewise without these: what its imbalance takes */
    double compute_s, stack_s, sync_s, network_s; /**< mean of its ranks: computing, the software of
                                                     MPI, waiting for other ranks, the network */
};

/**
 * Simulate 1 to 16 programs together on a network of packets with LogGPS costs, as
 * crosstalk-simulate(1) does with --logp or --L, --o and --G.
 * @param parameters   [in]  serialize and serialize_nic are not used
 * @param simulated_p  [out] n
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (parameters, network, number, hosts; a program that cannot
 *         end); CROSSTALK_EUNSUPPORTED (too large; latencies of links in a file); CROSSTALK_ENODATA
 *         (no route); what reading the run of logpb returns; CROSSTALK_ECANCELED; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_simulate(const struct crosstalk_program *programs, size_t n,
                                         const struct crosstalk_parameters *parameters,
                                         const struct crosstalk_network *network,
                                         struct crosstalk_simulated *simulated_p,
                                         struct crosstalk_error *error);

/* ---- ranks on nodes ---- */

/** A pair of nodes that has messages, and what it has on the critical path. */
struct crosstalk_pair_lambda {
    uint32_t from, to; /**< nodes; equal: inside one */
    uint64_t messages; /**< of the whole schedule */
    double L_s, o_s, G_s_per_byte;
    double lambda_L; /**< dT/dL of this pair: its messages on the critical path */
    double lambda_G; /**< dT/dG likewise: bytes, less one a message */
};

/**
 * What each pair of nodes counts for in T, with parameters that were measured for each, as
 * crosstalk-tolerance(1) does with --pairs.
 * @param pairs_path  [in]  run of logpb with --pairs
 * @param network     [in]  ranks_per_node and what messages inside a node cost; else not used
 * @param pairs_p     [out] owned by the caller, crosstalk_free()
 * @param n_p         [out] their number
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (a run of another kind, more ranks than it has nodes for);
 *         CROSSTALK_ENODATA (the run lacks a value); CROSSTALK_ENOENT; CROSSTALK_EFORMAT;
 *         CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_pair_lambdas(const struct crosstalk_schedule *schedule,
                                             const char *pairs_path,
                                             const struct crosstalk_network *network,
                                             struct crosstalk_pair_lambda **pairs_p, size_t *n_p,
                                             double *runtime_s_p, struct crosstalk_error *error);

/** T of mappings of ranks to nodes. */
struct crosstalk_placement {
    double before_s;    /**< ranks in blocks, in the order of the nodes */
    double after_s;     /**< the mapping that was found */
    double bound_s;     /**< no mapping is below */
    size_t evaluations; /**< mappings whose T was computed */
};

/**
 * Search the mapping of ranks to the nodes of a topology with the least T, as crosstalk-place(1).
 * @param network       [in]  with a topology, and wire_s and switch_s unless the run of logpb has
 *                            classes of paths
 * @param evaluations   [in]  at most about so many; 0: as many as take seconds
 * @param seed          [in]  the same one gives the same mapping
 * @param node_of_rank  [out] crosstalk_schedule_ranks()
 * @return CROSSTALK_OK; CROSSTALK_EINVAL (parameters, network, no room for all ranks);
 *         CROSSTALK_ENODATA (no route); CROSSTALK_ECANCELED; CROSSTALK_ENOMEM
 */
enum crosstalk_status crosstalk_place(const struct crosstalk_schedule *schedule,
                                      const struct crosstalk_parameters *parameters,
                                      const struct crosstalk_network *network, size_t evaluations,
                                      uint64_t seed, uint32_t *node_of_rank,
                                      struct crosstalk_placement *placement_p,
                                      struct crosstalk_error *error);

/** Free an array that is owned by the caller. NULL: does nothing. */
void crosstalk_free(void *array);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
