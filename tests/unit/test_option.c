/* core/option: one table gives parsing, defaults, help, man page and provenance. */
#include "core/option.h"
#include "core/version.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

struct inner {
    double interval_s;
    int wait;
    bool has_wait;
};

struct values {
    double time_s;
    bool loop;
    const char *output;
    uint64_t iterations, seed;
    double scale, threshold_frac;
    size_t message_bytes;
    double bit_per_s;
    struct ct_pause bubble;
    size_t letters; /* CUSTOM */
    struct inner inner;
};

static enum ct_status count_letters(const char *text, void *field, struct ct_error *err)
{
    if (!strcmp(text, "bad"))
        return ct_fail(err, CT_EINVAL, "'%s': is bad", text);
    *(size_t *)field = strlen(text);
    return CT_OK;
}

static const char *const waits[] = {"spin", "yield", "block", NULL};

static const struct ct_option outer_options[] = {
    {.name = "time",
     .letter = 't',
     CT_OPTION_AT(DURATION, struct values, time_s),
     .argument = "DURATION",
     .initial = "60s",
     .min = 1e-3,
     .max = 100,
     .help = "end after this time"},
    {.name = "loop", .letter = 'l', CT_OPTION_AT(FLAG, struct values, loop), .help = "start again"},
    {.name = "output",
     .letter = 'o',
     CT_OPTION_AT(STRING, struct values, output),
     .argument = "FILE",
     .help = "file to write"},
    {.name = "iterations",
     CT_OPTION_AT(U64, struct values, iterations),
     .argument = "N",
     .initial = "10",
     .min = 1,
     .max = 1000,
     .help = "how many"},
    {.name = "seed",
     CT_OPTION_AT(SEED, struct values, seed),
     .argument = "N",
     .help = "start of the random numbers"},
    {.name = "scale",
     CT_OPTION_AT(DOUBLE, struct values, scale),
     .argument = "X",
     .initial = "-1.5",
     .help = "factor"},
    {.name = "threshold",
     CT_OPTION_AT(FRACTION, struct values, threshold_frac),
     .argument = "F",
     .initial = "5%",
     .help = "share"},
    {.name = "message-size",
     .letter = 'm',
     CT_OPTION_AT(SIZE, struct values, message_bytes),
     .argument = "SIZE",
     .initial = "1KiB",
     .min = 1,
     .max = 1048576,
     .help = "bytes of a message"},
    {.name = "rate",
     CT_OPTION_AT(RATE, struct values, bit_per_s),
     .argument = "RATE",
     .initial = "50mbit",
     .min = 1e3,
     .max = 1e9,
     .help = "speed of a port"},
    {.name = "bubble",
     CT_OPTION_AT(PAUSE, struct values, bubble),
     .argument = "PAUSE",
     .initial = "25000cycles",
     .help = "pause"},
    {.name = "letters",
     CT_OPTION_AT(CUSTOM, struct values, letters),
     .argument = "TEXT",
     .initial = "four",
     .parse = count_letters,
     .help = "counted"},
    {0}};

