#include "results/dataset.h"

#include <math.h>
#include <string.h>

#define FIELD_AS(row, member, kind, what, may_lack)                                                \
    {                                                                                              \
        .name = #member, .type = CT_FIELD_##kind, .rule = CT_RULE_##what,                          \
        .offset = offsetof(struct row, member), .optional = (may_lack)                             \
    }
#define FIELD(row, member, kind, what) FIELD_AS(row, member, kind, what, false)
#define OPTIONAL_FIELD(row, member, kind, what) FIELD_AS(row, member, kind, what, true)

static const struct ct_field sample_fields[] = {
    FIELD(ct_sample, t_s, F64, FINITE),          FIELD(ct_sample, latency_s, F64, NOT_NEGATIVE),
    FIELD(ct_sample, pair, U32, PAIR),           OPTIONAL_FIELD(ct_sample, late, U8, FLAG),
    OPTIONAL_FIELD(ct_sample, sent_s, F64, ANY), OPTIONAL_FIELD(ct_sample, forward_s, F64, ANY),
    OPTIONAL_FIELD(ct_sample, from_b, U8, FLAG)};

static const struct ct_field pair_fields[] = {
    FIELD(ct_pair, rank_a, U32, ANY), FIELD(ct_pair, rank_b, U32, ANY),
    FIELD(ct_pair, host_a, HOST, ANY), FIELD(ct_pair, host_b, HOST, ANY),
    OPTIONAL_FIELD(ct_pair, path_class, U32, ANY)};

static const struct ct_field runtime_fields[] = {FIELD(ct_runtime, start_s, F64, FINITE),
                                                 FIELD(ct_runtime, duration_s, F64, NOT_NEGATIVE)};

static const struct ct_field round_fields[] = {FIELD(ct_round, start_s, F64, FINITE),
                                               FIELD(ct_round, duration_s, F64, NOT_NEGATIVE),
                                               FIELD(ct_round, bytes, U64, ANY)};

#define LOGP_TIME(member) FIELD(ct_logp_row, member, F64, ANY)
#define LOGP_LIMIT(member) OPTIONAL_FIELD(ct_logp_row, member, F64, ANY)
/* Differences of measured times may be negative, and what was not measured is NaN. */
static const struct ct_field logp_fields[] = {FIELD(ct_logp_row, bytes, U64, ANY),
                                              LOGP_TIME(os_s),
                                              LOGP_TIME(or_s),
                                              LOGP_TIME(g_s),
                                              LOGP_TIME(rtt_s),
                                              FIELD(ct_logp_row, repetitions, U32, ANY),
                                              LOGP_LIMIT(os_lo_s),
                                              LOGP_LIMIT(os_hi_s),
                                              LOGP_LIMIT(or_lo_s),
                                              LOGP_LIMIT(or_hi_s),
                                              LOGP_LIMIT(g_lo_s),
                                              LOGP_LIMIT(g_hi_s),
                                              LOGP_LIMIT(rtt_lo_s),
                                              LOGP_LIMIT(rtt_hi_s),
                                              LOGP_LIMIT(or_expected_s),
                                              LOGP_LIMIT(or_expected_lo_s),
                                              LOGP_LIMIT(or_expected_hi_s),
                                              OPTIONAL_FIELD(ct_logp_row, rank_from, U32, ANY),
                                              OPTIONAL_FIELD(ct_logp_row, rank_to, U32, ANY),
                                              OPTIONAL_FIELD(ct_logp_row, method, U8, FLAG)};

static const struct ct_field repetition_fields[] = {
    FIELD(ct_logp_repetition, bytes, U64, ANY),
    FIELD(ct_logp_repetition, messages, U32, ANY),
    FIELD(ct_logp_repetition, rank_from, U32, ANY),
    FIELD(ct_logp_repetition, rank_to, U32, ANY),
    FIELD(ct_logp_repetition, quantity, U8, ANY),
    FIELD(ct_logp_repetition, value_s, F64, FINITE)};

static const struct ct_field path_fields[] = {FIELD(ct_path_row, rank_a, U32, ANY),
                                              FIELD(ct_path_row, rank_b, U32, ANY),
                                              FIELD(ct_path_row, path_class, U32, ANY)};

static const struct ct_field scan_sample_fields[] = {
    FIELD(ct_scan_sample, t_s, F64, FINITE), FIELD(ct_scan_sample, value_s, F64, NOT_NEGATIVE),
    FIELD(ct_scan_sample, cell, U32, ANY), FIELD(ct_scan_sample, node_a, U32, ANY),
    FIELD(ct_scan_sample, node_b, U32, ANY)};

