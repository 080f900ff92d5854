/** Which parameters decide which outputs: [D], equation 9. */
#pragma once

#include "calibrate/surrogate.h"

enum { CT_GROUPS_NONE = -1 };

/** Groups, numbered by their first outputs. */
struct ct_groups {
    size_t n;
    int *of_parameter; /**< [n_dims] 0 .. n - 1; CT_GROUPS_NONE: no output depends on it; owned */
    int *of_output;    /**< [n_outputs]; CT_GROUPS_NONE: it depends on no parameter; owned */
};

/**
 * Find groups: an output and a parameter are in one if the output's total index of the parameter is
 * above a limit, or if others connect them.
 * @param index     [in]  the limit, 0 .. 1; 0: one group of all parameters and all outputs that are
 *                        not constant
 * @param groups_p  [out] ct_groups_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no output depends on any parameter); CT_ENOMEM
 */
enum ct_status ct_groups_find(const struct ct_surrogate *surrogate, double index,
                              struct ct_groups *groups_p, struct ct_error *err);

void ct_groups_free(struct ct_groups *groups);