static const struct ct_option inner_options[] = {
    {.name = "interval",
     CT_OPTION_AT(DURATION, struct inner, interval_s),
     .argument = "DURATION",
     .initial = "100ms",
     .help = "mean distance"},
    {.name = "wait",
     CT_OPTION_AT(CHOICE, struct inner, wait),
     .given = CT_OFFSET_OF(bool, struct inner, has_wait),
     .argument = "HOW",
     .initial = "spin",
     .choices = waits,
     .help = "how to wait"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Measurement", outer_options, 0},
    {"Probes", inner_options, offsetof(struct values, inner)},
    {0}};

static const char *const examples[] = {"tool --time 5s x", "five seconds", NULL};
static const char *const see_also[] = {"other(1)", "more(1)", NULL};

static const struct ct_command command = {.name = "tool",
                                          .summary = "do it - well",
                                          .operands = "FILE...",
                                          .description = "First paragraph.\n\nSecond one.",
                                          .groups = groups,
                                          .examples = examples,
                                          .see_also = see_also,
                                          .min_operands = 1,
                                          .max_operands = 3};

enum { MAX_WORDS = 24 };

/* Parse words up to NULL; what the command prints goes to text, which is NULL where it is nothing.
 */
static enum ct_status parse(const struct ct_command *parsed, const char *const *words,
                            struct values *values, struct ct_arguments *args, char **text_p,
                            struct ct_error *err)
{
    /* Copies that outlive the call: strings in values and operands point into them. */
    static char copies[MAX_WORDS][64];
    static char *argv[MAX_WORDS + 1];
    int argc = 0;
    for (const char *word = "tool"; word; word = *words++) {
        assert_true(argc < MAX_WORDS && strlen(word) < sizeof copies[0]);
        snprintf(copies[argc], sizeof copies[0], "%s", word);
        argv[argc] = copies[argc];
        argc++;
    }
    argv[argc] = NULL;
    size_t size;
    FILE *out = open_memstream(text_p, &size);
    assert_non_null(out);
    enum ct_status status = ct_command_parse(parsed, argc, argv, values, args, out, err);
    fclose(out);
    return status;
}

static void parse_well(const char *const *words, struct values *values, struct ct_arguments *args)
{
    struct ct_error err;
    char *text;
    if (parse(&command, words, values, args, &text, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_string_equal(text, "");
    free(text);
}

static void defaults_come_from_the_rows(void **state)
{
    (void)state;
    struct values values = {.loop = true, .output = "untouched"};
    struct ct_arguments args;
    const char *const words[] = {"file", NULL};
    parse_well(words, &values, &args);
    assert_false(args.finished);
    assert_int_equal(args.n_operands, 1);
    assert_string_equal(args.operands[0], "file");
    assert_true(values.time_s == 60 && !values.loop && values.iterations == 10);
    assert_string_equal(values.output, "untouched"); /* no default: the field is left alone */
    assert_true(values.scale == -1.5 && values.threshold_frac == 0.05);
    assert_true(values.message_bytes == 1024 && values.bit_per_s == 50e6);
    assert_true(values.bubble.in_cycles && values.bubble.value == 25000);
    assert_int_equal(values.letters, 4);
    assert_near(values.inner.interval_s, 0.1, 1e-15);
    assert_true(values.inner.wait == 0 && !values.inner.has_wait);
}

static void every_way_to_write_an_option(void **state)
{
    (void)state;
    struct values values;
    struct ct_arguments args;
    const char *const words[] = {
        "-t",    "5s",     "first", "--loop", "--message-size=2KiB", "-oname", "--wait",
        "block", "--seed", "42",    "--",     "--not-an-option",     "-",      NULL};
    values = (struct values){0};
    parse_well(words, &values, &args);
    assert_true(values.time_s == 5 && values.loop && values.message_bytes == 2048);
    assert_string_equal(values.output, "name");
    assert_int_equal(values.inner.wait, 2);
    assert_int_equal(values.seed, 42);
    assert_int_equal(args.n_operands, 3);
    assert_string_equal(args.operands[0], "first");
    assert_string_equal(args.operands[1], "--not-an-option");
    assert_string_equal(args.operands[2], "-");
}

static void the_last_of_an_option_counts(void **state)
{
    (void)state;
    struct values values = {0};
    struct ct_arguments args;
    const char *const words[] = {"--time", "5s", "f", "--time", "7s", NULL};
    parse_well(words, &values, &args);
    assert_true(values.time_s == 7);
}

static void wrong_usage_names_option_value_and_remedy(void **state)
{
    (void)state;
    const struct {
        const char *words[4];
        const char *parts[3]; /* of the message */
    } cases[] = {
        {{"f", "--time", "60"}, {"--time", "'60'", "unit"}},
        {{"f", "--time"}, {"--time", "DURATION", "missing"}},
        {{"f", "--time", "1h"}, {"--time", "'1h'", "1ms to 100s"}},
        {{"f", "-m", "2MiB"}, {"--message-size", "'2MiB'", "1B to 1MiB"}},
        {{"f", "--rate", "10gbit"}, {"--rate", "'10gbit'", "1kbit to 1gbit"}},
        {{"f", "--iterations", "0"}, {"--iterations", "'0'", "1 to 1000"}},
        {{"f", "--iterations", "-1"}, {"--iterations", "'-1'", "whole number"}},
        {{"f", "--wait", "sleep"}, {"--wait", "'sleep'", "spin, yield, block"}},
        {{"f", "--letters", "bad"}, {"--letters", "'bad'", "is bad"}},
        {{"f", "--loop=yes"}, {"--loop", "no argument", ""}},
        {{"f", "--tim", "5s"}, {"'--tim'", "unknown option", "tool --help"}},
        {{"f", "-z"}, {"'-z'", "unknown option", "tool --help"}},
        {{NULL}, {"FILE...", "missing", "tool --help"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct values values = {0};
        struct ct_arguments args = {.n_operands = 77};
        struct ct_error err = {0};
        char *text;
        assert_int_equal(parse(&command, cases[i].words, &values, &args, &text, &err), CT_EUSAGE);
        free(text);
        assert_int_equal(ct_exit_code(err.status), 2);
        assert_int_equal(args.n_operands, 77);
        for (size_t p = 0; p < 3; p++)
            if (!strstr(err.text, cases[i].parts[p]))
                fail_msg("case %zu: '%s' does not say '%s'", i, err.text, cases[i].parts[p]);
    }
}

static void too_many_operands_are_refused(void **state)
{
    (void)state;
    const char *const words[] = {"a", "b", "c", "d", NULL};
    struct values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&command, words, &values, &args, &text, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "'d'"));
    free(text);
}

static void required_options_and_commands_that_run_others(void **state)
{
    (void)state;
    static const struct ct_option needed[] = {{.name = "output",
                                               CT_OPTION_AT(STRING, struct values, output),
                                               .argument = "FILE",
                                               .required = true,
                                               .help = "file"},
                                              {0}};
    static const struct ct_option_group needed_groups[] = {{"Output", needed, 0}, {0}};
    const struct ct_command runner = {.name = "tool",
                                      .operands = "COMMAND...",
                                      .groups = needed_groups,
                                      .max_operands = SIZE_MAX,
                                      .options_end_at_operand = true};
    const char *const without[] = {"ls", "--output", "x", NULL};
    const char *const with[] = {"--output", "x", "ls", "-l", "--output", "y", NULL};
    struct values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&runner, without, &values, &args, &text, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "--output FILE is missing"));
    free(text);
    assert_int_equal(parse(&runner, with, &values, &args, &text, &err), CT_OK);
    free(text);
    assert_string_equal(values.output, "x");
    assert_int_equal(args.n_operands, 4);
    assert_string_equal(args.operands[3], "y");
}

static bool loops(const void *values)
{
    return ((const struct values *)values)->loop;
}

/* A command that starts a program, but not with --loop. */
static void options_behind_operands_where_nothing_is_started(void **state)
{
    (void)state;
    static const struct ct_option rows[] = {
        {.name = "loop", CT_OPTION_AT(FLAG, struct values, loop), .help = "loop"},
        {.name = "output",
         CT_OPTION_AT(STRING, struct values, output),
         .argument = "FILE",
         .help = "file"},
        {0}};
    const struct ct_option_group row_groups[] = {{"Rows", rows, 0}, {0}};
    const struct ct_command tool = {.name = "tool",
                                    .operands = "COMMAND...",
                                    .groups = row_groups,
                                    .max_operands = SIZE_MAX,
                                    .options_end_at_operand = true,
                                    .starts_nothing = loops};
    const char *const looks[] = {"--loop", "folder", "--output", "x", NULL};
    const char *const starts[] = {"ls", "--output", "x", NULL};
    struct values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&tool, looks, &values, &args, &text, &err), CT_OK);
    free(text);
    assert_string_equal(values.output, "x");
    assert_int_equal(args.n_operands, 1);
    values = (struct values){0};
    assert_int_equal(parse(&tool, starts, &values, &args, &text, &err), CT_OK);
    free(text);
    assert_null(values.output);
    assert_int_equal(args.n_operands, 3);
}

