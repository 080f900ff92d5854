/* Programs in windows (trace/convert/convert.h), and schedules in the binary form (goal.h), are
 * what they are in one piece: T, its slopes and the number of operations. Costs are whole
 * nanoseconds, so that sums are exact in any order. */
#include "core/random.h"
#include "goal_example.h"
#include "lp-bridge/envelope/envelope.h"
#include "trace/convert/generate.h"
#include "traced_program.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static const struct ct_loggps at = {.o_ns = 5000, .L_ns = 3000, .G_ns_per_byte = 1};
static const double latencies[] = {0, 1000, 3000, 12345, 1e6, CT_EVALUATOR_FAR};
enum { LATENCIES = sizeof latencies / sizeof *latencies };

/* What a program is like, and in how many windows. */
struct answer {
    struct ct_line lines[LATENCIES];
    double messages_ns; /* cost of messages on a critical path */
    struct ct_line along_G;
    uint64_t n_operations;
    int n_windows;
};

static enum ct_status add_window(struct ct_goal *goal, size_t S_bytes, struct answer *answer,
                                 struct ct_evaluator_parts *parts, struct ct_once *once,
                                 struct ct_error *err)
{
    const struct ct_graph_options options = {.eager_max_bytes = S_bytes};
    const struct ct_plane along_L = ct_plane_of_latency(at);
    struct ct_plane along_G = ct_plane_of_gap(at);
    struct ct_graph graph;
    enum ct_status status = ct_graph_take(goal, &options, &graph, err);
    if (status != CT_OK)
        return status;
    along_G.slope[1] = at;
    answer->n_windows++;
    answer->n_operations += graph.n_operations;
    status = ct_evaluator_append(&graph, &along_L, parts, err);
    if (status == CT_OK)
        status = ct_once_add(once, &graph, &along_G, at.G_ns_per_byte, err);
    ct_graph_free(&graph);
    return status;
}

/* One of both. */
struct source {
    struct ct_windows *events;
    struct ct_goal_windows *binary;
};

static enum ct_status read_windows(struct source source, size_t S_bytes, struct answer *answer,
                                   struct ct_error *err)
{
    struct ct_evaluator_parts parts = {0};
    struct ct_once once = {0};
    enum ct_status status = CT_OK;
    for (bool is_continued = true; is_continued && status == CT_OK;) {
        struct ct_goal goal;
        status = source.events ? ct_windows_next(source.events, &goal, err)
                               : ct_goal_windows_next(source.binary, &goal, err);
        is_continued = status == CT_OK && goal.is_continued;
        if (status == CT_OK)
            status = add_window(&goal, S_bytes, answer, &parts, &once, err);
    }
    if (status == CT_OK)
        status = ct_evaluator_lines(parts.evaluator, latencies, LATENCIES, 1, answer->lines, err);
    answer->along_G = once.end.line;
    answer->messages_ns = once.end.passenger;
    ct_evaluator_free(parts.evaluator);
    free(once.ranks);
    return status;
}

static enum ct_status try_events(struct ct_events *events, uint64_t weight, size_t S_bytes,
                                 struct answer *answer, struct ct_error *err)
{
    const struct ct_convert_options options = ct_convert_defaults();
    struct ct_windows *windows;
    *answer = (struct answer){0};
    for (uint32_t rank = 0; rank < events->n_ranks; rank++)
        events->rewind(events->context, rank);
    enum ct_status status = ct_windows_open(events, &options, weight, &windows, err);
    if (status == CT_OK)
        status = read_windows((struct source){.events = windows}, S_bytes, answer, err);
    ct_windows_free(windows);
    return status;
}

static struct answer ask_events(struct ct_events *events, uint64_t weight, size_t S_bytes)
{
    struct answer answer;
    struct ct_error err;
    if (try_events(events, weight, S_bytes, &answer, &err) != CT_OK)
        fail_msg("weight %llu: %s", (unsigned long long)weight, err.text);
    return answer;
}

