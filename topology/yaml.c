/* Topologies in YAML. */
#include "core/text.h"
#include "core/text_map.h"
#include "core/units.h"
#include "topology/hostlist.h"
#include "topology/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

enum { KEYS_MAX = 6, COUNT_MAX = 10000 };

struct reader {
    const char *source;
    yaml_document_t *document;
    struct ct_topology_builder *builder;
    struct ct_text_map vertices; /* number */
};

/* An entry of a list: texts of its keys, in the order of the list's. */
struct entry {
    const char *text[KEYS_MAX]; /* NULL: not given */
    uint32_t line;
};

static uint32_t line_of(const yaml_node_t *node)
{
    return (uint32_t)node->start_mark.line + 1;
}

/* ---- values ---- */

static enum ct_status rate_of(const struct reader *reader, const struct entry *entry,
                              const char *text, double *rate_p, struct ct_error *err)
{
    enum ct_status status = text ? ct_parse_rate(text, rate_p, err) : CT_OK;
    if (status == CT_OK && text && !(*rate_p > 0))
        return ct_topology_fail(err, reader->source, entry->line, "rate '%s': not above 0", text);
    return status == CT_OK ? CT_OK : ct_fail_at_line(err, CT_EFORMAT, reader->source, entry->line);
}

static enum ct_status latency_of(const struct reader *reader, const struct entry *entry,
                                 const char *text, double *latency_p, struct ct_error *err)
{
    enum ct_status status = text ? ct_parse_duration(text, latency_p, err) : CT_OK;
    return status == CT_OK ? CT_OK : ct_fail_at_line(err, CT_EFORMAT, reader->source, entry->line);
}

static enum ct_status names_of(const struct reader *reader, const struct entry *entry,
                               const char *key, const char *text, struct ct_hostlist *list,
                               struct ct_error *err)
{
    if (!text)
        return ct_topology_fail(err, reader->source, entry->line, "'%s' is missing", key);
    enum ct_status status = ct_hostlist_expand(text, strlen(text), list, err);
    return status == CT_OK ? CT_OK : ct_fail_at_line(err, status, reader->source, entry->line);
}

/* ---- vertices and links ---- */

static enum ct_status declare_switch(struct reader *reader, const char *name, uint32_t line,
                                     uint32_t *number_p, struct ct_error *err)
{
    bool is_new;
    uint32_t *number = ct_text_map_put(&reader->vertices, name, strlen(name), &is_new);
    if (!number)
        return ct_no_memory(err, "topology");
    if (!is_new)
        return ct_topology_fail(err, reader->source, line, "%s is there twice", name);
    enum ct_status status =
        ct_topology_add(reader->builder, CT_ROLE_SWITCH, name, line, number, err);
    *number_p = *number;
    return status;
}

/* What has been named before, or a node that begins to be here. */
static enum ct_status find_or_add(struct reader *reader, const char *name, uint32_t line,
                                  uint32_t *number_p, struct ct_error *err)
{
    bool is_new;
    uint32_t *number = ct_text_map_put(&reader->vertices, name, strlen(name), &is_new);
    CT_TRY(number ? CT_OK : ct_no_memory(err, "topology"));
    if (is_new)
        CT_TRY(ct_topology_add(reader->builder, CT_ROLE_NODE, name, line, number, err));
    *number_p = *number;
    return CT_OK;
}

static enum ct_status connect_pair(struct reader *reader, const char *from, const char *to,
                                   const struct ct_link *link, uint32_t count, struct ct_error *err)
{
    struct ct_link joined = *link;
    CT_TRY(find_or_add(reader, from, link->line, &joined.end[0], err));
    CT_TRY(find_or_add(reader, to, link->line, &joined.end[1], err));
    for (uint32_t i = 0; i < count; i++)
        CT_TRY(ct_topology_connect(reader->builder, &joined, err));
    return CT_OK;
}

/* ---- entries ---- */

enum { SWITCH_NAME, SWITCH_NODES, SWITCH_RATE, SWITCH_LATENCY };
static const char *const switch_keys[KEYS_MAX] = {"name", "nodes", "rate", "latency"};
enum { LINK_FROM, LINK_TO, LINK_RATE, LINK_LATENCY, LINK_COUNT };
static const char *const link_keys[KEYS_MAX] = {"from", "to", "rate", "latency", "count"};
enum { ROUTE_AT, ROUTE_TO, ROUTE_VIA };
static const char *const route_keys[KEYS_MAX] = {"at", "to", "via"};