/* More rows than a word has bits: row 70 is not row 6. */
static void required_options_of_a_long_table(void **state)
{
    (void)state;
    enum { N_ROWS = 71 };
    static char names[N_ROWS][8];
    static struct ct_option rows[N_ROWS + 1];
    for (size_t i = 0; i < N_ROWS; i++) {
        snprintf(names[i], sizeof names[i], "row-%02zu", i);
        rows[i] = (struct ct_option){.name = names[i],
                                     CT_OPTION_AT(STRING, struct values, output),
                                     .argument = "TEXT",
                                     .required = i == N_ROWS - 1,
                                     .help = "text"};
    }
    const struct ct_option_group long_groups[] = {{"Rows", rows, 0}, {0}};
    const struct ct_command tool = {.name = "tool", .groups = long_groups};
    const char *const with[] = {"--row-70", "x", NULL}, *const without[] = {"--row-06", "x", NULL};
    struct values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&tool, with, &values, &args, &text, &err), CT_OK);
    assert_string_equal(values.output, "x");
    free(text);
    assert_int_equal(parse(&tool, without, &values, &args, &text, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "--row-70 TEXT is missing"));
    free(text);
}

/* Free(). */
static char *print_page(const struct ct_command *tool,
                        void (*page)(const struct ct_command *, FILE *))
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    page(tool, out);
    fclose(out);
    return text;
}

