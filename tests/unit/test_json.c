/* core/json: to the letter what cJSON prints, on random trees and numbers; escapes; broken UTF-8.
 */
#include "core/json.h"
#include "core/random.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What a tree prints (to be freed); the tree is freed. */
static char *printed(struct ct_json *root)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(ct_json_print(root, out), CT_OK);
    fclose(out);
    ct_json_free(root);
    return text;
}

static void assert_printed(struct ct_json *root, const char *expected)
{
    char *text = printed(root);
    assert_string_equal(text, expected);
    free(text);
}

static void known_documents(void **state)
{
    (void)state;
    assert_printed(ct_json_object(), "{\n}");
    assert_printed(ct_json_array(), "[]");
    struct ct_json *root = ct_json_object();
    ct_json_put(root, "L_s", ct_json_number(12.5e-6));
    ct_json_put(root, "none", ct_json_number(NAN));
    ct_json_put(root, "much", ct_json_number(-INFINITY));
    struct ct_json *apps = ct_json_put(root, "apps", ct_json_array());
    ct_json_append(apps, ct_json_text("fft"));
    ct_json_put(ct_json_append(apps, ct_json_object()), "n", ct_json_number(3));
    assert_ptr_equal(ct_json_member(root, "apps"), apps);
    assert_null(ct_json_member(root, "app"));
    assert_null(ct_json_member(NULL, "app"));
    assert_printed(root, "{\n\t\"L_s\":\t1.25e-05,\n\t\"none\":\tnull,\n\t\"much\":\tnull,\n"
                         "\t\"apps\":\t[\"fft\", {\n\t\t\t\"n\":\t3\n\t\t}]\n}");
}

static void texts_are_escaped(void **state)
{
    (void)state;
    assert_printed(ct_json_text("a\"b\\c/\b\f\n\r\t\x01\x1f\x7f"),
                   "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
    assert_printed(ct_json_text("\xc2\xb5s \xe2\x82\xac \xf0\x9d\x84\x9e"),
                   "\"\xc2\xb5s \xe2\x82\xac \xf0\x9d\x84\x9e\"");
}

static void bytes_that_are_no_character_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"caf\xe9", "\"caf\xef\xbf\xbd\""},                           /* Latin 1 */
        {"\xc3", "\"\xef\xbf\xbd\""},                                 /* cut short */
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* overlong */
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* surrogate */
        {"\xffok", "\"\xef\xbf\xbdok\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_printed(ct_json_text(cases[i].text), cases[i].printed);
        struct ct_json *root = ct_json_object();
        ct_json_put(root, cases[i].text, ct_json_number(1));
        char *text = printed(root);
        assert_non_null(strstr(text, cases[i].printed));
        free(text);
    }
}

static void assert_as_cjson(double number)
{
    cJSON *theirs = cJSON_CreateNumber(number);
    char *expected = cJSON_Print(theirs);
    assert_non_null(expected);
    assert_printed(ct_json_number(number), expected);
    cJSON_free(expected);
    cJSON_Delete(theirs);
}

static void slow_numbers_are_as_cjson_prints_them(void **state)
{
    (void)state;
    static const double known[] = {0,     1,      -1,      0.1,    1.0 / 3,     1e15,
                                   1e16,  1e300,  5e-324,  1e-7,   2147483648., 123456789012345678.,
                                   1e-15, 1.5e-5, 1 / 7e6, 0x1p53, 0.1 + 0.2,   4.35e-4};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_as_cjson(known[i]);
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = ct_random_next(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        assert_as_cjson(number); /* any double, NaN included */
        double rounded = rint(ct_random_unit(bits) * 1e6) / 1e5;
        assert_as_cjson(rounded);
        assert_as_cjson(nextafter(rounded, 1e9)); /* within the precision of 15 digits, or not */
    }
}

/* The same random tree, made by both. */
static void grow(struct ct_json *ours, cJSON *theirs, bool is_object, int depth, uint64_t *random)
{
    static const char *const texts[] = {"", "fft", "\"quoted\"\n", "\xc2\xb5s", "a/b"};
    size_t n = ct_random_next(random) % 4;
    for (size_t i = 0; i < n; i++) {
        const char *name = texts[ct_random_next(random) % 5];
        uint64_t kind = ct_random_next(random) % (depth < 4 ? 4 : 2);
        double number = (double)(ct_random_next(random) % 1000) / 64;
        struct ct_json *our = kind == 0   ? ct_json_number(number)
                              : kind == 1 ? ct_json_text(name)
                              : kind == 2 ? ct_json_array()
                                          : ct_json_object();
        cJSON *their = kind == 0   ? cJSON_CreateNumber(number)
                       : kind == 1 ? cJSON_CreateString(name)
                       : kind == 2 ? cJSON_CreateArray()
                                   : cJSON_CreateObject();
        if (is_object) {
            ct_json_put(ours, name, our);
            cJSON_AddItemToObject(theirs, name, their);
        } else {
            ct_json_append(ours, our);
            cJSON_AddItemToArray(theirs, their);
        }
        if (kind >= 2)
            grow(our, their, kind == 3, depth + 1, random);
    }
}

static void trees_are_as_cjson_prints_them(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 2000; i++) {
        struct ct_json *ours = ct_json_object();
        cJSON *theirs = cJSON_CreateObject();
        grow(ours, theirs, true, 0, &random);
        char *expected = cJSON_Print(theirs);
        assert_non_null(expected);
        assert_printed(ours, expected);
        cJSON_free(expected);
        cJSON_Delete(theirs);
    }
}

static void a_missing_value_is_not_left_out_in_silence(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct ct_json *root = ct_json_object(), *rows = ct_json_put(root, "rows", ct_json_array());
    assert_null(ct_json_append(rows, NULL));                /* as when out of memory */
    assert_null(ct_json_put(NULL, "x", ct_json_number(1))); /* frees the number */
    assert_int_equal(ct_json_print(root, out), CT_ENOMEM);
    assert_int_equal(ct_json_print(NULL, out), CT_ENOMEM);
    fclose(out);
    assert_int_equal(size, 0);
    free(text);
    ct_json_free(root);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    setvbuf(full, NULL, _IONBF, 0);
    struct ct_json *root = ct_json_object();
    assert_int_equal(ct_json_print(root, full), CT_EIO);
    ct_json_free(root);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_documents),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(bytes_that_are_no_character_are_replaced),
        cmocka_unit_test(slow_numbers_are_as_cjson_prints_them),
        cmocka_unit_test(trees_are_as_cjson_prints_them),
        cmocka_unit_test(a_missing_value_is_not_left_out_in_silence),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
