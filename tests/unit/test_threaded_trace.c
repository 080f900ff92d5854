/* trace: calls of several threads of a rank, as they are written and read. */
#include "tests/unit/unit.h"
#include "trace/convert/summary.h"
#include "trace/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_NS = 1000 };

struct file {
    char directory[64], path[128];
    struct ct_trace_header header;
    struct ct_trace_stream *stream;
};

static struct file new_file(bool has_threads, bool has_sites)
{
    struct file file = {.header = {.n_ranks = 1,
                                   .start_ns = START_NS,
                                   .has_sites = has_sites,
                                   .has_threads = has_threads}};
    char name[CT_TRACE_NAME_MAX];
    snprintf(file.directory, sizeof file.directory, "/tmp/test_threaded_trace.XXXXXX");
    assert_non_null(mkdtemp(file.directory));
    ct_trace_file_name(0, name);
    snprintf(file.path, sizeof file.path, "%s/%s", file.directory, name);
    assert_int_equal(ct_trace_stream_open(file.path, &file.header, &file.stream, NULL), CT_OK);
    return file;
}

static void remove_file(const struct file *file)
{
    unlink(file->path);
    rmdir(file->directory);
}

static struct ct_trace_event barrier(uint32_t thread, uint64_t after, uint64_t start_ns,
                                     uint64_t end_ns)
{
    return (struct ct_trace_event){.kind = CT_TRACE_BARRIER,
                                   .start_ns = start_ns,
                                   .end_ns = end_ns,
                                   .thread = thread,
                                   .after = after};
}

/* Add events, close the file, and open it. */
static struct ct_trace *trace_of(const struct file *file, const struct ct_trace_event *events,
                                 size_t n)
{
    struct ct_trace *trace;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(ct_trace_stream_add(file->stream, &events[i], NULL), CT_OK);
    assert_int_equal(ct_trace_stream_close(file->stream, NULL), CT_OK);
    assert_int_equal(ct_trace_open(file->path, &trace, NULL), CT_OK);
    return trace;
}

static void expect_next(struct ct_trace *trace, const struct ct_trace_event *expected)
{
    struct ct_trace_event event;
    assert_int_equal(ct_trace_next(trace, &event, NULL), CT_OK);
    assert_int_equal(event.kind, expected->kind);
    assert_int_equal(event.start_ns, expected->start_ns);
    assert_int_equal(event.end_ns, expected->end_ns);
    assert_int_equal(event.thread, expected->thread);
    assert_int_equal(event.after, expected->after);
}

/* Thread 1 is in its call while thread 0 makes two; the clock of thread 2 is behind. */
static const struct ct_trace_event overlapping[] = {
    {.kind = CT_TRACE_BEGIN, .start_ns = 1000, .end_ns = 1010},
    {.kind = CT_TRACE_SEND, .start_ns = 1020, .end_ns = 1030, .after = 1},
    {.kind = CT_TRACE_SEND, .start_ns = 1040, .end_ns = 1050, .after = 2},
    {.kind = CT_TRACE_BARRIER, .start_ns = 1015, .end_ns = 1060, .thread = 1, .after = 1},
    {.kind = CT_TRACE_BARRIER, .start_ns = 1000, .end_ns = 1001, .thread = 2, .after = 0},
    {.kind = CT_TRACE_END, .start_ns = 1070, .end_ns = 1080, .after = 5}};
enum { N_OVERLAPPING = sizeof overlapping / sizeof *overlapping };

