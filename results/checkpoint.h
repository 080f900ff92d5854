/**
 * Checkpoints: what a run has measured so far is kept in a folder beside its output, so that it is
 * not lost if the run is killed. The folder OUTPUT.checkpoint/ has `run.h5`, a run file without
 * rows (attributes and pairs), and one file for each rank that has measured anything. In a probe
 * run, with many samples, this is `probes-000003`: the samples of rank 3, appended. In a run of
 * logpb, whose rows are few and change, it is `rows-000003.h5`: a run file of rank 3, replaced as a
 * whole; and in a run of scanb the same of rank 0, which has the rows of all. The folder is removed
 * at the end of the run; ct_checkpoint_recover() makes a run of a folder that was left.
 *
 * A sample is 40 bytes, little-endian: t_s f64, latency_s f64, pair u32, late u8, from_b u8,
 * two zeros, sent_s f64, forward_s f64. In files named `samples-000003`, of version 0.1, it ends
 * before forward_s. Added samples are passed to the operating system at once: they survive the end
 * of the program, but not a crash of the machine.
 *
 * No MPI: ranks write independently of each other.
 */
#pragma once

#include "results/run.h"

#define CT_CHECKPOINT_SUFFIX ".checkpoint"
/** Fact of a recovered run, value 1: the last samples may be missing. */
#define CT_CHECKPOINT_FACT "recovered_from_checkpoint"

/** One rank's side of a checkpoint; {.fd = -1} before its first samples. */
struct ct_checkpoint {
    const char *output; /**< of the run; borrowed */
    int rank;
    int fd;
    size_t n_kept; /**< samples that are in the file */
};

/**
 * Make the folder with `run.h5`. One rank calls this, before any rank adds samples.
 * @param run  [in] attributes and pairs; its rows are ignored
 * @return CT_OK; CT_EEXIST (the folder exists: a run was killed, see docs/campaigns.md);
 *         CT_EIO; CT_ENOMEM
 */
enum ct_status ct_checkpoint_begin(const char *output, const struct ct_run *run,
                                   struct ct_error *err);

/**
 * Append the new samples of this rank: those from n_kept on.
 * @return CT_OK; CT_EIO (what was added before is kept)
 */
enum ct_status ct_checkpoint_keep(struct ct_checkpoint *checkpoint, const struct ct_sample *samples,
                                  size_t n, struct ct_error *err);

/** Close the file of this rank. */
void ct_checkpoint_close(struct ct_checkpoint *checkpoint);

/**
 * Replace the rows of this rank in a run of logpb or scanb.
 * @param run  [in] attributes and rows of this rank
 * @return CT_OK; CT_EIO, CT_ENOMEM (the earlier rows are kept)
 */
enum ct_status ct_checkpoint_replace(const char *output, int rank, const struct ct_run *run,
                                     struct ct_error *err);

/** Remove a run's folder, if there is one. @return CT_OK; CT_EIO */
enum ct_status ct_checkpoint_remove(const char *output, struct ct_error *err);

/** Whether a path is such a folder. */
bool ct_checkpoint_is(const char *path);

/**
 * Read the run in a folder; CT_CHECKPOINT_FACT is added. A run of logpb gets the attributes of the
 * lowest rank that has rows.
 * @param folder  [in]  OUTPUT.checkpoint
 * @param run_p   [out] ct_run_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (no such folder, a damaged file, named); CT_ENODATA (nothing
 *         measured yet); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_checkpoint_recover(const char *folder, struct ct_run *run_p,
                                     struct ct_error *err);
