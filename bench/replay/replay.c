/* A traced program, call by call: what other workloads imitate, this one repeats. */
#include "bench/replay/replay.h"

#include "bench/replay/archive.h"
#include "bench/replay/goal_player.h"
#include "bench/replay/memory.h"
#include "bench/replay/player.h"
#include "bench/replay/ranks.h"
#include "core/random.h"
#include "trace/input/input.h"
#include "trace/reader.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static enum ct_status no_memory(uint64_t bytes, struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "replay: no memory for %llu bytes of messages",
                   (unsigned long long)bytes);
}

/* ---- memory ---- */

static bool get_buffer(struct ct_buffer *buffer, uint64_t bytes, uint64_t mask, bool filled)
{
    buffer->room = (size_t)bytes;
    buffer->bytes = malloc(buffer->room + 1);
    if (buffer->bytes && filled)
        ct_payload_fill(mask, buffer->bytes, buffer->room);
    return buffer->bytes != NULL;
}

static enum ct_status get_slots(struct ct_player *player, struct ct_error *err)
{
    const struct ct_rehearsal *needs = &player->rehearsal;
    size_t n = needs->n_slots;
    player->slot = calloc(n + 1, sizeof *player->slot);
    player->first_prepared = calloc(n + 1, sizeof *player->first_prepared);
    bool got = player->slot && player->first_prepared;
    for (size_t i = 0; i < n && got; i++)
        player->slot[i].request = MPI_REQUEST_NULL;
    for (size_t i = 0; i < n && got; i++)
        got = get_buffer(&player->slot[i].send, needs->slots[i].send, 0, true) &&
              get_buffer(&player->slot[i].receive, needs->slots[i].receive, 0, false);
    return got ? CT_OK : no_memory(needs->total_bytes, err);
}

static enum ct_status get_thread(struct ct_player_thread *thread,
                                 const struct ct_thread_rooms *rooms, struct ct_error *err)
{
    const struct ct_rehearsal *needs = &thread->player->rehearsal;
    size_t n = needs->n_slots;
    thread->requests = calloc(n + 1, sizeof *thread->requests);
    thread->statuses = calloc(n + 1, sizeof *thread->statuses);
    thread->places = calloc(n + 1, sizeof *thread->places);
    return thread->requests && thread->statuses && thread->places &&
                   get_buffer(&thread->memory.send, rooms->message.send, 0, true) &&
                   get_buffer(&thread->memory.receive, rooms->message.receive, 0, false) &&
                   get_buffer(&thread->memory.collective_send, rooms->collective.send, 0, true) &&
                   get_buffer(&thread->memory.collective_receive, rooms->collective.receive, 0,
                              false)
               ? CT_OK
               : no_memory(needs->total_bytes, err);
}

/* Of one pass, and of what is left of the one before. */
static enum ct_status attach_buffer(struct ct_player *player, struct ct_error *err)
{
    const struct ct_rehearsal *needs = &player->rehearsal;
    uint64_t bytes = 2 * (needs->buffered_bytes + needs->n_buffered * MPI_BSEND_OVERHEAD);
    if (needs->n_buffered == 0)
        return CT_OK;
    if (bytes > INT32_MAX)
        return ct_fail(err, CT_EUNSUPPORTED, "%s: %llu bytes of buffered sends are too many",
                       player->source, (unsigned long long)bytes);
    player->buffered = malloc((size_t)bytes);
    if (!player->buffered)
        return no_memory(bytes, err);
    MPI_Buffer_attach(player->buffered, (int)bytes);
    return CT_OK;
}

