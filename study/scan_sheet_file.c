#include "study/scan_sheet_file.h"

#include "core/file.h"
#include "core/json.h"
#include "core/version.h"
#include "study/constants.h"
#include "study/scan_gpcnet.h"
#include "study/scan_words.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, ROWS_MAX = 100000, CLASS_MAX = 1000 };

static const double count_most = 1e15;

/* ---- writing ---- */

static void put_factor(struct ct_json *into, const char *key, const struct ct_scan_factor *factor)
{
    struct ct_json *made = ct_json_put(into, key, ct_json_object());
    ct_json_put(made, "value", ct_json_number(factor->value));
    ct_json_put(made, "lo", ct_json_number(factor->interval.lo));
    ct_json_put(made, "hi", ct_json_number(factor->interval.hi));
}

static void put_row(struct ct_json *list, const struct ct_scan_row *row)
{
    char text[CT_SCAN_TEXT_MAX];
    struct ct_json *made = ct_json_append(list, ct_json_object());
    ct_scan_case_format(&row->scan_case, text);
    ct_json_put(made, "cell", ct_json_text(text));
    ct_json_put(made, "path_class", ct_json_number(row->path_class));
    ct_json_put(made, "n_rounds", ct_json_number((double)row->n_rounds));
    ct_json_put(made, "n_samples", ct_json_number((double)row->n_samples));
    ct_json_put(made, "node_bytes_per_s", ct_json_number(row->node_bytes_per_s));
    for (int i = 0; i < CT_N_SCAN_STATISTICS; i++)
        put_factor(made, ct_scan_statistic_keys[i], &row->at[i]);
}

static void put_node(struct ct_json *into, const char *key, const struct ct_scan_node *node)
{
    struct ct_json *made = ct_json_put(into, key, ct_json_object());
    ct_json_put(made, "name", ct_json_text(node->name));
    if (node->switch_name)
        ct_json_put(made, "switch", ct_json_text(node->switch_name));
}

static void put_worst(struct ct_json *root, const struct ct_scan *scan,
                      const struct ct_scan_worst *worst)
{
    char text[CT_SCAN_TEXT_MAX];
    if (isnan(worst->factor))
        return;
    struct ct_json *made = ct_json_put(root, "worst_path", ct_json_object());
    ct_scan_setting_format(&worst->setting, text);
    put_node(made, "node_a", &scan->nodes[worst->node_a]);
    put_node(made, "node_b", &scan->nodes[worst->node_b]);
    ct_json_put(made, "congestor", ct_json_text(text));
    ct_json_put(made, "factor", ct_json_number(worst->factor));
    ct_json_put(made, "n_rounds", ct_json_number((double)worst->n_rounds));
}

static void put_health(struct ct_json *root, const struct ct_scan *scan,
                       const struct ct_scan_sheet *sheet)
{
    struct ct_json *list = ct_json_put(root, "idle", ct_json_array());
    for (size_t i = 0; i < sheet->n_classes; i++) {
        const struct ct_scan_class_health *health = &sheet->classes[i];
        struct ct_json *made = ct_json_append(list, ct_json_object());
        ct_json_put(made, "path_class", ct_json_number(health->path_class));
        ct_json_put(made, "n_pairs", ct_json_number((double)health->n_pairs));
        ct_json_put(made, "n_outliers", ct_json_number((double)health->n_outliers));
        ct_json_put(made, "least_s", ct_json_number(health->least_s));
        ct_json_put(made, "median_s", ct_json_number(health->median_s));
        ct_json_put(made, "most_s", ct_json_number(health->most_s));
        put_node(made, "slowest_a", &scan->nodes[health->most_a]);
        put_node(made, "slowest_b", &scan->nodes[health->most_b]);
    }
}

static void put_gpcnet_value(struct ct_json *into, const char *key,
                             const struct ct_scan_gpcnet_value *value)
{
    struct ct_json *made = ct_json_put(into, key, ct_json_object());
    ct_json_put(made, "alone", ct_json_number(value->alone));
    ct_json_put(made, "beside", ct_json_number(value->beside));
    put_factor(made, "impact", &value->impact);
}

static void put_gpcnet(struct ct_json *root, const struct ct_scan *scan,
                       const struct ct_scan_sheet *sheet)
{
    struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES];
    size_t n = ct_scan_gpcnet_make(scan, sheet, rows);
    struct ct_json *list = n > 0 ? ct_json_put(root, "gpcnet", ct_json_array()) : NULL;
    for (size_t i = 0; i < n; i++) {
        struct ct_json *made = ct_json_append(list, ct_json_object());
        ct_json_put(made, "name", ct_json_text(rows[i].name));
        ct_json_put(made, "unit", ct_json_text(rows[i].unit));
        put_gpcnet_value(made, "average", &rows[i].average);
        put_gpcnet_value(made, "p99", &rows[i].p99);
    }
}

