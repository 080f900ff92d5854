#include "cli/measured_pairs.h"

#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATRICES = 3,
    NODES_MAX = 256,  /* more are no picture */
    NUMBERS_MAX = 12, /* more nodes have cells without numbers */
    NAME_MAX_BYTES = 24,
    LABEL_MAX = 80,
};
static const double width_px = 800, row_px = 26, frame_px = 110, least_rows = 3;

void ct_measured_pairs_fill(const struct ct_logp_links *links, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"rank_from", "from", CT_UNIT_COUNT},
                                               {"rank_to", "to", CT_UNIT_COUNT},
                                               {"L_s", "L", CT_UNIT_SECONDS},
                                               {"L_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"L_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"o_s", "o", CT_UNIT_SECONDS},
                                               {"o_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"o_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"G_s_per_byte", "G per byte", CT_UNIT_SECONDS},
                                               {"G_ci_s_per_byte[]", "from", CT_UNIT_SECONDS},
                                               {"G_ci_s_per_byte[]", "to", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "pairs", "Pairs of ranks, with intervals", columns);
    for (size_t i = 0; i < links->n; i++) {
        const struct ct_logp_link_parameters *link = &links->links[i];
        const struct ct_estimate *estimates[] = {&link->loggp.L_s, &link->loggp.o_s,
                                                 &link->loggp.G_s_per_byte};
        CT_CELL_NUMBERS(tables, link->rank_from, link->rank_to);
        for (size_t k = 0; k < sizeof estimates / sizeof *estimates; k++) {
            CT_CELL_NUMBERS(tables, estimates[k]->value, estimates[k]->ci.lo, estimates[k]->ci.hi);
        }
    }
}

/* ---- picture ---- */

struct names {
    char (*texts)[NAME_MAX_BYTES];
    const char **pointers;
};

static void free_names(struct names *names)
{
    free(names->texts);
    free(names->pointers);
}

static size_t count_words(const char *text)
{
    size_t n = 0;
    for (bool inside = false; *text; text++) {
        n += !inside && *text != ' ';
        inside = *text != ' ';
    }
    return n;
}

/* Hosts, where there are as many as nodes; else ranks. */
static bool make_names(const char *hosts, const struct ct_logp_links *links, struct names *names)
{
    bool by_host = count_words(hosts) == links->n_ranks;
    names->texts = calloc(links->n_ranks + (size_t)1, sizeof *names->texts);
    names->pointers = calloc(links->n_ranks + (size_t)1, sizeof *names->pointers);
    if (!names->texts || !names->pointers)
        return false;
    for (uint32_t i = 0; i < links->n_ranks; i++) {
        names->pointers[i] = names->texts[i];
        if (!by_host) {
            snprintf(names->texts[i], NAME_MAX_BYTES, "rank %u", links->ranks[i]);
            continue;
        }
        hosts += strspn(hosts, " ");
        size_t length = strcspn(hosts, " ");
        snprintf(names->texts[i], NAME_MAX_BYTES, "%.*s",
                 (int)(length < NAME_MAX_BYTES ? length : NAME_MAX_BYTES - 1), hosts);
        hosts += length;
    }
    return true;
}

struct matrix {
    const char *name, *unit_name;
    double unit;    /* in the base unit */
    double *values; /* n_ranks^2; NaN: not measured */
    double lo, hi;  /* at the ends of the colours */
    int decimals;
    char label[LABEL_MAX]; /* with the range, for cells may have no numbers */
};

static double value_of(const struct ct_logp_link_parameters *link, size_t matrix)
{
    const double values[MATRICES] = {link->loggp.L_s.value, link->loggp.o_s.value,
                                     link->loggp.G_s_per_byte.value};
    return values[matrix];
}

static size_t rank_index(const struct ct_logp_links *links, uint32_t rank)
{
    size_t i = 0;
    while (links->ranks[i] != rank)
        i++;
    return i;
}

/* Three digits of the largest value, where there is room for numbers at all. */
static int decimals_of(double largest, uint32_t n_nodes)
{
    if (n_nodes > NUMBERS_MAX)
        return -1;
    if (!(largest > 0))
        return 0;
    double digits = 2 - floor(log10(largest));
    return digits < 0 ? 0 : digits > 6 ? 6 : (int)digits;
}