static enum ct_status take_switch(struct reader *reader, const struct entry *entry,
                                  struct ct_error *err)
{
    struct ct_hostlist list = {0};
    uint32_t number;
    enum ct_status status = names_of(reader, entry, "name", entry->text[SWITCH_NAME], &list, err);
    for (size_t i = 0; i < list.n && status == CT_OK; i++)
        status = declare_switch(reader, list.names[i], entry->line, &number, err);
    if (status == CT_OK && list.n > 1 && entry->text[SWITCH_NODES])
        status = ct_topology_fail(err, reader->source, entry->line,
                                  "two routes: nodes '%s' on several switches",
                                  entry->text[SWITCH_NODES]);
    ct_hostlist_free(&list);
    return status;
}

/* In a second pass, when it is known what is a switch. */
static enum ct_status take_switch_nodes(struct reader *reader, const struct entry *entry,
                                        struct ct_error *err)
{
    struct ct_link link = {.rate_bit_per_s = NAN, .latency_s = NAN, .line = entry->line};
    struct ct_hostlist list = {0};
    if (!entry->text[SWITCH_NODES])
        return CT_OK;
    enum ct_status status = names_of(reader, entry, "nodes", entry->text[SWITCH_NODES], &list, err);
    if (status == CT_OK)
        status = rate_of(reader, entry, entry->text[SWITCH_RATE], &link.rate_bit_per_s, err);
    if (status == CT_OK)
        status = latency_of(reader, entry, entry->text[SWITCH_LATENCY], &link.latency_s, err);
    for (size_t i = 0; i < list.n && status == CT_OK; i++) {
        if (ct_text_map_get(&reader->vertices, list.names[i], strlen(list.names[i])))
            status = ct_topology_fail(err, reader->source, entry->line,
                                      "two routes: %s is a switch, or on another one, too",
                                      list.names[i]);
        else
            status = connect_pair(reader, list.names[i], entry->text[SWITCH_NAME], &link, 1, err);
    }
    ct_hostlist_free(&list);
    return status;
}

static enum ct_status take_link(struct reader *reader, const struct entry *entry,
                                struct ct_error *err)
{
    struct ct_link link = {.rate_bit_per_s = NAN, .latency_s = NAN, .line = entry->line};
    struct ct_hostlist from = {0}, to = {0};
    uint64_t count = 1;
    const char *times = entry->text[LINK_COUNT];
    enum ct_status status = names_of(reader, entry, "from", entry->text[LINK_FROM], &from, err);
    if (status == CT_OK)
        status = names_of(reader, entry, "to", entry->text[LINK_TO], &to, err);
    if (status == CT_OK)
        status = rate_of(reader, entry, entry->text[LINK_RATE], &link.rate_bit_per_s, err);
    if (status == CT_OK)
        status = latency_of(reader, entry, entry->text[LINK_LATENCY], &link.latency_s, err);
    if (status == CT_OK && times &&
        (ct_parse_u64(times, &count, NULL) != CT_OK || count < 1 || count > COUNT_MAX))
        status = ct_topology_fail(err, reader->source, entry->line,
                                  "count '%s': not a number from 1 to %d", times, COUNT_MAX);
    for (size_t i = 0; i < from.n && status == CT_OK; i++)
        for (size_t j = 0; j < to.n && status == CT_OK; j++)
            status = connect_pair(reader, from.names[i], to.names[j], &link, (uint32_t)count, err);
    ct_hostlist_free(&from);
    ct_hostlist_free(&to);
    return status;
}

static enum ct_status add_route(struct reader *reader, const struct entry *entry, const char *to,
                                struct ct_error *err)
{
    const char *const names[] = {entry->text[ROUTE_AT], to, entry->text[ROUTE_VIA]};
    uint32_t number[3];
    for (size_t i = 0; i < 3; i++) {
        const uint32_t *found = ct_text_map_get(&reader->vertices, names[i], strlen(names[i]));
        if (!found)
            return ct_topology_fail(err, reader->source, entry->line, "%s has no link", names[i]);
        number[i] = *found;
    }
    const struct ct_given_route route = {number[0], number[1], number[2], entry->line};
    return ct_topology_route_over(reader->builder, &route, err);
}

