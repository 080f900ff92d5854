/* Plans of scans, and texts of their cells: any text is read or refused, and what was read, written
 * again, reads the same. */
#include "study/scan_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_case(const struct ct_scan_case *scan_case)
{
    char text[CT_SCAN_TEXT_MAX];
    struct ct_scan_case again;
    ct_scan_case_format(scan_case, text);
    if (ct_scan_case_parse(text, &again, NULL) != CT_OK || again.canary != scan_case->canary ||
        !ct_scan_setting_same(&again.setting, &scan_case->setting))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_scan scan;
    struct ct_scan_case parsed;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (ct_scan_file_parse(text, size, "scan.json", &scan, NULL) == CT_OK) {
        for (size_t i = 0; i < scan.n_cases; i++)
            check_case(&scan.cases[i]);
        ct_scan_free(&scan);
    }
    if (ct_scan_case_parse(text, &parsed, NULL) == CT_OK)
        check_case(&parsed);
    free(text);
    return 0;
}
