/* trace: events survive writing and reading, whatever happens to the file. */
#include "tests/unit/unit.h"
#include "trace/call.h"
#include "trace/convert/summary.h"
#include "trace/stream.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VALUES_MAX = 40 };

static int32_t any_number(gsl_rng *rng)
{
    static const int32_t special[] = {-1, 0, 1, 63, 64, INT32_MAX, INT32_MIN};
    unsigned long n = gsl_rng_uniform_int(rng, 10);
    return n < 7 ? special[n] : (int32_t)gsl_rng_get(rng);
}

static uint64_t any_size(gsl_rng *rng)
{
    return (uint64_t)gsl_rng_get(rng) << gsl_rng_uniform_int(rng, 33) >>
           gsl_rng_uniform_int(rng, 64);
}

/* An event of any kind with numbers of all sizes in the fields that the kind has. */
static struct ct_trace_event any_event(gsl_rng *rng, uint64_t after_ns, uint64_t *values)
{
    struct ct_trace_event event = {
        .kind = (enum ct_trace_kind)(1 + gsl_rng_uniform_int(rng, CT_TRACE_N_KINDS - 1)),
        .start_ns = after_ns + gsl_rng_uniform_int(rng, 100000)};
    event.end_ns = event.start_ns + gsl_rng_uniform_int(rng, 100000);
    unsigned fields = ct_trace_kind_fields(event.kind);
    if (fields & CT_TRACE_COMM)
        event.comm = (uint32_t)any_number(rng);
    if (fields & CT_TRACE_REQUEST)
        event.request = (uint32_t)any_number(rng);
    if (fields & CT_TRACE_MODE)
        event.mode = event.kind == CT_TRACE_ACCESS
                         ? CT_TRACE_PUT + (enum ct_trace_mode)gsl_rng_uniform_int(
                                              rng, CT_TRACE_ALL_MODES - CT_TRACE_PUT)
                         : (enum ct_trace_mode)gsl_rng_uniform_int(rng, CT_TRACE_N_MODES);
    if (fields & CT_TRACE_TO)
        event.to = (struct ct_trace_message){any_number(rng), any_number(rng), any_size(rng)};
    if (fields & CT_TRACE_FROM)
        event.from = (struct ct_trace_message){any_number(rng), any_number(rng), any_size(rng)};
    if (fields & CT_TRACE_ROOT)
        event.root = (uint32_t)any_number(rng);
    if (fields & CT_TRACE_BYTES)
        event.bytes = any_size(rng);
    if (fields & CT_TRACE_GROUP)
        event.ordinal = any_size(rng);
    if (fields & (CT_TRACE_VALUES | CT_TRACE_GROUP)) {
        event.values = values;
        event.n_values = gsl_rng_uniform_int(rng, VALUES_MAX);
        for (size_t i = 0; i < event.n_values; i++)
            values[i] = any_size(rng);
    }
    if (fields & CT_TRACE_TEXT) {
        event.text = "MPI_Put";
        event.n_text = gsl_rng_uniform_int(rng, 8);
    }
    if (gsl_rng_uniform_int(rng, 2) == 1)
        event.site = (uint32_t)any_size(rng);
    bool is_variant = gsl_rng_uniform_int(rng, 2) == 1;
    event.vector = is_variant && ct_trace_kind_has_vector(event.kind);
    event.cut = is_variant && event.kind == CT_TRACE_RECEIVE && event.request == 0;
    if (is_variant && !event.cut &&
        (event.kind == CT_TRACE_SEND || event.kind == CT_TRACE_RECEIVE)) {
        event.starts = (uint32_t)any_size(rng) | 1;
        event.start = (uint32_t)(any_size(rng) % event.starts);
    }
    return event;
}

static void assert_same_message(struct ct_trace_message a, struct ct_trace_message b)
{
    assert_int_equal(a.rank, b.rank);
    assert_int_equal(a.tag, b.tag);
    assert_int_equal(a.bytes, b.bytes);
}

