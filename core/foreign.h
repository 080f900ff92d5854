/**
 * Formats that other programs write and that no reader here takes, known by the first bytes of a
 * file. A reader that has refused a file asks here what the file is, so that the message says that,
 * what is read in its place, and how to get it. One table has them all: foreign.c. Pure, but for
 * the functions that take a path.
 *
 *     status = parse(text, ...);
 *     if (status == CT_EFORMAT)
 *         ct_foreign_explain(path, text, size, CT_READS_TOPOLOGY, err);
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** What a reader takes. */
enum ct_reads {
    CT_READS_TRACES,
    CT_READS_SCHEDULE, /**< GOAL, or traces */
    CT_READS_TOPOLOGY,
    CT_READS_TABLE, /**< CSV */
    CT_READS_YAML,  /**< a campaign or other settings */
    CT_READS_DATA,  /**< run files and campaign folders */
    CT_READS_HOSTS, /**< host files */
    CT_READS_STACK, /**< parameters of protocols: text, or a run file */
    CT_READS_N
};

/** The same as text for a message: "traces are: ...". Static storage. */
const char *ct_reads_text(enum ct_reads reads);

/** How much of a file is looked at. */
enum { CT_FOREIGN_BYTES = 4096 };

/**
 * What a file is.
 * @param bytes  [in] the first `size` of the file, CT_FOREIGN_BYTES or all of them
 * @return "a trace of Paraver"; NULL: none of the formats. Static storage
 */
const char *ct_foreign_name(const char *bytes, size_t size);

/**
 * Put in place of a reader's error what the file is, if that is known.
 * @param path   [in]     for the message
 * @param bytes  [in]     as ct_foreign_name()
 * @param reads  [in]     what the reader takes
 * @param err    [in,out] stays as it is if the format is not known; may be NULL
 * @return whether it is known
 */
bool ct_foreign_explain(const char *path, const char *bytes, size_t size, enum ct_reads reads,
                        struct ct_error *err);

/**
 * The same for a file, or for a folder that has files of other tracers: the first by name.
 * Pipes and devices are not looked at.
 */
bool ct_foreign_explain_path(const char *path, enum ct_reads reads, struct ct_error *err);