/* An application with what it has beside each load. */
static void put_application(struct ct_json *list, const struct ct_scan_answer *answers, size_t n)
{
    struct ct_json *made = ct_json_append(list, ct_json_object());
    ct_json_put(made, "name", ct_json_text(answers->application));
    ct_json_put(made, "n_ranks", ct_json_number(answers->n_ranks));
    ct_json_put(made, "ranks_per_node", ct_json_number(answers->ranks_per_node));
    struct ct_json *beside = ct_json_put(made, "beside", ct_json_array());
    for (size_t i = 0; i < n; i++) {
        char text[CT_SCAN_TEXT_MAX];
        struct ct_json *item = ct_json_append(beside, ct_json_object());
        ct_scan_setting_format(&answers[i].setting, text);
        ct_json_put(item, "congestor", ct_json_text(text));
        ct_json_put(item, "slowdown", ct_json_number(answers[i].slowdown_frac));
        ct_json_put(item, "lo", ct_json_number(answers[i].interval.lo));
        ct_json_put(item, "hi", ct_json_number(answers[i].interval.hi));
        if (*answers[i].why)
            ct_json_put(item, "why", ct_json_text(answers[i].why));
    }
}

static void put_applications(struct ct_json *root, const struct ct_scan_sheet *sheet)
{
    struct ct_json *list = ct_json_put(root, "applications", ct_json_array());
    for (size_t from = 0, end; from < sheet->n_answers; from = end) {
        end = ct_scan_answers_end(sheet, from);
        put_application(list, &sheet->answers[from], end - from);
    }
}

struct ct_json *ct_scan_sheet_document(const struct ct_scan *scan,
                                       const struct ct_scan_sheet *sheet)
{
    char text[400];
    struct ct_json *root = ct_json_object();
    ct_json_put(root, "scan_sheet", ct_json_number(VERSION));
    ct_json_put(root, "crosstalk", ct_json_text(CT_VERSION));
    ct_json_put(root, "n_nodes", ct_json_number((double)scan->n_nodes));
    ct_json_put(root, "n_rounds", ct_json_number((double)scan->n_rounds));
    ct_json_put(root, "switches_of", ct_json_text(scan->asked.switches_of));
    ct_json_put(root, "reason_ended", ct_json_text(scan->is_complete ? scan->reason_ended : ""));
    ct_json_put(root, "level", ct_json_number(ct_study_constant(CT_STUDY_SCAN_LEVEL)));
    put_factor(root, "score", &sheet->score.factor);
    ct_json_put(root, "score_cells", ct_json_number((double)sheet->score.n_cells));
    ct_json_put(root, "score_cells_all", ct_json_number((double)ct_scan_score_cells()));
    if (ct_scan_explain_nothing(scan, sheet, text, sizeof text))
        ct_json_put(root, "no_effect", ct_json_text(text));
    put_worst(root, scan, &sheet->worst);
    put_gpcnet(root, scan, sheet);
    put_health(root, scan, sheet);
    struct ct_json *rows = ct_json_put(root, "rows", ct_json_array());
    for (size_t i = 0; i < sheet->n_rows; i++)
        put_row(rows, &sheet->rows[i]);
    if (sheet->n_answers > 0)
        put_applications(root, sheet);
    return root;
}

/* What is written. */
struct document {
    const struct ct_scan *scan;
    const struct ct_scan_sheet *sheet;
};

static enum ct_status write_sheet(FILE *out, const void *data, struct ct_error *err)
{
    const struct document *document = data;
    struct ct_json *root = ct_scan_sheet_document(document->scan, document->sheet);
    enum ct_status status = ct_json_print(root, out);
    ct_json_free(root);
    fputc('\n', out);
    return status == CT_OK ? CT_OK : ct_fail(err, status, "%s", ct_status_text(status));
}

enum ct_status ct_scan_sheet_write(const char *path, const struct ct_scan *scan,
                                   const struct ct_scan_sheet *sheet, struct ct_error *err)
{
    const struct document document = {scan, sheet};
    return ct_file_make(path, write_sheet, &document, err);
}

/* ---- reading ---- */

/* A number in a range; null is NaN where that may be. */
static bool read_number(const cJSON *object, const char *name, double least, double most,
                        bool may_be_null, double *value_p)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (may_be_null && cJSON_IsNull(item)) {
        *value_p = NAN;
        return true;
    }
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= least && item->valuedouble <= most))
        return false;
    *value_p = item->valuedouble;
    return true;
}

