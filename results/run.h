/**
 * Run files: one measurement run in one HDF5 file, schema 1. A file is written under a temporary
 * name, flushed, renamed, and never changed again. Its attributes state what was measured.
 *
 * This header needs neither MPI nor HDF5. Programs that write from many ranks include
 * results/run_parallel.h too.
 */
#pragma once

#include "results/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_RUN_SCHEMA = 1, CT_HOST_MAX = 64 };

/** Kinds of run files, with their names in files and messages. */
#define CT_RUN_KIND_MAP(X)                                                                         \
    X(IMPACT, "impact")                                                                            \
    X(COMPRESSION, "compression")                                                                  \
    X(RUNTIME, "runtime")                                                                          \
    X(LOGP, "logp")                                                                                \
    X(SCAN, "scan")

enum ct_run_kind {
#define CT_RUN_KIND_ENUM(name, text) CT_RUN_##name,
    CT_RUN_KIND_MAP(CT_RUN_KIND_ENUM)
#undef CT_RUN_KIND_ENUM
};

const char *ct_run_kind_text(enum ct_run_kind kind);

/** A further fact of a run, written as an attribute: a text or a number. */
struct ct_run_fact {
    char *key;
    char *text; /**< NULL: the value is the number */
    double number;
};

/** Root attributes of a run file. Strings are owned (malloc) and never NULL after reading. */
struct ct_run_info {
    enum ct_run_kind kind;
    char *tool, *version;
    char *app;  /**< what ran beside the probe, or what was timed; "" = idle network */
    char *with; /**< co-runner; "" = none */
    bool has_config;
    struct ct_config config; /**< the CompressionB configuration involved */
    char *started_utc;       /**< ISO 8601, "2026-11-21T10:00:00Z" */
    char *argv;
    uint64_t seed;
    char *hosts; /**< names separated by blanks, in the order of nodes */
    char *mpi_library;
    char *timer;
    double timer_resolution_s;
    struct ct_run_fact *facts;
    size_t n_facts;
};

struct ct_sample {
    double t_s;       /**< when the probe was due, seconds since the run's start */
    double sent_s;    /**< when it was sent, seconds since the run's start; NaN: not recorded */
    double latency_s; /**< half the round trip */
    uint32_t pair;    /**< row of pairs */
    uint8_t late; /**< 1: the probe was sent later than it was due. Files of version 0.1 measure the
                     latency of such a probe from its due time, and have no sent_s */
    /**
     * Time of the partner's clock when it answered, less sent_s: the way there, plus what its clock
     * is later than that of the rank that sent. 2 latency_s - forward_s is the way back, less that.
     * NaN: not recorded.
     */
    double forward_s;
    /** 1: rank_b sent the probe and rank_a answered; 0: the other way round, as in all files of
     * versions before 0.2. */
    uint8_t from_b;
};

struct ct_pair {
    uint32_t rank_a, rank_b;
    char host_a[CT_HOST_MAX], host_b[CT_HOST_MAX];
    uint32_t path_class; /**< switches between the nodes; 0: not known, or one node */
};

struct ct_runtime {
    double start_s, duration_s;
};

struct ct_round {
    double start_s, duration_s;
    uint64_t bytes; /**< sent by all ranks in [start_s, start_s + duration_s) */
};

/** How the gap of a row was measured. */
enum ct_logp_method {
    CT_LOGP_FAST,      /**< round trips */
    CT_LOGP_SATURATION /**< a train of messages; overheads and round trips are NaN */
};

/** Parameters of one message size in one direction: medians; lo and hi: 95 % intervals. NaN: not
 *  measured, or too few repetitions for an interval. */
struct ct_logp_row {
    uint64_t bytes;
    double os_s, or_s, g_s, rtt_s;
    uint32_t repetitions; /**< round trips; messages in the train */
    double os_lo_s, os_hi_s, or_lo_s, or_hi_s, g_lo_s, g_hi_s, rtt_lo_s, rtt_hi_s;
    double or_expected_s, or_expected_lo_s, or_expected_hi_s; /**< receive posted beforehand */
    uint32_t rank_from, rank_to; /**< the rank that measures, and the one that answers */
    uint8_t method;              /**< enum ct_logp_method */
};