static enum ct_status get_memory(struct ct_player *player, const struct ct_node_memory *node,
                                 struct ct_error *err)
{
    const struct ct_rehearsal *needs = &player->rehearsal;
    uint64_t mask = ct_random_mix((uint64_t)player->rank + 1);
    if (node->asked > node->available)
        return ct_fail(err, CT_ENOMEM,
                       "%s: rank %u needs %llu bytes for its messages, and the ranks of its node "
                       "together %llu; the node has %llu",
                       player->source, player->rank, (unsigned long long)needs->total_bytes,
                       (unsigned long long)node->asked, (unsigned long long)node->available);
    if (!get_buffer(&player->reduced, needs->reduced_bytes, mask, true) ||
        !get_buffer(&player->accessed, needs->access_bytes, 0, true) ||
        !get_buffer(&player->access, needs->access_bytes, 0, true) ||
        !get_buffer(&player->fetched, needs->access_bytes, 0, false))
        return no_memory(needs->total_bytes, err);
    CT_TRY(get_slots(player, err));
    for (uint32_t i = 0; i < player->n_threads; i++)
        CT_TRY(get_thread(&player->threads[i], &needs->threads[i], err));
    CT_TRY(attach_buffer(player, err));
    return ct_player_start_threads(player, err);
}

/* ---- the workload ---- */

static void close_thread(struct ct_player_thread *thread)
{
    ct_script_free(&thread->script);
    free(thread->requests);
    free(thread->statuses);
    free(thread->places);
    free(thread->memory.counts);
    free(thread->memory.send.bytes);
    free(thread->memory.receive.bytes);
    free(thread->memory.collective_send.bytes);
    free(thread->memory.collective_receive.bytes);
}

static void close_player(struct ct_player *player)
{
    if (!player)
        return;
    if (player->buffered) {
        void *attached;
        int size;
        MPI_Buffer_detach(&attached, &size);
    }
    ct_player_stop_threads(player);
    if (player->slot)
        ct_player_drop_requests(player);
    ct_player_close_window(player);
    ct_player_close_comms(player);
    for (uint32_t i = 0; player->slot && i < player->rehearsal.n_slots; i++) {
        free(player->slot[i].send.bytes);
        free(player->slot[i].receive.bytes);
        free(player->slot[i].counts);
    }
    ct_player_forget_freed(player);
    free(player->abandoned);
    free(player->slot);
    free(player->first_prepared);
    free(player->buffered);
    free(player->reduced.bytes);
    free(player->accessed.bytes);
    free(player->access.bytes);
    free(player->fetched.bytes);
    ct_slots_free(&player->slots);
    ct_slots_free(&player->first_slots);
    for (uint32_t i = 0; i < player->n_threads; i++)
        close_thread(&player->threads[i]);
    free(player->threads);
    ct_rehearsal_free(&player->rehearsal);
    if (player->events.close)
        player->events.close(player->events.context);
    free(player);
}

static enum ct_status choose_steps(struct ct_player *player,
                                   const struct ct_replay_options *options, struct ct_error *err)
{
    bool is_part = options->from > 0 || options->to > 0 || options->pass == CT_REPLAY_STEP;
    if (is_part && player->rehearsal.n_threads > 1)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "--pass, --pass-from, --pass-to: %s: rank %u has %u threads, of which some "
                       "may be in other calls at a collective; a pass is the whole program",
                       player->source, player->rank, player->rehearsal.n_threads);
    if (options->from > 0 || options->to > 0)
        return ct_steps_between(&player->rehearsal, options->from, options->to, &player->steps,
                                err);
    return options->pass == CT_REPLAY_STEP ? ct_steps_find(&player->rehearsal, &player->steps, err)
                                           : CT_OK;
}

static void warn_of_missing(const struct ct_player *player, struct ct_log *log)
{
    const struct ct_rehearsal *facts = &player->rehearsal;
    for (size_t i = 0; player->rank == 0 && i < facts->n_unmodelled; i++) {
        char text[CT_TRACE_COUNT_TEXT_MAX];
        ct_trace_unmodelled_describe(&facts->unmodelled[i], text);
        ct_log_warn(log, "%s: %s is not replayed %s", player->source, facts->unmodelled[i].name,
                    text);
    }
}

static enum ct_status check_threads(const struct ct_player *player, struct ct_error *err)
{
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    return provided == MPI_THREAD_MULTIPLE
               ? CT_OK
               : ct_fail(err, CT_EUNSUPPORTED,
                         "%s: rank %u has %u threads that call MPI, and the MPI library does not "
                         "provide MPI_THREAD_MULTIPLE here",
                         player->source, player->rank, player->rehearsal.n_threads);
}

