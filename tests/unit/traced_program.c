#include "traced_program.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1 << 20 };

struct traced_program program_of(uint32_t n_ranks)
{
    uint64_t members[PROGRAM_RANKS_MAX + 1] = {0};
    struct traced_program program = {.n_ranks = n_ranks};
    assert_true(n_ranks <= PROGRAM_RANKS_MAX);
    program.ranks = calloc(n_ranks, sizeof *program.ranks);
    program.values = malloc(VALUES_MAX * sizeof *program.values);
    assert_non_null(program.ranks);
    assert_non_null(program.values);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        members[1 + rank] = rank;
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        communicator(&program, rank, 0, 0, members, n_ranks + 1);
        call(&program, rank, 0, 0, (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
    }
    return program;
}

void program_free(struct traced_program *program)
{
    free(program->ranks);
    free(program->values);
}

void call(struct traced_program *program, uint32_t rank, uint64_t start_ns, uint64_t end_ns,
          struct ct_trace_event event)
{
    struct traced_rank *of = &program->ranks[rank];
    assert_true(of->n < PROGRAM_EVENTS_MAX);
    assert_true(program->n_values + event.n_values < VALUES_MAX);
    event.start_ns = start_ns;
    event.end_ns = end_ns;
    if (event.after == 0) /* of one thread; no other thread begins before MPI_COMM_WORLD is made */
        event.after = of->n;
    if (event.n_values > 0)
        memcpy(program->values + program->n_values, event.values,
               event.n_values * sizeof *event.values);
    program->has_threads |= event.thread > 0;
    event.values = program->values + program->n_values;
    program->n_values += event.n_values;
    of->events[of->n++] = event;
}

void end(struct traced_program *program, uint32_t rank, uint64_t at_ns)
{
    call(program, rank, at_ns, at_ns, (struct ct_trace_event){.kind = CT_TRACE_END});
}

void communicator(struct traced_program *program, uint32_t rank, uint64_t at_ns, uint32_t number,
                  const uint64_t *ordinal_and_members, size_t n)
{
    uint64_t runs[CT_RANKS_VALUES_MAX(PROGRAM_RANKS_MAX + 1)];
    assert_in_range(n, 1, PROGRAM_RANKS_MAX + 1);
    call(program, rank, at_ns, at_ns,
         (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                 .comm = number,
                                 .ordinal = ordinal_and_members[0],
                                 .values = runs,
                                 .n_values = ct_ranks_put(ordinal_and_members + 1, n - 1, runs)});
}

struct ct_trace_event send_to(int32_t to, int32_t tag, uint64_t bytes, uint32_t request)
{
    return (struct ct_trace_event){
        .kind = CT_TRACE_SEND, .to = {to, tag, bytes}, .request = request};
}

struct ct_trace_event receive_from(int32_t from, int32_t tag, uint64_t bytes, uint32_t request)
{
    return (struct ct_trace_event){
        .kind = CT_TRACE_RECEIVE, .from = {from, tag, bytes}, .request = request};
}

struct ct_trace_event init_of(struct ct_trace_event message)
{
    message.kind = message.kind == CT_TRACE_SEND ? CT_TRACE_SEND_INIT : CT_TRACE_RECEIVE_INIT;
    return message;
}

struct ct_trace_event start_of(struct ct_trace_event message, uint32_t start, uint32_t n)
{
    message.start = start;
    message.starts = n;
    return message;
}

struct ct_trace_event free_of(uint32_t request)
{
    return (struct ct_trace_event){.kind = CT_TRACE_FREE, .request = request};
}

/* The values are copied by the next call(), and live as long here. */
static struct ct_trace_event wait_of(struct ct_trace_completion completion)
{
    static uint64_t values[CT_TRACE_COMPLETION_VALUES];
    return (struct ct_trace_event){.kind = CT_TRACE_WAIT,
                                   .values = values,
                                   .n_values = ct_trace_completion_put(&completion, values, 0)};
}

struct ct_trace_event wait_sent(uint32_t request)
{
    return wait_of((struct ct_trace_completion){.request = request});
}

struct ct_trace_event wait_received(uint32_t request, int32_t from, int32_t tag, uint64_t bytes)
{
    return wait_of((struct ct_trace_completion){
        .request = request, .received = true, .from = {from, tag, bytes}});
}

struct ct_trace_event collective(enum ct_trace_kind kind, uint32_t root, uint64_t bytes,
                                 uint32_t request)
{
    return (struct ct_trace_event){.kind = kind, .root = root, .bytes = bytes, .request = request};
}

struct ct_trace_event in_comm(uint32_t comm, struct ct_trace_event event)
{
    event.comm = comm;
    return event;
}

struct ct_trace_event on_thread(uint32_t thread, uint64_t after, struct ct_trace_event event)
{
    event.thread = thread;
    event.after = after;
    return event;
}

struct ct_trace_event in_mode(enum ct_trace_mode mode, struct ct_trace_event event)
{
    event.mode = mode;
    return event;
}

struct traced_program nonblocking_ring(uint64_t compute_ns)
{
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t other = 1 - (int32_t)rank;
        uint64_t waits = 40 + compute_ns;
        call(&program, rank, 10, 20, receive_from(other, 7, 64, 1));
        call(&program, rank, 30, 40, send_to(other, 7, 8, 2));
        call(&program, rank, waits, waits + 500, wait_received(1, other, 7, 8));
        call(&program, rank, waits + 500, waits + 600, wait_sent(2));
        end(&program, rank, waits + 650);
    }
    return program;
}