static void assert_same(const struct answer *a, const struct answer *whole)
{
    assert_int_equal(a->n_operations, whole->n_operations);
    for (size_t i = 0; i < LATENCIES; i++) {
        assert_true(a->lines[i].slope == whole->lines[i].slope);
        if (latencies[i] < CT_EVALUATOR_FAR) /* there any path with this slope */
            assert_true(a->lines[i].cost_ns == whole->lines[i].cost_ns);
    }
    assert_true(a->along_G.cost_ns == whole->along_G.cost_ns);
    assert_true(a->along_G.slope == whole->along_G.slope);
}

/* @return the most windows that there were */
static int compare_windows(struct ct_events *events)
{
    static const uint64_t weights[] = {1, 7, 40, 150};
    static const size_t eager_sizes[] = {SIZE_MAX, 512};
    int most = 0;
    for (size_t s = 0; s < sizeof eager_sizes / sizeof *eager_sizes; s++) {
        struct answer whole = ask_events(events, CT_WINDOW_WHOLE, eager_sizes[s]);
        assert_int_equal(whole.n_windows, 1);
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
            struct answer answer = ask_events(events, weights[w], eager_sizes[s]);
            assert_same(&answer, &whole);
            most = answer.n_windows > most ? answer.n_windows : most;
        }
    }
    return most;
}

/* ---- schedules in the binary form ---- */

struct bytes {
    char *data;
    size_t n;
};

/* The schedule is freed. */
static struct bytes write_schedule(struct ct_goal *goal)
{
    struct bytes bytes = {0};
    FILE *out = open_memstream(&bytes.data, &bytes.n);
    assert_int_equal(ct_goal_write_binary(goal, out, NULL), CT_OK);
    fclose(out);
    ct_goal_free(goal);
    return bytes;
}

static enum ct_status try_schedule(struct bytes bytes, uint64_t weight, size_t S_bytes,
                                   struct answer *answer, struct ct_error *err)
{
    struct ct_goal_windows *windows;
    *answer = (struct answer){0};
    enum ct_status status = ct_goal_windows_of((const unsigned char *)bytes.data, bytes.n,
                                               "schedule", weight, &windows, err);
    if (status != CT_OK)
        return status;
    status = read_windows((struct source){.binary = windows}, S_bytes, answer, err);
    ct_goal_windows_free(windows);
    return status;
}

static struct answer ask_schedule(struct bytes bytes, uint64_t weight, size_t S_bytes)
{
    struct answer answer;
    struct ct_error err;
    if (try_schedule(bytes, weight, S_bytes, &answer, &err) != CT_OK)
        fail_msg("weight %llu: %s", (unsigned long long)weight, err.text);
    return answer;
}

/* Of a schedule with marks, which windows leave out. @return the most windows that there were */
static int compare_schedule_windows(struct ct_goal *goal)
{
    static const uint64_t weights[] = {1, 7, 40, 150};
    static const size_t eager_sizes[] = {SIZE_MAX, 512};
    struct bytes bytes = write_schedule(goal);
    int most = 0;
    for (size_t s = 0; s < sizeof eager_sizes / sizeof *eager_sizes; s++) {
        struct answer whole = ask_schedule(bytes, UINT64_MAX, eager_sizes[s]);
        assert_int_equal(whole.n_windows, 1);
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
            struct answer answer = ask_schedule(bytes, weights[w], eager_sizes[s]);
            assert_same(&answer, &whole);
            most = answer.n_windows > most ? answer.n_windows : most;
        }
    }
    free(bytes.data);
    return most;
}

