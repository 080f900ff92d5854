/*
 * A program as windows between places at which nothing is under way. All ranks read until they have
 * done their share and are at rest; ranks that are behind then read on, each to its next rest,
 * until every message of the window has both ends and every call all members. That is the
 * first such place, since no rank reads on that need not.
 */
#include "lp-bridge/goal/channels.h"
#include "trace/convert/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rank in the window. */
struct progress {
    uint32_t counted, listed; /* actions that are so in the channels */
    bool is_ended, is_behind;
};

struct ct_windows {
    const struct ct_events *events;
    struct ct_convert_options options; /* with all rules */
    uint64_t weight;
    struct ct_actions actions;
    struct ct_convert_notes notes;
    struct ct_reader **readers;  /* [n_ranks]; NULL: not begun, or ended */
    struct progress *progress;   /* [n_ranks] */
    struct ct_rank_carry *carry; /* [n_ranks] */
    bool is_begun;
    struct ct_channels channels;
};

/* Collectives without rules get those of the library that was traced. */
static void complete_rules(bool in_simgrid, struct ct_collective_rules *rules)
{
    struct ct_collective_rules all;
    ct_collective_rules_default(in_simgrid ? CT_COLLECTIVE_OF_SMPI : CT_COLLECTIVE_OF_MPICH, &all);
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++)
        if (rules->n[i] == 0) {
            memcpy(rules->of[i], all.of[i], sizeof all.of[i]);
            rules->n[i] = all.n[i];
        }
}

enum ct_status ct_windows_open(const struct ct_events *events,
                               const struct ct_convert_options *options, uint64_t weight,
                               struct ct_windows **windows_p, struct ct_error *err)
{
    const uint32_t n_ranks = events->n_ranks;
    if (!(options->compute_scale >= 0) || isinf(options->compute_scale))
        return ct_fail(err, CT_EINVAL, "compute scale %g: not a finite number >= 0",
                       options->compute_scale);
    struct ct_windows *windows = calloc(1, sizeof *windows);
    if (!windows)
        return ct_no_memory(err, "traces");
    const bool is_part = options->part.from > 0 || options->part.to > 0;
    *windows = (struct ct_windows){
        .events = events,
        .options = *options,
        .weight = is_part ? CT_WINDOW_WHOLE : weight,
        .actions = {.n_ranks = n_ranks,
                    .comms = {.n_ranks = n_ranks, .position_unit = events->position_unit},
                    .ranks = calloc(n_ranks, sizeof *windows->actions.ranks)},
        .readers = calloc(n_ranks, sizeof *windows->readers),
        .progress = calloc(n_ranks, sizeof *windows->progress)};
    if (windows->weight != CT_WINDOW_WHOLE)
        windows->carry = calloc(n_ranks, sizeof *windows->carry);
    complete_rules(events->in_simgrid || options->in_simgrid, &windows->options.rules);
    if (!windows->actions.ranks || !windows->readers || !windows->progress ||
        (windows->weight != CT_WINDOW_WHOLE && !windows->carry)) {
        ct_windows_free(windows);
        return ct_no_memory(err, "traces");
    }
    *windows_p = windows;
    return CT_OK;
}

void ct_windows_free(struct ct_windows *windows)
{
    if (!windows)
        return;
    for (uint32_t rank = 0; windows->readers && rank < windows->events->n_ranks; rank++)
        ct_reader_free(windows->readers[rank]);
    free(windows->readers);
    free(windows->progress);
    free(windows->carry);
    ct_channels_free(&windows->channels);
    ct_convert_notes_free(&windows->notes);
    ct_actions_free(&windows->actions);
    free(windows);
}

void ct_windows_take_notes(struct ct_windows *windows, struct ct_convert_notes *notes_p)
{
    *notes_p = windows->notes;
    windows->notes = (struct ct_convert_notes){0};
}

/* ---- ranks ---- */

