#include "calibrate/prior.h"

#include "calibrate/constants.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
#define CT_PRIOR_TEXT(name, text) text,
    CT_PRIOR_MAP(CT_PRIOR_TEXT)
#undef CT_PRIOR_TEXT
};

const char *ct_prior_kind_text(enum ct_prior_kind kind)
{
    return kinds[kind];
}

enum ct_status ct_prior_kind_of(const char *text, enum ct_prior_kind *kind_p, struct ct_error *err)
{
    char list[200];
    size_t length = 0;
    for (int kind = 0; kind < CT_PRIOR_KINDS; kind++) {
        if (strcmp(text, kinds[kind]) == 0) {
            *kind_p = (enum ct_prior_kind)kind;
            return CT_OK;
        }
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       kind > 0 ? ", " : "", kinds[kind]);
    }
    return ct_fail(err, CT_EINVAL, "prior '%.60s': not one of %s", text, list);
}

static enum ct_status check_parameter(const struct ct_parameter *parameter, struct ct_error *err)
{
    const struct ct_prior *prior = &parameter->prior;
    if (!isfinite(prior->a) || !isfinite(prior->b))
        return ct_fail(err, CT_EINVAL, "parameter '%.80s': %s prior of %g and %g: not finite",
                       parameter->name, kinds[prior->kind], prior->a, prior->b);
    if (prior->kind == CT_PRIOR_NORMAL) {
        if (!(prior->b > 0))
            return ct_fail(err, CT_EINVAL,
                           "parameter '%.80s': standard deviation %g of its normal prior: must be "
                           "above 0",
                           parameter->name, prior->b);
        return CT_OK;
    }
    if (!(prior->a < prior->b))
        return ct_fail(err, CT_EINVAL,
                       "parameter '%.80s': %s prior from %g to %g: the first must be the lower one",
                       parameter->name, kinds[prior->kind], prior->a, prior->b);
    if (prior->kind == CT_PRIOR_LOG_UNIFORM && !(prior->a > 0))
        return ct_fail(err, CT_EINVAL,
                       "parameter '%.80s': log-uniform prior from %g: must be above 0",
                       parameter->name, prior->a);
    return CT_OK;
}

enum ct_status ct_parameters_check(const struct ct_parameter *parameters, size_t n,
                                   struct ct_error *err)
{
    if (n == 0)
        return ct_fail(err, CT_EINVAL, "no parameters to calibrate");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            if (strcmp(parameters[i].name, parameters[j].name) == 0)
                return ct_fail(err, CT_EINVAL, "parameter '%.80s': named twice",
                               parameters[i].name);
        CT_TRY(check_parameter(&parameters[i], err));
    }
    return CT_OK;
}

/* Of a standard normal distribution that is cut at +-c: P(Z < -c) before it was cut. */
static double cut_tail(void)
{
    return gsl_cdf_ugaussian_P(-ct_calibrate_constant(CT_CALIBRATE_NORMAL_CUT));
}

/* Standard deviations from the mean, at a coordinate. From the nearer end, to lose no digits. */
static double normal_deviate(double z)
{
    double tail = cut_tail();
    double below = tail + (1 - fabs(z)) / 2 * (1 - 2 * tail);
    return copysign(-gsl_cdf_ugaussian_Pinv(below), z);
}

double ct_prior_value(const struct ct_prior *prior, double z)
{
    double share = (fmax(-1, fmin(1, z)) + 1) / 2;
    if (prior->kind == CT_PRIOR_NORMAL)
        return prior->a + prior->b * normal_deviate(2 * share - 1);
    if (share == 1)
        return prior->b;
    if (prior->kind == CT_PRIOR_LOG_UNIFORM)
        return prior->a * pow(prior->b / prior->a, share);
    return prior->a + share * (prior->b - prior->a);
}

double ct_prior_coordinate(const struct ct_prior *prior, double value)
{
    double share;
    if (prior->kind == CT_PRIOR_NORMAL) {
        double tail = cut_tail();
        share = (gsl_cdf_ugaussian_P((value - prior->a) / prior->b) - tail) / (1 - 2 * tail);
    } else if (prior->kind == CT_PRIOR_LOG_UNIFORM) {
        share = value > 0 ? log(value / prior->a) / log(prior->b / prior->a) : 0;
    } else {
        share = (value - prior->a) / (prior->b - prior->a);
    }
    return fmax(-1, fmin(1, 2 * share - 1));
}

double ct_prior_density(const struct ct_prior *prior, double value)
{
    if (prior->kind == CT_PRIOR_NORMAL) {
        double deviate = (value - prior->a) / prior->b;
        if (fabs(deviate) > ct_calibrate_constant(CT_CALIBRATE_NORMAL_CUT))
            return 0;
        return gsl_ran_ugaussian_pdf(deviate) / (prior->b * (1 - 2 * cut_tail()));
    }
    if (!(value >= prior->a && value <= prior->b))
        return 0;
    if (prior->kind == CT_PRIOR_LOG_UNIFORM)
        return 1 / (value * log(prior->b / prior->a));
    return 1 / (prior->b - prior->a);
}

double ct_prior_log_weight(const struct ct_prior *prior, double z)
{
    if (prior->kind != CT_PRIOR_NORMAL)
        return 0;
    double deviate = normal_deviate(fmax(-1, fmin(1, z)));
    return -deviate * deviate / 2;
}