static const struct ct_field scan_cell_fields[] = {
    FIELD(ct_scan_cell_row, start_s, F64, FINITE),
    FIELD(ct_scan_cell_row, duration_s, F64, NOT_NEGATIVE),
    FIELD(ct_scan_cell_row, burst_s, F64, NOT_NEGATIVE),
    FIELD(ct_scan_cell_row, pause_s, F64, NOT_NEGATIVE),
    FIELD(ct_scan_cell_row, intensity, F64, NOT_NEGATIVE),
    FIELD(ct_scan_cell_row, congestor_s, F64, NOT_NEGATIVE),
    FIELD(ct_scan_cell_row, congestor_bytes, U64, ANY),
    FIELD(ct_scan_cell_row, bytes, U64, ANY),
    OPTIONAL_FIELD(ct_scan_cell_row, partners, U32, ANY),
    OPTIONAL_FIELD(ct_scan_cell_row, messages, U32, ANY),
    FIELD(ct_scan_cell_row, canary, U8, ANY),
    FIELD(ct_scan_cell_row, congestor, U8, ANY)};

#define FIELDS(table) .fields = (table), .n_fields = sizeof(table) / sizeof *(table)
#define ROWS(member)                                                                               \
    .row_bytes = sizeof *((struct ct_run *)0)->member,                                             \
    .rows_offset = offsetof(struct ct_run, member),                                                \
    .count_offset = offsetof(struct ct_run, n_##member)

const struct ct_dataset ct_datasets[CT_N_DATASETS] = {
    {"samples", CT_RUN_IMPACT, true, FIELDS(sample_fields),
     .packed_bytes = 2 * 8 + 4 + 1 + 2 * 8 + 1, ROWS(samples)},
    {"pairs", CT_RUN_IMPACT, false, FIELDS(pair_fields), .packed_bytes = 3 * 4 + 2 * CT_HOST_MAX,
     ROWS(pairs)},
    {"runtimes", CT_RUN_RUNTIME, true, FIELDS(runtime_fields), .packed_bytes = 8 + 8,
     ROWS(runtimes)},
    {"rounds", CT_RUN_COMPRESSION, true, FIELDS(round_fields), .packed_bytes = 8 + 8 + 8,
     ROWS(rounds)},
    {"logp", CT_RUN_LOGP, true, FIELDS(logp_fields), .packed_bytes = 8 + 15 * 8 + 3 * 4 + 1,
     ROWS(logp)},
    {"repetitions", CT_RUN_LOGP, true, FIELDS(repetition_fields), .packed_bytes = 8 + 3 * 4 + 1 + 8,
     ROWS(repetitions), .optional = true},
    {"paths", CT_RUN_LOGP, false, FIELDS(path_fields), .packed_bytes = 3 * 4, ROWS(paths),
     .optional = true},
    {"scan_samples", CT_RUN_SCAN, false, FIELDS(scan_sample_fields), .packed_bytes = 2 * 8 + 3 * 4,
     ROWS(scan_samples)},
    {"scan_cells", CT_RUN_SCAN, false, FIELDS(scan_cell_fields), .packed_bytes = 8 * 8 + 2 * 4 + 2,
     ROWS(scan_cells)}};

static const size_t field_bytes[] = {
#define FIELD_TYPE_ROW(name, bytes) [CT_FIELD_##name] = (bytes),
    CT_FIELD_TYPE_MAP(FIELD_TYPE_ROW)
#undef FIELD_TYPE_ROW
};

const struct ct_dataset *ct_dataset_find(const char *name)
{
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        if (!strcmp(ct_datasets[d].name, name))
            return &ct_datasets[d];
    return NULL;
}

const struct ct_dataset *ct_dataset_main(enum ct_run_kind kind)
{
    const struct ct_dataset *dataset = ct_datasets;
    while (dataset->kind != kind)
        dataset++;
    return dataset;
}

size_t ct_field_bytes(enum ct_field_type type)
{
    return field_bytes[type];
}

const void *ct_dataset_rows(const struct ct_dataset *dataset, const struct ct_run *run)
{
    const void *rows;
    memcpy(&rows, (const char *)run + dataset->rows_offset, sizeof rows);
    return rows;
}

size_t ct_dataset_count(const struct ct_dataset *dataset, const struct ct_run *run)
{
    size_t n;
    memcpy(&n, (const char *)run + dataset->count_offset, sizeof n);
    return n;
}

void ct_dataset_set(const struct ct_dataset *dataset, struct ct_run *run, void *rows, size_t n)
{
    memcpy((char *)run + dataset->rows_offset, &rows, sizeof rows);
    memcpy((char *)run + dataset->count_offset, &n, sizeof n);
}

/* Copy one field of every row. A size known to the compiler turns memcpy into one load and store:
 * this loop decides how fast files are written and read. */
static void copy_column(char *to, size_t to_stride, const char *from, size_t from_stride, size_t n,
                        size_t bytes)
{
#define COPY_COLUMN(size)                                                                          \
    for (size_t i = 0; i < n; i++)                                                                 \
    memcpy(to + i * to_stride, from + i * from_stride, (size))
    if (bytes == 8)
        COPY_COLUMN(8);
    else if (bytes == 4)
        COPY_COLUMN(4);
    else
        COPY_COLUMN(bytes);
#undef COPY_COLUMN
}

void ct_dataset_blank(const struct ct_dataset *dataset, size_t n, void *packed)
{
    const double not_recorded = NAN;
    char *at = packed;
    memset(packed, 0, n * dataset->packed_bytes);
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        if (field->optional && field->type == CT_FIELD_F64)
            copy_column(at, dataset->packed_bytes, (const char *)&not_recorded, 0, n, 8);
        at += ct_field_bytes(field->type);
    }
}