static struct ct_goal convert_whole(struct ct_events *events)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    options.marks_waits = true;
    for (uint32_t rank = 0; rank < events->n_ranks; rank++)
        events->rewind(events->context, rank);
    if (ct_convert_events(events, &options, &goal, &notes, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_convert_notes_free(&notes);
    return goal;
}

/* ---- random programs ---- */

enum { OPEN_MAX = 3 };

/* A message whose ends are waited for later. */
struct open_message {
    uint32_t from, to, request;
    uint64_t bytes;
};

struct drawn {
    struct traced_program program;
    uint64_t state;
    uint64_t now_ns[PROGRAM_RANKS_MAX];
    struct open_message open[OPEN_MAX];
    uint32_t n_open, n_requests;
};

static uint32_t draw(struct drawn *drawn, uint32_t n)
{
    return (uint32_t)(ct_random_next(&drawn->state) % n);
}

static void make_call(struct drawn *drawn, uint32_t rank, struct ct_trace_event event)
{
    drawn->now_ns[rank] += draw(drawn, 3) ? draw(drawn, 20000) : 0;
    call(&drawn->program, rank, drawn->now_ns[rank], drawn->now_ns[rank] + 100, event);
    drawn->now_ns[rank] += 100;
}

static void draw_blocking(struct drawn *drawn, uint32_t from, uint32_t to)
{
    const uint64_t bytes = 1 + draw(drawn, 1000);
    const int32_t tag = (int32_t)draw(drawn, 2);
    struct ct_trace_event send = send_to((int32_t)to, tag, bytes, 0);
    make_call(drawn, from, draw(drawn, 4) ? send : in_mode(CT_TRACE_SYNCHRONOUS, send));
    make_call(drawn, to, receive_from((int32_t)from, tag, bytes, 0));
}

/* One-sided, and waited for after some computing. */
static void draw_access(struct drawn *drawn, uint32_t from, uint32_t to)
{
    make_call(drawn, from,
              (struct ct_trace_event){.kind = CT_TRACE_ACCESS,
                                      .mode = CT_TRACE_GET_ACCUMULATE,
                                      .to = {.rank = (int32_t)to, .bytes = draw(drawn, 1000)},
                                      .bytes = draw(drawn, 1000)});
    make_call(drawn, from, (struct ct_trace_event){.kind = CT_TRACE_WINDOW_FLUSH});
}

static void close_message(struct drawn *drawn, uint32_t i)
{
    struct open_message of = drawn->open[i];
    drawn->open[i] = drawn->open[--drawn->n_open];
    make_call(drawn, of.to, wait_received(of.request, (int32_t)of.from, 5, of.bytes));
    make_call(drawn, of.from, wait_sent(of.request + 1));
}

/* A call that sends when it has received, and one the other way. */
static void draw_stages(struct drawn *drawn, uint32_t from, uint32_t to)
{
    static const uint64_t one_each[] = {1, 1};
    const uint32_t request = 1 + 2 * drawn->n_requests++;
    const uint64_t bytes = 1 + draw(drawn, 1000);
    for (int sends = 0; sends < 2; sends++) {
        const uint32_t rank = sends ? from : to;
        const int32_t other = (int32_t)(sends ? to : from);
        make_call(
            drawn, rank,
            (struct ct_trace_event){.kind = CT_TRACE_STAGES, .values = one_each, .n_values = 2});
        for (int i = 0; i < 2; i++)
            make_call(drawn, rank,
                      i == sends ? receive_from(other, 6, bytes, request + (uint32_t)i)
                                 : send_to(other, 6, bytes, request + (uint32_t)i));
        make_call(drawn, rank, wait_received(request + (uint32_t)sends, other, 6, bytes));
        make_call(drawn, rank, wait_sent(request + 1 - (uint32_t)sends));
    }
}

static void draw_open(struct drawn *drawn, uint32_t from, uint32_t to)
{
    if (drawn->n_open == OPEN_MAX)
        close_message(drawn, draw(drawn, OPEN_MAX));
    /* Not two of one channel, of which the second could be waited for first. */
    for (uint32_t i = 0; i < drawn->n_open; i++)
        if (drawn->open[i].from == from && drawn->open[i].to == to)
            return;
    struct open_message of = {from, to, 1 + 2 * drawn->n_requests++, 1 + draw(drawn, 1000)};
    const bool any = draw(drawn, 2);
    make_call(drawn, to, receive_from(any ? -1 : (int32_t)from, 5, of.bytes, of.request));
    make_call(drawn, from, send_to((int32_t)to, 5, of.bytes, of.request + 1));
    drawn->open[drawn->n_open++] = of;
}

/* Of all ranks, or of the first half. */
static void draw_collective(struct drawn *drawn)
{
    static const enum ct_trace_kind kinds[] = {CT_TRACE_ALLREDUCE, CT_TRACE_BCAST, CT_TRACE_BARRIER,
                                               CT_TRACE_ALLTOALL};
    const enum ct_trace_kind kind = kinds[draw(drawn, 4)];
    const uint64_t bytes = kind == CT_TRACE_BARRIER ? 0 : 8 * (1 + draw(drawn, 100));
    const bool half = draw(drawn, 2);
    const uint32_t n = half ? drawn->program.n_ranks / 2 : drawn->program.n_ranks;
    for (uint32_t rank = 0; rank < n; rank++)
        make_call(drawn, rank, in_comm(half ? 3 : 0, collective(kind, 0, bytes, 0)));
}

static struct traced_program draw_program(uint64_t seed, bool has_accesses)
{
    struct drawn drawn = {.state = seed};
    const uint32_t n_ranks = 2 + draw(&drawn, 5), n_half = n_ranks / 2;
    uint64_t half[PROGRAM_RANKS_MAX + 1] = {0};
    drawn.program = program_of(n_ranks);
    for (uint32_t rank = 0; rank < n_half; rank++)
        half[1 + rank] = rank;
    for (uint32_t rank = 0; rank < n_half; rank++)
        communicator(&drawn.program, rank, 0, 3, half, n_half + 1);
    for (int i = 0; i < 60; i++) {
        const uint32_t from = draw(&drawn, n_ranks);
        const uint32_t to = (from + 1 + draw(&drawn, n_ranks - 1)) % n_ranks;
        switch (draw(&drawn, has_accesses ? 5 : 4)) {
        case 4:
            draw_access(&drawn, from, to);
            break;
        case 0:
            draw_open(&drawn, from, to);
            break;
        case 1:
            draw_collective(&drawn);
            break;
        case 2:
            draw_stages(&drawn, from, to);
            break;
        default:
            draw_blocking(&drawn, from, to);
        }
        while (drawn.n_open > 0 && draw(&drawn, 2))
            close_message(&drawn, 0);
    }
    while (drawn.n_open > 0)
        close_message(&drawn, 0);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        end(&drawn.program, rank, drawn.now_ns[rank] + draw(&drawn, 20000));
    return drawn.program;
}

static void random_programs_are_the_same_in_windows(void **state)
{
    (void)state;
    int n_cut = 0, n_schedules_cut = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        const bool has_accesses = seed <= 8; /* they are answered whatever the rank does */
        struct traced_program program = draw_program(seed, has_accesses);
        struct ct_events events = events_of(&program);
        struct ct_goal goal = convert_whole(&events);
        n_cut += compare_windows(&events) > 5;
        n_schedules_cut += compare_schedule_windows(&goal) > 5;
        program_free(&program);
    }
    assert_in_range(n_cut, 14, 16);
    assert_in_range(n_schedules_cut, 4, 8);
}

