/* trace/timeline: what is drawn of programs made by hand, and the rules of the forms. */
#include "core/random.h"
#include "trace/call.h"
#include "trace/timeline/timeline.h"
#include "traced_program.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static struct ct_timeline *timeline_of(struct traced_program *program,
                                       const struct ct_timeline_window *window)
{
    struct ct_events events = events_of(program);
    struct ct_timeline *timeline = NULL;
    struct ct_error err;
    if (ct_timeline_of(&events, window, &timeline, &err) != CT_OK)
        fail_msg("%s", err.text);
    return timeline;
}

typedef enum ct_status writer(struct ct_timeline *timeline, const char *name, FILE *out,
                              struct ct_error *err);

static char *written(writer *write, struct traced_program *program,
                     const struct ct_timeline_window *window)
{
    struct ct_timeline *timeline = timeline_of(program, window);
    struct ct_error err;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (write(timeline, "a \"name\" & <more>\\", out, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(fclose(out), 0);
    ct_timeline_free(timeline);
    return text;
}

static cJSON *json_of(struct traced_program *program, const struct ct_timeline_window *window)
{
    char *text = written(ct_timeline_write_json, program, window);
    cJSON *root = cJSON_ParseWithOpts(text, NULL, 0);
    assert_non_null(root);
    free(text);
    return root;
}

/* ---- the rules of the Trace Event format ---- */

enum { TRACKS_MAX = PROGRAM_RANKS_MAX + 2, ARROWS_MAX = 4096 };

struct track {
    double ts_us;          /* of the event before */
    double from_us, to_us; /* of the last slice */
    bool has_slice, has_name;
};

struct arrow {
    double sent_us, received_us;
    int from, to; /* tracks */
    bool begins, ends;
};

struct rules {
    struct track tracks[TRACKS_MAX];
    struct arrow arrows[ARROWS_MAX];
    size_t n_slices, n_arrows;
};

static double number_in(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *text_in(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static void check_slice(struct rules *rules, struct track *track, const cJSON *event, double ts_us)
{
    double duration_us = number_in(event, "dur");
    assert_true(duration_us >= 0);
    if (track->has_slice)
        assert_true(ts_us >= track->to_us - 1e-6);
    track->has_slice = true;
    track->from_us = ts_us;
    track->to_us = ts_us + duration_us;
    rules->n_slices++;
}

/* Both ends of an arrow are within the slice before them on their track. */
static void check_arrow(struct rules *rules, const struct track *track, int tid, const cJSON *event,
                        double ts_us)
{
    bool begins = text_in(event, "ph")[0] == 's';
    int id = (int)number_in(event, "id");
    assert_true(id >= 1 && id < ARROWS_MAX);
    struct arrow *arrow = &rules->arrows[id];
    assert_true(track->has_slice && ts_us >= track->from_us - 1e-6);
    assert_true(ts_us <= track->to_us + 1e-6);
    assert_false(begins ? arrow->begins : arrow->ends);
    if (begins) {
        arrow->begins = true;
        arrow->sent_us = ts_us;
        arrow->from = tid;
    } else {
        assert_string_equal(text_in(event, "bp"), "e");
        arrow->ends = true;
        arrow->received_us = ts_us;
        arrow->to = tid;
        rules->n_arrows++;
    }
}

static struct rules check_rules(const cJSON *root)
{
    static struct rules rules;
    memset(&rules, 0, sizeof rules);
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(root, "traceEvents"), *event;
    assert_true(cJSON_IsArray(events));
    assert_string_equal(text_in(root, "displayTimeUnit"), "ns");
    cJSON_ArrayForEach(event, events)
    {
        const char *phase = text_in(event, "ph");
        int tid = (int)number_in(event, "tid");
        double ts_us = number_in(event, "ts");
        assert_true(tid > 0 && tid < TRACKS_MAX);
        assert_true(number_in(event, "pid") > 0);
        assert_true(strlen(text_in(event, "name")) > 0);
        struct track *track = &rules.tracks[tid];
        assert_true(ts_us >= track->ts_us);
        track->ts_us = ts_us;
        assert_int_equal(strlen(phase), 1);
        if (*phase == 'X')
            check_slice(&rules, track, event, ts_us);
        else if (*phase == 's' || *phase == 'f')
            check_arrow(&rules, track, tid, event, ts_us);
        else if (*phase == 'i')
            assert_string_equal(text_in(event, "s"), "t");
        else
            assert_string_equal(phase, "M");
        if (*phase == 'M' && strcmp(text_in(event, "name"), "thread_name") == 0)
            track->has_name = true;
    }
    for (int id = 0; id < ARROWS_MAX; id++)
        assert_int_equal(rules.arrows[id].begins, rules.arrows[id].ends);
    for (int tid = 0; tid < TRACKS_MAX; tid++)
        assert_true(!rules.tracks[tid].has_slice || rules.tracks[tid].has_name);
    return rules;
}

static const cJSON *slice(const cJSON *root, int rank, const char *name, int nth)
{
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(root, "traceEvents"), *event;
    cJSON_ArrayForEach(event, events)
    {
        if (strcmp(text_in(event, "ph"), "X") == 0 && number_in(event, "tid") == rank + 1 &&
            strcmp(text_in(event, "name"), name) == 0 && nth-- == 0)
            return event;
    }
    fail_msg("no %s of rank %d", name, rank);
    return NULL;
}

static const cJSON *arguments(const cJSON *event)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, "args");
    assert_true(cJSON_IsObject(item));
    return item;
}

/* ---- what is drawn ---- */

/* Rank 0 sends 64 B at 10 us in 2 us, computes 30 us, and calls an allreduce; rank 1 posts,
 * computes and waits. */
static struct traced_program small_program(void)
{
    struct traced_program program = program_of(2);
    call(&program, 0, 10000, 12000, send_to(1, 7, 64, 0));
    call(&program, 0, 42000, 50000, collective(CT_TRACE_ALLREDUCE, 0, 800, 0));
    end(&program, 0, 60000);
    call(&program, 1, 1000, 1500, receive_from(-1, -1, 100, 3));
    call(&program, 1, 11000, 14250, wait_received(3, 0, 7, 64));
    call(&program, 1, 20000, 50001, collective(CT_TRACE_ALLREDUCE, 0, 800, 0));
    end(&program, 1, 60000);
    return program;
}

static void calls_compute_and_messages_are_slices_and_arrows(void **state)
{
    (void)state;
    struct traced_program program = small_program();
    cJSON *root = json_of(&program, NULL);
    struct rules rules = check_rules(root);
    assert_int_equal(rules.n_arrows, 1);
    assert_int_equal(rules.arrows[1].from, 1);
    assert_int_equal(rules.arrows[1].to, 2);
    assert_near(rules.arrows[1].sent_us, 10, 1e-9);
    assert_near(rules.arrows[1].received_us, 14.249, 1e-9);
    const cJSON *send = slice(root, 0, "MPI_Send", 0);
    assert_near(number_in(send, "ts"), 10, 1e-9);
    assert_near(number_in(send, "dur"), 2, 1e-9);
    assert_near(number_in(arguments(send), "to"), 1, 0);
    assert_near(number_in(arguments(send), "tag"), 7, 0);
    assert_near(number_in(arguments(send), "bytes"), 64, 0);
    assert_near(number_in(arguments(send), "comm"), 0, 0);
    assert_string_equal(text_in(arguments(slice(root, 1, "MPI_Irecv", 0)), "from"), "any");
    assert_near(number_in(arguments(slice(root, 1, "MPI_Wait", 0)), "completed"), 1, 0);
    assert_near(number_in(slice(root, 1, "MPI_Allreduce", 0), "dur"), 30.001, 1e-9);
    const cJSON *compute = slice(root, 0, "compute", 1);
    assert_near(number_in(compute, "ts"), 12, 1e-9);
    assert_near(number_in(compute, "dur"), 30, 1e-9);
    slice(root, 0, "MPI_Init", 0);
    slice(root, 0, "MPI_Finalize", 0);
    cJSON_Delete(root);
    program_free(&program);
}

static void a_call_without_a_model_has_its_name(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    call(&program, 0, 10, 20,
         (struct ct_trace_event){
             .kind = CT_TRACE_UNMODELLED, .text = "MPI_\"Put\"\n\\", .n_text = 11});
    cJSON *root = json_of(&program, NULL);
    check_rules(root);
    slice(root, 0, "MPI_\"Put\"?\\", 0);
    cJSON_Delete(root);
    program_free(&program);
}

static void a_new_communicator_is_an_instant_with_its_ranks(void **state)
{
    (void)state;
    const uint64_t members[] = {0, 1, 0};
    struct traced_program program = program_of(2);
    communicator(&program, 0, 50, 2, members, 3);
    cJSON *root = json_of(&program, NULL);
    check_rules(root);
    const cJSON *event, *found = NULL;
    cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(root, "traceEvents"))
    {
        if (strcmp(text_in(event, "ph"), "i") == 0 && number_in(arguments(event), "comm") == 2)
            found = event;
    }
    assert_non_null(found);
    const cJSON *ranks = cJSON_GetObjectItemCaseSensitive(arguments(found), "ranks");
    assert_int_equal(cJSON_GetArraySize(ranks), 2);
    assert_int_equal(cJSON_GetArrayItem(ranks, 0)->valueint, 1);
    cJSON_Delete(root);
    program_free(&program);
}

/* ---- which call receives what ---- */

enum { MESSAGES_MAX = 200 };

/* By number: bytes of the call that sent it and of the one that got it. */
struct matched {
    uint64_t sent[MESSAGES_MAX], received[MESSAGES_MAX];
    size_t n;
};

static enum ct_status note_ends(void *data, const struct ct_timeline_span *span,
                                struct ct_error *err)
{
    struct matched *matched = data;
    struct ct_trace_completion completion = {0};
    size_t at = 0;
    (void)err;
    if (span->sent != 0) {
        assert_true(span->sent < MESSAGES_MAX && matched->sent[span->sent] == 0);
        matched->sent[span->sent] = span->event->to.bytes;
    }
    assert_true(span->n_received <= 1);
    if (span->n_received == 0)
        return CT_OK;
    uint64_t bytes = span->event->from.bytes;
    if (span->event->kind == CT_TRACE_WAIT) {
        assert_true(ct_trace_completion_next(span->event, &at, &completion));
        bytes = completion.from.bytes;
    }
    assert_true(span->received[0] < MESSAGES_MAX && matched->received[span->received[0]] == 0);
    matched->received[span->received[0]] = bytes;
    matched->n++;
    return CT_OK;
}

static struct matched match(struct traced_program *program, const struct ct_timeline_window *window)
{
    struct matched matched = {.n = 0};
    struct ct_timeline *timeline = timeline_of(program, window);
    for (uint32_t rank = 0; rank < program->n_ranks; rank++)
        assert_int_equal(ct_timeline_visit(timeline, rank, note_ends, &matched, NULL), CT_OK);
    assert_int_equal(ct_timeline_about(timeline)->n_messages >= matched.n, 1);
    ct_timeline_free(timeline);
    for (size_t i = 0; i < MESSAGES_MAX; i++)
        assert_int_equal(matched.sent[i], matched.received[i]);
    return matched;
}

/* Every message has a size of its own. They are received in the order in which they are sent, by
 * receives of all sorts, which complete in any order. */
static void random_messages_meet(void **state)
{
    (void)state;
    enum { RANKS = 4, N = 60 };
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        struct traced_program program = program_of(RANKS);
        struct {
            uint32_t from, to;
            int32_t tag;
            bool open;
        } messages[N];
        uint64_t time_ns = 10;
        for (int32_t m = 0; m < N; m++, time_ns += 10) {
            uint32_t from = (uint32_t)(ct_random_next(&random) % (RANKS));
            uint32_t to = (from + 1 + (uint32_t)(ct_random_next(&random) % (RANKS - 1))) % RANKS;
            int32_t tag = (int32_t)(ct_random_next(&random) % (2));
            uint64_t sort = (ct_random_next(&random) % (4)), bytes = 1000 + (uint64_t)m;
            call(&program, from, time_ns, time_ns + 1, send_to((int32_t)to, tag, bytes, 0));
            struct ct_trace_event receive = receive_from((int32_t)from, tag, 5000, 1 + (uint32_t)m);
            if (sort == 0)
                receive.from = (struct ct_trace_message){-1, m % 2 ? tag : -1, 5000};
            if (sort == 1)
                receive = receive_from((int32_t)from, tag, bytes, 0);
            call(&program, to, time_ns + 2, time_ns + 3, receive);
            messages[m].from = from;
            messages[m].to = to;
            messages[m].tag = tag;
            messages[m].open = sort != 1;
        }
        int32_t at = (int32_t)(ct_random_next(&random) % (N));
        for (int32_t i = 0; i < N; i++, time_ns += 10) {
            at = (at + 7) % N; /* 7 and 60 have no common factor */
            if (messages[at].open)
                call(&program, messages[at].to, time_ns, time_ns + 5,
                     wait_received(1 + (uint32_t)at, (int32_t)messages[at].from, messages[at].tag,
                                   1000 + (uint64_t)at));
        }
        assert_int_equal(match(&program, NULL).n, N);
        program_free(&program);
    }
}

