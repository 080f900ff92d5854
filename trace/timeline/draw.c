/* A timeline as SVG. gnuplot draws curves; these are many rectangles in few colours. */
#include "core/svg.h"
#include "trace/call.h"
#include "trace/timeline/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points, as SVG counts them. */
enum {
    LEFT = 70,
    RIGHT = 20,
    WIDTH = 910, /* of the time axis */
    TOP = 62,
    BOTTOM = 44,
    ROW_MAX = 24,
    ROWS_HEIGHT = 720, /* of all rows, unless they would be too low */
    ROW_MIN = 2,
    LABEL_HEIGHT = 11,
    TRACKS_MAX = 2000
};

/* What a rectangle stands for: classes of calls, and the time between calls. */
enum { COMPUTE = CT_TRACE_N_CLASSES, N_COLOURS };

/* Okabe and Ito (2008), distinct with any colour vision; compute is the background. */
static const char *const colours[N_COLOURS] = {
    [CT_TRACE_CLASS_SEND] = "#0072B2",  [CT_TRACE_CLASS_RECEIVE] = "#56B4E9",
    [CT_TRACE_CLASS_WAIT] = "#E69F00",  [CT_TRACE_CLASS_COLLECTIVE] = "#009E73",
    [CT_TRACE_CLASS_OTHER] = "#CC79A7", [COMPUTE] = "#DDDDDD"};

/* One end of a message. */
struct end {
    uint64_t message, time_ns;
    uint32_t track;
    bool receives;
};

/* What is in a point and has no rectangle of its own. */
struct narrow {
    double width[N_COLOURS];
    double left, right; /* from the first to the last of it */
    bool any;
};

struct drawing {
    const struct ct_timeline_about *about;
    FILE *out;
    double from_ns, per_ns;      /* points a nanosecond */
    double row;                  /* height */
    uint32_t track;              /* under way */
    struct narrow narrow[WIDTH]; /* of it */
    struct end *ends;
    size_t n_ends, room_ends; /* room 0: arrows are not drawn */
};

static double x_of(const struct drawing *drawing, uint64_t time_ns)
{
    return LEFT + ((double)time_ns - drawing->from_ns) * drawing->per_ns;
}

static double y_of(const struct drawing *drawing, uint32_t track)
{
    return TOP + drawing->row * (double)track;
}

/* ---- rectangles ---- */

static void draw_box(const struct drawing *drawing, uint32_t track, double x, double width,
                     int colour)
{
    double gap = drawing->row >= LABEL_HEIGHT ? 2 : 0;
    ct_svg_box(drawing->out, x, y_of(drawing, track) + gap, width, drawing->row - 2 * gap,
               colours[colour], "");
}

static void add_narrow(struct narrow *narrow, double left, double right, int colour)
{
    const double instant = 1e-9; /* a call that takes no time counts, too */
    narrow->left = narrow->any ? fmin(narrow->left, left) : left;
    narrow->right = narrow->any ? fmax(narrow->right, right) : right;
    narrow->any = true;
    narrow->width[colour] += right - left + instant;
}

static void add_end(struct drawing *drawing, uint64_t message, uint64_t time_ns, uint32_t track,
                    bool receives)
{
    if (drawing->n_ends < drawing->room_ends)
        drawing->ends[drawing->n_ends++] = (struct end){message, time_ns, track, receives};
}

static enum ct_status draw_span(void *data, const struct ct_timeline_span *span,
                                struct ct_error *err)
{
    struct drawing *drawing = data;
    int colour = span->event ? (int)ct_trace_class_of(span->event->kind) : COMPUTE;
    double left = fmax(x_of(drawing, span->start_ns), LEFT);
    double right = fmin(x_of(drawing, span->end_ns), LEFT + WIDTH);
    (void)err;
    if (span->track != drawing->track)
        return CT_OK;
    for (size_t i = 0; i < span->n_received; i++)
        add_end(drawing, span->received[i], span->end_ns, span->track, true);
    if (span->sent != 0)
        add_end(drawing, span->sent, span->start_ns, span->track, false);
    if (span->event && span->event->kind == CT_TRACE_NEW_COMM)
        return CT_OK;
    if (right - left >= 1) {
        draw_box(drawing, span->track, left, right - left, colour);
        return CT_OK;
    }
    size_t point = (size_t)fmin(fmax(0.5 * (left + right) - LEFT, 0), WIDTH - 1);
    add_narrow(&drawing->narrow[point], left, right, colour);
    return CT_OK;
}

