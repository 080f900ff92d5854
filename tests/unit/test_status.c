/* core/status: messages, with and without somebody who wants them. */
#include "core/status.h"
#include "tests/unit/unit.h"

#include <string.h>

static void every_status_has_a_message(void **state)
{
    (void)state;
    assert_string_equal(ct_status_text(CT_OK), "success");
    assert_string_equal(ct_status_text(CT_ENODATA), "not enough data");
    assert_string_equal(ct_status_text((enum ct_status)1000), "unknown status");
}

static void a_context_stands_before_the_message(void **state)
{
    (void)state;
    struct ct_error err;
    assert_int_equal(ct_fail(&err, CT_ENOENT, "run %d: not there", 7), CT_ENOENT);
    assert_int_equal(ct_fail_within(&err, CT_ENOENT, "%s", "results"), CT_ENOENT);
    assert_string_equal(err.text, "results: run 7: not there");
    assert_int_equal(err.status, CT_ENOENT);
    assert_int_equal(ct_fail_within(&err, CT_EUSAGE, "--from"), CT_EUSAGE);
    assert_int_equal(err.status, CT_EUSAGE);
}

/* Who wants no message still gets the status of what failed. */
static void the_status_does_not_depend_on_the_message(void **state)
{
    (void)state;
    assert_int_equal(ct_fail(NULL, CT_ENODATA, "nothing"), CT_ENODATA);
    assert_int_equal(ct_fail_within(NULL, CT_ENODATA, "here"), CT_ENODATA);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct ct_error err;
    char context[2000];
    memset(context, 'c', sizeof context - 1);
    context[sizeof context - 1] = '\0';
    for (size_t n = sizeof err.text - 8; n < sizeof context; n++) {
        assert_int_equal(ct_fail(&err, CT_EIO, "%s", context), CT_EIO);
        assert_int_equal(strlen(err.text), sizeof err.text - 1);
        assert_int_equal(ct_fail_within(&err, CT_EIO, "%.*s", (int)n, context), CT_EIO);
        assert_in_range(strlen(err.text), n < sizeof err.text ? n : sizeof err.text - 1,
                        sizeof err.text - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_message),
        cmocka_unit_test(a_context_stands_before_the_message),
        cmocka_unit_test(the_status_does_not_depend_on_the_message),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