/** Quantity that a repetition measures. */
enum ct_logp_quantity {
    CT_LOGP_SEND,            /**< sending the messages, not waiting for the answer */
    CT_LOGP_ROUND_TRIP,      /**< sending the messages, and receiving the answer */
    CT_LOGP_RECEIVE,         /**< receiving a message that had arrived unexpected */
    CT_LOGP_RECEIVE_EXPECTED /**< the same with the receive posted before it came */
};

/** One timed repetition; the cost of reading the timer is subtracted. */
struct ct_logp_repetition {
    uint64_t bytes;
    uint32_t messages; /**< number of messages, sent one after the other */
    uint32_t rank_from, rank_to;
    uint8_t quantity; /**< enum ct_logp_quantity */
    double value_s;
};

/** What is between two ranks, of a logp run that measured classes of paths. */
struct ct_path_row {
    uint32_t rank_a, rank_b; /**< rank_a < rank_b; of two nodes their first ranks */
    uint32_t path_class;     /**< 0: both are on one node; else switches between their nodes, or 1
                                  where these were not known */
};

/** A time of a canary of a scan (results/scan_setting.h). */
struct ct_scan_sample {
    double t_s; /**< when it began, since the start of its cell */
    double value_s;
    uint32_t cell;           /**< row of scan_cells */
    uint32_t node_a, node_b; /**< of info.hosts; of an allreduce, where all take part, both 0 */
};

/** What a cell of a scan was: a canary beside a congestor, or alone. */
struct ct_scan_cell_row {
    double start_s, duration_s;         /**< of the canary, since the start of the run */
    double burst_s, pause_s, intensity; /**< of the congestor: struct ct_scan_setting */
    double congestor_s;                 /**< how long the congestor sent, pauses included */
    uint64_t congestor_bytes;           /**< that its nodes received, all together */
    uint64_t bytes;              /**< of the canary in one direction: a message, or a window */
    uint32_t partners, messages; /**< of the congestor, likewise */
    uint8_t canary, congestor;   /**< enum ct_scan_canary, enum ct_scan_congestor */
};

/** A run. Arrays that its kind does not have are NULL with count 0. */
struct ct_run {
    struct ct_run_info info;
    struct ct_sample *samples;
    size_t n_samples;
    struct ct_pair *pairs;
    size_t n_pairs;
    struct ct_runtime *runtimes;
    size_t n_runtimes;
    struct ct_round *rounds;
    size_t n_rounds;
    struct ct_logp_row *logp;
    size_t n_logp;
    struct ct_logp_repetition *repetitions;
    size_t n_repetitions;
    struct ct_path_row *paths;
    size_t n_paths;
    struct ct_scan_sample *scan_samples;
    size_t n_scan_samples;
    struct ct_scan_cell_row *scan_cells;
    size_t n_scan_cells;
};

/** Add a fact, or change the one with this key; copies key and text. @return CT_OK; CT_ENOMEM */
enum ct_status ct_run_add_text(struct ct_run_info *info, const char *key, const char *text);
enum ct_status ct_run_add_number(struct ct_run_info *info, const char *key, double number);

/** A fact's number; NaN: the key is missing or has a text. */
double ct_run_number(const struct ct_run_info *info, const char *key);

/** A fact's text; NULL: the key is missing or has a number. Borrowed. */
const char *ct_run_text(const struct ct_run_info *info, const char *key);

/** Number of nodes of a run: the number of names in hosts. */
size_t ct_run_count_hosts(const struct ct_run_info *info);

/**
 * Key of a fact: latency that was added to the network for this run, seconds. A run with more than
 * 0 was measured on another network than the other runs of its campaign.
 */
#define CT_RUN_ADDED_LATENCY "latency_delta_s"
/** Fact of a run whose network is known: its topology, as a text, "tree:4x4,2", or the name of the
 * file that it was read from. */