/* Before what they mean, so that a short help has them; not where the row names them itself. */
static void choices_come_first(void **state)
{
    (void)state;
    static const char *const choices[] = {"first", "last", NULL},
                             *const helps[] = {"which one. The rest is long",
                                               "first: one. last: two", "which one"},
                             *const arguments[] = {"WHICH", "WHICH", "first|last"},
                             *const uses[] = {"tool --which first", "the first one", NULL};
    for (size_t i = 0; i < 3; i++) {
        const struct ct_option rows[] = {{.name = "which",
                                          CT_OPTION_AT(CHOICE, struct values, inner.wait),
                                          .argument = arguments[i],
                                          .initial = "last",
                                          .choices = choices,
                                          .help = helps[i]},
                                         {0}};
        const struct ct_option_group one[] = {{"Rows", rows, 0}, {0}};
        const struct ct_command tool = {
            .name = "tool", .summary = "-", .groups = one, .examples = uses};
        char *text = print_page(&tool, ct_command_brief);
        assert_int_equal(strstr(text, "first, last: which one") != NULL, i == 0);
        assert_non_null(strstr(text, helps[i]));
        free(text);
    }
}

/* An option and its value are on one line. */
static void examples_break_between_options(void **state)
{
    (void)state;
    static const char *const uses[] = {
        "tool --aaaaaaaaaaaaaaaaaaaa 1 --bbbbbbbbbbbbbbbbbbbb 2 --ccccccccccccccccccccccccccccc 3 "
        "--dddd 400ns -- echo -n word",
        "what it does", NULL};
    const struct ct_option rows[] = {{0}};
    const struct ct_option_group none[] = {{"Rows", rows, 0}, {0}};
    const struct ct_command tool = {
        .name = "tool", .summary = "-", .groups = none, .examples = uses};
    char *text = print_page(&tool, ct_command_help);
    assert_non_null(strstr(text, " 3 \\\n      --dddd 400ns -- echo -n word\n"));
    free(text);
}

/* Without an end of its own: choices stand before it, the default behind it, in --help and the man
 * page. */
static void long_help_is_not_cut(void **state)
{
    (void)state;
    static char help[2000];
    static const char *const choices[] = {"first", "last", NULL};
    for (size_t i = 0; i + 1 < sizeof help; i++)
        help[i] = i % 8 == 7 ? ' ' : 'a';
    const struct ct_option rows[] = {{.name = "form",
                                      CT_OPTION_AT(CHOICE, struct values, inner.wait),
                                      .argument = "FORM",
                                      .initial = "first",
                                      .choices = choices,
                                      .help = help},
                                     {0}};
    const struct ct_option_group long_groups[] = {{"Rows", rows, 0}, {0}};
    const struct ct_command tool = {.name = "tool", .summary = "-", .groups = long_groups};
    void (*const pages[])(const struct ct_command *, FILE *) = {ct_command_help, ct_command_man};
    for (size_t i = 0; i < 2; i++) {
        char *text = print_page(&tool, pages[i]);
        size_t n = 0;
        for (const char *word = text; (word = strstr(word, "aaaaaaa")); word += 7)
            n++;
        assert_int_equal(n, 250);
        assert_non_null(strstr(text, "first, last"));
        assert_non_null(strstr(text, "(default:"));
        free(text);
    }
}

