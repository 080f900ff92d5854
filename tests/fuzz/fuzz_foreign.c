/* Formats of others: any bytes are looked at, within their size. */
#include "core/foreign.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err;
    const char *name = ct_foreign_name((const char *)data, size);
    for (int reads = 0; reads < CT_READS_N; reads++)
        if (ct_foreign_explain("file", (const char *)data, size, (enum ct_reads)reads, &err) &&
            !name)
            abort();
    return 0;
}
