/* Caches of studies: any bytes are read or refused, and what is read can be worked with. */
#include "study/cache_format.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* What was read says the same when it is written. */
static void check_bytes(const struct ct_study *study, const uint8_t *data, size_t size)
{
    const struct ct_cache_key key = {{0}, {0}};
    struct ct_study again;
    unsigned char *bytes;
    size_t n;
    if (ct_cache_encode(study, &key, &bytes, &n) != CT_OK)
        abort();
    if (n != ct_cache_header_bytes() + size ||
        memcmp(bytes + ct_cache_header_bytes(), data, size) != 0)
        abort();
    if (ct_cache_decode(bytes, n, &key, &again) != CT_OK)
        abort();
    ct_study_free(&again);
    free(bytes);
}

static void analyse(const struct ct_study *study)
{
    const struct ct_predict_input input = ct_study_input(study);
    struct ct_predict_analysis analysis;
    struct ct_error err;
    if (ct_predict_analyse(&input, NULL, &analysis, &err) == CT_OK)
        ct_predict_analysis_free(&analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ct_cache_key key = {{0}, {0}};
    struct ct_study study;
    if (ct_cache_decode(data, size, &key, &study) == CT_OK)
        ct_study_free(&study);
    if (ct_cache_decode_payload(data, size, &study) != CT_OK)
        return 0;
    check_bytes(&study, data, size);
    analyse(&study);
    ct_study_free(&study);
    return 0;
}
