/**
 * SHA-256 (FIPS 180-4), and codes of it by a key, HMAC (RFC 2104): for predictions that are sealed,
 * and for names that are not to be known. `sha256sum` and `openssl dgst` print the same.
 * Ours, since no library that the analysis needs has it: libsodium is a part's that may be absent.
 */
#pragma once

#include <stddef.h>

enum { CT_SHA256_BYTES = 32, CT_SHA256_MAX = 2 * CT_SHA256_BYTES + 1 };

/**
 * @param bytes   [in]  n of them
 * @param text_p  [out] 64 digits, lower case, and a NUL
 */
void ct_sha256(const void *bytes, size_t n, char text_p[CT_SHA256_MAX]);

/**
 * The code of a text by a key that others do not have.
 * @param key  [in] as long as a digest
 */
void ct_sha256_keyed(const unsigned char key[CT_SHA256_BYTES], const char *text,
                     char text_p[CT_SHA256_MAX]);