static enum ct_status take_route(struct reader *reader, const struct entry *entry,
                                 struct ct_error *err)
{
    struct ct_hostlist list = {0};
    if (!entry->text[ROUTE_AT] || !entry->text[ROUTE_VIA])
        return ct_topology_fail(err, reader->source, entry->line, "'%s' is missing",
                                entry->text[ROUTE_AT] ? "via" : "at");
    enum ct_status status = names_of(reader, entry, "to", entry->text[ROUTE_TO], &list, err);
    for (size_t i = 0; i < list.n && status == CT_OK; i++)
        status = add_route(reader, entry, list.names[i], err);
    ct_hostlist_free(&list);
    return status;
}

/* ---- the document ---- */

typedef enum ct_status taker(struct reader *reader, const struct entry *entry,
                             struct ct_error *err);

/* A pass over one of the lists; switches are passed twice. */
static const struct pass {
    const char *list;
    const char *const *keys;
    taker *take;
} passes[] = {{"switches", switch_keys, take_switch},
              {"switches", switch_keys, take_switch_nodes},
              {"links", link_keys, take_link},
              {"routes", route_keys, take_route}};

static const char *text_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static enum ct_status read_entry(const struct reader *reader, const struct pass *pass,
                                 const yaml_node_t *node, struct entry *entry, struct ct_error *err)
{
    *entry = (struct entry){.line = line_of(node)};
    if (node->type != YAML_MAPPING_NODE)
        return ct_topology_fail(err, reader->source, entry->line,
                                "an entry of '%s' is no mapping, such as {%s: ..}", pass->list,
                                pass->keys[0]);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const char *name = text_of(key);
        const char *value = text_of(yaml_document_get_node(reader->document, pair->value));
        size_t k = 0;
        while (name && k < KEYS_MAX && pass->keys[k] && strcmp(pass->keys[k], name) != 0)
            k++;
        if (!name || k == KEYS_MAX || !pass->keys[k])
            return ct_topology_fail(err, reader->source, line_of(key), "'%.60s': no key of '%s'",
                                    name ? name : "?", pass->list);
        if (!value || entry->text[k])
            return ct_topology_fail(err, reader->source, line_of(key),
                                    value ? "'%s' is there twice" : "'%s' has no text as its value",
                                    name);
        entry->text[k] = value;
    }
    return CT_OK;
}

static enum ct_status take_list(struct reader *reader, const struct pass *pass,
                                const yaml_node_t *list, struct ct_error *err)
{
    if (list->type != YAML_SEQUENCE_NODE)
        return ct_topology_fail(err, reader->source, line_of(list), "'%s' is no list", pass->list);
    for (const yaml_node_item_t *item = list->data.sequence.items.start;
         item < list->data.sequence.items.top; item++) {
        struct entry entry;
        const yaml_node_t *node = yaml_document_get_node(reader->document, *item);
        CT_TRY(read_entry(reader, pass, node, &entry, err));
        CT_TRY(pass->take(reader, &entry, err));
    }
    return CT_OK;
}

/* The list of that key; NULL: it is not there. */
static const yaml_node_t *find_list(const struct reader *reader, const yaml_node_t *root,
                                    const char *name)
{
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top; pair++) {
        const char *key = text_of(yaml_document_get_node(reader->document, pair->key));
        if (key && !strcmp(key, name))
            return yaml_document_get_node(reader->document, pair->value);
    }
    return NULL;
}

