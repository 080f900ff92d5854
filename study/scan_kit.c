#include "study/scan_kit.h"

#include "core/file.h"
#include "study/scan_kit_fields.h"
#include "study/scan_sheet_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1, NODES_MAX = 1 << 14, ROUNDS_MAX = 100000 };

static const double count_most = 1e15;

/* ---- pseudonyms ---- */

typedef unsigned char salt_bytes[CT_SHA256_BYTES];

static enum ct_status make_salt(const char *path, salt_bytes salt, struct ct_error *err)
{
    if (getrandom(salt, CT_SHA256_BYTES, 0) != CT_SHA256_BYTES)
        return ct_fail(err, CT_EIO, "no random numbers for %s: %s", path, strerror(errno));
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    bool is_written = fd >= 0 && write(fd, salt, CT_SHA256_BYTES) == CT_SHA256_BYTES;
    if (fd >= 0 && close(fd) != 0)
        is_written = false;
    return is_written ? CT_OK : ct_fail(err, CT_EIO, "%s: %s", path, strerror(errno));
}

static enum ct_status open_salt(const char *dir, salt_bytes salt, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_text file;
    if ((size_t)snprintf(path, sizeof path, "%s/kit.salt", dir) >= sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s", dir);
    if (access(path, F_OK) != 0)
        return make_salt(path, salt, err);
    enum ct_status status = ct_file_read(path, &file, err);
    if (status != CT_OK)
        return status;
    if (file.size == CT_SHA256_BYTES)
        memcpy(salt, file.text, CT_SHA256_BYTES);
    else
        status = ct_fail(err, CT_EFORMAT, "%s: not %d bytes; remove it, and pseudonyms are new",
                         path, CT_SHA256_BYTES);
    free(file.text);
    return status;
}

/* @param kind  [in] "node" or "switch". @return free(); NULL: out of memory */
static char *hide_name(const salt_bytes salt, const char *kind, const char *name)
{
    char code[CT_SHA256_MAX], *given = NULL, *hidden = NULL;
    if (asprintf(&given, "%s %s", kind, name) < 0)
        return NULL;
    ct_sha256_keyed(salt, given, code);
    free(given);
    return asprintf(&hidden, "%s-%.12s", kind, code) < 0 ? NULL : hidden;
}

static enum ct_status hide_nodes(const salt_bytes salt, const struct ct_scan *scan,
                                 struct ct_scan_node *nodes, struct ct_error *err)
{
    bool is_enough = true;
    for (size_t i = 0; i < scan->n_nodes && is_enough; i++) {
        const struct ct_scan_node *node = &scan->nodes[i];
        nodes[i].name = hide_name(salt, "node", node->name);
        if (node->switch_name)
            nodes[i].switch_name = hide_name(salt, "switch", node->switch_name);
        is_enough = nodes[i].name && (!node->switch_name || nodes[i].switch_name);
    }
    return is_enough ? CT_OK : ct_no_memory(err, "pseudonyms");
}

static void free_nodes(struct ct_scan_node *nodes, size_t n)
{
    for (size_t i = 0; nodes && i < n; i++) {
        free(nodes[i].name);
        free(nodes[i].switch_name);
    }
    free(nodes);
}

/* ---- writing ---- */

/* Where switches are known from a file or a spec, its name does not leave. */
static const char *hide_source(const char *source)
{
    const char *const *word = ct_scan_kit_sources;
    while (word[1] && strcmp(source, *word) != 0)
        word++;
    return *word;
}

static void put_seal(struct ct_json *root, const struct ct_scan_seal *seal)
{
    struct ct_json *lines = ct_json_put(root, "sealed", ct_json_array());
    for (const char *at = seal->text; *at;) {
        size_t length = strcspn(at, "\n");
        char line[CT_SCAN_SEAL_LINE];
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        ct_json_append(lines, ct_json_text(line));
        at += length + (at[length] == '\n');
    }
    ct_json_put(root, "sealed_sha256", ct_json_text(seal->digest));
    struct ct_json *list = ct_json_put(root, "judged", ct_json_array());
    for (size_t i = 0; i < seal->n; i++) {
        struct ct_json *made = ct_json_append(list, ct_json_object());
        ct_json_put(made, "value", ct_json_number(seal->items[i].measured));
        ct_json_put(made, "n_rounds", ct_json_number((double)seal->items[i].n_rounds));
        ct_json_put(made, "n_inside", ct_json_number((double)seal->items[i].n_inside));
    }
}

/* @param scan  [in] without names */
static struct ct_json *make_document(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                                     const struct ct_scan_seal *seal)
{
    const struct ct_scan_asked *asked = &scan->asked;
    struct ct_json *root = ct_scan_sheet_document(scan, sheet);
    ct_json_put(root, "scan_kit", ct_json_number(VERSION));
    ct_json_put(root, "launcher", ct_json_text(asked->launcher));
    ct_json_put(root, "slots", ct_json_number((double)asked->slots));
    ct_json_put(root, "message_bytes", ct_json_number((double)asked->message_bytes));
    const size_t window = ct_scan_window_bytes(scan);
    ct_json_put(root, "window_bytes", ct_json_number(window > 0 ? (double)window : NAN));
    ct_json_put(root, "half_width_frac", ct_json_number(asked->half_width_frac));
    struct ct_json *nodes = ct_json_put(root, "nodes", ct_json_array());
    for (size_t i = 0; i < scan->n_nodes; i++) {
        struct ct_json *made = ct_json_append(nodes, ct_json_object());
        ct_json_put(made, "name", ct_json_text(scan->nodes[i].name));
        if (scan->nodes[i].switch_name)
            ct_json_put(made, "switch", ct_json_text(scan->nodes[i].switch_name));
    }
    put_seal(root, seal);
    return root;
}

/* Its text with what is listed only. @param text_p  [out] free() */
static enum ct_status print_listed(struct ct_json *root, char **text_p, struct ct_error *err)
{
    char *all = NULL;
    size_t size = 0;
    cJSON *parsed = NULL, *kept = NULL;
    FILE *out = open_memstream(&all, &size);
    enum ct_status status = out ? ct_json_print(root, out) : CT_ENOMEM;
    if (out && fclose(out) != 0)
        status = CT_ENOMEM;
    if (status == CT_OK)
        parsed = cJSON_ParseWithLength(all, size);
    free(all);
    if (!parsed)
        return ct_no_memory(err, "kit");
    status = ct_scan_kit_filter(parsed, false, "kit", &kept, err);
    cJSON_Delete(parsed);
    if (status != CT_OK)
        return status;
    *text_p = cJSON_Print(kept);
    cJSON_Delete(kept);
    return *text_p ? CT_OK : ct_no_memory(err, "kit");
}

enum ct_status ct_scan_kit_write(const char *dir, const char *path, const struct ct_scan *scan,
                                 const struct ct_scan_sheet *sheet, const struct ct_scan_seal *seal,
                                 struct ct_error *err)
{
    salt_bytes salt;
    char *text = NULL, *source = strdup(hide_source(scan->asked.switches_of));
    struct ct_scan hidden = *scan;
    hidden.asked.switches_of = source;
    hidden.nodes = calloc(scan->n_nodes + 1, sizeof *hidden.nodes);
    enum ct_status status = hidden.nodes && source ? CT_OK : ct_no_memory(err, "kit");
    if (status == CT_OK)
        status = open_salt(dir, salt, err);
    if (status == CT_OK)
        status = hide_nodes(salt, scan, hidden.nodes, err);
    if (status == CT_OK) {
        struct ct_json *root = make_document(&hidden, sheet, seal);
        status = print_listed(root, &text, err);
        ct_json_free(root);
    }
    if (status == CT_OK)
        status = ct_file_save(path, text, strlen(text), err);
    free_nodes(hidden.nodes, scan->n_nodes);
    free(source);
    cJSON_free(text);
    return status;
}

/* ---- reading ---- */

/* The first fault is kept. */
struct reader {
    const char *source;
    enum ct_status status;
    struct ct_error *err;
};

static void refuse_member(struct reader *reader, const char *name)
{
    if (reader->status == CT_OK)
        reader->status =
            ct_fail(reader->err, CT_EFORMAT, "%s: '%s' is missing or is not what a kit has there",
                    reader->source, name);
}

static const cJSON *find_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double take_number(struct reader *reader, const cJSON *object, const char *name,
                          double least, double most)
{
    const cJSON *item = find_member(object, name);
    if (cJSON_IsNumber(item) && item->valuedouble >= least && item->valuedouble <= most)
        return item->valuedouble;
    refuse_member(reader, name);
    return least;
}

static char *take_text(struct reader *reader, const cJSON *object, const char *name)
{
    const cJSON *item = find_member(object, name);
    if (!cJSON_IsString(item)) {
        refuse_member(reader, name);
        return NULL;
    }
    char *text = strdup(item->valuestring);
    if (!text && reader->status == CT_OK)
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
    return text;
}

static void take_nodes(struct reader *reader, const cJSON *root, struct ct_scan *scan)
{
    const cJSON *list = find_member(root, "nodes"), *item;
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (n < 1 || n > NODES_MAX || take_number(reader, root, "n_nodes", n, n) != n) {
        refuse_member(reader, "nodes");
        return;
    }
    scan->nodes = calloc((size_t)n, sizeof *scan->nodes);
    if (!scan->nodes) {
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
        return;
    }
    cJSON_ArrayForEach(item, list)
    {
        struct ct_scan_node *node = &scan->nodes[scan->n_nodes++];
        node->name = take_text(reader, item, "name");
        if (find_member(item, "switch"))
            node->switch_name = take_text(reader, item, "switch");
    }
}

static size_t take_node(struct reader *reader, const cJSON *object, const char *member,
                        const struct ct_scan *scan)
{
    const cJSON *name = find_member(find_member(object, member), "name");
    for (size_t i = 0; i < scan->n_nodes && cJSON_IsString(name); i++)
        if (scan->nodes[i].name && strcmp(scan->nodes[i].name, name->valuestring) == 0)
            return i;
    refuse_member(reader, member);
    return 0;
}

static void take_worst(struct reader *reader, const cJSON *root, const struct ct_scan *scan,
                       struct ct_scan_worst *worst)
{
    const cJSON *item = find_member(root, "worst_path");
    struct ct_scan_case beside;
    char cell[2 * CT_SCAN_TEXT_MAX];
    if (!item)
        return;
    char *load = take_text(reader, item, "congestor");
    snprintf(cell, sizeof cell, "latency:%.96s", load ? load : "");
    free(load);
    if (ct_scan_case_parse(cell, &beside, NULL) == CT_OK)
        worst->setting = beside.setting;
    else
        refuse_member(reader, "congestor");
    worst->node_a = take_node(reader, item, "node_a", scan);
    worst->node_b = take_node(reader, item, "node_b", scan);
    worst->factor = take_number(reader, item, "factor", 0, count_most);
    worst->n_rounds = (size_t)take_number(reader, item, "n_rounds", 0, ROUNDS_MAX);
}

static void take_idle(struct reader *reader, const cJSON *root, const struct ct_scan *scan,
                      struct ct_scan_sheet *sheet)
{
    const cJSON *list = find_member(root, "idle"), *item;
    sheet->classes = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *sheet->classes);
    if (!sheet->classes) {
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
        return;
    }
    if (!cJSON_IsArray(list))
        refuse_member(reader, "idle");
    cJSON_ArrayForEach(item, list)
    {
        struct ct_scan_class_health *health = &sheet->classes[sheet->n_classes++];
        health->path_class = (int)take_number(reader, item, "path_class", 0, NODES_MAX);
        health->n_pairs = (size_t)take_number(reader, item, "n_pairs", 0, count_most);
        health->n_outliers = (size_t)take_number(reader, item, "n_outliers", 0, count_most);
        health->least_s = take_number(reader, item, "least_s", 0, count_most);
        health->median_s = take_number(reader, item, "median_s", 0, count_most);
        health->most_s = take_number(reader, item, "most_s", 0, count_most);
        health->most_a = take_node(reader, item, "slowest_a", scan);
        health->most_b = take_node(reader, item, "slowest_b", scan);
    }
}

