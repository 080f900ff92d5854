/* An entry with a fault: what a search does that finds one. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == '\n')
        abort();
    return 0;
}
