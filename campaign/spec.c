#include "campaign/spec.h"

#include "campaign/spec_complete.h"
#include "core/argv.h"
#include "core/text.h"
#include "core/units.h"
#include "study/pass_traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { FILE_SIZE_MAX = 1 << 20, ENTRIES_MAX = 1000, NAME_LENGTH_MAX = 40, ROWS_MAX = 24 };

/* ---- keys ---- */

enum type {
    TYPE_TEXT,    /* const char * */
    TYPE_NAME,    /* const char *, fit for the name of a file */
    TYPE_WORDS,   /* const char *, words of a command line */
    TYPE_COMMAND, /* the same, at least one */
    TYPE_CHOICE,  /* int */
    TYPE_U64,
    TYPE_U32,
    TYPE_DOUBLE,
    TYPE_FRACTION,
    TYPE_DURATION,
    TYPE_SIZE,
    TYPE_RATE,
    TYPE_BURST, /* struct ct_burst; "none" */
    TYPE_BURSTS /* const char *, words that are bursts */
};

/* A key of a mapping. */
struct row {
    const char *key;
    enum type type;
    size_t offset;       /* of the value */
    const char *initial; /* NULL: the key must be there */
    double min, max;
    const char *const *choices;
};

static const char *const launcher_names[] = {
#define LAUNCHER_NAME(name, text, row) text,
    CT_LAUNCHER_MAP(LAUNCHER_NAME)
#undef LAUNCHER_NAME
        NULL};
static const char *const placement_names[] = {"cores", "none", NULL};
static const char *const passes_names[] = {"self", "driver", NULL};
static const char *const truth_names[] = {"false", "true", NULL};
static const char *const logp_names[] = {[CT_CAMPAIGN_LOGP_NONE] = "false",
                                         [CT_CAMPAIGN_LOGP_ALL] = "true",
                                         [CT_CAMPAIGN_LOGP_IDLE] = "idle",
                                         [CT_CAMPAIGN_LOGP_CLASSES] = "classes",
                                         NULL};
static const char *const latency_runs_names[] = {[CT_LATENCY_RUNS_ALONE] = "alone",
                                                 [CT_LATENCY_RUNS_LOADED] = "loaded",
                                                 [CT_LATENCY_RUNS_ALL] = "all",
                                                 NULL};

#define FIELD(member) offsetof(struct ct_campaign_spec, member)
static const struct row top_rows[] = {
    {"campaign", TYPE_NAME, FIELD(name), NULL, 0, 0, NULL},
    {"seed", TYPE_U64, FIELD(seed), "0", 0, 9e15, NULL},
    {"retries", TYPE_U64, FIELD(retries), "2", 0, 100, NULL},
    {"grid", TYPE_CHOICE, FIELD(grid_kind), "none", 0, 0, ct_grid_names},
    {"scan", TYPE_TEXT, FIELD(scan), "", 0, 0, NULL},
    {"bursts", TYPE_BURSTS, FIELD(bursts), "", 0, 0, NULL},
    {"logp", TYPE_CHOICE, FIELD(logp), "false", 0, 0, logp_names},
    {"trace", TYPE_CHOICE, FIELD(trace), "false", 0, 0, truth_names},
    {"latencies", TYPE_WORDS, FIELD(latency_words), "", 0, 0, NULL},
    {"latency_runs", TYPE_CHOICE, FIELD(latency_runs), "alone", 0, 0, latency_runs_names},
    {"placement", TYPE_WORDS, FIELD(placement_words), "", 0, 0, NULL},
    {"fragment", TYPE_U64, FIELD(fragment), "2", 1, 1e6, NULL},
    {"resolution", TYPE_FRACTION, FIELD(resolution_frac), "5%", 1e-3, 0.5, NULL},
    {"acceptable", TYPE_FRACTION, FIELD(acceptable_frac), "5%", 1e-3, 10, NULL},
    {0}};
