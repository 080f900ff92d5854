/** What a program in a lab has sent through its ports, and what leads messages past them. */
#pragma once

#include "core/log.h"
#include "lab/lab.h"

/** Name the variables of the environment that do not count in the lab. Before ct_lab_mpiexec(). */
void ct_lab_note_replaced(const struct ct_lab_launch *launch, struct ct_log *log);

/**
 * After a program that ended with 0: whether it has sent anything through the ports. The programs
 * of crosstalk always do on several hosts; one that has not measured another network. Other
 * programs get a note.
 * @param before  [in] counters from before its start
 * @return CT_OK; CT_EINVAL (a program of crosstalk sent nothing)
 */
enum ct_status ct_lab_check_traffic(struct ct_lab *lab, const struct ct_lab_launch *launch,
                                    const struct ct_lab_counters *before, struct ct_log *log,
                                    struct ct_error *err);
