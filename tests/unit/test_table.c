/* core/table: the three forms of one sequence of calls, to the letter. */
#include "core/option_rows.h"
#include "core/table.h"
#include "core/version.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_column pair_columns[] = {
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"measured_ci[]", "from", CT_UNIT_FRACTION},
    {"measured_ci[]", NULL, CT_UNIT_FRACTION},
    {"predicted.queue", "queue", CT_UNIT_FRACTION},
};

static const struct ct_column error_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"max", "max", CT_UNIT_FRACTION},
};

static struct ct_tables *example(enum ct_format format)
{
    struct ct_tables *tables = ct_tables_new("tool", format);
    assert_non_null(tables);
    ct_tables_provenance(tables, "seed", "%d", 6);
    ct_tables_provenance(tables, "seed", "%d", 7); /* takes the place of the line before */
    ct_tables_number(tables, (struct ct_column){"mean_latency_s", "latency", CT_UNIT_SECONDS},
                     12.5e-6);
    ct_tables_number(tables, (struct ct_column){"rate", "service rate", CT_UNIT_PER_S}, NAN);
    ct_tables_text(tables, (struct ct_column){"apps[]", NULL, CT_UNIT_NONE}, "fft");
    ct_tables_text(tables, (struct ct_column){"apps[]", NULL, CT_UNIT_NONE}, "milc, \"small\"");
    ct_tables_begin(tables, "pairs", "Slowdown", pair_columns, 6);
    ct_tables_cell_text(tables, "fft");
    ct_tables_cell_text(tables, "milc, \"small\"");
    ct_tables_cell_number(tables, 0.125);
    ct_tables_cell_number(tables, 0.1);
    ct_tables_cell_number(tables, 0.15);
    ct_tables_cell_number(tables, 1.5);
    ct_tables_cell_text(tables, "milc, \"small\"");
    ct_tables_cell_text(tables, "fft");
    for (int i = 0; i < 4; i++)
        ct_tables_cell_number(tables, NAN);
    ct_tables_begin(tables, "errors{}", NULL, error_columns, 2);
    ct_tables_cell_text(tables, "queue");
    ct_tables_cell_number(tables, 1.375);
    ct_tables_note(tables, "one pair was not measured");
    return tables;
}

/* Print, free, and give back the text (to be freed). */
static char *print(struct ct_tables *tables)
{
    char *text;
    size_t size;
    struct ct_error err;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    enum ct_status status = ct_tables_print(tables, out, &err);
    fclose(out);
    ct_tables_free(tables);
    if (status != CT_OK)
        fail_msg("%s", err.text);
    return text;
}

static void infinite_values(void **state)
{
    (void)state;
    static const char *const expected[] = {[CT_FORMAT_TABLE] = "latency [us]  inf\n",
                                           [CT_FORMAT_CSV] = "L_s,inf\n",
                                           [CT_FORMAT_JSON] = "\"L_s\":\tnull"};
    for (int format = CT_FORMAT_TABLE; format <= CT_FORMAT_JSON; format++) {
        struct ct_tables *tables = ct_tables_new("tool", (enum ct_format)format);
        assert_non_null(tables);
        ct_tables_number(tables, (struct ct_column){"L_s", "latency", CT_UNIT_SECONDS}, INFINITY);
        char *text = print(tables);
        assert_non_null(strstr(text, expected[format]));
        free(text);
    }
}

static void table_for_people(void **state)
{
    (void)state;
    char *text = print(example(CT_FORMAT_TABLE));
    assert_string_equal(text, "# tool v" CT_VERSION "\n"
                              "# seed: 7\n"
                              "latency [us]        12.500\n"
                              "service rate [1/s]  -\n"
                              "\n"
                              "Slowdown\n"
                              "app            with           measured [%]  from [%]  queue [%]\n"
                              "fft            milc, \"small\"          12.5      10.0        150\n"
                              "milc, \"small\"  fft                       -         -          -\n"
                              "model  max [%]\n"
                              "queue      138\n"
                              "one pair was not measured\n");
    free(text);
}

