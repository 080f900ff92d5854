#include "watch/tell/journal.h"

#include "core/array.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/json.h"
#include "watch/tell/words.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { WAITING_MAX = 1 << 20, TAIL_BYTES = 1 << 16 };

static const char line_start[] = "{\"time\": \"";

struct ct_watch_journal {
    char *path;
    int fd;
    char *waiting; /* [n_waiting] bytes that are to be written */
    size_t n_waiting, room;
    uint64_t n_dropped; /* lines */
    char **unknown;     /* [n_unknown] sentences that the last state had */
    size_t n_unknown;
};

/* ---- opening ---- */

static int64_t newest_of(char *tail)
{
    static const char key[] = "\"unix_ns\": ", of_alarm[] = "\", \"id\": ";
    int64_t newest = 0;
    char *rest = tail;
    for (char *line; (line = strsep(&rest, "\n"));) {
        const char *at = strstr(line, key);
        if (at && strstr(line, of_alarm)) {
            int64_t value = strtoll(at + sizeof key - 1, NULL, 10);
            newest = value > newest ? value : newest;
        }
    }
    return newest;
}

static void add_bytes(struct ct_watch_journal *journal, const char *bytes, size_t n)
{
    if (journal->n_waiting + n > WAITING_MAX ||
        !CT_ARRAY_RESERVE(journal->waiting, journal->room, journal->n_waiting + n)) {
        journal->n_dropped++;
        return;
    }
    memcpy(journal->waiting + journal->n_waiting, bytes, n);
    journal->n_waiting += n;
}

/* A line that has no end, since its watch was killed, is removed: its alarm is reported again. */
static enum ct_status drop_half_line(const struct ct_watch_journal *journal, off_t begin,
                                     char *tail, size_t n, struct ct_error *err)
{
    char *last = memrchr(tail, '\n', n), *half = last ? last + 1 : tail;
    size_t n_half = n - (size_t)(half - tail), n_start = sizeof line_start - 1;
    if (n_half == 0)
        return CT_OK;
    if (memcmp(half, line_start, n_half < n_start ? n_half : n_start) != 0)
        return ct_fail(err, CT_EFORMAT,
                       "%s: is no journal: its last line has no end, and begins otherwise; give "
                       "the journal another name",
                       journal->path);
    if (ftruncate(journal->fd, begin + (half - tail)) != 0)
        return ct_fail(err, CT_EIO, "%s: its last line, which has no end, cannot be removed: %s",
                       journal->path, strerror(errno));
    *half = '\0';
    return CT_OK;
}

static enum ct_status read_tail(struct ct_watch_journal *journal, int64_t *told_p,
                                struct ct_error *err)
{
    off_t end = lseek(journal->fd, 0, SEEK_END), begin = end > TAIL_BYTES ? end - TAIL_BYTES : 0;
    char *tail = calloc(1, TAIL_BYTES + 1);
    if (!tail)
        return ct_no_memory(err, "%s", journal->path);
    ssize_t n = end < 0 ? -1 : pread(journal->fd, tail, (size_t)(end - begin), begin);
    if (n < 0) {
        free(tail);
        return ct_fail(err, CT_EIO, "%s: cannot be read: %s", journal->path, strerror(errno));
    }
    enum ct_status status = drop_half_line(journal, begin, tail, (size_t)n, err);
    if (status == CT_OK)
        *told_p = newest_of(tail);
    free(tail);
    return status;
}

static void free_journal(struct ct_watch_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    for (size_t i = 0; i < journal->n_unknown; i++)
        free(journal->unknown[i]);
    free(journal->unknown);
    free(journal->waiting);
    free(journal->path);
    free(journal);
}

