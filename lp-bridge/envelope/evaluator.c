#include "core/array.h"
#include "core/file.h"
#include "core/map.h"
#include "lp-bridge/envelope/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_FILE = -1 };

/* The evaluator and what is needed only while it is made. */
struct compiler {
    struct ct_evaluator *evaluator;
    struct ct_map slopes; /* bits of a slope -> its number */
    size_t room_slopes;
    const struct ct_stream_trails *trails; /* NULL: none */
    struct ct_fold_writers writers;        /* with trails only */
};

struct ct_plane ct_plane_of_latency(struct ct_loggps at)
{
    struct ct_loggps origin = {at.o_ns, 0, at.G_ns_per_byte};
    return (struct ct_plane){.origin = origin, .slope = {{.L_ns = 1}}};
}

struct ct_plane ct_plane_of_gap(struct ct_loggps at)
{
    struct ct_loggps origin = {at.o_ns, at.L_ns, 0};
    return (struct ct_plane){.origin = origin, .slope = {{.G_ns_per_byte = 1}}};
}

struct ct_plane ct_plane_of_growth(struct ct_loggps at, struct ct_growth growth)
{
    return (struct ct_plane){.origin = {.L_ns = (1 - growth.L) * at.L_ns,
                                        .o_ns = (1 - growth.o) * at.o_ns,
                                        .G_ns_per_byte = (1 - growth.G) * at.G_ns_per_byte},
                             .slope = {{.L_ns = growth.L * at.L_ns,
                                        .o_ns = growth.o * at.o_ns,
                                        .G_ns_per_byte = growth.G * at.G_ns_per_byte}},
                             .overheads_share = growth.o};
}

/* The fold's slots, with one in between for T. */
static uint32_t slot_of(struct ct_fold_node node)
{
    return node.slot == CT_SLOT_ZERO ? CT_SLOT_ZERO : node.slot + CT_SLOT_T;
}

/* Index of a slope in the evaluator. */
static bool number_slope(struct compiler *compiler, double slope, uint32_t *index_p)
{
    struct ct_evaluator *evaluator = compiler->evaluator;
    uint64_t bits;
    slope += 0.0; /* -0.0 is 0.0 */
    memcpy(&bits, &slope, sizeof bits);
    if (!ct_map_number(&compiler->slopes, bits, index_p) ||
        !CT_ARRAY_RESERVE(evaluator->slopes, compiler->room_slopes, compiler->slopes.n))
        return false;
    evaluator->slopes[*index_p] = slope;
    evaluator->n_slopes = compiler->slopes.n;
    return true;
}

static bool append_edge(struct compiler *compiler, const struct ct_fold_edge *from, uint32_t source)
{
    struct ct_evaluator *evaluator = compiler->evaluator;
    struct ct_stream_edge edge = {.cost_ns = from->cost_ns, .source = source};
    if (!number_slope(compiler, from->slope[0], &edge.slope))
        return false;
    if (evaluator->origins)
        evaluator->origins[evaluator->n_edges] =
            (struct ct_stream_origin){ct_fold_writer(&compiler->writers, source), from->trail};
    evaluator->edges[evaluator->n_edges++] = edge;
    return true;
}

static bool close_join(struct compiler *compiler, uint32_t target)
{
    struct ct_evaluator *evaluator = compiler->evaluator;
    evaluator->edges[evaluator->n_edges - 1].source |= UINT32_C(1) << CT_STREAM_LAST_BIT;
    evaluator->targets[evaluator->n_joins++] = target;
    if (!evaluator->origins)
        return true;
    if (target == CT_SLOT_T)
        evaluator->last_join = (uint32_t)evaluator->n_joins;
    return ct_fold_writers_note(&compiler->writers, target, evaluator->n_joins);
}

