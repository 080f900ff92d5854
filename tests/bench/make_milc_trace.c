/*
 * Write traces of a program that nobody ran, to try speeds on: conjugate gradient on a
 * four-dimensional lattice, with the messages of `workload milc` (bench/workloads/milc.c).
 *
 *     make_milc_trace FOLDER RANKS ITERATIONS
 *
 * Each iteration gathers from the neighbours twice and makes two reductions of one number, so with
 * at least two ranks along every axis a rank makes 36 calls: 32 messages, two waits for all of
 * them, two collectives. The time between calls is drawn.
 */
#include "bench/workloads/lattice.h"
#include "core/random.h"
#include "core/units.h"
#include "trace/ranks.h"
#include "trace/reader.h"
#include "trace/stream.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    EDGE = 4,       /* sites of a rank along the first three axes; twice as many along the last */
    SITE_WORDS = 3, /* a vector of three complex numbers */
    CALL_NS = 200,  /* a call takes this long */
    INSIDE_NS = 300000, /* computing while messages are under way, on average */
    REST_NS = 100000    /* computing between other calls, on average */
};

struct writer {
    struct ct_lattice lattice;
    struct ct_trace_stream *stream;
    int rank;
    uint64_t now_ns, random;
};

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "make_milc_trace: %s\n", err->text);
    exit(1);
}

static void add(struct writer *writer, struct ct_trace_event event)
{
    struct ct_error err;
    event.start_ns = writer->now_ns;
    event.end_ns = writer->now_ns += CALL_NS;
    must(ct_trace_stream_add(writer->stream, &event, &err), &err);
}

/* Half to one and a half times the mean. */
static void compute(struct writer *writer, uint64_t mean_ns)
{
    double factor = 0.5 + ct_random_unit(ct_random_next(&writer->random));
    writer->now_ns += (uint64_t)(factor * (double)mean_ns);
}

static struct ct_trace_message message(int peer, int tag, const struct ct_region *region)
{
    return (struct ct_trace_message){peer, tag, ct_region_words(region) * CT_REGION_WORD_BYTES};
}

/* As dslash() of the workload: a receive and a send in each direction, then one wait for all. */
static void gather(struct writer *writer, bool odd)
{
    struct ct_region region;
    int peer;
    uint32_t request = 0;
    uint64_t values[2 * CT_LATTICE_DIRECTIONS * CT_TRACE_COMPLETION_VALUES];
    size_t n_values = 0;
    for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++) {
        if (!ct_lattice_receive(&writer->lattice, writer->rank, d, odd, &peer, &region))
            continue;
        struct ct_trace_message from = message(peer, d ^ 1, &region);
        const struct ct_trace_completion done = {
            .request = ++request, .received = true, .from = from};
        n_values = ct_trace_completion_put(&done, values, n_values);
        add(writer,
            (struct ct_trace_event){.kind = CT_TRACE_RECEIVE, .request = request, .from = from});
    }
    for (int d = 0; d < CT_LATTICE_DIRECTIONS; d++) {
        if (!ct_lattice_send(&writer->lattice, writer->rank, d, odd, &peer, &region))
            continue;
        const struct ct_trace_completion done = {.request = ++request};
        n_values = ct_trace_completion_put(&done, values, n_values);
        add(writer, (struct ct_trace_event){.kind = CT_TRACE_SEND,
                                            .request = request,
                                            .to = message(peer, d, &region)});
    }
    compute(writer, INSIDE_NS);
    add(writer,
        (struct ct_trace_event){.kind = CT_TRACE_WAIT, .values = values, .n_values = n_values});
    compute(writer, REST_NS);
}

static void write_communicators(struct writer *writer, uint32_t n_ranks)
{
    const uint64_t world[CT_RANKS_RUN_VALUES] = {0, n_ranks, CT_RANKS_NEXT};
    const uint64_t alone[CT_RANKS_RUN_VALUES] = {(uint64_t)writer->rank, 1, CT_RANKS_NEXT};
    add(writer, (struct ct_trace_event){
                    .kind = CT_TRACE_NEW_COMM, .values = world, .n_values = CT_RANKS_RUN_VALUES});
    add(writer, (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                        .comm = 1,
                                        .ordinal = n_ranks == 1,
                                        .values = alone,
                                        .n_values = CT_RANKS_RUN_VALUES});
}

static void write_rank(const char *folder, uint32_t rank, uint32_t n_ranks, uint64_t iterations)
{
    const struct ct_trace_header header = {.rank = rank, .n_ranks = n_ranks};
    struct writer writer = {.lattice = {.grid = ct_grid_make((int)n_ranks, CT_LATTICE_AXES, true),
                                        .edge = {EDGE, EDGE, EDGE, 2 * EDGE},
                                        .site_words = SITE_WORDS},
                            .rank = (int)rank,
                            .random = rank};
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    struct ct_error err;
    ct_trace_file_name(rank, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fputs("make_milc_trace: the path is too long\n", stderr);
        exit(1);
    }
    must(ct_trace_stream_open(path, &header, &writer.stream, &err), &err);
    write_communicators(&writer, n_ranks);
    add(&writer, (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
    for (uint64_t i = 0; i < iterations; i++) {
        gather(&writer, false);
        gather(&writer, true);
        for (int reduction = 0; reduction < 2; reduction++) {
            add(&writer,
                (struct ct_trace_event){.kind = CT_TRACE_ALLREDUCE, .bytes = sizeof(double)});
            compute(&writer, REST_NS);
        }
    }
    add(&writer, (struct ct_trace_event){.kind = CT_TRACE_END});
    must(ct_trace_stream_close(writer.stream, &err), &err);
}

int main(int argc, char **argv)
{
    struct ct_error err;
    uint64_t n_ranks, iterations;
    if (argc != 4) {
        fputs("usage: make_milc_trace FOLDER RANKS ITERATIONS\n", stderr);
        return 2;
    }
    must(ct_parse_u64(argv[2], &n_ranks, &err), &err);
    must(ct_parse_u64(argv[3], &iterations, &err), &err);
    if (n_ranks < 1 || n_ranks > CT_TRACE_RANKS_MAX) {
        fprintf(stderr, "make_milc_trace: ranks: not within 1 to %d\n", CT_TRACE_RANKS_MAX);
        return 2;
    }
    if (mkdir(argv[1], 0777) != 0) {
        perror(argv[1]);
        return 1;
    }
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        write_rank(argv[1], rank, (uint32_t)n_ranks, iterations);
    return 0;
}
