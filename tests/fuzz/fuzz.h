/** The entry that every fuzz target has, as libFuzzer calls it. */
#ifndef CT_TESTS_FUZZ_FUZZ_H
#define CT_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
