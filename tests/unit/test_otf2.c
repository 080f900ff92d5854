/* trace/otf2: archives that are written by the library's own functions, in the manner of
 * Score-P. */
#include "core/file.h"
#include "otf2_by_hand.h"
#include "trace/convert/convert.h"
#include "trace/otf2/otf2.h"
#include "traced_program.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

struct scratch {
    char folder[64], directory[96], anchor[128];
};

static struct scratch scratch_of(const struct otf2_by_hand *sort)
{
    struct scratch scratch;
    snprintf(scratch.folder, sizeof scratch.folder, "/tmp/test_otf2.XXXXXX");
    assert_non_null(mkdtemp(scratch.folder));
    snprintf(scratch.directory, sizeof scratch.directory, "%s/archive", scratch.folder);
    snprintf(scratch.anchor, sizeof scratch.anchor, "%s/traces.otf2", scratch.directory);
    if (sort)
        otf2_write_by_hand(scratch.directory, sort);
    return scratch;
}

static void clear(const struct scratch *scratch)
{
    ct_file_remove_folder(scratch->folder);
}

static struct ct_events open_or_fail(const char *path)
{
    struct ct_events events;
    struct ct_error err;
    if (ct_otf2_open(path, &events, &err) != CT_OK)
        fail_msg("%s", err.text);
    return events;
}

static char *goal_text(const struct ct_events *events, struct ct_convert_notes *notes_p)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_goal goal;
    struct ct_error err;
    if (ct_convert_events(events, &options, &goal, notes_p, &err) != CT_OK)
        fail_msg("%s", err.text);
    char *text = text_of(&goal);
    ct_goal_free(&goal);
    return text;
}

/* ---- reading ---- */

/* The same program as the tracer would have seen it. */
static struct traced_program same_program(void)
{
    struct traced_program program = program_of(OTF2_BY_HAND_RANKS);
    for (uint32_t rank = 0; rank < OTF2_BY_HAND_RANKS; rank++) {
        int32_t other = 1 - (int32_t)rank;
        const uint64_t us = 1000;
        uint64_t completions[2 * CT_TRACE_COMPLETION_VALUES];
        struct ct_trace_event wait = {.kind = CT_TRACE_WAIT, .values = completions};
        struct ct_trace_completion received = {.request = 1,
                                               .received = true,
                                               .from = {other, 5, 64}},
                                   sent = {.request = 2};
        call(&program, rank, 10 * us, 100 * us, (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
        call(&program, rank, 150 * us, 160 * us, receive_from(other, 5, 64, 1));
        call(&program, rank, 200 * us, 210 * us, send_to(other, 5, 64, 2));
        wait.n_values = ct_trace_completion_put(&received, completions, 0);
        wait.n_values = ct_trace_completion_put(&sent, completions, wait.n_values);
        call(&program, rank, 400 * us, 500 * us, wait);
        call(&program, rank, 600 * us, 700 * us, collective(CT_TRACE_ALLREDUCE, 0, 8, 0));
        call(&program, rank, 710 * us, 715 * us, collective(CT_TRACE_BARRIER, 0, 0, 3));
        call(&program, rank, 800 * us, 850 * us, wait_sent(3));
        call(&program, rank, 860 * us, 870 * us, collective(CT_TRACE_BCAST, 1, 100, 0));
        call(&program, rank, 880 * us, 890 * us,
             (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED, .text = "MPI_Put", .n_text = 7});
        call(&program, rank, 900 * us, 950 * us,
             rank == 0 ? in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 6, 8, 0))
                       : receive_from(0, 6, 8, 0));
        end(&program, rank, 960 * us);
    }
    return program;
}

static void an_archive_by_hand_is_the_program(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_offset = true};
    struct scratch scratch = scratch_of(&sort);
    struct traced_program program = same_program();
    struct ct_events events = open_or_fail(scratch.anchor), by_hand = events_of(&program);
    struct ct_convert_notes notes, expected_notes;
    char *text = goal_text(&events, &notes), *expected = goal_text(&by_hand, &expected_notes);
    assert_string_equal(text, expected);
    assert_int_equal(notes.n_cut, 0);
    assert_int_equal(notes.synchronous, 1);
    assert_int_equal(notes.n_unmodelled, 1);
    assert_string_equal(notes.unmodelled[0].name, "MPI_Put");
    assert_int_equal(notes.unmodelled[0].calls, 2);
    free(text);
    free(expected);
    ct_convert_notes_free(&notes);
    ct_convert_notes_free(&expected_notes);
    events.close(events.context);
    program_free(&program);
    clear(&scratch);
}

