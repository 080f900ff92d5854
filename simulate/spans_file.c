#include "simulate/spans_file.h"

#include "core/json.h"
#include "core/viewer_file.h"
#include "simulate/call_times.h"

#include <math.h>
#include <stdlib.h>

struct rank {
    struct ct_time_span span; /* what it does, not written yet */
    uint32_t row;
    bool has_span;
    bool has_ended; /* its first pass: what follows is not written */
};

struct program {
    const struct ct_goal *goal;
    struct rank *ranks;
};

struct ct_spans_file {
    FILE *out;
    size_t n;
    struct program *programs;
    uint64_t n_messages;
    bool is_over; /* the first simulation: ranks are in their first pass again */
};

enum ct_status ct_spans_file_begin(const struct ct_goal *goals, const char *const *names, size_t n,
                                   FILE *out, struct ct_spans_file **file_p, struct ct_error *err)
{
    struct ct_spans_file *file = calloc(1, sizeof *file);
    if (file)
        file->programs = calloc(n, sizeof *file->programs);
    bool ok = file && file->programs;
    for (size_t i = 0; i < n && ok; i++) {
        file->n = i + 1;
        file->programs[i].goal = &goals[i];
        file->programs[i].ranks = calloc(goals[i].n_ranks, sizeof *file->programs[i].ranks);
        ok = file->programs[i].ranks;
    }
    if (!ok) {
        for (size_t i = 0; file && i < file->n; i++)
            free(file->programs[i].ranks);
        free(file ? file->programs : NULL);
        free(file);
        return ct_no_memory(err, "simulation");
    }
    file->out = out;
    ct_viewer_begin(out);
    for (size_t i = 0; i < n; i++)
        ct_viewer_names((uint32_t)i, names[i], goals[i].n_ranks, out);
    *file_p = file;
    return CT_OK;
}

static uint64_t whole_ns(double ns)
{
    return (uint64_t)llround(ns);
}

static void print_call(const struct ct_goal *goal, uint32_t row, FILE *out)
{
    const char *site = ct_call_row_site(goal, row);
    fprintf(out, "\"call\":\"%s\",", ct_call_row_name(goal, row));
    if (!site)
        return;
    fputs("\"site\":", out);
    ct_json_print_text(site, out);
    fputc(',', out);
}

/* What a rank did, once it does something else. */
static void write_span(struct ct_spans_file *file, uint32_t index, struct rank *rank)
{
    const struct ct_time_span *span = &rank->span;
    const struct program *program = &file->programs[index];
    if (!rank->has_span)
        return;
    const char *part = ct_time_part_names[span->part];
    uint64_t begin_ns = whole_ns(span->begin_ns);
    ct_viewer_event("X", part, index, span->rank, begin_ns, file->out);
    ct_viewer_time("dur", whole_ns(span->end_ns) - begin_ns, file->out);
    fprintf(file->out, ",\"name\":\"%s\",\"args\":{", part);
    if (span->part != CT_TIME_COMPUTE)
        print_call(program->goal, rank->row, file->out);
    fprintf(file->out, "\"operation\":%u}}",
            (unsigned)(span->op - program->goal->first_op[span->rank]) + 1);
    rank->has_span = false;
}

static void take_span(void *context, const struct ct_time_span *span)
{
    struct ct_spans_file *file = context;
    const struct program *program = &file->programs[span->program];
    struct rank *rank = &program->ranks[span->rank];
    if (rank->has_ended) {
        file->is_over = file->is_over || span->pass == 0;
        return;
    }
    uint32_t row = span->part == CT_TIME_COMPUTE ? 0 : ct_call_row_of(program->goal, span);
    bool goes_on = rank->has_span && rank->span.part == span->part && rank->row == row &&
                   rank->span.op == span->op && rank->span.end_ns >= span->begin_ns;
    if (goes_on) {
        rank->span.end_ns = span->end_ns;
        return;
    }
    write_span(file, span->program, rank);
    rank->span = *span;
    rank->row = row;
    rank->has_span = true;
}

static void take_message(void *context, const struct ct_observed_message *message)
{
    struct ct_spans_file *file = context;
    const uint32_t *rank = message->rank;
    if (message->pass > 0 || file->is_over)
        return;
    uint64_t number = ++file->n_messages, end_ns = whole_ns(message->ended_ns[CT_SIDE_RECEIVER]);
    ct_viewer_arrow(CT_VIEWER_SENT, message->program, rank[CT_SIDE_SENDER],
                    whole_ns(message->posted_ns[CT_SIDE_SENDER]), number, file->out);
    ct_viewer_arrow(CT_VIEWER_RECEIVED, message->program, rank[CT_SIDE_RECEIVER],
                    end_ns - (end_ns > 0), number, file->out);
}

static void take_rank(void *context, const struct ct_observed_rank *observed)
{
    struct ct_spans_file *file = context;
    struct rank *rank = &file->programs[observed->program].ranks[observed->rank];
    if (!rank->has_ended)
        write_span(file, observed->program, rank);
    rank->has_ended = true;
}

struct ct_observer ct_spans_file_observer(struct ct_spans_file *file)
{
    return (struct ct_observer){
        .span = take_span, .message = take_message, .rank = take_rank, .context = file};
}

void ct_spans_file_path(struct ct_spans_file *file, uint32_t program,
                        const struct ct_run_path *path)
{
    const struct ct_goal *goal = file->programs[program].goal;
    ct_viewer_track(program, goal->n_ranks, -1, "critical path", file->out);
    for (size_t i = 0; i < path->n; i++) {
        const struct ct_run_path_step *step = &path->steps[i];
        const char *part = ct_time_part_names[step->part];
        uint64_t begin_ns = whole_ns(step->begin_ns), end_ns = whole_ns(step->end_ns);
        if (begin_ns == end_ns)
            continue;
        ct_viewer_event("X", part, program, goal->n_ranks, begin_ns, file->out);
        ct_viewer_time("dur", end_ns - begin_ns, file->out);
        fprintf(file->out, ",\"name\":\"%s\",\"args\":{", part);
        if (step->part != CT_TIME_COMPUTE)
            print_call(goal, step->row, file->out);
        fprintf(file->out, "\"rank\":%u", step->from);
        if (step->to != step->from)
            fprintf(file->out, ",\"to\":%u", step->to);
        fputs("}}", file->out);
    }
}

void ct_spans_file_end(struct ct_spans_file *file)
{
    if (!file)
        return;
    ct_viewer_end(file->out);
    for (size_t i = 0; i < file->n; i++)
        free(file->programs[i].ranks);
    free(file->programs);
    free(file);
}