static void csv_for_spreadsheets(void **state)
{
    (void)state;
    char *text = print(example(CT_FORMAT_CSV));
    assert_string_equal(text, "# tool v" CT_VERSION "\n"
                              "# seed: 7\n"
                              "key,value\n"
                              "mean_latency_s,1.2500000000000001e-05\n"
                              "rate,\n"
                              "apps[],fft\n"
                              "apps[],\"milc, \"\"small\"\"\"\n"
                              "\n"
                              "app,with,measured,measured_ci[],measured_ci[],predicted.queue\n"
                              "fft,\"milc, \"\"small\"\"\",0.125,0.10000000000000001,0.14999999999"
                              "999999,1.5\n"
                              "\"milc, \"\"small\"\"\",fft,,,,\n"
                              "\n"
                              "model,max\n"
                              "queue,1.375\n"
                              "# one pair was not measured\n");
    free(text);
}

static void json_for_scripts(void **state)
{
    (void)state;
    char *text = print(example(CT_FORMAT_JSON));
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    char *compact = cJSON_PrintUnformatted(root);
    assert_string_equal(
        compact,
        "{\"provenance\":{\"seed\":\"7\"},\"mean_latency_s\":1.25e-05,\"rate\":null,"
        "\"apps\":[\"fft\",\"milc, \\\"small\\\"\"],"
        "\"pairs\":[{\"app\":\"fft\",\"with\":\"milc, \\\"small\\\"\",\"measured\":0.125,"
        "\"measured_ci\":[0.1,0.15],\"predicted\":{\"queue\":1.5}},"
        "{\"app\":\"milc, \\\"small\\\"\",\"with\":\"fft\",\"measured\":null,"
        "\"measured_ci\":[null,null],\"predicted\":{\"queue\":null}}],"
        "\"errors\":{\"queue\":{\"max\":1.375}},\"notes\":[\"one pair was not measured\"]}");
    cJSON_free(compact);
    cJSON_Delete(root);
    free(text);
}

/* Two parts with the same tables: one of each, with the name in front. */
static struct ct_tables *parts(enum ct_format format)
{
    static const struct ct_column columns[] = {{"app", "app", CT_UNIT_NONE},
                                               {"n", "runs", CT_UNIT_COUNT}};
    static const char *const names[] = {"near", "far"};
    struct ct_tables *tables = ct_tables_new("tool", format);
    assert_non_null(tables);
    ct_tables_provenance(tables, "seed", "7");
    for (size_t i = 0; i < 2; i++) {
        ct_tables_part(tables, (struct ct_column){"place", "place", CT_UNIT_NONE}, names[i]);
        ct_tables_provenance(tables, "runs", "%zu", i);
        ct_tables_begin(tables, "pairs", "Pairs", columns, 2);
        ct_tables_cell_text(tables, "fft");
        ct_tables_cell_number(tables, (double)i + 1);
        ct_tables_cell_text(tables, "milc");
        ct_tables_cell_number(tables, (double)i + 3);
        ct_tables_begin(tables, "models{}", NULL, columns, 2);
        ct_tables_cell_text(tables, "queue");
        ct_tables_cell_number(tables, (double)i + 5);
        ct_tables_note(tables, "all is %s", "well");
    }
    return tables;
}

static void parts_continue_tables(void **state)
{
    (void)state;
    char *text = print(parts(CT_FORMAT_TABLE));
    assert_string_equal(text, "# tool v" CT_VERSION "\n"
                              "# seed: 7\n"
                              "# runs_near: 0\n"
                              "# runs_far: 1\n"
                              "\n"
                              "Pairs\n"
                              "place  app   runs\n"
                              "near   fft      1\n"
                              "near   milc     3\n"
                              "far    fft      2\n"
                              "far    milc     4\n"
                              "place  app    runs\n"
                              "near   queue     5\n"
                              "far    queue     6\n"
                              "near: all is well\n"
                              "far: all is well\n");
    free(text);
    text = print(parts(CT_FORMAT_JSON));
    cJSON *root = cJSON_Parse(text);
    const cJSON *pairs = cJSON_GetObjectItem(root, "pairs");
    assert_int_equal(cJSON_GetArraySize(pairs), 4);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(pairs, 2), "place")), "far");
    const cJSON *far = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "models"), "far");
    assert_near(cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(far, "queue"), "n")),
                6, 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(
                            cJSON_GetObjectItem(root, "provenance"), "runs_far")),
                        "1");
    cJSON_Delete(root);
    free(text);
}

