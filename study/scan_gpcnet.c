#include "study/scan_gpcnet.h"

#include <math.h>

static const double mib = 1024.0 * 1024.0;

/* Of a sample of the bandwidth canary, one way. */
static double find_bytes(const struct ct_scan *scan)
{
    for (size_t c = 0; c < scan->n_cells; c++)
        if (scan->cells[c].canary == CT_SCAN_BANDWIDTH)
            return (double)scan->cells[c].bytes;
    return NAN;
}

/* Times have the same quotient as rates the other way round. */
static struct ct_scan_gpcnet_value make_value(const struct ct_scan_factor *alone_s,
                                              const struct ct_scan_factor *impact, double bytes)
{
    double beside_s = alone_s->value * impact->value;
    if (isnan(bytes))
        return (struct ct_scan_gpcnet_value){1e6 * alone_s->value, 1e6 * beside_s, *impact};
    return (struct ct_scan_gpcnet_value){bytes / mib / alone_s->value, bytes / mib / beside_s,
                                         *impact};
}

size_t ct_scan_gpcnet_make(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                           struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES])
{
    static const char *const names[CT_N_SCAN_CANARIES] = {CT_SCAN_GPCNET_NAMES};
    static const char *const units[CT_N_SCAN_CANARIES] = {CT_SCAN_GPCNET_UNITS};
    size_t n = 0;
    for (int i = 0; i < CT_N_SCAN_CANARIES; i++) {
        const struct ct_scan_case alone = {(enum ct_scan_canary)i,
                                           {.congestor = CT_SCAN_WITH_NONE, .intensity = 1}},
                                  loaded = {(enum ct_scan_canary)i,
                                            {.congestor = CT_SCAN_WITH_GPCNET, .intensity = 1}};
        const struct ct_scan_row *before = ct_scan_sheet_find(sheet, &alone, -1),
                                 *beside = ct_scan_sheet_find(sheet, &loaded, -1);
        double bytes = i == CT_SCAN_BANDWIDTH ? find_bytes(scan) : NAN;
        if (before && beside)
            rows[n++] = (struct ct_scan_gpcnet_row){
                names[i], units[i],
                make_value(&before->at[CT_SCAN_MEAN], &beside->at[CT_SCAN_MEAN], bytes),
                make_value(&before->at[CT_SCAN_P99], &beside->at[CT_SCAN_P99], bytes)};
    }
    return n;
}
