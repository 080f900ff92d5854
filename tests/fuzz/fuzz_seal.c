/* Sealed predictions: any text is read or refused, and what was read has all that it says. */
#include "study/seal.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_error err;
    struct ct_seal seal;
    char *text = malloc(size ? size : 1); /* no byte more: what reads on is found */
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (ct_seal_parse(text, size, "input", &seal, &err) == CT_OK) {
        if (seal.n_models == 0 || !(seal.level > 0) || !(seal.level < 1))
            abort();
        for (size_t i = 0; i < seal.n; i++)
            for (size_t m = 0; m < seal.n_models; m++)
                if (!seal.items[i].app || !seal.items[i].with ||
                    isinf(seal.items[i].answers[m].slowdown_frac))
                    abort();
        ct_seal_free(&seal);
    }
    free(text);
    return 0;
}