/* Of a column, and of a value, that are unknown files have null, and people nothing. */
static void what_is_not_known_has_no_heading(void **state)
{
    (void)state;
    static const struct ct_column columns[] = {{"n", "n", CT_UNIT_COUNT},
                                               {"lo", CT_IF_KNOWN "from", CT_UNIT_NONE},
                                               {"hi", CT_IF_KNOWN "to", CT_UNIT_NONE}};
    for (int format = CT_FORMAT_TABLE; format <= CT_FORMAT_CSV; format++) {
        struct ct_tables *tables = ct_tables_new("tool", (enum ct_format)format);
        CT_TABLES_NUMBER(tables, "a", CT_IF_KNOWN "first", NONE, 1);
        CT_TABLES_NUMBER(tables, "b", CT_IF_KNOWN "second", NONE, NAN);
        CT_TABLES_BEGIN(tables, "rows", NULL, columns);
        CT_CELL_NUMBERS(tables, 1, NAN, NAN);
        CT_CELL_NUMBERS(tables, 2, NAN, 3);
        char *text = print(tables);
        if (format == CT_FORMAT_TABLE)
            assert_string_equal(text, "# tool v" CT_VERSION "\n"
                                      "first  1\n"
                                      "n  to\n"
                                      "1   -\n"
                                      "2   3\n");
        else
            assert_non_null(strstr(text, "n,lo,hi\n1,,\n2,,3\n"));
        free(text);
    }
}

/* Nothing that was given need outlive the call; a part that continues a table has its columns. */
static void texts_and_columns_are_copied(void **state)
{
    (void)state;
    struct ct_tables *tables = ct_tables_new("tool", CT_FORMAT_CSV);
    for (int part = 0; part < 2; part++) {
        char name[8] = "", key[8] = "";
        snprintf(name, sizeof name, "p%d", part);
        ct_tables_part(tables, (struct ct_column){"part", "part", CT_UNIT_NONE}, name);
        snprintf(key, sizeof key, "pairs");
        ct_tables_begin(tables, key, NULL, NULL, 0);
        for (int c = 0; c < 2; c++) {
            snprintf(key, sizeof key, "of.%d", c);
            ct_tables_column(tables, (struct ct_column){key, key, CT_UNIT_COUNT});
        }
        memset(key, 'x', sizeof key - 1);
        CT_CELL_NUMBERS(tables, 10 * part, 10 * part + 1);
    }
    char *text = print(tables);
    assert_non_null(strstr(text, "part,of.0,of.1\np0,0,1\np1,10,11\n"));
    free(text);
}