static void seeds_are_drawn_and_differ(void **state)
{
    (void)state;
    const char *const words[] = {"f", NULL};
    struct values values = {0};
    struct ct_arguments args;
    uint64_t first = 0;
    bool differ = false;
    for (int i = 0; i < 8; i++) { /* eight equal ones by chance: once in 2^224 */
        parse_well(words, &values, &args);
        differ |= i > 0 && values.seed != first;
        first = i ? first : values.seed;
    }
    assert_true(differ);
}

static void standard_questions_are_answered(void **state)
{
    (void)state;
    const char *const help[] = {"--help", NULL}, *const version[] = {"--version", NULL};
    struct values values = {0};
    struct ct_arguments args = {0};
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&command, help, &values, &args, &text, &err), CT_OK);
    assert_true(args.finished);
    const char *const parts[] = {"Usage: tool [OPTION]... FILE...\n",
                                 "First paragraph.\n\nSecond one.",
                                 "Measurement:\n",
                                 "  -t, --time DURATION     end after this time (default: 60s)\n",
                                 "spin, yield, block: how to wait (default: spin)",
                                 "(default: drawn,",
                                 "  tool --time 5s x\n      five seconds\n",
                                 "2 wrong usage"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("--help does not say '%s'", parts[i]);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 100);
    free(text);
    assert_int_equal(parse(&command, version, &values, &args, &text, &err), CT_OK);
    assert_true(args.finished);
    assert_string_equal(text, "tool " CT_VERSION "\n");
    free(text);
}