static const struct row launcher_rows[] = {
    {"kind", TYPE_CHOICE, FIELD(launcher.kind), NULL, 0, 0, launcher_names},
    {"hosts", TYPE_U64, FIELD(launcher.hosts), "0", 0, 1e6, NULL},
    {"rate", TYPE_RATE, FIELD(launcher.rate_bit_per_s), "50mbit", 1e5, 1e13, NULL},
    {"topology", TYPE_TEXT, FIELD(launcher.topology), "", 0, 0, NULL},
    {"spines", TYPE_U64, FIELD(launcher.spines), "0", 0, 1000, NULL},
    {"uplink", TYPE_RATE, FIELD(launcher.uplink_bit_per_s), "50mbit", 1e5, 1e13, NULL},
    {"like", TYPE_TEXT, FIELD(launcher.like), "", 0, 0, NULL},
    {"dilation", TYPE_DOUBLE, FIELD(launcher.dilation), "0", 0, 1e9, NULL},
    {"queue", TYPE_CHOICE, FIELD(launcher.queue), "round-robin", 0, 0, ct_lab_queue_names},
    {"latency", TYPE_DURATION, FIELD(launcher.latency_s), "0s", 0, CT_LAB_LATENCY_MAX_S, NULL},
    {"jitter", TYPE_DURATION, FIELD(launcher.jitter_s), "0s", 0, CT_LAB_LATENCY_MAX_S, NULL},
    {"jitter_shape", TYPE_CHOICE, FIELD(launcher.jitter_shape), "uniform", 0, 0,
     ct_lab_jitter_names},
    {"lateness", TYPE_DURATION, FIELD(launcher.lateness_s), "100us", 1e-6, 10, NULL},
    {"lab", TYPE_TEXT, FIELD(launcher.lab), "", 0, 0, NULL},
    {"hostfile", TYPE_TEXT, FIELD(launcher.hostfile), "", 0, 0, NULL},
    {"options", TYPE_WORDS, FIELD(launcher.options), "", 0, 0, NULL},
    {"placement", TYPE_CHOICE, FIELD(launcher.placement), "cores", 0, 0, placement_names},
    {"mpi", TYPE_CHOICE, FIELD(launcher.mpi), "auto", 0, 0, ct_mpi_names},
    {"mpiexec", TYPE_TEXT, FIELD(launcher.mpiexec), "", 0, 0, NULL},
    {"model", TYPE_CHOICE, FIELD(launcher.model), "smpi", 0, 0, ct_campaign_simgrid_models},
    {"overhead", TYPE_DURATION, FIELD(launcher.overhead_s), "500ns", 0, 1, NULL},
    {"simgrid", TYPE_TEXT, FIELD(launcher.simgrid), "", 0, 0, NULL},
    {"jobs", TYPE_U64, FIELD(launcher.jobs), "0", 0, 64, NULL},
    {0}};
static const struct row duration_rows[] = {
    {"impact", TYPE_DURATION, FIELD(durations.impact_s), "60s", 1e-3, 1e6, NULL},
    {"runtime", TYPE_DURATION, FIELD(durations.runtime_s), "60s", 1e-3, 1e6, NULL},
    {"logp", TYPE_DURATION, FIELD(durations.logp_s), "60s", 1e-3, 1e6, NULL},
    {"settle", TYPE_DURATION, FIELD(durations.settle_s), "2s", 0, 1e5, NULL},
    {"start", TYPE_DURATION, FIELD(durations.start_s), "10s", 0.1, 1e5, NULL},
    {"deadline_factor", TYPE_DOUBLE, FIELD(durations.deadline_factor), "3", 1, 1000, NULL},
    {0}};
static const struct row probe_rows[] = {
    {"interval", TYPE_DURATION, FIELD(probe.interval_s), "100ms", 1e-6, 1e4, NULL},
    {"message_size", TYPE_SIZE, FIELD(probe.message_bytes), "1KiB", 1, 1e9, NULL},
    {"slots", TYPE_U64, FIELD(probe.slots), "1", 1, 10000, NULL},
    {"pairing", TYPE_TEXT, FIELD(probe.pairing), "rotate", 0, 0, NULL},
    {"options", TYPE_WORDS, FIELD(probe.options), "", 0, 0, NULL},
    {0}};
