#include "goal_example.h"

#include "lp-bridge/envelope/of_graph.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

const struct ct_graph_options eager = {.eager_max_bytes = SIZE_MAX};

uint64_t throw_die(uint64_t *state, uint64_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 11) % (n > 0 ? n : 1);
}

enum { RANKS_MAX = 64, TEXT_MAX = 1 << 20 };

/* Text of each rank as it grows, and how many operations it has. */
struct rank_text {
    char *text;
    size_t length;
    FILE *out;
    uint64_t n;
};

/* Up to two of the last few operations of the rank, so that chains are long and paths cross. */
static void add_dependencies(struct rank_text *rank, uint64_t *state)
{
    uint64_t op = rank->n;
    for (uint64_t k = throw_die(state, 3); k > 0 && op > 1; k--) {
        uint64_t back = 1 + throw_die(state, op - 1 < 6 ? op - 1 : 6);
        fprintf(rank->out, "l%llu %s l%llu\n", (unsigned long long)op,
                throw_die(state, 4) == 0 ? "irequires" : "requires",
                (unsigned long long)(op - back));
    }
}

static void add_step(struct rank_text *ranks, uint64_t *state, struct random_shape shape)
{
    uint32_t a = (uint32_t)throw_die(state, shape.n_ranks);
    uint32_t b = (uint32_t)throw_die(state, shape.n_ranks);
    if (throw_die(state, 3) == 0) {
        fprintf(ranks[a].out, "l%llu: calc %llu\n", (unsigned long long)++ranks[a].n,
                (unsigned long long)throw_die(state, shape.calc_max_ns));
        add_dependencies(&ranks[a], state);
        return;
    }
    unsigned long long bytes = throw_die(state, shape.bytes_max), tag = throw_die(state, 3);
    fprintf(ranks[a].out, "l%llu: send %llub to %u tag %llu\n", (unsigned long long)++ranks[a].n,
            bytes, b, tag);
    add_dependencies(&ranks[a], state);
    fprintf(ranks[b].out, "l%llu: recv %llub from %u tag %llu\n", (unsigned long long)++ranks[b].n,
            bytes, a, tag);
    /* A receive from itself that waits for a rendezvous send of its rank may wait for its own. */
    if (a != b)
        add_dependencies(&ranks[b], state);
}

/* Operations are made in an order in which they can run, so that there is no cycle. */
void write_random_goal(FILE *out, uint64_t seed, struct random_shape shape)
{
    struct rank_text ranks[RANKS_MAX] = {0};
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    assert_true(shape.n_ranks <= RANKS_MAX);
    for (uint32_t r = 0; r < shape.n_ranks; r++)
        ranks[r].out = open_memstream(&ranks[r].text, &ranks[r].length);
    for (uint32_t i = 0; i < shape.n_steps; i++)
        add_step(ranks, &state, shape);
    fprintf(out, "num_ranks %u\n", shape.n_ranks);
    for (uint32_t r = 0; r < shape.n_ranks; r++) {
        fclose(ranks[r].out);
        fprintf(out, "rank %u {\n%s}\n", r, ranks[r].text);
        free(ranks[r].text);
    }
}

static struct ct_goal read_goal(const char *path)
{
    struct ct_error err;
    struct ct_goal goal;
    if (ct_goal_read(path, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return goal;
}

/* A file for what follows; its name into path. */
static FILE *open_temporary(char path[64])
{
    snprintf(path, 64, "/tmp/crosstalk-test-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    return out;
}

static struct ct_goal read_and_remove(const char *path)
{
    struct ct_goal goal = read_goal(path);
    unlink(path);
    return goal;
}

struct ct_goal goal_of_text(const char *text)
{
    char path[64];
    FILE *out = open_temporary(path);
    fputs(text, out);
    fclose(out);
    return read_and_remove(path);
}

struct ct_goal random_goal(uint64_t seed, struct random_shape shape)
{
    char path[64];
    FILE *out = open_temporary(path);
    write_random_goal(out, seed, shape);
    fclose(out);
    return read_and_remove(path);
}

static struct ct_graph build(struct ct_goal goal, const struct ct_graph_options *options)
{
    struct ct_error err;
    struct ct_graph graph;
    if (ct_graph_build(&goal, options, &graph, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_goal_free(&goal);
    return graph;
}

struct ct_graph graph_of_text(const char *text, const struct ct_graph_options *options)
{
    return build(goal_of_text(text), options);
}

struct ct_graph random_graph(uint64_t seed, struct random_shape shape,
                             const struct ct_graph_options *options)
{
    return build(random_goal(seed, shape), options);
}

struct ct_graph graph_of_file(const char *name, const struct ct_graph_options *options)
{
    char path[4096];
    const char *source = getenv("CROSSTALK_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/goal/%s", source ? source : ".", name);
    return build(read_goal(path), options);
}

double runtime_by_envelope(const struct ct_graph *graph, struct ct_loggps at)
{
    double runtime_ns;
    assert_int_equal(ct_runtime_of_graph(graph, &at, &runtime_ns, NULL), CT_OK);
    return runtime_ns;
}