/* Times of both ranks are of one clock, though that of rank 1 is behind, more and more. */
static void check_clocks(const struct otf2_by_hand *sort, uint64_t within_ns)
{
    struct scratch scratch = scratch_of(sort);
    struct ct_events events = open_or_fail(scratch.anchor);
    for (uint32_t rank = 0; rank < OTF2_BY_HAND_RANKS; rank++) {
        struct ct_trace_event event;
        uint64_t position;
        do
            assert_int_equal(events.next(events.context, rank, &event, &position, NULL), CT_OK);
        while (event.kind != CT_TRACE_ALLREDUCE);
        assert_in_range(event.start_ns, 600000 - within_ns, 600000 + within_ns);
        assert_in_range(event.end_ns, 700000 - within_ns, 700000 + within_ns);
        assert_int_equal(event.bytes, 8);
    }
    /* A rank can be read again, and after others. */
    for (int again = 0; again < 2; again++) {
        struct ct_trace_event event;
        uint64_t position;
        events.rewind(events.context, 0);
        assert_int_equal(events.next(events.context, 0, &event, &position, NULL), CT_OK);
        assert_int_equal(event.kind, CT_TRACE_NEW_COMM);
    }
    events.close(events.context);
    clear(&scratch);
}

static void clocks_are_corrected(void **state)
{
    (void)state;
    check_clocks(&(struct otf2_by_hand){.with_offset = true}, 0);
    check_clocks(&(struct otf2_by_hand){.with_drift = true}, 2000); /* ticks are microseconds */
}

static void what_other_threads_did_is_named(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_thread = true};
    struct scratch scratch = scratch_of(&sort);
    struct ct_events events = open_or_fail(scratch.anchor);
    struct ct_convert_notes notes;
    free(goal_text(&events, &notes));
    assert_int_equal(notes.n_unmodelled, 2);
    assert_string_equal(notes.unmodelled[0].name, "what other threads did");
    assert_int_equal(notes.unmodelled[0].calls, 1);
    ct_convert_notes_free(&notes);
    events.close(events.context);
    clear(&scratch);
}

/* The program ends with its last event, and calls that have no records have names. */
static void what_is_missing_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"MPI_Put", "MPI_File_open", "MPI_Neighbor_alltoall",
                                        "MPI_Irecv", "how the bytes of an alltoallv are divided"};
    const struct otf2_by_hand sort = {.with_gaps = true};
    struct scratch scratch = scratch_of(&sort);
    struct ct_events events = open_or_fail(scratch.anchor);
    struct ct_convert_notes notes;
    char *text = goal_text(&events, &notes);
    enum { N_NAMES = sizeof names / sizeof *names };
    assert_int_equal(notes.n_cut, 0);
    assert_int_equal(notes.n_unmodelled, N_NAMES);
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t at = 0;
        while (at < N_NAMES && strcmp(notes.unmodelled[at].name, names[i]) != 0)
            at++;
        if (at == N_NAMES)
            fail_msg("%s is not named", names[i]);
        assert_int_equal(notes.unmodelled[at].calls, strcmp(names[i], "MPI_Irecv") == 0 ? 4 : 2);
    }
    assert_non_null(strstr(text, " send 15b ")); /* equal parts */
    free(text);
    ct_convert_notes_free(&notes);
    events.close(events.context);
    clear(&scratch);
}

/* ---- archives that cannot be read ---- */

static void assert_open_fails(const char *path, enum ct_status expected, const char *words)
{
    struct ct_events events;
    struct ct_error err;
    assert_int_equal(ct_otf2_open(path, &events, &err), expected);
    if (!strstr(err.text, words))
        fail_msg("'%s' is not in: %s", words, err.text);
}

static void a_clock_that_goes_back_is_refused(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_clock_back = true};
    struct scratch scratch = scratch_of(&sort);
    struct ct_events events = open_or_fail(scratch.anchor);
    struct ct_trace_event event;
    struct ct_error err = {.text = ""};
    uint64_t position;
    enum ct_status status;
    do
        status = events.next(events.context, 1, &event, &position, &err);
    while (status == CT_OK && event.kind != CT_TRACE_NONE);
    assert_int_equal(status, CT_EFORMAT);
    assert_non_null(strstr(err.text, "rank 1, event 2: is "));
    assert_non_null(strstr(err.text, " ns before the event before"));
    events.close(events.context);
    clear(&scratch);
}