/* A message that was probed is received by the receive that follows, whatever was posted between.
 */
static void a_probe_holds_the_place_of_its_receive(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    struct ct_trace_event probe = receive_from(0, 1, 11, 0);
    probe.kind = CT_TRACE_PROBE;
    call(&program, 0, 10, 11, send_to(1, 1, 11, 0));
    call(&program, 0, 20, 21, send_to(1, 1, 22, 0));
    call(&program, 1, 10, 15, probe);
    call(&program, 1, 20, 21, receive_from(0, 1, 50, 1));
    call(&program, 1, 30, 31, receive_from(0, 1, 11, 0));
    call(&program, 1, 40, 41, wait_received(1, 0, 1, 22));
    /* The receive that was posted completes after the one that got the probed message. */
    assert_int_equal(match(&program, NULL).n, 2);
    program_free(&program);
}

static void what_was_cancelled_or_is_still_under_way_has_no_arrow(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    call(&program, 0, 10, 11, send_to(1, 1, 11, 5));
    call(&program, 0, 20, 21, send_to(1, 1, 22, 6));
    call(&program, 0, 22, 23, (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 5});
    call(&program, 0, 24, 25, wait_sent(5));
    call(&program, 0, 26, 27, wait_sent(6));
    call(&program, 0, 28, 29, send_to(1, 2, 33, 0));
    call(&program, 0, 30, 31, send_to(1, 3, 44, 0));
    call(&program, 1, 20, 25, receive_from(0, 1, 22, 0));
    call(&program, 1, 30, 31, receive_from(0, 2, 33, 7)); /* nobody waits for it */
    call(&program, 1, 32, 33, receive_from(0, 9, 99, 8)); /* nothing is sent */
    call(&program, 1, 34, 35, receive_from(-1, 9, 99, 9));
    struct matched matched = match(&program, NULL);
    assert_int_equal(matched.n, 1);
    cJSON *root = json_of(&program, NULL);
    check_rules(root);
    cJSON_Delete(root);
    program_free(&program);
}