static enum ct_status check_keys(const struct reader *reader, const yaml_node_t *root,
                                 struct ct_error *err)
{
    if (!root || root->type != YAML_MAPPING_NODE)
        return ct_topology_fail(err, reader->source, root ? line_of(root) : 1,
                                "neither of Slurm nor of ibnetdiscover, nor YAML with the lists "
                                "switches, links and routes");
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, pair->key);
        const char *key = text_of(node);
        size_t i = 0, n = sizeof passes / sizeof *passes;
        while (key && i < n && strcmp(passes[i].list, key) != 0)
            i++;
        if (!key || i == n)
            return ct_topology_fail(err, reader->source, line_of(node),
                                    "'%.60s': not one of switches, links, routes", key ? key : "?");
        if (find_list(reader, root, key) != yaml_document_get_node(reader->document, pair->value))
            return ct_topology_fail(err, reader->source, line_of(node), "'%s' is there twice", key);
    }
    return CT_OK;
}

/* ---- Slurm's topology.yaml: a list of topologies ---- */

/* The value of a key; NULL: it is not there, or the node is no mapping. */
static const yaml_node_t *value_of(const struct reader *reader, const yaml_node_t *node,
                                   const char *key)
{
    return node && node->type == YAML_MAPPING_NODE ? find_list(reader, node, key) : NULL;
}

static bool is_true(const char *text)
{
    static const char *const words[] = {"true", "yes", "on"};
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(text, words[i]))
            return true;
    return false;
}

static struct ct_switch_text list_of(const struct reader *reader, const yaml_node_t *node,
                                     const char *key)
{
    const char *text = text_of(value_of(reader, node, key));
    if (!text || !*text)
        return (struct ct_switch_text){.text = NULL};
    return (struct ct_switch_text){text, strlen(text)};
}

static enum ct_status take_slurm_switch(const struct reader *reader, const yaml_node_t *node,
                                        struct ct_switch_entry *entry, struct ct_error *err)
{
    static const char *const keys[] = {"switch", "children", "nodes"};
    *entry = (struct ct_switch_entry){.name = list_of(reader, node, "switch"),
                                      .switches = list_of(reader, node, "children"),
                                      .nodes = list_of(reader, node, "nodes"),
                                      .line = line_of(node)};
    if (!entry->name.text)
        return ct_topology_fail(err, reader->source, entry->line, "'switch' is missing");
    if (entry->switches.text && entry->nodes.text)
        return ct_topology_fail(err, reader->source, entry->line,
                                "both children and nodes; a switch has either");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const char *key = text_of(yaml_document_get_node(reader->document, pair->key));
        size_t i = 0;
        while (key && i < 3 && strcmp(key, keys[i]) != 0)
            i++;
        if (!key || i == 3)
            return ct_topology_fail(err, reader->source, entry->line,
                                    "'%.60s': not one of switch, children, nodes", key ? key : "?");
    }
    return CT_OK;
}

static enum ct_status take_slurm_tree(struct reader *reader, const yaml_node_t *tree,
                                      struct ct_error *err)
{
    const yaml_node_t *list = value_of(reader, tree, "switches");
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return ct_topology_fail(err, reader->source, line_of(tree), "a tree without 'switches'");
    size_t n = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    struct ct_switch_entry *entries = calloc(n + 1, sizeof *entries);
    enum ct_status status = entries ? CT_OK : ct_no_memory(err, "topology");
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = take_slurm_switch(
            reader, yaml_document_get_node(reader->document, list->data.sequence.items.start[i]),
            &entries[i], err);
    if (status == CT_OK)
        status = ct_topology_add_switches(reader->builder, reader->source, entries, n, err);
    free(entries);
    return status;
}

/* What a list of topologies has. */
struct slurm_list {
    const yaml_node_t *chosen; /* the tree of the cluster's default, else the first one */
    const char *chosen_name;
    const char *other_name; /* of the last other tree */
    size_t n, n_trees;
    bool is_default;
};

static struct slurm_list find_trees(const struct reader *reader, const yaml_node_t *root)
{
    struct slurm_list found = {.n = 0};
    for (const yaml_node_item_t *item = root->data.sequence.items.start;
         item < root->data.sequence.items.top; item++) {
        const yaml_node_t *node = yaml_document_get_node(reader->document, *item);
        const yaml_node_t *tree = value_of(reader, node, "tree");
        const char *name = text_of(value_of(reader, node, "topology"));
        if (!name)
            continue;
        found.n++;
        found.n_trees += tree != NULL;
        bool is_default = is_true(text_of(value_of(reader, node, "cluster_default")));
        if (tree && (!found.chosen || (is_default && !found.is_default))) {
            found.other_name = found.chosen ? found.chosen_name : NULL;
            found.chosen = tree;
            found.chosen_name = name;
            found.is_default = is_default;
        } else if (tree) {
            found.other_name = name;
        }
    }
    return found;
}

