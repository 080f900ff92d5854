#include "lp-bridge/goal/goal.h"

#include "core/array.h"
#include "core/order.h"
#include "lp-bridge/goal/tags.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *ct_goal_kind_text(enum ct_goal_kind kind)
{
    static const char *const texts[CT_GOAL_N_KINDS] = {"calc", "send", "recv"};
    return texts[kind];
}

static void free_calls(struct ct_goal_calls *calls)
{
    for (uint32_t i = 0; calls && i < calls->n_calls; i++)
        free(calls->calls[i].site);
    if (calls)
        free(calls->of);
    free(calls);
}

void ct_goal_free(struct ct_goal *goal)
{
    free(goal->first_op);
    free(goal->ops);
    free(goal->deps);
    free_calls(goal->calls);
    free(goal->marks);
    free(goal->numbers_from);
    *goal = (struct ct_goal){0};
}

uint32_t ct_goal_rank_of(const struct ct_goal *goal, uint32_t op)
{
    uint32_t low = 0, high = goal->n_ranks;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (goal->first_op[middle] <= op)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ct_goal_describe(const struct ct_goal *goal, uint32_t op, char text[CT_GOAL_TEXT_MAX])
{
    uint32_t rank = ct_goal_rank_of(goal, op);
    const struct ct_goal_op *what = &goal->ops[op];
    char line[32] = "", peer[48] = "";
    if (what->line > 0)
        snprintf(line, sizeof line, " in line %" PRIu32, what->line);
    if (what->kind != CT_GOAL_CALC)
        snprintf(peer, sizeof peer, "b %s %" PRIu32 " tag %" PRId32,
                 what->kind == CT_GOAL_SEND ? "to" : "from", what->peer, what->tag);
    snprintf(text, CT_GOAL_TEXT_MAX, "rank %" PRIu32 ", operation %" PRIu64 "%s (%s %" PRIu64 "%s)",
             rank,
             (goal->numbers_from ? goal->numbers_from[rank] : 0) + op - goal->first_op[rank] + 1,
             line, ct_goal_kind_text((enum ct_goal_kind)what->kind), what->amount, peer);
}

/* ---- builder ---- */

/* What was added between two calls of ct_goal_begin_rank(). Numbers of dependencies are within it
 * until the end. */
struct section {
    uint32_t rank;
    uint64_t first_op, n_ops, first_dep, n_deps; /* the counts are set at the end */
};

/* A call that was made lately. */
struct recent {
    const char *name, *site;
    uint8_t call;
};
enum { RECENT = 128 };

struct mark_list {
    struct ct_goal_mark *marks; /* n; NULL: they are not known */
    size_t n, room;
};

struct ct_goal_builder {
    uint32_t n_ranks;
    struct section *sections;
    size_t n_sections, room_sections;
    struct ct_goal_op *ops;
    uint64_t n_ops, room_ops;
    struct ct_goal_dep *deps;
    uint64_t n_deps, room_deps;
    struct ct_goal_calls *calls; /* `of` has room_ops elements; NULL: no call so far */
    uint64_t room_calls;
    struct recent recent[RECENT]; /* by name and site */
    uint8_t call;                 /* of the operations that are added */
    struct mark_list marks;
    uint64_t *numbers_from;
    struct ct_goal_tags tags;
    bool out_of_memory; /* once it is, nothing more is tried for the operations that follow */
    bool too_many;
};

struct ct_goal_builder *ct_goal_builder_new(uint32_t n_ranks)
{
    struct ct_goal_builder *builder = calloc(1, sizeof *builder);
    if (builder)
        builder->n_ranks = n_ranks;
    return builder;
}

void ct_goal_builder_free(struct ct_goal_builder *builder)
{
    if (!builder)
        return;
    free(builder->sections);
    free(builder->ops);
    free(builder->deps);
    free_calls(builder->calls);
    free(builder->marks.marks);
    free(builder->numbers_from);
    ct_goal_tags_free(&builder->tags);
    free(builder);
}

void ct_goal_begin_rank(struct ct_goal_builder *builder, uint32_t rank)
{
    if (!builder->out_of_memory)
        builder->out_of_memory =
            !CT_ARRAY_RESERVE(builder->sections, builder->room_sections, builder->n_sections + 1);
    if (!builder->out_of_memory)
        builder->sections[builder->n_sections++] = (struct section){
            .rank = rank, .first_op = builder->n_ops, .first_dep = builder->n_deps};
    builder->call = CT_GOAL_NO_CALL;
}

/* ---- calls ---- */

/* Operations so far were not made by calls. */
static bool begin_calls(struct ct_goal_builder *builder)
{
    if (builder->calls)
        return true;
    struct ct_goal_calls *calls = calloc(1, sizeof *calls);
    if (calls)
        calls->of = calloc(builder->n_ops + 1, sizeof *calls->of);
    if (!calls || !calls->of) {
        free(calls);
        return false;
    }
    builder->room_calls = builder->n_ops + 1;
    calls->calls[calls->n_calls++].name = "";
    builder->calls = calls;
    return true;
}

static bool is_call(const struct ct_goal_call *call, const char *name, const char *site)
{
    bool is_there = call->site && site ? strcmp(call->site, site) == 0 : call->site == site;
    return is_there && strcmp(call->name, name) == 0;
}

/* The number of a call; CT_GOAL_NO_CALL: out of memory. */
static uint8_t number_call(struct ct_goal_calls *calls, const char *name, const char *site)
{
    uint32_t i = 1;
    while (i < calls->n_calls && !is_call(&calls->calls[i], name, site))
        i++;
    if (i < calls->n_calls)
        return (uint8_t)i;
    if (site && i >= CT_GOAL_CALLS_MAX - CT_GOAL_CALLS_ANYWHERE)
        return number_call(calls, name, NULL);
    assert(i < CT_GOAL_CALLS_MAX);
    char *copy = site ? strdup(site) : NULL;
    if (site && !copy)
        return CT_GOAL_NO_CALL;
    calls->calls[calls->n_calls++] = (struct ct_goal_call){.name = name, .site = copy};
    return (uint8_t)i;
}

uint8_t ct_goal_begin_call_at(struct ct_goal_builder *builder, const char *name, const char *site)
{
    builder->call = CT_GOAL_NO_CALL;
    if (!name || builder->out_of_memory)
        return CT_GOAL_NO_CALL;
    builder->out_of_memory = !begin_calls(builder);
    if (builder->out_of_memory)
        return CT_GOAL_NO_CALL;
    uintptr_t at = ((uintptr_t)name >> 3) + ((uintptr_t)site >> 4);
    struct recent *recent = &builder->recent[at % RECENT];
    if (recent->call == CT_GOAL_NO_CALL || recent->name != name || recent->site != site)
        *recent = (struct recent){name, site, number_call(builder->calls, name, site)};
    builder->call = recent->call;
    builder->out_of_memory = builder->call == CT_GOAL_NO_CALL;
    builder->calls->calls[builder->call].count += builder->call != CT_GOAL_NO_CALL;
    return builder->call;
}

void ct_goal_waited_in(struct ct_goal_builder *builder, uint32_t first, uint32_t last, uint8_t call)
{
    if (builder->out_of_memory || builder->too_many || !builder->calls)
        return;
    uint64_t from = builder->sections[builder->n_sections - 1].first_op;
    for (uint64_t op = from + first; op <= from + last; op++)
        builder->calls->of[op].waited = call;
}

/* Of the operation that is added next. */
static bool add_calls(struct ct_goal_builder *builder)
{
    struct ct_goal_calls *calls = builder->calls;
    if (!calls)
        return true;
    if (!CT_ARRAY_RESERVE(calls->of, builder->room_calls, builder->n_ops + 1))
        return false;
    calls->of[builder->n_ops] = (struct ct_goal_op_calls){builder->call, builder->call};
    return true;
}

/* ---- operations ---- */

uint32_t ct_goal_add(struct ct_goal_builder *builder, struct ct_goal_op op)
{
    if (builder->n_ops == CT_GOAL_OPS_MAX)
        builder->too_many = true;
    else if (!builder->out_of_memory)
        builder->out_of_memory =
            !CT_ARRAY_RESERVE(builder->ops, builder->room_ops, builder->n_ops + 1) ||
            !add_calls(builder);
    if (builder->out_of_memory || builder->too_many || builder->n_sections == 0)
        return 0;
    builder->ops[builder->n_ops++] = op;
    return (uint32_t)(builder->n_ops - 1 - builder->sections[builder->n_sections - 1].first_op);
}

int32_t ct_goal_make_tag(struct ct_goal_builder *builder, uint64_t tag)
{
    int32_t made = 0;
    if (!builder->out_of_memory)
        builder->out_of_memory = !ct_goal_tags_add(&builder->tags, tag, &made);
    return made;
}

void ct_goal_require(struct ct_goal_builder *builder, uint32_t op, uint32_t on,
                     enum ct_goal_wait wait)
{
    if (!builder->out_of_memory)
        builder->out_of_memory =
            !CT_ARRAY_RESERVE(builder->deps, builder->room_deps, builder->n_deps + 1);
    if (!builder->out_of_memory && builder->n_sections > 0)
        builder->deps[builder->n_deps++] = (struct ct_goal_dep){op, on, wait == CT_GOAL_START};
}

/* ---- marks ---- */

void ct_goal_begin_marks(struct ct_goal_builder *builder)
{
    if (!builder->out_of_memory)
        builder->out_of_memory =
            !CT_ARRAY_RESERVE(builder->marks.marks, builder->marks.room, builder->marks.n + 1);
}

void ct_goal_add_mark(struct ct_goal_builder *builder, struct ct_goal_mark mark)
{
    ct_goal_begin_marks(builder);
    if (!builder->out_of_memory)
        builder->marks.marks[builder->marks.n++] = mark;
}

CT_ORDER(by_op, struct ct_goal_mark, op, flags, on)

/* Numbers within a rank become numbers over all ranks. */
static enum ct_status resolve_marks(struct ct_goal *goal, struct ct_error *err)
{
    bool in_order = true;
    for (uint64_t i = 0; i < goal->n_marks; i++) {
        struct ct_goal_mark *mark = &goal->marks[i];
        bool is_rank = mark->rank < goal->n_ranks;
        uint64_t first = is_rank ? goal->first_op[mark->rank] : 0,
                 n = is_rank ? goal->first_op[mark->rank + 1] - first : 0;
        if (mark->op >= n || mark->on >= n || mark->away_ns > CT_GOAL_CALC_MAX_NS ||
            !(mark->flags & (CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST)))
            return ct_fail(err, CT_EINVAL,
                           "rank %u: a mark of operation %" PRIu64 " from operation %" PRIu64
                           " on, of %" PRIu64 " operations, away %" PRIu64 " ns, flags %u",
                           mark->rank, (uint64_t)mark->op + 1, (uint64_t)mark->on + 1, n,
                           mark->away_ns, mark->flags);
        mark->op += (uint32_t)first;
        mark->on += (uint32_t)first;
        in_order = in_order && (i == 0 || by_op(mark - 1, mark) <= 0);
    }
    if (!in_order)
        qsort(goal->marks, goal->n_marks, sizeof *goal->marks, by_op);
    return CT_OK;
}

/* ---- the end ---- */

void ct_goal_number_from(struct ct_goal_builder *builder, uint64_t *from)
{
    builder->numbers_from = from;
    builder->out_of_memory |= !from;
}

static void close_sections(struct ct_goal_builder *builder)
{
    for (size_t i = 0; i < builder->n_sections; i++) {
        struct section *section = &builder->sections[i];
        bool last = i + 1 == builder->n_sections;
        section->n_ops = (last ? builder->n_ops : section[1].first_op) - section->first_op;
        section->n_deps = (last ? builder->n_deps : section[1].first_dep) - section->first_dep;
    }
}

static bool in_order(const struct ct_goal_builder *builder)
{
    for (size_t i = 1; i < builder->n_sections; i++)
        if (builder->sections[i - 1].rank > builder->sections[i].rank)
            return false;
    return true;
}

CT_ORDER(by_rank, struct section, rank)

/* Copies everything into the order of the ranks. */
static enum ct_status sort_sections(struct ct_goal_builder *builder, struct ct_error *err)
{
    struct ct_goal_op *ops = malloc((builder->n_ops + 1) * sizeof *ops);
    struct ct_goal_dep *deps = malloc((builder->n_deps + 1) * sizeof *deps);
    struct ct_goal_op_calls *of = builder->calls ? malloc((builder->n_ops + 1) * sizeof *of) : NULL;
    if (!ops || !deps || (builder->calls && !of)) {
        free(ops);
        free(deps);
        free(of);
        return ct_no_memory(err, "schedule");
    }
    qsort(builder->sections, builder->n_sections, sizeof *builder->sections, by_rank);
    uint64_t n_ops = 0, n_deps = 0;
    for (size_t i = 0; i < builder->n_sections; i++) {
        struct section *section = &builder->sections[i];
        if (section->n_ops > 0)
            memcpy(ops + n_ops, builder->ops + section->first_op, section->n_ops * sizeof *ops);
        if (section->n_ops > 0 && of)
            memcpy(of + n_ops, builder->calls->of + section->first_op, section->n_ops * sizeof *of);
        if (section->n_deps > 0)
            memcpy(deps + n_deps, builder->deps + section->first_dep,
                   section->n_deps * sizeof *deps);
        section->first_op = n_ops;
        section->first_dep = n_deps;
        n_ops += section->n_ops;
        n_deps += section->n_deps;
    }
    free(builder->ops);
    free(builder->deps);
    builder->ops = ops;
    builder->deps = deps;
    if (of) {
        free(builder->calls->of);
        builder->calls->of = of;
    }
    return CT_OK;
}

static enum ct_status check_op(const struct ct_goal *goal, uint32_t op, struct ct_error *err)
{
    const struct ct_goal_op *what = &goal->ops[op];
    char text[CT_GOAL_TEXT_MAX];
    if (what->kind == CT_GOAL_CALC)
        return CT_OK;
    bool bad_tag = what->tag < 0 && !(what->kind == CT_GOAL_RECV && what->tag == CT_GOAL_ANY_TAG);
    if (what->peer < goal->n_ranks && !bad_tag)
        return CT_OK;
    ct_goal_describe(goal, op, text);
    if (what->peer >= goal->n_ranks)
        return ct_fail(err, CT_EINVAL, "%s: there are ranks 0 to %u", text, goal->n_ranks - 1);
    return ct_fail(err, CT_EINVAL, "%s: the tag is below 0", text);
}

/* Numbers within a rank become numbers over all ranks. */
static enum ct_status resolve_dep(struct ct_goal *goal, uint32_t rank, struct ct_goal_dep *dep,
                                  struct ct_error *err)
{
    uint64_t first = goal->first_op[rank], n = goal->first_op[rank + 1] - first;
    char text[CT_GOAL_TEXT_MAX];
    if (dep->op >= n || dep->on >= n)
        return ct_fail(err, CT_EINVAL,
                       "rank %u: a dependency of operation %" PRIu64 " on operation %" PRIu64
                       ", of %" PRIu64 " operations",
                       rank, (uint64_t)dep->op + 1, (uint64_t)dep->on + 1, n);
    bool itself = dep->op == dep->on;
    dep->op += (uint32_t)first;
    dep->on += (uint32_t)first;
    if (!itself)
        return CT_OK;
    ct_goal_describe(goal, dep->op, text);
    return ct_fail(err, CT_EINVAL, "%s: waits for itself", text);
}

/* calc_ns: [in,out] of the rank's operations before. */
static enum ct_status add_calc(const struct ct_goal *goal, uint32_t op, uint64_t *calc_ns,
                               struct ct_error *err)
{
    const struct ct_goal_op *what = &goal->ops[op];
    char text[CT_GOAL_TEXT_MAX];
    if (what->kind != CT_GOAL_CALC)
        return CT_OK;
    if (what->amount <= CT_GOAL_CALC_MAX_NS - *calc_ns) {
        *calc_ns += what->amount;
        return CT_OK;
    }
    ct_goal_describe(goal, op, text);
    return ct_fail(err, CT_EINVAL,
                   "%s: with it the rank calculates for more than %" PRIu64 " ns (30 years)", text,
                   CT_GOAL_CALC_MAX_NS);
}

static enum ct_status check_section(const struct section *section, struct ct_goal *goal,
                                    struct ct_error *err)
{
    uint64_t calc_ns = 0;
    for (uint64_t i = 0; i < section->n_ops; i++) {
        uint32_t op = (uint32_t)(section->first_op + i);
        CT_TRY(check_op(goal, op, err));
        CT_TRY(add_calc(goal, op, &calc_ns, err));
    }
    for (uint64_t i = 0; i < section->n_deps; i++)
        CT_TRY(resolve_dep(goal, section->rank, &goal->deps[section->first_dep + i], err));
    return CT_OK;
}

static enum ct_status number_ranks(const struct ct_goal_builder *builder, uint64_t *first_op,
                                   struct ct_error *err)
{
    size_t next = 0;
    for (uint32_t rank = 0; rank < builder->n_ranks; rank++) {
        first_op[rank] =
            next < builder->n_sections ? builder->sections[next].first_op : builder->n_ops;
        if (next < builder->n_sections && builder->sections[next].rank == rank)
            next++;
        if (next < builder->n_sections && builder->sections[next].rank == rank)
            return ct_fail(err, CT_EINVAL, "rank %u is there twice", rank);
    }
    first_op[builder->n_ranks] = builder->n_ops;
    if (next < builder->n_sections)
        return ct_fail(err, CT_EINVAL, "rank %u: there are ranks 0 to %u",
                       builder->sections[next].rank, builder->n_ranks - 1);
    return CT_OK;
}

static enum ct_status finish_goal(struct ct_goal_builder *builder, struct ct_goal *goal,
                                  struct ct_error *err)
{
    if (builder->too_many)
        return ct_fail(err, CT_EINVAL, "more than %d operations", CT_GOAL_OPS_MAX);
    if (builder->out_of_memory || !CT_ARRAY_RESERVE(builder->ops, builder->room_ops, 1) ||
        !CT_ARRAY_RESERVE(builder->deps, builder->room_deps, 1) ||
        !ct_goal_tags_resolve(&builder->tags, builder->ops, builder->n_ops))
        return ct_no_memory(err, "schedule");
    if (builder->n_ranks < 1 || builder->n_ranks > CT_GOAL_RANKS_MAX)
        return ct_fail(err, CT_EINVAL, "%u ranks: not within 1 to %d", builder->n_ranks,
                       CT_GOAL_RANKS_MAX);
    close_sections(builder);
    CT_TRY(in_order(builder) ? CT_OK : sort_sections(builder, err));
    uint64_t *first_op = malloc(((size_t)builder->n_ranks + 1) * sizeof *first_op);
    if (!first_op)
        return ct_no_memory(err, "schedule");
    *goal = (struct ct_goal){.n_ranks = builder->n_ranks,
                             .first_op = first_op,
                             .ops = builder->ops,
                             .n_ops = builder->n_ops,
                             .deps = builder->deps,
                             .n_deps = builder->n_deps,
                             .calls = builder->calls,
                             .marks = builder->marks.marks,
                             .n_marks = builder->marks.n,
                             .numbers_from = builder->numbers_from};
    builder->calls = NULL;
    builder->numbers_from = NULL;
    builder->marks.marks = NULL;
    builder->ops = NULL;
    builder->deps = NULL;
    CT_TRY(number_ranks(builder, first_op, err));
    for (size_t i = 0; i < builder->n_sections; i++)
        CT_TRY(check_section(&builder->sections[i], goal, err));
    return resolve_marks(goal, err);
}

enum ct_status ct_goal_build(struct ct_goal_builder *builder, struct ct_goal *goal_p,
                             struct ct_error *err)
{
    struct ct_goal goal = {0};
    enum ct_status status = finish_goal(builder, &goal, err);
    ct_goal_builder_free(builder);
    if (status == CT_OK)
        *goal_p = goal;
    else
        ct_goal_free(&goal);
    return status;
}