/* ---- windows ---- */

static void a_window_has_what_touches_it(void **state)
{
    (void)state;
    struct traced_program program = small_program();
    struct ct_timeline_window middle = {15000, 30000}, early = {0, 9000};
    cJSON *root = json_of(&program, &middle);
    struct rules rules = check_rules(root);
    assert_int_equal(rules.n_arrows, 0);
    assert_int_equal(rules.n_slices, 3); /* both compute, one waits in the collective */
    slice(root, 1, "MPI_Allreduce", 0);
    cJSON_Delete(root);
    struct ct_timeline_window both = {11000, 13000};
    root = json_of(&program, &both);
    assert_int_equal(check_rules(root).n_arrows, 1);
    cJSON_Delete(root);
    root = json_of(&program, &early);
    slice(root, 1, "MPI_Irecv", 0);
    assert_int_equal(check_rules(root).n_arrows, 0);
    cJSON_Delete(root);
    program_free(&program);
}

static void an_empty_window_is_an_error(void **state)
{
    (void)state;
    struct traced_program program = small_program();
    struct ct_events events = events_of(&program);
    struct ct_timeline_window late = {70000, 80000};
    struct ct_timeline *timeline;
    struct ct_error err;
    assert_int_equal(ct_timeline_of(&events, &late, &timeline, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "end after 60us"));
    program_free(&program);
}