/* Operations of a rank wait for any before them, for their ends or their starts. */
static void random_schedules_are_the_same_in_windows(void **state)
{
    (void)state;
    const struct random_shape shape = {
        .n_ranks = 4, .n_steps = 60, .calc_max_ns = 10000, .bytes_max = 1000};
    int n_cut = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct ct_goal goal = random_goal(seed, shape);
        n_cut += compare_schedule_windows(&goal) > 1;
    }
    assert_in_range(n_cut, 10, 30);
}

static void generated_programs_are_the_same_in_windows(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "halo:3x4,rounds=5,imbalance=10%,noise=10%", "halo:12,levels=2,rounds=4,sum=0B,noise=10%",
        "allreduce:6,rounds=7,imbalance=20%,noise=10%", "alltoall:8,group=4,rounds=5,noise=5%",
        "particles:12,domains=3,rounds=5,noise=10%"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct ct_events events;
        struct ct_error err;
        if (ct_generate_open(programs[i], &events, &err) != CT_OK)
            fail_msg("%s", err.text);
        struct ct_goal goal = convert_whole(&events);
        assert_in_range(compare_windows(&events), 4, 1000);
        assert_in_range(compare_schedule_windows(&goal), 4, 1000);
        events.close(events.context);
    }
}

/* ---- known answers ---- */

