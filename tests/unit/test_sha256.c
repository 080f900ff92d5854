/* Digests and codes that the standards publish. */
#include "core/sha256.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* FIPS 180-4's examples, and its million of "a", which are more than one block. */
static void digests_are_those_of_the_standard(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    static const char *const two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char text[CT_SHA256_MAX], *many = malloc(MANY);
    assert_non_null(many);
    ct_sha256("abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ct_sha256("", 0, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ct_sha256(two, strlen(two), text);
    assert_string_equal(text, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(many, 'a', MANY);
    ct_sha256(many, MANY, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

/* RFC 4231, test case 1: zeros behind a key do not change its code. And one of a key without any,
 * by Python's hmac. */
static void codes_are_those_of_the_standard(void **state)
{
    (void)state;
    unsigned char key[CT_SHA256_BYTES] = {0};
    char text[CT_SHA256_MAX];
    memset(key, 0x0b, 20);
    ct_sha256_keyed(key, "Hi There", text);
    assert_string_equal(text, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)i;
    ct_sha256_keyed(key, "what do ya want for nothing?", text);
    assert_string_equal(text, "099805f4ac310786968565c098db515cc50862b420ae31e20238312344bed36a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(codes_are_those_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
