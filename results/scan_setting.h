/** What a scan measures: canaries beside congestors (bench/scan/). Names and texts. Pure. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Canaries: calls of MPI whose times are the measurement. */
#define CT_SCAN_CANARY_MAP(X)                                                                      \
    X(LATENCY, "latency")     /* MPI_Sendrecv of 8 bytes each way between two nodes */             \
    X(BANDWIDTH, "bandwidth") /* a window of large messages both ways, until both ends have it */  \
    X(ALLREDUCE, "allreduce") /* MPI_Allreduce of 8 bytes over all canary nodes */

/** Workloads (bench/workloads/workload.h) in the place of calls: a time is an iteration. The score
 * has none of them. */
#define CT_SCAN_WORKLOAD_MAP(X)                                                                    \
    X(FFT, "fft")                                                                                  \
    X(VPFFT, "vpfft")                                                                              \
    X(LULESH, "lulesh") /* on a cube of ranks */                                                   \
    X(MCB, "mcb")                                                                                  \
    X(MILC, "milc")                                                                                \
    X(AMG, "amg")

enum ct_scan_canary {
#define CT_SCAN_CANARY_ENUM(name, text) CT_SCAN_##name,
    CT_SCAN_CANARY_MAP(CT_SCAN_CANARY_ENUM)
#undef CT_SCAN_CANARY_ENUM
        CT_N_SCAN_CANARIES,
    CT_SCAN_BEFORE_WORKLOADS = CT_N_SCAN_CANARIES - 1,
#define CT_SCAN_WORKLOAD_ENUM(name, text) CT_SCAN_##name,
    CT_SCAN_WORKLOAD_MAP(CT_SCAN_WORKLOAD_ENUM)
#undef CT_SCAN_WORKLOAD_ENUM
        CT_N_SCAN_MEASURED /**< calls and workloads */
};

static inline bool ct_scan_is_workload(enum ct_scan_canary canary)
{
    return canary >= CT_N_SCAN_CANARIES;
}

/** Whether nodes meet two by two; else all canary nodes take part in each time. */
static inline bool ct_scan_has_pairs(enum ct_scan_canary canary)
{
    return canary == CT_SCAN_LATENCY || canary == CT_SCAN_BANDWIDTH;
}

/** Congestors: what the nodes do that are not canaries. NONE is the baseline. The score is made of
 * the others. */
#define CT_SCAN_CONGESTOR_MAP(X)                                                                   \
    X(NONE, "none")                                                                                \
    X(INCAST, "incast")       /* all send to one */                                                \
    X(ALLTOALL, "alltoall")   /* all send to all */                                                \
    X(BROADCAST, "broadcast") /* one sends to all */                                               \
    X(BISECTION, "bisection") /* each sends to the one half way round, and receives */             \
    X(REDUCTION, "allreduce") /* MPI_Allreduce of large arrays */

enum ct_scan_congestor {
#define CT_SCAN_CONGESTOR_ENUM(name, text) CT_SCAN_WITH_##name,
    CT_SCAN_CONGESTOR_MAP(CT_SCAN_CONGESTOR_ENUM)
#undef CT_SCAN_CONGESTOR_ENUM
        CT_N_SCAN_CONGESTORS,
    CT_SCAN_WITH_GPCNET = CT_N_SCAN_CONGESTORS, /**< GPCNeT's four congestors at once, each on a
                                                     quarter of the nodes; "gpcnet" */
    CT_SCAN_WITH_COMPRESSION, /**< a known load, compressionb's ring of P partners, M messages,
                                 pause B; "compression" */
    CT_N_SCAN_LOADS
};
/** Least number of congestor nodes of GPCNET: two for each of its congestors. */
enum { CT_SCAN_GPCNET_NODES = 8 };

extern const char *const ct_scan_canary_names[];    /**< by enum, workloads too; NULL-terminated */
extern const char *const ct_scan_congestor_names[]; /**< by enum; NULL-terminated */

/** A congestor's load. */
struct ct_scan_setting {
    enum ct_scan_congestor congestor;
    double burst_s, pause_s; /**< mean length of bursts, and of the pauses between; 0, 0: steady. Of
                                  compression, which has no bursts: 0 and B */
    double intensity;        /**< share of the time of bursts in which it sends, > 0, at most 1 */
    uint32_t partners, messages; /**< P and M of compression; 0 of others */
};

/** A canary beside a congestor, or alone. */
struct ct_scan_case {
    enum ct_scan_canary canary;
    struct ct_scan_setting setting;
};

/**
 * "CANARY:CONGESTOR", then ":BURST/PAUSE" unless it is steady, then ":INTENSITY" unless that is 1:
 * "latency:none", "bandwidth:incast:1ms/10ms", "allreduce:alltoall:0.5". Bursts and pauses are 0.1
 * ms to 1 s, so that no congestor goes on for long when it is to end. compression has
 * ":P=1,M=10,B=100us" in place of these: partners, messages to each, the pause after each partner.
 * A workload is a canary: "fft:incast".
 * @param case_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (the message names the text, and what is accepted)
 */
enum ct_status ct_scan_case_parse(const char *text, struct ct_scan_case *case_p,
                                  struct ct_error *err);

enum { CT_SCAN_TEXT_MAX = 96 };
/** Text that parses to the same case. */
void ct_scan_case_format(const struct ct_scan_case *scan_case, char text[CT_SCAN_TEXT_MAX]);
/** Text of a setting alone, as in a case: "incast:1ms/10ms". */
void ct_scan_setting_format(const struct ct_scan_setting *setting, char text[CT_SCAN_TEXT_MAX]);

/** Whether two settings are the same load; times within a thousandth are equal. */
bool ct_scan_setting_same(const struct ct_scan_setting *a, const struct ct_scan_setting *b);
