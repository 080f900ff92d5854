#include "topology/spec.h"

#include "topology/generators.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct ct_topology_settings ct_topology_defaults(void)
{
    return (struct ct_topology_settings){
        .rate_bit_per_s = NAN, .uplink_bit_per_s = NAN, .wire_s = NAN};
}

/* What a text says: sizes joined by 'x' or ',', and those behind a separator. */
struct sizes {
    uint32_t n, value[CT_SHAPE_DIMENSIONS_MAX];
};

struct request {
    const char *text;
    struct sizes first, second; /* "4x4,2": 4, 4 and 2 */
    const struct ct_topology_settings *settings;
    struct ct_shape shape;
    enum ct_tree_names names;
};

typedef enum ct_status filler(struct ct_topology_builder *, const struct ct_shape *,
                              const struct ct_topology_settings *, struct ct_error *);

/* A kind: what may be written behind it, and what becomes of that. */
struct kind {
    const char *name, *form;
    char joint;     /* between the first sizes */
    char separator; /* before the second ones */
    uint32_t first_min, first_max, second_min, second_max;
    enum ct_status (*shape)(struct request *request, struct ct_error *err);
    filler *fill; /* NULL: a tree */
    const struct ct_routing *routing;
};

/* ---- shapes ---- */

static enum ct_status shape_switch(struct request *request, struct ct_error *err)
{
    uint32_t n = request->first.n > 0 ? request->first.value[0] : request->settings->n_nodes;
    if (n == 0)
        return ct_fail(err, CT_EUSAGE, "topology '%s': of how many nodes? Give switch:N",
                       request->text);
    request->shape = (struct ct_shape){.n = 1, .down = {n}, .up = {1}};
    request->names = CT_TREE_SWITCH;
    return CT_OK;
}

static enum ct_status shape_tree(struct request *request, struct ct_error *err)
{
    uint32_t spines = request->second.n > 0 ? request->second.value[0] : 1;
    if (request->settings->spines > 0) {
        if (request->second.n > 0 && request->settings->spines != spines)
            return ct_fail(err, CT_EUSAGE, "topology '%s': has %u spines, not %u", request->text,
                           spines, request->settings->spines);
        spines = request->settings->spines;
    }
    request->shape = (struct ct_shape){
        .n = 2, .down = {request->first.value[1], request->first.value[0]}, .up = {1, spines}};
    request->names = CT_TREE_LEAF_SPINE;
    return CT_OK;
}

static enum ct_status shape_fat_tree(struct request *request, struct ct_error *err)
{
    uint32_t radix = request->first.value[0];
    uint32_t tiers = request->first.n > 1 ? request->first.value[1] : 3;
    if (radix < 2 || radix % 2 != 0)
        return ct_fail(err, CT_EUSAGE, "topology '%s': the radix must be even", request->text);
    if (tiers > CT_SHAPE_DIMENSIONS_MAX)
        return ct_fail(err, CT_EUSAGE, "topology '%s': at most %d tiers", request->text,
                       CT_SHAPE_DIMENSIONS_MAX);
    request->shape = (struct ct_shape){.n = tiers};
    for (uint32_t i = 0; i < tiers; i++) {
        request->shape.down[i] = i + 1 < tiers ? radix / 2 : radix;
        request->shape.up[i] = i > 0 ? radix / 2 : 1;
    }
    request->names = CT_TREE_LEVELS;
    return CT_OK;
}

static enum ct_status shape_xgft(struct request *request, struct ct_error *err)
{
    if (request->first.n != request->second.n)
        return ct_fail(err, CT_EUSAGE, "topology '%s': as many numbers of parents as of children",
                       request->text);
    request->shape = (struct ct_shape){.n = request->first.n};
    memcpy(request->shape.down, request->first.value, sizeof request->shape.down);
    memcpy(request->shape.up, request->second.value, sizeof request->shape.up);
    request->names = CT_TREE_LEVELS;
    return CT_OK;
}