/* ---- as events ---- */

static struct ct_events events_at(struct traced_program *program);

static enum ct_status next_event(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                 uint64_t *position_p, struct ct_error *err)
{
    struct traced_program *program = context;
    struct traced_rank *of = &program->ranks[rank];
    (void)err;
    *position_p = of->next + 1;
    *event_p = of->next < of->n ? of->events[of->next] : (struct ct_trace_event){0};
    of->next += of->next < of->n;
    return CT_OK;
}

static struct ct_events_place tell(const void *context, uint32_t rank)
{
    const struct traced_program *program = context;
    return (struct ct_events_place){.at = program->ranks[rank].next};
}

static void seek(void *context, uint32_t rank, struct ct_events_place place)
{
    struct traced_program *program = context;
    program->ranks[rank].next = (size_t)place.at;
}

static void rewind_rank(void *context, uint32_t rank)
{
    struct traced_program *program = context;
    program->ranks[rank].next = 0;
}

/* A copy of the program, for its place in the events. */
static enum ct_status read_again(const void *context, uint32_t rank, struct ct_events *again_p,
                                 struct ct_error *err)
{
    const struct traced_program *program = context;
    struct traced_program *again = malloc(sizeof *again);
    (void)err;
    assert_non_null(again);
    *again = *program;
    again->ranks = malloc(program->n_ranks * sizeof *again->ranks);
    assert_non_null(again->ranks);
    again->ranks[rank] = program->ranks[rank];
    again->ranks[rank].next = 0;
    *again_p = events_at(again);
    return CT_OK;
}

static void close_again(void *context)
{
    struct traced_program *again = context;
    free(again->ranks);
    free(again);
}

static struct ct_events events_at(struct traced_program *program)
{
    return (struct ct_events){.n_ranks = program->n_ranks,
                              .position_unit = "event",
                              .has_threads = program->has_threads,
                              .context = program,
                              .next = next_event,
                              .tell = tell,
                              .seek = seek,
                              .rewind = rewind_rank,
                              .again = read_again,
                              .close = close_again};
}

struct ct_events events_of(struct traced_program *program)
{
    for (uint32_t rank = 0; rank < program->n_ranks; rank++)
        program->ranks[rank].next = 0;
    return events_at(program);
}

struct ct_goal goal_of_program(struct traced_program *program,
                               const struct ct_convert_options *options)
{
    struct ct_convert_options defaults = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events = events_of(program);
    struct ct_goal goal;
    struct ct_error err;
    if (ct_convert_events(&events, options ? options : &defaults, &goal, &notes, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_convert_notes_free(&notes);
    return goal;
}

void assert_refused(struct traced_program *program, const char *words)
{
    struct ct_convert_options defaults = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events = events_of(program);
    struct ct_goal goal;
    struct ct_error err;
    if (ct_convert_events(&events, &defaults, &goal, &notes, &err) == CT_OK)
        fail_msg("taken, without a word of '%s'", words);
    if (!strstr(err.text, words))
        fail_msg("'%s' without '%s'", err.text, words);
}

double runtime_in_graph(const struct ct_goal *goal, const struct ct_loggps *at,
                        const struct ct_graph_options *options)
{
    struct ct_graph graph;
    struct ct_path path;
    struct ct_error err;
    if (ct_graph_build(goal, options, &graph, &err) != CT_OK ||
        ct_path_find(&graph, at, &path, &err) != CT_OK)
        fail_msg("%s", err.text);
    double runtime_ns = path.runtime_ns;
    ct_path_free(&path);
    ct_graph_free(&graph);
    return runtime_ns;
}

double runtime_of(const struct ct_goal *goal, double o_ns, double L_ns, double G_ns_per_byte,
                  uint64_t S_bytes)
{
    const struct ct_loggps at = {.o_ns = o_ns, .L_ns = L_ns, .G_ns_per_byte = G_ns_per_byte};
    return runtime_in_graph(goal, &at, &(struct ct_graph_options){.eager_max_bytes = S_bytes});
}

char *text_of(const struct ct_goal *goal)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(ct_goal_write_text(goal, out, NULL), CT_OK);
    fclose(out);
    return text;
}

struct calls calls_of(const struct ct_goal *goal, uint64_t op)
{
    const struct ct_goal_calls *calls = goal->calls;
    return (struct calls){calls->calls[calls->of[op].made].name,
                          calls->calls[calls->of[op].waited].name};
}

uint64_t count_of(const struct ct_goal *goal, const char *name)
{
    for (uint32_t i = 0; i < goal->calls->n_calls; i++)
        if (strcmp(goal->calls->calls[i].name, name) == 0)
            return goal->calls->calls[i].count;
    return 0;
}