static void overlapping_calls_keep_their_times(void **state)
{
    (void)state;
    struct file file = new_file(true, false);
    struct ct_trace *trace = trace_of(&file, overlapping, N_OVERLAPPING);
    struct ct_trace_place places[N_OVERLAPPING];
    struct ct_trace_event event;
    assert_true(ct_trace_header_of(trace)->has_threads);
    for (size_t i = 0; i < N_OVERLAPPING; i++) {
        places[i] = ct_trace_tell(trace);
        assert_int_equal(places[i].index, i);
        expect_next(trace, &overlapping[i]);
    }
    assert_int_equal(ct_trace_next(trace, &event, NULL), CT_OK);
    assert_int_equal(event.kind, CT_TRACE_NONE);
    for (size_t i = N_OVERLAPPING; i-- > 0;) {
        ct_trace_seek(trace, places[i]);
        for (size_t k = i; k < N_OVERLAPPING; k++)
            expect_next(trace, &overlapping[k]);
    }
    ct_trace_rewind(trace);
    expect_next(trace, &overlapping[0]);
    ct_trace_free(trace);
    remove_file(&file);
}

/* The last event is not the latest one. */
static void a_summary_counts_threads(void **state)
{
    (void)state;
    struct file file = new_file(true, false);
    ct_trace_free(trace_of(&file, overlapping, N_OVERLAPPING - 1));
    struct ct_events events;
    struct ct_trace_summary summary;
    assert_int_equal(ct_trace_events_open(file.directory, &events, NULL), CT_OK);
    assert_int_equal(ct_events_summarize(&events, &summary, NULL), CT_OK);
    assert_int_equal(summary.n_threads, 3);
    assert_int_equal(summary.longest_ns, 60);
    assert_int_equal(summary.kinds[CT_TRACE_BARRIER].time_ns, 46);
    ct_trace_summary_free(&summary);
    events.close(events.context);
    remove_file(&file);
}

/* Without threads a call begins where the one before ended, and comes after all others. */
static void files_without_threads_have_one_sequence(void **state)
{
    (void)state;
    const struct ct_trace_event given[] = {barrier(0, 0, 1000, 1050), barrier(3, 9, 1020, 1060)};
    const struct ct_trace_event expected[] = {barrier(0, 0, 1000, 1050), barrier(0, 1, 1050, 1060)};
    struct file file = new_file(false, false);
    struct ct_trace *trace = trace_of(&file, given, 2);
    assert_false(ct_trace_header_of(trace)->has_threads);
    for (size_t i = 0; i < 2; i++)
        expect_next(trace, &expected[i]);
    ct_trace_free(trace);
    remove_file(&file);
}

/* Within a thread, that is so with threads too. */
static void calls_of_a_thread_do_not_overlap(void **state)
{
    (void)state;
    const struct ct_trace_event given[] = {barrier(0, 0, 900, 1050), barrier(1, 0, 1020, 1060),
                                           barrier(0, 1, 1040, 1045), barrier(1, 0, 1000, 1070)};
    const struct ct_trace_event expected[] = {barrier(0, 0, 1000, 1050), barrier(1, 0, 1020, 1060),
                                              barrier(0, 1, 1050, 1050), barrier(1, 0, 1060, 1070)};
    struct file file = new_file(true, false);
    struct ct_trace *trace = trace_of(&file, given, 4);
    for (size_t i = 0; i < 4; i++)
        expect_next(trace, &expected[i]);
    ct_trace_free(trace);
    remove_file(&file);
}

static void impossible_events_are_not_written(void **state)
{
    (void)state;
    const struct ct_trace_event first = barrier(0, 0, 1000, 1010);
    const struct ct_trace_event skips = barrier(2, 0, 1000, 1010), late = barrier(0, 2, 1000, 1010);
    struct file file = new_file(true, false);
    struct ct_error err;
    assert_int_equal(ct_trace_stream_add(file.stream, &first, &err), CT_OK);
    assert_int_equal(ct_trace_stream_add(file.stream, &skips, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "thread 2 where at most 1 was expected"));
    assert_int_equal(ct_trace_stream_add(file.stream, &late, &err), CT_EFORMAT);
    assert_int_equal(ct_trace_stream_close(file.stream, NULL), CT_OK);
    remove_file(&file);
}

