#include "watch/serve/data.h"

#include "core/json.h"
#include "topology/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A picture with more is no picture. */
enum { DRAWN_LINKS_MAX = 4096, POINTS_MAX = 720, POINT_S = 60, CLASSES_MAX = 16 };

/* What one class of paths took at a time. */
struct class_point {
    int64_t unix_ns;
    uint32_t switches, bytes;
    bool is_round;
    double median_s, p99_s;
};

/* A ring of points: of each class one a minute. */
struct ct_serve_history {
    int64_t newest_unix_ns;
    struct class_point points[POINTS_MAX * CLASSES_MAX];
    size_t n; /* that were taken */
};

enum ct_status ct_serve_history_new(struct ct_serve_history **history_p, struct ct_error *err)
{
    struct ct_serve_history *history = calloc(1, sizeof *history);
    if (!history)
        return ct_no_memory(err, "latencies of the past");
    *history_p = history;
    return CT_OK;
}

void ct_serve_history_free(struct ct_serve_history *history)
{
    free(history);
}

bool ct_serve_history_is_due(const struct ct_serve_history *history, int64_t unix_ns)
{
    return unix_ns > 0 &&
           (unix_ns >= history->newest_unix_ns + POINT_S * INT64_C(1000000000) ||
            unix_ns < history->newest_unix_ns - POINT_S * INT64_C(1000000000)); /* dates were set */
}

void ct_serve_history_add(struct ct_serve_history *history, const struct ct_watch_state *now)
{
    history->newest_unix_ns = now->unix_ns;
    for (size_t i = 0; i < now->n_classes && i < CLASSES_MAX; i++)
        if (now->classes[i].n > 0)
            history->points[history->n++ % (POINTS_MAX * CLASSES_MAX)] =
                (struct class_point){.unix_ns = now->unix_ns,
                                     .switches = now->classes[i].switches,
                                     .bytes = now->classes[i].bytes,
                                     .is_round = now->classes[i].is_round,
                                     .median_s = now->classes[i].median_s,
                                     .p99_s = now->classes[i].p99_s};
}

/* ---- documents ---- */

void ct_serve_make_line(char *json)
{
    char *end = json;
    for (const char *at = json; *at; at++)
        if (*at != '\n' && *at != '\t')
            *end++ = *at;
    *end = '\0';
}

static enum ct_status print_line(struct ct_json *root, char **text_p, struct ct_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    enum ct_status status = memory ? ct_json_print(root, memory) : CT_ENOMEM;
    if (memory && fclose(memory) != 0)
        status = CT_ENOMEM;
    ct_json_free(root);
    if (status != CT_OK) {
        free(text);
        return ct_no_memory(err, "what the page shows");
    }
    ct_serve_make_line(text);
    *text_p = text;
    return CT_OK;
}

static void put_number(struct ct_json *object, const char *name, double value)
{
    ct_json_put(object, name, ct_json_number(value));
}

static void put_places(struct ct_json *root, const struct ct_topology *topology,
                       const struct ct_layout *layout)
{
    struct ct_json *vertices = ct_json_put(root, "vertices", ct_json_array());
    struct ct_json *links = ct_json_put(root, "links", ct_json_array());
    put_number(root, "width", layout->width);
    put_number(root, "depth", layout->depth);
    put_number(root, "arc", layout->arc);
    ct_json_put(root, "has_hosts", ct_json_number(layout->has_nodes));
    for (uint32_t v = 0; v < ct_topology_vertices(topology); v++) {
        struct ct_json *vertex = ct_json_append(vertices, ct_json_object());
        ct_json_put(vertex, "name", ct_json_text(ct_topology_name(topology, v)));
        put_number(vertex, "x", layout->places[v].x);
        put_number(vertex, "y", layout->places[v].y);
    }
    for (uint32_t l = 0; l < topology->n_links; l++) {
        struct ct_json *link = ct_json_append(links, ct_json_array());
        ct_json_append(link, ct_json_number(topology->links[l].end[0]));
        ct_json_append(link, ct_json_number(topology->links[l].end[1]));
    }
}

enum ct_status ct_serve_write_fabric(const struct ct_watch_state *now, char **text_p,
                                     struct ct_error *err)
{
    const struct ct_topology *topology = now->topology;
    struct ct_json *root = ct_json_object();
    ct_json_put(root, "name", ct_json_text(topology ? topology->name : ""));
    if (topology) {
        put_number(root, "n_hosts", topology->n_nodes);
        put_number(root, "n_switches", topology->n_switches);
        put_number(root, "n_links", topology->n_links);
    }
    if (topology && topology->n_links <= DRAWN_LINKS_MAX) {
        struct ct_layout layout;
        if (!ct_layout_make(topology, &layout)) {
            ct_json_free(root);
            return ct_no_memory(err, "the picture of %s", topology->name);
        }
        put_places(root, topology, &layout);
        ct_layout_free(&layout);
    }
    return print_line(root, text_p, err);
}

enum ct_status ct_serve_write_history(const struct ct_serve_history *history, char **text_p,
                                      struct ct_error *err)
{
    const size_t room = POINTS_MAX * CLASSES_MAX;
    struct ct_json *points = ct_json_array();
    for (size_t i = history->n > room ? history->n - room : 0; i < history->n; i++) {
        const struct class_point *point = &history->points[i % room];
        if (point->unix_ns > history->newest_unix_ns || /* before the date was set back */
            point->unix_ns <
                history->newest_unix_ns - (int64_t)POINTS_MAX * POINT_S * INT64_C(1000000000))
            continue;
        const double values[] = {floor(1e-9 * (double)point->unix_ns),
                                 point->switches,
                                 point->bytes,
                                 point->is_round,
                                 point->median_s,
                                 point->p99_s};
        struct ct_json *row = ct_json_append(points, ct_json_array());
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            ct_json_append(row, ct_json_number(values[k]));
    }
    return print_line(points, text_p, err);
}