static void foreign_archives_are_refused(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.without_mpi = true}, comm = {.with_foreign_comm = true};
    struct scratch scratch = scratch_of(&sort);
    assert_open_fails("/nonexistent/traces.otf2", CT_ENOENT, "/nonexistent/traces.otf2");
    assert_open_fails(scratch.anchor, CT_ENODATA, "not of a program with MPI");
    clear(&scratch);
    scratch = scratch_of(&comm);
    struct ct_events events = open_or_fail(scratch.anchor);
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "rank 0, event 10: communicator 99 is not defined"));
    events.close(events.context);
    clear(&scratch);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_thread = false};
    struct scratch scratch = scratch_of(&sort);
    char path[160];
    snprintf(path, sizeof path, "%s/traces/1.evt", scratch.directory);
    assert_int_equal(unlink(path), 0);
    assert_open_fails(scratch.anchor, CT_ENODATA, "traces/1.evt: No such file");
    snprintf(path, sizeof path, "%s/traces.def", scratch.directory);
    assert_int_equal(unlink(path), 0);
    assert_open_fails(scratch.anchor, CT_EFORMAT, ".def");
    clear(&scratch);
}

/* Reads all it can. @return whether that was to the end of every rank */
static bool read_all(const char *anchor)
{
    struct ct_events events;
    struct ct_error err = {.text = ""};
    enum ct_status status = ct_otf2_open(anchor, &events, &err);
    if (status != CT_OK) {
        assert_true(strlen(err.text) > 0);
        return false;
    }
    for (uint32_t rank = 0; rank < events.n_ranks && status == CT_OK; rank++) {
        struct ct_trace_event event;
        uint64_t position;
        do
            status = events.next(events.context, rank, &event, &position, &err);
        while (status == CT_OK && event.kind != CT_TRACE_NONE);
    }
    events.close(events.context);
    assert_true(status == CT_OK || strlen(err.text) > 0);
    return status == CT_OK;
}

static const char *const files[] = {"traces.otf2", "traces.def", "traces/0.evt", "traces/1.def"};
enum { N_FILES = sizeof files / sizeof *files, FILE_MAX = 1 << 16 };

static size_t load(const char *path, unsigned char bytes[FILE_MAX])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(bytes, 1, FILE_MAX, file);
    fclose(file);
    return n;
}

static void save(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* Whatever is cut or changed, the answer is an error or events: nothing crashes, nothing goes on
 * for ever. */
static void slow_damaged_archives_are_survived(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_thread = false};
    struct scratch scratch = scratch_of(&sort);
    static unsigned char bytes[FILE_MAX], changed[FILE_MAX];
    char path[160];
    assert_true(read_all(scratch.anchor));
    for (size_t f = 0; f < N_FILES; f++) {
        snprintf(path, sizeof path, "%s/%s", scratch.directory, files[f]);
        size_t n = load(path, bytes), step = n / 6 + 1;
        for (size_t cut = 0; cut < n; cut += step) {
            save(path, bytes, cut);
            bool whole = read_all(scratch.anchor);
            if (whole && strstr(path, ".evt"))
                fail_msg("%s cut to %zu of %zu bytes is read to its end", path, cut, n);
        }
        for (size_t i = 0; i < n; i += step / 3 + 1) {
            memcpy(changed, bytes, n);
            changed[i] ^= 0xa5;
            save(path, changed, n);
            read_all(scratch.anchor);
        }
        save(path, bytes, n);
    }
    assert_true(read_all(scratch.anchor));
    clear(&scratch);
}

/* ---- writing ---- */

/* Two persistent requests: started twice, together and alone, and one of them is freed. */
static void add_persistent(struct traced_program *program, uint32_t rank, uint64_t t)
{
    int32_t to = (int32_t)(rank + 1) % 3, from = (int32_t)(rank + 2) % 3;
    const struct ct_trace_event sends = in_mode(CT_TRACE_SYNCHRONOUS, send_to(to, 3, 8, 11)),
                                receives = receive_from(-1, -1, 50, 12);
    call(program, rank, t, t, init_of(sends));
    call(program, rank, t, t + 1, init_of(receives));
    for (uint32_t n = 2; n > 0; n--) {
        call(program, rank, t + 1, t + 2, start_of(receives, 0, n));
        call(program, rank, t + 2, t + 2, start_of(sends, n - 1, n));
        call(program, rank, t + 2, t + 3, wait_sent(11));
        call(program, rank, t + 3, t + 4, wait_received(12, from, 3, 8));
        t += 3;
    }
    call(program, rank, t + 1, t + 2, free_of(12));
}