static bool read_factor(const cJSON *object, const char *name, bool may_be_null,
                        struct ct_scan_factor *factor_p)
{
    static const double least = 1e-30, most = 1e30;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    struct ct_scan_factor factor;
    if (!cJSON_IsObject(item) ||
        !read_number(item, "value", least, most, may_be_null, &factor.value) ||
        !read_number(item, "lo", least, most, true, &factor.interval.lo) ||
        !read_number(item, "hi", least, most, true, &factor.interval.hi))
        return false;
    if (isnan(factor.interval.lo) != isnan(factor.interval.hi) ||
        factor.interval.lo > factor.interval.hi)
        return false;
    *factor_p = factor;
    return true;
}

static bool read_row(const cJSON *item, struct ct_scan_row *row_p)
{
    const cJSON *cell = cJSON_GetObjectItemCaseSensitive(item, "cell");
    double path_class, n_rounds, n_samples;
    struct ct_scan_row row = {0};
    if (!cJSON_IsString(cell) ||
        ct_scan_case_parse(cell->valuestring, &row.scan_case, NULL) != CT_OK ||
        !read_number(item, "path_class", -1, CLASS_MAX, false, &path_class) ||
        !read_number(item, "n_rounds", 1, count_most, false, &n_rounds) ||
        !read_number(item, "n_samples", 1, count_most, false, &n_samples) ||
        !read_number(item, "node_bytes_per_s", 0, count_most, true, &row.node_bytes_per_s))
        return false;
    for (int i = 0; i < CT_N_SCAN_STATISTICS; i++)
        if (!read_factor(item, ct_scan_statistic_keys[i], false, &row.at[i]))
            return false;
    row.path_class = (int)path_class;
    row.n_rounds = (size_t)n_rounds;
    row.n_samples = (size_t)n_samples;
    *row_p = row;
    return true;
}

static enum ct_status read_document(const cJSON *root, const char *source,
                                    struct ct_scan_sheet *sheet, struct ct_error *err)
{
    double version, n_cells;
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(root, "rows"), *item;
    if (!read_number(root, "scan_sheet", VERSION, VERSION, false, &version))
        return ct_fail(err, CT_EFORMAT,
                       "%s: not a sheet of crosstalk scan (\"scan_sheet\": %d is missing); give "
                       "DIR/" CT_SCAN_SHEET_FILE,
                       source, VERSION);
    if (!read_factor(root, "score", true, &sheet->score.factor) ||
        !read_number(root, "score_cells", 0, count_most, false, &n_cells))
        return ct_fail(err, CT_EFORMAT, "%s: \"score\" is missing or is no factor", source);
    sheet->score.n_cells = (size_t)n_cells;
    int n = cJSON_IsArray(rows) ? cJSON_GetArraySize(rows) : -1;
    if (n < 0 || n > ROWS_MAX)
        return ct_fail(err, CT_EFORMAT, "%s: \"rows\" is no list of at most %d rows", source,
                       ROWS_MAX);
    sheet->rows = calloc((size_t)n + 1, sizeof *sheet->rows);
    if (!sheet->rows)
        return ct_no_memory(err, "%s", source);
    cJSON_ArrayForEach(item, rows)
    {
        if (!read_row(item, &sheet->rows[sheet->n_rows]))
            return ct_fail(err, CT_EFORMAT, "%s: row %zu is damaged: crosstalk scan writes it anew",
                           source, sheet->n_rows + 1);
        sheet->n_rows++;
    }
    return CT_OK;
}

enum ct_status ct_scan_sheet_parse(const char *text, size_t size, const char *source,
                                   struct ct_scan_sheet *sheet_p, struct ct_error *err)
{
    struct ct_scan_sheet sheet = {.worst = {.factor = NAN}};
    cJSON *root = cJSON_ParseWithLength(text, size);
    if (!root)
        return ct_fail(err, CT_EFORMAT, "%s: no JSON", source);
    enum ct_status status = read_document(root, source, &sheet, err);
    cJSON_Delete(root);
    if (status == CT_OK)
        *sheet_p = sheet;
    else
        ct_scan_sheet_free(&sheet);
    return status;
}

enum ct_status ct_scan_sheet_read(const char *path, struct ct_scan_sheet *sheet_p,
                                  struct ct_error *err)
{
    struct ct_text text;
    enum ct_status status = ct_file_read(path, &text, err);
    if (status != CT_OK)
        return status;
    status = ct_scan_sheet_parse(text.text, text.size, path, sheet_p, err);
    free(text.text);
    return status;
}
