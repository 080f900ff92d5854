#include "calibrate/runs/posterior_view.h"

#include <string.h>

#define DIMS(...)                                                                                  \
    ((const size_t[]){__VA_ARGS__}), sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t)

/* Numbers of a file: columns 0: a vector. */
static enum ct_status find_numbers(const struct ct_arrays *file, const char *path, size_t rows,
                                   size_t columns, const double **values_p, struct ct_error *err)
{
    const struct ct_array *array = NULL;
    const size_t dims[] = {rows, columns};
    CT_TRY(ct_arrays_find(file, path, dims, columns > 0 ? 2 : 1, &array, err));
    if (!array->values)
        return ct_fail(err, CT_EFORMAT, "/%s: not numbers", path);
    *values_p = array->values;
    return CT_OK;
}

static enum ct_status find_names(const struct ct_arrays *file, const char *path, size_t n,
                                 const struct ct_array **array_p, struct ct_error *err)
{
    enum ct_status status = ct_arrays_find(file, path, DIMS(n), array_p, err);
    return status == CT_OK && !(*array_p)->names ? ct_fail(err, CT_EFORMAT, "/%s: not names", path)
                                                 : status;
}

static enum ct_status find_outputs(struct ct_posterior_view *view, struct ct_error *err)
{
    const struct ct_array *data = NULL;
    CT_TRY(find_names(&view->file, "outputs/names", 0, &view->names, err));
    view->n_outputs = view->names->dims[0];
    CT_TRY(find_names(&view->file, "outputs/quantities", view->n_outputs, &view->quantities, err));
    CT_TRY(find_numbers(&view->file, "outputs/bytes", view->n_outputs, 0, &view->bytes, err));
    CT_TRY(ct_arrays_find(&view->file, "data/values", DIMS(0, 2), &data, err));
    view->data = data->values;
    view->n_data = data->dims[0];
    for (size_t i = 0; i < view->n_data && view->data; i++)
        if (!(view->data[2 * i] >= 0 && view->data[2 * i] < (double)view->n_outputs))
            return ct_fail(err, CT_EFORMAT, "/data/values: row %zu is of no output", i);
    return view->data ? CT_OK : ct_fail(err, CT_EFORMAT, "/data/values: not numbers");
}

static enum ct_status find_all(struct ct_posterior_view *view, struct ct_error *err)
{
    enum ct_status status = find_outputs(view, err);
    const size_t n = view->n_outputs, m = view->draws.unknowns.n;
    const struct {
        const char *path;
        size_t rows, columns;
        const double **values;
    } arrays[] = {{"sobol/total", n, m, &view->total},
                  {"predictions/prior_mean", n, 0, &view->prior_mean},
                  {"predictions/most_likely", n, 0, &view->most_likely},
                  {"predictions/prior", n, 2, &view->prior},
                  {"predictions/interval", n, 2, &view->interval},
                  {"predictions/run", n, 2, &view->run},
                  {"posterior/interval", m, 2, &view->parameter_interval}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == CT_OK; i++)
        status = find_numbers(&view->file, arrays[i].path, arrays[i].rows, arrays[i].columns,
                              arrays[i].values, err);
    return status;
}

enum ct_status ct_posterior_view_read(const char *path, struct ct_posterior_view *view_p,
                                      struct ct_error *err)
{
    struct ct_posterior_view view = {.n_outputs = 0};
    CT_TRY(ct_posterior_draws_read(path, &view.draws, err));
    enum ct_status status = ct_arrays_read(path, CT_POSTERIOR_KIND, &view.file, err);
    if (status == CT_OK) {
        status = find_all(&view, err);
        if (status != CT_OK)
            status = ct_fail_within(err, status, "%s", path);
    }
    if (status == CT_OK)
        *view_p = view;
    else
        ct_posterior_view_free(&view);
    return status;
}

void ct_posterior_view_free(struct ct_posterior_view *view)
{
    ct_posterior_draws_free(&view->draws);
    ct_arrays_free(&view->file);
}

enum ct_benchmark_quantity ct_posterior_view_quantity(const struct ct_posterior_view *view,
                                                      size_t output)
{
    int quantity = 0;
    while (quantity < CT_BENCHMARK_QUANTITIES &&
           strcmp(view->quantities->names[output], ct_benchmark_names[quantity]) != 0)
        quantity++;
    return (enum ct_benchmark_quantity)quantity;
}