static void units_of_the_table(void **state)
{
    (void)state;
    const struct {
        enum ct_unit unit;
        double value;
        const char *line;
    } cases[] = {
        {CT_UNIT_NONE, 3.14159265, "x  3.1416\n"},
        {CT_UNIT_COUNT, 12, "x  12\n"},
        {CT_UNIT_SECONDS, 0.25, "x [us]  250000\n"},
        {CT_UNIT_LONG_SECONDS, 12.3456, "x [s]  12.35\n"},
        {CT_UNIT_LONG_SECONDS, 0.5, "x [s]  0.5000\n"},
        {CT_UNIT_LONG_SECONDS, 0.0123456, "x [s]  0.01235\n"},
        {CT_UNIT_LONG_SECONDS, 0.00345678, "x [s]  0.003457\n"},
        {CT_UNIT_FRACTION, 0.05, "x [%]  5.00\n"},
        {CT_UNIT_FRACTION, -0.123, "x [%]  -12.3\n"},
        {CT_UNIT_BYTES, 40000, "x [B]  40000\n"},
        {CT_UNIT_BYTES_PER_S, 6.25e6, "x [MB/s]  6.250\n"},
        {CT_UNIT_BIT_PER_S, 50e6, "x [Mbit/s]  50.00\n"},
        {CT_UNIT_PER_S, 81234.5, "x [1/s]  81234\n"},
        {CT_UNIT_SECONDS2, 2.5e-12, "x [us^2]  2.5000\n"},
        {CT_UNIT_SECONDS, 0, "x [us]  0\n"},
        {CT_UNIT_SECONDS, 1.8e-11, "x [us]  1.8e-05\n"},
        {CT_UNIT_FRACTION, -6.02e-14, "x [%]  0\n"},
        {CT_UNIT_NONE, -1e-14, "x  0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_tables *tables = ct_tables_new("tool", CT_FORMAT_TABLE);
        assert_non_null(tables);
        ct_tables_number(tables, (struct ct_column){"x", "x", cases[i].unit}, cases[i].value);
        char *text = print(tables);
        assert_string_equal(text + strcspn(text, "\n") + 1, cases[i].line);
        free(text);
    }
}

static void an_unfinished_row_prints_nothing(void **state)
{
    (void)state;
    for (int format = CT_FORMAT_TABLE; format <= CT_FORMAT_JSON; format++) {
        struct ct_tables *tables = ct_tables_new("tool", (enum ct_format)format);
        assert_non_null(tables);
        ct_tables_begin(tables, "pairs", NULL, pair_columns, 6);
        ct_tables_cell_text(tables, "fft");
        char *text;
        size_t size;
        struct ct_error err;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        assert_int_equal(ct_tables_print(tables, out, &err), CT_EINVAL);
        fclose(out);
        assert_int_equal(size, 0);
        free(text);
        ct_tables_free(tables);
    }
}

static void a_stream_that_fails_is_an_error(void **state)
{
    (void)state;
    struct ct_tables *tables = example(CT_FORMAT_TABLE);
    struct ct_error err;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        ct_tables_free(tables);
        skip();
    }
    assert_int_equal(ct_tables_print(tables, full, &err), CT_EIO);
    fclose(full);
    ct_tables_free(tables);
}

static void empty_tables_are_arrays_and_objects(void **state)
{
    (void)state;
    struct ct_tables *tables = ct_tables_new("tool", CT_FORMAT_JSON);
    assert_non_null(tables);
    ct_tables_begin(tables, "pairs", NULL, pair_columns, 6);
    ct_tables_begin(tables, "errors{}", NULL, error_columns, 2);
    char *text = print(tables);
    cJSON *root = cJSON_Parse(text);
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(root, "pairs")));
    assert_true(cJSON_IsObject(cJSON_GetObjectItem(root, "errors")));
    cJSON_Delete(root);
    free(text);
}

