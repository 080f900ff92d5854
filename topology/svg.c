#include "core/text.h"
#include "topology/draw.h"
#include "topology/layout.h"

#include <math.h>

enum { MARGIN = 40, TITLE = 30, LEGEND = 34, LABELLED_NODES_MAX = 96, CHARACTER = 6 };

struct point {
    double x, y;
};

/* Straight where the middle is on the line; a curve of second degree else. */
struct curve {
    struct point from, middle, to;
};

static struct point between(struct point a, struct point b)
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
    struct curve curve = {a, between(a, b), b};
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
    struct point left = between(curve->from, curve->middle);
    struct point right = between(curve->middle, curve->to), centre = between(left, right);
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
    fputs("<title>", out);
    ct_text_html(ct_topology_name(topology, link->end[0]), out);
    fputs(" - ", out);
    ct_text_html(ct_topology_name(topology, link->end[1]), out);
    if (picture->utilization)
        for (size_t side = 0; side < 2; side++)
            if (!isnan(picture->utilization[2 * i + side]))
                fprintf(out, ", %s %.1f %%", side == 0 ? "there" : "back",
                        100 * picture->utilization[2 * i + side]);
    fputs("</title>", out);
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
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"#fff\" stroke=\"#333\"><title>",
            at.x, at.y, layout->is_grid ? "2.5" : "4");
    ct_text_html(ct_topology_name(topology, v), out);
    fputs("</title></circle>", out);
    if (topology->n_nodes <= LABELLED_NODES_MAX && !layout->is_grid) {
        fprintf(out, "<text transform=\"translate(%.1f %.1f)rotate(-90)\" text-anchor=\"end\">",
                at.x + 3, at.y + 8);
        ct_text_html(ct_topology_name(topology, v), out);
        fputs("</text>", out);
    }
    fputc('\n', out);
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
    size_t length = 0;
    for (const char *c = name; *c; c++)
        length += ((unsigned char)*c & 0xc0) != 0x80;
    bool fits = (double)(length * CHARACTER + 6) <= layout->spacing || topology->n_switches == 1;
    double width =
        fits ? fmax((double)length * CHARACTER + 6, 18) : fmin(layout->spacing * 0.7, 18);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"16\" rx=\"3\" fill=\"#dde3ea\" "
            "stroke=\"#333\"><title>",
            at.x - width / 2, at.y - 8, width);
    ct_text_html(name, out);
    fputs("</title></rect>", out);
    if (fits) {
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", at.x, at.y + 3.5);
        ct_text_html(name, out);
        fputs("</text>", out);
    }
    uint32_t n = layout->has_nodes ? 0 : nodes_of(topology, v);
    if (n > 0)
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"8\">%u</text>",
                at.x, at.y + 18, n);
    fputc('\n', out);
}

static void print_legend(double x, double y, FILE *out)
{
    enum { STEPS = 20, STEP = 8 };
    for (int i = 0; i < STEPS; i++) {
        char colour[8];
        ct_utilization_colour((i + 0.5) / STEPS, colour);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d.3\" height=\"8\" fill=\"%s\"/>",
                x + i * STEP, y, STEP, colour);
    }
    fprintf(
        out,
        "\n<text x=\"%.1f\" y=\"%.1f\">0 %%</text><text x=\"%.1f\" y=\"%.1f\" "
        "text-anchor=\"end\">100 %%</text><text x=\"%.1f\" y=\"%.1f\">utilization, near each end "
        "that of what leaves it</text>\n",
        x, y + 20, x + STEPS * STEP, y + 20, x + STEPS * STEP + 12, y + 8);
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
        return ct_fail(err, CT_ENOMEM, "picture: out of memory");
    double width = fmax(layout.width, 440) + 2 * MARGIN;
    double depth = layout.depth + TITLE + 2 * MARGIN + (picture->utilization ? LEGEND : 0);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"10\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, depth, width, depth);
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