static enum ct_status take_slurm(struct reader *reader, const yaml_node_t *root,
                                 struct ct_error *err)
{
    struct slurm_list found = find_trees(reader, root);
    if (found.n == 0)
        return ct_topology_fail(err, reader->source, line_of(root),
                                "a list whose entries have no key 'topology', as Slurm's "
                                "topology.yaml; else give the lists switches, links and routes");
    if (!found.chosen)
        return ct_topology_fail(err, reader->source, line_of(root),
                                "Slurm's topology.yaml without a 'tree', the only one of its "
                                "topologies that names switches: give the output of ibnetdiscover, "
                                "or YAML with the lists "
                                "switches, links and routes");
    if (found.n_trees > 1 && !found.is_default)
        return ct_topology_fail(err, reader->source, line_of(found.chosen),
                                "%zu trees, such as %.60s and %.60s: mark the one to be read with "
                                "'cluster_default: true'",
                                found.n_trees, found.chosen_name, found.other_name);
    CT_TRY(take_slurm_tree(reader, found.chosen, err));
    if (found.n > 1)
        CT_TRY(ct_topology_note(reader->builder, err,
                                "Of the %zu topologies of this file this is the tree '%.60s'%s.",
                                found.n, found.chosen_name,
                                found.is_default ? "" : ", which is not the cluster's default"));
    return CT_OK;
}

/* ---- the whole ---- */

static enum ct_status take_document(struct reader *reader, struct ct_error *err)
{
    const yaml_node_t *root = yaml_document_get_root_node(reader->document);
    if (root && root->type == YAML_SEQUENCE_NODE)
        return take_slurm(reader, root, err);
    CT_TRY(check_keys(reader, root, err));
    for (size_t i = 0; root && i < sizeof passes / sizeof *passes; i++) {
        const yaml_node_t *list = find_list(reader, root, passes[i].list);
        if (list)
            CT_TRY(take_list(reader, &passes[i], list, err));
    }
    return CT_OK;
}

/* A file has one topology; what would follow must not be lost without a word. */
static enum ct_status check_end(const struct reader *reader, yaml_parser_t *parser,
                                struct ct_error *err)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return ct_topology_fail(err, reader->source, (uint32_t)parser->problem_mark.line + 1,
                                "no YAML: %s", parser->problem ? parser->problem : "out of memory");
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    uint32_t line = root ? line_of(root) : 0;
    yaml_document_delete(&document);
    return root ? ct_topology_fail(err, reader->source, line,
                                   "a second document ('---'): a file has one topology")
                : CT_OK;
}

static enum ct_status read_all(struct reader *reader, const char *text, struct ct_error *err)
{
    yaml_parser_t parser;
    yaml_document_t document;
    enum ct_status status;
    if (!yaml_parser_initialize(&parser))
        return ct_no_memory(err, "topology");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    if (yaml_parser_load(&parser, &document)) {
        reader->document = &document;
        status = take_document(reader, err);
        reader->document = NULL;
        yaml_document_delete(&document);
        if (status == CT_OK)
            status = check_end(reader, &parser, err);
    } else {
        status = ct_topology_fail(err, reader->source, (uint32_t)parser.problem_mark.line + 1,
                                  "no YAML: %s", parser.problem ? parser.problem : "out of memory");
    }
    yaml_parser_delete(&parser);
    return status;
}

enum ct_status ct_topology_read_yaml(const char *text, const char *source,
                                     struct ct_topology *topology_p, struct ct_error *err)
{
    CT_TRY(ct_text_check_nesting(text, strlen(text), source, err));
    struct reader reader = {.source = source, .builder = ct_topology_builder_new(source)};
    enum ct_status status =
        reader.builder ? read_all(&reader, text, err) : ct_no_memory(err, "topology");
    ct_text_map_free(&reader.vertices);
    if (status == CT_OK)
        return ct_topology_build(reader.builder, topology_p, err);
    ct_topology_builder_free(reader.builder);
    return status;
}