/* What took most of a point. */
static int colour_of(const struct narrow *narrow)
{
    int most = 0;
    for (int c = 1; c < N_COLOURS; c++)
        if (narrow->width[c] > narrow->width[most])
            most = c;
    return most;
}

/* Points of one colour without a gap between them become one rectangle; one that would be too
 * narrow to be seen is as wide as can be seen. */
static void draw_narrow(struct drawing *drawing)
{
    const double visible = 1;
    for (size_t point = 0; point < WIDTH; point++) {
        struct narrow *first = &drawing->narrow[point];
        if (!first->any)
            continue;
        int colour = colour_of(first);
        double right = first->right;
        for (; point + 1 < WIDTH; point++) {
            const struct narrow *next = &drawing->narrow[point + 1];
            if (!next->any || colour_of(next) != colour || next->left > right + visible)
                break;
            right = next->right;
        }
        draw_box(drawing, drawing->track, first->left, fmax(right - first->left, visible), colour);
    }
    memset(drawing->narrow, 0, sizeof drawing->narrow);
}

/* One thread after the other. */
static enum ct_status draw_rank(struct drawing *drawing, struct ct_timeline *timeline,
                                uint32_t rank, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    drawing->track = ct_timeline_first_track(timeline, rank);
    for (; drawing->track < ct_timeline_first_track(timeline, rank + 1) && status == CT_OK;
         drawing->track++) {
        status = ct_timeline_visit(timeline, rank, draw_span, drawing, err);
        draw_narrow(drawing);
    }
    return status;
}

/* ---- arrows ---- */

static int by_message(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    return (int)x->receives - (int)y->receives;
}

static void draw_arrows(struct drawing *drawing)
{
    if (drawing->n_ends > 1)
        qsort(drawing->ends, drawing->n_ends, sizeof *drawing->ends, by_message);
    fputs("<g stroke=\"black\" stroke-width=\"0.7\" stroke-opacity=\"0.7\">\n", drawing->out);
    for (size_t i = 0; i + 1 < drawing->n_ends; i++) {
        const struct end *sent = &drawing->ends[i], *received = &drawing->ends[i + 1];
        if (sent->message != received->message)
            continue;
        ct_svg_line(
            drawing->out, x_of(drawing, sent->time_ns),
            y_of(drawing, sent->track) + 0.5 * drawing->row, x_of(drawing, received->time_ns),
            y_of(drawing, received->track) + 0.5 * drawing->row, " marker-end=\"url(#head)\"");
    }
    fputs("</g>\n", drawing->out);
}

/* ---- frame ---- */

static double bottom_of(const struct drawing *drawing)
{
    return y_of(drawing, drawing->about->n_tracks);
}

static void draw_head(const struct drawing *drawing, const char *name)
{
    const struct ct_timeline_about *about = drawing->about;
    FILE *out = drawing->out;
    char not_drawn[64] = "";
    if (drawing->room_ends == 0 && about->n_messages > 0)
        snprintf(not_drawn, sizeof not_drawn, " (more than %d are not drawn)",
                 CT_TIMELINE_ARROWS_MAX);
    ct_svg_begin(out, LEFT + WIDTH + RIGHT, bottom_of(drawing) + BOTTOM, LABEL_HEIGHT);
    ct_svg_title(out, "%s", name);
    fputs("\n<defs><clipPath id=\"rows\">", out);
    ct_svg_box(out, LEFT, TOP, WIDTH, bottom_of(drawing) - TOP, "none", "");
    fputs("</clipPath>\n<marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" "
          "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 z\"/>"
          "</marker></defs>\n",
          out);
    ct_svg_text(out, LEFT, 20, " font-size=\"14\"", "%s: %u rank%s, %" PRIu64 " message%s%s", name,
                about->n_ranks, about->n_ranks == 1 ? "" : "s", about->n_messages,
                about->n_messages == 1 ? "" : "s", not_drawn);
    for (int c = 0; c < N_COLOURS; c++) {
        int x = LEFT + 120 * c;
        ct_svg_box(out, x, 34, 12, 12, colours[c], "");
        ct_svg_text(out, x + 17, 44, "", "%s",
                    c == COMPUTE ? "compute" : ct_trace_class_text((enum ct_trace_class)c));
    }
}