#define CT_RUN_TOPOLOGY "topology"
/** Fact of a probe run: how the clocks of ranks agree; missing: not at all. */
#define CT_RUN_CLOCKS "clocks"
#define CT_RUN_CLOCKS_COMMON "common"   /**< a simulator's: exact one-way times */
#define CT_RUN_CLOCKS_MACHINE "machine" /**< one kernel's, as in a lab or on one host */
/** Fact of a run of impactb: the number of switches of that topology. */
#define CT_RUN_TOPOLOGY_SWITCHES "topology_switches"
/** Fact: names of the nodes of that topology that the hosts are, in their order. */
#define CT_RUN_TOPOLOGY_NODES "topology_nodes"
/** Fact: the file that the topology was read from, if it has at most CT_RUN_TOPOLOGY_TEXT_MAX
 * bytes.
 */
#define CT_RUN_TOPOLOGY_TEXT "topology_text"
/** Fact: why a topology that was found is not used. */
#define CT_RUN_TOPOLOGY_NOTE "topology_note"
enum { CT_RUN_TOPOLOGY_TEXT_MAX = 48 << 10 };
/** Facts: rates of a host's link and of one between switches, each direction. */
#define CT_RUN_NODE_RATE "node_bit_per_s"
#define CT_RUN_UPLINK_RATE "uplink_bit_per_s"

/**
 * Facts of a run whose ports are known: the order in which they serve ("round-robin", "fifo"), and
 * the bytes that an unused port lets pass at once, 0 if it has no token bucket.
 */
#define CT_RUN_QUEUE "queue"
#define CT_RUN_BURST "burst_B"
/** Facts of a run in SimGrid: its model of the network, and the campaign's further settings. Flows
 * share its links equally, and nothing waits in queues. */
#define CT_RUN_SIMULATED_MODEL "simulated_model"
#define CT_RUN_SIMULATED_SETTINGS "simulated_settings"
/** Facts of a run in a lab: congestion control of TCP, and the window that connections begin with,
 * in packets. Missing: as the host had it. */
#define CT_RUN_CONGESTION_CONTROL "tcp_congestion_control"
#define CT_RUN_TCP_WINDOW "tcp_window_packets"

/** Facts of a run in a lab that imitates a machine: its name, and how many times longer everything
 * takes. A workload says by how much it computed longer: other programs do not. */
#define CT_RUN_MACHINE "machine"
#define CT_RUN_DILATION "dilation"
#define CT_RUN_COMPUTE_DILATION "compute_dilation"

/** Facts of a run of scanb: its canary nodes, by their numbers in info.hosts, separated by blanks,
 * and the number of cells that it was to measure. */
#define CT_RUN_SCAN_CANARIES "scan_canaries"
#define CT_RUN_SCAN_PLANNED "scan_planned_cells"

/** Fact of a run of a workload: messages that a rank sends in an iteration, mean. */
#define CT_RUN_MESSAGES "messages_per_iteration"

/** That latency; 0 if the run has no such fact. */
double ct_run_added_latency_s(const struct ct_run_info *info);

/**
 * Facts of a run of a campaign with placements: name of the placement ("disjoint"), names of the
 * hosts of the measured program and of those in the background, separated by blanks. Runs of
 * different placements do not belong to one study.
 */
#define CT_RUN_PLACEMENT "placement"
#define CT_RUN_PLACEMENT_HOSTS "placement_hosts"
#define CT_RUN_PLACEMENT_WITH "placement_with_hosts"
/** Fact of a run of a campaign without placements, beside another program: "hosts", which both had;
 * study/shared.h. */
#define CT_RUN_SHARED "shared"

/** Fact of a run of a campaign beside applications: at which part of a pass of these, from 0 to 1,
 * it was started. */
#define CT_RUN_PHASE "start_pass_frac"

/** Name of the placement of a run; "": it has no such fact. Borrowed. */
const char *ct_run_placement(const struct ct_run_info *info);

void ct_run_info_free(struct ct_run_info *info); /**< frees what the struct owns, and clears it */
void ct_run_free(struct ct_run *run);

/** How rows are stored. Readers take both. */
enum ct_run_storage {
    CT_RUN_COMPRESSED, /**< in chunks, shuffled and deflated */
    CT_RUN_PLAIN       /**< contiguous: faster, but larger */
};

/**
 * Write a run from one process, compressed: under a temporary name beside path, flushed, then
 * renamed.
 * @return CT_OK; CT_EIO with the path and the cause; CT_EINVAL for rows that a reader would refuse:
 *         a time that is not finite, a latency below 0, a pair that does not exist, rows that the
 *         run's kind does not have; CT_ENOMEM. On error path is unchanged.
 */
