/* The text form of a schedule. Lines are read whole, so that words never straddle two buffers. */
#include "core/text.h"

#include "core/array.h"
#include "core/cancel.h"
#include "core/text_map.h"
#include "lp-bridge/goal/goal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 20, LINE_MAX_BYTES = 1 << 26, SHOWN_MAX = 40 };

struct reader {
    FILE *in;
    const char *name;
    char *buffer; /* room bytes, of which [next, filled) are not read yet */
    size_t room, next, filled;
    bool at_end;
    uint64_t line_number;
    const char *line, *at, *end; /* of the current line, without its newline */
    bool in_comment;
    struct ct_text_map labels;       /* operations of the rank */
    struct ct_goal_builder *builder; /* NULL before num_ranks */
    uint32_t n_ranks;
    bool *rank_seen; /* n_ranks */
    bool in_rank;
    uint32_t rank; /* where in_rank */
    struct ct_error *err;
};

/* What is shown of a file that is no schedule must not steer a terminal. */
static void make_printable(char *text)
{
    while (*text) {
        size_t n = ct_text_utf8(text);
        if (n == 0 || (unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
        text += n > 0 ? n : 1;
    }
}

__attribute__((format(printf, 3, 4))) static enum ct_status
fail_at(struct reader *reader, const char *at, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    make_printable(text);
    return ct_fail(reader->err, CT_EFORMAT, "%s:%" PRIu64 ":%zu: %s", reader->name,
                   reader->line_number, (size_t)(at - reader->line) + 1, text);
}

static int shown_length(const struct reader *reader, const char *at)
{
    ptrdiff_t length = reader->end - at;
    return (int)(length < SHOWN_MAX ? length : SHOWN_MAX);
}

static enum ct_status fail_expected(struct reader *reader, const char *what)
{
    const char *at = reader->at;
    if (at == reader->end)
        return fail_at(reader, at, "expected %s, not the end of the line", what);
    return fail_at(reader, at, "expected %s, not '%.*s'", what, shown_length(reader, at), at);
}

/* ---- lines ---- */

/* Moves what is left to the front and reads on behind it. */
static enum ct_status refill_buffer(struct reader *reader)
{
    size_t left = reader->filled - reader->next;
    CT_TRY(ct_cancel_check(reader->err));
    if (left > 0)
        memmove(reader->buffer, reader->buffer + reader->next, left);
    reader->next = 0;
    reader->filled = left;
    if (left == reader->room) {
        if (reader->room >= LINE_MAX_BYTES)
            return ct_fail(reader->err, CT_EFORMAT, "%s:%" PRIu64 ": a line of more than %d bytes",
                           reader->name, reader->line_number + 1, LINE_MAX_BYTES);
        if (!CT_ARRAY_RESIZE(reader->buffer, 2 * reader->room))
            return ct_no_memory(reader->err, "%s", reader->name);
        reader->room *= 2;
    }
    size_t n = fread(reader->buffer + left, 1, reader->room - left, reader->in);
    if (n == 0 && ferror(reader->in))
        return ct_fail(reader->err, CT_EIO, "%s: %s", reader->name, strerror(errno));
    reader->filled += n;
    reader->at_end = n == 0;
    return CT_OK;
}

/* A byte order mark, as editors put it in front of a text. */
static enum ct_status skip_mark(struct reader *reader)
{
    static const char mark[] = "\xef\xbb\xbf";
    CT_TRY(refill_buffer(reader));
    if (reader->filled >= sizeof mark - 1 && memcmp(reader->buffer, mark, sizeof mark - 1) == 0)
        reader->next = sizeof mark - 1;
    return CT_OK;
}

/* The next line; line is NULL at the end of the file. */
static enum ct_status next_line(struct reader *reader)
{
    const char *newline = NULL;
    size_t searched = 0;
    for (;;) {
        const char *from = reader->buffer + reader->next;
        newline = memchr(from + searched, '\n', reader->filled - reader->next - searched);
        if (newline || reader->at_end)
            break;
        searched = reader->filled - reader->next;
        CT_TRY(refill_buffer(reader));
    }
    reader->line = reader->at = reader->buffer + reader->next;
    reader->end = newline ? newline : reader->buffer + reader->filled;
    if (!newline && reader->line == reader->end)
        reader->line = NULL;
    reader->next = (size_t)(reader->end - reader->buffer) + (newline != NULL);
    reader->line_number++;
    return CT_OK;
}

/* ---- words ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_comment(struct reader *reader)
{
    while (reader->at < reader->end) {
        const char *star = memchr(reader->at, '*', (size_t)(reader->end - reader->at));
        reader->at = star ? star + 1 : reader->end;
        if (star && reader->at < reader->end && *reader->at == '/') {
            reader->at++;
            reader->in_comment = false;
            return;
        }
    }
}

/* Blanks and comments; a comment may go on in the next line. */
static void skip_blanks(struct reader *reader)
{
    for (;;) {
        if (reader->in_comment)
            skip_comment(reader);
        while (reader->at < reader->end &&
               (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
            reader->at++;
        if (reader->end - reader->at < 2 || reader->at[0] != '/')
            return;
        if (reader->at[1] == '/')
            reader->at = reader->end;
        else if (reader->at[1] == '*')
            reader->at += 2, reader->in_comment = true;
        else
            return;
    }
}

struct word {
    const char *text;
    size_t length;
};

/* Letters, digits and '_', beginning with no digit; length 0 where there is none. */
static struct word take_word(struct reader *reader)
{
    skip_blanks(reader);
    struct word word = {reader->at, 0};
    const char *at = reader->at;
    if (at < reader->end && is_letter(*at))
        while (at < reader->end && (is_letter(*at) || is_digit(*at)))
            at++;
    word.length = (size_t)(at - word.text);
    reader->at = at;
    return word;
}

static bool is_word(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static enum ct_status take_number(struct reader *reader, uint64_t max, const char *what,
                                  uint64_t *number_p)
{
    skip_blanks(reader);
    const char *at = reader->at;
    uint64_t number = 0;
    while (at < reader->end && is_digit(*at)) {
        uint64_t digit = (uint64_t)(*at++ - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return fail_at(reader, reader->at, "%s: larger than %" PRIu64, what, max);
        number = 10 * number + digit;
    }
    if (at == reader->at)
        return fail_expected(reader, what);
    if (number > max)
        return fail_at(reader, reader->at, "%s %" PRIu64 ": larger than %" PRIu64, what, number,
                       max);
    reader->at = at;
    *number_p = number;
    return CT_OK;
}

static bool take_char(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool take_any(struct reader *reader)
{
    skip_blanks(reader);
    if (reader->end - reader->at < 2 || memcmp(reader->at, "-1", 2) != 0)
        return false;
    reader->at += 2;
    return true;
}

/* ---- statements ---- */

static enum ct_status take_rank_number(struct reader *reader, uint32_t *rank_p)
{
    uint64_t rank;
    skip_blanks(reader);
    const char *at = reader->at;
    CT_TRY(take_number(reader, UINT32_MAX, "a rank", &rank));
    if (rank >= reader->n_ranks)
        return fail_at(reader, at, "rank %" PRIu64 ": there are ranks 0 to %" PRIu32, rank,
                       reader->n_ranks - 1);
    *rank_p = (uint32_t)rank;
    return CT_OK;
}

static enum ct_status take_peer(struct reader *reader, struct ct_goal_op *op)
{
    struct word direction = take_word(reader);
    const char *wanted = op->kind == CT_GOAL_SEND ? "to" : "from";
    if (!is_word(direction, wanted)) {
        reader->at = direction.text;
        return fail_expected(reader, op->kind == CT_GOAL_SEND ? "'to'" : "'from'");
    }
    if (op->kind == CT_GOAL_RECV && take_any(reader))
        return fail_at(reader, reader->at - 2,
                       "a receive from any source: give the source that it had; traces record it");
    return take_rank_number(reader, &op->peer);
}

/* tag T cpu C nic N, each or none. */
static enum ct_status take_attributes(struct reader *reader, struct ct_goal_op *op)
{
    for (;;) {
        struct word word = take_word(reader);
        uint64_t number = 0;
        enum ct_status status = CT_OK;
        if (word.length == 0)
            return CT_OK;
        if (op->kind != CT_GOAL_CALC && is_word(word, "tag")) {
            if (op->kind == CT_GOAL_RECV && take_any(reader))
                op->tag = CT_GOAL_ANY_TAG;
            else if ((status = take_number(reader, CT_GOAL_TEXT_TAG_MAX, "a tag", &number)) ==
                     CT_OK)
                op->tag = ct_goal_make_tag(reader->builder, number);
        } else if (is_word(word, "cpu")) {
            status = take_number(reader, UINT8_MAX, "a cpu", &number);
            op->cpu = (uint8_t)number;
        } else if (op->kind != CT_GOAL_CALC && is_word(word, "nic")) {
            status = take_number(reader, UINT8_MAX, "a nic", &number);
            op->nic = (uint8_t)number;
        } else {
            reader->at = word.text;
            status =
                fail_expected(reader, op->kind == CT_GOAL_CALC ? "'cpu' or the end of the line"
                                                               : "'tag', 'cpu', 'nic' or the end "
                                                                 "of the line");
        }
        if (status != CT_OK)
            return status;
    }
}

/* Of the current line; 0, none, where it has no room in an operation. */
static uint32_t line_number(const struct reader *reader)
{
    return reader->line_number <= UINT32_MAX ? (uint32_t)reader->line_number : 0;
}

static enum ct_status take_op(struct reader *reader, enum ct_goal_kind kind,
                              const struct word *label)
{
    struct ct_goal_op op = {.kind = (uint8_t)kind, .line = line_number(reader)};
    CT_TRY(kind == CT_GOAL_CALC
               ? take_number(reader, CT_GOAL_CALC_MAX_NS, "a time in ns", &op.amount)
               : take_number(reader, UINT64_MAX, "a size in bytes", &op.amount));
    if (kind != CT_GOAL_CALC)
        CT_TRY(take_char(reader, 'b') ? take_peer(reader, &op)
                                      : fail_expected(reader, "'b' (bytes)"));
    CT_TRY(take_attributes(reader, &op));
    uint32_t number = ct_goal_add(reader->builder, op);
    if (label->length == 0)
        return CT_OK;
    bool is_new;
    uint32_t *op_of_label = ct_text_map_put(&reader->labels, label->text, label->length, &is_new);
    if (!op_of_label)
        return ct_no_memory(reader->err, "%s", reader->name);
    if (!is_new)
        return fail_at(reader, label->text, "label '%.*s' is there already in this rank",
                       (int)(label->length < SHOWN_MAX ? label->length : SHOWN_MAX), label->text);
    *op_of_label = number;
    return CT_OK;
}

static enum ct_status find_label(struct reader *reader, struct word label, uint32_t *op_p)
{
    const uint32_t *op = ct_text_map_get(&reader->labels, label.text, label.length);
    *op_p = op ? *op : 0;
    return op ? CT_OK
              : fail_at(reader, label.text,
                        "label '%.*s' is not there before this line, in this rank",
                        (int)(label.length < SHOWN_MAX ? label.length : SHOWN_MAX), label.text);
}

static enum ct_status take_dependency(struct reader *reader, struct word label,
                                      enum ct_goal_wait wait)
{
    uint32_t op, on;
    struct word other = take_word(reader);
    if (other.length == 0)
        return fail_expected(reader, "a label");
    CT_TRY(find_label(reader, label, &op));
    CT_TRY(find_label(reader, other, &on));
    if (op == on)
        return fail_at(reader, label.text, "an operation that waits for itself");
    ct_goal_require(reader->builder, op, on, wait);
    return CT_OK;
}

/* ---- marks: comments to others ---- */

static const char mark_prefix[] = "//crosstalk-wait ";

static bool is_mark(const struct reader *reader)
{
    size_t n = sizeof mark_prefix - 1;
    return !reader->in_comment && (size_t)(reader->end - reader->line) > n &&
           memcmp(reader->line, mark_prefix, n) == 0;
}

/* One of the words, by its number; -1: none of them, and the word is still to be read. */
static int take_choice(struct reader *reader, const char *const *words)
{
    struct word word = take_word(reader);
    for (int i = 0; words[i]; i++)
        if (is_word(word, words[i]))
            return i;
    reader->at = word.text;
    return -1;
}

static enum ct_status take_mark_of_op(struct reader *reader, struct word label)
{
    static const char *const calls[] = {"first", "last", "both", NULL};
    static const char *const begins[] = {"begins", NULL}, *const away[] = {"away", NULL};
    static const char *const points[] = {"requires", "irequires", NULL};
    struct ct_goal_mark mark = {.rank = reader->rank};
    enum ct_status status = find_label(reader, label, &mark.op);
    int call = status == CT_OK ? take_choice(reader, calls) : 0;
    if (call < 0)
        return fail_expected(reader, "'first', 'last' or 'both'");
    mark.flags = (uint8_t)(call + 1);
    if (status == CT_OK && take_choice(reader, begins) == 0)
        mark.flags |= CT_GOAL_MARK_BEGINS;
    int point = status == CT_OK ? take_choice(reader, points) : 0;
    if (point < 0)
        return fail_expected(reader, "'requires' or 'irequires'");
    if (point == 1)
        mark.flags |= CT_GOAL_MARK_START;
    if (status == CT_OK)
        status = find_label(reader, take_word(reader), &mark.on);
    if (status == CT_OK && take_choice(reader, away) < 0)
        return fail_expected(reader, "'away'");
    if (status == CT_OK)
        status = take_number(reader, CT_GOAL_CALC_MAX_NS, "a time in ns", &mark.away_ns);
    if (status == CT_OK)
        ct_goal_add_mark(reader->builder, mark);
    return status;
}

static enum ct_status take_mark(struct reader *reader)
{
    reader->at = reader->line + sizeof mark_prefix - 1;
    struct word word = take_word(reader);
    if (reader->builder && is_word(word, "known"))
        ct_goal_begin_marks(reader->builder);
    else if (reader->in_rank)
        return take_mark_of_op(reader, word);
    else
        return fail_at(reader, word.text, "a mark of a wait outside of a rank");
    return CT_OK;
}

static bool kind_of(struct word word, enum ct_goal_kind *kind_p)
{
    for (int kind = 0; kind < CT_GOAL_N_KINDS; kind++)
        if (is_word(word, ct_goal_kind_text((enum ct_goal_kind)kind))) {
            *kind_p = (enum ct_goal_kind)kind;
            return true;
        }
    return false;
}

static enum ct_status take_labelled(struct reader *reader, struct word label)
{
    enum ct_goal_kind kind;
    if (take_char(reader, ':')) {
        struct word word = take_word(reader);
        if (kind_of(word, &kind))
            return take_op(reader, kind, &label);
        reader->at = word.text;
        return fail_expected(reader, "'calc', 'send' or 'recv'");
    }
    struct word word = take_word(reader);
    if (is_word(word, "requires"))
        return take_dependency(reader, label, CT_GOAL_FINISH);
    if (is_word(word, "irequires"))
        return take_dependency(reader, label, CT_GOAL_START);
    reader->at = word.text;
    return fail_expected(reader, "':', 'requires' or 'irequires'");
}

static enum ct_status take_rank(struct reader *reader)
{
    if (!reader->builder)
        return fail_at(reader, reader->line, "'rank' before 'num_ranks'");
    skip_blanks(reader);
    const char *at = reader->at;
    CT_TRY(take_rank_number(reader, &reader->rank));
    if (reader->rank_seen[reader->rank])
        return fail_at(reader, at, "rank %" PRIu32 " is there twice", reader->rank);
    if (!take_char(reader, '{'))
        return fail_expected(reader, "'{'");
    reader->rank_seen[reader->rank] = true;
    ct_goal_begin_rank(reader->builder, reader->rank);
    ct_text_map_clear(&reader->labels);
    reader->in_rank = true;
    return CT_OK;
}

static enum ct_status take_number_of_ranks(struct reader *reader)
{
    uint64_t n = 0;
    if (reader->builder)
        return fail_at(reader, reader->line, "'num_ranks' is there twice");
    CT_TRY(take_number(reader, CT_GOAL_RANKS_MAX, "a number of ranks", &n));
    if (n == 0)
        return fail_at(reader, reader->at - 1, "num_ranks 0");
    reader->n_ranks = (uint32_t)n;
    reader->rank_seen = calloc(n, sizeof *reader->rank_seen);
    reader->builder = ct_goal_builder_new(reader->n_ranks);
    return reader->builder && reader->rank_seen ? CT_OK
                                                : ct_no_memory(reader->err, "%s", reader->name);
}

static enum ct_status take_statement(struct reader *reader)
{
    static const struct word no_label = {NULL, 0};
    enum ct_goal_kind kind;
    if (reader->in_rank && take_char(reader, '}')) {
        reader->in_rank = false;
        return CT_OK;
    }
    struct word word = take_word(reader);
    if (!reader->in_rank) {
        if (is_word(word, "num_ranks"))
            return take_number_of_ranks(reader);
        if (is_word(word, "rank"))
            return take_rank(reader);
        reader->at = word.text;
        return fail_expected(
            reader, reader->builder ? "'rank'" : "'num_ranks', with which a GOAL schedule begins");
    }
    if (kind_of(word, &kind))
        return take_op(reader, kind, &no_label);
    if (word.length > 0)
        return take_labelled(reader, word);
    return fail_expected(reader, "an operation, a label or '}'");
}

static enum ct_status take_file(struct reader *reader)
{
    for (;;) {
        enum ct_status status = next_line(reader);
        if (status == CT_OK && reader->line && is_mark(reader))
            status = take_mark(reader);
        if (status != CT_OK || !reader->line)
            return status;
        skip_blanks(reader);
        while (reader->at < reader->end) {
            CT_TRY(take_statement(reader));
            skip_blanks(reader);
        }
    }
}

enum ct_status ct_goal_read_text(FILE *in, const char *name, struct ct_goal *goal_p,
                                 struct ct_error *err)
{
    struct reader reader = {.in = in, .name = name, .room = READ_BYTES, .err = err};
    reader.buffer = calloc(reader.room, 1);
    enum ct_status status = reader.buffer ? skip_mark(&reader) : ct_no_memory(err, "%s", name);
    if (status == CT_OK)
        status = take_file(&reader);
    if (status == CT_OK && (reader.in_comment || reader.in_rank || !reader.builder))
        status =
            ct_fail(err, CT_EFORMAT, "%s: ends %s", name,
                    reader.in_comment ? "within a comment"
                    : reader.in_rank  ? "within a rank: '}' is missing"
                                      : "without 'num_ranks', with which a GOAL schedule begins");
    ct_text_map_free(&reader.labels);
    free(reader.rank_seen);
    free(reader.buffer);
    if (status != CT_OK) {
        ct_goal_builder_free(reader.builder);
        return status;
    }
    status = ct_goal_build(reader.builder, goal_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", name);
}

/* ---- writing ---- */

static void write_op(const struct ct_goal_op *op, uint64_t number, FILE *out)
{
    fprintf(out, "l%" PRIu64 ": %s %" PRIu64, number,
            ct_goal_kind_text((enum ct_goal_kind)op->kind), op->amount);
    if (op->kind != CT_GOAL_CALC)
        fprintf(out, "b %s %" PRIu32 " tag %" PRId32, op->kind == CT_GOAL_SEND ? "to" : "from",
                op->peer, op->tag);
    if (op->cpu != 0 || op->nic != 0)
        fprintf(out, " cpu %u", op->cpu);
    if (op->nic != 0)
        fprintf(out, " nic %u", op->nic);
    putc('\n', out);
}

static void write_mark(const struct ct_goal_mark *mark, uint64_t first, FILE *out)
{
    static const char *const calls[] = {"none", "first", "last", "both"};
    fprintf(out, "%sl%" PRIu64 " %s %s%s l%" PRIu64 " away %" PRIu64 "\n", mark_prefix,
            mark->op - first + 1, calls[mark->flags & (CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST)],
            mark->flags & CT_GOAL_MARK_BEGINS ? "begins " : "",
            mark->flags & CT_GOAL_MARK_START ? "irequires" : "requires", mark->on - first + 1,
            mark->away_ns);
}

enum ct_status ct_goal_write_text(const struct ct_goal *goal, FILE *out, struct ct_error *err)
{
    uint64_t next = 0, mark = 0;
    fprintf(out, "num_ranks %" PRIu32 "\n", goal->n_ranks);
    if (goal->marks)
        fprintf(out, "%sknown\n", mark_prefix);
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
        uint64_t first = goal->first_op[rank], end = goal->first_op[rank + 1];
        fprintf(out, "\nrank %" PRIu32 " {\n", rank);
        for (uint64_t op = first; op < end; op++)
            write_op(&goal->ops[op], op - first + 1, out);
        for (; next < goal->n_deps && goal->deps[next].op < end; next++)
            fprintf(out, "l%" PRIu64 " %s l%" PRIu64 "\n", goal->deps[next].op - first + 1,
                    goal->deps[next].irequires ? "irequires" : "requires",
                    goal->deps[next].on - first + 1);
        for (; mark < goal->n_marks && goal->marks[mark].op < end; mark++)
            write_mark(&goal->marks[mark], first, out);
        fputs("}\n", out);
    }
    if (fflush(out) != 0 || ferror(out))
        return ct_fail(err, CT_EIO, "schedule: %s", strerror(errno));
    return CT_OK;
}