static enum ct_status read_rank(struct ct_windows *windows, uint32_t rank, uint64_t weight,
                                struct ct_error *err)
{
    struct progress *progress = &windows->progress[rank];
    struct ct_reader **reader = &windows->readers[rank];
    if (progress->is_ended)
        return CT_OK;
    if (!*reader)
        *reader = ct_reader_new(windows->events, &windows->actions, &windows->notes, rank,
                                windows->options.marks_waits);
    if (!*reader)
        return ct_no_memory(err, "traces");
    enum ct_status status = ct_reader_read(*reader, weight, &progress->is_ended, err);
    if (progress->is_ended) {
        ct_reader_free(*reader);
        *reader = NULL;
    }
    return status;
}

/* Each rank has its share of the window, or, with CT_WINDOW_WHOLE, its end. */
static enum ct_status read_shares(struct ct_windows *windows, uint64_t weight, struct ct_error *err)
{
    const uint32_t n_ranks = windows->events->n_ranks;
    const uint64_t share = weight == CT_WINDOW_WHOLE ? weight : weight / n_ranks + 1;
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        CT_TRY(read_rank(windows, rank, share, err));
    return CT_OK;
}

static bool has_ended(const struct ct_windows *windows)
{
    uint32_t rank = 0;
    while (rank < windows->events->n_ranks && windows->progress[rank].is_ended)
        rank++;
    return rank == windows->events->n_ranks;
}

/* ---- messages under way ---- */

static bool is_message(const struct ct_action *action)
{
    return (action->kind == CT_ACTION_SEND || action->kind == CT_ACTION_RECEIVE) &&
           !(action->flags & (CT_ACTION_DROPPED | CT_ACTION_UNRESOLVED));
}

static struct ct_message_end end_of(uint32_t rank, const struct ct_action *action)
{
    return ct_message_end_of(rank, action->peer, action->number, action->kind == CT_ACTION_SEND);
}

/* What the ranks have read since the last time: nothing of it changes any more. */
static void count_messages(struct ct_windows *windows)
{
    for (uint32_t rank = 0; rank < windows->events->n_ranks; rank++) {
        const struct ct_rank_actions *of = &windows->actions.ranks[rank];
        uint32_t *counted = &windows->progress[rank].counted;
        for (; *counted < of->n; ++*counted) {
            const struct ct_action *action = &of->actions[*counted];
            if (is_message(action))
                ct_channels_count(&windows->channels, end_of(rank, action));
        }
    }
}

static bool list_messages(struct ct_windows *windows)
{
    for (uint32_t rank = 0; rank < windows->events->n_ranks; rank++) {
        const struct ct_rank_actions *of = &windows->actions.ranks[rank];
        uint32_t *listed = &windows->progress[rank].listed;
        for (; *listed < of->n; ++*listed)
            if (is_message(&of->actions[*listed]) &&
                !ct_channels_list(&windows->channels, end_of(rank, &of->actions[*listed])))
                return false;
    }
    return true;
}

/* ---- who is behind ---- */

/* @return 0, or 1 if it was not known yet to be behind and can go on */
static uint32_t mark_behind(struct ct_windows *windows, uint32_t rank)
{
    struct progress *progress = &windows->progress[rank];
    if (progress->is_ended || progress->is_behind)
        return 0;
    progress->is_behind = true;
    return 1;
}

static uint32_t mark_channels(struct ct_windows *windows)
{
    uint32_t n = 0, rank;
    for (size_t i = 0; i < windows->channels.n; i++)
        if (ct_channels_behind(&windows->channels, i, &rank))
            n += mark_behind(windows, rank);
    return n;
}

/* Calls of a communicator that a member has made; one that ended has made what it will. */
static size_t calls_of(const struct ct_windows *windows, uint32_t rank, size_t comm)
{
    const struct ct_reader *reader = windows->readers[rank];
    const uint32_t place = reader ? ct_map_find(&reader->comm_places, comm) : 0;
    return place ? reader->comms[place - 1].calls : 0;
}

static uint32_t mark_members(struct ct_windows *windows, size_t c)
{
    const struct ct_comm *comm = &windows->actions.comms.comms[c];
    uint32_t n = 0;
    for (uint32_t member = 0; member < comm->group.n; member++) {
        uint32_t rank = ct_ranks_rank(&comm->group, member);
        if (calls_of(windows, rank, c) < comm->n_instances)
            n += mark_behind(windows, rank);
    }
    return n;
}

