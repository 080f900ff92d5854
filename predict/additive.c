#include "predict/additive.h"

#include <math.h>
#include <stdlib.h>

struct sum {
    double of;
    size_t n;
};

struct ct_additive {
    const struct ct_slowdown *beside_app;
    size_t n_apps;
    struct sum *rows, *columns; /* [app] */
    struct sum all;
};

static void add_value(struct sum *sum, double value)
{
    if (isnan(value))
        return;
    sum->of += value;
    sum->n++;
}

static void take_value(struct sum *sum, double value)
{
    if (isnan(value))
        return;
    sum->of -= value;
    sum->n--;
}

static double get_cell(const struct ct_additive *additive, size_t app, size_t with)
{
    return additive->beside_app[app * additive->n_apps + with].frac;
}

enum ct_status ct_additive_new(const struct ct_slowdown *beside_app, size_t n_apps,
                               struct ct_additive **additive_p)
{
    struct ct_additive *additive = malloc(sizeof *additive);
    if (!additive)
        return CT_ENOMEM;
    *additive = (struct ct_additive){.beside_app = beside_app, .n_apps = n_apps};
    additive->rows = calloc(2 * n_apps + 1, sizeof *additive->rows);
    if (!additive->rows) {
        free(additive);
        return CT_ENOMEM;
    }
    additive->columns = additive->rows + n_apps;
    for (size_t app = 0; app < n_apps; app++)
        for (size_t with = 0; with < n_apps; with++) {
            add_value(&additive->rows[app], get_cell(additive, app, with));
            add_value(&additive->columns[with], get_cell(additive, app, with));
            add_value(&additive->all, get_cell(additive, app, with));
        }
    *additive_p = additive;
    return CT_OK;
}

void ct_additive_free(struct ct_additive *additive)
{
    if (!additive)
        return;
    free(additive->rows);
    free(additive);
}

static bool is_in(const size_t *apps, size_t n, size_t app)
{
    for (size_t i = 0; i < n; i++)
        if (apps[i] == app)
            return true;
    return false;
}

/* Of all co-runs in which nobody takes part who is left out. */
static struct sum all_without(const struct ct_additive *additive, const size_t *left_out, size_t n)
{
    struct sum sum = additive->all;
    for (size_t i = 0; i < n; i++) {
        const struct sum *row = &additive->rows[left_out[i]];
        const struct sum *column = &additive->columns[left_out[i]];
        sum.of -= row->of + column->of;
        sum.n -= row->n + column->n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) /* taken twice */
            add_value(&sum, get_cell(additive, left_out[i], left_out[j]));
    return sum;
}

double ct_additive_slowdown(const struct ct_additive *additive, size_t app, size_t with,
                            const size_t *left_out, size_t n)
{
    struct sum all = all_without(additive, left_out, n);
    bool has_row = !is_in(left_out, n, app), has_column = !is_in(left_out, n, with);
    struct sum row = has_row ? additive->rows[app] : (struct sum){0};
    struct sum column = has_column ? additive->columns[with] : (struct sum){0};
    for (size_t i = 0; i < n && has_row; i++)
        take_value(&row, get_cell(additive, app, left_out[i]));
    for (size_t i = 0; i < n && has_column; i++)
        take_value(&column, get_cell(additive, left_out[i], with));
    double itself = get_cell(additive, app, with);
    if (has_row && has_column) {
        take_value(&all, itself);
        take_value(&row, itself);
        take_value(&column, itself);
    }
    if (all.n == 0)
        return NAN;
    double mean = all.of / (double)all.n;
    return (row.n > 0 ? row.of / (double)row.n : mean) +
           (column.n > 0 ? column.of / (double)column.n : mean) - mean;
}
