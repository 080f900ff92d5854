/* Slurm's topology.conf, and what scontrol prints of it: one switch a line. */
#include "core/array.h"
#include "topology/hostlist.h"
#include "topology/readers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Values of a line, borrowed from the text. */
struct value {
    const char *text; /* NULL: not given */
    size_t length;
};

struct record {
    struct value name, switches, nodes;
    bool has_level;
    uint32_t line, number, parent; /* parent: 1 + index of its record; 0: none */
};

struct reader {
    const char *source;
    struct record *records;
    size_t n, room;
    struct ct_names switches, nodes; /* index of the record; line of a node */
    struct ct_topology_builder *builder;
};

static bool equals(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && !strncasecmp(key, name, length);
}

/* KEY=VALUE at `*at`; ends of lines and comments end it. */
static enum ct_status take_pair(struct reader *reader, const char **at, struct record *record,
                                struct ct_error *err)
{
    const char *key = *at;
    size_t length = strcspn(key, "= \t\r\n#");
    if (key[length] != '=')
        return ct_topology_fail(err, reader->source, record->line,
                                "'%.*s': not of the form KEY=VALUE",
                                (int)(length < 60 ? length : 60), key);
    struct value value = {key + length + 1, strcspn(key + length + 1, " \t\r\n#")};
    *at = value.text + value.length;
    if (equals(value.text, value.length, "(null)"))
        return CT_OK;
    struct value *field = NULL;
    if (equals(key, length, "SwitchName"))
        field = &record->name;
    else if (equals(key, length, "Switches"))
        field = &record->switches;
    else if (equals(key, length, "Nodes"))
        field = &record->nodes;
    else if (equals(key, length, "Level"))
        record->has_level = true;
    else if (!equals(key, length, "LinkSpeed"))
        return ct_topology_fail(err, reader->source, record->line,
                                "'%.*s': not one of SwitchName, Switches, Nodes, LinkSpeed, Level",
                                (int)(length < 60 ? length : 60), key);
    if (field && field->text)
        return ct_topology_fail(err, reader->source, record->line, "%.*s is there twice",
                                (int)length, key);
    if (field)
        *field = value;
    return CT_OK;
}

static enum ct_status check_record(const struct reader *reader, const struct record *record,
                                   struct ct_error *err)
{
    if (!record->name.text || record->name.length == 0)
        return ct_topology_fail(err, reader->source, record->line, "SwitchName is missing");
    if (!record->switches.text && !record->nodes.text)
        return ct_topology_fail(err, reader->source, record->line,
                                "neither Switches nor Nodes are given");
    /* scontrol lists the nodes of the switches below, too. */
    if (record->switches.text && record->nodes.text && !record->has_level)
        return ct_topology_fail(err, reader->source, record->line,
                                "both Switches and Nodes; a switch has either");
    return CT_OK;
}

/* One line; a backslash at its end continues it. */
static enum ct_status take_line(struct reader *reader, const char **at, uint32_t *line,
                                struct ct_error *err)
{
    struct record record = {.line = *line};
    enum ct_status status = CT_OK;
    bool any = false;
    while (status == CT_OK && **at && **at != '\n') {
        if (isspace((unsigned char)**at)) {
            ++*at;
        } else if (**at == '#') {
            *at += strcspn(*at, "\n");
        } else if (**at == '\\' && (*at)[1 + strspn(*at + 1, " \t\r")] == '\n') {
            *at += strcspn(*at, "\n") + 1;
            ++*line;
        } else {
            any = true;
            status = take_pair(reader, at, &record, err);
        }
    }
    if (status != CT_OK || !any)
        return status;
    status = check_record(reader, &record, err);
    if (status == CT_OK && !CT_ARRAY_RESERVE(reader->records, reader->room, reader->n + 1))
        status = ct_fail(err, CT_ENOMEM, "topology: out of memory");
    if (status == CT_OK)
        reader->records[reader->n++] = record;
    return status;
}

static enum ct_status take_lines(struct reader *reader, const char *text, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    uint32_t line = 1;
    while (*text && status == CT_OK) {
        status = take_line(reader, &text, &line, err);
        if (*text == '\n') {
            text++;
            line++;
        }
    }
    return status;
}

/* ---- the tree ---- */

static enum ct_status add_switches(struct reader *reader, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < reader->n && status == CT_OK; i++) {
        struct record *record = &reader->records[i];
        const char *text = record->name.text;
        char *name = text ? strndup(text, record->name.length) : NULL;
        bool is_new = true;
        uint32_t *value = name ? ct_names_put(&reader->switches, name, &is_new) : NULL;
        if (!value)
            status = ct_fail(err, CT_ENOMEM, "topology: out of memory");
        else if (!is_new)
            status = ct_topology_fail(err, reader->source, record->line,
                                      "switch %s is there twice; the other one is in line %u", name,
                                      reader->records[*value].line);
        else
            *value = (uint32_t)i;
        if (status == CT_OK)
            status = ct_topology_add(reader->builder, CT_ROLE_SWITCH, name, record->line,
                                     &record->number, err);
        free(name);
    }
    return status;
}

