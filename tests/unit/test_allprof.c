/* trace/convert: traces in liballprof's text form. */
#include "trace/convert/allprof.h"
#include "trace/input/input.h"
#include "traced_program.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXTS_MAX = 4, o = 5, L = 100000, G = 2, EAGER = 1 << 20 };

/* How lines begin and end; times are microseconds. */
#define BEGIN(end) "# a comment\n\nMPI_Init:-:140736:140737:" #end "\n"
#define END(start) "MPI_Finalize:" #start ":-\n"
#define WORLD0 "1140850688,0,2"
#define WORLD1 "1140850688,1,2"

static enum ct_status convert(const char *const *texts, uint32_t n, struct ct_goal *goal_p,
                              struct ct_convert_notes *notes_p, struct ct_error *err)
{
    struct ct_allprof_text all[TEXTS_MAX];
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_events events;
    for (uint32_t rank = 0; rank < n; rank++)
        all[rank] = (struct ct_allprof_text){texts[rank], strlen(texts[rank])};
    enum ct_status status = ct_allprof_read(all, n, &events, err);
    if (status != CT_OK)
        return status;
    status = ct_convert_events(&events, &options, goal_p, notes_p, err);
    events.close(events.context);
    return status;
}

static struct ct_goal goal_of_texts(const char *const *texts, uint32_t n)
{
    struct ct_goal goal = {0};
    struct ct_convert_notes notes = {0};
    struct ct_error err;
    if (convert(texts, n, &goal, &notes, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(notes.n_cut, 0);
    ct_convert_notes_free(&notes);
    return goal;
}

static double runtime(const char *const *texts, uint32_t n)
{
    struct ct_goal goal = goal_of_texts(texts, n);
    double runtime_ns = runtime_of(&goal, o, L, G, EAGER);
    ct_goal_free(&goal);
    return runtime_ns;
}

static double message(uint64_t bytes)
{
    return o + L + G * (double)(bytes > 0 ? bytes - 1 : 0) + o;
}

/* ---- one line ---- */

static void fields_are_found_by_the_arguments_of_the_call(void **state)
{
    (void)state;
    const char *line = "MPI_Sendrecv:1237844041868441.25:140735182514476:3:1,4,4:2:9:"
                       "140735182514472:5:7,8,8:-2:-1:7152208,0,4:140735182514432:"
                       "1237844041868457\r";
    struct ct_allprof_call call;
    struct ct_allprof_text text = {line, strlen(line)};
    assert_int_equal(ct_allprof_parse(text, &call, NULL), CT_OK);
    assert_int_equal(call.row.kind, CT_TRACE_SENDRECV);
    assert_true(call.start_ns == UINT64_C(1237844041868441250));
    assert_true(call.end_ns == UINT64_C(1237844041868457000));
    assert_int_equal(call.count[0], 3);
    assert_int_equal(call.size[0], 4);
    assert_int_equal(call.peer, 2);
    assert_int_equal(call.tag, 9);
    assert_int_equal(call.count[1], 5);
    assert_int_equal(call.size[1], 8);
    assert_int_equal(call.source, -2);
    assert_int_equal(call.source_tag, -1);
    assert_int_equal(call.comm, 7152208);
    assert_int_equal(call.comm_size, 4);
}

static void lists_of_counts_may_be_missing(void **state)
{
    (void)state;
    const char *with = "MPI_Gatherv:1:10:3:1,4,4:20:30:3,4,5:40:0,3,7:1,4,4:2:50,1,3:2";
    const char *without = "MPI_Gatherv:1:10:3:1,4,4:20:30:40:1,4,4:2:50,1,3:2";
    struct ct_allprof_call call;
    uint64_t count = 0;
    assert_int_equal(ct_allprof_parse((struct ct_allprof_text){with, strlen(with)}, &call, NULL),
                     CT_OK);
    assert_int_equal(call.n_lists, 1);
    assert_true(ct_allprof_next(&call.list[0], &count));
    assert_true(ct_allprof_next(&call.list[0], &count));
    assert_int_equal(count, 4);
    assert_int_equal(call.root, 2);
    assert_int_equal(
        ct_allprof_parse((struct ct_allprof_text){without, strlen(without)}, &call, NULL), CT_OK);
    assert_int_equal(call.list[0].n, 0);
    assert_int_equal(call.root, 2);
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"hello", "neither an MPI call nor a comment"},
        {"MPI_Send", "no times"},
        {"MPI_Send:-:1:1:1,1,1:0:0:1,0,2:-", "no times"},
        {"MPI_Send:1:1:1:1,1,1:0:0:1,0,2:x", "no times"},
        {"MPI_Send:99999999999999999999:1:1:1,1,1:0:0:1,0,2:1", "no times"},
        {"MPI_Send:1:1:1:1,1,1:0:0:1:2", "argument 6: \"1\""},
        {"MPI_Send:1:1:one:1,1,1:0:0:1,0,2:2", "argument 2: \"one\""},
        {"MPI_Send:1:1:1:1,1,1:0:1,0,2:2", "MPI_Send has 5 arguments, not 6"},
        {"MPI_Barrier:1:2", "MPI_Barrier has 0 arguments, not 1"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct ct_allprof_call call;
        struct ct_error err;
        struct ct_allprof_text text = {lines[i][0], strlen(lines[i][0])};
        if (ct_allprof_parse(text, &call, &err) == CT_OK)
            fail_msg("%s: taken", lines[i][0]);
        if (!strstr(err.text, lines[i][1]))
            fail_msg("%s: '%s' without '%s'", lines[i][0], err.text, lines[i][1]);
    }
}

/* ---- programs ---- */

static const char *const ring[] = {
    BEGIN(1000) "MPI_Comm_rank:1001:" WORLD0 ":1:1002\n"
                "MPI_Irecv:1010:500:8:13,8,8:1:7:" WORLD0 ":700:1020\n"
                "MPI_Isend:1030:600:1:13,8,8:1:7:" WORLD0 ":704:1040\n"
                "MPI_Waitall:1090:2:700:0:1500\n" END(1550),
    BEGIN(5000) "MPI_Irecv:5010:500:8:13,8,8:0:7:" WORLD1 ":700:5020\n"
                "MPI_Isend:5030:600:1:13,8,8:0:7:" WORLD1 ":704:5040\n"
                "MPI_Wait:5080:700:0:5500\n"
                "MPI_Wait:5500:704:0:5500\n" END(5540)};

/* The same program as crosstalk traces it. */
static void both_forms_become_the_same_schedule(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    const uint64_t waits[] = {90000, 80000}, ends[] = {550000, 540000};
    call(&program, 0, 1000, 2000, (struct ct_trace_event){.kind = CT_TRACE_TEST});
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t other = 1 - (int32_t)rank;
        struct ct_trace_event both = wait_received(1, other, 7, 8);
        uint64_t values[2 * CT_TRACE_COMPLETION_VALUES];
        call(&program, rank, 10000, 20000, receive_from(other, 7, 64, 1));
        call(&program, rank, 30000, 40000, send_to(other, 7, 8, 2));
        if (rank == 0) {
            memcpy(values, both.values, both.n_values * sizeof *values);
            both.n_values = ct_trace_completion_put(&(struct ct_trace_completion){.request = 2},
                                                    values, both.n_values);
            both.values = values;
        }
        call(&program, rank, waits[rank], 500000, both);
        if (rank == 1)
            call(&program, rank, 500000, 500000, wait_sent(2));
        end(&program, rank, ends[rank]);
    }
    struct ct_goal expected = goal_of_program(&program, NULL);
    struct ct_goal goal = goal_of_texts(ring, 2);
    char *a = text_of(&goal), *b = text_of(&expected);
    assert_string_equal(a, b);
    assert_near(runtime_of(&goal, o, L, G, EAGER), 20000 + message(8) + 50000, 1e-9);
    free(a);
    free(b);
    ct_goal_free(&goal);
    ct_goal_free(&expected);
    program_free(&program);
}