/* A cell of several texts: an array in JSON, also of none; a text elsewhere. */
static void test_cells_of_lists(void **state)
{
    (void)state;
    static const struct ct_column columns[] = {{"name", "name", CT_UNIT_NONE},
                                               {"same_as[]", "same as", CT_UNIT_NONE}};
    static const struct {
        enum ct_format format;
        const char *expected;
    } rows[] = {{CT_FORMAT_JSON, "\"same_as\":\t[\"b to c\", \"c to b\"]"},
                {CT_FORMAT_JSON, "\"same_as\":\t[]"},
                {CT_FORMAT_CSV, "a,\"b to c, c to b\"\n"},
                {CT_FORMAT_TABLE, "a     b to c, c to b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_tables *tables = ct_tables_new("test", rows[i].format);
        struct ct_error err;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_true(tables && out);
        ct_tables_begin(tables, "links", "Links", columns, 2);
        ct_tables_cell_text(tables, "a");
        ct_tables_cell_list(tables, "b to c, c to b");
        ct_tables_cell_text(tables, "d");
        ct_tables_cell_list(tables, "");
        assert_int_equal(ct_tables_print(tables, out, &err), CT_OK);
        fclose(out);
        if (!strstr(text, rows[i].expected))
            fail_msg("no '%s' in: %s", rows[i].expected, text);
        free(text);
        ct_tables_free(tables);
    }
}

/* ---- what a command line asks for ---- */

struct view_values {
    int format;
    double time_s;
    struct ct_view view;
};

static const struct ct_option view_rows[] = {{.name = "time",
                                              CT_OPTION_AT(DURATION, struct view_values, time_s),
                                              .argument = "DURATION",
                                              .initial = "60s",
                                              .help = "time"},
                                             CT_ROW_FORMAT(struct view_values, format, "format"),
                                             CT_ROWS_VIEW(struct view_values, view),
                                             {0}};
static const struct ct_option_group view_groups[] = {{"Rows", view_rows, 0}, {0}};
static const struct ct_command view_command = {.name = "tool", .groups = view_groups};

/* 30 rows, of which a screen has fewer, a detail, and an answer that is added first. */
static char *print_view(const char *const *words)
{
    static const struct ct_column columns[] = {
        {"rank", "rank", CT_UNIT_COUNT},
        {"slowdown", "slowdown", CT_UNIT_FRACTION},
        {"slowdown_ci[]", "from", CT_UNIT_FRACTION},
        {"slowdown_ci[]", "to", CT_UNIT_FRACTION},
        {"far", "a column that is so wide that a line of a hundred columns has no room for it",
         CT_UNIT_NONE}};
    char *argv[8] = {NULL};
    int argc = 1;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    struct view_values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    if (ct_command_parse(&view_command, argc, argv, &values, &args, stdout, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_tables *tables = ct_tables_new("tool", (enum ct_format)values.format);
    assert_non_null(tables);
    ct_tables_answer(tables, "Most of it is over.");
    ct_tables_parameters(tables, &view_command, &values);
    ct_tables_number(tables, (struct ct_column){"T_s", "T", CT_UNIT_SECONDS}, 481359e-6);
    ct_tables_number(tables, (struct ct_column){"T_ci_s[]", "from", CT_UNIT_SECONDS}, 470e-3);
    ct_tables_number(tables, (struct ct_column){"T_ci_s[]", "to", CT_UNIT_SECONDS}, 490e-3);
    ct_tables_detail(tables, true);
    ct_tables_number(tables, (struct ct_column){"L_s", "L", CT_UNIT_SECONDS}, 5e-6);
    ct_tables_note(tables, "A remark.");
    ct_tables_detail(tables, false);
    ct_tables_begin(tables, "ranks", "Ranks", columns, 5);
    for (int i = 0; i < 30; i++) {
        ct_tables_cell_number(tables, i);
        ct_tables_cell_number(tables, 0.12345);
        ct_tables_cell_number(tables, 0.1);
        ct_tables_cell_number(tables, i == 0 ? NAN : 0.25);
        ct_tables_cell_number(tables, i);
    }
    ct_tables_note(tables, "A note.");
    return print(tables);
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; p++)
        n += *p == '\n' ? 1 : 0;
    return n;
}

static void assert_says(const char *text, const char *wanted, bool says)
{
    if ((strstr(text, wanted) != NULL) != says)
        fail_msg("'%s' is %s: %s", wanted, says ? "missing" : "there", text);
}

static void a_last_column_of_texts_is_cut(void **state)
{
    (void)state;
    static const struct ct_column columns[] = {{"run", "run", CT_UNIT_NONE},
                                               {"n", "attempts", CT_UNIT_COUNT},
                                               {"reason", "why", CT_UNIT_NONE}};
    const struct ct_view narrow = {0}, whole = {.given = {.all = true}};
    setenv("COLUMNS", "44", 1);
    for (int all = 0; all < 2; all++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        struct ct_tables *tables = ct_tables_new("tool", CT_FORMAT_TABLE);
        ct_tables_view(tables, all ? &whole : &narrow);
        ct_tables_begin(tables, "runs", NULL, columns, 3);
        ct_tables_cell_text(tables, "a-r0");
        ct_tables_cell_number(tables, 1);
        ct_tables_cell_text(tables, "12345678901234567 \303\274ber den Rand hinaus");
        assert_int_equal(ct_tables_print(tables, out, NULL), CT_OK);
        fclose(out);
        assert_says(text,
                    "a-r0         1  12345678901234567 \303\274ber de...\nwhole texts: --all\n",
                    !all);
        assert_says(text, "a-r0         1  12345678901234567 \303\274ber den Rand hinaus\n", all);
        ct_tables_free(tables);
        free(text);
    }
    unsetenv("COLUMNS");
}

static void text_fits_a_screen(void **state)
{
    (void)state;
    setenv("COLUMNS", "100", 1);
    char *text = print_view((const char *const[]){NULL});
    assert_int_equal(count_lines(text), 25);
    assert_says(text, "# tool v" CT_VERSION "\nT [us]  481359 (470000 to 490000)\n", true);
    assert_says(text, "rank  slowdown [%]  from [%]  to [%]\n", true);
    assert_says(text, "   0          12.3      10.0       -\n", true);
    assert_says(text, "   1            12        10      25\n", true);
    assert_says(text,
                "A note.\n15 more lines, 1 remark, 1 more column: --all\nMost of it is over.\n",
                true);
    free(text);
    text = print_view((const char *const[]){"--all", NULL});
    assert_int_equal(count_lines(text), 39);
    assert_says(text, "L [us]  5.0000\n", true);
    assert_says(text, "room for it\n", true);
    assert_says(text, "more line", false);
    free(text);
    unsetenv("COLUMNS");
}

static void parameters_that_were_given(void **state)
{
    (void)state;
    char *text = print_view((const char *const[]){"--time", "60s", NULL});
    assert_says(text, "# tool v" CT_VERSION "; time: 60s\nT", true);
    free(text);
    text = print_view((const char *const[]){"--verbose", NULL});
    assert_says(text, "# tool v" CT_VERSION "\n# time: 60s\n# format: table\n# quiet: no\nT", true);
    free(text);
    text = print_view((const char *const[]){"-q", NULL});
    assert_says(text, "T [us]", true);
    assert_int_equal(text[0], 'T');
    assert_says(text, "note", false);
    assert_says(text, "Most of it is over.\n", true);
    assert_says(text, "more line", false);
    assert_says(text, "\n  29  ", true);
    free(text);
    text = print_view((const char *const[]){"--format", "json", NULL});
    assert_says(text, "\"time\":\t\"60s\"", true);
    assert_says(text, "\"answer\":\t[\"Most of it is over.\"]", true);
    assert_says(text, "\"L_s\":\t5e-06", true);
    free(text);
}

/* Seventeen models make 76 columns: all that have a heading are there. */
static void wide_tables_are_whole(void **state)
{
    (void)state;
    enum { N = 200 };
    struct ct_column columns[N];
    char key[N][8], heading[N][8];
    for (size_t c = 0; c < N; c++) {
        snprintf(key[c], sizeof key[c], "k%03zu", c);
        snprintf(heading[c], sizeof heading[c], "h%03zu", c);
        columns[c] = (struct ct_column){key[c], c % 2 > 0 ? heading[c] : NULL, CT_UNIT_NONE};
    }
    struct ct_tables *tables = ct_tables_new("test", CT_FORMAT_TABLE);
    assert_non_null(tables);
    ct_tables_begin(tables, "wide", NULL, columns, N);
    for (size_t c = 0; c < N; c++)
        ct_tables_cell_number(tables, (double)c + 1000);
    char *text = print(tables);
    for (size_t c = 0; c < N; c++) {
        char cell[8];
        snprintf(cell, sizeof cell, "%zu", c + 1000);
        assert_int_equal(strstr(text, heading[c]) != NULL, c % 2 > 0);
        assert_int_equal(strstr(text, cell) != NULL, c % 2 > 0);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_tables_are_whole),
        cmocka_unit_test(a_last_column_of_texts_is_cut),
        cmocka_unit_test(text_fits_a_screen),
        cmocka_unit_test(parameters_that_were_given),
        cmocka_unit_test(test_cells_of_lists),
        cmocka_unit_test(infinite_values),
        cmocka_unit_test(table_for_people),
        cmocka_unit_test(csv_for_spreadsheets),
        cmocka_unit_test(json_for_scripts),
        cmocka_unit_test(parts_continue_tables),
        cmocka_unit_test(what_is_not_known_has_no_heading),
        cmocka_unit_test(texts_and_columns_are_copied),
        cmocka_unit_test(units_of_the_table),
        cmocka_unit_test(an_unfinished_row_prints_nothing),
        cmocka_unit_test(a_stream_that_fails_is_an_error),
        cmocka_unit_test(empty_tables_are_arrays_and_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