static const struct row repetition_rows[] = {
    {"idle", TYPE_U64, FIELD(repetitions.idle), "2", 0, 1000, NULL},
    {"baseline", TYPE_U64, FIELD(repetitions.baseline), "2", 0, 1000, NULL},
    {"impact", TYPE_U64, FIELD(repetitions.impact), "1", 0, 1000, NULL},
    {"compression", TYPE_U64, FIELD(repetitions.compression), "1", 0, 1000, NULL},
    {"corun", TYPE_U64, FIELD(repetitions.corun), "1", 0, 1000, NULL},
    {"target", TYPE_FRACTION, FIELD(repetitions.target_frac), "1", 1e-4, 1, NULL},
    {"max", TYPE_U64, FIELD(repetitions.max), "10", 1, 1000, NULL},
    {0}};
#undef FIELD

#define FIELD(member) offsetof(struct ct_campaign_app, member)
static const struct row app_rows[] = {
    {"name", TYPE_NAME, FIELD(name), NULL, 0, 0, NULL},
    {"command", TYPE_COMMAND, FIELD(command), NULL, 0, 0, NULL},
    {"longer", TYPE_WORDS, FIELD(longer), "", 0, 0, NULL},
    {"longer_by", TYPE_U64, FIELD(longer_by), "1", 1, CT_PASSES_LONGER_MAX, NULL},
    {"slots", TYPE_U64, FIELD(slots), "1", 1, 10000, NULL},
    {"hosts", TYPE_U64, FIELD(hosts), "0", 0, 1e6, NULL},
    {"passes", TYPE_CHOICE, FIELD(passes), "self", 0, 0, passes_names},
    {"pass", TYPE_DURATION, FIELD(pass_s), "1s", 0, 1e6, NULL},
    {0}};
#undef FIELD

#define FIELD(member) offsetof(struct ct_campaign_group, member)
static const struct row group_rows[] = {{"app", TYPE_NAME, FIELD(app_name), NULL, 0, 0, NULL},
                                        {"with", TYPE_WORDS, FIELD(with_names), NULL, 0, 0, NULL},
                                        {0}};
#undef FIELD

#define FIELD(member) offsetof(struct ct_campaign_config, member)
static const struct row config_rows[] = {
    {"partners", TYPE_U32, FIELD(load.partners), "0", 0, 1e6, NULL},
    {"messages", TYPE_U32, FIELD(load.messages), NULL, 1, 1e6, NULL},
    {"bubble", TYPE_DURATION, FIELD(load.bubble_s), NULL, 0, 1e4, NULL},
    {"pattern", TYPE_CHOICE, FIELD(load.pattern), "ring", 0, 0, ct_pattern_names},
    {"burst", TYPE_BURST, FIELD(load.burst), "none", 0, 0, NULL},
    {"message_size", TYPE_SIZE, FIELD(load.message_bytes), "40kB", 1, 1e9, NULL},
    {"slots", TYPE_U32, FIELD(load.slots), "1", 1, 10000, NULL},
    {0}};
#undef FIELD

/* ---- texts, by libyaml ---- */

/* Values of one mapping as texts, in the order of its rows; NULL: not given. */
struct mapping {
    const char *text[ROWS_MAX];
};

struct list {
    struct mapping *entries; /* owned */
    size_t n;
};

enum { TOP, LAUNCHER, DURATIONS, PROBE, REPETITIONS, N_MAPPINGS };
enum { APPS, GROUPS, CONFIGS, N_LISTS };

struct document {
    struct mapping mappings[N_MAPPINGS];
    struct list lists[N_LISTS];
};

