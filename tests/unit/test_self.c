/* core/self: files are found from where the program is. */
#include "core/self.h"
#include "tests/unit/unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void the_program_is_in_its_folder(void **state)
{
    (void)state;
    char path[PATH_MAX], folder[PATH_MAX];
    assert_int_equal(ct_self_path(path, sizeof path, NULL), CT_OK);
    assert_int_equal(ct_self_folder(folder, sizeof folder, NULL), CT_OK);
    assert_true(path[0] == '/');
    assert_int_equal(access(path, X_OK), 0);
    size_t n = strlen(folder);
    assert_memory_equal(path, folder, n);
    assert_string_equal(path + n, "/tests_core");
}

static void the_first_that_is_there_is_found(void **state)
{
    (void)state;
    const char *const relatives[] = {"no such file", "../tests/tests_core", "tests_core", NULL};
    char folder[PATH_MAX], path[2 * PATH_MAX], expected[2 * PATH_MAX];
    assert_int_equal(ct_self_folder(folder, sizeof folder, NULL), CT_OK);
    assert_true(ct_self_find(folder, relatives, path, sizeof path));
    snprintf(expected, sizeof expected, "%s/../tests/tests_core", folder);
    assert_string_equal(path, expected);
    assert_false(ct_self_find(folder, relatives + 3, path, sizeof path));
    assert_false(ct_self_find("/none", relatives, path, sizeof path));
    assert_false(ct_self_find(folder, relatives, path, 8)); /* too short for any */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_program_is_in_its_folder),
                                       cmocka_unit_test(the_first_that_is_there_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