static enum ct_status join(struct reader *reader, const struct record *record, uint32_t number,
                           struct ct_error *err)
{
    const struct ct_link link = {.end = {number, record->number},
                                 .rate_bit_per_s = NAN,
                                 .latency_s = NAN,
                                 .line = record->line};
    return ct_topology_connect(reader->builder, &link, err);
}

static enum ct_status add_child(struct reader *reader, size_t parent, const char *name,
                                struct ct_error *err)
{
    const struct record *record = &reader->records[parent];
    const uint32_t *index = ct_names_get(&reader->switches, name);
    if (!index)
        return ct_topology_fail(err, reader->source, record->line,
                                "switch %s is in no line of its own", name);
    struct record *child = &reader->records[*index];
    if (child->parent > 0)
        return ct_topology_fail(err, reader->source, record->line,
                                "two routes: switch %s is below %.*s and %.*s; the other line is "
                                "%u",
                                name, (int)reader->records[child->parent - 1].name.length,
                                reader->records[child->parent - 1].name.text,
                                (int)record->name.length, record->name.text,
                                reader->records[child->parent - 1].line);
    child->parent = (uint32_t)parent + 1;
    return join(reader, record, child->number, err);
}

static enum ct_status add_node(struct reader *reader, size_t parent, const char *name,
                               struct ct_error *err)
{
    const struct record *record = &reader->records[parent];
    bool is_new;
    uint32_t *line = ct_names_put(&reader->nodes, name, &is_new), number;
    if (!line)
        return ct_fail(err, CT_ENOMEM, "topology: out of memory");
    if (!is_new)
        return ct_topology_fail(err, reader->source, record->line,
                                "two routes: node %s is on another switch, too, in line %u", name,
                                *line);
    *line = record->line;
    enum ct_status status =
        ct_topology_add(reader->builder, CT_ROLE_NODE, name, record->line, &number, err);
    return status == CT_OK ? join(reader, record, number, err) : status;
}

static enum ct_status add_below(struct reader *reader, size_t parent, struct ct_error *err)
{
    const struct record *record = &reader->records[parent];
    const struct value *value = record->switches.text ? &record->switches : &record->nodes;
    struct ct_hostlist list = {0};
    enum ct_status status = ct_hostlist_expand(value->text, value->length, &list, err);
    if (status != CT_OK)
        ct_fail_at_line(err, status, reader->source, record->line);
    for (size_t i = 0; i < list.n && status == CT_OK; i++)
        status = record->switches.text ? add_child(reader, parent, list.names[i], err)
                                       : add_node(reader, parent, list.names[i], err);
    ct_hostlist_free(&list);
    return status;
}

/* Upwards from each switch there is an end, or a loop. Those passed are marked by their start. */
static enum ct_status check_loops(const struct reader *reader, struct ct_error *err)
{
    uint32_t *seen = calloc(reader->n + 1, sizeof *seen);
    enum ct_status status = seen ? CT_OK : ct_fail(err, CT_ENOMEM, "topology: out of memory");
    for (uint32_t i = 1; i <= reader->n && status == CT_OK; i++) {
        uint32_t at = i;
        while (at > 0 && seen[at] == 0) {
            seen[at] = i;
            at = reader->records[at - 1].parent;
        }
        const struct record *record = at > 0 && seen[at] == i ? &reader->records[at - 1] : NULL;
        if (record)
            status = ct_topology_fail(err, reader->source, record->line,
                                      "a loop: switch %.*s is below itself",
                                      (int)record->name.length, record->name.text);
    }
    free(seen);
    return status;
}

static enum ct_status read_all(struct reader *reader, const char *text, struct ct_error *err)
{
    enum ct_status status = take_lines(reader, text, err);
    if (status == CT_OK)
        status = add_switches(reader, err);
    for (size_t i = 0; i < reader->n && status == CT_OK; i++)
        status = add_below(reader, i, err);
    return status == CT_OK ? check_loops(reader, err) : status;
}

enum ct_status ct_topology_read_slurm(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err)
{
    struct reader reader = {.source = source, .builder = ct_topology_builder_new(source)};
    enum ct_status status = CT_OK;
    if (reader.builder)
        status = read_all(&reader, text, err);
    else
        status = ct_fail(err, CT_ENOMEM, "topology: out of memory");
    free(reader.records);
    ct_names_free(&reader.switches);
    ct_names_free(&reader.nodes);
    if (status == CT_OK)
        return ct_topology_build(reader.builder, topology_p, err);
    ct_topology_builder_free(reader.builder);
    return status;
}