static void take_asked(struct reader *reader, const cJSON *root, struct ct_scan *scan)
{
    const cJSON *window = find_member(root, "window_bytes");
    scan->asked.launcher = take_text(reader, root, "launcher");
    scan->asked.switches_of = take_text(reader, root, "switches_of");
    scan->reason_ended = take_text(reader, root, "reason_ended");
    scan->is_complete = scan->reason_ended && *scan->reason_ended;
    scan->asked.slots = (uint64_t)take_number(reader, root, "slots", 1, 1e6);
    scan->asked.message_bytes = (uint64_t)take_number(reader, root, "message_bytes", 1, 1e9);
    scan->asked.half_width_frac = take_number(reader, root, "half_width_frac", 0, 100);
    scan->n_rounds = (size_t)take_number(reader, root, "n_rounds", 1, ROUNDS_MAX);
    scan->rounds = calloc(scan->n_rounds, sizeof *scan->rounds);
    scan->cells = calloc(1, sizeof *scan->cells);
    if (!scan->rounds || !scan->cells) {
        scan->n_rounds = 0;
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
    } else if (!cJSON_IsNull(window)) {
        double bytes = take_number(reader, root, "window_bytes", 1, 1e12);
        scan->cells[scan->n_cells++] =
            (struct ct_scan_cell){.canary = CT_SCAN_BANDWIDTH, .bytes = (size_t)bytes};
    }
}

