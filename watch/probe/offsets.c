#include "watch/probe/offsets.h"

#include "core/array.h"
#include "core/map.h"
#include "core/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 20, MEAN_SWEEPS = 20, MEDIAN_SWEEPS = 5, ENOUGH = 3, NEIGHBOURS_MAX = 64 };
static const int64_t window_ns = INT64_C(30000000000);

struct point {
    double t, d; /* ns; of the time, since the epoch of the pair */
};

/* The windows of a direction, as a ring. */
struct direction {
    struct point least[WINDOWS];
    int64_t window[WINDOWS]; /* its number + 1; 0: empty */
};

struct pair {
    uint32_t low, high; /* hosts */
    int64_t epoch_ns;   /* of its times */
    struct direction up, down;
    bool is_known;
    double offset, drift; /* high less low, now */
};

struct host {
    bool is_set, is_known;
    int64_t base_ns; /* the guess */
    struct ct_probe_clock_line line;
    double x, b;
};

struct ct_probe_offsets {
    struct host *hosts;
    size_t n_hosts, hosts_room;
    struct pair *pairs;
    size_t n_pairs, pairs_room;
    struct ct_map pair_at; /* of hosts: place + 1 */
    uint32_t reference;
};

struct ct_probe_offsets *ct_probe_offsets_new(void)
{
    return calloc(1, sizeof(struct ct_probe_offsets));
}

void ct_probe_offsets_free(struct ct_probe_offsets *offsets)
{
    if (!offsets)
        return;
    ct_map_free(&offsets->pair_at);
    free(offsets->hosts);
    free(offsets->pairs);
    free(offsets);
}

void ct_probe_offsets_refer(struct ct_probe_offsets *offsets, uint32_t host)
{
    offsets->reference = host;
}

static void forget_pair(struct pair *pair)
{
    *pair = (struct pair){.low = pair->low, .high = pair->high};
}

bool ct_probe_offsets_reset(struct ct_probe_offsets *offsets, uint32_t host, int64_t guess_ns)
{
    if (!CT_ARRAY_RESERVE(offsets->hosts, offsets->hosts_room, (size_t)host + 1))
        return false;
    for (; offsets->n_hosts <= host; offsets->n_hosts++)
        offsets->hosts[offsets->n_hosts] = (struct host){0};
    offsets->hosts[host] =
        (struct host){.is_set = true, .base_ns = guess_ns, .line = {.at_ns = (double)guess_ns}};
    for (size_t i = 0; i < offsets->n_pairs; i++)
        if (offsets->pairs[i].low == host || offsets->pairs[i].high == host)
            forget_pair(&offsets->pairs[i]);
    return true;
}

/* ---- collecting ---- */

static bool is_followed(uint32_t low, uint32_t high)
{
    uint32_t apart = high - low;
    return high < CT_PROBE_ALL_PAIRS || (apart & (apart - 1)) == 0;
}

static void add_point(struct direction *direction, int64_t t_ns, double d)
{
    int64_t number = t_ns / window_ns + 1;
    size_t at = (size_t)(number % WINDOWS);
    if (direction->window[at] == number && direction->least[at].d <= d)
        return;
    direction->window[at] = number;
    direction->least[at] = (struct point){(double)t_ns, d};
}

bool ct_probe_offsets_add(struct ct_probe_offsets *offsets, uint32_t from, uint32_t to,
                          int64_t sent_ns, int64_t there_ns, int64_t back_ns)
{
    uint32_t low = from < to ? from : to, high = from < to ? to : from;
    if (high >= offsets->n_hosts || low == high || !is_followed(low, high) ||
        !offsets->hosts[low].is_set || !offsets->hosts[high].is_set)
        return true;
    uint32_t place = ct_map_find(&offsets->pair_at, ct_map_pair(low, high));
    if (place == 0) {
        if (!CT_ARRAY_RESERVE(offsets->pairs, offsets->pairs_room, offsets->n_pairs + 1) ||
            !ct_map_set(&offsets->pair_at, ct_map_pair(low, high), offsets->n_pairs + 1))
            return false;
        offsets->pairs[offsets->n_pairs++] = (struct pair){.low = low, .high = high};
        place = (uint32_t)offsets->n_pairs;
    }
    struct pair *pair = &offsets->pairs[place - 1];
    int64_t t_ns = ct_probe_offsets_time(offsets, from, sent_ns);
    if (pair->epoch_ns == 0)
        pair->epoch_ns = t_ns;
    t_ns -= pair->epoch_ns;
    if (t_ns < 0)
        return true;
    int64_t apart_ns = offsets->hosts[to].base_ns - offsets->hosts[from].base_ns;
    add_point(from == low ? &pair->up : &pair->down, t_ns, (double)(there_ns - apart_ns));
    add_point(from == low ? &pair->down : &pair->up, t_ns, (double)(back_ns + apart_ns));
    return true;
}