static void damaged_events_are_named(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    struct ct_timeline *timeline;
    struct ct_error err;
    call(&program, 1, 10, 11, send_to(2, 0, 8, 0));
    struct ct_events events = events_of(&program);
    assert_int_equal(ct_timeline_of(&events, NULL, &timeline, &err), CT_EFORMAT);
    assert_string_equal(err.text,
                        "rank 1, event 3 (send): a message with rank 2; there are ranks 0 to 1");
    program_free(&program);
}

/* Ranks of two nodes whose clocks began at other times: the shared clock counts. */
static void clocks_of_nodes_are_aligned(void **state)
{
    (void)state;
    struct traced_program program = small_program();
    struct ct_events events = events_of(&program);
    const struct ct_events_clock clocks[] = {{0, 5000000}, {0, 4999000}};
    struct ct_timeline *timeline;
    char *text = NULL;
    size_t size = 0;
    events.clocks = clocks;
    assert_int_equal(ct_timeline_of(&events, NULL, &timeline, NULL), CT_OK);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ct_timeline_write_json(timeline, "x", out, NULL), CT_OK);
    fclose(out);
    cJSON *root = cJSON_Parse(text);
    assert_near(number_in(slice(root, 0, "MPI_Send", 0), "ts"), 11, 1e-9);
    assert_near(number_in(slice(root, 1, "MPI_Irecv", 0), "ts"), 1, 1e-9);
    cJSON_Delete(root);
    free(text);
    ct_timeline_free(timeline);
    program_free(&program);
}

