#include "study/scan_kit_fields.h"

#include "study/scan_gpcnet.h"
#include "study/scan_seal.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 64, DEPTH_MAX = 6, PSEUDONYM_DIGITS = 12 };

const char *const ct_scan_kit_sources[] = {"Slurm", "latencies", "not known", "topology", NULL};
static const char *const launchers[] = {"srun", "mpiexec", "lab", "simgrid", NULL};
static const char *const gpcnet_names[] = {CT_SCAN_GPCNET_NAMES, NULL};
static const char *const gpcnet_units[] = {CT_SCAN_GPCNET_UNITS, NULL};
static const char *const reasons[] = {"", "every interval is as narrow as asked", "the time is up",
                                      NULL};

#define NUMBER(path, what)                                                                         \
    {                                                                                              \
        path, what, CT_KIT_NUMBER, NULL                                                            \
    }
#define FACTOR(path, what)                                                                         \
    NUMBER(path ".value", what), NUMBER(path ".lo", "its interval"), NUMBER(path ".hi", "likewise")

#define GPCNET(path, what)                                                                         \
    NUMBER(path ".alone", what ", alone"), NUMBER(path ".beside", "beside GPCNeT's congestors"),   \
        FACTOR(path ".impact", "congestion impact")

const struct ct_scan_kit_field ct_scan_kit_fields[] = {
    NUMBER("scan_kit", "version of this file"),
    NUMBER("scan_sheet", "version of the sheet in it"),
    {"crosstalk", "version of the program", CT_KIT_VERSION, NULL},
    {"launcher", "`srun`, `mpiexec`, `lab` (emulated) or `simgrid` (simulated)", CT_KIT_WORD,
     launchers},
    {"switches_of", "how switches are known: `Slurm`, `latencies`, `topology` or `not known`",
     CT_KIT_WORD, ct_scan_kit_sources},
    {"reason_ended", "`the time is up`, `every interval is as narrow as asked`, or empty",
     CT_KIT_WORD, reasons},
    NUMBER("n_nodes", "nodes"),
    NUMBER("n_rounds", "rounds, the survey counted"),
    NUMBER("slots", "ranks on a node"),
    NUMBER("message_bytes", "size of a message"),
    NUMBER("window_bytes", "that of a window of the bandwidth canary"),
    NUMBER("half_width_frac", "half-width that was asked for"),
    NUMBER("level", "of the intervals"),
    FACTOR("score", "congestion score"),
    NUMBER("score_cells", "cells in it"),
    NUMBER("score_cells_all", "cells of a complete one"),
    {"nodes[].name", "pseudonym of a node", CT_KIT_NODE, NULL},
    {"nodes[].switch", "pseudonym of its switch", CT_KIT_SWITCH, NULL},
    {"worst_path.node_a.name", "pseudonym of one end", CT_KIT_NODE, NULL},
    {"worst_path.node_b.name", "pseudonym of the other end", CT_KIT_NODE, NULL},
    {"worst_path.congestor", "load beside it", CT_KIT_LOAD, NULL},
    NUMBER("worst_path.factor", "factor of its median"),
    NUMBER("worst_path.n_rounds", "rounds that have it"),
    NUMBER("idle[].path_class", "switches between the nodes of a pair"),
    NUMBER("idle[].n_pairs", "such pairs"),
    NUMBER("idle[].n_outliers", "slow ones"),
    NUMBER("idle[].least_s", "least of their median latencies"),
    NUMBER("idle[].median_s", "median of them"),
    NUMBER("idle[].most_s", "largest of them"),
    {"idle[].slowest_a.name", "pseudonym of one end of that pair", CT_KIT_NODE, NULL},
    {"idle[].slowest_b.name", "pseudonym of the other end", CT_KIT_NODE, NULL},
    {"rows[].cell", "canary and congestor, such as `latency:incast`", CT_KIT_CELL, NULL},
    NUMBER("rows[].path_class", "switches between the nodes of its pairs; -1: all pairs"),
    NUMBER("rows[].n_rounds", "rounds"),
    NUMBER("rows[].n_samples", "times"),
    NUMBER("rows[].node_bytes_per_s", "what a congestor node received"),
    FACTOR("rows[].mean", "factor at the mean; of a baseline seconds"),
    FACTOR("rows[].median", "at the median"),
    FACTOR("rows[].p99", "at the 99 % quantile"),
    {"gpcnet[].name", "a canary, as GPCNeT names it", CT_KIT_WORD, gpcnet_names},
    {"gpcnet[].unit", "`us` or `MiB/s/rank`", CT_KIT_WORD, gpcnet_units},
    GPCNET("gpcnet[].average", "at the average"),
    GPCNET("gpcnet[].p99", "where 99 % of the calls are as fast"),
    {"sealed[]", "a line of `sealed.txt`", CT_KIT_LINE, NULL},
    {"sealed_sha256", "digest of these lines", CT_KIT_DIGEST, NULL},
    NUMBER("judged[].value", "what was measured after the seal, of each prediction"),
    NUMBER("judged[].n_rounds", "in so many rounds"),
    NUMBER("judged[].n_inside", "so many of them in the interval"),
    {NULL, NULL, CT_KIT_NUMBER, NULL}};

/* ---- forms ---- */

