#include "trace/convert/generate.h"

#include "core/random.h"
#include "trace/convert/generate_spec.h"
#include "trace/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEIGHBOURS_MAX = 2 * CT_GENERATE_DIMENSIONS,
    VALUES_MAX = 2 * NEIGHBOURS_MAX * CT_TRACE_COMPLETION_VALUES,
    BORDER_MIN_BYTES = 8,
    WORLD_COMM = 0,
    GROUP_COMM = 2 /* 1 is MPI_COMM_SELF */
};

/* Where a rank is: the next step of a round. Rounds count from 1; before them lies what all
 * programs begin with. */
struct cursor {
    uint32_t round, step;
    uint64_t now_ns, position;
};

struct generator {
    struct ct_generate_spec spec;
    struct cursor *cursors;      /* [n_ranks] */
    uint64_t values[VALUES_MAX]; /* of the event that was read last */
};

/* What comes next; compute_ns passes before it. */
typedef bool step_fn(struct generator *generator, uint32_t rank, uint32_t round, uint32_t step,
                     struct ct_trace_event *event, double *compute_ns);

/* ---- numbers that are drawn ---- */

/* Uniform in -1 to 1, from all that it depends on, so that any rank knows the numbers of others. */
static double draw_number(const struct generator *generator, uint32_t rank, uint64_t round,
                          uint64_t what)
{
    uint64_t seed = ct_random_at(ct_random_at(generator->spec.seed, rank), round);
    return 2 * ct_random_unit(ct_random_at(seed, what)) - 1;
}

/* Compute of a step of a round. */
static double compute_ns(const struct generator *generator, uint32_t rank, uint32_t round,
                         uint32_t step, double share)
{
    const struct ct_generate_spec *spec = &generator->spec;
    return 1e9 * spec->compute_s * share *
           (1 + spec->imbalance_frac * draw_number(generator, rank, 0, 0)) *
           (1 + spec->noise_frac * draw_number(generator, rank, round, step));
}

/* ---- groups of consecutive ranks ---- */

struct group {
    uint32_t first, n;
};

static struct group group_of(const struct generator *generator, uint32_t rank)
{
    const struct ct_generate_spec *spec = &generator->spec;
    bool rings = spec->pattern == CT_PATTERN_PARTICLES;
    uint32_t n_ranks = spec->n_ranks;
    uint32_t size = rings ? n_ranks / (uint32_t)spec->domains : (uint32_t)spec->group;
    uint32_t count = rings ? (uint32_t)spec->domains : (n_ranks + size - 1) / size;
    uint32_t number = rank / size < count ? rank / size : count - 1;
    uint32_t end = number + 1 < count ? (number + 1) * size : n_ranks;
    return (struct group){number * size, end - number * size};
}

static bool has_groups(const struct generator *generator)
{
    return generator->spec.pattern == CT_PATTERN_PARTICLES ||
           generator->spec.pattern == CT_PATTERN_ALLTOALL;
}

/* A communicator of consecutive ranks: one run. ordinal: 1 if another one has the same members. */
static void new_comm(struct generator *generator, uint32_t number, struct group group,
                     uint64_t ordinal, struct ct_trace_event *event)
{
    const uint64_t run[CT_RANKS_RUN_VALUES] = {group.first, group.n, CT_RANKS_NEXT};
    memcpy(generator->values, run, sizeof run);
    *event = (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                     .comm = number,
                                     .ordinal = ordinal,
                                     .values = generator->values,
                                     .n_values = CT_RANKS_RUN_VALUES};
}

/* ---- halo ---- */

/* The neighbours of a rank: two in each dimension that has more than one rank. Directions 0 and 1
 * are up and down in the first of these, and so on. */
static uint32_t list_neighbours(const struct generator *generator, uint32_t rank,
                                uint32_t peers[NEIGHBOURS_MAX])
{
    uint32_t n = 0, scale = 1;
    for (int d = 0; d < CT_GENERATE_DIMENSIONS; d++) {
        uint32_t side = generator->spec.sides[d], at = rank / scale % side;
        uint32_t base = rank - at * scale;
        if (side > 1) {
            peers[n++] = base + (at + 1) % side * scale;
            peers[n++] = base + (at + side - 1) % side * scale;
        }
        scale *= side;
    }
    return n;
}