static const struct {
    const char *key;
    const struct row *rows;
} mapping_sections[N_MAPPINGS] = {[TOP] = {"", top_rows},
                                  [LAUNCHER] = {"launcher", launcher_rows},
                                  [DURATIONS] = {"durations", duration_rows},
                                  [PROBE] = {"probe", probe_rows},
                                  [REPETITIONS] = {"repetitions", repetition_rows}};

static const struct {
    const char *key;
    const struct row *rows;
    size_t entry_size;
} list_sections[N_LISTS] = {
    [APPS] = {"applications", app_rows, sizeof(struct ct_campaign_app)},
    [GROUPS] = {"groups", group_rows, sizeof(struct ct_campaign_group)},
    [CONFIGS] = {"configurations", config_rows, sizeof(struct ct_campaign_config)}};

/* Owner of the texts of a spec, which are values of the file. */
struct texts {
    yaml_document_t file;
    bool is_loaded;
    struct document document;
};

struct loader {
    const char *source;
    yaml_document_t *file;
    struct ct_error *err;
};

static unsigned line_of(const yaml_node_t *node)
{
    return (unsigned)node->start_mark.line + 1;
}

static const char *name_of_form(yaml_node_type_t type)
{
    return type == YAML_MAPPING_NODE    ? "lines 'key: value'"
           : type == YAML_SEQUENCE_NODE ? "a list"
                                        : "one value";
}

/* path: of the node, such as "applications[2]"; "": of the file. */
static enum ct_status check_form(const struct loader *loader, const yaml_node_t *node,
                                 yaml_node_type_t type, const char *path)
{
    if (node->type == type)
        return CT_OK;
    return ct_fail(loader->err, CT_EFORMAT, "%s:%u: %s%s%s belong%s here, and it is %s",
                   loader->source, line_of(node), path, *path ? ": " : "", name_of_form(type),
                   type == YAML_MAPPING_NODE ? "" : "s", name_of_form(node->type));
}

static enum ct_status refuse_key(const struct loader *loader, const yaml_node_t *node,
                                 const char *path, const char *why)
{
    return ct_fail(loader->err, CT_EFORMAT, "%s:%u: %.160s: %s", loader->source, line_of(node),
                   path, why);
}

static enum ct_status take_text(const struct loader *loader, const yaml_node_t *node,
                                const char *path, const char **text_p)
{
    CT_TRY(check_form(loader, node, YAML_SCALAR_NODE, path));
    const char *text = (const char *)node->data.scalar.value;
    if (strlen(text) != node->data.scalar.length)
        return refuse_key(loader, node, path, "a character NUL");
    *text_p = text;
    return CT_OK;
}

static enum ct_status take_mapping(const struct loader *loader, const yaml_node_t *node,
                                   const char *path, const struct row *rows,
                                   struct mapping *mapping, struct document *document);

static enum ct_status take_list(const struct loader *loader, const yaml_node_t *node,
                                const char *key, const struct row *rows, struct list *list)
{
    char path[80];
    CT_TRY(check_form(loader, node, YAML_SEQUENCE_NODE, key));
    const yaml_node_item_t *items = node->data.sequence.items.start;
    size_t n = (size_t)(node->data.sequence.items.top - items);
    if (list->entries || n > ENTRIES_MAX)
        return refuse_key(loader, node, key,
                          list->entries ? "is there twice" : "more than 1000 entries");
    list->entries = calloc(n + 1, sizeof *list->entries);
    if (!list->entries)
        return ct_no_memory(loader->err, "%s", loader->source);
    enum ct_status status = CT_OK;
    for (; list->n < n && status == CT_OK; list->n++) {
        snprintf(path, sizeof path, "%s[%zu]", key, list->n + 1);
        status = take_mapping(loader, yaml_document_get_node(loader->file, items[list->n]), path,
                              rows, &list->entries[list->n], NULL);
    }
    return status;
}