/* Addresses 4 apart are those of numbers: the wait takes the first two of three. */
static void the_size_of_requests_is_found(void **state)
{
    (void)state;
    static const char *const texts[] = {BEGIN(0) "MPI_Irecv:0:500:8:1,1,1:1:1:" WORLD0 ":704:0\n"
                                                 "MPI_Irecv:0:500:8:1,1,1:1:2:" WORLD0 ":708:0\n"
                                                 "MPI_Irecv:0:500:8:1,1,1:1:3:" WORLD0 ":712:0\n"
                                                 "MPI_Waitall:0:2:704:1:0\n"
                                                 "MPI_Wait:500:712:1:500\n" END(500),
                                        BEGIN(0) "MPI_Send:0:600:8:1,1,1:0:1:" WORLD1 ":0\n"
                                                 "MPI_Send:0:600:8:1,1,1:0:2:" WORLD1 ":0\n"
                                                 "MPI_Send:700:600:8:1,1,1:0:3:" WORLD1
                                                 ":700\n" END(700)};
    /* 500 us follow the first two messages, not the third, which comes 700 us later. */
    assert_near(runtime(texts, 2), fmax(o + message(8) + 500000, 2 * o + 700000 + message(8)), 1);
    static const char *const longer[] = {BEGIN(0) "MPI_Irecv:0:500:8:1,1,1:1:1:" WORLD0 ":704:0\n"
                                                  "MPI_Irecv:0:500:8:1,1,1:1:2:" WORLD0 ":712:0\n"
                                                  "MPI_Irecv:0:500:8:1,1,1:1:3:" WORLD0 ":720:0\n"
                                                  "MPI_Waitall:0:3:704:1:0\n" END(500),
                                         NULL};
    const char *const all_three[] = {longer[0], texts[1]};
    assert_near(runtime(all_three, 2), 2 * o + 700000 + message(8) + 500000, 1);
}

