/** Configurations of CompressionB: the load that it puts on the network. Pure. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Patterns of communication (bench/compression/compression_plan.h), with their names in options.
 */
#define CT_PATTERN_MAP(X)                                                                          \
    X(RING, "ring")                                                                                \
    X(ALLTOALL, "alltoall")                                                                        \
    X(INCAST, "incast")                                                                            \
    X(BISECTION, "bisection")                                                                      \
    X(BCAST, "bcast")

enum ct_pattern {
#define CT_PATTERN_ENUM(name, text) CT_PATTERN_##name,
    CT_PATTERN_MAP(CT_PATTERN_ENUM)
#undef CT_PATTERN_ENUM
        CT_N_PATTERNS
};
extern const char *const ct_pattern_names[]; /**< by enum ct_pattern; NULL-terminated */

/** Load in bursts; see bench/compression/compression_burst.h. */
struct ct_burst {
    bool given;         /**< false: load all the time */
    double on_s, off_s; /**< mean length of the phases with and without load */
};

/**
 * "ON/OFF", such as 20ms/40ms; 1 ms to 1e6 s each; for shorter ones use a pause.
 * @param burst_p  [out] a struct ct_burst; unchanged on error
 * @return CT_OK; CT_EINVAL
 */
enum ct_status ct_burst_parse(const char *text, void *burst_p, struct ct_error *err);

struct ct_config {
    uint32_t partners; /**< P; 0: the pattern takes none, or unknown */
    uint32_t messages; /**< M, per partner and round */
    double bubble_s;   /**< B, seconds */
    enum ct_pattern pattern;
    struct ct_burst burst;
    size_t message_bytes; /**< 0: not stated, then CT_CONFIG_MESSAGE_BYTES */
    uint32_t slots;       /**< ranks per node; 0: not stated, then 1 */
};

/**
 * Parse "P:M:B", followed by the pattern unless it is the ring, the burst if there is one, the size
 * of a message unless it is 40kB, and "xSLOTS" unless there is one rank per node: "4:1:10ms",
 * "7:1:10ms:alltoall", "4:1:10ms:20ms/40ms", "7:1:10ms:alltoall:20ms/40ms:8KiB:x2". P is 0 if the
 * pattern takes none. Also as ct_config_describe() writes it: "P4 M1 B10ms 20ms/40ms".
 * @param config_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL
 */
enum ct_status ct_config_parse(const char *text, struct ct_config *config_p, struct ct_error *err);

/** Default size of a message of compressionb. */
enum { CT_CONFIG_MESSAGE_BYTES = 40000 };

enum { CT_CONFIG_TEXT_MAX = 160 };
/** Text that parses to the same configuration. */
void ct_config_format(const struct ct_config *config, char text[CT_CONFIG_TEXT_MAX]);
/**
 * Text for tables: "P4 M1 B25ms 20ms/40ms", "M1 B25ms alltoall 8KiB x2"; four digits of the pause.
 */
void ct_config_describe(const struct ct_config *config, char text[CT_CONFIG_TEXT_MAX]);

/**
 * Whether two configurations are the same. Times that differ by less than a thousandth count as
 * equal, since the conversion of a pause from cycles to seconds is measured in every run.
 */
bool ct_config_same(const struct ct_config *a, const struct ct_config *b);

/**
 * Whether two configurations can be the same: they differ at most in size or slots, where one of
 * them does not state it.
 */
bool ct_config_may_be_same(const struct ct_config *a, const struct ct_config *b);

/** Size of a message, and ranks per node: the default if not stated. */
size_t ct_config_message_bytes(const struct ct_config *config);
uint32_t ct_config_slots(const struct ct_config *config);

/** Order for qsort(): steady ring first, by P, M and B; then by pattern, burst, size and slots. */
int ct_config_compare(const void *a, const void *b);