enum ct_status ct_watch_journal_open(const char *path, struct ct_watch_journal **journal_p,
                                     int64_t *told_p, struct ct_error *err)
{
    struct ct_watch_journal *journal = calloc(1, sizeof *journal);
    if (!journal || !(journal->path = strdup(path))) {
        free(journal);
        return ct_no_memory(err, "%s", path);
    }
    enum ct_status status = CT_OK;
    journal->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (journal->fd < 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    else if (flock(journal->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status =
            ct_fail(err, CT_EEXIST, "%s: another watch writes it; give this one its own", path);
    else
        status = read_tail(journal, told_p, err);
    if (status == CT_OK)
        *journal_p = journal;
    else
        free_journal(journal);
    return status;
}

enum ct_status ct_watch_journal_close(struct ct_watch_journal *journal, struct ct_error *err)
{
    if (!journal)
        return CT_OK;
    enum ct_status status = ct_watch_journal_flush(journal, err);
    free_journal(journal);
    return status;
}

/* ---- lines ---- */

static void write_number(const char *key, double value, FILE *out)
{
    if (isfinite(value))
        fprintf(out, ", \"%s\": %.6g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

static void write_text(const char *key, const char *text, FILE *out)
{
    fprintf(out, ", \"%s\": ", key);
    ct_json_print_text(text, out);
}

static void begin_line(FILE *out, int64_t unix_ns, const char *event)
{
    char text[CT_UTC_MAX];
    if (unix_ns == 0) /* before the first probe */
        unix_ns = (int64_t)ct_clock_unix_ns();
    ct_clock_utc_of(unix_ns, text);
    fprintf(out, "%s%s\", \"unix_ns\": %" PRId64 ", \"event\": \"%s\"", line_start, text, unix_ns,
            event);
}

struct line {
    char *text;
    size_t size;
    FILE *out;
};

static bool line_open(struct ct_watch_journal *journal, struct line *line)
{
    line->out = open_memstream(&line->text, &line->size);
    if (!line->out)
        journal->n_dropped++;
    return line->out != NULL;
}

static void line_end(struct ct_watch_journal *journal, struct line *line)
{
    fputs("}\n", line->out);
    if (fclose(line->out) == 0)
        add_bytes(journal, line->text, line->size);
    else
        journal->n_dropped++;
    free(line->text);
}

void ct_watch_journal_alarm(struct ct_watch_journal *journal, const struct ct_watch_state *state,
                            const struct ct_watch_alarm *alarm, enum ct_watch_event event)
{
    struct line line = {0};
    char place[CT_WATCH_PLACE_MAX], since[CT_UTC_MAX];
    if (!line_open(journal, &line))
        return;
    ct_watch_place(state, alarm, place);
    ct_clock_utc_of(alarm->since_unix_ns, since);
    const int64_t at_unix_ns[] = {alarm->raised_unix_ns, alarm->narrowed_unix_ns,
                                  alarm->ended_unix_ns};
    begin_line(line.out, at_unix_ns[event], ct_watch_event_names[event]);
    fprintf(line.out, ", \"id\": %" PRIu64, alarm->id);
    write_text("kind", ct_watch_kind_names[alarm->kind], line.out);
    write_text("place", place, line.out);
    write_text("since", since, line.out);
    write_number("size", alarm->size, line.out);
    write_number("low", alarm->low, line.out);
    write_number("high", alarm->high, line.out);
    write_number("log_evidence", alarm->log_evidence, line.out);
    write_text("reason", alarm->reason, line.out);
    line_end(journal, &line);
}

static bool is_same(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isdigit((unsigned char)*a) || *a == '.')
            a++;
        while (isdigit((unsigned char)*b) || *b == '.')
            b++;
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
    }
}

static bool has_sentence(const char *const *sentences, size_t n, const char *sentence)
{
    for (size_t i = 0; i < n; i++)
        if (is_same(sentences[i], sentence))
            return true;
    return false;
}

static void add_sentence(struct ct_watch_journal *journal, int64_t unix_ns, const char *event,
                         const char *what)
{
    struct line line = {0};
    if (!line_open(journal, &line))
        return;
    begin_line(line.out, unix_ns, event);
    write_text("what", what, line.out);
    line_end(journal, &line);
}

void ct_watch_journal_unknown(struct ct_watch_journal *journal, const struct ct_watch_state *state)
{
    const char *const *before = (const char *const *)journal->unknown;
    for (size_t i = 0; i < state->n_unknown; i++)
        if (!has_sentence(before, journal->n_unknown, state->unknown[i]))
            add_sentence(journal, state->unix_ns, "unknown", state->unknown[i]);
    for (size_t i = 0; i < journal->n_unknown; i++) {
        if (!has_sentence(state->unknown, state->n_unknown, before[i]))
            add_sentence(journal, state->unix_ns, "known", before[i]);
        free(journal->unknown[i]);
    }
    free(journal->unknown);
    journal->n_unknown = 0;
    journal->unknown = calloc(state->n_unknown + 1, sizeof *journal->unknown);
    for (size_t i = 0; journal->unknown && i < state->n_unknown; i++)
        if ((journal->unknown[journal->n_unknown] = strdup(state->unknown[i])))
            journal->n_unknown++;
}

/* ---- the disk ---- */

enum ct_status ct_watch_journal_flush(struct ct_watch_journal *journal, struct ct_error *err)
{
    size_t done = 0;
    int failure = 0;
    while (done < journal->n_waiting && failure == 0) {
        ssize_t n = write(journal->fd, journal->waiting + done, journal->n_waiting - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR)
            failure = errno;
    }
    if (done > 0 && ct_file_flush(journal->fd) != 0 && failure == 0)
        failure = errno;
    journal->n_waiting -= done;
    if (journal->n_waiting > 0)
        memmove(journal->waiting, journal->waiting + done, journal->n_waiting);
    if (failure == 0)
        return CT_OK;
    return ct_fail(err, CT_EIO,
                   "%s: cannot be written: %s; %zu bytes wait, %" PRIu64 " lines were dropped",
                   journal->path, strerror(failure), journal->n_waiting, journal->n_dropped);
}