static enum ct_status shape_dragonfly(struct request *request, struct ct_error *err)
{
    const uint32_t *value = request->first.value;
    uint32_t g = value[0], a = value[1], fewest = (g - 1 + a - 1) / a;
    uint32_t h = request->first.n > 3 ? value[3] : fewest;
    if ((uint64_t)a * h < g - 1)
        return ct_fail(err, CT_EUSAGE,
                       "topology '%s': %u switches with %u links to other groups do not join a "
                       "group to the %u others; H must be at least %u",
                       request->text, a, h, g - 1, fewest);
    if ((uint64_t)a * h > CT_TOPOLOGY_LINKS_MAX)
        return ct_fail(err, CT_EINVAL, "topology '%s': too many links", request->text);
    request->shape = (struct ct_shape){
        .groups = g, .group_switches = a, .nodes_per_switch = value[2], .globals = h};
    return CT_OK;
}

static enum ct_status shape_torus(struct request *request, struct ct_error *err)
{
    (void)err;
    request->shape =
        (struct ct_shape){.n = request->first.n,
                          .nodes_per_switch = request->second.n > 0 ? request->second.value[0] : 1};
    memcpy(request->shape.down, request->first.value, sizeof request->shape.down);
    return CT_OK;
}

static const struct kind kinds[] = {
    {"switch", "switch:N", 0, 0, 0, 1, 0, 0, shape_switch, NULL, &ct_xgft_routing},
    {"tree", "tree:LEAVESxHOSTS[,SPINES]", 'x', ',', 2, 2, 0, 1, shape_tree, NULL,
     &ct_xgft_routing},
    {"fat-tree", "fat-tree:RADIX[xTIERS]", 'x', 0, 1, 2, 0, 0, shape_fat_tree, NULL,
     &ct_xgft_routing},
    {"xgft", "xgft:M1,M2,.../W1,W2,... (at most 8 levels)", ',', '/', 1, CT_SHAPE_DIMENSIONS_MAX, 1,
     CT_SHAPE_DIMENSIONS_MAX, shape_xgft, NULL, &ct_xgft_routing},
    {"dragonfly", "dragonfly:G,A,P[,H]", ',', 0, 3, 4, 0, 0, shape_dragonfly, ct_dragonfly_fill,
     &ct_dragonfly_routing},
    {"torus", "torus:XxYx...[,P] (at most 8 dimensions)", 'x', ',', 1, CT_SHAPE_DIMENSIONS_MAX, 0,
     1, shape_torus, ct_torus_fill, &ct_torus_routing}};

/* ---- the text ---- */

static const struct kind *find_kind(const char *text)
{
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == length && !strncmp(kinds[i].name, text, length))
            return &kinds[i];
    return NULL;
}

bool ct_topology_is_spec(const char *text)
{
    return find_kind(text) != NULL;
}

/* Sizes from 1 up to the largest number of nodes; stops behind the last one. */
static bool parse_sizes(const char **text, char joint, struct sizes *sizes)
{
    const char *at = *text;
    do {
        if (sizes->n > 0)
            at++;
        uint64_t value = 0;
        if (sizes->n == CT_SHAPE_DIMENSIONS_MAX || !isdigit((unsigned char)*at))
            return false;
        for (; isdigit((unsigned char)*at) && value <= CT_TOPOLOGY_NODES_MAX; at++)
            value = 10 * value + (uint64_t)(*at - '0');
        if (value < 1 || value > CT_TOPOLOGY_NODES_MAX)
            return false;
        sizes->value[sizes->n++] = (uint32_t)value;
    } while (joint && *at == joint);
    *text = at;
    return true;
}

static bool parse_numbers(const struct kind *kind, struct request *request)
{
    const char *at = request->text + strlen(kind->name);
    bool ok = true;
    if (*at == ':') {
        at++;
        ok = parse_sizes(&at, kind->joint, &request->first);
        if (ok && kind->separator && *at == kind->separator) {
            at++;
            ok = parse_sizes(&at, kind->separator == ',' ? 0 : ',', &request->second);
        }
    }
    return ok && *at == '\0' && request->first.n >= kind->first_min &&
           request->first.n <= kind->first_max && request->second.n >= kind->second_min &&
           request->second.n <= kind->second_max;
}