/* 20 times: 1000 ns, then 8 bytes there and back. */
static struct traced_program ping_pong(void)
{
    struct traced_program program = program_of(2);
    for (uint64_t i = 0; i < 20; i++) {
        const uint64_t t = 1000 * (i + 1);
        call(&program, 0, t, t, send_to(1, 0, 8, 0));
        call(&program, 1, 0, 0, receive_from(0, 0, 8, 0));
        call(&program, 1, 0, 0, send_to(0, 1, 8, 0));
        call(&program, 0, t, t, receive_from(1, 1, 8, 0));
    }
    end(&program, 0, 20000);
    end(&program, 1, 0);
    return program;
}

static void ping_pong_is_known(void **state)
{
    (void)state;
    struct traced_program program = ping_pong();
    struct ct_events events = events_of(&program);
    struct answer answer = ask_events(&events, 1, SIZE_MAX);
    assert_int_equal(answer.n_windows, 40); /* the ends go with the last message */
    assert_true(answer.lines[2].slope == 40);
    /* Of each message 2 o + 7 G. */
    assert_true(answer.lines[2].cost_ns == 20 * 1000 + 40 * (10000 + 7));
    assert_true(answer.along_G.slope == 40 * 7);
    assert_true(answer.messages_ns == 40 * (10000 + 7 + 3000));
    program_free(&program);
}

/* A request is open from the first call to the last. */
static void programs_that_never_rest_are_one_window(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    call(&program, 1, 0, 0, receive_from(0, 9, 8, 7));
    for (uint64_t i = 0; i < 10; i++) {
        call(&program, 0, i, i, send_to(1, 0, 8, 0));
        call(&program, 1, i, i, receive_from(0, 0, 8, 0));
    }
    call(&program, 0, 20, 20, send_to(1, 9, 8, 0));
    call(&program, 1, 20, 20, wait_received(7, 0, 9, 8));
    end(&program, 0, 30);
    end(&program, 1, 30);
    struct ct_events events = events_of(&program);
    struct answer answer = ask_events(&events, 1, SIZE_MAX);
    assert_int_equal(answer.n_windows, 1); /* with the ends */
    program_free(&program);
}

/* Rank 1 ends without MPI_Finalize, before its last receive. */
static void aborted_programs_end_where_they_did(void **state)
{
    (void)state;
    struct traced_program program = ping_pong();
    program.ranks[1].n -= 4; /* the end, one send, one receive and one send */
    struct ct_events events = events_of(&program);
    struct answer whole = ask_events(&events, CT_WINDOW_WHOLE, SIZE_MAX);
    struct answer answer = ask_events(&events, 1, SIZE_MAX);
    assert_same(&answer, &whole);
    assert_int_equal(answer.n_windows, 38);
    program_free(&program);
}

/* Both ranks wait for each other at 1 and 2. What may be cut, and what may not. */
static void schedules_are_cut_where_all_goes_through_one_operation(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n_windows;
    } cases[] = {
        /* A chain. */
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\nc: calc 3\nc requires b\n}\n",
         3},
        /* c waits for a, too, so that b is not all that it waits for. */
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\nc: calc 3\nc requires b\n"
         "c requires a\n}\n",
         2},
        /* From the start of b. */
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\nc: calc 3\nc irequires b\n}\n",
         2},
        /* The first one waits for the last one. */
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\na requires c\nc requires b\n}\n",
         1},
        /* Nothing waits: the longest one is T, and not that of the last window. */
        {"num_ranks 1\nrank 0 {\na: calc 9\nb: calc 2\nc: calc 3\n}\n", 3},
        /* The first window has all of rank 1. */
        {"num_ranks 2\nrank 0 {\na: send 8b to 1\nb: calc 2\nb requires a\nc: calc 3\nc requires "
         "b\n}\n"
         "rank 1 {\na: calc 1\nb: calc 2\nb requires a\nc: recv 8b from 0\nc requires b\n}\n",
         3},
        /* Any tag: from there on one window. */
        {"num_ranks 2\nrank 0 {\na: send 8b to 1\nb: send 8b to 1\nb requires a\n}\n"
         "rank 1 {\na: recv 8b from 0\nb: recv 8b from 0 tag -1\nb requires a\n}\n",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_goal goal = goal_of_text(cases[i].text);
        if (compare_schedule_windows(&goal) != cases[i].n_windows)
            fail_msg("not %d windows: %s", cases[i].n_windows, cases[i].text);
    }
}