static enum ct_status open_threads(struct ct_player *player, const struct ct_workload_run *run,
                                   struct ct_error *err)
{
    uint32_t n = player->rehearsal.n_threads;
    CT_TRY(n > 1 ? check_threads(player, err) : CT_OK);
    player->threads = calloc(n, sizeof *player->threads);
    if (!player->threads)
        return ct_no_memory(err, "replay");
    for (uint32_t i = 0; i < n; i++) {
        struct ct_player_thread *thread = &player->threads[player->n_threads++];
        *thread = (struct ct_player_thread){
            .player = player,
            .number = i,
            .pace = {.scale = run->replay->compute_scale, .spin = run->spin}};
        if (n == 1)
            ct_script_open(&player->events, player->rank, &thread->script);
        else
            CT_TRY(ct_script_open_thread(&player->events, player->rank, i, &thread->script, err));
    }
    return CT_OK;
}

static enum ct_status open_traces(struct ct_player *player, const struct ct_workload_run *run,
                                  struct ct_error *err)
{
    const struct ct_input input = ct_input_of(player->source);
    CT_TRY(input.kind == CT_INPUT_OTF2
               ? ct_replay_open_archive(input.path, run->comm, &player->events, err)
               : ct_input_open(input, &player->events, err));
    CT_TRY(ct_replay_check_ranks("--trace", player->source, player->events.n_ranks, run, err));
    enum ct_status status = ct_rehearse(&player->events, player->rank, &player->rehearsal, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", player->source);
    warn_of_missing(player, run->log);
    CT_TRY(choose_steps(player, run->replay, err));
    CT_TRY(open_threads(player, run, err));
    return ct_player_list_comms(player, err);
}

/* A replay of traces. Collective, but ranks may fail on their own. */
static enum ct_status open_player(const struct ct_workload_run *run, struct ct_player **player_p,
                                  struct ct_error *err)
{
    const struct ct_replay_options *options = run->replay;
    struct ct_player *player = calloc(1, sizeof *player);
    if (!player)
        ct_player_give_up(&(struct ct_player){.rank = (uint32_t)run->rank});
    *player = (struct ct_player){.source = options->trace,
                                 .rank = (uint32_t)run->rank,
                                 .n_ranks = (uint32_t)run->size,
                                 .window = MPI_WIN_NULL};
    enum ct_status status = open_traces(player, run, err);
    struct ct_node_memory node = ct_node_memory(run->comm, player->rehearsal.total_bytes);
    if (status == CT_OK)
        status = get_memory(player, &node, err);
    /* Making communicators needs all ranks. */
    int ready = status == CT_OK, all;
    MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, run->comm);
    if (all) {
        ct_player_open_comms(player, run->comm);
        ct_player_open_window(player, run->comm);
    }
    if (status != CT_OK) {
        close_player(player);
        return status;
    }
    *player_p = player;
    return CT_OK;
}

/* As the rehearsal counts marks. */
static bool is_mark(struct ct_player *player, const struct ct_trace_event *event)
{
    return event->kind >= CT_TRACE_BARRIER && event->kind <= CT_TRACE_NEIGHBOR &&
           event->request == 0 &&
           ct_player_members_of(player, ct_player_comm_of(player, event->comm))->n ==
               player->n_ranks;
}

/* Whatever a step makes, the next first one makes again. */
static void remember_first(struct ct_player *player)
{
    const struct ct_player_thread *thread = player->threads;
    player->first = (struct ct_player_place){.events = ct_script_tell(&thread->script),
                                             .next_use = thread->next_use,
                                             .next_freed = thread->next_freed,
                                             .marks = thread->marks,
                                             .end_ns = thread->end_ns,
                                             .is_set = true};
    if (!ct_slots_copy(&player->slots, &player->first_slots))
        ct_player_give_up(player);
    ct_player_keep_prepared(player);
    for (size_t i = 0; i < player->n_comms; i++)
        player->comms[i].stays = player->comms[i].comm != MPI_COMM_NULL;
}