static bool is_at_rest(const struct ct_windows *windows)
{
    const struct ct_comms *comms = &windows->actions.comms;
    size_t c = 0;
    while (c < comms->n && ct_comm_is_even(&comms->comms[c]))
        c++;
    return c == comms->n && windows->channels.under_way == 0;
}

static enum ct_status find_behind(struct ct_windows *windows, uint32_t *n_p, struct ct_error *err)
{
    const struct ct_comms *comms = &windows->actions.comms;
    *n_p = 0;
    for (size_t c = 0; c < comms->n; c++)
        if (!ct_comm_is_even(&comms->comms[c]))
            *n_p += mark_members(windows, c);
    if (windows->channels.under_way == 0)
        return CT_OK;
    if (!list_messages(windows))
        return ct_no_memory(err, "traces");
    *n_p += mark_channels(windows);
    return CT_OK;
}

static enum ct_status read_behind(struct ct_windows *windows, struct ct_error *err)
{
    for (uint32_t rank = 0; rank < windows->events->n_ranks; rank++) {
        if (!windows->progress[rank].is_behind)
            continue;
        windows->progress[rank].is_behind = false;
        CT_TRY(read_rank(windows, rank, 0, err));
    }
    return CT_OK;
}

/* ---- windows ---- */

static enum ct_status read_window(struct ct_windows *windows, struct ct_error *err)
{
    const uint64_t weight = windows->is_begun
                                ? ct_goal_window_weight(windows->weight, windows->events->n_ranks)
                                : windows->weight;
    enum ct_status status = read_shares(windows, weight, err);
    while (status == CT_OK && !has_ended(windows)) {
        uint32_t n_behind = 0;
        count_messages(windows);
        if (is_at_rest(windows))
            return CT_OK;
        status = find_behind(windows, &n_behind, err);
        if (status == CT_OK && n_behind == 0)
            return read_shares(windows, CT_WINDOW_WHOLE, err);
        if (status == CT_OK)
            status = read_behind(windows, err);
    }
    return status;
}

/* What is there again for the next window is emptied, not freed. */
static void forget_window(struct ct_windows *windows)
{
    for (uint32_t rank = 0; rank < windows->events->n_ranks; rank++) {
        struct ct_rank_actions *of = &windows->actions.ranks[rank];
        struct ct_reader *reader = windows->readers[rank];
        struct progress *progress = &windows->progress[rank];
        of->n = of->n_completed = 0;
        progress->counted = progress->listed = 0;
        for (uint32_t i = 0; reader && i < reader->n_comms; i++)
            reader->comms[i].calls = 0;
        if (reader)
            reader->weight = 0;
    }
    ct_channels_clear(&windows->channels);
    ct_comms_forget_calls(&windows->actions.comms);
}

enum ct_status ct_windows_next(struct ct_windows *windows, struct ct_goal *goal_p,
                               struct ct_error *err)
{
    enum ct_status status = read_window(windows, err);
    if (status == CT_OK)
        status = ct_actions_match(&windows->actions, windows->events, &windows->notes, err);
    if (status == CT_OK)
        status = ct_actions_cut(&windows->actions, &windows->options.part, err);
    const struct ct_emit_window window = {
        .carry = windows->carry, .is_first = !windows->is_begun, .is_last = has_ended(windows)};
    windows->is_begun = true;
    if (status == CT_OK)
        status = ct_actions_emit(&windows->actions, &windows->options, &window, goal_p, err);
    if (status == CT_OK && !window.is_last)
        forget_window(windows);
    return status;
}

enum ct_status ct_convert_events(const struct ct_events *events,
                                 const struct ct_convert_options *options, struct ct_goal *goal_p,
                                 struct ct_convert_notes *notes_p, struct ct_error *err)
{
    struct ct_windows *windows;
    CT_TRY(ct_windows_open(events, options, CT_WINDOW_WHOLE, &windows, err));
    enum ct_status status = ct_windows_next(windows, goal_p, err);
    if (status == CT_OK)
        ct_windows_take_notes(windows, notes_p);
    ct_windows_free(windows);
    return status;
}