static void wait_for_border(struct generator *generator, const uint32_t *peers, uint32_t n,
                            uint64_t bytes, struct ct_trace_event *event)
{
    *event = (struct ct_trace_event){.kind = CT_TRACE_WAIT, .values = generator->values};
    for (uint32_t i = 0; i < 2 * n; i++) {
        struct ct_trace_completion done = {.request = i + 1, .received = i < n};
        if (i < n)
            done.from = (struct ct_trace_message){(int32_t)peers[i], (int32_t)i ^ 1, bytes};
        event->n_values = ct_trace_completion_put(&done, generator->values, event->n_values);
    }
}

static bool step_halo(struct generator *generator, uint32_t rank, uint32_t round, uint32_t step,
                      struct ct_trace_event *event, double *compute_p)
{
    const struct ct_generate_spec *spec = &generator->spec;
    uint32_t peers[NEIGHBOURS_MAX], n = list_neighbours(generator, rank, peers);
    uint32_t levels = (uint32_t)spec->levels, visits = 2 * levels - 1, per_visit = 2 * n + 1;
    uint32_t visit = step / per_visit, k = step % per_visit;
    if (visit >= visits) {
        *event = (struct ct_trace_event){.kind = CT_TRACE_ALLREDUCE, .bytes = spec->sum_bytes};
        return visit == visits && k == 0 && spec->sum_bytes > 0;
    }
    uint32_t level = visit < levels ? visit : visits - 1 - visit, dimensions = n / 2;
    double bytes =
        ldexp((double)spec->bytes, -(int)(level * (dimensions > 1 ? dimensions - 1 : 0)));
    uint64_t least = spec->bytes < BORDER_MIN_BYTES ? spec->bytes : BORDER_MIN_BYTES;
    uint64_t border = bytes > (double)least ? (uint64_t)bytes : least;
    if (k == 0)
        *compute_p =
            compute_ns(generator, rank, round, visit, ldexp(1, -(int)(level * dimensions)));
    if (k == 2 * n) {
        wait_for_border(generator, peers, n, border, event);
        return true;
    }
    uint32_t direction = k < n ? k : k - n;
    /* What comes from a neighbour was sent in the opposite direction. */
    const struct ct_trace_message message = {(int32_t)peers[direction],
                                             (int32_t)(k < n ? direction ^ 1 : direction), border};
    *event =
        (struct ct_trace_event){.kind = k < n ? CT_TRACE_RECEIVE : CT_TRACE_SEND, .request = k + 1};
    *(k < n ? &event->from : &event->to) = message;
    return true;
}

/* ---- others ---- */

static bool step_allreduce(struct generator *generator, uint32_t rank, uint32_t round,
                           uint32_t step, struct ct_trace_event *event, double *compute_p)
{
    *event = (struct ct_trace_event){.kind = CT_TRACE_ALLREDUCE, .bytes = generator->spec.bytes};
    *compute_p = compute_ns(generator, rank, round, step, 1);
    return step == 0;
}

static bool step_alltoall(struct generator *generator, uint32_t rank, uint32_t round, uint32_t step,
                          struct ct_trace_event *event, double *compute_p)
{
    *event = (struct ct_trace_event){
        .kind = CT_TRACE_ALLTOALL, .comm = GROUP_COMM, .bytes = generator->spec.bytes};
    *compute_p = compute_ns(generator, rank, round, step, 1);
    return step == 0;
}

/* What a rank sends: to the next domain in step 1, to the one before in step 2. */
static uint64_t count_particles(const struct generator *generator, uint32_t rank, uint32_t round,
                                uint32_t step)
{
    return (uint64_t)((double)generator->spec.bytes *
                      (1 + draw_number(generator, rank, round, step) / 2));
}

static bool step_particles(struct generator *generator, uint32_t rank, uint32_t round,
                           uint32_t step, struct ct_trace_event *event, double *compute_p)
{
    const struct ct_generate_spec *spec = &generator->spec;
    if (step == 0) {
        *event = (struct ct_trace_event){
            .kind = CT_TRACE_ALLREDUCE, .comm = GROUP_COMM, .bytes = spec->field_bytes};
        *compute_p = compute_ns(generator, rank, round, step, 1);
        return true;
    }
    uint32_t distance = spec->n_ranks / (uint32_t)spec->domains;
    uint32_t next = (rank + distance) % spec->n_ranks;
    uint32_t before = (rank + spec->n_ranks - distance) % spec->n_ranks;
    uint32_t to = step == 1 ? next : before, from = step == 1 ? before : next;
    *event = (struct ct_trace_event){
        .kind = CT_TRACE_SENDRECV,
        .to = {(int32_t)to, (int32_t)step, count_particles(generator, rank, round, step)},
        .from = {(int32_t)from, (int32_t)step, count_particles(generator, from, round, step)}};
    return step <= 2;
}

