/* core/text: UTF-8 by RFC 3629, and what may stand in pages. */
#include "core/text.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static void characters_have_their_lengths(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t n;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xee\x80\x80", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},             /* no beginning */
        {"\xc3", 0},             /* cut short */
        {"\xe2\x82", 0},         /* cut short */
        {"\xe2\x82z", 0},        /* cut short */
        {"\xc0\x80", 0},         /* overlong */
        {"\xc1\xbf", 0},         /* overlong */
        {"\xe0\x9f\xbf", 0},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 0}, /* overlong */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xed\xbf\xbf", 0},     /* a surrogate */
        {"\xef\xbf\xbe", 0},     /* nothing that XML knows */
        {"\xf4\x90\x80\x80", 0}, /* beyond Unicode */
        {"\xf8\x88\x80\x80\x80", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (ct_text_utf8(cases[i].text) != cases[i].n)
            fail_msg("case %zu: %zu bytes, not %zu", i, ct_text_utf8(cases[i].text), cases[i].n);
}

static void pages_hold_text_only(void **state)
{
    (void)state;
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    ct_text_html("<a href=\"x\" b='y'>&\n\x7f\xc3\xa9\xc0\xaf", out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(page, "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;  \xc3\xa9??");
    free(page);
}

static void lines_are_broken_at_blanks(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    ct_text_wrap("one two costs 12 % of it\n\nend", 2, 4, 12, out);
    fclose(out);
    assert_string_equal(text, "  one two\n    costs\n    12 % of\n    it\n\n    end\n");
    free(text);
}

static void distances_of_words(void **state)
{
    (void)state;
    assert_int_equal(ct_text_distance("tolerence", "tolerance"), 1);
    assert_int_equal(ct_text_distance("predcit", "predict"), 1);
    assert_int_equal(ct_text_distance("", "abc"), 3);
    assert_int_equal(ct_text_distance("lab", "lab"), 0);
}

static void deep_texts_are_refused(void **state)
{
    (void)state;
    char deep[3 * CT_TEXT_NESTING_MAX];
    struct ct_error err;
    memset(deep, '[', sizeof deep);
    assert_int_equal(ct_text_check_nesting(deep, CT_TEXT_NESTING_MAX, "f", &err), CT_OK);
    assert_int_equal(ct_text_check_nesting(deep, sizeof deep, "f", &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "f:1: more than 100 brackets"));
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = "[a]"[i % 3];
    assert_int_equal(ct_text_check_nesting(deep, sizeof deep, "f", &err), CT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_their_lengths), cmocka_unit_test(pages_hold_text_only),
        cmocka_unit_test(lines_are_broken_at_blanks),    cmocka_unit_test(distances_of_words),
        cmocka_unit_test(deep_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
