/**
 * What a run has measured so far, in a folder beside its output, so that a run that is killed
 * leaves it: OUTPUT.checkpoint/ with `run.h5`, a run file without rows (attributes and pairs), and
 * one file for each rank that has measured anything. Of a probe run, whose samples are many, that
 * is `samples-000003`, the samples of rank 3 as they were added; of a run of logpb, whose rows are
 * few and change, `rows-000003.h5`, a run file of rank 3 that is replaced as a whole. The run's end
 * removes the folder; ct_checkpoint_recover() makes a run of it.
 *
 * A sample is 32 bytes, little-endian: t_s f64, latency_s f64, pair u32, late u8, three zeros,
 * sent_s f64. What is added is in the system's hands at once: it outlives the program, not the
 * machine.
 *
 * No MPI: ranks write on their own, and never wait for each other.
 */
#ifndef CT_RESULTS_CHECKPOINT_H
#define CT_RESULTS_CHECKPOINT_H

#include "results/run.h"

#define CT_CHECKPOINT_SUFFIX ".checkpoint"
/** Fact of a recovered run: 1. Its samples may lack the last ones. */
#define CT_CHECKPOINT_FACT "recovered_from_checkpoint"

/** One rank's side of a checkpoint; {.fd = -1} before its first samples. */
struct ct_checkpoint {
    const char *output; /**< of the run; borrowed */
    int rank;
    int fd;
    size_t n_kept; /**< samples that are in the file */
};

/**
 * Begin, on one rank, before any other adds samples: make the folder with `run.h5`.
 * @param run  [in] attributes and pairs; its rows are ignored
 * @return CT_OK; CT_EEXIST (there is one already: a run was killed, see --help of `crosstalk
 *         recover`); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_checkpoint_begin(const char *output, const struct ct_run *run,
                                   struct ct_error *err);

/**
 * Add what is new among the samples of this rank: those from n_kept on.
 * @return CT_OK; CT_EIO: what was added before stays
 */
enum ct_status ct_checkpoint_keep(struct ct_checkpoint *checkpoint, const struct ct_sample *samples,
                                  size_t n, struct ct_error *err);

/** This rank adds no more. */
void ct_checkpoint_close(struct ct_checkpoint *checkpoint);

/**
 * Replace what this rank has kept of a run of logpb.
 * @param run  [in] attributes, logp and repetitions of this rank
 * @return CT_OK; CT_EIO, CT_ENOMEM: what was kept before stays
 */
enum ct_status ct_checkpoint_replace(const char *output, int rank, const struct ct_run *run,
                                     struct ct_error *err);

/** Remove a run's folder, if there is one. @return CT_OK; CT_EIO */
enum ct_status ct_checkpoint_remove(const char *output, struct ct_error *err);

/**
 * The run that a folder holds, with CT_CHECKPOINT_FACT; of logpb with the attributes of the lowest
 * rank that has rows.
 * @param folder  [in]  OUTPUT.checkpoint
 * @param run_p   [out] ct_run_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (no such folder, a damaged file, named); CT_ENODATA (nothing
 *         measured yet); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_checkpoint_recover(const char *folder, struct ct_run *run_p,
                                     struct ct_error *err);

#endif
