#include "study/scan_file.h"

#include "core/file.h"
#include "core/json.h"
#include "core/units.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, NODES_MAX = 1 << 14 };

/* A class of a path is a digit; the classes behind 9 are letters. */
static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* ---- writing ---- */

static struct ct_json *list_nodes(const struct ct_scan *scan)
{
    struct ct_json *list = ct_json_array();
    for (size_t i = 0; i < scan->n_nodes; i++) {
        struct ct_json *node = ct_json_append(list, ct_json_object());
        ct_json_put(node, "name", ct_json_text(scan->nodes[i].name));
        if (scan->nodes[i].switch_name)
            ct_json_put(node, "switch", ct_json_text(scan->nodes[i].switch_name));
    }
    return list;
}

/* A text a node, with a digit for each other one. */
static struct ct_json *list_paths(const struct ct_scan *scan)
{
    struct ct_json *list = ct_json_array();
    char *row = malloc(scan->n_nodes + 1);
    for (size_t i = 0; row && i < scan->n_nodes; i++) {
        for (size_t k = 0; k < scan->n_nodes; k++) {
            int class = scan->path_class[i * scan->n_nodes + k];
            row[k] = digits[class < 0 ? 0 : class > 35 ? 35 : class];
        }
        row[scan->n_nodes] = '\0';
        ct_json_append(list, ct_json_text(row));
    }
    if (!row)
        ct_json_append(list, NULL); /* the document is refused */
    free(row);
    return list;
}

static struct ct_json *list_cases(const struct ct_scan *scan)
{
    struct ct_json *list = ct_json_array();
    for (size_t i = 0; i < scan->n_cases; i++) {
        char text[CT_SCAN_TEXT_MAX];
        ct_scan_case_format(&scan->cases[i], text);
        ct_json_append(list, ct_json_text(text));
    }
    return list;
}

static enum ct_status write_scan(FILE *out, const void *data, struct ct_error *err)
{
    const struct ct_scan *scan = data;
    const struct ct_scan_asked *asked = &scan->asked;
    struct ct_json *root = ct_json_object();
    char seed[32]; /* more digits than a number of JSON keeps */
    snprintf(seed, sizeof seed, "%" PRIu64, asked->seed);
    ct_json_put(root, "scan", ct_json_number(VERSION));
    ct_json_put(root, "launcher", ct_json_text(asked->launcher));
    ct_json_put(root, "switches_of", ct_json_text(asked->switches_of));
    if (asked->network)
        ct_json_put(root, "network", ct_json_text(asked->network));
    ct_json_put(root, "seed", ct_json_text(seed));
    ct_json_put(root, "time_s", ct_json_number(asked->time_s));
    ct_json_put(root, "half_width_frac", ct_json_number(asked->half_width_frac));
    ct_json_put(root, "slots", ct_json_number((double)asked->slots));
    ct_json_put(root, "message_bytes", ct_json_number((double)asked->message_bytes));
    ct_json_put(root, "reason_ended", ct_json_text(scan->is_complete ? scan->reason_ended : ""));
    ct_json_put(root, "cases", list_cases(scan));
    ct_json_put(root, "nodes", list_nodes(scan));
    ct_json_put(root, "paths", list_paths(scan));
    enum ct_status status = ct_json_print(root, out);
    ct_json_free(root);
    fputc('\n', out);
    return status == CT_OK ? CT_OK : ct_fail(err, status, "%s", ct_status_text(status));
}

static enum ct_status name_file(const char *dir, char path[PATH_MAX], struct ct_error *err)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", dir, CT_SCAN_FILE) >= PATH_MAX)
        return ct_fail(err, CT_EIO, "path is too long: %s", dir);
    return CT_OK;
}

enum ct_status ct_scan_file_write(const char *dir, const struct ct_scan *scan, struct ct_error *err)
{
    char path[PATH_MAX];
    enum ct_status status = name_file(dir, path, err);
    return status == CT_OK ? ct_file_make(path, write_scan, scan, err) : status;
}

/* ---- reading ---- */

/* Members that are missing or of another type are the first fault that is found. */
struct reader {
    const char *source;
    const cJSON *root;
    enum ct_status status;
    struct ct_error *err;
};

static void refuse_member(struct reader *reader, const char *name, const char *why)
{
    if (reader->status == CT_OK)
        reader->status =
            ct_fail(reader->err, CT_EFORMAT, "%s: '%s': %s", reader->source, name, why);
}

static char *copy_text(struct reader *reader, const cJSON *item, const char *name)
{
    if (!cJSON_IsString(item)) {
        refuse_member(reader, name, "is no text");
        return NULL;
    }
    char *text = strdup(item->valuestring);
    if (!text && reader->status == CT_OK)
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
    return text;
}

static char *take_text(struct reader *reader, const char *name)
{
    return copy_text(reader, cJSON_GetObjectItemCaseSensitive(reader->root, name), name);
}

static double take_number(struct reader *reader, const char *name, double most)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(reader->root, name);
    if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= most)
        return item->valuedouble;
    refuse_member(reader, name, "is no number that it may be");
    return 0;
}

static void take_nodes(struct reader *reader, struct ct_scan *scan)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(reader->root, "nodes"), *item;
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (n > NODES_MAX)
        n = 0;
    scan->nodes = calloc((size_t)n + 1, sizeof *scan->nodes);
    scan->path_class = calloc((size_t)n * (size_t)n + 1, sizeof *scan->path_class);
    if (!scan->nodes || !scan->path_class) {
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
        return;
    }
    cJSON_ArrayForEach(item, list)
    {
        if (scan->n_nodes == (size_t)n || reader->status != CT_OK)
            break;
        struct ct_scan_node *node = &scan->nodes[scan->n_nodes++];
        const cJSON *place = cJSON_GetObjectItemCaseSensitive(item, "switch");
        node->name = copy_text(reader, cJSON_GetObjectItemCaseSensitive(item, "name"), "nodes");
        if (place)
            node->switch_name = copy_text(reader, place, "nodes");
    }
    if (n == 0)
        refuse_member(reader, "nodes", "is no list of nodes");
}

