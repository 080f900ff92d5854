/* The tree that Slurm's lists of switches describe. A switch may be below several others. */
#include "core/array.h"
#include "core/text_map.h"
#include "topology/hostlist.h"
#include "topology/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum color { UNSEEN, OPEN, CLOSED };

/* What an entry comes to. */
struct branch {
    size_t first, n; /* its children: indices into tree.children */
    size_t next;     /* child that is visited next */
    enum color color;
    bool is_kept;         /* there are nodes below */
    size_t last_parent_1; /* 1 + entry that listed it last */
    uint32_t number;
};

struct node {
    uint32_t number;
    size_t entry; /* that listed it last */
};

struct tree {
    struct ct_topology_builder *builder;
    const char *source;
    const struct ct_switch_entry *entries;
    size_t n;
    struct branch *branches; /* n */
    uint32_t *children;      /* indices of entries */
    size_t n_children, room_children;
    struct node *nodes;
    size_t n_nodes, room_nodes;
    struct ct_text_map by_name, nodes_by_name; /* index of the entry; of the node */
    uint32_t n_empty, n_shared; /* switches without nodes; nodes on several switches */
};

static char *name_of(const struct ct_switch_entry *entry)
{
    return strndup(entry->name.text, entry->name.length);
}

static enum ct_status name_switches(struct tree *tree, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < tree->n && status == CT_OK; i++) {
        char *name = name_of(&tree->entries[i]);
        bool is_new = true;
        uint32_t *index =
            name ? ct_text_map_put(&tree->by_name, name, strlen(name), &is_new) : NULL;
        if (!index)
            status = ct_no_memory(err, "topology");
        else if (!is_new)
            status = ct_topology_fail(err, tree->source, tree->entries[i].line,
                                      "switch %s is there twice; the other one is in line %u", name,
                                      tree->entries[*index].line);
        else
            *index = (uint32_t)i;
        free(name);
    }
    return status;
}

/* ---- which switches are below which ---- */

static enum ct_status add_child(struct tree *tree, size_t parent, const char *name,
                                struct ct_error *err)
{
    const uint32_t *index = ct_text_map_get(&tree->by_name, name, strlen(name));
    if (!index)
        return ct_topology_fail(err, tree->source, tree->entries[parent].line,
                                "switch %s is in no line of its own", name);
    struct branch *child = &tree->branches[*index];
    if (child->last_parent_1 == parent + 1)
        return ct_topology_fail(err, tree->source, tree->entries[parent].line,
                                "switch %s is there twice", name);
    child->last_parent_1 = parent + 1;
    if (!CT_ARRAY_RESERVE(tree->children, tree->room_children, tree->n_children + 1))
        return ct_no_memory(err, "topology");
    tree->children[tree->n_children++] = *index;
    return CT_OK;
}

static enum ct_status expand_list(const struct tree *tree, size_t i,
                                  const struct ct_switch_text *value, struct ct_hostlist *list,
                                  struct ct_error *err)
{
    enum ct_status status = ct_hostlist_expand(value->text, value->length, list, err);
    return status == CT_OK ? CT_OK
                           : ct_fail_at_line(err, status, tree->source, tree->entries[i].line);
}

static enum ct_status list_children(struct tree *tree, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < tree->n && status == CT_OK; i++) {
        const struct ct_switch_text *value = &tree->entries[i].switches;
        struct ct_hostlist list = {0};
        tree->branches[i].first = tree->n_children;
        if (value->text)
            status = expand_list(tree, i, value, &list, err);
        for (size_t k = 0; k < list.n && status == CT_OK; k++)
            status = add_child(tree, i, list.names[k], err);
        ct_hostlist_free(&list);
        tree->branches[i].n = tree->n_children - tree->branches[i].first;
    }
    return status;
}

/* Depth first: a switch that is met again before everything below it has been seen is below
 * itself. One without nodes below has nothing to say. */
static enum ct_status visit_below(struct tree *tree, size_t root, size_t *stack,
                                  struct ct_error *err)
{
    size_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
        size_t at = stack[depth - 1];
        struct branch *branch = &tree->branches[at];
        const struct ct_switch_entry *entry = &tree->entries[at];
        if (branch->color == UNSEEN) {
            branch->color = OPEN;
            branch->is_kept = !entry->switches.text && entry->nodes.text;
        }
        if (branch->next == branch->n) {
            branch->color = CLOSED;
            depth--;
            if (depth > 0 && branch->is_kept)
                tree->branches[stack[depth - 1]].is_kept = true;
            continue;
        }
        struct branch *child = &tree->branches[tree->children[branch->first + branch->next]];
        if (child->color == OPEN) {
            const struct ct_switch_entry *below = &tree->entries[child - tree->branches];
            return ct_topology_fail(err, tree->source, below->line,
                                    "a loop: switch %.*s is below itself", (int)below->name.length,
                                    below->name.text);
        }
        branch->is_kept = branch->is_kept || child->is_kept;
        stack[depth] = (size_t)(child - tree->branches);
        depth += child->color == UNSEEN;
        branch->next++;
    }
    return CT_OK;
}

