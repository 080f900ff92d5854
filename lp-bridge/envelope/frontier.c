#include "lp-bridge/envelope/frontier.h"

#include "core/array.h"
#include "lp-bridge/envelope/envelope.h"

#include <math.h>
#include <stdlib.h>

/* A path: cost + slope[0] x + slope[1] y, for x ns of latency and y ns per byte that are added. */
struct path {
    double cost_ns;
    double slope[CT_FREE_MAX];
};

struct point {
    double x, y;
};

static double path_at(struct path path, struct point at)
{
    return path.cost_ns + path.slope[0] * at.x + path.slope[1] * at.y;
}

/* ---- the longest path at a point ---- */

/* Of paths of one length the one that grows fastest in a direction is taken. */
struct walk {
    struct point at, direction;
    struct path *slots; /* of the fold; slot 0 is time 0 */
    size_t n_slots;
    struct path end; /* T so far */
};

static double growth_of(const struct walk *walk, struct path path)
{
    return path.slope[0] * walk->direction.x + path.slope[1] * walk->direction.y;
}

static struct path later_of(const struct walk *walk, struct path best, struct path other)
{
    double best_ns = path_at(best, walk->at), other_ns = path_at(other, walk->at);
    bool is_better = other_ns > best_ns ||
                     (other_ns == best_ns && growth_of(walk, other) > growth_of(walk, best));
    return is_better ? other : best;
}

static struct path extend_path(const struct walk *walk, const struct ct_fold_edge *edge)
{
    struct path from = walk->slots[edge->source.slot];
    return (struct path){from.cost_ns + edge->cost_ns,
                         {from.slope[0] + edge->slope[0], from.slope[1] + edge->slope[1]}};
}

static enum ct_status on_join(void *data, struct ct_fold_node target,
                              const struct ct_fold_edge *edges, size_t n_edges,
                              struct ct_error *err)
{
    struct walk *walk = data;
    struct path best = extend_path(walk, &edges[0]);
    for (size_t i = 1; i < n_edges; i++)
        best = later_of(walk, best, extend_path(walk, &edges[i]));
    if (!CT_ARRAY_RESERVE(walk->slots, walk->n_slots, (size_t)target.slot + 1))
        return ct_no_memory(err, "frontier of the graph");
    walk->slots[target.slot] = best;
    return CT_OK;
}

static enum ct_status on_end(void *data, const struct ct_fold_edge *edge, struct ct_error *err)
{
    struct walk *walk = data;
    (void)err;
    walk->end = later_of(walk, walk->end, extend_path(walk, edge));
    return CT_OK;
}

/* ---- the search ---- */

struct search {
    const struct ct_graph *graph;
    struct ct_plane plane; /* t: what is added to L and to G */
    double limit_ns;
    struct path *slots; /* kept from walk to walk */
    size_t n_slots;
    struct point *corners; /* found so far, from the axis of x to that of y */
    size_t n_corners, room;
    size_t evaluations;
    bool is_whole;
};

static enum ct_status find_path(struct search *search, struct point at, struct point direction,
                                struct path *path_p, struct ct_error *err)
{
    struct walk walk = {
        .at = at, .direction = direction, .slots = search->slots, .n_slots = search->n_slots};
    const struct ct_fold_visitor visitor = {.join = on_join, .end = on_end, .data = &walk};
    enum ct_status status = CT_OK;
    if (!CT_ARRAY_RESERVE(walk.slots, walk.n_slots, 1))
        status = ct_no_memory(err, "frontier of the graph");
    if (status == CT_OK) {
        walk.slots[0] = (struct path){0};
        status = ct_graph_fold(search->graph, &search->plane, &visitor, NULL, err);
    }
    search->slots = walk.slots;
    search->n_slots = walk.n_slots;
    search->evaluations++;
    *path_p = walk.end;
    return status;
}

/* Whether T is not above the limit at a point of a path; rounding is none. */
static bool is_within(const struct search *search, struct path path, struct point at)
{
    return path_at(path, at) <= search->limit_ns * (1 + CT_ENVELOPE_TOLERANCE);
}

/*
 * The last point of a ray from the origin with T <= limit, and a path that reaches the limit there:
 * Newton steps from outside on a convex function. @param from [in] a multiple of direction, beyond
 * the frontier. @param end_p [out] coordinates INFINITY where the ray never leaves it
 */
static enum ct_status follow_ray(struct search *search, struct point direction, double from,
                                 struct point *end_p, struct path *path_p, struct ct_error *err)
{
    double t = from;
    for (;;) {
        struct point at = {t * direction.x, t * direction.y};
        CT_TRY(find_path(search, at, direction, path_p, err));
        double slope = path_p->slope[0] * direction.x + path_p->slope[1] * direction.y;
        if (!(slope > 0)) { /* not reached from outside but on an axis that no path depends on */
            *end_p = (struct point){direction.x > 0 ? INFINITY : 0, direction.y > 0 ? INFINITY : 0};
            return CT_OK;
        }
        double nearer = (search->limit_ns - path_p->cost_ns) / slope;
        if (is_within(search, *path_p, at) || !(nearer < t)) {
            *end_p = at;
            return CT_OK;
        }
        t = fmax(nearer, 0);
    }
}

static bool add_corner(struct search *search, struct point at)
{
    if (!CT_ARRAY_RESERVE(search->corners, search->room, search->n_corners + 1))
        return false;
    search->corners[search->n_corners++] = at;
    return true;
}