static void assert_same(const struct ct_trace_event *a, const struct ct_trace_event *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->start_ns, b->start_ns);
    assert_int_equal(a->end_ns, b->end_ns);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->after, b->after);
    assert_int_equal(a->comm, b->comm);
    assert_int_equal(a->request, b->request);
    assert_int_equal(a->mode, b->mode);
    assert_int_equal(a->starts, b->starts);
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->cut, b->cut);
    assert_int_equal(a->vector, b->vector);
    assert_int_equal(a->site, b->site);
    assert_same_message(a->to, b->to);
    assert_same_message(a->from, b->from);
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->ordinal, b->ordinal);
    assert_int_equal(a->n_values, b->n_values);
    if (a->n_values > 0)
        assert_memory_equal(a->values, b->values, a->n_values * sizeof *a->values);
    assert_int_equal(a->n_text, b->n_text);
    if (a->n_text > 0)
        assert_memory_equal(a->text, b->text, a->n_text);
}

/* Calls of threads begin and end before the last event ended, too. */
static void set_thread(gsl_rng *rng, const struct ct_trace_before *before,
                       struct ct_trace_event *event)
{
    event->after = before->index;
    if (!before->has_threads || event->kind == CT_TRACE_SITE)
        return;
    event->thread = (uint32_t)any_size(rng);
    event->after -= any_size(rng) % (before->index + 1);
    uint64_t earlier_ns = any_size(rng) % (event->start_ns + 1);
    event->start_ns -= earlier_ns;
    event->end_ns -= any_size(rng) % (earlier_ns + 1);
}

static void events_come_back(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_trace_scratch scratch = {0};
    uint64_t values[VALUES_MAX];
    struct ct_trace_before before = {.end_ns = 12345};
    for (int i = 0; i < 40000; i++) {
        before.has_threads = i >= 20000;
        struct ct_trace_event event = any_event(rng, before.end_ns, values), back;
        set_thread(rng, &before, &event);
        size_t at = 0, bound = ct_trace_event_bound(&event);
        unsigned char *bytes = calloc(1, bound);
        size_t size = ct_trace_event_encode(&event, &before, bytes);
        assert_true(size <= bound);
        assert_int_equal(ct_trace_event_decode(bytes, size, &at, &before, &scratch, &back, NULL),
                         CT_OK);
        assert_int_equal(at, size);
        assert_same(&event, &back);
        ct_trace_before_pass(&before, &event);
        free(bytes);
    }
    ct_trace_scratch_free(&scratch);
    gsl_rng_free(rng);
}

/* A message of the usual size and distance takes 16 bytes at most. */
static void a_usual_event_is_small(void **state)
{
    (void)state;
    unsigned char bytes[256];
    struct ct_trace_event event = {.kind = CT_TRACE_SEND,
                                   .start_ns = 150000,
                                   .end_ns = 151500,
                                   .request = 12,
                                   .to = {.rank = 900, .tag = 1000, .bytes = 1 << 20}};
    assert_true(ct_trace_event_encode(&event, &(struct ct_trace_before){0}, bytes) <= 16);
}

static void cut_events_are_refused(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_trace_scratch scratch = {0};
    uint64_t values[VALUES_MAX];
    for (int i = 0; i < 1000; i++) {
        const struct ct_trace_before before = {.has_threads = i % 2 == 1, .index = 300};
        struct ct_trace_event event = any_event(rng, 0, values), back;
        set_thread(rng, &before, &event);
        unsigned char *bytes = calloc(1, ct_trace_event_bound(&event));
        size_t size = ct_trace_event_encode(&event, &before, bytes);
        for (size_t cut = 1; cut < size; cut++) {
            size_t at = 0;
            struct ct_error err;
            assert_int_equal(ct_trace_event_decode(bytes, cut, &at, &before, &scratch, &back, &err),
                             CT_EFORMAT);
            assert_non_null(strstr(err.text, "byte 0"));
            assert_int_equal(at, 0);
        }
        free(bytes);
    }
    ct_trace_scratch_free(&scratch);
    gsl_rng_free(rng);
}