/* Which of the tests was the one is not in the file: the last. */
static void tests_complete_at_the_latest(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BEGIN(0) "MPI_Irecv:0:500:8:1,1,1:1:1:" WORLD0 ":704:0\n"
                 "MPI_Test:0:704:800:900:0\n"
                 "MPI_Waitany:300:1:704:800:900:300\n"
                 "MPI_Irecv:400:500:8:1,1,1:1:1:" WORLD0 ":704:400\n"
                 "MPI_Request_free:400:704:400\n" END(500),
        BEGIN(0) "MPI_Send:0:600:8:1,1,1:0:1:" WORLD1 ":0\n"
                 "MPI_Send:0:600:8:1,1,1:0:1:" WORLD1 ":0\n" END(0)};
    assert_near(runtime(texts, 2), 300000 + 200000, 1);
}

/* Calls that liballprof does not wrap leave waits; so do null requests, but not those at an address
 * that had a request before, or one with MPI_PROC_NULL. */
static void waits_for_requests_that_no_call_made_are_counted(void **state)
{
    (void)state;
    const char *const text = BEGIN(0) "MPI_Wait:0:700:1:1\n"
                                      "MPI_Waitall:1:2:704:1:2\n"
                                      "MPI_Waitany:2:1:700:800:900:3\n"
                                      "MPI_Test:3:700:800:900:3\n"
                                      "MPI_Waitall:3:0:704:1:3\n"
                                      "MPI_Isend:3:600:6:1,1,1:-1:7:1140850688,0,1:720:3\n"
                                      "MPI_Wait:3:720:1:4\n" END(5);
    struct ct_goal goal;
    struct ct_convert_notes notes = {0};
    struct ct_error err;
    if (convert(&text, 1, &goal, &notes, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(notes.n_unmodelled, 1);
    assert_string_equal(notes.unmodelled[0].name,
                        "a wait for requests that no call made (or MPI_REQUEST_NULL)");
    assert_int_equal(notes.unmodelled[0].calls, 3);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
}

static void persistent_requests_begin_again(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BEGIN(0) "MPI_Recv_init:0:500:8:1,1,1:1:1:" WORLD0 ":704:0\n"
                 "MPI_Recv_init:0:500:8:1,1,1:1:2:" WORLD0 ":712:0\n"
                 "MPI_Startall:0:2:704:0\nMPI_Waitall:0:2:704:1:0\n"
                 "MPI_Startall:0:2:704:0\nMPI_Waitall:0:2:704:1:0\n"
                 "MPI_Request_free:0:704:0\n" END(100),
        BEGIN(0) "MPI_Send_init:0:600:4:1,1,1:0:1:" WORLD1 ":800:0\n"
                 "MPI_Start:0:800:0\nMPI_Wait:0:800:1:0\n"
                 "MPI_Start:0:800:0\nMPI_Wait:0:800:1:0\n"
                 "MPI_Send:200:600:4:1,1,1:0:2:" WORLD1 ":200\n"
                 "MPI_Send:200:600:4:1,1,1:0:2:" WORLD1 ":200\n" END(200)};
    assert_near(runtime(texts, 2), 3 * o + 200000 + message(4) + 100000, 1);
}

/* Ranks 1 and 2 send to whom it may concern; 2 was first. */
static void wildcards_take_what_was_sent_first(void **state)
{
    (void)state;
    for (int mpich = 0; mpich < 2; mpich++) {
        char texts[3][1000];
        const char *comm = mpich ? "1140850688" : "5641280", *any = mpich ? "-2" : "-1";
        const char *null = mpich ? "-1" : "-2";
        snprintf(texts[0], sizeof texts[0],
                 BEGIN(0) "MPI_Recv:0:500:8:1,1,1:%s:-1:%s,0,3:0:0\n"
                          "MPI_Recv:0:500:8:1,1,1:%s:-1:%s,0,3:0:0\n"
                          "MPI_Recv:0:500:8:1,1,1:1:5:%s,0,3:0:0\n"
                          "MPI_Recv:0:500:8:1,1,1:%s:5:%s,0,3:0:0\n" END(0),
                 any, comm, null, comm, comm, any, comm);
        snprintf(texts[1], sizeof texts[1],
                 BEGIN(0) "MPI_Send:30:600:3:1,1,1:0:4:%s,1,3:30\n"
                          "MPI_Send:40:600:4:1,1,1:0:5:%s,1,3:40\n"
                          "MPI_Send:40:600:4:1,1,1:%s:5:%s,1,3:40\n" END(40),
                 comm, comm, null, comm);
        snprintf(texts[2], sizeof texts[2],
                 BEGIN(0) "MPI_Send:20:600:5:1,1,1:0:5:%s,2,3:20\n" END(20), comm);
        const char *const all[] = {texts[0], texts[1], texts[2]};
        struct ct_goal goal = {0};
        struct ct_convert_notes notes;
        struct ct_error err;
        /* The last receive wants tag 5, and what is left has 4. */
        assert_int_equal(convert(all, 3, &goal, &notes, &err), CT_EFORMAT);
        assert_non_null(strstr(err.text, "rank 0, line 7 (receive): a receive from any source"));
        memcpy(strstr(texts[1], ":4:"), ":5:", 3);
        if (convert(all, 3, &goal, &notes, &err) != CT_OK || goal.n_ops < 3)
            fail_msg("%s", err.text);
        assert_int_equal(goal.ops[0].kind, CT_GOAL_RECV);
        assert_int_equal(goal.ops[0].peer, 2);
        assert_int_equal(goal.ops[0].amount, 5);
        assert_int_equal(goal.ops[1].peer, 1);
        assert_int_equal(goal.ops[2].peer, 1);
        ct_goal_free(&goal);
        ct_convert_notes_free(&notes);
    }
}

static void collectives_have_their_sizes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BEGIN(0) "MPI_Bcast:0:100:3:21,4,4:1:" WORLD0 ":0\n"
                 "MPI_Reduce:0:100:200:5:21,4,4:3:0:" WORLD0 ":0\n"
                 "MPI_Gather:0:18446744073709551615:0:1,1,1:200:7:21,4,4:0:" WORLD0 ":0\n"
                 "MPI_Gatherv:0:100:11:1,1,1:200:300:11,13:400:0,11:1,1,1:0:" WORLD0 ":0\n"
                 "MPI_Scatterv:0:100:300:17,19:400:0,17:1,1,1:200:17:1,1,1:0:" WORLD0 ":0\n"
                 "MPI_Alltoallv:0:100:300:0,23:400:0,0:1,1,1:200:300:0,29:400:0,0:1,1,1:" WORLD0
                 ":0\n"
                 "MPI_Iallreduce:0:1:200:6:1,1,1:3:" WORLD0 ":704:0\nMPI_Wait:0:704:1:0\n" END(0),
        BEGIN(0) "MPI_Bcast:0:100:3:21,4,4:1:" WORLD1 ":0\n"
                 "MPI_Reduce:0:100:200:5:21,4,4:3:0:" WORLD1 ":0\n"
                 "MPI_Gather:0:100:7:21,4,4:0:0:1,1,1:0:" WORLD1 ":0\n"
                 "MPI_Gatherv:0:100:13:1,1,1:200:300:400:1,1,1:0:" WORLD1 ":0\n"
                 "MPI_Scatterv:0:100:300:400:1,1,1:200:19:1,1,1:0:" WORLD1 ":0\n"
                 "MPI_Alltoallv:0:100:300:29,0:400:0,0:1,1,1:200:300:23,0:400:0,0:1,1,1:" WORLD1
                 ":0\n"
                 "MPI_Iallreduce:0:1:200:6:1,1,1:3:" WORLD1 ":704:0\nMPI_Wait:0:704:1:0\n" END(0)};
    const uint64_t sent[2][6] = {{19, 23, 6}, {12, 20, 28, 13, 29, 6}};
    struct ct_goal goal = goal_of_texts(texts, 2);
    size_t n[2] = {0};
    for (uint64_t i = 0; i < goal.n_ops; i++) {
        uint32_t rank = ct_goal_rank_of(&goal, (uint32_t)i);
        if (goal.ops[i].kind == CT_GOAL_SEND) {
            if (rank > 1 || n[rank] == 6)
                fail_msg("rank %u sends more", rank);
            assert_int_equal(goal.ops[i].amount, sent[rank][n[rank]]);
            n[rank]++;
        }
    }
    assert_int_equal(n[0], 3);
    assert_int_equal(n[1], 6);
    ct_goal_free(&goal);
}