/* Until so many marks are passed, or to the end. */
static void act_until(struct ct_player_thread *thread, uint64_t marks)
{
    struct ct_trace_event event = {0};
    struct ct_outcome outcome;
    while (thread->marks < marks &&
           ct_script_next(&thread->script, &event, &outcome, NULL) == CT_OK &&
           event.kind != CT_TRACE_END && event.kind != CT_TRACE_NONE) {
        ct_player_act(thread, &event, &outcome);
        thread->marks += is_mark(thread->player, &event);
    }
    if (event.kind == CT_TRACE_END)
        ct_player_note_time(thread, &event);
    ct_player_compute(thread);
}

static void play_all(struct ct_player *player)
{
    struct ct_player_thread *thread = player->threads;
    if (player->n_threads > 1) {
        ct_player_play_threads(player);
    } else {
        ct_player_rewind(thread, (struct ct_player_place){.events = thread->script.start});
        act_until(thread, UINT64_MAX);
    }
    ct_player_drop_requests(player);
    ct_player_drop_comms(player);
}

/* The next step; behind the last one the first comes again. What is before it is made once. */
static void play_step(struct ct_player *player)
{
    struct ct_player_thread *thread = player->threads;
    const struct ct_steps *steps = &player->steps;
    if (!player->first.is_set) {
        act_until(thread, steps->first);
        remember_first(player);
    } else if (thread->marks >= steps->first + steps->n * steps->period) {
        ct_player_restore_prepared(player);
        ct_player_drop_comms(player);
        ct_player_rewind(thread, player->first);
        if (!ct_slots_copy(&player->first_slots, &player->slots))
            ct_player_give_up(player);
    }
    act_until(thread, thread->marks + steps->period);
}

static void play_events(struct ct_player *player, struct ct_workload_run *run)
{
    player->run = run;
    ct_player_forget_freed(player);
    ct_pace_begin(&player->threads->pace, ct_clock_now_ns());
    if (player->steps.n > 0)
        play_step(player);
    else
        play_all(player);
    ct_player_await_freed(player->threads);
}

/* ---- the workload: of one form or the other ---- */

struct replay {
    struct ct_player *player;
    struct ct_goal_player *goal;
};

static void replay_destroy(void *state)
{
    struct replay *replay = state;
    if (!replay)
        return;
    close_player(replay->player);
    ct_goal_player_free(replay->goal);
    free(replay);
}

static enum ct_status replay_create(const struct ct_workload_run *run, void **state_p,
                                    struct ct_error *err)
{
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        ct_player_give_up(&(struct ct_player){.rank = (uint32_t)run->rank});
    enum ct_status status = *run->replay->goal
                                ? ct_goal_player_open(run->replay->goal, run, &replay->goal, err)
                                : open_player(run, &replay->player, err);
    if (status == CT_OK)
        *state_p = replay;
    else
        replay_destroy(replay);
    return status;
}

static void replay_iterate(void *state, struct ct_workload_run *run)
{
    struct replay *replay = state;
    if (replay->goal)
        ct_goal_player_run(replay->goal, run);
    else
        play_events(replay->player, run);
}

/* All files of a program say the same of that: the first one is enough. */
static bool has_threads(const char *directory)
{
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    struct ct_trace *trace;
    ct_trace_file_name(0, name);
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path ||
        ct_trace_open(path, &trace, NULL) != CT_OK)
        return false;
    bool has = ct_trace_header_of(trace)->has_threads;
    ct_trace_free(trace);
    return has;
}

bool ct_replay_needs_threads(const struct ct_replay_options *options)
{
    struct ct_events events;
    const struct ct_input input = ct_input_of(options->trace);
    if (input.kind == CT_INPUT_TRACES)
        return has_threads(input.path);
    if (input.kind != CT_INPUT_OTF2 || ct_input_open(input, &events, NULL) != CT_OK)
        return false;
    events.close(events.context);
    return events.has_threads;
}

static const char *const phases[] = {"trace", NULL};

const struct ct_workload ct_workload_replay = {
    .name = "replay",
    .iterations = 1,
    .phases = phases,
    .create = replay_create,
    .iterate = replay_iterate,
    .destroy = replay_destroy,
};
