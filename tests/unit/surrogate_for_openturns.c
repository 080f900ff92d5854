/* Ishigami's function for openturns_agrees.py: simulations, and what calibrate/surrogate makes of
 * them, as lines
 *
 *     ORDER FIRST.. TOTAL.. LOO_VARIANCE     then one line a simulation:     Z.. OUTPUT
 */
#include "calibrate/design.h"
#include "calibrate/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMS = 3, POINTS = 1000, ORDER_MAX = 10 };

static double ishigami(const double *z)
{
    double x = M_PI * z[0], y = M_PI * z[1], w = M_PI * z[2];
    return sin(x) + 7 * sin(y) * sin(y) + 0.1 * pow(w, 4) * sin(x);
}

int main(void)
{
    static const char *const names[] = {"ishigami"};
    double outputs[POINTS], first[DIMS], total[DIMS];
    struct ct_design design;
    struct ct_surrogate *surrogate;
    struct ct_error err;
    const struct ct_design_setup setup = {CT_DESIGN_SOBOL, .n_dims = DIMS, .n_points = POINTS};
    if (ct_design_make(&setup, &design, &err) != CT_OK)
        return EXIT_FAILURE;
    for (size_t i = 0; i < POINTS; i++)
        outputs[i] = ishigami(design.points + DIMS * i);
    const struct ct_surrogate_data data = {design.points, POINTS, DIMS, outputs, 1, names};
    if (ct_surrogate_fit(&data, 0, ORDER_MAX, &surrogate, &err) != CT_OK)
        return EXIT_FAILURE;
    ct_surrogate_indices(surrogate, 0, first, total);
    printf("%u %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", ct_surrogate_order(surrogate, 0),
           first[0], first[1], first[2], total[0], total[1], total[2],
           ct_surrogate_loo_variance(surrogate, 0));
    for (size_t i = 0; i < POINTS; i++) {
        const double *z = design.points + DIMS * i;
        printf("%.17g %.17g %.17g %.17g\n", z[0], z[1], z[2], outputs[i]);
    }
    ct_surrogate_free(surrogate);
    ct_design_free(&design);
    return EXIT_SUCCESS;
}