static void what_the_form_cannot_tell_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"MPI_Send:0:1:1:1,1,1:0:0:99,0,1:0\nMPI_Barrier:0:98,1,2:0\n", "",
         "rank 0: line 5: MPI_Barrier on a communicator in which this is rank 1 of 2"},
        {"MPI_Alltoallw:0:1:1:1:1:1:1:1:1:" WORLD0 ":0\n", "", NULL},
        {"MPI_Alltoallv:0:1:2:3:1,1,1:4:5:6:1,1,1:" WORLD0 ":0\n", "",
         "0 counts for 2 ranks: liballprof did not record them"},
        {"MPI_Bcast:0:100:3:21,4,4:2:" WORLD0 ":0\n", "", "MPI_Bcast: root 2"},
        {"MPI_Send:0:1:1:1,1,1:2:0:" WORLD0 ":0\n", "", "with rank 2"},
        {"MPI_Send:0:1:18446744073709551615:1,16,16:1:0:" WORLD0 ":0\n", "", "argument 2"},
        {"MPI_Send:0:1:9223372036854775807:1,16,16:1:0:" WORLD0 ":0\n", "", "elements of 16 B"},
        {"MPI_Waitall:0:99999999:0:0:0\n", "", "of 99999999 requests"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[2][500];
        snprintf(texts[0], sizeof texts[0], BEGIN(0) "%s" END(0), cases[i][0]);
        snprintf(texts[1], sizeof texts[1], BEGIN(0) "%s" END(0), cases[i][1]);
        const char *const both[] = {texts[0], texts[1]};
        struct ct_goal goal;
        struct ct_convert_notes notes = {0};
        struct ct_error err;
        enum ct_status status = convert(both, 2, &goal, &notes, &err);
        if (!cases[i][2]) {
            assert_int_equal(status, CT_OK);
            assert_int_equal(notes.n_unmodelled, 1);
            assert_string_equal(notes.unmodelled[0].name, "MPI_Alltoallw");
            ct_goal_free(&goal);
            ct_convert_notes_free(&notes);
        } else if (status == CT_OK || !strstr(err.text, cases[i][2])) {
            fail_msg("'%s' without '%s'", status == CT_OK ? "" : err.text, cases[i][2]);
        }
    }
}