static void damaged_numbers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {"\x7f\1\1", 3},                                        /* kind */
        {"\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\2\0", 12},     /* beyond 64 bits */
        {"\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\xff\1", 13}, /* time beyond 64 bits */
        {"\4\0\0\0\0\5\0\0\0", 9},                              /* mode 5 */
        {"\x08\0\0\xff\xff\xff\xff\x0f", 8},                    /* longer than the file */
        {"\x80\0\0", 3},
        {"\x81\0\0", 3},                    /* kinds without a variant */
        {"\x84\0\0\0\0\0\1\0\0\0\0\0", 12}, /* starts none */
        {"\x84\0\0\2\2\0\1\0\0\0\0\0", 12}, /* the third of two */
    };
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event event;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = 0;
        const struct ct_trace_before before = {.end_ns = i == 2 ? 1 : 0};
        assert_int_equal(ct_trace_event_decode((const unsigned char *)cases[i].bytes, cases[i].size,
                                               &at, &before, &scratch, &event, NULL),
                         CT_EFORMAT);
    }
    ct_trace_scratch_free(&scratch);
}

static void calls_have_their_names(void **state)
{
    (void)state;
    uint64_t equal[] = {4, 4}, other[] = {4, 8};
    const struct {
        struct ct_trace_event event;
        const char *name;
    } cases[] = {
        {{.kind = CT_TRACE_SEND, .mode = CT_TRACE_READY}, "MPI_Rsend"},
        {{.kind = CT_TRACE_SEND, .request = 1}, "MPI_Isend"},
        {{.kind = CT_TRACE_SEND, .request = 1, .starts = 1}, "MPI_Start"},
        {{.kind = CT_TRACE_RECEIVE, .request = 1, .starts = 2, .start = 1}, "MPI_Startall"},
        {{.kind = CT_TRACE_SEND_INIT, .mode = CT_TRACE_SYNCHRONOUS, .request = 1},
         "MPI_Ssend_init"},
        {{.kind = CT_TRACE_RECEIVE_INIT, .request = 1}, "MPI_Recv_init"},
        {{.kind = CT_TRACE_GATHER}, "MPI_Gather"},
        {{.kind = CT_TRACE_GATHER, .request = 1, .vector = true}, "MPI_Igatherv"},
        {{.kind = CT_TRACE_REDUCE_SCATTER, .values = equal, .n_values = 2},
         "MPI_Reduce_scatter_block"},
        {{.kind = CT_TRACE_REDUCE_SCATTER, .values = other, .n_values = 2}, "MPI_Reduce_scatter"},
        {{.kind = CT_TRACE_REDUCE_SCATTER, .values = equal, .n_values = 2, .vector = true},
         "MPI_Reduce_scatter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[CT_TRACE_CALL_MAX];
        ct_trace_call_name(&cases[i].event, name);
        assert_string_equal(name, cases[i].name);
    }
}

static void completions_come_back(void **state)
{
    (void)state;
    enum { N = 4 };
    uint64_t values[N * CT_TRACE_COMPLETION_VALUES];
    const struct ct_trace_completion all[N] = {
        {.request = 7},
        {.request = 9, .received = true, .from = {-1, 3, 99}},
        {.request = UINT32_MAX, .received = true, .from = {3, 2, 8}, .cut = true},
        {.request = UINT32_MAX, .received = true, .from = {5, -1, UINT64_MAX}}};
    struct ct_trace_event event = {.kind = CT_TRACE_WAIT, .values = values};
    for (size_t i = 0; i < N; i++)
        event.n_values = ct_trace_completion_put(&all[i], values, event.n_values);
    struct ct_trace_completion back;
    size_t at = 0;
    for (size_t i = 0; i < N; i++) {
        assert_true(ct_trace_completion_next(&event, &at, &back));
        assert_int_equal(back.request, all[i].request);
        assert_int_equal(back.received, all[i].received);
        assert_int_equal(back.cut, all[i].cut);
        assert_same_message(back.from, all[i].from);
    }
    assert_false(ct_trace_completion_next(&event, &at, &back));
    assert_int_equal(at, event.n_values);
    event.n_values--;
    for (at = 0; ct_trace_completion_next(&event, &at, &back);)
        ;
    assert_true(at < event.n_values);
}

static void headers_tell_what_the_time_between_calls_is(void **state)
{
    (void)state;
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header header = {.rank = 3, .n_ranks = 5, .start_ns = 7}, back;
    for (int by_processor = 0; by_processor < 2; by_processor++) {
        header.by_processor = by_processor;
        ct_trace_header_encode(&header, bytes);
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_OK);
        assert_int_equal(back.by_processor, by_processor);
        assert_int_equal(back.rank, 3);
    }
    bytes[40] = 2; /* of a later version */
    assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_EFORMAT);
}

