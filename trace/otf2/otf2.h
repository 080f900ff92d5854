/**
 * Archives of the Open Trace Format 2, as Score-P writes them: read as events (convert/events.h),
 * and made of events. Of an archive the records of MPI are used: point-to-point calls, collectives,
 * requests, communicators. Times are those of the archive's shared clock, its offsets applied.
 *
 * Values that the records lack are in attributes (attributes.h) if crosstalk wrote the archive. In
 * other archives these are the assumptions: a collective is not in place, unless its sizes show
 * that it is; blocks of an alltoallv or a reduce_scatter are equal; a probe without a message takes
 * time only. Windows and files become events without a model, and so do other threads, whose calls
 * have no order there: their locations are counted.
 *
 * Without the library all functions but the first return CT_EUNSUPPORTED.
 */
#pragma once

#include "trace/convert/events.h"

#include <limits.h>

/** Whether a path is to be read as an archive: a file whose name ends in ".otf2", or a folder with
 * such files and no traces of other forms. */
bool ct_otf2_is_archive(const char *path);

/**
 * The anchor file of an archive that a path is for.
 * @param anchor_p  [out] the path itself, or the only file in the folder whose name ends in ".otf2"
 * @return CT_OK; CT_EUSAGE (there are several, which it names); CT_EIO
 */
enum ct_status ct_otf2_find_anchor(const char *path, char anchor_p[PATH_MAX], struct ct_error *err);

/**
 * Open an archive that crosstalk-try (results/trial.h) can read to its end.
 * @param path      [in]  the anchor file, "traces.otf2", or its folder
 * @param events_p  [out] to be closed; unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no program with MPI; a file of the archive is missing);
 *         CT_EFORMAT (damaged, with file and cause); CT_EUNSUPPORTED; CT_ENOMEM
 */
enum ct_status ct_otf2_open(const char *path, struct ct_events *events_p, struct ct_error *err);

/**
 * Write an archive as traces of crosstalk's own form, which can be read at any place.
 * @param path             [in]  the anchor file, or its folder
 * @param directory        [in]  a folder without traces: gets a file a rank, some of them on error,
 *                               too
 * @param room_possible_p  [out] as in struct ct_events
 * @return as ct_otf2_open(); CT_EEXIST; CT_EIO (with path and cause)
 */
enum ct_status ct_otf2_unpack(const char *path, const char *directory, bool *room_possible_p,
                              struct ct_error *err);

/**
 * Write an archive: DIRECTORY/traces.otf2 and its other files.
 * @param events     [in] rewound and read
 * @param directory  [in] must not exist, or be empty; removed on error
 * @return CT_OK; CT_EEXIST; CT_EFORMAT (with rank and event); CT_EIO; CT_EUNSUPPORTED; CT_ENOMEM
 */
enum ct_status ct_otf2_write(const struct ct_events *events, const char *directory,
                             struct ct_error *err);