/* document: at the top, else NULL. path: of the key. */
static enum ct_status take_value(const struct loader *loader, const yaml_node_t *value,
                                 const char *path, const char *key, const struct row *rows,
                                 struct mapping *mapping, struct document *document)
{
    for (size_t i = 0; rows[i].key; i++)
        if (strcmp(rows[i].key, key) == 0)
            return mapping->text[i] ? refuse_key(loader, value, path, "is there twice")
                                    : take_text(loader, value, path, &mapping->text[i]);
    for (size_t i = TOP + 1; document && i < N_MAPPINGS; i++)
        if (strcmp(mapping_sections[i].key, key) == 0)
            return take_mapping(loader, value, key, mapping_sections[i].rows,
                                &document->mappings[i], NULL);
    for (size_t i = 0; document && i < N_LISTS; i++)
        if (strcmp(list_sections[i].key, key) == 0)
            return take_list(loader, value, key, list_sections[i].rows, &document->lists[i]);
    return refuse_key(loader, value, path, "unknown key");
}

static enum ct_status take_mapping(const struct loader *loader, const yaml_node_t *node,
                                   const char *path, const struct row *rows,
                                   struct mapping *mapping, struct document *document)
{
    CT_TRY(check_form(loader, node, YAML_MAPPING_NODE, path));
    enum ct_status status = CT_OK;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top && status == CT_OK; pair++) {
        char inner[200];
        const char *key = "";
        status = take_text(loader, yaml_document_get_node(loader->file, pair->key), path, &key);
        if (status != CT_OK)
            break;
        snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "." : "", key);
        status = take_value(loader, yaml_document_get_node(loader->file, pair->value), inner, key,
                            rows, mapping, document);
    }
    return status;
}

/* The next document; *root_p is NULL at the end of the file, and where nothing is in a document. */
static enum ct_status load_document(const struct loader *loader, yaml_parser_t *parser,
                                    yaml_document_t *document_p, yaml_node_t **root_p)
{
    if (!yaml_parser_load(parser, document_p))
        return parser->error == YAML_MEMORY_ERROR
                   ? ct_no_memory(loader->err, "%s", loader->source)
                   : ct_fail(loader->err, CT_EFORMAT, "%s:%zu: no YAML: %s", loader->source,
                             parser->problem_mark.line + 1, parser->problem);
    yaml_node_t *root = yaml_document_get_root_node(document_p);
    bool is_empty = root && root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0;
    *root_p = is_empty ? NULL : root;
    return CT_OK;
}

static enum ct_status check_end(const struct loader *loader, yaml_parser_t *parser)
{
    enum ct_status status = CT_OK;
    bool is_end = false;
    while (status == CT_OK && !is_end) {
        yaml_document_t document;
        yaml_node_t *root;
        status = load_document(loader, parser, &document, &root);
        if (status != CT_OK)
            return status;
        if (root)
            status = ct_fail(loader->err, CT_EFORMAT,
                             "%s:%zu: a second document: a file has one campaign", loader->source,
                             document.start_mark.line + 1);
        is_end = !yaml_document_get_root_node(&document);
        yaml_document_delete(&document);
    }
    return status;
}

static enum ct_status load_texts(const char *text, size_t size, const char *source,
                                 struct texts *texts, struct ct_error *err)
{
    const struct loader loader = {source, &texts->file, err};
    yaml_parser_t parser;
    yaml_node_t *root;
    CT_TRY(ct_text_check_nesting(text, size, source, err));
    if (!yaml_parser_initialize(&parser))
        return ct_no_memory(err, "%s", source);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    enum ct_status status = load_document(&loader, &parser, &texts->file, &root);
    texts->is_loaded = status == CT_OK;
    if (status == CT_OK && !root)
        status = ct_fail(err, CT_EFORMAT, "%s: empty; see examples/cluster.yaml", source);
    if (status == CT_OK)
        status = take_mapping(&loader, root, "", top_rows, &texts->document.mappings[TOP],
                              &texts->document);
    if (status == CT_OK)
        status = check_end(&loader, &parser);
    yaml_parser_delete(&parser);
    return status;
}

