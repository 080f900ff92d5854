/**
 * A scan in memory, as plain data: what the rounds in a folder of `crosstalk scan` measured.
 *
 *     struct ct_scan scan;
 *     ct_scan_load("sheet", &scan, &err);
 *     for (size_t c = 0; c < scan.n_cells; c++) ...
 *     ct_scan_free(&scan);
 *
 * In a round the nodes are divided into canaries and congestors, and each canary is measured alone
 * and beside congestors, in random order. The first round is a survey: every node is a canary, and
 * the network is idle. A cell of a round is to be compared with the baseline of the same canary,
 * path class and round only: another round has other canary nodes.
 */
#pragma once

#include "core/argv.h"
#include "results/scan_setting.h"

#include <stddef.h>

/** A node of the allocation. */
struct ct_scan_node {
    char *name;
    char *switch_name; /**< where it is attached, or the latency class it is in; NULL: not known */
};

/** Two canary nodes of a cell. */
struct ct_scan_pair {
    size_t node_a, node_b; /**< of the scan; node_a < node_b */
    int path_class;        /**< switches between them; 0: not known */
    size_t n_samples;
    double median_s;
};

/** A canary beside a congestor in a round. */
struct ct_scan_cell {
    enum ct_scan_canary canary;
    struct ct_scan_setting setting;
    size_t round;
    int path_class; /**< of its pairs; -1: all of them. Allreduce has -1 only; a latency or a
                         bandwidth one cell with -1 and one for each class that has pairs */
    const double
        *samples_s; /**< [n_samples], in the order of their times: latency: a call of MPI_Sendrecv;
                       bandwidth: a window of `bytes` each way, all pairs at once; allreduce: a
                       call, as its slowest rank saw it. Borrowed from the scan */
    size_t n_samples;
    size_t bytes;               /**< of a message; bandwidth: of a window in one direction */
    struct ct_scan_pair *pairs; /**< none for an allreduce */
    size_t n_pairs;
    double start_s;    /**< since the start of the round */
    double duration_s; /**< all of the cell */
    /** Bytes that all congestor nodes together received in a second of the cell; 0: no congestor.
     */
    double congestor_bytes_per_s;
    /** The same for each congestor node, mean; the own measured rate of the congestor. */
    double congestor_node_bytes_per_s;
};

/** A launch of scanb. */
struct ct_scan_round {
    char *path;          /**< of its run file */
    char *started_utc;   /**< ISO 8601 */
    uint64_t seed;       /**< of the division and of the order */
    bool is_survey;      /**< all nodes are canaries */
    bool is_interrupted; /**< it was ended before its last cell */
    bool *is_canary;     /**< [n_nodes of the scan] */
    size_t n_canaries;
    double wait_frac; /**< share of their time in which ranks waited for processors; NaN: not known
                       */
    double stolen_frac; /**< share of it that the machine's host took away; NaN: not known */
};

/** What the scan was asked for. */
struct ct_scan_asked {
    double time_s;          /**< of all rounds */
    double half_width_frac; /**< of each interval, relative to the factor */
    uint64_t seed;
    uint64_t slots;         /**< ranks on a node */
    uint64_t message_bytes; /**< of the bandwidth canary, and of congestors */
    char *switches_of; /**< how the switches are known: "Slurm", "the file net.xml", "latencies",
                          "not known" */
    char *launcher;    /**< "srun", "mpiexec", "lab", "simgrid" */
    char *network;     /**< rates that a lab or a simulation has, as a text; "": a network of its
                          own; NULL: not recorded */
};

struct ct_scan {
    struct ct_scan_node *nodes;
    size_t n_nodes;
    int *path_class; /**< [n_nodes * n_nodes] as in struct ct_scan_pair; 0 of a node with itself */
    struct ct_scan_asked asked;
    struct ct_scan_case *cases; /**< what is to be measured beside congestors; none until the survey
                                   is done */
    size_t n_cases;
    struct ct_scan_round *rounds; /**< in the order in which they were made */
    size_t n_rounds;
    struct ct_scan_cell *cells; /**< by round, then in the order of their times, all classes of a
                                   cell together, -1 first */
    size_t n_cells;
    double **sample_blocks; /**< what the cells' samples are borrowed from */
    size_t n_sample_blocks;
    struct ct_argv notes; /**< messages: rounds that were left out, and why */
    bool is_complete;     /**< the scan has ended by its own rule, not by a signal; reason_ended */
    char *reason_ended;   /**< "every interval is as narrow as asked", "the time is up"; "" while it
                             goes on, or if it was ended */
};

/**
 * Read the folder of a scan: DIR/scan.json (study/scan_file.h) and DIR/runs/.
 * @param scan_p  [out] ct_scan_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (no such folder, or no scan in it); CT_ENODATA (no round yet);
 *         CT_EFORMAT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_load(const char *dir, struct ct_scan *scan_p, struct ct_error *err);

/** Bytes of a window of the bandwidth canary, in one direction; 0: it was not measured. */
size_t ct_scan_window_bytes(const struct ct_scan *scan);

void ct_scan_free(struct ct_scan *scan);