static void headers_tell_whether_the_mpi_is_simgrids(void **state)
{
    (void)state;
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header header = {.n_ranks = 5}, back;
    for (int in_simgrid = 0; in_simgrid < 2; in_simgrid++) {
        header.in_simgrid = in_simgrid;
        ct_trace_header_encode(&header, bytes);
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_OK);
        assert_int_equal(back.in_simgrid, in_simgrid);
    }
    bytes[42] = 2; /* of a later version */
    assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_EFORMAT);
}

static void versions_up_to_this_one_are_read(void **state)
{
    (void)state;
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header header = {.rank = 3, .n_ranks = 5}, back;
    ct_trace_header_encode(&header, bytes);
    for (int version = 0; version <= CT_TRACE_VERSION + 1; version++) {
        bytes[8] = (unsigned char)version;
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL),
                         version >= 1 && version <= CT_TRACE_VERSION ? CT_OK : CT_EFORMAT);
    }
}

/* ---- files ---- */

struct scratch {
    char directory[64], path[128];
};

static struct scratch make_scratch(uint32_t rank)
{
    struct scratch scratch;
    char name[CT_TRACE_NAME_MAX];
    snprintf(scratch.directory, sizeof scratch.directory, "/tmp/test_trace.XXXXXX");
    assert_non_null(mkdtemp(scratch.directory));
    ct_trace_file_name(rank, name);
    snprintf(scratch.path, sizeof scratch.path, "%s/%s", scratch.directory, name);
    return scratch;
}

static void remove_scratch(const struct scratch *scratch)
{
    unlink(scratch->path);
    rmdir(scratch->directory);
}

enum { MANY = 60000 }; /* more than a piece of the file takes */

/* An event of a file without places. */
static struct ct_trace_event any_call(gsl_rng *rng, uint64_t after_ns, uint64_t *values)
{
    struct ct_trace_event event;
    do
        event = any_event(rng, after_ns, values);
    while (event.kind == CT_TRACE_SITE);
    event.site = 0;
    return event;
}

static void write_many(const char *path, bool finish)
{
    struct ct_trace_stream *stream;
    struct ct_trace_header header = {.rank = 0, .n_ranks = 1, .start_ns = 1000};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t values[VALUES_MAX], end_ns = header.start_ns;
    assert_int_equal(ct_trace_stream_open(path, &header, &stream, NULL), CT_OK);
    for (int i = 0; i < MANY; i++) {
        struct ct_trace_event event = any_call(rng, end_ns, values);
        assert_int_equal(ct_trace_stream_add(stream, &event, NULL), CT_OK);
        end_ns = event.end_ns;
    }
    if (finish)
        assert_int_equal(ct_trace_stream_close(stream, NULL), CT_OK);
    gsl_rng_free(rng);
}

static void check_many(const char *path)
{
    struct ct_trace *trace;
    struct ct_trace_event back;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t values[VALUES_MAX], end_ns = 1000;
    assert_int_equal(ct_trace_open(path, &trace, NULL), CT_OK);
    assert_int_equal(ct_trace_header_of(trace)->n_ranks, 1);
    for (int i = 0; i < MANY; i++) {
        struct ct_trace_event event = any_call(rng, end_ns, values);
        event.after = (uint64_t)i;
        assert_int_equal(ct_trace_next(trace, &back, NULL), CT_OK);
        assert_same(&event, &back);
        end_ns = event.end_ns;
    }
    assert_int_equal(ct_trace_next(trace, &back, NULL), CT_OK);
    assert_int_equal(back.kind, CT_TRACE_NONE);
    ct_trace_free(trace);
    gsl_rng_free(rng);
}

