/**
 * The vector of parameters of a simulated network (simulate/stack.h): some are fixed, the others
 * are unknown, with a prior. The same file serves crosstalk simulate, if all are fixed.
 */
#pragma once

#include "calibrate/prior.h"
#include "simulate/stack.h"

struct ct_unknowns {
    struct ct_stack_parameters fixed; /**< unknown ones have their defaults */
    size_t n;
    struct ct_parameter parameters[CT_STACK_KEYS]; /**< n; names are those of keys */
    size_t keys[CT_STACK_KEYS];                    /**< n: numbers of keys, ascending */
};

/**
 * Read parameters: lines as in ct_stack_read(), where a rate, a duration, burst or ahead may have a
 * prior:
 *
 *     injection-bandwidth: uniform 8GB/s 16GB/s      # from, to
 *     post-header: log-uniform 100ns 1.5us
 *     pin: normal 5us 500ns                          # mean, standard deviation
 *     hop: 100ns
 *
 * @param unknowns_p  [out] unchanged on error
 * @return CT_OK; CT_EFORMAT naming the line (a prior that is out of order, that reaches beyond the
 *         values a parameter may have, or of another parameter);
 *         CT_ENODATA (nothing is unknown); what ct_stack_read() returns
 */
enum ct_status ct_unknowns_read(const char *path, struct ct_unknowns *unknowns_p,
                                struct ct_error *err);
enum ct_status ct_unknowns_parse(const char *text, const char *source,
                                 struct ct_unknowns *unknowns_p, struct ct_error *err);

/**
 * Make a parameter unknown.
 * @param unknowns  [in,out] keys stay in ascending order
 * @return CT_OK; CT_EINVAL (it is unknown already; the prior, as ct_parameters_check() and the
 * range of the key say); CT_EFORMAT (a key that has no prior)
 */
enum ct_status ct_unknowns_add(struct ct_unknowns *unknowns, size_t key,
                               const struct ct_prior *prior, struct ct_error *err);

/** The vector with values of the unknown parameters, n of them, in their ranges. */
struct ct_stack_parameters ct_unknowns_at(const struct ct_unknowns *unknowns, const double *values);

enum { CT_PRIOR_TEXT_MAX = 2 * CT_STACK_VALUE_MAX + 16 };
/** The prior of an unknown parameter, as in a file. */
void ct_unknowns_prior_text(const struct ct_unknowns *unknowns, size_t i,
                            char text[CT_PRIOR_TEXT_MAX]);
