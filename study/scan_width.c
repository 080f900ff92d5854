#include "study/scan_width.h"

#include "study/scan_factors.h"

#include <math.h>

enum { ROUNDS_MIN = 3 };

enum ct_status ct_scan_width(const struct ct_scan *scan, const struct ct_scan_case *scan_case,
                             double *width_p, struct ct_error *err)
{
    struct ct_scan_row row;
    enum ct_status status = ct_scan_row_make(scan, scan_case, -1, &row, err);
    if (status != CT_OK)
        return status;
    double width = row.n_rounds >= ROUNDS_MIN ? 0 : INFINITY;
    for (int i = CT_SCAN_MEAN; i <= CT_SCAN_MEDIAN && row.n_rounds >= ROUNDS_MIN; i++) {
        const struct ct_interval *interval = &row.at[i].interval;
        width = fmax(width, sqrt(interval->hi / interval->lo) - 1);
    }
    *width_p = width;
    return CT_OK;
}