/* ---- the figure ---- */

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

static void a_figure_has_a_rectangle_for_each_call_and_an_arrow_for_each_message(void **state)
{
    (void)state;
    struct traced_program program = small_program();
    char *text = written(ct_timeline_draw, &program, NULL);
    assert_int_equal(count(text, "marker-end"), 1);
    assert_int_equal(count(text, ">rank "), 2);
    assert_non_null(strstr(text, "a &quot;name&quot; &amp; &lt;more&gt;\\"));
    /* Allreduce of rank 0: 8 of 60 us, from 42 us on. */
    assert_non_null(strstr(text, "<rect x=\"707.00\" y=\"64.00\" width=\"121.33\" height=\"20.00\" "
                                 "fill=\"#009E73\"/>"));
    assert_non_null(strstr(text, "time (us)"));
    assert_null(strstr(text, "nan"));
    free(text);
    struct ct_timeline_window window = {41000, 51000};
    text = written(ct_timeline_draw, &program, &window);
    assert_int_equal(count(text, "marker-end"), 0);
    assert_non_null(strstr(text, ">42</text>"));
    free(text);
    program_free(&program);
}

/* A thread of rank 0 receives while the first one computes and sends. */
static struct traced_program program_with_threads(void)
{
    struct traced_program program = program_of(2);
    struct ct_trace_event receive = receive_from(1, 5, 8, 0), barrier = {.kind = CT_TRACE_BARRIER};
    receive.thread = barrier.thread = 1;
    call(&program, 0, 10000, 12000, send_to(1, 7, 64, 0));
    call(&program, 0, 5000, 20000, receive);
    call(&program, 0, 14000, 30000, send_to(1, 8, 64, 0));
    call(&program, 0, 26000, 31000, barrier);
    end(&program, 0, 60000);
    call(&program, 1, 1000, 15000, receive_from(0, 7, 64, 0));
    call(&program, 1, 16000, 17000, send_to(0, 5, 8, 0));
    call(&program, 1, 18000, 32000, receive_from(0, 8, 64, 0));
    end(&program, 1, 60000);
    return program;
}

