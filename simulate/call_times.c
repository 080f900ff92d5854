#include "simulate/call_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of a schedule ---- */

/* Rows of a schedule without calls. */
enum { ROW_SEND = 1, ROW_RECV = 2, ROWS_WITHOUT_CALLS = 3 };
static const char *const kind_names[ROWS_WITHOUT_CALLS] = {"", "send", "recv"};

uint32_t ct_call_row_of(const struct ct_goal *goal, const struct ct_time_span *span)
{
    bool is_send = goal->ops[span->op].kind == CT_GOAL_SEND;
    if (!goal->calls)
        return is_send ? ROW_SEND : ROW_RECV;
    bool is_work = span->part == CT_TIME_STACK && span->next == CT_TIME_NO_OP;
    const struct ct_goal_op_calls *calls = &goal->calls->of[span->op];
    return is_work && is_send ? calls->made : calls->waited;
}

const char *ct_call_row_name(const struct ct_goal *goal, uint32_t row)
{
    if (goal->calls)
        return goal->calls->calls[row].name;
    return row < ROWS_WITHOUT_CALLS ? kind_names[row] : "";
}

const char *ct_call_row_site(const struct ct_goal *goal, uint32_t row)
{
    return goal->calls ? goal->calls->calls[row].site : NULL;
}

bool ct_call_rows_have_sites(const struct ct_goal *goals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t call = 0; goals[i].calls && call < goals[i].calls->n_calls; call++)
            if (goals[i].calls->calls[call].site)
                return true;
    return false;
}

uint32_t ct_call_row_anywhere(const struct ct_goal *goal, uint32_t row)
{
    uint32_t first = 0;
    while (first < row && strcmp(ct_call_row_name(goal, first), ct_call_row_name(goal, row)) != 0)
        first++;
    return first;
}

/* ---- sums ---- */

struct rank {
    uint32_t pass;     /* that it is in */
    uint32_t n_passes; /* that it has ended */
    bool begun;        /* the others are set */
    double begin_ns;   /* of the pass: of its first span */
    double end_ns;     /* of its last span so far */
};

struct program {
    const struct ct_goal *goal;
    uint32_t n_rows;
    struct rank *ranks;              /* [n_ranks] */
    struct ct_time_sum *now, *ended; /* [rank * n_rows + row]: of the pass that a rank is in, and of
                                        those that it has ended */
    struct ct_time_course course;
};

struct ct_call_times {
    size_t n;
    struct program *programs;
};

enum ct_status ct_call_times_new(const struct ct_goal *goals, size_t n,
                                 struct ct_call_times **times_p, struct ct_error *err)
{
    struct ct_call_times *times = calloc(1, sizeof *times);
    if (times)
        times->programs = calloc(n, sizeof *times->programs);
    bool ok = times && times->programs;
    for (size_t i = 0; i < n && ok; i++) {
        struct program *program = &times->programs[i];
        times->n = i + 1;
        program->goal = &goals[i];
        program->n_rows = goals[i].calls ? goals[i].calls->n_calls : ROWS_WITHOUT_CALLS;
        size_t n_sums = goals[i].n_ranks * (size_t)program->n_rows;
        program->ranks = calloc(goals[i].n_ranks, sizeof *program->ranks);
        program->now = calloc(n_sums, sizeof *program->now);
        program->ended = calloc(n_sums, sizeof *program->ended);
        ok = program->ranks && program->now && program->ended;
    }
    if (!ok) {
        ct_call_times_free(times);
        return ct_no_memory(err, "simulation");
    }
    *times_p = times;
    return CT_OK;
}

void ct_call_times_free(struct ct_call_times *times)
{
    if (!times)
        return;
    for (size_t i = 0; i < times->n; i++) {
        free(times->programs[i].ranks);
        free(times->programs[i].now);
        free(times->programs[i].ended);
    }
    free(times->programs);
    free(times);
}

/* ---- the course ---- */

/* Half as many steps of twice the length. */
static void coarsen_course(struct ct_time_course *course)
{
    for (size_t i = 0; i < CT_TIME_COURSE_MAX; i++)
        for (int part = 0; part < CT_TIME_PARTS; part++) {
            double ns = course->part_ns[i][part];
            course->part_ns[i][part] = 0;
            course->part_ns[i / 2][part] += ns;
        }
    course->step_ns *= 2;
    course->n = (course->n + 1) / 2;
}

/* The least power of two above x > 0. */
static double power_above(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent);
}

static void add_to_course(struct ct_time_course *course, enum ct_time_part part, double begin_ns,
                          double end_ns)
{
    if (course->n == 0 && course->step_ns <= 0)
        course->step_ns = power_above(end_ns / CT_TIME_COURSE_MAX);
    while (end_ns > course->step_ns * CT_TIME_COURSE_MAX)
        coarsen_course(course);
    for (size_t i = (size_t)(begin_ns / course->step_ns); i < CT_TIME_COURSE_MAX; i++) {
        double from_ns = (double)i * course->step_ns, to_ns = from_ns + course->step_ns;
        double low_ns = begin_ns > from_ns ? begin_ns : from_ns;
        double high_ns = end_ns < to_ns ? end_ns : to_ns;
        if (high_ns > low_ns) {
            course->part_ns[i][part] += high_ns - low_ns;
            course->n = i + 1 > course->n ? i + 1 : course->n;
        }
        if (end_ns <= to_ns)
            break;
    }
}