enum ct_status ct_run_write(const char *path, const struct ct_run *run, struct ct_error *err);

/** The same with a choice of storage. */
enum ct_status ct_run_write_stored(const char *path, const struct ct_run *run,
                                   enum ct_run_storage storage, struct ct_error *err);

/**
 * Read a run file, the group "/runs/NNNN" of a packed campaign by the path "campaign.h5:NNNN", or
 * the folder "FILE.h5.checkpoint" of a run that was killed, or is under way (checkpoint.h).
 * @param run_p  [out] owned by the caller, ct_run_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (no HDF5 file, truncated, another schema, a field missing or
 *         of the wrong type), with the path and the cause; CT_ENOMEM
 */
enum ct_status ct_run_read(const char *path, struct ct_run *run_p, struct ct_error *err);

/**
 * Read the attributes only.
 * @return as ct_run_read()
 */
enum ct_status ct_run_read_info(const char *path, struct ct_run_info *info_p, struct ct_error *err);

/**
 * Identity and time of change of a file: two equal stamps mean the same file, not written to in
 * between.
 */
struct ct_run_stamp {
    uint64_t device, inode, bytes, changed_ns;
};

/** A file of crosstalk calibrate in the folder of a campaign: no run. */
#define CT_RUN_POSTERIOR "posterior.h5"

/**
 * Runs of a campaign: a folder with run files (in it, or in its folder "runs"), a packed campaign,
 * or a folder that holds one. A checkpoint is a run if its run file is not there. A run that is
 * both in a file of its own and in a packed campaign of the same folder is listed once, and so is
 * one that is in several files.
 */
struct ct_run_list {
    struct ct_run_entry {
        char *path; /**< as ct_run_read() takes it */
        struct ct_run_info info;
        struct ct_run_stamp stamp; /**< of the file when it was listed */
    } * entries;                   /**< ordered by path */
    size_t n_entries;
    char **rejected; /**< "path: why" for files that end in .h5 and could not be read */
    size_t n_rejected;
    char **copies; /**< "path: the same run as path": of what is listed under the other name */
    size_t n_copies;
};

/**
 * @param path    [in]  folder, packed campaign, or file with one run
 * @param list_p  [out] owned by the caller, ct_run_list_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run in the folder); CT_EFORMAT (a file that is neither);
 *         CT_EIO; CT_ENOMEM
 */
enum ct_status ct_run_list_read(const char *path, struct ct_run_list *list_p, struct ct_error *err);
void ct_run_list_free(struct ct_run_list *list);

/**
 * Add the runs of another list to a list.
 * @param more  [in,out] empty afterwards; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_run_list_join(struct ct_run_list *list, struct ct_run_list *more,
                                struct ct_error *err);

/**
 * ct_run_read() of a run in a list. Faster, since an unchanged file is not tried again
 * (results/trial.h).
 */
enum ct_status ct_run_read_entry(const struct ct_run_entry *entry, struct ct_run *run_p,
                                 struct ct_error *err);

/** The same three of files only. */
enum ct_status ct_run_file_read(const char *path, struct ct_run *run_p, struct ct_error *err);
enum ct_status ct_run_file_read_info(const char *path, struct ct_run_info *info_p,
                                     struct ct_error *err);
enum ct_status ct_run_file_read_entry(const struct ct_run_entry *entry, struct ct_run *run_p,
                                      struct ct_error *err);

/** Prefix of the keys of facts that packing adds. They do not belong to the measurement. */
#define CT_RUN_PACKED_PREFIX "packed_"

/**
 * Write all runs of a list into one file, as /runs/0000 and so on. Attributes are those in the
 * list, to which the caller may have added facts whose keys begin with CT_RUN_PACKED_PREFIX. The
 * file is replaced as by ct_run_write().
 * @param samples_max  [in] most samples of each probe run, chosen by the rule of results/thin.h,
 *                          which the packed runs state as a fact; SIZE_MAX: all
 * @return CT_OK; what reading a run returns; CT_EINVAL (see ct_run_thin()); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_run_pack_thinned(const struct ct_run_list *list, const char *path,
                                   size_t samples_max, struct ct_error *err);
