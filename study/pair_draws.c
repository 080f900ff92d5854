#include "study/pair_draws.h"

#include <math.h>
#include <stdlib.h>

/* ---- classes ---- */

/* What replicates of classes are made of. */
struct drawing {
    const struct ct_pair_given *given;
    const struct ct_pair_parameters *parameters;
    const struct ct_logp_draws *links;
    double *room; /* links.n numbers */
};

typedef double value_fn(const struct ct_logp_drawn *drawn);

static double o_of(const struct ct_logp_drawn *drawn)
{
    return drawn->o_s;
}

static double L_of(const struct ct_logp_drawn *drawn)
{
    return drawn->L_s;
}

static double G_of(const struct ct_logp_drawn *drawn)
{
    return drawn->G_s_per_byte;
}

/* A link without repetitions has what was measured. */
static double drawn_or_measured(const struct drawing *drawing, size_t r, size_t link,
                                value_fn *value)
{
    const struct ct_logp_links *links = &drawing->parameters->links;
    const struct ct_loggp *loggp = &links->links[link].loggp;
    const struct ct_logp_drawn measured = {.o_s = loggp->o_s.value,
                                           .L_s = loggp->L_s.value,
                                           .G_s_per_byte = loggp->G_s_per_byte.value};
    double drawn = value(&drawing->links->drawn[r * links->n + link]);
    return isnan(drawn) ? value(&measured) : drawn;
}

/* The median over the links of a class, ns; that of the parameters, if none is known. */
static double median_of(const struct drawing *drawing, uint32_t class, size_t r, value_fn *value,
                        double measured_ns)
{
    const struct ct_pair_parameters *parameters = drawing->parameters;
    double median_s = NAN;
    size_t n = 0;
    for (size_t i = 0; i < parameters->links.n; i++) {
        if (parameters->class_of_link[i] != class)
            continue;
        drawing->room[n] = drawn_or_measured(drawing, r, i, value);
        if (!isnan(drawing->room[n]))
            n++;
    }
    if (n == 0)
        return measured_ns;
    ct_stats_sort(drawing->room, n);
    ct_stats_quantile(drawing->room, n, 0.5, &median_s);
    return ct_ns_from_s(fmax(median_s, 0));
}

static void draw_class(const struct drawing *drawing, uint32_t class, size_t r,
                       struct ct_loggps *values)
{
    const struct ct_loggps *measured = &drawing->parameters->pairs.classes[class];
    *values = *measured;
    if (drawing->parameters->classes[class].n_links == 0)
        return;
    values->L_ns = median_of(drawing, class, r, L_of, measured->L_ns);
    if (isnan(drawing->given->o_s))
        values->o_ns = median_of(drawing, class, r, o_of, measured->o_ns);
    if (isnan(drawing->given->G_s_per_byte))
        values->G_ns_per_byte = median_of(drawing, class, r, G_of, measured->G_ns_per_byte);
}

/* As of the parameters: o inside a node that is given is the median of the classes measured. */
static void draw_inside(const struct drawing *drawing, struct ct_loggps *classes, double *o_self_p)
{
    const struct ct_pair_parameters *parameters = drawing->parameters;
    uint32_t n_classes = parameters->pairs.n_classes;
    size_t n = 0;
    for (uint32_t c = 0; c < n_classes; c++)
        if (parameters->classes[c].n_links > 0)
            drawing->room[n++] = classes[c].o_ns;
    ct_stats_sort(drawing->room, n);
    ct_stats_quantile(drawing->room, n, 0.5, o_self_p);
    for (uint32_t c = 0; c < n_classes; c++)
        if (parameters->classes[c].n_links == 0)
            classes[c].o_ns = *o_self_p;
}

static enum ct_status draw_classes(struct drawing *drawing, struct ct_pair_draws *draws,
                                   struct ct_error *err)
{
    const struct ct_pair_parameters *parameters = drawing->parameters;
    uint32_t n_classes = parameters->pairs.n_classes;
    draws->classes = malloc((draws->n * n_classes + 1) * sizeof *draws->classes);
    draws->o_self_ns = malloc((draws->n + 1) * sizeof *draws->o_self_ns);
    drawing->room = malloc((parameters->links.n + 1) * sizeof *drawing->room);
    if (!draws->classes || !draws->o_self_ns || !drawing->room)
        return ct_no_memory(err, "replicates of pairs of nodes");
    for (size_t r = 0; r < draws->n; r++) {
        struct ct_loggps *classes = draws->classes + r * n_classes;
        draws->o_self_ns[r] = parameters->pairs.o_self_ns;
        for (uint32_t c = 0; c < n_classes; c++)
            draw_class(drawing, c, r, &classes[c]);
        draw_inside(drawing, classes, &draws->o_self_ns[r]);
    }
    return CT_OK;
}

static enum ct_status draw_of_run(const struct ct_run *run, const struct ct_pair_given *given,
                                  const struct ct_pair_parameters *parameters,
                                  struct ct_pair_draws *draws, struct ct_error *err)
{
    struct ct_logp_draws links;
    draws->has_too_many_links = parameters->links.n > CT_PAIR_DRAWS_LINKS_MAX;
    if (draws->has_too_many_links)
        return CT_OK;
    CT_TRY(ct_logp_links_draw(run, &links, err));
    struct drawing drawing = {.given = given, .parameters = parameters, .links = &links};
    draws->n = links.n;
    draws->level = links.level;
    draws->seed = links.seed;
    draws->n_classes = parameters->pairs.n_classes;
    enum ct_status status = draw_classes(&drawing, draws, err);
    free(drawing.room);
    ct_logp_draws_free(&links);
    return status;
}

enum ct_status ct_pair_draws_read(const struct ct_pair_given *given,
                                  const struct ct_pair_parameters *parameters,
                                  struct ct_pair_draws *draws_p, struct ct_error *err)
{
    struct ct_pair_draws draws = {.n = 0};
    struct ct_run run;
    CT_TRY(ct_run_read(given->path, &run, err));
    enum ct_status status = draw_of_run(&run, given, parameters, &draws, err);
    ct_run_free(&run);
    if (status == CT_OK)
        *draws_p = draws;
    else
        ct_pair_draws_free(&draws);
    return status;
}

void ct_pair_draws_free(struct ct_pair_draws *draws)
{
    free(draws->classes);
    free(draws->o_self_ns);
    *draws = (struct ct_pair_draws){.n = 0};
}

/* ---- evaluators ---- */

static enum ct_status compile_pairs(const void *data, size_t r, double *at_ns_p,
                                    struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    const struct ct_pair_replicates *of = data;
    struct ct_pairs pairs = of->parameters->pairs; /* borrows which pair is in which class */
    struct ct_pairs_plane plane;
    pairs.classes = of->draws->classes + r * of->draws->n_classes;
    pairs.o_self_ns = of->draws->o_self_ns[r];
    ct_pairs_plane(&pairs, &plane);
    *at_ns_p = 0;
    return ct_evaluator_compile(of->graph, &plane.plane, evaluator_p, err);
}

struct ct_replicates ct_replicates_of_pairs(const struct ct_pair_replicates *of)
{
    return (struct ct_replicates){.n = of->draws->n,
                                  .level = of->draws->level,
                                  .n_edges = of->graph->n_edges,
                                  .compile = compile_pairs,
                                  .data = of};
}