static enum ct_status append_join(void *data, struct ct_fold_node target,
                                  const struct ct_fold_edge *edges, size_t n_edges,
                                  struct ct_error *err)
{
    struct compiler *compiler = data;
    for (size_t i = 0; i < n_edges; i++)
        if (!append_edge(compiler, &edges[i], slot_of(edges[i].source)))
            return ct_no_memory(err, "evaluation of the graph");
    return close_join(compiler, slot_of(target)) ? CT_OK
                                                 : ct_no_memory(err, "evaluation of the graph");
}

/* T = max(T, end), as a join into the slot of T. */
static enum ct_status append_end(void *data, const struct ct_fold_edge *end, struct ct_error *err)
{
    struct compiler *compiler = data;
    static const struct ct_fold_edge nothing = {.cost_ns = 0};
    if (!append_edge(compiler, &nothing, CT_SLOT_T) ||
        !append_edge(compiler, end, slot_of(end->source)))
        return ct_no_memory(err, "evaluation of the graph");
    return close_join(compiler, CT_SLOT_T) ? CT_OK : ct_no_memory(err, "evaluation of the graph");
}

static enum ct_status note_output(void *data, uint32_t rank, uint32_t slot, struct ct_error *err)
{
    struct compiler *compiler = data;
    (void)err;
    compiler->evaluator->outputs[rank] = slot_of((struct ct_fold_node){.slot = slot});
    return CT_OK;
}

/*
 * Room for the most that there can be: pages that are never written cost nothing, and what grows in
 * steps is at times there twice.
 */
static struct ct_evaluator *new_program(const struct ct_graph *graph, bool with_trails)
{
    struct ct_evaluator *evaluator = calloc(1, sizeof *evaluator);
    size_t n_final = 0;
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        n_final += (graph->what[v] & CT_VERTEX_FINAL) != 0;
    if (!evaluator)
        return NULL;
    size_t n_edges = graph->n_edges + 2 * n_final + 1;
    evaluator->edges = malloc(n_edges * sizeof *evaluator->edges);
    evaluator->targets = malloc((graph->n_vertices + n_final + 1) * sizeof *evaluator->targets);
    if (with_trails)
        evaluator->origins = malloc(n_edges * sizeof *evaluator->origins);
    if (graph->is_continued)
        evaluator->outputs = malloc(graph->n_ranks * sizeof *evaluator->outputs);
    evaluator->n_ranks = graph->n_ranks;
    evaluator->file = NO_FILE;
    if (evaluator->edges && evaluator->targets && (evaluator->origins || !with_trails) &&
        (evaluator->outputs || !graph->is_continued))
        return evaluator;
    ct_evaluator_free(evaluator);
    return NULL;
}

static void shrink_array(void **array, size_t n, size_t size)
{
    void *smaller = ct_array_resize(*array, n + 1, size);
    if (smaller)
        *array = smaller;
}

static uint32_t find_travel(void *data, uint32_t trail, const struct ct_cost *cost)
{
    const struct compiler *compiler = data;
    return compiler->trails->travel(compiler->trails->data, trail, cost);
}

enum ct_status ct_stream_compile(const struct ct_graph *graph, const struct ct_plane *plane,
                                 const struct ct_stream_trails *trails,
                                 struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    struct ct_evaluator *evaluator = new_program(graph, trails != NULL);
    if (!evaluator)
        return ct_no_memory(err, "evaluation of the graph");
    struct compiler compiler = {.evaluator = evaluator, .trails = trails};
    struct ct_fold_visitor visitor = {.join = append_join,
                                      .end = append_end,
                                      .output = note_output,
                                      .data = &compiler,
                                      .travel = trails ? find_travel : NULL};
    struct ct_plane along = *plane;
    along.slope[1] = (struct ct_loggps){0};
    struct ct_fold_size size;
    enum ct_status status = ct_graph_fold(graph, &along, &visitor, &size, err);
    ct_map_free(&compiler.slopes);
    free(compiler.writers.join);
    if (status != CT_OK) {
        ct_evaluator_free(evaluator);
        return status;
    }
    shrink_array((void **)&evaluator->edges, evaluator->n_edges, sizeof *evaluator->edges);
    shrink_array((void **)&evaluator->targets, evaluator->n_joins, sizeof *evaluator->targets);
    if (trails)
        shrink_array((void **)&evaluator->origins, evaluator->n_edges, sizeof *evaluator->origins);
    evaluator->n_slots = (size_t)size.n_slots + CT_SLOT_T;
    *evaluator_p = evaluator;
    return CT_OK;
}