/* Event by event, but for times and the numbers of requests. */
static void assert_same_calls(struct ct_events *a, struct ct_events *b)
{
    for (uint32_t rank = 0; rank < a->n_ranks; rank++) {
        struct ct_trace_event one, other;
        uint64_t position;
        a->rewind(a->context, rank);
        b->rewind(b->context, rank);
        do {
            assert_int_equal(a->next(a->context, rank, &one, &position, NULL), CT_OK);
            assert_int_equal(b->next(b->context, rank, &other, &position, NULL), CT_OK);
            assert_int_equal(one.kind, other.kind);
            assert_int_equal(one.request != 0, other.request != 0);
            assert_int_equal(one.starts, other.starts);
            assert_int_equal(one.start, other.start);
            assert_int_equal(one.vector, other.vector);
            assert_int_equal(one.mode, other.mode);
            assert_int_equal(one.to.rank, other.to.rank);
            assert_int_equal(one.to.tag, other.to.tag);
            assert_int_equal(one.to.bytes, other.to.bytes);
            assert_int_equal(one.from.rank, other.from.rank);
            assert_int_equal(one.from.tag, other.from.tag);
            assert_int_equal(one.from.bytes, other.from.bytes);
        } while (one.kind != CT_TRACE_NONE);
    }
}

