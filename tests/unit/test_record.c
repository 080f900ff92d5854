/* trace/record: commands are started with the tracer, or refused before they are. */
#include "core/self.h"
#include "tests/unit/unit.h"
#include "trace/format.h"
#include "trace/record.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
    char folder[64];
    char traces[80], first[CT_TRACE_NAME_MAX + 90];
};

static int make_scratch(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    char name[CT_TRACE_NAME_MAX];
    Dl_info library;
    if (!scratch)
        return -1;
    ct_trace_file_name(0, name);
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/ct-record-XXXXXX");
    if (!mkdtemp(scratch->folder) || !dladdr((void *)(uintptr_t)strlen, &library))
        return -1;
    snprintf(scratch->traces, sizeof scratch->traces, "%s/traces", scratch->folder);
    snprintf(scratch->first, sizeof scratch->first, "%s/%s", scratch->traces, name);
    /* In the tracer's stead a library that every process has already. */
    setenv(CT_TRACE_LIBRARY_VARIABLE, library.dli_fname, 1);
    unsetenv("LD_PRELOAD");
    *state = scratch;
    return 0;
}

static int remove_scratch(void **state)
{
    struct scratch *scratch = *state;
    unlink(scratch->first);
    rmdir(scratch->traces);
    int failed = rmdir(scratch->folder);
    free(scratch);
    unsetenv("LD_PRELOAD");
    return failed;
}

static enum ct_status record(const struct scratch *scratch, const char *script, bool *ran_p,
                             struct ct_error *err)
{
    char *argv[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    const struct ct_trace_recording recording = {.argv = argv, .directory = scratch->traces};
    return ct_trace_record(&recording, ran_p, err);
}

/* Writes what the tracer would, and checks what it would find. */
#define WRITE_TRACE "test -n \"$LD_PRELOAD\" && : >\"$CROSSTALK_TRACE_DIR/$0\""

static void a_command_with_traces(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_error err;
    char name[CT_TRACE_NAME_MAX];
    bool ran = false;
    ct_trace_file_name(0, name);
    char *argv[] = {"sh", "-c", WRITE_TRACE, name, NULL};
    const struct ct_trace_recording recording = {.argv = argv, .directory = scratch->traces};
    if (ct_trace_record(&recording, &ran, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(ran);
    assert_int_equal(access(scratch->first, F_OK), 0);
    assert_int_equal(ct_trace_record(&recording, &ran, &err), CT_EEXIST);
    assert_false(ran);
}

static void commands_that_fail(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_error err;
    bool ran = false;
    assert_int_equal(record(scratch, "exit 3", &ran, &err), CT_ECHILD);
    assert_non_null(strstr(err.text, "exit code 3"));
    assert_true(ran);
    assert_int_equal(record(scratch, "kill -9 $$", &ran, &err), CT_ECHILD);
    assert_non_null(strstr(err.text, "signal 9"));
    assert_int_equal(record(scratch, ":", &ran, &err), CT_ENODATA);
    assert_true(ran);
}

static void without_the_tracer_nothing_is_started(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_error err;
    bool ran = true;
    setenv(CT_TRACE_LIBRARY_VARIABLE, "/none/of/it", 1);
    assert_int_equal(record(scratch, ":", &ran, &err), CT_ENOENT);
    assert_non_null(strstr(err.text, "/none/of/it"));
    assert_false(ran);
    assert_int_equal(access(scratch->traces, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_command_with_traces, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(commands_that_fail, make_scratch, remove_scratch),
        cmocka_unit_test_setup_teardown(without_the_tracer_nothing_is_started, make_scratch,
                                        remove_scratch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
