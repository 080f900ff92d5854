#include "trace/rehearse/steps.h"

enum { REPEATS_MIN = 3, PERIOD_MAX = 4096 };
/* A row has at least one of so many marks. */
enum { SHARE_WITH_MESSAGES = 5, SHARE_WITHOUT = 2 };

static bool is_clean(const struct ct_rehearsal *rehearsal, uint64_t mark)
{
    return !rehearsal->marks[mark - 1].crossed;
}

static enum ct_status refuse_option(const struct ct_rehearsal *rehearsal, const char *option,
                                    uint64_t mark, struct ct_error *err)
{
    uint64_t n = rehearsal->n_marks, away = 1;
    if (mark < 1 || mark > n)
        return ct_fail(err, CT_EUSAGE,
                       "%s %llu: the program's ranks make %llu collectives together", option,
                       (unsigned long long)mark, (unsigned long long)n);
    while (away < n && !((mark > away && is_clean(rehearsal, mark - away)) ||
                         (mark + away <= n && is_clean(rehearsal, mark + away))))
        away++;
    uint64_t near = mark > away && is_clean(rehearsal, mark - away) ? mark - away : mark + away;
    if (near > n)
        return ct_fail(err, CT_EUSAGE,
                       "%s %llu: messages or requests are under way at each collective", option,
                       (unsigned long long)mark);
    return ct_fail(
        err, CT_EUSAGE,
        "%s %llu: messages or requests are under way at that collective; they are not at "
        "%llu",
        option, (unsigned long long)mark, (unsigned long long)near);
}

enum ct_status ct_steps_between(const struct ct_rehearsal *rehearsal, uint64_t from, uint64_t to,
                                struct ct_steps *steps_p, struct ct_error *err)
{
    if (from < 1 || from > rehearsal->n_marks || !is_clean(rehearsal, from))
        return refuse_option(rehearsal, "--pass-from", from, err);
    if (to > rehearsal->n_marks || (to > from && !is_clean(rehearsal, to)))
        return refuse_option(rehearsal, "--pass-to", to, err);
    if (to <= from)
        return ct_fail(err, CT_EUSAGE, "--pass-to %llu: not behind --pass-from %llu",
                       (unsigned long long)to, (unsigned long long)from);
    *steps_p = (struct ct_steps){from, to - from, 1};
    return CT_OK;
}

static bool is_same(const struct ct_rehearsal *rehearsal, size_t a, size_t b, bool with_messages)
{
    const struct ct_mark *x = &rehearsal->marks[a], *y = &rehearsal->marks[b];
    return x->call == y->call && (!with_messages || x->messages == y->messages);
}

/* A row of marks that repeats: from index first on, n of them. */
struct row {
    size_t first, n, period;
};

/* Of all periods the one with the longest row; of several the shortest. */
static struct row longest_row(const struct ct_rehearsal *rehearsal, bool with_messages)
{
    struct row best = {0};
    size_t n = rehearsal->n_marks;
    for (size_t period = 1; period <= PERIOD_MAX && period * REPEATS_MIN <= n; period++) {
        size_t run = 0;
        for (size_t i = 0; i + period < n; i++) {
            run = is_same(rehearsal, i, i + period, with_messages) ? run + 1 : 0;
            if (run + period > best.n && run >= (REPEATS_MIN - 1) * period)
                best = (struct row){i + 1 - run, run + period, period};
        }
        if (best.n == n)
            break;
    }
    return best;
}

/* The most steps of a row one after the other, with nothing under way where one ends. */
static struct ct_steps most_steps(const struct ct_rehearsal *rehearsal, struct row row)
{
    struct ct_steps best = {0};
    for (size_t shift = 0; shift < row.period; shift++) {
        uint64_t first = 0;
        for (uint64_t mark = row.first + 1 + shift; mark <= row.first + row.n; mark += row.period) {
            if (!is_clean(rehearsal, mark)) {
                first = 0;
                continue;
            }
            first = first > 0 ? first : mark;
            uint64_t n = (mark - first) / row.period;
            if (n > best.n)
                best = (struct ct_steps){first, row.period, n};
        }
    }
    return best;
}

enum ct_status ct_steps_find(const struct ct_rehearsal *rehearsal, struct ct_steps *steps_p,
                             struct ct_error *err)
{
    for (int with_messages = 1; with_messages >= 0; with_messages--) {
        struct row row = longest_row(rehearsal, with_messages);
        struct ct_steps steps = {0};
        size_t share = with_messages ? SHARE_WITH_MESSAGES : SHARE_WITHOUT;
        if (share * row.n >= rehearsal->n_marks && row.n > 0)
            steps = most_steps(rehearsal, row);
        if (steps.n == 0)
            continue;
        *steps_p = steps;
        return CT_OK;
    }
    return ct_fail(
        err, CT_ENODATA,
        "--pass step: of the %zu collectives that all ranks make together, no row repeats "
        "often enough with nothing under way in between; use --pass-from and --pass-to",
        rehearsal->n_marks);
}
