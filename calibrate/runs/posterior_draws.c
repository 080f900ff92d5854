#include "calibrate/runs/posterior_draws.h"

#include "results/arrays.h"

#include <stdlib.h>
#include <string.h>

#define DIMS(...)                                                                                  \
    ((const size_t[]){__VA_ARGS__}), sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t)

static enum ct_status read_fixed(const struct ct_arrays *file, struct ct_unknowns *unknowns,
                                 struct ct_error *err)
{
    const struct ct_array *names = NULL, *values = NULL;
    enum ct_status status = ct_arrays_find(file, "fixed/names", DIMS(0), &names, err);
    if (status == CT_OK)
        status = ct_arrays_find(file, "fixed/values", DIMS(names->dims[0]), &values, err);
    unknowns->fixed = ct_stack_defaults();
    for (size_t i = 0; status == CT_OK && i < names->dims[0]; i++) {
        size_t key = names->names ? ct_stack_key_find(names->names[i]) : CT_STACK_KEYS;
        if (key == CT_STACK_KEYS || !values->values)
            return ct_fail(err, CT_EFORMAT, "/fixed/names: row %zu is no parameter", i);
        status = ct_stack_set(&unknowns->fixed, key, values->values[i], err);
    }
    return status == CT_EINVAL ? CT_EFORMAT : status;
}

static enum ct_status read_unknowns(const struct ct_arrays *file, struct ct_unknowns *unknowns,
                                    struct ct_error *err)
{
    const struct ct_array *names = NULL, *kinds = NULL, *priors = NULL;
    enum ct_status status = ct_arrays_find(file, "parameters/names", DIMS(0), &names, err);
    if (status == CT_OK)
        status = ct_arrays_find(file, "parameters/prior_kinds", DIMS(names->dims[0]), &kinds, err);
    if (status == CT_OK)
        status = ct_arrays_find(file, "parameters/priors", DIMS(names->dims[0], 2), &priors, err);
    if (status == CT_OK && !(names->names && kinds->names && priors->values))
        return ct_fail(err, CT_EFORMAT, "/parameters: not names and numbers");
    for (size_t i = 0; status == CT_OK && i < names->dims[0]; i++) {
        struct ct_prior prior = {.a = priors->values[2 * i], .b = priors->values[2 * i + 1]};
        size_t key = ct_stack_key_find(names->names[i]);
        if (key == CT_STACK_KEYS || (i > 0 && unknowns->keys[i - 1] >= key))
            return ct_fail(err, CT_EFORMAT, "/parameters/names: row %zu is no further parameter",
                           i);
        status = ct_prior_kind_of(kinds->names[i], &prior.kind, err);
        if (status == CT_OK)
            status = ct_unknowns_add(unknowns, key, &prior, err);
    }
    return status == CT_EINVAL ? CT_EFORMAT : status;
}

/* Every value in the range of its key. */
static enum ct_status check_values(const struct ct_unknowns *unknowns, const double *values,
                                   size_t n, struct ct_error *err)
{
    struct ct_stack_parameters at = unknowns->fixed;
    for (size_t i = 0; i < n * unknowns->n; i++)
        if (ct_stack_set(&at, unknowns->keys[i % unknowns->n], values[i], err) != CT_OK)
            return ct_fail_within(err, CT_EFORMAT, "draw %zu", i / unknowns->n);
    return CT_OK;
}

/* The network by its name in the options; packet where none is recorded, or one of earlier
 * versions, of which L, o and G are the same, and queues are not. */
static enum ct_status find_network(const struct ct_run_info *info,
                                   const struct ct_unknowns *unknowns,
                                   enum ct_simulate_network_kind *network_p, struct ct_error *err)
{
    static const size_t of_queues[] = {CT_STACK_KEY_QUEUE, CT_STACK_KEY_BURST, CT_STACK_KEY_AHEAD};
    const char *name = ct_run_text(info, CT_POSTERIOR_NETWORK);
    *network_p = CT_NETWORK_PACKET;
    for (int kind = 0; name && ct_simulate_network_names[kind]; kind++)
        if (strcmp(ct_simulate_network_names[kind], name) == 0) {
            *network_p = (enum ct_simulate_network_kind)kind;
            return CT_OK;
        }
    for (size_t i = 0; name && i < sizeof of_queues / sizeof *of_queues; i++) {
        bool is_used = ct_stack_is_given(&unknowns->fixed, of_queues[i]);
        for (size_t k = 0; k < unknowns->n; k++)
            is_used |= unknowns->keys[k] == of_queues[i];
        if (is_used)
            return ct_fail(err, CT_EUNSUPPORTED,
                           "'%s' was calibrated on the network %s, which this version does not "
                           "simulate; calibrate again with --network packet",
                           ct_stack_key_name(of_queues[i]), name);
    }
    return CT_OK;
}

static enum ct_status take_draws(const struct ct_arrays *file, struct ct_posterior_draws *draws,
                                 struct ct_error *err)
{
    const struct ct_array *most = NULL, *all = NULL;
    enum ct_status status = read_fixed(file, &draws->unknowns, err);
    if (status == CT_OK)
        status = read_unknowns(file, &draws->unknowns, err);
    size_t m = draws->unknowns.n;
    if (status == CT_OK)
        status = ct_arrays_find(file, "posterior/most_likely", DIMS(m), &most, err);
    if (status == CT_OK)
        status = ct_arrays_find(file, "chains/draws", DIMS(0, 0, m), &all, err);
    if (status != CT_OK)
        return status;
    if (!most->values || !all->values)
        return ct_fail(err, CT_EFORMAT, "/chains: not numbers");
    draws->n = all->dims[0] * all->dims[1];
    CT_TRY(find_network(&file->info, &draws->unknowns, &draws->network, err));
    draws->level = ct_run_number(&file->info, CT_POSTERIOR_LEVEL);
    if (!(draws->level > 0 && draws->level < 1))
        return ct_fail(err, CT_EFORMAT, "attribute '" CT_POSTERIOR_LEVEL "': no level");
    status = check_values(&draws->unknowns, most->values, 1, err);
    if (status == CT_OK)
        status = check_values(&draws->unknowns, all->values, draws->n, err);
    draws->draws = malloc(draws->n * m * sizeof *draws->draws);
    if (!draws->draws)
        return ct_no_memory(err, "draws");
    memcpy(draws->draws, all->values, draws->n * m * sizeof *draws->draws);
    memcpy(draws->most_likely, most->values, m * sizeof *draws->most_likely);
    return status;
}

enum ct_status ct_posterior_draws_read(const char *path, struct ct_posterior_draws *draws_p,
                                       struct ct_error *err)
{
    struct ct_arrays file;
    struct ct_posterior_draws draws = {.draws = NULL};
    CT_TRY(ct_arrays_read(path, CT_POSTERIOR_KIND, &file, err));
    enum ct_status status = take_draws(&file, &draws, err);
    ct_arrays_free(&file);
    if (status == CT_OK) {
        *draws_p = draws;
        return CT_OK;
    }
    ct_posterior_draws_free(&draws);
    return ct_fail_within(err, status, "%s", path);
}

void ct_posterior_draws_free(struct ct_posterior_draws *draws)
{
    free(draws->draws);
    draws->draws = NULL;
}

struct ct_stack_parameters ct_posterior_draw(const struct ct_posterior_draws *draws, size_t i,
                                             size_t n)
{
    size_t at = (size_t)(((double)i + 0.5) / (double)n * (double)draws->n);
    return ct_unknowns_at(&draws->unknowns,
                          draws->draws + (at < draws->n ? at : draws->n - 1) * draws->unknowns.n);
}
