#include "core/distribution.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

/* log(n!) less Stirling's approximation of it: exact values, then the series in 1/n. */
static double stirling_error(double n)
{
    enum { N_EXACT = 16 };
    static const double exact[N_EXACT] = {0,
                                          0.08106146679532725821967026,
                                          0.04134069595540929409382208,
                                          0.02767792568499833914878929,
                                          0.02079067210376509311152277,
                                          0.01664469118982119216319487,
                                          0.01387612882307074799874573,
                                          0.01189670994589177009505572,
                                          0.01041126526197209649747857,
                                          0.009255462182712732917728637,
                                          0.008330563433362871256469318,
                                          0.007573675487951840794972024,
                                          0.006942840107209529865664152,
                                          0.006408994188004207068439631,
                                          0.005951370112758847735624416,
                                          0.005554733551962801371038690};
    if (n < N_EXACT)
        return exact[(int)n];
    double n2 = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / n2) / n2) / n2) / n2) /
           n;
}

/* x log(x / mean) + mean - x, without cancellation where both are close: twice the terms beyond the
 * first of the series of atanh. */
static double find_deviance(double x, double mean)
{
    if (fabs(x - mean) > 0.1 * (x + mean))
        return x * log(x / mean) + mean - x;
    double v = (x - mean) / (x + mean), sum = (x - mean) * v, term = 2 * x * v;
    for (int j = 3;; j += 2) {
        term *= v * v;
        double longer = sum + term / j;
        if (longer == sum)
            return sum;
        sum = longer;
    }
}

double ct_binomial(uint64_t k, uint64_t n, double p)
{
    double successes = (double)k, failures = (double)(n - k), trials = (double)n;
    if (p == 0 || p == 1)
        return k == (p == 0 ? 0 : n);
    if (k == 0)
        return exp(trials * log1p(-p));
    if (k == n)
        return exp(trials * log(p));
    double log_ratio = stirling_error(trials) - stirling_error(successes) -
                       stirling_error(failures) - find_deviance(successes, trials * p) -
                       find_deviance(failures, trials * (1 - p));
    return exp(log_ratio) * sqrt(trials / (2 * pi * successes * failures));
}

/* P(|T| <= t): Abramowitz and Stegun 26.7.3 and 26.7.4. */
static double student_within(double t, unsigned df)
{
    double theta = atan(t / sqrt(df)), cos2 = 1 / (1 + t * t / df), sine = sin(theta);
    bool odd = df % 2;
    double term = odd ? sqrt(cos2) : 1, sum = 0;
    for (unsigned j = odd ? 3 : 2; j <= df; j += 2) {
        sum += term;
        term *= cos2 * (j - 1) / j;
    }
    return odd ? 2 / pi * (theta + sine * sum) : sine * sum;
}

/* x with P(|N| <= x) = level: Abramowitz and Stegun 26.2.23, then Newton's method. */
static double normal_half_width(double level)
{
    double outside = 1 - level, r = sqrt(-2 * log(outside / 2));
    double x = r - (2.515517 + r * (0.802853 + r * 0.010328)) /
                       (1 + r * (1.432788 + r * (0.189269 + r * 0.001308)));
    for (int i = 0; i < 4; i++) {
        double error = x < 1 ? level - erf(x / sqrt(2)) : erfc(x / sqrt(2)) - outside;
        x += error / (sqrt(2 / pi) * exp(-x * x / 2));
    }
    return x;
}

/* Abramowitz and Stegun 26.7.5. */
static double student_by_normal(double level, double df)
{
    double x = normal_half_width(level), x2 = x * x;
    double g1 = x * (x2 + 1) / 4;
    double g2 = x * ((5 * x2 + 16) * x2 + 3) / 96;
    double g3 = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
    double g4 = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
    return x + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

double ct_student_half_width(double level, uint64_t df)
{
    if (df >= 1000)
        return student_by_normal(level, (double)df);
    /* The probability is a concave function of t: from below, Newton's steps never lead beyond the
     * solution, and where rounding stops them from growing the end is reached. */
    int sign;
    double n = (double)df, gammas = exp(lgamma_r((n + 1) / 2, &sign) - lgamma_r(n / 2, &sign));
    double at_zero = 2 * gammas / sqrt(n * pi);
    double t = 0;
    for (int i = 0; i < 200; i++) {
        double density = at_zero * exp(-(n + 1) / 2 * log1p(t * t / n));
        double step = (level - student_within(t, (unsigned)df)) / density;
        if (!(step > 1e-16 * t))
            break;
        t += step;
    }
    return t;
}
