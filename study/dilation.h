/** Runs of labs that imitate a machine, everything taking longer by one factor (lab/like.h). */
#pragma once

#include "core/argv.h"
#include "results/run.h"
#include "topology/machine.h"

struct ct_parameters;
enum { CT_DILATION_TEXT_MAX = 200 };

struct ct_dilation {
    const struct ct_machine *machine; /**< NULL: no lab that imitates one; static storage */
    double factor;                    /**< 1 without one: times divided by it are the machine's */
};

/**
 * What the runs say. Applications that are no workloads have not computed longer.
 * @param notes  [out] a sentence is appended if there are such applications
 * @return CT_OK; CT_EINVAL (runs with different factors or machines, or with and without one)
 */
enum ct_status ct_dilation_find(const struct ct_run_list *list, struct ct_dilation *dilation_p,
                                struct ct_argv *notes, struct ct_error *err);

/**
 * The groups of the network that was measured beside the machine's: "like qdr, 20000 times slower;
 * 1 KiB G / L ...".
 * @param notes  [out] a sentence is appended if they differ by more than a factor of two
 */
void ct_dilation_compare(const struct ct_dilation *dilation, const struct ct_parameters *measured,
                         char text[CT_DILATION_TEXT_MAX], struct ct_argv *notes);
