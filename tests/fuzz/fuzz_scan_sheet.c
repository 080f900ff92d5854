/* Sheets that --against reads: any text is read or refused, and one that was read is compared. */
#include "study/scan_compare.h"
#include "study/scan_sheet_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_scan_sheet sheet;
    struct ct_scan_comparison comparison;
    if (ct_scan_sheet_parse((const char *)data, size, "sheet.json", &sheet, NULL) != CT_OK)
        return 0;
    if (ct_scan_compare(&sheet, &sheet, &comparison, NULL) == CT_OK)
        free(comparison.changes);
    ct_scan_sheet_free(&sheet);
    return 0;
}