static void fill_matrix(const struct ct_logp_links *links, size_t which, struct matrix *matrix)
{
    size_t n = links->n_ranks;
    matrix->lo = INFINITY;
    matrix->hi = -INFINITY;
    for (size_t i = 0; i < n * n; i++)
        matrix->values[i] = NAN;
    for (size_t i = 0; i < links->n; i++) {
        const struct ct_logp_link_parameters *link = &links->links[i];
        double value = value_of(link, which) / matrix->unit;
        matrix->values[rank_index(links, link->rank_from) * n + rank_index(links, link->rank_to)] =
            value;
        matrix->lo = fmin(matrix->lo, value);
        matrix->hi = fmax(matrix->hi, value);
    }
    snprintf(matrix->label, sizeof matrix->label,
             matrix->hi < 1000 ? "to (%s, %.3g to %.3g %s)" : "to (%s, %.0f to %.0f %s)",
             matrix->name, matrix->lo, matrix->hi, matrix->unit_name);
    /* Pairs that differ by noise shall not look as if they were worlds apart. */
    const double least_spread = 0.1;
    if (!(matrix->hi - matrix->lo > least_spread * fabs(matrix->hi)))
        matrix->lo = matrix->hi - least_spread * fabs(matrix->hi);
    if (!(matrix->hi > matrix->lo))
        matrix->hi = matrix->lo + 1;
    matrix->decimals = decimals_of(matrix->hi, links->n_ranks);
}

static enum ct_status draw_pairs(const char *title, const struct matrix *matrices,
                                 const struct names *names, uint32_t n, const char *path,
                                 struct ct_error *err)
{
    struct ct_plot_cells cells[MATRICES];
    struct ct_plot_panel panels[MATRICES];
    for (size_t i = 0; i < MATRICES; i++) {
        cells[i] = (struct ct_plot_cells){.values = matrices[i].values,
                                          .n_columns = n,
                                          .columns = names->pointers,
                                          .lo = matrices[i].lo,
                                          .hi = matrices[i].hi,
                                          .decimals = matrices[i].decimals};
        panels[i] = (struct ct_plot_panel){.x_label = matrices[i].label,
                                           .y_label = "from",
                                           .cells = &cells[i],
                                           .rows = names->pointers,
                                           .n_rows = n};
    }
    const struct ct_plot plot = {.title = title,
                                 .panels = panels,
                                 .n_panels = MATRICES,
                                 .width = width_px,
                                 .panel_height = frame_px + row_px * fmax(n, least_rows)};
    return ct_plot_write(&plot, path, err);
}

enum ct_status ct_measured_pairs_plot(const char *title, const char *hosts,
                                      const struct ct_logp_links *links, const char *path,
                                      struct ct_error *err)
{
    struct matrix matrices[MATRICES] = {{.name = "L", .unit_name = "us", .unit = 1e-6},
                                        {.name = "o", .unit_name = "us", .unit = 1e-6},
                                        {.name = "G", .unit_name = "ns a byte", .unit = 1e-9}};
    struct names names = {.texts = NULL};
    size_t n_cells = (size_t)links->n_ranks * links->n_ranks;
    if (links->n_ranks > NODES_MAX)
        return ct_fail(err, CT_EINVAL, "--plot: %u nodes; a matrix of at most %d can be drawn",
                       links->n_ranks, NODES_MAX);
    double *values = malloc((MATRICES * n_cells + 1) * sizeof *values);
    enum ct_status status = CT_OK;
    if (!values || !make_names(hosts, links, &names))
        status = ct_no_memory(err, "figure");
    for (size_t i = 0; i < MATRICES && status == CT_OK; i++) {
        matrices[i].values = values + i * n_cells;
        fill_matrix(links, i, &matrices[i]);
    }
    if (status == CT_OK)
        status = draw_pairs(title, matrices, &names, links->n_ranks, path, err);
    free_names(&names);
    free(values);
    return status;
}