static enum ct_status visit_all(struct tree *tree, struct ct_error *err)
{
    size_t *stack = malloc((tree->n + 1) * sizeof *stack);
    enum ct_status status = stack ? CT_OK : ct_no_memory(err, "topology");
    for (size_t i = 0; i < tree->n && status == CT_OK; i++)
        if (tree->branches[i].color == UNSEEN)
            status = visit_below(tree, i, stack, err);
    free(stack);
    return status;
}

/* ---- vertices and links ---- */

static enum ct_status add_vertices(struct tree *tree, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < tree->n && status == CT_OK; i++) {
        tree->n_empty += !tree->branches[i].is_kept;
        if (!tree->branches[i].is_kept)
            continue;
        char *name = name_of(&tree->entries[i]);
        status = name ? ct_topology_add(tree->builder, CT_ROLE_SWITCH, name, tree->entries[i].line,
                                        &tree->branches[i].number, err)
                      : ct_no_memory(err, "topology");
        free(name);
    }
    return status;
}

static enum ct_status join_entry(struct tree *tree, size_t entry, uint32_t number,
                                 struct ct_error *err)
{
    const struct ct_link link = {.end = {number, tree->branches[entry].number},
                                 .rate_bit_per_s = NAN,
                                 .latency_s = NAN,
                                 .line = tree->entries[entry].line};
    return ct_topology_connect(tree->builder, &link, err);
}

static enum ct_status add_node(struct tree *tree, size_t entry, const char *name,
                               struct ct_error *err)
{
    uint32_t line = tree->entries[entry].line;
    bool is_new;
    uint32_t *index = ct_text_map_put(&tree->nodes_by_name, name, strlen(name), &is_new);
    if (!index || !CT_ARRAY_RESERVE(tree->nodes, tree->room_nodes, tree->n_nodes + 1))
        return ct_no_memory(err, "topology");
    if (is_new) {
        *index = (uint32_t)tree->n_nodes;
        struct node *node = &tree->nodes[tree->n_nodes++];
        CT_TRY(ct_topology_add(tree->builder, CT_ROLE_NODE, name, line, &node->number, err));
    } else if (tree->nodes[*index].entry == entry) {
        return ct_topology_fail(err, tree->source, line, "node %s is there twice", name);
    } else {
        tree->n_shared++;
    }
    tree->nodes[*index].entry = entry;
    return join_entry(tree, entry, tree->nodes[*index].number, err);
}

static enum ct_status add_below(struct tree *tree, size_t i, struct ct_error *err)
{
    const struct ct_switch_entry *entry = &tree->entries[i];
    const struct branch *branch = &tree->branches[i];
    struct ct_hostlist list = {0};
    enum ct_status status = CT_OK;
    for (size_t k = 0; k < branch->n && status == CT_OK; k++) {
        const struct branch *child = &tree->branches[tree->children[branch->first + k]];
        if (child->is_kept)
            status = join_entry(tree, i, child->number, err);
    }
    if (!entry->switches.text && entry->nodes.text && status == CT_OK)
        status = expand_list(tree, i, &entry->nodes, &list, err);
    for (size_t k = 0; k < list.n && status == CT_OK; k++)
        status = add_node(tree, i, list.names[k], err);
    ct_hostlist_free(&list);
    return status;
}

static enum ct_status add_notes(const struct tree *tree, struct ct_error *err)
{
    if (tree->n_empty > 0)
        CT_TRY(ct_topology_note(tree->builder, err, "Left out: switches without nodes (%u).",
                                tree->n_empty));
    if (tree->n_shared > 0)
        CT_TRY(ct_topology_note(tree->builder, err,
                                "Nodes on several switches have a link to each (%u links more).",
                                tree->n_shared));
    return CT_OK;
}

enum ct_status ct_topology_add_switches(struct ct_topology_builder *builder, const char *source,
                                        const struct ct_switch_entry *entries, size_t n,
                                        struct ct_error *err)
{
    struct tree tree = {.builder = builder,
                        .source = source,
                        .entries = entries,
                        .n = n,
                        .branches = calloc(n + 1, sizeof *tree.branches)};
    enum ct_status status =
        tree.branches ? name_switches(&tree, err) : ct_no_memory(err, "topology");
    if (status == CT_OK)
        status = list_children(&tree, err);
    if (status == CT_OK)
        status = visit_all(&tree, err);
    if (status == CT_OK)
        status = add_vertices(&tree, err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        if (tree.branches[i].is_kept)
            status = add_below(&tree, i, err);
    if (status == CT_OK)
        status = add_notes(&tree, err);
    free(tree.branches);
    free(tree.children);
    free(tree.nodes);
    ct_text_map_free(&tree.by_name);
    ct_text_map_free(&tree.nodes_by_name);
    return status;
}
