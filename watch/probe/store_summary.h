/** What the folder of a watch has, as text: hosts, samples, gaps, and the hours of the history. */
#pragma once

#include "core/status.h"

#include <stdio.h>

/** @return CT_OK, also where parts are damaged, which are named; what ct_watch_reader_open()
 *          returns */
enum ct_status ct_probe_summary_print(const char *folder, FILE *out, struct ct_error *err);