static void each_thread_has_a_track(void **state)
{
    (void)state;
    struct traced_program program = program_with_threads();
    enum { SECOND = 1, OTHER_RANK = 2 };
    cJSON *root = json_of(&program, NULL);
    struct rules rules = check_rules(root);
    assert_int_equal(rules.n_arrows, 3);
    assert_int_equal(number_in(slice(root, SECOND, "MPI_Recv", 0), "ts"), 5);
    assert_int_equal(number_in(slice(root, SECOND, "MPI_Recv", 0), "dur"), 15);
    assert_int_equal(number_in(arguments(slice(root, SECOND, "MPI_Recv", 0)), "thread"), 1);
    assert_int_equal(number_in(slice(root, SECOND, "compute", 0), "ts"), 20);
    assert_int_equal(number_in(slice(root, SECOND, "compute", 0), "dur"), 6);
    assert_int_equal(number_in(slice(root, 0, "compute", 1), "ts"), 12);
    assert_int_equal(number_in(slice(root, OTHER_RANK, "MPI_Send", 0), "ts"), 16);
    cJSON_Delete(root);
    char *text = written(ct_timeline_write_json, &program, NULL);
    assert_non_null(strstr(text, "\"rank 0, thread 1\""));
    free(text);
    text = written(ct_timeline_draw, &program, NULL);
    assert_int_equal(count(text, ">rank "), 2);
    assert_int_equal(count(text, ">thread 1<"), 1);
    assert_int_equal(count(text, "marker-end"), 3);
    /* The receive: 15 of 60 us, from 5 us on, in the second row. */
    assert_non_null(strstr(text, "<rect x=\"145.83\" y=\"88.00\" width=\"227.50\" height=\"20.00\" "
                                 "fill=\"#56B4E9\"/>"));
    free(text);
    program_free(&program);
}

/* 300 calls within one point are one rectangle, in the colour of what took most. */
static void narrow_calls_are_summed_up(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    for (uint64_t i = 0; i < 300; i++)
        call(&program, 0, 500000 + 2 * i, 501000 + 2 * i,
             collective(i % 3 ? CT_TRACE_BARRIER : CT_TRACE_ALLREDUCE, 0, 0, 0));
    end(&program, 0, 1000000000);
    char *text = written(ct_timeline_draw, &program, NULL);
    assert_true(count(text, "#009E73") <= 2); /* and the key */
    free(text);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_compute_and_messages_are_slices_and_arrows),
        cmocka_unit_test(a_call_without_a_model_has_its_name),
        cmocka_unit_test(a_new_communicator_is_an_instant_with_its_ranks),
        cmocka_unit_test(random_messages_meet),
        cmocka_unit_test(a_probe_holds_the_place_of_its_receive),
        cmocka_unit_test(what_was_cancelled_or_is_still_under_way_has_no_arrow),
        cmocka_unit_test(a_window_has_what_touches_it),
        cmocka_unit_test(an_empty_window_is_an_error),
        cmocka_unit_test(damaged_events_are_named),
        cmocka_unit_test(clocks_of_nodes_are_aligned),
        cmocka_unit_test(a_figure_has_a_rectangle_for_each_call_and_an_arrow_for_each_message),
        cmocka_unit_test(each_thread_has_a_track),
        cmocka_unit_test(narrow_calls_are_summed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