static void free_texts(struct texts *texts)
{
    if (!texts)
        return;
    for (size_t i = 0; i < N_LISTS; i++)
        free(texts->document.lists[i].entries);
    if (texts->is_loaded)
        yaml_document_delete(&texts->file);
    free(texts);
}

/* ---- values ---- */

static enum ct_status check_name(const char *text, struct ct_error *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = strlen(text);
    if (length < 1 || length > NAME_LENGTH_MAX || strspn(text, allowed) != length ||
        strchr("-.", text[0]))
        return ct_fail(err, CT_EINVAL,
                       "'%.80s': a name is 1 to %d letters, digits, '_', '-' and '.', the last two "
                       "not in front",
                       text, NAME_LENGTH_MAX);
    return CT_OK;
}

static enum ct_status check_words(const char *text, bool needed, struct ct_error *err)
{
    struct ct_argv words = {0};
    enum ct_status status = ct_argv_split(&words, text, err);
    if (status == CT_OK && needed && words.n == 0)
        status = ct_fail(err, CT_EINVAL, "'%s': no program named", text);
    ct_argv_free(&words);
    return status;
}

static enum ct_status check_bursts(const char *text, struct ct_error *err)
{
    struct ct_argv words = {0};
    struct ct_burst burst;
    enum ct_status status = ct_argv_split(&words, text, err);
    for (size_t i = 0; i < words.n && status == CT_OK; i++)
        status = ct_burst_parse(words.item[i], &burst, err);
    ct_argv_free(&words);
    return status;
}