/* Where two paths reach the limit. @return whether there is one such point */
static bool meet_at(const struct search *search, struct path a, struct path b, struct point *at_p)
{
    double determinant = a.slope[0] * b.slope[1] - b.slope[0] * a.slope[1];
    double scale = fabs(a.slope[0] * b.slope[1]) + fabs(b.slope[0] * a.slope[1]);
    double of_a = search->limit_ns - a.cost_ns, of_b = search->limit_ns - b.cost_ns;
    if (!(fabs(determinant) > CT_ENVELOPE_TOLERANCE * scale))
        return false;
    *at_p = (struct point){(of_a * b.slope[1] - of_b * a.slope[1]) / determinant,
                           (a.slope[0] * of_b - b.slope[0] * of_a) / determinant};
    return at_p->x >= 0 && at_p->y >= 0;
}

static bool are_close(struct point a, struct point b)
{
    return fabs(a.x - b.x) <= CT_ENVELOPE_TOLERANCE * (a.x + b.x) &&
           fabs(a.y - b.y) <= CT_ENVELOPE_TOLERANCE * (a.y + b.y);
}

/* Corners between two points of the frontier, each on a path, in their order. */
static enum ct_status find_corners(struct search *search, struct point from, struct path of_from,
                                   struct point to, struct path of_to, struct ct_error *err)
{
    struct point corner, crossing;
    struct path path;
    if (!meet_at(search, of_from, of_to, &corner) || are_close(corner, from) ||
        are_close(corner, to))
        return CT_OK; /* one side from the one to the other */
    if (search->n_corners >= CT_FRONTIER_CORNERS_MAX) {
        search->is_whole = false;
        return CT_OK;
    }
    CT_TRY(follow_ray(search, corner, 1, &crossing, &path, err));
    if (is_within(search, path, corner))
        return add_corner(search, corner) ? CT_OK : ct_no_memory(err, "frontier of the graph");
    CT_TRY(find_corners(search, from, of_from, crossing, path, err));
    return find_corners(search, crossing, path, to, of_to, err);
}

/* Both ends on the axes, and what is between. */
static enum ct_status find_sides(struct search *search, struct ct_error *err)
{
    const struct point along_x = {1, 0}, along_y = {0, 1};
    struct point first, last;
    struct path of_first, of_last;
    CT_TRY(follow_ray(search, along_x, CT_EVALUATOR_FAR, &first, &of_first, err));
    CT_TRY(follow_ray(search, along_y, CT_EVALUATOR_FAR, &last, &of_last, err));
    if (!add_corner(search, first))
        return ct_no_memory(err, "frontier of the graph");
    if (isfinite(first.x) && isfinite(last.y))
        CT_TRY(find_corners(search, first, of_first, last, of_last, err));
    if (!add_corner(search, last))
        return ct_no_memory(err, "frontier of the graph");
    return CT_OK;
}

enum ct_status ct_frontier_find(const struct ct_graph *graph, const struct ct_loggps *at,
                                double limit_ns, struct ct_frontier *frontier_p,
                                struct ct_error *err)
{
    struct search search = {.graph = graph, .limit_ns = limit_ns, .is_whole = true};
    const struct point origin = {0, 0};
    struct path path;
    search.plane.origin = *at;
    search.plane.slope[0].L_ns = 1;
    search.plane.slope[1].G_ns_per_byte = 1;
    enum ct_status status = find_path(&search, origin, origin, &path, err);
    if (status == CT_OK && !(limit_ns >= path.cost_ns))
        status = ct_fail(err, CT_EINVAL,
                         "a run time of %g ns is shorter than that without added "
                         "latency, %g ns",
                         limit_ns, path.cost_ns);
    if (status == CT_OK)
        status = find_sides(&search, err);
    struct ct_frontier_point *points =
        status == CT_OK ? malloc((search.n_corners + 1) * sizeof *points) : NULL;
    if (status == CT_OK && !points)
        status = ct_no_memory(err, "frontier of the graph");
    if (status == CT_OK) {
        for (size_t i = 0; i < search.n_corners; i++)
            points[i] = (struct ct_frontier_point){search.corners[i].x, search.corners[i].y};
        *frontier_p =
            (struct ct_frontier){points, search.n_corners, search.is_whole, search.evaluations};
    }
    free(search.corners);
    free(search.slots);
    return status;
}

void ct_frontier_free(struct ct_frontier *frontier)
{
    free(frontier->points);
    *frontier = (struct ct_frontier){0};
}

double ct_frontier_gap_at(const struct ct_frontier *frontier, double added_L_ns)
{
    const struct ct_frontier_point *points = frontier->points;
    if (isinf(points[0].added_L_ns))
        return points[frontier->n - 1].added_G;
    if (isinf(points[frontier->n - 1].added_G))
        return added_L_ns <= points[0].added_L_ns ? INFINITY : 0;
    for (size_t i = 1; i < frontier->n; i++) {
        const struct ct_frontier_point *right = &points[i - 1], *left = &points[i];
        double width = right->added_L_ns - left->added_L_ns;
        if (added_L_ns < left->added_L_ns || added_L_ns > right->added_L_ns)
            continue;
        double along = width > 0 ? (right->added_L_ns - added_L_ns) / width : 1;
        return right->added_G + along * (left->added_G - right->added_G);
    }
    return 0;
}
