#include "topology/draw.h"

#include <math.h>

/* As a quoted identifier. */
static void print_name(const char *name, FILE *out)
{
    fputc('"', out);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', out);
        fputc(*name, out);
    }
    fputc('"', out);
}

static void print_link(const struct ct_picture *picture, uint32_t i, FILE *out)
{
    const struct ct_link *link = &picture->topology->links[i];
    fputs("  ", out);
    print_name(ct_topology_name(picture->topology, link->end[0]), out);
    fputs(" -- ", out);
    print_name(ct_topology_name(picture->topology, link->end[1]), out);
    if (picture->utilization) {
        /* fmax() leaves out what is not known. */
        double there = picture->utilization[2 * i], back = picture->utilization[2 * i + 1];
        double busier = fmax(there, back);
        char colour[8];
        ct_utilization_colour(busier, colour);
        fprintf(out, " [color=\"%s\"", colour);
        if (!isnan(busier))
            fprintf(out, ", penwidth=%.1f, tooltip=\"%.0f %%, back %.0f %%\"", 1 + 3 * busier,
                    100 * there, 100 * back);
        fputc(']', out);
    }
    fputs(";\n", out);
}

enum ct_status ct_topology_dot(const struct ct_picture *picture, FILE *out, struct ct_error *err)
{
    const struct ct_topology *topology = picture->topology;
    if (topology->n_links > CT_DRAW_LINKS_MAX)
        return ct_fail(err, CT_EINVAL, "%s: %u links; a picture shows at most %d", topology->name,
                       topology->n_links, CT_DRAW_LINKS_MAX);
    fputs("graph ", out);
    print_name(topology->name, out);
    fputs(" {\n  node [shape=box, height=0.3, fontsize=10, style=filled, fillcolor=\"#dde3ea\"];\n",
          out);
    for (uint32_t v = 0; v < ct_topology_vertices(topology); v++) {
        fputs("  ", out);
        print_name(ct_topology_name(topology, v), out);
        fputs(v < topology->n_nodes ? " [shape=circle, fillcolor=white];\n" : ";\n", out);
    }
    for (uint32_t i = 0; i < topology->n_links; i++)
        print_link(picture, i, out);
    fputs("}\n", out);
    return CT_OK;
}