/* The lines as sealed.txt had them. @return free(); NULL: refused */
static char *join_lines(struct reader *reader, const cJSON *root)
{
    const cJSON *list = find_member(root, "sealed"), *item;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!cJSON_IsArray(list))
        refuse_member(reader, "sealed");
    if (out) {
        cJSON_ArrayForEach(item, list) fprintf(out, "%s\n", item->valuestring);
    }
    if ((!out || fclose(out) != 0) && reader->status == CT_OK)
        reader->status = ct_no_memory(reader->err, "%s", reader->source);
    return text;
}

static void take_judged(struct reader *reader, const cJSON *root, struct ct_scan_seal *seal)
{
    const cJSON *list = find_member(root, "judged"), *item;
    size_t i = 0;
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != seal->n) {
        refuse_member(reader, "judged");
        return;
    }
    cJSON_ArrayForEach(item, list)
    {
        struct ct_scan_prediction *judged = &seal->items[i++];
        judged->n_rounds = (size_t)take_number(reader, item, "n_rounds", 0, ROUNDS_MAX);
        judged->n_inside =
            (size_t)take_number(reader, item, "n_inside", 0, (double)judged->n_rounds);
        if (judged->n_rounds > 0)
            judged->measured = take_number(reader, item, "value", 1e-30, 1e30);
    }
}