/* ---- the line of a direction ---- */

CT_ORDER(compare_points, struct point, t)

/* The edge of the lower convex hull at the mean time; a line by two points. */
static size_t find_line(const struct direction *direction, int64_t now_window, struct point edge[2])
{
    struct point points[WINDOWS], hull[WINDOWS];
    size_t n = 0, m = 0;
    double mean = 0;
    for (size_t i = 0; i < WINDOWS; i++)
        if (direction->window[i] > now_window - WINDOWS && direction->window[i] > 0) {
            points[n++] = direction->least[i];
            mean += direction->least[i].t;
        }
    if (n < 2)
        return n;
    qsort(points, n, sizeof *points, compare_points);
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        while (m >= 2 && (hull[m - 1].d - hull[m - 2].d) * (points[i].t - hull[m - 2].t) >=
                             (points[i].d - hull[m - 2].d) * (hull[m - 1].t - hull[m - 2].t))
            m--;
        hull[m++] = points[i];
    }
    size_t right = 1;
    while (right + 1 < m && hull[right].t < mean)
        right++;
    edge[0] = hull[right - 1];
    edge[1] = hull[right];
    return edge[1].t > edge[0].t ? n : 1;
}

static void solve_pair(struct pair *pair, int64_t now_ns)
{
    double t = (double)(now_ns - pair->epoch_ns);
    int64_t now_window = (now_ns - pair->epoch_ns) / window_ns + 1;
    struct point up[2], down[2];
    pair->is_known = find_line(&pair->up, now_window, up) >= ENOUGH &&
                     find_line(&pair->down, now_window, down) >= ENOUGH;
    if (!pair->is_known)
        return;
    double up_slope = (up[1].d - up[0].d) / (up[1].t - up[0].t);
    double down_slope = (down[1].d - down[0].d) / (down[1].t - down[0].t);
    pair->drift = (up_slope - down_slope) / 2;
    pair->offset =
        (up[0].d + up_slope * (t - up[0].t) - down[0].d - down_slope * (t - down[0].t)) / 2;
}

/* ---- all hosts ---- */

/* What the pairs of hosts say of one of them; those of host i: first[i] .. first[i + 1]. */
struct neighbour {
    uint32_t host;
    double offset, drift; /* this host less that one */
};

struct graph {
    size_t *first;
    struct neighbour *neighbours;
};

static bool make_graph(const struct ct_probe_offsets *offsets, struct graph *graph)
{
    size_t n = offsets->n_hosts;
    graph->first = calloc(n + 2, sizeof *graph->first);
    graph->neighbours = malloc((2 * offsets->n_pairs + 1) * sizeof *graph->neighbours);
    if (!graph->first || !graph->neighbours)
        return false;
    size_t *count = graph->first + 1;
    for (size_t i = 0; i < offsets->n_pairs; i++)
        if (offsets->pairs[i].is_known) {
            count[offsets->pairs[i].low]++;
            count[offsets->pairs[i].high]++;
        }
    size_t sum = 0;
    for (size_t i = 0; i <= n; i++) { /* first[i + 1] becomes where host i begins */
        size_t here = count[i];
        count[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < offsets->n_pairs; i++) {
        const struct pair *pair = &offsets->pairs[i];
        if (!pair->is_known)
            continue;
        graph->neighbours[count[pair->high]++] =
            (struct neighbour){pair->low, pair->offset, pair->drift};
        graph->neighbours[count[pair->low]++] =
            (struct neighbour){pair->high, -pair->offset, -pair->drift};
    }
    return true;
}

/* From the reference outwards: what one chain of pairs says. */
static bool reach_hosts(struct ct_probe_offsets *offsets, const struct graph *graph)
{
    uint32_t *queue = malloc((offsets->n_hosts + 1) * sizeof *queue);
    if (!queue)
        return false;
    for (size_t i = 0; i < offsets->n_hosts; i++)
        offsets->hosts[i].is_known = false;
    size_t n = 0;
    if (offsets->reference < offsets->n_hosts) {
        struct host *host = &offsets->hosts[offsets->reference];
        host->is_known = true;
        host->x = host->b = 0;
        queue[n++] = offsets->reference;
    }
    for (size_t at = 0; at < n; at++) {
        const struct host *host = &offsets->hosts[queue[at]];
        for (size_t k = graph->first[queue[at]]; k < graph->first[queue[at] + 1]; k++) {
            const struct neighbour *neighbour = &graph->neighbours[k];
            struct host *other = &offsets->hosts[neighbour->host];
            if (other->is_known)
                continue;
            other->is_known = true;
            other->x = host->x - neighbour->offset;
            other->b = host->b - neighbour->drift;
            queue[n++] = neighbour->host;
        }
    }
    free(queue);
    return true;
}

static double middle_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, ct_order_doubles);
    return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