static void files_come_back(void **state)
{
    (void)state;
    struct scratch scratch = make_scratch(0);
    struct stat about;
    write_many(scratch.path, true);
    check_many(scratch.path);
    assert_int_equal(stat(scratch.path, &about), 0);
    struct ct_events events;
    struct ct_trace_summary summary;
    assert_int_equal(ct_trace_events_open(scratch.directory, &events, NULL), CT_OK);
    assert_int_equal(ct_events_summarize(&events, &summary, NULL), CT_OK);
    assert_int_equal(summary.events, MANY);
    uint64_t calls = 0;
    for (int kind = 0; kind < CT_TRACE_N_KINDS; kind++)
        calls += summary.kinds[kind].calls;
    assert_int_equal(calls, MANY);
    ct_trace_summary_free(&summary);
    events.close(events.context);
    remove_scratch(&scratch);
}

/* A program that is killed loses nothing that it had added. */
static void a_killed_program_leaves_its_events(void **state)
{
    (void)state;
    struct scratch scratch = make_scratch(0);
    int how;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_many(scratch.path, false);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    check_many(scratch.path);
    remove_scratch(&scratch);
}

static void write_empty(const char *path, uint32_t rank, uint32_t n_ranks)
{
    struct ct_trace_stream *stream;
    struct ct_trace_header header = {.rank = rank, .n_ranks = n_ranks};
    assert_int_equal(ct_trace_stream_open(path, &header, &stream, NULL), CT_OK);
    assert_int_equal(ct_trace_stream_close(stream, NULL), CT_OK);
}

static struct ct_trace_event from_site(uint32_t site, const char *name)
{
    struct ct_trace_event event = {.kind = name ? CT_TRACE_SITE : CT_TRACE_BARRIER, .site = site};
    event.text = name;
    event.n_text = name ? strlen(name) : 0;
    return event;
}

/* A file with these events, read: names of sites come with the calls, also after a rewind. */
static enum ct_status read_sites(const struct ct_trace_event *events, size_t n,
                                 const char *expected)
{
    struct scratch scratch = make_scratch(0);
    struct ct_trace_header header = {.rank = 0, .n_ranks = 1, .has_sites = true};
    struct ct_trace_stream *stream;
    struct ct_trace *trace;
    struct ct_trace_event back;
    enum ct_status status = CT_OK;
    assert_int_equal(ct_trace_stream_open(scratch.path, &header, &stream, NULL), CT_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(ct_trace_stream_add(stream, &events[i], NULL), CT_OK);
    assert_int_equal(ct_trace_stream_close(stream, NULL), CT_OK);
    assert_int_equal(ct_trace_open(scratch.path, &trace, NULL), CT_OK);
    assert_true(ct_trace_header_of(trace)->has_sites);
    for (int turn = 0; turn < 2 && status == CT_OK; turn++) {
        char found[256] = "";
        size_t n_found = 0;
        while ((status = ct_trace_next(trace, &back, NULL)) == CT_OK && back.kind) {
            assert_int_equal(back.kind, CT_TRACE_BARRIER);
            assert_true((back.site == 0) == (back.site_name == NULL));
            n_found += (size_t)snprintf(found + n_found, sizeof found - n_found, "%s ",
                                        back.site_name ? back.site_name : "-");
        }
        if (status == CT_OK)
            assert_string_equal(found, expected);
        ct_trace_rewind(trace);
    }
    ct_trace_free(trace);
    remove_scratch(&scratch);
    return status;
}

static void places_have_names(void **state)
{
    (void)state;
    const struct ct_trace_event good[] = {from_site(0, NULL), from_site(1, "a"),
                                          from_site(1, NULL), from_site(2, "b\n"),
                                          from_site(1, NULL), from_site(2, NULL)};
    const struct ct_trace_event unnamed[] = {from_site(1, "a"), from_site(2, NULL)},
                                skips[] = {from_site(2, "a")}, none[] = {from_site(0, "a")};
    assert_int_equal(read_sites(good, 6, "- a a b? "), CT_OK);
    assert_int_equal(read_sites(unnamed, 2, ""), CT_EFORMAT);
    assert_int_equal(read_sites(skips, 1, ""), CT_EFORMAT);
    assert_int_equal(read_sites(none, 1, ""), CT_EFORMAT);
}

static void places_and_threads_are_in_the_header(void **state)
{
    (void)state;
    unsigned char bytes[CT_TRACE_HEADER_BYTES];
    struct ct_trace_header header = {.rank = 0, .n_ranks = 1}, back;
    for (int has = 0; has < 4; has++) {
        header.has_sites = has & 1;
        header.has_threads = has & 2;
        ct_trace_header_encode(&header, bytes);
        assert_int_equal(bytes[8], CT_TRACE_VERSION);
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_OK);
        assert_int_equal(back.has_sites, header.has_sites);
        assert_int_equal(back.has_threads, header.has_threads);
        assert_false(back.lists_ranks);
    }
    for (int at = 41; at < 43; at++) {
        bytes[at] = 2;
        assert_int_equal(ct_trace_header_decode(bytes, sizeof bytes, &back, NULL), CT_EFORMAT);
        bytes[at] = 1;
    }
}