static void half_a_line_is_the_end_of_an_aborted_program(void **state)
{
    (void)state;
    char cut[1000];
    const char *const both[] = {cut, ring[1]};
    const char *wait = strstr(ring[0], "MPI_Waitall");
    snprintf(cut, sizeof cut, "%.*s", (int)(wait - ring[0]) + 20, ring[0]);
    struct ct_goal goal = {0};
    struct ct_convert_notes notes = {0};
    assert_int_equal(convert(both, 2, &goal, &notes, NULL), CT_OK);
    assert_int_equal(notes.n_cut, 1);
    assert_int_equal(notes.unused, 0); /* rank 1 has its message, and gets to its end */
    ct_goal_free(&goal);
    ct_convert_notes_free(&notes);
}

/* ---- folders ---- */

static void write_text(const char *directory, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void remove_text(const char *directory, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unlink(path);
}

static void folders_have_a_file_for_each_rank(void **state)
{
    (void)state;
    static const char *const names[] = {"pmpi-trace-rank-0.txt", "pmpi-trace-rank-1.txt"};
    char directory[] = "/tmp/crosstalk-allprof-XXXXXX";
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_ENOENT);
    write_text(directory, "README.txt", "no trace");
    write_text(directory, names[1], ring[1]);
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_ENODATA);
    assert_non_null(strstr(err.text, "no trace of rank 0, of 2"));
    write_text(directory, names[0], ring[0]);
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_OK);
    assert_int_equal(goal.n_ranks, 2);
    ct_goal_free(&goal);
    ct_convert_notes_free(&notes);
    write_text(directory, "other-0.txt", ring[0]);
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_EFORMAT);
    assert_non_null(strstr(err.text, "traces of several programs"));
    remove_text(directory, "other-0.txt");
    write_text(directory, "pmpi-trace-rank-00.txt", ring[0]);
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_EFORMAT);
    assert_non_null(strstr(err.text, "both of rank 0"));
    remove_text(directory, "pmpi-trace-rank-00.txt");
    write_text(directory, names[0], "num_ranks 2\n");
    assert_int_equal(ct_input_convert(ct_input_of(directory), &options, &goal, &notes, &err),
                     CT_EFORMAT);
    assert_non_null(strstr(err.text, "pmpi-trace-rank-0.txt: line 1: neither"));
    remove_text(directory, "README.txt");
    remove_text(directory, names[0]);
    remove_text(directory, names[1]);
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found_by_the_arguments_of_the_call),
        cmocka_unit_test(lists_of_counts_may_be_missing),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(both_forms_become_the_same_schedule),
        cmocka_unit_test(the_size_of_requests_is_found),
        cmocka_unit_test(tests_complete_at_the_latest),
        cmocka_unit_test(waits_for_requests_that_no_call_made_are_counted),
        cmocka_unit_test(persistent_requests_begin_again),
        cmocka_unit_test(wildcards_take_what_was_sent_first),
        cmocka_unit_test(collectives_have_their_sizes),
        cmocka_unit_test(what_the_form_cannot_tell_is_refused),
        cmocka_unit_test(half_a_line_is_the_end_of_an_aborted_program),
        cmocka_unit_test(folders_have_a_file_for_each_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