static void take_seal(struct reader *reader, const cJSON *root, struct ct_scan_kit *kit)
{
    char *digest = take_text(reader, root, "sealed_sha256"), *lines = join_lines(reader, root);
    if (reader->status == CT_OK)
        reader->status = ct_scan_seal_parse(lines, reader->source, &kit->seal, reader->err);
    if (reader->status == CT_OK) {
        kit->seal.is_broken = strcmp(digest, kit->seal.digest) != 0;
        take_judged(reader, root, &kit->seal);
    }
    free(digest);
    free(lines);
}

enum ct_status ct_scan_kit_parse(const char *text, size_t size, const char *source,
                                 struct ct_scan_kit *kit_p, struct ct_error *err)
{
    struct ct_scan_kit kit = {.sheet = {.worst = {.factor = NAN}}};
    struct reader reader = {source, CT_OK, err};
    cJSON *given = cJSON_ParseWithLength(text, size), *root = NULL;
    const cJSON *version = find_member(given, "scan_kit");
    if (!given)
        reader.status = ct_fail(err, CT_EFORMAT, "%s: no JSON, or cut short", source);
    else if (!cJSON_IsNumber(version) || version->valuedouble != VERSION)
        reader.status = ct_fail(err, CT_EFORMAT,
                                "%s: not a file of crosstalk scan --kit (\"scan_kit\": %d is "
                                "missing)%s",
                                source, VERSION,
                                find_member(given, "scan_sheet")
                                    ? "; it is the sheet of a scan: give the scan's folder"
                                    : "");
    if (reader.status == CT_OK)
        reader.status = ct_scan_kit_filter(given, true, source, &root, err);
    cJSON_Delete(given);
    if (reader.status == CT_OK)
        reader.status = ct_scan_sheet_parse(text, size, source, &kit.sheet, err);
    if (reader.status == CT_OK)
        take_asked(&reader, root, &kit.scan);
    if (reader.status == CT_OK)
        take_nodes(&reader, root, &kit.scan);
    if (reader.status == CT_OK)
        take_worst(&reader, root, &kit.scan, &kit.sheet.worst);
    if (reader.status == CT_OK)
        take_idle(&reader, root, &kit.scan, &kit.sheet);
    if (reader.status == CT_OK)
        take_seal(&reader, root, &kit);
    cJSON_Delete(root);
    if (reader.status == CT_OK)
        *kit_p = kit;
    else
        ct_scan_kit_free(&kit);
    return reader.status;
}

enum ct_status ct_scan_kit_read(const char *path, struct ct_scan_kit *kit_p, struct ct_error *err)
{
    struct ct_text file;
    enum ct_status status = ct_file_read(path, &file, err);
    if (status != CT_OK)
        return status;
    status = ct_scan_kit_parse(file.text, file.size, path, kit_p, err);
    free(file.text);
    return status;
}

void ct_scan_kit_free(struct ct_scan_kit *kit)
{
    ct_scan_free(&kit->scan);
    ct_scan_sheet_free(&kit->sheet);
    ct_scan_seal_free(&kit->seal);
    *kit = (struct ct_scan_kit){0};
}
