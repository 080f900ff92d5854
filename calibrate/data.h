/**
 * What was measured: repetitions of each result of the benchmark (calibrate/benchmark.h). From a
 * table of values here; from runs of logpb in calibrate/runs/calibration_runs.h.
 */
#pragma once

#include "calibrate/benchmark.h"

/** Repetitions of one result. */
struct ct_measured_series {
    struct ct_benchmark_output output;
    double *values; /**< n, in the order of the data: bytes per second or seconds; owned */
    size_t n, room;
};

/** {0} is empty. */
struct ct_measured {
    struct ct_measured_series *series; /**< n */
    size_t n, room;
};

enum { CT_MEASURED_SERIES_MAX = 512 };

/**
 * Add a repetition.
 * @param value  [in] finite, > 0
 * @return CT_OK; CT_EINVAL (out of range, more than CT_MEASURED_SERIES_MAX results); CT_ENOMEM
 */
enum ct_status ct_measured_add(struct ct_measured *measured,
                               const struct ct_benchmark_output *output, double value,
                               struct ct_error *err);

/** Sort the results by quantity and ascending size. */
void ct_measured_sort(struct ct_measured *measured);

void ct_measured_free(struct ct_measured *measured);

/**
 * Read a table, comma-separated, a repetition a row, in base units:
 *
 *     kind,size,value                  # the first line: names of columns, in any order
 *     throughput,256,5.1e8             # bytes, bytes per second
 *     round-trip,256,2.31e-6           # bytes, seconds
 *
 * Further columns are ignored, and lines that are empty or begin with '#'. The rows of a result
 * follow each other; or rounds follow each other, each with one row of every result in the same
 * order. Anything else, such as two tables joined to one, is an error: which of two series of a
 * size is meant?
 *
 * @param source      [in]  for messages
 * @param measured_p  [out] sorted, at least one result; ct_measured_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT with the line; CT_ENODATA (no row); CT_ENOMEM; what ct_file_read()
 * returns
 */
enum ct_status ct_measured_parse(const char *text, const char *source,
                                 struct ct_measured *measured_p, struct ct_error *err);
enum ct_status ct_measured_read(const char *path, struct ct_measured *measured_p,
                                struct ct_error *err);
