/* Slurm's topology.conf, and what scontrol prints of it: one switch a line. */
#include "core/array.h"
#include "topology/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *source;
    struct ct_switch_entry *entries;
    size_t n, room;
    uint32_t n_blocks; /* lines of topology/block */
};

/* A pair KEY=VALUE; blanks may be round the '='. */
struct pair {
    const char *key;
    int key_length;
    struct ct_switch_text value;
};

static bool equals_name(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && !strncasecmp(key, name, length);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

static bool is_end(char c)
{
    return c == '\0' || c == '\n' || c == '#';
}

/* As Slurm's parser does: KEY, '=', and a value without blanks, or in quotes. */
static enum ct_status take_pair(const struct reader *reader, const char **at, uint32_t line,
                                struct pair *pair, struct ct_error *err)
{
    size_t length = strcspn(*at, "= \t\r\n#");
    const char *equals_sign = skip_blanks(*at + length);
    *pair = (struct pair){.key = *at, .key_length = (int)(length < 60 ? length : 60)};
    if (*equals_sign != '=' || length == 0)
        return ct_topology_fail(err, reader->source, line, "'%.*s': not of the form KEY=VALUE",
                                pair->key_length, pair->key);
    const char *value = skip_blanks(equals_sign + 1);
    if (*value == '"') {
        size_t n = strcspn(++value, "\"\n");
        if (value[n] != '"')
            return ct_topology_fail(err, reader->source, line, "%.*s: '\"' without an end",
                                    pair->key_length, pair->key);
        if (n > 0) /* what is empty is not given */
            pair->value = (struct ct_switch_text){value, n};
        *at = value + n + 1;
    } else {
        pair->value = (struct ct_switch_text){value, strcspn(value, " \t\r\n#")};
        *at = value + pair->value.length;
    }
    /* Slurm skips what is empty in a list. */
    while (pair->value.length > 1 && value[pair->value.length - 1] == ',')
        pair->value.length--;
    if (memchr(value, '=', pair->value.length))
        return ct_topology_fail(err, reader->source, line, "%.*s: no value in front of '%.*s'",
                                pair->key_length, pair->key, (int)pair->value.length, value);
    return CT_OK;
}

static enum ct_status take_value(const struct reader *reader, const struct pair *pair,
                                 struct ct_switch_entry *entry, struct ct_error *err)
{
    const char *key = pair->key;
    size_t length = (size_t)pair->key_length;
    struct ct_switch_text *field = NULL;
    if (equals_name(key, length, "SwitchName"))
        field = &entry->name;
    else if (equals_name(key, length, "Switches"))
        field = &entry->switches;
    else if (equals_name(key, length, "Nodes"))
        field = &entry->nodes;
    else if (equals_name(key, length, "Level"))
        entry->has_level = true;
    else if (!equals_name(key, length, "LinkSpeed"))
        return ct_topology_fail(err, reader->source, entry->line,
                                "'%.*s': not one of SwitchName, Switches, Nodes, LinkSpeed, Level",
                                pair->key_length, key);
    if (field && field->text)
        return ct_topology_fail(err, reader->source, entry->line, "%.*s is there twice",
                                pair->key_length, key);
    if (field && pair->value.text && !equals_name(pair->value.text, pair->value.length, "(null)"))
        *field = pair->value;
    return CT_OK;
}

/* Lines of other plugins begin with these. */
static bool is_of_blocks(const char *key, size_t length)
{
    return equals_name(key, length, "BlockName") || equals_name(key, length, "BlockSizes") ||
           equals_name(key, length, "AggregatedBlock");
}

static bool is_passed_over(const char *key, size_t length)
{
    return is_of_blocks(key, length) || equals_name(key, length, "TopologyPlugin") ||
           equals_name(key, length, "TopologyParam");
}

/* A warning of a command in front of what it prints. */
static bool is_warning(const struct reader *reader, const char *at)
{
    return reader->n == 0 && strncasecmp(at, "SwitchName", 10) != 0 &&
           !memchr(at, '=', strcspn(at, "\n"));
}

static enum ct_status check_entry(const struct reader *reader, const struct ct_switch_entry *entry,
                                  struct ct_error *err)
{
    if (!entry->name.text || entry->name.length == 0)
        return ct_topology_fail(err, reader->source, entry->line, "SwitchName is missing");
    /* scontrol lists the nodes of the switches below, too. */
    if (entry->switches.text && entry->nodes.text && !entry->has_level)
        return ct_topology_fail(err, reader->source, entry->line,
                                "both Switches and Nodes; a switch has either");
    return CT_OK;
}

static enum ct_status take_line(struct reader *reader, const char *at, uint32_t line,
                                struct ct_error *err)
{
    struct ct_switch_entry entry = {.line = line};
    size_t length = strcspn(at, "= \t\r\n#");
    enum ct_status status = CT_OK;
    if (is_end(*at))
        return CT_OK;
    if (equals_name(at, length, "Include"))
        return ct_topology_fail(err, reader->source, line,
                                "Include: the lines of another file are missing: give the output "
                                "of 'scontrol show topology'");
    if (is_passed_over(at, length) || is_warning(reader, at)) {
        reader->n_blocks += is_of_blocks(at, length);
        return CT_OK;
    }
    while (status == CT_OK && !is_end(*at)) {
        struct pair pair;
        status = take_pair(reader, &at, line, &pair, err);
        if (status == CT_OK)
            status = take_value(reader, &pair, &entry, err);
        at = skip_blanks(at);
    }
    if (status == CT_OK)
        status = check_entry(reader, &entry, err);
    if (status == CT_OK && !CT_ARRAY_RESERVE(reader->entries, reader->room, reader->n + 1))
        status = ct_no_memory(err, "topology");
    if (status == CT_OK)
        reader->entries[reader->n++] = entry;
    return status;
}

static enum ct_status take_lines(struct reader *reader, const char *text, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t line = 1; *text && status == CT_OK; line++) {
        status = take_line(reader, skip_blanks(text), line, err);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return status;
}

/* A backslash at its end continues a line. The lines that it takes follow empty, so that numbers
 * of lines stay. */
static char *join_lines(const char *text)
{
    char *joined = malloc(strlen(text) + 1), *out = joined;
    size_t taken = 0;
    while (joined && *text) {
        const char *rest = text + 1 + strspn(text + 1, " \t\r");
        if (*text == '\\' && *rest == '\n') {
            text = rest + 1;
            taken++;
            continue;
        }
        *out++ = *text;
        for (; *text == '\n' && taken > 0; taken--)
            *out++ = '\n';
        text++;
    }
    if (joined)
        *out = '\0';
    return joined;
}

static enum ct_status read_all(struct reader *reader, const char *text,
                               struct ct_topology_builder *builder, struct ct_error *err)
{
    CT_TRY(take_lines(reader, text, err));
    if (reader->n == 0 && reader->n_blocks > 0)
        return ct_fail(err, CT_EFORMAT,
                       "%s: of Slurm's plugin topology/block, whose blocks tell no switches: give "
                       "the output of ibnetdiscover, lines with SwitchName, or YAML",
                       reader->source);
    CT_TRY(ct_topology_add_switches(builder, reader->source, reader->entries, reader->n, err));
    if (reader->n_blocks > 0)
        CT_TRY(ct_topology_note(builder, err,
                                "Left out: lines of topology/block (%u), which "
                                "tell no switches.",
                                reader->n_blocks));
    return CT_OK;
}

enum ct_status ct_topology_read_slurm(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err)
{
    struct reader reader = {.source = source};
    struct ct_topology_builder *builder = ct_topology_builder_new(source);
    char *joined = join_lines(text);
    enum ct_status status =
        builder && joined ? read_all(&reader, joined, builder, err) : ct_no_memory(err, "topology");
    free(reader.entries);
    free(joined);
    if (status == CT_OK)
        return ct_topology_build(builder, topology_p, err);
    ct_topology_builder_free(builder);
    return status;
}