static void every_command_can_be_quiet(void **state)
{
    (void)state;
    struct values values = {0};
    struct ct_arguments args = {0};
    struct ct_error err;
    char *text;
    const char *const words[][3] = {
        {"--quiet", "file", NULL}, {"-q", "file", NULL}, {"file", "-q", NULL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_int_equal(parse(&command, words[i], &values, &args, &text, &err), CT_OK);
        assert_int_equal(args.n_operands, 1);
        assert_string_equal(args.operands[0], "file");
        free(text);
    }
    const char *const argument[] = {"--quiet=yes", "file", NULL};
    assert_int_equal(parse(&command, argument, &values, &args, &text, &err), CT_EUSAGE);
    free(text);

    /* A row of the command's own comes first. */
    static const struct ct_option own[] = {
        {.name = "quiet", .letter = 'q', CT_OPTION_AT(FLAG, struct values, loop), .help = "own"},
        {0}};
    static const struct ct_option_group own_groups[] = {{"Own", own, 0}, {0}};
    struct ct_command loud = command;
    loud.groups = own_groups;
    assert_int_equal(parse(&loud, words[1], &values, &args, &text, &err), CT_OK);
    assert_true(values.loop);
    free(text);
}

static void man_page_has_its_sections(void **state)
{
    (void)state;
    const char *const words[] = {"--man", NULL};
    struct values values = {0};
    struct ct_arguments args = {0};
    struct ct_error err;
    char *text;
    assert_int_equal(parse(&command, words, &values, &args, &text, &err), CT_OK);
    assert_true(args.finished);
    const char *const parts[] = {".TH \"TOOL\" 1",
                                 ".SH NAME\ntool \\- do it \\- well\n",
                                 ".SH SYNOPSIS\n.B tool\n[\\fIOPTION\\fR]... \\fIFILE...\\fR\n",
                                 ".PP\nFirst paragraph.\n.PP\nSecond one.\n",
                                 "\\fB\\-t\\fR, \\fB\\-\\-time\\fR \\fIDURATION\\fR\n",
                                 ".SH EXAMPLES\n",
                                 ".SH EXIT STATUS\n",
                                 ".SH SEE ALSO\nother(1),\nmore(1)\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("the man page does not hold '%s'", parts[i]);
    free(text);
}

/* "--NAME=VALUE" for every value that is visited. */
struct visited {
    char words[MAX_WORDS][64];
    size_t n;
};

static void visit(const char *name, const char *value, void *data)
{
    struct visited *visited = data;
    assert_true(visited->n < MAX_WORDS);
    snprintf(visited->words[visited->n++], sizeof visited->words[0], "--%s=%s", name, value);
}

static void provenance_parses_to_the_same_values(void **state)
{
    (void)state;
    const char *const words[] = {"-t7.5s",   "-m",   "40kB",   "--rate", "1.25mbit",
                                 "--bubble", "96us", "--wait", "yield",  "--threshold",
                                 "0.125",    "-o",   "x",      "--seed", "18446744073709551615",
                                 "f",        NULL};
    struct values first = {0}, second = {0};
    struct ct_arguments args;
    parse_well(words, &first, &args);
    struct visited visited = {.n = 0};
    ct_command_visit(&command, &first, visit, &visited);
    const char *again[MAX_WORDS + 1] = {"f"};
    size_t n = 1;
    for (size_t i = 0; i < visited.n; i++)
        if (strcmp(visited.words[i], "--loop=no") != 0) /* flags read yes or no */
            again[n++] = visited.words[i];
    assert_int_equal(n, 12); /* all but the flag and the custom row, and the operand */
    parse_well(again, &second, &args);
    assert_true(first.time_s == second.time_s && first.message_bytes == second.message_bytes);
    assert_true(first.bit_per_s == second.bit_per_s && first.seed == second.seed);
    assert_true(first.bubble.in_cycles == second.bubble.in_cycles);
    assert_true(first.bubble.value == second.bubble.value);
    assert_true(first.inner.wait == second.inner.wait && first.scale == second.scale);
    assert_true(first.threshold_frac == second.threshold_frac);
    assert_true(first.iterations == second.iterations);
    assert_string_equal(second.output, "x");
}

/* The value of --output is as long as it is. */
static void measure_output(const char *name, const char *value, void *data)
{
    if (!strcmp(name, "output"))
        *(size_t *)data = strlen(value);
}

static void provenance_has_long_texts_whole(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const struct values values = {.output = text};
    size_t length = 0;
    ct_command_visit(&command, &values, measure_output, &length);
    assert_int_equal(length, sizeof text - 1);
}

static void exit_codes(void **state)
{
    (void)state;
    assert_int_equal(ct_exit_code(CT_OK), 0);
    assert_int_equal(ct_exit_code(CT_EUSAGE), 2);
    assert_int_equal(ct_exit_code(CT_EIO), 1);
    assert_int_equal(ct_exit_code(CT_ENODATA), 1);
}

/* Also where it has its default. */
static void options_that_are_given_are_known(void **state)
{
    (void)state;
    const char *const ways[][4] = {{"--wait", "spin", "file"}, {"--wait=spin", "file"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct values values = {0};
        struct ct_arguments args;
        parse_well(ways[i], &values, &args);
        assert_true(values.inner.wait == 0 && values.inner.has_wait);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_come_from_the_rows),
        cmocka_unit_test(every_way_to_write_an_option),
        cmocka_unit_test(the_last_of_an_option_counts),
        cmocka_unit_test(options_that_are_given_are_known),
        cmocka_unit_test(wrong_usage_names_option_value_and_remedy),
        cmocka_unit_test(too_many_operands_are_refused),
        cmocka_unit_test(required_options_and_commands_that_run_others),
        cmocka_unit_test(seeds_are_drawn_and_differ),
        cmocka_unit_test(standard_questions_are_answered),
        cmocka_unit_test(every_command_can_be_quiet),
        cmocka_unit_test(options_behind_operands_where_nothing_is_started),
        cmocka_unit_test(required_options_of_a_long_table),
        cmocka_unit_test(choices_come_first),
        cmocka_unit_test(examples_break_between_options),
        cmocka_unit_test(long_help_is_not_cut),
        cmocka_unit_test(man_page_has_its_sections),
        cmocka_unit_test(provenance_parses_to_the_same_values),
        cmocka_unit_test(provenance_has_long_texts_whole),
        cmocka_unit_test(exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
