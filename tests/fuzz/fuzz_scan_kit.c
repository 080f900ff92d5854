/* Files of kits, which come from strangers: any text is read or refused, and one that was read
 * makes a page. */
#include "report/scan_page.h"
#include "study/scan_kit.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_scan_kit kit;
    char *html;
    if (ct_scan_kit_parse((const char *)data, size, "kit.json", &kit, NULL) != CT_OK)
        return 0;
    if (ct_scan_page_make(&kit.scan, &kit.sheet, NULL, &kit.seal, &html, NULL) == CT_OK)
        free(html);
    ct_scan_kit_free(&kit);
    return 0;
}
