/** Paths of runs: a file, or "FILE:NNNN", a run in a packed campaign. */
#pragma once

/**
 * The file that a run is in.
 * @param number_p  [out] ":NNNN" in the path, or NULL; may be NULL
 * @return to be freed; NULL: out of memory
 */
char *ct_run_path_file(const char *path, const char **number_p);
