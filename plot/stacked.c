#include "plot/stacked.h"

#include "plot/plot.h"

#include <stdlib.h>

/* Where each box begins and ends, part by part. */
struct boxes {
    double *numbers;                /* all of the below */
    double *row, *lo, *hi, *middle; /* row: [n_rows]; others: [part * n_rows + row] */
};

static enum ct_status make_boxes(const struct ct_stacked *bars, struct boxes *boxes,
                                 struct ct_error *err)
{
    size_t n = bars->n_rows, all = n * bars->n_parts;
    boxes->numbers = calloc(n + 3 * all + 1, sizeof *boxes->numbers);
    if (!boxes->numbers)
        return ct_no_memory(err, "figure");
    boxes->row = boxes->numbers;
    boxes->lo = boxes->row + n;
    boxes->hi = boxes->lo + all;
    boxes->middle = boxes->hi + all;
    for (size_t row = 0; row < n; row++) {
        double at = 0;
        boxes->row[row] = (double)row;
        for (size_t part = 0; part < bars->n_parts; part++) {
            size_t i = part * n + row;
            boxes->lo[i] = at;
            at += bars->values[row * bars->n_parts + part];
            boxes->hi[i] = at;
            boxes->middle[i] = (boxes->lo[i] + at) / 2;
        }
    }
    return CT_OK;
}

/* path NULL: into memory. */
static enum ct_status draw_bars(const struct ct_stacked *bars, const char *path, char **svg_p,
                                struct ct_error *err)
{
    enum { ROW_PX = 24, REST_PX = 110, WIDTH_PX = 800 };
    struct ct_plot_series series[CT_STACKED_PARTS_MAX];
    struct boxes boxes = {0};
    CT_TRY(make_boxes(bars, &boxes, err));
    double end = 0;
    for (size_t i = 0; i < bars->n_rows * bars->n_parts; i++)
        end = boxes.hi[i] > end ? boxes.hi[i] : end;
    for (size_t part = 0; part < bars->n_parts; part++)
        series[part] = (struct ct_plot_series){.title = bars->parts[part],
                                               .style = CT_PLOT_BOXES,
                                               .x = boxes.middle + part * bars->n_rows,
                                               .y = boxes.row,
                                               .n = bars->n_rows,
                                               .lo = boxes.lo + part * bars->n_rows,
                                               .hi = boxes.hi + part * bars->n_rows,
                                               .colour = bars->colours[part]};
    const struct ct_plot_panel panel = {.x_label = bars->x_label,
                                        .series = series,
                                        .n_series = bars->n_parts,
                                        .x_hi = end > 0 ? 1.02 * end : 1,
                                        .rows = bars->rows,
                                        .n_rows = bars->n_rows,
                                        .key_below = true};
    const struct ct_plot plot = {.title = bars->title,
                                 .panels = &panel,
                                 .n_panels = 1,
                                 .width = bars->width_px > 0 ? bars->width_px : WIDTH_PX,
                                 .panel_height = REST_PX + ROW_PX * (double)bars->n_rows};
    enum ct_status status =
        path ? ct_plot_write(&plot, path, err) : ct_plot_draw(&plot, svg_p, err);
    free(boxes.numbers);
    return status;
}

enum ct_status ct_stacked_write(const struct ct_stacked *bars, const char *path,
                                struct ct_error *err)
{
    return draw_bars(bars, path, NULL, err);
}

enum ct_status ct_stacked_draw(const struct ct_stacked *bars, char **svg_p, struct ct_error *err)
{
    return draw_bars(bars, NULL, svg_p, err);
}