static void join_courses(struct ct_time_course *into, const struct ct_time_course *from)
{
    struct ct_time_course other = *from;
    if (other.n == 0)
        return;
    if (into->n == 0) {
        *into = other;
        return;
    }
    while (into->step_ns < other.step_ns)
        coarsen_course(into);
    while (other.step_ns < into->step_ns)
        coarsen_course(&other);
    for (size_t i = 0; i < other.n; i++)
        for (int part = 0; part < CT_TIME_PARTS; part++)
            into->part_ns[i][part] += other.part_ns[i][part];
    into->n = other.n > into->n ? other.n : into->n;
}

const struct ct_time_course *ct_call_times_course(const struct ct_call_times *times, size_t program)
{
    return &times->programs[program].course;
}

/* ---- the observer ---- */

/* A pass that a simulation did not end is followed by one of the next simulation. */
static void begin_pass(struct program *program, struct rank *rank, const struct ct_time_span *span)
{
    memset(&program->now[span->rank * (size_t)program->n_rows], 0,
           program->n_rows * sizeof *program->now);
    rank->begun = true;
    rank->pass = span->pass;
    rank->begin_ns = span->begin_ns;
}

static void take_span(void *context, const struct ct_time_span *span)
{
    struct ct_call_times *times = context;
    struct program *program = &times->programs[span->program];
    struct rank *rank = &program->ranks[span->rank];
    if (!rank->begun || span->pass != rank->pass || span->begin_ns < rank->end_ns)
        begin_pass(program, rank, span);
    rank->end_ns = span->end_ns;
    add_to_course(&program->course, span->part, span->begin_ns - rank->begin_ns,
                  span->end_ns - rank->begin_ns);
    if (span->part != CT_TIME_COMPUTE)
        ct_time_add(&program->now[span->rank * (size_t)program->n_rows +
                                  ct_call_row_of(program->goal, span)],
                    span);
}

/* A pass has ended: what it has becomes part of the sums. */
static void take_rank(void *context, const struct ct_observed_rank *observed)
{
    struct ct_call_times *times = context;
    struct program *program = &times->programs[observed->program];
    struct rank *rank = &program->ranks[observed->rank];
    size_t first = observed->rank * (size_t)program->n_rows;
    for (size_t i = first; i < first + program->n_rows; i++) {
        for (int part = 0; part < CT_TIME_PARTS && rank->begun; part++)
            program->ended[i].part_ns[part] += program->now[i].part_ns[part];
    }
    rank->n_passes++;
    rank->begun = false;
}

struct ct_observer ct_call_times_observer(struct ct_call_times *times)
{
    return (struct ct_observer){.span = take_span, .rank = take_rank, .context = times};
}

void ct_call_times_add(struct ct_call_times *into, const struct ct_call_times *from)
{
    for (size_t i = 0; i < into->n; i++) {
        struct program *program = &into->programs[i];
        const struct program *other = &from->programs[i];
        size_t n_sums = program->goal->n_ranks * (size_t)program->n_rows;
        for (size_t sum = 0; sum < n_sums; sum++)
            for (int part = 0; part < CT_TIME_PARTS; part++)
                program->ended[sum].part_ns[part] += other->ended[sum].part_ns[part];
        for (uint32_t rank = 0; rank < program->goal->n_ranks; rank++)
            program->ranks[rank].n_passes += other->ranks[rank].n_passes;
        join_courses(&program->course, &other->course);
    }
}

/* ---- rows ---- */

static double total_ns(const struct ct_call_time *row)
{
    double sum_ns = 0;
    for (int part = 0; part < CT_TIME_PARTS; part++)
        sum_ns += row->part_ns[part];
    return sum_ns;
}

static int by_time(const void *a, const void *b)
{
    const struct ct_call_time *x = a, *y = b;
    double x_ns = total_ns(x), y_ns = total_ns(y);
    return x_ns > y_ns ? -1 : x_ns < y_ns ? 1 : strcmp(x->name, y->name);
}

static uint64_t count_of_kind(const struct ct_goal *goal, uint32_t row)
{
    uint64_t n = 0;
    for (uint64_t op = 0; op < goal->n_ops; op++)
        n += goal->ops[op].kind == (row == ROW_SEND ? CT_GOAL_SEND : CT_GOAL_RECV);
    return n;
}

size_t ct_call_times_rows(const struct ct_call_times *times, size_t index,
                          struct ct_call_time *rows)
{
    const struct program *program = &times->programs[index];
    const struct ct_goal *goal = program->goal;
    size_t n = 0;
    for (uint32_t i = 1; i < program->n_rows; i++) {
        struct ct_call_time *row = &rows[n];
        *row = (struct ct_call_time){.name = ct_call_row_name(goal, i),
                                     .site = ct_call_row_site(goal, i),
                                     .count = goal->calls ? goal->calls->calls[i].count
                                                          : count_of_kind(goal, i)};
        for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
            for (int part = 0; part < CT_TIME_PARTS && program->ranks[rank].n_passes > 0; part++)
                row->part_ns[part] +=
                    program->ended[rank * (size_t)program->n_rows + i].part_ns[part] /
                    program->ranks[rank].n_passes;
        n += row->count > 0 || total_ns(row) > 0;
    }
    qsort(rows, n, sizeof *rows, by_time);
    return n;
}

size_t ct_call_times_anywhere(struct ct_call_time *rows, size_t n)
{
    size_t n_left = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ct_call_time row = rows[i];
        size_t at = 0;
        while (at < n_left && strcmp(rows[at].name, row.name) != 0)
            at++;
        if (at == n_left)
            rows[n_left++] = (struct ct_call_time){.name = row.name};
        rows[at].count += row.count;
        for (int part = 0; part < CT_TIME_PARTS; part++)
            rows[at].part_ns[part] += row.part_ns[part];
    }
    qsort(rows, n_left, sizeof *rows, by_time);
    return n_left;
}