static step_fn *const steps[CT_PATTERNS] = {[CT_PATTERN_HALO] = step_halo,
                                            [CT_PATTERN_ALLREDUCE] = step_allreduce,
                                            [CT_PATTERN_PARTICLES] = step_particles,
                                            [CT_PATTERN_ALLTOALL] = step_alltoall};

/* ---- the source of events ---- */

/* Before the first round: a call that does nothing ends the setup of a program, whose time is not
 * compute of the program. */
static bool step_begin(struct generator *generator, uint32_t rank, uint32_t step,
                       struct ct_trace_event *event)
{
    enum { BEGIN, WORLD, GROUP, NOTHING };
    const uint32_t n_ranks = generator->spec.n_ranks;
    if (step >= GROUP && !has_groups(generator))
        step++;
    *event = (struct ct_trace_event){.kind = step == BEGIN ? CT_TRACE_BEGIN : CT_TRACE_WAIT};
    if (step == WORLD)
        new_comm(generator, WORLD_COMM, (struct group){0, n_ranks}, 0, event);
    if (step == GROUP) {
        const struct group group = group_of(generator, rank);
        new_comm(generator, GROUP_COMM, group, group.n == n_ranks, event);
    }
    return step <= NOTHING;
}

static enum ct_status next_event(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                 uint64_t *position_p, struct ct_error *err)
{
    struct generator *generator = context;
    struct cursor *cursor = &generator->cursors[rank];
    double passes_ns = 0;
    (void)err;
    *position_p = ++cursor->position;
    bool found = cursor->round == 0 && step_begin(generator, rank, cursor->step, event_p);
    while (!found && cursor->round <= generator->spec.rounds) {
        if (cursor->round > 0)
            found = steps[generator->spec.pattern](generator, rank, cursor->round, cursor->step,
                                                   event_p, &passes_ns);
        if (!found) {
            cursor->round++;
            cursor->step = 0;
            passes_ns = 0;
        }
    }
    if (!found)
        *event_p =
            (struct ct_trace_event){.kind = cursor->step == 0 ? CT_TRACE_END : CT_TRACE_NONE};
    cursor->step++;
    cursor->now_ns += (uint64_t)passes_ns;
    event_p->start_ns = event_p->end_ns = cursor->now_ns;
    return CT_OK;
}

static struct ct_events_place tell_place(const void *context, uint32_t rank)
{
    const struct cursor *cursor = &((const struct generator *)context)->cursors[rank];
    return (struct ct_events_place){(uint64_t)cursor->round << 32 | cursor->step, cursor->now_ns,
                                    cursor->position};
}

static void seek_place(void *context, uint32_t rank, struct ct_events_place place)
{
    ((struct generator *)context)->cursors[rank] = (struct cursor){
        (uint32_t)(place.at >> 32), (uint32_t)place.at, place.before, place.position};
}

static void rewind_rank(void *context, uint32_t rank)
{
    ((struct generator *)context)->cursors[rank] = (struct cursor){0};
}

static void close_generator(void *context)
{
    struct generator *generator = context;
    free(generator->cursors);
    free(generator);
}

enum ct_status ct_generate_open(const char *text, struct ct_events *events_p, struct ct_error *err)
{
    struct ct_generate_spec spec;
    CT_TRY(ct_generate_spec_parse(text, &spec, err));
    struct generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return ct_no_memory(err, "program '%s'", text);
    generator->spec = spec;
    generator->cursors = calloc(spec.n_ranks, sizeof *generator->cursors);
    if (!generator->cursors) {
        close_generator(generator);
        return ct_no_memory(err, "program '%s'", text);
    }
    *events_p = (struct ct_events){.n_ranks = spec.n_ranks,
                                   .position_unit = "event",
                                   .context = generator,
                                   .next = next_event,
                                   .tell = tell_place,
                                   .seek = seek_place,
                                   .rewind = rewind_rank,
                                   .close = close_generator};
    return CT_OK;
}
