#include "watch/serve/data.h"

#include "core/clock.h"
#include "core/json.h"
#include "topology/layout.h"
#include "watch/tell/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A picture with more is no picture. */
enum {
    DRAWN_LINKS_MAX = 4096,
    POINTS_MAX = 720,
    POINT_S = 60,
    CLASSES_MAX = 16,
    SENTENCE_MAX = 512
};

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

/* Ends of lines and tabs between values go: those of texts are escaped. */
static enum ct_status print_line(struct ct_json *root, char **text_p, struct ct_error *err)
{
    char *text = NULL;
    size_t size = 0, used = 0;
    FILE *memory = open_memstream(&text, &size);
    enum ct_status status = memory ? ct_json_print(root, memory) : CT_ENOMEM;
    if (memory && fclose(memory) != 0)
        status = CT_ENOMEM;
    ct_json_free(root);
    if (status != CT_OK) {
        free(text);
        return ct_no_memory(err, "what the page shows");
    }
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\n' && text[i] != '\t')
            text[used++] = text[i];
    text[used] = '\0';
    *text_p = text;
    return CT_OK;
}

static struct ct_json *time_value(int64_t unix_ns)
{
    return ct_json_number(unix_ns > 0 ? 1e-9 * (double)unix_ns : NAN);
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
        if (point->unix_ns <
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

static void put_hosts(struct ct_json *root, const struct ct_watch_state *now)
{
    struct ct_json *hosts = ct_json_put(root, "hosts", ct_json_array());
    for (size_t i = 0; i < now->n_hosts; i++) {
        const struct ct_watch_host *host = &now->hosts[i];
        struct ct_json *row = ct_json_append(hosts, ct_json_object());
        ct_json_put(row, "name", ct_json_text(host->name));
        put_number(row, "is_present", host->is_present);
        ct_json_put(row, "seen_s", time_value(host->seen_unix_ns));
        put_number(row, "sent", (double)host->sent);
        put_number(row, "lost", (double)host->lost);
        put_number(row, "skipped", (double)host->skipped);
    }
}

static void put_classes(struct ct_json *root, const struct ct_watch_state *now)
{
    struct ct_json *classes = ct_json_put(root, "classes", ct_json_array());
    for (size_t i = 0; i < now->n_classes; i++) {
        const struct ct_watch_class *class = &now->classes[i];
        struct ct_json *row = ct_json_append(classes, ct_json_object());
        put_number(row, "switches", class->switches);
        put_number(row, "bytes", class->bytes);
        put_number(row, "is_round", class->is_round);
        put_number(row, "n", (double)class->n);
        put_number(row, "median_s", class->median_s);
        put_number(row, "p99_s", class->p99_s);
        put_number(row, "healthy_s", class->healthy_s);
        put_number(row, "healthy_p99_s", class->healthy_p99_s);
    }
}

/* Names of both ends: the page knows no vertices where there is no picture. */
static void put_suspects(struct ct_json *row, const struct ct_watch_state *now,
                         const struct ct_watch_alarm *alarm)
{
    struct ct_json *suspects = ct_json_put(row, "suspects", ct_json_array());
    for (uint32_t i = 0; i < alarm->n_suspects && now->topology; i++) {
        uint32_t direction = alarm->suspects[i];
        uint32_t link = direction / 2;
        const uint32_t *end = now->topology->links[link].end;
        struct ct_json *one = ct_json_append(suspects, ct_json_object());
        put_number(one, "link", link);
        put_number(one, "is_back", direction % 2);
        ct_json_put(one, "from", ct_json_text(ct_topology_name(now->topology, end[direction % 2])));
        ct_json_put(one, "to",
                    ct_json_text(ct_topology_name(now->topology, end[1 - direction % 2])));
    }
}

static void put_alarms(struct ct_json *root, const struct ct_watch_state *now)
{
    struct ct_json *alarms = ct_json_put(root, "alarms", ct_json_array());
    for (size_t i = 0; i < now->n_alarms; i++) {
        const struct ct_watch_alarm *alarm = &now->alarms[i];
        struct ct_json *row = ct_json_append(alarms, ct_json_object());
        char place[CT_WATCH_PLACE_MAX], sentence[SENTENCE_MAX];
        ct_watch_place(now, alarm, place);
        ct_watch_sentence(now, alarm, sentence, sizeof sentence);
        ct_json_put(row, "place", ct_json_text(place));
        ct_json_put(row, "sentence", ct_json_text(sentence));
        put_number(row, "id", (double)alarm->id);
        ct_json_put(row, "kind", ct_json_text(ct_watch_kind_names[alarm->kind]));
        put_suspects(row, now, alarm);
        ct_json_put(row, "host",
                    ct_json_text(alarm->host < now->n_hosts ? now->hosts[alarm->host].name : ""));
        put_number(row, "size", alarm->size);
        put_number(row, "low", alarm->low);
        put_number(row, "high", alarm->high);
        ct_json_put(row, "since_s", time_value(alarm->since_unix_ns));
        ct_json_put(row, "raised_s", time_value(alarm->raised_unix_ns));
        ct_json_put(row, "ended_s", time_value(alarm->ended_unix_ns));
        ct_json_put(row, "reason", ct_json_text(alarm->reason));
    }
}

static void put_prices(struct ct_json *root, const struct ct_watch_state *now)
{
    struct ct_json *prices = ct_json_put(root, "prices", ct_json_array());
    for (size_t i = 0; i < now->n_prices; i++) {
        const struct ct_watch_price *price = &now->prices[i];
        struct ct_json *row = ct_json_append(prices, ct_json_object());
        put_number(row, "alarm", (double)price->alarm);
        ct_json_put(row, "application", ct_json_text(price->application));
        put_number(row, "percent", price->percent);
        put_number(row, "low", price->low);
        put_number(row, "high", price->high);
        ct_json_put(row, "how", ct_json_text(price->how));
    }
}

enum ct_status ct_serve_write_state(const struct ct_watch_state *now, char **text_p,
                                    struct ct_error *err)
{
    struct ct_json *root = ct_json_object();
    ct_json_put(root, "newest_s", time_value(now->unix_ns));
    ct_json_put(root, "now_s", time_value((int64_t)ct_clock_unix_ns()));
    put_number(root, "false_alarms_per_day", now->false_alarms_per_day);
    put_number(root, "has_learned", now->has_learned);
    put_hosts(root, now);
    put_classes(root, now);
    put_alarms(root, now);
    put_prices(root, now);
    struct ct_json *loads = ct_json_put(root, "load", ct_json_array());
    for (uint32_t d = 0; now->load && now->topology && d < 2 * now->topology->n_links; d++)
        ct_json_append(loads, ct_json_number(now->load[d]));
    struct ct_json *unknown = ct_json_put(root, "unknown", ct_json_array());
    for (size_t i = 0; i < now->n_unknown; i++)
        ct_json_append(unknown, ct_json_text(now->unknown[i]));
    if (!now->load)
        ct_json_append(unknown, ct_json_text("how busy links are: times one way are not known, or "
                                             "nothing was probed in the last minute"));
    if (!now->topology)
        ct_json_append(unknown, ct_json_text("where links are: there is no topology"));
    return print_line(root, text_p, err);
}