/* ---- what is wrong ---- */

static void assert_fails(struct traced_program *program, const char *words)
{
    struct ct_events events = events_of(program);
    struct ct_error err;
    struct answer answer;
    assert_int_not_equal(try_events(&events, 1, SIZE_MAX, &answer, &err), CT_OK);
    if (!strstr(err.text, words))
        fail_msg("'%s' without '%s'", err.text, words);
}

static void faults_of_late_windows_are_found(void **state)
{
    (void)state;
    /* A message too many. */
    struct traced_program program = ping_pong();
    program.ranks[0].n--;
    call(&program, 0, 30000, 30000, send_to(1, 6, 8, 0));
    end(&program, 0, 30000);
    assert_fails(&program, "never received");
    program_free(&program);
    /* Both receive before they send. */
    program = ping_pong();
    for (uint32_t rank = 0; rank < 2; rank++) {
        program.ranks[rank].n--;
        call(&program, rank, 30000, 30000, receive_from(1 - (int32_t)rank, 6, 8, 0));
        call(&program, rank, 30000, 30000, send_to(1 - (int32_t)rank, 6, 8, 0));
        end(&program, rank, 30000);
    }
    assert_fails(&program, "a cycle");
    program_free(&program);
    /* One member calls once more; calls are counted over windows. */
    program = program_of(2);
    for (int i = 0; i < 9; i++)
        for (uint32_t rank = 0; rank < 2; rank++)
            if (rank == 0 || i < 8)
                call(&program, rank, 0, 0, collective(CT_TRACE_BARRIER, 0, 0, 0));
    end(&program, 0, 0);
    end(&program, 1, 0);
    assert_fails(&program, "collective call 9 of the communicator of ranks 0 1: not all");
    program_free(&program);
}

/* A message of the last window is larger than its receive: its number is that in the file. */
static void operations_have_their_numbers_in_late_windows(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of_text("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\nb requires "
                                       "a\nc: send 9b to 1\nc requires b\n}\n"
                                       "rank 1 {\nc: recv 8b from 0\n}\n");
    struct bytes bytes = write_schedule(&goal);
    struct answer answer;
    struct ct_error err;
    assert_int_equal(try_schedule(bytes, 1, SIZE_MAX, &answer, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "rank 0, operation 3 (send 9b to 1 tag 0) is larger than"));
    assert_non_null(strstr(err.text, "rank 1, operation 1 (recv 8b from 0 tag 0)"));
    free(bytes.data);
}

static void the_file_of_windows_needs_a_folder(void **state)
{
    (void)state;
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    struct traced_program program = ping_pong();
    setenv("TMPDIR", "/nonexistent", 1);
    assert_fails(&program, "cannot make a file in /nonexistent: No such file or directory");
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_are_the_same_in_windows),
        cmocka_unit_test(random_schedules_are_the_same_in_windows),
        cmocka_unit_test(generated_programs_are_the_same_in_windows),
        cmocka_unit_test(schedules_are_cut_where_all_goes_through_one_operation),
        cmocka_unit_test(operations_have_their_numbers_in_late_windows),
        cmocka_unit_test(ping_pong_is_known),
        cmocka_unit_test(programs_that_never_rest_are_one_window),
        cmocka_unit_test(aborted_programs_end_where_they_did),
        cmocka_unit_test(faults_of_late_windows_are_found),
        cmocka_unit_test(the_file_of_windows_needs_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
