/* trace/convert: traces of every version of the format, and their ranks of communicators. */
#include "trace/input/input.h"
#include "trace/reader.h"
#include "trace/stream.h"
#include "traced_program.h"
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *schedule_of(const char *folder)
{
    const struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    if (ct_input_convert(ct_input_of(folder), &options, &goal, &notes, &err) != CT_OK)
        fail_msg("%s", err.text);
    char *text = text_of(&goal);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
    return text;
}

/* The traces of a folder as they are written today, without their places. */
static void write_again(const char *from, const char *to)
{
    struct ct_trace_set set;
    struct ct_trace_event event;
    assert_int_equal(ct_trace_set_open(from, &set, NULL), CT_OK);
    for (uint32_t rank = 0; rank < set.n_ranks; rank++) {
        char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
        struct ct_trace_header header = *ct_trace_header_of(set.traces[rank]);
        struct ct_trace_stream *stream;
        ct_trace_file_name(rank, name);
        snprintf(path, sizeof path, "%s/%s", to, name);
        header.has_sites = false;
        assert_int_equal(ct_trace_stream_open(path, &header, &stream, NULL), CT_OK);
        while (ct_trace_next(set.traces[rank], &event, NULL) == CT_OK &&
               event.kind != CT_TRACE_NONE) {
            event.site = 0;
            assert_int_equal(ct_trace_stream_add(stream, &event, NULL), CT_OK);
        }
        assert_int_equal(ct_trace_stream_close(stream, NULL), CT_OK);
    }
    ct_trace_set_close(&set);
}

static void remove_traces(const char *folder, uint32_t n_ranks)
{
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
        ct_trace_file_name(rank, name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        unlink(path);
    }
    rmdir(folder);
}

/* One program of six ranks, with communicators of all kinds, as each version wrote it. */
static void traces_of_all_versions_have_one_schedule(void **state)
{
    (void)state;
    char path[PATH_MAX], folder[] = "/tmp/ct_versions_XXXXXX", *expected = NULL;
    const char *source = getenv("CROSSTALK_SOURCE");
    for (int version = 1; version < CT_TRACE_VERSION; version++) {
        snprintf(path, sizeof path, "%s/tests/data/traces/version-%d", source ? source : ".",
                 version);
        char *found = schedule_of(path);
        if (expected)
            assert_string_equal(found, expected);
        free(expected);
        expected = found;
    }
    assert_non_null(mkdtemp(folder));
    write_again(path, folder);
    char *found = schedule_of(folder);
    assert_string_equal(found, expected);
    assert_non_null(strstr(expected, "num_ranks 6"));
    free(found);
    free(expected);
    remove_traces(folder, 6);
}

/* A rank is a member of what it makes, and both ranks name it alike. */
static void ranks_of_communicators_are_checked(void **state)
{
    (void)state;
    static const struct {
        uint64_t values[6];
        size_t n;
        const char *words;
    } bad[] = {{{0, 2, 0}, 3, "0 apart: no run of ranks"},
               {{0, 0, 2}, 3, "no run of ranks"},
               {{0, 1, 4}, 3, "no run of ranks"},
               {{0, 2, 2, 1}, 4, "without members"},
               {{0}, 0, "without members"},
               {{2, 1, 2}, 3, "rank 2 in a communicator, which is none"},
               {{UINT64_MAX, 1, 2}, 3, "which is none"},
               {{0, 3, 2}, 3, "more than there are"},
               {{0, UINT64_MAX, 2}, 3, "more than there are"},
               {{0, 2, UINT64_MAX}, 3, "more than there are"},
               {{1, 2, UINT64_MAX - 1}, 3, "more than there are"},
               {{0, 1, 2, 0, 1, 2}, 6, "twice"},
               {{0, 1, 2, 1, 1, 2}, 6, "could be longer"},
               {{0, 2, 2, 0, 2, 2}, 6, "more ranks than the 2"},
               {{1, 1, 2}, 3, "no member of"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct traced_program program = program_of(2);
        call(&program, 0, 10, 10,
             (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                     .comm = 2,
                                     .values = bad[i].values,
                                     .n_values = bad[i].n});
        end(&program, 0, 20);
        end(&program, 1, 20);
        assert_refused(&program, bad[i].words);
        program_free(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_of_all_versions_have_one_schedule),
        cmocka_unit_test(ranks_of_communicators_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
