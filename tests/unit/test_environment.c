/* results/environment: what a run file says about the process that made it. */
#include "results/environment.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static struct ct_run_info describe(const char *prefix)
{
    struct ct_run_info info = {0};
    assert_int_equal(ct_run_add_environment(&info, prefix), CT_OK);
    return info;
}

static void kernel_and_variables_are_facts(void **state)
{
    (void)state;
    struct utsname name;
    assert_int_equal(uname(&name), 0);
    setenv("UCX_TLS", "tcp,self", 1);
    setenv("I_MPI_FABRICS", "", 1);
    setenv("MY_UCX_TLS", "x", 1);
    struct ct_run_info info = describe("");
    assert_non_null(strstr(ct_run_text(&info, "kernel"), name.release));
    assert_string_equal(ct_run_text(&info, "env_UCX_TLS"), "tcp,self");
    assert_string_equal(ct_run_text(&info, "env_I_MPI_FABRICS"), "");
    for (size_t i = 0; i < info.n_facts; i++)
        assert_null(strstr(info.facts[i].key, "MY_"));
    assert_null(ct_run_text(&info, "env_PATH"));
    ct_run_info_free(&info);
    info = describe("driver_");
    assert_string_equal(ct_run_text(&info, "driver_env_UCX_TLS"), "tcp,self");
    for (size_t i = 0; i < info.n_facts; i++)
        assert_int_equal(strncmp(info.facts[i].key, "driver_", 7), 0);
    ct_run_info_free(&info);
}

static void affinity_is_that_of_the_process(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    size_t last = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before))
            last = cpu;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct ct_run_info info = describe("");
    char expected[24];
    snprintf(expected, sizeof expected, "%zu", last);
    assert_string_equal(ct_run_text(&info, "affinity"), expected);
    ct_run_info_free(&info);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* A hostile environment still gives a file that can be read. */
static void any_environment_fits_into_a_file(void **state)
{
    (void)state;
    char *text = malloc(5000);
    assert_non_null(text);
    memset(text, 'x', 4999);
    text[4999] = '\0';
    setenv("FI_LONG", text, 1);
    setenv("FI_BYTES", "a\nb\xff", 1);
    for (int i = 0; i < 300; i++) {
        char name[20];
        snprintf(name, sizeof name, "OMPI_V%d", i);
        setenv(name, "1", 1);
    }
    struct ct_run run = example_run(CT_RUN_RUNTIME, 3), back;
    assert_int_equal(ct_run_add_environment(&run.info, ""), CT_OK);
    struct ct_error err = {.text = ""};
    if (ct_run_write("a.h5", &run, &err) != CT_OK || ct_run_read("a.h5", &back, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_null(example_difference(&run, &back));
    assert_int_equal(strlen(ct_run_text(&back.info, "env_FI_LONG")), 1000);
    assert_string_equal(ct_run_text(&back.info, "env_FI_BYTES"), "a?b?");
    ct_run_free(&back);
    ct_run_free(&run);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_and_variables_are_facts),
        cmocka_unit_test(affinity_is_that_of_the_process),
        cmocka_unit_test(any_environment_fits_into_a_file),
    };
    return cmocka_run_group_tests(tests, example_folder_enter, example_folder_leave);
}
