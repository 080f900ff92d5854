#include "calibrate/groups.h"

#include <stdlib.h>

void ct_groups_free(struct ct_groups *groups)
{
    free(groups->of_parameter);
    free(groups->of_output);
    *groups = (struct ct_groups){0};
}

/* An output joins the groups of all parameters that it depends on: they become that of the first.
 */
static void join_groups(struct ct_groups *groups, size_t n_dims, size_t n_before,
                        const double *total, double index)
{
    int own = CT_GROUPS_NONE;
    for (size_t d = 0; d < n_dims; d++) {
        if (!(total[d] > index || (index == 0 && total[d] >= 0)))
            continue;
        int other = groups->of_parameter[d];
        if (own == CT_GROUPS_NONE)
            own = other == CT_GROUPS_NONE ? (int)n_before : other;
        groups->of_parameter[d] = own;
        if (other == CT_GROUPS_NONE || other == own)
            continue;
        for (size_t e = 0; e < n_dims; e++)
            if (groups->of_parameter[e] == other)
                groups->of_parameter[e] = own;
        for (size_t i = 0; i < n_before; i++)
            if (groups->of_output[i] == other)
                groups->of_output[i] = own;
    }
    groups->of_output[n_before] = own;
}

/* Groups have the numbers of some of their outputs: make these 0, 1, .. in the order of outputs. */
static void number_groups(struct ct_groups *groups, size_t n_dims, size_t n_outputs, int *number_of)
{
    for (size_t i = 0; i < n_outputs; i++)
        number_of[i] = CT_GROUPS_NONE;
    for (size_t i = 0; i < n_outputs; i++) {
        int group = groups->of_output[i];
        if (group == CT_GROUPS_NONE)
            continue;
        if (number_of[group] == CT_GROUPS_NONE)
            number_of[group] = (int)groups->n++;
        groups->of_output[i] = number_of[group];
    }
    for (size_t d = 0; d < n_dims; d++)
        if (groups->of_parameter[d] != CT_GROUPS_NONE)
            groups->of_parameter[d] = number_of[groups->of_parameter[d]];
}

enum ct_status ct_groups_find(const struct ct_surrogate *surrogate, double index,
                              struct ct_groups *groups_p, struct ct_error *err)
{
    size_t n_dims = ct_surrogate_n_dims(surrogate), n_outputs = ct_surrogate_n_outputs(surrogate);
    struct ct_groups groups = {0, malloc(n_dims * sizeof(int)), malloc(n_outputs * sizeof(int))};
    int *numbers = malloc(n_outputs * sizeof *numbers);
    enum ct_status status = CT_OK;
    if (!groups.of_parameter || !groups.of_output || !numbers) {
        status = ct_no_memory(err, "calibration");
        goto free_numbers;
    }
    for (size_t d = 0; d < n_dims; d++)
        groups.of_parameter[d] = CT_GROUPS_NONE;
    for (size_t i = 0; i < n_outputs; i++) {
        double total[CT_SURROGATE_DIMS_MAX];
        ct_surrogate_indices(surrogate, i, NULL, total);
        join_groups(&groups, n_dims, i, total, index);
    }
    number_groups(&groups, n_dims, n_outputs, numbers);
    if (groups.n == 0)
        status = ct_fail(err, CT_ENODATA,
                         "calibration: no output has a total index above %g of any parameter: "
                         "measurements of these outputs say nothing about these parameters",
                         index);
free_numbers:
    free(numbers);
    if (status == CT_OK)
        *groups_p = groups;
    else
        ct_groups_free(&groups);
    return status;
}