static void draw_label(const struct drawing *drawing, uint32_t track, const char *what,
                       uint32_t number)
{
    ct_svg_text(drawing->out, LEFT - 6, y_of(drawing, track) + 0.5 * drawing->row + 4,
                " text-anchor=\"end\"", "%s %u", what, number);
}

/* As many ranks get a label as there is room for, and their threads if there is room for all. */
static void draw_labels(const struct drawing *drawing, const struct ct_timeline *timeline)
{
    uint32_t step = (uint32_t)ceil((LABEL_HEIGHT + 1) / drawing->row), next = 0;
    for (uint32_t rank = 0; rank < drawing->about->n_ranks; rank++) {
        uint32_t first = ct_timeline_first_track(timeline, rank);
        uint32_t n = ct_timeline_first_track(timeline, rank + 1) - first;
        if (first < next)
            continue;
        draw_label(drawing, first, "rank", rank);
        for (uint32_t thread = 1; thread < n && step == 1; thread++)
            draw_label(drawing, first + thread, "thread", thread);
        next = first + step;
    }
}

enum ct_status ct_timeline_draw(struct ct_timeline *timeline, const char *name, FILE *out,
                                struct ct_error *err)
{
    const struct ct_timeline_about *about = ct_timeline_about(timeline);
    enum ct_status status = CT_OK;
    if (about->n_tracks > TRACKS_MAX)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "%u %s: a figure has at most %d rows; crosstalk export --format perfetto "
                       "has no such limit",
                       about->n_tracks, about->n_tracks > about->n_ranks ? "threads" : "ranks",
                       TRACKS_MAX);
    uint64_t to_ns = about->window.to_ns < about->span_ns ? about->window.to_ns : about->span_ns;
    uint64_t from_ns = about->window.from_ns < to_ns ? about->window.from_ns : 0;
    double span_ns = fmax((double)(to_ns - from_ns), 1);
    struct drawing *drawing = calloc(1, sizeof *drawing);
    size_t room = about->n_messages <= CT_TIMELINE_ARROWS_MAX ? 2 * (size_t)about->n_messages : 0;
    struct end *ends = malloc((room + 1) * sizeof *ends);
    if (!drawing || !ends) {
        free(drawing);
        free(ends);
        return ct_no_memory(err, "timeline");
    }
    drawing->about = about;
    drawing->out = out;
    drawing->from_ns = (double)from_ns;
    drawing->per_ns = WIDTH / span_ns;
    drawing->row = fmin(fmax((double)ROWS_HEIGHT / about->n_tracks, ROW_MIN), ROW_MAX);
    drawing->ends = ends;
    drawing->room_ends = room;
    draw_head(drawing, name);
    fputs("<g clip-path=\"url(#rows)\" shape-rendering=\"crispEdges\">\n", out);
    for (uint32_t rank = 0; rank < about->n_ranks && status == CT_OK && !ferror(out); rank++)
        status = draw_rank(drawing, timeline, rank, err);
    fputs("</g>\n<g clip-path=\"url(#rows)\">\n", out);
    draw_arrows(drawing);
    fputs("</g>\n", out);
    draw_labels(drawing, timeline);
    ct_svg_time_axis(out, LEFT, TOP, WIDTH, bottom_of(drawing) - TOP, drawing->from_ns, span_ns);
    fputs("</svg>\n", out);
    free(ends);
    free(drawing);
    return status;
}
