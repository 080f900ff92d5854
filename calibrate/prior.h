/**
 * Parameters of a simulated network, and what is known of them before they are calibrated.
 *
 * Everything in this room works on coordinates z in [-1, 1], in which every prior is uniform:
 *
 *     z = 2 F(value) - 1,   value = F^-1((z + 1) / 2),   F: distribution function of the prior
 *
 * For a uniform prior this is linear; for a log-uniform one it is linear in the logarithm; for a
 * normal one it is the quantile function. A normal prior is cut at normal_cut (constants.h)
 * standard deviations on both sides, so that z = -1 and 1 are finite values.
 */
#pragma once

#include "core/status.h"

/** Kinds of priors, with their names in files. */
#define CT_PRIOR_MAP(X)                                                                            \
    X(UNIFORM, "uniform")         /* a .. b */                                                     \
    X(LOG_UNIFORM, "log-uniform") /* a .. b, 0 < a: the logarithm is uniform */                    \
    X(NORMAL, "normal")           /* mean a, standard deviation b > 0 before it is cut */

enum ct_prior_kind {
#define CT_PRIOR_ENUM(name, text) CT_PRIOR_##name,
    CT_PRIOR_MAP(CT_PRIOR_ENUM)
#undef CT_PRIOR_ENUM
        CT_PRIOR_KINDS
};

struct ct_prior {
    enum ct_prior_kind kind;
    double a, b; /**< in the unit of the parameter */
};

/** A parameter. Borrowed strings. */
struct ct_parameter {
    const char *name;
    const char *unit; /**< "s", "B/s"; "1" for a ratio or a count */
    struct ct_prior prior;
};

/** Name of a kind. Static storage. */
const char *ct_prior_kind_text(enum ct_prior_kind kind);

/** The kind with this name. @return CT_OK; CT_EINVAL, which lists the names */
enum ct_status ct_prior_kind_of(const char *text, enum ct_prior_kind *kind_p, struct ct_error *err);

/**
 * Check parameters: at least one, no name twice, bounds finite and in order, b > 0 of normal
 * priors, a > 0 of log-uniform ones.
 * @return CT_OK; CT_EINVAL, which names the parameter
 */
enum ct_status ct_parameters_check(const struct ct_parameter *parameters, size_t n,
                                   struct ct_error *err);

/** Value at a coordinate. @param z  [in] -1 .. 1; what is outside is taken as the end */
double ct_prior_value(const struct ct_prior *prior, double z);

/** Coordinate of a value; -1 or 1 for values outside of the prior. */
double ct_prior_coordinate(const struct ct_prior *prior, double value);

/** Density at a value, per unit of the parameter; 0 outside. */
double ct_prior_density(const struct ct_prior *prior, double value);

/**
 * Logarithm of the density at a coordinate on the scale on which the prior is flat or normal (the
 * logarithm of the value for log-uniform, otherwise the value), but for a constant: 0 for both
 * uniform kinds. The most likely values of a posterior are those of the density on this scale.
 */
double ct_prior_log_weight(const struct ct_prior *prior, double z);