static bool are_digits(const char *text, size_t n)
{
    return strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

static bool is_pseudonym(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 && are_digits(text + n, PSEUDONYM_DIGITS);
}

/* In the form in which this program writes it, so that nothing else is between its letters. */
static bool is_cell(const char *text)
{
    struct ct_scan_case parsed;
    char again[CT_SCAN_TEXT_MAX];
    if (ct_scan_case_parse(text, &parsed, NULL) != CT_OK)
        return false;
    ct_scan_case_format(&parsed, again);
    return strcmp(text, again) == 0;
}

static bool is_load(const char *text)
{
    char cell[2 * CT_SCAN_TEXT_MAX];
    snprintf(cell, sizeof cell, "%s:%.96s", ct_scan_canary_names[CT_SCAN_LATENCY], text);
    return strlen(text) < CT_SCAN_TEXT_MAX && is_cell(cell);
}

static bool is_word(const char *text, const char *const *words)
{
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words != NULL;
}

static bool has_form(const cJSON *item, const struct ct_scan_kit_field *field)
{
    if (field->form == CT_KIT_NUMBER)
        return cJSON_IsNumber(item) || cJSON_IsNull(item);
    if (!cJSON_IsString(item))
        return false;
    const char *text = item->valuestring;
    switch (field->form) {
    case CT_KIT_WORD:
        return is_word(text, field->words);
    case CT_KIT_VERSION:
        return strlen(text) < 16 && text[strspn(text, "0123456789.")] == '\0';
    case CT_KIT_NODE:
        return is_pseudonym(text, "node-");
    case CT_KIT_SWITCH:
        return is_pseudonym(text, "switch-");
    case CT_KIT_CELL:
        return is_cell(text);
    case CT_KIT_LOAD:
        return is_load(text);
    case CT_KIT_DIGEST:
        return are_digits(text, 2 * CT_SHA256_BYTES);
    case CT_KIT_LINE:
        return ct_scan_seal_is_line(text);
    case CT_KIT_NUMBER:
        break;
    }
    return false;
}

/* ---- the walk ---- */

struct walk {
    const char *source;
    bool is_strict;
    struct ct_error *err;
};

/* The row of a path, or, of an object or array, one below it; NULL: it is not listed. */
static const struct ct_scan_kit_field *find_field(const char *path, bool is_inner)
{
    size_t n = strlen(path);
    const struct ct_scan_kit_field *field = ct_scan_kit_fields;
    for (; field->path; field++)
        if (strncmp(field->path, path, n) == 0 &&
            (is_inner ? n == 0 || field->path[n] == '.' || field->path[n] == '['
                      : field->path[n] == '\0'))
            return field;
    return NULL;
}

static enum ct_status keep_item(const struct walk *walk, const cJSON *item, const char *path,
                                size_t depth, cJSON **kept_p);

static enum ct_status keep_children(const struct walk *walk, const cJSON *item, const char *path,
                                    size_t depth, cJSON *kept)
{
    const cJSON *child;
    bool is_array = cJSON_IsArray(item);
    cJSON_ArrayForEach(child, item)
    {
        char below[PATH_LENGTH];
        cJSON *copy = NULL;
        int length = is_array ? snprintf(below, sizeof below, "%s[]", path)
                              : snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "",
                                         child->string ? child->string : "");
        bool is_inner = cJSON_IsArray(child) || cJSON_IsObject(child);
        bool is_listed = length < PATH_LENGTH && find_field(below, is_inner) != NULL;
        if (!is_listed && walk->is_strict)
            return ct_fail(walk->err, CT_EFORMAT,
                           "%s: %s%s has a member that no kit has: the file was changed, or is of "
                           "a newer version",
                           walk->source, *path ? "in it " : "it", path);
        if (!is_listed)
            continue;
        enum ct_status status = keep_item(walk, child, below, depth + 1, &copy);
        if (status != CT_OK)
            return status;
        bool is_added = is_array ? cJSON_AddItemToArray(kept, copy)
                                 : cJSON_AddItemToObject(kept, child->string, copy);
        if (!is_added) {
            cJSON_Delete(copy);
            return ct_no_memory(walk->err, "%s", walk->source);
        }
    }
    return CT_OK;
}

static enum ct_status keep_item(const struct walk *walk, const cJSON *item, const char *path,
                                size_t depth, cJSON **kept_p)
{
    bool is_inner = cJSON_IsArray(item) || cJSON_IsObject(item);
    if (!is_inner && !has_form(item, find_field(path, false)))
        return ct_fail(walk->err, CT_EFORMAT, "%s: in it %s is not of the form that a kit has",
                       walk->source, path);
    if (depth > DEPTH_MAX)
        return ct_fail(walk->err, CT_EFORMAT, "%s: too deep for a kit", walk->source);
    cJSON *kept = !is_inner             ? cJSON_Duplicate(item, false)
                  : cJSON_IsArray(item) ? cJSON_CreateArray()
                                        : cJSON_CreateObject();
    enum ct_status status = kept ? CT_OK : ct_no_memory(walk->err, "%s", walk->source);
    if (status == CT_OK && is_inner)
        status = keep_children(walk, item, path, depth, kept);
    if (status == CT_OK)
        *kept_p = kept;
    else
        cJSON_Delete(kept);
    return status;
}

enum ct_status ct_scan_kit_filter(const struct cJSON *root, bool is_strict, const char *source,
                                  struct cJSON **kept_p, struct ct_error *err)
{
    const struct walk walk = {source, is_strict, err};
    if (!cJSON_IsObject(root))
        return ct_fail(err, CT_EFORMAT, "%s: no object of JSON", source);
    return keep_item(&walk, root, "", 0, kept_p);
}
