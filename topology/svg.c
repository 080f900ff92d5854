#include "core/svg.h"

#include "core/text.h"
#include "topology/draw.h"
#include "topology/layout.h"

#include <math.h>

enum { MARGIN = 40, TITLE = 30, LEGEND = 34, LABELLED_NODES_MAX = 96, FONT = 10 };

struct point {
    double x, y;
};

/* Straight where the middle is on the line; a curve of second degree else. */
struct curve {
    struct point from, middle, to;
};

static struct point point_between(struct point a, struct point b)
{
    return (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

static struct point point_of(const struct ct_layout *layout, uint32_t v)
{
    return (struct point){layout->places[v].x + MARGIN, layout->places[v].y + TITLE + MARGIN};
}

/* Links within a row rise above it; those of a grid that are longer than a step are bent aside. */
static struct curve curve_of(const struct ct_layout *layout, const struct ct_link *link)
{
    struct point a = point_of(layout, link->end[0]), b = point_of(layout, link->end[1]);
    struct curve curve = {a, point_between(a, b), b};
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (!layout->is_grid && layout->height[link->end[0]] == layout->height[link->end[1]])
        curve.middle.y -= layout->arc * fabs(dx);
    else if (layout->is_grid && length > 1.2 * layout->spacing) {
        curve.middle.x += 0.12 * dy;
        curve.middle.y -= 0.12 * fabs(dx);
    }
    return curve;
}

static void print_path(const struct curve *curve, const char *colour, double width, FILE *out)
{
    fprintf(out, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" stroke=\"%s\" stroke-width=\"%.2g\"/>",
            curve->from.x, curve->from.y, curve->middle.x, curve->middle.y, curve->to.x,
            curve->to.y, colour, width);
}

/* One half for each direction, from the end that it leaves. */
static void print_halves(const struct curve *curve, const double *utilization, FILE *out)
{
    struct point left = point_between(curve->from, curve->middle);
    struct point right = point_between(curve->middle, curve->to),
                 centre = point_between(left, right);
    const struct curve halves[] = {{curve->from, left, centre}, {curve->to, right, centre}};
    for (size_t side = 0; side < 2; side++) {
        char colour[8];
        ct_utilization_colour(utilization[side], colour);
        print_path(&halves[side], colour,
                   isnan(utilization[side]) ? 1 : 1.5 + 2 * fmin(utilization[side], 1), out);
    }
}

static void print_tooltip(const struct ct_picture *picture, uint32_t i, FILE *out)
{
    const struct ct_topology *topology = picture->topology;
    const struct ct_link *link = &topology->links[i];
    char busy[2][32] = {"", ""};
    for (size_t side = 0; side < 2 && picture->utilization; side++)
        if (!isnan(picture->utilization[2 * i + side]))
            snprintf(busy[side], sizeof busy[side], ", %s %.1f %%", side == 0 ? "there" : "back",
                     100 * picture->utilization[2 * i + side]);
    ct_svg_title(out, "%s - %s%s%s", ct_topology_name(topology, link->end[0]),
                 ct_topology_name(topology, link->end[1]), busy[0], busy[1]);
}

static void print_links(const struct ct_picture *picture, const struct ct_layout *layout, FILE *out)
{
    const struct ct_topology *topology = picture->topology;
    /* Many lines cover each other less where they are thin. */
    double width = topology->n_links > 1000 ? 0.4 : topology->n_links > 200 ? 0.7 : 1.2;
    fputs("<g fill=\"none\">\n", out);
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        if (!layout->has_nodes &&
            (link->end[0] < topology->n_nodes || link->end[1] < topology->n_nodes))
            continue;
        struct curve curve = curve_of(layout, link);
        fputs("<g>", out);
        print_tooltip(picture, i, out);
        if (picture->utilization)
            print_halves(&curve, &picture->utilization[2 * i], out);
        else
            print_path(&curve, "#7d8790", width, out);
        fputs("</g>\n", out);
    }
    fputs("</g>\n", out);
}

static void print_node(const struct ct_topology *topology, const struct ct_layout *layout,
                       uint32_t v, FILE *out)
{
    struct point at = point_of(layout, v);
    const char *name = ct_topology_name(topology, v);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"#fff\" stroke=\"#333\">", at.x,
            at.y, layout->is_grid ? "2.5" : "4");
    ct_svg_title(out, "%s", name);
    fputs("</circle>\n", out);
    if (topology->n_nodes <= LABELLED_NODES_MAX && !layout->is_grid) {
        char turned[100];
        snprintf(turned, sizeof turned,
                 " transform=\"translate(%.1f %.1f)rotate(-90)\" text-anchor=\"end\"", at.x + 3,
                 at.y + 8);
        ct_svg_text(out, 0, 0, turned, "%s", name);
    }
}