static bool take_path_row(const cJSON *item, struct ct_scan *scan, size_t row)
{
    if (!cJSON_IsString(item) || strlen(item->valuestring) != scan->n_nodes)
        return false;
    for (size_t k = 0; k < scan->n_nodes; k++) {
        const char *digit = strchr(digits, item->valuestring[k]);
        if (!digit)
            return false;
        scan->path_class[row * scan->n_nodes + k] = (int)(digit - digits);
    }
    return true;
}

static void take_paths(struct reader *reader, struct ct_scan *scan)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(reader->root, "paths"), *item;
    size_t row = 0;
    bool good = cJSON_IsArray(list);
    cJSON_ArrayForEach(item, list) good =
        good && row < scan->n_nodes && take_path_row(item, scan, row++);
    if (!good || row != scan->n_nodes)
        refuse_member(reader, "paths", "is no text for each node with a digit for each node");
}

static void take_cases(struct reader *reader, struct ct_scan *scan)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(reader->root, "cases"), *item;
    if (!cJSON_IsArray(list))
        refuse_member(reader, "cases", "is no list");
    scan->cases = calloc((size_t)(cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0) + 1,
                         sizeof *scan->cases);
    if (!scan->cases && reader->status == CT_OK)
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
    cJSON_ArrayForEach(item, list)
    {
        struct ct_error why;
        if (reader->status != CT_OK)
            break;
        if (!cJSON_IsString(item) ||
            ct_scan_case_parse(item->valuestring, &scan->cases[scan->n_cases], &why) != CT_OK)
            refuse_member(reader, "cases", cJSON_IsString(item) ? why.text : "is no list of texts");
        scan->n_cases++;
    }
}

static void take_asked(struct reader *reader, struct ct_scan *scan)
{
    struct ct_scan_asked *asked = &scan->asked;
    char *seed = take_text(reader, "seed");
    if (seed && ct_parse_u64(seed, &asked->seed, NULL) != CT_OK)
        refuse_member(reader, "seed", "is no number");
    free(seed);
    asked->launcher = take_text(reader, "launcher");
    asked->switches_of = take_text(reader, "switches_of");
    if (cJSON_GetObjectItemCaseSensitive(reader->root, "network"))
        asked->network = take_text(reader, "network");
    asked->time_s = take_number(reader, "time_s", 1e9);
    asked->half_width_frac = take_number(reader, "half_width_frac", 100);
    asked->slots = (uint64_t)take_number(reader, "slots", 1e6);
    asked->message_bytes = (uint64_t)take_number(reader, "message_bytes", 1e9);
    scan->reason_ended = take_text(reader, "reason_ended");
    scan->is_complete = scan->reason_ended && *scan->reason_ended;
    if (asked->slots == 0)
        refuse_member(reader, "slots", "is not 1 or more");
}

enum ct_status ct_scan_file_parse(const char *text, size_t size, const char *source,
                                  struct ct_scan *scan_p, struct ct_error *err)
{
    struct ct_scan scan = {0};
    cJSON *root = cJSON_ParseWithLength(text, size);
    struct reader reader = {.source = source, .root = root, .status = CT_OK, .err = err};
    if (!cJSON_IsObject(root))
        reader.status = ct_fail(err, CT_EFORMAT, "%s: not JSON, or cut off", source);
    if (reader.status == CT_OK && take_number(&reader, "scan", 1e9) != VERSION)
        refuse_member(&reader, "scan", "is not the version 1 that this program reads");
    if (reader.status == CT_OK)
        take_asked(&reader, &scan);
    if (reader.status == CT_OK)
        take_nodes(&reader, &scan);
    if (reader.status == CT_OK)
        take_paths(&reader, &scan);
    if (reader.status == CT_OK)
        take_cases(&reader, &scan);
    cJSON_Delete(root);
    if (reader.status == CT_OK)
        *scan_p = scan;
    else
        ct_scan_free(&scan);
    return reader.status;
}

enum ct_status ct_scan_file_read(const char *dir, struct ct_scan *scan_p, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_text text;
    enum ct_status status = name_file(dir, path, err);
    if (status == CT_OK)
        status = ct_file_read(path, &text, err);
    if (status != CT_OK)
        return status;
    status = ct_scan_file_parse(text.text, text.size, path, scan_p, err);
    free(text.text);
    return status;
}

void ct_scan_free(struct ct_scan *scan)
{
    for (size_t i = 0; i < scan->n_nodes; i++) {
        free(scan->nodes[i].name);
        free(scan->nodes[i].switch_name);
    }
    for (size_t r = 0; r < scan->n_rounds; r++) {
        free(scan->rounds[r].path);
        free(scan->rounds[r].started_utc);
        free(scan->rounds[r].is_canary);
    }
    for (size_t c = 0; c < scan->n_cells; c++)
        free(scan->cells[c].pairs);
    for (size_t b = 0; b < scan->n_sample_blocks; b++)
        free(scan->sample_blocks[b]);
    free(scan->nodes);
    free(scan->path_class);
    free(scan->asked.switches_of);
    free(scan->asked.launcher);
    free(scan->asked.network);
    free(scan->cases);
    free(scan->rounds);
    free(scan->cells);
    free(scan->sample_blocks);
    ct_argv_free(&scan->notes);
    free(scan->reason_ended);
    *scan = (struct ct_scan){0};
}
