/* trace/otf2: ranks of several threads, each with a location of its own. */
#include "core/file.h"
#include "otf2_by_hand.h"
#include "trace/input/input.h"
#include "trace/otf2/otf2.h"
#include "traced_program.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scratch {
    char folder[64], directory[96], anchor[128];
};

static struct scratch make_scratch(void)
{
    struct scratch scratch;
    snprintf(scratch.folder, sizeof scratch.folder, "/tmp/test_otf2_threads.XXXXXX");
    assert_non_null(mkdtemp(scratch.folder));
    snprintf(scratch.directory, sizeof scratch.directory, "%s/archive", scratch.folder);
    snprintf(scratch.anchor, sizeof scratch.anchor, "%s/traces.otf2", scratch.directory);
    return scratch;
}

/* A call of a thread; its index is that of the rank's events. */
static void by_thread(struct traced_program *program, uint32_t thread, uint64_t after,
                      uint64_t start_ns, uint64_t end_ns, struct ct_trace_event event)
{
    event.thread = thread;
    event.after = after;
    call(program, 0, start_ns, end_ns, event);
}

/* Two messages to itself: thread 2 completes what thread 0 began, which posts another receive
 * meanwhile; thread 1 begins again what it had prepared, and the clock of thread 2 is behind. */
enum { POSTED = 3, POSTED_MEANWHILE = 8 }; /* index */
static struct traced_program program_of_threads(void)
{
    struct traced_program program = program_of(2);
    const struct ct_trace_event sends = send_to(0, 3, 8, 2);
    uint64_t n = program.ranks[0].n;
    by_thread(&program, 0, n, 100, 110, (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
    by_thread(&program, 0, n + 1, 120, 130, receive_from(0, 3, 8, 1));
    by_thread(&program, 1, n + 1, 115, 140, init_of(sends));
    by_thread(&program, 1, n + 3, 150, 160, start_of(sends, 0, 1));
    by_thread(&program, 2, n + 2, 70, 75, (struct ct_trace_event){.kind = CT_TRACE_TEST});
    by_thread(&program, 2, n + 2, 75, 90, wait_received(1, 0, 3, 8));
    by_thread(&program, 0, n + 2, 140, 190, receive_from(0, 3, 8, 3));
    by_thread(&program, 1, n + 4, 165, 170, wait_sent(2));
    by_thread(&program, 1, n + 8, 171, 180, start_of(sends, 0, 1));
    by_thread(&program, 1, n + 9, 181, 182, wait_sent(2));
    by_thread(&program, 1, n + 10, 183, 184, free_of(2));
    by_thread(&program, 0, n + 11, 190, 195, wait_received(3, 0, 3, 8));
    by_thread(&program, 0, n + 12, 200, 210, (struct ct_trace_event){.kind = CT_TRACE_END});
    end(&program, 1, 50);
    for (uint32_t rank = 0; rank < 2; rank++) /* as a tracer counts those before */
        for (uint64_t i = 0; i < (rank == 0 ? n : program.ranks[1].n); i++)
            program.ranks[rank].events[i].after = i;
    return program;
}

/* Event by event; times since the first of the program, and numbers of requests, may be others. */
static void assert_same_events(const struct ct_events *a, const struct ct_events *b)
{
    assert_int_equal(a->n_ranks, b->n_ranks);
    for (uint32_t rank = 0; rank < a->n_ranks; rank++) {
        struct ct_trace_event one, other;
        uint64_t position, shift_ns = 0;
        uint32_t posted = 0;
        a->rewind(a->context, rank);
        b->rewind(b->context, rank);
        for (size_t i = 0;; i++) {
            assert_int_equal(a->next(a->context, rank, &one, &position, NULL), CT_OK);
            assert_int_equal(b->next(b->context, rank, &other, &position, NULL), CT_OK);
            assert_int_equal(one.kind, other.kind);
            if (one.kind == CT_TRACE_NONE)
                break;
            if (i == 0)
                shift_ns = other.start_ns - one.start_ns;
            assert_int_equal(one.start_ns + shift_ns, other.start_ns);
            assert_int_equal(one.end_ns + shift_ns, other.end_ns);
            assert_int_equal(one.thread, other.thread);
            assert_int_equal(one.after, other.after);
            assert_int_equal(one.starts, other.starts);
            assert_int_equal(one.n_values, other.n_values);
            if (rank == 0 && i == POSTED)
                posted = other.request;
            if (rank == 0 && i == POSTED_MEANWHILE)
                assert_int_not_equal(other.request, posted);
        }
    }
}

static struct ct_events open_or_fail(const char *path)
{
    struct ct_events events;
    struct ct_error err;
    if (ct_input_open(ct_input_of(path), &events, &err) != CT_OK)
        fail_msg("%s", err.text);
    return events;
}

static void threads_come_back(void **state)
{
    (void)state;
    struct traced_program program = program_of_threads();
    struct ct_events events = events_of(&program);
    struct scratch scratch = make_scratch();
    struct ct_error err;
    if (ct_otf2_write(&events, scratch.directory, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_events archive = open_or_fail(scratch.anchor);
    assert_true(archive.has_threads);
    assert_same_events(&events, &archive);
    assert_same_events(&events, &archive); /* after a rewind */
    bool room_possible = true;
    if (ct_otf2_unpack(scratch.anchor, scratch.folder, &room_possible, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_false(room_possible); /* crosstalk wrote it */
    struct ct_events unpacked = open_or_fail(scratch.folder);
    assert_true(unpacked.has_threads);
    assert_same_events(&archive, &unpacked);
    archive.close(archive.context);
    unpacked.close(unpacked.context);
    program_free(&program);
    ct_file_remove_folder(scratch.folder);
}

/* @return whether all events of rank 0 can be read */
static bool read_rank(const char *anchor, struct ct_error *err)
{
    struct ct_events events;
    struct ct_trace_event event = {.kind = CT_TRACE_BEGIN};
    uint64_t position;
    enum ct_status status = ct_otf2_open(anchor, &events, err);
    if (status != CT_OK)
        return false;
    while (status == CT_OK && event.kind != CT_TRACE_NONE)
        status = events.next(events.context, 0, &event, &position, err);
    events.close(events.context);
    return status == CT_OK;
}

/* Bytes of a thread that are cut or changed are an error or other events. */
static void slow_damaged_threads_are_survived(void **state)
{
    (void)state;
    enum { FILE_MAX = 1 << 16 };
    static unsigned char bytes[FILE_MAX], changed[FILE_MAX];
    struct traced_program program = program_of_threads();
    struct ct_events events = events_of(&program);
    struct scratch scratch = make_scratch();
    struct ct_error err;
    char path[160];
    assert_int_equal(ct_otf2_write(&events, scratch.directory, &err), CT_OK);
    program_free(&program);
    snprintf(path, sizeof path, "%s/traces/2.evt", scratch.directory); /* of rank 0, thread 1 */
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    size_t n = fread(bytes, 1, FILE_MAX, file);
    for (size_t i = 0; i < n; i += n / 60 + 1) {
        memcpy(changed, bytes, n);
        changed[i] ^= 0x15;
        rewind(file);
        assert_int_equal(fwrite(changed, 1, n, file), n);
        assert_int_equal(fflush(file), 0);
        snprintf(err.text, sizeof err.text, "%s", "");
        assert_true(read_rank(scratch.anchor, &err) || strlen(err.text) > 0);
    }
    fclose(file);
    assert_int_equal(unlink(path), 0);
    assert_false(read_rank(scratch.anchor, &err));
    assert_non_null(strstr(err.text, "the events of rank 0"));
    ct_file_remove_folder(scratch.folder);
}

static void a_thread_that_is_none_is_refused(void **state)
{
    (void)state;
    struct scratch scratch = make_scratch();
    struct ct_error err;
    otf2_write_by_hand(scratch.directory, &(struct otf2_by_hand){.next_thread = 3});
    assert_false(read_rank(scratch.anchor, &err));
    if (!strstr(err.text, "goes on with thread 3 of 1"))
        fail_msg("%s", err.text);
    ct_file_remove_folder(scratch.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_come_back),
        cmocka_unit_test(slow_damaged_threads_are_survived),
        cmocka_unit_test(a_thread_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