static double mean_of(double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static void sweep_hosts(struct ct_probe_offsets *offsets, const struct graph *graph,
                        double (*centre)(double *, size_t))
{
    for (uint32_t i = 0; i < offsets->n_hosts; i++) {
        double x[NEIGHBOURS_MAX], b[NEIGHBOURS_MAX];
        size_t n = 0;
        for (size_t k = graph->first[i]; k < graph->first[i + 1] && n < NEIGHBOURS_MAX; k++) {
            const struct neighbour *neighbour = &graph->neighbours[k];
            const struct host *other = &offsets->hosts[neighbour->host];
            if (!other->is_known)
                continue;
            x[n] = other->x + neighbour->offset;
            b[n++] = other->b + neighbour->drift;
        }
        if (n == 0 || i == offsets->reference)
            continue;
        offsets->hosts[i].x = centre(x, n);
        offsets->hosts[i].b = centre(b, n);
    }
}

bool ct_probe_offsets_solve(struct ct_probe_offsets *offsets, int64_t now_ns)
{
    for (size_t i = 0; i < offsets->n_pairs; i++)
        solve_pair(&offsets->pairs[i], now_ns);
    struct graph graph = {0};
    bool good = make_graph(offsets, &graph) && reach_hosts(offsets, &graph);
    for (int i = 0; good && i < MEAN_SWEEPS; i++)
        sweep_hosts(offsets, &graph, mean_of);
    for (int i = 0; good && i < MEDIAN_SWEEPS; i++)
        sweep_hosts(offsets, &graph, middle_of);
    int64_t base_ns =
        offsets->reference < offsets->n_hosts ? offsets->hosts[offsets->reference].base_ns : 0;
    for (size_t i = 0; good && i < offsets->n_hosts; i++) {
        struct host *host = &offsets->hosts[i];
        if (host->is_known)
            host->line = (struct ct_probe_clock_line){
                true, now_ns, (double)(host->base_ns - base_ns) + host->x, host->b};
    }
    free(graph.first);
    free(graph.neighbours);
    return good;
}

/* ---- asking ---- */

struct ct_probe_clock_line ct_probe_offsets_line(const struct ct_probe_offsets *offsets,
                                                 uint32_t host)
{
    return host < offsets->n_hosts ? offsets->hosts[host].line : (struct ct_probe_clock_line){0};
}

double ct_probe_offsets_at(const struct ct_probe_offsets *offsets, uint32_t host, int64_t time_ns)
{
    struct ct_probe_clock_line line = ct_probe_offsets_line(offsets, host);
    return line.at_ns + line.drift * (double)(time_ns - line.time_ns);
}

int64_t ct_probe_offsets_time(const struct ct_probe_offsets *offsets, uint32_t host,
                              int64_t shown_ns)
{
    int64_t first = shown_ns - (int64_t)ct_probe_offsets_at(offsets, host, shown_ns);
    return shown_ns - (int64_t)ct_probe_offsets_at(offsets, host, first);
}

size_t ct_probe_offsets_bytes(const struct ct_probe_offsets *offsets)
{
    return sizeof *offsets + offsets->hosts_room * sizeof *offsets->hosts +
           offsets->pairs_room * sizeof *offsets->pairs +
           offsets->pair_at.room * sizeof *offsets->pair_at.slots;
}