void ct_dataset_pack(const struct ct_dataset *dataset, const void *rows, size_t n, void *packed)
{
    size_t at = 0;
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        copy_column((char *)packed + at, dataset->packed_bytes, (const char *)rows + field->offset,
                    dataset->row_bytes, n, ct_field_bytes(field->type));
        at += ct_field_bytes(field->type);
    }
}

void ct_dataset_unpack(const struct ct_dataset *dataset, const void *packed, size_t n, void *rows)
{
    size_t at = 0;
    /* Gaps between the members of a row must not hold what was in memory before. */
    memset(rows, 0, n * dataset->row_bytes);
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        copy_column((char *)rows + field->offset, dataset->row_bytes, (const char *)packed + at,
                    dataset->packed_bytes, n, ct_field_bytes(field->type));
        at += ct_field_bytes(field->type);
        if (field->type == CT_FIELD_HOST)
            for (size_t i = 0; i < n; i++)
                ((char *)rows + i * dataset->row_bytes + field->offset)[CT_HOST_MAX - 1] = '\0';
    }
}

/* Row of the first value that breaks the rule; n where there is none. */
static size_t find_fault(const struct ct_field *field, const char *column, size_t stride, size_t n,
                         size_t n_pairs)
{
    size_t i = 0;
    double number;
    uint32_t pair;
    switch (field->rule) {
    case CT_RULE_ANY:
        return n;
    case CT_RULE_FINITE:
    case CT_RULE_NOT_NEGATIVE:
        for (; i < n; i++) {
            memcpy(&number, column + i * stride, sizeof number);
            if (!isfinite(number) || (field->rule == CT_RULE_NOT_NEGATIVE && number < 0))
                break;
        }
        return i;
    case CT_RULE_FLAG:
        while (i < n && (unsigned char)column[i * stride] <= 1)
            i++;
        return i;
    case CT_RULE_PAIR:
        for (; i < n; i++) {
            memcpy(&pair, column + i * stride, sizeof pair);
            if (pair >= n_pairs)
                break;
        }
        return i;
    }
    return n;
}

static enum ct_status describe_fault(const struct ct_dataset *dataset, const struct ct_field *field,
                                     size_t row, const char *value, size_t n_pairs,
                                     enum ct_status fault, struct ct_error *err)
{
    double number;
    uint32_t pair;
    switch (field->rule) {
    case CT_RULE_FLAG:
        return ct_fail(err, fault, "/%s: row %zu: %s is %u, neither 0 nor 1", dataset->name, row,
                       field->name, (unsigned)(unsigned char)*value);
    case CT_RULE_PAIR:
        memcpy(&pair, value, sizeof pair);
        return ct_fail(err, fault, "/%s: row %zu: %s is %u, but there are %zu pairs", dataset->name,
                       row, field->name, (unsigned)pair, n_pairs);
    default:
        memcpy(&number, value, sizeof number);
        return ct_fail(err, fault, "/%s: row %zu: %s is %g, not a finite number%s", dataset->name,
                       row, field->name, number,
                       field->rule == CT_RULE_NOT_NEGATIVE ? " >= 0" : "");
    }
}

enum ct_status ct_dataset_check(const struct ct_dataset *dataset, const void *rows, size_t n,
                                size_t first, size_t n_pairs, enum ct_status fault,
                                struct ct_error *err)
{
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        const char *column = (const char *)rows + field->offset;
        size_t i = find_fault(field, column, dataset->row_bytes, n, n_pairs);
        if (i < n)
            return describe_fault(dataset, field, first + i, column + i * dataset->row_bytes,
                                  n_pairs, fault, err);
    }
    return CT_OK;
}

/* Rows go through the cache once, not once a field. */
static enum ct_status check_blocks(const struct ct_dataset *dataset, const char *rows, size_t n,
                                   size_t n_pairs, struct ct_error *err)
{
    const size_t block = 4096;
    for (size_t first = 0; first < n; first += block)
        CT_TRY(ct_dataset_check(dataset, rows + first * dataset->row_bytes,
                                n - first < block ? n - first : block, first, n_pairs, CT_EINVAL,
                                err));
    return CT_OK;
}

enum ct_status ct_run_check(const struct ct_run *run, enum ct_run_kind kind, size_t n_pairs,
                            struct ct_error *err)
{
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        const struct ct_dataset *dataset = &ct_datasets[d];
        size_t n = ct_dataset_count(dataset, run);
        if (n == 0)
            continue;
        if (dataset->kind != kind)
            return ct_fail(err, CT_EINVAL,
                           "a run of the kind '%s' has no %s, but %zu rows are given",
                           ct_run_kind_text(kind), dataset->name, n);
        CT_TRY(check_blocks(dataset, ct_dataset_rows(dataset, run), n, n_pairs, err));
    }
    return CT_OK;
}