/* Names of places are no events: they are not counted, and are of no thread. */
static void places_and_threads_go_together(void **state)
{
    (void)state;
    struct ct_trace_event given[] = {barrier(0, 0, 1000, 1010),
                                     {.kind = CT_TRACE_SITE, .site = 1, .text = "a", .n_text = 1},
                                     barrier(1, 1, 1005, 1020),
                                     barrier(0, 2, 1030, 1040)};
    given[2].site = 1;
    struct file file = new_file(true, true);
    struct ct_trace *trace = trace_of(&file, given, 4);
    assert_true(ct_trace_header_of(trace)->has_sites);
    expect_next(trace, &given[0]);
    expect_next(trace, &given[2]);
    expect_next(trace, &given[3]);
    ct_trace_free(trace);
    remove_file(&file);
}

/* A file with the bytes of events, which no stream would write: the text of its refusal. */
static void expect_refused(const char *bytes, size_t size, const char *words)
{
    struct file file = new_file(true, false);
    struct ct_trace *trace = trace_of(&file, NULL, 0);
    struct ct_trace_event event;
    struct ct_error err;
    enum ct_status status;
    ct_trace_free(trace);
    FILE *out = fopen(file.path, "ab");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(ct_trace_open(file.path, &trace, NULL), CT_OK);
    while ((status = ct_trace_next(trace, &event, &err)) == CT_OK && event.kind != CT_TRACE_NONE)
        ;
    assert_int_equal(status, CT_EFORMAT);
    if (!strstr(err.text, words))
        fail_msg("'%s' without '%s'", err.text, words);
    ct_trace_free(trace);
    remove_file(&file);
}

/* An event is its kind (1: begin), end, duration, thread, index - after; ends are doubled. */
static void damaged_threads_are_refused(void **state)
{
    (void)state;
    expect_refused("\1\2\0\1\0", 5, "thread 1 where at most 0 was expected");
    expect_refused("\1\2\0\0\0\1\2\0\2\0", 10, "thread 2 where at most 1 was expected");
    expect_refused("\1\2\0\0\1", 5, "damaged or cut begin event");       /* after -1 */
    expect_refused("\1\2\0\0\0\1\2\0\0\2", 10, "damaged or cut begin");  /* after 1 - 2 */
    expect_refused("\1\2\0\xff\xff\xff\xff\x7f\0", 9, "damaged or cut"); /* thread 2^35 - 1 */
    expect_refused("\1\2\2\0\0", 5, "a call of thread 0 begins before"); /* before the file */
    expect_refused("\1\4\0\0\0\1\2\2\0\0", 10, "a call of thread 0 begins before its last one");
    expect_refused("\1\xd1\x0f\0\0\0", 6, "damaged or cut begin event"); /* ends at -1 */
    expect_refused("\1\2\xea\7\0\0", 6, "damaged or cut begin event");   /* starts at -1 */
    expect_refused("\1\xfe\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0"      /* 2^63 - 1 later, twice */
                   "\1\xfe\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0",
                   28, "damaged or cut begin event");
}

static void headers_tell_places_and_threads(void **state)
{
    (void)state;
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header back;
    for (int has_sites = 0; has_sites < 2; has_sites++) {
        const struct ct_trace_header header = {
            .n_ranks = 1, .has_sites = has_sites, .has_threads = true};
        ct_trace_header_encode(&header, bytes);
        assert_int_equal(bytes[8], CT_TRACE_VERSION);
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_OK);
        assert_true(back.has_threads);
        assert_int_equal(back.has_sites, has_sites);
    }
    bytes[41] = 2;
    assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_calls_keep_their_times),
        cmocka_unit_test(a_summary_counts_threads),
        cmocka_unit_test(files_without_threads_have_one_sequence),
        cmocka_unit_test(calls_of_a_thread_do_not_overlap),
        cmocka_unit_test(impossible_events_are_not_written),
        cmocka_unit_test(places_and_threads_go_together),
        cmocka_unit_test(damaged_threads_are_refused),
        cmocka_unit_test(headers_tell_places_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