/* A call of every kind: written, and read again, it gives the same schedule. */
static void every_call_comes_back(void **state)
{
    (void)state;
    struct traced_program program = program_of(3);
    const uint64_t self[] = {0, 0}, pair[] = {1, 0, 2}, pair_first[] = {0, 0, 2};
    for (uint32_t rank = 0; rank < 3; rank++) {
        int32_t to = (int32_t)(rank + 1) % 3, from = (int32_t)(rank + 2) % 3;
        uint64_t own[] = {self[0], rank}, blocks[] = {8, 16, 24}, scattered[] = {10, 20, 30};
        uint64_t near[] = {1, (uint64_t)to, 40, (uint64_t)from, 40};
        uint64_t t = 1000;
        struct ct_trace_event probe = receive_from(from, 4, 32, 0);
        struct ct_trace_event both = {
            .kind = CT_TRACE_SENDRECV, .to = {to, 9, 16}, .from = {from, 9, 16}};
        probe.kind = CT_TRACE_PROBE;
        communicator(&program, rank, t, 1, own, 2);
        if (rank != 1) {
            communicator(&program, rank, t + 10, 2, pair_first, 3);
            communicator(&program, rank, t + 20, 3, pair, 3);
        }
        for (int kind = CT_TRACE_BARRIER; kind <= CT_TRACE_ALLTOALL; kind++) {
            call(&program, rank, t + 100, t + 150, collective((enum ct_trace_kind)kind, 1, 24, 0));
            struct ct_trace_event pending = collective((enum ct_trace_kind)kind, 2, 48, 7);
            pending.vector = ct_trace_kind_has_vector(pending.kind);
            call(&program, rank, t + 200, t + 210, pending);
            call(&program, rank, t + 300, t + 310, wait_sent(7));
            t += 400;
        }
        struct ct_trace_event list = collective(CT_TRACE_ALLTOALLV, 0, 0, 0);
        list.values = blocks;
        list.n_values = 3;
        call(&program, rank, t, t + 10, list);
        list = collective(CT_TRACE_REDUCE_SCATTER, 0, 60, 0);
        list.values = scattered;
        list.n_values = 3;
        list.vector = true;
        call(&program, rank, t + 20, t + 30, list);
        list = collective(CT_TRACE_NEIGHBOR, 0, 0, 5);
        list.values = near;
        list.n_values = 5;
        call(&program, rank, t + 40, t + 50, list);
        call(&program, rank, t + 60, t + 70, wait_sent(5));
        call(&program, rank, t + 80, t + 90, both);
        call(&program, rank, t + 100, t + 110,
             in_mode(CT_TRACE_SYNCHRONOUS, send_to(to, 4, 32, 6)));
        call(&program, rank, t + 120, t + 130, probe);
        call(&program, rank, t + 140, t + 150, receive_from(from, 4, 32, 0));
        call(&program, rank, t + 160, t + 170, wait_sent(6));
        call(&program, rank, t + 180, t + 190, receive_from(-1, -1, 100, 8));
        call(&program, rank, t + 200, t + 210,
             (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 8});
        call(&program, rank, t + 220, t + 230, wait_sent(8));
        call(&program, rank, t + 240, t + 250, send_to(to, 1, 8, 9));
        call(&program, rank, t + 260, t + 270,
             (struct ct_trace_event){.kind = CT_TRACE_FREE, .request = 9});
        call(&program, rank, t + 280, t + 290, receive_from(from, 1, 8, 9));
        call(&program, rank, t + 300, t + 310, (struct ct_trace_event){.kind = CT_TRACE_TEST});
        call(&program, rank, t + 320, t + 330, wait_received(9, from, 1, 8));
        add_persistent(&program, rank, t + 331);
        call(&program, rank, t + 340, t + 350,
             (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED, .text = "no MPI", .n_text = 6});
        if (rank != 1)
            call(&program, rank, t + 360, t + 370,
                 in_comm(3, collective(CT_TRACE_BCAST, 2, 12, 0)));
        end(&program, rank, t + 400);
    }
    struct scratch scratch = scratch_of(NULL);
    struct ct_events events = events_of(&program);
    struct ct_convert_notes notes;
    struct ct_error err;
    char *expected = goal_text(&events, &notes);
    ct_convert_notes_free(&notes);
    if (ct_otf2_write(&events, scratch.directory, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_events again = open_or_fail(scratch.anchor);
    char *text = goal_text(&again, &notes);
    assert_string_equal(text, expected);
    assert_same_calls(&events, &again);
    assert_int_equal(notes.n_unmodelled, 1);
    assert_string_equal(notes.unmodelled[0].name, "no MPI");
    ct_convert_notes_free(&notes);
    again.close(again.context);
    assert_int_equal(ct_otf2_write(&events, scratch.directory, &err), CT_EEXIST);
    free(text);
    free(expected);
    program_free(&program);
    clear(&scratch);
}

/* As traces of crosstalk's own form they are the same, and a folder with traces is left alone. */
static void an_archive_unpacked_is_the_program(void **state)
{
    (void)state;
    const struct otf2_by_hand sort = {.with_thread = true};
    struct scratch scratch = scratch_of(&sort);
    struct ct_events archive = open_or_fail(scratch.anchor), unpacked;
    bool room_possible = false;
    struct ct_convert_notes notes;
    struct ct_error err;
    if (ct_otf2_unpack(scratch.anchor, scratch.folder, &room_possible, &err) != CT_OK ||
        ct_trace_events_open(scratch.folder, &unpacked, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(room_possible);
    char *expected = goal_text(&archive, &notes);
    ct_convert_notes_free(&notes);
    char *text = goal_text(&unpacked, &notes);
    assert_string_equal(text, expected);
    assert_int_equal(notes.n_unmodelled, 2);
    ct_convert_notes_free(&notes);
    assert_int_equal(ct_otf2_unpack(scratch.anchor, scratch.folder, &room_possible, &err),
                     CT_EEXIST);
    assert_int_equal(ct_otf2_unpack(scratch.anchor, "/nonexistent", &room_possible, &err), CT_EIO);
    free(text);
    free(expected);
    archive.close(archive.context);
    unpacked.close(unpacked.context);
    clear(&scratch);
}

/* An error leaves nothing behind. */
static void what_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    struct scratch scratch = scratch_of(NULL);
    struct traced_program program = program_of(2);
    struct ct_error err;
    call(&program, 1, 10, 20, wait_sent(4));
    struct ct_events events = events_of(&program);
    assert_int_equal(ct_otf2_write(&events, scratch.directory, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "rank 1, event 3 (wait): completes request 4"));
    assert_int_equal(rmdir(scratch.folder), 0);
    program_free(&program);
    program = program_of(1);
    events = events_of(&program);
    assert_int_equal(ct_otf2_write(&events, "/nonexistent/archive", &err), CT_EIO);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_by_hand_is_the_program),
        cmocka_unit_test(clocks_are_corrected),
        cmocka_unit_test(what_other_threads_did_is_named),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(a_clock_that_goes_back_is_refused),
        cmocka_unit_test(foreign_archives_are_refused),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(slow_damaged_archives_are_survived),
        cmocka_unit_test(every_call_comes_back),
        cmocka_unit_test(an_archive_unpacked_is_the_program),
        cmocka_unit_test(what_cannot_be_written_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