enum ct_status ct_evaluator_compile(const struct ct_graph *graph, const struct ct_plane *plane,
                                    struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    return ct_stream_compile(graph, plane, NULL, evaluator_p, err);
}

void ct_evaluator_free(struct ct_evaluator *evaluator)
{
    if (evaluator && evaluator->file >= 0)
        close(evaluator->file);
    while (evaluator) {
        struct ct_evaluator *next = evaluator->next;
        free(evaluator->edges);
        free(evaluator->targets);
        free(evaluator->slopes);
        free(evaluator->origins);
        free(evaluator->outputs);
        free(evaluator);
        evaluator = next;
    }
}

/* ---- parts ---- */

static const char *find_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/var/tmp";
}

static enum ct_status fail_file(const char *what, struct ct_error *err)
{
    return ct_fail(err, CT_EIO,
                   "evaluation of the graph: cannot %s a file in %s: %s; it needs 30 B an "
                   "operation: TMPDIR=FOLDER names another folder",
                   what, find_folder(), strerror(errno));
}

static enum ct_status make_file(struct ct_evaluator *evaluator, struct ct_error *err)
{
    evaluator->file = ct_file_open_unnamed(find_folder());
    return evaluator->file >= 0 ? CT_OK : fail_file("make", err);
}

/* What takes the memory goes to the file. */
static enum ct_status store_part(const struct ct_evaluator *first, struct ct_evaluator *part,
                                 off_t *end, struct ct_error *err)
{
    const size_t edges = part->n_edges * sizeof *part->edges,
                 targets = part->n_joins * sizeof *part->targets;
    part->offset = *end;
    struct ct_file file = {.fd = first->file};
    ct_file_write(&file, part->edges, edges, *end);
    ct_file_write(&file, part->targets, targets, *end + (off_t)edges);
    if (file.failure != 0) {
        errno = file.failure;
        return fail_file("write", err);
    }
    *end += (off_t)(edges + targets);
    free(part->edges);
    free(part->targets);
    part->edges = NULL;
    part->targets = NULL;
    return CT_OK;
}

enum ct_status ct_evaluator_append(const struct ct_graph *graph, const struct ct_plane *plane,
                                   struct ct_evaluator_parts *parts, struct ct_error *err)
{
    struct ct_evaluator *part;
    CT_TRY(ct_stream_compile(graph, plane, NULL, &part, err));
    if (parts->last)
        parts->last->next = part;
    else
        parts->evaluator = part;
    parts->last = part;
    if (part == parts->evaluator && !graph->is_continued)
        return CT_OK;
    if (part == parts->evaluator)
        CT_TRY(make_file(part, err));
    return store_part(parts->evaluator, part, &parts->file_end, err);
}

struct ct_evaluator_size ct_evaluator_size(const struct ct_evaluator *evaluator)
{
    struct ct_evaluator_size size = {.evaluation_bytes = ct_walk_bytes(evaluator)};
    for (const struct ct_evaluator *part = evaluator; part; part = part->next) {
        size.joins += part->n_joins;
        size.edges += part->n_edges;
        size.slots = part->n_slots > size.slots ? part->n_slots : size.slots;
        size.bytes += part->n_edges * sizeof *part->edges + part->n_joins * sizeof *part->targets +
                      part->n_slopes * sizeof *part->slopes;
    }
    return size;
}