static void first_trace_is_kept(void **state)
{
    (void)state;
    struct scratch scratch = make_scratch(0);
    struct ct_trace_header header = {.rank = 0, .n_ranks = 2};
    struct ct_trace_stream *stream = NULL;
    struct ct_trace *trace;
    struct ct_error err;
    write_empty(scratch.path, 0, 1);
    assert_int_equal(ct_trace_stream_open(scratch.path, &header, &stream, &err), CT_EEXIST);
    assert_null(stream);
    assert_int_equal(ct_trace_open(scratch.path, &trace, &err), CT_OK);
    assert_int_equal(ct_trace_header_of(trace)->n_ranks, 1);
    ct_trace_free(trace);
    remove_scratch(&scratch);
}

static void sets_must_be_whole(void **state)
{
    (void)state;
    struct scratch first = make_scratch(0);
    char second[160];
    struct ct_trace_set set;
    struct ct_error err;
    snprintf(second, sizeof second, "%s/rank-000001.trace", first.directory);
    assert_int_equal(ct_trace_set_open(first.directory, &set, &err), CT_ENOENT);
    write_empty(first.path, 0, 2);
    assert_int_equal(ct_trace_set_open(first.directory, &set, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "rank 1"));
    write_empty(second, 1, 3);
    assert_int_equal(ct_trace_set_open(first.directory, &set, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "several programs"));
    unlink(second);
    FILE *file = fopen(second, "w");
    fputs("not a trace", file);
    fclose(file);
    assert_int_equal(ct_trace_set_open(first.directory, &set, &err), CT_EFORMAT);
    unlink(second);
    write_empty(second, 1, 2);
    struct ct_events events;
    struct ct_trace_summary summary;
    assert_int_equal(ct_trace_events_open(first.directory, &events, &err), CT_OK);
    assert_int_equal(ct_events_summarize(&events, &summary, &err), CT_OK);
    assert_int_equal(summary.n_cut, 2);
    ct_trace_summary_free(&summary);
    events.close(events.context);
    unlink(second);
    remove_scratch(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_back),
        cmocka_unit_test(a_usual_event_is_small),
        cmocka_unit_test(cut_events_are_refused),
        cmocka_unit_test(damaged_numbers_are_refused),
        cmocka_unit_test(calls_have_their_names),
        cmocka_unit_test(completions_come_back),
        cmocka_unit_test(versions_up_to_this_one_are_read),
        cmocka_unit_test(headers_tell_what_the_time_between_calls_is),
        cmocka_unit_test(headers_tell_whether_the_mpi_is_simgrids),
        cmocka_unit_test(places_have_names),
        cmocka_unit_test(places_and_threads_are_in_the_header),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(a_killed_program_leaves_its_events),
        cmocka_unit_test(first_trace_is_kept),
        cmocka_unit_test(sets_must_be_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