/* ---- limits ---- */

struct counts {
    double nodes, switches, links;
};

static struct counts count_tree(const struct ct_shape *shape)
{
    struct counts counts = {0};
    for (uint32_t level = 0; level <= shape->n; level++) {
        double size = 1;
        for (uint32_t digit = 0; digit < shape->n; digit++)
            size *= digit < level ? shape->up[digit] : shape->down[digit];
        if (level == 0)
            counts.nodes = size;
        else
            counts.switches += size;
        if (level < shape->n)
            counts.links += size * shape->up[level];
    }
    return counts;
}

static struct counts count_others(const struct ct_shape *shape)
{
    double a = shape->group_switches, switches = (double)shape->groups * a;
    double links = switches * ((a - 1) / 2 + shape->globals);
    if (shape->groups == 0) {
        switches = 1;
        for (uint32_t d = 0; d < shape->n; d++)
            switches *= shape->down[d];
        links = switches * shape->n;
    }
    double nodes = switches * shape->nodes_per_switch;
    return (struct counts){nodes, switches, links + nodes};
}

static enum ct_status check_size(const struct kind *kind, const struct request *request,
                                 struct ct_error *err)
{
    struct counts counts = kind->fill ? count_others(&request->shape) : count_tree(&request->shape);
    if (counts.nodes <= CT_TOPOLOGY_NODES_MAX &&
        counts.nodes + counts.switches <= CT_TOPOLOGY_VERTICES_MAX &&
        counts.links <= CT_TOPOLOGY_LINKS_MAX)
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "topology '%s': %.0f nodes, %.0f switches and %.0f links; at most %d nodes, %d "
                   "nodes and switches, and %d links are possible",
                   request->text, counts.nodes, counts.switches, counts.links,
                   CT_TOPOLOGY_NODES_MAX, CT_TOPOLOGY_VERTICES_MAX, CT_TOPOLOGY_LINKS_MAX);
}

/* ---- the topology ---- */

static enum ct_status generate_topology(const struct kind *kind, const struct request *request,
                                        struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_builder *builder = ct_topology_builder_new(request->text);
    enum ct_status status;
    if (!builder)
        return ct_no_memory(err, "topology");
    if (kind->fill)
        status = kind->fill(builder, &request->shape, request->settings, err);
    else
        status = ct_xgft_fill(builder, &request->shape, request->names, request->settings, err);
    if (status != CT_OK) {
        ct_topology_builder_free(builder);
        return status;
    }
    struct ct_topology topology;
    CT_TRY(ct_topology_build(builder, &topology, err));
    topology.routing = kind->routing;
    topology.shape = request->shape;
    *topology_p = topology;
    return CT_OK;
}

enum ct_status ct_topology_make(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err)
{
    const struct kind *kind = find_kind(text);
    struct request request = {.text = text, .settings = settings};
    if (!kind)
        return ct_fail(err, CT_EUSAGE,
                       "topology '%s': neither switch:N, tree:LEAVESxHOSTS, fat-tree:RADIXxTIERS, "
                       "xgft:M1,../W1,.., dragonfly:G,A,P nor torus:XxY",
                       text);
    if (!parse_numbers(kind, &request))
        return ct_fail(err, CT_EUSAGE, "topology '%s': write %s, each number from 1 to %d", text,
                       kind->form, CT_TOPOLOGY_NODES_MAX);
    if (settings->spines > 0 && kind->shape != shape_tree)
        return ct_fail(err, CT_EUSAGE, "topology '%s': only a tree has a number of spines", text);
    CT_TRY(kind->shape(&request, err));
    CT_TRY(check_size(kind, &request, err));
    return generate_topology(kind, &request, topology_p, err);
}