static enum ct_status convert_choice(const struct row *row, const char *text, int *value_p,
                                     struct ct_error *err)
{
    char known[200] = "";
    for (int i = 0; row->choices[i]; i++) {
        if (!strcmp(row->choices[i], text)) {
            *value_p = i;
            return CT_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", row->choices[i]);
    }
    return ct_fail(err, CT_EINVAL, "'%.80s': not one of %s", text, known);
}

static enum ct_status refuse_range(const struct row *row, const char *text, struct ct_error *err)
{
    char low[CT_UNITS_TEXT_MAX], high[CT_UNITS_TEXT_MAX];
    if (row->type == TYPE_DURATION) {
        ct_format_duration(row->min, low);
        ct_format_duration(row->max, high);
    } else if (row->type == TYPE_RATE) {
        ct_format_rate(row->min, low);
        ct_format_rate(row->max, high);
    } else if (row->type == TYPE_SIZE) {
        ct_format_size((size_t)row->min, low);
        ct_format_size((size_t)row->max, high);
    } else {
        snprintf(low, sizeof low, "%.12g", row->min);
        snprintf(high, sizeof high, "%.12g", row->max);
    }
    return ct_fail(err, CT_EINVAL, "'%.80s': not within %s to %s", text, low, high);
}

static enum ct_status convert_number(const struct row *row, const char *text, void *value,
                                     struct ct_error *err)
{
    enum ct_status status = CT_OK;
    uint64_t whole = 0;
    size_t bytes = 0;
    double number = 0;
    if (row->type == TYPE_U64 || row->type == TYPE_U32) {
        status = ct_parse_u64(text, &whole, err);
        number = (double)whole;
    } else if (row->type == TYPE_SIZE) {
        status = ct_parse_size(text, &bytes, err);
        number = (double)bytes;
    } else if (row->type == TYPE_RATE) {
        status = ct_parse_rate(text, &number, err);
    } else if (row->type == TYPE_FRACTION) {
        status = ct_parse_fraction(text, &number, err);
    } else if (row->type == TYPE_DOUBLE) {
        status = ct_parse_double(text, &number, err);
    } else {
        status = ct_parse_duration(text, &number, err);
    }
    if (status != CT_OK)
        return status;
    if (!(number >= row->min && number <= row->max))
        return refuse_range(row, text, err);
    if (row->type == TYPE_U64)
        *(uint64_t *)value = whole;
    else if (row->type == TYPE_U32)
        *(uint32_t *)value = (uint32_t)whole;
    else if (row->type == TYPE_SIZE)
        *(size_t *)value = bytes;
    else
        *(double *)value = number;
    return CT_OK;
}

static enum ct_status convert_value(const struct row *row, const char *text, void *value,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    switch (row->type) {
    case TYPE_CHOICE:
        return convert_choice(row, text, value, err);
    case TYPE_NAME:
        status = check_name(text, err);
        break;
    case TYPE_WORDS:
    case TYPE_COMMAND:
        status = check_words(text, row->type == TYPE_COMMAND, err);
        break;
    case TYPE_BURSTS:
        status = check_bursts(text, err);
        break;
    case TYPE_BURST:
        return strcmp(text, "none") == 0 ? CT_OK : ct_burst_parse(text, value, err);
    case TYPE_TEXT:
        break;
    default:
        return convert_number(row, text, value, err);
    }
    if (status == CT_OK)
        *(const char **)value = text;
    return status;
}

/* Values of a mapping into the struct at owner; path is "launcher." or "applications[2].". */
static enum ct_status convert_mapping(const struct row *rows, const struct mapping *mapping,
                                      const char *path, void *owner, struct ct_error *err)
{
    for (size_t i = 0; rows[i].key; i++) {
        const char *text = mapping->text[i] ? mapping->text[i] : rows[i].initial;
        enum ct_status status =
            text ? convert_value(&rows[i], text, (char *)owner + rows[i].offset, err)
                 : ct_fail(err, CT_EFORMAT, "missing");
        if (status != CT_OK) {
            ct_fail_within(err, status, "%s%s", path, rows[i].key);
            return status;
        }
    }
    return CT_OK;
}

static enum ct_status convert_list(const struct list *list, int section, void **entries_p,
                                   size_t *n_p, struct ct_error *err)
{
    size_t entry_size = list_sections[section].entry_size;
    char *entries = calloc(list->n ? list->n : 1, entry_size);
    if (!entries)
        return ct_no_memory(err, "%s", list_sections[section].key);
    *entries_p = entries;
    *n_p = list->n;
    for (size_t i = 0; i < list->n; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s[%zu].", list_sections[section].key, i + 1);
        CT_TRY(convert_mapping(list_sections[section].rows, &list->entries[i], path,
                               entries + i * entry_size, err));
    }
    return CT_OK;
}

static bool is_given(const struct document *document, int section, const char *key)
{
    for (size_t i = 0; mapping_sections[section].rows[i].key; i++)
        if (!strcmp(mapping_sections[section].rows[i].key, key))
            return document->mappings[section].text[i] != NULL;
    return false;
}

static bool has_fragments(const struct ct_campaign_spec *spec)
{
    for (size_t i = 0; i < spec->n_placements; i++)
        if (spec->placements[i].kind == CT_SIDES_FRAGMENTS)
            return true;
    return false;
}

/* How long a simulation takes does not follow from how long a run is. */
static const double simulation_s = 600;

/* Of a lab that imitates a machine, these follow. */
static enum ct_status check_like(const struct document *document,
                                 const struct ct_campaign_spec *spec, struct ct_error *err)
{
    static const char *const derived[] = {"rate", "uplink", "latency", "jitter"};
    bool is_like = *spec->launcher.like;
    if (!is_like && is_given(document, LAUNCHER, "dilation"))
        return ct_fail(err, CT_EINVAL, "launcher.dilation: needs launcher.like, a machine");
    if (is_like && spec->launcher.kind != CT_LAUNCHER_LAB)
        return ct_fail(err, CT_EINVAL, "launcher.like: is for 'kind: lab'");
    for (size_t i = 0; is_like && i < sizeof derived / sizeof *derived; i++)
        if (is_given(document, LAUNCHER, derived[i]))
            return ct_fail(err, CT_EINVAL,
                           "launcher.%s: is derived from launcher.like; leave it out", derived[i]);
    return CT_OK;
}

static enum ct_status convert_document(const struct document *document,
                                       struct ct_campaign_spec *spec, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int i = 0; i < N_MAPPINGS && status == CT_OK; i++) {
        char path[32];
        snprintf(path, sizeof path, "%s%s", mapping_sections[i].key, i == TOP ? "" : ".");
        status = convert_mapping(mapping_sections[i].rows, &document->mappings[i], path, spec, err);
    }
    spec->has_seed = is_given(document, TOP, "seed");
    spec->is_logp_chosen = !is_given(document, TOP, "logp");
    spec->launcher.has_rate = is_given(document, LAUNCHER, "rate");
    spec->launcher.has_lateness = is_given(document, LAUNCHER, "lateness");
    if (spec->launcher.kind == CT_LAUNCHER_SIMGRID && !is_given(document, DURATIONS, "start"))
        spec->durations.start_s = simulation_s;
    spec->launcher.has_uplink = is_given(document, LAUNCHER, "uplink");
    spec->repetitions.has_target = is_given(document, REPETITIONS, "target");
    spec->repetitions.picks_co_runs =
        spec->grid_kind == CT_GRID_ADAPTIVE && !is_given(document, REPETITIONS, "corun");
    if (status == CT_OK && is_given(document, REPETITIONS, "max") && !spec->repetitions.has_target)
        status = ct_fail(err, CT_EINVAL, "repetitions.max: is for repetitions.target, such as 2%%");
    if (status == CT_OK)
        status = check_like(document, spec, err);
    void *entries[N_LISTS] = {NULL};
    size_t *const counts[N_LISTS] = {
        [APPS] = &spec->n_apps, [GROUPS] = &spec->n_groups, [CONFIGS] = &spec->n_configs};
    for (int i = 0; i < N_LISTS && status == CT_OK; i++)
        status = convert_list(&document->lists[i], i, &entries[i], counts[i], err);
    spec->apps = entries[APPS];
    spec->groups = entries[GROUPS];
    spec->configs = entries[CONFIGS];
    if (status == CT_OK && is_given(document, TOP, "resolution") &&
        spec->grid_kind != CT_GRID_ADAPTIVE)
        status = ct_fail(err, CT_EINVAL, "resolution: is for 'grid: adaptive'");
    if (status == CT_OK && is_given(document, TOP, "acceptable") &&
        !spec->repetitions.picks_co_runs)
        status = ct_fail(err, CT_EINVAL,
                         "acceptable: is for 'grid: adaptive' without repetitions.corun");
    if (status == CT_OK)
        status = ct_campaign_spec_complete(spec, err);
    if (status == CT_OK && is_given(document, TOP, "fragment") && !has_fragments(spec))
        status = ct_fail(err, CT_EINVAL, "fragment: is for 'placement: fragments'");
    return status;
}