static uint32_t nodes_of(const struct ct_topology *topology, uint32_t v)
{
    uint32_t n = 0;
    for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++)
        n += topology->ports[p].peer < topology->n_nodes;
    return n;
}

static void print_switch(const struct ct_topology *topology, const struct ct_layout *layout,
                         uint32_t v, FILE *out)
{
    struct point at = point_of(layout, v);
    const char *name = ct_topology_name(topology, v);
    double needed = ct_svg_text_width(name, FONT) + 6;
    bool fits = needed <= layout->spacing || topology->n_switches == 1;
    double width = fits ? fmax(needed, 18) : fmin(layout->spacing * 0.7, 18);
    fputs("<g>", out);
    ct_svg_title(out, "%s", name);
    ct_svg_box(out, at.x - width / 2, at.y - 8, width, 16, "#dde3ea", " rx=\"3\" stroke=\"#333\"");
    fputs("</g>\n", out);
    if (fits)
        ct_svg_text(out, at.x, at.y + 3.5, " text-anchor=\"middle\"", "%s", name);
    uint32_t n = layout->has_nodes ? 0 : nodes_of(topology, v);
    if (n > 0)
        ct_svg_text(out, at.x, at.y + 18, " text-anchor=\"middle\" font-size=\"8\"", "%u", n);
}

static void print_legend(double x, double y, FILE *out)
{
    enum { STEPS = 20, STEP = 8 };
    for (int i = 0; i < STEPS; i++) {
        char colour[8];
        ct_utilization_colour((i + 0.5) / STEPS, colour);
        ct_svg_box(out, x + i * STEP, y, STEP + 0.3, 8, colour, "");
    }
    ct_svg_text(out, x, y + 20, "", "0 %%");
    ct_svg_text(out, x + STEPS * STEP, y + 20, " text-anchor=\"end\"", "100 %%");
    ct_svg_text(out, x + STEPS * STEP + 12, y + 8, "",
                "utilization, near each end that of what leaves it");
}

static void print_summary(const struct ct_topology *topology, FILE *out)
{
    fprintf(out, "<text x=\"%d\" y=\"20\" font-size=\"14\">", MARGIN / 2);
    ct_text_html(topology->name, out);
    fprintf(out,
            "<tspan font-size=\"11\" dx=\"10\">%u nodes, %u switches, %u links</tspan></text>\n",
            topology->n_nodes, topology->n_switches, topology->n_links);
}

enum ct_status ct_topology_svg(const struct ct_picture *picture, FILE *out, struct ct_error *err)
{
    const struct ct_topology *topology = picture->topology;
    struct ct_layout layout;
    if (topology->n_links > CT_DRAW_LINKS_MAX)
        return ct_fail(err, CT_EINVAL, "%s: %u links; a picture shows at most %d", topology->name,
                       topology->n_links, CT_DRAW_LINKS_MAX);
    if (!ct_layout_make(topology, &layout))
        return ct_no_memory(err, "picture");
    double width = fmax(layout.width, 440) + 2 * MARGIN;
    double depth = layout.depth + TITLE + 2 * MARGIN + (picture->utilization ? LEGEND : 0);
    ct_svg_begin(out, width, depth, FONT);
    print_summary(topology, out);
    print_links(picture, &layout, out);
    for (uint32_t v = 0; v < ct_topology_vertices(topology); v++)
        if (v >= topology->n_nodes)
            print_switch(topology, &layout, v, out);
        else if (layout.has_nodes)
            print_node(topology, &layout, v, out);
    if (picture->utilization)
        print_legend(MARGIN, depth - LEGEND, out);
    fputs("</svg>\n", out);
    ct_layout_free(&layout);
    return CT_OK;
}