enum ct_status ct_campaign_spec_parse(const char *text, size_t size, const char *source,
                                      struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    return ct_campaign_spec_parse_begun(text, size, source, false, spec_p, err);
}

enum ct_status ct_campaign_spec_parse_begun(const char *text, size_t size, const char *source,
                                            bool is_without_placement,
                                            struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    if (size > FILE_SIZE_MAX)
        return ct_fail(err, CT_EFORMAT, "%s: larger than 1 MiB, no campaign file", source);
    struct texts *texts = calloc(1, sizeof *texts);
    if (!texts)
        return ct_no_memory(err, "%s", source);
    struct ct_campaign_spec spec = {.texts = texts,
                                    .is_begun_without_placement = is_without_placement};
    enum ct_status status = load_texts(text, size, source, texts, err);
    if (status == CT_OK) {
        status = convert_document(&texts->document, &spec, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", source);
    }
    if (status == CT_OK)
        *spec_p = spec;
    else
        ct_campaign_spec_free(&spec);
    return status;
}

void ct_campaign_spec_free(struct ct_campaign_spec *spec)
{
    free(spec->apps);
    free(spec->groups);
    free(spec->configs);
    ct_campaign_forget_placements(spec);
    free(spec->all_hosts);
    free_texts(spec->texts);
    *spec = (struct ct_campaign_spec){0};
}
